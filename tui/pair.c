/*
 * The table on disk and the one to be as two bars. Between them every partition that changes has its mark under what it was
 * and over what it will be. Marks are found once for each width.
 */
#include "pair.h"

#include <stdlib.h>
#include <string.h>

static void make_picture(struct ui_picture *p, const struct af_disk *d,
			 const struct af_layout *l)
{
	*p = (struct ui_picture){ .disk = *d };
	p->disk.layout = l;
	ui_picture_rows(p, 0);
	p->selected = SIZE_MAX; /* nothing */
}

void ui_pair_make(struct ui_pair *pair, const struct af_disk *now,
		  const struct af_layout *base, const struct af_plan *plan)
{
	*pair = (struct ui_pair){ .plan = plan };
	make_picture(&pair->before, now, base);
	make_picture(&pair->after, now, now->layout);
}

const char *ui_pair_mark(const struct af_change *change)
{
	switch (change->kind) {
	case AF_CHANGE_KEPT:
		return " ";
	case AF_CHANGE_REMOVED:
		return "-";
	case AF_CHANGE_ADDED:
		return "+";
	case AF_CHANGE_MOVED:
		return change->after.span.start > change->before.span.start ? ">" : "<";
	case AF_CHANGE_RESIZED:
	case AF_CHANGE_RETAGGED:
		return "~";
	}
	return " ";
}

/* The columns of a partition in one of the bars; none (last before first) if it is not there. */
static struct ui_extent extent_of(const struct ui_picture *p, const struct ui_extent *at,
				  bool there, uint32_t id)
{
	for (size_t i = 0; there && i < p->nrows; i++)
		if (p->row[i].id == id)
			return at[i];
	return (struct ui_extent){ 0, -1 };
}

/* Over columns that are shared the changes of several are one. */
static void put(char *cell, char mark)
{
	if (*cell == ' ')
		*cell = mark;
	else if (*cell != mark)
		*cell = '~';
}

/* A frame has marks at its ends only: what is inside has its own. */
static void mark_extent(char *marks, struct ui_extent at, char mark, bool frame)
{
	for (int col = at.first; mark != ' ' && col <= at.last; col++)
		if (!frame || ((col == at.first || col == at.last) && marks[col] == ' '))
			put(&marks[col], mark);
}

static void find_marks(struct ui_pair *pair, int cols)
{
	struct ui_extent *was = af_alloc(pair->before.nrows + 1, sizeof(*was));
	struct ui_extent *is = af_alloc(pair->after.nrows + 1, sizeof(*is));
	const struct af_plan *plan = pair->plan;
	ui_bar_extents(&pair->before, cols, was);
	ui_bar_extents(&pair->after, cols, is);
	for (int i = 0; i < 2; i++) {
		pair->marks[i] = af_realloc(pair->marks[i], (size_t)cols, 1);
		memset(pair->marks[i], ' ', (size_t)cols);
	}
	pair->cols = cols;
	for (size_t i = 0; i < plan->nchanges; i++) {
		const struct af_change *c = &plan->change[i];
		const char mark = *ui_pair_mark(c);
		mark_extent(pair->marks[0],
			    extent_of(&pair->before, was, c->kind != AF_CHANGE_ADDED,
				      c->before.id),
			    mark, c->before.role == AF_ROLE_EXTENDED);
		mark_extent(pair->marks[1],
			    extent_of(&pair->after, is, c->kind != AF_CHANGE_REMOVED,
				      c->after.id),
			    mark, c->after.role == AF_ROLE_EXTENDED);
	}
	free(was);
	free(is);
}

enum ui_role ui_pair_role(const char *mark)
{
	return *mark == '+' ? UI_ROLE_GOOD : *mark == '-' ? UI_ROLE_BAD : UI_ROLE_WARN;
}

static void draw_marks(const struct ui_pair *pair, int which, struct ui_canvas *c, int row)
{
	for (int col = 0; col < c->cols; col++) {
		const char text[] = { pair->marks[which][col], '\0' };
		if (text[0] != ' ')
			ui_canvas_text(c, row, col, 1, ui_pair_role(text), text);
	}
}

int ui_pair_draw(struct ui_pair *pair, struct ui_canvas *c, int row, int bodies)
{
	const int first = row, legend = (int)strlen(UI_PAIR_LEGEND); /* ASCII, and short */
	if (pair->cols != c->cols)
		find_marks(pair, c->cols);
	ui_canvas_text(c, row, 0, c->cols, UI_ROLE_TITLE, "On disk, and below it to be");
	ui_canvas_text(c, row++, c->cols - legend, legend, UI_ROLE_DIM, UI_PAIR_LEGEND);
	ui_bar_draw_bodies(&pair->before, c,
			   (struct ui_rect){ row, 0, bodies + 1, c->cols });
	row += bodies + 1;
	draw_marks(pair, 0, c, row++);
	draw_marks(pair, 1, c, row++);
	ui_bar_draw(&pair->after, c, (struct ui_rect){ row, 0, bodies + 3, c->cols });
	return row + bodies + 3 - first;
}

void ui_pair_release(struct ui_pair *pair)
{
	ui_picture_release(&pair->before);
	ui_picture_release(&pair->after);
	free(pair->marks[0]);
	free(pair->marks[1]);
	*pair = (struct ui_pair){ 0 };
}
