/** cost.h - what a start off its boundary was seen to cost. */
#ifndef UI_COST_H
#define UI_COST_H
#include "afdisk/facts.h"

/** A measurement. */
struct ui_cost {
	const char *cost;  /* all of it, the source included */
	const char *brief; /* what is most of it */
	const char *drive; /* the source: "a WD10EARS" */
};

/** The one that is nearest to a partition that holds fs ("" or unknown: what was measured with the widest difference) and
 * begins at byte start of a disk; NULL for devices of a kind that nobody measured. Borrowed. */
const struct ui_cost *ui_cost_of(const struct af_topo *topo, const char *fs,
				 af_bytes start);

/** The one of a file system that is aligned, but writes blocks smaller than a physical sector; NULL as above. Borrowed. */
const struct ui_cost *ui_cost_of_small(const struct af_topo *topo);

/** How ui_cost_of() calls what is written in the end: the file system deepest inside, through containers and labels, as far as it is
 * seen; "" if nothing is known. Borrowed from content. */
const char *ui_cost_kind(const struct af_content *maybe_content);
#endif
