/* Tables that are damaged, or that cannot be written back: shown as far as they go, and read-only or to be repaired. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "afdisk/label.h"
#include "memdev.h"

static void read_table(struct memdev *m, struct af_layout *l, struct af_label_note *note)
{
	struct af_err err = { .code = AF_OK };

	if (!af_label_read(&m->dev, l, note, &err))
		fail_msg("%s", err.text);
}

/* What reading m must give, the remark or else the note included; m is closed. */
static void expect(struct memdev *m, enum af_scheme scheme, size_t nparts, bool read_only,
		   const char *why)
{
	struct af_layout l;
	struct af_label_note note;
	char remark[240];

	read_table(m, &l, &note);
	const char *said =
		note.why[0] ? note.why : af_layout_remark(&l, remark, sizeof remark);

	if (strcmp(why, "") == 0 ? said[0] : !strstr(said, why))
		fail_msg("the note is \"%s\" instead of \"%s\"", said, why);
	assert_int_equal(l.scheme, scheme);
	assert_int_equal(l.nparts, nparts);
	assert_int_equal(note.read_only, read_only);
	assert_int_equal(m->writes, 0);
	af_layout_release(&l);
	memdev_close(m);
}

/* ------------------------------------------------------------------ broken GPTs */

#define SMALL_GPT                                                                          \
	"20480 512 gpt af000000-0000-4000-8000-0000000000ff g1=2048+1000,linux,auto,one "  \
	"g3=4096+1000,linux,auto,three "
#define PRIMARY_DAMAGED                                                                    \
	"the primary GPT has a damaged header; the backup is shown: repair makes the "     \
	"primary good again"
#define BACKUP_DAMAGED "the backup GPT has a damaged header: repair makes it good again"
#define LAST           (20479 * INT64_C(512))

static void test_label__a_damaged_primary_header_shows_the_backup(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT "poke=552,77");
	expect(&m, AF_SCHEME_GPT, 2, false, PRIMARY_DAMAGED);
	memdev_make(&m, SMALL_GPT "poke=512,00");
	expect(&m, AF_SCHEME_GPT, 2, false, PRIMARY_DAMAGED);
	memdev_make(&m, SMALL_GPT "poke=524,ffff");
	expect(&m, AF_SCHEME_GPT, 2, false, PRIMARY_DAMAGED);
}

static void test_label__a_damaged_backup_header_wants_repair(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	memdev_poke(&m, LAST + 40, "\x77", 1);
	expect(&m, AF_SCHEME_GPT, 2, false, BACKUP_DAMAGED);
}

static void test_label__an_unreadable_backup_is_damaged(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	m.fail_read = 2;
	m.fail_on = true;
	expect(&m, AF_SCHEME_GPT, 2, false, BACKUP_DAMAGED);
}

static void test_label__damaged_entries_show_the_other_copy(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT "poke=1100,77");
	expect(&m, AF_SCHEME_GPT, 2, false,
	       "the primary GPT has entries that fail their checksum; the backup is shown");
	memdev_make(&m, SMALL_GPT);
	memdev_poke(&m, LAST - 32 * INT64_C(512) + 40, "\x77", 1);
	expect(&m, AF_SCHEME_GPT, 2, false,
	       "the backup GPT has entries that fail their checksum: repair makes it good");
}

static void test_label__both_copies_damaged_show_no_partitions(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT "poke=1100,77");
	memdev_poke(&m, LAST - 32 * INT64_C(512) + 40, "\x77", 1);
	expect(&m, AF_SCHEME_GPT, 0, true,
	       "neither copy of the GPT can be used: the entries of both fail their "
	       "checksum");
}

/* Copies what m holds to a disk of another size. */
static void onto(struct memdev *m, af_bytes size)
{
	struct memdev other;
	static unsigned char bytes[(size_t)20480 * 512];

	memdev_open(&other, size, 512);
	memdev_peek(m, 0, bytes, sizeof bytes);
	memdev_poke(&other, 0, bytes, sizeof bytes);
	memdev_close(m);
	*m = other;
	m->dev.self = m;
}

static void test_label__a_disk_that_grew_has_its_backup_in_the_wrong_place(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	onto(&m, 30000 * INT64_C(512));
	expect(&m, AF_SCHEME_GPT, 2, false,
	       "+4.6 MiB behind the old backup GPT at sector 20479: repair moves it");
}

/* The CRC-32 of bytes, the long way. */
static uint32_t crc32_of(const unsigned char *p, size_t n)
{
	uint32_t crc = 0xFFFFFFFF;

	while (n-- > 0) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
	}
	return ~crc;
}

/* Changes bytes of the header at `at` and puts its checksum right again. */
static void reseal(struct memdev *m, af_bytes at, size_t field, const void *bytes, size_t n)
{
	unsigned char h[92];

	memdev_peek(m, at, h, sizeof h);
	memcpy(h + field, bytes, n);
	memset(h + 16, 0, 4);
	uint32_t crc = crc32_of(h, sizeof h);

	for (unsigned i = 0; i < 4; i++)
		h[16 + i] = (unsigned char)(crc >> (8 * i));
	memdev_poke(m, at, h, sizeof h);
}

static void test_label__of_copies_that_differ_the_primary_is_shown(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	reseal(&m, LAST, 56, "\x99", 1);
	expect(&m, AF_SCHEME_GPT, 2, false,
	       "the backup GPT differs from the primary, which is shown: repair makes it "
	       "follow");
}

static void test_label__a_header_of_another_place_is_damaged(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	reseal(&m, 512, 24, "\x05", 1);
	expect(&m, AF_SCHEME_GPT, 2, false, PRIMARY_DAMAGED);
}

static void test_label__entries_that_cannot_be_are_not_shown(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	reseal(&m, 512, 84, "\x00\x01", 2);
	reseal(&m, LAST, 84, "\x00\x01", 2);
	expect(&m, AF_SCHEME_GPT, 0, true,
	       "the primary entries fail their checksum, and the backup has its entries "
	       "in");
	memdev_make(&m, SMALL_GPT);
	reseal(&m, 512, 80, "\xFF\xFF\xFF\xFF", 4);
	reseal(&m, LAST, 80, "\xFF\xFF\xFF\xFF", 4);
	expect(&m, AF_SCHEME_GPT, 0, true, "has an impossible number of entries");
	memdev_make(&m, SMALL_GPT);
	reseal(&m, 512, 72, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8);
	reseal(&m, LAST, 72, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8);
	expect(&m, AF_SCHEME_GPT, 0, true, "has its entries in an impossible place");
}

static void test_label__an_impossible_usable_range_is_not_believed(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	reseal(&m, 512, 48, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8);
	reseal(&m, LAST, 48, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8);
	expect(&m, AF_SCHEME_GPT, 2, true, "impossible range of usable sectors");
	memdev_make(&m, SMALL_GPT); /* over the entries */
	reseal(&m, 512, 40, "\x21", 1);
	reseal(&m, LAST, 40, "\x21", 1);
	expect(&m, AF_SCHEME_GPT, 2, true, "impossible range of usable sectors");
}

/* Changes bytes of the first entry in both copies, checksums and all. */
static void set_entry(struct memdev *m, size_t field, const void *bytes, size_t n)
{
	static const af_bytes at_table[2][2] = { { 1024, 512 },
						 { LAST - 32 * INT64_C(512), LAST } };
	static unsigned char entries[16384];

	for (size_t i = 0; i < 2; i++) {
		memdev_poke(m, at_table[i][0] + (af_bytes)field, bytes, n);
		memdev_peek(m, at_table[i][0], entries, sizeof entries);
		uint32_t crc = crc32_of(entries, sizeof entries);
		unsigned char le[4];

		for (unsigned k = 0; k < 4; k++)
			le[k] = (unsigned char)(crc >> (8 * k));
		reseal(m, at_table[i][1], 88, le, 4);
	}
}

static void set_last_sector(struct memdev *m, const char *bytes)
{
	set_entry(m, 40, bytes, 8);
}

static void test_label__half_a_surrogate_pair_is_shown_as_a_replacement(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	set_entry(&m, 56,
		  "a\0\x3D\xD8"
		  "b\0\x00\xDC",
		  9); /* a, a high half, b, a low half */
	read_table(&m, &l, &note);
	assert_string_equal(note.why, "");
	assert_string_equal(af_layout_number(&l, 1)->name, "a\xEF\xBF\xBD"
							   "b\xEF\xBF\xBD");
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__a_protective_entry_elsewhere_is_repaired(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT "poke=454,02");
	expect(&m, AF_SCHEME_GPT, 2, false, "repair makes one");
	memdev_make(&m, SMALL_GPT "poke=454,02 poke=462,00000000830000000008000001");
	expect(&m, AF_SCHEME_GPT, 2, true, "does not begin at sector 1");
}

static void test_label__an_entry_with_impossible_sectors_is_left_out(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	set_last_sector(&m, "\x00\x01\x00\x00\x00\x00\x00\x00"); /* before its first */
	expect(&m, AF_SCHEME_GPT, 1, true, "partition 1 has impossible sectors");
	memdev_make(&m, SMALL_GPT);
	set_last_sector(&m, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
	expect(&m, AF_SCHEME_GPT, 1, true, "partition 1 has impossible sectors");
}

/* Two partitions that overlap are shown, with a way out; the table as it is cannot be written. */
static void expect_overlap(struct memdev *m, enum af_scheme scheme, const char *remark)
{
	struct af_layout l, now;
	struct af_label_note note;
	struct af_patch patch = { 0 };
	struct af_err err;
	char text[300];

	assert_true(af_label_read(&m->dev, &l, &note, &err));
	assert_int_equal(l.scheme, scheme);
	assert_int_equal(l.nparts, 2);
	assert_false(note.read_only);
	assert_non_null(strstr(af_layout_remark(&l, text, sizeof text), remark));
	assert_false(af_label_render(&m->dev, &l, &l, &patch, &err));
	assert_int_equal(err.code, AF_E_RULE);
	assert_true(af_edit_delete(&l, l.part[0].id, &now, &err));
	assert_true(af_label_render(&m->dev, &l, &now, &patch, &err));
	af_patch_release(&patch);
	af_layout_release(&now);
	af_layout_release(&l);
	memdev_close(m);
}

static void test_label__overlapping_entries_are_shown_and_not_written(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, SMALL_GPT);
	set_last_sector(
		&m, "\x00\x10\x00\x00\x00\x00\x00\x00"); /* 4096, the start of number 3 */
	expect_overlap(&m, AF_SCHEME_GPT,
		       "partitions 1 and 3 overlap (an EBR counts): "
		       "delete one or make it smaller");
}

/* ------------------------------------------------------------------ broken MBRs */

static void test_label__a_broken_chain_is_shown_as_far_as_it_goes(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "seed");
	/* the signature of the EBR of number 6, at sector 62914688 */
	memdev_poke(&m, (62914751 - 63) * INT64_C(512) + 510, "\0\0", 2);
	expect(&m, AF_SCHEME_MBR, 4, true,
	       "the chain of logical partitions is broken after partition 5: the EBR at "
	       "sector 62914688 has no signature: Linux stops there");
}

static void test_label__an_extended_partition_beyond_the_disk_has_no_chain(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x1 e1=2048+8192,5 poke=454,ffffff7f");
	expect(&m, AF_SCHEME_MBR, 1, true, "the EBR at sector 2147483647 cannot be read");
}

static void test_label__an_unreadable_ebr_breaks_the_chain(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "seed");
	m.fail_read = 3;
	expect(&m, AF_SCHEME_MBR, 4, true, "cannot be read");
}

static void test_label__two_extended_partitions_are_not_written(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x1 e1=2048+2048,5 e2=8192+2048,f");
	expect(&m, AF_SCHEME_MBR, 2, true, "two extended partitions");
	/* the chain of number 1 counts first, wherever it lies */
	memdev_make(&m, "20480 512 dos 0x1 e1=8192+2048,5 l5=8255+100,83,ebr=8192");
	memdev_poke(&m, 446 + 16, "\0\0\0\0\x0f\0\0\0\0\x08\0\0\0\x08\0\0", 16);
	memdev_poke(&m, 2048 * INT64_C(512) + 446, "\0\0\0\0\x07\0\0\0\x3f\0\0\0\x64\0\0\0",
		    16);
	memdev_poke(&m, 2048 * INT64_C(512) + 510, "\x55\xaa", 2);
	struct af_layout l;
	struct af_label_note note;
	struct af_err err;

	assert_true(af_label_read(&m.dev, &l, &note, &err));
	assert_int_equal(l.nparts, 4);
	assert_int_equal(af_layout_number(&l, 5)->span.start / 512, 8255);
	assert_int_equal(af_layout_number(&l, 6)->span.start / 512, 2111);
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__unsound_tables_are_not_written(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x1 p1=2048+2048,83 p2=4000+1000,83");
	expect_overlap(&m, AF_SCHEME_MBR, "partitions 1 and 2 overlap");
	memdev_make(&m, "20480 512 dos 0x1 p1=2048+20000,83");
	expect(&m, AF_SCHEME_MBR, 1, false,
	       "partition 1 ends 1568 sectors beyond the last");
	memdev_make(&m, "20480 512 dos 0x1 p1=2048+2048,0");
	expect(&m, AF_SCHEME_MBR, 1, true, "a size but no type");
}

static void test_label__a_strange_boot_flag_of_a_logical_is_not_written(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x1 e1=2048+8192,5 l5=2111+100,83,ebr=2048");
	memdev_poke(&m, 2048 * INT64_C(512) + 446, "\x12", 1);
	expect(&m, AF_SCHEME_MBR, 2, true, "the boot flag of partition 5 is 12");
}

/* An extended partition with that many EBRs, of which number 10 has no logical if with_hole. */
static void make_ebrs(struct memdev *m, unsigned n, bool with_hole)
{
	char words[6000] = "200000 512 dos 0x1 e1=2048+190000,5";

	for (unsigned i = 0; i < n; i++) {
		size_t len = strlen(words);

		snprintf(words + len, sizeof words - len, " l%u=%u+%u,83,ebr=%u", 5 + i,
			 2049 + 1000 * i, with_hole && i == 5 ? 0U : 100U, 2048 + 1000 * i);
	}
	memdev_make(m, words);
}

static void test_label__more_logicals_than_others_find_are_told(void **state)
{
	struct memdev m;

	(void)state;
	make_ebrs(&m, 56, false);
	expect(&m, AF_SCHEME_MBR, 57, false, "");
	make_ebrs(&m, 57, false);
	expect(&m, AF_SCHEME_MBR, 58, false,
	       "57 logical partitions: fdisk, sfdisk and parted find the first 56");
}

static void test_label__what_libfdisk_gives_up_is_read(void **state)
{
	struct memdev m;

	(void)state;
	make_ebrs(&m, 57, true); /* more than 60 with the empty one */
	expect(&m, AF_SCHEME_MBR, 57, false, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__a_damaged_primary_header_shows_the_backup),
		cmocka_unit_test(test_label__a_damaged_backup_header_wants_repair),
		cmocka_unit_test(test_label__an_unreadable_backup_is_damaged),
		cmocka_unit_test(test_label__damaged_entries_show_the_other_copy),
		cmocka_unit_test(test_label__both_copies_damaged_show_no_partitions),
		cmocka_unit_test(
			test_label__a_disk_that_grew_has_its_backup_in_the_wrong_place),
		cmocka_unit_test(test_label__of_copies_that_differ_the_primary_is_shown),
		cmocka_unit_test(test_label__a_header_of_another_place_is_damaged),
		cmocka_unit_test(test_label__entries_that_cannot_be_are_not_shown),
		cmocka_unit_test(test_label__an_impossible_usable_range_is_not_believed),
		cmocka_unit_test(
			test_label__half_a_surrogate_pair_is_shown_as_a_replacement),
		cmocka_unit_test(test_label__a_protective_entry_elsewhere_is_repaired),
		cmocka_unit_test(test_label__an_entry_with_impossible_sectors_is_left_out),
		cmocka_unit_test(test_label__overlapping_entries_are_shown_and_not_written),
		cmocka_unit_test(test_label__a_broken_chain_is_shown_as_far_as_it_goes),
		cmocka_unit_test(
			test_label__an_extended_partition_beyond_the_disk_has_no_chain),
		cmocka_unit_test(test_label__an_unreadable_ebr_breaks_the_chain),
		cmocka_unit_test(test_label__two_extended_partitions_are_not_written),
		cmocka_unit_test(test_label__unsound_tables_are_not_written),
		cmocka_unit_test(
			test_label__a_strange_boot_flag_of_a_logical_is_not_written),
		cmocka_unit_test(test_label__more_logicals_than_others_find_are_told),
		cmocka_unit_test(test_label__what_libfdisk_gives_up_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
