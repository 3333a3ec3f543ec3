/*
 * How things look: one row per glyph, one row per role. The glyphs are from the sets that the Linux
 * console, DEC terminals and every terminal emulator share; each takes one column. A role has a style
 * for colour terminals and one for the others; the letter is its name in golden screens.
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
	[UI_GLYPH_EBR] = { "■", "E" },         [UI_GLYPH_CURSOR] = { "►", ">" },
	[UI_GLYPH_MORE_UP] = { "↑", "^" },     [UI_GLYPH_MORE_DOWN] = { "↓", "v" },
};

struct role_row {
	struct ui_style colour, plain;
	char letter;
};

#define STYLE(f, b, ...)                                                                   \
	{                                                                                  \
		.front = UI_COLOUR_##f, .back = UI_COLOUR_##b, __VA_ARGS__                 \
	}
#define PLAIN(...) STYLE(DEFAULT, DEFAULT, __VA_ARGS__)

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
	[UI_ROLE_PART] = { STYLE(BLUE, DEFAULT, .bold = false), PLAIN(.bold = false), 'P' },
	[UI_ROLE_PART_SELECTED] = { STYLE(CYAN, DEFAULT, .bold = true), PLAIN(.bold = true),
				    'Q' },
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

struct ui_style ui_theme_style(enum ui_role role, bool colours)
{
	assert(role < UI_ROLE_COUNT);
	return colours ? role_table[role].colour : role_table[role].plain;
}

char ui_theme_letter(enum ui_role role)
{
	assert(role < UI_ROLE_COUNT);
	return role_table[role].letter;
}
