/*
 * Trouble that people really had with MBRs and chains of logicals (group 1 of the collection), rebuilt as numbers: what
 * is right on the disk itself. Each disk is in the words of disks.h; sectors are of 512 bytes where nothing else is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "afdisk/plan.h"
#include "render.h"
#include "world.h"

/* ------------------------------------------------------------------ on layouts */

/* What the commands make of the disk; NULL text: they must be refused with that code. */
static void expect_run(const char *disk, const char *commands, const char *maybe_text)
{
	char now[4096];
	struct af_err err = { .code = AF_OK };
	struct world w;

	world_make(&w, disk);
	bool done = world_run(&w, commands, &err);

	if (maybe_text && !done)
		fail_msg("%s: %s", commands, err.text);
	if (!maybe_text && done)
		fail_msg("%s is not refused", commands);
	if (maybe_text)
		assert_string_equal(world_show(&w.layout, now, sizeof now), maybe_text);
	assert_true(af_layout_sound(&w.layout, &err));
	world_release(&w);
}

/* Like that, and the refusal says these words. */
static void expect_words(const char *disk, const char *commands, const char *words)
{
	struct af_err err;
	struct world w;

	world_make(&w, disk);
	assert_false(world_run(&w, commands, &err));
	if (!strstr(err.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, err.text);
	world_release(&w);
}

#define CASE_7                                                                             \
	"2097152 512 dos 1 e1=2048+1000000,5 l5=2111+300001,83,ebr=2048 "                  \
	"p2=1100000+100000,83"

/* Case 7: rounding never puts an edge of the extended partition inside a logical, nor takes the head's room. */
static void test_cases__an_extended_partition_keeps_its_logicals_inside(void **state)
{
	(void)state;
	expect_run(CASE_7, "resize 1 end=302111",
		   "e1=2048+301056,05 l5=2111+300001,83,ebr=2048 p2=1100000+100000,83");
	expect_run(CASE_7, "resize 1 end=302110", NULL);
	expect_run(CASE_7, "resize 1 size=64M", NULL);
	expect_run(CASE_7, "resize 1 start=2100",
		   "e1=2104+999944,05 l5=2111+300001,83,ebr=2104 p2=1100000+100000,83");
	expect_run(CASE_7, "resize 1 start=2109",
		   "e1=2104+999944,05 l5=2111+300001,83,ebr=2104 p2=1100000+100000,83");
	expect_run(CASE_7, "resize 1 start=2110", NULL);
	expect_run(CASE_7, "resize 1 end=1100000", NULL);
}

/* Case 7: a logical takes its extended partition along, up to the neighbour and no further. */
static void test_cases__a_logical_never_leaves_its_extended_partition(void **state)
{
	(void)state;
	expect_run(CASE_7, "resize 5 end=1050000",
		   "e1=2048+1048576,05 l5=2111+1048513,83,ebr=2048 p2=1100000+100000,83");
	expect_run(CASE_7, "resize 5 end=1100000", NULL);
}

/* Case 7: between two logicals, the EBR of the one behind is an obstacle like any other. */
static void test_cases__a_logical_between_two_spares_the_ebr_behind(void **state)
{
	(void)state;
	expect_run("2097152 512 dos 1 e1=2048+1000000,5 l5=4096+4096,83,ebr=2048 "
		   "l6=500063+4096,83,ebr=500000",
		   "new logical start=8192 size=max",
		   "e1=2048+1000000,05 l5=4096+4096,83,ebr=2048 "
		   "l7=10240+489472,83,ebr=8192 l6=500063+4096,83,ebr=500000");
}

#define CASE_9                                                                             \
	"2097152 512 dos 1 p1=2048+204800,7,boot p2=206848+409600,7 p3=616448+409600,83 "  \
	"e4=1435648+661000,5 l5=1437696+400000,83,ebr=1435648"

/* Case 9: why there is no partition, and each way out works. */
static void test_cases__a_gap_without_a_slot_is_explained(void **state)
{
	const char *taken_in =
		"p1=2048+204800,07,boot p2=206848+409600,07 p3=616448+409600,83 "
		"e4=1026048+1070600,05 l5=1437696+400000,83,ebr=1026048";

	(void)state;
	expect_words(CASE_9, "new start=1026048 size=100M",
		     "all four slots of the table are used, and this gap lies outside "
		     "extended partition 4: 'new logical' or 'resize 4 start=1026048s' ");
	expect_words(CASE_9, "new primary start=1026048", "delete a primary partition");
	expect_words(CASE_9, "new primary start=1026048", "'convert gpt'");
	expect_run(CASE_9, "resize 4 start=1026048s", taken_in);
	expect_run(CASE_9, "new logical start=1026048 size=100M",
		   "p1=2048+204800,07,boot p2=206848+409600,07 p3=616448+409600,83 "
		   "e4=1026048+1070600,05 l6=1028096+204800,83,ebr=1026056 "
		   "l5=1437696+400000,83,ebr=1026048");
	expect_run(CASE_9, "delete 2; new start=1026048 size=100M",
		   "p1=2048+204800,07,boot p3=616448+409600,83 p2=1026048+204800,83 "
		   "e4=1435648+661000,05 l5=1437696+400000,83,ebr=1435648");
}

/* Case 64: beyond 1024 cylinders a new extended partition is of type 0f; one that is there keeps its own. */
static void test_cases__a_far_extended_partition_is_for_lba(void **state)
{
	(void)state;
	expect_run("41943040 512 dos 1", "new extended", "e1=2048+41940992,0f");
	expect_run("41943040 512 dos 1", "new extended size=4G", "e1=2048+8388608,05");
	expect_run("41943040 512 dos 1 e1=2048+8388608,5", "resize 1 size=max",
		   "e1=2048+41940992,05");
	expect_run("41943040 512 dos 1 e1=2048+8388608,85", "type 1 f",
		   "e1=2048+8388608,0f");
	expect_words("41943040 512 dos 1 e1=2048+8388608,5", "type 1 1f", "is extended");
	expect_words("41943040 512 dos 1 p1=2048+8388608,1f", "type 1 5", "holds data");
}

/* ------------------------------------------------------------------ on disks */

/* The table must be read-only for that reason, show n partitions, and be left alone. */
static void expect_locked(const char *disk, size_t n, const char *why)
{
	struct render b;
	struct af_label_note note;
	struct af_layout l;

	render_set_up(&b, disk);
	assert_true(af_label_read(&b.m.dev, &l, &note, &b.err));
	assert_true(note.read_only);
	assert_int_equal(l.nparts, n);
	if (!strstr(note.why, why))
		fail_msg("\"%s\" is not in \"%s\"", why, note.why);
	af_layout_release(&l);
	b.now.part[0].type[0] = 0x0f; /* of the extended partition, which comes first */
	render_expect_refused(&b, AF_E_RULE, why);
	render_tear_down(&b);
}

#define CASE_11                                                                            \
	"400000 512 dos 1 e1=2048+200000,5 l5=2111+1000,83,ebr=2048 "                      \
	"l6=10063+1000,83,ebr=10000 l7=20063+1000,83,ebr=20000 "

/* Case 11: chains that lead astray are shown as far as they are one, and never written. */
static void test_cases__a_chain_that_leads_astray_is_locked(void **state)
{
	(void)state;
	/* the second entry of the EBR at 2048: start 300000, outside */
	expect_locked(CASE_11 "poke=1049038,0000000005000000e0930400e8030000", 2,
		      "broken after partition 5: the EBR at sector 302048 lies outside");
	/* that of the EBR at 10000: start 0, the head again */
	expect_locked(
		CASE_11 "poke=5120462,000000000500000000000000e8030000", 3,
		"broken after partition 6: the EBR at sector 2048 is linked to twice");
	/* ... and start 7952, itself */
	expect_locked(CASE_11 "poke=5120462,0000000005000000101f0000e8030000", 3,
		      "broken after partition 6: the EBR at sector 10000 is linked to "
		      "twice");
	/* the last EBR without 55 AA */
	expect_locked(CASE_11 "poke=10240510,0000", 3,
		      "broken after partition 6: the EBR at sector 20000 has no signature: "
		      "Linux stops there");
	/* the first one: nothing but rubbish */
	expect_locked(CASE_11 "poke=1048576,deadbeef poke=1049086,0000", 1,
		      "broken before its first partition: the EBR at sector 2048");
}

/* Case 11: an extended partition of no sectors is an unused entry, and stays what it is. */
static void test_cases__an_extended_partition_without_sectors_is_unused(void **state)
{
	struct render b;
	struct af_label_note note;
	struct af_layout l;
	unsigned char before[16], after[16];

	(void)state;
	render_set_up(&b, "400000 512 dos 1 e1=2048+0,5 p2=4096+1000,83");
	assert_true(af_label_read(&b.m.dev, &l, &note, &b.err));
	assert_false(note.read_only);
	assert_non_null(strstr(note.why, "entry 1 of the MBR is an extended partition "
					 "without sectors"));
	assert_int_equal(l.nparts, 1);
	af_layout_release(&l);
	memdev_peek(&b.m, 446, before, sizeof before);
	render_part(&b, 2)->type[0] = 0x07;
	render_and_write(&b);
	memdev_peek(&b.m, 446, after, sizeof after);
	assert_memory_equal(before, after, sizeof after);
	render_tear_down(&b);
}

/* Case 11: two hundred EBRs are a chain like another. */
static void test_cases__two_hundred_ebrs_are_read(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "dos200");
	assert_int_equal(b.base.nparts, 202);
	assert_int_equal(b.m.reads, 201);
	render_part(&b, 100)->boot = true;
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	render_tear_down(&b);
}

/* Beyond number 60 nobody else sees a partition: none is made there, and what is there is not built over. */
static void test_cases__no_logical_is_made_beyond_number_60(void **state)
{
	(void)state;
	expect_words("dos56", "new logical size=1G",
		     "there are 56 logical partitions, and other programs find only the "
		     "first 56: they would delete the new one");
	expect_run("dos56", "delete 60; new logical size=1G; new logical size=1G", NULL);
	expect_words("dos200", "new start=1000000000", "find only the first 56");
	expect_words("dos200", "new primary start=1000000000",
		     "sector 1000000000 is not in free space");
}

/* Case 13 and 64, 14: what other programs make of it is said before it is written. */
static void expect_warning(const char *disk, const char *commands, const char *maybe_words)
{
	struct af_err err;
	struct af_layout base;
	struct af_plan plan;
	struct world w;
	const char *found = NULL;
	const struct af_types none = { 0 };

	world_make(&w, disk);
	af_layout_copy(&w.layout, &base);
	assert_true(world_run(&w, commands, &err));
	struct af_plan_words words = {
		.dev_name = "/dev/sda",
		.contents = &w.contents,
		.mbr_types = &none,
		.gpt_types = &none,
	};

	af_plan_make(&base, &w.layout, &words, &plan);
	for (size_t i = 0; i < plan.nsteps; i++)
		if (strcmp(plan.step[i].step, "warning") == 0)
			found = plan.step[i].detail;
	if (!maybe_words != !found || (found && !strstr(found, maybe_words)))
		fail_msg("%s: the warning is %s", commands, found ? found : "missing");
	af_plan_release(&plan);
	af_layout_release(&base);
	world_release(&w);
}

static void test_cases__a_logical_efi_partition_is_warned_of(void **state)
{
	const char *disk = "2097152 512 dos 1 p2=1000000+204800,83 e1=2048+400000,5 "
			   "l5=4096+4096,83,ebr=2048 l6=10240+4096,ef,ebr=8192";

	(void)state;
	expect_warning(disk, "type 5 ef", "sda5 is a logical partition: UEFI firmware");
	expect_warning(disk, "new logical size=1M type=ef", "sda7 is a logical partition");
	expect_warning(disk, "type 2 ef", NULL);
	expect_warning(disk, "boot 6 on", NULL); /* it was one before */
	expect_warning(disk, "delete 5", NULL);
}

#define CASE_14                                                                            \
	"15760000 512 dos 0x1 boot-code chs=240/63 p1=63+4097457,7,boot "                  \
	"e2=4097520+11657520,f l5=4097583+2041137,7 l6=6138783+9616257,7"

static void test_cases__a_moved_boot_sector_is_warned_of(void **state)
{
	const char *aligned = "15760000 512 dos 1 p1=63+4000000,7,boot p2=6144000+2048,83";

	(void)state;
	expect_warning(aligned, "align 1",
		       "sda1 begins at another sector then: the hidden-sectors field");
	expect_warning(aligned, "move 2 start=5G", NULL);
	expect_warning(aligned, "resize 1 size=-100M", NULL);
}

static void test_cases__cylinders_beyond_1024_are_warned_of(void **state)
{
	const char *disk = "41943040 512 dos 1 p1=2048+204800,b e2=206848+8388608,5";

	(void)state;
	expect_warning(disk, "resize 2 size=max",
		       "sda2 reaches beyond 1024 cylinders: old "
		       "systems look for type f there, not 5");
	expect_warning(disk, "resize 2 size=max; type 2 f", NULL);
	expect_warning(disk, "delete 2; resize 1 size=max", "look for type c there, not b");
	expect_warning(disk, "delete 2; new size=max type=6",
		       "look for type e there, not 6");
	expect_warning(disk, "delete 2; new size=max type=83", NULL);
	expect_warning(disk, "delete 2; new extended", NULL);
}

/* ------------------------------------------------------------------ case 14 */

static uint64_t le32(const unsigned char *p)
{
	return p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

/* Three bytes must tell sector lba by 240 heads of 63 sectors, or what the table says beyond 1024 cylinders. */
static void expect_chs(const unsigned char *p, uint64_t lba)
{
	uint64_t cylinder = p[2] | (uint64_t)(p[1] & 0xC0) << 2;

	if (lba >= UINT64_C(1024) * 240 * 63)
		assert_memory_equal(p, "\xEF\xFF\xFF", 3);
	else
		assert_int_equal((cylinder * 240 + p[0]) * 63 + (p[1] & 0x3F) - 1, lba);
}

/* Each used entry of that sector, which counts from sector base, is told by 240 heads. */
static void expect_geometry(const struct render *b, uint64_t at, uint64_t base)
{
	unsigned char sector[512];

	memdev_peek(&b->m, (af_bytes)at * 512, sector, sizeof sector);
	for (size_t i = 0; i < 2; i++) {
		const unsigned char *p = sector + 446 + 16 * i;
		/* an EBR's link counts from the extended partition */
		uint64_t start = le32(p + 8) + (i == 1 && at ? 4097520 : base);

		if (le32(p + 12) == 0)
			continue;
		expect_chs(p + 1, start);
		expect_chs(p + 5, start + le32(p + 12) - 1);
	}
}

/* Case 14: an XP-era disk is in order, and its CHS stay those of 240 heads wherever something changes. */
static void test_cases__a_table_of_240_heads_keeps_them(void **state)
{
	struct render b;
	unsigned char before[446], after[446], five[16], still[16];

	(void)state;
	render_set_up(&b, CASE_14);
	assert_int_equal(b.base.nparts, 4);
	assert_int_equal(b.base.part[0].span.end / 512, 4097520);
	expect_geometry(&b, 0, 0);
	expect_geometry(&b, 6138720, 6138720);
	memdev_peek(&b.m, 0, before, sizeof before);
	memdev_peek(&b.m, INT64_C(4097520) * 512 + 446, five, sizeof five);
	render_part(&b, 1)->span.end -= 1000 * INT64_C(512);
	render_part(&b, 6)->span.start += 1985 * INT64_C(512); /* 6140768 = 8 * 767596 */
	render_part(&b, 6)->span.end -= INT64_C(512);
	render_and_write(&b);
	expect_geometry(&b, 0, 0);
	expect_geometry(&b, 4097520, 4097520);
	expect_geometry(&b, 6138720, 6138720);
	memdev_peek(&b.m, 0, after, sizeof after);
	assert_memory_equal(before, after, sizeof after);
	memdev_peek(&b.m, INT64_C(4097520) * 512 + 446, still, sizeof still);
	assert_memory_equal(five, still, sizeof still);
	render_tear_down(&b);
}

/* A fresh table on the same disk has nothing of them. */
static void test_cases__a_new_label_has_255_heads(void **state)
{
	struct af_part part = { .number = 1, .type = { 0x83 } };
	unsigned char entry[16];
	struct render b;

	(void)state;
	render_set_up(&b, CASE_14);
	render_relabel(&b, AF_SCHEME_MBR);
	part.span = (struct af_span){ 63 * INT64_C(512), 4097520 * INT64_C(512) };
	af_layout_add(&b.now, &part);
	render_and_write(&b);
	memdev_peek(&b.m, 446, entry, sizeof entry);
	assert_memory_equal(entry + 1, "\x01\x01\x00", 3);
	/* 4097519 = (255 * 255 + 14) * 63 + 63 - 1 */
	assert_memory_equal(entry + 5, "\x0E\x3F\xFF", 3);
	render_tear_down(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_cases__an_extended_partition_keeps_its_logicals_inside),
		cmocka_unit_test(test_cases__a_logical_never_leaves_its_extended_partition),
		cmocka_unit_test(test_cases__a_logical_between_two_spares_the_ebr_behind),
		cmocka_unit_test(test_cases__a_gap_without_a_slot_is_explained),
		cmocka_unit_test(test_cases__a_far_extended_partition_is_for_lba),
		cmocka_unit_test(test_cases__a_chain_that_leads_astray_is_locked),
		cmocka_unit_test(
			test_cases__an_extended_partition_without_sectors_is_unused),
		cmocka_unit_test(test_cases__two_hundred_ebrs_are_read),
		cmocka_unit_test(test_cases__no_logical_is_made_beyond_number_60),
		cmocka_unit_test(test_cases__a_logical_efi_partition_is_warned_of),
		cmocka_unit_test(test_cases__a_moved_boot_sector_is_warned_of),
		cmocka_unit_test(test_cases__cylinders_beyond_1024_are_warned_of),
		cmocka_unit_test(test_cases__a_table_of_240_heads_keeps_them),
		cmocka_unit_test(test_cases__a_new_label_has_255_heads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
