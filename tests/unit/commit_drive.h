/**
 * commit_drive.h - a drive in memory that can fail at any read, write or flush, lose writes, or be changed by somebody
 * else meanwhile. For the tests of the commit room only.
 */
#ifndef TESTS_COMMIT_DRIVE_H
#define TESTS_COMMIT_DRIVE_H
#include <signal.h>
#include <string.h>

#include "afdisk/dev.h"

#define SIZE  (8 * AF_MIB)
#define NEVER INT64_MAX

struct drive {
	unsigned char *bytes, *before; /* before: what it held when it was set up */
	int64_t reads, writes, flushes;
	int64_t fail_read, fail_write,
		fail_flush; /* the number of the first call that fails; all later ones fail, too */
	bool once;          /* only that one fails */
	bool loses_writes, forget_fails;
	int64_t somebody_writes,
		somebody_at; /* another program changes a byte at that flush */
	bool is_bad;         /* the sector at byte bad cannot be read until it is written */
	int64_t bad;
	bool raises;    /* SIGINT arrives with the first write */
	bool unblocked; /* a write came with SIGINT not blocked */
	char log[256];  /* w and f, in order */
};

static struct drive drive;

static bool fails(int64_t *count, int64_t first)
{
	int64_t i = (*count)++;

	return drive.once ? i == first : i >= first;
}

static void log_call(char what)
{
	size_t n = strlen(drive.log);

	if (n + 1 < sizeof(drive.log))
		drive.log[n] = what;
}

static bool drive_read(void *self, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	(void)self;
	bool bad = drive.is_bad && drive.bad >= at && drive.bad < at + (int64_t)n;

	if (fails(&drive.reads, drive.fail_read) || bad)
		return af_fail_sys(err, 5, "cannot read");
	memcpy(buf, drive.bytes + at, n);
	return true;
}

static bool drive_write(void *self, af_bytes at, const void *buf, size_t n,
			struct af_err *err)
{
	sigset_t blocked;

	(void)self;
	log_call('w');
	(void)sigprocmask(SIG_SETMASK, NULL, &blocked);
	if (!sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGTERM) ||
	    !sigismember(&blocked, SIGHUP))
		drive.unblocked = true;
	if (drive.raises && drive.writes == 0)
		(void)raise(SIGINT);
	if (fails(&drive.writes, drive.fail_write))
		return af_fail_sys(err, 5, "cannot write");
	if (drive.bad >= at && drive.bad < at + (int64_t)n)
		drive.is_bad = false;
	if (!drive.loses_writes)
		memcpy(drive.bytes + at, buf, n);
	return true;
}

static bool drive_flush(void *self, struct af_err *err)
{
	(void)self;
	log_call('f');
	if (fails(&drive.flushes, drive.fail_flush))
		return af_fail_sys(err, 5, "cannot flush");
	if (drive.flushes == drive.somebody_writes)
		drive.bytes[drive.somebody_at] ^= 1;
	return true;
}

static bool drive_forget(void *self, af_bytes at, size_t n, struct af_err *err)
{
	(void)self;
	(void)at;
	(void)n;
	return drive.forget_fails ? af_fail(err, AF_E_IO, "cannot forget") : true;
}

static const struct af_dev_ops drive_ops = { .read = drive_read,
					     .write = drive_write,
					     .flush = drive_flush,
					     .forget = drive_forget };

static inline bool drive_put(void *ctx, uint64_t at, const void *bytes, size_t n)
{
	(void)ctx;
	memcpy(drive.bytes + at, bytes, n);
	return true;
}
#endif
