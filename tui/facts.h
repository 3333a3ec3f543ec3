/** facts.h - the extra pane: all that is known of the selected row, in words. */
#ifndef UI_FACTS_H
#define UI_FACTS_H
#include "app.h"

/** Draws it into r. What does not fit there is not drawn, and a mark says so. */
void ui_facts_draw(const struct ui_app *app, struct ui_canvas *c, struct ui_rect r);
#endif
