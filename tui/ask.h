/** ask.h - the questions of the main screen that take one answer: a new label, the file of a dump, leaving. */
#ifndef UI_ASK_H
#define UI_ASK_H
#include "app.h"

/** Asks for GPT or DOS and starts over with an empty table of that kind. */
void ui_ask_label(struct ui_app *app);

/** Asks what becomes of the entry of a hybrid MBR whose partition changes; does nothing if that is not open. */
void ui_ask_hybrid(struct ui_app *app);

/** Asks for a file name and saves the table there as an sfdisk script; a file that exists is refused. */
void ui_ask_dump(struct ui_app *app);

/** Lets another disk be chosen, after asking if something was not written. */
void ui_ask_open(struct ui_app *app);

/** Asks for the name of an sfdisk script and makes the table what it says. */
void ui_ask_load(struct ui_app *app);

/** Leaves, after asking if something was not written. */
void ui_ask_quit(struct ui_app *app);
#endif
