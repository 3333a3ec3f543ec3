/* What lies inside decides about a partition's status, and about where it may be aligned to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "world.h"

#define DATA(sectors, block)                                                               \
	{                                                                                  \
		.kind = AF_LAYER_DATA, .what = "LUKS2",                                    \
		.offset = INT64_C(512) * (sectors), .unit = (block)                        \
	}
#define FILES(sectors, block)                                                              \
	{                                                                                  \
		.kind = AF_LAYER_DATA, .what = "FAT16 data", .is_fs = true,                \
		.offset = INT64_C(512) * (sectors), .unit = (block)                        \
	}
#define UNKNOWN                                                                            \
	{                                                                                  \
		.kind = AF_LAYER_UNKNOWN, .what = "LUKS2"                                  \
	}
#define NESTED(is, at, count)                                                              \
	{                                                                                  \
		.kind = (is), .what = "BSD a", .name = "a", .offset = INT64_C(512) * (at), \
		.size = INT64_C(512) * (count)                                             \
	}

struct row {
	int64_t start, sectors;
	struct af_layer layer[3];
	size_t n;
	enum af_status status;
	const char *word; /* of the first layer; NULL: there is none */
};

static const struct row row_table[] = {
	{ 63, 800, { DATA(0, 0) }, 0, AF_STATUS_MISALIGNED, NULL },
	{ 63, 800, { DATA(0, 4096) }, 1, AF_STATUS_MISALIGNED, "misaligned" },
	{ 63, 800, { DATA(4097, 4096) }, 1, AF_STATUS_COMPENSATED, "compensated" },
	{ 64, 800, { DATA(4097, 4096) }, 1, AF_STATUS_INNER, "misaligned" },
	{ 64, 801, { DATA(4096, 4096) }, 1, AF_STATUS_TAIL, "aligned" },
	{ 64, 801, { DATA(4097, 4096) }, 1, AF_STATUS_INNER, "misaligned" },
	{ 64, 800, { DATA(8, 1024) }, 1, AF_STATUS_ALIGNED, "small-unit" },
	{ 2048, 2048, { DATA(8, 512) }, 1, AF_STATUS_OPTIMAL, "small-unit" },
	{ 63, 800, { DATA(4097, 512) }, 1, AF_STATUS_COMPENSATED, "compensated" },
	{ 64, 800, { DATA(4097, 512) }, 1, AF_STATUS_INNER, "misaligned" },
	/* clusters that begin on all boundaries anyway: no place is better */
	{ 64, 800, { FILES(4, 2048) }, 1, AF_STATUS_ALIGNED, "small-unit" },
	{ 64, 800, { FILES(4, 1024) }, 1, AF_STATUS_ALIGNED, "small-unit" },
	{ 64, 800, { FILES(3, 2048) }, 1, AF_STATUS_INNER, "misaligned" },
	{ 64, 800, { FILES(4, 4096) }, 1, AF_STATUS_INNER, "misaligned" },
	{ 63, 800, { FILES(4, 2048) }, 1, AF_STATUS_MISALIGNED, "misaligned" },
	{ 60, 800, { FILES(8, 2048) }, 1, AF_STATUS_MISALIGNED, "misaligned" },
	{ 60, 800, { FILES(6, 1024) }, 1, AF_STATUS_MISALIGNED, "small-unit" },
	{ 60, 800, { FILES(4, 2048) }, 1, AF_STATUS_COMPENSATED, "compensated" },
	{ 64, 800, { FILES(4, 2048), DATA(4097, 0) }, 2, AF_STATUS_INNER, "small-unit" },
	{ 64, 800, { UNKNOWN }, 1, AF_STATUS_ALIGNED, "unknown" },
	{ 63, 800, { UNKNOWN }, 1, AF_STATUS_MISALIGNED, "unknown" },
	{ 64, 800, { UNKNOWN, DATA(4097, 0) }, 2, AF_STATUS_INNER, "unknown" },
	{ 64, 800, { DATA(2048, 0), DATA(4097, 0) }, 2, AF_STATUS_INNER, "aligned" },
	{ 63,
	  800,
	  { DATA(2049, 0), DATA(4097, 0) },
	  2,
	  AF_STATUS_COMPENSATED,
	  "compensated" },
	{ 63,
	  800,
	  { DATA(2049, 0), DATA(4096, 0) },
	  2,
	  AF_STATUS_MISALIGNED,
	  "compensated" },
	{ 63,
	  800,
	  { NESTED(AF_LAYER_NESTED, 17, 8) },
	  1,
	  AF_STATUS_COMPENSATED,
	  "compensated" },
	{ 63,
	  800,
	  { NESTED(AF_LAYER_FRAME, 0, 800), NESTED(AF_LAYER_NESTED, 25, 8) },
	  2,
	  AF_STATUS_COMPENSATED,
	  "unknown" },
	{ 63, 800, { NESTED(AF_LAYER_FRAME, 1, 8) }, 1, AF_STATUS_MISALIGNED, "unknown" },
	{ 63,
	  800,
	  { NESTED(AF_LAYER_OUTSIDE, 8001, 8) },
	  1,
	  AF_STATUS_MISALIGNED,
	  "unknown" },
	{ 64,
	  800,
	  { NESTED(AF_LAYER_NESTED, 16, 8), NESTED(AF_LAYER_NESTED, 25, 8) },
	  2,
	  AF_STATUS_INNER,
	  "aligned" },
	{ 63,
	  800,
	  { NESTED(AF_LAYER_NESTED, 17, 8), NESTED(AF_LAYER_NESTED, 26, 8) },
	  2,
	  AF_STATUS_MISALIGNED,
	  "compensated" },
};

/* A disk with the partition of a row as number 1, and another of 100 sectors at sector 40001. */
static void make(struct world *w, const struct row *r, struct af_content *item)
{
	char words[120];
	(void)snprintf(words, sizeof(words),
		       "2097152 512 dos 1 p1=%lld+%lld,a5 p2=40001+100,83",
		       (long long)r->start, (long long)r->sectors);
	world_make(w, words);
	*item = (struct af_content){ .id = w->layout.part[0].id,
				     .state = AF_CONTENT_FOUND,
				     .fs = "disklabel",
				     .nlayers = r->n };
	item->layer = af_alloc(r->n + 1, sizeof(*item->layer));
	memcpy(item->layer, r->layer, r->n * sizeof(*item->layer));
	w->contents = (struct af_contents){ .item = item, .n = 1 };
}

static void drop(struct world *w)
{
	af_content_release(&w->contents.item[0]);
	w->contents = (struct af_contents){ .n = 0 };
	world_release(w);
}

static void test_align__data_inside_decides_about_the_status(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(row_table) / sizeof(row_table[0]); i++) {
		const struct row *r = &row_table[i];
		struct af_content item;
		struct world w;
		make(&w, r, &item);
		const struct af_part *part = &w.layout.part[0];
		struct af_verdict v = af_align_judge(&w.rules, &w.contents, part);
		assert_int_equal(v.status, r->status);
		if (r->word)
			assert_string_equal(
				af_align_layer_word(&w.rules, part, &item.layer[0]),
				r->word);
		drop(&w);
	}
}

static void test_align__only_misaligned_and_inner_fail(void **state)
{
	(void)state;
	assert_true(af_status_fails(AF_STATUS_INNER, false));
	assert_true(af_status_fails(AF_STATUS_INNER, true));
	assert_false(af_status_fails(AF_STATUS_COMPENSATED, true));
	assert_false(af_status_fails(AF_STATUS_UNKNOWN, true));
	assert_string_equal(af_status_name(AF_STATUS_INNER), "inner");
	assert_string_equal(af_status_name(AF_STATUS_COMPENSATED), "compensated");
	assert_string_equal(af_status_name(AF_STATUS_UNKNOWN), "unknown");
}

static void expect_sentence(int64_t start, struct af_layer layer, const char *words)
{
	struct row r = { .start = start, .sectors = 80000, .layer = { layer }, .n = 1 };
	struct af_content item;
	struct world w;
	struct af_text t = { 0 };
	make(&w, &r, &item);
	af_align_sentence_nested(&w.rules, &w.layout, &w.layout.part[0], &item,
				 &item.layer[0], &t);
	assert_string_equal(af_text_get(&t), words);
	af_text_release(&t);
	drop(&w);
}

static void test_align__the_smallest_good_offset_is_named(void **state)
{
	(void)state;
	expect_sentence(
		63, (struct af_layer)NESTED(AF_LAYER_NESTED, 16, 80),
		"the start is 7 sectors past a 4 KiB boundary: offset 17 instead of 16 is "
		"right");
	expect_sentence(
		63, (struct af_layer)NESTED(AF_LAYER_NESTED, 24, 80),
		"the start is 7 sectors past a 4 KiB boundary: offset 17 instead of 24 is "
		"right");
	expect_sentence(64, (struct af_layer)NESTED(AF_LAYER_NESTED, 17, 80),
			"the start is 1 sector past a 4 KiB boundary: offset 16 instead of "
			"17 is right");
	expect_sentence(
		63, (struct af_layer)NESTED(AF_LAYER_NESTED, 0, 81),
		"the start is 7 sectors past a 4 KiB boundary: offset 17 instead of "
		"0 is right");
	expect_sentence(64, (struct af_layer)NESTED(AF_LAYER_NESTED, 16, 81),
			"the start is aligned, the end is 1 sector past a 4 KiB boundary");
}

static void test_align__an_end_off_its_line_is_told_in_bytes_if_need_be(void **state)
{
	struct af_layer layer = NESTED(AF_LAYER_NESTED, 16, 80);
	(void)state;
	layer.size += 100;
	layer.unit = 1024;
	expect_sentence(64, layer,
			"the start is aligned, the end is 100 bytes past a 4 KiB boundary; "
			"it writes fragments of 1 KiB, smaller than a physical sector of "
			"4 KiB");
}

/* What is said of the first layer of that row, and of its partition. */
static void expect_words(const struct row *r, const char *of_layer, const char *of_part)
{
	struct af_content item;
	struct world w;
	struct af_text t = { 0 };
	char sentence[480];
	make(&w, r, &item);
	af_align_sentence_layer(&w.rules, &w.layout, &w.layout.part[0], &item.layer[0], &t);
	assert_string_equal(af_text_get(&t), of_layer);
	af_align_sentence(&w.rules, &w.contents, &w.layout, &w.layout.part[0], sentence,
			  sizeof(sentence));
	assert_string_equal(sentence, of_part);
	af_text_release(&t);
	drop(&w);
}

static void test_align__where_data_begins_is_put_in_words(void **state)
{
	static const struct row here = { 64, 800, { DATA(0, 1024) }, 1, 0, NULL };
	static const struct row off = { 64, 800, { DATA(4097, 4096) }, 1, 0, NULL };
	static const struct row right = { 63, 801, { DATA(4097, 0) }, 1, 0, NULL };
	static const struct row nowhere = { 64, 800, { UNKNOWN }, 1, 0, NULL };
	(void)state;
	expect_words(
		&here,
		"begins where the partition does, on a 4 KiB boundary, in blocks of 1 KiB, "
		"smaller than a physical sector of 4 KiB",
		"both edges are on 4 KiB boundaries, not both on the 1 MiB grain");
	expect_words(
		&off,
		"begins 4097 sectors behind the partition's start, 1 sector past a 4 KiB "
		"boundary, in blocks of 4 KiB",
		"the start is aligned, but LUKS2 inside begins 1 sector past a 4 KiB "
		"boundary");
	expect_words(
		&right,
		"begins 4097 sectors behind the partition's start, on a 4 KiB boundary",
		"the start is 7 sectors past a 4 KiB boundary, and the data inside is on "
		"one (LUKS2, 4097 sectors behind it): moving it to the grain would break "
		"that");
	expect_words(&nowhere, "where its data begins cannot be told",
		     "both edges are on 4 KiB boundaries, not both on the 1 MiB grain");
}

/* Runs commands on a partition of that row; the start of partition 1 then, or 0 if they were refused. */
static int64_t start_after(const struct row *r, const char *commands, enum af_code *code)
{
	struct af_err err = { .code = AF_OK };
	struct af_content item;
	struct world w;
	int64_t start = 0;
	make(&w, r, &item);
	if (world_run(&w, commands, &err))
		start = w.layout.part[0].span.start / 512;
	*code = err.code;
	drop(&w);
	return start;
}

static void test_align__what_is_compensated_stays(void **state)
{
	static const struct row r = {
		63, 800, { NESTED(AF_LAYER_NESTED, 17, 8) }, 1, AF_STATUS_COMPENSATED, NULL
	};
	enum af_code code;
	(void)state;
	assert_int_equal(start_after(&r, "align 1", &code), 0);
	assert_int_equal(code, AF_E_RULE);
	assert_int_equal(start_after(&r, "align 1 table-only", &code), 0);
	assert_int_equal(code, AF_E_RULE);
	/* the other one is moved, this one is left where it is */
	assert_int_equal(start_after(&r, "align all", &code), 63);
	assert_int_equal(code, AF_OK);
}

static void test_align__it_is_the_data_that_goes_to_the_grain(void **state)
{
	static const struct row r = { 4096,
				      800,
				      { NESTED(AF_LAYER_FRAME, 0, 800),
					NESTED(AF_LAYER_NESTED, 17, 8) },
				      2,
				      AF_STATUS_INNER,
				      NULL };
	enum af_code code;
	(void)state;
	assert_int_equal(start_after(&r, "align 1", &code), 0);
	assert_int_equal(code, AF_E_DATA);
	assert_int_equal(start_after(&r, "align 1 table-only", &code), 4096 - 17);
	assert_int_equal(start_after(&r, "align all table-only", &code), 4096 - 17);
}

static void test_align__what_no_place_helps_has_its_own_start_aligned(void **state)
{
	static const struct row small = { 4097, 800, { FILES(4, 2048) }, 1, 0, NULL };
	static const struct row large = { 4097, 800, { FILES(4, 4096) }, 1, 0, NULL };
	static const struct row apart = { 4097, 800, { FILES(3, 2048) }, 1, 0, NULL };
	enum af_code code;
	(void)state;
	assert_int_equal(start_after(&small, "align 1 table-only", &code), 4096);
	assert_int_equal(start_after(&large, "align 1 table-only", &code), 4092);
	assert_int_equal(start_after(&apart, "align 1 table-only", &code), 4093);
}

/* What is said to mend the first layer of that row, for the partition at dev. */
static void expect_remedy(const struct row *r, const char *dev, const char *words)
{
	struct af_content item;
	struct world w;
	struct af_text t = { 0 };
	make(&w, r, &item);
	const struct af_inside inside = { .content = &item,
					  .layer = &item.layer[r->n - 1],
					  .maybe_dev = dev,
					  .sector_size = 512 };
	(void)af_align_say_remedy(&w.rules, &w.layout.part[0], &inside, &t);
	assert_string_equal(af_text_get(&t), words);
	af_text_release(&t);
	drop(&w);
}

#define IS(name, sectors, block)                                                           \
	{                                                                                  \
		.kind = AF_LAYER_DATA, .what = { name },                                   \
		.offset = INT64_C(512) * (sectors), .unit = (block)                        \
	}

static void test_align__the_command_that_mends_a_layer_is_named(void **state)
{
	static const struct {
		struct af_layer layer;
		const char *words;
	} table[] = {
		{ IS("ext4", 0, 1024),
		  "only making it anew helps: mkfs.ext4 -b 4096 /dev/sda1" },
		{ IS("ext2", 0, 2048),
		  "only making it anew helps: mkfs.ext2 -b 4096 /dev/sda1" },
		{ IS("ext4", 0, 4096), "" },
		{ IS("XFS log and headers", 0, 512),
		  "only making it anew helps: mkfs.xfs -f -s size=4096 /dev/sda1" },
		{ FILES(4, 2048), "only making it anew helps: mkfs.fat -s 8 /dev/sda1" },
		{ FILES(4, 16384), "making it anew helps: mkfs.fat -s 32 /dev/sda1" },
		{ IS("exFAT data", 8, 512),
		  "only making it anew helps: mkfs.exfat -c 4096 /dev/sda1" },
		{ IS("NTFS", 0, 512),
		  "only making it anew helps: mkntfs -Q -c 4096 /dev/sda1" },
		{ IS("UFS2", 0, 2048), "only making it anew helps: newfs -f 4096" },
		{ IS("LUKS2", 32769, 512),
		  "only making it anew helps: cryptsetup luksFormat "
		  "--sector-size 4096 /dev/sda1" },
		{ IS("LUKS1", 4041, 0), "making it anew helps: cryptsetup luksFormat "
					"--sector-size 4096 /dev/sda1" },
		{ IS("LVM2", 2055, 0),
		  "making it anew helps: pvcreate --dataalignment 1m /dev/sda1" },
		{ IS("md 1.2 raid1", 1026, 0), "making it anew helps: mdadm --create ARRAY "
					       "--level=raid1 --data-offset=1M "
					       "/dev/sda1 ..." },
		{ IS("md 1.2", 1026, 0),
		  "making it anew helps: mdadm --create ARRAY --level=LEVEL "
		  "--data-offset=1M /dev/sda1 ..." },
		{ IS("bcache backing", 17, 4096),
		  "making it anew helps: wipefs -a /dev/sda1 && make-bcache -B --block "
		  "4096 --data-offset 2048 /dev/sda1" },
		{ IS("ZFS", 8192, 512),
		  "only making it anew helps: zpool create -o ashift=12 POOL /dev/sda1" },
		{ IS("swap on vg0-one", 4097, 4096), "" },
		{ IS("ext4 on vg0-two", 4096, 1024),
		  "only making it anew helps: mkfs.ext4 -b 4096 /dev/mapper/vg0-two" },
		{ IS("ext4 on md0", 4096, 1024),
		  "only making it anew helps: mkfs.ext4 -b 4096 /dev/md0" },
		{ IS("nilfs2", 0, 1024), "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct row r = { 64, 800, { table[i].layer }, 1, 0, NULL };
		expect_remedy(&r, "/dev/sda1", table[i].words);
	}
}

static void test_align__where_a_better_start_mends_it_no_command_is_named(void **state)
{
	static const struct row start = { 63, 800, { DATA(0, 4096) }, 1, 0, NULL };
	static const struct row both = { 63, 800, { DATA(4096, 4096) }, 1, 0, NULL };
	static const struct row right = { 63, 800, { DATA(4097, 4096) }, 1, 0, NULL };
	static const struct row apart = {
		63, 800, { DATA(4097, 4096), IS("LVM2", 6144, 0) }, 2, 0, NULL
	};
	static const struct row deep = {
		64, 800, { DATA(4096, 4096), IS("ext4", 4096, 1024) }, 2, 0, NULL
	};
	static const struct row odd = { 64, 801, { IS("LUKS1", 4041, 0) }, 1, 0, NULL };
	static const struct row stuck = {
		64, 801, { IS("LUKS2", 32768, 512) }, 1, 0, NULL
	};
	static const struct row image = { 64, 800, { IS("LVM2", 2055, 0) }, 1, 0, NULL };
	(void)state;
	expect_remedy(&start, "/dev/sda1", "");
	expect_remedy(&both, "/dev/sda1", "");
	expect_remedy(&right, "/dev/sda1", "");
	expect_remedy(&apart, "/dev/sda1",
		      "only making it anew helps: pvcreate --dataalignment 1m DEVICE");
	expect_remedy(&deep, "/dev/sda1",
		      "only making it anew helps: mkfs.ext4 -b 4096 DEVICE");
	expect_remedy(&odd, "/dev/sda1",
		      "making it anew helps: cryptsetup luksFormat /dev/sda1");
	expect_remedy(&stuck, "/dev/sda1", "");
	expect_remedy(&image, NULL,
		      "making it anew helps: pvcreate --dataalignment 1m PARTITION");
}

static void test_align__a_copy_of_content_has_layers_of_its_own(void **state)
{
	struct af_layer layer = NESTED(AF_LAYER_NESTED, 17, 8);
	struct af_content from = { .id = 3, .layer = &layer, .nlayers = 1 };
	(void)state;
	struct af_content c = af_content_copy(&from);
	assert_ptr_not_equal(c.layer, &layer);
	assert_memory_equal(c.layer, &layer, sizeof(layer));
	af_content_release(&c);
	assert_null(c.layer);
	assert_int_equal(c.nlayers, 0);
	from.nlayers = 0;
	assert_null(af_content_copy(&from).layer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_align__data_inside_decides_about_the_status),
		cmocka_unit_test(test_align__only_misaligned_and_inner_fail),
		cmocka_unit_test(test_align__the_smallest_good_offset_is_named),
		cmocka_unit_test(
			test_align__an_end_off_its_line_is_told_in_bytes_if_need_be),
		cmocka_unit_test(test_align__where_data_begins_is_put_in_words),
		cmocka_unit_test(test_align__what_is_compensated_stays),
		cmocka_unit_test(test_align__it_is_the_data_that_goes_to_the_grain),
		cmocka_unit_test(test_align__what_no_place_helps_has_its_own_start_aligned),
		cmocka_unit_test(test_align__the_command_that_mends_a_layer_is_named),
		cmocka_unit_test(
			test_align__where_a_better_start_mends_it_no_command_is_named),
		cmocka_unit_test(test_align__a_copy_of_content_has_layers_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
