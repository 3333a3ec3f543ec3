/** canvas.h - a screen as a grid of cells: what every view draws on. No terminal in here. */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H
#include "afdisk/text.h"
#include <stdbool.h>

/** What a cell means; theme.c turns it into colour and attributes. No meaning is carried by colour alone. */
enum ui_role {
	UI_ROLE_TEXT,
	UI_ROLE_TITLE,
	UI_ROLE_DIM,
	UI_ROLE_SELECTED, /* the row or item under the cursor */
	UI_ROLE_FREE,
	UI_ROLE_PADDING,
	UI_ROLE_EXTENDED,
	UI_ROLE_PART, /* a partition in which nothing is known or recognised */
	UI_ROLE_PART_SELECTED,
	UI_ROLE_FS_EXT, /* others by what is inside; look.c has a letter for each kind, too */
	UI_ROLE_FS_FAT,
	UI_ROLE_FS_NTFS,
	UI_ROLE_FS_SWAP,
	UI_ROLE_FS_UNIX,   /* further file systems of Unix systems */
	UI_ROLE_FS_CRYPT,  /* encrypted */
	UI_ROLE_FS_VOLUME, /* a part of volumes or arrays, or a table of its own */
	UI_ROLE_FS_OTHER,
	UI_ROLE_GOOD, /* on the boundary */
	UI_ROLE_WARN,
	UI_ROLE_BAD, /* off the boundary */
	UI_ROLE_KEY, /* a key's name in the menu and the hints */
	UI_ROLE_HINT,
	UI_ROLE_FIELD, /* where something is typed */
	UI_ROLE_COUNT
};

/** One column of one row. A wide character fills its cell and leaves the next one with width 0. */
struct ui_cell {
	char text
		[12]; /* one UTF-8 character with its marks, NUL-terminated; " " when empty */
	unsigned char width; /* 1, 2, or 0 for the right half of a wide one */
	unsigned char role;  /* enum ui_role */
};

/** A rectangle of cells. */
struct ui_rect {
	int row, col, rows, cols;
};

/** Owns cell[]. All drawing clips at the edges. */
struct ui_canvas {
	int rows, cols;
	bool ascii; /* glyphs and text are reduced to ASCII */
	struct ui_cell *cell;
};

/** Lines, blocks and marks; each has a UTF-8 and an ASCII form of one column (theme.c). */
enum ui_glyph {
	UI_GLYPH_HORIZONTAL,
	UI_GLYPH_VERTICAL,
	UI_GLYPH_TOP_LEFT,
	UI_GLYPH_TOP_RIGHT,
	UI_GLYPH_BOTTOM_LEFT,
	UI_GLYPH_BOTTOM_RIGHT,
	UI_GLYPH_TEE_DOWN,
	UI_GLYPH_TEE_UP,
	UI_GLYPH_TREE_TEE,
	UI_GLYPH_TREE_END, /* branch of the tree of logicals: one column, the view adds the rest */
	UI_GLYPH_ON,      /* an edge on its boundary */
	UI_GLYPH_OFF,     /* an edge off its boundary */
	UI_GLYPH_TICK,    /* a boundary between edges */
	UI_GLYPH_FILL,    /* the body of a partition in the bar */
	UI_GLYPH_FREE,    /* free space in the bar */
	UI_GLYPH_PADDING, /* padding in the bar */
	UI_GLYPH_EBR,
	UI_GLYPH_CURSOR, /* before the selected row */
	UI_GLYPH_MORE_UP,
	UI_GLYPH_MORE_DOWN,
	UI_GLYPH_COUNT
};

/** An empty canvas of that size (each at least 1). */
void ui_canvas_init(struct ui_canvas *c, int rows, int cols, bool ascii);

/** Frees cell[]; c is all zeros. */
void ui_canvas_release(struct ui_canvas *c);

/** Every cell becomes a space in UI_ROLE_TEXT. */
void ui_canvas_clear(struct ui_canvas *c);

/** Writes UTF-8 text from (row, col) on, at most max_cols columns; cut at a character. Control and invalid
 *  bytes become '?', and in ASCII mode every other character too. Returns the columns used. */
int ui_canvas_text(struct ui_canvas *c, int row, int col, int max_cols, enum ui_role role,
		   const char *text);

/** The same, formatted. */
int ui_canvas_printf(struct ui_canvas *c, int row, int col, int max_cols, enum ui_role role,
		     const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/** Writes text into r, broken at spaces. Returns the rows that the whole text takes in r.cols columns; rows beyond
 *  r.rows are not drawn, so that r.rows 0 only measures. */
int ui_canvas_wrap(struct ui_canvas *c, struct ui_rect r, enum ui_role role,
		   const char *text);

/** count copies of a glyph in one row. */
void ui_canvas_glyph(struct ui_canvas *c, int row, int col, int count, enum ui_role role,
		     enum ui_glyph g);

/** count copies of the character text in one row. */
void ui_canvas_fill(struct ui_canvas *c, int row, int col, int count, enum ui_role role,
		    const char *text);

/** Gives count cells of one row another role, text untouched. */
void ui_canvas_role(struct ui_canvas *c, int row, int col, int count, enum ui_role role);

/** A frame along the inner edge of r, cleared inside, with a title (may be NULL) in its top line. */
void ui_canvas_box(struct ui_canvas *c, struct ui_rect r, enum ui_role role,
		   const char *maybe_title);

/** Copies rows of from, beginning with row first, into r of c; both are of the same width. */
void ui_canvas_copy(struct ui_canvas *c, struct ui_rect r, const struct ui_canvas *from,
		    int first);

/** Columns that UTF-8 text takes, by the rules of ui_canvas_text(). */
int ui_canvas_width(const char *text);

/** Appends the canvas as lines of UTF-8 without trailing spaces: golden screens. */
void ui_canvas_dump(const struct ui_canvas *c, struct af_text *out);

/** Appends the roles as lines, one letter a cell ('.' for TEXT): golden screens that must not lose a meaning. */
void ui_canvas_dump_roles(const struct ui_canvas *c, struct af_text *out);

/** The glyph's UTF-8 or ASCII form. Borrowed. */
const char *ui_glyph_text(enum ui_glyph g, bool ascii);
#endif
