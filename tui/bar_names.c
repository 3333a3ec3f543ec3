/*
 * bar_names.c - what stands over the bodies of the bar: names of partitions as long as they fit, the size of free space, and
 * what a gap is where it is wide enough to be named. Names outside and inside the extended partition share a row where
 * there is only one row for bodies.
 */
#include "bar_priv.h"

#include <stdio.h>
#include <string.h>

#include "afdisk/plan.h"

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
	(void)af_text_part_name(b->p->disk.path, part->number, name, sizeof(name));
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

/* The first item behind i that does not share columns with it. */
static size_t next_group(const struct bar *b, size_t i)
{
	const int col = b->item[i].at.first; /* items are in order of columns */
	while (i < b->n && b->item[i].at.first == col)
		i++;
	return i;
}

/* Of the items from first to the one before end, which share columns, one has its name written: the selected one, else the
 * largest. */
static size_t voice_of(const struct bar *b, size_t first, size_t end)
{
	const struct ui_row *row = b->p->row;
	size_t voice = first;
	for (size_t i = first; i < end; i++) {
		if (is_selected(b, b->item[i].row))
			return i;
		if (af_span_size(row[b->item[i].row].span) >
		    af_span_size(row[b->item[voice].row].span))
			voice = i;
	}
	return voice;
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

/* --- gaps ---------------------------------------------------------------------------------------------- */

struct gap_look {
	enum ui_role role;
	const char *word;
};

static struct gap_look gap_look(const struct bar *b, enum ui_place place)
{
	const enum af_scheme scheme = b->p->disk.layout->scheme;
	switch (place) {
	case UI_PLACE_EBR:
		return (struct gap_look){ UI_ROLE_EXTENDED, "EBR" };
	case UI_PLACE_TABLE:
		return (struct gap_look){ UI_ROLE_DIM, scheme == AF_SCHEME_MBR ? "MBR"
						       : scheme == AF_SCHEME_GPT
							       ? "GPT"
							       : "label" };
	case UI_PLACE_PADDING:
		return (struct gap_look){ UI_ROLE_PADDING, "padding" };
	case UI_PLACE_FREE:
	case UI_PLACE_PART:
	case UI_PLACE_OUTSIDE:
		break;
	}
	return (struct gap_look){ UI_ROLE_TEXT, "" };
}

/* Sector by sector the whole of a padding in view has its size beside its name. */
static void name_gap(const struct bar *b, const struct gap *g, int width, char *buf,
		     size_t size)
{
	const int sectors = g->at.last - g->at.first + 1;
	const bool whole = is_by_sector(b) && g->at.first > 0 && g->at.last + 1 < b->r.cols;
	const char *word = gap_look(b, g->place).word;
	if (whole && g->place == UI_PLACE_PADDING)
		(void)snprintf(buf, size, "%s %d sector%s", word, sectors,
			       sectors == 1 ? "" : "s");
	else
		(void)af_text_join(buf, size, 0, word);
	if (ui_canvas_width(buf) > width)
		(void)af_text_join(buf, size, 0, word);
	if (ui_canvas_width(buf) > width)
		buf[0] = '\0';
}

/* Writes what gap i is at or behind column used of its row, over the next gap too if there is no room for it else; returns the
 * first free column then. */
static int draw_gap_name(const struct bar *b, size_t i, int used)
{
	const struct gap *g = &b->gap[i], *next = g + 1;
	char text[64];
	const bool framed = g->in_extended && b->bodies == 1;
	int col = larger(g->at.first, used > 0 ? used + 1 : 0), limit = g->at.last + 1;
	if (framed && col == b->frame.first) /* its corner */
		col++;
	name_gap(b, g, limit - col, text, sizeof(text));
	if (!text[0] && i + 1 < b->ngaps && next->at.first == limit &&
	    next->in_extended == g->in_extended)
		name_gap(b, g, next->at.last + 1 - col, text, sizeof(text));
	if (!text[0])
		return used;
	const int row = b->r.row + (g->in_extended && b->bodies > 1 ? 1 : 0);
	return col + ui_canvas_text(b->c, row, b->r.col + col, b->r.cols - col,
				    gap_look(b, g->place).role, text);
}

/* --- all ----------------------------------------------------------------------------------------------- */

/* Where there is only one row for names, the frame's own stands in it while it is selected. */
static void draw_frame_name(struct bar *b)
{
	const int width = b->frame.last - b->frame.first + 1, in = width > 6 ? 2 : 1;
	const bool has_name = b->bodies > 1 || is_selected(b, b->extended_row) ||
			      !has_inside(b->p, b->extended_row);
	if (!has_name || width <= 2)
		return;
	const int col = b->frame.first + in;
	b->frame_name_end =
		col + 1 + draw_name(b, b->extended_row, b->r.row, col, width - 2 * in);
}

/* The columns written so far in the row of something. */
static int *used_by(const struct bar *b, int used[2], bool in_extended)
{
	int *u = &used[in_extended && b->bodies > 1 ? 1 : 0];
	if (in_extended && b->bodies == 1)
		*u = larger(*u, b->frame_name_end);
	return u;
}

void ui_bar_draw_names(struct bar *b)
{
	int used[2] = { 0, 0 };
	size_t gap = 0;
	if (b->extended)
		draw_frame_name(b);
	for (size_t first = 0, end; first <= b->n; first = end) {
		const int limit = first < b->n ? b->item[first].at.first : b->r.cols;
		for (; gap < b->ngaps && b->gap[gap].at.first < limit; gap++) {
			int *u = used_by(b, used, b->gap[gap].in_extended);
			*u = draw_gap_name(b, gap, *u);
		}
		if (first == b->n)
			return;
		end = next_group(b, first);
		const size_t i = voice_of(b, first, end);
		const struct item *it = &b->item[i];
		if (it->part && it->part->role == AF_ROLE_EXTENDED)
			continue;
		int *u = used_by(b, used, it->in_extended);
		*u = draw_item_name(b, i, *u);
	}
}
