/** plain.h - what a screen loses where there is no UTF-8 or no colour: for tests. */
#ifndef TESTS_PLAIN_H
#define TESTS_PLAIN_H
#include "canvas.h"

/** True if ascii is utf8 with every glyph in its ASCII form, '?' for what else ASCII has not, and nothing but printable ASCII
 *  on it. Both are of one size. Otherwise says where not. */
bool plain_ascii_same(const struct ui_canvas *utf8, const struct ui_canvas *ascii);

/** True if no meaning of the screen is in a colour alone: nowhere do two places have the same text and, without colours,
 *  the same attributes, but different colours. Otherwise says which. */
bool plain_mono_tells(const struct ui_canvas *c);
#endif
