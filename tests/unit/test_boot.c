/* What starts a disk, where a file system thinks it lies, and whether Windows has closed it: over bytes made here. */
#include "afdisk/boot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define DISK    ((size_t)1 << 20)
#define START   ((size_t)63 * 512) /* the byte where the file system lies */
#define CLUSTER 4096
#define RECORD  1024

/* A disk in memory; whatever lies beyond it cannot be read. */
struct disk {
	unsigned char bytes[DISK];
};

static struct disk disk;

static bool read_disk(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	const struct disk *d = ctx;
	if (at < 0 || at > (af_bytes)DISK - (af_bytes)n)
		return af_fail(err, AF_E_IO, "beyond");
	memcpy(buf, d->bytes + at, n);
	return true;
}

static void put(unsigned char *p, uint64_t n, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (unsigned char)(n >> (8 * i));
}

/* Letters without an end. */
static void letters(unsigned char *p, const char *text)
{
	while (*text != '\0')
		*p++ = (unsigned char)*text++;
}

static void mark(unsigned char *sector)
{
	put(sector + 510, 0xAA55, 2);
}

/* --- GRUB ---------------------------------------------------------------------------------------------- */

/* GRUB as grub-install embeds it: boot.img, diskboot.img in that sector, and its list. */
static void make_grub(uint64_t kernel, uint64_t first, unsigned n)
{
	memset(&disk, 0, sizeof(disk));
	memcpy(disk.bytes + 0x180, "GRUB \0Geom\0Hard Disk\0Read\0 Error\r\n", 33);
	put(disk.bytes + 0x5C, kernel, 8);
	mark(disk.bytes);
	unsigned char *core = disk.bytes + kernel * 512;
	memcpy(core + 0x170, "loading\0.\0\r\n\0Geom\0Read\0 Error", 30);
	put(core + 0x1F4, first, 8);
	put(core + 0x1FC, n, 2);
}

static struct af_boot_code code(uint32_t sector_size)
{
	struct af_boot_code c = { 0 };
	af_boot_code_read(read_disk, &disk, sector_size, &c);
	assert_true(c.known);
	return c;
}

static void test_boot__grub_in_the_gap(void **state)
{
	(void)state;
	make_grub(1, 2, 93);
	struct af_boot_code c = code(512);
	assert_true(c.is_grub);
	assert_int_equal(c.core.start, 512);
	assert_int_equal(c.core.end, 95 * 512);
}

static void test_boot__a_list_that_jumps_ends_there(void **state)
{
	(void)state;
	make_grub(1, 2, 10);
	put(disk.bytes + 512 + 0x1E8, 40, 8); /* the next entry, elsewhere */
	put(disk.bytes + 512 + 0x1F0, 5, 2);
	assert_int_equal(code(512).core.end, 12 * 512);
}

static void test_boot__other_code_is_no_grub(void **state)
{
	(void)state;
	memset(&disk, 0, sizeof(disk));
	assert_false(code(512).is_grub);
	memcpy(disk.bytes + 0x163, "Invalid partition table", 23);
	mark(disk.bytes);
	assert_false(code(512).is_grub);
}

static void test_boot__a_core_that_is_none_is_not_believed(void **state)
{
	(void)state;
	make_grub(1, 2, 93);
	memset(disk.bytes + 512, 0, 512);
	struct af_boot_code c = code(512);
	assert_true(c.is_grub);
	assert_int_equal(af_span_size(c.core), 0);
	make_grub(1, 2, 93);
	put(disk.bytes + 0x5C, UINT64_MAX, 8);
	assert_int_equal(af_span_size(code(512).core), 0);
	put(disk.bytes + 0x5C, 1 << 20, 8); /* beyond the disk */
	assert_int_equal(af_span_size(code(4096).core), 0);
}

/* --- where a file system thinks it lies ---------------------------------------------------------------- */

static unsigned char *boot_sector(const char *oem)
{
	unsigned char *p = disk.bytes + START;
	memset(&disk, 0, sizeof(disk));
	p[0] = 0xEB;
	memcpy(p + 3, oem, 8);
	put(p + 11, 512, 2);
	mark(p);
	return p;
}

static struct af_content inside(const char *fs)
{
	struct af_content c = { .state = AF_CONTENT_FOUND };
	const struct af_span span = { (af_bytes)START, (af_bytes)DISK };
	snprintf(c.fs, sizeof(c.fs), "%s", fs);
	af_boot_inside(read_disk, &disk, span, &c);
	return c;
}

static void test_boot__boot_sectors_say_where_they_lie(void **state)
{
	unsigned char *p = boot_sector("MSDOS5.0");
	(void)state;
	letters(p + 82, "FAT32   ");
	put(p + 28, 2048, 4);
	struct af_content c = inside("vfat");
	assert_true(c.has_home);
	assert_int_equal(c.home, 2048 * 512);
	p = boot_sector("EXFAT   ");
	p[108] = 12;
	put(p + 64, 256, 8);
	c = inside("exfat");
	assert_true(c.has_home);
	assert_int_equal(c.home, AF_MIB);
	put(p + 64, UINT64_MAX, 8);
	assert_false(inside("exfat").has_home);
}

static void test_boot__what_has_no_boot_sector_does_not(void **state)
{
	(void)state;
	memset(&disk, 0, sizeof(disk));
	assert_false(inside("ext4").has_home);
	(void)boot_sector("-FVE-FS-");
	assert_false(inside("BitLocker").has_home);
}

/* --- whether Windows has closed it --------------------------------------------------------------------- */

static unsigned char *cluster(unsigned n)
{
	return disk.bytes + START + (size_t)n * CLUSTER;
}

/* A record of the master file table with one attribute, its strides marked. */
static unsigned char *record(unsigned number, uint32_t kind, const void *value, unsigned n,
			     bool resident)
{
	unsigned char *p = cluster(4) + (size_t)number * RECORD;
	memset(p, 0, RECORD);
	letters(p, "FILE");
	put(p + 4, 48, 2); /* the sequence array */
	put(p + 6, 3, 2);
	put(p + 20, 56, 2); /* the first attribute */
	put(p + 56, kind, 4);
	put(p + 60, 104, 4);
	p[64] = !resident;
	put(p + 56 + (resident ? 20 : 32), 72, 2);
	memcpy(p + 56 + 72, value, n);
	put(p + 160, 0xFFFFFFFF, 4);
	return p;
}

/* What the end of each stride holds goes to the array, the sequence number takes its place. */
static void protect(unsigned char *p)
{
	put(p + 48, 7, 2);
	for (size_t i = 0; i < 2; i++) {
		memcpy(p + 50 + 2 * i, p + 512 * (i + 1) - 2, 2);
		put(p + 512 * (i + 1) - 2, 7, 2);
	}
}

static void restart(unsigned page, uint64_t age, unsigned client, unsigned flags)
{
	unsigned char *p = cluster(9 + page);
	memset(p, 0, CLUSTER);
	letters(p, "RSTR");
	put(p + 24, 48, 2);
	put(p + 48, age, 8);
	put(p + 60, client, 2);
	put(p + 62, flags, 2);
}

/* Its table in cluster 4, its log in 9 and 10. */
static void make_ntfs(unsigned volume_flags)
{
	unsigned char *p = boot_sector("NTFS    "), value[12] = { 0 };
	static const unsigned char run[] = { 0x21, 2, 9, 0, 0 };
	p[13] = CLUSTER / 512;
	put(p + 48, 4, 8);
	p[64] = 0xF6; /* 2^10 */
	protect(record(2, 0x80, run, sizeof(run), false));
	put(value + 10, volume_flags, 2);
	protect(record(3, 0x70, value, sizeof(value), true));
	restart(0, 100, 0xFFFF, 0);
	restart(1, 90, 0, 0);
}

static enum af_closed closed(void)
{
	return inside("ntfs").closed;
}

static void test_boot__a_closed_ntfs(void **state)
{
	(void)state;
	make_ntfs(0);
	assert_int_equal(closed(), AF_CLOSED_YES);
	restart(0, 100, 0, 2); /* somebody is there, but it is clean */
	assert_int_equal(closed(), AF_CLOSED_YES);
	memset(cluster(9), 0xFF, (size_t)2 * CLUSTER); /* as mkntfs leaves it */
	assert_int_equal(closed(), AF_CLOSED_YES);
}

static void test_boot__windows_is_still_at_work(void **state)
{
	(void)state;
	make_ntfs(0);
	restart(0, 100, 0, 0);
	assert_int_equal(closed(), AF_CLOSED_NO);
	make_ntfs(0);
	restart(1, 101, 0, 0); /* the newer page counts */
	assert_int_equal(closed(), AF_CLOSED_NO);
	make_ntfs(1); /* the volume is dirty */
	assert_int_equal(closed(), AF_CLOSED_NO);
}

static void test_boot__what_cannot_be_read_is_unknown(void **state)
{
	(void)state;
	make_ntfs(0);
	cluster(4)[2 * RECORD + 510] ^= 1; /* torn */
	assert_int_equal(closed(), AF_CLOSED_UNKNOWN);
	make_ntfs(0);
	put(disk.bytes + START + 48, UINT64_MAX / 2, 8);
	assert_int_equal(closed(), AF_CLOSED_UNKNOWN);
	make_ntfs(0);
	memset(cluster(9), 0, (size_t)2 * CLUSTER);
	assert_int_equal(closed(), AF_CLOSED_UNKNOWN);
	make_ntfs(0);
	assert_int_equal(inside("ext4").closed, AF_CLOSED_UNKNOWN);
}

/* Each byte that is read, wrong in each bit: any answer will do, as long as it is one. */
static void test_boot__no_byte_leads_astray(void **state)
{
	static const unsigned place_table[][2] = { { 0, 512 },
						   { 4 * CLUSTER + 2 * RECORD, 2 * RECORD },
						   { 9 * CLUSTER, 128 } };
	(void)state;
	make_ntfs(1);
	for (size_t k = 0; k < 3; k++)
		for (unsigned i = 0; i < place_table[k][1] * 8; i++) {
			unsigned char *p = cluster(0) + place_table[k][0] + i / 8;
			*p ^= (unsigned char)(1 << i % 8);
			assert_true(closed() <= AF_CLOSED_NO);
			*p ^= (unsigned char)(1 << i % 8);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boot__grub_in_the_gap),
		cmocka_unit_test(test_boot__a_list_that_jumps_ends_there),
		cmocka_unit_test(test_boot__other_code_is_no_grub),
		cmocka_unit_test(test_boot__a_core_that_is_none_is_not_believed),
		cmocka_unit_test(test_boot__boot_sectors_say_where_they_lie),
		cmocka_unit_test(test_boot__what_has_no_boot_sector_does_not),
		cmocka_unit_test(test_boot__a_closed_ntfs),
		cmocka_unit_test(test_boot__windows_is_still_at_work),
		cmocka_unit_test(test_boot__what_cannot_be_read_is_unknown),
		cmocka_unit_test(test_boot__no_byte_leads_astray),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
