/** bar_priv.h - what the bar and its ruler share. */
#ifndef UI_BAR_PRIV_H
#define UI_BAR_PRIV_H
#include "picture.h"

/** One partition or free space in view; the extended one is an item only when nothing is
 * inside it. */
struct item {
	size_t row;
	struct ui_extent at;
	const struct af_part *part; /* NULL: free space */
	bool in_extended;
};

/** The bar being drawn. */
struct bar {
	const struct ui_picture *p;
	struct ui_canvas *c;
	struct ui_rect r;
	struct af_span view;
	struct item *item;
	size_t n;
	const struct af_part *extended; /* the one with the frame, or NULL */
	size_t extended_row;
	struct ui_extent frame;
	int bodies; /* rows for bodies, the frame's names included */
};

/** The larger of two columns. */
static inline int larger(int a, int b)
{
	return a > b ? a : b;
}

/** The smaller of two columns. */
static inline int smaller(int a, int b)
{
	return a < b ? a : b;
}

/** True for the row under the cursor. */
static inline bool is_selected(const struct bar *b, size_t row)
{
	return row == b->p->selected;
}

/** True if something lies inside the extended partition of that row. */
static inline bool has_inside(const struct ui_picture *p, size_t row)
{
	return row + 1 < p->nrows && p->row[row + 1].in_extended;
}

/** Draws the ruler under the bodies: the edges of all items, ticks between them, positions. */
void ui_bar_draw_ruler(const struct bar *b);
#endif
