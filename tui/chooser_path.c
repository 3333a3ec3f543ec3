/*
 * The path of an image as it is typed in the chooser: Tab asks for what can follow, and the answer comes when it comes, since a
 * folder may be slow, too. An answer to what has been changed since is dropped.
 */
#include "chooser_priv.h"
#include "form.h"

#include <stdio.h>
#include <string.h>

#define BOX_ROWS 12 /* at the most, with the frame */

void ui_chooser_type(struct ui_chooser *s, const char *text)
{
	s->typing = true;
	s->names.n = 0;
	s->typed[0] = '\0';
	ui_input_set(&s->input, text);
	s->input.fresh = false;
}

void ui_chooser_go_on(struct ui_app *app, struct ui_chooser *s,
		      const struct af_completion *names)
{
	if (!s->typing || strcmp(s->typed, s->input.text) != 0)
		return;
	s->typed[0] = '\0';
	s->names = *names;
	if (names->why[0]) {
		ui_app_say(app, UI_ROLE_WARN, "%s", names->why);
	} else if (names->n == 0) {
		ui_app_say(app, UI_ROLE_WARN,
			   names->untyped > 0
				   ? "only names that are no valid text follow: rename "
				     "them, or name the file on the command line"
				   : "no folder, file or disk begins with that");
	} else if (strlen(names->text) >= sizeof(s->input.text)) {
		ui_app_say(app, UI_ROLE_WARN, "the path is too long to go on with");
	} else {
		ui_input_set(&s->input, names->text);
		s->input.fresh = false;
	}
}

static void complete(struct ui_chooser *s)
{
	snprintf(s->typed, sizeof(s->typed), "%s", s->input.text);
	af_disks_complete(s->disks, s->input.text);
}

void ui_chooser_path_key(struct ui_app *app, struct ui_chooser *s, int key)
{
	bool changed = false;
	if (key == UI_KEY_TAB) {
		complete(s);
	} else if (key == UI_KEY_ENTER && s->input.text[0]) {
		ui_chooser_try(s, s->input.text);
	} else if (key == UI_KEY_ENTER || key == UI_KEY_ESCAPE || key == UI_KEY_CTRL('C')) {
		if (!ui_chooser_give_up(app, s))
			s->typing = false;
	} else {
		ui_input_key(&s->input, key, &changed);
	}
	if (changed)
		s->names.n = 0;
}

/* --- drawing ------------------------------------------------------------------------------------------- */

/* The width of a column of names: of the longest, and two columns between. */
static int column_width(const struct af_completion *names, int most)
{
	const char *name = names->names;
	int width = 1;
	for (uint32_t i = 0; i < names->listed; i++) {
		const int own = ui_canvas_width(name);
		width = own > width ? own : width;
		name += strlen(name) + 1;
	}
	return width + 2 < most ? width + 2 : most;
}

/* What can follow, down the columns as a shell has it; the last row says how many do not fit. */
static void draw_names(const struct af_completion *names, struct ui_canvas *c)
{
	const int inner = c->cols - 4, width = column_width(names, inner),
		  across = inner / width;
	int rows = ((int)names->listed + across - 1) / across; /* listed < 4096 */
	if (rows > BOX_ROWS - 2)
		rows = BOX_ROWS - 2;
	const struct ui_rect box = { c->rows - UI_FOOT_ROWS - rows - 2, 0, rows + 2,
				     c->cols };
	char title[80];
	const uint32_t room = (uint32_t)(rows * across), /* small, positive */
		shown = names->listed < room ? names->listed : room;
	if (shown < names->n)
		snprintf(title, sizeof(title), "the first %u of %u", shown, names->n);
	else
		snprintf(title, sizeof(title), "%u can follow", names->n);
	ui_canvas_box(c, box, UI_ROLE_TEXT, title);
	const char *name = names->names;
	for (int i = 0; i < (int)shown; i++) {
		ui_canvas_text(c, box.row + 1 + i % rows, 2 + i / rows * width, width - 2,
			       UI_ROLE_TEXT, name);
		name += strlen(name) + 1;
	}
}

void ui_chooser_path_draw(const struct ui_chooser *s, struct ui_canvas *c)
{
	const int row = c->rows - UI_FOOT_ROWS;
	ui_form_foot(c, "Enter: open  Tab: complete  Ctrl-U: empty  Esc: back to the list");
	ui_canvas_text(c, row, 0, c->cols, UI_ROLE_TITLE,
		       "The path of a disk image or a disk (~ is your home):");
	ui_input_draw(&s->input, c, (struct ui_rect){ row + 1, 0, 1, c->cols }, true);
	if (s->opening[0])
		ui_canvas_printf(c, row + 2, 0, c->cols, UI_ROLE_DIM,
				 "opening %s ... (Esc: give up)", s->opening);
	else if (s->typed[0])
		ui_canvas_text(c, row + 2, 0, c->cols, UI_ROLE_DIM,
			       "looking for what can follow ...");
	if (s->names.n > 1)
		draw_names(&s->names, c);
}
