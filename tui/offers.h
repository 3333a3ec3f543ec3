/** offers.h - whole layouts for the selected free space, drawn before one is taken. */
#ifndef UI_OFFERS_H
#define UI_OFFERS_H
#include "app.h"

/** Opens the choice for the selected row, which is free space, or else for the largest free space. */
void ui_offers_open(struct ui_app *app);
#endif
