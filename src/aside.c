/*
 * aside - processes for work that may hang: a read of a dead disk or network folder cannot be broken off, and a thread in one would
 * keep the whole program from ending. The process has let go of the terminal and of all files, so that it holds nothing
 * up while it hangs.
 */
#include "afdisk/aside.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUT 3 /* its only descriptor behind the standard ones */

#define END_MS 20 /* that one which was killed is given to end */

_Static_assert(AF_ASIDE_MOST <= PIPE_BUF, "a record is one piece");

/** Lets go of everything that was the caller's: signals, terminal, files. */
static void let_go(int out)
{
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)signal(i, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)setsid();
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
		(void)dup2(null, fd);
	(void)dup2(out, OUT);
	(void)close_range(OUT + 1, UINT_MAX, 0);
}

bool af_aside_start(struct af_aside *a, void (*work)(const void *job, int out),
		    const void *job, struct af_err *err)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return af_fail_sys(err, errno, "cannot make a pipe");
	pid = fork();
	if (pid == 0) {
		let_go(ends[1]);
		work(job, OUT);
		_exit(0);
	}
	(void)close(ends[1]);
	if (pid < 0) {
		const int sys = errno;

		(void)close(ends[0]);
		return af_fail_sys(err, sys, "cannot start a process");
	}
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*a = (struct af_aside){ .running = true, .fd = ends[0], .pid = pid };
	return true;
}

void af_aside_tell(int out, const void *record, size_t n)
{
	assert(n <= AF_ASIDE_MOST);
	if (write(out, record, n) != (ssize_t)n)
		_exit(1);
}

/** Closes the pipe. One that cannot be killed at once is left to whoever inherits it. */
static void end(struct af_aside *a, int how)
{
	(void)close(a->fd);
	(void)waitpid(a->pid, NULL, how);
	*a = (struct af_aside){ 0 };
}

/** True if the process has closed its end of the pipe, as one does that ends. */
static bool is_ending(const struct af_aside *a)
{
	struct pollfd p = { .fd = a->fd };

	return poll(&p, 1, END_MS) == 1 && (p.revents & POLLHUP);
}

void af_aside_drop(struct af_aside *a)
{
	if (!a->running)
		return;
	(void)kill(a->pid, SIGKILL);
	end(a, is_ending(a) ? 0 : WNOHANG);
}

enum af_aside_state af_aside_take(struct af_aside *a, void *record, size_t n)
{
	unsigned char bytes[AF_ASIDE_MOST];
	ssize_t got;

	assert(n <= AF_ASIDE_MOST);
	if (!a->running)
		return AF_ASIDE_ENDED;
	do
		got = read(a->fd, bytes, n);
	while (got < 0 && errno == EINTR);
	if (got == (ssize_t)n) {
		memcpy(record, bytes, n);
		return AF_ASIDE_TOLD;
	}
	if (got < 0 && errno == EAGAIN)
		return AF_ASIDE_WAITING;
	end(a, 0); /* its end of the pipe is closed: it is about to end */
	return AF_ASIDE_ENDED;
}
