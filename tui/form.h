/** form.h - questions in the foot of the screen: a choice, or one line of text. */
#ifndef UI_FORM_H
#define UI_FORM_H
#include "app.h"

#define UI_CHOICES 4

/** An answer; its first letter, either case, picks it. All borrowed for the life of the program. */
struct ui_choice {
	const char *label, *hint;
	int value;
};

/** Asks to pick one of n answers (at most UI_CHOICES); done gets its value after the question is gone. Esc asks no more. */
void ui_form_choice(struct ui_app *app, const char *question, const struct ui_choice *item,
		    size_t n, void (*done)(struct ui_app *app, int value));

/** A question for a line of text. */
struct ui_line_form {
	const char *question, *hint; /* hint is borrowed for the life of the program */
	const char *initial;
	void (*done)(struct ui_app *app, const char *text); /* after the question is gone */
};

/** Asks it. Esc asks no more; keys that move up and down go to the view behind. */
void ui_form_line(struct ui_app *app, const struct ui_line_form *form);

/** Clears the foot and writes the hint in its last row. */
void ui_form_foot(struct ui_canvas *c, const char *hint);

/** Draws one item of a menu, "[ Delete ]", UI_ITEM_COLS wide. */
void ui_form_item(struct ui_canvas *c, int row, int col, const char *label, bool selected);

#define UI_ITEM_COLS 10

/** Which item of a menu, in the two rows of the foot that are for one, is at a place of the screen: counted from 0 on, row
 *  by row; -1 between items and elsewhere. There may be fewer. */
int ui_form_item_at(const struct ui_app *app, int row, int col);
#endif
