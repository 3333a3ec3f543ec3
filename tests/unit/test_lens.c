/* The lens: golden pictures, and what its sentence says about whom. */
#include "picture_look.h"
#include "picture_more.h"

struct golden_row {
	const char *name;
	void (*make)(struct test_disk *d);
	size_t selected;
	int edge;
	struct test_look look;
};

static void make_empty_gpt(struct test_disk *d)
{
	test_disk_empty(d, AF_SCHEME_GPT);
}

/** A partition at 63 with room to move, and nothing inside. */
static void make_movable(struct test_disk *d)
{
	static const struct test_part part = { 1,    AF_ROLE_PRIMARY, 63,   20971520, 0,
					       0x83, false,           NULL, NULL };
	test_disk_init(d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	test_disk_parts(d, &part, 1);
}

/** A RAID of three data disks: boundaries far apart, and no power of two. */
static void make_stripe(struct test_disk *d)
{
	test_disk_desktop(d);
	d->topo.minimum_io = 192 * AF_KIB;
	d->rules = af_align_rules(&d->topo, false);
	ui_picture_rows(&d->p, 0);
}

static const struct golden_row golden_table[] = {
	{ "lens-stripe", make_stripe, 0, 0, { 5, 80, false, false } },
	{ "lens-seed-63", test_disk_seed_63, 0, 0, { 5, 80, false, true } },
	{ "lens-seed-63-tail", test_disk_seed_63, 1, 1, { 5, 80, false, false } },
	{ "lens-seed-63-extended", test_disk_seed_63, 2, 0, { 5, 80, false, true } },
	{ "lens-seed-63-logical", test_disk_seed_63, 3, 0, { 5, 80, true, false } },
	{ "lens-seed-63-free", test_disk_seed_63, 5, 0, { 5, 80, false, false } },
	{ "lens-seed-63-wide", test_disk_seed_63, 0, 0, { 5, 200, false, false } },
	{ "lens-seed-63-low", test_disk_seed_63, 0, 0, { 4, 80, false, false } },
	{ "lens-seed-aligned", test_disk_seed_aligned, 4, 0, { 5, 80, false, false } },
	{ "lens-desktop", test_disk_desktop, 2, 0, { 5, 80, false, false } },
	{ "lens-movable", make_movable, 0, 0, { 5, 80, false, false } },
	{ "lens-4k", test_disk_4k, 1, 0, { 5, 80, false, false } },
	{ "lens-offset", test_disk_offset, 0, 0, { 5, 80, false, false } },
	{ "lens-offset-off", test_disk_offset, 2, 0, { 5, 80, false, false } },
	{ "lens-empty-gpt", make_empty_gpt, 0, 0, { 5, 80, false, false } },
};

static void test_lens__looks_as_blessed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(golden_table) / sizeof(golden_table[0]); i++) {
		const struct golden_row *g = &golden_table[i];
		struct test_disk d;
		g->make(&d);
		d.p.selected = g->selected;
		d.p.edge = g->edge;
		test_golden(&d, TEST_LENS, g->look, g->name);
		test_disk_release(&d);
	}
}

static void test_lens__costs_are_those_of_the_file_system_inside(void **state)
{
	(void)state;
	static const char *const case_table[][2] = {
		{ "ext2", "ext2 wrote 114 MB/s at sector 63 and 126 MB/s at 64" },
		{ "ext3", "ext3 wrote 47 MB/s at sector 63 and 87 MB/s at 64" },
		{ "ext4", "ext4 wrote 92 MB/s at sector 63 and 106 MB/s at 64" },
		{ "reiserfs", "reiserfs wrote 87 MB/s at sector 63 and 101 MB/s at 64" },
		{ "vfat", "vfat wrote 58 MB/s at sector 63 and at 64 alike" },
		{ "zfs_member",
		  "ZFS took 12 s to unpack files off the boundary and 10 s on it" },
		{ "ufs", "UFS took 36 s to unpack files off the boundary and 20 s on it" },
		{ "btrfs", "ext3 wrote 47 MB/s at sector 63 and 87 MB/s at 64" },
	};
	for (size_t i = 0; i < sizeof(case_table) / sizeof(case_table[0]); i++) {
		struct test_disk d;
		make_movable(&d);
		test_disk_content(&d, d.p.row[0].id, case_table[i][0], NULL);
		assert_true(test_says(&d, TEST_LENS, 5, 250, case_table[i][1]));
		test_disk_release(&d);
	}
}

static void test_lens__claims_no_cost_that_was_not_measured(void **state)
{
	(void)state;
	struct test_disk d;
	make_stripe(&d);
	assert_false(test_says(&d, TEST_LENS, 5, 250, "published"));
	test_disk_release(&d);
}

static void test_lens__says_what_a_would_do(void **state)
{
	(void)state;
	struct test_disk d;
	make_movable(&d);
	assert_true(test_says(&d, TEST_LENS, 5, 80, "a moves its start to 2048"));
	test_disk_content(&d, d.p.row[0].id, "ext3", NULL);
	assert_true(test_says(&d, TEST_LENS, 5, 80,
			      "a refuses: ext3 would have to move to 2048"));
	d.contents.item[0].state = AF_CONTENT_UNKNOWN;
	d.contents.item[0].fs[0] = '\0';
	assert_true(test_says(&d, TEST_LENS, 5, 80,
			      "a refuses: what is inside would have to move to 2048"));
	test_disk_release(&d);

	test_disk_seed_63(&d);
	assert_true(test_says(&d, TEST_LENS, 5, 80,
			      "a finds no room: data next to it would have to move"));
	for (size_t i = 0; i < d.contents.n; i++)
		d.contents.item[i].state = AF_CONTENT_NONE;
	assert_true(test_says(&d, TEST_LENS, 5, 80,
			      "a finds no room; A moves its neighbours too"));
	test_disk_release(&d);
}

static void test_lens__says_who_uses_it(void **state)
{
	(void)state;
	struct test_disk d;
	struct af_use use = { .number = 1, .kind = AF_USE_MOUNT, .what = "/home" };
	const struct af_uses uses = { &use, 1 };
	make_movable(&d);
	use.span = d.p.row[0].span;
	d.p.disk.uses = &uses;
	assert_true(test_says(&d, TEST_LENS, 5, 250, " (mounted at /home): the start is"));
	assert_true(
		test_says(&d, TEST_LENS, 5, 250,
			  "a cannot: partition 1 is mounted at /home: unmount it before "
			  "it is moved"));
	use.number = 2; /* of which the table knows nothing, and far away */
	use.span = (struct af_span){ 400 * AF_GIB, 401 * AF_GIB };
	assert_true(test_says(&d, TEST_LENS, 5, 250, "a moves its start to 2048"));
	test_disk_release(&d);

	test_disk_seed_63(&d);
	for (size_t i = 0; i < d.contents.n; i++)
		d.contents.item[i].state = AF_CONTENT_NONE;
	use.number = 2;
	use.span = d.p.row[1].span;
	d.p.disk.uses = &uses;
	assert_true(test_says(&d, TEST_LENS, 5, 250,
			      "a finds no room: what is in use next to it would have to "
			      "move"));
	test_disk_release(&d);
}

static void test_lens__says_when_nothing_helps(void **state)
{
	(void)state;
	struct test_disk d;
	static const struct test_part part = { 1,    AF_ROLE_PRIMARY, 1,    8191, 0,
					       0x83, false,           NULL, NULL };
	test_disk_init(&d, AF_SCHEME_MBR, 8192, 512);
	test_disk_parts(&d, &part, 1);
	assert_true(test_says(&d, TEST_LENS, 5, 250, "a cannot: "));
	test_disk_release(&d);
}

static void test_lens__numbers_the_edges_and_the_distance(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	assert_true(test_says(&d, TEST_LENS, 5, 80, "starts 63, 7 past"));
	assert_true(
		test_says(&d, TEST_LENS, 5, 200, "starts 63, 7 past the boundary at 56"));
	assert_true(test_says(&d, TEST_LENS, 5, 200, "ends 20971583, on the boundary"));
	d.p.selected = 3;
	assert_true(test_says(&d, TEST_LENS, 5, 80, "EBR 41945085"));
	test_disk_release(&d);
}

static void test_lens__a_tail_names_a_better_end(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_aligned(&d);
	assert_true(test_says(&d, TEST_LENS, 5, 80, "r can end it at 20973567"));
	assert_true(test_says(&d, TEST_LENS, 5, 80,
			      "LUKS2 with 4096-byte sectors refuses such a size"));
	test_disk_release(&d);
}

static void test_lens__free_space_names_the_largest_partition(void **state)
{
	(void)state;
	struct test_disk d;
	make_empty_gpt(&d);
	assert_true(test_says(&d, TEST_LENS, 5, 80, "sectors 2048 to 1953523711"));
	test_disk_release(&d);
}

static void test_lens__free_space_without_a_slot_says_so(void **state)
{
	(void)state;
	struct test_disk d;
	static const struct test_part part[] = {
		{ 1, AF_ROLE_PRIMARY, 2048, 4095, 0, 0x83, false, NULL, NULL },
		{ 2, AF_ROLE_PRIMARY, 4096, 8191, 0, 0x83, false, NULL, NULL },
		{ 3, AF_ROLE_PRIMARY, 8192, 12287, 0, 0x83, false, NULL, NULL },
		{ 4, AF_ROLE_PRIMARY, 12288, 16383, 0, 0x83, false, NULL, NULL },
	};
	test_disk_init(&d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	test_disk_parts(&d, part, 4);
	d.p.selected = 4;
	assert_true(test_says(&d, TEST_LENS, 5, 120, "free; n cannot: "));
	test_disk_release(&d);
}

static void test_lens__a_preview_says_so(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	d.p.preview = true;
	assert_true(test_says(&d, TEST_LENS, 5, 80, "preview of sda1"));
	test_disk_release(&d);
}

static void test_lens__nothing_selected_draws_nothing(void **state)
{
	(void)state;
	struct test_disk d;
	struct ui_canvas c;
	struct af_text text = { 0 };
	test_disk_empty(&d, AF_SCHEME_NONE);
	ui_canvas_init(&c, 4, 80, false);
	ui_lens_draw(&d.p, &c, (struct ui_rect){ 0, 0, 4, 80 });
	ui_canvas_dump(&c, &text);
	assert_string_equal(af_text_get(&text), "\n\n\n\n");
	af_text_release(&text);
	ui_canvas_release(&c);
	test_disk_release(&d);
}

static void test_lens__writes_nothing_outside(void **state)
{
	(void)state;
	uint32_t seed = 3;
	for (int i = 0; i < 200; i++) {
		struct test_disk d;
		if (i % 2)
			test_disk_random(&d, &seed, 1 + test_random(&seed, 40));
		else
			test_disk_random_logicals(&d, &seed, 1 + test_random(&seed, 50));
		d.p.selected = test_random(&seed, (uint32_t)d.p.nrows);
		d.p.preview = i % 3 == 0;
		test_stays_inside(&d, TEST_LENS, 4 + i % 3, 1 + i);
		test_disk_release(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lens__looks_as_blessed),
		cmocka_unit_test(test_lens__costs_are_those_of_the_file_system_inside),
		cmocka_unit_test(test_lens__claims_no_cost_that_was_not_measured),
		cmocka_unit_test(test_lens__says_what_a_would_do),
		cmocka_unit_test(test_lens__says_who_uses_it),
		cmocka_unit_test(test_lens__says_when_nothing_helps),
		cmocka_unit_test(test_lens__numbers_the_edges_and_the_distance),
		cmocka_unit_test(test_lens__a_tail_names_a_better_end),
		cmocka_unit_test(test_lens__free_space_names_the_largest_partition),
		cmocka_unit_test(test_lens__free_space_without_a_slot_says_so),
		cmocka_unit_test(test_lens__a_preview_says_so),
		cmocka_unit_test(test_lens__nothing_selected_draws_nothing),
		cmocka_unit_test(test_lens__writes_nothing_outside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
