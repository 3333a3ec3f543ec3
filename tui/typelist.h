/** typelist.h - the types that a partition can have, with search. */
#ifndef UI_TYPELIST_H
#define UI_TYPELIST_H
#include "app.h"

/** Asks for the type of the selected partition. */
void ui_typelist_open(struct ui_app *app);
#endif
