/** paint.h - what to send to a terminal so that one canvas turns into the next. Bytes in, bytes out: no terminal in here. */
#ifndef UI_PAINT_H
#define UI_PAINT_H
#include "canvas.h"

#define UI_STYLE_MAX 48

/** How a terminal is told things, made once by who knows it. */
struct ui_paint {
	char style[UI_ROLE_COUNT]
		  [UI_STYLE_MAX]; /* switches to a role, whatever was on before */
	/* How few bytes do, all zeros being a terminal of which nothing is known: */
	char bare
		[UI_ROLE_COUNT]
		[UI_STYLE_MAX]; /* the same without taking off what was on; "": not known */
	bool colour[UI_ROLE_COUNT]; /* it only sets the colour of characters */
	bool blank[UI_ROLE_COUNT];  /* a space in it looks like nothing */
	bool ecma;                  /* the cursor is placed by ESC [ row ; col H */
	bool column;                /* and in its row by ESC [ col G */
	bool erases;                /* ESC [ K makes the rest of the row blank */
	bool skip_corner;           /* writing the last cell of the last row would scroll */
	const char *(*place)(
		int row, int col); /* the cursor elsewhere; borrowed until the next call */
};

/** Appends to out what turns a screen that shows last into one that shows now; last NULL is a blank screen. Both
 *  have the same size. Ends in the style of UI_ROLE_TEXT. Nothing is appended where nothing differs. */
void ui_paint(const struct ui_paint *p, const struct ui_canvas *maybe_last,
	      const struct ui_canvas *now, struct af_text *out);

/** Makes one sequence of several that set attributes, in place: "ESC [ m ESC [ 1 m" is "ESC [ ;1 m". Leaves alone what has
 *  something else in it. */
void ui_paint_merge(char style[UI_STYLE_MAX]);
#endif
