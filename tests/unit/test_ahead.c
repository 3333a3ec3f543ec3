/*
 * What was drawn ahead is what the key brings: the same cells, the same editor.
 */
#include "ahead.h"
#include "editor_bench.h"
#include "gen.h"

/* Carries out an arrow key on what was drawn ahead and beside it, by drawing. */
static void check_key(struct bench *b, struct ui_ahead *a, int key)
{
	struct ui_app plain = b->app;
	struct ui_canvas drawn = { 0 };
	ui_canvas_init(&drawn, b->canvas.rows, b->canvas.cols, b->canvas.ascii);
	ui_ahead_make(a, &b->app, &b->canvas);
	ui_app_key(&plain, key);
	ui_app_draw(&plain, &drawn);
	assert_true(ui_ahead_take(a, key, &b->app, &b->canvas));
	assert_memory_equal(b->canvas.cell, drawn.cell,
			    (size_t)drawn.rows * (size_t)drawn.cols * sizeof(*drawn.cell));
	assert_int_equal(b->app.picture.selected, plain.picture.selected);
	assert_int_equal(b->app.picture.top, plain.picture.top);
	assert_int_equal(b->app.picture.from, plain.picture.from);
	assert_int_equal(b->app.menu, plain.menu);
	ui_canvas_release(&drawn);
}

static void walk(const char *disk, const char *keys, uint64_t seed)
{
	struct bench b;
	struct ui_ahead a = { 0 };
	struct gen g = { seed };
	begin(&b, disk);
	press(&b, keys);
	press(&b, "Up Down"); /* nothing is said any more */
	for (int i = 0; i < 120; i++)
		check_key(&b, &a, gen_below(&g, 3) ? UI_KEY_DOWN : UI_KEY_UP);
	ui_ahead_release(&a);
	end(&b);
}

static void test_ahead__is_what_the_key_brings(void **state)
{
	(void)state;
	walk("seed", "", 1);
	walk("gpt128", "", 2);
	walk("gpt128", "+ + + ]", 3);
	walk("dos56", "x", 4);
	walk("dos56", "x x i", 5);
	walk("seed", "d Ctrl-Z", 6);
}

static void test_ahead__only_where_arrows_select_rows(void **state)
{
	struct bench b;
	struct ui_ahead a = { 0 };
	(void)state;
	begin(&b, "seed");
	press(&b, "d"); /* says what was done, which the next key takes back */
	ui_ahead_make(&a, &b.app, &b.canvas);
	assert_false(ui_ahead_take(&a, UI_KEY_DOWN, &b.app, &b.canvas));
	press(&b, "Down r");
	assert_string_not_equal(front(&b), "disk");
	ui_ahead_make(&a, &b.app, &b.canvas);
	assert_false(ui_ahead_take(&a, UI_KEY_DOWN, &b.app, &b.canvas));
	ui_ahead_release(&a);
	end(&b);
}

static void test_ahead__is_for_one_key(void **state)
{
	struct bench b;
	struct ui_ahead a = { 0 };
	(void)state;
	begin(&b, "seed");
	ui_ahead_make(&a, &b.app, &b.canvas);
	assert_false(ui_ahead_take(&a, UI_KEY_END, &b.app, &b.canvas));
	assert_false(ui_ahead_take(&a, UI_KEY_DOWN, &b.app, &b.canvas));
	ui_ahead_make(&a, &b.app, &b.canvas);
	ui_ahead_drop(&a);
	assert_false(ui_ahead_take(&a, UI_KEY_DOWN, &b.app, &b.canvas));
	ui_ahead_make(&a, &b.app, &b.canvas);
	assert_true(ui_ahead_take(&a, 'j', &b.app, &b.canvas));
	assert_false(ui_ahead_take(&a, 'j', &b.app, &b.canvas));
	assert_int_equal(b.app.picture.selected, 1);
	ui_ahead_release(&a);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ahead__is_what_the_key_brings),
		cmocka_unit_test(test_ahead__only_where_arrows_select_rows),
		cmocka_unit_test(test_ahead__is_for_one_key),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
