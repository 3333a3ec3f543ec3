/** patch.h - a change to a disk as a value: which bytes, what they were, what they become. */
#ifndef AFDISK_PATCH_H
#define AFDISK_PATCH_H
#include "afdisk/err.h"
#include "afdisk/units.h"
#include <stddef.h>

/** One run of whole sectors that change. Owns before[] and after[], len bytes each. */
struct af_run {
	af_bytes at, len;
	int phase; /* runs of a lower phase are written, and flushed, first */
	unsigned char *before, *after;
	char what[48]; /* "MBR", "EBR of partition 6", "backup GPT header" */
};

/** Runs in the order they are written: by rising phase. Runs do not overlap. { 0 } is no change. */
struct af_patch {
	struct af_run *run;
	size_t n;
};

/** Appends a run, copying both byte arrays and what. Runs are added in writing order. */
void af_patch_add(struct af_patch *p, const struct af_run *run);

/** Bytes that the patch changes, all runs together. */
af_bytes af_patch_bytes(const struct af_patch *p);

/** The run that covers byte at, or NULL. Borrowed. */
const struct af_run *af_patch_at(const struct af_patch *p, af_bytes at);

/** Frees everything; p is { 0 } again. */
void af_patch_release(struct af_patch *p);
#endif
