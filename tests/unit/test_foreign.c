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

#define CASE(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_foreign__a_boot_sector_names_its_file_system),
		CASE(test_foreign__a_boot_sector_says_what_it_covers),
		CASE(test_foreign__a_volume_descriptor_names_an_image),
		CASE(test_foreign__an_apple_map_has_its_entries_counted),
		CASE(test_foreign__a_private_header_says_where_the_database_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
