/** input.h - one line that is being typed. No terminal, no table. */
#ifndef UI_INPUT_H
#define UI_INPUT_H
#include "canvas.h"

/** The text is valid UTF-8; cursor is a byte offset at the beginning of a character, or len. */
struct ui_input {
	char text[240];
	size_t len, cursor;
	bool fresh; /* nothing typed yet: the first character replaces the text */
};

/** Puts text there (cut to what fits, invalid bytes become '?'), the cursor behind it, fresh. */
void ui_input_set(struct ui_input *in, const char *text);

/** Takes a key: characters, Left, Right, Home, End, Delete, Backspace, Ctrl-U (all), Ctrl-W (a word). Returns
 *  true if the key belongs to editing; *changed if the text is another one now. */
bool ui_input_key(struct ui_input *in, int key, bool *changed);

/** Draws it into cols columns, scrolled so that the cursor is visible; the cursor only if active. */
void ui_input_draw(const struct ui_input *in, struct ui_canvas *c, struct ui_rect at,
		   bool active);
#endif
