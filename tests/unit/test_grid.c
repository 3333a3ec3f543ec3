#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/grid.h"

static void test_grid__make_takes_any_offset(void **state)
{
	(void)state;
	struct af_grid g = af_grid_make(4096, -512);
	assert_int_equal(g.phase, 3584);
	g = af_grid_make(4096, 4096 + 512);
	assert_int_equal(g.phase, 512);
}

static void test_grid__agrees_with_brute_force(void **state)
{
	(void)state;
	for (af_bytes step = 1; step <= 12; step++)
		for (af_bytes phase = 0; phase < step; phase++)
			for (af_bytes at = 0; at < 40; at++) {
				struct af_grid g = { step, phase };
				af_bytes up = at, down = at, got;
				while (up < phase || (up - phase) % step)
					up++;
				while (down >= 0 && (down < phase || (down - phase) % step))
					down--;
				assert_true(af_grid_up(g, at, &got));
				assert_int_equal(got, up);
				assert_int_equal(af_grid_down(g, at, &got), down >= 0);
				if (down >= 0)
					assert_int_equal(got, down);
				assert_int_equal(af_grid_has(g, at), up == at);
				assert_int_equal(af_grid_past(g, at),
						 up == at ? 0 : at - (up - step));
			}
}

static void test_grid__nearest_is_nearest_and_inside(void **state)
{
	(void)state;
	struct af_grid g = { 5, 2 };
	for (af_bytes low = 0; low < 20; low++)
		for (af_bytes high = low; high < 20; high++)
			for (af_bytes at = 0; at < 25; at++) {
				af_bytes best = -1, got = -1;
				for (af_bytes x = low; x <= high; x++) {
					af_bytes d = x > at ? x - at : at - x;
					af_bytes b = best > at ? best - at : at - best;
					if (af_grid_has(g, x) && (best < 0 || d < b))
						best = x;
				}
				bool found = af_grid_nearest(
					g, at, (struct af_span){ low, high }, &got);
				assert_int_equal(found, best >= 0);
				assert_int_equal(got, best);
			}
	af_bytes got = 1;
	assert_false(af_grid_nearest(g, 3, (struct af_span){ 9, 4 }, &got));
	assert_int_equal(got, 1);
}

static void test_grid__the_end_of_numbers_is_refused(void **state)
{
	(void)state;
	af_bytes out = 3;
	assert_false(af_grid_up((struct af_grid){ 4096, 0 }, INT64_MAX, &out));
	assert_false(af_grid_down((struct af_grid){ 4096, 512 }, 511, &out));
	assert_int_equal(out, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grid__make_takes_any_offset),
		cmocka_unit_test(test_grid__agrees_with_brute_force),
		cmocka_unit_test(test_grid__nearest_is_nearest_and_inside),
		cmocka_unit_test(test_grid__the_end_of_numbers_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
