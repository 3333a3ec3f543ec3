#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/units.h"

static void test_units__sums_that_do_not_fit_are_refused(void **state)
{
	(void)state;
	af_bytes out = 7;
	assert_false(af_add(INT64_MAX, 1, &out));
	assert_false(af_mul(INT64_MAX, 2, &out));
	assert_int_equal(out, 7);
	assert_true(af_add(40, 2, &out));
	assert_int_equal(out, 42);
	assert_true(af_mul(-6, 7, &out));
	assert_int_equal(out, -42);
}

static void test_units__hostile_sectors_are_refused(void **state)
{
	(void)state;
	af_bytes out = 7;
	assert_false(af_lba_to_bytes((struct af_lba){ UINT64_MAX }, 512, &out));
	assert_false(af_lba_to_bytes((struct af_lba){ UINT64_MAX / 512 }, 512, &out));
	assert_false(
		af_s512_to_bytes((struct af_s512){ (uint64_t)INT64_MAX / 512 + 1 }, &out));
	assert_int_equal(out, 7);
	assert_true(af_lba_to_bytes((struct af_lba){ 63 }, 512, &out));
	assert_int_equal(out, 32256);
	assert_true(af_lba_to_bytes((struct af_lba){ 63 }, 4096, &out));
	assert_int_equal(out, 258048);
	assert_true(af_s512_to_bytes((struct af_s512){ 8 }, &out));
	assert_int_equal(out, 4096);
}

static void test_units__bytes_become_sectors(void **state)
{
	(void)state;
	assert_int_equal(af_lba_of(32256, 512).n, 63);
	assert_int_equal(af_lba_of(32257, 512).n, 63);
	assert_int_equal(af_sectors(4096 * 7 + 1, 4096), 7);
	assert_int_equal(af_sectors(-1024, 512), -2);
}

static void test_units__scale_does_not_overflow(void **state)
{
	(void)state;
	assert_int_equal(af_scale(INT64_MAX / 2, INT64_MAX, 80), 39);
	assert_int_equal(af_scale(INT64_MAX, INT64_MAX, INT64_MAX), INT64_MAX);
	assert_int_equal(af_scale(0, 1, 80), 0);
	assert_int_equal(af_scale(1, 3, 10), 3);
}

static void test_units__spans_are_half_open(void **state)
{
	(void)state;
	struct af_span a = { 10, 20 }, b = { 20, 30 }, in = { 12, 20 };
	assert_int_equal(af_span_size(a), 10);
	assert_false(af_span_overlap(a, b));
	assert_true(af_span_overlap(a, in));
	assert_true(af_span_inside(in, a));
	assert_false(af_span_inside(b, a));
	assert_true(af_span_has(a, 10));
	assert_false(af_span_has(a, 20));
	assert_true(af_span_equal(a, (struct af_span){ 10, 20 }));
	assert_false(af_span_equal(a, in));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units__sums_that_do_not_fit_are_refused),
		cmocka_unit_test(test_units__hostile_sectors_are_refused),
		cmocka_unit_test(test_units__bytes_become_sectors),
		cmocka_unit_test(test_units__scale_does_not_overflow),
		cmocka_unit_test(test_units__spans_are_half_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
