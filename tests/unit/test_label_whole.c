/*
 * Disks that are used as a whole, and other systems' tables: each is named, and a new label leaves nothing by which the
 * disk would still be taken for what it was. On images, so that libblkid can be asked; signatures by hand, at the places
 * and with the checksums that their formats want.
 */
#include "afdisk/label.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "afdisk/probe.h"
#include "disks.h"
#include "memdev.h"

#define ZFS ",0cb1ba000000000088130000000000000700000000000000010000000000000001"
#define ISO                                                                                \
	"poke=32768,0143443030310100 poke=32808,44454249414e203132 poke=32848,30750000 "   \
	"poke=32896,0008 "
#define ER    "poke=0,45520200 "
#define PM(n) "poke=" #n ",504d0000000000030000000100000003 "

/* What is on a disk of 64 MiB, the words for it, and how it is named. */
struct whole {
	const char *words, *label, *holds, *remark;
	enum af_scheme scheme;
	bool read_only;
};

static const struct whole whole_table[] = {
	{ "", "", "", "", AF_SCHEME_NONE, false },
	{ "poke=4086,53574150535041434532 poke=1024,01000000ff3f0000", "", "swap",
	  "the whole disk holds swap", AF_SCHEME_NONE, false },
	{ "poke=512,4c4142454c4f4e4501000000000000009107db2b200000004c564d322030303161"
	  "62636465666768696a6b6c6d6e6f707172737475767778797a303132333435",
	  "", "LVM2_member", "the whole disk holds LVM2_member", AF_SCHEME_NONE, false },
	{ "poke=0,4c554b53babe0001", "", "crypto_LUKS", "crypto_LUKS", AF_SCHEME_NONE,
	  false },
	{ "poke=67100672,"
	  "fc4e2ba90100000000000000000000000102030405060708090a0b0c0d0e0f10686f"
	  "7374 poke=67100744,01 poke=67100816,f0ff01 poke=67100888,73dec445",
	  "", "linux_raid_member \"host\"", "linux_raid_member", AF_SCHEME_NONE, false },
	{ "poke=131072" ZFS " poke=132096" ZFS " poke=133120" ZFS " poke=134144" ZFS
	  " poke=66977792" ZFS,
	  "", "zfs_member", "zfs_member", AF_SCHEME_NONE, false },
	{ "poke=65600,5f42485266535f4d poke=65680,0010000000400000", "", "btrfs", "btrfs",
	  AF_SCHEME_NONE, false },
	{ "poke=65600,5f42485266535f4d poke=65680,0010000000400000 "
	  "poke=4086,53574150535041434532 poke=1024,01000000ff3f0000",
	  "", "swap and btrfs", "holds swap and btrfs", AF_SCHEME_NONE, false },
	{ ISO, "", "iso9660 \"DEBIAN 12\" of 58.6 MiB", "iso9660", AF_SCHEME_NONE, false },
	{ ER PM(512), "apm", "Apple partition map with 3 entries",
	  "an Apple partition map (APM) with 3 entries, which afdisk does not edit",
	  AF_SCHEME_NONE, true },
	{ ISO ER PM(2048), "", "iso9660 \"DEBIAN 12\" of 58.6 MiB",
	  "this is an ISO image with its own APM: changing that breaks it", AF_SCHEME_NONE,
	  true },
};

static char image[200];

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(image, sizeof image, "%s/afdisk-whole-%ld", tmp ? tmp : "/tmp",
		 (long)getpid());
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return unlink(image);
}

/* Makes the image of 64 MiB and opens it. */
static void make(struct af_dev *dev, const char *words, uint32_t sector_size)
{
	char all[1200];
	struct af_err err;

	snprintf(all, sizeof all, "%u %u none %s", (unsigned)(64 * AF_MIB / sector_size),
		 (unsigned)sector_size, words);
	disk_make(image, all);
	assert_true(af_dev_open(image, dev, &err));
	dev->sector_size = sector_size;
}

static void read_table(struct af_dev *dev, struct af_layout *l, struct af_label_note *note)
{
	struct af_err err = { .code = AF_OK };

	if (!af_label_read(dev, l, note, &err))
		fail_msg("%s", err.text);
}

static void test_label__every_use_of_a_whole_disk_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof whole_table / sizeof *whole_table; i++)
		for (uint32_t size = 512; size <= 4096; size *= 8) {
			const struct whole *w = &whole_table[i];
			struct af_dev dev;
			struct af_layout l;
			struct af_label_note note;

			print_message("%s\n", w->holds);
			make(&dev, w->words, size);
			read_table(&dev, &l, &note);
			assert_int_equal(l.scheme, w->scheme);
			assert_string_equal(note.kind, w->label);
			assert_string_equal(note.holds, w->holds);
			assert_non_null(strstr(note.why, w->remark));
			assert_int_equal(note.read_only, w->read_only);
			af_layout_release(&l);
			af_dev_close(&dev);
		}
}

/* Writes the runs, or with back what they replace. */
static void put_runs(const struct af_patch *p, bool back)
{
	int fd = open(image, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	for (size_t i = 0; i < p->n; i++) {
		const struct af_run *r = &p->run[i];

		assert_int_equal(
			pwrite(fd, back ? r->before : r->after, (size_t)r->len, r->at),
			r->len);
	}
	close(fd);
}

static size_t count_marks(struct af_dev *dev)
{
	struct af_mark *mark;
	size_t n = af_probe_marks(dev, &mark);

	free(mark);
	return n;
}

/* Gives the disk of these words a new label, and looks at it. */
static void relabel(const struct whole *w, enum af_scheme scheme, uint32_t size)
{
	struct af_dev dev;
	struct af_layout base, now, seen;
	struct af_label_note note;
	struct af_patch patch;
	struct af_err err = { .code = AF_OK };

	make(&dev, w->words, size);
	read_table(&dev, &base, &note);
	size_t marks = count_marks(&dev);

	assert_true(af_layout_init(&now, scheme, dev.size, size, &err));
	memset(now.disk_id, 0x5a, scheme == AF_SCHEME_GPT ? 16 : 4);
	if (!af_label_render(&dev, &base, &now, &patch, &err))
		fail_msg("%s: %s", w->holds, err.text);
	for (size_t i = 1; i < patch.n; i++)
		assert_true(patch.run[i].phase >= patch.run[i - 1].phase);
	put_runs(&patch, false);
	read_table(&dev, &seen, &note);
	assert_true(af_layout_equal(&seen, &now));
	assert_string_equal(note.why, "");
	assert_string_equal(note.holds, "");
	assert_int_equal(count_marks(&dev), 0);
	put_runs(&patch, true);
	assert_int_equal(count_marks(&dev), marks);
	af_patch_release(&patch);
	af_layout_release(&seen);
	af_layout_release(&now);
	af_layout_release(&base);
	af_dev_close(&dev);
}

static void test_label__a_new_label_leaves_nothing_of_the_old_use(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof whole_table / sizeof *whole_table; i++)
		for (uint32_t size = 512; size <= 4096; size *= 8) {
			relabel(&whole_table[i], AF_SCHEME_GPT, size);
			relabel(&whole_table[i], AF_SCHEME_MBR, size);
		}
}

/* ------------------------------------------------------------------ beside a table */

/* What reading m must give; m is closed. */
static void expect(struct memdev *m, enum af_scheme scheme, bool read_only,
		   const char *holds, const char *why)
{
	struct af_layout l;
	struct af_label_note note;

	read_table(&m->dev, &l, &note);
	assert_int_equal(l.scheme, scheme);
	assert_string_equal(note.holds, holds);
	if (why[0] ? !strstr(note.why, why) : note.why[0])
		fail_msg("the note is \"%s\" instead of \"%s\"", note.why, why);
	assert_int_equal(note.read_only, read_only);
	af_layout_release(&l);
	memdev_close(m);
}

/* Case 31: an image on a stick, with an MBR, a GPT or an APM of its own. */
static void test_label__a_hybrid_iso_names_its_tables(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "1138688 512 dos 0x1 p1=64+1138624,17,boot p2=4480+4800,ef " ISO);
	expect(&m, AF_SCHEME_MBR, true, "iso9660 \"DEBIAN 12\" of 58.6 MiB",
	       "an ISO image with its own MBR:");
	memdev_make(&m, "1138688 512 dos 0x1 p1=64+1138624,17,boot " ISO ER PM(2048));
	expect(&m, AF_SCHEME_MBR, true, "iso9660 \"DEBIAN 12\" of 58.6 MiB",
	       "an ISO image with its own MBR and APM:");
	memdev_make(&m, "1138688 512 gpt af000000-0000-4000-8000-0000000000ff "
			"g1=64+1138000,linux,auto " ISO);
	expect(&m, AF_SCHEME_GPT, true, "iso9660 \"DEBIAN 12\" of 58.6 MiB",
	       "an ISO image with its own MBR and GPT: changing that breaks it; a new "
	       "label wipes it");
	memdev_make(&m, "1138688 512 gpt af000000-0000-4000-8000-0000000000ff "
			"g1=64+1138000,linux,auto " ISO ER PM(2048));
	expect(&m, AF_SCHEME_GPT, true, "iso9660 \"DEBIAN 12\" of 58.6 MiB",
	       "its own MBR, GPT and APM:");
}

/* A stick that was partitioned after an image lay on it: the descriptor between the table and the first partition. */
static void test_label__an_old_iso_below_a_newer_table_is_only_told(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "1138688 512 dos 0x1 p1=2048+4096,83 " ISO);
	expect(&m, AF_SCHEME_MBR, false, "",
	       "an old ISO 9660 image is still at byte 32769");
}

/* Case 36: sector 0 of a file system has the signature of an MBR, and may have entries that look like partitions. */
static void test_label__a_superfloppy_with_entries_is_not_rewritten(void **state)
{
	static const char fat[] = "poke=0,eb3c906d6b66732e66617400020401000200024000f8 "
				  "poke=54,4641543136202020 poke=510,55aa ";
	char words[400];
	struct memdev m;

	(void)state;
	snprintf(words, sizeof words, "20480 512 none %s poke=19,0050", fat);
	memdev_make(&m, words);
	expect(&m, AF_SCHEME_NONE, false, "FAT of 10 MiB",
	       "the whole disk is one FAT file system, without a partition table");
	snprintf(words, sizeof words, "20480 512 dos 0x1 p1=2048+4096,c %s poke=19,0050",
		 fat);
	memdev_make(&m, words);
	expect(&m, AF_SCHEME_MBR, true, "", "one of the two is a leftover");
	/* the same, of a partition by its hidden sectors: boot code that needs a BPB */
	snprintf(words, sizeof words,
		 "20480 512 dos 0x1 p1=2048+4096,c %s poke=19,0050 poke=28,00080000", fat);
	memdev_make(&m, words);
	expect(&m, AF_SCHEME_MBR, false, "", "");
	memdev_make(&m, "20480 512 none poke=0,eb58902d4656452d46532d poke=510,55aa");
	expect(&m, AF_SCHEME_NONE, false, "BitLocker",
	       "the whole disk is one BitLocker file system");
}

static void test_label__an_apple_map_beside_an_mbr_is_not_rewritten(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x1 p1=2048+4096,83 " ER PM(512));
	expect(&m, AF_SCHEME_MBR, true, "", "there is an Apple partition map, too");
}

/* Case 53, MBR: the database behind the last entry is no free space. */
static void test_label__a_dynamic_disk_keeps_its_database(void **state)
{
	static const char words[] =
		"3907029168 512 dos 0x1 p1=63+176652,de p2=176715+976594357,42 "
		"p3=976771072+2930255872,42,boot p4=3907026944+176,42 "
		"poke=3072,5052495648454144 poke=3371,00000000e8e080b0 "
		"poke=3379,0000000000000800";
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	(void)state;
	memdev_make(&m, words);
	read_table(&m.dev, &l, &note);
	assert_false(note.read_only);
	assert_string_equal(note.holds, "dynamic disk (LDM)");
	assert_non_null(strstr(note.why, "its 3 entries are not changed here"));
	assert_int_equal(l.usable.end, 3907027120 * INT64_C(512));
	af_layout_release(&l);
	memdev_close(&m);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_label__every_use_of_a_whole_disk_is_named),
		CASE(test_label__a_new_label_leaves_nothing_of_the_old_use),
		cmocka_unit_test(test_label__a_hybrid_iso_names_its_tables),
		cmocka_unit_test(test_label__an_old_iso_below_a_newer_table_is_only_told),
		cmocka_unit_test(test_label__a_superfloppy_with_entries_is_not_rewritten),
		cmocka_unit_test(test_label__an_apple_map_beside_an_mbr_is_not_rewritten),
		cmocka_unit_test(test_label__a_dynamic_disk_keeps_its_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
