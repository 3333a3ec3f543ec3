/** theme.h - how a role and a glyph look: the only place that knows colours and line characters. */
#ifndef UI_THEME_H
#define UI_THEME_H
#include "canvas.h"

/** The eight colours that every colour terminal has, and the terminal's own. */
enum ui_colour {
	UI_COLOUR_DEFAULT = -1,
	UI_COLOUR_BLACK,
	UI_COLOUR_RED,
	UI_COLOUR_GREEN,
	UI_COLOUR_YELLOW,
	UI_COLOUR_BLUE,
	UI_COLOUR_MAGENTA,
	UI_COLOUR_CYAN,
	UI_COLOUR_WHITE,
};

/** What a terminal is asked for. */
struct ui_style {
	int front, back; /* enum ui_colour, or more where the terminal has more */
	bool bold, dim, underline, reverse;
};

/** The style of a role on a terminal with that many colours (fewer than 8 are none). Without colours the meaning is in
 * the attributes, and in what is written. */
struct ui_style ui_theme_style(enum ui_role role, int colours);

/** The letter of a role in ui_canvas_dump_roles(). */
char ui_theme_letter(enum ui_role role);
#endif
