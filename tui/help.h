/** help.h - all keys, from the list. */
#ifndef UI_HELP_H
#define UI_HELP_H
#include "app.h"

/** Opens the page. */
void ui_help_open(struct ui_app *app);
#endif
