/** pair.h - two bars of one disk, before above after, at the same scale. */
#ifndef UI_PAIR_H
#define UI_PAIR_H
#include "afdisk/plan.h"
#include "picture.h"

/** Owns the pictures' rows and marks; the rest is borrowed. */
struct ui_pair {
	struct ui_picture before, after;
	const struct af_plan *plan;
	char *marks
		[2]; /* rows between the bars: what goes, what comes; one for each of cols columns */
	int cols;
};

/** A pair of the table on disk and of now's, which plan tells the changes between. All is borrowed until the release. */
void ui_pair_make(struct ui_pair *pair, const struct af_disk *now,
		  const struct af_layout *base, const struct af_plan *plan);

/** Draws both bars on the whole width of c from row on: names and bodies of each (bodies rows, at least 1), the marks of
 * changes under the first and over the second, a ruler under that. Returns the rows used. */
int ui_pair_draw(struct ui_pair *pair, struct ui_canvas *c, int row, int bodies);

/** The mark of a change: " ", "-" removed, "+" added, ">" and "<" moved towards the end and the start, "~" otherwise. */
const char *ui_pair_mark(const struct af_change *change);

/** The role of a mark, wherever it stands. */
enum ui_role ui_pair_role(const char *mark);

/** What the marks mean. */
#define UI_PAIR_LEGEND "- removed  + added  > < moved  ~ changed"

/** Frees what it owns. */
void ui_pair_release(struct ui_pair *pair);
#endif
