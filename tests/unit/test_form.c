/* Questions, and the form that shows its outcome while one types. What they look like is tests/screen's. */
#include "editor_bench.h"

/* --- questions ----------------------------------------------------------------------------------------- */

static int chosen;

static void choose(struct ui_app *app, int value)
{
	(void)app;
	chosen = value;
}

static void test_form__choice_takes_letters_and_arrows(void **state)
{
	static const struct ui_choice item[] = { { "One", "", 1 },
						 { "Two", "", 2 },
						 { "Three", "", 3 } };
	static const struct {
		const char *keys;
		int wanted;
	} table[] = {
		{ "Enter", 1 },
		{ "o", 1 },
		{ "O", 1 },
		{ "t", 2 },
		{ "Right Enter", 2 },
		{ "Tab Tab Enter", 3 },
		{ "Left Enter", 3 },
		{ "Down Up Enter", 1 },
		{ "Right Right Right Enter", 1 },
		{ "x Enter", 1 },
		{ "Esc", 0 },
	};
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		chosen = 0;
		ui_form_choice(&b.app, "Which?", item, 3, choose);
		press(&b, table[i].keys);
		assert_int_equal(chosen, table[i].wanted);
		assert_string_equal(front(&b), "disk");
	}
	end(&b);
}

static char given[100];

static void give(struct ui_app *app, const char *text)
{
	(void)app;
	snprintf(given, sizeof(given), "%s", text);
}

static void test_form__line_gives_its_text_on_enter_only(void **state)
{
	const struct ui_line_form form = {
		.question = "Name:", .hint = "", .initial = "old", .done = give
	};
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	ui_form_line(&b.app, &form);
	press(&b, "new Enter");
	assert_string_equal(given, "new");
	ui_form_line(&b.app, &form);
	press(&b, "other Esc");
	assert_string_equal(given, "new");
	ui_form_line(&b.app, &form);
	press(&b, "Ctrl-C");
	assert_string_equal(front(&b), "disk");
	end(&b);
}

static void test_form__line_leaves_moving_to_the_view_behind(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "seed");
	press(&b, "Down d W");
	assert_string_equal(front(&b), "line");
	assert_false(is_shown(&b, "Sectors to be written"));
	press(&b, "PgDn PgDn");
	assert_string_equal(front(&b), "line");
	assert_true(is_shown(&b, "Sectors to be written"));
	end(&b);
}

static void test_scroll__stays_inside_the_text(void **state)
{
	struct ui_scroll s = { .rows = 30, .page = 10 };
	(void)state;
	assert_true(ui_scroll_key(&s, UI_KEY_UP));
	assert_int_equal(s.top, 0);
	ui_scroll_key(&s, UI_KEY_PAGE_DOWN);
	assert_int_equal(s.top, 9);
	ui_scroll_key(&s, UI_KEY_END);
	assert_int_equal(s.top, 20);
	ui_scroll_key(&s, 'k');
	ui_scroll_key(&s, UI_KEY_PAGE_UP);
	assert_int_equal(s.top, 10);
	ui_scroll_key(&s, UI_KEY_HOME);
	ui_scroll_key(&s, 'j');
	assert_int_equal(s.top, 1);
	assert_false(ui_scroll_key(&s, 'x'));
	s = (struct ui_scroll){ .rows = 3, .page = 10 };
	ui_scroll_key(&s, UI_KEY_END);
	assert_int_equal(s.top, 0);
}

/* --- previews ------------------------------------------------------------------------------------------ */

static void test_form__nothing_is_done_before_enter(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "Down n p 100M");
	assert_true(b.app.picture.preview);
	assert_int_equal(b.app.picture.disk.layout->nparts, 2);
	assert_int_equal(af_session_disk(b.session).layout->nparts, 1);
	assert_false(af_session_modified(b.session));
	press(&b, "Esc");
	assert_false(b.app.picture.preview);
	assert_int_equal(b.app.picture.disk.layout->nparts, 1);
	assert_ptr_equal(b.app.picture.disk.layout, af_session_disk(b.session).layout);
	assert_int_equal(b.app.picture.selected, 1);
	end(&b);
}

static void test_form__enter_does_what_was_shown(void **state)
{
	struct bench b;
	struct af_layout shown;
	(void)state;
	begin(&b, SMALL);
	press(&b, "Down n p 100M Up Up PgUp");
	af_layout_copy(b.app.picture.disk.layout, &shown);
	press(&b, "Enter");
	assert_true(af_layout_equal(&shown, af_session_disk(b.session).layout));
	assert_int_equal(ui_app_part(&b.app)->number, 2);
	af_layout_release(&shown);
	end(&b);
}

static void test_form__what_is_refused_keeps_the_form_and_the_picture(void **state)
{
	static const char *const table[] = { "900G", "12Q", "-", "Ctrl-U" };
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		press(&b, "Down n p 100M");
		press(&b, table[i]);
		press(&b, "Enter");
		assert_string_equal(front(&b), "sizing");
		assert_int_equal(b.app.picture.disk.layout->nparts, 2);
		assert_false(af_session_modified(b.session));
		press(&b, "Esc Home");
	}
	end(&b);
}

static void test_form__resize_untouched_is_no_edit(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "r Tab Tab Enter");
	assert_string_equal(front(&b), "disk");
	assert_false(af_session_modified(b.session));
	assert_int_equal(af_session_undos(b.session), 0);
	assert_string_equal(b.app.message, "nothing changed");
	end(&b);
}

static void test_form__moving_the_start_keeps_the_end(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "r Up Tab Up Up Enter");
	const struct af_part *part = af_layout_number(af_session_disk(b.session).layout, 1);
	assert_int_equal(part->span.start, 3 * AF_MIB);
	assert_int_equal(part->span.end, 102 * AF_MIB);
	end(&b);
}

static void test_form__a_typed_start_keeps_the_end(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "r Tab 11M Enter");
	const struct af_part *part = af_layout_number(af_session_disk(b.session).layout, 1);
	assert_int_equal(part->span.start, 11 * AF_MIB);
	assert_int_equal(part->span.end, 101 * AF_MIB);
	end(&b);
}

static void test_form__both_edges_typed_in_either_order(void **state)
{
	static const char *const table[] = { "r 50M Tab 11M Enter",
					     "r Tab 11M Tab 51M Enter",
					     "r Shift-Tab 51M Shift-Tab 11M Enter",
					     "r Tab 11M Shift-Tab 40M Enter" };
	struct bench b;
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		begin(&b, SMALL);
		press(&b, table[i]);
		const struct af_part *part =
			af_layout_number(af_session_disk(b.session).layout, 1);
		assert_int_equal(part->span.start, 11 * AF_MIB);
		assert_int_equal(part->span.end, 51 * AF_MIB);
		assert_int_equal(af_session_undos(b.session), 1);
		end(&b);
	}
}

static void test_form__a_large_step_goes_as_far_as_it_can(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	for (int i = 0; i < 40; i++)
		press(&b, i == 0 ? "r PgUp" : "PgUp");
	assert_true(is_shown(&b, "can only be put") || is_shown(&b, "cannot move"));
	press(&b, "Enter");
	const struct af_part *part = af_layout_number(af_session_disk(b.session).layout, 1);
	assert_int_equal(part->span.end, AF_GIB);
	end(&b);
}

static void test_form__moving_after_rubbish_starts_from_what_is_shown(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "r xyz Enter");
	assert_string_equal(front(&b), "sizing");
	press(&b, "Up Enter");
	const struct af_part *part = af_layout_number(af_session_disk(b.session).layout, 1);
	assert_int_equal(part->span.end, 102 * AF_MIB);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_form__choice_takes_letters_and_arrows),
		cmocka_unit_test(test_form__line_gives_its_text_on_enter_only),
		cmocka_unit_test(test_form__line_leaves_moving_to_the_view_behind),
		cmocka_unit_test(test_scroll__stays_inside_the_text),
		cmocka_unit_test(test_form__nothing_is_done_before_enter),
		cmocka_unit_test(test_form__enter_does_what_was_shown),
		cmocka_unit_test(test_form__what_is_refused_keeps_the_form_and_the_picture),
		cmocka_unit_test(test_form__resize_untouched_is_no_edit),
		cmocka_unit_test(test_form__moving_the_start_keeps_the_end),
		cmocka_unit_test(test_form__a_typed_start_keeps_the_end),
		cmocka_unit_test(test_form__both_edges_typed_in_either_order),
		cmocka_unit_test(test_form__a_large_step_goes_as_far_as_it_can),
		cmocka_unit_test(test_form__moving_after_rubbish_starts_from_what_is_shown),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
