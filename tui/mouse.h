/** mouse.h - what a mouse did, and where: what a terminal sends becomes a value, and a click on a key's name that key. */
#ifndef UI_MOUSE_H
#define UI_MOUSE_H
#include "canvas.h"

enum ui_mouse_kind {
	UI_MOUSE_PRESS, /* the first button went down */
	UI_MOUSE_DRAG,  /* the mouse moved to another cell with that button down */
	UI_MOUSE_RELEASE,
	UI_MOUSE_WHEEL_UP,
	UI_MOUSE_WHEEL_DOWN,
};

/** One event. The place may lie outside of what was drawn. */
struct ui_mouse {
	enum ui_mouse_kind kind;
	int row, col;
};

/** Reads what stands behind "ESC [ <" in a report, "0;12;5M" (xterm's control sequences, mode 1006: button, column, row,
 *  M for pressed or moved and m for released). False for other buttons, and for what is no report. */
bool ui_mouse_read(const char *report, struct ui_mouse *out);

/** Reads the older form, the three bytes behind "ESC [ M", each 32 more than it says. */
bool ui_mouse_read_old(const unsigned char report[3], struct ui_mouse *out);

/** The key whose name stands in a hint ("W: write  Esc q: back") at that place of a screen, its meaning
 *  included; UI_KEY_NONE if there is none. */
int ui_mouse_key_at(const struct ui_canvas *seen, int row, int col);
#endif
