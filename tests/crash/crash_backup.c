/*
 * crash_backup.c - a backup of a table against damage: every sector of it in turn, and all of them at once, is destroyed,
 * and a restore gives back the identical bytes; so does one after the drive failed in the middle of the first.
 */
#include "crash_bench.h"

#include <fcntl.h>

#include "afdisk/backup.h"
#include "crash_scenarios.h"
#include "image_tap.h"

#define FILE_NAME "table"

/* A GPT whose MBR has entries of its own beside the protective one. */
#define HYBRID                                                                             \
	GPT "poke=446,00feffffeefeffff01000000ff070000"                                    \
	    "80feffff83feffff0008000000100000 poke=510,55aa"

static const char *const disk_table[] = {
	DOS, OLD, TIGHT, DOS4K, GPT, GPT4K, HYBRID, NONE, GPT "poke=528,00000000",
};

#define DISKS (sizeof(disk_table) / sizeof(disk_table[0]))

static unsigned char *before, *now;
static size_t size;

static void read_image(unsigned char *bytes)
{
	int fd = open(IMAGE, O_RDONLY | O_CLOEXEC);
	size_t have = 0;

	assert_true(fd >= 0);
	while (have < size) {
		ssize_t got = pread(fd, bytes + have, size - have, (off_t)have);

		assert_true(got > 0);
		have += (size_t)got;
	}
	(void)close(fd);
}

/* A fresh image, its bytes in before, and the backup of its table. */
static void begin(const char *disk, struct af_patch *saved)
{
	struct af_backup_head head;
	struct stat st;
	struct af_err err;
	size_t sectors, unreadable;

	(void)unlink(FILE_NAME);
	make_image(disk);
	assert_int_equal(stat(IMAGE, &st), 0);
	size = (size_t)st.st_size;
	before = realloc(before, size);
	now = realloc(now, size);
	read_image(before);
	struct af_session *s = open_image();

	assert_true(af_session_backup(s, FILE_NAME, &sectors, &unreadable, &err));
	af_session_close(s);
	assert_int_equal(unreadable, 0);
	assert_true(af_backup_load(FILE_NAME, &head, saved, &err));
	assert_int_equal(af_patch_bytes(saved), sectors * head.sector_size);
}

static void destroy(af_bytes at, size_t n)
{
	unsigned char noise[4096];
	int fd = open(IMAGE, O_WRONLY | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (unsigned char)(i * 7 + 1);
	assert_int_equal(pwrite(fd, noise, n, at), n);
	(void)close(fd);
}

static void restore_all(void)
{
	const struct af_session_options was = options;
	struct af_commit_report report;
	struct af_err err = { 0 };

	options.even_unreadable = true;
	struct af_session *s = open_image();

	if (!af_session_restore(s, FILE_NAME, &report, &err))
		fail_msg("%s", err.text);
	af_session_close(s);
	options = was;
	read_image(now);
	assert_memory_equal(now, before, size);
	folder_remove("afdisk");
}

/* Calls act for each sector of the table; every one of a table, some of the gap before the first partition. */
static size_t for_each_sector(const struct af_patch *saved, size_t ss,
			      void (*act)(af_bytes at, size_t n))
{
	size_t n = 0;

	for (size_t i = 0; i < saved->n; i++) {
		const struct af_run *run = &saved->run[i];
		bool gap = strncmp(run->what, "gap", 3) == 0;

		for (af_bytes at = 0; at < run->len;
		     at += (af_bytes)(gap ? 251 * ss : ss), n++)
			act(run->at + at, ss);
	}
	return n;
}

static void destroy_and_restore(af_bytes at, size_t n)
{
	destroy(at, n);
	restore_all();
}

static void test_crash__any_sector_of_a_table_comes_back(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < DISKS; i++) {
		struct af_patch saved;

		begin(disk_table[i], &saved);
		n += for_each_sector(&saved, least(disk_table[i]), destroy_and_restore);
		af_patch_release(&saved);
	}
	print_message("%zu sectors of %zu tables destroyed and restored\n", n, DISKS);
}

static void test_crash__all_sectors_of_a_table_come_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < DISKS; i++) {
		struct af_patch saved;

		begin(disk_table[i], &saved);
		(void)for_each_sector(&saved, least(disk_table[i]), destroy);
		restore_all();
		af_patch_release(&saved);
	}
}

static void test_crash__a_failed_restore_is_repeated(void **state)
{
	(void)state;
	for (size_t i = 0; i < DISKS; i++)
		for (size_t at = 1; at <= 3; at++) {
			struct af_patch saved;
			struct af_commit_report report;
			struct af_err err = { 0 };

			begin(disk_table[i], &saved);
			(void)for_each_sector(&saved, least(disk_table[i]), destroy);
			options.even_unreadable = true;
			struct af_session *s = open_image();

			options.even_unreadable = false;
			tap_begin(IMAGE, NULL);
			tap.fail_at[TAP_WRITE] = at;
			tap.fail_with = EIO;
			tap.fail_on = true;
			if (!af_session_restore(s, FILE_NAME, &report, &err)) {
				assert_int_equal(err.code, AF_E_PARTIAL);
				assert_non_null(strstr(err.text, "--restore " FILE_NAME));
			}
			tap_end();
			af_session_close(s);
			restore_all();
			af_patch_release(&saved);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crash__any_sector_of_a_table_comes_back),
		cmocka_unit_test(test_crash__all_sectors_of_a_table_come_back),
		cmocka_unit_test(test_crash__a_failed_restore_is_repeated),
	};
	int status = cmocka_run_group_tests(tests, enter, leave);

	free(before);
	free(now);
	return status;
}
