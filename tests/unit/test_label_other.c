/* Whole disks with a label of another system: shown as it is, never rendered, replaced without a trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/align.h"
#include "afdisk/label.h"
#include "memdev.h"
#include "render.h"
#include "world.h"

#define SUN "40960000 512 none sun=255/63,a:0+160650:2,b:10+321300:3,c:0+1606500:5"
#define SGI "40960000 512 none sgi=0,0:4096+8192:10,8:0+4096:0,10:0+40960000:6"
#define BSD "40960000 512 none bsd=0,a:16+100000:7:2048,c:0+40960000"

static const struct {
	const char *words;
	enum af_scheme scheme;
	const char *shows, *why;
} row_table[] = {
	{ SUN, AF_SCHEME_SUN, "p3=0+1606500,05 p1=0+160650,02 p2=160650+321300,03",
	  "a Sun disk label: shown, not changed" },
	{ SGI, AF_SCHEME_SGI, "p9=0+4096,00 p11=0+40960000,06 p1=4096+8192,0a",
	  "an SGI volume header: shown, not changed" },
	{ BSD, AF_SCHEME_BSD, "p3=0+40960000,00 p1=16+100000,07",
	  "a BSD disklabel: shown, not changed" },
};

#define ROWS (sizeof(row_table) / sizeof(row_table[0]))

static void test_label__labels_of_other_systems_are_shown_read_only(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		struct memdev m;
		struct af_layout l;
		struct af_label_note note;
		struct af_room *room;
		struct af_err err;
		struct af_rules rules = { .check = { 4096, 0 }, .grain = { AF_MIB, 0 } };
		char text[300];
		memdev_make(&m, row_table[i].words);
		assert_true(af_label_read(&m.dev, &l, &note, &err));
		assert_int_equal(l.scheme, row_table[i].scheme);
		assert_string_equal(world_show(&l, text, sizeof(text)), row_table[i].shows);
		assert_true(note.read_only);
		assert_non_null(strstr(note.why, row_table[i].why));
		assert_true(af_label_types(l.scheme)->n > 5);
		/* one that names others is no partition, and nothing is free */
		struct af_verdict v = af_align_judge(&rules, NULL, &l.part[0]);
		assert_int_equal(v.status, AF_STATUS_CONTAINER);
		assert_int_equal(af_align_rooms(&rules, &l, &room), 0);
		free(room);
		af_layout_release(&l);
		memdev_close(&m);
	}
}

static void test_label__types_have_the_names_of_their_system(void **state)
{
	static const uint8_t whole[16] = { 5 }, xfs[16] = { 10 }, ffs[16] = { 7 };
	(void)state;
	assert_string_equal(af_scheme_type_name(af_label_types(AF_SCHEME_SUN), whole),
			    "Whole disk");
	assert_string_equal(af_scheme_type_name(af_label_types(AF_SCHEME_SGI), xfs),
			    "SGI xfs");
	assert_string_equal(af_scheme_type_name(af_label_types(AF_SCHEME_BSD), ffs),
			    "4.2BSD");
}

static void test_label__a_new_table_takes_the_place_of_another_systems(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * ROWS; i++) {
		struct render b;
		render_set_up(&b, row_table[i / 2].words);
		render_relabel(&b, i % 2 ? AF_SCHEME_GPT : AF_SCHEME_MBR);
		render_and_write(&b);
		render_tear_down(&b);
	}
}

static void test_label__labels_of_other_systems_are_never_made(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		struct render b;
		render_set_up(&b, row_table[i].words);
		b.now.part[1].span.end -= 512;
		render_expect_refused(&b, AF_E_RULE, "only replaced");
		render_tear_down(&b);
	}
}

static void test_label__an_mbr_in_force_hides_a_disklabel(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;
	struct af_err err;
	(void)state;
	memdev_make(&m, "40960000 512 dos 1 p1=2048+4096,83 bsd=0,a:16+100000:7");
	assert_true(af_label_read(&m.dev, &l, &note, &err));
	assert_int_equal(l.scheme, AF_SCHEME_MBR);
	assert_false(note.read_only);
	af_layout_release(&l);
	memdev_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__labels_of_other_systems_are_shown_read_only),
		cmocka_unit_test(test_label__types_have_the_names_of_their_system),
		cmocka_unit_test(
			test_label__a_new_table_takes_the_place_of_another_systems),
		cmocka_unit_test(test_label__labels_of_other_systems_are_never_made),
		cmocka_unit_test(test_label__an_mbr_in_force_hides_a_disklabel),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
