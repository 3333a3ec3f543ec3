/*
 * Both edges of the selected row, sector by sector: one column a sector, a line wherever a
 * boundary lies, so that a box is what the drive reads and writes at once; a mark where the
 * data of something inside begins.
 */
#include "lens_priv.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

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
	const struct af_layer *layer = inside ? ui_lens_layer_at(x, at) : NULL;
	if (layer) {
		const bool on = is_line(x, x->span.start + layer->offset);
		const enum ui_role role = on ? UI_ROLE_GOOD : UI_ROLE_BAD;
		ui_canvas_glyph(x->c, row, col, 1, role, on ? UI_GLYPH_ON : UI_GLYPH_OFF);
		return role;
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
	x.content = x.part ? af_contents_find(p->disk.contents, x.part->id) : NULL;
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
	ui_lens_say(&x, (struct ui_rect){ r.row + 3, r.col, r.rows - 3, r.cols });
}
