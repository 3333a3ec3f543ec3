/*
 * err.c - fills struct af_err. Knows no codes of its own and prints nothing: callers decide who
 * sees the sentence.
 */
#include "afdisk/err.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Replaces the text by the formatted one followed by ": " and tail, cut where it is full. */
__attribute__((format(printf, 3, 0))) static void put(struct af_err *err, const char *tail,
						      const char *fmt, va_list ap)
{
	char text[sizeof(err->text)];
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	size_t n = strlen(text);
	if (tail)
		(void)snprintf(text + n, sizeof(text) - n, ": %s", tail);
	memcpy(err->text, text, sizeof(text));
}

bool af_fail(struct af_err *err, enum af_code code, const char *fmt, ...)
{
	assert(code != AF_OK);
	va_list ap;
	va_start(ap, fmt);
	put(err, NULL, fmt, ap);
	va_end(ap);
	err->code = code;
	err->sys = 0;
	return false;
}

bool af_fail_sys(struct af_err *err, int sys, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	put(err, strerror(sys), fmt, ap);
	va_end(ap);
	err->code = AF_E_IO;
	err->sys = sys;
	return false;
}

bool af_fail_within(struct af_err *err, const char *fmt, ...)
{
	assert(err->code != AF_OK);
	char why[sizeof(err->text)];
	memcpy(why, err->text, sizeof(why));
	va_list ap;
	va_start(ap, fmt);
	put(err, why, fmt, ap);
	va_end(ap);
	return false;
}
