/*
 * The memory of the message line, which shows one at a time and only until the next key: all of them in order and whole,
 * with the time. Nothing is computed before somebody asks.
 */
#include "messages.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "scroll.h"

#define TIME_COLS 10

time_t ui_messages_now(const struct ui_messages *m)
{
	return m->clock ? m->clock() : 0;
}

static void forget_first(struct ui_messages *m)
{
	assert(m->item);
	free(m->item[0].text);
	m->n--;
	memmove(m->item, m->item + 1, m->n * sizeof(*m->item));
}

void ui_messages_add(struct ui_messages *m, time_t when, enum ui_role role,
		     const char *text)
{
	struct ui_message *last = m->n > 0 ? &m->item[m->n - 1] : NULL;
	if (last && last->role == role && strcmp(last->text, text) == 0) {
		last->times++;
		last->when = when;
		return;
	}
	if (m->n == UI_MESSAGES)
		forget_first(m);
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 16;
		m->item = af_realloc(m->item, m->room, sizeof(*m->item));
	}
	assert(m->item);
	m->item[m->n++] = (struct ui_message){
		.when = when, .times = 1, .role = role, .text = af_strdup(text)
	};
}

void ui_messages_release(struct ui_messages *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->item[i].text);
	free(m->item);
	*m = (struct ui_messages){ 0 };
}

/* --- the page ------------------------------------------------------------------------------------------ */

static void time_text(time_t when, char *buf, size_t size)
{
	struct tm tm;
	if (when == 0 || !localtime_r(&when, &tm) ||
	    strftime(buf, size, "%H:%M:%S", &tm) == 0)
		snprintf(buf, size, "--:--:--");
}

/* One message into c from a row on, or nothing with c NULL; the rows that it takes. */
static int put_message(const struct ui_message *it, struct ui_canvas *c, int row)
{
	char when[TIME_COLS], *text = it->text;
	struct af_text more = { 0 };
	if (it->times > 1) {
		af_text_add(&more, "%s (%u times)", it->text, it->times);
		text = more.data;
	}
	time_text(it->when, when, sizeof(when));
	ui_canvas_text(c, row, 0, TIME_COLS, UI_ROLE_DIM, when);
	const int rows = ui_canvas_wrap(
		c, (struct ui_rect){ row, TIME_COLS, c->rows, c->cols - TIME_COLS - 2 },
		it->role, text);
	af_text_release(&more);
	return rows;
}

static int count_rows(const struct ui_messages *m, int cols)
{
	const int width = cols - TIME_COLS - 2;
	int rows = 1;
	for (size_t i = 0; i < m->n; i++)
		rows += 2 + (int)strlen(m->item[i].text) * 2 / width; /* a few hundred */
	return rows;
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	const struct ui_messages *m = &app->messages;
	struct ui_scroll *s = state;
	struct ui_canvas text;
	int rows = 0;
	ui_canvas_init(&text, count_rows(m, c->cols), c->cols, c->ascii);
	for (size_t i = 0; i < m->n; i++)
		rows += put_message(&m->item[i], &text, rows);
	if (m->n == 0)
		ui_canvas_text(&text, rows++, 0, c->cols, UI_ROLE_DIM,
			       "nothing was said so far");
	ui_canvas_text(c, 0, 0, c->cols, UI_ROLE_TITLE, "Messages so far");
	ui_scroll_draw(s, c, (struct ui_rect){ 1, 0, c->rows - 2, c->cols }, &text, rows);
	ui_canvas_text(c, c->rows - 1, 0, c->cols, UI_ROLE_HINT,
		       "Up Down PgUp PgDn Home End: scroll  Esc q: back");
	ui_canvas_release(&text);
}

static void key(struct ui_app *app, void *state, int pressed)
{
	if (ui_scroll_key(state, pressed))
		return;
	if (pressed == UI_KEY_ESCAPE || pressed == 'q' || pressed == 'M' ||
	    pressed == UI_KEY_ENTER || pressed == UI_KEY_CTRL('C'))
		ui_app_pop(app);
}

static void close(struct ui_app *app, void *state)
{
	(void)app;
	free(state);
}

static const struct ui_view messages_view = { .name = "messages",
					      .whole = true,
					      .notch = 3,
					      .draw = draw,
					      .key = key,
					      .close = close };

void ui_messages_open(struct ui_app *app)
{
	struct ui_scroll *s = af_alloc(1, sizeof(*s));
	s->top = UI_MESSAGES * 100; /* at the end, which drawing finds */
	ui_app_push(app, &messages_view, s);
}
