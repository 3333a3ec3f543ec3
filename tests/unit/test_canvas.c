/* A screen as a grid of cells: widths, clipping, marks, hostile text, wrapping, dumps; and the themes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "canvas.h"
#include "theme.h"

/* The canvas as text, which lives until the next call. */
static const char *dump(const struct ui_canvas *c)
{
	static char kept[4096];
	struct af_text t = { 0 };
	ui_canvas_dump(c, &t);
	assert_true(t.len < sizeof(kept));
	memcpy(kept, af_text_get(&t), t.len + 1);
	af_text_release(&t);
	return kept;
}

static void test_canvas__starts_empty(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 2, 3, false);
	assert_int_equal(c.rows, 2);
	assert_int_equal(c.cols, 3);
	for (int i = 0; i < 6; i++) {
		assert_string_equal(c.cell[i].text, " ");
		assert_int_equal(c.cell[i].width, 1);
		assert_int_equal(c.cell[i].role, UI_ROLE_TEXT);
	}
	assert_string_equal(dump(&c), "\n\n");
	ui_canvas_release(&c);
	assert_null(c.cell);
	ui_canvas_init(&c, 0, -5, false);
	assert_int_equal(c.rows, 1);
	assert_int_equal(c.cols, 1);
	ui_canvas_release(&c);
}

static void test_canvas__text_is_cut_at_its_columns_and_at_the_edge(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 2, 6, false);
	assert_int_equal(ui_canvas_text(&c, 0, 0, 3, UI_ROLE_GOOD, "abcdef"), 3);
	assert_int_equal(ui_canvas_text(&c, 1, 4, 99, UI_ROLE_TEXT, "xyz"), 2);
	assert_string_equal(dump(&c), "abc\n    xy\n");
	assert_int_equal(c.cell[2].role, UI_ROLE_GOOD);
	assert_int_equal(c.cell[3].role, UI_ROLE_TEXT);
	ui_canvas_release(&c);
}

static void test_canvas__drawing_outside_is_clipped(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 1, 4, false);
	ui_canvas_text(&c, 0, -2, 9, UI_ROLE_TEXT, "abc漢");
	assert_string_equal(dump(&c), "c漢\n");
	ui_canvas_text(&c, 1, 0, 9, UI_ROLE_TEXT, "below");
	ui_canvas_text(&c, -1, 0, 9, UI_ROLE_TEXT, "above");
	ui_canvas_text(&c, 0, 9, 9, UI_ROLE_TEXT, "right");
	ui_canvas_glyph(&c, 0, -3, 99, UI_ROLE_TEXT, UI_GLYPH_TICK);
	ui_canvas_glyph(&c, 5, 0, 1, UI_ROLE_TEXT, UI_GLYPH_TICK);
	assert_string_equal(dump(&c), "····\n");
	ui_canvas_fill(&c, 0, 2, 99, UI_ROLE_TEXT, "=");
	ui_canvas_role(&c, 0, -4, 99, UI_ROLE_BAD);
	ui_canvas_role(&c, 7, 0, 1, UI_ROLE_BAD);
	assert_string_equal(dump(&c), "··==\n");
	assert_int_equal(c.cell[3].role, UI_ROLE_BAD);
	ui_canvas_text(&c, 0, -1, 9, UI_ROLE_TEXT, "漢");
	assert_string_equal(dump(&c), " ·==\n");
	ui_canvas_release(&c);
}

static void test_canvas__wide_characters_take_two_cells(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 1, 5, false);
	assert_int_equal(ui_canvas_text(&c, 0, 0, 5, UI_ROLE_TEXT, "漢字漢"), 4);
	assert_int_equal(c.cell[0].width, 2);
	assert_int_equal(c.cell[1].width, 0);
	assert_int_equal(c.cell[4].width, 1);
	assert_string_equal(dump(&c), "漢字\n");
	ui_canvas_release(&c);
}

static void test_canvas__half_of_a_wide_character_is_never_left(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 1, 4, false);
	ui_canvas_text(&c, 0, 0, 4, UI_ROLE_TEXT, "漢字");
	ui_canvas_text(&c, 0, 1, 1, UI_ROLE_TEXT, "x");
	assert_string_equal(dump(&c), " x字\n");
	ui_canvas_text(&c, 0, 2, 1, UI_ROLE_TEXT, "y");
	assert_string_equal(dump(&c), " xy\n");
	assert_int_equal(c.cell[3].width, 1);
	ui_canvas_text(&c, 0, 0, 4, UI_ROLE_TEXT, "漢字");
	ui_canvas_text(&c, 0, 1, 2, UI_ROLE_TEXT, "漢");
	assert_string_equal(dump(&c), " 漢\n");
	ui_canvas_release(&c);
}

static void test_canvas__other_forms_of_a_character_are_left_out(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 1, 6, false);
	assert_int_equal(ui_canvas_text(&c, 0, 0, 6, UI_ROLE_TEXT, "a\u2764\ufe0fb"), 3);
	assert_string_equal(dump(&c), "a\u2764b\n");
	assert_int_equal(ui_canvas_width("a\u2764\ufe0fb\U000e0100"), 3);
	ui_canvas_release(&c);
}

static void test_canvas__marks_go_to_the_character_before(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 1, 6, false);
	assert_int_equal(ui_canvas_text(&c, 0, 0, 6, UI_ROLE_TEXT, "e\u0301a漢\u0301"), 4);
	assert_string_equal(c.cell[0].text, "e\u0301");
	assert_string_equal(c.cell[2].text, "漢\u0301");
	ui_canvas_clear(&c);
	/* more marks than a cell holds are dropped, one without a letter is shown as unknown */
	ui_canvas_text(&c, 0, 0, 6, UI_ROLE_TEXT,
		       "a\u0301\u0302\u0303\u0304\u0305\u0306\u0307z");
	assert_true(strlen(c.cell[0].text) < sizeof(c.cell[0].text));
	assert_string_equal(c.cell[1].text, "z");
	ui_canvas_text(&c, 0, 3, 3, UI_ROLE_TEXT, "\u0301");
	assert_string_equal(c.cell[3].text, "?");
	ui_canvas_release(&c);
}

static void test_canvas__hostile_bytes_become_question_marks(void **state)
{
	static const struct {
		const char *text, *drawn;
	} table[] = {
		{ "a\033[2Jb", "a?[2Jb" }, /* an escape sequence */
		{ "a\tb\177c", "a?b?c" },  /* control characters */
		{ "\xff\xfe"
		  "a",
		  "??a" },                      /* no UTF-8 at all */
		{ "\xc3(", "?(" },              /* a sequence that breaks off */
		{ "\xe6\xbc", "??" },           /* ... at the end */
		{ "\xc0\xaf", "??" },           /* a slash, too long */
		{ "\xe0\x80\xaf", "???" },      /* the same, longer */
		{ "\xed\xa0\x80", "?" },        /* half of a pair */
		{ "\xf4\x90\x80\x80", "????" }, /* beyond the last code point */
		{ "\xf5\x80\x80\x80", "????" },
		{ "a\u202eb\u202cc", "a?b?c" }, /* turns the text round */
		{ "a\xc2\x85"
		  "b\u2028c",
		  "a?b?c" }, /* new lines */
		{ "\ufeffa", "?a" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct ui_canvas c;
		ui_canvas_init(&c, 1, 10, false);
		ui_canvas_text(&c, 0, 0, 10, UI_ROLE_TEXT, table[i].text);
		ui_canvas_text(&c, 0, 9, 1, UI_ROLE_TEXT, "|");
		char wanted[40];
		snprintf(wanted, sizeof(wanted), "%-9s|\n", table[i].drawn);
		assert_string_equal(dump(&c), wanted);
		assert_int_equal(ui_canvas_width(table[i].text), strlen(table[i].drawn));
		ui_canvas_release(&c);
	}
}

static void test_canvas__ascii_keeps_the_columns(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 1, 12, true);
	assert_int_equal(ui_canvas_text(&c, 0, 0, 12, UI_ROLE_TEXT, "é漢e\u0301z"), 5);
	ui_canvas_glyph(&c, 0, 6, 2, UI_ROLE_TEXT, UI_GLYPH_HORIZONTAL);
	assert_string_equal(dump(&c), "???ez --\n");
	ui_canvas_release(&c);
}

static void test_canvas__width_counts_as_drawing_does(void **state)
{
	(void)state;
	assert_int_equal(ui_canvas_width(""), 0);
	assert_int_equal(ui_canvas_width("abc"), 3);
	assert_int_equal(ui_canvas_width("é漢"), 3);
	assert_int_equal(ui_canvas_width("e\u0301"), 1);
	assert_int_equal(ui_canvas_width("\u0301"), 1);
}

static void test_canvas__printf_formats_and_cuts(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 1, 8, false);
	assert_int_equal(ui_canvas_printf(&c, 0, 1, 5, UI_ROLE_KEY, "%d-%s", 42, "abcdef"),
			 5);
	assert_string_equal(dump(&c), " 42-ab\n");
	assert_int_equal(c.cell[1].role, UI_ROLE_KEY);
	ui_canvas_release(&c);
}

static void test_canvas__fill_repeats_whole_characters(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 1, 6, false);
	ui_canvas_fill(&c, 0, 1, 5, UI_ROLE_TEXT, "漢");
	assert_string_equal(dump(&c), " 漢漢\n");
	ui_canvas_release(&c);
}

static void test_canvas__box_clears_inside_and_has_a_title(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 4, 12, true);
	ui_canvas_fill(&c, 1, 0, 12, UI_ROLE_TEXT, "x");
	ui_canvas_box(&c, (struct ui_rect){ 0, 1, 3, 10 }, UI_ROLE_TEXT, "Title");
	assert_string_equal(dump(&c), " +- Titl -+\nx|        |x\n +--------+\n\n");
	ui_canvas_box(&c, (struct ui_rect){ 3, 0, 1, 1 }, UI_ROLE_TEXT,
		      NULL); /* too small: nothing */
	assert_string_equal(dump(&c), " +- Titl -+\nx|        |x\n +--------+\n\n");
	ui_canvas_release(&c);
}

static void test_canvas__wrap_breaks_at_spaces(void **state)
{
	static const char text[] = "one two three";
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 3, 8, false);
	assert_int_equal(
		ui_canvas_wrap(&c, (struct ui_rect){ 0, 0, 0, 8 }, UI_ROLE_TEXT, text), 2);
	assert_string_equal(dump(&c), "\n\n\n");
	assert_int_equal(
		ui_canvas_wrap(&c, (struct ui_rect){ 0, 1, 3, 7 }, UI_ROLE_TEXT, text), 2);
	assert_string_equal(dump(&c), " one two\n three\n\n");
	ui_canvas_clear(&c);
	assert_int_equal(
		ui_canvas_wrap(&c, (struct ui_rect){ 0, 0, 1, 8 }, UI_ROLE_TEXT, text), 2);
	assert_string_equal(dump(&c), "one two\n\n\n");
	ui_canvas_release(&c);
}

static void test_canvas__wrap_cuts_a_word_that_is_too_long(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 3, 4, false);
	assert_int_equal(ui_canvas_wrap(&c, (struct ui_rect){ 0, 0, 3, 4 }, UI_ROLE_TEXT,
					"abcdefgh ij"),
			 3);
	assert_string_equal(dump(&c), "abcd\nefgh\nij\n");
	/* a character wider than the column ends, too */
	assert_int_equal(
		ui_canvas_wrap(&c, (struct ui_rect){ 0, 0, 0, 1 }, UI_ROLE_TEXT, "漢字"),
		2);
	assert_int_equal(
		ui_canvas_wrap(&c, (struct ui_rect){ 0, 0, 3, 0 }, UI_ROLE_TEXT, "a"), 0);
	assert_int_equal(
		ui_canvas_wrap(&c, (struct ui_rect){ 0, 0, 3, 4 }, UI_ROLE_TEXT, ""), 0);
	ui_canvas_release(&c);
}

static void test_canvas__copy_takes_rows_from_a_longer_one(void **state)
{
	struct ui_canvas c, from;
	(void)state;
	ui_canvas_init(&c, 3, 3, false);
	ui_canvas_init(&from, 5, 3, false);
	for (int i = 0; i < 5; i++)
		ui_canvas_printf(&from, i, 0, 3, UI_ROLE_HINT, "r%d", i);
	ui_canvas_copy(&c, (struct ui_rect){ 1, 0, 2, 3 }, &from, 3);
	assert_string_equal(dump(&c), "\nr3\nr4\n");
	assert_int_equal(c.cell[3].role, UI_ROLE_HINT);
	ui_canvas_copy(&c, (struct ui_rect){ 0, 0, 3, 3 }, &from,
		       4); /* one row is left, the rest stays */
	assert_string_equal(dump(&c), "r4\nr3\nr4\n");
	ui_canvas_release(&c);
	ui_canvas_release(&from);
}

static void test_canvas__roles_are_dumped_as_letters(void **state)
{
	struct ui_canvas c;
	struct af_text t = { 0 };
	(void)state;
	ui_canvas_init(&c, 1, 4, false);
	ui_canvas_role(&c, 0, 1, 1, UI_ROLE_BAD);
	ui_canvas_role(&c, 0, 2, 1, UI_ROLE_SELECTED);
	ui_canvas_dump_roles(&c, &t);
	assert_string_equal(af_text_get(&t), ".bS.\n");
	af_text_release(&t);
	ui_canvas_release(&c);
}

static void test_theme__every_glyph_takes_one_column(void **state)
{
	(void)state;
	for (int g = 0; g < UI_GLYPH_COUNT; g++) {
		assert_int_equal(ui_canvas_width(ui_glyph_text((enum ui_glyph)g, false)),
				 1);
		assert_int_equal(strlen(ui_glyph_text((enum ui_glyph)g, true)), 1);
	}
}

/* What is told apart by glyphs must stay so in both sets. */
static void test_theme__glyphs_with_a_meaning_differ(void **state)
{
	static const enum ui_glyph apart[][2] = {
		{ UI_GLYPH_ON, UI_GLYPH_OFF },
		{ UI_GLYPH_ON, UI_GLYPH_TICK },
		{ UI_GLYPH_OFF, UI_GLYPH_TICK },
		{ UI_GLYPH_FILL, UI_GLYPH_FREE },
		{ UI_GLYPH_FILL, UI_GLYPH_PADDING },
		{ UI_GLYPH_FREE, UI_GLYPH_PADDING },
		{ UI_GLYPH_EBR, UI_GLYPH_FILL },
		{ UI_GLYPH_EBR, UI_GLYPH_PADDING },
		{ UI_GLYPH_MORE_UP, UI_GLYPH_MORE_DOWN },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(apart) / sizeof(apart[0]); i++)
		for (int ascii = 0; ascii < 2; ascii++)
			assert_string_not_equal(ui_glyph_text(apart[i][0], ascii),
						ui_glyph_text(apart[i][1], ascii));
}

static void test_theme__roles_have_letters_of_their_own(void **state)
{
	(void)state;
	for (int a = 0; a < UI_ROLE_COUNT; a++)
		for (int b = 0; b < a; b++)
			assert_int_not_equal(ui_theme_letter((enum ui_role)a),
					     ui_theme_letter((enum ui_role)b));
}

static void test_theme__without_colours_there_is_none(void **state)
{
	(void)state;
	for (int r = 0; r < UI_ROLE_COUNT; r++) {
		const struct ui_style s = ui_theme_style((enum ui_role)r, 0);
		assert_int_equal(s.front, UI_COLOUR_DEFAULT);
		assert_int_equal(s.back, UI_COLOUR_DEFAULT);
	}
	assert_true(ui_theme_style(UI_ROLE_SELECTED, 0).reverse);
	assert_true(ui_theme_style(UI_ROLE_BAD, 0).bold);
	assert_int_equal(ui_theme_style(UI_ROLE_BAD, 8).front, UI_COLOUR_RED);
	assert_int_equal(ui_theme_style(UI_ROLE_FREE, 256).front, UI_COLOUR_GREEN);
	assert_int_equal(ui_theme_style(UI_ROLE_BAD, 2).front, UI_COLOUR_DEFAULT);
}

/* More colours are used where there are some, and never one that the terminal does not have. */
static void test_theme__colours_are_those_of_the_terminal(void **state)
{
	static const int have[] = { 8, 16, 256 };
	(void)state;
	for (int r = 0; r < UI_ROLE_COUNT; r++)
		for (size_t i = 0; i < 3; i++)
			assert_in_range(ui_theme_style((enum ui_role)r, have[i]).front + 1,
					0, have[i]);
	for (size_t i = 1; i < 3; i++)
		assert_int_not_equal(ui_theme_style(UI_ROLE_FS_EXT, have[i]).front,
				     ui_theme_style(UI_ROLE_FS_EXT, have[i - 1]).front);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_canvas__starts_empty),
		cmocka_unit_test(test_canvas__text_is_cut_at_its_columns_and_at_the_edge),
		cmocka_unit_test(test_canvas__drawing_outside_is_clipped),
		cmocka_unit_test(test_canvas__wide_characters_take_two_cells),
		cmocka_unit_test(test_canvas__other_forms_of_a_character_are_left_out),
		cmocka_unit_test(test_canvas__half_of_a_wide_character_is_never_left),
		cmocka_unit_test(test_canvas__marks_go_to_the_character_before),
		cmocka_unit_test(test_canvas__hostile_bytes_become_question_marks),
		cmocka_unit_test(test_canvas__ascii_keeps_the_columns),
		cmocka_unit_test(test_canvas__width_counts_as_drawing_does),
		cmocka_unit_test(test_canvas__printf_formats_and_cuts),
		cmocka_unit_test(test_canvas__fill_repeats_whole_characters),
		cmocka_unit_test(test_canvas__box_clears_inside_and_has_a_title),
		cmocka_unit_test(test_canvas__wrap_breaks_at_spaces),
		cmocka_unit_test(test_canvas__wrap_cuts_a_word_that_is_too_long),
		cmocka_unit_test(test_canvas__copy_takes_rows_from_a_longer_one),
		cmocka_unit_test(test_canvas__roles_are_dumped_as_letters),
		cmocka_unit_test(test_theme__every_glyph_takes_one_column),
		cmocka_unit_test(test_theme__glyphs_with_a_meaning_differ),
		cmocka_unit_test(test_theme__roles_have_letters_of_their_own),
		cmocka_unit_test(test_theme__without_colours_there_is_none),
		cmocka_unit_test(test_theme__colours_are_those_of_the_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
