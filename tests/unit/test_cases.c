/*
 * Trouble that people really had with partition editors, rebuilt as numbers: what other programs got wrong, and
 * what is right. Each disk is in the words of world.h; sectors are of 512 bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "gen.h"
#include "world.h"
#include <stdio.h>
#include <string.h>

struct story {
	struct world w;
	char now[4096];
};

static void begin(struct story *s, const char *words)
{
	struct af_err err;
	world_make(&s->w, words);
	assert_true(af_layout_sound(&s->w.layout, &err));
}

/* Runs the commands, which must work, and returns the table in words. */
static const char *run(struct story *s, const char *commands)
{
	struct af_err err = { .code = AF_OK };
	if (!world_run(&s->w, commands, &err))
		fail_msg("%s: %s", commands, err.text);
	assert_true(af_layout_sound(&s->w.layout, &err));
	return world_show(&s->w.layout, s->now, sizeof(s->now));
}

/* Case 0: the default place for a new logical on an XP data disk: never over the first one. */
static void test_cases__new_logical_on_an_xp_disk_uses_the_hole(void **state)
{
	(void)state;
	struct story s;
	begin(&s, "20971520 512 dos 1 e1=63+20964762,f l5=126+4192902,83,ebr=63 "
		  "l6=10490508+10474317,83,ebr=10490445");
	assert_string_equal(run(&s, "new logical"),
			    "e1=63+20964762,0f l5=126+4192902,83,ebr=63 "
			    "l7=4194304+6295552,83,ebr=4193032 "
			    "l6=10490508+10474317,83,ebr=10490445");
	world_release(&s.w);
	begin(&s, "2097152 512 dos 1 e1=63+2000000,f l5=126+200000,83,ebr=63 "
		  "l6=400126+200000,83,ebr=400063");
	assert_string_equal(
		run(&s, "new logical start=200126"),
		"e1=63+2000000,0f l5=126+200000,83,ebr=63 "
		"l7=200704+198656,83,ebr=200128 l6=400126+200000,83,ebr=400063");
	world_release(&s.w);
	begin(&s, "2097152 512 dos 1 e1=204863+1800000,f l5=204926+200000,83,ebr=204863 "
		  "l6=605052+200000,83,ebr=604989");
	assert_string_equal(
		run(&s, "new logical start=404926"),
		"e1=204863+1800000,0f l5=204926+200000,83,ebr=204863 "
		"l7=405504+198656,83,ebr=404928 l6=605052+200000,83,ebr=604989");
	world_release(&s.w);
}

/* Case 1: the EBR of a second logical must not lie in the first one's data. */
static void test_cases__an_ebr_never_lies_in_the_logical_before(void **state)
{
	(void)state;
	struct story s;
	begin(&s, "2097152 512 dos 1 e1=2048+2095104,5 l5=6145+782335,83,ebr=2048");
	assert_string_equal(run(&s, "new logical"),
			    "e1=2048+2095104,05 l5=6145+782335,83,ebr=2048 "
			    "l6=790528+1306624,83,ebr=788480");
	world_release(&s.w);
	begin(&s, "2097152 512 dos 1 e1=2048+2095104,5 l5=6144+782336,83,ebr=2048");
	assert_string_equal(run(&s, "new logical"),
			    "e1=2048+2095104,05 l5=6144+782336,83,ebr=2048 "
			    "l6=790528+1306624,83,ebr=788480");
	world_release(&s.w);
}

/* Case 2: a moved logical takes its EBR along; the next one moved to its place overwrites nothing. */
static void test_cases__moving_logicals_one_after_the_other_keeps_all(void **state)
{
	(void)state;
	struct story s;
	begin(&s, "2097152 512 dos 1 e1=2048+2095104,5 l5=4096+204800,83,ebr=2048 "
		  "l6=210944+204800,83,ebr=208896");
	assert_string_equal(run(&s, "move 6 start=825344; move 5 start=126976"),
			    "e1=2048+2095104,05 l5=126976+204800,83,ebr=2048 "
			    "l6=825344+204800,83,ebr=823296");
	world_release(&s.w);
	begin(&s,
	      "209715200 512 dos 1 p1=4096+262144,83 e2=524288+209190912,f "
	      "l5=2097152+16777216,83,ebr=524288 l6=20971520+16777216,83,ebr=20969472 "
	      "l7=39845888+23068672,83,ebr=39843840 l8=65011712+144703488,83,ebr=65009664");
	assert_string_equal(run(&s, "resize 8 size=-8G; move 8 start=81788928; "
				    "move 7 start=56623104; move 6 start=29360128"),
			    "p1=4096+262144,83 e2=524288+209190912,0f "
			    "l5=2097152+16777216,83,ebr=524288 "
			    "l6=29360128+16777216,83,ebr=29358080 "
			    "l7=56623104+23068672,83,ebr=56621056 "
			    "l8=81788928+127926272,83,ebr=81786880");
	world_release(&s.w);
}

/* Case 3: all slots used, free space behind the extended partition: it grows with the logical, in one step. */
static void test_cases__the_extended_one_grows_with_its_logicals(void **state)
{
	(void)state;
	struct story s;
	begin(&s, "41943040 512 dos 1 p1=2048+2048000,83 p2=2050048+2048000,83 "
		  "p3=4098048+2048000,83 e4=6146048+4098048,5 "
		  "l5=6148096+4096000,83,ebr=6146048");
	assert_string_equal(
		run(&s, "new logical size=2G"),
		"p1=2048+2048000,83 p2=2050048+2048000,83 p3=4098048+2048000,83 "
		"e4=6146048+8294400,05 l5=6148096+4096000,83,ebr=6146048 "
		"l6=10246144+4194304,83,ebr=10244096");
	assert_string_equal(
		run(&s, "resize 6 size=+1G"),
		"p1=2048+2048000,83 p2=2050048+2048000,83 p3=4098048+2048000,83 "
		"e4=6146048+10391552,05 l5=6148096+4096000,83,ebr=6146048 "
		"l6=10246144+6291456,83,ebr=10244096");
	struct af_err err;
	assert_false(world_run(&s.w, "resize 4 end=8000000", &err));
	assert_int_equal(err.code, AF_E_RANGE);
	assert_non_null(strstr(run(&s, "delete 6; resize 4 end=10244095"),
			       "e4=6146048+4098048,05"));
	world_release(&s.w);
}

/* Case 8: MiB-aligned moves through chains of 63-sector gaps: no EBR is ever overwritten. */
static void test_cases__aligned_moves_in_legacy_chains_spare_every_ebr(void **state)
{
	(void)state;
	struct gen g = { .state = 8 };
	struct af_err err;
	for (int i = 0; i < 300; i++) {
		struct world w = { .topo = { .sector_size = 512, .physical = 4096 } };
		w.topo.size = 3 * AF_GIB;
		w.rules = af_align_rules(&w.topo, false);
		gen_layout(&g, AF_SCHEME_MBR, w.topo.size, 512, &w.layout);
		for (int k = 0; k < 6; k++) {
			char command[80];
			(void)snprintf(command, sizeof(command), "%s %d start=%llu",
				       gen_below(&g, 2) ? "move" : "align",
				       (int)(5 + gen_below(&g, 4)),
				       (unsigned long long)gen_below(&g, 6000000));
			if (strncmp(command, "align", 5) == 0)
				command[7] = '\0';
			(void)world_run(&w, command, &err);
			assert_true(af_layout_sound(&w.layout, &err));
		}
		world_release(&w);
	}
}

/* Case 10: a start asked for at the very start of the extended partition goes to the next grain line. */
static void test_cases__a_start_in_the_place_of_the_ebr_moves_on(void **state)
{
	(void)state;
	struct story s;
	begin(&s, "4194304 512 dos 1 p1=16384+1638400,83 p2=1654784+819200,83 "
		  "e3=2473984+1024000,5");
	assert_string_equal(
		run(&s, "new logical start=1208M end=1408M"),
		"p1=16384+1638400,83 p2=1654784+819200,83 e3=2473984+1024000,05 "
		"l5=2476032+407552,83,ebr=2473984");
	struct af_verdict v =
		af_align_judge(&s.w.rules, NULL, af_layout_number(&s.w.layout, 5));
	assert_int_equal(v.status, AF_STATUS_OPTIMAL);
	world_release(&s.w);
}

/* Off by a single sector: seen, and mended by a single sector. */
static void test_cases__one_sector_off_is_mended_by_one_sector(void **state)
{
	(void)state;
	struct story s;
	begin(&s, "976773168 512 gpt auto g1=2049+959365740,linux,auto "
		  "g2=959367789+17000000,linux,auto");
	struct af_verdict v = af_align_judge(&s.w.rules, NULL, &s.w.layout.part[0]);
	assert_int_equal(v.status, AF_STATUS_MISALIGNED);
	assert_int_equal(v.start_off, 512);
	assert_int_equal(v.below / 512, 2048);
	assert_string_equal(run(&s, "align 1"), "g1=2048+959365740 g2=959367789+17000000");
	v = af_align_judge(&s.w.rules, NULL, &s.w.layout.part[1]);
	assert_int_equal(v.status, AF_STATUS_MISALIGNED);
	assert_int_equal(v.start_off / 512, 5);
	world_release(&s.w);
}

/* Ten MiB, and a last request of exactly what is left. */
static void test_cases__exactly_the_rest_fits(void **state)
{
	(void)state;
	struct story s;
	begin(&s, "20480 512 dos 1 p1=2048+16384,83");
	assert_string_equal(run(&s, "new start=18432 size=2048"),
			    "p1=2048+16384,83 p2=18432+2048,83");
	world_release(&s.w);
	begin(&s, "20480 512 dos 1 p1=2048+16384,83");
	assert_string_equal(run(&s, "new start=18432"),
			    "p1=2048+16384,83 p2=18432+2048,83");
	world_release(&s.w);
	begin(&s, "20480 512 dos 1");
	s.w.rules.exact = true;
	assert_string_equal(run(&s, "new start=512 size=4096; new start=6144 size=512K; "
				    "new start=8192 size=1M"),
			    "p1=512+4096,83 p2=6144+1024,83 p3=8192+2048,83");
	world_release(&s.w);
	begin(&s, "20480 512 dos 1");
	assert_string_equal(run(&s, "new start=512 size=4096; new size=512K; new size=1M"),
			    "p1=2048+4096,83 p2=6144+2048,83 p3=8192+2048,83");
	world_release(&s.w);
}

/* Rounding twice: a size of whole MiB stays what it is, moving and aligning keep it, once is enough. */
static void test_cases__rounding_twice_changes_nothing(void **state)
{
	(void)state;
	struct story s;
	begin(&s, "4194304 512 dos 1");
	assert_string_equal(run(&s, "new start=3M size=500M"), "p1=6144+1024000,83");
	assert_string_equal(run(&s, "resize 1 size=500M"), "p1=6144+1024000,83");
	assert_string_equal(run(&s, "move 1 start=2M"), "p1=4096+1024000,83");
	assert_string_equal(run(&s, "move 1 start=1M"), "p1=2048+1024000,83");
	assert_string_equal(run(&s, "align 1; align 1; align all"), "p1=2048+1024000,83");
	world_release(&s.w);
	begin(&s, "4194304 512 dos 1 p1=63+1023999,83");
	assert_string_equal(run(&s, "align 1"), "p1=2048+1023999,83");
	assert_string_equal(run(&s, "align 1"), "p1=2048+1023999,83");
	world_release(&s.w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases__new_logical_on_an_xp_disk_uses_the_hole),
		cmocka_unit_test(test_cases__an_ebr_never_lies_in_the_logical_before),
		cmocka_unit_test(test_cases__moving_logicals_one_after_the_other_keeps_all),
		cmocka_unit_test(test_cases__the_extended_one_grows_with_its_logicals),
		cmocka_unit_test(
			test_cases__aligned_moves_in_legacy_chains_spare_every_ebr),
		cmocka_unit_test(test_cases__a_start_in_the_place_of_the_ebr_moves_on),
		cmocka_unit_test(test_cases__one_sector_off_is_mended_by_one_sector),
		cmocka_unit_test(test_cases__exactly_the_rest_fits),
		cmocka_unit_test(test_cases__rounding_twice_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
