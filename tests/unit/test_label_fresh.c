/* Rendering another table over the old one, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "render.h"

#define CHAIN                                                                              \
	"204800 512 dos 0x1 p1=2048+4096,83 e2=8192+100000,f l5=8255+1000,83,ebr=8192 "    \
	"l6=20063+1000,83,ebr=20000 l7=30063+1000,83,ebr=30000 "

#define SMALL_GPT                                                                          \
	"20480 512 gpt af000000-0000-4000-8000-0000000000ff g1=2048+1000,linux,auto,one "  \
	"g3=4096+1000,linux,auto,three "

/* One sector of the disk. */
static struct af_span one(af_bytes sector)
{
	return (struct af_span){ sector, sector + 1 };
}

/* ------------------------------------------------------------------ another table */

static void expect_fresh_gpt(const char *words, uint64_t first)
{
	struct render b;
	unsigned char sector[446], zeros[446] = { 0 };

	render_set_up(&b, words);
	render_relabel(&b, AF_SCHEME_GPT);
	assert_int_equal(b.now.usable.start, first * b.m.dev.sector_size);
	render_and_write(&b);
	assert_string_equal(b.patch.run[b.patch.n - 1].what, "MBR");
	memdev_peek(&b.m, 0, sector, sizeof sector);
	assert_memory_equal(sector, zeros, sizeof sector);
	render_tear_down(&b);
}

static void test_label__a_new_gpt_begins_as_low_as_it_can(void **state)
{
	(void)state;
	expect_fresh_gpt("seed", 34);
	expect_fresh_gpt("20480 512 none", 34);
	expect_fresh_gpt("20480 1024 none", 18);
	expect_fresh_gpt("20480 2048 none", 10);
	expect_fresh_gpt("20480 4096 none", 6);
	expect_fresh_gpt("68 512 none", 34);
}

static void test_label__a_gpt_of_256_entries_is_written_and_read(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "20480 512 none");
	render_relabel(&b, AF_SCHEME_GPT);
	b.now.slots = 256;
	b.now.usable = (struct af_span){ 66 * INT64_C(512), (20480 - 65) * INT64_C(512) };
	render_and_write(&b);
	render_expect_run(&b, 0, one(20479), 1,
			  "backup GPT header"); /* all entries are zeros, as before */
	render_tear_down(&b);
}

static void
test_label__a_disk_so_small_that_both_copies_meet_takes_a_short_gpt(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "36 512 none");
	af_layout_release(&b.now);
	b.now = (struct af_layout){
		.scheme = AF_SCHEME_GPT,
		.sector_size = 512,
		.disk_size = 36 * INT64_C(512),
		.usable = { 6 * INT64_C(512), 31 * INT64_C(512) },
		.slots = 16,
		.disk_id = { 1 },
		.next_id = 1,
	};
	render_and_write(&b);
	render_tear_down(&b);
}

static void test_label__a_gpt_over_an_mbr_may_cover_an_ebr(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "20480 512 dos 0x1 e2=8192+12288,f l5=8255+1000,83,ebr=8192 "
			  "l6=20470+5,83,ebr=20460");
	render_relabel(&b, AF_SCHEME_GPT);
	render_and_write(&b);
	render_expect_run(&b, 0, one(20460), 0, "backup GPT entries");
	render_tear_down(&b);
}

static void test_label__a_gpt_over_a_gpt_keeps_its_boot_code(void **state)
{
	struct render b;
	char code[4];

	(void)state;
	render_set_up(&b, SMALL_GPT "poke=0,11223344");
	render_relabel(&b, AF_SCHEME_GPT);
	render_and_write(&b);
	memdev_peek(&b.m, 0, code, 4);
	assert_memory_equal(code, "\x11\x22\x33\x44", 4);
	render_tear_down(&b);
}

static void test_label__an_mbr_over_a_gpt_leaves_no_header_behind(void **state)
{
	struct render b;
	unsigned char sector[512], zeros[512] = { 0 };

	(void)state;
	render_set_up(&b, SMALL_GPT "poke=0,11223344");
	render_relabel(&b, AF_SCHEME_MBR);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 3);
	render_expect_run(&b, 0, one(0), 2, "MBR");
	render_expect_run(&b, 1, one(1), 3, "old GPT header");
	render_expect_run(&b, 2, one(20479), 3, "old GPT header");
	memdev_peek(&b.m, 0, sector, 512);
	assert_memory_equal(sector, zeros,
			    440); /* the code of a GPT loader has no use here */
	memdev_peek(&b.m, 20479 * INT64_C(512), sector, 512);
	assert_memory_equal(sector, zeros, 512);
	render_tear_down(&b);
}

static void test_label__an_mbr_over_a_lost_gpt_wipes_the_backup(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, SMALL_GPT "poke=510,0000 poke=512,0000000000000000");
	assert_true(b.base.gpt.mbr_lost);
	render_relabel(&b, AF_SCHEME_MBR);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 2);
	render_expect_run(&b, 1, one(20479), 3, "old GPT header");
	render_tear_down(&b);
}

static void test_label__an_mbr_over_a_gpt_may_have_an_ebr_in_sector_1(void **state)
{
	struct render b;
	struct af_part ext = {
		.number = 1, .role = AF_ROLE_EXTENDED, .type = { 5 }, .span = { 512, 51200 }
	};
	struct af_part five = { .number = 5,
				.role = AF_ROLE_LOGICAL,
				.type = { 0x83 },
				.ebr = 512,
				.span = { 10240, 20480 } };

	(void)state;
	render_set_up(&b, SMALL_GPT);
	render_relabel(&b, AF_SCHEME_MBR);
	af_layout_add(&b.now, &ext);
	af_layout_add(&b.now, &five);
	render_and_write(&b);
	render_expect_run(&b, 0, one(1), 0, "EBR of partition 5");
	render_tear_down(&b);
}

static void test_label__an_mbr_over_an_mbr_keeps_its_boot_code(void **state)
{
	struct render b;
	unsigned char before[440], after[440];

	(void)state;
	render_set_up(&b, "seed");
	render_relabel(&b, AF_SCHEME_MBR);
	memdev_peek(&b.m, 0, before, sizeof before);
	render_and_write(&b);
	memdev_peek(&b.m, 0, after, sizeof after);
	assert_memory_equal(before, after, sizeof after);
	assert_int_equal(b.patch.n, 1);
	render_tear_down(&b);
}

/* ------------------------------------------------------------------ in place of a damaged one */

/* Damaged tables, each read-only for a reason of its own. */
static const char *const damaged[] = {
	CHAIN
	"poke=15360462,0000000005000000202e0000e8030000", /* back to the EBR at 20000 */
	CHAIN "poke=10240510,0000",                       /* that one unsigned */
	CHAIN "poke=4194750,40", /* a strange boot flag in the first EBR */
	SMALL_GPT "poke=552,77",
	SMALL_GPT "poke=10485320,77",
	SMALL_GPT "poke=552,77 poke=10485320,77", /* neither copy */
	SMALL_GPT "poke=510,0000",
	SMALL_GPT
	"poke=454,02 poke=462,00000000830000000008000001", /* the protective entry elsewhere */
};

static void test_label__a_new_table_replaces_a_damaged_one(void **state)
{
	static const enum af_scheme scheme[] = { AF_SCHEME_MBR, AF_SCHEME_GPT };
	struct render b;

	(void)state;
	for (size_t i = 0; i < 2 * sizeof damaged / sizeof *damaged; i++) {
		render_set_up(&b, damaged[i / 2]);
		render_expect_damaged(&b);
		render_relabel(&b, scheme[i % 2]);
		render_and_write(&b);
		render_tear_down(&b);
	}
}

static void test_label__a_new_chain_takes_nothing_from_a_damaged_one(void **state)
{
	struct af_part ext = { .number = 2, .role = AF_ROLE_EXTENDED, .type = { 0x0f } };
	struct af_part five = { .number = 5, .role = AF_ROLE_LOGICAL, .type = { 0x83 } };
	struct render b;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		render_set_up(&b, damaged[i]);
		ext.span = af_layout_extended(&b.base)->span;
		five.span = af_layout_number(&b.base, 5)->span;
		five.ebr = ext.span.start;
		render_relabel(&b, AF_SCHEME_MBR);
		b.now.next_id = b.base.next_id;
		af_layout_add(&b.now, &ext);
		af_layout_add(&b.now, &five);
		render_and_write(&b);
		render_tear_down(&b);
	}
}

static void test_label__an_mbr_over_what_was_a_gpt_wipes_both_headers(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, SMALL_GPT "poke=552,77 poke=10485320,77");
	assert_int_equal(b.base.scheme, AF_SCHEME_MBR);
	render_relabel(&b, AF_SCHEME_MBR);
	render_and_write(&b);
	render_expect_run(&b, 1, one(1), 3, "old GPT header");
	render_expect_run(&b, 2, one(20479), 3, "old GPT header");
	render_tear_down(&b);
}

/* ------------------------------------------------------------------ refusals */

static void test_label__what_a_damaged_table_shows_is_not_taken_over(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, SMALL_GPT "poke=454,02 poke=462,00000000830000000008000001");
	b.now.disk_id[0] ^= 1;
	render_expect_refused(&b, AF_E_RULE, "does not begin at sector 1");
	render_tear_down(&b);
	render_set_up(&b, SMALL_GPT "poke=552,77");
	b.now.disk_id[0] ^= 1;
	render_expect_refused(&b, AF_E_RULE, "must be repaired");
	render_tear_down(&b);
}

static void test_label__a_damaged_table_that_changed_is_stale(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CHAIN "poke=10240510,0000");
	render_relabel(&b, AF_SCHEME_GPT);
	memdev_poke(&b.m, 446 + 4, "\x07", 1);
	render_expect_refused(&b, AF_E_STALE, "changed since it was read");
	render_tear_down(&b);
}

static void test_label__a_table_cannot_become_none(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "seed");
	render_relabel(&b, AF_SCHEME_NONE);
	render_expect_refused(&b, AF_E_RULE, "taken away");
	render_tear_down(&b);
}

static void test_label__a_layout_of_another_disk_is_refused(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "seed");
	b.now.disk_size -= 512;
	render_expect_refused(&b, AF_E_RULE, "another size");
	b.now.disk_size += 512;
	b.now.sector_size = 4096;
	render_expect_refused(&b, AF_E_RULE, "another size");
	render_tear_down(&b);
}

static void test_label__an_unsound_layout_is_refused(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "seed");
	render_part(&b, 1)->span.end = render_part(&b, 2)->span.end;
	render_expect_refused(&b, AF_E_RULE, "overlap");
	render_tear_down(&b);
}

static void test_label__a_disk_that_changed_is_stale(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "seed");
	memdev_poke(&b.m, 446 + 4, "\x07", 1);
	render_expect_refused(&b, AF_E_STALE, "changed since it was read");
	render_tear_down(&b);
}

static void test_label__a_read_only_table_is_refused(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, SMALL_GPT "poke=454,02 poke=462,00000000830000000008000001");
	render_part(&b, 1)->attrs = 4;
	render_expect_refused(&b, AF_E_RULE, "does not begin at sector 1");
	render_tear_down(&b);
}

static void test_label__a_first_ebr_elsewhere_leaves_an_empty_one(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CHAIN);
	render_part(&b, 5)->ebr += 512;
	render_and_write(&b);
	render_expect_run(&b, 0, one(8193), 0, "EBR of partition 5");
	render_expect_run(&b, 1, one(8192), 1, "EBR without a partition");
	render_tear_down(&b);
}

static void test_label__a_gpt_keeps_its_length_but_not_its_limits(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, SMALL_GPT);
	b.now.slots = 64;
	render_expect_refused(&b, AF_E_RULE, "keeps that length");
	b.now.slots = 128;
	b.now.usable.start += render_at(&b, 1);
	render_and_write(&b);
	render_tear_down(&b);
}

static void test_label__usable_space_over_the_entries_is_refused(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "20480 512 none");
	render_relabel(&b, AF_SCHEME_GPT);
	b.now.usable.start = render_at(&b, 3); /* inside the entries */
	render_expect_refused(&b, AF_E_RULE, "not between its two copies");
	render_tear_down(&b);
}

static void test_label__what_would_be_read_back_differently_is_refused(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, SMALL_GPT);
	/* the UTF-8 of half a surrogate pair: 16 bits that are no character */
	snprintf(render_part(&b, 3)->name, AF_NAME_MAX, "\xED\xA0\xBD");
	render_expect_refused(&b, AF_E_RULE,
			      "partition 3 would not be read back as wanted");
	render_tear_down(&b);
}

static void test_label__a_protective_type_in_an_mbr_is_refused(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "seed");
	render_part(&b, 1)->type[0] = 0xEE;
	render_expect_refused(&b, AF_E_RULE, "the table cannot be written");
	render_tear_down(&b);
}

static void test_label__a_failing_read_is_told(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "seed");
	b.m.fail_read = b.m.reads + 1;
	render_expect_refused(&b, AF_E_IO, "cannot read");
	render_tear_down(&b);
	render_set_up(&b, "seed");
	render_relabel(&b, AF_SCHEME_GPT);
	b.m.fail_read = b.m.reads + 4; /* after the head and two EBRs: the tail */
	render_expect_refused(&b, AF_E_IO, "cannot read");
	render_tear_down(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_label__a_new_gpt_begins_as_low_as_it_can,
				       render_in_512),
		cmocka_unit_test_setup(test_label__a_gpt_of_256_entries_is_written_and_read,
				       render_in_512),
		cmocka_unit_test_setup(
			test_label__a_disk_so_small_that_both_copies_meet_takes_a_short_gpt,
			render_in_512),
		cmocka_unit_test_setup(test_label__a_gpt_over_an_mbr_may_cover_an_ebr,
				       render_in_512),
		RENDER_BOTH(test_label__a_gpt_over_a_gpt_keeps_its_boot_code),
		RENDER_BOTH(test_label__an_mbr_over_a_gpt_leaves_no_header_behind),
		cmocka_unit_test_setup(test_label__an_mbr_over_a_lost_gpt_wipes_the_backup,
				       render_in_512),
		cmocka_unit_test_setup(
			test_label__an_mbr_over_a_gpt_may_have_an_ebr_in_sector_1,
			render_in_512),
		RENDER_BOTH(test_label__an_mbr_over_an_mbr_keeps_its_boot_code),
		RENDER_BOTH(test_label__a_table_cannot_become_none),
		RENDER_BOTH(test_label__a_layout_of_another_disk_is_refused),
		RENDER_BOTH(test_label__an_unsound_layout_is_refused),
		RENDER_BOTH(test_label__a_disk_that_changed_is_stale),
		cmocka_unit_test_setup(test_label__a_new_table_replaces_a_damaged_one,
				       render_in_512),
		RENDER_BOTH(test_label__a_new_chain_takes_nothing_from_a_damaged_one),
		cmocka_unit_test_setup(
			test_label__an_mbr_over_what_was_a_gpt_wipes_both_headers,
			render_in_512),
		cmocka_unit_test_setup(
			test_label__what_a_damaged_table_shows_is_not_taken_over,
			render_in_512),
		RENDER_BOTH(test_label__a_damaged_table_that_changed_is_stale),
		cmocka_unit_test_setup(test_label__a_read_only_table_is_refused,
				       render_in_512),
		cmocka_unit_test_setup(
			test_label__a_first_ebr_elsewhere_leaves_an_empty_one,
			render_in_512),
		RENDER_BOTH(test_label__a_gpt_keeps_its_length_but_not_its_limits),
		RENDER_BOTH(test_label__usable_space_over_the_entries_is_refused),
		RENDER_BOTH(test_label__what_would_be_read_back_differently_is_refused),
		RENDER_BOTH(test_label__a_protective_type_in_an_mbr_is_refused),
		RENDER_BOTH(test_label__a_failing_read_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
