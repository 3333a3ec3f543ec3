/*
 * The pure half of the editor: a stack of views over one session and one picture, or over the chooser alone as long as no disk is
 * open. Keys go to the view in front, drawing begins at the frontmost one that covers the screen. Knows no terminal. What
 * runs behind the screen belongs to the session or to the chooser, and goes with it.
 */
#include "app.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "afdisk/layout_hybrid.h"
#include "ask.h"
#include "chooser.h"
#include "disk.h"
#include "unfinished.h"
#include "warn.h"

void ui_app_push(struct ui_app *app, const struct ui_view *view, void *state)
{
	assert(app->nlayers < UI_LAYERS);
	app->layer[app->nlayers++] = (struct ui_layer){ .view = view, .state = state };
}

void ui_app_pop(struct ui_app *app)
{
	assert(app->nlayers > 0);
	const struct ui_layer last = app->layer[--app->nlayers];
	if (last.view->close)
		last.view->close(app, last.state);
}

void ui_app_refresh(struct ui_app *app, uint32_t keep_id)
{
	app->picture.disk = af_session_disk(app->session);
	app->picture.preview = false;
	app->picture.stop.shown = false;
	app->picture.locked = af_session_locked(app->session) != NULL;
	ui_picture_rows(&app->picture, keep_id);
}

void ui_app_say(struct ui_app *app, enum ui_role role, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(app->message, sizeof(app->message), fmt, args);
	va_end(args);
	app->message_role = role;
	app->message_time = ui_messages_now(&app->messages);
}

void ui_app_start_clock(struct ui_app *app, time_t (*clock)(void))
{
	app->messages.clock = clock;
	app->message_time = clock();
}

bool ui_app_do(struct ui_app *app, const struct af_command *cmd)
{
	char words[200];
	uint32_t id = 0;
	struct af_err err = { 0 };
	const size_t steps = af_session_undos(app->session);
	const bool was_open = af_layout_open_mirror(app->picture.disk.layout) != 0;
	if (!af_session_do(app->session, cmd, &id, &err)) {
		ui_app_say(app, UI_ROLE_BAD, "%s", err.text);
		return false;
	}
	ui_app_refresh(app, id);
	if (af_session_undos(app->session) == steps) {
		ui_app_say(app, UI_ROLE_TEXT, "nothing changed: it is so already");
		return false;
	}
	if (!was_open && af_layout_open_mirror(app->picture.disk.layout) != 0) {
		ui_ask_hybrid(app);
		return true;
	}
	ui_app_say(app, UI_ROLE_GOOD, "done: %s (Ctrl-Z takes it back)",
		   af_command_words(cmd, words, sizeof(words)));
	return true;
}

const struct ui_row *ui_app_row(const struct ui_app *app)
{
	const struct ui_picture *p = &app->picture;
	return p->selected < p->nrows ? &p->row[p->selected] : NULL;
}

const struct af_part *ui_app_part(const struct ui_app *app)
{
	const struct ui_row *row = ui_app_row(app);
	return row && row->id ? af_layout_find(app->picture.disk.layout, row->id) : NULL;
}

const char *ui_app_part_name(const struct ui_app *app, uint32_t number, char *buf,
			     size_t size)
{
	const char *path = app->picture.disk.path;
	const char *slash = strrchr(path, '/');
	return af_text_part_name(slash ? slash + 1 : path, number, buf, size);
}

/* Says once which file systems do not fit, unless something else is being said. */
static void tell_larger(struct ui_app *app)
{
	const struct af_disk *d = &app->picture.disk;
	const struct af_part *first = NULL;
	char name[64];
	size_t n = 0;
	for (size_t i = 0; i < d->layout->nparts; i++) {
		const struct af_part *part = &d->layout->part[i];
		const struct af_content *c = af_contents_find(d->contents, part->id);
		if (!c || af_content_excess(c, part->span) == 0)
			continue;
		if (n++ == 0 || first->number > part->number)
			first = part;
	}
	if (n <= app->larger || *app->message)
		return;
	app->larger = n;
	ui_app_part_name(app, first->number, name, sizeof(name));
	if (n > 1) {
		ui_app_say(app, UI_ROLE_BAD,
			   "%zu file systems are larger than their partitions, the first "
			   "in %s",
			   n, name);
	} else {
		char larger[200];
		ui_app_say(app, UI_ROLE_BAD, "%s: %s", name,
			   af_content_larger(af_contents_find(d->contents, first->id),
					     first->span, larger, sizeof(larger)));
	}
}

bool ui_app_modified(const struct ui_app *app)
{
	return app->session && af_session_modified(app->session) &&
	       af_scheme_is_ours(af_session_disk(app->session).layout->scheme);
}

/* The key that repairs stands behind what it repairs; what else is odd follows. */
static void tell_remark(struct ui_app *app, const char *remark)
{
	char buf[AF_REMARK];
	const struct af_layout *l = app->picture.disk.layout;
	const size_t of_table = strlen(af_layout_remark(l, buf, sizeof(buf))),
		     n = of_table > 0 ? of_table : strlen(remark);
	ui_app_say(app, UI_ROLE_WARN, "%.*s%s%s", (int)n, remark,
		   *af_layout_state(l) ? " (R)" : "", remark + n);
}

/* Shows the disk that was opened, and asks what has to be asked first. */
static void show_disk(struct ui_app *app)
{
	struct af_session *session = app->session;
	app->wants_start = true;
	app->options.zero = false; /* the first disk alone begins without its table */
	ui_app_push(app, &ui_disk_view, NULL);
	ui_app_refresh(app, 0);
	const char *locked = af_session_read_only(session);
	if (ui_unfinished_ask(app))
		return;
	if (locked)
		ui_app_say(app, UI_ROLE_WARN, "read-only: %s", locked);
	else if (app->picture.disk.layout->scheme == AF_SCHEME_NONE)
		ui_ask_label(app);
	char buf[AF_REMARK];
	const char *remark = af_session_remark(session, buf, sizeof(buf));
	if (!locked && *remark)
		tell_remark(app, remark);
	tell_larger(app);
}

void ui_app_init(struct ui_app *app, struct af_session *maybe_session,
		 const struct af_session_options *options)
{
	*app = (struct ui_app){ .session = maybe_session,
				.options = *options,
				.menu = UI_DO_COUNT };
	if (maybe_session)
		show_disk(app);
	else
		ui_chooser_open(app);
}

/* Closes the disk and all that shows it. */
static void close_disk(struct ui_app *app)
{
	while (app->nlayers > 0)
		ui_app_pop(app);
	ui_picture_release(&app->picture);
	af_text_release(&app->warned);
	af_session_close(app->session);
	app->session = NULL;
}

void ui_app_release(struct ui_app *app)
{
	close_disk(app);
	ui_messages_release(&app->messages);
}

/* The last word of what is over now goes to those before it. */
static void clear_message(struct ui_app *app)
{
	if (app->message[0] != '\0')
		ui_messages_add(&app->messages, app->message_time, app->message_role,
				app->message);
	app->message[0] = '\0';
}

void ui_app_open(struct ui_app *app, struct af_session *session)
{
	const enum ui_units units = app->picture.units;
	clear_message(app);
	close_disk(app);
	app->session = session;
	app->picture = (struct ui_picture){ .units = units };
	app->larger = 0;
	app->looking_since = 0;
	app->menu = UI_DO_COUNT;
	show_disk(app);
}

void ui_app_start(struct ui_app *app)
{
	app->wants_start = false;
	if (app->maybe_chooser)
		ui_chooser_start(app);
	else if (app->session)
		af_session_probe_start(app->session);
}

int ui_app_fd(const struct ui_app *app)
{
	if (app->maybe_chooser)
		return ui_chooser_fd(app);
	return app->session ? af_session_probe_fd(app->session) : -1;
}

static bool is_too_small(const struct ui_app *app)
{
	return app->rows > 0 && (app->rows < UI_MIN_ROWS || app->cols < UI_MIN_COLS);
}

/* Nobody edits what he cannot see: in a window that is too small only leaving is possible, and only without loss. */
static void small_key(struct ui_app *app, int key)
{
	if (ui_action_of_key(key) == UI_DO_QUIT && !ui_app_modified(app))
		app->wants_quit = true;
}

void ui_app_write(struct ui_app *app, const char *word, void (*work)(struct ui_app *app))
{
	if (strcmp(word, "yes") != 0) {
		ui_app_say(app, UI_ROLE_WARN, "nothing was written: the word is yes");
		return;
	}
	ui_app_say(app, UI_ROLE_WARN, "writing to %s: leave it connected and switched on",
		   app->picture.disk.path);
	app->work = work;
	if (!app->draws_first)
		ui_app_work(app);
}

void ui_app_work(struct ui_app *app)
{
	void (*work)(struct ui_app *) = app->work;
	app->work = NULL;
	if (work)
		work(app);
}

/* What there was before a key. */
struct before {
	const struct af_session *session;
	size_t undos;
};

static struct before look_before(const struct ui_app *app)
{
	return (struct before){ .session = app->session,
				.undos =
					app->session ? af_session_undos(app->session) : 0 };
}

/* After an edit, and before the next question, what it brings is told. */
static void follow_edits(struct ui_app *app, struct before before)
{
	const struct before now = look_before(app);
	if (now.session && now.session == before.session && now.undos != before.undos &&
	    app->nlayers == 1)
		ui_warn_look(app, now.undos > before.undos);
}

void ui_app_key(struct ui_app *app, int key)
{
	const struct before before = look_before(app);
	clear_message(app);
	app->picture.held = (struct af_span){ 0 };
	if (is_too_small(app)) {
		small_key(app, key);
		return;
	}
	const struct ui_layer front = app->layer[app->nlayers - 1];
	if (key == UI_KEY_CTRL('L'))
		app->wants_redraw = true;
	if (key == UI_KEY_CTRL('L') && app->maybe_chooser)
		ui_chooser_refresh(app);
	else if (key != UI_KEY_CTRL('L'))
		front.view->key(app, front.state, key);
	follow_edits(app, before);
}

/* What every view has: a click on a key in its hints, and a wheel. */
static void point(struct ui_app *app, const struct ui_canvas *seen,
		  const struct ui_mouse *m)
{
	int key = UI_KEY_NONE, times = 1;
	if (m->kind == UI_MOUSE_PRESS && m->row >= seen->rows - UI_FOOT_ROWS) {
		key = ui_mouse_key_at(seen, m->row, m->col);
	} else if (m->kind == UI_MOUSE_WHEEL_UP || m->kind == UI_MOUSE_WHEEL_DOWN) {
		key = m->kind == UI_MOUSE_WHEEL_UP ? UI_KEY_UP : UI_KEY_DOWN;
		times = app->layer[app->nlayers - 1].view->notch;
	}
	for (int i = 0; key != UI_KEY_NONE && (i < times || i == 0); i++)
		ui_app_key(app, key);
}

void ui_app_mouse(struct ui_app *app, const struct ui_canvas *seen,
		  const struct ui_mouse *m)
{
	const struct ui_layer front = app->layer[app->nlayers - 1];
	const struct before before = look_before(app);
	if (is_too_small(app) || seen->rows != app->rows || seen->cols != app->cols)
		return;
	if (m->kind != UI_MOUSE_DRAG && m->kind != UI_MOUSE_RELEASE)
		clear_message(app);
	if (!front.view->mouse || !front.view->mouse(app, front.state, m))
		point(app, seen, m);
	if (m->kind == UI_MOUSE_RELEASE)
		app->picture.held = (struct af_span){ 0 };
	follow_edits(app, before);
}

size_t ui_app_known(const struct ui_app *app)
{
	const struct af_contents *contents = app->picture.disk.contents;
	size_t known = 0;
	for (size_t i = 0; i < contents->n; i++)
		known += contents->item[i].state != AF_CONTENT_UNKNOWN;
	return known;
}

/* From when on, and from how many on, the end of looking is reckoned. */
static void time_looking(struct ui_app *app)
{
	if (af_session_probe_fd(app->session) < 0) {
		app->looking_since = 0;
	} else if (app->looking_since == 0) {
		app->looking_since = ui_messages_now(&app->messages);
		app->looked_before = ui_app_known(app);
	}
}

bool ui_app_facts(struct ui_app *app)
{
	if (app->maybe_chooser) {
		ui_chooser_take(app);
		return true;
	}
	if (!app->session || !af_session_probe_take(app->session))
		return false;
	const struct ui_row *row = ui_app_row(app);
	app->picture.disk.contents = af_session_disk(app->session).contents;
	time_looking(app);
	ui_picture_rows(&app->picture, row ? row->id : 0);
	tell_larger(app);
	const struct ui_layer front = app->layer[app->nlayers - 1];
	if (front.view->facts)
		front.view->facts(app, front.state);
	return true;
}

static void draw_small(const struct ui_app *app, struct ui_canvas *c)
{
	char text[200];
	snprintf(
		text, sizeof(text),
		"afdisk needs a window of %d columns and %d rows; this one has %d and %d%s",
		UI_MIN_COLS, UI_MIN_ROWS, c->cols, c->rows,
		ui_app_modified(app) ? ". Your changes are kept" : ". q quits");
	ui_canvas_wrap(c, (struct ui_rect){ 0, 0, c->rows, c->cols }, UI_ROLE_TEXT, text);
}

/* A message longer than its line grows upward: it is never cut, and the menu stays. The sentence of the lens goes as
 * a whole then, half of it would read on into the message. */
static void draw_message(const struct ui_app *app, struct ui_canvas *c)
{
	struct ui_rect r = { .row = 0, .col = 0, .rows = 0, .cols = c->cols };
	r.rows = ui_canvas_wrap(c, r, app->message_role, app->message);
	r.row = c->rows - UI_FOOT_ROWS + 1 - r.rows;
	const int first = r.rows == 2 ? r.row - 1 : r.row;
	for (int i = first; i < r.row + r.rows; i++)
		ui_canvas_fill(c, i, 0, c->cols, UI_ROLE_TEXT, " ");
	ui_canvas_wrap(c, r, app->message_role, app->message);
}

void ui_app_draw(struct ui_app *app, struct ui_canvas *c)
{
	app->rows = c->rows;
	app->cols = c->cols;
	ui_canvas_clear(c);
	if (is_too_small(app)) {
		draw_small(app, c);
		return;
	}
	size_t i = app->nlayers - 1;
	while (i > 0 && !app->layer[i].view->whole)
		i--;
	for (; i < app->nlayers; i++)
		app->layer[i].view->draw(app, app->layer[i].state, c);
	if (app->message[0])
		draw_message(app, c);
}
