/*
 * The main screen: where each picture goes, which actions are offered for what is selected, and what they do.
 * The pictures draw themselves; edits are the session's; whatever needs more than a key is asked elsewhere.
 */
#include "disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "afdisk/layout_hybrid.h"
#include "ask.h"
#include "entry.h"
#include "facts.h"
#include "form.h"
#include "header.h"
#include "help.h"
#include "menu.h"
#include "offers.h"
#include "point.h"
#include "review.h"
#include "sizing.h"
#include "typelist.h"
#include "unfinished.h"

/* --- what is offered ----------------------------------------------------------------------------------- */

static bool is_out_of_order(const struct af_layout *l)
{
	uint32_t last = 0, last_logical = 0;
	for (size_t i = 0; i < l->nparts; i++) {
		uint32_t *before =
			l->part[i].role == AF_ROLE_LOGICAL ? &last_logical : &last;
		if (l->part[i].number < *before)
			return true;
		*before = l->part[i].number;
	}
	return false;
}

static bool is_compensated(const struct ui_app *app, const struct af_part *part)
{
	const struct af_disk *d = &app->picture.disk;
	return af_align_judge(d->rules, d->contents, part).status == AF_STATUS_COMPENSATED;
}

/* A size that ends off the boundary is a matter of resizing. */
static bool is_off_grain(const struct ui_app *app, const struct af_part *part)
{
	const struct af_disk *d = &app->picture.disk;
	const struct af_content *inside = af_contents_find(d->contents, part->id);
	if (is_compensated(app, part))
		return false;
	return !af_grid_has(af_align_grain(d->rules, inside), part->span.start);
}

static bool is_any_off_grain(const struct ui_app *app)
{
	const struct af_layout *l = app->picture.disk.layout;
	for (size_t i = 0; i < l->nparts; i++)
		if (is_off_grain(app, &l->part[i]))
			return true;
	return false;
}

static bool offers_edit(const struct ui_app *app, enum ui_action a)
{
	const struct ui_row *row = ui_app_row(app);
	const struct af_part *part = ui_app_part(app);
	const struct af_layout *l = app->picture.disk.layout;
	const bool locked = af_session_locked(app->session) != NULL;
	if (a == UI_DO_LABEL)
		return l->nparts == 0 || locked;
	if (locked)
		return false;
	if (a == UI_DO_LOAD)
		return l->nparts == 0;
	if (a == UI_DO_ENTRY)
		return part && l->scheme == AF_SCHEME_GPT;
	if (a == UI_DO_NEW || a == UI_DO_PLAN)
		return row && row->is_free && l->scheme != AF_SCHEME_NONE;
	if (a == UI_DO_BOOT)
		return part && l->scheme == AF_SCHEME_MBR && part->role != AF_ROLE_EXTENDED;
	if (a == UI_DO_ALIGN)
		return part && part->role != AF_ROLE_EXTENDED && is_off_grain(app, part);
	if (a == UI_DO_ALIGN_ALL)
		return is_any_off_grain(app);
	if (a == UI_DO_SORT)
		return is_out_of_order(l);
	if (a == UI_DO_REPAIR)
		return *af_layout_state(l);
	return part != NULL;
}

bool ui_disk_offers(const struct ui_app *app, enum ui_action a)
{
	const char *group = ui_action_info(a)->group;
	if (a == UI_DO_UNDO)
		return af_session_undos(app->session) > 0;
	if (a == UI_DO_REDO)
		return af_session_redos(app->session) > 0;
	if (a == UI_DO_WRITE && af_session_unfinished(app->session))
		return true;
	if (a == UI_DO_REVIEW || a == UI_DO_WRITE)
		return af_session_modified(app->session) &&
		       af_scheme_is_ours(app->picture.disk.layout->scheme);
	if (a == UI_DO_DUMP)
		return af_scheme_is_ours(app->picture.disk.layout->scheme);
	return *group != 'E' || offers_edit(app, a);
}

/* --- drawing ------------------------------------------------------------------------------------------- */

/* Bar and lens get one more row where there is plenty; the facts need more rows than the lens. */
struct ui_places ui_disk_places(const struct ui_app *app)
{
	static const int pane_table[] = {
		[UI_PANE_LENS] = 5, [UI_PANE_FACTS] = 8, [UI_PANE_NONE] = 0
	};
	const int more = app->rows >= 36 ? 1 : 0;
	const int pane = pane_table[app->pane];
	struct ui_places p = {
		.bar = { .row = UI_HEADER_ROWS, .rows = 4 + more, .cols = app->cols },
		.lens = { .rows = pane + (pane > 0 ? more : 0), .cols = app->cols },
		.table = { .cols = app->cols },
	};
	p.table.row = p.bar.row + p.bar.rows;
	p.table.rows = app->rows - UI_FOOT_ROWS - p.lens.rows - p.table.row;
	p.lens.row = p.table.row + p.table.rows;
	return p;
}

/* "row", or how many there are where they cannot all be seen. */
static const char *rows_words(const struct ui_app *app, char *buf, size_t size)
{
	const int lines = ui_disk_places(app).table.rows - 1; /* without the heading */
	if (lines > 0 && app->picture.nrows > (size_t)lines)
		snprintf(buf, size, "%zu rows", app->picture.nrows);
	else
		snprintf(buf, size, "row");
	return buf;
}

static void draw_foot(const struct ui_app *app, struct ui_canvas *c)
{
	const struct ui_action_info *info = ui_action_info(ui_menu_current(app));
	char hint[200], rows[40];
	snprintf(hint, sizeof(hint), "%s (%.*s): %s", info->menu,
		 (int)strcspn(info->keys, " "), info->keys, info->help);
	ui_form_foot(c, hint);
	snprintf(
		hint, sizeof(hint),
		"Arrows: %s, menu  + - 0: zoom  [ ]: edge  x: facts  i: units  h: all keys",
		rows_words(app, rows, sizeof(rows)));
	ui_canvas_text(c, c->rows - UI_FOOT_ROWS, 0, c->cols, UI_ROLE_DIM, hint);
	ui_menu_draw(app, c);
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	const struct ui_places p = ui_disk_places(app);
	(void)state;
	ui_header_draw(app, c);
	ui_bar_draw(&app->picture, c, p.bar);
	ui_table_draw(&app->picture, c, p.table);
	switch (app->pane) {
	case UI_PANE_LENS:
		ui_lens_draw(&app->picture, c, p.lens);
		break;
	case UI_PANE_FACTS:
		ui_facts_draw(app, c, p.lens);
		break;
	case UI_PANE_NONE:
		break;
	}
	draw_foot(app, c);
}

/* --- doing --------------------------------------------------------------------------------------------- */

static void select_row(struct ui_app *app, enum ui_action a)
{
	struct ui_picture *p = &app->picture;
	const int rows = ui_disk_places(app).table.rows - 1; /* without the heading */
	const size_t page = rows > 1 ? (size_t)rows : 1,
		     last = p->nrows > 0 ? p->nrows - 1 : 0;
	size_t to = p->selected;
	if (a == UI_DO_UP || a == UI_DO_PAGE_UP) {
		const size_t rows_up = a == UI_DO_UP ? 1 : page;
		to = to > rows_up ? to - rows_up : 0;
	} else if (a == UI_DO_FIRST) {
		to = 0;
	} else if (a == UI_DO_LAST) {
		to = last;
	} else {
		to += a == UI_DO_DOWN ? 1 : page;
	}
	p->selected = to < last ? to : last;
}

static void zoom(struct ui_app *app, enum ui_action a)
{
	struct ui_picture *p = &app->picture;
	const int steps = a == UI_DO_ZOOM_IN ? 1 : a == UI_DO_ZOOM_OUT ? -1 : -p->zoom;
	ui_bar_zoom(p, app->cols, steps);
}

/* The partition that a step brought back or changed, the first of several; 0 if it changed none. */
static uint32_t changed_part(const struct af_layout *before, const struct af_layout *now)
{
	for (size_t i = 0; i < now->nparts; i++) {
		const struct af_part *old = af_layout_find(before, now->part[i].id);
		if (!old || !af_part_equal(old, &now->part[i]))
			return now->part[i].id;
	}
	return 0;
}

/* Undo or redo; what comes back is selected. Returns what was done, or NULL. */
static const char *step(struct ui_app *app, const char *(*verb)(struct af_session *))
{
	const struct ui_row *row = ui_app_row(app);
	const uint32_t id = row ? row->id : 0;
	struct af_layout before;
	af_layout_copy(app->picture.disk.layout, &before);
	const char *what = verb(app->session);
	const uint32_t changed =
		changed_part(&before, af_session_disk(app->session).layout);
	ui_app_refresh(app, changed ? changed : id);
	af_layout_release(&before);
	return what;
}

static void step_back(struct ui_app *app, enum ui_action a)
{
	(void)a;
	const char *what = step(app, af_session_undo);
	if (what)
		ui_app_say(app, UI_ROLE_GOOD, "undone: %s (Ctrl-Y does it again)", what);
	else
		ui_app_say(app, UI_ROLE_WARN, "there is nothing to undo");
}

static void step_forward(struct ui_app *app, enum ui_action a)
{
	(void)a;
	const char *what = step(app, af_session_redo);
	if (what)
		ui_app_say(app, UI_ROLE_GOOD, "done again: %s (Ctrl-Z takes it back)",
			   what);
	else
		ui_app_say(app, UI_ROLE_WARN, "there is nothing to do again");
}

static size_t count_inside(const struct af_layout *l, const struct af_part *maybe_part)
{
	size_t n = 0;
	if (maybe_part && maybe_part->role == AF_ROLE_EXTENDED)
		for (size_t i = 0; i < l->nparts; i++)
			n += l->part[i].role == AF_ROLE_LOGICAL;
	return n;
}

/* Edits that need no answer: one command each. */
static void edit(struct ui_app *app, enum ui_action a)
{
	static const enum af_verb verb_table[UI_DO_COUNT] = {
		[UI_DO_DELETE] = AF_VERB_DELETE, [UI_DO_BOOT] = AF_VERB_BOOT,
		[UI_DO_ALIGN] = AF_VERB_ALIGN,   [UI_DO_ALIGN_ALL] = AF_VERB_ALIGN,
		[UI_DO_SORT] = AF_VERB_SORT,     [UI_DO_REPAIR] = AF_VERB_REPAIR,
	};
	const struct af_part *part = ui_app_part(app);
	struct af_command cmd = { .verb = verb_table[a] };
	if (part && a != UI_DO_ALIGN_ALL && a != UI_DO_SORT && a != UI_DO_REPAIR)
		cmd.number = part->number;
	if (part && a == UI_DO_BOOT)
		cmd.on = !ui_picture_boots(&app->picture, part);
	const size_t inside =
		a == UI_DO_DELETE ? count_inside(app->picture.disk.layout, part) : 0;
	if (ui_app_do(app, &cmd) && inside > 0)
		ui_app_say(app, UI_ROLE_WARN,
			   "done: delete partition %" PRIu32
			   " and the %zu logical%s in it (Ctrl-Z takes it back)",
			   cmd.number, inside, inside == 1 ? "" : "s");
}

static bool changes(enum ui_action a)
{
	return *ui_action_info(a)->group == 'E' || a == UI_DO_WRITE;
}

/* Why an action that was asked for by its key is not offered. */
static void refuse(struct ui_app *app, enum ui_action a)
{
	const struct af_part *part = ui_app_part(app);
	const bool none = app->picture.disk.layout->scheme == AF_SCHEME_NONE;
	const char *locked = af_session_locked(app->session);
	if (locked && changes(a))
		ui_app_say(app, UI_ROLE_WARN, "the table cannot be changed: %s", locked);
	else if (none)
		ui_app_say(app, UI_ROLE_WARN,
			   "the disk has no partition table yet: l makes one");
	else if (a == UI_DO_NEW)
		ui_app_say(app, UI_ROLE_WARN,
			   "select free space to make a partition in it");
	else if (a == UI_DO_PLAN)
		ui_app_say(app, UI_ROLE_WARN, "select free space to fill it with a layout");
	else if (a == UI_DO_REVIEW || a == UI_DO_WRITE)
		ui_app_say(app, UI_ROLE_WARN,
			   "there is nothing to write: the table is as it is on disk");
	else if (a == UI_DO_SORT)
		ui_app_say(app, UI_ROLE_WARN,
			   "the partitions are in the order of their places already");
	else if (a == UI_DO_ALIGN_ALL)
		ui_app_say(
			app, UI_ROLE_WARN,
			"nothing to align: the start of every partition is on the grain");
	else if (ui_app_row(app) && ui_app_row(app)->host)
		ui_app_say(
			app, UI_ROLE_WARN,
			"an entry of the label inside a partition is shown, not changed");
	else if (!part)
		ui_app_say(app, UI_ROLE_WARN, "select a partition for this");
	else if (a == UI_DO_ALIGN && is_compensated(app, part))
		ui_app_say(app, UI_ROLE_WARN,
			   "nothing to align: the start is off its boundary, but the data "
			   "inside lies on one");
	else if (a == UI_DO_ALIGN)
		ui_app_say(app, UI_ROLE_WARN,
			   "nothing to align: the start of this partition is on the grain; "
			   "r moves its edges");
	else if (app->picture.disk.layout->scheme == AF_SCHEME_GPT)
		ui_app_say(app, UI_ROLE_WARN,
			   "a GPT has no boot flag: t makes an EFI System Partition");
	else
		ui_app_say(app, UI_ROLE_WARN,
			   "the boot flag is for partitions that hold data, not for the "
			   "extended one");
}

/* The menu starts afresh after New: Enter once more must not delete what was made. */
static void ask(struct ui_app *app, enum ui_action a)
{
	static void (*const question_table[UI_DO_COUNT])(struct ui_app *) = {
		[UI_DO_NEW] = ui_sizing_new,         [UI_DO_RESIZE] = ui_sizing_resize,
		[UI_DO_TYPE] = ui_typelist_open,     [UI_DO_LABEL] = ui_ask_label,
		[UI_DO_DUMP] = ui_ask_dump,          [UI_DO_HELP] = ui_help_open,
		[UI_DO_QUIT] = ui_ask_quit,          [UI_DO_PLAN] = ui_offers_open,
		[UI_DO_MESSAGES] = ui_messages_open, [UI_DO_OPEN] = ui_ask_open,
		[UI_DO_ENTRY] = ui_entry_open,       [UI_DO_LOAD] = ui_ask_load,
	};
	if (a == UI_DO_NEW)
		app->menu = UI_DO_COUNT;
	question_table[a](app);
}

/* What becomes of a hybrid MBR is a part of what is reviewed. */
static void open_review(struct ui_app *app, enum ui_action a)
{
	if (af_layout_open_mirror(app->picture.disk.layout) != 0)
		ui_ask_hybrid(app);
	else
		ui_review_open(app, a == UI_DO_WRITE);
}

static void select_item(struct ui_app *app, enum ui_action a)
{
	ui_menu_step(app, a == UI_DO_MENU_NEXT ? 1 : -1);
}

static void look(struct ui_app *app, enum ui_action a)
{
	struct ui_picture *p = &app->picture;
	if (a == UI_DO_UNITS)
		p->units = p->units == UI_UNITS_BYTES ? UI_UNITS_HUMAN : p->units + 1;
	else if (a == UI_DO_REDRAW)
		app->wants_redraw = true;
	else if (a == UI_DO_FACTS)
		app->pane = app->pane == UI_PANE_NONE ? UI_PANE_LENS : app->pane + 1;
	else
		p->edge = a == UI_DO_EDGE_END;
}

static void run_item(struct ui_app *app, enum ui_action a);

static void (*const act_table[UI_DO_COUNT])(struct ui_app *, enum ui_action) = {
	[UI_DO_UP] = select_row,
	[UI_DO_DOWN] = select_row,
	[UI_DO_PAGE_UP] = select_row,
	[UI_DO_PAGE_DOWN] = select_row,
	[UI_DO_FIRST] = select_row,
	[UI_DO_LAST] = select_row,
	[UI_DO_MENU_NEXT] = select_item,
	[UI_DO_MENU_BACK] = select_item,
	[UI_DO_RUN] = run_item,
	[UI_DO_NEW] = ask,
	[UI_DO_PLAN] = ask,
	[UI_DO_DELETE] = edit,
	[UI_DO_RESIZE] = ask,
	[UI_DO_TYPE] = ask,
	[UI_DO_BOOT] = edit,
	[UI_DO_ALIGN] = edit,
	[UI_DO_ALIGN_ALL] = edit,
	[UI_DO_SORT] = edit,
	[UI_DO_REPAIR] = edit,
	[UI_DO_UNDO] = step_back,
	[UI_DO_REDO] = step_forward,
	[UI_DO_LABEL] = ask,
	[UI_DO_ENTRY] = ask,
	[UI_DO_LOAD] = ask,
	[UI_DO_ZOOM_IN] = zoom,
	[UI_DO_ZOOM_OUT] = zoom,
	[UI_DO_ZOOM_ALL] = zoom,
	[UI_DO_EDGE_START] = look,
	[UI_DO_EDGE_END] = look,
	[UI_DO_UNITS] = look,
	[UI_DO_MESSAGES] = ask,
	[UI_DO_REDRAW] = look,
	[UI_DO_FACTS] = look,
	[UI_DO_REVIEW] = open_review,
	[UI_DO_WRITE] = open_review,
	[UI_DO_DUMP] = ask,
	[UI_DO_OPEN] = ask,
	[UI_DO_HELP] = ask,
	[UI_DO_QUIT] = ask,
};

static void run_item(struct ui_app *app, enum ui_action a)
{
	(void)a;
	const enum ui_action item = ui_menu_current(app);
	if (!changes(item) || !ui_unfinished_ask(app))
		act_table[item](app, item);
}

/* Undo, redo and repair say themselves that there is nothing; a label can be made anew, and a script applied, at any
 * time; every table that can be changed has an identifier. */
static bool needs_offer(const struct ui_app *app, enum ui_action a)
{
	if (a == UI_DO_ENTRY)
		return af_session_locked(app->session) ||
		       !af_scheme_is_ours(app->picture.disk.layout->scheme);
	return a != UI_DO_UNDO && a != UI_DO_REDO && a != UI_DO_LABEL &&
	       a != UI_DO_REPAIR && a != UI_DO_LOAD;
}

void ui_disk_act(struct ui_app *app, enum ui_action a)
{
	if (changes(a) && ui_unfinished_ask(app))
		return;
	if (needs_offer(app, a) && !ui_disk_offers(app, a))
		refuse(app, a);
	else
		act_table[a](app, a);
}

static void key(struct ui_app *app, void *state, int pressed)
{
	const enum ui_action a = ui_action_of_key(pressed);
	(void)state;
	if (a == UI_DO_COUNT)
		ui_app_say(app, UI_ROLE_WARN,
			   "this key does nothing here: h shows all keys");
	else
		ui_disk_act(app, a);
}

static bool mouse(struct ui_app *app, void *state, const struct ui_mouse *m)
{
	(void)state;
	return ui_point_disk(app, m);
}

const struct ui_view ui_disk_view = {
	.name = "disk", .whole = true, .draw = draw, .key = key, .mouse = mouse
};
