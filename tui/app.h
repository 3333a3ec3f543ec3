/** app.h - the editor without a terminal: keys in, a canvas out. */
#ifndef UI_APP_H
#define UI_APP_H
#include "afdisk/session.h"
#include "canvas.h"
#include "keys.h"
#include "messages.h"
#include "mouse.h"
#include "picture.h"

struct ui_app;

/** A screen or a question. Functions get the state that it was pushed with. */
struct ui_view {
	const char *name;
	bool whole; /* covers the screen: what lies below need not be drawn */
	int notch;  /* rows that a notch of the wheel moves; 0 is one */
	void (*draw)(struct ui_app *app, void *state, struct ui_canvas *c);
	void (*key)(struct ui_app *app, void *state, int key);
	void (*facts)(struct ui_app *app,
		      void *state); /* NULL, or: more is known about the contents */
	/* NULL, or: takes what the mouse did; false leaves it to the line of hints, and the wheel to Up and Down. */
	bool (*mouse)(struct ui_app *app, void *state, const struct ui_mouse *m);
	void (*close)(struct ui_app *app, void *state); /* NULL, or: frees the state */
};

struct ui_layer {
	const struct ui_view *view;
	void *state;
};

#define UI_MIN_ROWS  24
#define UI_MIN_COLS  80
#define UI_FOOT_ROWS 4 /* message, two rows of menu, hint: where questions are asked, too */
#define UI_LAYERS    6

/** What is shown between table and menu. */
enum ui_pane {
	UI_PANE_LENS,
	UI_PANE_FACTS, /* all that is known of the selected row */
	UI_PANE_NONE,  /* more rows of the table */
};

struct ui_chooser;

/** The editor. Owns the session, the picture's rows and the states of the layers. */
struct ui_app {
	struct af_session *session; /* NULL: no disk is open, and one is being chosen */
	struct af_session_options options; /* for disks that are opened from here */
	struct ui_chooser *maybe_chooser;  /* while it is among the layers, which own it */
	struct ui_picture picture;
	struct ui_layer layer[UI_LAYERS]; /* the last of nlayers is in front */
	size_t nlayers;
	char message[640]; /* "" or what happened last; the next key clears it */
	int status; /* of the program: 3 after a write that failed once it had begun */
	char farewell[640]; /* "" or what the last write said, for after the editor */
	enum ui_role message_role;
	time_t message_time;         /* by the clock of messages */
	struct ui_messages messages; /* those before it */
	size_t larger; /* file systems that were said to be larger than their partitions */
	enum ui_pane pane;
	struct af_text warned; /* the warnings that were there after the last edit */
	enum ui_action menu;   /* the selected item */
	int rows, cols;        /* of the last canvas drawn */
	bool grabbed;          /* an edge of the selected row, by the mouse */
	void (*work)(struct ui_app *); /* NULL, or: to be done once the message is drawn */
	time_t looking_since; /* when the first of the facts that still come in came; 0: none come */
	size_t looked_before; /* partitions that were known then */
	bool draws_first;     /* whoever owns the editor draws before ui_app_work() */
	bool wants_quit;
	bool wants_start; /* something is to begin behind the screen once the frame is shown: ui_app_start() */
	bool wants_redraw; /* the terminal's contents may be lost; whoever draws clears it */
};

/** Begins with the main view over an open disk, which it takes; a disk without a table gets the question for one. Without a
 *  session it begins with the chooser. What it opens later it opens with options. */
void ui_app_init(struct ui_app *app, struct af_session *maybe_session,
		 const struct af_session_options *options);

/** Messages have a time from now on, by that clock, and what takes long has an end. */
void ui_app_start_clock(struct ui_app *app, time_t (*clock)(void));

/** Closes all views and the disk. */
void ui_app_release(struct ui_app *app);

/** Goes over to another open disk, which it takes: as ui_app_init() begins. All views and the disk that was open are closed, with
 *  whatever was changed there. */
void ui_app_open(struct ui_app *app, struct af_session *session);

/** Begins what waits for the frame: looking for disks, or into partitions. */
void ui_app_start(struct ui_app *app);

/** A descriptor that becomes readable when there is something for ui_app_facts(); -1 if nothing is being looked for. */
int ui_app_fd(const struct ui_app *app);

/** True if a disk is open and its table was changed but not written. */
bool ui_app_modified(const struct ui_app *app);

/** Carries out one key. */
void ui_app_key(struct ui_app *app, int key);

/** Carries out what the mouse did on the canvas drawn last. */
void ui_app_mouse(struct ui_app *app, const struct ui_canvas *seen,
		  const struct ui_mouse *m);

/** If word is yes, says that the disk is written and does it: as soon as that is drawn, where draws_first is set. Says
 *  that nothing was written otherwise. */
void ui_app_write(struct ui_app *app, const char *word, void (*work)(struct ui_app *app));

/** Does what waits to be done; nothing if nothing does. */
void ui_app_work(struct ui_app *app);

/** Takes in what was found inside the partitions since, or of the disks while one is chosen; true if something may have
 *  changed by it. */
bool ui_app_facts(struct ui_app *app);

/** Partitions whose contents are known. */
size_t ui_app_known(const struct ui_app *app);

/** Draws everything on a canvas of any size. */
void ui_app_draw(struct ui_app *app, struct ui_canvas *c);

/** Puts a view in front; its close is called when it goes. */
void ui_app_push(struct ui_app *app, const struct ui_view *view, void *state);

/** Closes the view in front. The state that its functions got is gone afterwards. */
void ui_app_pop(struct ui_app *app);

/** Takes table and contents from the session again; the row of partition keep_id stays selected. */
void ui_app_refresh(struct ui_app *app, uint32_t keep_id);

/** Says something in the message line. */
void ui_app_say(struct ui_app *app, enum ui_role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** Carries out a command and says so, or why not; true if it changed something. */
bool ui_app_do(struct ui_app *app, const struct af_command *cmd);

/** The selected row, or NULL if there is none. Borrowed until the next change. */
const struct ui_row *ui_app_row(const struct ui_app *app);

/** The selected partition, or NULL. Borrowed until the next change. */
const struct af_part *ui_app_part(const struct ui_app *app);

/** The last path component and number: "sda5". Returns buf. */
const char *ui_app_part_name(const struct ui_app *app, uint32_t number, char *buf,
			     size_t size);
#endif
