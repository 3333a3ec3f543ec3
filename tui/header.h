/** header.h - the top of the main screen: which disk, which table, which sectors. */
#ifndef UI_HEADER_H
#define UI_HEADER_H
#include "app.h"

#define UI_HEADER_ROWS 3

/** Draws it into the first UI_HEADER_ROWS rows. */
void ui_header_draw(const struct ui_app *app, struct ui_canvas *c);
#endif
