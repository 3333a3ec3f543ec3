/* Backup files: what was saved is read back, nothing is overwritten, and no file can do harm. */
#include "afdisk/backup.h"

#include <dirent.h>
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
#include "folder.h"
#include <cmocka.h>

#define DISK_SIZE (100 * AF_MIB)

static struct {
	int sync_error; /* not 0: this errno */
	int sync_after; /* so many syncs succeed before */
} calls;

/* The parameters of the library have names that only it may use. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int fsync(int fd)
{
	if (calls.sync_error && calls.sync_after-- <= 0) {
		errno = calls.sync_error;
		return -1;
	}
	return (int)syscall(SYS_fsync, fd);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static char root[200], named[240];
static struct af_dev dev;
static struct af_backup_head head;
static struct af_backup_kept kept;
static struct af_patch patch, loaded;
static struct af_err err;

static void add_run(af_bytes at, af_bytes len, int phase, int seed, const char *what)
{
	unsigned char before[2048], after[2048];
	struct af_run run = {
		.at = at, .len = len, .phase = phase, .before = before, .after = after
	};

	for (size_t i = 0; i < sizeof(before); i++) {
		before[i] = (unsigned char)((i + (size_t)seed) & 0xff);
		after[i] = (unsigned char)((i * 3 + (size_t)seed) & 0xff);
	}
	(void)snprintf(run.what, sizeof(run.what), "%s", what);
	af_patch_add(&patch, &run);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	memset(&calls, 0, sizeof(calls));
	memset(&err, 0, sizeof(err));
	(void)snprintf(root, sizeof(root), "%s/afdisk-backup-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(root));
	(void)snprintf(named, sizeof(named), "%s/named", root);
	assert_int_equal(setenv("XDG_STATE_HOME", root, 1), 0);
	add_run(AF_MIB, 2048, 1, 1, "EBR of partition 6");
	add_run(50 * AF_MIB, 512, 1, 2, "EBR of partition 5");
	add_run(0, 512, 2, 3, "MBR");
	memset(&kept, 0, sizeof(kept));
	memset(&head, 0, sizeof(head));
	dev = (struct af_dev){ .path = "/dev/sdx",
			       .size = DISK_SIZE,
			       .sector_size = 512,
			       .model = "QEMU HARDDISK" };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	memset(&calls, 0, sizeof(calls));
	af_patch_release(&patch);
	af_patch_release(&loaded);
	return folder_remove(root);
}

static bool save(const char *was, const char *maybe_file)
{
	head.kind = AF_BACKUP_LOG;
	af_backup_name_disk(&dev, &head);
	(void)snprintf(head.was, sizeof(head.was), "%s", was);
	(void)snprintf(head.will, sizeof(head.will), "gpt");
	return af_backup_save(&patch, &head, &dev, maybe_file, &kept, &err);
}

static void assert_refused(bool done, enum af_code code, const char *word)
{
	assert_false(done);
	assert_int_equal(err.code, code);
	assert_non_null(strstr(err.text, word));
}

/** Files in folder below root whose names begin so. */
static unsigned count_files(const char *below, const char *prefix)
{
	char path[300];
	unsigned n = 0;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "%s/%s", root, below);
	dir = opendir(path);
	if (!dir)
		return 0;
	for (const struct dirent *e = readdir(dir); e; e = readdir(dir))
		n += e->d_name[0] != '.' && strncmp(e->d_name, prefix, strlen(prefix)) == 0;
	(void)closedir(dir);
	return n;
}

static struct af_backup_head read_head;

static void assert_loads_the_patch(const char *file)
{
	assert_true(af_backup_load(file, &read_head, &loaded, &err));
	assert_int_equal(loaded.n, patch.n);
	for (size_t i = 0; i < patch.n; i++) {
		const struct af_run *a = &patch.run[i], *b = &loaded.run[i];

		assert_int_equal(a->at, b->at);
		assert_int_equal(a->len, b->len);
		assert_int_equal(a->phase, b->phase);
		assert_string_equal(a->what, b->what);
		assert_memory_equal(a->before, b->before, (size_t)a->len);
		assert_memory_equal(a->after, b->after, (size_t)a->len);
	}
}

static void test_backup__what_was_saved_is_read_back(void **state)
{
	struct stat st;

	(void)state;
	assert_true(save("dos 0x1234", NULL));
	assert_non_null(strstr(kept.file, "/afdisk/dos_0x1234-104857600-"));
	assert_loads_the_patch(kept.file);
	assert_memory_equal(&read_head, &head, sizeof(head));
	assert_string_equal(read_head.model, "QEMU HARDDISK");
	assert_int_equal(stat(kept.file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(count_files("afdisk", ""), 1); /* nothing half-made is left */
}

static void test_backup__an_empty_patch_is_one_too(void **state)
{
	(void)state;
	af_patch_release(&patch);
	assert_true(save("k", NULL));
	assert_loads_the_patch(kept.file);
}

static void test_backup__goes_where_the_user_says_and_overwrites_nothing(void **state)
{
	(void)state;
	assert_true(save("k", named));
	assert_string_equal(kept.file, named);
	assert_loads_the_patch(named);
	assert_refused(save("k", named), AF_E_IO, named);
	assert_int_equal(err.sys, EEXIST);
	assert_int_equal(unlink(named), 0);
	assert_true(save("k", named));
	af_patch_release(&loaded);
	assert_loads_the_patch(named);
	assert_int_equal(count_files("", "named"), 1);
	assert_int_equal(count_files("afdisk", "k-"), 2); /* links to it */
}

static void test_backup__keeps_the_newest_ten_of_each_disk(void **state)
{
	char first[512];

	(void)state;
	assert_true(save("a-b", NULL));
	assert_true(save("a", NULL));
	(void)snprintf(first, sizeof(first), "%s", kept.file);
	for (int i = 0; i < 11; i++)
		assert_true(save("a", NULL));
	assert_int_equal(count_files("afdisk", "a-1"), 10);
	assert_int_equal(count_files("afdisk", "a-b-1"), 1);
	assert_int_equal(access(first, F_OK), -1); /* the oldest is gone */
	assert_int_equal(access(kept.file, F_OK), 0);
}

static void test_backup__never_removes_the_one_just_made(void **state)
{
	char path[400];

	(void)state;
	assert_true(save("a", NULL));
	for (int i = 0; i < 12; i++) { /* as if the clock had been far ahead */
		FILE *f;

		(void)snprintf(path, sizeof(path),
			       "%s/afdisk/a-104857600-29990101T000000.%09d.backup", root,
			       i);
		f = fopen(path, "we");
		assert_non_null(f);
		assert_int_equal(fclose(f), 0);
	}
	assert_true(save("a", NULL));
	assert_int_equal(access(kept.file, F_OK), 0);
	assert_int_equal(count_files("afdisk", "a-"), 10);
}

static void test_backup__a_key_cannot_lead_out_of_the_folder(void **state)
{
	(void)state;
	assert_true(save("../../etc/x y", NULL));
	assert_non_null(strstr(kept.file, "/afdisk/_._.._etc_x_y-1"));
	assert_true(save("", NULL));
	assert_non_null(strstr(kept.file, "/afdisk/disk-1"));
}

static void test_backup__uses_the_home_folder_of_a_user(void **state)
{
	uid_t me = geteuid();

	(void)state;
	assert_int_equal(unsetenv("XDG_STATE_HOME"), 0);
	assert_int_equal(setenv("HOME", ".", 1), 0); /* not absolute: as good as none */
	assert_int_equal(chmod(root, 0777), 0);
	if (me == 0)
		assert_int_equal(seteuid(65534), 0);
	assert_false(save("k", NULL));
	assert_non_null(strstr(err.text, "set HOME"));
	assert_int_equal(setenv("HOME", root, 1), 0);
	assert_true(save("k", NULL));
	if (me == 0)
		assert_int_equal(seteuid(me), 0);
	assert_non_null(strstr(kept.file, "/.local/state/afdisk/k-1"));
	assert_loads_the_patch(kept.file);
}

static void test_backup__says_what_failed_and_leaves_nothing(void **state)
{
	char blocked[300];

	(void)state;
	calls.sync_error = EIO;
	assert_refused(save("k", named), AF_E_IO, "/dev/sdx");
	assert_int_equal(err.sys, EIO);
	calls.sync_after = 1; /* the file is safe, its folder is not */
	assert_refused(save("k", named), AF_E_IO, root);
	calls.sync_error = 0;
	assert_int_equal(count_files("", "named"), 0);
	assert_refused(save("k", ""), AF_E_IO, "empty");
	(void)snprintf(blocked, sizeof(blocked), "%s/missing/file", root);
	assert_refused(save("k", blocked), AF_E_IO, "missing/file");
	assert_true(save("k", named));
	assert_int_equal(setenv("XDG_STATE_HOME", named, 1),
			 0); /* a file where a folder must be */
	assert_refused(save("k", NULL), AF_E_IO, "--journal");
}

static void test_backup__refuses_a_name_that_does_not_fit(void **state)
{
	char too_long[600];

	(void)state;
	memset(too_long, 'x', sizeof(too_long));
	too_long[sizeof(too_long) - 1] = '\0';
	assert_refused(save("k", too_long), AF_E_IO, "too long");
	assert_string_equal(kept.file, "");
	assert_int_equal(count_files("afdisk", ""), 0);
}

static void test_backup__refuses_a_state_folder_without_room_for_a_name(void **state)
{
	char deep[4096];
	size_t n = (size_t)snprintf(deep, sizeof(deep), "%s", root);

	(void)state;
	while (n + 120 < sizeof(deep))
		n += (size_t)snprintf(deep + n, sizeof(deep) - n, "/%060d", 0);
	assert_int_equal(setenv("XDG_STATE_HOME", deep, 1), 0);
	assert_refused(save("key-that-is-long-enough", NULL), AF_E_IO, "too long");
}

static void test_backup__refuses_what_it_could_not_load(void **state)
{
	(void)state;
	for (int i = 0; i < 8200; i++)
		add_run(3 * AF_MIB + (af_bytes)i * 512, 512, 3, i, "EBR");
	assert_refused(save("k", named), AF_E_RANGE, "too large");
}

static unsigned char bytes[16384], copy[sizeof(bytes)];

static size_t read_named(void)
{
	FILE *f = fopen(named, "re");
	size_t n;

	assert_non_null(f);
	n = fread(bytes, 1, sizeof(bytes), f);
	assert_int_equal(fclose(f), 0);
	return n;
}

static void write_named(size_t n)
{
	FILE *f = fopen(named, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/** The checksum by its definition, so that a damaged file can be given a right one. */
static void seal(size_t n)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n - 4; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			uint32_t in = (uint32_t)bytes[i] >> bit & 1U;

			crc = crc >> 1 ^ ((crc & 1U) != in ? 0xEDB88320U : 0);
		}
	crc = ~crc;
	for (size_t i = 0; i < 4; i++)
		bytes[n - 4 + i] = (unsigned char)(crc >> (8 * i) & 0xff);
}

static void test_backup__notices_every_damaged_byte_and_length(void **state)
{
	size_t n;

	(void)state;
	assert_true(save("k", named));
	n = read_named();
	for (size_t i = 0; i < n; i += i < 700 ? 1 : 97) {
		bytes[i] ^= 0x10;
		write_named(n);
		assert_refused(af_backup_load(named, &read_head, &loaded, &err),
			       AF_E_FORMAT, named);
		bytes[i] ^= 0x10;
	}
	for (size_t cut = 0; cut < n; cut += 61) {
		write_named(cut);
		assert_refused(af_backup_load(named, &read_head, &loaded, &err),
			       AF_E_FORMAT, named);
	}
	write_named(n + 1);
	assert_refused(af_backup_load(named, &read_head, &loaded, &err), AF_E_FORMAT,
		       named);
	write_named(n);
	assert_loads_the_patch(named);
}

static void test_backup__refuses_nonsense_under_a_right_checksum(void **state)
{
	static const struct {
		size_t at;
		unsigned char value;
	} row[] = {
		{ 0, 'x' },    /* magic */
		{ 8, 3 },      /* version */
		{ 12, 3 },     /* neither a log nor a backup */
		{ 23, 0x80 },  /* a disk of negative size */
		{ 19, 0 },     /* a disk smaller than its runs */
		{ 25, 3 },     /* sectors of 768 bytes */
		{ 28, 2 },     /* one run too few: bytes are left over */
		{ 28, 4 },     /* one too many */
		{ 31, 0x7f },  /* absurdly many */
		{ 544, 1 },    /* position off the sector lines */
		{ 551, 0x80 }, /* position beyond everything */
		{ 552, 1 },    /* odd length */
		{ 558, 0x7f }, /* length beyond everything */
		{ 553, 0 },    /* length 0 */
		{ 560, 9 },    /* a later phase before an earlier one */
		{ 563, 0x80 }, /* phase beyond everything */
		{ 612, 1 },    /* the checksum of a run */
		{ 700, 1 },    /* what it is of */
	};
	size_t n;

	(void)state;
	assert_true(save("k", named));
	n = read_named();
	seal(n);
	write_named(n);
	assert_loads_the_patch(named); /* seal() is right */
	af_patch_release(&loaded);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		unsigned char was = bytes[row[i].at];

		bytes[row[i].at] = row[i].value;
		seal(n);
		write_named(n);
		assert_refused(af_backup_load(named, &read_head, &loaded, &err),
			       AF_E_FORMAT, named);
		bytes[row[i].at] = was;
	}
	for (size_t i = 0; i < 3; i++) {
		static const struct {
			size_t at, n;
		} text[] = { { 564, 48 }, { 32, 64 }, { 288, 256 } };

		assert_true(text[i].at + text[i].n <= n);
		memcpy(copy, bytes, n);
		memset(bytes + text[i].at, 'w', text[i].n); /* without an end */
		seal(n);
		write_named(n);
		assert_refused(af_backup_load(named, &read_head, &loaded, &err),
			       AF_E_FORMAT, named);
		memcpy(bytes, copy, n);
	}
}

static void test_backup__refuses_runs_over_one_another(void **state)
{
	(void)state;
	add_run(AF_MIB + 512, 512, 2, 4, "twice");
	assert_true(save("k", named));
	assert_refused(af_backup_load(named, &read_head, &loaded, &err), AF_E_FORMAT,
		       named);
}

static void test_backup__reads_only_files_of_sane_size(void **state)
{
	char missing[260];
	int fd;

	(void)state;
	(void)snprintf(missing, sizeof(missing), "%s/missing", root);
	assert_refused(af_backup_load(missing, &read_head, &loaded, &err), AF_E_IO,
		       missing);
	assert_refused(af_backup_load(root, &read_head, &loaded, &err), AF_E_FORMAT, root);
	assert_refused(af_backup_load("/dev/zero", &read_head, &loaded, &err), AF_E_FORMAT,
		       "/dev/zero");
	fd = open(named, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(ftruncate(fd, INT64_C(1) << 40), 0);
	assert_int_equal(close(fd), 0);
	assert_refused(af_backup_load(named, &read_head, &loaded, &err), AF_E_FORMAT,
		       named);
	assert_null(loaded.run);
}

static void test_backup__a_table_is_saved_once(void **state)
{
	(void)state;
	head.kind = AF_BACKUP_TABLE;
	af_backup_name_disk(&dev, &head);
	assert_true(af_backup_save(&patch, &head, &dev, named, &kept, &err));
	assert_string_equal(kept.link, "");
	assert_true(af_backup_load(named, &read_head, &loaded, &err));
	assert_int_equal(read_head.kind, AF_BACKUP_TABLE);
	for (size_t i = 0; i < patch.n; i++) {
		size_t n = (size_t)patch.run[i].len;

		assert_memory_equal(loaded.run[i].before, patch.run[i].before, n);
		assert_memory_equal(loaded.run[i].after, patch.run[i].before, n);
	}
}

static void test_backup__is_of_the_same_disk_only(void **state)
{
	(void)state;
	af_backup_name_disk(&dev, &head);
	(void)snprintf(dev.path, sizeof(dev.path), "/dev/sdy");
	assert_true(af_backup_is_of(&head, &dev)); /* whatever it is called today */
	dev.size += 512;
	assert_false(af_backup_is_of(&head, &dev));
	dev.size -= 512;
	dev.sector_size = 4096;
	assert_false(af_backup_is_of(&head, &dev));
	dev.sector_size = 512;
	(void)snprintf(dev.serial, sizeof(dev.serial), "S2");
	assert_true(af_backup_is_of(&head, &dev)); /* the file does not say */
	(void)snprintf(head.serial, sizeof(head.serial), "S1");
	assert_false(af_backup_is_of(&head, &dev));
	(void)snprintf(head.serial, sizeof(head.serial), "S2");
	assert_true(af_backup_is_of(&head, &dev));
	(void)snprintf(dev.model, sizeof(dev.model), "another");
	assert_false(af_backup_is_of(&head, &dev));
}

static void test_backup__finds_the_files_of_a_disk_newest_first(void **state)
{
	struct af_backup_list list;
	char first[512], link[512];

	(void)state;
	assert_true(save("dos 0x1", NULL));
	memcpy(first, kept.file, sizeof(first));
	assert_true(save("gpt", named)); /* another table, in a place of its own */
	memcpy(link, kept.link, sizeof(link));
	dev.size -= 8192;
	assert_true(save("dos 0x1", NULL)); /* another disk */
	dev.size += 8192;
	af_backup_find(&dev, &list);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.file[0], link);
	assert_string_equal(list.file[1], first);
	af_backup_list_release(&list);
	assert_loads_the_patch(link);
	af_backup_drop(&kept);
	assert_int_equal(count_files("afdisk", ""), 2);
	dev.size = 4096;
	af_backup_find(&dev, &list);
	assert_int_equal(list.n, 0);
	af_backup_list_release(&list);
}

static void test_backup__the_newest_looks_newest_whatever_the_clock_says(void **state)
{
	static const char early[] = "afdisk/k-104857600-29991231T235959.999999998.backup";
	struct af_backup_list list;
	char path[400];
	FILE *f;

	(void)state;
	assert_true(save("k", NULL));
	(void)snprintf(path, sizeof(path), "%s/%s", root, early);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
	assert_true(save("other", NULL));
	af_backup_find(&dev, &list);
	assert_int_equal(list.n, 3);
	assert_string_equal(list.file[0], kept.file);
	af_backup_list_release(&list);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_backup__what_was_saved_is_read_back),
		CASE(test_backup__an_empty_patch_is_one_too),
		CASE(test_backup__goes_where_the_user_says_and_overwrites_nothing),
		CASE(test_backup__keeps_the_newest_ten_of_each_disk),
		CASE(test_backup__never_removes_the_one_just_made),
		CASE(test_backup__a_key_cannot_lead_out_of_the_folder),
		CASE(test_backup__uses_the_home_folder_of_a_user),
		CASE(test_backup__says_what_failed_and_leaves_nothing),
		CASE(test_backup__refuses_a_name_that_does_not_fit),
		CASE(test_backup__refuses_a_state_folder_without_room_for_a_name),
		CASE(test_backup__refuses_what_it_could_not_load),
		CASE(test_backup__notices_every_damaged_byte_and_length),
		CASE(test_backup__refuses_nonsense_under_a_right_checksum),
		CASE(test_backup__refuses_runs_over_one_another),
		CASE(test_backup__reads_only_files_of_sane_size),
		CASE(test_backup__a_table_is_saved_once),
		CASE(test_backup__is_of_the_same_disk_only),
		CASE(test_backup__finds_the_files_of_a_disk_newest_first),
		CASE(test_backup__the_newest_looks_newest_whatever_the_clock_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
