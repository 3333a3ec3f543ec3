/* Who uses a disk, by made-up folders in place of /sys and /proc. What a kernel really says is tried in a virtual
 * machine: tests/vm/holders.sh. */
#include "afdisk/holders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include "folder.h"
#include <cmocka.h>

static char root[200], sys[240], proc[240];
static struct af_uses uses;

/** Writes a file below the root, and makes the folders that it needs. */
static void put(const char *name, const char *text)
{
	char path[400];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		(void)mkdir(path, 0700);
		*p = '/';
	}
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void put_part(const char *folder, const char *number, const char *device)
{
	char name[200];

	(void)snprintf(name, sizeof(name), "%s/partition", folder);
	put(name, number);
	(void)snprintf(name, sizeof(name), "%s/start", folder);
	put(name, number[0] == '1' ? "2048\n" : "8192\n");
	(void)snprintf(name, sizeof(name), "%s/size", folder);
	put(name, "4096\n");
	(void)snprintf(name, sizeof(name), "%s/dev", folder);
	put(name, device);
}

#define DISK "sys/dev/block/8:0"

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-holders-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(root));
	(void)snprintf(sys, sizeof(sys), "%s/sys", root);
	(void)snprintf(proc, sizeof(proc), "%s/proc", root);
	put_part(DISK "/sda1", "1\n", "8:1\n");
	put_part(DISK "/sda2", "2\n", "8:2\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	af_uses_release(&uses);
	return folder_remove(root);
}

/** The uses of partition number, 0 for the disk, in words. */
static const char *said(uint32_t number)
{
	static char words[400];
	const struct af_holders_place place = {
		.sys = sys, .proc = proc, .device = makedev(8, 0), .size = AF_GIB
	};
	af_bytes start = number == 1 ? 2048 * 512 : number == 2 ? 8192 * 512 : 0;

	af_uses_release(&uses);
	af_holders_scan(&place, &uses);
	return af_uses_words(&uses, number, start, words, sizeof(words));
}

static void put_mounts(const char *lines)
{
	put("proc/self/mountinfo", lines);
}

static void test_holders__a_free_disk_has_no_users(void **state)
{
	(void)state;
	assert_string_equal(said(0), "");
	assert_string_equal(said(1), "");
	assert_int_equal(uses.n, 0);
	put_mounts("21 1 8:17 / / rw - ext4 /dev/sdb1 rw\n"); /* another disk's */
	put("proc/swaps", "Filename Type Size Used Priority\n/dev/sdb2 partition 1 0 -2\n");
	assert_string_equal(said(1), "");
	assert_int_equal(uses.n, 0);
}

static void test_holders__names_mount_points_and_swap(void **state)
{
	(void)state;
	put_mounts("21 1 8:1 / / rw - ext4 /dev/root rw\n"
		   "22 21 8:1 /srv /var/a\\040b rw shared:1 - ext4 /dev/sda1 rw\n"
		   "23 21 8:1 /srv /var/a\\040b rw shared:1 - ext4 /dev/sda1 rw\n"
		   "24 21 0:20 / /proc rw - proc proc rw\n");
	put("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n"
			  "/var/file file 1 0 -3\n");
	assert_string_equal(said(1), "mounted at /, mounted at /var/a b");
	assert_int_equal(uses.item[0].span.start, 2048 * 512);
	assert_int_equal(uses.item[0].span.end, 6144 * 512);
	assert_string_equal(said(2), "used as swap");
	assert_string_equal(said(0), "");
	assert_int_equal(uses.n, 3);
}

static void test_holders__says_only_so_much(void **state)
{
	(void)state;
	put_mounts("21 1 8:1 / / rw - ext4 x rw\n22 1 8:1 / /b rw - ext4 x rw\n"
		   "23 1 8:1 / /c rw - ext4 x rw\n24 1 8:1 / /d rw - ext4 x rw\n");
	assert_string_equal(said(1), "mounted at /, mounted at /b, mounted at /c ...");
	assert_int_equal(uses.n, 4);
}

static void test_holders__a_mounted_disk_is_in_use_itself(void **state)
{
	(void)state;
	put_mounts("21 1 8:0 / /mnt rw - vfat /dev/sda rw\n");
	assert_string_equal(said(0), "mounted at /mnt");
	assert_int_equal(uses.item[0].number, 0);
	assert_int_equal(uses.item[0].span.end, AF_GIB);
}

/** LVM on LUKS on partition 2. */
static void put_stack(void)
{
	put(DISK "/sda2/holders/dm-0/dev", "253:0\n");
	put(DISK "/sda2/holders/dm-0/dm/name", "secret\n");
	put(DISK "/sda2/holders/dm-0/dm/uuid", "CRYPT-LUKS2-0123-secret\n");
	/* the same folder, as the kernel has it, under its number, and under that of the disk's partition */
	put("sys/dev/block/8:2/holders/dm-0/dev", "253:0\n");
	put("sys/dev/block/8:2/holders/dm-0/dm/name", "secret\n");
	put("sys/dev/block/8:2/holders/dm-0/dm/uuid", "CRYPT-LUKS2-0123-secret\n");
	put("sys/dev/block/253:0/holders/dm-1/dev", "253:1\n");
	put("sys/dev/block/253:0/holders/dm-1/dm/name", "vg0-root\n");
	put("sys/dev/block/253:0/holders/dm-1/dm/uuid", "LVM-abc\n");
}

static void test_holders__follows_layers_up_to_the_mount_point(void **state)
{
	(void)state;
	put_stack();
	assert_string_equal(said(2), "part of LUKS secret, part of LVM vg0-root");
	put_mounts("21 1 253:1 / /home rw - ext4 /dev/mapper/vg0-root rw\n");
	assert_string_equal(said(2),
			    "part of LUKS secret, part of LVM vg0-root, mounted at /home");
	assert_string_equal(said(1), "");
	put("proc/swaps", "Filename Type Size Used Priority\n/dev/dm-0 partition 1 0 -2\n");
	said(2);
	assert_int_equal(uses.n, 4);
	assert_int_equal(uses.item[3].kind, AF_USE_SWAP);
}

static void test_holders__layers_that_go_in_a_circle_end(void **state)
{
	(void)state;
	put_stack();
	put("sys/dev/block/253:1/holders/dm-0/dev", "253:0\n");
	assert_string_equal(said(2),
			    "part of LUKS secret, part of LVM vg0-root, part of dm-0");
}

static void test_holders__names_raid_and_what_it_does_not_know(void **state)
{
	(void)state;
	put("sys/dev/block/8:1/holders/md0/dev", "9:0\n");
	put_part("sys/dev/block/9:0/md0p1", "1\n", "259:0\n");
	put("sys/dev/block/8:2/holders/bcache0/dev", "252:0\n");
	put("sys/dev/block/8:0/holders/dm-7/dev", "253:7\n");
	put("sys/dev/block/8:0/holders/dm-7/dm/name", "mpatha\n");
	put("sys/dev/block/8:0/holders/dm-7/dm/uuid", "mpath-3600\n");
	put_mounts("21 1 259:0 / /srv rw - xfs /dev/md0p1 rw\n");
	assert_string_equal(said(1), "part of RAID md0, mounted at /srv");
	assert_string_equal(said(2), "part of bcache0");
	assert_string_equal(said(0), "part of multipath mpatha");
}

static void test_holders__btrfs_over_several_devices(void **state)
{
	(void)state;
	put_mounts("21 1 8:1 / / rw - btrfs /dev/sda1 rw\n");
	put("sys/fs/btrfs/0123/devices/sda1/size", "1\n");
	put("sys/fs/btrfs/0123/devices/sda2/size", "1\n");
	assert_string_equal(said(1), "mounted at /");
	assert_string_equal(said(2), "part of a mounted btrfs");
}

static void test_holders__odd_files_do_no_harm(void **state)
{
	(void)state;
	put(DISK "/sda3/partition", "many\n");
	put("sys/dev/block/8:1/holders/dm-0/dev", "no number\n");
	put("sys/dev/block/8:2/holders/dm-1/dev", "253:1");
	put("sys/dev/block/8:2/holders/dm-1/dm/name", "");
	put("sys/block/loop0/loop/backing_file", "/no/such/file\n");
	put_mounts("rubbish\n\n21\n");
	put("proc/swaps", "/dev/\n");
	assert_string_equal(said(1), "");
	assert_string_equal(said(2), "part of dm-1");
	put_mounts("21 1 8:1 / /a\\033[2Jb rw - ext4 x rw\n");
	assert_string_equal(said(1), "mounted at /a?[2Jb");
}

static void test_holders__an_image_has_no_users(void **state)
{
	struct af_dev dev;
	struct af_err err;

	(void)state;
	put("disk.img", "a disk image of at least one sector ..........................."
			"..............................................................."
			"..............................................................."
			"..............................................................."
			"..............................................................."
			"..............................................................."
			"..............................................................."
			"..............................................................."
			"..............................................................."
			"...............................................................");
	(void)snprintf(sys, sizeof(sys), "%s/disk.img", root);
	assert_true(af_dev_open(sys, &dev, &err));
	af_holders_read(&dev, true, &uses);
	assert_int_equal(uses.n, 0);
	af_dev_close(&dev);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_holders__a_free_disk_has_no_users),
		CASE(test_holders__names_mount_points_and_swap),
		CASE(test_holders__says_only_so_much),
		CASE(test_holders__a_mounted_disk_is_in_use_itself),
		CASE(test_holders__follows_layers_up_to_the_mount_point),
		CASE(test_holders__layers_that_go_in_a_circle_end),
		CASE(test_holders__names_raid_and_what_it_does_not_know),
		CASE(test_holders__btrfs_over_several_devices),
		CASE(test_holders__odd_files_do_no_harm),
		CASE(test_holders__an_image_has_no_users),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
