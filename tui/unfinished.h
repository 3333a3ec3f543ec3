/** unfinished.h - the question about a write that was interrupted, which comes before anything else. */
#ifndef UI_UNFINISHED_H
#define UI_UNFINISHED_H
#include "app.h"

/** Asks whether to finish it or to go back, if the disk has such a write and may be written; true if it asked. */
bool ui_unfinished_ask(struct ui_app *app);
#endif
