/* Labels of other systems inside partitions and on whole disks: bytes written by hand, entries out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/nested.h"
#include "memdev.h"

/* A label as read, in words: "a 16+100 c/ 0+200 i! 9+9" in sectors of 512 bytes; '/' is a frame, '!' outside. */
struct seen {
	struct af_nested label;
	bool found;
	char text[1000];
};

static bool read_mem(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	struct memdev *m = ctx;
	return af_dev_read(&m->dev, at, buf, n, err);
}

static const char *mark_of(enum af_layer_kind kind)
{
	return kind == AF_LAYER_FRAME ? "/" : kind == AF_LAYER_OUTSIDE ? "!" : "";
}

static void look(struct memdev *m, enum af_nested_kind kind, struct af_span span,
		 struct seen *s)
{
	*s = (struct seen){ .found = false };
	s->found = af_nested_read(read_mem, m, span, m->dev.sector_size, kind, &s->label);
	for (size_t i = 0; s->found && i < s->label.n; i++) {
		const struct af_layer *layer = &s->label.layer[i];
		size_t used = strlen(s->text);
		(void)snprintf(s->text + used, sizeof(s->text) - used, "%s%s%s %lld+%lld",
			       i ? " " : "", layer->name, mark_of(layer->kind),
			       (long long)(layer->offset / 512),
			       (long long)(layer->size / 512));
	}
}

/* The label of that kind in the given sectors of a disk of these words. */
static void see(const char *words, enum af_nested_kind kind, uint64_t start, uint64_t count,
		struct seen *s)
{
	struct memdev m;
	memdev_make(&m, words);
	af_bytes ss = m.dev.sector_size;
	struct af_span span = { (af_bytes)start * ss, (af_bytes)(start + count) * ss };
	look(&m, kind, span, s);
	memdev_close(&m);
}

static void expect(const char *words, enum af_nested_kind kind, uint64_t start,
		   uint64_t count, const char *entries)
{
	struct seen s;
	see(words, kind, start, count, &s);
	assert_true(s.found);
	assert_string_equal(s.text, entries);
}

static void test_nested__old_and_new_freebsd_offsets_mean_the_same(void **state)
{
	(void)state;
	expect("409600 512 none bsd=63,a:16+100000:7:2048,b:100016+99984:1,c:0+200000",
	       AF_NESTED_FREEBSD, 63, 200000, "c/ 0+200000 a 16+100000 b 100016+99984");
	expect("409600 512 none bsd=63,a:79+100000:7:2048,b:100079+99984:1,c:63+200000",
	       AF_NESTED_FREEBSD, 63, 200000, "c/ 0+200000 a 16+100000 b 100016+99984");
}

static void test_nested__a_lone_c_with_a_type_is_a_partition(void **state)
{
	(void)state;
	expect("409600 512 none bsd=63,c:0+200000:7", AF_NESTED_FREEBSD, 63, 200000,
	       "c 0+200000");
	expect("409600 512 none bsd=63,c:0+200000:7,a:16+10:1", AF_NESTED_FREEBSD, 63,
	       200000, "c/ 0+200000 a 16+10");
}

static void test_nested__netbsd_counts_from_the_disks_start(void **state)
{
	(void)state;
	expect("409600 512 none "
	       "bsd=63,a:79+1000:7:1024,c:63+200000,d:0+409600,e:300000+10:8",
	       AF_NESTED_NETBSD, 63, 200000,
	       "d/ -63+409600 c/ 0+200000 a 16+1000 e! 299937+10");
}

static void test_nested__openbsd_has_48_bits_in_version_1(void **state)
{
	struct seen s;
	(void)state;
	see("409600 512 none bsd=64,v1,a:128+4096:7:21,c:0+409600,i:4294967360+8:8",
	    AF_NESTED_OPENBSD, 64, 200000, &s);
	assert_true(s.found);
	assert_string_equal(s.text, "c/ -64+409600 a 64+4096 i! 4294967296+8");
	assert_int_equal(s.label.layer[1].unit, 1024); /* 21: block 16 KiB, 16 in it */
	assert_string_equal(s.label.remark, "entries that lie outside of it: i");
	/* version 0 has a fragment size there */
	expect("409600 512 none bsd=64,a:128+4096:7:2048,c:0+409600", AF_NESTED_OPENBSD, 64,
	       200000, "c/ -64+409600 a 64+4096");
}

static void test_nested__fragments_are_units_of_bsd_file_systems(void **state)
{
	struct seen s;
	(void)state;
	see("409600 512 none bsd=63,a:16+100:7:2048,b:116+100:1:2048,d:216+10:7:999",
	    AF_NESTED_FREEBSD, 63, 200000, &s);
	assert_int_equal(s.label.n, 3);
	assert_int_equal(s.label.layer[0].unit, 2048);
	assert_string_equal(s.label.layer[0].what, "FreeBSD a");
	assert_string_equal(s.label.layer[0].type_name, "4.2BSD");
	assert_int_equal(s.label.layer[1].unit, 0);
	assert_string_equal(s.label.layer[1].type_name, "swap");
	assert_int_equal(s.label.layer[2].unit, 0);
}

static void test_nested__a_label_is_found_in_sectors_of_either_size(void **state)
{
	(void)state;
	/* at byte 512, and at sector 1 of 4096 bytes, counting in these */
	expect("51200 4096 none bsd=64,a:16+800:7,c:0+20000", AF_NESTED_FREEBSD, 64, 2500,
	       "c/ 0+20000 a 16+800");
	expect("51200 4096 none bsd=64,4k,a:16+800:7,c:0+2500", AF_NESTED_FREEBSD, 64, 2500,
	       "c/ 0+20000 a 128+6400");
}

static void test_nested__more_than_16_entries_are_read_and_65535_are_not(void **state)
{
	struct seen s;
	(void)state;
	see("409600 512 none bsd=63,n=20,a:16+10:1,t:100+10:1", AF_NESTED_FREEBSD, 63, 2000,
	    &s);
	assert_string_equal(s.text, "a 16+10 t 100+10");
	assert_string_equal(s.label.remark, "");
	see("409600 512 none bsd=63,n=52,a:16+10:1,51:100+10:1", AF_NESTED_OPENBSD, 0, 2000,
	    &s);
	assert_false(s.found);
	see("409600 512 none bsd=0,n=52,a:16+10:1,51:100+10:1", AF_NESTED_OPENBSD, 0, 2000,
	    &s);
	assert_string_equal(s.text, "a 16+10 Z 100+10");
	see("409600 512 none bsd=63,n=65535,a:16+10:1,t:100+10:1", AF_NESTED_FREEBSD, 63,
	    2000, &s);
	assert_true(s.found);
	assert_string_equal(s.text, "a 16+10");
	assert_non_null(strstr(s.label.remark, "counts 65535 partitions"));
}

static void test_nested__what_lies_outside_is_named_and_marked(void **state)
{
	struct seen s;
	(void)state;
	see("409600 512 none bsd=63,a:16+1000:7,c:0+2000,e:1990+20:7,f:5000+10:7",
	    AF_NESTED_FREEBSD, 63, 2000, &s);
	assert_string_equal(s.text, "c/ 0+2000 a 16+1000 e! 1990+20 f! 5000+10");
	assert_string_equal(s.label.remark, "entries that lie outside of it: e f");
}

static void test_nested__a_vtoc_gives_every_slice_the_last_one_too(void **state)
{
	struct seen s;
	(void)state;
	see("409600 512 none "
	    "vtoc=63,0:16065+160650:2,2:0+300000:5,8:0+16065:1,15:200000+1000:8",
	    AF_NESTED_SOLARIS, 63, 300000, &s);
	assert_true(s.found);
	assert_string_equal(s.text,
			    "s2/ 0+300000 s8/ 0+16065 s0 16065+160650 s15 200000+1000");
	assert_string_equal(s.label.layer[3].type_name, "home");
	assert_string_equal(s.label.layer[3].what, "Solaris s15");
}

static void test_nested__a_vtoc_without_the_magic_number_counts(void **state)
{
	(void)state;
	/* sector 1 is at byte 33280: magic number and checksum away, 20 slices said */
	expect("409600 512 none vtoc=64,0:8+100:2 poke=33788,00000000 poke=33310,1400",
	       AF_NESTED_SOLARIS, 64, 3000, "s0 8+100");
	struct seen s;
	see("409600 512 none vtoc=64,0:8+100:2 poke=33788,00000000 poke=33310,1400",
	    AF_NESTED_SOLARIS, 64, 3000, &s);
	assert_non_null(strstr(s.label.remark, "counts 20 slices"));
	see("409600 512 none vtoc=64,0:8+100:2 poke=33310,1400", AF_NESTED_SOLARIS, 64,
	    3000, &s);
	assert_int_equal(s.label.n, 0);
	assert_non_null(strstr(s.label.remark, "checksum"));
}

static void test_nested__sun_starts_are_cylinders(void **state)
{
	(void)state;
	expect("40960000 512 none "
	       "sun=255/63,a:0+160650:2,b:10+321300:3,c:0+1606500:5,h:30+16065:0",
	       AF_NESTED_SUN, 0, 40960000,
	       "c/ 0+1606500 a 0+160650 b 160650+321300 h 481950+16065");
}

static void test_nested__sgi_starts_are_blocks(void **state)
{
	struct seen s;
	(void)state;
	see("40960000 512 none "
	    "sgi=0,1:4096+8192:10,2:12288+100:3,9:0+4096:0,11:0+40960000:6",
	    AF_NESTED_SGI, 0, 40960000, &s);
	assert_true(s.found);
	assert_string_equal(s.text, "12/ 0+40960000 10/ 0+4096 2 4096+8192 3 12288+100");
	assert_int_equal(s.label.layer[2].type, 10);
}

static void test_nested__types_say_who_may_hold_one(void **state)
{
	static const struct {
		uint8_t code;
		bool may;
		enum af_nested_kind kind;
	} code_table[] = {
		{ 0xa5, true, AF_NESTED_FREEBSD }, { 0xa6, true, AF_NESTED_OPENBSD },
		{ 0xa9, true, AF_NESTED_NETBSD },  { 0xbf, true, AF_NESTED_SOLARIS },
		{ 0x82, true, AF_NESTED_SOLARIS }, { 0x83, false, AF_NESTED_SOLARIS },
	};
	static const uint8_t freebsd[16] = {
		0x51, 0x6e, 0x7c, 0xb4, 0x6e, 0xcf, 0x11, 0xd6,
		0x8f, 0xf8, 0,    2,    0x2d, 0x09, 0x71, 0x2b
	};
	uint8_t type[16] = { 0 };
	enum af_nested_kind kind;
	(void)state;
	for (size_t i = 0; i < sizeof(code_table) / sizeof(code_table[0]); i++) {
		type[0] = code_table[i].code;
		assert_int_equal(af_nested_kind_of(AF_SCHEME_MBR, type, &kind),
				 code_table[i].may);
		if (code_table[i].may)
			assert_int_equal(kind, code_table[i].kind);
		assert_false(af_nested_kind_of(AF_SCHEME_GPT, type, &kind));
		assert_false(af_nested_kind_of(AF_SCHEME_NONE, type, &kind));
	}
	assert_true(af_nested_kind_of(AF_SCHEME_GPT, freebsd, &kind));
	assert_int_equal(kind, AF_NESTED_FREEBSD);
}

/* The kinds of labels, each on a disk of its own with what it says when it is whole. */
static const struct {
	const char *words;
	enum af_nested_kind kind;
	uint64_t start, count;
	af_bytes at; /* of the label */
	size_t size; /* that its checksum is about */
} whole_table[] = {
	{ "40960 512 none bsd=63,a:16+1000:7:2048,b:1016+100:1,c:0+30000",
	  AF_NESTED_FREEBSD, 63, 30000, 32768, 404 },
	{ "40960 512 none bsd=63,a:79+1000:7:2048,b:1079+100:1,c:63+30000,d:0+40960",
	  AF_NESTED_NETBSD, 63, 30000, 32768, 404 },
	{ "40960 512 none bsd=64,v1,a:128+1000:7:21,c:0+40960", AF_NESTED_OPENBSD, 64,
	  30000, 33280, 404 },
	{ "40960 512 none vtoc=63,0:16+1000:2,2:0+30000:5", AF_NESTED_SOLARIS, 63, 30000,
	  32768, 512 },
	{ "40960 512 none sun=16/63,a:0+1008:2,c:0+40320:5", AF_NESTED_SUN, 0, 40960, 0,
	  512 },
	{ "40960 512 none sgi=0,1:4096+8192:10,9:0+4096:0", AF_NESTED_SGI, 0, 40960, 0,
	  512 },
};

#define WHOLE (sizeof(whole_table) / sizeof(whole_table[0]))

static void test_nested__no_entry_is_shown_of_a_label_with_a_wrong_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < WHOLE; i++) {
		struct memdev m;
		struct seen s;
		memdev_make(&m, whole_table[i].words);
		struct af_span span = {
			(af_bytes)whole_table[i].start * 512,
			(af_bytes)(whole_table[i].start + whole_table[i].count) * 512
		};
		look(&m, whole_table[i].kind, span, &s);
		assert_true(s.found && s.label.n >= 2);
		for (size_t k = 0; k < whole_table[i].size; k++) {
			unsigned char byte;
			af_bytes at = whole_table[i].at + (af_bytes)k;
			memdev_peek(&m, at, &byte, 1);
			byte ^= 0x41;
			memdev_poke(&m, at, &byte, 1);
			look(&m, whole_table[i].kind, span, &s);
			bool clamped = strstr(s.label.remark, "shown") != NULL;
			bool unsigned_vtoc = whole_table[i].kind == AF_NESTED_SOLARIS &&
					     k >= 508 && k < 510;
			assert_true(!s.found || clamped || unsigned_vtoc ||
				    (s.label.n == 0 && s.label.remark[0]));
			byte ^= 0x41;
			memdev_poke(&m, at, &byte, 1);
		}
		memdev_close(&m);
	}
}

static void test_nested__a_label_cut_short_is_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < WHOLE; i++) {
		struct memdev m;
		struct seen s;
		memdev_make(&m, whole_table[i].words);
		af_bytes start = (af_bytes)whole_table[i].start * 512;
		af_bytes end = whole_table[i].at + (af_bytes)whole_table[i].size;
		for (af_bytes cut = start; cut < end; cut += 4) {
			look(&m, whole_table[i].kind, (struct af_span){ start, cut }, &s);
			assert_false(s.found);
		}
		look(&m, whole_table[i].kind, (struct af_span){ start, end + 512 }, &s);
		assert_true(s.found);
		m.fail_read = m.reads + 1;
		m.fail_on = true;
		look(&m, whole_table[i].kind, (struct af_span){ start, end + 512 }, &s);
		assert_false(s.found);
		memdev_close(&m);
	}
}

static void test_nested__nonsense_units_and_sizes_are_refused(void **state)
{
	struct seen s;
	(void)state;
	/* a label of too many entries has no checksum that could be wrong */
	see("40960 512 none bsd=64,n=65535,a:16+1000:7 poke=33320,01", AF_NESTED_FREEBSD,
	    64, 30000, &s);
	assert_true(s.found);
	assert_int_equal(s.label.n, 0);
	assert_non_null(strstr(s.label.remark, "sectors of 513 bytes"));
	/* the largest numbers there are */
	see("40960 512 none sun=65535/65535,a:4294967295+4294967295:2,b:0+100:2",
	    AF_NESTED_SUN, 0, 40960, &s);
	assert_string_equal(s.label.layer[0].name, "b");
	expect("40960 512 none bsd=64,a:4294967295+4294967295:7,c:0+30000",
	       AF_NESTED_FREEBSD, 64, 30000, "c/ 0+30000 a! 4294967295+4294967295");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested__old_and_new_freebsd_offsets_mean_the_same),
		cmocka_unit_test(test_nested__a_lone_c_with_a_type_is_a_partition),
		cmocka_unit_test(test_nested__netbsd_counts_from_the_disks_start),
		cmocka_unit_test(test_nested__openbsd_has_48_bits_in_version_1),
		cmocka_unit_test(test_nested__fragments_are_units_of_bsd_file_systems),
		cmocka_unit_test(test_nested__a_label_is_found_in_sectors_of_either_size),
		cmocka_unit_test(
			test_nested__more_than_16_entries_are_read_and_65535_are_not),
		cmocka_unit_test(test_nested__what_lies_outside_is_named_and_marked),
		cmocka_unit_test(test_nested__a_vtoc_gives_every_slice_the_last_one_too),
		cmocka_unit_test(test_nested__a_vtoc_without_the_magic_number_counts),
		cmocka_unit_test(test_nested__sun_starts_are_cylinders),
		cmocka_unit_test(test_nested__sgi_starts_are_blocks),
		cmocka_unit_test(test_nested__types_say_who_may_hold_one),
		cmocka_unit_test(
			test_nested__no_entry_is_shown_of_a_label_with_a_wrong_byte),
		cmocka_unit_test(test_nested__a_label_cut_short_is_none),
		cmocka_unit_test(test_nested__nonsense_units_and_sizes_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
