/*
 * Both edges of the selected row, sector by sector: one column a sector, a line wherever a
 * boundary lies, so that a box is what the drive reads and writes at once. Below it one
 * sentence: what is off, what it costs, and what the key 'a' would do (asked of the edit
 * room, not guessed).
 */
#include "picture.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/edit.h"
#include "afdisk/plan.h"
#include "cost.h"

#define SENTENCE 1400 /* bytes of text at the most */

struct lens {
	const struct ui_picture *p;
	struct ui_canvas *c;
	const struct af_part *part; /* NULL: free space, or an entry of a label */
	bool is_nested;
	struct ui_nested nested; /* that entry */
	struct af_span span;
	af_bytes sector;
};

/* One half: the sectors from first on, in the columns of box. */
struct half {
	struct ui_rect box;
	af_bytes first;
	af_bytes edge; /* the sector that is marked: the first or the last one inside */
	bool is_end;
};

/* True if the edges of what is selected are judged. */
static bool has_edges(const struct lens *x)
{
	return x->part || x->is_nested;
}

static bool is_line(const struct lens *x, af_bytes at)
{
	return af_grid_has(x->p->disk.rules->check, at);
}

/* The first sector of a half: whole boxes around the edge where some fit, else as many
 * sectors on each side. */
static af_bytes first_sector(const struct lens *x, af_bytes edge, int cols)
{
	struct af_grid check = x->p->disk.rules->check;
	int64_t box = af_sectors(check.step, (uint32_t)x->sector) + 1;
	af_bytes boxes = (cols - 1) / box, first = edge / x->sector * x->sector;
	af_bytes line;
	if (boxes >= 2 && af_grid_down(check, edge, &line))
		first = line - boxes / 2 * check.step;
	else
		first -= cols / 2 * x->sector;
	return first < 0 ? 0 : first;
}

struct sector_look {
	enum ui_role role;
	enum ui_glyph glyph;
};

/* How a sector without a partition's data looks. */
static struct sector_look look_of(enum ui_place place, bool inside)
{
	switch (place) {
	case UI_PLACE_PART:
		return (struct sector_look){ UI_ROLE_PART_SELECTED, UI_GLYPH_FILL };
	case UI_PLACE_EBR:
		return (struct sector_look){ UI_ROLE_EXTENDED, UI_GLYPH_EBR };
	case UI_PLACE_TABLE:
		return (struct sector_look){ UI_ROLE_DIM, UI_GLYPH_EBR };
	case UI_PLACE_FREE:
		return (struct sector_look){ inside ? UI_ROLE_EXTENDED : UI_ROLE_FREE,
					     UI_GLYPH_FREE };
	case UI_PLACE_PADDING:
		return (struct sector_look){ inside ? UI_ROLE_EXTENDED : UI_ROLE_PADDING,
					     UI_GLYPH_PADDING };
	case UI_PLACE_OUTSIDE:
		break;
	}
	return (struct sector_look){ UI_ROLE_TEXT, UI_GLYPH_COUNT };
}

/* Returns the role it was drawn in. */
static enum ui_role draw_sector(const struct lens *x, int row, int col, af_bytes at)
{
	struct af_span span = { at, at + x->sector };
	const struct af_part *part;
	bool inside = x->part && af_span_has(x->span, at);
	enum ui_place place = ui_picture_place(x->p, span, &part);
	if (x->is_nested && af_span_has(x->span, at)) {
		ui_canvas_glyph(x->c, row, col, 1, UI_ROLE_PART_SELECTED, UI_GLYPH_FILL);
		return UI_ROLE_PART_SELECTED;
	}
	if (place == UI_PLACE_PART && part != x->part) {
		ui_canvas_printf(x->c, row, col, 1, UI_ROLE_PART, "%" PRIu32,
				 part->number % 10);
		return UI_ROLE_PART;
	}
	struct sector_look look = look_of(place, inside);
	if (look.glyph != UI_GLYPH_COUNT)
		ui_canvas_glyph(x->c, row, col, 1, look.role, look.glyph);
	return look.role;
}

/* The number of the sector at a line, if there is room for it behind the one before. */
static void number_line(const struct lens *x, const struct half *h, int col, af_bytes at,
			int *free_col)
{
	char text[AF_SHORT];
	(void)af_text_decimal((int64_t)ui_picture_sector(x->p, at), text); /* fits */
	int width = ui_canvas_width(text);
	if (col < *free_col || col + width > h->box.col + h->box.cols)
		return;
	ui_canvas_text(x->c, h->box.row, col, width, UI_ROLE_DIM, text);
	*free_col = col + width + 1;
}

/* What is to be said beside the mark of an edge, form 0 being the longest; false if
 * there is no such form. */
static bool edge_text(const struct lens *x, const struct half *h, int form, char *buf,
		      size_t size)
{
	af_bytes judged = h->is_end ? x->span.end : x->span.start;
	af_bytes past = af_grid_past(x->p->disk.rules->check, judged);
	int64_t sectors = af_sectors(past, (uint32_t)x->sector);
	uint64_t number = ui_picture_sector(x->p, h->edge);
	const char *word = h->is_end ? "ends" : "starts";
	if (!has_edges(x)) { /* free space may begin and end anywhere */
		(void)snprintf(buf, size, "%s%s%" PRIu64, form ? "" : word, form ? "" : " ",
			       number);
		return form < 2;
	}
	int64_t below = (int64_t)ui_picture_sector(x->p, judged) - sectors;
	switch (form) {
	case 0:
		if (past)
			(void)snprintf(buf, size,
				       "%s %" PRIu64 ", %" PRId64
				       " past the boundary at %" PRId64,
				       word, number, sectors, below);
		else
			(void)snprintf(buf, size, "%s %" PRIu64 ", on the boundary", word,
				       number);
		return true;
	case 1:
		if (past)
			(void)snprintf(buf, size, "%s %" PRIu64 ", %" PRId64 " past", word,
				       number, sectors);
		else
			(void)snprintf(buf, size, "%s %" PRIu64 ", aligned", word, number);
		return true;
	case 2:
		if (past)
			(void)snprintf(buf, size, "%" PRIu64 ", %" PRId64 " past", number,
				       sectors);
		else
			(void)snprintf(buf, size, "%" PRIu64 ", aligned", number);
		return true;
	case 3:
		(void)snprintf(buf, size, "%" PRIu64, number);
		return true;
	}
	return false;
}

static enum ui_role edge_role(const struct lens *x, const struct half *h)
{
	af_bytes judged = h->is_end ? x->span.end : x->span.start;
	struct af_verdict v;
	if (!ui_picture_verdict(x->p, x->p->selected, &v))
		return UI_ROLE_TEXT;
	if (is_line(x, judged))
		return UI_ROLE_GOOD;
	bool counts = v.status == AF_STATUS_MISALIGNED && !h->is_end;
	return counts ? UI_ROLE_BAD : UI_ROLE_WARN;
}

/* Where the EBR of a logical is, if it lies too far before the start to be drawn; else
 * "". */
static void name_ebr(const struct lens *x, const struct half *h, char *buf, size_t size)
{
	buf[0] = '\0';
	if (!h->is_end && x->part && x->part->role == AF_ROLE_LOGICAL &&
	    x->part->ebr < h->first)
		(void)snprintf(buf, size, "EBR %" PRIu64,
			       ui_picture_sector(x->p, x->part->ebr));
}

/* Text on one side of the mark in column col. */
static void beside(const struct lens *x, const struct half *h, int col, bool on_right,
		   enum ui_role role, const char *text)
{
	int width = ui_canvas_width(text);
	ui_canvas_text(x->c, h->box.row + 2, on_right ? col + 2 : col - 1 - width, width,
		       role, text);
}

/* The mark under an edge, the longest text that fits on one side of it, the EBR on the
 * other. */
static void name_edge(const struct lens *x, const struct half *h, int col)
{
	char text[128], ebr[48];
	bool on = is_line(x, h->is_end ? x->span.end : x->span.start);
	enum ui_role role = edge_role(x, h);
	bool selected = x->p->edge == (h->is_end ? 1 : 0);
	enum ui_glyph mark = !has_edges(x) ? UI_GLYPH_TICK
			     : on          ? UI_GLYPH_ON
					   : UI_GLYPH_OFF;
	ui_canvas_glyph(x->c, h->box.row + 2, col, 1, selected ? UI_ROLE_SELECTED : role,
			mark);

	int left = col - 1 - h->box.col, right = h->box.col + h->box.cols - col - 2;
	name_ebr(x, h, ebr, sizeof(ebr));
	int aside = ui_canvas_width(ebr);
	for (int form = 0; edge_text(x, h, form, text, sizeof(text)); form++) {
		int width = ui_canvas_width(text);
		bool to_right = width <= right && aside <= left;
		if (!to_right && (width > left || aside > right))
			continue;
		beside(x, h, col, to_right, role, text);
		beside(x, h, col, !to_right, UI_ROLE_EXTENDED, ebr);
		return;
	}
}

static void draw_half(const struct lens *x, const struct half *h)
{
	int right = h->box.col + h->box.cols, free_col = h->box.col, mark = -1;
	int col = h->box.col;
	enum ui_role role =
		UI_ROLE_DIM; /* of the lines: that of the sector before, cheap to send */
	ui_canvas_fill(x->c, h->box.row, col, h->box.cols, UI_ROLE_DIM, " ");
	for (af_bytes at = h->first; col < right; at += x->sector) {
		if (at > x->p->disk.layout->disk_size)
			break;
		if (is_line(x, at)) {
			ui_canvas_glyph(x->c, h->box.row + 1, col, 1, role,
					UI_GLYPH_VERTICAL);
			number_line(x, h, col, at, &free_col);
			col++;
		}
		if (col >= right)
			break;
		role = draw_sector(x, h->box.row + 1, col, at);
		if (at == h->edge)
			mark = col;
		col++;
	}
	if (mark >= 0)
		name_edge(x, h, mark);
}

static struct af_edit edit_of(const struct lens *x, bool table_only)
{
	return (struct af_edit){
		.rules = x->p->disk.rules,
		.contents = x->p->disk.contents,
		.table_only = table_only,
	};
}

/* What is in use stays where it is. */
static bool spares_used(const struct lens *x, const struct af_layout *next,
			struct af_err *err)
{
	const struct af_disk *d = &x->p->disk;
	return !d->uses || af_edit_keeps_used(d->layout, next, d->uses, err);
}

/* Where 'a' would put the start; false with err if it would refuse. */
static bool find_target(const struct lens *x, bool table_only, uint64_t *sector,
			struct af_err *err)
{
	struct af_edit edit = edit_of(x, table_only);
	struct af_layout out;
	if (!af_edit_align(x->p->disk.layout, &edit, x->part->id, &out, err))
		return false;
	if (!spares_used(x, &out, err)) {
		af_layout_release(&out);
		return false;
	}
	const struct af_part *part = af_layout_find(&out, x->part->id);
	if (part)
		*sector = ui_picture_sector(x->p, part->span.start);
	af_layout_release(&out);
	return part != NULL;
}

/* What aligning everything at once comes to: AF_OK if 'A' does it, AF_E_DATA if data is
 * in the way. */
static enum af_code try_align_all(const struct lens *x)
{
	for (int table_only = 0; table_only < 2; table_only++) {
		struct af_edit edit = edit_of(x, table_only);
		struct af_layout out;
		struct af_err err = { .code = AF_OK };
		if (af_edit_align_all(x->p->disk.layout, &edit, &out, &err)) {
			const bool spares = spares_used(x, &out, &err);
			af_layout_release(&out);
			if (!spares)
				return AF_E_BUSY;
			return table_only ? AF_E_DATA : AF_OK;
		}
		if (err.code != AF_E_DATA)
			return err.code;
	}
	return AF_E_RANGE;
}

/* The partition has no aligned place between its neighbours. */
static void say_crowded(const struct lens *x, const char *why, char *buf, size_t size)
{
	enum af_code all = try_align_all(x);
	if (all == AF_OK)
		(void)snprintf(buf, size, "a finds no room; A moves its neighbours too");
	else if (all == AF_E_DATA || all == AF_E_BUSY)
		(void)snprintf(buf, size,
			       "a finds no room: %s next to it would have to move",
			       all == AF_E_DATA ? "data" : "what is in use");
	else
		(void)snprintf(buf, size, "a cannot: %.300s", why);
}

static void say_align(const struct lens *x, char *buf, size_t size)
{
	const struct af_content *content =
		af_contents_find(x->p->disk.contents, x->part->id);
	const char *inside = content && content->fs[0] ? content->fs : "what is inside";
	struct af_err err = { .code = AF_OK };
	uint64_t sector = 0;
	if (find_target(x, false, &sector, &err))
		(void)snprintf(buf, size, "a moves its start to %" PRIu64, sector);
	else if (err.code == AF_E_DATA && find_target(x, true, &sector, &err))
		(void)snprintf(buf, size, "a refuses: %s would have to move to %" PRIu64,
			       inside, sector);
	else if (err.code == AF_E_RANGE)
		say_crowded(x, err.text, buf, size);
	else
		(void)snprintf(buf, size, "a cannot: %.300s", err.text);
}

/* The largest partition that 'n' would make in the selected free space. */
static void say_free(const struct lens *x, char *buf, size_t size)
{
	struct af_edit edit = edit_of(x, false);
	struct af_new add = {
		.role = AF_WANT_ANY,
		.want = { .has_size = true, .size = { .kind = AF_AMOUNT_MAX } },
		.has_within = true,
		.within = x->span.start,
	};
	char all[AF_SHORT];
	struct af_layout out;
	struct af_err err;
	uint32_t id;
	(void)af_text_size(af_span_size(x->span), all);
	if (!af_edit_new(x->p->disk.layout, &edit, &add, &out, &id, &err)) {
		(void)snprintf(buf, size, "%s free; n cannot: %s", all, err.text);
		return;
	}
	const struct af_part *part = af_layout_find(&out, id);
	if (part) {
		char most[AF_SHORT];
		(void)snprintf(buf, size,
			       "%s free; the largest new aligned partition has %s, sectors "
			       "%" PRIu64 " to %" PRIu64,
			       all, af_text_size(af_span_size(part->span), most),
			       ui_picture_sector(x->p, part->span.start),
			       ui_picture_sector(x->p, part->span.end - 1));
	}
	af_layout_release(&out);
}

/* Writes text into the rows of r; false, and nothing written, if it does not fit and
 * must. */
static bool wrap(struct ui_canvas *c, struct ui_rect r, const char *text, bool must_fit)
{
	struct ui_rect nowhere = { r.row, r.col, 0, r.cols };
	if (must_fit && ui_canvas_wrap(c, nowhere, UI_ROLE_TEXT, text) > r.rows)
		return false;
	(void)ui_canvas_wrap(c, r, UI_ROLE_TEXT, text);
	return true;
}

/* The parts of the sentence about a partition; "" where there is nothing to say. */
struct said {
	char base[480], brief[480]; /* what is off; the same without its second half */
	char action[500];           /* what a key would do about it */
	char cost[200], brief_cost[100];
};

static bool is_label_inside(const struct lens *x)
{
	const struct af_content *c = af_contents_find(x->p->disk.contents, x->part->id);
	return c && c->nlayers > 0 && af_layer_is_nested(&c->layer[0]);
}

static bool has_remark(const struct lens *x)
{
	const struct af_content *c = af_contents_find(x->p->disk.contents, x->part->id);
	return c && (c->remark[0] || af_content_excess(c, x->part->span) > 0);
}

/* Nothing is known of data beyond the end; r takes max for the end of the disk. */
static void say_stray(const struct lens *x, struct said *s)
{
	const bool begins = x->part->span.start < x->p->disk.layout->usable.end;
	s->cost[0] = s->brief_cost[0] = '\0';
	(void)snprintf(s->action, sizeof(s->action), "d deletes it%s",
		       begins ? ", r and max end it where the disk ends" : "");
}

static void say_part(const struct lens *x, struct said *s)
{
	const struct ui_cost *cost =
		ui_cost_of(af_contents_find(x->p->disk.contents, x->part->id));
	struct af_verdict v =
		af_align_judge(x->p->disk.rules, x->p->disk.contents, x->part);
	af_align_sentence(x->p->disk.rules, x->p->disk.contents, x->p->disk.layout, x->part,
			  s->base, sizeof(s->base));
	(void)snprintf(s->brief, sizeof(s->brief), "%.*s", (int)strcspn(s->base, ";:"),
		       s->base);
	switch (v.status) {
	case AF_STATUS_INNER:
		if (is_label_inside(x)) /* its sentence names the better offset */
			memcpy(s->brief, s->base, sizeof(s->brief));
		else
			say_align(x, s->action, sizeof(s->action));
		break;
	case AF_STATUS_MISALIGNED:
		say_align(x, s->action, sizeof(s->action));
		if (x->p->disk.rules->check.step != 4096)
			break; /* nobody measured that */
		(void)snprintf(s->cost, sizeof(s->cost), "in a published test %s",
			       cost->cost);
		(void)snprintf(s->brief_cost, sizeof(s->brief_cost), "published: %s",
			       cost->brief);
		break;
	case AF_STATUS_TAIL:
		(void)snprintf(s->action, sizeof(s->action), "r can end it at %" PRIu64,
			       ui_picture_sector(x->p, x->part->span.end - v.end_off) - 1);
		if (af_span_size(x->part->span) % 4096)
			(void)snprintf(s->cost, sizeof(s->cost),
				       "LUKS2 with 4096-byte sectors refuses such a size");
		break;
	case AF_STATUS_ALIGNED:
		if (x->p->disk.rules->check.step == 4096)
			(void)snprintf(s->cost, sizeof(s->cost),
				       "in a published test 4 KiB boundaries were all that "
				       "mattered");
		break;
	case AF_STATUS_OPTIMAL:
	case AF_STATUS_CONTAINER:
	case AF_STATUS_COMPENSATED:
	case AF_STATUS_UNKNOWN:
		break;
	}
	if (af_layout_is_stray(x->p->disk.layout, x->part))
		say_stray(x, s);
	if (x->p->preview || x->p->locked) /* the keys are the form's, or refuse */
		s->action[0] = '\0';
	if (has_remark(x)) /* which the cost would push out */
		s->cost[0] = s->brief_cost[0] = '\0';
}

/* The first of these that fits is written: all of it, then with less said. */
static void draw_said(const struct lens *x, struct ui_rect r, const char *who,
		      const struct said *s)
{
	const char *const form[][3] = {
		{ s->base, s->cost, s->action },
		{ s->brief, s->cost, s->action },
		{ s->brief, s->brief_cost, s->action },
		{ s->base, "", s->action },
		{ s->brief, "", s->action },
		{ s->brief, s->brief_cost, "" },
		{ s->base, "", "" },
		{ s->brief, "", "" },
	};
	for (size_t i = 0; i < sizeof(form) / sizeof(form[0]); i++) {
		char text[SENTENCE];
		const char *cost = form[i][1], *action = form[i][2];
		(void)snprintf(text, sizeof(text), "%s: %s%s%s%s%s", who, form[i][0],
			       cost[0] ? "; " : "", cost, action[0] ? "; " : "", action);
		if (wrap(x->c, r, text, i + 1 < sizeof(form) / sizeof(form[0])))
			return;
	}
}

/* An entry of a label is not moved: what is to be done is a better number in its label. */
static void draw_nested_sentence(const struct lens *x, struct ui_rect r)
{
	const struct ui_nested *n = &x->nested;
	struct said s = { .base = "" };
	struct af_text t = { 0 };
	char name[64], who[120];
	(void)af_text_part_name(x->p->disk.path, n->host->number, name, sizeof(name));
	(void)snprintf(who, sizeof(who), "%s in %s", n->layer->what, name);
	af_align_sentence_nested(x->p->disk.rules, x->p->disk.layout, n->host, n->content,
				 n->layer, &t);
	(void)snprintf(s.base, sizeof(s.base), "%s", af_text_get(&t));
	(void)snprintf(s.brief, sizeof(s.brief), "%.*s", (int)strcspn(s.base, ";"), s.base);
	draw_said(x, r, who, &s);
	af_text_release(&t);
}

/* " (mounted at /home)" behind the name of the partition. */
static void add_uses(const struct lens *x, char *who, size_t size)
{
	const struct af_uses *uses = x->p->disk.uses;
	char words[100] = "";
	if (uses)
		af_uses_words(uses, x->part->number, x->part->span.start, words,
			      sizeof(words));
	size_t used = strlen(who);
	if (words[0])
		(void)snprintf(who + used, size - used, " (%s)", words);
}

static void draw_sentence(const struct lens *x, struct ui_rect r)
{
	if (x->is_nested) {
		draw_nested_sentence(x, r);
		return;
	}
	if (!x->part) {
		char text[SENTENCE] = "";
		say_free(x, text, sizeof(text));
		(void)wrap(x->c, r, text, false);
		return;
	}
	struct said s = { .base = "" };
	char name[64], who[200];
	(void)af_text_part_name(x->p->disk.path, x->part->number, name, sizeof(name));
	(void)snprintf(who, sizeof(who), "%s%s", x->p->preview ? "preview of " : "", name);
	add_uses(x, who, sizeof(who));
	say_part(x, &s);
	draw_said(x, r, who, &s);
}

void ui_lens_draw(const struct ui_picture *p, struct ui_canvas *c, struct ui_rect r)
{
	assert(r.rows >= 4 && r.cols >= 1);
	if (p->selected >= p->nrows)
		return;
	struct lens x = {
		.p = p,
		.c = c,
		.part = ui_picture_part(p, p->selected),
		.span = p->row[p->selected].span,
		.sector = p->disk.layout->sector_size,
	};
	x.is_nested = ui_picture_nested(p, p->selected, &x.nested);
	int width = (r.cols - 1) / 2;
	struct half start = {
		.box = { r.row, r.col, 3, width },
		.edge = x.span.start,
	};
	struct half end = {
		.box = { r.row, r.col + r.cols - width, 3, width },
		.edge = x.span.end - x.sector,
		.is_end = true,
	};
	start.first = first_sector(&x, x.span.start, width);
	end.first = first_sector(&x, x.span.end, width);
	draw_half(&x, &start);
	draw_half(&x, &end);
	draw_sentence(&x, (struct ui_rect){ r.row + 3, r.col, r.rows - 3, r.cols });
}
