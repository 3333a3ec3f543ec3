/* The lens: golden pictures, and what its sentence says about whom. */
#include "cost.h"
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

static void test_lens__costs_are_those_of_what_is_inside(void **state)
{
	(void)state;
	static const char *const case_table[][3] = {
		{ "ext2",
		  "ext2 wrote at 90 % of aligned speed in measurements of a WD10EARS",
		  "writes at 90 % of aligned speed" },
		{ "ext3", "rewrites ran at 45 % and reads at 25 % of aligned speed",
		  "rewrites at 45 % of aligned speed" },
		{ "ext4", "ext4 wrote at 87 % of aligned speed", "writes at 87 %" },
		{ "reiserfs", "reiserfs wrote at 86 % of aligned speed", "writes at 86 %" },
		{ "vfat", "FAT wrote at the same speed", "no loss seen in writes" },
		{ "zfs_member", "ZFS took 12 s to unpack what took 10 s aligned", "83 %" },
		{ "ufs", "UFS took 36 s to unpack what took 20 s aligned", "56 %" },
		{ "swap", "4 KiB writes took 3 times as long", "3 times as long" },
		{ "btrfs", "measurements of an ST2000DL003 with bonnie++ on ext3",
		  "rewrites at 45 %" },
	};
	for (size_t i = 0; i < sizeof(case_table) / sizeof(case_table[0]); i++) {
		struct test_disk d;
		make_movable(&d);
		test_disk_content(&d, d.p.row[0].id, case_table[i][0], NULL);
		assert_true(test_says(&d, TEST_LENS, 5, 250, case_table[i][1]));
		assert_true(test_says(&d, TEST_LENS, 5, 80, case_table[i][2]));
		test_disk_release(&d);
	}
}

/* The figures are of hard disks, and depend on where on the disk. */
static void test_lens__costs_are_those_of_the_drive_and_the_place(void **state)
{
	static const struct test_part far = {
		1, AF_ROLE_PRIMARY, 1900000001, 1910000000, 0, 0x83, false, "ext4", NULL
	};
	struct test_disk d;
	(void)state;
	test_disk_init(&d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	test_disk_parts(&d, &far, 1);
	d.p.selected = 1;
	assert_true(test_says(&d, TEST_LENS, 5, 80, "writes at 67 % of aligned speed"));
	(void)snprintf(d.topo.transport, sizeof(d.topo.transport), "nvme");
	assert_false(test_says(&d, TEST_LENS, 5, 80, "%"));
	assert_true(test_says(&d, TEST_LENS, 5, 80, "the start is 1 sector past"));
	test_disk_release(&d);
}

static void add_layer(struct test_disk *d, struct af_layer layer)
{
	struct af_content *c = &d->contents.item[0];
	c->layer = af_realloc(c->layer, c->nlayers + 1, sizeof(*c->layer));
	c->layer[c->nlayers++] = layer;
}

/* A partition at 2048 with these layers in it. */
static void make_layers(struct test_disk *d, const char *fs, const struct af_layer *layer,
			size_t n)
{
	struct test_part part = { 1,    AF_ROLE_PRIMARY, 2048, 4196351, 0,
				  0x83, false,           fs,   NULL };
	test_disk_init(d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	test_disk_parts(d, &part, 1);
	for (size_t i = 0; i < n; i++)
		add_layer(d, layer[i]);
}

static void test_lens__layers_are_told_with_place_boundary_and_unit(void **state)
{
	static const struct af_layer luks[] = {
		{ .what = "LUKS1", .offset = 2 * AF_MIB, .unit = 512 },
		{ .what = "LVM", .offset = 2 * AF_MIB + 1536, .unit = 4096 },
		{ .what = "ext4", .offset = 2 * AF_MIB + 1000, .unit = 4096 },
		{ .kind = AF_LAYER_UNKNOWN, .what = "LUKS2" },
	};
	struct test_disk d;
	(void)state;
	make_layers(&d, "crypto_LUKS", luks, 1);
	assert_true(test_says(&d, TEST_LENS, 5, 80,
			      "inside: ▲ LUKS1 data at 6144, unit 512B is small"));
	assert_true(test_says(&d, TEST_LENS, 5, 80,
			      "sda1: optimal; what helps: cryptsetup luksFormat "
			      "--sector-size 4096 /dev/sda1"));
	assert_true(test_says(&d, TEST_LENS, 7, 80,
			      "LUKS1 has blocks of 512 B: only making it anew helps: "
			      "cryptsetup"));
	test_disk_release(&d);
	make_layers(&d, "crypto_LUKS", luks, 4);
	assert_true(test_says(&d, TEST_LENS, 6, 250,
			      "; × LVM data at 6147 (3 past), unit 4K; × ext4 data at "
			      "6145+488B (1000 bytes past), unit 4K; ? LUKS2, its data not "
			      "found"));
	assert_true(test_says(&d, TEST_LENS, 6, 80,
			      "inside: ▲ LUKS1 6144 512B small × LVM 6147 4K × ext4 "
			      "6145+488B 4K ? LUKS2"));
	assert_true(test_says(&d, TEST_LENS, 6, 40, " ..."));
	assert_false(
		test_says(&d, TEST_LENS, 4, 80, "inside:")); /* the sentence goes first */
	test_disk_release(&d);
}

/* What is written in the end is what costs, and blocks that are too small cost as well. */
static void test_lens__costs_are_those_of_what_is_deepest_inside(void **state)
{
	static const struct af_layer lvm[] = {
		{ .what = "LUKS1", .offset = INT64_C(512) * 4097 },
		{ .what = "LVM2 on secret", .offset = INT64_C(512) * 6145 },
		{ .what = "swap on vg0-one",
		  .offset = INT64_C(512) * 8193,
		  .unit = 4096,
		  .is_fs = true },
		{ .what = "ext4 on vg0-two",
		  .offset = INT64_C(512) * 8201,
		  .unit = 4096,
		  .is_fs = true },
	};
	static const struct af_layer small = { .what = "ext4",
					       .unit = 1024,
					       .is_fs = true };
	static const struct af_layer entry = { .kind = AF_LAYER_NESTED,
					       .what = "FreeBSD a",
					       .type_name = "4.2BSD",
					       .offset = INT64_C(512) * 17,
					       .size = AF_MIB };
	struct test_disk d;
	(void)state;
	make_layers(&d, "crypto_LUKS", lvm, 1);
	assert_true(test_says(&d, TEST_LENS, 6, 250, "with bonnie++ on ext3"));
	test_disk_release(&d);
	make_layers(&d, "crypto_LUKS", lvm, 3);
	assert_true(test_says(&d, TEST_LENS, 6, 250, "4 KiB writes took 3 times as long"));
	test_disk_release(&d);
	make_layers(&d, "crypto_LUKS", lvm, 4);
	assert_true(
		test_says(&d, TEST_LENS, 6, 250, "ext4 wrote at 87 % of aligned speed"));
	test_disk_release(&d);
	make_layers(&d, "ext4", &small, 1);
	assert_true(
		test_says(&d, TEST_LENS, 6, 250,
			  "took 28 s to unpack what took 20 s in 4 KiB, in measurements "
			  "of a WD20EARS; ext4 has blocks of 1 KiB: only making it "
			  "anew helps: mkfs.ext4 -b 4096 /dev/sda1"));
	test_disk_release(&d);
	make_layers(&d, "disklabel", &entry, 1);
	assert_string_equal(ui_cost_kind(&d.contents.item[0]), "ufs");
	test_disk_release(&d);
}

/* A file system where one expects it takes no line from a sentence that needs it. */
static void test_lens__a_plain_file_system_gives_way(void **state)
{
	static const struct af_layer ext4 = { .what = "ext4", .unit = 4096 };
	struct test_disk d;
	(void)state;
	make_layers(&d, "ext4", &ext4, 1);
	assert_true(
		test_says(&d, TEST_LENS, 5, 80, "inside: ▲ ext4 data at 2048, unit 4K"));
	test_disk_release(&d);
	make_movable(&d);
	test_disk_content(&d, d.p.row[0].id, "ext4", NULL);
	add_layer(&d, ext4);
	assert_false(test_says(&d, TEST_LENS, 5, 80, "inside:"));
	assert_true(test_says(&d, TEST_LENS, 5, 80, "ext4 would have to move"));
	test_disk_release(&d);
}

/* The key that mends it is never pushed out by what is inside, nor by what it costs. */
static void test_lens__layers_leave_the_key(void **state)
{
	static const struct af_layer luks = { .what = "LUKS2", .offset = 16 * AF_MIB };
	struct test_disk d;
	(void)state;
	make_movable(&d);
	test_disk_content(&d, d.p.row[0].id, "crypto_LUKS", NULL);
	add_layer(&d, luks);
	assert_true(
		test_says(&d, TEST_LENS, 5, 80, "inside: × LUKS2 data at 32831 (7 past)"));
	assert_true(
		test_says(&d, TEST_LENS, 5, 80,
			  "sda1: misaligned; a refuses: crypto_LUKS would have to move"));
	assert_true(test_says(&d, TEST_LENS, 6, 132, "rewrites ran at 45 %"));
	test_disk_release(&d);
}

/* Where the data of a layer begins in sight, the sector has a mark. */
static void test_lens__a_layer_near_the_edge_has_a_mark(void **state)
{
	static const struct af_layer layer[] = {
		{ .what = "a", .offset = 512, .unit = 4096 },
		{ .what = "b", .offset = 4096, .unit = 4096 },
	};
	struct test_disk d;
	(void)state;
	make_layers(&d, "x", layer, 2);
	assert_true(test_says(&d, TEST_LENS, 5, 80, "│█×██████│▲█"));
	test_disk_release(&d);
}

static void test_lens__a_line_too_long_is_cut_with_dots(void **state)
{
	struct test_disk d;
	(void)state;
	make_layers(&d, "x", NULL, 0);
	for (int i = 0; i < 12; i++)
		add_layer(&d, (struct af_layer){ .what = "a long name of a layer",
						 .offset = i * AF_MIB });
	assert_true(test_says(&d, TEST_LENS, 5, 80, " ..."));
	test_stays_inside(&d, TEST_LENS, 5, 80);
	test_disk_release(&d);
}

static void test_lens__claims_no_cost_that_was_not_measured(void **state)
{
	(void)state;
	struct test_disk d;
	make_stripe(&d);
	assert_false(test_says(&d, TEST_LENS, 5, 250, "measurements"));
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
		cmocka_unit_test(test_lens__costs_are_those_of_what_is_inside),
		cmocka_unit_test(test_lens__costs_are_those_of_the_drive_and_the_place),
		cmocka_unit_test(test_lens__costs_are_those_of_what_is_deepest_inside),
		cmocka_unit_test(test_lens__layers_are_told_with_place_boundary_and_unit),
		cmocka_unit_test(test_lens__a_plain_file_system_gives_way),
		cmocka_unit_test(test_lens__layers_leave_the_key),
		cmocka_unit_test(test_lens__a_layer_near_the_edge_has_a_mark),
		cmocka_unit_test(test_lens__a_line_too_long_is_cut_with_dots),
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
