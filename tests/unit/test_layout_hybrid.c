/* The entries of a hybrid MBR: what they mirror, and what becomes of them when partitions change. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "afdisk/layout_hybrid.h"
#include "world.h"

#define CASE_30                                                                            \
	"2097152 512 gpt auto g1=2048+204800,linux,auto g2=206848+204800,linux,auto "

/* Entries as tests say them: type, first sector, number of sectors; a type of 0 is an unused one. */
struct entry {
	uint8_t type;
	int64_t start, count;
};

#define EE_83_83                                                                           \
	{                                                                                  \
		{ 0xee, 1, 2047 }, { 0x83, 2048, 204800 },                                 \
		{                                                                          \
			0x83, 206848, 204800                                               \
		}                                                                          \
	}

static void make_hybrid(struct af_layout *l, const struct entry entry[4])
{
	struct af_mirror m[AF_MIRRORS] = { 0 };
	af_bytes ss = l->sector_size;
	for (size_t i = 0; i < AF_MIRRORS; i++)
		if (entry[i].type)
			m[i] = (struct af_mirror){
				.type = entry[i].type,
				.span = { entry[i].start * ss,
					  (entry[i].start + entry[i].count) * ss },
			};
	af_layout_mirror(l, m);
}

/* "ee 1+2047, 83 2048+204800"; "-" stands for an unused entry, "none" for no hybrid. */
static const char *show(const struct af_layout *l, char *buf, size_t size)
{
	struct af_text t = { 0 };
	size_t n = l->hybrid == AF_HYBRID_NONE ? 0 : AF_MIRRORS;
	for (size_t i = 0; i < n; i++) {
		const struct af_mirror *m = &l->mirror[i];
		af_bytes sectors = af_sectors(af_span_size(m->span), l->sector_size);
		af_text_add(&t, "%s", i ? ", " : "");
		if (sectors)
			af_text_add(&t, "%02x %" PRId64 "+%" PRId64, m->type,
				    af_sectors(m->span.start, l->sector_size), sectors);
		else
			af_text_add(&t, "-");
	}
	(void)snprintf(buf, size, "%s", n ? af_text_get(&t) : "none");
	af_text_release(&t);
	return buf;
}

struct follow {
	const char *say, *words;
	struct entry entry[4];
	const char *commands;
	const char *expect; /* the entries afterwards; or */
	const char *text;   /* what is said instead */
};

static const struct follow follow_table[] = {
	{ "an edit of another partition changes no entry",
	  CASE_30 "g3=411648+204800,linux,auto", EE_83_83,
	  "resize 3 size=50M; hybrid update",
	  "ee 1+2047, 83 2048+204800, 83 206848+204800, -", NULL },
	{ "without a choice nothing follows", CASE_30, EE_83_83, "resize 1 size=50M",
	  "ee 1+2047, 83 2048+204800, 83 206848+204800, -", NULL },
	{ "a resized partition takes its entry along", CASE_30, EE_83_83,
	  "resize 1 size=50M; hybrid update",
	  "ee 1+2047, 83 2048+102400, 83 206848+204800, -", NULL },
	{ "so do those after the choice", CASE_30, EE_83_83,
	  "hybrid update; resize 1 size=50M; resize 2 size=50M",
	  "ee 1+2047, 83 2048+102400, 83 206848+102400, -", NULL },
	{ "the entry of a deleted one goes", CASE_30, EE_83_83, "delete 1; hybrid update",
	  "ee 1+2047, -, 83 206848+204800, -", NULL },
	{ "with the last mirror the hybrid ends", CASE_30, EE_83_83,
	  "hybrid update; delete 1; delete 2", "none", NULL },
	{ "kept entries stay", CASE_30, EE_83_83,
	  "hybrid keep; delete 1; move 2 start=100M",
	  "ee 1+2047, 83 2048+204800, 83 206848+204800, -", NULL },
	{ "the last choice counts", CASE_30, EE_83_83,
	  "hybrid keep; delete 1; resize 2 size=50M; hybrid update",
	  "ee 1+2047, -, 83 206848+102400, -", NULL },
	{ "protective is one entry", CASE_30, EE_83_83, "delete 1; hybrid protective",
	  "none", NULL },
	{ "a protective entry makes room", CASE_30, EE_83_83,
	  "hybrid update; resize 1 start=1024s size=102400s",
	  "ee 1+1023, 83 1024+102400, 83 206848+204800, -", NULL },
	{ "and follows what it touched", CASE_30, EE_83_83,
	  "hybrid update; resize 1 size=10M; move 1 start=50M",
	  "ee 1+102399, 83 102400+20480, 83 206848+204800, -", NULL },
	{ "but over no other entry", CASE_30, EE_83_83, "hybrid update; move 1 start=500M",
	  "ee 1+206847, 83 1024000+204800, 83 206848+204800, -", NULL },
	{ "the order is nobody's business",
	  CASE_30,
	  { { 0x83, 206848, 204800 }, { 0xee, 1, 2047 }, { 0x83, 2048, 204800 } },
	  "hybrid update; resize 2 size=50M",
	  "83 206848+102400, ee 1+2047, 83 2048+204800, -",
	  NULL },
	{ "a second protective entry behind shrinks",
	  CASE_30,
	  { { 0xee, 1, 2047 },
	    { 0x83, 2048, 204800 },
	    { 0x83, 206848, 204800 },
	    { 0xee, 411648, 1685504 } },
	  "hybrid update; resize 2 size=200M",
	  "ee 1+2047, 83 2048+204800, 83 206848+409600, ee 616448+1480704",
	  NULL },
	{ "and grows again",
	  CASE_30,
	  { { 0xee, 1, 2047 },
	    { 0x83, 2048, 204800 },
	    { 0x83, 206848, 204800 },
	    { 0xee, 411648, 1685504 } },
	  "hybrid update; resize 2 size=50M",
	  "ee 1+2047, 83 2048+204800, 83 206848+102400, ee 309248+1787904",
	  NULL },
	{ "one over all stays so",
	  CASE_30,
	  { { 0xee, 1, 2097151 }, { 0x83, 2048, 204800 } },
	  "hybrid update; resize 1 size=50M",
	  "ee 1+2097151, 83 2048+102400, -, -",
	  NULL },
	{ "no mirror is put over an entry that mirrors nothing",
	  CASE_30,
	  { { 0xee, 1, 2047 }, { 0x83, 2048, 204800 }, { 0x0c, 1000000, 1000 } },
	  "hybrid update; move 1 start=500000K",
	  NULL,
	  "entry 2 of the hybrid MBR would lie over entry 3, which mirrors no partition: "
	  "'hybrid keep' leaves both as they are, 'hybrid protective' takes all away" },
	{ "32 bits",
	  "8589934592 512 gpt auto g1=2048+204800,linux,auto",
	  { { 0xee, 1, 2047 }, { 0x83, 2048, 204800 } },
	  "hybrid update; move 1 start=4294967296s",
	  NULL,
	  "entry 2 of the hybrid MBR cannot follow partition 1 beyond 32 bits of sectors: "
	  "'hybrid keep' leaves it as it is, 'hybrid protective' takes the mirrors away" },
	{ "up to there",
	  "8589934592 512 gpt auto g1=2048+204800,linux,auto",
	  { { 0xee, 1, 2047 }, { 0x83, 2048, 204800 } },
	  "hybrid update; move 1 start=4294965248s",
	  "ee 1+4294965247, 83 4294965248+204800, -, -",
	  NULL },
	{ "as Apple makes it: the first entry covers the EFI system partition, too",
	  "2097152 512 gpt auto g1=40+409600,efi,auto g2=409640+800000,linux,auto "
	  "g3=1209640+800000,linux,auto",
	  { { 0xee, 1, 409639 }, { 0xaf, 409640, 800000 }, { 0x07, 1209640, 800000 } },
	  "delete 1; resize 2 size=300M; hybrid update",
	  "ee 1+409639, af 409640+614400, 07 1209640+800000, -",
	  NULL },
	{ "4096-byte sectors",
	  "262144 4096 gpt auto g1=256+25600,linux,auto",
	  { { 0xee, 1, 255 }, { 0x83, 256, 25600 } },
	  "hybrid update; resize 1 size=50M",
	  "ee 1+255, 83 256+12800, -, -",
	  NULL },
	{ "a partition made anew in the same place is mirrored", CASE_30, EE_83_83,
	  "delete 1; new start=2048s size=204800s; hybrid update; resize 1 size=50M",
	  "ee 1+2047, 83 2048+102400, 83 206848+204800, -", NULL },
	{ "a conversion ends it", CASE_30, EE_83_83, "convert dos", "none", NULL },
};

static void run_follow(const struct follow *f)
{
	struct world w;
	struct af_err err = { .code = AF_OK };
	char shown[300];
	world_make(&w, f->words);
	w.rules.exact = true;
	make_hybrid(&w.layout, f->entry);
	print_message("%s\n", f->say);
	bool ran = world_run(&w, f->commands, &err);
	if (f->text) {
		assert_false(ran);
		assert_string_equal(err.text, f->text);
	} else {
		if (!ran)
			fail_msg("%s", err.text);
		assert_string_equal(show(&w.layout, shown, sizeof(shown)), f->expect);
	}
	world_release(&w);
}

static void test_layout__mirrors_follow_if_told_to(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(follow_table) / sizeof(*follow_table); i++)
		run_follow(&follow_table[i]);
}

/* The open entry after these commands. */
static uint32_t open_after(const char *commands)
{
	static const struct entry entry[4] = EE_83_83;
	struct world w;
	struct af_err err = { .code = AF_OK };
	world_make(&w, CASE_30 "g3=411648+204800,linux,auto");
	make_hybrid(&w.layout, entry);
	if (!world_run(&w, commands, &err))
		fail_msg("%s", err.text);
	uint32_t open = af_layout_open_mirror(&w.layout);
	world_release(&w);
	return open;
}

static void test_layout__a_choice_is_open_until_it_is_made(void **state)
{
	(void)state;
	assert_int_equal(open_after("resize 3 size=50M; sort; name 1 x"), 0);
	assert_int_equal(open_after("resize 1 size=50M"), 2);
	assert_int_equal(open_after("delete 2"), 3);
	assert_int_equal(open_after("resize 1 size=50M; resize 1 size=100M"), 0);
	assert_int_equal(open_after("resize 1 size=50M; hybrid keep"), 0);
	assert_int_equal(open_after("resize 1 size=50M; hybrid update"), 0);
	assert_int_equal(open_after("resize 1 size=50M; hybrid protective"), 0);
}

static void test_layout__entries_are_part_of_what_is_compared(void **state)
{
	struct entry entry[4] = EE_83_83;
	struct world w;
	struct af_layout copy;
	(void)state;
	world_make(&w, CASE_30);
	af_layout_copy(&w.layout, &copy);
	make_hybrid(&w.layout, entry);
	assert_false(af_layout_equal(&w.layout, &copy));
	make_hybrid(&copy, entry);
	assert_true(af_layout_equal(&w.layout, &copy));
	copy.hybrid = AF_HYBRID_KEEP;
	assert_true(af_layout_equal(&w.layout, &copy)); /* not what the disk holds */
	entry[2].count--;
	make_hybrid(&copy, entry);
	assert_false(af_layout_equal(&w.layout, &copy));
	af_layout_release(&copy);
	world_release(&w);
}

static void test_edit__only_a_hybrid_has_mirrors(void **state)
{
	struct world w;
	struct af_err err;
	(void)state;
	world_make(&w, CASE_30);
	assert_false(world_run(&w, "hybrid keep", &err));
	assert_int_equal(err.code, AF_E_RULE);
	assert_string_equal(err.text,
			    "this disk has no hybrid MBR: there is nothing to keep");
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout__mirrors_follow_if_told_to),
		cmocka_unit_test(test_layout__a_choice_is_open_until_it_is_made),
		cmocka_unit_test(test_layout__entries_are_part_of_what_is_compared),
		cmocka_unit_test(test_edit__only_a_hybrid_has_mirrors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
