/* Looking behind the screen at a disk that does not answer: nobody waits for it, neither a key nor the end. */
#include "afdisk/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "disks.h"
#include "folder.h"

static char root[200];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static bool stalled; /* reads of other threads do not come back */
static int waiting;  /* how many there are */
static pthread_t self;

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
	if (!pthread_equal(pthread_self(), self)) {
		(void)pthread_mutex_lock(&lock);
		waiting++;
		(void)pthread_cond_broadcast(&turned);
		while (stalled)
			(void)pthread_cond_wait(&turned, &lock);
		waiting--;
		(void)pthread_cond_broadcast(&turned);
		(void)pthread_mutex_unlock(&lock);
	}
	return syscall(SYS_pread64, fd, buf, n, at);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	self = pthread_self();
	(void)snprintf(root, sizeof(root), "%s/afdisk-probe-XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(root) && chdir(root) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return chdir("/") == 0 ? folder_remove(root) : -1;
}

static struct af_session *open_it(void)
{
	const struct af_session_options o = { 0 };
	struct af_err err;

	/* what is a hole all over is not read */
	disk_make("disk.img",
		  "2097152 512 dos 0x1 p1=2048+2048,83 p2=8192+2048,83 p3=16384+2048,83 "
		  "poke=1050000,01 poke=4195000,01");
	struct af_session *s = af_session_open("disk.img", &o, &err);

	assert_non_null(s);
	return s;
}

static void wait_until(bool (*is)(void))
{
	(void)pthread_mutex_lock(&lock);
	while (!is())
		(void)pthread_cond_wait(&turned, &lock);
	(void)pthread_mutex_unlock(&lock);
}

static bool one_waits(void)
{
	return waiting > 0;
}

static bool none_waits(void)
{
	return waiting == 0;
}

static void test_probe__closing_waits_for_no_read(void **state)
{
	struct af_session *s = open_it();

	(void)state;
	stalled = true;
	af_session_probe_start(s);
	wait_until(one_waits);
	assert_false(af_session_probe_take(s));
	af_session_close(s); /* would hang here */
	(void)pthread_mutex_lock(&lock);
	stalled = false;
	(void)pthread_cond_broadcast(&turned);
	(void)pthread_mutex_unlock(&lock);
	wait_until(none_waits);
}

static void test_probe__what_was_found_comes_in(void **state)
{
	struct af_session *s = open_it();

	(void)state;
	af_session_probe_start(s);
	while (af_session_probe_fd(s) >= 0) {
		struct pollfd p = { .fd = af_session_probe_fd(s), .events = POLLIN };

		assert_int_equal(poll(&p, 1, 60000), 1);
		(void)af_session_probe_take(s);
	}
	const struct af_disk d = af_session_disk(s);

	assert_int_equal(d.contents->n, 3);
	for (size_t i = 0; i < d.contents->n; i++)
		assert_int_equal(d.contents->item[i].state, AF_CONTENT_NONE);
	af_session_close(s);
}

/* What mkswap would do. */
static void make_swap(af_bytes at)
{
	FILE *f = fopen("disk.img", "r+b");

	assert_non_null(f);
	assert_int_equal(fseek(f, at + 1024, SEEK_SET), 0);
	assert_int_equal(fwrite("\1\0\0\0\xff\0\0\0", 1, 8, f), 8);
	assert_int_equal(fseek(f, at + 4086, SEEK_SET), 0);
	assert_int_equal(fwrite("SWAPSPACE2", 1, 10, f), 10);
	assert_int_equal(fclose(f), 0);
}

static void test_probe__what_came_since_is_not_cut_off(void **state)
{
	struct af_session *s = open_it();
	struct af_commit_report report;
	struct af_err err;

	(void)state;
	af_session_probe(s, 0);
	assert_true(af_session_run(s, "resize 1 size=512K; resize 2 size=512K", &err));
	make_swap((af_bytes)2048 * 512);
	assert_true(af_session_prepare(s, &err));
	assert_false(af_session_write(s, &report, &err));
	assert_int_equal(err.code, AF_E_STALE);
	assert_string_equal(err.text, "nothing was written: partition 1 was changed since "
				      "it was looked into, and holds swap now: undo the "
				      "change, or review it again");
	assert_int_equal(af_session_base(s)->part[0].span.end, (af_bytes)4096 * 512);

	/* it is known now: what is undone does not come again, and what is reviewed again may be meant */
	assert_non_null(af_session_undo(s));
	assert_non_null(af_session_undo(s));
	assert_false(af_session_run(s, "resize 1 size=512K", &err));
	assert_int_equal(err.code, AF_E_DATA);
	assert_non_null(af_session_redo(s));
	assert_true(af_session_write(s, &report, &err));
	af_session_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_probe__closing_waits_for_no_read),
		cmocka_unit_test(test_probe__what_was_found_comes_in),
		cmocka_unit_test(test_probe__what_came_since_is_not_cut_off),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
