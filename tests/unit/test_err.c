#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/err.h"
#include <errno.h>
#include <string.h>

static void test_err__fail_fills_everything_and_is_false(void **state)
{
	(void)state;
	struct af_err err = { .sys = EIO };
	assert_false(af_fail(&err, AF_E_RANGE, "sector %d of %s", 7, "disk.img"));
	assert_int_equal(err.code, AF_E_RANGE);
	assert_int_equal(err.sys, 0);
	assert_string_equal(err.text, "sector 7 of disk.img");
}

static void test_err__system_failures_say_why(void **state)
{
	(void)state;
	struct af_err err = { .code = AF_OK };
	assert_false(af_fail_sys(&err, EIO, "reading sector %d", 0));
	assert_int_equal(err.code, AF_E_IO);
	assert_int_equal(err.sys, EIO);
	assert_string_equal(err.text, "reading sector 0: Input/output error");
}

static void test_err__within_puts_the_place_before(void **state)
{
	(void)state;
	struct af_err err = { .code = AF_OK };
	(void)af_fail_sys(&err, EIO, "reading sector %d", 0);
	assert_false(af_fail_within(&err, "/dev/%s", "sda"));
	assert_int_equal(err.code, AF_E_IO);
	assert_int_equal(err.sys, EIO);
	assert_string_equal(err.text, "/dev/sda: reading sector 0: Input/output error");
}

static void test_err__a_long_text_is_cut_not_overrun(void **state)
{
	(void)state;
	struct af_err err = { .code = AF_OK };
	char word[1200];
	memset(word, 'x', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	assert_false(af_fail(&err, AF_E_USAGE, "%s", word));
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_false(af_fail_within(&err, "%s", word));
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_err__fail_fills_everything_and_is_false),
		cmocka_unit_test(test_err__system_failures_say_why),
		cmocka_unit_test(test_err__within_puts_the_place_before),
		cmocka_unit_test(test_err__a_long_text_is_cut_not_overrun),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
