/** term.h - the terminal: keys in, cells out. The one room that knows curses. */
#ifndef UI_TERM_H
#define UI_TERM_H
#include "afdisk/err.h"
#include "canvas.h"
#include "mouse.h"

struct ui_term;

struct ui_term_options {
	bool ascii;   /* even if the locale has UTF-8 */
	bool colours; /* where the terminal has them */
};

/** What ended a wait. */
enum ui_event {
	UI_EVENT_KEY,
	UI_EVENT_MOUSE,
	UI_EVENT_RESIZE,
	UI_EVENT_FACTS, /* the other descriptor is readable */
	UI_EVENT_TIME,  /* nothing happened for as long as was asked */
	UI_EVENT_END,   /* SIGTERM, SIGHUP, SIGINT, or the terminal is gone */
};

/** Takes over the terminal and sets the locale of characters. NULL with err (AF_E_USAGE) if stdin and stdout are
 *  no terminal, or TERM is unknown or cannot place the cursor. */
struct ui_term *ui_term_start(const struct ui_term_options *o, struct af_err *err);

/** Gives the terminal back as it was. NULL is fine. If a signal ended the program, it is passed on and ends it now. */
void ui_term_stop(struct ui_term *t);

/** True if only ASCII can be shown. */
bool ui_term_is_ascii(const struct ui_term *t);

/** The size of the window, each at least 1. */
void ui_term_size(const struct ui_term *t, int *rows, int *cols);

/** Shows a canvas of that size: only cells that differ from the last one are sent, unless all is set. */
void ui_term_show(struct ui_term *t, const struct ui_canvas *c, bool all);

/** Waits for the person, for maybe_fd (-1: none), for the end, or for wait_ms (under 1000; 0: for ever). *key is
 *  filled for UI_EVENT_KEY, *mouse for UI_EVENT_MOUSE. */
enum ui_event ui_term_wait(struct ui_term *t, int maybe_fd, int wait_ms, int *key,
			   struct ui_mouse *mouse);

/** True if a key is there already, so that drawing can wait for it. */
bool ui_term_has_key(struct ui_term *t);
#endif
