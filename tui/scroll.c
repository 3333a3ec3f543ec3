/*
 * Windows into long texts. The text is a canvas of its own, drawn as if the screen had no end.
 */
#include "scroll.h"

#include "keys.h"

static void clamp(struct ui_scroll *s)
{
	if (s->top > s->rows - s->page)
		s->top = s->rows - s->page;
	if (s->top < 0)
		s->top = 0;
}

bool ui_scroll_key(struct ui_scroll *s, int key)
{
	if (key == UI_KEY_UP || key == 'k')
		s->top--;
	else if (key == UI_KEY_DOWN || key == 'j')
		s->top++;
	else if (key == UI_KEY_PAGE_UP)
		s->top -= s->page - 1;
	else if (key == UI_KEY_PAGE_DOWN || key == ' ')
		s->top += s->page - 1;
	else if (key == UI_KEY_HOME)
		s->top = 0;
	else if (key == UI_KEY_END)
		s->top = s->rows;
	else
		return false;
	clamp(s);
	return true;
}

void ui_scroll_draw(struct ui_scroll *s, struct ui_canvas *c, struct ui_rect r,
		    const struct ui_canvas *text, int rows)
{
	s->rows = rows;
	s->page = r.rows;
	clamp(s);
	const int left = rows - s->top;
	ui_canvas_copy(
		c, (struct ui_rect){ r.row, r.col, left < r.rows ? left : r.rows, r.cols },
		text, s->top);
	if (s->top > 0)
		ui_canvas_glyph(c, r.row, r.col + r.cols - 1, 1, UI_ROLE_KEY,
				UI_GLYPH_MORE_UP);
	if (left > r.rows)
		ui_canvas_glyph(c, r.row + r.rows - 1, r.col + r.cols - 1, 1, UI_ROLE_KEY,
				UI_GLYPH_MORE_DOWN);
}
