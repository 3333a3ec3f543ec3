/* The way back: restoring what a write saved, and a new table in place of one that is past saving. */
#include "afdisk/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>
#include <errno.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "disks.h"
#include "folder.h"

static const char mbr[] = "204800 512 dos 0x10bd10bc boot-code p1=2048+20480,83,boot "
			  "e2=40960+102400,5 l5=43008+20480,83,ebr=40960 l6=65536+20480,83";
static const char broken[] = "204800 512 dos 0x10bd10bc e1=2048+102400,5 "
			     "l5=4096+20480,83,ebr=2048 l6=65536+20480,83,ebr=63488 "
			     "poke=32506366,0000"; /* no 55 AA there */

static char root[200], image[240];
static struct af_session_options options;
static struct af_session *s;
static struct af_commit_report report;
static struct af_err err;

static int
	busy; /* how often another program has the lock still; then it has written its last sector */

static void copy_head(const char *from, const char *to)
{
	unsigned char head[2048];
	FILE *f = fopen(from, "rb"), *t = fopen(to, "r+b");

	assert_true(f && t);
	assert_int_equal(fread(head, 1, sizeof(head), f), sizeof(head));
	assert_int_equal(fwrite(head, 1, sizeof(head), t), sizeof(head));
	assert_int_equal(fclose(f), 0);
	assert_int_equal(fclose(t), 0);
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int flock(int fd, int how)
{
	if (how == (LOCK_SH | LOCK_NB) && busy > 0) {
		if (--busy == 0)
			copy_head("new.img", image);
		errno = EWOULDBLOCK;
		return -1;
	}
	return (int)syscall(SYS_flock, fd, how);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	memset(&options, 0, sizeof(options));
	(void)snprintf(root, sizeof(root), "%s/afdisk-session-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	return setenv("XDG_STATE_HOME", root, 1);
}

static int teardown(void **state)
{
	(void)state;
	af_session_close(s);
	s = NULL;
	return folder_remove(root);
}

static void reopen(void)
{
	af_session_close(s);
	s = af_session_open(image, &options, &err);
	if (!s)
		fail_msg("%s", err.text);
}

static void open_disk(const char *words)
{
	disk_make(image, words);
	reopen();
}

static const struct af_layout *now(void)
{
	return af_session_disk(s).layout;
}

static void run(const char *text)
{
	if (!af_session_run(s, text, &err))
		fail_msg("%s: %s", text, err.text);
}

static void test_session__restores_and_starts_over(void **state)
{
	struct af_layout before;
	struct af_patch patch;
	char file[sizeof(report.backup)];

	(void)state;
	open_disk(mbr);
	af_layout_copy(now(), &before);
	run("delete 1");
	assert_true(af_session_write(s, &report, &err));
	memcpy(file, report.backup, sizeof(file));
	run("delete 5"); /* and something is wanted */
	assert_true(af_session_restore_patch(s, file, &patch, &err));
	assert_int_equal(patch.n, 1);
	af_patch_release(&patch);
	assert_true(af_session_modified(s));
	assert_true(af_session_restore(s, file, &report, &err));
	assert_int_equal(report.sectors, 1);
	assert_true(af_layout_equal(now(), &before));
	assert_true(af_layout_equal(af_session_base(s), &before));
	assert_false(af_session_modified(s));
	assert_null(af_session_undo(s));
	assert_non_null(af_contents_find(af_session_disk(s).contents,
					 af_layout_number(now(), 1)->id));
	assert_false(af_session_restore(s, root, &report, &err));
	assert_int_equal(err.code, AF_E_FORMAT);
	options.read_only = true;
	reopen();
	assert_false(af_session_restore(s, file, &report, &err));
	assert_int_equal(err.code, AF_E_RULE);
	af_layout_release(&before);
}

static void test_session__a_new_table_replaces_a_broken_one(void **state)
{
	(void)state;
	open_disk(broken);
	run("label dos; new size=10M; new logical size=10M");
	if (!af_session_write(s, &report, &err))
		fail_msg("%s", err.text);
	reopen();
	assert_null(af_session_read_only(s));
	assert_int_equal(now()->nparts, 3);
	run("delete 5");
}

static void copy_file(const char *from, const char *to)
{
	FILE *t = fopen(to, "wb");

	assert_non_null(t);
	assert_int_equal(fclose(t), 0);
	copy_head(from, to);
}

static void test_session__a_write_under_way_is_not_an_interrupted_one(void **state)
{
	(void)state;
	assert_int_equal(chdir(root), 0);
	open_disk("204800 512 gpt 11111111-1111-1111-1111-111111111111 "
		  "g1=2048+2048,linux,auto");
	copy_file(image, "old.img");
	run("type 1 swap");
	assert_true(af_session_write(s, &report, &err));
	copy_file(image, "new.img");
	copy_head("old.img", image);
	reopen();
	assert_non_null(af_session_unfinished(s)); /* nobody is at it */
	busy = 2;
	reopen();
	assert_int_equal(busy, 0);
	assert_null(af_session_unfinished(s));
	assert_null(af_session_read_only(s));
	assert_memory_equal(now()->part[0].type, "\x06\x57\xfd\x6d", 4);
	assert_int_equal(chdir("/"), 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_session__restores_and_starts_over),
		CASE(test_session__a_new_table_replaces_a_broken_one),
		CASE(test_session__a_write_under_way_is_not_an_interrupted_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
