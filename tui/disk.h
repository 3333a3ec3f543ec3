/** disk.h - the main screen. */
#ifndef UI_DISK_H
#define UI_DISK_H
#include "app.h"

/** Header, bar, table, lens, menu. Its state is in struct ui_app. */
extern const struct ui_view ui_disk_view;

/** True if the action makes sense for the selected row and the state of the session: what the menu shows. */
bool ui_disk_offers(const struct ui_app *app, enum ui_action a);
#endif
