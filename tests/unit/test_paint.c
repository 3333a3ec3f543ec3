/*
 * What ui_paint() sends, drawn by a terminal that is not ours (libvterm): after any row of canvases the screen is the last
 * canvas, characters and roles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen.h"
#include "paint.h"
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <vterm.h>
#include <wchar.h>

#define ROWS 8
#define COLS 30

/* Role i is colour i of the palette. */
static void make_styles(struct ui_paint *p)
{
	for (int i = 0; i < UI_ROLE_COUNT; i++)
		(void)snprintf(p->style[i], UI_STYLE_MAX, "\033[0;38;5;%dm", i + 16);
}

/* As a real terminal's: a colour, for every third role more than that, for every fifth what is seen on spaces, too. */
static void make_lean_styles(struct ui_paint *p)
{
	p->column = p->erases = true;
	for (int i = 0; i < UI_ROLE_COUNT; i++) {
		const char *more = i % 5 == 4 ? "7;" : i % 3 == 2 ? "1;" : "";
		(void)snprintf(p->style[i], UI_STYLE_MAX, "\033[;%s38;5;%dm", more, i + 16);
		(void)snprintf(p->bare[i], UI_STYLE_MAX, "\033[%s38;5;%dm", more, i + 16);
		p->blank[i] = i % 5 != 4;
		p->colour[i] = !more[0];
	}
	(void)snprintf(p->style[UI_ROLE_TEXT], UI_STYLE_MAX, "\033[m");
	p->bare[UI_ROLE_TEXT][0] = '\0';
	p->colour[UI_ROLE_TEXT] = false;
}

static const char *place_by_hand(int row, int col)
{
	static char move[32];
	(void)snprintf(move, sizeof(move), "\033[%dd\033[%dG", row + 1, col + 1);
	return move;
}

static void cell_text(const VTermScreenCell *cell, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++) {
		char one[MB_LEN_MAX + 1] = "";
		mbstate_t state;
		memset(&state, 0, sizeof(state));
		size_t n = wcrtomb(one, (wchar_t)cell->chars[i], &state);
		assert_true(n < size - used);
		memcpy(text + used, one, n);
		used += n;
		text[used] = '\0';
	}
	if (!used)
		(void)snprintf(text, size, " ");
}

/* The style of a lean role; that of a space is told only where it is seen. */
static void check_lean(const VTermScreenCell *shown, const struct ui_cell *cell)
{
	const int role = cell->role;
	assert_int_equal(shown->attrs.reverse, role % 5 == 4);
	if (strcmp(cell->text, " ") == 0 && role % 5 != 4)
		return;
	assert_int_equal(shown->attrs.bold,
			 role != UI_ROLE_TEXT && role % 5 != 4 && role % 3 == 2);
	assert_int_equal(VTERM_COLOR_IS_DEFAULT_FG(&shown->fg) != 0, role == UI_ROLE_TEXT);
	if (role != UI_ROLE_TEXT)
		assert_int_equal(shown->fg.indexed.idx, role + 16);
}

static void check_screen(VTerm *vt, const struct ui_canvas *c, bool lean)
{
	for (int row = 0; row < ROWS; row++)
		for (int col = 0; col < COLS; col++) {
			const struct ui_cell *cell = &c->cell[row * COLS + col];
			VTermScreenCell shown;
			char text[64];
			VTermPos pos = { .row = row, .col = col };
			if (cell->width == 0)
				continue;
			assert_true(vterm_screen_get_cell(vterm_obtain_screen(vt), pos,
							  &shown));
			cell_text(&shown, text, sizeof(text));
			assert_string_equal(text, cell->text);
			assert_int_equal(shown.width, cell->width);
			if (lean)
				check_lean(&shown, cell);
			else if (cell->role != UI_ROLE_TEXT)
				assert_int_equal(shown.fg.indexed.idx, cell->role + 16);
		}
}

static const char *const word_table[] = {
	"afdisk",
	"x",
	"  ",
	"misaligned +7",
	"\xe6\xbc\xa2\xe5\xad\x97",
	"na\xc3\xafve",
	"e\xcc\x81t\xc3\xa9",
	"\xe2\x96\x88\xe2\x96\x88\xe2\x94\x82",
	"20971520",
	"\xed\x95\x9c",
};

static void scribble(struct gen *g, struct ui_canvas *c)
{
	for (uint64_t n = gen_below(g, 30); n > 0; n--) {
		int row = (int)gen_below(g, ROWS), col = (int)gen_below(g, COLS);
		enum ui_role role = (enum ui_role)gen_below(g, UI_ROLE_COUNT);
		const char *word =
			word_table[gen_below(g, sizeof(word_table) / sizeof(*word_table))];
		switch (gen_below(g, 4)) {
		case 0:
			ui_canvas_role(c, row, col, (int)gen_below(g, COLS), role);
			break;
		case 1:
			ui_canvas_glyph(c, row, col, (int)gen_below(g, 9), role,
					(enum ui_glyph)gen_below(g, UI_GLYPH_COUNT));
			break;
		default:
			(void)ui_canvas_text(c, row, col, COLS, role, word);
			break;
		}
	}
	if (gen_below(g, 9) == 0)
		ui_canvas_clear(c);
}

static void paint_many(bool ecma, bool lean)
{
	struct gen g = { .state = 5 };
	struct ui_paint p = { .ecma = ecma, .place = place_by_hand };
	struct ui_canvas last, now;
	struct af_text out = { 0 };
	VTerm *vt = vterm_new(ROWS, COLS);
	if (lean)
		make_lean_styles(&p);
	else
		make_styles(&p);
	vterm_set_utf8(vt, 1);
	vterm_screen_reset(vterm_obtain_screen(vt), 1);
	ui_canvas_init(&last, ROWS, COLS, false);
	ui_canvas_init(&now, ROWS, COLS, false);
	for (int i = 0; i < 400; i++) {
		scribble(&g, &now);
		af_text_clear(&out);
		ui_paint(&p, i ? &last : NULL, &now, &out);
		(void)vterm_input_write(vt, af_text_get(&out), out.len);
		check_screen(vt, &now, lean);
		memcpy(last.cell, now.cell, sizeof(*now.cell) * ROWS * COLS);
	}
	ui_canvas_release(&last);
	ui_canvas_release(&now);
	af_text_release(&out);
	vterm_free(vt);
}

static void test_paint__the_terminal_shows_the_canvas(void **state)
{
	(void)state;
	paint_many(true, false);
}

static void test_paint__a_terminal_with_another_way_to_place_shows_it_too(void **state)
{
	(void)state;
	paint_many(false, false);
}

static void test_paint__few_bytes_show_the_canvas_too(void **state)
{
	(void)state;
	paint_many(true, true);
	paint_many(false, true);
}

/* No style is switched for a space, none taken off that the next one replaces, and moves are short. */
static void test_paint__few_bytes_are_few(void **state)
{
	(void)state;
	struct ui_paint p = { .ecma = true };
	struct ui_canvas last, now;
	struct af_text out = { 0 };
	make_lean_styles(&p);
	ui_canvas_init(&last, ROWS, COLS, false);
	ui_canvas_init(&now, ROWS, COLS, false);
	(void)ui_canvas_text(&now, 2, 3, COLS, 1, "ab");
	(void)ui_canvas_text(&now, 2, 6, COLS, 3, "c");
	(void)ui_canvas_text(&now, 2, 17, COLS, 3, "d");
	(void)ui_canvas_text(&now, 3, 0, COLS, 3, "e");
	(void)ui_canvas_text(&now, 4, 0, 1, 1, " ");
	ui_canvas_fill(&last, 5, 0, 20, 4, "z");
	(void)ui_canvas_text(&now, 5, 0, COLS, 4, "zz");
	ui_paint(&p, &last, &now, &out);
	assert_string_equal(af_text_get(&out),
			    "\033[3;4H\033[;38;5;17mab "
			    "\033[38;5;19mc\033[18Gd\033[4;1He\033[6;3H\033[K\033[m");
	ui_canvas_release(&last);
	ui_canvas_release(&now);
	af_text_release(&out);
}

static void test_paint__styles_are_merged(void **state)
{
	static const char *const case_table[][2] = {
		{ "\033[m\033[1m\033[36m", "\033[;1;36m" },
		{ "\033[0m\033[38;5;170m", "\033[0;38;5;170m" },
		{ "\033[m", "\033[m" },
		{ "", "" },
		{ "\033[m\017\033[1m", "\033[m\017\033[1m" },
		{ "\033", "\033" },
		{ "\033[1", "\033[1" },
		{ "\033[4mx", "\033[4mx" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(case_table) / sizeof(case_table[0]); i++) {
		char style[UI_STYLE_MAX];
		(void)snprintf(style, sizeof(style), "%s", case_table[i][0]);
		ui_paint_merge(style);
		assert_string_equal(style, case_table[i][1]);
	}
}

static void test_paint__nothing_changed_sends_nothing(void **state)
{
	(void)state;
	struct ui_paint p = { .ecma = true };
	struct ui_canvas c;
	struct af_text out = { 0 };
	make_styles(&p);
	ui_canvas_init(&c, ROWS, COLS, false);
	ui_paint(&p, NULL, &c, &out);
	assert_string_equal(af_text_get(&out), "");
	(void)ui_canvas_text(&c, 1, 1, COLS, UI_ROLE_BAD, "x");
	ui_paint(&p, &c, &c, &out);
	assert_string_equal(af_text_get(&out), "");
	ui_canvas_release(&c);
	af_text_release(&out);
}

static void test_paint__a_small_change_sends_little(void **state)
{
	(void)state;
	struct ui_paint p = { .ecma = true };
	struct ui_canvas last, now;
	struct af_text out = { 0 };
	make_styles(&p);
	ui_canvas_init(&last, ROWS, COLS, false);
	ui_canvas_init(&now, ROWS, COLS, false);
	(void)ui_canvas_text(&now, 2, 3, COLS, UI_ROLE_TEXT, "ab  cd");
	ui_paint(&p, &last, &now, &out);
	assert_string_equal(af_text_get(&out), "\033[3;4H\033[0;38;5;16mab  cd");
	ui_canvas_release(&last);
	ui_canvas_release(&now);
	af_text_release(&out);
}

static void test_paint__the_corner_is_left_alone_where_it_would_scroll(void **state)
{
	(void)state;
	struct ui_paint p = { .ecma = true, .skip_corner = true };
	struct ui_canvas c;
	struct af_text out = { 0 };
	make_styles(&p);
	ui_canvas_init(&c, ROWS, COLS, false);
	ui_canvas_fill(&c, ROWS - 1, 0, COLS, UI_ROLE_TEXT, "z");
	ui_paint(&p, NULL, &c, &out);
	size_t sent = 0;
	for (const char *z = af_text_get(&out); *z; z++)
		sent += *z == 'z';
	assert_int_equal(sent, COLS - 1);
	ui_canvas_release(&c);
	af_text_release(&out);
}

static void test_paint__what_the_library_counts_otherwise_is_a_question_mark(void **state)
{
	(void)state;
	struct ui_paint p = { .ecma = true };
	struct ui_canvas c;
	struct af_text out = { 0 };
	make_styles(&p);
	ui_canvas_init(&c, ROWS, COLS, false);
	/* wcwidth() gives -1 for a character that is not assigned. */
	(void)ui_canvas_text(&c, 0, 0, COLS, UI_ROLE_TEXT,
			     "a\xf0\xbf\xbf\xbd"
			     "b\xe0\xa7\xbf"
			     "c");
	ui_paint(&p, NULL, &c, &out);
	assert_non_null(strchr(af_text_get(&out), '?'));
	ui_canvas_release(&c);
	af_text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paint__the_terminal_shows_the_canvas),
		cmocka_unit_test(
			test_paint__a_terminal_with_another_way_to_place_shows_it_too),
		cmocka_unit_test(test_paint__few_bytes_show_the_canvas_too),
		cmocka_unit_test(test_paint__few_bytes_are_few),
		cmocka_unit_test(test_paint__styles_are_merged),
		cmocka_unit_test(test_paint__nothing_changed_sends_nothing),
		cmocka_unit_test(test_paint__a_small_change_sends_little),
		cmocka_unit_test(
			test_paint__the_corner_is_left_alone_where_it_would_scroll),
		cmocka_unit_test(
			test_paint__what_the_library_counts_otherwise_is_a_question_mark),
	};
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
