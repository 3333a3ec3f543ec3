/*
 * The help page: the list of actions by group, then how sizes are written and what the words and marks mean.
 */
#include "help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scroll.h"

#define HELP_ROWS (UI_DO_COUNT * 2 + 100)
#define KEYS_COLS 20

static const char *const about_table[] = {
	"A size is 10G or 1.5T (powers of 1024: K M G T P), 10GB (powers of 1000), "
	"2048s or a bare number "
	"(sectors), 25% of the region, or max. In a resize, +10G and -10G change "
	"what is there.",
	"A click selects a row, or what is in the bar, and does what the menu or a "
	"hint says. An edge in the bar can be dragged: Enter does it, Esc does not. "
	"The wheel over the bar zooms. With Shift the terminal selects text.",
	"Nothing is written before the review and the word yes. A write first saves the "
	"sectors that it changes in a file, and says afterwards how to put them "
	"back.",
	"New edges are put on the grain, mostly 1 MiB. An edge counts as aligned on the "
	"check size: the physical sector of the drive, but never less than 4 KiB.",
};

static const struct {
	enum ui_glyph glyph;
	enum ui_role role;
	const char *meaning;
} mark_table[] = {
	{ UI_GLYPH_ON, UI_ROLE_GOOD, "an edge on its boundary" },
	{ UI_GLYPH_OFF, UI_ROLE_BAD, "an edge off its boundary" },
	{ UI_GLYPH_TICK, UI_ROLE_DIM, "in the ruler: a round place between the edges" },
	{ UI_GLYPH_FILL, UI_ROLE_PART,
	  "a partition; its first cell in the bar may be the letter of what is inside, in "
	  "the "
	  "lens a neighbour is drawn as its number" },
	{ UI_GLYPH_FREE, UI_ROLE_FREE, "free space" },
	{ UI_GLYPH_PADDING, UI_ROLE_PADDING,
	  "padding: too small for a partition, or left so that the next edge is aligned" },
	{ UI_GLYPH_EBR, UI_ROLE_EXTENDED,
	  "the table itself: MBR, GPT, and the EBR in front of each logical" },
};

static int draw_marks(struct ui_canvas *c, int row)
{
	ui_canvas_text(c, row++, 1, c->cols, UI_ROLE_TITLE,
		       "Marks in the bar and the lens");
	for (size_t i = 0; i < sizeof(mark_table) / sizeof(mark_table[0]); i++) {
		ui_canvas_glyph(c, row, 3, 1, mark_table[i].role, mark_table[i].glyph);
		row += ui_canvas_wrap(
			c, (struct ui_rect){ row, KEYS_COLS, 2, c->cols - KEYS_COLS - 2 },
			UI_ROLE_TEXT, mark_table[i].meaning);
	}
	return row;
}

/* What the letters in the bar and in the table stand for. */
static int draw_letters(struct ui_canvas *c, int row)
{
	const struct ui_look *look;
	ui_canvas_text(c, row++, 1, c->cols, UI_ROLE_TITLE,
		       "Letters in the bar and the table: what is inside");
	for (size_t i = 0; (look = ui_look_row(i)) != NULL; i++, row++) {
		ui_canvas_text(c, row, 3, 1, look->role, look->letter);
		ui_canvas_text(c, row, KEYS_COLS, c->cols - KEYS_COLS - 2, UI_ROLE_TEXT,
			       look->for_people);
	}
	return row;
}

static int draw_about(struct ui_canvas *c, int row)
{
	for (size_t i = 0; i < sizeof(about_table) / sizeof(about_table[0]); i++)
		row += 1 + ui_canvas_wrap(c, (struct ui_rect){ row, 1, 8, c->cols - 3 },
					  UI_ROLE_TEXT, about_table[i]);
	return row;
}

static int draw_status(struct ui_canvas *c, int row, const char *word, const char *meaning)
{
	ui_canvas_text(c, row, 3, KEYS_COLS, UI_ROLE_KEY, word);
	return row + ui_canvas_wrap(
			     c,
			     (struct ui_rect){ row, KEYS_COLS, 8, c->cols - KEYS_COLS - 2 },
			     UI_ROLE_TEXT, meaning);
}

static int draw_statuses(struct ui_canvas *c, int row)
{
	ui_canvas_text(c, row++, 1, c->cols, UI_ROLE_TITLE, "Status of a partition");
	for (int i = 0; i < AF_STATUSES; i++)
		row = draw_status(
			c, row, af_status_name((enum af_status)i),
			af_status_meaning((enum af_status)i)); /* one of the list */
	return draw_status(c, row, "beyond the end",
			   "ends beyond the disk: it is to be deleted or made smaller");
}

/* The names of keys; the column behind them. */
static int draw_keys(struct ui_canvas *c, int row, const char *keys)
{
	int col = 3;
	while (*keys) {
		char name[20];
		const size_t n = strcspn(keys, " ");
		snprintf(name, sizeof(name), "%.*s", (int)n, keys); /* names are short */
		col += ui_canvas_text(c, row, col, c->cols, UI_ROLE_KEY, name);
		keys += n + strspn(keys + n, " ");
		if (*keys)
			col += ui_canvas_text(c, row, col, 2, UI_ROLE_TEXT, ", ");
	}
	return col;
}

/* A row of the list, below the heading of its group where that is new. */
static int draw_row(struct ui_canvas *c, int row, const struct ui_view_keys *k,
		    const char *group)
{
	if (strcmp(k->where, group) != 0)
		ui_canvas_text(c, ++row, 1, c->cols, UI_ROLE_TITLE, k->where);
	row += strcmp(k->where, group) != 0;
	row += draw_keys(c, row, k->keys) >=
	       KEYS_COLS; /* long names have a row of their own */
	return row + ui_canvas_wrap(
			     c,
			     (struct ui_rect){ row, KEYS_COLS, 2, c->cols - KEYS_COLS - 2 },
			     UI_ROLE_TEXT, k->help);
}

static int draw_all_keys(struct ui_canvas *c)
{
	const char *group = "";
	int row = -1;
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++) {
		const struct ui_action_info *info = ui_action_info(a);
		const struct ui_view_keys k = { info->group, info->keys, info->help };
		row = draw_row(c, row, &k, group);
		group = k.where;
	}
	for (size_t i = 0; ui_view_keys(i); i++) {
		row = draw_row(c, row, ui_view_keys(i), group);
		group = ui_view_keys(i)->where;
	}
	return row + 1;
}

static int draw_all(struct ui_canvas *c)
{
	int row = draw_all_keys(c);
	row = draw_about(c, row);
	row = draw_statuses(c, row);
	row = draw_marks(c, row + 1);
	return draw_letters(c, row + 1);
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	struct ui_scroll *s = state;
	struct ui_canvas text;
	(void)app;
	ui_canvas_init(&text, HELP_ROWS, c->cols, c->ascii);
	const int rows = draw_all(&text);
	ui_canvas_text(c, 0, 0, c->cols, UI_ROLE_TITLE, "Help");
	ui_scroll_draw(s, c, (struct ui_rect){ 1, 0, c->rows - 2, c->cols }, &text, rows);
	ui_canvas_text(c, c->rows - 1, 0, c->cols, UI_ROLE_HINT,
		       "Up Down PgUp PgDn: scroll; any other key: back");
	ui_canvas_release(&text);
}

static void key(struct ui_app *app, void *state, int pressed)
{
	if (!ui_scroll_key(state, pressed))
		ui_app_pop(app);
}

static void close(struct ui_app *app, void *state)
{
	(void)app;
	free(state);
}

static const struct ui_view help_view = {
	.name = "help", .whole = true, .notch = 3, .draw = draw, .key = key, .close = close
};

void ui_help_open(struct ui_app *app)
{
	ui_app_push(app, &help_view, af_alloc(1, sizeof(struct ui_scroll)));
}
