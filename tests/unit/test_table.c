/* The table: golden pictures, scrolling, and what must be seen on a narrow screen. */
#include "picture_look.h"
#include "picture_more.h"

struct golden_row {
	const char *name;
	void (*make)(struct test_disk *d);
	size_t selected;
	enum ui_units units;
	struct test_look look;
};

static void make_no_table(struct test_disk *d)
{
	test_disk_empty(d, AF_SCHEME_NONE);
}

static const struct golden_row golden_table[] = {
	{ "table-seed-63", test_disk_seed_63, 0, UI_UNITS_HUMAN, { 8, 80, false, true } },
	{ "table-seed-63-sectors",
	  test_disk_seed_63,
	  4,
	  UI_UNITS_SECTORS,
	  { 8, 80, true, false } },
	{ "table-seed-63-bytes",
	  test_disk_seed_63,
	  2,
	  UI_UNITS_BYTES,
	  { 8, 80, false, false } },
	{ "table-seed-63-wide",
	  test_disk_seed_63,
	  5,
	  UI_UNITS_HUMAN,
	  { 8, 200, false, false } },
	{ "table-seed-63-narrow",
	  test_disk_seed_63,
	  3,
	  UI_UNITS_HUMAN,
	  { 8, 50, false, false } },
	{ "table-seed-aligned",
	  test_disk_seed_aligned,
	  1,
	  UI_UNITS_HUMAN,
	  { 8, 80, false, false } },
	{ "table-desktop", test_disk_desktop, 5, UI_UNITS_HUMAN, { 7, 80, false, true } },
	{ "table-gpt128", test_disk_gpt128, 70, UI_UNITS_HUMAN, { 10, 80, false, false } },
	{ "table-4k", test_disk_4k, 1, UI_UNITS_SECTORS, { 5, 80, false, false } },
	{ "table-offset", test_disk_offset, 0, UI_UNITS_HUMAN, { 6, 80, false, false } },
	{ "table-huge", test_disk_huge, 0, UI_UNITS_HUMAN, { 6, 80, false, false } },
	{ "table-huge-bytes", test_disk_huge, 0, UI_UNITS_BYTES, { 6, 80, false, false } },
	{ "table-no-table", make_no_table, 0, UI_UNITS_HUMAN, { 3, 80, false, false } },
};

static void test_table__looks_as_blessed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(golden_table) / sizeof(golden_table[0]); i++) {
		const struct golden_row *g = &golden_table[i];
		struct test_disk d;
		g->make(&d);
		d.p.selected = g->selected;
		d.p.units = g->units;
		test_golden(&d, TEST_TABLE, g->look, g->name);
		test_disk_release(&d);
	}
}

static void test_table__ends_are_inclusive_and_in_the_disks_sectors(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	assert_true(test_says(&d, TEST_TABLE, 8, 80, "63   20971583"));
	test_disk_release(&d);
	test_disk_4k(&d);
	assert_true(test_says(&d, TEST_TABLE, 8, 80, "256  26214655"));
	test_disk_release(&d);
}

static void test_table__twelve_digits_and_the_status_fit_80_columns(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_huge(&d);
	assert_true(test_says(&d, TEST_TABLE, 8, 80, "300000000007 899999999999"));
	assert_true(test_says(&d, TEST_TABLE, 8, 80, "misaligned"));
	assert_true(test_says(&d, TEST_TABLE, 8, 80, "tail"));
	test_disk_release(&d);
}

static void test_table__the_status_survives_every_width(void **state)
{
	(void)state;
	for (int cols = 27; cols <= 300; cols++) {
		struct test_disk d;
		test_disk_seed_63(&d);
		assert_true(test_says(&d, TEST_TABLE, 8, cols, "× misaligned"));
		assert_true(test_says(&d, TEST_TABLE, 8, cols, "sda6"));
		test_disk_release(&d);
	}
}

static void test_table__wide_screens_show_more(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	assert_true(test_says(&d, TEST_TABLE, 8, 132, "misaligned +7"));
	assert_true(test_says(&d, TEST_TABLE, 8, 132, "Sectors   Size"));
	assert_true(test_says(&d, TEST_TABLE, 8, 132, "82 Linux swap / Solaris"));
	test_disk_release(&d);
}

static void test_table__contents_are_told_apart(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	struct af_content *content = &d.contents.item[0];
	assert_true(test_says(&d, TEST_TABLE, 2, 132, "ext3 root"));
	content->state = AF_CONTENT_UNREADABLE;
	assert_true(test_says(&d, TEST_TABLE, 2, 132, "  ?  "));
	content->state = AF_CONTENT_NONE;
	assert_true(test_says(&d, TEST_TABLE, 2, 132, "  -  "));
	content->state = AF_CONTENT_UNKNOWN;
	struct af_content *rest = &d.contents.item[1];
	for (size_t i = 0; i + 1 < d.contents.n; i++)
		rest[i].state = AF_CONTENT_UNKNOWN;
	assert_false(test_says(&d, TEST_TABLE, 8, 132, " FS "));
	test_disk_release(&d);
}

static void test_table__odd_names_are_cleaned_and_cut(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_gpt128(&d);
	(void)snprintf(
		d.layout.part[0].name, AF_NAME_MAX, "a\033[31m\n%s",
		"long name that is longer than the column may be, by far and by more");
	d.p.disk.path = "/tmp/a-very-long-name-of-an-image-file.img";
	test_stays_inside(&d, TEST_TABLE, 10, 80);
	assert_true(test_says(&d, TEST_TABLE, 10, 80, "#1"));
	test_disk_release(&d);
}

static void test_table__long_device_names_give_way(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_gpt128(&d);
	d.p.disk.path = "/tmp/disk-of-server-17.img";
	assert_true(test_says(&d, TEST_TABLE, 10, 80, "#2 "));
	assert_true(test_says(&d, TEST_TABLE, 10, 80, "Linux filesystem"));
	assert_true(test_says(&d, TEST_TABLE, 10, 132, "disk-of-server-17.img2 "));
	test_disk_release(&d);
}

/* One line high or as high as a wall: the selected row is there, with its cursor. */
static void test_table__the_selected_row_is_seen_at_every_height(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_gpt128(&d);
	for (int rows = 1; rows <= 140; rows += rows < 6 ? 1 : 33)
		for (d.p.selected = 0; d.p.selected < d.p.nrows; d.p.selected += 3) {
			char cursor[64];
			const struct af_part *part = ui_picture_part(&d.p, d.p.selected);
			(void)snprintf(cursor, sizeof(cursor), "► %s",
				       part ? "sda" : "Free");
			if (part)
				(void)snprintf(cursor, sizeof(cursor), "► sda%" PRIu32 " ",
					       part->number);
			assert_true(test_says(&d, TEST_TABLE, rows, 80, cursor));
			assert_true(d.p.top <= d.p.selected);
		}
	test_disk_release(&d);
}

static void test_table__marks_say_that_there_is_more(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_gpt128(&d);
	assert_true(test_says(&d, TEST_TABLE, 10, 80, "↓"));
	assert_false(test_says(&d, TEST_TABLE, 10, 80, "↑"));
	d.p.selected = 60;
	assert_true(test_says(&d, TEST_TABLE, 10, 80, "↑"));
	assert_true(test_says(&d, TEST_TABLE, 10, 80, "↓"));
	d.p.selected = d.p.nrows - 1;
	assert_true(test_says(&d, TEST_TABLE, 10, 80, "↑"));
	assert_false(test_says(&d, TEST_TABLE, 10, 80, "↓"));
	test_disk_release(&d);
}

static void test_table__a_thousand_rows_scroll(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_init(&d, AF_SCHEME_GPT, SEED_SECTORS, 512);
	for (int64_t i = 1; i <= 1000; i++)
		test_disk_add(&d, (struct test_part){ .number = (uint32_t)i,
						      .start = i * 2048,
						      .end = i * 2048 + 2047 });
	ui_picture_rows(&d.p, 0);
	d.p.selected = 999;
	assert_true(test_says(&d, TEST_TABLE, 12, 80, "sda1000"));
	assert_int_equal(d.p.top, 989);
	d.p.selected = 0;
	assert_true(test_says(&d, TEST_TABLE, 12, 80, "sda1 "));
	assert_int_equal(d.p.top, 0);
	test_disk_release(&d);
}

static void test_table__writes_nothing_outside(void **state)
{
	(void)state;
	uint32_t seed = 5;
	for (int i = 0; i < 100; i++) {
		struct test_disk d;
		test_disk_random_logicals(&d, &seed, 1 + test_random(&seed, 56));
		d.p.selected = test_random(&seed, (uint32_t)d.p.nrows);
		d.p.units = (enum ui_units)(i % 3);
		test_stays_inside(&d, TEST_TABLE, 1 + i % 30, i < 30 ? 1 + i : 10 + 3 * i);
		test_disk_release(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table__looks_as_blessed),
		cmocka_unit_test(test_table__ends_are_inclusive_and_in_the_disks_sectors),
		cmocka_unit_test(test_table__twelve_digits_and_the_status_fit_80_columns),
		cmocka_unit_test(test_table__the_status_survives_every_width),
		cmocka_unit_test(test_table__wide_screens_show_more),
		cmocka_unit_test(test_table__contents_are_told_apart),
		cmocka_unit_test(test_table__odd_names_are_cleaned_and_cut),
		cmocka_unit_test(test_table__long_device_names_give_way),
		cmocka_unit_test(test_table__the_selected_row_is_seen_at_every_height),
		cmocka_unit_test(test_table__marks_say_that_there_is_more),
		cmocka_unit_test(test_table__a_thousand_rows_scroll),
		cmocka_unit_test(test_table__writes_nothing_outside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
