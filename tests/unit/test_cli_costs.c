/* What looking at a disk costs: requests to the image, of afdisk's own and of the libraries' hands. */
#include "afdisk/cli.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "disks.h"
#include "folder.h"

static char root[200], image[240], output[240];
static uint64_t reads, bytes, shadows;

static bool is_image(int fd)
{
	struct stat st, wanted;

	return fstat(fd, &st) == 0 && stat(image, &wanted) == 0 &&
	       st.st_dev == wanted.st_dev && st.st_ino == wanted.st_ino;
}

static ssize_t counted(int fd, ssize_t got)
{
	if (is_image(fd)) {
		reads++;
		bytes += got > 0 ? (uint64_t)got : 0;
	}
	return got;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
	return counted(fd, syscall(SYS_pread64, fd, buf, n, at));
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
ssize_t read(int fd, void *buf, size_t n)
{
	return counted(fd, syscall(SYS_read, fd, buf, n));
}

/* Makes what libfdisk would be shown. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int memfd_create(const char *name, unsigned flags)
{
	shadows++;
	return (int)syscall(SYS_memfd_create, name, flags);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-costs-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	(void)snprintf(output, sizeof(output), "%s/output", root);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return folder_remove(root);
}

/* Runs afdisk on the image, its results in a file, and counts. */
static void look(const char *verb, const char *maybe_columns)
{
	struct af_cli_editor editor;
	char name[] = "afdisk", option[] = "--output", words[2][80];
	char *argv[] = { name, words[0], image, option, words[1], NULL };
	const int old = dup(STDOUT_FILENO),
		  file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	(void)snprintf(words[0], sizeof(words[0]), "%s", verb);
	(void)snprintf(words[1], sizeof(words[1]), "%s",
		       maybe_columns ? maybe_columns : "");
	assert_true(old >= 0 && file >= 0);
	assert_int_equal(fflush(stdout), 0);
	assert_true(dup2(file, STDOUT_FILENO) >= 0);
	reads = bytes = shadows = 0;
	argv[3] = maybe_columns ? option : NULL;
	const int status = af_cli(maybe_columns ? 5 : 3, argv, &editor);
	(void)fflush(stdout);
	assert_true(dup2(old, STDOUT_FILENO) >= 0);
	(void)close(old);
	(void)close(file);
	assert_in_range(status, 0, 1);
}

/* sfdisk -l takes 4, 58 and 6 reads for the last three. */
static const struct {
	const char *disk;
	uint64_t sectors_of_table, nparts;
} disk_table[] = {
	{ "empty-dos", 1, 0 },
	{ "seed", 3, 5 },
	{ "dos56", 57, 58 },
	{ "gpt128", 2, 128 }, /* two stretches, a request each */
};

#define DISKS (sizeof(disk_table) / sizeof(disk_table[0]))

static void test_cli_costs__a_table_is_read_once_and_nothing_else(void **state)
{
	(void)state;
	for (size_t i = 0; i < DISKS; i++) {
		disk_make(image, disk_table[i].disk);
		look("--list", "DEVICE,BOOT,START,END,SECTORS,SIZE,TYPE,UUID,PADDING");
		assert_int_equal(reads, disk_table[i].sectors_of_table);
		look("--dump", NULL);
		assert_int_equal(reads, disk_table[i].sectors_of_table);
		assert_int_equal(shadows, 0);
	}
}

/* A byte in the middle of each partition, so that it is no hole. */
static void fill_partitions(void)
{
	char line[200];
	FILE *table;
	const int fd = open(image, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	look("--dump", NULL);
	table = fopen(output, "re");
	assert_non_null(table);
	while (fgets(line, sizeof(line), table)) {
		const char *start = strstr(line, "start="), *size = strstr(line, "size=");

		if (!start || !size)
			continue;
		const off_t at = strtoll(start + strlen("start="), NULL, 10),
			    n = strtoll(size + strlen("size="), NULL, 10);

		assert_int_equal(pwrite(fd, "x", 1, (at + n / 2) * 512), 1);
	}
	(void)fclose(table);
	(void)close(fd);
}

static void test_cli_costs__looking_into_a_partition_stays_near_its_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < DISKS; i++) {
		disk_make(image, disk_table[i].disk);
		fill_partitions();
		look("--list", NULL);
		assert_in_range(reads, disk_table[i].nparts,
				4 + 58 + 50 * disk_table[i].nparts);
		assert_in_range(bytes, 0, AF_MIB / 8 + disk_table[i].nparts * 448 * AF_KIB);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_cli_costs__a_table_is_read_once_and_nothing_else, setup,
			teardown),
		cmocka_unit_test_setup_teardown(
			test_cli_costs__looking_into_a_partition_stays_near_its_ends, setup,
			teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
