/*
 * Questions that the foot of the screen asks. What they are about is the business of whoever asks; the answer
 * goes to a function after the question is closed, so that it may say something or ask the next one.
 */
#include "form.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

void ui_form_foot(struct ui_canvas *c, const char *hint)
{
	for (int i = 0; i < UI_FOOT_ROWS; i++)
		ui_canvas_fill(c, c->rows - UI_FOOT_ROWS + i, 0, c->cols, UI_ROLE_TEXT,
			       " ");
	ui_canvas_text(c, c->rows - 1, 0, c->cols, UI_ROLE_HINT, hint);
}

void ui_form_item(struct ui_canvas *c, int row, int col, const char *label, bool selected)
{
	const enum ui_role role = selected ? UI_ROLE_SELECTED : UI_ROLE_TEXT;
	const int inner = UI_ITEM_COLS - 2;
	const int indent = (inner - ui_canvas_width(label)) / 2;
	ui_canvas_fill(c, row, col, UI_ITEM_COLS, role, " ");
	ui_canvas_text(c, row, col, 1, role, "[");
	ui_canvas_text(c, row, col + 1 + (indent > 0 ? indent : 0), inner, role, label);
	ui_canvas_text(c, row, col + UI_ITEM_COLS - 1, 1, role, "]");
}

int ui_form_item_at(const struct ui_app *app, int row, int col)
{
	const int line = row - (app->rows - UI_FOOT_ROWS + 1),
		  per_row = (app->cols + 1) / (UI_ITEM_COLS + 1),
		  n = col / (UI_ITEM_COLS + 1);
	const bool inside = line >= 0 && line < UI_FOOT_ROWS - 2 && col >= 0 &&
			    n < per_row && col % (UI_ITEM_COLS + 1) < UI_ITEM_COLS;
	return inside ? line * per_row + n : -1;
}

static void free_state(struct ui_app *app, void *state)
{
	(void)app;
	free(state);
}

/* --- one of several ------------------------------------------------------------------------------------ */

struct choice_state {
	char question[240];
	struct ui_choice item[UI_CHOICES];
	size_t n, at;
	void (*done)(struct ui_app *app, int value);
};

static void draw_choice(struct ui_app *app, void *state, struct ui_canvas *c)
{
	const struct choice_state *s = state;
	const int row = c->rows - UI_FOOT_ROWS;
	(void)app;
	ui_form_foot(c, s->item[s->at].hint);
	ui_canvas_text(c, row, 0, c->cols, UI_ROLE_TITLE, s->question);
	ui_canvas_text(
		c, row + 2, 0, c->cols, UI_ROLE_DIM,
		"Enter or its letter: take it  Left Right: another  Esc: none of them");
	for (size_t i = 0; i < s->n; i++)
		ui_form_item(c, row + 1, (int)i * (UI_ITEM_COLS + 1), s->item[i].label,
			     i == s->at);
}

static int lower(int key)
{
	return key >= 'A' && key <= 'Z' ? key - 'A' + 'a' : key;
}

static void pick(struct ui_app *app, const struct choice_state *s, size_t i)
{
	void (*done)(struct ui_app *, int) = s->done;
	const int value = s->item[i].value;
	ui_app_pop(app);
	done(app, value);
}

static void key_choice(struct ui_app *app, void *state, int key)
{
	struct choice_state *s = state;
	if (key == UI_KEY_RIGHT || key == UI_KEY_TAB || key == UI_KEY_DOWN)
		s->at = (s->at + 1) % s->n;
	else if (key == UI_KEY_LEFT || key == UI_KEY_BACK_TAB || key == UI_KEY_UP)
		s->at = (s->at + s->n - 1) % s->n;
	else if (key == UI_KEY_ESCAPE || key == UI_KEY_CTRL('C'))
		ui_app_pop(app);
	else if (key == UI_KEY_ENTER)
		pick(app, s, s->at);
	else
		for (size_t i = 0; i < s->n; i++)
			if (lower(key) == lower(s->item[i].label[0])) {
				pick(app, s, i);
				return;
			}
}

static bool mouse_choice(struct ui_app *app, void *state, const struct ui_mouse *m)
{
	const struct choice_state *s = state;
	const int i = ui_form_item_at(app, m->row, m->col);
	if (m->kind != UI_MOUSE_PRESS || i < 0 || (size_t)i >= s->n)
		return false;
	pick(app, s, (size_t)i);
	return true;
}

static const struct ui_view choice_view = { .name = "choice",
					    .draw = draw_choice,
					    .key = key_choice,
					    .mouse = mouse_choice,
					    .close = free_state };

void ui_form_choice(struct ui_app *app, const char *question, const struct ui_choice *item,
		    size_t n, void (*done)(struct ui_app *app, int value))
{
	struct choice_state *s = af_alloc(1, sizeof(*s));
	assert(n > 0 && n <= UI_CHOICES);
	snprintf(s->question, sizeof(s->question), "%s", question);
	memcpy(s->item, item, n * sizeof(*item));
	s->n = n;
	s->done = done;
	ui_app_push(app, &choice_view, s);
}

/* --- a line of text ------------------------------------------------------------------------------------ */

struct line_state {
	char question[120];
	const char *hint;
	struct ui_input input;
	void (*done)(struct ui_app *app, const char *text);
};

static void draw_line(struct ui_app *app, void *state, struct ui_canvas *c)
{
	const struct line_state *s = state;
	const int row = c->rows - UI_FOOT_ROWS;
	(void)app;
	ui_form_foot(c, s->hint);
	const int used =
		ui_canvas_text(c, row, 0, c->cols - 12, UI_ROLE_TITLE, s->question) + 1;
	ui_input_draw(&s->input, c, (struct ui_rect){ row, used, 1, c->cols - used }, true);
}

static bool is_vertical(int key)
{
	return key == UI_KEY_UP || key == UI_KEY_DOWN || key == UI_KEY_PAGE_UP ||
	       key == UI_KEY_PAGE_DOWN;
}

static void key_line(struct ui_app *app, void *state, int key)
{
	struct line_state *s = state;
	bool changed;
	if (key == UI_KEY_ESCAPE || key == UI_KEY_CTRL('C')) {
		ui_app_pop(app);
	} else if (key == UI_KEY_ENTER) {
		char text[sizeof(s->input.text)];
		void (*done)(struct ui_app *, const char *) = s->done;
		memcpy(text, s->input.text, sizeof(text));
		ui_app_pop(app);
		done(app, text);
	} else if (is_vertical(key) && app->nlayers > 1) {
		const struct ui_layer *behind = &app->layer[app->nlayers - 2];
		behind->view->key(app, behind->state, key);
	} else {
		ui_input_key(&s->input, key, &changed);
	}
}

static const struct ui_view line_view = {
	.name = "line", .draw = draw_line, .key = key_line, .close = free_state
};

void ui_form_line(struct ui_app *app, const struct ui_line_form *form)
{
	struct line_state *s = af_alloc(1, sizeof(*s));
	snprintf(s->question, sizeof(s->question), "%s", form->question);
	s->hint = form->hint;
	s->done = form->done;
	ui_input_set(&s->input, form->initial);
	ui_app_push(app, &line_view, s);
}
