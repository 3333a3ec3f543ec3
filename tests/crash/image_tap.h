/**
 * image_tap.h - what a program does to its image: writes and flushes of one file are recorded, counted, made to fail or
 * to kill. The functions are the C library's own by name, so that a program that includes this has them instead.
 */
#ifndef TESTS_IMAGE_TAP_H
#define TESTS_IMAGE_TAP_H
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "crash.h"

enum tap_call { TAP_READ, TAP_WRITE, TAP_SYNC, TAP_CALLS };

static struct tap {
	bool on;
	dev_t device;
	ino_t inode;
	struct crash_log *maybe_log;
	size_t count[TAP_CALLS];
	size_t fail_at
		[TAP_CALLS]; /* the number of the call that fails, from 1 on; 0: none */
	int fail_with;       /* errno; 0: the call does nothing, and says it did */
	bool fail_on;        /* so do all that follow */
	bool is_short;       /* the failing write writes half, and the next one fails */
	long kill_in;        /* calls, to any file, until the end; 0: never */
	bool spares_reads;   /* reads do not count for that */
} tap;

/** Watches the file of that name from now on. */
static inline void tap_begin(const char *path, struct crash_log *maybe_log)
{
	struct stat st;

	if (stat(path, &st) != 0)
		abort();
	tap = (struct tap){
		.on = true, .device = st.st_dev, .inode = st.st_ino, .maybe_log = maybe_log
	};
}

static inline void tap_end(void)
{
	tap.on = false;
}

static bool is_tapped(int fd, enum tap_call call)
{
	struct stat st;

	if (tap.kill_in > 0 && (call != TAP_READ || !tap.spares_reads) &&
	    --tap.kill_in == 0)
		(void)kill(getpid(), SIGKILL);
	return tap.on && fstat(fd, &st) == 0 && st.st_dev == tap.device &&
	       st.st_ino == tap.inode;
}

/* Counts a call; true if it is to fail. */
static bool tap_fails(enum tap_call call)
{
	size_t n = ++tap.count[call], at = tap.fail_at[call];

	return at != 0 && (n == at || (tap.fail_on && n > at));
}

/* The parameters of the library have names that only it may use. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
	if (is_tapped(fd, TAP_READ) && tap_fails(TAP_READ)) {
		errno = tap.fail_with;
		return -1;
	}
	return syscall(SYS_pread64, fd, buf, n, at);
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
	bool tapped = is_tapped(fd, TAP_WRITE);

	if (tapped && tap_fails(TAP_WRITE)) {
		if (tap.is_short && n > 512 &&
		    tap.count[TAP_WRITE] == tap.fail_at[TAP_WRITE])
			return syscall(SYS_pwrite64, fd, buf, n / 1024 * 512, at);
		if (tap.fail_with == 0)
			return (ssize_t)n; /* and it is lost */
		errno = tap.fail_with;
		return -1;
	}
	if (tapped && tap.maybe_log)
		crash_put(tap.maybe_log, at, buf, n);
	return syscall(SYS_pwrite64, fd, buf, n, at);
}

/* Nothing is really synced: the machine stays on. */
static int tap_sync(int fd)
{
	if (!is_tapped(fd, TAP_SYNC))
		return 0;
	if (tap_fails(TAP_SYNC)) {
		errno = tap.fail_with;
		return -1;
	}
	if (tap.maybe_log)
		crash_flush(tap.maybe_log);
	return 0;
}

int fsync(int fd)
{
	return tap_sync(fd);
}

int fdatasync(int fd)
{
	return tap_sync(fd);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
#endif
