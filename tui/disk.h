/** disk.h - the main screen. */
#ifndef UI_DISK_H
#define UI_DISK_H
#include "app.h"

/** Header, bar, table, lens, menu. Its state is in struct ui_app. */
extern const struct ui_view ui_disk_view;

/** True if the action makes sense for the selected row and the state of the session: what the menu shows. */
bool ui_disk_offers(const struct ui_app *app, enum ui_action a);

/** Where the pictures are in a window of that size. */
struct ui_places {
	struct ui_rect bar, table, lens;
};

/** Spare rows go to the table. */
struct ui_places ui_disk_places(int rows, int cols);

/** Carries out an action as its key does: says why if it is not offered. */
void ui_disk_act(struct ui_app *app, enum ui_action a);

/** The nth item of the menu; UI_DO_COUNT if there are not so many. */
enum ui_action ui_disk_item(const struct ui_app *app, int n);
#endif
