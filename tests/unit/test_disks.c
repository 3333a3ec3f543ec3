/* The machine's disks: what is told of one, how a typed path goes on, and that all of it is found out beside the caller. */
#include "afdisk/disks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disks.h"
#include "folder.h"

static char root[200];
static const struct af_session_options plain;

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-disks-XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(root) && chdir(root) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return chdir("/") == 0 ? folder_remove(root) : -1;
}

static void put(const char *path)
{
	const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
}

/* --- one disk --- */

static struct af_disk_facts look(const char *path, const struct af_session_options *o)
{
	struct af_disk_facts f = { 0 };

	(void)snprintf(f.path, sizeof(f.path), "%s", path);
	af_disk_glance(&f);
	assert_int_equal(f.state, AF_DISK_READING);
	af_disk_look(&f, o, true);
	return f;
}

static const char *alignment(const struct af_disk_facts *f)
{
	static char words[400];

	return af_disk_alignment(f, words, sizeof(words));
}

static void test_disks__alignment_is_summed_up(void **state)
{
	static const struct {
		const char *disk, *words;
	} table[] = {
		{ "seed", "3 of 4 misaligned" },
		{ "2097152 512 dos 1 p1=2048+204800,83", "all aligned" },
		{ "2097152 512 dos 1 p1=2048+204801,83 p2=409600+2048,83", "1 of 2 tail" },
		{ "2097152 512 dos 1", "no partitions" },
		{ "2097152 512 none", "no table" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		disk_make("disk.img", table[i].disk);
		const struct af_disk_facts f = look("disk.img", &plain);

		assert_int_equal(f.state, AF_DISK_KNOWN);
		assert_string_equal(alignment(&f), table[i].words);
		assert_true(f.is_file);
	}
}

/* What is inside counts: the data of the slice lies on its boundary. */
static void test_disks__a_compensated_partition_is_not_misaligned(void **state)
{
	(void)state;
	disk_make("disk.img", "2097152 512 dos 0x1 p1=63+1000000,a5 "
			      "bsd=63,a:17+400000");
	const struct af_disk_facts f = look("disk.img", &plain);

	assert_string_equal(alignment(&f), "all aligned");
}

static void test_disks__options_judge_as_the_editor_does(void **state)
{
	struct af_session_options o = { 0 };

	(void)state;
	o.overrides.has_physical = true;
	o.overrides.physical = 512;
	disk_make("disk.img", "seed");
	struct af_disk_facts f = look("disk.img", &o);

	assert_string_equal(alignment(&f), "all aligned");
	o.overrides.has_physical = false;
	o.overrides.has_sector_size = true;
	o.overrides.sector_size = 4096;
	disk_make("disk.img", "empty-gpt-4k");
	f = look("disk.img", &o);
	assert_string_equal(f.label, "gpt");
}

static void test_disks__what_cannot_be_read_says_why(void **state)
{
	(void)state;
	put("empty");
	struct af_disk_facts f = look("nowhere", &plain);

	assert_int_equal(f.state, AF_DISK_CLOSED);
	assert_string_equal(alignment(&f), "cannot be read: no such file or directory");
	f = look("empty", &plain);
	assert_int_equal(f.state, AF_DISK_CLOSED);
	assert_non_null(strstr(f.why, "is empty"));
	f = look(".", &plain);
	assert_int_equal(f.state, AF_DISK_CLOSED);
	assert_non_null(strstr(f.why, "is a folder"));
	f = look("/dev/null", &plain);
	assert_int_equal(f.state, AF_DISK_CLOSED);
	assert_non_null(strstr(f.why, "neither a disk nor a file"));
}

static struct af_use a_use(uint32_t number, enum af_use_kind kind, const char *what)
{
	struct af_use use = { .number = number, .kind = kind };

	(void)snprintf(use.what, sizeof(use.what), "%s", what);
	return use;
}

static void test_disks__the_running_systems_disk_is_marked(void **state)
{
	static const char *const system[] = { "/", "/boot", "/boot/efi", "/usr",
					      "/run/live/medium" };
	static const char *const other[] = { "/mnt", "/home", "/boot/efi/x", "/srv/boot" };
	struct af_disk_facts f = { .path = "/dev/sda" };
	struct af_use use;
	struct af_uses uses = { &use, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(system) / sizeof(system[0]); i++) {
		use = a_use(1, AF_USE_MOUNT, system[i]);
		af_disk_take_uses(&f, &uses);
		assert_true(f.is_system);
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		use = a_use(1, AF_USE_MOUNT, other[i]);
		af_disk_take_uses(&f, &uses);
		assert_false(f.is_system);
	}
	use = a_use(2, AF_USE_SWAP, "");
	af_disk_take_uses(&f, &uses);
	assert_true(f.is_system);
	assert_string_equal(f.used, "swap");
	use = a_use(2, AF_USE_LAYER, "LVM vg0-root");
	af_disk_take_uses(&f, &uses);
	assert_false(f.is_system);
}

static void test_disks__uses_are_told_once_a_partition(void **state)
{
	struct af_disk_facts f = { .path = "/dev/sda" };
	struct af_use use[] = { a_use(1, AF_USE_MOUNT, "/boot"),
				a_use(2, AF_USE_LAYER, "LUKS secret"),
				a_use(2, AF_USE_MOUNT, "/home") };
	const struct af_uses uses = { use, 3 };

	(void)state;
	af_disk_take_uses(&f, &uses);
	assert_string_equal(f.used, "/boot LUKS secret /home");
	assert_string_equal(f.uses, "sda1 mounted at /boot; sda2 part of LUKS secret, "
				    "mounted at /home");
}

/* Hundreds of mounts do not run over. */
static void test_disks__many_uses_end_in_dots(void **state)
{
	enum { MANY = 200 };
	struct af_disk_facts f = { .path = "/dev/sda" };
	struct af_use *use = calloc(MANY, sizeof(*use));
	const struct af_uses uses = { use, MANY };

	(void)state;
	assert_non_null(use);
	for (uint32_t i = 0; i < MANY; i++)
		use[i] = a_use(i + 1, AF_USE_MOUNT, "/a/rather/long/mount/point");
	af_disk_take_uses(&f, &uses);
	assert_true(strlen(f.used) < sizeof(f.used));
	assert_string_equal(f.used + strlen(f.used) - 4, " ...");
	assert_string_equal(f.uses + strlen(f.uses) - 4, " ...");
	free(use);
}

/* --- a typed path --- */

static struct af_completion complete(const char *typed)
{
	struct af_completion c;

	af_path_complete(typed, &c);
	return c;
}

static void make_files(void)
{
	assert_true(mkdir("images", 0700) == 0 || errno == EEXIST);
	assert_true(mkdir("images/old", 0700) == 0 || errno == EEXIST);
	put("images/disk-a.img");
	put("images/disk-b.img");
	put("images/.hidden");
	put("images/größe.img");
	put("images/größer.img");
	assert_true(mkfifo("images/pipe", 0600) == 0 || errno == EEXIST);
	assert_true(symlink("old", "images/link") == 0 || errno == EEXIST);
}

static void test_path__goes_on_as_far_as_all_agree(void **state)
{
	(void)state;
	make_files();
	struct af_completion c = complete("images/d");

	assert_string_equal(c.text, "images/disk-");
	assert_int_equal(c.n, 2);
	assert_int_equal(c.listed, 2);
	assert_string_equal(c.names, "disk-a.img");
	assert_string_equal(c.names + sizeof("disk-a.img"), "disk-b.img");
	c = complete("images/disk-b");
	assert_string_equal(c.text, "images/disk-b.img");
	assert_int_equal(c.n, 1);
	c = complete("ima");
	assert_string_equal(c.text, "images/");
	c = complete("images/li"); /* what is behind a link counts */
	assert_string_equal(c.text, "images/link/");
	c = complete("images/x");
	assert_int_equal(c.n, 0);
	assert_string_equal(c.text, "images/x");
	assert_string_equal(c.why, "");
}

static void test_path__names_in_any_script_stay_whole(void **state)
{
	(void)state;
	make_files();
	put("images/\xe4\xb8\xad.img"); /* two characters with the same first bytes */
	put("images/\xe4\xb8\xae.img");
	struct af_completion c = complete("images/gr");

	assert_string_equal(c.text, "images/größe");
	c = complete("images/\xe4\xb8\xad");
	assert_string_equal(c.text, "images/\xe4\xb8\xad.img");
	for (uint32_t i = 0; i < 2; i++) {
		c = complete("images/");
		assert_string_equal(c.text, "images/");
	}
	assert_int_equal(unlink("images/\xe4\xb8\xad.img"), 0);
	assert_int_equal(unlink("images/\xe4\xb8\xae.img"), 0);
}

static void test_path__dots_pipes_and_no_text_are_left_out(void **state)
{
	(void)state;
	make_files();
	put("images/\xff\xfe.img");
	struct af_completion c = complete("images/");

	assert_int_equal(c.n, 6); /* disk-a disk-b größe größer link old */
	assert_int_equal(c.untyped, 1);
	c = complete("images/.");
	assert_string_equal(c.text, "images/.hidden");
	c = complete("images/p");
	assert_int_equal(c.n, 0);
	assert_int_equal(unlink("images/\xff\xfe.img"), 0);
}

static void test_path__a_folder_that_cannot_be_read_says_why(void **state)
{
	(void)state;
	const struct af_completion c = complete("nowhere/a");

	assert_int_equal(c.n, 0);
	assert_string_equal(c.why, "cannot look into nowhere/: No such file or directory");
}

static void test_path__thousands_of_names_fit_as_far_as_they_do(void **state)
{
	(void)state;
	assert_int_equal(mkdir("many", 0700), 0);
	for (int i = 0; i < 3000; i++) {
		char name[40];

		(void)snprintf(name, sizeof(name), "many/image-%04d", i);
		put(name);
	}
	const struct af_completion c = complete("many/");

	assert_int_equal(c.n, 3000);
	assert_true(c.listed > 100 && c.listed < 3000);
	assert_string_equal(c.text, "many/image-");
	assert_string_equal(c.names, "image-0000");
}

static void test_path__the_home_is_put_in(void **state)
{
	char path[600];

	(void)state;
	make_files();
	assert_int_equal(setenv("HOME", root, 1), 0);
	struct af_completion c = complete("~");

	assert_string_equal(c.text, "~/");
	c = complete("~/images/disk-a");
	assert_string_equal(c.text, "~/images/disk-a.img");
	af_path_expand("~/images/disk-a.img", path, sizeof(path));
	assert_int_equal(strncmp(path, root, strlen(root)), 0);
	assert_string_equal(path + strlen(root), "/images/disk-a.img");
	af_path_expand("~nobody-of-that-name/x", path, sizeof(path));
	assert_string_equal(path, "~nobody-of-that-name/x");
	af_path_expand("a~b", path, sizeof(path));
	assert_string_equal(path, "a~b");
}

/* --- beside the caller --- */

static void wait_for(struct af_disks *d)
{
	struct pollfd p = { .fd = af_disks_fd(d), .events = POLLIN };

	assert_int_equal(poll(&p, 1, 60000), 1);
	(void)af_disks_take(d);
}

static struct af_disk_facts try_it(struct af_disks *d, const char *path)
{
	const struct af_disk_facts *f;

	af_disks_try(d, path);
	while (!(f = af_disks_tried(d)))
		wait_for(d);
	assert_null(af_disks_tried(d)); /* it is told once */
	return *f;
}

static void test_disks__a_path_is_tried(void **state)
{
	struct af_disks *d = af_disks_new(&plain);
	char name[400];

	(void)state;
	disk_make("disk.img", "seed");
	struct af_disk_facts f = try_it(d, "disk.img");

	assert_int_equal(f.state, AF_DISK_KNOWN);
	assert_string_equal(f.path, "disk.img");
	assert_string_equal(f.label, "dos");
	f = try_it(d, "nowhere");
	assert_int_equal(f.state, AF_DISK_CLOSED);
	assert_string_equal(f.why, "no such file or directory");
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	f = try_it(d, name);
	assert_int_equal(f.state, AF_DISK_CLOSED);
	assert_string_equal(f.why, "the name is too long");
	af_disks_free(d);
}

static void test_disks__trying_is_given_up(void **state)
{
	struct af_disks *d = af_disks_new(&plain);

	(void)state;
	disk_make("disk.img", "seed");
	af_disks_try(d, "disk.img");
	af_disks_try_no_more(d);
	assert_null(af_disks_tried(d));
	assert_false(af_disks_take(d));
	assert_null(af_disks_tried(d));
	af_disks_free(d);
}

static void test_disks__a_completion_comes_in(void **state)
{
	struct af_disks *d = af_disks_new(&plain);
	const struct af_completion *c;

	(void)state;
	make_files();
	af_disks_complete(d, "images/x");
	af_disks_complete(d, "images/disk-a"); /* in place of the other */
	while (!(c = af_disks_completed(d)))
		wait_for(d);
	assert_string_equal(c->text, "images/disk-a.img");
	assert_null(af_disks_completed(d));
	af_disks_free(d);
}

/* Which disks there are is not for a test to know: only their paths are looked at. */
static void test_disks__the_machines_paths_are_devices(void **state)
{
	struct af_err err;
	char **path;
	size_t n;

	(void)state;
	if (access("/sys/block", R_OK) != 0) { /* a bare folder as root, say */
		assert_false(af_disks_paths(&path, &n, &err));
		assert_int_equal(err.code, AF_E_IO);
		assert_non_null(strstr(err.text, "name one"));
		return;
	}
	assert_true(af_disks_paths(&path, &n, &err));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(strncmp(path[i], "/dev/", 5), 0);
		assert_null(strchr(path[i], '!'));
		assert_null(strstr(path[i], "zram"));
		free(path[i]);
	}
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disks__alignment_is_summed_up),
		cmocka_unit_test(test_disks__a_compensated_partition_is_not_misaligned),
		cmocka_unit_test(test_disks__options_judge_as_the_editor_does),
		cmocka_unit_test(test_disks__what_cannot_be_read_says_why),
		cmocka_unit_test(test_disks__the_running_systems_disk_is_marked),
		cmocka_unit_test(test_disks__uses_are_told_once_a_partition),
		cmocka_unit_test(test_disks__many_uses_end_in_dots),
		cmocka_unit_test(test_path__goes_on_as_far_as_all_agree),
		cmocka_unit_test(test_path__names_in_any_script_stay_whole),
		cmocka_unit_test(test_path__dots_pipes_and_no_text_are_left_out),
		cmocka_unit_test(test_path__a_folder_that_cannot_be_read_says_why),
		cmocka_unit_test(test_path__thousands_of_names_fit_as_far_as_they_do),
		cmocka_unit_test(test_path__the_home_is_put_in),
		cmocka_unit_test(test_disks__a_path_is_tried),
		cmocka_unit_test(test_disks__trying_is_given_up),
		cmocka_unit_test(test_disks__a_completion_comes_in),
		cmocka_unit_test(test_disks__the_machines_paths_are_devices),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
