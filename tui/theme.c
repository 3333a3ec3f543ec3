/*
 * How things look: one row per glyph, one row per role. The glyphs are from the sets that the Linux
 * console, DEC terminals and every terminal emulator share; each takes one column. A role has a style
 * for colour terminals and one for the others, and where eight colours are not enough, one for 16 and for 256; the
 * letter is its name in golden screens.
 */
#include "theme.h"

#include <assert.h>

struct glyph_row {
	const char *utf8, *ascii;
};

static const struct glyph_row glyph_table[UI_GLYPH_COUNT] = {
	[UI_GLYPH_HORIZONTAL] = { "─", "-" },  [UI_GLYPH_VERTICAL] = { "│", "|" },
	[UI_GLYPH_TOP_LEFT] = { "┌", "+" },    [UI_GLYPH_TOP_RIGHT] = { "┐", "+" },
	[UI_GLYPH_BOTTOM_LEFT] = { "└", "+" }, [UI_GLYPH_BOTTOM_RIGHT] = { "┘", "+" },
	[UI_GLYPH_TEE_DOWN] = { "┬", "+" },    [UI_GLYPH_TEE_UP] = { "┴", "+" },
	[UI_GLYPH_TREE_TEE] = { "├", "|" },    [UI_GLYPH_TREE_END] = { "└", "`" },
	[UI_GLYPH_ON] = { "▲", "^" },          [UI_GLYPH_OFF] = { "×", "X" },
	[UI_GLYPH_TICK] = { "·", "." },        [UI_GLYPH_FILL] = { "█", "#" },
	[UI_GLYPH_FREE] = { "░", "." },        [UI_GLYPH_PADDING] = { "▒", ":" },
	[UI_GLYPH_EBR] = { "■", "=" },         [UI_GLYPH_CURSOR] = { "►", ">" },
	[UI_GLYPH_MORE_UP] = { "↑", "^" },     [UI_GLYPH_MORE_DOWN] = { "↓", "v" },
};

struct role_row {
	struct ui_style colour, plain;
	char letter;
	unsigned char of_16,
		of_256; /* the front where there are more colours; 0: as with 8 */
};

#define STYLE(f, b, ...)                                                                   \
	{                                                                                  \
		.front = UI_COLOUR_##f, .back = UI_COLOUR_##b, __VA_ARGS__                 \
	}
#define PLAIN(...) STYLE(DEFAULT, DEFAULT, __VA_ARGS__)
#define CONTENT(f, letter, of_16, of_256)                                                  \
	{                                                                                  \
		STYLE(f, DEFAULT, .bold = false), PLAIN(.bold = false), letter, of_16,     \
			of_256                                                             \
	}

static const struct role_row role_table[UI_ROLE_COUNT] = {
	[UI_ROLE_TEXT] = { PLAIN(.bold = false), PLAIN(.bold = false), '.' },
	[UI_ROLE_TITLE] = { PLAIN(.bold = true), PLAIN(.bold = true), 'T' },
	[UI_ROLE_DIM] = { PLAIN(.dim = true), PLAIN(.dim = true), 'd' },
	[UI_ROLE_SELECTED] = { PLAIN(.reverse = true), PLAIN(.reverse = true), 'S' },
	[UI_ROLE_FREE] = { STYLE(GREEN, DEFAULT, .bold = false), PLAIN(.bold = false),
			   'f' },
	[UI_ROLE_PADDING] = { STYLE(MAGENTA, DEFAULT, .bold = false), PLAIN(.dim = true),
			      'p' },
	[UI_ROLE_EXTENDED] = { STYLE(CYAN, DEFAULT, .bold = false), PLAIN(.bold = false),
			       'e' },
	[UI_ROLE_PART] = { STYLE(WHITE, DEFAULT, .bold = false), PLAIN(.bold = false),
			   'P' },
	[UI_ROLE_PART_SELECTED] = { STYLE(CYAN, DEFAULT, .bold = true), PLAIN(.bold = true),
				    'Q' },
	[UI_ROLE_FS_EXT] = CONTENT(BLUE, '1', 12, 33),
	[UI_ROLE_FS_FAT] = CONTENT(GREEN, '2', 10, 71),
	[UI_ROLE_FS_NTFS] = CONTENT(MAGENTA, '3', 13, 170),
	[UI_ROLE_FS_SWAP] = CONTENT(RED, '4', 9, 167),
	[UI_ROLE_FS_UNIX] = CONTENT(BLUE, '5', 4, 99),
	[UI_ROLE_FS_CRYPT] = CONTENT(YELLOW, '6', 11, 179),
	[UI_ROLE_FS_VOLUME] = CONTENT(YELLOW, '7', 3, 137),
	[UI_ROLE_FS_OTHER] = CONTENT(WHITE, '8', 15, 252),
	[UI_ROLE_GOOD] = { STYLE(GREEN, DEFAULT, .bold = false), PLAIN(.bold = false),
			   'g' },
	[UI_ROLE_WARN] = { STYLE(YELLOW, DEFAULT, .bold = false), PLAIN(.underline = true),
			   'w' },
	[UI_ROLE_BAD] = { STYLE(RED, DEFAULT, .bold = true), PLAIN(.bold = true), 'b' },
	[UI_ROLE_KEY] = { PLAIN(.bold = true), PLAIN(.bold = true), 'k' },
	[UI_ROLE_HINT] = { PLAIN(.bold = true), PLAIN(.bold = true), 'h' },
	[UI_ROLE_FIELD] = { STYLE(WHITE, BLUE, .bold = true), PLAIN(.underline = true),
			    'F' },
};

const char *ui_glyph_text(enum ui_glyph g, bool ascii)
{
	assert(g < UI_GLYPH_COUNT);
	return ascii ? glyph_table[g].ascii : glyph_table[g].utf8;
}

struct ui_style ui_theme_style(enum ui_role role, int colours)
{
	assert(role < UI_ROLE_COUNT);
	const struct role_row *row = &role_table[role];
	struct ui_style style = colours >= 8 ? row->colour : row->plain;
	if (colours >= 256 && row->of_256 > 0)
		style.front = row->of_256;
	else if (colours >= 16 && row->of_16 > 0)
		style.front = row->of_16;
	return style;
}

char ui_theme_letter(enum ui_role role)
{
	assert(role < UI_ROLE_COUNT);
	return role_table[role].letter;
}
