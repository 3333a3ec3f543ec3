/* The lists of options, edit commands and exit statuses: complete, of one style, and what --help prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/command.h"
#include "afdisk/options.h"

/* One sentence: something is said, in small letters at first, and no period ends it. */
static void check_sentence(const char *s)
{
	assert_non_null(s);
	assert_true(strlen(s) > 3);
	assert_false(s[0] >= 'A' && s[0] <= 'Z');
	assert_int_not_equal(s[strlen(s) - 1] == '.' && s[strlen(s) - 2] != '.', 1);
}

static void test_options__every_row_is_complete_and_none_is_there_twice(void **state)
{
	(void)state;
	for (int i = 0; i < AF_OPTIONS; i++) {
		const struct af_option *o = af_option((enum af_option_id)i);
		assert_non_null(o->name);
		check_sentence(o->help);
		assert_int_equal(o->value != NULL, o->takes != AF_TAKES_NOTHING);
		for (int k = 0; k < i; k++) {
			const struct af_option *before = af_option((enum af_option_id)k);
			assert_string_not_equal(o->name, before->name);
			assert_true(o->letter == '\0' || o->letter != before->letter);
		}
	}
}

static void test_options__verbs_come_first_and_they_alone_name_a_device(void **state)
{
	(void)state;
	assert_true(af_option_is_verb(AF_OPTION_VERSION));
	assert_false(af_option_is_verb(AF_OPTION_WRITE));
	for (int i = 0; i < AF_OPTIONS; i++) {
		const enum af_option_id id = (enum af_option_id)i;
		if (af_option(id)->maybe_device)
			assert_true(af_option_is_verb(id));
	}
}

static void test_options__the_exit_statuses_are_0_to_3(void **state)
{
	(void)state;
	for (int i = 0; i <= 3; i++)
		assert_non_null(af_option_exit(i));
	assert_null(af_option_exit(4));
	assert_null(af_option_exit(-1));
}

static void test_options__a_row_wraps_both_of_its_columns(void **state)
{
	struct af_text t = { 0 };
	(void)state;
	af_option_row(&t, "-x, --example", "short");
	af_option_row(&t,
		      "a head that is too long for the first column and for the line, so "
		      "that it is wrapped, too",
		      "a sentence that is too long for the second column of the text");
	assert_string_equal(af_text_get(&t),
			    "  -x, --example                short\n"
			    "  a head that is too long for the first column and for the "
			    "line, so that it is\n"
			    "      wrapped, too             a sentence that is too long "
			    "for the second\n"
			    "                               column of the text\n");
	af_text_release(&t);
}

static void test_options__a_head_shows_letter_and_value(void **state)
{
	struct af_text t = { 0 };
	(void)state;
	af_option_head(&t, af_option(AF_OPTION_COLOR));
	assert_string_equal(af_text_get(&t), "-L, --color[=WHEN]");
	af_text_clear(&t);
	af_option_head(&t, af_option(AF_OPTION_APPLY));
	assert_string_equal(af_text_get(&t), "    --apply FILE");
	af_text_release(&t);
}

static void test_options__every_edit_command_has_its_word_usage_and_sentence(void **state)
{
	(void)state;
	for (int i = 0; i < AF_VERBS; i++) {
		const struct af_command_info *c = af_command_info((enum af_verb)i);
		const size_t n = strlen(c->word);
		check_sentence(c->help);
		assert_memory_equal(c->usage, c->word, n);
		assert_true(c->usage[n] == ' ' || c->usage[n] == '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_options__every_row_is_complete_and_none_is_there_twice),
		cmocka_unit_test(
			test_options__verbs_come_first_and_they_alone_name_a_device),
		cmocka_unit_test(test_options__the_exit_statuses_are_0_to_3),
		cmocka_unit_test(test_options__a_row_wraps_both_of_its_columns),
		cmocka_unit_test(test_options__a_head_shows_letter_and_value),
		cmocka_unit_test(
			test_options__every_edit_command_has_its_word_usage_and_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
