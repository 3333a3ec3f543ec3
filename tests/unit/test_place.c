#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/place.h"
#include "afdisk/text.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>

#define CHAIN                                                                              \
	"2097152 512 dos 1 p1=2048+204800,83 e2=206848+1024000,05 "                        \
	"l5=208896+204800,83,ebr=206848 l6=415744+204800,83,ebr=413696"

static void check_windows(const char *words, struct af_place place, const char *expect)
{
	struct world w;
	struct af_window *window;
	struct af_text t = { 0 };
	world_make(&w, words);
	size_t n = af_place_windows(&w.rules, &w.layout, &place, &window);
	for (size_t i = 0; i < n; i++)
		af_text_add(&t, "%s%lld-%lld:%lld-%lld", i ? " " : "",
			    (long long)window[i].whole.start / 512,
			    (long long)window[i].whole.end / 512,
			    (long long)window[i].data.start / 512,
			    (long long)window[i].data.end / 512);
	assert_string_equal(af_text_get(&t), expect);
	af_text_release(&t);
	free(window);
	world_release(&w);
}

static void test_place__primaries_lie_outside_and_over_1_mib(void **state)
{
	(void)state;
	struct af_place p = { .role = AF_ROLE_PRIMARY };
	check_windows(CHAIN, p, "1-2048:2048-2048 1230848-2097152:1230848-2097152");
	p.exact = true;
	check_windows(CHAIN, p, "1-2048:1-2048 1230848-2097152:1230848-2097152");
}

static void test_place__logicals_keep_a_sector_for_every_ebr(void **state)
{
	(void)state;
	struct af_place p = { .role = AF_ROLE_LOGICAL };
	check_windows(CHAIN, p,
		      "206849-208896:206851-208895 413697-415744:413699-415743 "
		      "620544-1230848:620546-1230848");
	p.exact = true;
	check_windows(CHAIN, p,
		      "206849-208896:206850-208896 413697-415744:413698-415744 "
		      "620544-1230848:620545-1230848");
}

static void test_place__free_space_beside_the_extended_one_belongs_to_it(void **state)
{
	(void)state;
	struct af_place p = { .role = AF_ROLE_LOGICAL, .grow = true };
	check_windows("2097152 512 dos 1 p1=2048+2048,83 e2=8192+8192,5 "
		      "l5=10240+2048,83,ebr=8192",
		      p, "4096-10240:4099-10239 12288-2097152:12290-2097152");
	check_windows(
		"2097152 512 dos 1 p1=2048+2048,83 e2=8192+8192,5 l5=8193+8191,83,ebr=8192",
		p, "4096-8192:4099-8192 16384-2097152:16386-2097152");
	p.is_first = true;
	check_windows("2097152 512 dos 1 p1=2048+2048,83 e2=8192+8192,5", p,
		      "4096-2097152:4098-2097152");
	check_windows("2097152 512 dos 1 p1=2048+2049,83", p,
		      "1-2048:2050-2048 4097-2097152:6146-2097152");
	p.grow = false;
	check_windows("2097152 512 dos 1 p1=2048+2048,83 e2=8192+8192,5", p,
		      "8193-16384:8194-16384");
}

static void test_place__extended_edges_stop_at_logicals_and_neighbours(void **state)
{
	(void)state;
	struct world w;
	struct af_span limit, inner;
	world_make(&w, CHAIN);
	af_place_extended(&w.rules, &w.layout, &limit, &inner);
	assert_int_equal(limit.start / 512, 206848);
	assert_int_equal(limit.end / 512, 2097152);
	assert_int_equal(inner.start / 512, 208894); /* two sectors for the head */
	assert_int_equal(inner.end / 512, 620544);
	w.rules.exact = true;
	af_place_extended(&w.rules, &w.layout, &limit, &inner);
	assert_int_equal(inner.start / 512, 208895);
	world_release(&w);
	world_make(&w, "2097152 512 dos 1 e1=8192+8192,5 p2=20480+2048,83");
	af_place_extended(&w.rules, &w.layout, &limit, &inner);
	assert_int_equal(limit.start / 512, 2048);
	assert_int_equal(limit.end / 512, 20480);
	assert_int_equal(inner.start / 512, 20479);
	assert_int_equal(inner.end / 512, 2049);
	world_release(&w);
	world_make(&w, "2097152 512 dos 1 e1=8192+8192,5 l5=12000+10,83,ebr=8192 "
		       "l6=9000+10,83,ebr=8500");
	af_place_extended(&w.rules, &w.layout, &limit, &inner);
	assert_int_equal(inner.start / 512, 8499);
	assert_int_equal(inner.end / 512, 12010);
	world_release(&w);
}

static void test_place__slots_and_codes(void **state)
{
	(void)state;
	struct world w;
	world_make(&w, "2097152 512 dos 1 p1=2048+2048,83 p3=4096+2048,83");
	assert_int_equal(af_place_slot(&w.layout), 2);
	assert_non_null(af_place_part(&w.layout, w.layout.part[1].id));
	assert_null(af_place_part(&w.layout, 99));
	world_release(&w);
	world_make(&w,
		   "2097152 512 dos 1 p1=2048+8,83 p2=2056+8,83 p3=4096+8,83 p4=5000+8,83");
	assert_int_equal(af_place_slot(&w.layout), 0);
	/* 1024 cylinders, in sectors of the disk */
	const af_bytes end = INT64_C(1024) * 255 * 63;
	assert_int_equal(af_place_extended_code(&w.layout, 512 * end), 0x05);
	assert_int_equal(af_place_extended_code(&w.layout, 512 * (end + 1)), 0x0f);
	w.layout.sector_size = 4096;
	assert_int_equal(af_place_extended_code(&w.layout, 4096 * end), 0x05);
	assert_int_equal(af_place_extended_code(&w.layout, 4096 * (end + 1)), 0x0f);
	world_release(&w);
}

static void test_place__head_and_house(void **state)
{
	(void)state;
	struct world w;
	struct af_err err;
	world_make(&w, CHAIN);
	struct af_part *six = af_place_part(&w.layout, af_layout_number(&w.layout, 6)->id);
	assert_true(af_place_house(&w.rules, &w.layout, six->id, false, &err));
	assert_int_equal(six->ebr / 512, 413696);
	six->span.start += 4096LL * 512;
	assert_true(af_place_house(&w.rules, &w.layout, six->id, true, &err));
	six = af_place_part(&w.layout, af_layout_number(&w.layout, 6)->id);
	assert_int_equal(six->ebr / 512, 417792);
	six->span.start = 413696LL * 512;
	assert_false(af_place_house(&w.rules, &w.layout, six->id, true, &err));
	assert_int_equal(err.code, AF_E_RANGE);
	af_place_part(&w.layout, af_layout_number(&w.layout, 5)->id)->ebr = 0;
	af_place_head(&w.layout);
	assert_int_equal(af_layout_number(&w.layout, 5)->ebr / 512, 206848);
	world_release(&w);
}

static void test_place__edges_prefer_the_grain_then_the_check_size(void **state)
{
	(void)state;
	struct world w;
	world_make(&w, "2097152 512 dos 1");
	af_bytes ss = 512;
	assert_int_equal(af_place_edge(&w.rules, 3000 * ss, 0, 9000 * ss), 4096 * ss);
	assert_int_equal(af_place_edge(&w.rules, 3000 * ss, 0, 4000 * ss), 2048 * ss);
	assert_int_equal(af_place_edge(&w.rules, 3001 * ss, 3000 * ss, 4000 * ss),
			 3008 * ss);
	assert_int_equal(af_place_edge(&w.rules, 3001 * ss, 3000 * ss, 3003 * ss),
			 3000 * ss);
	assert_int_equal(af_place_edge(&w.rules, 3002 * ss, 3001 * ss, 3003 * ss),
			 3002 * ss);
	assert_int_equal(af_place_edge(&w.rules, 1 * ss, 3001 * ss, 3003 * ss), 3001 * ss);
	assert_int_equal(af_place_edge(&w.rules, 9 * AF_MIB, 3001 * ss, 3003 * ss),
			 3003 * ss);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place__primaries_lie_outside_and_over_1_mib),
		cmocka_unit_test(test_place__logicals_keep_a_sector_for_every_ebr),
		cmocka_unit_test(
			test_place__free_space_beside_the_extended_one_belongs_to_it),
		cmocka_unit_test(
			test_place__extended_edges_stop_at_logicals_and_neighbours),
		cmocka_unit_test(test_place__slots_and_codes),
		cmocka_unit_test(test_place__head_and_house),
		cmocka_unit_test(test_place__edges_prefer_the_grain_then_the_check_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
