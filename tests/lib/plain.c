/*
 * Compares screens cell by cell, and pieces of one screen with each other. A piece is what stands in one row in one role,
 * without the spaces around it: a mark, a word, a stretch of the bar. If the same piece is there in two colours, and
 * the terminal has none, somebody who sees it cannot know which of the two it is.
 */
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "theme.h"

#define PIECES 4000

struct piece {
	int row, col, cols;
	enum ui_role role;
	char text[400];
};

static const struct ui_cell *cell_at(const struct ui_canvas *c, int row, int col)
{
	return &c->cell[row * c->cols + col];
}

static bool is_printable(const char *text)
{
	return text[0] >= ' ' && text[0] <= '~' && text[1] == '\0';
}

static bool same_cell(const struct ui_cell *utf8, const struct ui_cell *ascii)
{
	if (utf8->role != ascii->role)
		return false;
	if (is_printable(utf8->text))
		return strcmp(utf8->text, ascii->text) == 0;
	for (enum ui_glyph g = 0; g < UI_GLYPH_COUNT; g++)
		if (strcmp(utf8->text, ui_glyph_text(g, false)) == 0 &&
		    strcmp(ascii->text, ui_glyph_text(g, true)) == 0)
			return true;
	return strcmp(ascii->text, "?") == 0;
}

bool plain_ascii_same(const struct ui_canvas *utf8, const struct ui_canvas *ascii)
{
	for (int row = 0; row < utf8->rows; row++)
		for (int col = 0; col < utf8->cols; col++) {
			const struct ui_cell *a = cell_at(utf8, row, col),
					     *b = cell_at(ascii, row, col);
			if (is_printable(b->text) && same_cell(a, b))
				continue;
			fprintf(stderr, "row %d, column %d: \"%s\" is \"%s\" in ASCII\n",
				row, col, a->text, b->text);
			return false;
		}
	return true;
}

/* The piece that begins at a cell that is not empty. */
static struct piece piece_at(const struct ui_canvas *c, int row, int col)
{
	struct piece p = { .row = row, .col = col, .role = cell_at(c, row, col)->role };
	size_t used = 0, kept = 0;
	for (int at = col; at < c->cols && cell_at(c, row, at)->role == p.role; at++) {
		const char *text = cell_at(c, row, at)->text;
		if (used + strlen(text) >= sizeof(p.text))
			break;
		used += (size_t)snprintf(p.text + used, sizeof(p.text) - used, "%s", text);
		p.cols++;
		if (strcmp(text, " ") != 0)
			kept = used;
	}
	p.text[kept] = '\0';
	return p;
}

static size_t find_pieces(const struct ui_canvas *c, struct piece out[PIECES])
{
	size_t n = 0;
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols && n < PIECES; col++)
			if (strcmp(cell_at(c, row, col)->text, " ") != 0) {
				out[n] = piece_at(c, row, col);
				col += out[n++].cols - 1;
			}
	return n;
}

static bool same_style(struct ui_style a, struct ui_style b)
{
	return a.front == b.front && a.back == b.back && a.bold == b.bold &&
	       a.dim == b.dim && a.underline == b.underline && a.reverse == b.reverse;
}

/* The lines of frames: where they stand is all that they say. */
static bool is_line(const char *text)
{
	for (enum ui_glyph g = UI_GLYPH_HORIZONTAL; g <= UI_GLYPH_TEE_UP; g++)
		if (strcmp(text, ui_glyph_text(g, false)) == 0)
			return true;
	return false;
}

static bool told_by_colour_alone(const struct piece *a, const struct piece *b)
{
	return a->role != b->role && strcmp(a->text, b->text) == 0 && !is_line(a->text) &&
	       same_style(ui_theme_style(a->role, 0), ui_theme_style(b->role, 0)) &&
	       !same_style(ui_theme_style(a->role, 8), ui_theme_style(b->role, 8));
}

bool plain_mono_tells(const struct ui_canvas *c)
{
	struct piece *piece = calloc(PIECES, sizeof(*piece));
	const size_t n = piece ? find_pieces(c, piece) : 0;
	bool tells = n > 0;
	for (size_t i = 0; i < n && tells; i++)
		for (size_t k = i + 1; k < n && tells; k++)
			tells = !told_by_colour_alone(&piece[i], &piece[k]) ||
				(fprintf(stderr,
					 "only a colour tells %d,%d from %d,%d: \"%s\"\n",
					 piece[i].row, piece[i].col, piece[k].row,
					 piece[k].col, piece[k].text),
				 false);
	free(piece);
	return tells;
}
