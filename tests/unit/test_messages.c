/* The memory of the message line: what is kept, for how long, and how the page shows it. */
#include "editor_bench.h"

static time_t noon(void)
{
	return 12 * 3600 + 34 * 60 + 56; /* in UTC */
}

static void test_messages__the_last_word_of_each_key_is_kept(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "t");
	press(&b, "Down Enter"); /* says two things, one over the other */
	press(&b, "s");
	const struct ui_messages *m = &b.app.messages;
	assert_int_equal(m->n, 1);
	assert_non_null(strstr(m->item[0].text, "partition 1 is now"));
	assert_int_equal(m->item[0].role, UI_ROLE_GOOD);
	end(&b);
}

static void test_messages__the_same_again_is_counted(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "v v v s v M");
	assert_int_equal(b.app.messages.n, 3);
	assert_int_equal(b.app.messages.item[0].times, 3);
	assert_true(is_shown(&b, "(3 times)"));
	assert_true(is_shown(&b, "--:--:--"));
	press(&b, "Esc");
	assert_string_equal(front(&b), "disk");
	end(&b);
}

static void test_messages__have_their_time(void **state)
{
	struct bench b;
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	begin(&b, SMALL);
	ui_app_start_clock(&b.app, noon);
	press(&b, "v M");
	assert_true(is_shown(&b, "12:34:56  there is nothing to write"));
	end(&b);
}

static void test_messages__the_oldest_go(void **state)
{
	struct ui_messages m = { 0 };
	char text[20];
	(void)state;
	for (int i = 0; i < 2 * UI_MESSAGES; i++) {
		snprintf(text, sizeof(text), "%d", i);
		ui_messages_add(&m, 0, UI_ROLE_TEXT, text);
	}
	assert_int_equal(m.n, UI_MESSAGES);
	assert_string_equal(m.item[0].text, "500");
	assert_string_equal(m.item[UI_MESSAGES - 1].text, "999");
	ui_messages_release(&m);
	assert_int_equal(m.n, 0);
}

static void test_messages__long_ones_are_whole_and_the_last_is_seen(void **state)
{
	struct bench b;
	char words[600] = "";
	(void)state;
	for (int i = 0; i < 50; i++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words), "word%d ",
			 i);
	begin(&b, SMALL);
	for (int i = 0; i < 9; i++) {
		ui_app_say(&b.app, UI_ROLE_BAD, "%d: %slast%d", i, words, i);
		press(&b, "Home");
	}
	press(&b, "M");
	assert_true(is_shown(&b, "last8"));
	assert_false(is_shown(&b, "0: word0"));
	press(&b, "Home");
	assert_true(is_shown(&b, "0: word0"));
	assert_true(is_shown(&b, "last0"));
	assert_true(is_shown(&b, "1: word0"));
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages__the_last_word_of_each_key_is_kept),
		cmocka_unit_test(test_messages__the_same_again_is_counted),
		cmocka_unit_test(test_messages__have_their_time),
		cmocka_unit_test(test_messages__the_oldest_go),
		cmocka_unit_test(test_messages__long_ones_are_whole_and_the_last_is_seen),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
