/*
 * The mouse on the main screen. A click selects what is there, and an item of the menu is done; the wheel goes through
 * the rows, and zooms over the bar; an edge that is dragged opens the form of Resize, which takes the rest.
 */
#include "point.h"

#include "disk.h"
#include "menu.h"
#include "sizing.h"

static struct ui_rect bar_place(const struct ui_app *app)
{
	return ui_disk_places(app).bar;
}

static bool is_inside(struct ui_rect r, const struct ui_mouse *m)
{
	return m->row >= r.row && m->row < r.row + r.rows && m->col >= r.col &&
	       m->col < r.col + r.cols;
}

bool ui_point_bar(const struct ui_app *app, const struct ui_mouse *m, struct ui_spot *out)
{
	const struct ui_rect r = bar_place(app);
	return is_inside(r, m) &&
	       ui_bar_hit(&app->picture, r, m->row - r.row, m->col - r.col, out);
}

void ui_point_hold(struct ui_app *app)
{
	app->picture.held = ui_bar_view(&app->picture, bar_place(app).cols);
}

/* The grain, doubled as long as a column of the bar has room for it. */
static struct af_grid grid_of(const struct ui_app *app, af_bytes column)
{
	struct af_grid grid = app->picture.disk.rules->grain;
	while (grid.step * 2 <= column)
		grid.step *= 2;
	return grid;
}

af_bytes ui_point_byte(const struct ui_app *app, const struct ui_mouse *m, int edge)
{
	const struct ui_rect r = bar_place(app);
	const struct af_span view = ui_bar_view(&app->picture, r.cols);
	int col = m->col - r.col + (edge ? 1 : 0);
	af_bytes line;
	col = col < 0 ? 0 : col > r.cols ? r.cols : col;
	const af_bytes at = ui_bar_byte(view, r.cols, col);
	const struct af_grid grid = grid_of(app, af_span_size(view) / r.cols);
	const struct af_span disk = { 0, app->picture.disk.layout->disk_size };
	return af_grid_nearest(grid, at, disk, &line) ? line : at;
}

/* --- the main screen ----------------------------------------------------------------------------------- */

static void press_bar(struct ui_app *app, const struct ui_mouse *m)
{
	struct ui_spot spot;
	if (!ui_point_bar(app, m, &spot))
		return;
	ui_point_hold(app); /* where the view would follow the selection */
	app->picture.selected = spot.row;
	app->picture.edge = spot.edge;
	app->grabbed = spot.on_edge && ui_app_part(app);
}

static bool press_table(struct ui_app *app, const struct ui_mouse *m, struct ui_rect r)
{
	const int line = m->row - r.row - 1; /* below the heading */
	const size_t row = app->picture.top + (size_t)line;
	if (line < 0 || row >= app->picture.nrows)
		return false;
	app->picture.selected = row;
	return true;
}

static bool press_menu(struct ui_app *app, const struct ui_mouse *m)
{
	const enum ui_action a = ui_menu_at(app, m->row, m->col);
	if (a == UI_DO_COUNT)
		return false;
	ui_disk_act(app, a);
	return true;
}

static bool press(struct ui_app *app, const struct ui_mouse *m)
{
	const struct ui_places p = ui_disk_places(app);
	app->grabbed = false;
	if (is_inside(p.table, m))
		return press_table(app, m, p.table);
	if (is_inside(p.bar, m))
		press_bar(app, m);
	else if (app->pane == UI_PANE_LENS &&
		 is_inside(p.lens, m)) /* the start on the left, the end on the right */
		app->picture.edge = m->col >= p.lens.col + p.lens.cols / 2;
	else
		return press_menu(app, m);
	return true;
}

static void drag(struct ui_app *app, const struct ui_mouse *m)
{
	if (!app->grabbed || af_span_size(app->picture.held) == 0)
		return;
	app->grabbed = false; /* by the form from now on */
	if (ui_disk_offers(app, UI_DO_RESIZE))
		ui_sizing_drag(app, app->picture.edge, m);
	else
		ui_disk_act(app, UI_DO_RESIZE); /* says why not */
}

bool ui_point_disk(struct ui_app *app, const struct ui_mouse *m)
{
	const bool in_bar = is_inside(bar_place(app), m);
	switch (m->kind) {
	case UI_MOUSE_PRESS:
		return press(app, m);
	case UI_MOUSE_DRAG:
		drag(app, m);
		return true;
	case UI_MOUSE_RELEASE:
		app->grabbed = false;
		return true;
	case UI_MOUSE_WHEEL_UP:
		ui_disk_act(app, in_bar ? UI_DO_ZOOM_IN : UI_DO_UP);
		return true;
	case UI_MOUSE_WHEEL_DOWN:
		ui_disk_act(app, in_bar ? UI_DO_ZOOM_OUT : UI_DO_DOWN);
		return true;
	}
	return false;
}
