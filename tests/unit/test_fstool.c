/* What makes a file system smaller or larger, as people are told. */
#include "afdisk/fstool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

static void check_shrink(const char *fs, const char *dev, const char *expect)
{
	struct af_text t = { 0 };
	af_fstool_shrink(fs, dev, 100 * AF_MIB + 512, &t);
	assert_string_equal(af_text_get(&t), expect);
	af_text_release(&t);
}

static void check_grow(const char *fs, const char *dev, const char *expect)
{
	struct af_text t = { 0 };
	af_fstool_grow(fs, dev, &t);
	assert_string_equal(af_text_get(&t), expect);
	af_text_release(&t);
}

static void test_fstool__commands_are_ready_to_be_run(void **state)
{
	(void)state;
	check_shrink(
		"ext3", "/dev/sda5",
		"shrink it first: 'e2fsck -f /dev/sda5' and 'resize2fs /dev/sda5 102400K'");
	check_shrink("ntfs", "/dev/sda1",
		     "shrink it first: 'ntfsresize --size 104858112 /dev/sda1'");
	check_shrink("btrfs", "/dev/sda1",
		     "shrink it first: 'btrfs filesystem resize 102400K MOUNTPOINT'");
	check_shrink(
		"LVM2_member", "/dev/sda1",
		"shrink it first: 'pvresize --setphysicalvolumesize 104858112b /dev/sda1'");
	check_grow("ext4", "/dev/nvme0n1p2", "'resize2fs /dev/nvme0n1p2' makes it larger");
	check_grow("xfs", "/dev/sda1", "'xfs_growfs MOUNTPOINT' makes it larger");
}

static void test_fstool__a_part_of_an_image_has_no_name(void **state)
{
	(void)state;
	check_grow("ext4", NULL, "'resize2fs PARTITION' makes it larger");
}

static void test_fstool__what_cannot_be_done_is_said(void **state)
{
	(void)state;
	check_shrink("xfs", "/dev/sda1",
		     "XFS cannot be shrunk: copy its files away, and make it anew");
	check_grow("exfat", "/dev/sda1", "");
	check_shrink("iso9660", "/dev/sda1", "");
	check_grow("iso9660", "/dev/sda1", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fstool__commands_are_ready_to_be_run),
		cmocka_unit_test(test_fstool__a_part_of_an_image_has_no_name),
		cmocka_unit_test(test_fstool__what_cannot_be_done_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
