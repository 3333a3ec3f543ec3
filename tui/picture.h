/** picture.h - what is on the main screen as a value, and the three pictures drawn from
 * it: bar, table, lens. */
#ifndef UI_PICTURE_H
#define UI_PICTURE_H
#include "afdisk/report.h"
#include "look.h"

enum ui_units { UI_UNITS_HUMAN, UI_UNITS_SECTORS, UI_UNITS_BYTES };

/** A row of the table: a partition (id not 0), an entry of a label inside one, or free space. */
struct ui_row {
	uint32_t id;
	struct af_span span;
	bool in_extended;
	bool is_free;  /* free space */
	uint32_t host; /* not 0: an entry of a label inside the partition with this id */
	const struct ui_look *
		look; /* of what is inside a partition; for other rows as if nothing were known */
	bool is_judged; /* has edges to judge: a partition, or an entry; the outcome is in verdict */
	struct af_verdict verdict;
	size_t at; /* a partition: its place in the layout that the rows were built from; an entry: among its layers */
};

/** Who has bytes in a table with an EBR for each logical. */
struct ui_owner {
	struct af_span span;
	size_t at; /* the partition's place in the layout */
	bool is_ebr;
};

#define UI_TABLE_COLUMNS 10

/** What the table's cells take, measured once for all rows; good while what it hangs on is the same. */
struct ui_measured {
	bool good; /* ui_picture_rows() makes it false */
	bool ascii;
	enum ui_units units;
	size_t looked_into; /* partitions whose contents are known */
	int want[UI_TABLE_COLUMNS];
	int numbered; /* what the first column wants without names of devices */
};

/** A place that an edge is not to pass: where data begins or ends that is not to be lost. */
struct ui_stop {
	bool shown;
	af_bytes at;
	char what[64]; /* "end of ext4" */
};

/** All that the three pictures need. Owns row[] and owner[]; disk's parts are borrowed. */
struct ui_picture {
	struct af_disk disk; /* its layout is drawn: the wanted table, or a preview */
	struct ui_row *row;
	size_t nrows;
	struct ui_owner
		*owner; /* of an MBR, in order of place; none if some of them overlap */
	size_t nowners;
	size_t selected, top; /* rows: under the cursor, first on the screen */
	int edge;             /* 0: the start, 1: the end of the selected row */
	int zoom;             /* 0: whole disk; a step shows half as much */
	af_bytes
		from; /* near the first byte of the bar's view while zoomed, see ui_bar_view() */
	struct af_span held; /* not empty: what the bar shows while the mouse has an edge */
	enum ui_units units;
	struct ui_stop stop;         /* of the edge that is moved */
	bool preview;                /* drawn from something not yet entered */
	bool locked;                 /* the table takes no edit */
	struct ui_measured measured; /* the table's own; all zeros at first */
};

/** Rebuilds row[] from p->disk: partitions and free space by place, logicals behind
 * their extended one, entries of labels behind their partition (padding is not a row). The row of partition keep_id stays
 * selected if there is one, else the one at the same place. */
void ui_picture_rows(struct ui_picture *p, uint32_t keep_id);

/** Selects the row at the place of old, which was one of them once: the same one if it is there. */
void ui_picture_select(struct ui_picture *p, const struct ui_row *old);

/** The partition of a row; NULL for free space, entries of labels, and where there is no such row. Borrowed. */
const struct af_part *ui_picture_part(const struct ui_picture *p, size_t row);

/** An entry of a label inside a partition, with that. */
struct ui_nested {
	const struct af_part *host;
	const struct af_content *content; /* of host */
	const struct af_layer *layer;
};

/** The entry of a row, borrowed; false if it is no such row. */
bool ui_picture_nested(const struct ui_picture *p, size_t row, struct ui_nested *out);

/** What is to be said about the edges of a row with a partition or an entry; false for other rows. */
bool ui_picture_verdict(const struct ui_picture *p, size_t row, struct af_verdict *out);

/** True if the partition has the boot flag of its kind of table. */
bool ui_picture_boots(const struct ui_picture *p, const struct af_part *part);

/** The byte of the selected edge (an end is the byte behind the last one); 0 without
 * rows. */
af_bytes ui_picture_edge(const struct ui_picture *p);

/** Byte at as the address of the disk's sector that holds it. */
uint64_t ui_picture_sector(const struct ui_picture *p, af_bytes at);

/** Who is in a place on the disk. */
enum ui_place {
	UI_PLACE_PART,
	UI_PLACE_EBR,
	UI_PLACE_TABLE, /* the MBR, a GPT's headers and entries */
	UI_PLACE_FREE,
	UI_PLACE_PADDING,
	UI_PLACE_OUTSIDE, /* past the end of the disk */
};

/** Who is in span: the first of enum ui_place that any of its bytes belong to;
 * *maybe_part is the partition, or the one whose EBR it is, else NULL. */
enum ui_place ui_picture_place(const struct ui_picture *p, struct af_span span,
			       const struct af_part **maybe_part);

/** Frees what it owns. */
void ui_picture_release(struct ui_picture *p);

/** The range of bytes that the bar shows at the present zoom: the whole disk, or the part of it
 * that p->from names; where the selected edge is not in that, or too near its border, the part around the edge. The last
 * column may reach beyond the end of the disk. */
struct af_span ui_bar_view(const struct ui_picture *p, int cols);

/** The largest zoom that makes sense: one column a sector. */
int ui_bar_zoom_max(const struct ui_picture *p, int cols);

/** Zooms in by steps (out: negative), each by a factor of two, but that the first one from the whole disk may be up to
 * three. The selected edge stays in its column, unless it would have next to nothing on one side of it, or the disk ends
 * there. */
void ui_bar_zoom(struct ui_picture *p, int cols, int steps);

/** The column of byte at in a bar of cols columns that shows view: monotonous, first
 * byte in column 0. */
int ui_bar_column(struct af_span view, int cols, af_bytes at);

/** The columns that one thing takes in the bar, both included. */
struct ui_extent {
	int first, last;
};

/**
 * Finds columns for n spans (in order of place, not overlapping, each with bytes in view):
 * to scale, in the same order, at least one column each. No two share a column unless there
 * are more spans than columns; then equally many neighbours share.
 */
void ui_bar_map(struct af_span view, int cols, const struct af_span *span, size_t n,
		struct ui_extent *out);

/** The byte at the left edge of a column. */
af_bytes ui_bar_byte(struct af_span view, int cols, int col);

/**
 * Draws the disk to scale into r (4 rows or more): names, bodies (every partition at least
 * one cell, logicals inside the extended frame, free space, padding, EBRs when zoomed), and
 * a ruler with a mark on or off its boundary at every edge and ticks at a round multiple of
 * the check size that fits, numbered. p->from becomes what is shown.
 */
void ui_bar_draw(struct ui_picture *p, struct ui_canvas *c, struct ui_rect r);

/** The same without the ruler (2 rows or more). */
void ui_bar_draw_bodies(struct ui_picture *p, struct ui_canvas *c, struct ui_rect r);

/** The columns that ui_bar_draw() gives to each row in a bar of cols columns, into out[p->nrows]; of the extended partition
 * those of its frame; none (last before first) to what it does not show. */
void ui_bar_extents(const struct ui_picture *p, int cols, struct ui_extent *out);

/** What the bar shows in a column. */
struct ui_spot {
	size_t row;
	int edge;     /* the nearer one; the selected one where they share a column */
	bool on_edge; /* the column is that edge's own */
};

/** What ui_bar_draw() shows in column col (0 on the left) and line (0 on top) of its rectangle; of several that share
 *  the column the one behind the selected one. False if there is only padding or the table itself. */
bool ui_bar_hit(const struct ui_picture *p, struct ui_rect r, int line, int col,
		struct ui_spot *out);

/** Draws the table with its heading into r, scrolled so that the selected row is visible
 * (p->top is set). */
void ui_table_draw(struct ui_picture *p, struct ui_canvas *c, struct ui_rect r);

/** Draws both edges of the selected row sector by sector into r (4 rows or more), with
 * boundaries, EBR and padding, and one sentence: what is off, what it costs, what 'a'
 * would do. */
void ui_lens_draw(const struct ui_picture *p, struct ui_canvas *c, struct ui_rect r);

/** True of a disk without any table, not even one of another system. */
bool ui_picture_is_blank(const struct ui_picture *p);

/** "10G", "20971520" or bytes, as units say. Returns buf. */
const char *ui_picture_amount(const struct ui_picture *p, af_bytes n, char buf[AF_SHORT]);

/** How a status looks; its word and glyph say the same. */
enum ui_role ui_picture_status_role(enum af_status s);
#endif
