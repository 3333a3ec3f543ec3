/*
 * The review: one row per partition with the disk's table on the left and the wanted one on the right, then
 * padding, steps and sectors. Everything is computed once, when it opens. Writing asks for a word first.
 */
#include "review.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form.h"
#include "pair.h"
#include "scroll.h"

#define TALL 36 /* rows of a window where a bar may take one more */

struct review {
	struct ui_scroll scroll;
	struct ui_pair pair;
	struct af_plan plan;
	struct af_patch patch;
	struct af_err why; /* of a table that cannot be written; code AF_OK if it can */
	char place[400];   /* "" or what is to be known of where the log will be */
};

/* Columns of the two tables: number, start, end, size where there is room, status. */
struct columns {
	int number, place, size; /* widths */
	int left, right, each;   /* first columns and width of both tables */
	uint32_t sector_size;
};

static int digits(uint64_t n)
{
	char text[24];
	return snprintf(text, sizeof(text), "%" PRIu64, n);
}

static struct columns make_columns(const struct af_disk *d, int cols)
{
	struct columns k = { .number = 3, .sector_size = d->layout->sector_size };
	k.place = digits(af_lba_of(d->layout->disk_size, k.sector_size).n);
	k.place = k.place < 5 ? 5 : k.place;
	k.each = (cols - 4) / 2 < 60 ? (cols - 4) / 2 : 60;
	k.left = 0;
	k.right = k.each + 3;
	k.size = k.number + 2 * (k.place + 1) + 1 + 10 + 8 <= k.each ? 7 : 0;
	return k;
}

static void draw_heading(struct ui_canvas *c, const struct columns *k, int row, int col)
{
	int at = col + ui_canvas_printf(c, row, col, k->each, UI_ROLE_DIM, "%*s %*s %*s ",
					k->number, "#", k->place, "start", k->place, "end");
	if (k->size > 0)
		at += ui_canvas_printf(c, row, at, k->each, UI_ROLE_DIM, "%*s ", k->size,
				       "size");
	ui_canvas_text(c, row, at, k->each, UI_ROLE_DIM, "status");
}

static void draw_part(struct ui_canvas *c, const struct columns *k, struct ui_rect at,
		      const struct af_part *part, const struct af_disk *d)
{
	const enum af_status status = af_align_judge(d->rules, d->contents, part).status;
	int col = at.col;
	col += ui_canvas_printf(c, at.row, col, at.cols, UI_ROLE_TEXT,
				"%*" PRIu32 " %*" PRIu64 " %*" PRIu64 " ", k->number,
				part->number, k->place,
				af_lba_of(part->span.start, k->sector_size).n, k->place,
				af_lba_of(part->span.end, k->sector_size).n - 1);
	if (k->size > 0) {
		char size[AF_SHORT];
		col += ui_canvas_printf(c, at.row, col, at.cols, UI_ROLE_TEXT, "%*s ",
					k->size,
					af_text_size_short(af_span_size(part->span), size));
	}
	ui_canvas_text(c, at.row, col, at.col + at.cols - col,
		       ui_picture_status_role(status), af_status_name(status));
}

static void draw_change(struct ui_canvas *c, const struct columns *k, int row,
			const struct af_change *change, const struct af_disk *d)
{
	const char *mark = ui_pair_mark(change);
	if (change->kind != AF_CHANGE_ADDED)
		draw_part(c, k, (struct ui_rect){ row, k->left, 1, k->each },
			  &change->before, d);
	ui_canvas_text(c, row, k->right - 2, 1, ui_pair_role(mark), mark);
	if (change->kind != AF_CHANGE_REMOVED)
		draw_part(c, k, (struct ui_rect){ row, k->right, 1, k->each },
			  &change->after, d);
}

/* The plan has what is removed first; here it stands where it was, among the others. */
static int draw_changes(struct ui_canvas *c, const struct columns *k, int row,
			const struct af_plan *plan, const struct af_disk *d)
{
	size_t gone = 0, here = 0;
	while (here < plan->nchanges && plan->change[here].kind == AF_CHANGE_REMOVED)
		here++;
	for (const size_t removed = here; gone < removed || here < plan->nchanges; row++) {
		const bool is_gone =
			gone < removed && (here == plan->nchanges ||
					   plan->change[gone].before.span.start <=
						   plan->change[here].after.span.start);
		draw_change(c, k, row, &plan->change[is_gone ? gone++ : here++], d);
	}
	return row;
}

/* The identifier of the disk, or a copy of the table: something that is in neither of the tables. */
static bool marks_nothing(const struct af_plan *plan)
{
	for (size_t i = 0; i < plan->nchanges; i++)
		if (plan->change[i].kind != AF_CHANGE_KEPT)
			return false;
	return plan->nsteps > 0;
}

static int draw_tables(const struct ui_app *app, const struct review *s,
		       struct ui_canvas *c, int row)
{
	const struct af_disk *d = &app->picture.disk;
	const struct columns k = make_columns(d, c->cols);
	const struct af_layout *base = af_session_base(app->session);
	ui_canvas_printf(c, row, k.left, k.each, UI_ROLE_TITLE, "On disk (%s)",
			 af_scheme_name(base->scheme));
	ui_canvas_printf(c, row, k.right, k.each, UI_ROLE_TITLE, "To be (%s)",
			 af_scheme_name(d->layout->scheme));
	draw_heading(c, &k, ++row, k.left);
	draw_heading(c, &k, row++, k.right);
	row = draw_changes(c, &k, row, &s->plan, d);
	if (marks_nothing(&s->plan))
		ui_canvas_text(c, row++, 0, c->cols, UI_ROLE_WARN,
			       "no partition changes; what does is under Steps, below");
	else
		ui_canvas_text(c, row++, 0, c->cols, UI_ROLE_DIM,
			       UI_PAIR_LEGEND "; start and end in sectors");
	return row + 1;
}

/* A stretch of padding and what it is for: the partition behind it, an EBR in it. */
static void describe_padding(const struct ui_app *app, const struct af_room *room,
			     struct af_text *t)
{
	const struct af_layout *l = app->picture.disk.layout;
	const uint32_t sector = l->sector_size;
	char size[AF_SHORT], name[60];
	const int64_t n = af_sectors(af_span_size(room->span), sector);
	af_text_add(t, "%" PRIu64 " to %" PRIu64 ", %" PRId64 " sector%s (%s)",
		    af_lba_of(room->span.start, sector).n,
		    af_lba_of(room->span.end, sector).n - 1, n, n == 1 ? "" : "s",
		    af_text_size_short(af_span_size(room->span), size));
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *part = &l->part[i];
		if (part->span.start == room->span.end)
			af_text_add(
				t, ", before %s",
				ui_app_part_name(app, part->number, name, sizeof(name)));
		if (part->role == AF_ROLE_LOGICAL && af_span_has(room->span, part->ebr))
			af_text_add(t, ", its EBR at %" PRIu64,
				    af_lba_of(part->ebr, sector).n);
	}
}

static int draw_padding(const struct ui_app *app, struct ui_canvas *c, int row)
{
	struct af_room *room = NULL;
	const size_t n =
		af_align_rooms(app->picture.disk.rules, app->picture.disk.layout, &room);
	bool any = false;
	ui_canvas_text(c, row++, 0, c->cols, UI_ROLE_TITLE, "Padding in the table to be");
	for (size_t i = 0; i < n; i++) {
		struct af_text t = { 0 };
		if (room[i].kind != AF_ROOM_PADDING)
			continue;
		describe_padding(app, &room[i], &t);
		row += ui_canvas_wrap(c, (struct ui_rect){ row, 2, 4, c->cols - 4 },
				      UI_ROLE_TEXT, af_text_get(&t));
		af_text_release(&t);
		any = true;
	}
	if (!any)
		ui_canvas_text(c, row++, 2, c->cols, UI_ROLE_TEXT, "none");
	free(room);
	return row + 1;
}

/* What is to be read before all the rest; nothing if there is nothing. */
static int draw_warnings(const struct review *s, struct ui_canvas *c)
{
	int row = 0;
	for (size_t i = 0; i < s->plan.nsteps; i++) {
		if (!af_plan_is_warning(&s->plan.step[i]))
			continue;
		ui_canvas_text(c, row, 0, 2, UI_ROLE_WARN, "!");
		row += ui_canvas_wrap(c, (struct ui_rect){ row, 2, 4, c->cols - 4 },
				      UI_ROLE_WARN, s->plan.step[i].detail);
	}
	return row > 0 ? row + 1 : 0;
}

static int draw_steps(const struct review *s, struct ui_canvas *c, int row)
{
	size_t k = 0;
	ui_canvas_text(c, row++, 0, c->cols, UI_ROLE_TITLE, "Steps");
	for (size_t i = 0; i < s->plan.nsteps; i++) {
		if (af_plan_is_warning(&s->plan.step[i]))
			continue;
		ui_canvas_printf(c, row, 0, 5, UI_ROLE_TEXT, "%4zu", ++k);
		row += ui_canvas_wrap(c, (struct ui_rect){ row, 6, 4, c->cols - 8 },
				      UI_ROLE_TEXT, s->plan.step[i].detail);
	}
	if (s->place[0])
		row += ui_canvas_wrap(c, (struct ui_rect){ row, 6, 4, c->cols - 8 },
				      UI_ROLE_WARN, s->place);
	return row + 1;
}

static int64_t patch_sectors(const struct ui_app *app, const struct review *s)
{
	return af_sectors(af_patch_bytes(&s->patch), app->picture.disk.layout->sector_size);
}

static int draw_sectors(const struct ui_app *app, const struct review *s,
			struct ui_canvas *c, int row)
{
	const uint32_t sector = app->picture.disk.layout->sector_size;
	if (s->why.code != AF_OK) {
		ui_canvas_text(c, row++, 0, c->cols, UI_ROLE_TITLE,
			       "Sectors to be written");
		return row + ui_canvas_wrap(c, (struct ui_rect){ row, 2, 8, c->cols - 4 },
					    UI_ROLE_BAD, s->why.text);
	}
	ui_canvas_printf(c, row++, 0, c->cols, UI_ROLE_TITLE,
			 "Sectors to be written: %" PRId64 ", in this order",
			 patch_sectors(app, s));
	for (size_t i = 0; i < s->patch.n; i++) {
		const struct af_run *run = &s->patch.run[i];
		const int64_t n = af_sectors(run->len, sector);
		ui_canvas_printf(c, row++, 2, c->cols - 4, UI_ROLE_TEXT,
				 "%12" PRIu64 "  %3" PRId64 " sector%s  %s",
				 af_lba_of(run->at, sector).n, n, n == 1 ? " " : "s",
				 run->what);
	}
	return row;
}

/* An upper bound of the rows of everything. */
static int count_rows(const struct ui_app *app, const struct review *s)
{
	const size_t parts = s->plan.nchanges + 2 * app->picture.disk.layout->nparts;
	return (int)(4 * (parts + s->plan.nsteps) + s->patch.n) +
	       60; /* some thousands at most */
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	struct review *s = state;
	struct ui_canvas text;
	ui_canvas_init(&text, count_rows(app, s), c->cols, c->ascii);
	int rows = draw_warnings(s, &text);
	rows += ui_pair_draw(&s->pair, &text, rows, c->rows >= TALL ? 2 : 1) + 1;
	rows = draw_tables(app, s, &text, rows);
	rows = draw_padding(app, &text, rows);
	rows = draw_steps(s, &text, rows);
	rows = draw_sectors(app, s, &text, rows);
	ui_canvas_printf(c, 0, 0, c->cols, UI_ROLE_TITLE,
			 "Review of %s: nothing is written yet", app->picture.disk.path);
	ui_scroll_draw(&s->scroll, c,
		       (struct ui_rect){ 1, 0, c->rows - 1 - UI_FOOT_ROWS, c->cols }, &text,
		       rows);
	ui_form_foot(
		c, "W: write  Up Down PgUp PgDn Home End: scroll  Esc q: back to editing");
	ui_canvas_release(&text);
}

/* --- writing ------------------------------------------------------------------------------------------- */

static void say_written(struct ui_app *app, const struct af_commit_report *r)
{
	const bool known = r->kernel[0] == '\0';
	struct af_text way_back = { 0 };
	if (r->backup[0])
		af_text_add(&way_back, "; 'afdisk --write --restore %s %s' takes it back",
			    r->backup, app->picture.disk.path);
	ui_app_say(app, known ? UI_ROLE_GOOD : UI_ROLE_WARN,
		   "written: %zu sector%s%s%s%s%s%s", r->sectors,
		   r->sectors == 1 ? "" : "s", r->told[0] ? "; the kernel " : "", r->told,
		   af_text_get(&way_back), known ? "" : ". ", r->kernel);
	af_text_release(&way_back);
}

static void write_now(struct ui_app *app)
{
	struct af_commit_report report = { 0 };
	struct af_err err = { 0 };
	ui_app_pop(app); /* the review: it is about the table before */
	const bool ok = af_session_write(app->session, &report, &err);
	ui_app_refresh(app, 0);
	if (ok)
		say_written(app, &report);
	else
		ui_app_say(app, UI_ROLE_BAD, "%s", err.text);
	const bool begun = !ok && err.code == AF_E_PARTIAL;
	app->status = begun ? 3 : 0;
	if (ok || begun)
		memcpy(app->farewell, app->message, sizeof(app->farewell));
}

static void take_word(struct ui_app *app, const char *word)
{
	ui_app_write(app, word, write_now);
}

static void ask_word(struct ui_app *app, const struct review *s)
{
	char question[120];
	const char *locked = af_session_read_only(app->session);
	const struct ui_line_form form = {
		.question = question,
		.hint = "yes and Enter: write  PgUp PgDn: scroll  Esc: do not write",
		.initial = "",
		.done = take_word,
	};
	if (s->why.code != AF_OK) {
		ui_app_say(app, UI_ROLE_BAD, "%s", s->why.text);
		return;
	}
	if (locked) {
		ui_app_say(app, UI_ROLE_BAD, "cannot write: %s", locked);
		return;
	}
	const int64_t n = patch_sectors(app, s);
	snprintf(question, sizeof(question),
		 "Write %" PRId64 " sector%s to %.60s? Type yes:", n, n == 1 ? "" : "s",
		 app->picture.disk.path);
	ui_form_line(app, &form);
}

static void key(struct ui_app *app, void *state, int pressed)
{
	struct review *s = state;
	if (ui_scroll_key(&s->scroll, pressed))
		return;
	if (pressed == 'W')
		ask_word(app, s);
	else if (pressed == UI_KEY_ESCAPE || pressed == 'q' || pressed == 'v' ||
		 pressed == UI_KEY_CTRL('C'))
		ui_app_pop(app);
}

static void close(struct ui_app *app, void *state)
{
	struct review *s = state;
	(void)app;
	ui_pair_release(&s->pair);
	af_plan_release(&s->plan);
	af_patch_release(&s->patch);
	free(s);
}

static const struct ui_view review_view = { .name = "review",
					    .whole = true,
					    .notch = 3,
					    .draw = draw,
					    .key = key,
					    .close = close };

void ui_review_open(struct ui_app *app, bool writing)
{
	struct review *s = af_alloc(1, sizeof(*s));
	af_session_plan(app->session, &s->plan);
	ui_pair_make(&s->pair, &app->picture.disk, af_session_base(app->session), &s->plan);
	if (af_session_patch(app->session, &s->patch, &s->why))
		s->why.code = AF_OK;
	af_session_log_place(app->session, s->place, sizeof(s->place));
	ui_app_push(app, &review_view, s);
	if (writing)
		ask_word(app, s);
}
