#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/layout.h"
#include "afdisk/text.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>

#define CHAIN                                                                              \
	"2097152 512 dos 1 p1=2048+204800,83 e2=206848+1024000,05 "                        \
	"l5=208896+204800,83,ebr=206848 l6=415744+204800,83,ebr=413696"

static void test_layout__init_knows_both_tables(void **state)
{
	(void)state;
	struct af_layout l;
	struct af_err err;
	assert_true(af_layout_init(&l, AF_SCHEME_MBR, 100 * AF_MIB, 512, &err));
	assert_int_equal(l.slots, 4);
	assert_int_equal(l.usable.start, 512);
	assert_true(af_layout_init(&l, AF_SCHEME_GPT, 100 * AF_MIB, 4096, &err));
	assert_int_equal(l.slots, 128);
	assert_int_equal(l.usable.start, 24576);
	assert_int_equal(l.usable.end, 100 * AF_MIB - 20480);
	assert_false(af_layout_init(&l, AF_SCHEME_GPT, 10240, 512, &err));
	assert_int_equal(err.code, AF_E_RANGE);
}

static void test_layout__copy_is_deep_and_equal(void **state)
{
	(void)state;
	struct world w;
	struct af_layout copy;
	world_make(&w, CHAIN);
	af_layout_copy(&w.layout, &copy);
	assert_true(af_layout_equal(&w.layout, &copy));
	copy.part[0].boot = true;
	assert_false(w.layout.part[0].boot);
	assert_false(af_layout_equal(&w.layout, &copy));
	copy.part[0].boot = false;
	copy.part[0].id = 77;
	assert_true(af_layout_equal(&w.layout, &copy));
	copy.part[3].ebr -= 512;
	assert_false(af_layout_equal(&w.layout, &copy));
	assert_false(af_part_equal(&w.layout.part[3], &copy.part[3]));
	copy.part[3].ebr += 512;
	copy.disk_id[0] ^= 1;
	assert_false(af_layout_equal(&w.layout, &copy));
	af_layout_release(&copy);
	assert_null(copy.part);
	world_release(&w);
}

static void test_layout__parts_are_found_by_id_number_and_role(void **state)
{
	(void)state;
	struct world w;
	world_make(&w, CHAIN);
	const struct af_part *six = af_layout_number(&w.layout, 6);
	assert_non_null(six);
	assert_ptr_equal(af_layout_find(&w.layout, six->id), six);
	assert_null(af_layout_number(&w.layout, 7));
	assert_null(af_layout_find(&w.layout, 99));
	assert_int_equal(af_layout_extended(&w.layout)->number, 2);
	struct af_span ebr = af_layout_ebr(&w.layout, six);
	assert_int_equal(ebr.start, 413696LL * 512);
	assert_int_equal(ebr.end, 413697LL * 512);
	world_release(&w);
}

static void test_layout__add_sorts_and_remove_keeps_numbers(void **state)
{
	(void)state;
	struct world w;
	char text[1024];
	world_make(&w, "2097152 512 dos 1 p2=4096+2048,83");
	struct af_part p = { .number = 1, .span = { AF_MIB, 2 * AF_MIB }, .type = { 7 } };
	uint32_t id = af_layout_add(&w.layout, &p);
	assert_string_equal(world_show(&w.layout, text, sizeof(text)),
			    "p1=2048+2048,07 p2=4096+2048,83");
	assert_int_not_equal(id, af_layout_number(&w.layout, 2)->id);
	w.layout.part[0].span = (struct af_span){ 4 * AF_MIB, 5 * AF_MIB };
	af_layout_sort(&w.layout);
	assert_int_equal(w.layout.part[1].id, id);
	af_layout_remove(&w.layout, 1234);
	assert_int_equal(w.layout.nparts, 2);
	af_layout_remove(&w.layout, id);
	assert_string_equal(world_show(&w.layout, text, sizeof(text)), "p2=4096+2048,83");
	world_release(&w);
}

static void check_gaps(const char *words, const char *expect)
{
	struct world w;
	struct af_gap *gap;
	struct af_text t = { 0 };
	world_make(&w, words);
	size_t n = af_layout_gaps(&w.layout, &gap);
	for (size_t i = 0; i < n; i++)
		af_text_add(&t, "%s%lld-%lld%s%s%s", i ? " " : "",
			    (long long)(gap[i].span.start / w.layout.sector_size),
			    (long long)(gap[i].span.end / w.layout.sector_size),
			    gap[i].in_extended ? "x" : "", gap[i].after_ebr ? "e" : "",
			    gap[i].before_logical ? "l" : "");
	assert_string_equal(af_text_get(&t), expect);
	af_text_release(&t);
	free(gap);
	world_release(&w);
}

static void test_layout__gaps_leave_ebrs_and_edges_alone(void **state)
{
	(void)state;
	check_gaps("2097152 512 dos 1", "1-2097152");
	check_gaps("2097152 512 gpt auto", "34-2097119");
	check_gaps("2097152 512 none", "");
	check_gaps(
		CHAIN,
		"1-2048 206849-208896xel 413697-415744xel 620544-1230848x 1230848-2097152");
	check_gaps("2097152 512 dos 1 e1=2048+4096,5", "1-2048 2049-6144x 6144-2097152");
	check_gaps(
		"2097152 512 dos 1 e1=63+9000,5 l5=126+100,83,ebr=63 l6=400+100,83,ebr=300",
		"1-63 64-126xel 226-300x 301-400xel 500-9063x 9063-2097152");
}

struct flaw {
	const char *words, *text;
};

static const struct flaw flaw_table[] = {
	{ "2097152 512 dos 1 p1=2048+4096,83 p2=6143+10,83", "overlap" },
	{ "2097152 512 dos 1 p1=0+4096,83", "reaches beyond" },
	{ "2097152 512 dos 1 p1=2048+2097152,83", "reaches beyond" },
	{ "2097152 512 gpt auto g1=33+4096,linux,auto", "reaches beyond" },
	{ "2097152 512 gpt auto g1=2048+2095072,linux,auto", "reaches beyond" },
	{ "2097152 512 dos 1 p1=2048+0,83", "no sectors" },
	{ "2097152 512 dos 1 p1=2048+100,0", "no type" },
	{ "2097152 512 dos 1 e1=2048+100,5 e2=4096+100,5", "two extended" },
	{ "2097152 512 dos 1 e1=2048+100,5 l5=2050+99,83,ebr=2048",
	  "not inside an extended" },
	{ "2097152 512 dos 1 e1=2048+900,5 l5=2111+99,83,ebr=2048 l6=2300+99,83,ebr=2209",
	  "overlap" },
	{ "2097152 512 dos 1 e1=2048+900,5 l5=2111+99,83,ebr=2048 l6=2300+99,83,ebr=2048",
	  "overlap" },
	{ "2097152 512 dos 1 e1=2048+900,5 l5=2111+99,83,ebr=2048 l6=2300+99,83,ebr=2300",
	  "EBR" },
	{ "2097152 512 dos 1 e1=2048+900,5 l5=2111+99,83,ebr=2047", "EBR" },
	{ "2097152 512 dos 1 e1=2048+900,5 l5=2111+99,83,ebr=2048 l7=2400+99,83,ebr=2300",
	  "chain" },
};

static void test_layout__sound_names_every_flaw(void **state)
{
	(void)state;
	struct af_err err;
	struct world w;
	for (size_t i = 0; i < sizeof(flaw_table) / sizeof(*flaw_table); i++) {
		world_make(&w, flaw_table[i].words);
		print_message("%s\n", flaw_table[i].words);
		assert_false(af_layout_sound(&w.layout, &err));
		assert_int_equal(err.code, AF_E_RULE);
		if (!strstr(err.text, flaw_table[i].text))
			fail_msg("%s", err.text);
		world_release(&w);
	}
	world_make(&w, CHAIN);
	assert_true(af_layout_sound(&w.layout, &err));
	w.layout.part[0].span.start++;
	assert_false(af_layout_sound(&w.layout, &err));
	assert_non_null(strstr(err.text, "inside a sector"));
	w.layout.part[0].span.start--;
	w.layout.part[0].number = 2;
	assert_false(af_layout_sound(&w.layout, &err));
	assert_non_null(strstr(err.text, "two partitions have number 2"));
	w.layout.part[0].number = 5;
	assert_false(af_layout_sound(&w.layout, &err));
	assert_non_null(strstr(err.text, "no number 5"));
	w.layout.scheme = AF_SCHEME_NONE;
	assert_false(af_layout_sound(&w.layout, &err));
	world_release(&w);
}

static void test_layout__data_over_the_head_of_the_chain_is_unsound(void **state)
{
	(void)state;
	struct af_err err;
	struct world w;
	world_make(&w, "2097152 512 dos 1 e1=2048+900,5 l5=2300+99,83,ebr=2200");
	assert_true(af_layout_sound(&w.layout, &err));
	w.layout.part[1].span.start = 2048LL * 512;
	w.layout.part[1].ebr = 2048LL * 512 - 512;
	assert_false(af_layout_sound(&w.layout, &err));
	world_release(&w);
}

/* 57 logicals: what others cannot read is not rebuilt. */
static void test_layout__a_chain_of_too_many_is_kept(void **state)
{
	(void)state;
	struct af_err err;
	struct world w;
	struct af_layout next;
	world_make(&w, "2097152 512 dos 1 e1=2048+1000000,5");
	for (uint32_t i = 0; i < AF_LOGICALS_MAX + 1; i++) {
		af_bytes at = (4096 + 1000 * (af_bytes)i) * 512;
		struct af_part p = { .number = 5 + i,
				     .role = AF_ROLE_LOGICAL,
				     .span = { at, at + 51200 },
				     .ebr = at - 512,
				     .type = { 0x83 } };
		(void)af_layout_add(&w.layout, &p);
	}
	assert_true(af_layout_sound(&w.layout, &err));
	assert_int_equal(af_layout_logicals(&w.layout), AF_LOGICALS_MAX + 1);
	af_layout_copy(&w.layout, &next);
	assert_true(af_layout_chain_kept(&w.layout, &next, &err));
	next.part[9].type[0] = 0x07; /* in its own room */
	next.part[9].boot = true;
	next.part[9].span.end -= 512;
	next.part[0].span.end += 512;
	assert_true(af_layout_chain_kept(&w.layout, &next, &err));
	next.part[9].ebr += 512;
	assert_false(af_layout_chain_kept(&w.layout, &next, &err));
	assert_int_equal(err.code, AF_E_RULE);
	assert_non_null(strstr(err.text, "cannot leave the room behind its EBR"));
	next.part[9].ebr -= 512;
	next.part[0].span.start += 512;
	assert_false(af_layout_chain_kept(&w.layout, &next, &err));
	assert_non_null(strstr(err.text, "the extended one keeps its start"));
	next.part[0].span.start -= 512;
	af_layout_remove(&next, next.part[AF_LOGICALS_MAX + 1].id); /* the last one */
	assert_true(af_layout_chain_kept(&w.layout, &next, &err));
	next.part[5].number = 60;
	assert_false(af_layout_chain_kept(&w.layout, &next, &err));
	assert_non_null(strstr(err.text, "only the last logical one can be deleted"));
	next.part[5].number = 9;
	struct af_part more = next.part[5];
	(void)af_layout_add(&next, &more);
	assert_false(af_layout_chain_kept(&w.layout, &next, &err));
	assert_non_null(strstr(err.text, "no logical one can be added"));
	next.disk_id[0] ^= 1; /* another table altogether */
	assert_true(af_layout_chain_kept(&w.layout, &next, &err));
	af_layout_release(&next);
	world_release(&w);
}

static void test_layout__another_kind_or_identity_is_a_new_table(void **state)
{
	struct af_layout base, now;
	struct af_err err;
	(void)state;
	assert_true(af_layout_init(&base, AF_SCHEME_MBR, 100 * AF_MIB, 512, &err));
	now = base;
	now.slots = 5;
	assert_false(af_layout_is_new(&base, &now));
	now.disk_id[3] = 1;
	assert_true(af_layout_is_new(&base, &now));
	now = base;
	now.scheme = AF_SCHEME_GPT;
	assert_true(af_layout_is_new(&base, &now));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout__init_knows_both_tables),
		cmocka_unit_test(test_layout__copy_is_deep_and_equal),
		cmocka_unit_test(test_layout__parts_are_found_by_id_number_and_role),
		cmocka_unit_test(test_layout__add_sorts_and_remove_keeps_numbers),
		cmocka_unit_test(test_layout__gaps_leave_ebrs_and_edges_alone),
		cmocka_unit_test(test_layout__another_kind_or_identity_is_a_new_table),
		cmocka_unit_test(test_layout__sound_names_every_flaw),
		cmocka_unit_test(test_layout__data_over_the_head_of_the_chain_is_unsound),
		cmocka_unit_test(test_layout__a_chain_of_too_many_is_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
