/* What is selected, typed into or off its boundary is seen without colours; and what the tests of screens rely on finds
 * what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plain.h"
#include "theme.h"

static bool differ(enum ui_role a, enum ui_role b)
{
	const struct ui_style x = ui_theme_style(a, 0), y = ui_theme_style(b, 0);
	return x.bold != y.bold || x.dim != y.dim || x.underline != y.underline ||
	       x.reverse != y.reverse;
}

/* The same text stands in both of these, now in the one and now in the other; no glyph or letter tells them apart. */
static void
test_theme__roles_that_only_their_look_tells_apart_differ_without_colours(void **state)
{
	static const enum ui_role pair_table[][2] = {
		{ UI_ROLE_TEXT, UI_ROLE_SELECTED }, { UI_ROLE_TITLE, UI_ROLE_SELECTED },
		{ UI_ROLE_DIM, UI_ROLE_SELECTED },  { UI_ROLE_KEY, UI_ROLE_SELECTED },
		{ UI_ROLE_FREE, UI_ROLE_SELECTED }, { UI_ROLE_EXTENDED, UI_ROLE_SELECTED },
		{ UI_ROLE_GOOD, UI_ROLE_SELECTED }, { UI_ROLE_WARN, UI_ROLE_SELECTED },
		{ UI_ROLE_BAD, UI_ROLE_SELECTED },  { UI_ROLE_FIELD, UI_ROLE_SELECTED },
		{ UI_ROLE_TEXT, UI_ROLE_FIELD },    { UI_ROLE_PART, UI_ROLE_PART_SELECTED },
		{ UI_ROLE_GOOD, UI_ROLE_BAD },      { UI_ROLE_GOOD, UI_ROLE_WARN },
		{ UI_ROLE_WARN, UI_ROLE_BAD },      { UI_ROLE_TEXT, UI_ROLE_TITLE },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(pair_table) / sizeof(pair_table[0]); i++)
		if (!differ(pair_table[i][0], pair_table[i][1]))
			fail_msg("%c and %c look the same",
				 ui_theme_letter(pair_table[i][0]),
				 ui_theme_letter(pair_table[i][1]));
}

static void test_plain__finds_what_only_a_colour_tells(void **state)
{
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 2, 20, false);
	ui_canvas_text(&c, 0, 0, 20, UI_ROLE_FS_EXT, "ext4");
	ui_canvas_text(&c, 1, 3, 20, UI_ROLE_FS_NTFS, "ntfs");
	assert_true(plain_mono_tells(&c));
	ui_canvas_text(&c, 1, 3, 20, UI_ROLE_FS_NTFS, "ext4");
	assert_false(plain_mono_tells(&c));
	ui_canvas_text(&c, 1, 3, 20, UI_ROLE_BAD, "ext4"); /* bold tells */
	assert_true(plain_mono_tells(&c));
	ui_canvas_release(&c);
}

static void test_plain__finds_what_ascii_loses(void **state)
{
	struct ui_canvas utf8, ascii;
	(void)state;
	ui_canvas_init(&utf8, 1, 9, false);
	ui_canvas_init(&ascii, 1, 9, true);
	ui_canvas_text(&utf8, 0, 0, 9, UI_ROLE_TEXT, "größe");
	ui_canvas_text(&ascii, 0, 0, 9, UI_ROLE_TEXT, "größe");
	ui_canvas_glyph(&utf8, 0, 6, 1, UI_ROLE_GOOD, UI_GLYPH_ON);
	ui_canvas_glyph(&ascii, 0, 6, 1, UI_ROLE_GOOD, UI_GLYPH_ON);
	assert_true(plain_ascii_same(&utf8, &ascii));
	ui_canvas_glyph(&ascii, 0, 6, 1, UI_ROLE_GOOD, UI_GLYPH_OFF);
	assert_false(plain_ascii_same(&utf8, &ascii));
	ui_canvas_release(&utf8);
	ui_canvas_release(&ascii);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_theme__roles_that_only_their_look_tells_apart_differ_without_colours),
		cmocka_unit_test(test_plain__finds_what_only_a_colour_tells),
		cmocka_unit_test(test_plain__finds_what_ascii_loses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
