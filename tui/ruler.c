/*
 * ruler.c - the ruler under the bar: a mark on or off its boundary at every edge, ticks at a round multiple of the
 * check size between them, and a row of positions. Where columns and bytes meet is decided by ui_bar_view().
 */
#include "bar_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_COLS   4   /* boundaries come no closer, except sector by sector */
#define LEGEND_COLS 100 /* from this width on there is room to say what the marks mean */

enum mark { MARK_NONE, MARK_TICK, MARK_LABEL, MARK_ON, MARK_WARN, MARK_BAD };

struct ruler_cell {
	enum mark mark;
	bool selected;
};

static void put_mark(struct ruler_cell *cell, enum mark mark, bool selected)
{
	if (mark > cell->mark)
		cell->mark = mark;
	cell->selected = cell->selected || selected;
}

/* Marks both edges of one row at the columns of its body. */
static void mark_edges(const struct bar *b, struct ruler_cell *ruler, size_t row,
		       struct ui_extent at)
{
	struct af_verdict v = { .status = AF_STATUS_UNKNOWN };
	bool part = ui_picture_verdict(b->p, row, &v);
	struct af_span span = b->p->row[row].span;
	struct af_grid check = b->p->disk.rules->check;
	enum mark on = part ? MARK_ON : MARK_TICK;
	enum mark off_start = v.status == AF_STATUS_MISALIGNED ? MARK_BAD : MARK_WARN;
	enum mark off_end = MARK_WARN;
	if (!part) /* free space may begin and end anywhere */
		off_start = off_end = MARK_TICK;
	bool selected[2] = { is_selected(b, row) && !b->p->edge,
			     is_selected(b, row) && b->p->edge };
	if (span.start >= b->view.start && (part || selected[0]))
		put_mark(&ruler[at.first], af_grid_has(check, span.start) ? on : off_start,
			 selected[0]);
	bool end_shown =
		span.end < b->view.end || b->view.end == b->p->disk.layout->disk_size;
	if (end_shown && (part || selected[1]))
		put_mark(&ruler[smaller(at.last + 1, b->r.cols - 1)],
			 af_grid_has(check, span.end) ? on : off_end, selected[1]);
}

/* The smallest multiple of step by a power of two that leaves cols columns between two
 * lines. */
static af_bytes widen(const struct bar *b, af_bytes step, int cols)
{
	af_bytes size = af_span_size(b->view);
	while (step <= size / 2 && af_scale(step, size, b->r.cols) < cols)
		step *= 2;
	return step;
}

/* A position as the ruler shows it; step is the distance of the labels and decides the
 * unit. */
static void name_place(const struct bar *b, af_bytes at, af_bytes step, char *buf,
		       size_t size)
{
	if (b->p->units == UI_UNITS_BYTES) {
		(void)snprintf(buf, size, "%" PRId64 "B", at);
		return;
	}
	if (b->p->units == UI_UNITS_SECTORS || step % AF_MIB) {
		(void)snprintf(buf, size, "%" PRIu64 "s", ui_picture_sector(b->p, at));
		return;
	}
	const char *letter = "T";
	af_bytes unit = 1024 * AF_GIB;
	if (step % AF_GIB) {
		letter = "M";
		unit = AF_MIB;
	} else if (step % unit) {
		letter = "G";
		unit = AF_GIB;
	}
	if (at < unit)
		(void)snprintf(buf, size, "0");
	else
		(void)snprintf(buf, size, "%" PRId64 "%s", at / unit, letter);
}

/* What stands at the right end of the label row: what a column is worth, what the marks
 * mean. */
static void remark(const struct bar *b, char *buf, size_t size)
{
	char column[AF_SHORT], step[AF_SHORT];
	af_bytes bytes = af_span_size(b->view) / b->r.cols;
	int64_t sectors = af_sectors(bytes, b->p->disk.layout->sector_size);
	(void)af_text_size_short(bytes, column);
	if (sectors == 1 || b->p->units == UI_UNITS_SECTORS)
		(void)snprintf(column, sizeof(column), "%" PRId64 " sector%s", sectors,
			       sectors == 1 ? "" : "s");
	(void)af_text_size_short(b->p->disk.rules->check.step, step);
	const char *preview = b->p->preview ? "preview" : "";
	const char *comma = b->p->preview ? ", " : "";
	if (b->p->zoom > 0)
		(void)snprintf(buf, size, "%s%s1 column = %s", preview, comma, column);
	else if (b->r.cols >= LEGEND_COLS)
		(void)snprintf(buf, size, "%s%s%s on, %s off its %s boundary", preview,
			       comma, ui_glyph_text(UI_GLYPH_ON, b->c->ascii),
			       ui_glyph_text(UI_GLYPH_OFF, b->c->ascii), step);
	else
		(void)snprintf(buf, size, "%s", preview);
}

/* Ticks at every minor line of the check grid, labels at the wider ones. */
static void mark_ticks(const struct bar *b, struct ruler_cell *ruler)
{
	struct af_grid check = b->p->disk.rules->check;
	af_bytes sector = b->p->disk.layout->sector_size;
	bool by_sector = af_span_size(b->view) <= b->r.cols * sector;
	struct af_grid minor = { by_sector ? check.step : widen(b, check.step, TICK_COLS),
				 check.phase };
	bool whole = by_sector && check.step > sector; /* each boundary is worth a line */
	char text[64];
	name_place(b, b->view.end, minor.step, text, sizeof(text));
	struct af_grid major = { widen(b, minor.step, ui_canvas_width(text) + 2),
				 check.phase };
	int row = b->r.row + b->bodies + 2;

	remark(b, text, sizeof(text));
	int right = larger(b->r.cols - ui_canvas_width(text), 0);
	ui_canvas_text(b->c, row, b->r.col + right, b->r.cols - right, UI_ROLE_DIM, text);
	if (text[0])
		right--;

	af_bytes at;
	bool more = af_grid_up(minor, b->view.start, &at);
	for (; more && at < b->view.end; more = af_add(at, minor.step, &at)) {
		int col = ui_bar_column(b->view, b->r.cols, at);
		put_mark(&ruler[col], whole ? MARK_LABEL : MARK_TICK, false);
		if (!af_grid_has(major, at))
			continue;
		name_place(b, at, major.step, text, sizeof(text));
		if (col + ui_canvas_width(text) > right)
			continue;
		put_mark(&ruler[col], MARK_LABEL, false);
		ui_canvas_text(b->c, row, b->r.col + col, b->r.cols - col, UI_ROLE_DIM,
			       text);
	}
}

static void draw_mark(const struct bar *b, int col, struct ruler_cell cell)
{
	static const struct {
		enum ui_role role;
		enum ui_glyph glyph;
	} mark_table[] = {
		[MARK_NONE] = { UI_ROLE_TEXT, UI_GLYPH_TICK },
		[MARK_TICK] = { UI_ROLE_DIM, UI_GLYPH_TICK },
		[MARK_LABEL] = { UI_ROLE_DIM, UI_GLYPH_VERTICAL },
		[MARK_ON] = { UI_ROLE_GOOD, UI_GLYPH_ON },
		[MARK_WARN] = { UI_ROLE_WARN, UI_GLYPH_OFF },
		[MARK_BAD] = { UI_ROLE_BAD, UI_GLYPH_OFF },
	};
	if (cell.mark == MARK_NONE)
		return;
	ui_canvas_glyph(b->c, b->r.row + b->bodies + 1, b->r.col + col, 1,
			cell.selected ? UI_ROLE_SELECTED : mark_table[cell.mark].role,
			mark_table[cell.mark].glyph);
}

/* The edges of entries of labels, to scale: they have no body of their own. What names the whole has no edges. */
static void mark_nested(const struct bar *b, struct ruler_cell *ruler)
{
	struct ui_nested n;
	for (size_t i = 0; i < b->p->nrows; i++) {
		struct af_span span = b->p->row[i].span;
		if (!ui_picture_nested(b->p, i, &n) || !af_span_overlap(span, b->view) ||
		    (n.layer->kind != AF_LAYER_NESTED && !is_selected(b, i)))
			continue;
		struct ui_extent at = { ui_bar_column(b->view, b->r.cols, span.start),
					ui_bar_column(b->view, b->r.cols, span.end - 1) };
		mark_edges(b, ruler, i, at);
	}
}

/* The columns of item i; where the next one lies over it, its own end is beyond what was drawn of it. */
static struct ui_extent whole_extent(const struct bar *b, size_t i)
{
	struct ui_extent at = b->item[i].at;
	const struct af_span span = b->p->row[b->item[i].row].span;
	if (i + 1 < b->n && b->p->row[b->item[i + 1].row].span.start < span.end)
		at.last = larger(at.last, ui_bar_column(b->view, b->r.cols, span.end - 1));
	return at;
}

void ui_bar_draw_ruler(const struct bar *b)
{
	struct ruler_cell *ruler = af_alloc((size_t)b->r.cols, sizeof(*ruler));
	mark_ticks(b, ruler);
	for (size_t i = 0; i < b->n; i++)
		mark_edges(b, ruler, b->item[i].row, whole_extent(b, i));
	mark_nested(b, ruler);
	if (b->extended && has_inside(b->p, b->extended_row))
		mark_edges(b, ruler, b->extended_row, b->frame);
	for (int col = 0; col < b->r.cols; col++)
		draw_mark(b, col, ruler[col]);
	free(ruler);
}
