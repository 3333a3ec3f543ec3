/*
 * The menu of the main screen. Items of one width are calmer to look at, so they stand close together only where there
 * are too many of them.
 */
#include "menu.h"

#include <string.h>

#include "disk.h"
#include "form.h"

#define MENU_ROWS (UI_FOOT_ROWS - 2)

struct spot {
	enum ui_action action;
	int row, col, cols; /* row: of the menu, from 0 on */
};

struct menu {
	struct spot item[UI_DO_COUNT];
	size_t n, current;
	int rows;  /* that the items take */
	int first; /* the one on top */
};

static bool is_item(const struct ui_app *app, enum ui_action a)
{
	return *ui_action_info(a)->menu && ui_disk_offers(app, a);
}

/* Puts the items in rows; how many rows they take. */
static int place(struct menu *m, int cols, bool close)
{
	int row = 0, col = 0;
	for (size_t i = 0; i < m->n; i++) {
		struct spot *s = &m->item[i];
		const char *label = ui_action_info(s->action)->menu;
		s->cols = close ? ui_canvas_width(label) + 2 : UI_ITEM_COLS;
		if (col > 0 && col + s->cols > cols) {
			row++;
			col = 0;
		}
		s->row = row;
		s->col = col;
		col += s->cols + 1;
	}
	return row + 1;
}

static void make(const struct ui_app *app, int cols, struct menu *m)
{
	const enum ui_action current = ui_menu_current(app);
	*m = (struct menu){ .n = 0 };
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++)
		if (is_item(app, a)) {
			m->current = a == current ? m->n : m->current;
			m->item[m->n++].action = a;
		}
	m->rows = place(m, cols, false);
	if (m->rows > MENU_ROWS)
		m->rows = place(m, cols, true);
	if (m->rows > MENU_ROWS && m->item[m->current].row >= MENU_ROWS)
		m->first = m->item[m->current].row - MENU_ROWS + 1;
}

enum ui_action ui_menu_current(const struct ui_app *app)
{
	if (app->menu < UI_DO_COUNT && is_item(app, app->menu))
		return app->menu;
	enum ui_action a = 0;
	while (!is_item(app, a)) /* Help is always there */
		a++;
	return a;
}

void ui_menu_step(struct ui_app *app, int step)
{
	int a = (int)ui_menu_current(app);
	do
		a = (a + step + UI_DO_COUNT) % UI_DO_COUNT;
	while (!is_item(app, (enum ui_action)a)); /* 0 to UI_DO_COUNT - 1 */
	app->menu = (enum ui_action)a;
}

static void draw_item(struct ui_canvas *c, int row, const struct spot *s, bool selected)
{
	const enum ui_role role = selected ? UI_ROLE_SELECTED : UI_ROLE_TEXT;
	const char *label = ui_action_info(s->action)->menu;
	const int indent = (s->cols - 2 - ui_canvas_width(label)) / 2;
	ui_canvas_fill(c, row, s->col, s->cols, role, " ");
	ui_canvas_text(c, row, s->col, 1, role, "[");
	ui_canvas_text(c, row, s->col + 1 + indent, s->cols - 2, role, label);
	ui_canvas_text(c, row, s->col + s->cols - 1, 1, role, "]");
}

void ui_menu_draw(const struct ui_app *app, struct ui_canvas *c)
{
	const int top = c->rows - UI_FOOT_ROWS + 1;
	struct menu m;
	make(app, c->cols - 1, &m); /* the last column is for the marks */
	for (size_t i = 0; i < m.n; i++) {
		const int row = m.item[i].row - m.first;
		if (row >= 0 && row < MENU_ROWS)
			draw_item(c, top + row, &m.item[i], i == m.current);
	}
	if (m.first > 0)
		ui_canvas_glyph(c, top, c->cols - 1, 1, UI_ROLE_HINT, UI_GLYPH_MORE_UP);
	if (m.first + MENU_ROWS < m.rows)
		ui_canvas_glyph(c, top + MENU_ROWS - 1, c->cols - 1, 1, UI_ROLE_HINT,
				UI_GLYPH_MORE_DOWN);
}

enum ui_action ui_menu_at(const struct ui_app *app, int row, int col)
{
	const int line = row - (app->rows - UI_FOOT_ROWS + 1);
	struct menu m;
	make(app, app->cols - 1, &m);
	for (size_t i = 0; line >= 0 && line < MENU_ROWS && i < m.n; i++) {
		const struct spot *s = &m.item[i];
		if (s->row - m.first == line && col >= s->col && col < s->col + s->cols)
			return s->action;
	}
	return UI_DO_COUNT;
}
