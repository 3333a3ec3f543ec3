/** warn.h - what an edit brings that a person may not expect, as soon as it is made. */
#ifndef UI_WARN_H
#define UI_WARN_H
#include "app.h"

/** Looks at the warnings of the table as it is now; with tell says the first that was not there at the last look behind the
 *  message, and how many more there are. */
void ui_warn_look(struct ui_app *app, bool tell);
#endif
