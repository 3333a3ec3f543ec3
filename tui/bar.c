/*
 * The disk to scale. Rows become columns (by ui_bar_map), then three layers are drawn from
 * those columns: bodies with the extended frame around its logicals, names (bar_names.c), and
 * the ruler (ruler.c) with the edges and the boundaries between them.
 */
#include "bar_priv.h"

#include <assert.h>
#include <stdlib.h>

#define RULER_ROWS 2

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

static size_t count_parts(const struct bar *b)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n; i++)
		n += b->item[i].part != NULL;
	return n;
}

/* The items inside the extended partition: from first to last; false if none is in view. */
static bool find_inside(const struct bar *b, size_t *first, size_t *last)
{
	bool any = false;
	for (size_t i = 0; i < b->n; i++) {
		if (!b->item[i].in_extended)
			continue;
		*first = any ? *first : i;
		*last = i;
		any = true;
	}
	return any;
}

/* The frame has a line of its own on either side while a column is so wide that nothing is lost by it. */
static bool has_room_for_side(const struct bar *b, bool right)
{
	const struct af_span span = b->extended->span;
	return af_span_size(b->view) / b->r.cols >= AF_MIB &&
	       4 * (b->n + 2) <= 3 * (size_t)b->r.cols && /* at least 1 */
	       (right ? span.end <= b->view.end : span.start >= b->view.start);
}

/* Where partitions share columns, free space that is seen because it is selected has those of its neighbour, lest all behind
 * it move. */
static void map_shared(struct bar *b)
{
	struct af_span *span = af_alloc(b->n + 1, sizeof(*span));
	struct ui_extent *at = af_alloc(b->n + 1, sizeof(*at));
	size_t n = 0;
	for (size_t i = 0; i < b->n; i++)
		if (b->item[i].part)
			span[n++] = b->p->row[b->item[i].row].span;
	ui_bar_map(b->view, b->r.cols, span, n, at);
	n = 0;
	for (size_t i = 0; i < b->n; i++) {
		const bool part = b->item[i].part != NULL;
		b->item[i].at = at[part || n == 0 ? n : n - 1];
		n += part;
	}
	b->side[0] = b->side[1] = -1;
	free(span);
	free(at);
}

/* The sides take part as things of a byte each. */
static void map_items(struct bar *b)
{
	struct af_span *span = af_alloc(b->n + 3, sizeof(*span));
	struct ui_extent *at = af_alloc(b->n + 3, sizeof(*at));
	size_t first = 0, last = 0, n = 0, side[2] = { 0, 0 };
	const bool any = b->extended && find_inside(b, &first, &last);
	const bool left = any && has_room_for_side(b, false);
	const bool right = any && has_room_for_side(b, true);
	for (size_t i = 0; i < b->n; i++) {
		const af_bytes start = b->extended ? b->extended->span.start : 0;
		const af_bytes end = b->extended ? b->extended->span.end : 0;
		if (left && i == first) {
			side[0] = n;
			span[n++] = (struct af_span){ start, start + 1 };
		}
		span[n++] = b->p->row[b->item[i].row].span;
		if (right && i == last) {
			side[1] = n;
			span[n++] = (struct af_span){ end - 1, end };
		}
	}
	ui_bar_map(b->view, b->r.cols, span, n, at);
	for (size_t i = 0; i < b->n; i++)
		b->item[i].at = at[i + (left && i >= first) + (right && i > last)];
	b->side[0] = left ? at[side[0]].first : -1;
	b->side[1] = right ? at[side[1]].last : -1;
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
	if (b->side[0] >= 0)
		b->frame.first = b->side[0];
	if (b->side[1] >= 0)
		b->frame.last = b->side[1];
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

/* Remembers whose a column is that no item took. */
static void note_gap(struct bar *b, int col, enum ui_place place, bool inside)
{
	const size_t n = b->ngaps;
	if (n > 0 && b->gap[n - 1].at.last + 1 == col && b->gap[n - 1].place == place &&
	    b->gap[n - 1].in_extended == inside)
		b->gap[n - 1].at.last = col;
	else
		b->gap[b->ngaps++] = (struct gap){ { col, col }, place, inside };
}

/* A column that no item took: its bytes are padding, a part of the table, or free space
 * left out. */
static void draw_between(struct bar *b, int col)
{
	struct af_span span = { ui_bar_byte(b->view, b->r.cols, col),
				ui_bar_byte(b->view, b->r.cols, col + 1) };
	struct ui_extent at = { col, col };
	bool inside = in_frame(b, col);
	const struct af_part *part;
	enum ui_place place = ui_picture_place(b->p, span, &part);
	note_gap(b, col, place, inside);
	switch (place) {
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
		fill_body(b, at, inside, UI_ROLE_PADDING, UI_GLYPH_PADDING);
		break;
	case UI_PLACE_OUTSIDE:
		break;
	}
}

/* The letter of what is inside begins a body, or a line where it would touch the one before. */
static void draw_item(const struct bar *b, const struct item *it, int before)
{
	const struct ui_look *look = b->p->row[it->row].look;
	bool selected = is_selected(b, it->row);
	enum ui_role role = selected ? UI_ROLE_PART_SELECTED : look->role;
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
	if (look->letter[0])
		ui_canvas_text(b->c, name_row(b, it->in_extended) + 1,
			       b->r.col + it->at.first, 1, role, look->letter);
	else if (before == it->at.first && it->at.last > it->at.first)
		fill_body(b, (struct ui_extent){ before, before }, it->in_extended, role,
			  UI_GLYPH_VERTICAL);
}

/* The columns from first to the one before end that no item took. */
static void draw_gap(struct bar *b, int first, int end)
{
	for (int col = first; col < end; col++)
		if (col != b->side[0] && col != b->side[1])
			draw_between(b, col);
}

/* Where more partitions than columns share, the selected one is seen. */
static void draw_bodies(struct bar *b)
{
	int next = 0;      /* the first column not drawn yet */
	int touching = -1; /* the column where a partition body would touch the last one */
	const struct item *on_top = NULL;
	for (size_t i = 0; i < b->n; i++) {
		const struct item *it = &b->item[i];
		bool extended = it->part && it->part->role == AF_ROLE_EXTENDED;
		draw_gap(b, next, it->at.first);
		draw_item(b, it, touching);
		if (is_selected(b, it->row))
			on_top = it;
		else if (on_top && on_top->at.first == it->at.first)
			draw_item(b, on_top, -1);
		next = it->at.last + 1;
		touching = it->part && !extended ? next : -1;
	}
	draw_gap(b, next, b->r.cols);
}

/* The line above everything inside the extended partition, and its sides. When it is selected its corners and sides say so, with
 * its name: the whole line would be a serial console's while. */
static void draw_frame(const struct bar *b)
{
	int col = b->r.col + b->frame.first, width = b->frame.last - b->frame.first + 1;
	enum ui_role role =
		is_selected(b, b->extended_row) ? UI_ROLE_PART_SELECTED : UI_ROLE_EXTENDED;
	ui_canvas_glyph(b->c, b->r.row, col, width, UI_ROLE_EXTENDED, UI_GLYPH_HORIZONTAL);
	if (b->extended->span.start >= b->view.start)
		ui_canvas_glyph(b->c, b->r.row, col, 1, role, UI_GLYPH_TOP_LEFT);
	if (b->extended->span.end <= b->view.end && width > 1)
		ui_canvas_glyph(b->c, b->r.row, col + width - 1, 1, role,
				UI_GLYPH_TOP_RIGHT);
	for (int i = 0; i < 2; i++)
		for (int row = 1; row <= b->bodies && b->side[i] >= 0; row++)
			ui_canvas_glyph(b->c, b->r.row + row, b->r.col + b->side[i], 1,
					role, UI_GLYPH_VERTICAL);
}

/* Everything in view with its columns; the caller frees the items. */
static struct bar make_bar(const struct ui_picture *p, struct ui_rect r)
{
	struct bar b = {
		.p = p,
		.r = r,
		.view = ui_bar_view(p, r.cols),
		.bodies = r.rows - 1 - RULER_ROWS,
		.item = af_alloc(p->nrows + 1, sizeof(*b.item)),
	};
	collect(&b);
	b.left_out = b.n > (size_t)r.cols;
	if (b.left_out)
		leave_out_free(&b);
	b.shares = b.left_out && count_parts(&b) > (size_t)r.cols;
	if (b.shares)
		map_shared(&b);
	else
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

void ui_bar_extents(const struct ui_picture *p, int cols, struct ui_extent *out)
{
	struct bar b = make_bar(p, (struct ui_rect){ 0, 0, 4, cols });
	for (size_t i = 0; i < p->nrows; i++)
		out[i] = (struct ui_extent){ 0, -1 };
	for (size_t i = 0; i < b.n; i++)
		out[b.item[i].row] = b.item[i].at;
	if (b.extended)
		out[b.extended_row] = b.frame;
	free(b.item);
}

/* All but the ruler; the caller frees the items and gaps. */
static struct bar draw_upper(struct ui_picture *p, struct ui_canvas *c, struct ui_rect r)
{
	struct bar b = make_bar(p, r);
	b.c = c;
	b.gap = af_alloc((size_t)r.cols, sizeof(*b.gap)); /* at least 1 */
	p->from = b.view.start;
	draw_bodies(&b);
	if (b.extended)
		draw_frame(&b);
	ui_bar_draw_names(&b);
	if (ui_picture_is_blank(p))
		ui_canvas_text(c, r.row, r.col, r.cols, UI_ROLE_FREE, "no partition table");
	return b;
}

void ui_bar_draw_bodies(struct ui_picture *p, struct ui_canvas *c, struct ui_rect r)
{
	assert(r.rows >= 2 && r.cols >= 1);
	r.rows += RULER_ROWS;
	struct bar b = draw_upper(p, c, r);
	free(b.item);
	free(b.gap);
}

void ui_bar_draw(struct ui_picture *p, struct ui_canvas *c, struct ui_rect r)
{
	assert(r.rows >= 2 + RULER_ROWS && r.cols >= 1);
	struct bar b = draw_upper(p, c, r);
	ui_bar_draw_ruler(&b);
	free(b.item);
	free(b.gap);
}
