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

static bool is_line(struct af_grid g, af_bytes at)
{
	return at >= g.phase && (at - g.phase) % g.step == 0;
}

static void check_at(struct af_grid g, af_bytes at)
{
	af_bytes up = at, down = at, got;
	while (!is_line(g, up))
		up++;
	while (down >= 0 && !is_line(g, down))
		down--;
	assert_true(af_grid_up(g, at, &got));
	assert_int_equal(got, up);
	assert_int_equal(af_grid_down(g, at, &got), down >= 0);
	if (down >= 0)
		assert_int_equal(got, down);
	assert_int_equal(af_grid_has(g, at), up == at);
	assert_int_equal(af_grid_past(g, at), up == at ? 0 : at - (up - g.step));
}

static void test_grid__agrees_with_brute_force(void **state)
{
	(void)state;
	for (af_bytes step = 1; step <= 12; step++)
		for (af_bytes phase = 0; phase < step; phase++)
			for (af_bytes at = 0; at < 40; at++)
				check_at((struct af_grid){ step, phase }, at);
}

static af_bytes distance(af_bytes a, af_bytes b)
{
	return a > b ? a - b : b - a;
}

static void check_nearest(struct af_grid g, struct af_span within, af_bytes at)
{
	af_bytes best = -1, got = -1;
	for (af_bytes x = within.start; x <= within.end; x++)
		if (is_line(g, x) && (best < 0 || distance(x, at) < distance(best, at)))
			best = x;
	assert_int_equal(af_grid_nearest(g, at, within, &got), best >= 0);
	assert_int_equal(got, best);
}

static void test_grid__nearest_is_nearest_and_inside(void **state)
{
	(void)state;
	struct af_grid g = { 5, 2 };
	for (af_bytes low = 0; low < 20; low++)
		for (af_bytes high = low; high < 20; high++)
			for (af_bytes at = 0; at < 25; at++)
				check_nearest(g, (struct af_span){ low, high }, at);
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
