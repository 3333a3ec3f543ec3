/*
 * The form behind New and Resize: what it looks like, and what its keys do. What moves is sizing_edge.c's.
 */
#include "sizing_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form.h"
#include "point.h"

/* --- the view ------------------------------------------------------------------------------------------ */

static void enter(struct ui_app *app, const struct ui_sizing *s)
{
	const struct af_command cmd = s->good;
	const bool touched = s->touched[0] || s->touched[1];
	if (!s->holds)
		return;
	ui_app_pop(app);
	if (touched)
		ui_app_do(app, &cmd);
	else
		ui_app_say(app, UI_ROLE_TEXT, "nothing changed");
}

/* Data no longer stops the edges: what was typed, or the next key that moves one, changes only the entry. */
static void let_pass(struct ui_app *app, struct ui_sizing *s)
{
	s->passes = true;
	if (s->typed && ui_sizing_try(app, s))
		ui_sizing_follow(app, s);
	s->why[0] = '\0';
}

/* What is typed is no longer put on the grain; nor is what is typed next. */
static void take_exactly(struct ui_app *app, struct ui_sizing *s)
{
	s->exact = true;
	s->rounded = false;
	if (s->typed && ui_sizing_try(app, s))
		ui_sizing_follow(app, s);
}

static void type_key(struct ui_app *app, struct ui_sizing *s, int key)
{
	bool changed = false;
	ui_input_key(&s->field[s->active], key, &changed);
	s->typed = true;
	if (!changed)
		return;
	s->rounded = ui_sizing_try(app, s) && ui_sizing_rounds(app, s);
	if (s->holds)
		ui_sizing_follow(app, s);
}

static void choose_field(struct ui_app *app, struct ui_sizing *s, enum ui_field field)
{
	s->typed = false;
	ui_sizing_follow(app, s);
	s->holds = true;
	s->why[0] = '\0';
	s->active = field;
	ui_sizing_show(app, s);
}

/* Keys that move the edge, and how far: 0 if it is none of them. */
static int move_key(struct ui_app *app, struct ui_sizing *s, int pressed)
{
	const struct af_rules *rules = app->picture.disk.rules;
	switch (pressed) {
	case UI_KEY_UP:
	case UI_KEY_DOWN:
	case UI_KEY_LEFT:
	case UI_KEY_RIGHT: {
		const bool on = pressed == UI_KEY_UP || pressed == UI_KEY_RIGHT;
		ui_sizing_move(app, s, rules->grain, rules->grain.step, on ? 1 : -1);
		return 1;
	}
	case UI_KEY_SHIFT_UP:
	case UI_KEY_SHIFT_RIGHT:
	case '>':
		ui_sizing_move(app, s, rules->check, rules->check.step, 1);
		return 1;
	case UI_KEY_SHIFT_DOWN:
	case UI_KEY_SHIFT_LEFT:
	case '<':
		ui_sizing_move(app, s, rules->check, rules->check.step, -1);
		return 1;
	case UI_KEY_PAGE_UP:
	case UI_KEY_PAGE_DOWN:
		ui_sizing_move(app, s, rules->grain, s->region / 16,
			       pressed == UI_KEY_PAGE_UP ? 1 : -1);
		return 1;
	case UI_KEY_HOME:
	case UI_KEY_END:
		ui_sizing_move_far(app, s, pressed == UI_KEY_END ? 1 : -1);
		return 1;
	default:
		return 0;
	}
}

/* Keys that move in a text while one is typed. */
static bool is_for_text(const struct ui_sizing *s, int pressed)
{
	return s->typed && (pressed == UI_KEY_LEFT || pressed == UI_KEY_RIGHT ||
			    pressed == UI_KEY_HOME || pressed == UI_KEY_END);
}

static bool choose_kind(struct ui_app *app, struct ui_sizing *s, int pressed);

static void key(struct ui_app *app, void *state, int pressed)
{
	struct ui_sizing *s = state;
	if (pressed == UI_KEY_ESCAPE || pressed == UI_KEY_CTRL('C'))
		ui_app_pop(app);
	else if (pressed == UI_KEY_ENTER)
		enter(app, s);
	else if (pressed == UI_KEY_TAB)
		choose_field(app, s, (s->active + 1) % FIELDS);
	else if (pressed == UI_KEY_BACK_TAB)
		choose_field(app, s, (s->active + FIELDS - 1) % FIELDS);
	else if (pressed == '!' && ui_sizing_is_stopped(app, s))
		let_pass(app, s);
	else if (pressed == '=')
		take_exactly(app, s);
	else if (choose_kind(app, s, pressed))
		return;
	else if (is_for_text(s, pressed) || !move_key(app, s, pressed))
		type_key(app, s, pressed);
}

/* --- with the mouse ------------------------------------------------------------------------------------ */

/* How far the active edge has to go to come to lie at byte to. */
static af_bytes way_to(const struct ui_sizing *s, af_bytes to)
{
	const struct af_part *part = ui_sizing_part(s);
	if (!part)
		return 0;
	return to - (ui_sizing_edge(s->active) ? part->span.end : part->span.start);
}

/* Towards the mouse as far as it goes: how far that is must not depend on how fast the mouse was. */
static void drag(struct ui_app *app, struct ui_sizing *s, const struct ui_mouse *m)
{
	const struct af_grid grain = app->picture.disk.rules->grain;
	const af_bytes to = ui_point_byte(app, m, ui_sizing_edge(s->active));
	af_bytes left = way_to(s, to), before = 0;
	while (left != 0 && (before == 0 ||
			     (llabs(left) < llabs(before) && llabs(left) >= grain.step))) {
		before = left;
		ui_sizing_move(app, s, grain, llabs(left), left > 0 ? 1 : -1);
		left = way_to(s, to);
	}
}

static void take_edge(struct ui_app *app, struct ui_sizing *s, int edge)
{
	if (ui_sizing_edge(s->active) != edge)
		choose_field(app, s, edge ? SIZE : START);
}

/* Drags go on, and the other edge can be taken. */
static bool mouse(struct ui_app *app, void *state, const struct ui_mouse *m)
{
	struct ui_sizing *s = state;
	struct ui_spot spot;
	if (m->kind == UI_MOUSE_DRAG && af_span_size(app->picture.held) > 0) {
		drag(app, s, m);
		return true;
	}
	if (m->kind != UI_MOUSE_PRESS || !ui_point_bar(app, m, &spot))
		return false;
	if (spot.on_edge && app->picture.row[spot.row].id == s->id) {
		ui_point_hold(app);
		take_edge(app, s, spot.edge);
	}
	return true;
}

/* --- drawing ------------------------------------------------------------------------------------------- */

#define FIELD_COLS 12 /* "1953525167s" and the cursor */

static void draw_fields(const struct ui_sizing *s, struct ui_canvas *c, int col)
{
	static const char *const name_table[FIELDS] = {
		[SIZE] = "Size", [START] = "Start", [END] = "End"
	};
	const int row = c->rows - UI_FOOT_ROWS,
		  cols = FIELD_COLS + (c->cols >= 100 ? 4 : 0);
	for (enum ui_field f = SIZE; f < FIELDS; f++) {
		col += ui_canvas_text(c, row, col, c->cols - col, UI_ROLE_TEXT,
				      name_table[f]) +
		       1;
		ui_input_draw(&s->field[f], c, (struct ui_rect){ row, col, 1, cols },
			      f == s->active);
		col += cols + 1;
	}
}

/* What would be there, in words, or why not. Returns the rows that it took. */
static int draw_outcome(const struct ui_app *app, const struct ui_sizing *s,
			struct ui_canvas *c)
{
	const struct ui_rect r = { c->rows - UI_FOOT_ROWS + 1, 0, 2, c->cols };
	const struct af_part *part = ui_sizing_part(s);
	const uint32_t sector = s->shown.sector_size;
	const struct af_disk *d = &app->picture.disk;
	char text[400], size[AF_SHORT];
	if (s->why[0])
		return ui_canvas_wrap(c, r, UI_ROLE_BAD, s->why);
	const enum af_status status = af_align_judge(d->rules, d->contents, part).status;
	int n = snprintf(text, sizeof(text),
			 "sectors %" PRIu64 " to %" PRIu64 ", %" PRId64 " sectors, %s, %s",
			 af_lba_of(part->span.start, sector).n,
			 af_lba_of(part->span.end, sector).n - 1,
			 af_sectors(af_span_size(part->span), sector),
			 af_text_size(af_span_size(part->span), size),
			 af_status_name(status));
	const char *inside = ui_sizing_content(app, s);
	if (s->table_only && inside)
		snprintf(text + n, sizeof(text) - (size_t)n, /* it fits by far */
			 "; table-only: the entry changes, and not the %s inside", inside);
	return ui_canvas_wrap(c, r, s->table_only ? UI_ROLE_WARN : UI_ROLE_TEXT, text);
}

static const char *kind_name(enum af_want_role kind)
{
	switch (kind) {
	case AF_WANT_ANY:
		break;
	case AF_WANT_PRIMARY:
		return "primary";
	case AF_WANT_EXTENDED:
		return "extended";
	case AF_WANT_LOGICAL:
		return "logical";
	}
	return "partition";
}

/* The kinds to choose from, that of now selected, and what can be typed. */
static void draw_ways(const struct ui_sizing *s, struct ui_canvas *c, int row)
{
	int col = 0;
	if (s->nkinds > 1)
		col = ui_canvas_text(c, row, 0, c->cols, UI_ROLE_TEXT, "Kind: ");
	for (size_t i = 0; i < s->nkinds && s->nkinds > 1; i++) {
		const char *name = kind_name(s->kind[i]);
		const char letter[2] = { name[0], '\0' };
		const bool here = s->kind[i] == s->base.add.role;
		col += ui_canvas_text(c, row, col, 2, UI_ROLE_KEY, letter);
		col += ui_canvas_text(c, row, col, 1, UI_ROLE_TEXT, " ");
		col += ui_canvas_text(c, row, col, c->cols,
				      here ? UI_ROLE_SELECTED : UI_ROLE_TEXT, name);
		col += ui_canvas_text(c, row, col, 3, UI_ROLE_TEXT, "   ");
	}
	if (s->passes) {
		ui_canvas_text(c, row, col, c->cols - col, UI_ROLE_WARN,
			       "data may be passed: then only the entry changes");
		return;
	}
	if (s->typed && s->rounded) {
		ui_canvas_text(c, row, col, c->cols - col, UI_ROLE_WARN,
			       "rounded to the grain; =: as typed");
		return;
	}
	ui_canvas_text(c, row, col, c->cols - col, UI_ROLE_DIM,
		       s->base.verb == AF_VERB_NEW ? "or type: 10G 25% max 2048s"
						   : "or type: 10G +5G -5G 50% max 2048s");
}

/* "4 KiB", "512 B": a step of an edge. */
static void draw_hint(const struct ui_app *app, const struct ui_sizing *s,
		      struct ui_canvas *c)
{
	const struct af_rules *rules = app->picture.disk.rules;
	char grain[AF_SHORT], check[AF_SHORT], hint[200];
	if (ui_sizing_is_stopped(app, s)) {
		ui_form_foot(
			c,
			"!: let it pass, and change only the entry in the table  Esc: no");
		return;
	}
	snprintf(hint, sizeof(hint),
		 "Enter: %s  Esc: no  Arrows: %s  < >: %s  PgUp PgDn: 1/16  Tab: %s",
		 s->base.verb == AF_VERB_NEW ? "make it" : "do it",
		 af_text_size(rules->grain.step, grain),
		 af_text_size(rules->check.step, check),
		 s->active == SIZE    ? "start"
		 : s->active == START ? "end"
				      : "size");
	ui_form_foot(c, hint);
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	const struct ui_sizing *s = state;
	const int row = c->rows - UI_FOOT_ROWS;
	char title[120];
	draw_hint(app, s, c);
	if (s->base.verb == AF_VERB_NEW) {
		snprintf(title, sizeof(title), "New %s", kind_name(s->base.add.role));
	} else {
		char name[100];
		snprintf(title, sizeof(title), "Resize %s",
			 ui_app_part_name(app, s->base.number, name, sizeof(name)));
	}
	const int most = c->cols - 3 * FIELD_COLS - 20;
	const int col = ui_canvas_text(c, row, 0, most, UI_ROLE_TITLE, title);
	draw_fields(s, c, col + 2);
	if (draw_outcome(app, s, c) < 2)
		draw_ways(s, c, row + 2);
}

static void close(struct ui_app *app, void *state)
{
	struct ui_sizing *s = state;
	ui_app_refresh(app, 0);
	ui_picture_select(&app->picture, &s->row);
	app->picture.edge = s->edge;
	af_layout_release(&s->shown);
	free(s);
}

/* What was refused because nobody had looked into the partition may hold now. */
static void try_again(struct ui_app *app, void *state)
{
	struct ui_sizing *s = state;
	if (!s->holds && ui_sizing_try(app, s))
		ui_sizing_follow(app, s);
}

static const struct ui_view sizing_view = { .name = "sizing",
					    .draw = draw,
					    .key = key,
					    .facts = try_again,
					    .mouse = mouse,
					    .close = close };

static struct ui_sizing *make(const struct ui_app *app, enum af_verb verb)
{
	struct ui_sizing *s = af_alloc(1, sizeof(*s));
	s->base.verb = verb;
	s->active = SIZE;
	if (ui_app_row(app))
		s->row = *ui_app_row(app);
	s->edge = app->picture.edge;
	af_layout_copy(app->picture.disk.layout, &s->shown);
	return s;
}

/* --- new ----------------------------------------------------------------------------------------------- */

/* All there is of that kind where the selection was. */
static void begin_kind(struct ui_app *app, struct ui_sizing *s, enum af_want_role kind)
{
	s->base.add.role = kind;
	s->touched[0] = s->touched[1] = s->exact = s->typed = false;
	s->active = SIZE;
	ui_input_set(&s->field[SIZE], "max");
	if (!ui_sizing_try(app, s))
		return;
	s->region = af_span_size(ui_sizing_part(s)->span);
	ui_sizing_follow(app, s);
}

/* A kind is chosen by its first letter as long as no size is typed, which may have the same letters. */
static bool choose_kind(struct ui_app *app, struct ui_sizing *s, int pressed)
{
	if (s->typed && s->field[s->active].len > 0)
		return false;
	for (size_t i = 0; i < s->nkinds && s->nkinds > 1; i++) {
		if (pressed != kind_name(s->kind[i])[0])
			continue;
		begin_kind(app, s, s->kind[i]);
		return true;
	}
	return false;
}

/* The command for a new partition of that kind with all there is, and its outcome for the caller to release. */
static bool try_kind(const struct ui_app *app, const struct ui_sizing *s,
		     enum af_want_role kind, struct af_layout *out, uint32_t *id,
		     struct af_err *err)
{
	struct af_command cmd = s->base;
	cmd.add.role = kind;
	cmd.add.want.has_size = true;
	cmd.add.want.size = (struct af_amount){ .kind = AF_AMOUNT_MAX };
	return af_session_preview(app->session, &cmd, out, id, err);
}

/* The kind that a partition here gets by itself; the first possible one if that is none. */
static enum af_want_role usual_kind(const struct ui_app *app, const struct ui_sizing *s)
{
	struct af_layout l;
	struct af_err err;
	uint32_t id = 0;
	if (!try_kind(app, s, AF_WANT_ANY, &l, &id, &err))
		return s->kind[0];
	const struct af_part *part = af_layout_find(&l, id);
	const bool logical = part && part->role == AF_ROLE_LOGICAL;
	af_layout_release(&l);
	return logical ? AF_WANT_LOGICAL : AF_WANT_PRIMARY;
}

/* Which kinds are possible; false with err if none is. A GPT has but one. */
static bool find_kinds(const struct ui_app *app, struct ui_sizing *s, struct af_err *err)
{
	static const enum af_want_role all[KINDS] = { AF_WANT_PRIMARY, AF_WANT_LOGICAL,
						      AF_WANT_EXTENDED };
	const bool is_gpt = s->shown.scheme == AF_SCHEME_GPT;
	struct af_err first = { 0 };
	for (size_t i = 0; i < (is_gpt ? 1 : KINDS); i++) {
		const enum af_want_role kind = is_gpt ? AF_WANT_ANY : all[i];
		struct af_layout l;
		uint32_t id = 0;
		if (try_kind(app, s, kind, &l, &id, err)) {
			s->kind[s->nkinds++] = kind;
			af_layout_release(&l);
		} else if (first.code == AF_OK) {
			first = *err;
		}
	}
	*err = first;
	return s->nkinds > 0;
}

void ui_sizing_new(struct ui_app *app)
{
	struct ui_sizing *s = make(app, AF_VERB_NEW);
	struct af_err err = { 0 };
	s->base.add.has_within = true;
	s->base.add.within = s->row.span.start;
	ui_app_push(app, &sizing_view, s);
	if (!find_kinds(app, s, &err)) {
		ui_app_pop(app);
		ui_app_say(app, UI_ROLE_BAD, "%s", err.text);
		return;
	}
	begin_kind(app, s, s->kind[0] == AF_WANT_ANY ? AF_WANT_ANY : usual_kind(app, s));
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
	struct ui_sizing *s = make(app, AF_VERB_RESIZE);
	s->base.number = part->number;
	s->id = part->id;
	s->holds = true;
	s->region = largest(app, part);
	ui_app_push(app, &sizing_view, s);
	ui_sizing_follow(app, s);
	ui_sizing_show(app, s);
}

void ui_sizing_drag(struct ui_app *app, int edge, const struct ui_mouse *m)
{
	ui_sizing_resize(app);
	struct ui_sizing *s = app->layer[app->nlayers - 1].state;
	take_edge(app, s, edge);
	drag(app, s, m);
}
