/*
 * The disk to scale. Rows become columns (by ui_bar_map), then three layers are drawn from
 * those columns: bodies with the extended frame around its logicals, names, and the ruler
 * (ruler.c) with the edges and the boundaries between them.
 */
#include "bar_priv.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/plan.h"

/* Collects what is in view. */
static void collect(struct bar *b)
{
	const struct ui_picture *p = b->p;
	for (size_t i = 0; i < p->nrows; i++) {
		const struct af_part *part = ui_picture_part(p, i);
		if (p->row[i].host || !af_span_overlap(p->row[i].span, b->view))
			continue;
		if (part && part->role == AF_ROLE_EXTENDED) {
			b->extended = part;
			b->extended_row = i;
			if (has_inside(p, i))
				continue;
		}
		if (part && part->role == AF_ROLE_FRAME)
			continue;
		b->item[b->n++] = (struct item){
			.row = i,
			.part = part,
			.in_extended = p->row[i].in_extended,
		};
	}
}

/* Where there are more things than columns, free space is left out unless it is selected. */
static void leave_out_free(struct bar *b)
{
	size_t kept = 0;
	for (size_t i = 0; i < b->n; i++)
		if (b->item[i].part || is_selected(b, b->item[i].row))
			b->item[kept++] = b->item[i];
	b->n = kept;
}

static void map_items(struct bar *b)
{
	struct af_span *span = af_alloc(b->n + 1, sizeof(*span));
	struct ui_extent *at = af_alloc(b->n + 1, sizeof(*at));
	for (size_t i = 0; i < b->n; i++)
		span[i] = b->p->row[b->item[i].row].span;
	ui_bar_map(b->view, b->r.cols, span, b->n, at);
	for (size_t i = 0; i < b->n; i++)
		b->item[i].at = at[i];
	free(span);
	free(at);
}

/* The frame reaches from the first to the last thing inside, and as far as its own bytes
 * where nothing outside is in the way. */
static void map_frame(struct bar *b)
{
	struct af_span span = b->extended->span;
	struct ui_extent in = { b->r.cols - 1, 0 };
	struct ui_extent f = { ui_bar_column(b->view, b->r.cols, span.start),
			       ui_bar_column(b->view, b->r.cols, span.end - 1) };
	bool any = false;
	for (size_t i = 0; i < b->n; i++) {
		struct ui_extent at = b->item[i].at;
		if (b->item[i].in_extended || b->item[i].row == b->extended_row) {
			in.first = smaller(in.first, at.first);
			in.last = larger(in.last, at.last);
			any = true;
		} else if (b->p->row[b->item[i].row].span.start < span.start) {
			f.first = larger(f.first, at.last + 1);
		} else {
			f.last = smaller(f.last, at.first - 1);
		}
	}
	f.first = smaller(f.first, b->r.cols - 1);
	f.last = larger(f.last, f.first);
	b->frame.first = any ? smaller(f.first, in.first) : f.first;
	b->frame.last = any ? larger(f.last, in.last) : f.last;
}

static bool in_frame(const struct bar *b, int col)
{
	return b->extended && col >= b->frame.first && col <= b->frame.last;
}

/* Things inside the frame have their names and bodies one row lower where there is room
 * for it. */
static int name_row(const struct bar *b, bool inside)
{
	return b->r.row + (inside && b->bodies > 1 ? 1 : 0);
}

static void fill_body(const struct bar *b, struct ui_extent at, bool inside,
		      enum ui_role role, enum ui_glyph glyph)
{
	int bottom = b->r.row + b->bodies;
	for (int row = name_row(b, inside) + 1; row <= bottom; row++)
		ui_canvas_glyph(b->c, row, b->r.col + at.first, at.last - at.first + 1,
				role, glyph);
}

/* A column that no item took: its bytes are padding, a part of the table, or free space
 * left out. */
static void draw_between(const struct bar *b, int col)
{
	struct af_span span = { ui_bar_byte(b->view, b->r.cols, col),
				ui_bar_byte(b->view, b->r.cols, col + 1) };
	struct ui_extent at = { col, col };
	bool inside = in_frame(b, col);
	const struct af_part *part;
	switch (ui_picture_place(b->p, span, &part)) {
	case UI_PLACE_EBR:
		fill_body(b, at, inside, UI_ROLE_EXTENDED, UI_GLYPH_EBR);
		break;
	case UI_PLACE_TABLE:
		fill_body(b, at, inside, UI_ROLE_DIM, UI_GLYPH_EBR);
		break;
	case UI_PLACE_FREE:
		fill_body(b, at, inside, UI_ROLE_FREE, UI_GLYPH_FREE);
		break;
	case UI_PLACE_PART:
		fill_body(b, at, inside, UI_ROLE_PART, UI_GLYPH_FILL);
		break;
	case UI_PLACE_PADDING:
	case UI_PLACE_OUTSIDE:
		fill_body(b, at, inside, UI_ROLE_PADDING, UI_GLYPH_PADDING);
		break;
	}
}

/* All that is inside a selected extended partition is selected with it. */
static bool is_lit(const struct bar *b, const struct item *it)
{
	return is_selected(b, it->row) ||
	       (it->in_extended && is_selected(b, b->extended_row));
}

static void draw_item(const struct bar *b, const struct item *it, int before)
{
	bool selected = is_lit(b, it);
	enum ui_role role = selected ? UI_ROLE_PART_SELECTED : UI_ROLE_PART;
	if (!it->part) {
		fill_body(b, it->at, it->in_extended, selected ? role : UI_ROLE_FREE,
			  UI_GLYPH_FREE);
		return;
	}
	if (it->part->role == AF_ROLE_EXTENDED) {
		fill_body(b, it->at, true, selected ? role : UI_ROLE_EXTENDED,
			  UI_GLYPH_PADDING);
		return;
	}
	fill_body(b, it->at, it->in_extended, role, UI_GLYPH_FILL);
	if (before == it->at.first && it->at.last > it->at.first) {
		struct ui_extent line = { before, before };
		fill_body(b, line, it->in_extended, role, UI_GLYPH_VERTICAL);
	}
}

/* Where more partitions than columns share, the selected one is seen. */
static void draw_bodies(const struct bar *b)
{
	int next = 0;      /* the first column not drawn yet */
	int touching = -1; /* the column where a partition body would touch the last one */
	const struct item *on_top = NULL;
	for (size_t i = 0; i < b->n; i++) {
		const struct item *it = &b->item[i];
		bool extended = it->part && it->part->role == AF_ROLE_EXTENDED;
		for (; next < it->at.first; next++)
			draw_between(b, next);
		draw_item(b, it, touching);
		if (is_selected(b, it->row))
			on_top = it;
		else if (on_top && on_top->at.first == it->at.first)
			draw_item(b, on_top, -1);
		next = it->at.last + 1;
		touching = it->part && !extended ? next : -1;
	}
	for (; next < b->r.cols; next++)
		draw_between(b, next);
}

/* A number, or "" if it has more digits than width. */
static void put_number(uint32_t number, int width, char *buf, size_t size)
{
	char digits[AF_SHORT];
	const bool fits = (int)strlen(af_text_decimal(number, digits)) <= width;
	(void)af_text_join(buf, size, 0, fits ? digits : "");
}

/* The first of the forms of a name that fits in width columns: "sda1 10.0G", "sda1",
 * "1"; "" if none does. */
static void name_item(const struct bar *b, size_t row, int width, char *buf, size_t size)
{
	const struct af_part *part = ui_picture_part(b->p, row);
	char amount[AF_SHORT], name[64];
	if (part && width < 4) { /* most of many */
		put_number(part->number, width, buf, size);
		return;
	}
	(void)af_text_size_short(af_span_size(b->p->row[row].span), amount);
	if (!part) {
		(void)snprintf(buf, size, "free %s", amount);
		if (ui_canvas_width(buf) > width)
			(void)snprintf(buf, size, "%s", width >= 4 ? "free" : "");
		return;
	}
	(void)af_plan_part_name(b->p->disk.path, part->number, name, sizeof(name));
	size_t used = af_text_join(buf, size, 0, name);
	const bool extended = part->role == AF_ROLE_EXTENDED;
	used = af_text_join(buf, size, used, extended ? " extended " : " ");
	(void)af_text_join(buf, size, used, amount);
	if (ui_canvas_width(buf) > width)
		(void)af_text_join(buf, size, 0, name);
	if (ui_canvas_width(buf) > width)
		put_number(part->number, width, buf, size);
}

static enum ui_role name_role(const struct bar *b, size_t row)
{
	const struct af_part *part = ui_picture_part(b->p, row);
	if (is_selected(b, row))
		return UI_ROLE_SELECTED;
	if (!part)
		return UI_ROLE_FREE;
	return part->role == AF_ROLE_EXTENDED ? UI_ROLE_EXTENDED : UI_ROLE_TEXT;
}

/* Writes a name, with the cursor before it if it is the selected one's; returns the
 * columns used. */
static int draw_name(const struct bar *b, size_t row, int line, int col, int width)
{
	char text[128];
	enum ui_role role = name_role(b, row);
	int mark = is_selected(b, row) && width > 3 ? 1 : 0;
	name_item(b, row, width - mark, text, sizeof(text));
	if (!text[0])
		return 0;
	ui_canvas_glyph(b->c, line, b->r.col + col, mark, role, UI_GLYPH_CURSOR);
	return mark +
	       ui_canvas_text(b->c, line, b->r.col + col + mark, width - mark, role, text);
}

/* Names outside and inside the frame share a row where there is only one row for bodies. */
static int level_of(const struct bar *b, const struct item *it)
{
	return it->in_extended && b->bodies > 1 ? 1 : 0;
}

/* The first column that the name of item i may not use: where the next partition's
 * begins. */
static int name_limit(const struct bar *b, size_t i)
{
	const struct item *it = &b->item[i];
	int level = level_of(b, it);
	int limit = level ? b->frame.last + 1 : b->r.cols;
	if (b->extended && !it->in_extended && it->at.first <= b->frame.first)
		limit = larger(b->frame.first, it->at.first + 1);
	for (size_t j = i + 1; j < b->n; j++)
		if (b->item[j].part && level_of(b, &b->item[j]) == level &&
		    b->item[j].at.first > it->at.first)
			return smaller(limit, b->item[j].at.first);
	return limit;
}

/* Of those that share columns one has its name written: the selected one, else the
 * largest. */
static bool has_voice(const struct bar *b, size_t i)
{
	const struct ui_row *row = b->p->row;
	const int col = b->item[i].at.first; /* items are in order of columns */
	size_t j = i, voice = i;
	while (j > 0 && b->item[j - 1].at.first == col)
		j--;
	for (; j < b->n && b->item[j].at.first == col; j++) {
		if (is_selected(b, b->item[j].row))
			return i == j;
		if (af_span_size(row[b->item[j].row].span) >
		    af_span_size(row[b->item[voice].row].span))
			voice = j;
	}
	return voice == i;
}

/* Where a row of narrow partitions has no room for "10", it may stand over the next ones
 * too, as on a ruler, but not over the selected one. */
static int overhang(const struct bar *b, const struct item *it)
{
	int digits = it->part->number < 10 ? 1 : it->part->number < 100 ? 2 : 3;
	const struct item *end = b->item + b->n;
	for (const struct item *next = it + 1;
	     next < end && next->at.first <= it->at.first + digits; next++)
		if (is_selected(b, next->row) && next->at.first > it->at.first)
			return 1;
	return smaller(digits, b->r.cols - it->at.first);
}

/* Free space has its name a column in, or at its very start where it just fits then. */
static int draw_free_name(const struct bar *b, const struct item *it, int used)
{
	char text[128];
	int col = larger(it->at.first, used) + 1, room = it->at.last - col + 1;
	if (room < 1)
		return used;
	name_item(b, it->row, room + 1, text, sizeof(text));
	if (ui_canvas_width(text) > room && used < it->at.first) {
		col--;
		room++;
	}
	return col + draw_name(b, it->row, b->r.row + level_of(b, it), col, room);
}

/* Writes the name of item i at or behind column used of its row; returns the first free
 * column then. */
static int draw_item_name(const struct bar *b, size_t i, int used)
{
	const struct item *it = &b->item[i];
	int line = b->r.row + level_of(b, it), col = it->at.first;
	if (!it->part)
		return draw_free_name(b, it, used);
	int width = name_limit(b, i) - col;
	if (width > 1)
		width--;
	/* Names that touch are numbers, or keep a column apart. */
	bool touches = used > 0 && col == used;
	if (touches && it->at.last > col + 1) {
		col++;
		width--;
	} else if (touches) {
		width = 1;
	} else if (width == 1) {
		width = overhang(b, it);
	}
	if (col < used || width < 1)
		return used;
	return col + draw_name(b, it->row, line, col, width);
}

/* Where there is only one row for names, the frame's own stands in it while it is selected, instead of those inside. */
static bool frame_has_name(const struct bar *b)
{
	return b->bodies > 1 || is_selected(b, b->extended_row) ||
	       !has_inside(b->p, b->extended_row);
}

static void draw_names(const struct bar *b)
{
	int used[2] = { 0, 0 }; /* columns written so far, by level */
	for (size_t i = 0; i < b->n; i++) {
		const struct item *it = &b->item[i];
		bool framed = it->part && it->part->role == AF_ROLE_EXTENDED;
		int level = level_of(b, it);
		bool covered = it->in_extended && frame_has_name(b) && level == 0;
		if (!framed && !covered && has_voice(b, i))
			used[level] = draw_item_name(b, i, used[level]);
	}
}

/* The line above everything inside the extended partition, with its name. */
static void draw_frame(const struct bar *b)
{
	int col = b->r.col + b->frame.first, width = b->frame.last - b->frame.first + 1;
	enum ui_role role =
		is_selected(b, b->extended_row) ? UI_ROLE_PART_SELECTED : UI_ROLE_EXTENDED;
	ui_canvas_glyph(b->c, b->r.row, col, width, role, UI_GLYPH_HORIZONTAL);
	if (b->extended->span.start >= b->view.start)
		ui_canvas_glyph(b->c, b->r.row, col, 1, role, UI_GLYPH_TOP_LEFT);
	if (b->extended->span.end <= b->view.end && width > 1)
		ui_canvas_glyph(b->c, b->r.row, col + width - 1, 1, role,
				UI_GLYPH_TOP_RIGHT);
	if (frame_has_name(b) && width > 2)
		draw_name(b, b->extended_row, b->r.row,
			  b->frame.first + (width > 6 ? 2 : 1),
			  width - (width > 6 ? 4 : 2));
}

/* Everything in view with its columns; the caller frees the items. */
static struct bar make_bar(const struct ui_picture *p, struct ui_rect r)
{
	struct bar b = {
		.p = p,
		.r = r,
		.view = ui_bar_view(p, r.cols),
		.bodies = r.rows - 3,
		.item = af_alloc(p->nrows + 1, sizeof(*b.item)),
	};
	collect(&b);
	if (b.n > (size_t)r.cols)
		leave_out_free(&b);
	map_items(&b);
	if (b.extended)
		map_frame(&b);
	return b;
}

static void meet(const struct bar *b, size_t row, struct ui_extent at, int col,
		 struct ui_spot *out)
{
	const bool last =
		at.first == at.last ? b->p->edge == 1 : col - at.first > at.last - col;
	*out = (struct ui_spot){ .row = row,
				 .edge = last,
				 .on_edge = col == (last ? at.last : at.first) };
}

/* The item in that column: the first one, or the one behind the selected one if that is there, too. */
static const struct item *item_at(const struct bar *b, int col)
{
	const struct item *first = NULL, *found = NULL;
	bool next = false;
	for (const struct item *it = b->item; it < b->item + b->n; it++) {
		if (col < it->at.first || col > it->at.last)
			continue;
		first = first ? first : it;
		found = !found && next ? it : found;
		next = next || is_selected(b, it->row);
	}
	return found ? found : first;
}

bool ui_bar_hit(const struct ui_picture *p, struct ui_rect r, int line, int col,
		struct ui_spot *out)
{
	struct bar b = make_bar(p, r);
	const bool framed = in_frame(&b, col) && has_inside(p, b.extended_row);
	const struct item *it =
		framed && line == 0 && b.bodies > 1 ? NULL : item_at(&b, col);
	if (it)
		meet(&b, it->row, it->at, col, out);
	else if (framed)
		meet(&b, b.extended_row, b.frame, col, out);
	free(b.item);
	return it || framed;
}

void ui_bar_draw(const struct ui_picture *p, struct ui_canvas *c, struct ui_rect r)
{
	assert(r.rows >= 4 && r.cols >= 1);
	struct bar b = make_bar(p, r);
	b.c = c;
	draw_bodies(&b);
	if (b.extended)
		draw_frame(&b);
	draw_names(&b);
	if (ui_picture_is_blank(p))
		ui_canvas_text(c, r.row, r.col, r.cols, UI_ROLE_FREE, "no partition table");
	ui_bar_draw_ruler(&b);
	free(b.item);
}
