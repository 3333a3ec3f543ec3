/*
 * Draw, wait, act. Looking for disks and into partitions begins once the first frame is on the terminal, and is taken in as it
 * comes; no key waits for it.
 */
#include "loop.h"

#include <malloc.h>
#include <stdio.h>
#include <time.h>

#include "ahead.h"
#include "app.h"

#define KEYS_AT_ONCE 64

struct loop {
	struct ui_app app;
	struct ui_term *term;
	struct ui_canvas canvas;
	struct ui_ahead ahead;
	bool is_drawn; /* the canvas is what the editor shows now */
	bool ended;
	bool resting; /* facts were drawn a moment ago: more of them wait, so that many make few drawings */
};

#define REST_MS 30

static void fit_canvas(struct loop *l)
{
	int rows, cols;
	ui_term_size(l->term, &rows, &cols);
	if (rows == l->canvas.rows && cols == l->canvas.cols)
		return;
	ui_canvas_release(&l->canvas);
	ui_canvas_init(&l->canvas, rows, cols, ui_term_is_ascii(l->term));
	l->is_drawn = false;
}

static void draw(struct loop *l)
{
	fit_canvas(l);
	if (!l->is_drawn)
		ui_app_draw(&l->app, &l->canvas);
	l->is_drawn = false;
	ui_term_show(l->term, &l->canvas, l->app.wants_redraw);
	l->app.wants_redraw = false;
	if (l->app.wants_start)
		ui_app_start(&l->app);
}

/* What has come in while resting counts for this key. */
static void take_key(struct loop *l, int key)
{
	if (ui_app_facts(&l->app))
		ui_ahead_drop(&l->ahead);
	l->is_drawn = ui_ahead_take(&l->ahead, key, &l->app, &l->canvas);
	if (!l->is_drawn)
		ui_app_key(&l->app, key);
}

/* Draws ahead, unless somebody waits. */
static void foresee(struct loop *l)
{
	ui_ahead_drop(&l->ahead);
	if (!l->ended && !ui_term_has_key(l->term))
		ui_ahead_make(&l->ahead, &l->app, &l->canvas);
}

/* Waits for one thing and acts on it. */
static void step(struct loop *l)
{
	int key = UI_KEY_NONE;
	struct ui_mouse mouse;
	const int fd = l->resting ? -1 : ui_app_fd(&l->app);
	switch (ui_term_wait(l->term, fd, l->resting ? REST_MS : 0, &key, &mouse)) {
	case UI_EVENT_KEY:
		take_key(l, key);
		return;
	case UI_EVENT_MOUSE:
		ui_app_facts(&l->app);
		ui_app_mouse(&l->app, &l->canvas, &mouse);
		break;
	case UI_EVENT_RESIZE:
		l->app.wants_redraw = true;
		break;
	case UI_EVENT_FACTS:
		ui_app_facts(&l->app);
		l->resting = true;
		break;
	case UI_EVENT_TIME:
		l->resting = false;
		break;
	case UI_EVENT_END:
		l->ended = true;
		break;
	}
	l->is_drawn = false;
	ui_ahead_drop(&l->ahead);
}

/* What a frame takes and gives back stays with us: asking the kernel each time costs more than drawing. */
static void keep_memory(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

static bool is_over(const struct loop *l)
{
	return l->ended || l->app.wants_quit;
}

static time_t wall_clock(void)
{
	return time(NULL);
}

bool ui_loop_run(struct af_session *maybe_session, const struct af_session_options *options,
		 const struct ui_term_options *o, int *status, struct af_err *err)
{
	struct loop l = { .term = ui_term_start(o, err) };
	if (!l.term) {
		af_session_close(maybe_session);
		return false;
	}
	keep_memory();
	ui_app_init(&l.app, maybe_session, options);
	ui_app_start_clock(&l.app, wall_clock);
	l.app.draws_first = true;
	draw(&l);
	while (!is_over(&l)) {
		foresee(&l);
		step(&l);
		for (int i = 0; i < KEYS_AT_ONCE && !is_over(&l) && !l.app.work &&
				ui_term_has_key(l.term);
		     i++)
			step(&l);
		draw(&l);
		if (!l.app.work)
			continue;
		ui_app_work(&l.app);
		draw(&l);
	}
	ui_app_release(&l.app);
	ui_canvas_release(&l.canvas);
	ui_ahead_release(&l.ahead);
	ui_term_stop(l.term);
	if (l.app.farewell[0])
		printf("%s\n", l.app.farewell);
	*status = l.app.status;
	return true;
}
