/** review.h - the table on disk beside the table to be, and everything that a write would do. */
#ifndef UI_REVIEW_H
#define UI_REVIEW_H
#include "app.h"

/** Opens the review, if there is anything to write; with writing, asks for the word at once. */
void ui_review_open(struct ui_app *app, bool writing);
#endif
