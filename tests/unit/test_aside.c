/* Work in a process of its own: what it tells, how it ends, and that nobody waits for it. */
#include "afdisk/aside.h"

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
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct record {
	int number;
	char text[1000];
};

/** Waits for the next record or the end. */
static enum af_aside_state next(struct af_aside *a, struct record *r)
{
	for (;;) {
		struct pollfd p = { .fd = a->fd, .events = POLLIN };
		const enum af_aside_state s = af_aside_take(a, r, sizeof(*r));

		if (s != AF_ASIDE_WAITING)
			return s;
		assert_int_equal(poll(&p, 1, 60000), 1);
	}
}

static void tell_thrice(const void *job, int out)
{
	struct record r = { 0 };

	(void)snprintf(r.text, sizeof(r.text), "%s", (const char *)job);
	for (r.number = 1; r.number <= 3; r.number++)
		af_aside_tell(out, &r, sizeof(r));
}

static void test_aside__tells_in_order_and_ends(void **state)
{
	struct af_aside a = { 0 };
	struct af_err err;
	struct record r;

	(void)state;
	assert_true(af_aside_start(&a, tell_thrice, "a word", &err));
	for (int i = 1; i <= 3; i++) {
		assert_int_equal(next(&a, &r), AF_ASIDE_TOLD);
		assert_int_equal(r.number, i);
		assert_string_equal(r.text, "a word");
	}
	assert_int_equal(next(&a, &r), AF_ASIDE_ENDED);
	assert_false(a.running);
	assert_int_equal(af_aside_take(&a, &r, sizeof(r)), AF_ASIDE_ENDED);
}

static void break_down(const void *job, int out)
{
	(void)job;
	(void)out;
	(void)raise(SIGKILL);
}

static void test_aside__what_breaks_ends_without_a_word(void **state)
{
	struct af_aside a = { 0 };
	struct af_err err;
	struct record r = { .number = 7 };

	(void)state;
	assert_true(af_aside_start(&a, break_down, NULL, &err));
	assert_int_equal(next(&a, &r), AF_ASIDE_ENDED);
	assert_int_equal(r.number, 7);
}

/** Tells which descriptors are open and whether there is a terminal. */
static void look_around(const void *job, int out)
{
	struct record r = { 0 };
	const int tty = open("/dev/tty", O_RDWR);

	(void)job;
	r.number = tty >= 0;
	for (int fd = 0; fd < 64; fd++)
		if (fd != tty && fcntl(fd, F_GETFD) >= 0)
			r.text[fd] = '1';
	af_aside_tell(out, &r, sizeof(r));
}

static void test_aside__has_no_files_and_no_terminal(void **state)
{
	struct af_aside a = { 0 };
	struct af_err err;
	struct record r;
	const int fd = open("/dev/null", O_RDONLY);

	(void)state;
	assert_true(fd > 2);
	assert_true(af_aside_start(&a, look_around, NULL, &err));
	assert_int_equal(next(&a, &r), AF_ASIDE_TOLD);
	assert_int_equal(r.number, 0);
	for (int i = 0; i < 64; i++)
		assert_int_equal(r.text[i], i <= 3 ? '1' : 0);
	af_aside_drop(&a);
	(void)close(fd);
}

static void hang(const void *job, int out)
{
	struct record r = { 0 };

	(void)job;
	af_aside_tell(out, &r, sizeof(r));
	for (;;)
		(void)pause();
}

static void test_aside__one_that_hangs_is_left_alone(void **state)
{
	struct af_aside a = { 0 };
	struct af_err err;
	struct record r;

	(void)state;
	assert_true(af_aside_start(&a, hang, NULL, &err));
	assert_int_equal(next(&a, &r), AF_ASIDE_TOLD);
	assert_int_equal(af_aside_take(&a, &r, sizeof(r)), AF_ASIDE_WAITING);
	const pid_t pid = a.pid;

	af_aside_drop(&a);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), -1); /* nothing is left of it */
	assert_int_equal(errno, ECHILD);
	assert_false(a.running);
	af_aside_drop(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aside__tells_in_order_and_ends),
		cmocka_unit_test(test_aside__what_breaks_ends_without_a_word),
		cmocka_unit_test(test_aside__has_no_files_and_no_terminal),
		cmocka_unit_test(test_aside__one_that_hangs_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
