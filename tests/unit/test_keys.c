/* The list of actions, names of keys, and the line editor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "input.h"
#include "keys.h"

static void test_keys__names_mean_keys(void **state)
{
	(void)state;
	assert_int_equal(ui_key_parse("n"), 'n');
	assert_int_equal(ui_key_parse("Up"), UI_KEY_UP);
	assert_int_equal(ui_key_parse("Up k"), UI_KEY_UP);
	assert_int_equal(ui_key_parse("Ctrl-Z"), 26);
	assert_int_equal(ui_key_parse("Shift-Tab"), UI_KEY_BACK_TAB);
	assert_int_equal(ui_key_parse("Space"), ' ');
	assert_int_equal(ui_key_parse("Ctrl-z"), UI_KEY_NONE);
	assert_int_equal(ui_key_parse("Nosuch"), UI_KEY_NONE);
	assert_int_equal(ui_key_parse(""), UI_KEY_NONE);
}

static void test_keys__every_key_of_the_list_means_its_action(void **state)
{
	(void)state;
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++) {
		const struct ui_action_info *info = ui_action_info(a);
		assert_true(strlen(info->help) > 0);
		assert_true(strlen(info->menu) <=
			    8); /* what an item of the menu has room for */
		for (const char *key = info->keys; *key;
		     key += strcspn(key, " "), key += strspn(key, " ")) {
			assert_int_not_equal(ui_key_parse(key), UI_KEY_NONE);
			assert_int_equal(ui_action_of_key(ui_key_parse(key)), a);
		}
	}
}

/* The last line of the main screen: "Resize (r): move ...". */
static void test_keys__the_hint_of_an_item_fits_into_80_columns(void **state)
{
	(void)state;
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++) {
		const struct ui_action_info *info = ui_action_info(a);
		if (*info->menu)
			assert_true(strlen(info->menu) + strcspn(info->keys, " ") +
					    strlen(info->help) + strlen(" (): ") <=
				    80);
	}
}

static void test_keys__capitals_count_as_small_where_they_are_free(void **state)
{
	(void)state;
	assert_int_equal(ui_action_of_key('D'), UI_DO_DELETE);
	assert_int_equal(ui_action_of_key('a'), UI_DO_ALIGN);
	assert_int_equal(ui_action_of_key('A'), UI_DO_ALIGN_ALL);
	assert_int_equal(ui_action_of_key('W'), UI_DO_WRITE);
	assert_int_equal(ui_action_of_key('w'), UI_DO_COUNT);
	assert_int_equal(ui_action_of_key('Z'), UI_DO_COUNT);
	assert_int_equal(ui_action_of_key(UI_KEY_NONE), UI_DO_COUNT);
}

static void test_keys__text_is_what_can_be_typed(void **state)
{
	(void)state;
	assert_true(ui_key_is_text('a'));
	assert_true(ui_key_is_text(' '));
	assert_true(ui_key_is_text(0x6f22));
	assert_false(ui_key_is_text(27));
	assert_false(ui_key_is_text(0x7f));
	assert_false(
		ui_key_is_text(0x9b)); /* the eight-bit beginning of an escape sequence */
	assert_false(ui_key_is_text(UI_KEY_UP));
	assert_false(ui_key_is_text(UI_KEY_NONE));
}

/* --- the line editor ----------------------------------------------------------------------------------- */

/* Presses keys by name; words of more than one letter that name no key are typed. */
static void press(struct ui_input *in, const char *keys)
{
	bool changed;
	while (*keys) {
		const int key = ui_key_parse(keys);
		const size_t n = strcspn(keys, " ");
		if (key != UI_KEY_NONE)
			assert_true(ui_input_key(in, key, &changed));
		for (size_t i = 0; key == UI_KEY_NONE && i < n; i++)
			assert_true(ui_input_key(in, (unsigned char)keys[i], &changed));
		keys += n;
		keys += strspn(keys, " ");
	}
}

static void test_input__first_character_replaces_what_was_offered(void **state)
{
	struct ui_input in;
	(void)state;
	ui_input_set(&in, "931G");
	press(&in, "10G");
	assert_string_equal(in.text, "10G");
	ui_input_set(&in, "931G");
	press(&in, "Backspace M");
	assert_string_equal(in.text, "931M");
	ui_input_set(&in, "931G");
	press(&in, "Home 1");
	assert_string_equal(in.text, "1931G");
}

static void test_input__edits_where_the_cursor_is(void **state)
{
	struct ui_input in;
	(void)state;
	ui_input_set(&in, "");
	press(&in, "abc Left Left X Right Y End Z Home Delete");
	assert_string_equal(in.text, "XbYcZ");
	press(&in, "End Backspace Backspace");
	assert_string_equal(in.text, "XbY");
	press(&in, "Ctrl-U");
	assert_string_equal(in.text, "");
	press(&in, "Backspace Delete Left Right Home End");
	assert_string_equal(in.text, "");
}

static void test_input__takes_back_a_word(void **state)
{
	struct ui_input in;
	bool changed;
	(void)state;
	ui_input_set(&in, "one two  ");
	assert_true(ui_input_key(&in, UI_KEY_CTRL('W'), &changed));
	assert_true(changed);
	assert_string_equal(in.text, "one ");
	press(&in, "Ctrl-W");
	assert_string_equal(in.text, "");
	ui_input_key(&in, UI_KEY_CTRL('W'), &changed);
	assert_false(changed);
}

static void test_input__moves_over_whole_characters(void **state)
{
	struct ui_input in;
	bool changed;
	(void)state;
	ui_input_set(&in, "");
	ui_input_key(&in, 0xe9, &changed);
	ui_input_key(&in, 0x6f22, &changed);
	ui_input_key(&in, 0x1f4be, &changed);
	assert_string_equal(in.text, "é漢💾");
	press(&in, "Left Backspace");
	assert_string_equal(in.text, "é💾");
	press(&in, "Home Delete");
	assert_string_equal(in.text, "💾");
}

static void test_input__tells_what_it_used_and_what_changed(void **state)
{
	struct ui_input in;
	bool changed = true;
	(void)state;
	ui_input_set(&in, "ab");
	assert_false(ui_input_key(&in, UI_KEY_UP, &changed));
	assert_false(changed);
	assert_true(in.fresh);
	assert_true(ui_input_key(&in, UI_KEY_LEFT, &changed));
	assert_false(changed);
	assert_true(ui_input_key(&in, UI_KEY_BACKSPACE, &changed));
	assert_true(changed);
}

static void test_input__never_overflows(void **state)
{
	struct ui_input in;
	bool changed = false;
	(void)state;
	ui_input_set(&in, "");
	for (int i = 0; i < 1000; i++)
		ui_input_key(&in, 0x6f22, &changed);
	assert_false(changed);
	assert_true(in.len < sizeof(in.text));
	assert_int_equal(in.len % 3, 0);
	assert_int_equal(strlen(in.text), in.len);
}

static void test_input__scrolls_so_that_the_cursor_is_seen(void **state)
{
	struct ui_input in;
	struct ui_canvas c;
	struct af_text t = { 0 };
	(void)state;
	ui_input_set(&in, "abcdefgh");
	ui_canvas_init(&c, 1, 6, false);
	ui_input_draw(&in, &c, (struct ui_rect){ 0, 1, 1, 4 }, true);
	ui_canvas_dump(&c, &t);
	assert_string_equal(af_text_get(&t), " fgh\n");
	af_text_release(&t);
	assert_int_equal(c.cell[4].role, UI_ROLE_SELECTED);
	assert_int_equal(c.cell[3].role, UI_ROLE_FIELD);
	assert_int_equal(c.cell[5].role, UI_ROLE_TEXT);
	press(&in, "Home");
	ui_input_draw(&in, &c, (struct ui_rect){ 0, 1, 1, 4 }, false);
	ui_canvas_dump(&c, &t);
	assert_string_equal(af_text_get(&t), " abcd\n");
	af_text_release(&t);
	assert_int_equal(c.cell[1].role, UI_ROLE_FIELD);
	ui_canvas_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys__names_mean_keys),
		cmocka_unit_test(test_keys__every_key_of_the_list_means_its_action),
		cmocka_unit_test(test_keys__the_hint_of_an_item_fits_into_80_columns),
		cmocka_unit_test(test_keys__capitals_count_as_small_where_they_are_free),
		cmocka_unit_test(test_keys__text_is_what_can_be_typed),
		cmocka_unit_test(test_input__first_character_replaces_what_was_offered),
		cmocka_unit_test(test_input__edits_where_the_cursor_is),
		cmocka_unit_test(test_input__takes_back_a_word),
		cmocka_unit_test(test_input__moves_over_whole_characters),
		cmocka_unit_test(test_input__tells_what_it_used_and_what_changed),
		cmocka_unit_test(test_input__never_overflows),
		cmocka_unit_test(test_input__scrolls_so_that_the_cursor_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
