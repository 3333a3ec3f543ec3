/** scroll.h - a text longer than the screen. */
#ifndef UI_SCROLL_H
#define UI_SCROLL_H
#include "canvas.h"

/** Where one is in it. */
struct ui_scroll {
	int top, rows,
		page; /* first row shown; rows of the text and of the window when last drawn */
};

/** Takes Up, Down, PgUp, PgDn, Home, End, j, k, Space; false if the key is another one. */
bool ui_scroll_key(struct ui_scroll *s, int key);

/** Draws rows of text (a canvas as wide as r) into r, with a mark in the last column where there is more. */
void ui_scroll_draw(struct ui_scroll *s, struct ui_canvas *c, struct ui_rect r,
		    const struct ui_canvas *text, int rows);
#endif
