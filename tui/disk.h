/** disk.h - the main screen. */
#ifndef UI_DISK_H
#define UI_DISK_H
#include "app.h"

/** Header, bar, table, lens, menu. Its state is in struct ui_app. */
extern const struct ui_view ui_disk_view;

/** True if the action makes sense for the selected row and the state of the session: what the menu shows. */
bool ui_disk_offers(const struct ui_app *app, enum ui_action a);

/** Where the pictures are; the pane that is shown is in the place of the lens. */
struct ui_places {
	struct ui_rect bar, table, lens;
};

/** The places in the window drawn last. Spare rows go to the table. */
struct ui_places ui_disk_places(const struct ui_app *app);

/** Carries out an action as its key does: says why if it is not offered. */
void ui_disk_act(struct ui_app *app, enum ui_action a);
#endif
