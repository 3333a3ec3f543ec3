/* Rendering a changed table: which sectors change, in which order, and what is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "render.h"

/* One sector of the disk. */
static struct af_span one(af_bytes sector)
{
	return (struct af_span){ sector, sector + 1 };
}

/* ------------------------------------------------------------------ MBR */

static void test_label__no_change_is_no_patch(void **state)
{
	static const char *const words_table[] = { "seed", "dos56", "gpt128",
						   "empty-gpt-4k",
						   "20480 512 dos 0x1 e1=2048+8192,5" };
	struct render b;

	(void)state;
	for (size_t i = 0; i < sizeof words_table / sizeof *words_table; i++) {
		render_set_up(&b, words_table[i]);
		render_now(&b);
		assert_int_equal(b.patch.n, 0);
		render_tear_down(&b);
	}
}

static void test_label__a_changed_primary_is_the_mbr_alone(void **state)
{
	struct render b;
	unsigned char before[512], after[512];

	(void)state;
	render_set_up(&b,
		      "seed poke=440,010203040506"); /* another id, and bytes 444 and 445 */
	memdev_poke(&b.m, 446 + 16 + 1, "\x12\x34\x56",
		    3); /* CHS of number 2, of some other geometry */
	memdev_peek(&b.m, 0, before, 512);
	render_part(&b, 1)->type[0] = 0x07;
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	render_expect_run(&b, 0, one(0), 2, "MBR");
	memdev_peek(&b.m, 0, after, 512);
	assert_memory_equal(before, after, 446);
	assert_int_equal(after[446 + 4], 0x07);
	assert_memory_equal(before + 462, after + 462, 50);
	render_tear_down(&b);
}

static void test_label__a_changed_logical_of_56_is_two_sectors(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "dos56");
	render_part(&b, 30)->span.end -= render_at(&b, 1);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 2);
	/* its own EBR, then the link that leads to it */
	render_expect_run(&b, 0, one(2099200 + 25 * INT64_C(33556480)), 1,
			  "EBR of partition 30");
	render_expect_run(&b, 1, one(2099200 + 24 * INT64_C(33556480)), 1,
			  "EBR of partition 29");
	render_tear_down(&b);
}

static void test_label__a_retyped_logical_of_56_is_one_sector(void **state)
{
	struct render b;
	unsigned char before[512], after[512];

	(void)state;
	render_set_up(&b, "dos56");
	memdev_poke(&b.m, render_at(&b, 2099200), "loader",
		    6); /* an EBR may hold other bytes */
	memdev_peek(&b.m, render_at(&b, 2099200), before, 512);
	render_part(&b, 5)->type[0] = 0x82;
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	memdev_peek(&b.m, render_at(&b, 2099200), after, 512);
	assert_memory_equal(before, after, 446);
	assert_memory_equal(before + 462, after + 462, 50);
	render_tear_down(&b);
}

static void test_label__an_entry_without_sectors_is_nobody_and_kept(void **state)
{
	struct render b;
	unsigned char after[16];

	(void)state;
	render_set_up(&b, "20480 512 dos 0x1 p1=2048+2048,83 "
			  "poke=478,80010203830405060000000100000000");
	assert_int_equal(b.base.nparts, 1);
	render_part(&b, 1)->boot = true;
	render_and_write(&b);
	memdev_peek(&b.m, 478, after, 16);
	assert_memory_equal(after, "\x80\x01\x02\x03\x83\x04\x05\x06\0\0\0\x01\0\0\0\0",
			    16);
	render_tear_down(&b);
}

#define CHAIN                                                                              \
	"204800 512 dos 0x1 p1=2048+4096,83 e2=8192+100000,f l5=8255+1000,83,ebr=8192 "    \
	"l6=20063+1000,83,ebr=20000 l7=30063+1000,83,ebr=30000 "

static void test_label__new_ebrs_come_first_then_the_chain_from_its_tail(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CHAIN);
	struct af_part new = *render_part(&b, 7);

	new.number = 8;
	new.ebr = render_at(&b, 40000);
	new.span = (struct af_span){ render_at(&b, 40100), render_at(&b, 41000) };
	af_layout_add(&b.now, &new);
	render_part(&b, 5)->boot = true;
	render_part(&b, 1)->boot = true;
	render_and_write(&b);
	assert_int_equal(b.patch.n, 4);
	render_expect_run(&b, 0, one(40000), 0, "EBR of partition 8");
	render_expect_run(&b, 1, one(30000), 1, "EBR of partition 7");
	render_expect_run(&b, 2, one(8192), 1, "EBR of partition 5");
	render_expect_run(&b, 3, one(0), 2, "MBR");
	render_tear_down(&b);
}

static void test_label__a_new_ebr_is_zeros_around_its_table(void **state)
{
	struct render b;
	unsigned char noise[512], after[512], zeros[446] = { 0 };

	(void)state;
	render_set_up(&b, CHAIN);
	memset(noise, 0x77, sizeof noise);
	memdev_poke(&b.m, render_at(&b, 19000), noise, 512);
	render_part(&b, 6)->ebr = render_at(&b, 19000);
	render_and_write(&b);
	memdev_peek(&b.m, render_at(&b, 19000), after, 512);
	assert_memory_equal(after, zeros, 446);
	memdev_peek(&b.m, render_at(&b, 20000), after,
		    512); /* the old one stays as it was: nobody links to it */
	assert_int_equal(after[510], 0x55);
	render_tear_down(&b);
}

static void test_label__a_chain_out_of_order_of_place_is_written(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CHAIN);
	render_part(&b, 6)->number = 99;
	render_part(&b, 7)->number = 6;
	render_part(&b, 99)->number = 7;
	render_and_write(&b);
	assert_int_equal(b.patch.n, 3);
	render_tear_down(&b);
}

static void test_label__deleting_the_first_logical_makes_the_next_the_head(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CHAIN);
	af_layout_remove(&b.now, render_part(&b, 5)->id);
	render_part(&b, 6)->number = 5;
	render_part(&b, 7)->number = 6;
	render_part(&b, 5)->ebr = render_at(&b, 8192);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	render_expect_run(&b, 0, one(8192), 1, "EBR of partition 5");
	render_tear_down(&b);
}

static void test_label__an_extended_partition_alone_has_an_empty_ebr(void **state)
{
	struct render b;
	unsigned char after[4096], zeros[4096] = { 0 };

	(void)state;
	render_set_up(&b, "204800 4096 dos 0x1");
	struct af_part ext = { .number = 3,
			       .role = AF_ROLE_EXTENDED,
			       .type = { 0x0f },
			       .span = { 2048 * INT64_C(4096), 9000 * INT64_C(4096) } };

	memset(after, 0x77, sizeof after);
	memdev_poke(&b.m, 2048 * INT64_C(4096), after, sizeof after);
	af_layout_add(&b.now, &ext);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 2);
	render_expect_run(&b, 0, one(2048), 0, "EBR of the empty extended partition");
	render_expect_run(&b, 1, one(0), 2, "MBR");
	memdev_peek(&b.m, 2048 * INT64_C(4096), after, sizeof after);
	assert_memory_equal(after, zeros, 510);
	assert_memory_equal(after + 510, "\x55\xAA", 2);
	assert_memory_equal(after + 512, zeros, 4096 - 512);
	render_tear_down(&b);
}

static void test_label__the_last_logical_leaves_an_empty_ebr(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CHAIN);
	for (uint32_t number = 5; number <= 7; number++)
		af_layout_remove(&b.now, render_part(&b, number)->id);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	render_expect_run(&b, 0, one(8192), 1, "EBR of the empty extended partition");
	render_tear_down(&b);
}

static void test_label__a_foreign_but_right_ebr_is_left_alone(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CHAIN);
	/* number 5's link says 0F, and covers all the rest: some tools write that */
	memdev_poke(&b.m, render_at(&b, 8192) + 462 + 4, "\x0F", 1);
	memdev_poke(&b.m, render_at(&b, 8192) + 462 + 12, "\x00\x10\x01\x00", 4);
	render_part(&b, 7)->type[0] = 0x07;
	render_now(&b);
	assert_int_equal(b.patch.n, 1);
	render_expect_run(&b, 0, one(30000), 1, "EBR of partition 7");
	render_tear_down(&b);
}

static void test_label__empty_ebrs_stay_in_the_chain(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "204800 512 dos 0x1 e2=8192+100000,f l5=8255+1000,83,ebr=8192 "
			  "l6=20063+0,83,ebr=20000 l7=30063+1000,83,ebr=30000 "
			  "l8=40063+1000,83,ebr=40000");
	assert_int_equal(b.base.nparts, 4);
	render_part(&b, 7)->type[0] = 0x07;
	render_part(&b, 5)->type[0] = 0x07;
	render_and_write(&b);
	assert_int_equal(b.patch.n, 2);
	render_expect_run(&b, 0, one(40000), 1, "EBR of partition 7");
	render_expect_run(&b, 1, one(8192), 1, "EBR of partition 5");
	render_tear_down(&b);
}

/* One at the head of the chain, as Windows and parted leave it: the first logical keeps its own. */
static void test_label__an_empty_head_stays_where_it_is(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "204800 512 dos 0x1 e2=8192+100000,f l5=8255+0,83,ebr=8192 "
			  "l6=20063+1000,83,ebr=20000 l7=30063+1000,83,ebr=30000");
	render_part(&b, 5)->boot = true;
	render_part(&b, 5)->span.end += render_at(&b, 1);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 2);
	render_expect_run(&b, 0, one(20000), 1, "EBR of partition 5");
	render_expect_run(&b, 1, one(8192), 1, "EBR without a partition");
	render_tear_down(&b);
}

/* At the end of the chain, and where there is nothing else. */
static void test_label__empty_ebrs_at_the_end_stay(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "204800 512 dos 0x1 p1=2048+1000,83 e2=8192+100000,f "
			  "l5=8255+1000,83,ebr=8192 l6=20063+0,83,ebr=20000 "
			  "l7=30063+0,83,ebr=30000");
	render_part(&b, 1)->boot = true;
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	render_expect_run(&b, 0, one(0), 2, "MBR");
	render_tear_down(&b);
	render_set_up(&b, "204800 512 dos 0x1 e2=8192+100000,f l5=8255+0,83,ebr=8192 "
			  "l6=20063+0,83,ebr=20000 l7=30063+0,83,ebr=30000");
	render_part(&b, 2)->span.end = render_at(&b, 25000);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 2);
	render_expect_run(&b, 0, one(8192), 1, "EBR of the empty extended partition");
	render_tear_down(&b);
}

/* One whose place is needed leaves the chain; so does one whose neighbours change. */
static void test_label__an_empty_ebr_makes_way(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "204800 512 dos 0x1 e2=8192+100000,f l5=8255+1000,83,ebr=8192 "
			  "l6=20063+0,83,ebr=20000 l7=30063+1000,83,ebr=30000");
	render_part(&b, 5)->span.end = render_at(&b, 25000);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	render_expect_run(&b, 0, one(8192), 1, "EBR of partition 5");
	af_layout_release(&b.base);
	af_layout_copy(&b.now, &b.base);
	af_patch_release(&b.patch);
	render_part(&b, 6)->ebr += render_at(&b, 1);
	render_and_write(&b);
	render_tear_down(&b);
}

/* ------------------------------------------------------------------ GPT */

static void test_label__a_changed_gpt_entry_is_four_sectors(void **state)
{
	struct render b;
	af_bytes last = 1953525167;

	(void)state;
	render_set_up(&b, "gpt128");
	render_part(&b, 77)->span.end -= render_at(&b, 8);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 4);
	render_expect_run(&b, 0, one(last - 32 + 19), 0, "backup GPT entries");
	render_expect_run(&b, 1, one(last), 1, "backup GPT header");
	render_expect_run(&b, 2, one(2 + 19), 2, "GPT entries");
	render_expect_run(&b, 3, one(1), 3, "GPT header");
	for (size_t i = 0; i < 512;
	     i++) /* the first entry's last sector, and nothing else */
		if (i < 40 || i >= 48)
			assert_int_equal(b.patch.run[2].before[i], b.patch.run[2].after[i]);
	render_tear_down(&b);
}

static void test_label__the_boot_flag_of_the_protective_entry_is_kept(void **state)
{
	struct render b;
	unsigned char flag;

	(void)state;
	render_set_up(&b, "gpt128 poke=446,80");
	render_part(&b, 1)->attrs = 4;
	render_and_write(&b);
	memdev_peek(&b.m, 446, &flag, 1);
	assert_int_equal(flag, 0x80);
	render_tear_down(&b);
}

#define SMALL_GPT                                                                          \
	"20480 512 gpt af000000-0000-4000-8000-0000000000ff g1=2048+1000,linux,auto,one "  \
	"g3=4096+1000,linux,auto,three "

static void test_label__gpt_fields_are_written(void **state)
{
	struct render b;
	struct af_part *one;

	(void)state;
	render_set_up(&b, SMALL_GPT);
	one = render_part(&b, 1);
	one->attrs = INT64_C(0xFEDC0000000000FF);
	memset(one->uuid, 0xA5, 16);
	one->type[3] ^= 0x10; /* a type that nobody knows */
	snprintf(one->name, sizeof one->name, "\xF0\x9F\x90\xA7 \xC3\xA9 \xE2\x82\xAC");
	one->number = 128;
	render_and_write(&b);
	render_tear_down(&b);
}

static void test_label__gpt_partitions_may_change_places(void **state)
{
	struct render b;
	struct af_span one;

	(void)state;
	render_set_up(&b, SMALL_GPT);
	one = render_part(&b, 1)->span;
	render_part(&b, 1)->span = render_part(&b, 3)->span;
	render_part(&b, 3)->span = one;
	af_layout_sort(&b.now);
	render_and_write(&b);
	render_tear_down(&b);
}

static void test_label__a_name_of_more_than_36_units_is_refused(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, SMALL_GPT);
	char *name = render_part(&b, 1)->name;

	for (size_t i = 0; i < 19; i++) /* two units each */
		memcpy(name + 4 * i, "\xF0\x9F\x90\xA7", 5);
	render_expect_refused(&b, AF_E_RULE, "36 UTF-16 units");
	snprintf(render_part(&b, 1)->name, AF_NAME_MAX, "rubbish \xFF\xFE");
	render_expect_refused(&b, AF_E_RULE, "partition 1");
	render_tear_down(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RENDER_BOTH(test_label__no_change_is_no_patch),
		RENDER_BOTH(test_label__a_changed_primary_is_the_mbr_alone),
		RENDER_BOTH(test_label__an_entry_without_sectors_is_nobody_and_kept),
		RENDER_BOTH(test_label__a_changed_logical_of_56_is_two_sectors),
		RENDER_BOTH(test_label__a_retyped_logical_of_56_is_one_sector),
		RENDER_BOTH(test_label__new_ebrs_come_first_then_the_chain_from_its_tail),
		RENDER_BOTH(test_label__a_new_ebr_is_zeros_around_its_table),
		RENDER_BOTH(test_label__a_chain_out_of_order_of_place_is_written),
		RENDER_BOTH(test_label__deleting_the_first_logical_makes_the_next_the_head),
		RENDER_BOTH(test_label__an_extended_partition_alone_has_an_empty_ebr),
		RENDER_BOTH(test_label__the_last_logical_leaves_an_empty_ebr),
		RENDER_BOTH(test_label__a_foreign_but_right_ebr_is_left_alone),
		RENDER_BOTH(test_label__empty_ebrs_stay_in_the_chain),
		RENDER_BOTH(test_label__an_empty_head_stays_where_it_is),
		RENDER_BOTH(test_label__empty_ebrs_at_the_end_stay),
		RENDER_BOTH(test_label__an_empty_ebr_makes_way),
		RENDER_BOTH(test_label__a_changed_gpt_entry_is_four_sectors),
		RENDER_BOTH(test_label__the_boot_flag_of_the_protective_entry_is_kept),
		RENDER_BOTH(test_label__gpt_fields_are_written),
		RENDER_BOTH(test_label__gpt_partitions_may_change_places),
		RENDER_BOTH(test_label__a_name_of_more_than_36_units_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
