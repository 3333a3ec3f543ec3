/*
 * paint.c - the difference of two canvases as bytes for a terminal. A few cells that did not change cost less than placing the
 * cursor behind them, so short ones are sent again. Characters that the C library counts otherwise than the canvas
 * are sent as '?': the terminal would put the rest of the line somewhere else. A style is not switched for a space that looks
 * the same in both, nor taken off where the next one replaces all of it.
 */
#include "paint.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define WORTH_A_MOVE   6 /* cells */
#define WORTH_AN_ERASE 4

struct brush {
	const struct ui_paint *p;
	struct af_text *out;
	int row, col; /* where the terminal's cursor is; row -1: unknown */
	int role;     /* what is on; -1: unknown */
};

static void put(struct brush *b, const char *text)
{
	af_text_put(b->out, text, strlen(text));
}

/* None of these depends on where the terminal thinks that the cursor is in its row. */
static void place(struct brush *b, int row, int col)
{
	char move[32];
	if (b->row == row && b->col == col)
		return;
	if (!b->p->ecma)
		put(b, b->p->place(row, col));
	else if (b->row == row && b->p->column)
		(void)snprintf(move, sizeof(move), "\033[%dG", col + 1);
	else
		(void)snprintf(move, sizeof(move), "\033[%d;%dH", row + 1, col + 1);
	if (b->p->ecma)
		put(b, move);
	b->row = row;
	b->col = col;
}

/* True for ASCII and for the line drawing and block characters, of which everybody thinks alike. */
static bool is_plain(const char *text)
{
	const unsigned char *c = (const unsigned char *)text; /* bytes as numbers */
	return c[0] < 0x80 || (c[0] == 0xe2 && c[1] >= 0x94 && c[1] <= 0x97);
}

static bool agrees(const struct ui_cell *cell)
{
	wchar_t wide;
	mbstate_t state;
	memset(&state, 0, sizeof(state));
	size_t n = mbrtowc(&wide, cell->text, strlen(cell->text), &state);
	return n > 0 && n <= strlen(cell->text) && wcwidth(wide) == cell->width;
}

/* True if a cell looks the same in the style that is on. */
static bool looks_right(const struct brush *b, const struct ui_cell *cell)
{
	if (cell->role == b->role)
		return true;
	return b->role >= 0 && b->p->blank[b->role] && b->p->blank[cell->role] &&
	       strcmp(cell->text, " ") == 0;
}

static void turn(struct brush *b, int role)
{
	const struct ui_paint *p = b->p;
	const bool bare = b->role == UI_ROLE_TEXT ||
			  (b->role >= 0 && p->colour[b->role] && p->colour[role]);
	put(b, bare && p->bare[role][0] ? p->bare[role] : p->style[role]);
	b->role = role;
}

static void send(struct brush *b, const struct ui_cell *cell)
{
	if (!looks_right(b, cell))
		turn(b, cell->role);
	if (is_plain(cell->text) || agrees(cell))
		put(b, cell->text);
	else
		put(b, cell->width == 2 ? "??" : "?");
	b->col += cell->width;
}

static bool is_blank(const struct ui_cell *cell)
{
	return cell->role == UI_ROLE_TEXT && strcmp(cell->text, " ") == 0;
}

static bool is_nothing(const struct brush *b, const struct ui_cell *cell)
{
	return strcmp(cell->text, " ") == 0 && b->p->blank[cell->role];
}

static bool differs(const struct brush *b, const struct ui_cell *maybe_last,
		    const struct ui_cell *now)
{
	if (!maybe_last)
		return !is_blank(now) && !is_nothing(b, now);
	return memcmp(maybe_last, now, sizeof(*now)) != 0 &&
	       !(is_nothing(b, maybe_last) && is_nothing(b, now));
}

/* Brings the cursor to a cell, over cells that did not change if they are few and of the style that is on. */
static void reach(struct brush *b, const struct ui_cell *cells, int row, int col)
{
	int from = b->col;
	bool near = b->row == row && from < col && col - from < WORTH_A_MOVE;
	for (int i = from; near && i < col; i++)
		near = looks_right(b, &cells[i]) && cells[i].width == 1;
	for (int i = from; near && i < col; i++)
		send(b, &cells[i]);
	place(b, row, col);
}

/* The first column behind all that is seen of a row. */
static int seen_of(const struct brush *b, const struct ui_cell *cells, int cols)
{
	while (cols > 0 && is_nothing(b, &cells[cols - 1]))
		cols--;
	return cols;
}

static void erase(struct brush *b, const struct ui_cell *cells, int row, int col)
{
	reach(b, cells, row, col);
	if (b->role < 0 || !b->p->blank[b->role])
		turn(b, UI_ROLE_TEXT);
	put(b, "\033[K");
}

static void paint_row(struct brush *b, const struct ui_cell *maybe_last,
		      const struct ui_cell *now, int row, int cols)
{
	const int seen = b->p->erases ? seen_of(b, now, cols) : cols;
	for (int col = 0; col < cols; col++) {
		if (now[col].width == 0 ||
		    !differs(b, maybe_last ? &maybe_last[col] : NULL, &now[col]))
			continue;
		if (col >= seen && cols - col >= WORTH_AN_ERASE) {
			erase(b, now, row, col);
			return;
		}
		reach(b, now, row, col);
		send(b, &now[col]);
	}
}

void ui_paint(const struct ui_paint *p, const struct ui_canvas *maybe_last,
	      const struct ui_canvas *now, struct af_text *out)
{
	struct brush b = { .p = p, .out = out, .row = -1, .role = -1 };
	for (int row = 0; row < now->rows; row++) {
		size_t at = (size_t)row * (size_t)now->cols; /* both are not negative */
		const struct ui_cell *last = maybe_last ? &maybe_last->cell[at] : NULL;
		size_t bytes = (size_t)now->cols * sizeof(*last);
		bool corner = p->skip_corner && row == now->rows - 1;
		if (!last || memcmp(last, &now->cell[at], bytes) != 0)
			paint_row(&b, last, &now->cell[at], row,
				  now->cols - (corner ? 1 : 0));
	}
	if (b.role > UI_ROLE_TEXT)
		put(&b, p->style[UI_ROLE_TEXT]);
}

/* True if style is nothing but sequences that set attributes. */
static bool is_all_attributes(const char *style)
{
	while (strncmp(style, "\033[", 2) == 0) {
		style += 2;
		style += strspn(style, "0123456789;");
		if (*style != 'm')
			return false;
		style++;
	}
	return *style == '\0';
}

void ui_paint_merge(char style[UI_STYLE_MAX])
{
	char *to = style;
	if (!is_all_attributes(style))
		return;
	for (const char *from = style; *from; from++) {
		*to = *from;
		if (strncmp(from, "m\033[", 3) == 0) { /* a seam */
			*to = ';';
			from += 2;
		}
		to++;
	}
	*to = '\0';
}
