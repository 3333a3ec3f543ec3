#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/patch.h"

static void add(struct af_patch *p, af_bytes at, af_bytes len, const char *what)
{
	unsigned char before[64], after[64];
	struct af_run run = {
		.at = at, .len = len, .phase = 2, .before = before, .after = after
	};

	memset(before, 0x11, sizeof before);
	memset(after, 0x22, sizeof after);
	snprintf(run.what, sizeof run.what, "%s", what);
	af_patch_add(p, &run);
	memset(before, 0, sizeof before); /* what was added is a copy */
	memset(after, 0, sizeof after);
}

static void test_patch__add_copies_the_run(void **state)
{
	struct af_patch p = { 0 };

	(void)state;
	add(&p, 512, 32, "MBR");
	assert_int_equal(p.n, 1);
	assert_int_equal(p.run[0].at, 512);
	assert_int_equal(p.run[0].len, 32);
	assert_int_equal(p.run[0].phase, 2);
	assert_int_equal(p.run[0].before[31], 0x11);
	assert_int_equal(p.run[0].after[31], 0x22);
	assert_string_equal(p.run[0].what, "MBR");
	af_patch_release(&p);
}

static void test_patch__runs_stay_in_the_order_they_were_added(void **state)
{
	struct af_patch p = { 0 };

	(void)state;
	add(&p, 1024, 16, "b");
	add(&p, 0, 16, "a");
	assert_string_equal(p.run[0].what, "b");
	assert_string_equal(p.run[1].what, "a");
	af_patch_release(&p);
}

static void test_patch__bytes_are_those_of_all_runs(void **state)
{
	struct af_patch p = { 0 };

	(void)state;
	assert_int_equal(af_patch_bytes(&p), 0);
	add(&p, 0, 16, "a");
	add(&p, 64, 48, "b");
	assert_int_equal(af_patch_bytes(&p), 64);
	af_patch_release(&p);
}

static void test_patch__at_finds_the_run_over_a_byte(void **state)
{
	struct af_patch p = { 0 };

	(void)state;
	assert_null(af_patch_at(&p, 0));
	add(&p, 100, 16, "a");
	add(&p, 116, 16, "b");
	assert_null(af_patch_at(&p, 99));
	assert_ptr_equal(af_patch_at(&p, 100), &p.run[0]);
	assert_ptr_equal(af_patch_at(&p, 115), &p.run[0]);
	assert_ptr_equal(af_patch_at(&p, 116), &p.run[1]);
	assert_null(af_patch_at(&p, 132));
	af_patch_release(&p);
}

static void test_patch__release_leaves_no_change(void **state)
{
	struct af_patch p = { 0 };

	(void)state;
	add(&p, 0, 16, "a");
	af_patch_release(&p);
	assert_int_equal(p.n, 0);
	assert_null(p.run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patch__add_copies_the_run),
		cmocka_unit_test(test_patch__runs_stay_in_the_order_they_were_added),
		cmocka_unit_test(test_patch__bytes_are_those_of_all_runs),
		cmocka_unit_test(test_patch__at_finds_the_run_over_a_byte),
		cmocka_unit_test(test_patch__release_leaves_no_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
