/** err.h - why something failed, in words a person can act on. */
#ifndef AFDISK_ERR_H
#define AFDISK_ERR_H
#include <stdbool.h>

enum af_code {
	AF_OK = 0,
	AF_E_USAGE,   /* the caller asked for something that makes no sense */
	AF_E_RULE,    /* the table's own rules forbid it */
	AF_E_RANGE,   /* a number does not fit, or there is no room */
	AF_E_DATA,    /* data in a partition would be lost or would have to be copied */
	AF_E_FORMAT,  /* bytes on the disk are not what they claim to be */
	AF_E_IO,      /* the kernel refused; see .sys */
	AF_E_BUSY,    /* somebody else uses the disk */
	AF_E_STALE,   /* the disk changed since we read it */
	AF_E_PARTIAL, /* failed after writing began: the text says what is on the disk now */
};

struct af_err {
	enum af_code code;
	int sys;         /* errno, 0 if none */
	char text[1024]; /* UTF-8, one line, no final period */
};

/** Fills err and returns false, so that `return af_fail(...)` reads well. code is not AF_OK. */
bool af_fail(struct af_err *err, enum af_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** The same for a failed system call: code AF_E_IO, and the words of errno value sys follow. */
bool af_fail_sys(struct af_err *err, int sys, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** Puts "what: " before the text already there; keeps code and sys. Returns false. */
bool af_fail_within(struct af_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#endif
