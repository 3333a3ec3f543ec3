/*
 * A grid of cells. Knows UTF-8 and how many columns a character takes (by a table of its own, so that a
 * screen does not depend on the locale; where the terminal disagrees, term.c shows '?'). Knows nothing
 * of colours or terminals. A wide character owns two cells; whoever overwrites one half clears the other.
 */
#include "canvas.h"
#include "theme.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint32_t first, last;
};

/* Characters that are drawn over the one before them. */
static const struct range mark_table[] = {
	{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x05bf, 0x05bf },
	{ 0x05c1, 0x05c2 }, { 0x05c4, 0x05c5 }, { 0x05c7, 0x05c7 }, { 0x0610, 0x061a },
	{ 0x064b, 0x065f }, { 0x0670, 0x0670 }, { 0x06d6, 0x06dc }, { 0x06df, 0x06e4 },
	{ 0x06e7, 0x06e8 }, { 0x06ea, 0x06ed }, { 0x0711, 0x0711 }, { 0x0730, 0x074a },
	{ 0x07a6, 0x07b0 }, { 0x0900, 0x0902 }, { 0x093a, 0x093a }, { 0x093c, 0x093c },
	{ 0x0941, 0x0948 }, { 0x094d, 0x094d }, { 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a },
	{ 0x0e47, 0x0e4e }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x20d0, 0x20f0 },
	{ 0x302a, 0x302d }, { 0x3099, 0x309a }, { 0xfe20, 0xfe2f },
};

/* Another form of the character before, which some terminals draw wider and others do not: left out. */
static const struct range variant_table[] = {
	{ 0xfe00, 0xfe0f },
	{ 0xe0100, 0xe01ef },
};

/* Characters of two columns. */
static const struct range wide_table[] = {
	{ 0x1100, 0x115f },   { 0x231a, 0x231b },   { 0x2329, 0x232a },
	{ 0x23e9, 0x23ec },   { 0x2614, 0x2615 },   { 0x2648, 0x2653 },
	{ 0x2e80, 0x303e },   { 0x3041, 0x4dbf },   { 0x4e00, 0xa4cf },
	{ 0xa960, 0xa97c },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
	{ 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },
	{ 0x17000, 0x18cd5 }, { 0x1b000, 0x1b2fb }, { 0x1f300, 0x1f64f },
	{ 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

/* Characters that steer instead of being drawn: they would let a name rewrite the screen around it. */
static const struct range control_table[] = {
	{ 0x0000, 0x001f }, { 0x007f, 0x009f }, { 0x00ad, 0x00ad },   { 0x061c, 0x061c },
	{ 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },   { 0xd800, 0xdfff },
	{ 0xfeff, 0xfeff }, { 0xfff9, 0xffff }, { 0xe0000, 0xe007f },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool is_in(uint32_t code, const struct range *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= table[i].first && code <= table[i].last)
			return true;
	return false;
}

/* One character of a text: its bytes, and the columns it takes (0 for a mark). */
struct glyph {
	const char *bytes;
	size_t len;
	int width;
};

/* Bytes of the well-formed UTF-8 sequence at s and its code point; 0 if there is none. */
static size_t decode(const unsigned char *s, uint32_t *code)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	if (s[0] < 0x80) {
		*code = s[0];
		return 1;
	}
	const size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	uint32_t value = s[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3fU);
	}
	if (value < lowest[n] || value > 0x10ffff)
		return 0;
	*code = value;
	return n;
}

/* The next character of *text, which moves on; false at the end. What cannot be shown is a '?'. */
static bool next_glyph(const char **text, struct glyph *g)
{
	if (**text >= ' ' && **text < 0x7f) { /* nearly all there is */
		*g = (struct glyph){ .bytes = (*text)++, .len = 1, .width = 1 };
		return true;
	}
	if (**text == '\0')
		return false;
	uint32_t code = 0;
	const size_t n = decode((const unsigned char *)*text, &code); /* bytes as numbers */
	const bool shown = n > 0 && !is_in(code, control_table, COUNT(control_table));
	*g = (struct glyph){ .bytes = shown ? *text : "?",
			     .len = shown ? n : 1,
			     .width = 1 };
	if (is_in(code, variant_table, COUNT(variant_table)))
		*g = (struct glyph){ .bytes = "" };
	else if (shown && n > 1 && is_in(code, mark_table, COUNT(mark_table)))
		g->width = 0;
	else if (shown && n > 1 && is_in(code, wide_table, COUNT(wide_table)))
		g->width = 2;
	*text += n > 0 ? n : 1;
	return true;
}

static struct ui_cell *cell_at(const struct ui_canvas *c, int row, int col)
{
	if (row < 0 || col < 0 || row >= c->rows || col >= c->cols)
		return NULL;
	return &c->cell[(size_t)row * (size_t)c->cols +
			(size_t)col]; /* both are not negative */
}

static void set_cell(struct ui_cell *cell, const char *bytes, size_t len, int width)
{
	assert(len < sizeof(cell->text));
	memset(cell->text, 0,
	       sizeof(cell->text)); /* all of it: cells are compared as bytes */
	memcpy(cell->text, bytes, len);
	cell->width = (unsigned char)width; /* 0, 1 or 2 */
}

/* Makes sure that overwriting (row, col) leaves no half of a wide character beside it. */
static void split_wide(struct ui_canvas *c, int row, int col)
{
	const struct ui_cell *here = cell_at(c, row, col);
	struct ui_cell *left = cell_at(c, row, col - 1), *right = cell_at(c, row, col + 1);
	if (here && here->width == 0 && left)
		set_cell(left, " ", 1, 1);
	if (here && here->width == 2 && right)
		set_cell(right, " ", 1, 1);
}

static void put(struct ui_canvas *c, int row, int col, enum ui_role role,
		const struct glyph *g)
{
	struct ui_cell *cell = cell_at(c, row, col);
	if (cell && cell->width == 1 && g->width == 1) { /* nearly always */
		set_cell(cell, g->bytes, g->len, 1);
		cell->role = (unsigned char)role; /* a small enum */
		return;
	}
	struct ui_cell *next = cell_at(c, row, col + 1);
	const bool half = g->width == 2 && (!cell || !next); /* one half lies outside */
	for (int i = 0; i < g->width; i++) {
		struct ui_cell *at = cell_at(c, row, col + i);
		split_wide(c, row, col + i);
		if (at)
			at->role = (unsigned char)role; /* a small enum */
		if (at && half)
			set_cell(at, " ", 1, 1);
	}
	if (!cell || half)
		return;
	set_cell(cell, g->bytes, g->len, g->width);
	if (g->width == 2)
		set_cell(next, "", 0, 0);
}

/* Adds a mark to the character that ends before column col, if the cell has room for it. */
static void put_mark(struct ui_canvas *c, int row, int col, const struct glyph *g)
{
	struct ui_cell *cell = cell_at(c, row, col - 1);
	if (cell && cell->width == 0)
		cell = cell_at(c, row, col - 2);
	if (!cell || c->ascii || strlen(cell->text) + g->len >= sizeof(cell->text))
		return;
	strncat(cell->text, g->bytes, g->len);
}

/* In ASCII a character becomes as many '?' as it had columns, so that both kinds of screen line up. */
static void put_reduced(struct ui_canvas *c, int row, int col, enum ui_role role,
			const struct glyph *g)
{
	const struct glyph unknown = { .bytes = "?", .len = 1, .width = 1 };
	if (!c->ascii || g->len == 1) {
		put(c, row, col, role, g);
		return;
	}
	for (int i = 0; i < g->width; i++)
		put(c, row, col + i, role, &unknown);
}

/* An ASCII character over a cell of one column: nearly all there is. False if it is not that simple. */
static bool put_plain(struct ui_cell *cell, enum ui_role role, char c)
{
	if (cell->width != 1 || c < ' ' || c >= 0x7f)
		return false;
	*cell = (struct ui_cell){ .text = { c },
				  .width = 1,
				  .role = (unsigned char)role }; /* a small enum */
	return true;
}

int ui_canvas_text(struct ui_canvas *c, int row, int col, int max_cols, enum ui_role role,
		   const char *text)
{
	int used = 0;
	struct glyph g;
	const int room = max_cols < c->cols - col ? max_cols : c->cols - col;
	struct ui_cell *cell = room > 0 ? cell_at(c, row, col) : NULL;
	while (cell && used < room && put_plain(cell, role, *text)) {
		text++;
		used++;
		cell++;
	}
	while (next_glyph(&text, &g)) {
		if (g.width == 0 && used == 0)
			g = (struct glyph){ .bytes = "?", .len = 1, .width = 1 };
		if (used + g.width > room)
			break;
		if (g.width == 0)
			put_mark(c, row, col + used, &g);
		else
			put_reduced(c, row, col + used, role, &g);
		used += g.width;
	}
	return used;
}

int ui_canvas_printf(struct ui_canvas *c, int row, int col, int max_cols, enum ui_role role,
		     const char *fmt, ...)
{
	char line[1024];
	va_list args;
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	return ui_canvas_text(c, row, col, max_cols, role, line);
}

/* Bytes of text that fit into cols columns, broken at the last space if there is one, and at least one character. */
static size_t wrap_len(const char *text, int cols)
{
	const char *at = text;
	size_t fits = 0, space = 0;
	int used = 0;
	struct glyph g;
	while (next_glyph(&at, &g)) {
		used += g.width;
		if (used > cols && fits > 0)
			return space > 0 ? space : fits;
		if (at[0] == ' ' || at[0] == '\0')
			space = (size_t)(at - text); /* at moves forward only */
		fits = (size_t)(at - text);
	}
	return fits;
}

int ui_canvas_wrap(struct ui_canvas *c, struct ui_rect r, enum ui_role role,
		   const char *text)
{
	char line[1024];
	int rows = 0;
	while (*text && r.cols > 0) {
		size_t n = wrap_len(text, r.cols);
		const size_t kept = n < sizeof(line) ? n : sizeof(line) - 1;
		memcpy(line, text, kept);
		line[kept] = '\0';
		if (rows < r.rows)
			ui_canvas_text(c, r.row + rows, r.col, r.cols, role, line);
		n += strspn(text + n, " ");
		text += n;
		rows++;
	}
	return rows;
}

int ui_canvas_width(const char *text)
{
	int used = 0;
	struct glyph g;
	for (; *text >= ' ' && *text < 0x7f; text++) /* nearly all there is */
		used++;
	while (next_glyph(&text, &g))
		used += g.width == 0 && used == 0 ? 1 : g.width;
	return used;
}

void ui_canvas_fill(struct ui_canvas *c, int row, int col, int count, enum ui_role role,
		    const char *text)
{
	const int end = count < c->cols - col ? col + count : c->cols;
	const int width = ui_canvas_width(text) > 1 ? 2 : 1;
	const bool plain = text[0] != '\0' && text[1] == '\0';
	struct ui_cell *cell = col < end ? cell_at(c, row, col) : NULL;
	int at = col;
	for (; cell && plain && at < end && put_plain(cell, role, text[0]); at++)
		cell++;
	for (; at + width <= end; at += width)
		ui_canvas_text(c, row, at, width, role, text);
}

void ui_canvas_glyph(struct ui_canvas *c, int row, int col, int count, enum ui_role role,
		     enum ui_glyph g)
{
	const char *text = ui_glyph_text(g, c->ascii);
	const struct glyph one = { .bytes = text, .len = strlen(text), .width = 1 };
	const int end = count < c->cols - col ? col + count : c->cols;
	const int first = col < 0 ? 0 : col;
	struct ui_cell *cell = first < end ? cell_at(c, row, first) : NULL;
	for (int at = first; cell && at < end; at++, cell++) {
		put(c, row, at, role, &one);
		for (; at + 1 < end && cell[1].width == 1; at++, cell++)
			cell[1] = cell[0];
	}
}

void ui_canvas_role(struct ui_canvas *c, int row, int col, int count, enum ui_role role)
{
	const int end = count < c->cols - col ? col + count : c->cols;
	for (int at = col < 0 ? 0 : col; at < end; at++) {
		struct ui_cell *cell = cell_at(c, row, at);
		if (cell)
			cell->role = (unsigned char)role; /* a small enum */
	}
}

void ui_canvas_box(struct ui_canvas *c, struct ui_rect r, enum ui_role role,
		   const char *maybe_title)
{
	const int last_row = r.row + r.rows - 1, last_col = r.col + r.cols - 1;
	if (r.rows < 2 || r.cols < 2)
		return;
	for (int row = r.row; row <= last_row; row++) {
		ui_canvas_fill(c, row, r.col, r.cols, UI_ROLE_TEXT, " ");
		ui_canvas_glyph(c, row, r.col, 1, role, UI_GLYPH_VERTICAL);
		ui_canvas_glyph(c, row, last_col, 1, role, UI_GLYPH_VERTICAL);
	}
	ui_canvas_glyph(c, r.row, r.col, r.cols, role, UI_GLYPH_HORIZONTAL);
	ui_canvas_glyph(c, last_row, r.col, r.cols, role, UI_GLYPH_HORIZONTAL);
	ui_canvas_glyph(c, r.row, r.col, 1, role, UI_GLYPH_TOP_LEFT);
	ui_canvas_glyph(c, r.row, last_col, 1, role, UI_GLYPH_TOP_RIGHT);
	ui_canvas_glyph(c, last_row, r.col, 1, role, UI_GLYPH_BOTTOM_LEFT);
	ui_canvas_glyph(c, last_row, last_col, 1, role, UI_GLYPH_BOTTOM_RIGHT);
	if (maybe_title && r.cols > 6) {
		const int used = ui_canvas_text(c, r.row, r.col + 3, r.cols - 6,
						UI_ROLE_TITLE, maybe_title);
		ui_canvas_fill(c, r.row, r.col + 2, 1, role, " ");
		ui_canvas_fill(c, r.row, r.col + 3 + used, 1, role, " ");
	}
}

void ui_canvas_clear(struct ui_canvas *c)
{
	const struct ui_cell blank = { .text = " ", .width = 1, .role = UI_ROLE_TEXT };
	const size_t n = (size_t)c->rows * (size_t)c->cols; /* both at least 1 */
	c->cell[0] = blank;
	for (size_t done = 1; done < n; done *= 2) {
		const size_t more = done < n - done ? done : n - done;
		memcpy(c->cell + done, c->cell, more * sizeof(blank));
	}
}

void ui_canvas_init(struct ui_canvas *c, int rows, int cols, bool ascii)
{
	const int r = rows < 1 ? 1 : rows, w = cols < 1 ? 1 : cols;
	const size_t n = (size_t)r * (size_t)w; /* both at least 1 */
	*c = (struct ui_canvas){
		.rows = r, .cols = w, .ascii = ascii, .cell = af_alloc(n, sizeof(*c->cell))
	};
	ui_canvas_clear(c);
}

void ui_canvas_release(struct ui_canvas *c)
{
	free(c->cell);
	*c = (struct ui_canvas){ 0 };
}

static const struct ui_cell *row_at(const struct ui_canvas *c, int row)
{
	return &c->cell[(size_t)row * (size_t)c->cols]; /* 0 <= row < rows */
}

void ui_canvas_copy(struct ui_canvas *c, struct ui_rect r, const struct ui_canvas *from,
		    int first)
{
	for (int i = 0; i < r.rows && first + i < from->rows; i++)
		for (int col = 0; col < r.cols; col++) {
			struct ui_cell *to = cell_at(c, r.row + i, r.col + col);
			const struct ui_cell *cell = cell_at(from, first + i, col);
			if (to && cell)
				*to = *cell;
		}
}

void ui_canvas_dump(const struct ui_canvas *c, struct af_text *out)
{
	for (int row = 0; row < c->rows; row++) {
		const struct ui_cell *cell = row_at(c, row);
		int end = c->cols;
		while (end > 0 && strcmp(cell[end - 1].text, " ") == 0)
			end--;
		for (int col = 0; col < end; col++)
			af_text_add(out, "%s", cell[col].text);
		af_text_add(out, "\n");
	}
}

void ui_canvas_dump_roles(const struct ui_canvas *c, struct af_text *out)
{
	for (int row = 0; row < c->rows; row++) {
		for (int col = 0; col < c->cols; col++)
			af_text_add(out, "%c", ui_theme_letter(row_at(c, row)[col].role));
		af_text_add(out, "\n");
	}
}
