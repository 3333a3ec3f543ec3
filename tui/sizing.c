/*
 * The form behind New and Resize. Each change of a field is tried as the very command that Enter will carry
 * out; when it holds, the picture shows its outcome, when not, the reason is shown and the picture stays.
 * Fields: [0] the start (resize only), [1] the size. An edge that was not touched is left to the verb.
 */
#include "sizing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form.h"
#include "input.h"
#include "point.h"

enum { START, SIZE, FIELDS };

struct sizing {
	struct af_command base; /* without the fields */
	struct af_command good; /* the last one that held */
	struct ui_input field[FIELDS];
	bool touched[FIELDS]; /* by something that held */
	int active;
	struct af_layout
		shown; /* what the picture draws: the outcome of good, or the table as it is */
	uint32_t id; /* the partition in shown */
	bool holds;  /* the fields as they are make a command that holds */
	char why[sizeof(((struct af_err *)0)->text)]; /* "" or what was refused */
	af_bytes region;                              /* what "a sixteenth" is of */
	struct ui_row row;                            /* selected before, and its edge */
	int edge;
};

/* --- fields -------------------------------------------------------------------------------------------- */

/* A position or size in its largest exact unit: "10G", "953868M", "63s". */
static void set_exact(const struct ui_app *app, struct ui_input *in, af_bytes n)
{
	char text[AF_SHORT];
	const uint32_t sector = app->picture.disk.layout->sector_size;
	if (n >= AF_GIB && n % AF_GIB == 0)
		snprintf(text, sizeof(text), "%" PRId64 "G", n / AF_GIB);
	else if (n >= AF_MIB && n % AF_MIB == 0)
		snprintf(text, sizeof(text), "%" PRId64 "M", n / AF_MIB);
	else
		snprintf(text, sizeof(text), "%" PRId64 "s", af_sectors(n, sector));
	ui_input_set(in, text);
}

static const struct af_part *shown_part(const struct sizing *s)
{
	return af_layout_find(&s->shown, s->id);
}

/* Fields that nobody types into follow the partition. */
static void follow(const struct ui_app *app, struct sizing *s, bool all)
{
	const struct af_part *part = shown_part(s);
	if (!part)
		return;
	if (all || s->active != START)
		set_exact(app, &s->field[START], part->span.start);
	if (all || s->active != SIZE)
		set_exact(app, &s->field[SIZE], af_span_size(part->span));
}

/* --- trying -------------------------------------------------------------------------------------------- */

static struct af_amount bytes_amount(af_bytes n)
{
	return (struct af_amount){ .kind = AF_AMOUNT_BYTES, .value = n };
}

/* The start moves and the end that was set before stays: the start alone says first where it comes to lie. */
static bool want_both(const struct ui_app *app, const struct sizing *s,
		      struct af_command *cmd, struct af_err *err)
{
	struct af_layout probe;
	uint32_t id = 0;
	if (!af_session_preview(app->session, cmd, &probe, &id, err))
		return false;
	const struct af_part *moved = af_layout_find(&probe, id), *now = shown_part(s);
	const bool ok = moved && now && now->span.end > moved->span.start;
	if (ok) {
		cmd->want.start = bytes_amount(moved->span.start);
		cmd->want.has_size = true;
		cmd->want.size = bytes_amount(now->span.end - moved->span.start);
	}
	af_layout_release(&probe);
	return ok || af_fail(err, AF_E_RANGE, "the start must lie before the end");
}

/* The command that the fields say. */
static bool read_fields(const struct ui_app *app, const struct sizing *s,
			struct af_command *cmd, struct af_err *err)
{
	struct af_amount amount;
	const struct af_part *now = shown_part(s);
	*cmd = s->base;
	struct af_want *want = cmd->verb == AF_VERB_NEW ? &cmd->add.want : &cmd->want;
	if (s->field[s->active].len == 0)
		return af_fail(err, AF_E_USAGE,
			       s->active == START ? "type a position, such as 1M or 2048s"
						  : "type a size, such as 10G or 25%%");
	if (!af_text_parse(s->field[s->active].text, &amount, err))
		return false;
	if (s->active == START) {
		want->has_start = true;
		want->start = amount;
		return !s->touched[SIZE] || want_both(app, s, cmd, err);
	}
	want->has_size = true;
	want->size = amount;
	want->has_start = s->touched[START] && now;
	if (want->has_start)
		want->start = bytes_amount(now->span.start);
	return true;
}

static void show(struct ui_app *app, struct sizing *s)
{
	app->picture.disk.layout = &s->shown;
	app->picture.preview = true;
	app->picture.edge = s->active;
	ui_picture_rows(&app->picture, s->id);
}

/* Tries what the fields say: true if it holds, and then it is what is drawn. */
static bool try_fields(struct ui_app *app, struct sizing *s)
{
	struct af_layout next;
	struct af_command cmd;
	struct af_err err = { 0 };
	uint32_t id = 0;
	s->holds = read_fields(app, s, &cmd, &err) &&
		   af_session_preview(app->session, &cmd, &next, &id, &err);
	snprintf(s->why, sizeof(s->why), "%s", s->holds ? "" : err.text);
	if (!s->holds)
		return false;
	af_layout_release(&s->shown);
	s->shown = next;
	s->id = id;
	s->good = cmd;
	s->touched[s->active] = true;
	show(app, s);
	return true;
}

/* --- moving an edge by keys ---------------------------------------------------------------------------- */

/* The line of the grain that lies about distance from edge in that direction, at least one line on. */
static bool line_from(struct af_grid grain, af_bytes edge, af_bytes distance, int direction,
		      af_bytes *out)
{
	const af_bytes target = edge + direction * distance;
	if (target < 0)
		return false;
	if (direction > 0)
		return af_grid_down(grain, target, out) && *out > edge;
	return af_grid_up(grain, target, out) && *out < edge;
}

static bool move_to(struct ui_app *app, struct sizing *s, af_bytes edge)
{
	const struct af_part *part = shown_part(s);
	const af_bytes value = s->active == START ? edge : edge - part->span.start;
	if (value <= 0 && s->active == SIZE)
		return false;
	set_exact(app, &s->field[s->active], value);
	return try_fields(app, s);
}

/* Moves the active edge by distance, or by as much of it as is possible, halving: at least one grain, or not. */
static void move_edge(struct ui_app *app, struct sizing *s, af_bytes distance,
		      int direction)
{
	const struct af_grid grain = app->picture.disk.rules->grain;
	const struct af_part *part = shown_part(s);
	const struct ui_input before = s->field[s->active];
	const bool held = s->holds;
	if (!part)
		return;
	const af_bytes edge = s->active == START ? part->span.start : part->span.end;
	for (af_bytes d = distance < grain.step ? grain.step : distance; d >= grain.step;
	     d /= 2) {
		af_bytes line;
		if (line_from(grain, edge, d, direction, &line) && move_to(app, s, line)) {
			follow(app, s, false);
			return;
		}
	}
	s->field[s->active] = before;
	s->holds = held;
	if (s->why[0] == '\0')
		snprintf(s->why, sizeof(s->why), "this edge cannot move further");
}

/* --- the view ------------------------------------------------------------------------------------------ */

static void enter(struct ui_app *app, const struct sizing *s)
{
	const struct af_command cmd = s->good;
	const bool touched = s->touched[START] || s->touched[SIZE];
	if (!s->holds)
		return;
	ui_app_pop(app);
	if (touched)
		ui_app_do(app, &cmd);
	else
		ui_app_say(app, UI_ROLE_TEXT, "nothing changed");
}

static void type_key(struct ui_app *app, struct sizing *s, int key)
{
	bool changed = false;
	ui_input_key(&s->field[s->active], key, &changed);
	if (!changed)
		return;
	if (try_fields(app, s))
		follow(app, s, false);
}

static void other_field(struct ui_app *app, struct sizing *s)
{
	if (s->base.verb == AF_VERB_NEW)
		return;
	follow(app, s, true);
	s->holds = true;
	s->why[0] = '\0';
	s->active = s->active == START ? SIZE : START;
	app->picture.edge = s->active;
}

static void key(struct ui_app *app, void *state, int pressed)
{
	struct sizing *s = state;
	const af_bytes grain = app->picture.disk.rules->grain.step;
	if (pressed == UI_KEY_ESCAPE || pressed == UI_KEY_CTRL('C'))
		ui_app_pop(app);
	else if (pressed == UI_KEY_ENTER)
		enter(app, s);
	else if (pressed == UI_KEY_TAB || pressed == UI_KEY_BACK_TAB)
		other_field(app, s);
	else if (pressed == UI_KEY_UP || pressed == UI_KEY_DOWN)
		move_edge(app, s, grain, pressed == UI_KEY_UP ? 1 : -1);
	else if (pressed == UI_KEY_PAGE_UP || pressed == UI_KEY_PAGE_DOWN)
		move_edge(app, s, s->region / 16, pressed == UI_KEY_PAGE_UP ? 1 : -1);
	else
		type_key(app, s, pressed);
}

/* --- with the mouse ------------------------------------------------------------------------------------ */

static void choose_field(struct ui_app *app, struct sizing *s, int field)
{
	if (s->active != field)
		other_field(app, s);
}

static void drag(struct ui_app *app, struct sizing *s, const struct ui_mouse *m)
{
	const struct af_part *part = shown_part(s);
	if (!part)
		return;
	const af_bytes edge = s->active == START ? part->span.start : part->span.end;
	const af_bytes to = ui_point_byte(app, m, s->active);
	if (to != edge)
		move_edge(app, s, to > edge ? to - edge : edge - to, to > edge ? 1 : -1);
}

/* Drags go on, and the other edge can be taken; of a new partition only the end. */
static bool mouse(struct ui_app *app, void *state, const struct ui_mouse *m)
{
	struct sizing *s = state;
	struct ui_spot spot;
	if (m->kind == UI_MOUSE_DRAG && af_span_size(app->picture.held) > 0) {
		drag(app, s, m);
		return true;
	}
	if (m->kind != UI_MOUSE_PRESS || !ui_point_bar(app, m, &spot))
		return false;
	if (spot.on_edge && app->picture.row[spot.row].id == s->id &&
	    (spot.edge == SIZE || s->base.verb == AF_VERB_RESIZE)) {
		ui_point_hold(app);
		choose_field(app, s, spot.edge);
	}
	return true;
}

static int draw_field(const struct sizing *s, struct ui_canvas *c, int col, int field)
{
	static const char *const name_table[FIELDS] = {
		[START] = "Start", [SIZE] = "Size"
	};
	const int row = c->rows - UI_FOOT_ROWS, cols = 16;
	const int used = ui_canvas_text(c, row, col, c->cols - col, UI_ROLE_TEXT,
					name_table[field]) +
			 1;
	ui_input_draw(&s->field[field], c, (struct ui_rect){ row, col + used, 1, cols },
		      field == s->active);
	return col + used + cols + 2;
}

/* What would be there, in words, or why not. */
static void draw_outcome(const struct ui_app *app, const struct sizing *s,
			 struct ui_canvas *c)
{
	const struct ui_rect r = { c->rows - UI_FOOT_ROWS + 1, 0, 2, c->cols };
	const struct af_part *part = shown_part(s);
	const uint32_t sector = s->shown.sector_size;
	char text[300], size[AF_SHORT];
	if (s->why[0]) {
		ui_canvas_wrap(c, r, UI_ROLE_BAD, s->why);
		return;
	}
	const struct af_disk *d = &app->picture.disk;
	const enum af_status status = af_align_judge(d->rules, d->contents, part).status;
	snprintf(text, sizeof(text),
		 "sectors %" PRIu64 " to %" PRIu64 ", %" PRId64 " sectors, %s, %s",
		 af_lba_of(part->span.start, sector).n,
		 af_lba_of(part->span.end, sector).n - 1,
		 af_sectors(af_span_size(part->span), sector),
		 af_text_size(af_span_size(part->span), size), af_status_name(status));
	ui_canvas_wrap(c, r, UI_ROLE_TEXT, text);
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	static const char *const kind_table[] = {
		[AF_WANT_ANY] = "New partition",
		[AF_WANT_PRIMARY] = "New primary partition",
		[AF_WANT_EXTENDED] = "New extended partition",
		[AF_WANT_LOGICAL] = "New logical partition",
	};
	const struct sizing *s = state;
	const bool is_new = s->base.verb == AF_VERB_NEW;
	const int row = c->rows - UI_FOOT_ROWS;
	char name[100] = "";
	ui_form_foot(c, is_new ? "Enter: make it  Esc: cancel  Up Down: one grain  "
				 "PgUp PgDn: 1/16  or type: 10G"
			       : "Enter: do it  Esc: cancel  Tab: other edge  Up Down: one "
				 "grain  PgUp PgDn: 1/16");
	if (!is_new)
		ui_app_part_name(app, s->base.number, name, sizeof(name));
	int col =
		is_new ? ui_canvas_text(c, row, 0, 30, UI_ROLE_TITLE,
					kind_table[s->base.add.role])
		       : ui_canvas_printf(c, row, 0, 30, UI_ROLE_TITLE, "Resize %s", name);
	col += 2;
	if (!is_new)
		col = draw_field(s, c, col, START);
	draw_field(s, c, col, SIZE);
	draw_outcome(app, s, c);
}

static void close(struct ui_app *app, void *state)
{
	struct sizing *s = state;
	ui_app_refresh(app, 0);
	ui_picture_select(&app->picture, &s->row);
	app->picture.edge = s->edge;
	af_layout_release(&s->shown);
	free(s);
}

/* What was refused because nobody had looked into the partition may hold now. */
static void try_again(struct ui_app *app, void *state)
{
	struct sizing *s = state;
	if (!s->holds && try_fields(app, s))
		follow(app, s, false);
}

static const struct ui_view sizing_view = { .name = "sizing",
					    .draw = draw,
					    .key = key,
					    .facts = try_again,
					    .mouse = mouse,
					    .close = close };

static struct sizing *make(const struct ui_app *app, enum af_verb verb)
{
	struct sizing *s = af_alloc(1, sizeof(*s));
	s->base.verb = verb;
	s->active = SIZE;
	if (ui_app_row(app))
		s->row = *ui_app_row(app);
	s->edge = app->picture.edge;
	af_layout_copy(app->picture.disk.layout, &s->shown);
	return s;
}

/* --- new ----------------------------------------------------------------------------------------------- */

static struct af_command new_command(const struct ui_app *app, enum af_want_role role)
{
	struct af_command cmd = { .verb = AF_VERB_NEW };
	cmd.add.role = role;
	cmd.add.has_within = true;
	cmd.add.within = ui_app_row(app)->span.start;
	return cmd;
}

static void open_new(struct ui_app *app, int role)
{
	struct sizing *s = make(app, AF_VERB_NEW);
	s->base = new_command(app, (enum af_want_role)role);
	ui_input_set(&s->field[SIZE], "max");
	ui_app_push(app, &sizing_view, s);
	if (!try_fields(app, s)) {
		ui_app_say(app, UI_ROLE_BAD, "%s", s->why);
		ui_app_pop(app);
		return;
	}
	s->region = af_span_size(shown_part(s)->span);
	follow(app, s, true);
}

/* Whether a partition of that kind can be made here at all; the reason otherwise. */
static bool is_possible(const struct ui_app *app, enum af_want_role role,
			struct af_err *err)
{
	struct af_layout l;
	uint32_t id = 0;
	struct af_command cmd = new_command(app, role);
	cmd.add.want.has_size = true;
	cmd.add.want.size = (struct af_amount){ .kind = AF_AMOUNT_MAX };
	if (!af_session_preview(app->session, &cmd, &l, &id, err))
		return false;
	af_layout_release(&l);
	return true;
}

void ui_sizing_new(struct ui_app *app)
{
	static const struct ui_choice kind_table[] = {
		{ "Primary", "one of the four entries of the MBR", AF_WANT_PRIMARY },
		{ "Logical",
		  "inside the extended partition, which is made or grown as needed",
		  AF_WANT_LOGICAL },
		{ "Extended", "a container for logical partitions", AF_WANT_EXTENDED },
	};
	struct ui_choice item[3];
	struct af_err err = { 0 }, first = { 0 };
	size_t n = 0;
	if (app->picture.disk.layout->scheme == AF_SCHEME_GPT) {
		open_new(app, AF_WANT_ANY);
		return;
	}
	for (size_t i = 0; i < 3; i++)
		if (is_possible(app, (enum af_want_role)kind_table[i].value, &err))
			item[n++] = kind_table[i];
		else if (first.code == AF_OK)
			first = err;
	if (n == 0)
		ui_app_say(app, UI_ROLE_BAD, "%s", first.text);
	else if (n == 1)
		open_new(app, item[0].value);
	else
		ui_form_choice(app, "New partition: which kind? (Esc: none)", item, n,
			       open_new);
}

/* --- resize -------------------------------------------------------------------------------------------- */

/* The size that the partition could have with its start where it is; what it has if it cannot grow. */
static af_bytes largest(const struct ui_app *app, const struct af_part *part)
{
	struct af_command cmd = { .verb = AF_VERB_RESIZE, .number = part->number };
	struct af_layout l;
	struct af_err err;
	uint32_t id = 0;
	cmd.want.has_size = true;
	cmd.want.size = (struct af_amount){ .kind = AF_AMOUNT_MAX };
	if (!af_session_preview(app->session, &cmd, &l, &id, &err))
		return af_span_size(part->span);
	const struct af_part *grown = af_layout_find(&l, id);
	const af_bytes size = af_span_size(grown ? grown->span : part->span);
	af_layout_release(&l);
	return size;
}

void ui_sizing_resize(struct ui_app *app)
{
	const struct af_part *part = ui_app_part(app);
	struct sizing *s = make(app, AF_VERB_RESIZE);
	s->base.number = part->number;
	s->id = part->id;
	s->holds = true;
	s->region = largest(app, part);
	ui_app_push(app, &sizing_view, s);
	follow(app, s, true);
	show(app, s);
}

void ui_sizing_drag(struct ui_app *app, int edge, const struct ui_mouse *m)
{
	ui_sizing_resize(app);
	struct sizing *s = app->layer[app->nlayers - 1].state;
	choose_field(app, s, edge);
	drag(app, s, m);
}
