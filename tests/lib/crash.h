/**
 * crash.h - what a power cut can leave on a drive: writes and flushes are recorded, and every state is tried that the
 * drive may be in when it loses power: all that was written before the last flush, and any of what came after it, torn
 * where physical sectors end.
 */
#ifndef TESTS_CRASH_H
#define TESTS_CRASH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One write, or a part of one that is written whole or not at all. Owns bytes. */
struct crash_write {
	int64_t at;
	size_t len;
	unsigned char *bytes;
	unsigned epoch; /* flushes before it */
};

struct crash_log {
	struct crash_write *write;
	size_t n;
	unsigned epoch;
};

/** Adds a write, copying bytes. Ends the program if there is no memory. */
void crash_put(struct crash_log *log, int64_t at, const void *bytes, size_t len);

/** Adds a flush. */
void crash_flush(struct crash_log *log);

/** The same writes, each cut at the ends of physical sectors (a power of two). For the caller to release. */
struct crash_log crash_tear(const struct crash_log *log, size_t physical);

/** Frees it; it is empty again. */
void crash_release(struct crash_log *log);

/** Called for each state: there[i] says if write i is on the drive. */
typedef void (*crash_visit_fn)(void *ctx, const bool *there);

#define CRASH_ALL                                                                          \
	10 /* up to so many writes between two flushes, every subset of them is tried */
#define CRASH_DICE                                                                         \
	64 /* beyond that: every prefix, each one alone, all but each one, and so many by chance */

/** Tries the states of a torn log, the one before everything included. Returns their number. */
size_t crash_states(const struct crash_log *log, crash_visit_fn visit, void *ctx);
#endif
