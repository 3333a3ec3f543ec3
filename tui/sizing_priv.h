/** sizing_priv.h - what the files of the form behind New and Resize share. */
#ifndef UI_SIZING_PRIV_H
#define UI_SIZING_PRIV_H
#include "input.h"
#include "sizing.h"

/* What is typed into. The size and the end are two ways to say where the end is. */
enum ui_field { SIZE, START, END, FIELDS };

#define KINDS 3

struct ui_sizing {
	struct af_command base; /* without the fields */
	struct af_command good; /* the last one that held */
	struct ui_input field[FIELDS];
	enum ui_field active;
	bool typed; /* into the active field, by characters; else arrows move its edge */
	bool touched[2]; /* an edge (0 the start, 1 the end), by something that held */
	bool exact;      /* edges are taken to the sector, on the grain or not */
	bool rounded;    /* sectors were typed, and the grain has no line there */
	bool table_only; /* good leaves data behind */
	bool passes;     /* the person said that it may */
	struct af_layout
		shown; /* what the picture draws: the outcome of good, or the table as it is */
	uint32_t id; /* the partition in shown */
	bool holds;  /* the fields as they are make a command that holds */
	char why[sizeof(((struct af_err *)0)->text)]; /* "" or what was refused */
	enum af_code code;                            /* of that */
	af_bytes region;                              /* what "a sixteenth" is of */
	enum af_want_role
		kind[KINDS]; /* of a new partition: those that are possible here */
	size_t nkinds;
	struct ui_row row; /* selected before, and its edge */
	int edge;
};

/** 0 if the field says where the start is, 1 if it says where the end is. */
int ui_sizing_edge(enum ui_field field);

/** Fields that nobody types into say what the partition that is shown has. */
void ui_sizing_follow(const struct ui_app *app, struct ui_sizing *s);

/** Tries what the fields say: true if it holds, and then it is what is drawn; else why and code say why not. */
bool ui_sizing_try(struct ui_app *app, struct ui_sizing *s);

/** True if what was typed and holds names a sector, and the edge lies on another one, on the grain. */
bool ui_sizing_rounds(const struct ui_app *app, const struct ui_sizing *s);

/** Draws what is shown, that is: the outcome of the command that held last. */
void ui_sizing_show(struct ui_app *app, struct ui_sizing *s);

/** The partition in what is shown, or NULL. Borrowed until the next try. */
const struct af_part *ui_sizing_part(const struct ui_sizing *s);

/** What the partition holds, in a few words; NULL if nobody has looked yet, or it is new. Borrowed. */
const char *ui_sizing_content(const struct ui_app *app, const struct ui_sizing *s);

/** True if data keeps the edges from what was asked for last, and they may be let past it. */
bool ui_sizing_is_stopped(const struct ui_app *app, const struct ui_sizing *s);

/** Moves the active edge by distance (bytes) in that direction, 1 or -1, to a line of the grid; by less if that does not
 *  hold, and if nothing does why says so. */
void ui_sizing_move(struct ui_app *app, struct ui_sizing *s, struct af_grid grid,
		    af_bytes distance, int direction);

/** Moves the active edge in that direction as far as it goes on the grain. */
void ui_sizing_move_far(struct ui_app *app, struct ui_sizing *s, int direction);
#endif
