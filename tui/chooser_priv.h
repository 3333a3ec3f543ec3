/** chooser_priv.h - what the files of the chooser share. */
#ifndef UI_CHOOSER_PRIV_H
#define UI_CHOOSER_PRIV_H
#include "chooser.h"
#include "input.h"

enum ui_chooser_item {
	UI_CHOOSER_OPEN,
	UI_CHOOSER_PATH,
	UI_CHOOSER_REFRESH,
	UI_CHOOSER_BACK,
	UI_CHOOSER_HELP,
	UI_CHOOSER_QUIT,
	UI_CHOOSER_ITEMS
};

#define UI_CHOOSER_TOP 3 /* the first row of the list, below title, note and headings */

/** The state of the view. */
struct ui_chooser {
	struct af_disks *disks;
	const struct af_disk_facts *disk; /* borrowed */
	size_t n, selected, top;
	size_t page; /* rows of the list when last drawn */
	enum ui_chooser_item menu;
	char trouble[300]; /* why there is no list; "" if there is one */
	char opening[256]; /* the path that is being tried; "" if none is */
	char asked[256];   /* the path that a question is about */
	char chosen[256];  /* the path of the selected row */
	bool is_started;   /* the disks were listed once */
	bool typing;       /* a path */
	struct ui_input input;
	char typed[256];            /* what a completion was asked for; "" if none is */
	struct af_completion names; /* n > 1: what can follow */
};

/** Draws all of it. */
void ui_chooser_draw(const struct ui_app *app, struct ui_chooser *s, struct ui_canvas *c);

/** The selected disk, or NULL if there are none. Borrowed. */
const struct af_disk_facts *ui_chooser_selected(const struct ui_chooser *s);

/** True if the item makes sense now. */
bool ui_chooser_offers(const struct ui_app *app, const struct ui_chooser *s,
		       enum ui_chooser_item item);

/** The item shown as selected: the one chosen last if it makes sense, else Path. */
enum ui_chooser_item ui_chooser_item(const struct ui_app *app, const struct ui_chooser *s);

/** Begins to type a path, beginning with text. */
void ui_chooser_type(struct ui_chooser *s, const char *text);

/** A key for the path. */
void ui_chooser_path_key(struct ui_app *app, struct ui_chooser *s, int key);

/** How the path can go on has come in. */
void ui_chooser_go_on(struct ui_app *app, struct ui_chooser *s,
		      const struct af_completion *names);

/** Draws the path over the foot of the screen, and what can follow above it. */
void ui_chooser_path_draw(const struct ui_chooser *s, struct ui_canvas *c);

/** Begins to open the disk or image at path. */
void ui_chooser_try(struct ui_chooser *s, const char *path);

/** The path that was tried is such a disk: opens it, asks whether to, or says why not. The chooser may be gone afterwards. */
void ui_chooser_tried(struct ui_app *app, const struct af_disk_facts *disk);

/** Gives up opening one; false if none was being opened. */
bool ui_chooser_give_up(struct ui_app *app, struct ui_chooser *s);
#endif
