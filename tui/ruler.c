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

enum mark { MARK_NONE, MARK_TICK, MARK_LABEL, MARK_STOP, MARK_ON, MARK_WARN, MARK_BAD };

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
		span.end < b->view.end || b->view.end >= b->p->disk.layout->disk_size;
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

/* A position as the ruler shows it: in the largest unit in which all lines of the grid are whole, so that no label
 * rounds. */
static void name_place(const struct bar *b, af_bytes at, struct af_grid lines, char *buf,
		       size_t size)
{
	static const struct {
		const char *letter;
		af_bytes unit;
	} unit_table[] = {
		{ "T", 1024 * AF_GIB },
		{ "G", AF_GIB },
		{ "M", AF_MIB },
	};
	if (b->p->units == UI_UNITS_BYTES) {
		(void)snprintf(buf, size, "%" PRId64 "B", at);
		return;
	}
	for (size_t i = 0; i < 3 && b->p->units == UI_UNITS_HUMAN; i++) {
		const af_bytes unit = unit_table[i].unit;
		if (lines.step % unit || lines.phase % unit)
			continue;
		(void)snprintf(buf, size, "%" PRId64 "%s", at / unit,
			       at < unit ? "" : unit_table[i].letter);
		return;
	}
	(void)snprintf(buf, size, "%" PRIu64 "s", ui_picture_sector(b->p, at));
}

/* What not everything has a column of its own for. */
static void add_crowd(const struct bar *b, struct af_text *t)
{
	size_t n = 0;
	for (size_t i = 0; b->shares && i < b->n; i++)
		n += b->item[i].part != NULL;
	if (b->shares)
		af_text_add(t, "%zu share %d columns, + zooms in", n, b->r.cols);
	else if (b->left_out)
		af_text_add(t, "free space left out, + zooms in");
}

/* What a column is worth while zoomed, else what the marks mean where there is room for it. */
static void add_legend(const struct bar *b, struct af_text *t)
{
	const char *comma = t->len > 0 ? ", " : "";
	char words[AF_SHORT];
	af_bytes bytes = af_span_size(b->view) / b->r.cols;
	int64_t sectors = af_sectors(bytes, b->p->disk.layout->sector_size);
	if (b->p->zoom <= 0 && b->r.cols >= LEGEND_COLS)
		af_text_add(t, "%s%s on, %s off its %s boundary", comma,
			    ui_glyph_text(UI_GLYPH_ON, b->c->ascii),
			    ui_glyph_text(UI_GLYPH_OFF, b->c->ascii),
			    af_text_size_short(b->p->disk.rules->check.step, words));
	if (b->p->zoom <= 0)
		return;
	if (sectors == 1 || b->p->units == UI_UNITS_SECTORS)
		af_text_add(t, "%s1 column = %" PRId64 " sector%s", comma, sectors,
			    sectors == 1 ? "" : "s");
	else
		af_text_add(t, "%s1 column = %s", comma, af_text_size_short(bytes, words));
}

/* An end is marked in the column behind its last byte, as all ends are. */
static int stop_column(const struct bar *b, af_bytes at)
{
	if (!b->p->edge)
		return ui_bar_column(b->view, b->r.cols, at);
	return smaller(ui_bar_column(b->view, b->r.cols, at - 1) + 1, b->r.cols - 1);
}

/* Not where the edge lies there already, in this picture: one mark is all that a column has. */
static bool is_stop_shown(const struct bar *b)
{
	const struct ui_stop *stop = &b->p->stop;
	return b->p->preview && stop->shown && stop->at > b->view.start &&
	       stop->at <= b->view.end &&
	       stop_column(b, stop->at) != stop_column(b, ui_picture_edge(b->p));
}

/* Writes the remarks at the right end of the label row; returns the first column that labels may not use. */
static int draw_remarks(const struct bar *b, int row)
{
	struct af_text t = { 0 };
	if (b->p->preview)
		af_text_add(&t, "preview");
	if (is_stop_shown(b))
		af_text_add(&t, ", %s %s", ui_glyph_text(UI_GLYPH_TEE_UP, b->c->ascii),
			    b->p->stop.what);
	if (b->p->preview && (b->shares || b->left_out))
		af_text_add(&t, ", ");
	add_crowd(b, &t);
	add_legend(b, &t);
	const char *text = af_text_get(&t);
	int right = larger(b->r.cols - ui_canvas_width(text), 0);
	ui_canvas_text(b->c, row, b->r.col + right, b->r.cols - right, UI_ROLE_DIM, text);
	right -= t.len > 0 ? 1 : 0;
	af_text_release(&t);
	return right;
}

/* Ticks at every minor line of the check grid, labels at the wider ones. */
static void mark_ticks(const struct bar *b, struct ruler_cell *ruler)
{
	struct af_grid check = b->p->disk.rules->check;
	af_bytes sector = b->p->disk.layout->sector_size;
	bool by_sector = is_by_sector(b);
	struct af_grid minor = { by_sector ? check.step : widen(b, check.step, TICK_COLS),
				 check.phase };
	bool whole = by_sector && check.step > sector; /* each boundary is worth a line */
	char text[64];
	name_place(b, b->view.end, minor, text, sizeof(text));
	struct af_grid major = { widen(b, minor.step, ui_canvas_width(text) + 2),
				 check.phase };
	int row = b->r.row + b->bodies + 2, right = draw_remarks(b, row);

	af_bytes at;
	bool more = af_grid_up(minor, b->view.start, &at);
	for (; more && at < b->view.end; more = af_add(at, minor.step, &at)) {
		int col = ui_bar_column(b->view, b->r.cols, at);
		put_mark(&ruler[col], whole ? MARK_LABEL : MARK_TICK, false);
		if (!af_grid_has(major, at))
			continue;
		name_place(b, at, major, text, sizeof(text));
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
		[MARK_STOP] = { UI_ROLE_WARN, UI_GLYPH_TEE_UP },
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
	if (is_stop_shown(b))
		put_mark(&ruler[stop_column(b, b->p->stop.at)], MARK_STOP, false);
	for (size_t i = 0; i < b->n; i++)
		mark_edges(b, ruler, b->item[i].row, whole_extent(b, i));
	mark_nested(b, ruler);
	if (b->extended && has_inside(b->p, b->extended_row))
		mark_edges(b, ruler, b->extended_row, b->frame);
	for (int col = 0; col < b->r.cols; col++)
		draw_mark(b, col, ruler[col]);
	free(ruler);
}
