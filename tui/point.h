/** point.h - the mouse on the main screen: select, run, zoom, and drag an edge. */
#ifndef UI_POINT_H
#define UI_POINT_H
#include "app.h"

/** Takes an event of the main screen; false if nothing there is for it. */
bool ui_point_disk(struct ui_app *app, const struct ui_mouse *m);

/** What is in the bar at the place of an event; false if the place is not in the bar, or nothing is there. */
bool ui_point_bar(const struct ui_app *app, const struct ui_mouse *m, struct ui_spot *out);

/** Keeps the bar as it is while the mouse has an edge: until the button goes up, or a key is pressed. */
void ui_point_hold(struct ui_app *app);

/** The byte where an edge (0 a start, 1 an end) comes to lie that is dragged to the place of an event: the nearest whole grain, or as
 *  round a multiple of it as a column of the bar is wide. */
af_bytes ui_point_byte(const struct ui_app *app, const struct ui_mouse *m, int edge);
#endif
