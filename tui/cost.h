/** cost.h - what a start off its boundary was seen to cost. */
#ifndef UI_COST_H
#define UI_COST_H
#include "afdisk/facts.h"

/** A measurement in words, and in fewer. */
struct ui_cost {
	const char *fs, *cost, *brief;
};

/** That of the file system inside, else that of ext3, where the difference was largest. Borrowed. */
const struct ui_cost *ui_cost_of(const struct af_content *maybe_content);
#endif
