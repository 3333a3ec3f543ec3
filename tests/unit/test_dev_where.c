/* On which device a folder is kept, by a tree as /sys/dev/block is: partitions, layers, loop devices. */
#include "afdisk/dev.h"

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
#include <cmocka.h>

#include "disks.h"
#include "folder.h"

static char root[200];

/* Makes what lies below root: a folder, or a file with text in it. */
static void put(const char *name, const char *maybe_text)
{
	char path[400];

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	if (!maybe_text) {
		(void)mkdir(path, 0700);
		return;
	}
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(maybe_text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* Gives a device its number, as a link to its folder. */
static void number(const char *n, const char *folder)
{
	char from[400], to[400], file[400];

	(void)snprintf(file, sizeof(file), "%s/dev", folder);
	put(file, n);
	(void)snprintf(from, sizeof(from), "%s/block/%s", root, n);
	(void)snprintf(to, sizeof(to), "%s/%s", root, folder);
	assert_int_equal(symlink(to, from), 0);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-where-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	put("block", NULL);
	number("8:0", "devices/sda");
	number("8:5", "devices/sda/sda5");
	put("devices/sda/sda5/partition", "5\n");
	number("8:16", "devices/sdb");
	number("253:0", "devices/dm-0"); /* over sda5 and sdb */
	put("devices/dm-0/slaves/sda5/dev", "8:5\n");
	put("devices/dm-0/slaves/sdb/dev", "8:16\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return folder_remove(root);
}

static bool on(unsigned upper_major, unsigned upper_minor, unsigned lower_major,
	       unsigned lower_minor)
{
	char folder[240];

	(void)snprintf(folder, sizeof(folder), "%s/block", root);
	return af_dev_rests_on(folder, makedev(upper_major, upper_minor),
			       makedev(lower_major, lower_minor));
}

static void test_dev_where__goes_down_through_partitions_and_layers(void **state)
{
	(void)state;
	assert_true(on(8, 5, 8, 0));
	assert_true(on(253, 0, 8, 0));
	assert_true(on(253, 0, 8, 16));
	assert_true(on(8, 0, 8, 0));
	assert_false(on(8, 5, 8, 16));
	assert_false(on(8, 0, 8, 5)); /* a disk does not rest on its partition */
	assert_false(on(9, 9, 8, 0)); /* nobody knows it */
}

static void test_dev_where__goes_through_the_file_of_a_loop_device(void **state)
{
	char backing[400];
	struct stat st;

	(void)state;
	(void)snprintf(backing, sizeof(backing), "%s/image\n", root);
	put("image", "");
	number("7:0", "devices/loop0");
	put("devices/loop0/loop/backing_file", backing);
	assert_int_equal(stat(root, &st), 0);
	assert_true(on(7, 0, major(st.st_dev), minor(st.st_dev)));
	assert_false(on(7, 0, 8, 0));
}

static void test_dev_where__an_endless_tower_ends(void **state)
{
	(void)state;
	number("253:1", "devices/dm-1");
	put("devices/dm-1/slaves/dm-2/dev", "253:2\n");
	number("253:2", "devices/dm-2");
	put("devices/dm-2/slaves/dm-1/dev", "253:1\n");
	put("devices/dm-2/slaves/odd/dev", "rubbish\n");
	assert_false(on(253, 1, 8, 0));
}

static void test_dev_where__what_takes_the_log_may_take_the_image(void **state)
{
	struct af_dev dev;
	struct af_err err;
	char image[240];

	(void)state;
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	disk_make(image, "2048 512 none");
	assert_true(af_dev_open(image, &dev, &err));
	assert_int_equal(af_dev_where(&dev, root), AF_WHERE_ELSEWHERE);
	if (access("/dev/shm", W_OK) == 0)
		assert_int_equal(af_dev_where(&dev, "/dev/shm"), AF_WHERE_RAM);
	assert_int_equal(af_dev_where(&dev, "/missing/folder"), AF_WHERE_ELSEWHERE);
	af_dev_close(&dev);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_dev_where__goes_down_through_partitions_and_layers),
		CASE(test_dev_where__goes_through_the_file_of_a_loop_device),
		CASE(test_dev_where__an_endless_tower_ends),
		CASE(test_dev_where__what_takes_the_log_may_take_the_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
