/*
 * ahead.c - most keys move the selection by a row, and drawing takes most of what passes between such a key and the
 * screen. So both frames that may come next are drawn while nobody waits, by carrying out the key on a copy of the editor:
 * it changes no more than numbers in there. Knows neither what a view draws nor the terminal.
 */
#include "ahead.h"

void ui_ahead_drop(struct ui_ahead *a)
{
	a->up.ready = a->down.ready = false;
}

/* True if the arrow keys select a row and do nothing else. */
static bool is_at_rest(const struct ui_app *app)
{
	return app->session && app->nlayers == 1 && !app->maybe_chooser && !app->work &&
	       !app->message[0] && !app->picture.preview && !app->grabbed &&
	       !app->wants_redraw && !app->wants_quit;
}

static void foresee(struct ui_foreseen *f, int key, const struct ui_app *app,
		    const struct ui_canvas *shape)
{
	if (f->canvas.rows != shape->rows || f->canvas.cols != shape->cols) {
		ui_canvas_release(&f->canvas);
		ui_canvas_init(&f->canvas, shape->rows, shape->cols, shape->ascii);
	}
	f->app = *app;
	ui_app_key(&f->app, key);
	ui_app_draw(&f->app, &f->canvas);
	f->ready = true;
}

void ui_ahead_make(struct ui_ahead *a, const struct ui_app *app,
		   const struct ui_canvas *shape)
{
	ui_ahead_drop(a);
	if (!is_at_rest(app))
		return;
	foresee(&a->down, UI_KEY_DOWN, app, shape);
	foresee(&a->up, UI_KEY_UP, app, shape);
}

static void swap(struct ui_canvas *a, struct ui_canvas *b)
{
	const struct ui_canvas kept = *a;
	*a = *b;
	*b = kept;
}

bool ui_ahead_take(struct ui_ahead *a, int key, struct ui_app *app, struct ui_canvas *c)
{
	const enum ui_action action = ui_action_of_key(key);
	struct ui_foreseen *f = action == UI_DO_DOWN ? &a->down : &a->up;
	const bool taken = (action == UI_DO_DOWN || action == UI_DO_UP) && f->ready;
	if (taken) {
		*app = f->app;
		swap(&f->canvas, c);
	}
	ui_ahead_drop(a);
	return taken;
}

void ui_ahead_release(struct ui_ahead *a)
{
	ui_canvas_release(&a->up.canvas);
	ui_canvas_release(&a->down.canvas);
}
