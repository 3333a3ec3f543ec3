/* The mouse: what terminals report, keys in a line of hints, and what a click, a wheel and a drag do on each screen. */
#include "editor_bench.h"

#include "mouse.h"

static void mouse(struct bench *b, enum ui_mouse_kind kind, int row, int col)
{
	const struct ui_mouse m = { .kind = kind, .row = row, .col = col };
	ui_app_mouse(&b->app, &b->canvas, &m);
	ui_app_draw(&b->app, &b->canvas);
}

static void click(struct bench *b, int row, int col)
{
	mouse(b, UI_MOUSE_PRESS, row, col);
	mouse(b, UI_MOUSE_RELEASE, row, col);
}

/* The place where a text is on the screen. */
static void find(const struct bench *b, const char *text, int *row, int *col)
{
	for (*row = 0; *row < b->canvas.rows; (*row)++)
		for (*col = 0; *col < b->canvas.cols; (*col)++) {
			size_t n = 0;
			while (text[n] && *col + (int)n < b->canvas.cols &&
			       b->canvas.cell[*row * b->canvas.cols + *col + (int)n]
					       .text[0] == text[n])
				n++;
			if (!text[n])
				return;
		}
	fail_msg("'%s' is not on the screen", text);
}

static void click_text(struct bench *b, const char *text)
{
	int row = 0, col = 0;
	find(b, text, &row, &col);
	click(b, row, col);
}

/* --- reports ------------------------------------------------------------------------------------------- */

static void test_mouse__reports_are_read(void **state)
{
	static const struct {
		const char *report;
		enum ui_mouse_kind kind;
		int row, col;
	} table[] = {
		{ "0;1;1M", UI_MOUSE_PRESS, 0, 0 },
		{ "0;12;5m", UI_MOUSE_RELEASE, 4, 11 },
		{ "32;500;200M", UI_MOUSE_DRAG, 199, 499 },
		{ "64;3;4M", UI_MOUSE_WHEEL_UP, 3, 2 },
		{ "65;3;4M", UI_MOUSE_WHEEL_DOWN, 3, 2 },
		{ "16;3;4M", UI_MOUSE_PRESS, 3, 2 }, /* with Ctrl */
	};
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct ui_mouse m;
		assert_true(ui_mouse_read(table[i].report, &m));
		assert_int_equal(m.kind, table[i].kind);
		assert_int_equal(m.row, table[i].row);
		assert_int_equal(m.col, table[i].col);
	}
}

static void test_mouse__what_is_no_report_is_refused(void **state)
{
	static const char *const table[] = {
		"",        "M",       "0;1;1",  "0;1M",        "0;0;1M",   "0;1;0M",
		"1;1;1M",  "2;1;1M",  "3;1;1M", "66;1;1M",     "128;1;1M", "34;1;1M",
		"0;1;1Mx", "-1;1;1M", "0;;1M",  "0;1;999999M", "0 ;1;1M",  "x;1;1M",
	};
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct ui_mouse m;
		if (ui_mouse_read(table[i], &m))
			fail_msg("'%s' was read", table[i]);
	}
}

static void test_mouse__old_reports_are_read(void **state)
{
	struct ui_mouse m;
	(void)state;
	assert_true(ui_mouse_read_old((const unsigned char *)" ,%", &m));
	assert_int_equal(m.kind, UI_MOUSE_PRESS);
	assert_int_equal(m.col, 11);
	assert_int_equal(m.row, 4);
	assert_true(ui_mouse_read_old((const unsigned char *)"#!!", &m));
	assert_int_equal(m.kind, UI_MOUSE_RELEASE);
	assert_true(ui_mouse_read_old((const unsigned char *)"`!!", &m));
	assert_int_equal(m.kind, UI_MOUSE_WHEEL_UP);
	assert_false(ui_mouse_read_old((const unsigned char *)"\"!!", &m)); /* the third */
	assert_false(ui_mouse_read_old((const unsigned char *)" \0\0", &m));
}

static void test_mouse__keys_of_a_hint(void **state)
{
	static const char hint[] =
		"+ - 0: zoom  Esc q: back to editing  yes and Enter: write"
		"  [ ]: edge  Ctrl-Z: undo  none";
	static const struct {
		const char *at;
		int key;
	} table[] = {
		{ "+", '+' },
		{ "- 0", '-' },
		{ "0:", '0' },
		{ "zoom", '+' },
		{ "Esc", UI_KEY_ESCAPE },
		{ "q:", 'q' },
		{ "back", UI_KEY_ESCAPE },
		{ "editing", UI_KEY_ESCAPE },
		{ "Enter", UI_KEY_NONE },
		{ "]", ']' },
		{ "Ctrl-Z", UI_KEY_CTRL('Z') },
		{ "none", UI_KEY_NONE },
		{ "  [", UI_KEY_NONE },
	};
	struct ui_canvas c;
	(void)state;
	ui_canvas_init(&c, 2, 90, false);
	ui_canvas_text(&c, 1, 0, 90, UI_ROLE_HINT, hint);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const int col = (int)(strstr(hint, table[i].at) - hint);
		if (ui_mouse_key_at(&c, 1, col) != table[i].key)
			fail_msg("'%s' is not %x", table[i].at, (unsigned)table[i].key);
		assert_int_equal(ui_mouse_key_at(&c, 0, col), UI_KEY_NONE);
	}
	assert_int_equal(ui_mouse_key_at(&c, 2, 0), UI_KEY_NONE);
	assert_int_equal(ui_mouse_key_at(&c, 1, -1), UI_KEY_NONE);
	assert_int_equal(ui_mouse_key_at(&c, 1, 90), UI_KEY_NONE);
	ui_canvas_release(&c);
}

/* --- the main screen ----------------------------------------------------------------------------------- */

static void test_mouse__a_click_selects_a_row(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "seed");
	click_text(&b, "disk.img6");
	assert_int_equal(ui_app_part(&b.app)->number, 6);
	click_text(&b, "Free space       1");
	assert_true(ui_app_row(&b.app)->is_free);
	click_text(&b, "Device");
	assert_true(ui_app_row(&b.app)->is_free);
	end(&b);
}

static void test_mouse__a_click_selects_in_the_bar(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "2097152 512 dos 1 p1=2048+1024000,83 p2=1026048+512000,83");
	const struct ui_rect bar = ui_disk_places(&b.app).bar;
	click(&b, bar.row + 1, 45);
	assert_int_equal(ui_app_part(&b.app)->number, 2);
	assert_int_equal(b.app.picture.edge, 0);
	click(&b, bar.row, 30);
	assert_int_equal(ui_app_part(&b.app)->number, 1);
	assert_int_equal(b.app.picture.edge, 1);
	click(&b, bar.row + 2, 79);
	assert_true(ui_app_row(&b.app)->is_free);
	assert_int_equal(b.app.picture.edge, 1);
	end(&b);
}

static void test_mouse__a_click_in_the_lens_selects_its_edge(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "seed");
	const struct ui_rect lens = ui_disk_places(&b.app).lens;
	click(&b, lens.row + 1, 60);
	assert_int_equal(b.app.picture.edge, 1);
	click(&b, lens.row + 1, 10);
	assert_int_equal(b.app.picture.edge, 0);
	assert_int_equal(b.app.picture.selected, 0);
	end(&b);
}

static void test_mouse__clicks_go_through_those_that_share_a_column(void **state)
{
	struct bench b;
	bool seen[130] = { false };
	(void)state;
	begin(&b, "gpt128");
	const struct ui_rect bar = ui_disk_places(&b.app).bar;
	for (int col = 0; col < 80; col++)
		for (int i = 0; i < 6; i++) {
			click(&b, bar.row + 1, col);
			if (ui_app_part(&b.app))
				seen[ui_app_part(&b.app)->number] = true;
		}
	for (int i = 1; i <= 128; i++)
		if (!seen[i])
			fail_msg("no click selects partition %d", i);
	end(&b);
}

static void test_mouse__the_wheel_selects_and_zooms(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "seed");
	const struct ui_places p = ui_disk_places(&b.app);
	mouse(&b, UI_MOUSE_WHEEL_DOWN, p.table.row + 2, 5);
	assert_int_equal(b.app.picture.selected, 1);
	mouse(&b, UI_MOUSE_WHEEL_UP, p.table.row + 2, 5);
	assert_int_equal(b.app.picture.selected, 0);
	mouse(&b, UI_MOUSE_WHEEL_UP, p.bar.row + 1, 5);
	assert_int_equal(b.app.picture.zoom, 1);
	mouse(&b, UI_MOUSE_WHEEL_DOWN, p.bar.row + 1, 5);
	assert_int_equal(b.app.picture.zoom, 0);
	end(&b);
}

static void test_mouse__a_click_does_what_the_menu_and_the_hints_say(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	click_text(&b, " Delete ");
	assert_int_equal(af_session_disk(b.session).layout->nparts, 0);
	press(&b, "Ctrl-Z Home");
	click_text(&b, "h: all keys");
	assert_string_equal(front(&b), "help");
	mouse(&b, UI_MOUSE_WHEEL_DOWN, 5, 5);
	assert_false(is_shown(&b, "Select"));
	assert_string_equal(front(&b), "help");
	press(&b, "Esc l");
	click_text(&b, " gpt ");
	assert_int_equal(af_session_disk(b.session).layout->scheme, AF_SCHEME_GPT);
	press(&b, "Ctrl-Z l");
	click_text(&b, "Esc");
	click(&b, 23, 70);
	assert_string_equal(front(&b), "choice");
	end(&b);
}

static void test_mouse__a_click_selects_a_type_and_one_more_takes_it(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "t");
	click_text(&b, "Linux swap");
	assert_string_equal(front(&b), "types");
	click_text(&b, "Linux swap");
	assert_string_equal(front(&b), "disk");
	assert_int_equal(af_session_disk(b.session).layout->part[0].type[0], 0x82);
	end(&b);
}

/* --- edges --------------------------------------------------------------------------------------------- */

/* 10 GiB: a column is 128 MiB. */
#define WIDE "20971520 512 dos 1 p1=2097152+8388608,83"

/* Where the partition is now, in sectors. */
static void expect_span(const struct bench *b, int64_t start, int64_t end)
{
	const struct af_part *part = &b->app.picture.disk.layout->part[0];
	assert_int_equal(part->span.start / 512, start);
	assert_int_equal(part->span.end / 512, end);
}

static void test_mouse__drags_an_end_and_enter_does_it(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, WIDE);
	const int row = ui_disk_places(&b.app).bar.row + 1;
	mouse(&b, UI_MOUSE_PRESS, row, 39);
	assert_int_equal(b.app.picture.edge, 1);
	mouse(&b, UI_MOUSE_DRAG, row, 47);
	assert_string_equal(front(&b), "sizing");
	expect_span(&b, 2097152, 12582912);
	mouse(&b, UI_MOUSE_DRAG, row + 9, 23);
	expect_span(&b, 2097152, 6291456);
	mouse(&b, UI_MOUSE_RELEASE, row + 9, 23);
	mouse(&b, UI_MOUSE_DRAG, row, 60); /* nothing is held any more */
	expect_span(&b, 2097152, 6291456);
	assert_false(af_session_modified(b.session));
	press(&b, "Enter");
	assert_true(af_session_modified(b.session));
	expect_span(&b, 2097152, 6291456);
	end(&b);
}

static void test_mouse__drags_a_start_and_esc_does_not(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, WIDE);
	const int row = ui_disk_places(&b.app).bar.row + 1;
	mouse(&b, UI_MOUSE_PRESS, row, 8);
	mouse(&b, UI_MOUSE_DRAG, row, 16);
	expect_span(&b, 4194304, 10485760);
	mouse(&b, UI_MOUSE_RELEASE, row, 16);
	mouse(&b, UI_MOUSE_PRESS, row, 39); /* now the other edge */
	mouse(&b, UI_MOUSE_DRAG, row, 31);
	expect_span(&b, 4194304, 8388608);
	press(&b, "Esc");
	assert_false(af_session_modified(b.session));
	expect_span(&b, 2097152, 10485760);
	end(&b);
}

static void test_mouse__an_edge_stops_at_its_neighbour(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "20971520 512 dos 1 p1=2097152+2097152,83 p2=8388608+2097152,83");
	const int row = ui_disk_places(&b.app).bar.row + 1;
	mouse(&b, UI_MOUSE_PRESS, row, 15);
	mouse(&b, UI_MOUSE_DRAG, row, 60); /* at once, and from as far on */
	expect_span(&b, 2097152, 8388608);
	mouse(&b, UI_MOUSE_DRAG, row, 61);
	expect_span(&b, 2097152, 8388608);
	end(&b);
}

static void test_mouse__a_drag_never_goes_past_data(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, WIDE " poke=1073741824,4c554b53babe0001");
	const int row = ui_disk_places(&b.app).bar.row + 1;
	mouse(&b, UI_MOUSE_PRESS, row, 39);
	for (int i = 0; i < 5; i++)
		mouse(&b, UI_MOUSE_DRAG, row, 30 - i);
	expect_span(&b, 2097152, 10485760);
	assert_true(is_shown(&b, "holds data"));
	mouse(&b, UI_MOUSE_RELEASE, row, 26);
	expect_span(&b, 2097152, 10485760);
	end(&b);
}

static void test_mouse__the_bar_stands_still_under_a_drag(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, WIDE);
	press(&b, "Down ] + +");
	const struct ui_rect bar = ui_disk_places(&b.app).bar;
	const struct af_span view = ui_bar_view(&b.app.picture, 80);
	const int col = ui_bar_column(view, 80, b.app.picture.row[1].span.end - 1);
	mouse(&b, UI_MOUSE_PRESS, bar.row, col);
	for (int i = 1; i < 8; i++)
		mouse(&b, UI_MOUSE_DRAG, bar.row, col + i);
	const struct af_span now = ui_bar_view(&b.app.picture, 80);
	assert_int_equal(now.start, view.start);
	assert_int_equal(now.end, view.end);
	assert_int_equal(b.app.picture.disk.layout->part[0].span.end,
			 ui_bar_byte(view, 80, col + 8));
	mouse(&b, UI_MOUSE_RELEASE, bar.row, col + 8);
	assert_int_equal(af_span_size(b.app.picture.held), 0);
	assert_int_equal(ui_bar_view(&b.app.picture, 80).start, view.start);
	end(&b);
}

static void test_mouse__nothing_is_dragged_where_nothing_may_change(void **state)
{
	struct bench b;
	(void)state;
	/* the second EBR has no signature */
	begin(&b, "2097152 512 dos 1 p1=262144+524288,83 e2=1048576+200000,5 "
		  "l5=1048639+1000,83 l6=1058639+1000,83,ebr=1058000 poke=541696510,0000");
	const int row = ui_disk_places(&b.app).bar.row + 1;
	mouse(&b, UI_MOUSE_PRESS, row, 29);
	assert_int_equal(ui_app_part(&b.app)->number, 1);
	mouse(&b, UI_MOUSE_DRAG, row, 35);
	assert_string_equal(front(&b), "disk");
	assert_true(is_shown(&b, "cannot be changed"));
	end(&b);
}

static void test_mouse__a_small_window_takes_no_click(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "seed");
	ui_canvas_release(&b.canvas);
	ui_canvas_init(&b.canvas, 23, 80, false);
	ui_app_draw(&b.app, &b.canvas);
	click(&b, 10, 5);
	click(&b, 21, 5);
	assert_int_equal(b.app.picture.selected, 0);
	assert_string_equal(front(&b), "disk");
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mouse__reports_are_read),
		cmocka_unit_test(test_mouse__what_is_no_report_is_refused),
		cmocka_unit_test(test_mouse__old_reports_are_read),
		cmocka_unit_test(test_mouse__keys_of_a_hint),
		cmocka_unit_test(test_mouse__a_click_selects_a_row),
		cmocka_unit_test(test_mouse__a_click_selects_in_the_bar),
		cmocka_unit_test(test_mouse__a_click_in_the_lens_selects_its_edge),
		cmocka_unit_test(test_mouse__clicks_go_through_those_that_share_a_column),
		cmocka_unit_test(test_mouse__the_wheel_selects_and_zooms),
		cmocka_unit_test(test_mouse__a_click_does_what_the_menu_and_the_hints_say),
		cmocka_unit_test(test_mouse__a_click_selects_a_type_and_one_more_takes_it),
		cmocka_unit_test(test_mouse__drags_an_end_and_enter_does_it),
		cmocka_unit_test(test_mouse__drags_a_start_and_esc_does_not),
		cmocka_unit_test(test_mouse__an_edge_stops_at_its_neighbour),
		cmocka_unit_test(test_mouse__a_drag_never_goes_past_data),
		cmocka_unit_test(test_mouse__the_bar_stands_still_under_a_drag),
		cmocka_unit_test(test_mouse__nothing_is_dragged_where_nothing_may_change),
		cmocka_unit_test(test_mouse__a_small_window_takes_no_click),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
