/*
 * The choice of a whole layout. The one that is selected is tried as the very command that Enter will carry out: bar and
 * table show what it makes, or the reason is shown why it cannot be had here.
 */
#include "offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form.h"

struct offers {
	struct af_command cmd;  /* of the selected one */
	struct af_layout shown; /* what it makes, if it can be had */
	size_t at, n;
	bool holds;
	char note[sizeof(((struct af_offer_plan *)0)->note)];
	struct ui_row row; /* selected before, and its edge */
	int edge;
};

static void show_table(struct ui_app *app, const struct offers *s)
{
	ui_app_refresh(app, 0);
	ui_picture_select(&app->picture, &s->row);
}

static void show_outcome(struct ui_app *app, const struct offers *s, uint32_t id)
{
	app->picture.disk = af_session_disk_of(app->session, &s->shown);
	app->picture.preview = true;
	app->picture.edge = 0;
	ui_picture_rows(&app->picture, id);
}

/* Makes the i-th layout the selected one; true if it can be had. */
static bool try_offer(struct ui_app *app, struct offers *s, size_t i)
{
	struct af_layout next;
	struct af_offer_plan plan;
	struct af_err err = { 0 };
	uint32_t id = 0;
	s->at = i;
	snprintf(s->cmd.text, sizeof(s->cmd.text), "%s", af_offer_at(i)->name);
	show_table(app, s); /* before what is shown now goes */
	s->holds = af_session_preview(app->session, &s->cmd, &next, &id, &err);
	if (!s->holds) {
		s->note[0] = '\0';
		ui_app_say(app, UI_ROLE_BAD, "%s", err.text);
		return false;
	}
	const bool noted = af_session_offer(app->session, &s->cmd, &plan, &err);
	snprintf(s->note, sizeof(s->note), "%s", noted ? plan.note : "");
	app->message[0] = '\0';
	af_layout_release(&s->shown);
	s->shown = next;
	show_outcome(app, s, id);
	return true;
}

static void take(struct ui_app *app, const struct offers *s)
{
	const struct af_command cmd = s->cmd;
	char note[sizeof(s->note)];
	memcpy(note, s->note, sizeof(note));
	if (!s->holds) {
		try_offer(app, app->layer[app->nlayers - 1].state, s->at);
		return; /* the reason again */
	}
	ui_app_pop(app);
	app->menu = UI_DO_COUNT;
	if (ui_app_do(app, &cmd) && note[0] != '\0')
		ui_app_say(app, UI_ROLE_GOOD, "done: plan %s (Ctrl-Z takes it back); %s",
			   cmd.text, note);
}

static int lower(int key)
{
	return key >= 'A' && key <= 'Z' ? key - 'A' + 'a' : key;
}

static void letter_key(struct ui_app *app, struct offers *s, int pressed)
{
	for (size_t i = 0; i < s->n; i++)
		if (lower(pressed) == lower(af_offer_at(i)->label[0])) {
			try_offer(app, s, i);
			return;
		}
	if (!s->holds)
		try_offer(app, s, s->at);
}

static void key(struct ui_app *app, void *state, int pressed)
{
	struct offers *s = state;
	if (pressed == UI_KEY_ESCAPE || pressed == UI_KEY_CTRL('C'))
		ui_app_pop(app);
	else if (pressed == UI_KEY_ENTER)
		take(app, s);
	else if (pressed == UI_KEY_RIGHT || pressed == UI_KEY_TAB || pressed == UI_KEY_DOWN)
		try_offer(app, s, (s->at + 1) % s->n);
	else if (pressed == UI_KEY_LEFT || pressed == UI_KEY_BACK_TAB ||
		 pressed == UI_KEY_UP)
		try_offer(app, s, (s->at + s->n - 1) % s->n);
	else
		letter_key(app, s, pressed);
}

/* The first press shows it, one more takes it. */
static bool mouse(struct ui_app *app, void *state, const struct ui_mouse *m)
{
	struct offers *s = state;
	const int i = ui_form_item_at(app, m->row, m->col);
	if (m->kind != UI_MOUSE_PRESS || i < 0 || (size_t)i >= s->n)
		return false;
	if ((size_t)i == s->at)
		take(app, s);
	else
		try_offer(app, s, (size_t)i);
	return true;
}

/* Under the items where it fits there; else above the title, over the sentence of the lens. */
static void draw_note(const struct offers *s, struct ui_canvas *c)
{
	struct ui_rect r = { c->rows - UI_FOOT_ROWS + 2, 0, 0, c->cols };
	r.rows = ui_canvas_wrap(c, r, UI_ROLE_WARN, s->note);
	if (r.rows > 1)
		r.row = c->rows - UI_FOOT_ROWS - r.rows;
	for (int i = r.row; i < r.row + r.rows; i++)
		ui_canvas_fill(c, i, 0, c->cols, UI_ROLE_TEXT, " ");
	ui_canvas_wrap(c, r, UI_ROLE_WARN, s->note);
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	const struct offers *s = state;
	const int row = c->rows - UI_FOOT_ROWS;
	(void)app;
	ui_form_foot(c,
		     "Enter: take it  Left Right or a letter: another  Esc: none of them");
	ui_canvas_text(c, row, 0, c->cols, UI_ROLE_TITLE, af_offer_at(s->at)->title);
	for (size_t i = 0; i < s->n; i++)
		ui_form_item(c, row + 1, (int)i * (UI_ITEM_COLS + 1), af_offer_at(i)->label,
			     i == s->at);
	draw_note(s, c);
}

static void close(struct ui_app *app, void *state)
{
	struct offers *s = state;
	show_table(app, s);
	app->picture.edge = s->edge;
	af_layout_release(&s->shown);
	free(s);
}

/* A Windows that was found meanwhile is not made once more. */
static void try_again(struct ui_app *app, void *state)
{
	struct offers *s = state;
	try_offer(app, s, s->at);
}

static const struct ui_view offers_view = { .name = "offers",
					    .draw = draw,
					    .key = key,
					    .facts = try_again,
					    .mouse = mouse,
					    .close = close };

/* The first that can be had and is for this kind of table; else the first that can be had, else the first. */
static void try_best(struct ui_app *app, struct offers *s)
{
	const enum af_scheme scheme = app->picture.disk.layout->scheme;
	for (int any = 0; any < 2; any++)
		for (size_t i = 0; i < s->n; i++) {
			const enum af_scheme is_for = af_offer_at(i)->scheme;
			bool right = is_for == scheme || is_for == AF_SCHEME_NONE;
			if ((any || right) && try_offer(app, s, i))
				return;
		}
	try_offer(app, s, 0);
}

void ui_offers_open(struct ui_app *app)
{
	struct offers *s = af_alloc(1, sizeof(*s));
	const struct ui_row *row = ui_app_row(app);
	s->cmd.verb = AF_VERB_PLAN;
	while (af_offer_at(s->n))
		s->n++;
	if (row) {
		s->row = *row;
		s->cmd.want.has_start = row->is_free;
		s->cmd.want.start = (struct af_amount){ .kind = AF_AMOUNT_BYTES,
							.value = row->span.start };
	}
	s->edge = app->picture.edge;
	ui_app_push(app, &offers_view, s);
	try_best(app, s);
}
