/** sizing.h - a new partition's size, or both edges of an old one: typed or moved, with the outcome drawn at once. */
#ifndef UI_SIZING_H
#define UI_SIZING_H
#include "app.h"

/** Asks for kind (where there is more than one) and size of a partition in the selected free space. */
void ui_sizing_new(struct ui_app *app);

/** Asks for the edges of the selected partition. */
void ui_sizing_resize(struct ui_app *app);

/** The same, with that edge (0 the start, 1 the end) where the mouse has been dragged to. */
void ui_sizing_drag(struct ui_app *app, int edge, const struct ui_mouse *m);
#endif
