/* What the first bytes of a disk say: names, sizes, and what is too short or too odd to say anything. */
#include "afdisk/foreign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static unsigned char head[AF_FOREIGN_HEAD];

static void put(size_t at, const char *bytes, size_t n)
{
	memcpy(head + at, bytes, n);
}

static int clear(void **state)
{
	(void)state;
	memset(head, 0, sizeof head);
	return 0;
}

static void test_foreign__a_boot_sector_names_its_file_system(void **state)
{
	(void)state;
	assert_null(af_foreign_boot_sector(head));
	put(0, "\xeb\x52\x90NTFS    ", 11);
	assert_string_equal(af_foreign_boot_sector(head), "NTFS");
	put(0,
	    "\xeb\x76\x90"
	    "EXFAT   ",
	    11);
	assert_string_equal(af_foreign_boot_sector(head), "exFAT");
	put(0, "\xeb\x58\x90-FVE-FS-", 11);
	assert_string_equal(af_foreign_boot_sector(head), "BitLocker");
	put(0, "\xe9\0\0mkfs.fat", 11);
	assert_null(af_foreign_boot_sector(head));
	put(82, "FAT32   ", 8);
	assert_string_equal(af_foreign_boot_sector(head), "FAT");
	head[0] = 0x33; /* no jump */
	assert_null(af_foreign_boot_sector(head));
}

static void test_foreign__a_boot_sector_says_what_it_covers(void **state)
{
	(void)state;
	assert_int_equal(af_foreign_boot_size(head), 0);
	put(0, "\xeb\x3c\x90", 3);
	put(54, "FAT", 3);
	put(11, "\0\2", 2);
	put(19, "\0\x50", 2); /* 20480 sectors of 512 */
	assert_int_equal(af_foreign_boot_size(head), 20480 * 512);
	put(19, "\0\0", 2);
	put(32, "\0\0\1\0", 4);
	put(11, "\0\x10", 2); /* 65536 of 4096 */
	assert_int_equal(af_foreign_boot_size(head), 256 * AF_MIB);
	put(11, "\1\2", 2); /* 513 bytes are no sector */
	assert_int_equal(af_foreign_boot_size(head), 0);
	put(11, "\0\2", 2);
	put(28, "\0\x08", 2); /* in a partition at 2048 */
	assert_int_equal(af_foreign_boot_size(head), 0);
	clear(NULL);
	put(0, "\xeb\x52\x90NTFS    ", 11);
	put(11, "\0\2", 2);
	put(40, "\xff\x07", 2);
	assert_int_equal(af_foreign_boot_size(head), 2047 * 512);
	clear(NULL);
	put(0,
	    "\xeb\x76\x90"
	    "EXFAT   ",
	    11);
	put(72, "\0\x10", 2);
	head[108] = 9;
	assert_int_equal(af_foreign_boot_size(head), 4096 * 512);
	head[108] = 13;
	assert_int_equal(af_foreign_boot_size(head), 0);
}

static void test_foreign__a_volume_descriptor_names_an_image(void **state)
{
	struct af_foreign_iso iso;

	(void)state;
	assert_false(af_foreign_iso(head, sizeof head, &iso));
	put(32768, "\1CD001\1", 7);
	put(32768 + 40, "STICK \x1b[2J                        ", 32);
	put(32768 + 80, "\x10\0\0\0", 4);
	put(32768 + 128, "\0\x08", 2);
	assert_true(af_foreign_iso(head, sizeof head, &iso));
	assert_string_equal(iso.label, "STICK ?[2J");
	assert_int_equal(iso.size, 32 * AF_KIB);
	assert_false(af_foreign_iso(head, 32768 + 2047, &iso)); /* cut short */
	head[32768] = 2;
	assert_false(af_foreign_iso(head, sizeof head, &iso)); /* not the primary one */
}

static void test_foreign__an_apple_map_has_its_entries_counted(void **state)
{
	uint32_t block;

	(void)state;
	assert_int_equal(af_foreign_apm(head, sizeof head, &block), 0);
	put(0, "ER\x08\0", 4);
	assert_int_equal(af_foreign_apm(head, sizeof head, &block), 0);
	put(512, "PM\0\0\0\0\0\5", 8);
	assert_int_equal(af_foreign_apm(head, sizeof head, &block), 5);
	assert_int_equal(block, 512); /* under a record that says 2048 */
	put(2048, "PM\0\0\0\0\0\2", 8);
	assert_int_equal(af_foreign_apm(head, sizeof head, &block), 2);
	assert_int_equal(block, 2048);
	assert_int_equal(af_foreign_apm(head, 2050, &block), 5); /* cut short */
	assert_int_equal(af_foreign_apm(head, 100, &block), 0);
}

static void test_foreign__a_private_header_says_where_the_database_is(void **state)
{
	struct af_foreign_ldm ldm;

	(void)state;
	assert_false(af_foreign_ldm(head, &ldm));
	put(0, "PRIVHEAD", 8);
	put(0x12b, "\0\0\0\0\0\x10\0\0", 8);
	put(0x133, "\0\0\0\0\0\0\x08\0", 8);
	assert_true(af_foreign_ldm(head, &ldm));
	assert_int_equal(ldm.database.start, 512 * AF_MIB);
	assert_int_equal(ldm.database.end, 513 * AF_MIB);
	put(0x12b, "\xff", 1);
	assert_true(af_foreign_ldm(head, &ldm));
	assert_int_equal(ldm.database.start, 0);
}

static bool read_head(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	(void)ctx;
	if (at < 0 || (size_t)at + n > sizeof head)
		return af_fail(err, AF_E_IO, "not there");
	memcpy(buf, head + at, n);
	return true;
}

static bool has_efi(af_bytes start)
{
	return af_foreign_fat_has_efi(read_head, NULL,
				      (struct af_span){ start, sizeof head });
}

/* Case 35: FAT16 with its root behind the FATs, FAT32 with it in a cluster. */
static void test_foreign__a_fat_has_a_directory_efi(void **state)
{
	(void)state;
	assert_false(has_efi(0));
	put(1024 + 11, "\0\2\1\1\0\2\x10\0",
	    8);                    /* 512 bytes, 1 sector, 1 reserved, 2 FATs */
	put(1024 + 22, "\3\0", 2); /* of 3 sectors: the root is at 7 */
	put(1024 + 3584, "VOLUME     \x08", 12);
	put(1024 + 3584 + 32, "EFI        \x10", 12);
	assert_true(has_efi(1024));
	head[1024 + 3584 + 32 + 11] = 0x20; /* a file */
	assert_false(has_efi(1024));
	head[1024 + 3584 + 32 + 11] = 0x0f; /* a part of a long name */
	assert_false(has_efi(1024));
	head[1024 + 3584 + 32 + 11] = 0x10;
	head[1024 + 3584] = 0; /* the end before it */
	assert_false(has_efi(1024));
	clear(NULL);
	put(11, "\0\2\2\2\0\1", 6); /* 2 sectors to a cluster, 2 reserved, 1 FAT */
	put(36, "\4\0\0\0", 4);     /* of 4 sectors: cluster 2 is at 6 */
	put(44, "\5\0\0\0", 4);     /* the root is cluster 5: at 12 */
	put((size_t)12 * 512, "EFI        \x10", 12);
	assert_true(has_efi(0));
	put(44, "\1\0\0\0", 4); /* there is no such cluster */
	assert_false(has_efi(0));
	put(44, "\xff\xff\xff\xff", 4); /* far beyond the end */
	assert_false(has_efi(0));
}

#define CASE(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_foreign__a_boot_sector_names_its_file_system),
		CASE(test_foreign__a_boot_sector_says_what_it_covers),
		CASE(test_foreign__a_volume_descriptor_names_an_image),
		CASE(test_foreign__an_apple_map_has_its_entries_counted),
		CASE(test_foreign__a_fat_has_a_directory_efi),
		CASE(test_foreign__a_private_header_says_where_the_database_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
