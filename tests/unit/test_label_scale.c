/* Tables that were made with sectors of another size than the disk has: read in their own, and never written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "memdev.h"
#include "render.h"

/* Has a disk of these words seen through sectors of another size. */
static void make(struct memdev *m, const char *words, uint32_t seen_as)
{
	memdev_make(m, words);
	m->dev.sector_size = seen_as;
}

static void read_table(struct memdev *m, struct af_layout *l, struct af_label_note *note)
{
	struct af_err err = { .code = AF_OK };

	if (!af_label_read(&m->dev, l, note, &err))
		fail_msg("%s", err.text);
	assert_int_equal(m->writes, 0);
}

/* Partition number of the disk must be these sectors of size bytes. */
static void expect_part(const struct af_layout *l, uint32_t number, af_bytes start,
			af_bytes count)
{
	const struct af_part *part = af_layout_number(l, number);

	assert_non_null(part);
	assert_int_equal(part->span.start, start * l->sector_size);
	assert_int_equal(af_span_size(part->span), count * l->sector_size);
}

/* What each size of sectors makes of a GPT of each other one. */
static void test_label__a_gpt_of_other_sectors_is_read_in_its_own(void **state)
{
	(void)state;
	for (uint32_t made = 512; made <= 4096; made *= 2)
		for (uint32_t seen = 512; seen <= 4096; seen *= 2) {
			struct memdev m;
			struct af_layout l;
			struct af_label_note note;
			char words[200], why[80];

			snprintf(words, sizeof words,
				 "%u %u gpt af000000-0000-4000-8000-0000000000ff "
				 "g1=300+1000,linux,auto,one g3=4096+1001,linux,auto,three",
				 (unsigned)(32 * AF_MIB / made), (unsigned)made);
			make(&m, words, seen);
			read_table(&m, &l, &note);
			assert_int_equal(l.scheme, AF_SCHEME_GPT);
			assert_int_equal(l.sector_size, made);
			assert_int_equal(l.nparts, 2);
			expect_part(&l, 1, 300, 1000);
			expect_part(&l, 3, 4096, 1001);
			snprintf(why, sizeof why,
				 "this GPT was made with sectors of %u bytes",
				 (unsigned)made);
			assert_int_equal(note.read_only, made != seen);
			if (made != seen)
				assert_non_null(strstr(note.why, why));
			af_layout_release(&l);
			memdev_close(&m);
		}
}

/* A drive of 4096-byte sectors whose last one an enclosure did not show whole. */
static void test_label__a_disk_that_is_no_whole_number_of_those_sectors(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	(void)state;
	memdev_make(&m, "8192 4096 gpt af000000-0000-4000-8000-0000000000ff "
			"g1=256+1000,linux,auto,one");
	m.dev.sector_size = 512;
	m.dev.size -= 512;
	read_table(&m, &l, &note);
	assert_int_equal(l.sector_size, 4096);
	assert_int_equal(l.disk_size, 8191 * 4096);
	assert_true(note.read_only);
	expect_part(&l, 1, 256, 1000);
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__a_damaged_gpt_of_other_sectors_shows_what_protects_it(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	(void)state;
	make(&m,
	     "8192 4096 gpt af000000-0000-4000-8000-0000000000ff "
	     "g1=256+1000,linux,auto,one "
	     "poke=4112,00000000 poke=33550336,00",
	     512);
	read_table(&m, &l, &note);
	assert_int_equal(l.scheme, AF_SCHEME_MBR);
	assert_int_equal(l.sector_size, 512);
	assert_true(note.read_only);
	assert_non_null(strstr(note.why, "made with sectors of 4096 bytes"));
	af_layout_release(&l);
	memdev_close(&m);
}

/* ------------------------------------------------------------------ MBR: what the entries point to decides */

#define MBR_4K                                                                             \
	"262144 4096 dos 0x1 p1=256+25600,83 p2=25856+4000,7 e3=30000+9000,5 "             \
	"l5=30256+1000,83,ebr=30000 "
#define MBR_512 "2097152 512 dos 0x1 p1=2048+1000000,83 p2=1002048+4000,7 "

static void expect_mbr(const char *words, uint32_t seen_as, uint32_t read_as, size_t nparts)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	make(&m, words, seen_as);
	read_table(&m, &l, &note);
	assert_int_equal(l.scheme, AF_SCHEME_MBR);
	assert_int_equal(l.sector_size, read_as);
	assert_int_equal(l.nparts, nparts);
	if (seen_as != read_as) {
		assert_true(note.read_only);
		assert_non_null(strstr(note.why, "this MBR was made with sectors of"));
	}
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__an_mbr_of_other_sectors_is_known_by_what_it_points_to(void **state)
{
	(void)state;
	/* an ext superblock where the first partition begins: 256 * 4096 + 1080 */
	expect_mbr(MBR_4K "poke=1049656,53ef", 512, 4096, 4);
	/* nothing but the EBR */
	expect_mbr(MBR_4K, 512, 4096, 4);
	/* NTFS in the second: 25856 * 4096 */
	expect_mbr("262144 4096 dos 0x1 p1=256+25600,83 p2=25856+4000,7 "
		   "poke=105906176,eb52904e54465320202020 poke=105906686,55aa",
		   512, 4096, 2);
	/* 2048 * 512 + 1080; the entries do not fit in 4096-byte sectors */
	expect_mbr(MBR_512 "poke=1049656,53ef", 4096, 512, 2);
	expect_mbr(MBR_512 "poke=1048576,4c554b53babe", 2048, 512, 2);
}

static void test_label__an_mbr_is_not_guessed_to_be_of_other_sectors(void **state)
{
	(void)state;
	/* nothing at either place */
	expect_mbr("262144 4096 dos 0x1 p1=256+25600,83", 512, 512, 1);
	/* something at both: XFS at 256 * 512 */
	expect_mbr("262144 4096 dos 0x1 p1=256+25600,83 poke=1049656,53ef "
		   "poke=131072,58465342",
		   512, 512, 1);
	/* an entry that does not fit in the other sectors */
	expect_mbr("262144 4096 dos 0x1 p1=256+25600,83 p2=300000+10,83 poke=1049656,53ef",
		   512, 512, 2);
	/* it fits in the present ones: 2048 * 4096 */
	expect_mbr("2097152 512 dos 0x1 p1=2048+1000,83 poke=1049656,53ef", 4096, 4096, 1);
	/* an ordinary disk is not even looked into */
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	make(&m, "2097152 512 dos 0x1 p1=2048+1000,83 p2=4096+1000,83", 512);
	read_table(&m, &l, &note);
	assert_int_equal(m.reads, 1);
	af_layout_release(&l);
	memdev_close(&m);
}

/* A new label in the disk's own sectors, over one in others. */
static void test_label__a_table_of_other_sectors_can_be_replaced(void **state)
{
	static const enum af_scheme scheme_table[] = { AF_SCHEME_GPT, AF_SCHEME_MBR };

	(void)state;
	for (uint32_t made = 512; made <= 4096; made *= 8)
		for (size_t i = 0; i < 2; i++) {
			struct memdev m;
			struct af_layout base, now, seen;
			struct af_label_note note;
			struct af_patch patch;
			struct af_err err = { .code = AF_OK };
			const uint32_t size = made == 512 ? 4096 : 512;
			char words[160];

			snprintf(words, sizeof words,
				 "%u %u gpt af000000-0000-4000-8000-0000000000ff "
				 "g1=300+1000,linux,auto",
				 (unsigned)(32 * AF_MIB / made), (unsigned)made);
			make(&m, words, size);
			read_table(&m, &base, &note);
			assert_true(af_layout_init(&now, scheme_table[i], m.dev.size, size,
						   &err));
			now.disk_id[0] = 0x5a;
			if (!af_label_render(&m.dev, &base, &now, &patch, &err))
				fail_msg("%s", err.text);
			memdev_apply(&m, &patch);
			read_table(&m, &seen, &note);
			assert_true(af_layout_equal(&seen, &now));
			assert_string_equal(note.why, "");
			af_patch_release(&patch);
			af_layout_release(&seen);
			af_layout_release(&now);
			af_layout_release(&base);
			memdev_close(&m);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__a_gpt_of_other_sectors_is_read_in_its_own),
		cmocka_unit_test(
			test_label__a_disk_that_is_no_whole_number_of_those_sectors),
		cmocka_unit_test(
			test_label__a_damaged_gpt_of_other_sectors_shows_what_protects_it),
		cmocka_unit_test(
			test_label__an_mbr_of_other_sectors_is_known_by_what_it_points_to),
		cmocka_unit_test(test_label__an_mbr_is_not_guessed_to_be_of_other_sectors),
		cmocka_unit_test(test_label__a_table_of_other_sectors_can_be_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
