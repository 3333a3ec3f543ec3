/** bar_priv.h - what the parts of the bar share: bodies (bar.c), names (bar_names.c), ruler (ruler.c). */
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

/** Columns side by side that no item took, and whose they are. */
struct gap {
	struct ui_extent at;
	enum ui_place place;
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
	struct gap *gap; /* in order of columns; known once the bodies are drawn */
	size_t ngaps;
	const struct af_part *extended; /* the one with the frame, or NULL */
	size_t extended_row;
	struct ui_extent frame;
	int side[2]; /* the columns that only the frame's left and right line have, or -1 */
	int frame_name_end; /* a column behind the frame's name, if it was written */
	int bodies;         /* rows for bodies, the frame's names included */
	bool left_out;      /* free space has no columns */
	bool shares;        /* partitions share columns */
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

/** True where a column is a sector. */
static inline bool is_by_sector(const struct bar *b)
{
	return af_span_size(b->view) <=
	       b->r.cols * (af_bytes)b->p->disk.layout->sector_size;
}

/** Writes the name of the frame into its line, then those of all items and gaps, each where there is room for it. */
void ui_bar_draw_names(struct bar *b);

/** Draws the ruler under the bodies: the edges of all items, ticks between them, positions, and what is to be known of
 * the whole. */
void ui_bar_draw_ruler(const struct bar *b);
#endif
