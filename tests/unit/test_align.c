#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/align.h"
#include "afdisk/text.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>

#define TB (UINT64_C(1953525168) * 512)

struct rule {
	const char *say;
	struct af_topo topo;
	af_bytes check, check_phase, grain, grain_phase, lowest;
};

static const struct rule rule_table[] = {
	{ "an image",
	  { .size = TB, .sector_size = 512, .physical = 4096 },
	  4096,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "a drive that says 512 is not believed",
	  { .size = TB, .sector_size = 512, .physical = 512 },
	  4096,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "a user who says 512 is",
	  { .size = TB,
	    .sector_size = 512,
	    .physical = 512,
	    .physical_source = AF_SOURCE_USER },
	  512,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "16 KiB physical",
	  { .size = TB, .sector_size = 4096, .physical = 16384 },
	  16384,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "an offset moves all lines",
	  { .size = TB, .sector_size = 512, .physical = 4096, .alignment_offset = 3584 },
	  4096,
	  3584,
	  AF_MIB,
	  3584,
	  AF_MIB },
	{ "a RAID of power-of-two stripes",
	  { .size = TB,
	    .sector_size = 512,
	    .physical = 512,
	    .minimum_io = 65536,
	    .optimal_io = 524288 },
	  65536,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "a RAID of three data disks",
	  { .size = TB,
	    .sector_size = 512,
	    .physical = 4096,
	    .minimum_io = 65536,
	    .optimal_io = 196608 },
	  65536,
	  0,
	  (af_bytes)6 * 196608,
	  0,
	  AF_MIB },
	{ "stripes over 1 MiB",
	  { .size = TB, .sector_size = 512, .physical = 4096, .optimal_io = 4 * AF_MIB },
	  4096,
	  0,
	  4 * AF_MIB,
	  0,
	  AF_MIB },
	{ "an odd minimum is ignored",
	  { .size = TB, .sector_size = 512, .physical = 4096, .minimum_io = 6144 },
	  4096,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "what bridges say is ignored",
	  { .size = TB,
	    .sector_size = 512,
	    .physical = 512,
	    .physical_source = AF_SOURCE_USER,
	    .optimal_io = 33553920 },
	  512,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "a stripe that is no multiple of the check size is ignored",
	  { .size = TB, .sector_size = 512, .physical = 4096, .optimal_io = 6144 },
	  4096,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "an absurd stripe is ignored",
	  { .size = TB, .sector_size = 512, .physical = 4096, .optimal_io = 128 * AF_MIB },
	  4096,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "four grains are a tiny disk",
	  { .size = 4 * AF_MIB, .sector_size = 512, .physical = 512 },
	  4096,
	  0,
	  4096,
	  0,
	  0 },
	{ "one sector more is not",
	  { .size = 4 * AF_MIB + 512, .sector_size = 512, .physical = 512 },
	  4096,
	  0,
	  AF_MIB,
	  0,
	  AF_MIB },
	{ "the user's grain",
	  { .size = TB, .sector_size = 512, .physical = 4096, .grain = 8 * AF_MIB },
	  4096,
	  0,
	  8 * AF_MIB,
	  0,
	  AF_MIB },
};

static void test_align__rules_follow_the_topology(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rule_table) / sizeof(*rule_table); i++) {
		const struct rule *r = &rule_table[i];
		struct af_rules got = af_align_rules(&r->topo, false);
		print_message("%s\n", r->say);
		assert_int_equal(got.check.step, r->check);
		assert_int_equal(got.check.phase, r->check_phase);
		assert_int_equal(got.grain.step, r->grain);
		assert_int_equal(got.grain.phase, r->grain_phase);
		assert_int_equal(got.lowest, r->lowest);
		assert_false(got.exact);
		assert_true(af_align_rules(&r->topo, true).exact);
	}
}

static void check_status(const char *words, const char *expect)
{
	struct world w;
	struct af_text t = { 0 };
	world_make(&w, words);
	for (size_t i = 0; i < w.layout.nparts; i++) {
		struct af_verdict v = af_align_judge(&w.rules, NULL, &w.layout.part[i]);
		af_text_add(&t, "%s%u:%s:%lld:%lld", i ? " " : "", w.layout.part[i].number,
			    af_status_name(v.status), (long long)v.start_off / 512,
			    (long long)v.end_off / 512);
	}
	assert_string_equal(af_text_get(&t), expect);
	af_text_release(&t);
	world_release(&w);
}

static void test_align__every_row_of_the_article_gets_its_status(void **state)
{
	(void)state;
	check_status("seed-aligned",
		     "1:tail:0:1 2:tail:0:1 3:container:0:0 5:tail:0:1 6:tail:0:1");
	check_status("seed-63", "1:misaligned:7:0 2:aligned:0:0 3:container:0:0 "
				"5:misaligned:7:0 6:misaligned:7:0");
}

static void test_align__statuses(void **state)
{
	(void)state;
	check_status("2097152 512 dos 1 p1=2048+2048,83 p2=4104+2040,83 p3=8192+2041,83 "
		     "p4=10305+7,83",
		     "1:optimal:0:0 2:aligned:0:0 3:tail:0:1 4:misaligned:1:0");
	check_status("1953525168 512 gpt auto g1=2049+8,linux,auto", "1:misaligned:1:1");
	check_status("2097152 4096 dos 1 p1=256+256,83 p2=513+7,83",
		     "1:optimal:0:0 2:aligned:0:0");
}

static void test_align__lines_around_the_start(void **state)
{
	(void)state;
	struct world w;
	world_make(&w, "2097152 512 dos 1 p1=63+65,83 p2=4096+8,83");
	struct af_verdict v = af_align_judge(&w.rules, NULL, &w.layout.part[0]);
	assert_int_equal(v.below, 56 * 512);
	assert_int_equal(v.above, 64 * 512);
	v = af_align_judge(&w.rules, NULL, &w.layout.part[1]);
	assert_int_equal(v.below, v.above);
	w.topo.alignment_offset = 3584;
	w.rules = af_align_rules(&w.topo, false);
	v = af_align_judge(&w.rules, NULL, &w.layout.part[0]);
	assert_int_equal(v.status, AF_STATUS_TAIL);
	v = af_align_judge(&w.rules, NULL, &w.layout.part[1]);
	assert_int_equal(v.status, AF_STATUS_MISALIGNED);
	assert_int_equal(v.start_off, 512);
	world_release(&w);
}

static void test_align__check_fails_on_the_start_only(void **state)
{
	(void)state;
	assert_true(af_status_fails(AF_STATUS_MISALIGNED, false));
	assert_false(af_status_fails(AF_STATUS_TAIL, false));
	assert_true(af_status_fails(AF_STATUS_TAIL, true));
	assert_false(af_status_fails(AF_STATUS_ALIGNED, true));
	assert_false(af_status_fails(AF_STATUS_OPTIMAL, true));
	assert_false(af_status_fails(AF_STATUS_CONTAINER, true));
}

static void check_rooms(const char *words, const char *expect)
{
	struct world w;
	struct af_room *room;
	struct af_text t = { 0 };
	world_make(&w, words);
	size_t n = af_align_rooms(&w.rules, &w.layout, &room);
	for (size_t i = 0; i < n; i++)
		af_text_add(&t, "%s%s%lld-%lld%s", i ? " " : "",
			    room[i].kind == AF_ROOM_FREE ? "free" : "pad",
			    (long long)(room[i].span.start / w.layout.sector_size),
			    (long long)(room[i].span.end / w.layout.sector_size),
			    room[i].in_extended ? "x" : "");
	assert_string_equal(af_text_get(&t), expect);
	af_text_release(&t);
	free(room);
	world_release(&w);
}

static void test_align__padding_is_never_free_space(void **state)
{
	(void)state;
	check_rooms("2097152 512 dos 1", "pad1-2048 free2048-2097152");
	check_rooms("2097152 512 none", "");
	check_rooms("2097152 512 gpt auto", "pad34-2048 free2048-2097119");
	check_rooms("2097152 512 gpt auto g1=2048+2093056,linux,auto",
		    "pad34-2048 pad2095104-2097119");
	check_rooms("2097152 512 dos 1 p1=63+2000,83 p2=2080+2000,83 p3=6144+2091008,83",
		    "pad1-63 pad2063-2080 free4080-6144");
	check_rooms("2097152 512 dos 1 p1=63+5000,83 p2=8100+2089052,83",
		    "pad1-63 free5063-8100");
	check_rooms("2097152 512 dos 1 e1=2048+1024000,5 l5=4096+2048,83,ebr=2048 "
		    "l6=8192+2048,83,ebr=6144",
		    "pad1-2048 pad2048-4096x pad6144-8192x free10240-1026048x "
		    "free1026048-2097152");
	check_rooms("2097152 512 dos 1 e1=63+1024000,5 l5=500000+2048,83,ebr=63",
		    "pad1-63 pad64-2048x free2048-500000x free502048-1024063x "
		    "free1024063-2097152");
	check_rooms("8192 512 dos 1 p1=8+16,83", "pad1-8 free24-8192");
}

static void test_align__sentences_say_what_is_off(void **state)
{
	(void)state;
	struct world w;
	char text[240];
	world_make(&w, "2097152 512 dos 1 p1=63+2001,83 p2=4096+2041,83 p3=8192+2048,83 "
		       "e4=10305+700,5");
	static const char *const expect[] = {
		"the start is 7 sectors past a 4 KiB boundary; the nearest aligned sectors "
		"are 56 and 64",
		"the start is aligned, the end is 1 sector past a 4 KiB boundary: the last "
		"physical "
		"sector is shared with what comes next, and LUKS2 with 4096-byte sectors "
		"refuses such a size",
		"both edges are on the 1 MiB grain",
		"an extended partition holds no data of its own; its start is off its "
		"boundary, which "
		"costs nothing",
	};
	for (size_t i = 0; i < 4; i++) {
		af_align_sentence(&w.rules, NULL, &w.layout, &w.layout.part[i], text,
				  sizeof(text));
		assert_string_equal(text, expect[i]);
	}
	w.layout.part[0].span = (struct af_span){ 4096, 8192 };
	af_align_sentence(&w.rules, NULL, &w.layout, &w.layout.part[0], text, sizeof(text));
	assert_string_equal(
		text, "both edges are on 4 KiB boundaries, not both on the 1 MiB grain");
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_align__rules_follow_the_topology),
		cmocka_unit_test(test_align__every_row_of_the_article_gets_its_status),
		cmocka_unit_test(test_align__statuses),
		cmocka_unit_test(test_align__lines_around_the_start),
		cmocka_unit_test(test_align__check_fails_on_the_start_only),
		cmocka_unit_test(test_align__padding_is_never_free_space),
		cmocka_unit_test(test_align__sentences_say_what_is_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
