/** messages.h - everything that was said, with the time, and the page that shows it. */
#ifndef UI_MESSAGES_H
#define UI_MESSAGES_H
#include "canvas.h"
#include <time.h>

struct ui_app;

/** A message; several times in a row it is there once. Owns text. */
struct ui_message {
	time_t when; /* the last time; 0: there was no clock */
	unsigned times;
	enum ui_role role;
	char *text;
};

#define UI_MESSAGES 500 /* the oldest ones go */

/** All zeros is none. Owns item[]. */
struct ui_messages {
	struct ui_message *item;
	size_t n, room;
	time_t (*clock)(void); /* NULL: there is none */
};

/** The time by its clock; 0 without one. */
time_t ui_messages_now(const struct ui_messages *m);

/** Keeps a message that was said at that time. */
void ui_messages_add(struct ui_messages *m, time_t when, enum ui_role role,
		     const char *text);

/** Frees all of them. */
void ui_messages_release(struct ui_messages *m);

/** Shows them, the last ones first to be seen. */
void ui_messages_open(struct ui_app *app);
#endif
