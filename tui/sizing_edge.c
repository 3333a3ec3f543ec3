/*
 * sizing_edge.c - the edges in the form behind New and Resize. Each change of a field, typed or by a key that moves an
 * edge, is tried as the very command that Enter will carry out; when it holds, the picture shows its outcome, when not,
 * the reason is kept and the picture stays. An edge that was not touched is left to the verb.
 */
#include "sizing_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- fields -------------------------------------------------------------------------------------------- */

int ui_sizing_edge(enum ui_field field)
{
	return field == START ? 0 : 1;
}

/* A position or size in its largest exact unit: "10G", "953868M", "63s". A sector's number is that of the last one if
 * it is an end. */
static void set_exact(const struct ui_app *app, struct ui_input *in, af_bytes n,
		      bool is_end)
{
	char text[AF_SHORT];
	const uint32_t sector = app->picture.disk.layout->sector_size;
	if (n >= AF_GIB && n % AF_GIB == 0)
		snprintf(text, sizeof(text), "%" PRId64 "G", n / AF_GIB);
	else if (n >= AF_MIB && n % AF_MIB == 0)
		snprintf(text, sizeof(text), "%" PRId64 "M", n / AF_MIB);
	else
		snprintf(text, sizeof(text), "%" PRId64 "s",
			 af_sectors(n, sector) - (is_end ? 1 : 0));
	ui_input_set(in, text);
}

const struct af_part *ui_sizing_part(const struct ui_sizing *s)
{
	return af_layout_find(&s->shown, s->id);
}

/* Fields that nobody types into follow the partition. */
void ui_sizing_follow(const struct ui_app *app, struct ui_sizing *s)
{
	const struct af_part *part = ui_sizing_part(s);
	if (!part)
		return;
	if (!s->typed || s->active != START)
		set_exact(app, &s->field[START], part->span.start, false);
	if (!s->typed || s->active != SIZE)
		set_exact(app, &s->field[SIZE], af_span_size(part->span), false);
	if (!s->typed || s->active != END)
		set_exact(app, &s->field[END], part->span.end, true);
}

/* --- trying -------------------------------------------------------------------------------------------- */

/* In sectors where GiB would not say it, so that the message about it tells the very place. */
static struct af_amount amount_of(const struct ui_sizing *s, af_bytes n)
{
	if (n % AF_GIB == 0)
		return (struct af_amount){ .kind = AF_AMOUNT_BYTES, .value = n };
	return (struct af_amount){ .kind = AF_AMOUNT_SECTORS,
				   .value = af_sectors(n, s->shown.sector_size) };
}

static struct af_want *want_of(struct af_command *cmd)
{
	return cmd->verb == AF_VERB_NEW ? &cmd->add.want : &cmd->want;
}

/* The start moves and the end that was set before stays: the start alone says first where it comes to lie. */
static bool want_both(const struct ui_app *app, const struct ui_sizing *s,
		      struct af_command *cmd, struct af_err *err)
{
	struct af_layout probe;
	uint32_t id = 0;
	if (!af_session_preview(app->session, cmd, &probe, &id, err))
		return false;
	const struct af_part *moved = af_layout_find(&probe, id), *now = ui_sizing_part(s);
	const bool ok = moved && now && now->span.end > moved->span.start;
	if (ok) {
		struct af_want *want = want_of(cmd);
		want->start = amount_of(s, moved->span.start);
		want->has_size = true;
		want->size = amount_of(s, now->span.end - moved->span.start);
	}
	af_layout_release(&probe);
	return ok || af_fail(err, AF_E_RANGE, "the start must lie before the end");
}

static bool read_amount(const struct ui_sizing *s, struct af_amount *out,
			struct af_err *err)
{
	static const char *const example_table[FIELDS] = {
		[SIZE] = "type a size, such as 10G or 25%",
		[START] = "type a position, such as 1M or 2048s",
		[END] = "type a position, such as 10G, or the last sector: 20973567s",
	};
	const struct ui_input *in = &s->field[s->active];
	if (in->len == 0)
		return af_fail(err, AF_E_USAGE, "%s", example_table[s->active]);
	if (!af_text_parse(in->text, out, err))
		return false;
	if (out->sign != 0 && s->base.verb == AF_VERB_NEW)
		return af_fail(
			err, AF_E_USAGE,
			"a size with + or - is for a resize: give it without a sign");
	return s->active != START || out->kind != AF_AMOUNT_MAX ||
	       af_fail(err, AF_E_USAGE, "%s", example_table[START]);
}

/* The command that the fields say. */
static bool read_fields(const struct ui_app *app, const struct ui_sizing *s,
			struct af_command *cmd, struct af_err *err)
{
	struct af_amount amount;
	const struct af_part *now = ui_sizing_part(s);
	*cmd = s->base;
	cmd->exact = s->exact;
	cmd->table_only = s->table_only;
	struct af_want *want = want_of(cmd);
	if (!read_amount(s, &amount, err))
		return false;
	if (s->active == START) {
		want->has_start = true;
		want->start = amount;
		return !s->touched[1] || want_both(app, s, cmd, err);
	}
	want->has_size = s->active == SIZE;
	want->has_end = s->active == END;
	*(s->active == SIZE ? &want->size : &want->end) = amount;
	want->has_start = s->touched[0] && now;
	if (want->has_start)
		want->start = amount_of(s, now->span.start);
	return true;
}

/* What the partition holds, in a few words; NULL if nobody has looked yet. */
const char *ui_sizing_content(const struct ui_app *app, const struct ui_sizing *s)
{
	const struct af_content *c = af_contents_find(app->picture.disk.contents, s->id);
	if (!c || c->state == AF_CONTENT_UNKNOWN)
		return NULL;
	return c->state == AF_CONTENT_FOUND ? c->fs : "what is inside";
}

/* Where data that is there now begins, or ends: the end of a file system if its size is known, else that of the partition. */
static void set_stop(struct ui_app *app, const struct ui_sizing *s)
{
	const struct af_layout *now = af_session_disk(app->session).layout;
	const struct af_part *part = af_layout_find(now, s->id);
	const struct af_content *c = af_contents_find(app->picture.disk.contents, s->id);
	const char *what = ui_sizing_content(app, s);
	struct ui_stop *mark = &app->picture.stop;
	mark->shown = part && c && what && part->role != AF_ROLE_EXTENDED &&
		      c->state != AF_CONTENT_NONE;
	if (!mark->shown)
		return;
	const bool at_end = ui_sizing_edge(s->active);
	const bool known = c->fs_size > 0 && !c->bound_to_end;
	mark->at = !at_end ? part->span.start
		   : known ? part->span.start + c->fs_size
			   : part->span.end;
	snprintf(mark->what, sizeof(mark->what), "%s of %s", at_end ? "end" : "start",
		 what);
}

void ui_sizing_show(struct ui_app *app, struct ui_sizing *s)
{
	app->picture.disk.layout = &s->shown;
	app->picture.preview = true;
	app->picture.edge = ui_sizing_edge(s->active);
	set_stop(app, s);
	ui_picture_rows(&app->picture, s->id);
}

static bool try_once(struct ui_app *app, struct ui_sizing *s)
{
	struct af_layout next;
	struct af_command cmd;
	struct af_err err = { 0 };
	uint32_t id = 0;
	s->holds = read_fields(app, s, &cmd, &err) &&
		   af_session_preview(app->session, &cmd, &next, &id, &err);
	s->code = s->holds ? AF_OK : err.code;
	snprintf(s->why, sizeof(s->why), "%s", s->holds ? "" : err.text);
	if (!s->holds)
		return false;
	af_layout_release(&s->shown);
	s->shown = next;
	s->id = id;
	s->good = cmd;
	s->touched[ui_sizing_edge(s->active)] = true;
	ui_sizing_show(app, s);
	return true;
}

/* Tries what the fields say: true if it holds, and then it is what is drawn. Data is left behind only where it has to be,
 * and once that was said. */
bool ui_sizing_try(struct ui_app *app, struct ui_sizing *s)
{
	s->table_only = false;
	if (try_once(app, s))
		return true;
	s->table_only = s->passes && s->code == AF_E_DATA;
	return s->table_only && try_once(app, s);
}

bool ui_sizing_rounds(const struct ui_app *app, const struct ui_sizing *s)
{
	struct ui_sizing other = *s; /* only to be read, and what it owns stays with s */
	struct af_layout exact;
	struct af_command cmd;
	struct af_amount amount = { 0 };
	struct af_err err;
	uint32_t id = 0;
	other.exact = true;
	if (s->exact || !read_amount(s, &amount, &err) ||
	    amount.kind != AF_AMOUNT_SECTORS || !read_fields(app, &other, &cmd, &err) ||
	    !af_session_preview(app->session, &cmd, &exact, &id, &err))
		return false;
	const struct af_part *as_typed = af_layout_find(&exact, id),
			     *now = ui_sizing_part(s);
	const bool differ = as_typed && now && !af_span_equal(as_typed->span, now->span);
	af_layout_release(&exact);
	return differ;
}

/* --- moving an edge by keys ---------------------------------------------------------------------------- */

/* The line of the grid that lies about distance from edge in that direction, at least one line on. */
static bool line_from(struct af_grid grid, af_bytes edge, af_bytes distance, int direction,
		      af_bytes *out)
{
	const af_bytes target = edge + direction * distance;
	if (target < 0)
		return false;
	if (direction > 0)
		return af_grid_down(grid, target, out) && *out > edge;
	return af_grid_up(grid, target, out) && *out < edge;
}

/* An edge between the lines of the grain needs a command that takes it as it is. */
static bool move_to(struct ui_app *app, struct ui_sizing *s, af_bytes edge)
{
	const struct af_part *part = ui_sizing_part(s);
	const bool was_exact = s->exact;
	const af_bytes value = s->active == SIZE ? edge - part->span.start : edge;
	if (ui_sizing_edge(s->active) && edge <= part->span.start)
		return false; /* "-1s" would be a relative one */
	if (!af_grid_has(app->picture.disk.rules->grain, edge))
		s->exact = true;
	set_exact(app, &s->field[s->active], value, s->active == END);
	if (ui_sizing_try(app, s))
		return true;
	s->exact = was_exact;
	return false;
}

static af_bytes edge_now(const struct ui_sizing *s)
{
	const struct af_part *part = ui_sizing_part(s);
	return ui_sizing_edge(s->active) ? part->span.end : part->span.start;
}

/* Moves the active edge by distance, or by as much of it as is possible, halving: at least one line of the grid. What
 * is asked for may come to lie where the edge is already: then it did not move. */
static bool move_by(struct ui_app *app, struct ui_sizing *s, struct af_grid grid,
		    af_bytes distance, int direction)
{
	const af_bytes edge = edge_now(s);
	for (af_bytes d = distance < grid.step ? grid.step : distance; d >= grid.step;
	     d /= 2) {
		af_bytes line;
		if (line_from(grid, edge, d, direction, &line) && move_to(app, s, line) &&
		    edge_now(s) != edge)
			return true;
	}
	return false;
}

bool ui_sizing_is_stopped(const struct ui_app *app, const struct ui_sizing *s)
{
	return s->why[0] && s->code == AF_E_DATA && ui_sizing_content(app, s);
}

/* Nothing moved: what is shown stays. */
static void stop(struct ui_sizing *s, const struct ui_input *before)
{
	s->field[s->active] = *before;
	s->holds = true;
	if (s->why[0] == '\0')
		snprintf(s->why, sizeof(s->why), "this edge cannot move further");
}

void ui_sizing_move(struct ui_app *app, struct ui_sizing *s, struct af_grid grid,
		    af_bytes distance, int direction)
{
	if (!ui_sizing_part(s))
		return;
	if (!s->holds)
		ui_sizing_follow(
			app, s); /* what was typed and does not hold is no place to begin */
	s->typed = false;
	ui_sizing_follow(app, s);
	const struct ui_input before = s->field[s->active];
	s->code = AF_OK;
	s->why[0] = '\0';
	if (move_by(app, s, grid, distance, direction))
		ui_sizing_follow(app, s);
	else
		stop(s, &before);
}

/* As far as it goes: each move goes half of the way that is left, at least. */
void ui_sizing_move_far(struct ui_app *app, struct ui_sizing *s, int direction)
{
	const struct af_grid grain = app->picture.disk.rules->grain;
	const af_bytes all = app->picture.disk.layout->disk_size;
	bool moves = true;
	ui_sizing_move(app, s, grain, all, direction);
	while (moves && s->why[0] == '\0')
		moves = move_by(app, s, grain, all, direction);
	s->why[0] = '\0';
	s->holds = true;
	ui_sizing_follow(app, s);
}
