/** editor_bench.h - the editor over a small disk, without a terminal, for tests. */
#ifndef TESTS_EDITOR_BENCH_H
#define TESTS_EDITOR_BENCH_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "disk.h"
#include "disks.h"
#include "folder.h"
#include "form.h"
#include "scroll.h"

/* An editor in a window. */
struct bench {
	struct af_session *session;
	struct ui_app app;
	struct ui_canvas canvas;
};

static char place[4096];

/* Nobody has looked into the partitions yet. */
static inline void begin_unknown(struct bench *b, const char *words,
				 const struct af_session_options *o)
{
	struct af_err err = { 0 };
	disk_make("disk.img", words);
	b->session = af_session_open("disk.img", o, &err);
	if (!b->session)
		fail_msg("%s", err.text);
	ui_app_init(&b->app, b->session, o);
	ui_canvas_init(&b->canvas, 24, 80, false);
	ui_app_draw(&b->app, &b->canvas);
}

static inline void begin_with(struct bench *b, const char *words,
			      const struct af_session_options *o)
{
	begin_unknown(b, words, o);
	af_session_probe(b->session, 0);
	ui_app_draw(&b->app, &b->canvas);
}

static inline void begin(struct bench *b, const char *words)
{
	const struct af_session_options o = { 0 };
	begin_with(b, words, &o);
}

static inline void end(struct bench *b)
{
	ui_app_release(&b->app);
	ui_canvas_release(&b->canvas);
	unlink("disk.img");
}

static inline void press_key(struct bench *b, int key)
{
	ui_app_key(&b->app, key);
	ui_app_draw(&b->app, &b->canvas);
}

/* Presses keys by name; what names no key is typed. */
static inline void press(struct bench *b, const char *keys)
{
	while (*keys) {
		const int key = ui_key_parse(keys);
		const size_t n = strcspn(keys, " ");
		if (key != UI_KEY_NONE)
			press_key(b, key);
		for (size_t i = 0; key == UI_KEY_NONE && i < n; i++)
			press_key(b, (unsigned char)keys[i]);
		keys += n;
		keys += strspn(keys, " ");
	}
}

static inline bool is_shown(const struct bench *b, const char *text)
{
	struct af_text t = { 0 };
	ui_canvas_dump(&b->canvas, &t);
	const bool found = strstr(af_text_get(&t), text) != NULL;
	af_text_release(&t);
	return found;
}

static inline const char *front(const struct bench *b)
{
	return b->app.layer[b->app.nlayers - 1].view->name;
}

/* Removes the backup that the message names. */
static inline void unlink_backup(struct bench *b)
{
	char *backup = strstr(b->app.message, "--restore ");
	assert_non_null(backup);
	backup += strlen("--restore ");
	backup[strcspn(backup, " ")] = '\0';
	assert_int_equal(unlink(backup), 0);
}

/* One primary of 100 MiB on 1 GiB, free space behind it. */
#define SMALL "2097152 512 dos 0x10bd10bc p1=2048+204800,83"

static inline int enter_place(void **state)
{
	const char *tmp = getenv("TMPDIR");
	(void)state;
	snprintf(place, sizeof(place), "%s/forms.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(place) || chdir(place) != 0)
		return -1;
	return setenv("XDG_STATE_HOME", place, 1);
}

static inline int leave_place(void **state)
{
	(void)state;
	return chdir("/") == 0 ? folder_remove(place) : -1;
}
#endif
