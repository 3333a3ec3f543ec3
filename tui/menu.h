/** menu.h - the menu of the main screen: what it offers now, where each item stands, which one is selected. */
#ifndef UI_MENU_H
#define UI_MENU_H
#include "app.h"

/** The selected item: the one chosen last if it is still offered, else the first. */
enum ui_action ui_menu_current(const struct ui_app *app);

/** Selects the item that is step (1 or -1) behind the selected one, all around. */
void ui_menu_step(struct ui_app *app, int step);

/**
 * Draws the items into the rows of the foot that are for a menu: all of the same width while they fit, else close
 * together, and scrolled to the selected one if even that does not do.
 */
void ui_menu_draw(const struct ui_app *app, struct ui_canvas *c);

/** The item at a place of the screen drawn last; UI_DO_COUNT if there is none. */
enum ui_action ui_menu_at(const struct ui_app *app, int row, int col);
#endif
