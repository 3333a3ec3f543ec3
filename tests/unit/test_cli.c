/* What a broken-off write leaves: the exit status, the message, and a way back that works as it is printed. */
#include "afdisk/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "disks.h"
#include "folder.h"

#define SIZE  (8 * AF_MIB)
#define NEVER (-1)
#define TEXT  800

static char root[200], image[240], messages[240];
static unsigned char before[SIZE], after[SIZE];
static af_bytes bad_at = NEVER; /* the image's medium takes no write there */

static bool is_image(int fd)
{
	struct stat st, wanted;

	return fstat(fd, &st) == 0 && stat(image, &wanted) == 0 &&
	       st.st_dev == wanted.st_dev && st.st_ino == wanted.st_ino;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
	if (at == bad_at && is_image(fd)) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pwrite64, fd, buf, n, at);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-cli-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	(void)snprintf(messages, sizeof(messages), "%s/messages", root);
	return setenv("XDG_STATE_HOME", root, 1);
}

static int teardown(void **state)
{
	(void)state;
	bad_at = NEVER;
	return folder_remove(root);
}

static void read_file(const char *path, void *buf, size_t n)
{
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	(void)fread(buf, 1, n, f);
	assert_false(ferror(f));
	assert_int_equal(fclose(f), 0);
}

/** Has descriptor fd mean file for a while; returns what it was. */
static int divert(int fd, const char *file)
{
	int old = dup(fd), new = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(old >= 0 && new >= 0);
	assert_int_equal(dup2(new, fd), fd);
	assert_int_equal(close(new), 0);
	return old;
}

static void put_back(int fd, int old)
{
	assert_int_equal(dup2(old, fd), fd);
	assert_int_equal(close(old), 0);
}

/** Runs the command line; what goes to stderr is in text afterwards. */
static int run(const char *const *argv, int argc, char text[TEXT])
{
	struct af_cli_editor editor;
	char *args[8] = { NULL };
	int out, err, status;

	assert_true(argc < 8);
	for (int i = 0; i < argc; i++)
		args[i] = strdup(argv[i]);
	(void)fflush(stdout);
	out = divert(STDOUT_FILENO, "/dev/null");
	err = divert(STDERR_FILENO, messages);
	status = af_cli(argc, args, &editor);
	put_back(STDERR_FILENO, err);
	put_back(STDOUT_FILENO, out);
	memset(text, 0, TEXT);
	read_file(messages, text, TEXT - 1);
	for (int i = 0; i < argc; i++)
		free(args[i]);
	return status;
}

static int edit(const char *commands, char text[TEXT])
{
	const char *argv[] = { "afdisk", "-qJ", "--edit", commands, "--write", image };

	return run(argv, 6, text);
}

/** Carries out what stands between the quotes: afdisk --write --restore FILE DEVICE. */
static int take_way_back(const char *text)
{
	char file[200], device[200], ignored[TEXT];
	const char *argv[] = { "afdisk", "-q", "--write", "--restore", file, device };
	const char *command = strstr(text, "'afdisk ");

	assert_non_null(command);
	assert_int_equal(
		sscanf(command, "'afdisk --write --restore %199s %199[^']", file, device),
		2);
	return run(argv, 6, ignored);
}

static void test_cli__a_write_that_breaks_off_names_the_way_back(void **state)
{
	static const struct {
		const char *disk, *commands;
		af_bytes bad_at;
		const char *sectors;
	} row[] = {
		{ "16384 512 gpt 11111111-2222-4333-8444-555555555555 "
		  "g1=2048+2048,linux,auto",
		  "label dos", 16383 * INT64_C(512), "new sectors: 0, 1; old: 16383" },
		{ "16384 512 gpt 11111111-2222-4333-8444-555555555555 "
		  "g1=2048+2048,linux,auto",
		  "delete 1", 512, "new sectors: 16351, 16383, 2; old: 1" },
		{ "16384 512 dos 1 p1=2048+2048,83 e2=4096+8192,5 l5=4159+1000,83",
		  "type 1 7; new logical size=1M", 0, "old: 0" },
		{ "16384 512 dos 1 p1=2048+2048,83", "type 1 7", 0,
		  "new sectors: none; old: 0" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		char text[TEXT];

		disk_make(image, row[i].disk);
		read_file(image, before, SIZE);
		bad_at = row[i].bad_at;
		assert_int_equal(edit(row[i].commands, text), 3);
		if (!strstr(text, row[i].sectors))
			fail_msg("%s", text);
		assert_int_equal(strcspn(text, "\n") + 1, strlen(text)); /* one line */
		bad_at = NEVER;
		assert_int_equal(take_way_back(text), 0);
		read_file(image, after, SIZE);
		assert_memory_equal(before, after, SIZE);
	}
}

static void test_cli__a_restore_that_breaks_off_can_be_repeated(void **state)
{
	char text[TEXT];

	(void)state;
	disk_make(image, "16384 512 gpt 11111111-2222-4333-8444-555555555555 "
			 "g1=2048+2048,linux,auto");
	read_file(image, before, SIZE);
	bad_at = 16383 * INT64_C(512);
	assert_int_equal(edit("label dos", text), 3);
	bad_at = 0;
	assert_int_equal(take_way_back(text), 3);
	bad_at = NEVER;
	assert_int_equal(take_way_back(text), 0);
	read_file(image, after, SIZE);
	assert_memory_equal(before, after, SIZE);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_cli__a_write_that_breaks_off_names_the_way_back),
		CASE(test_cli__a_restore_that_breaks_off_can_be_repeated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
