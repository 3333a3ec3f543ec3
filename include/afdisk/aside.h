/** aside.h - work that may never come to an end, in a process of its own: nobody waits for it, and what breaks in it breaks nothing
 *  else. */
#ifndef AFDISK_ASIDE_H
#define AFDISK_ASIDE_H
#include "afdisk/err.h"
#include <stddef.h>
#include <sys/types.h>

#define AF_ASIDE_MOST 4096 /* bytes of a record: as many as a pipe takes in one piece */

/** Work that runs beside the caller. All zeros: none does. */
struct af_aside {
	bool running;
	int fd; /* readable when there is something for af_aside_take() */
	pid_t pid;
};

enum af_aside_state {
	AF_ASIDE_WAITING, /* nothing new */
	AF_ASIDE_TOLD,    /* a record came in */
	AF_ASIDE_ENDED, /* the work ended, and there is no more to come; it runs no more */
};

/**
 * Starts work(job, out) in a copy of this process that has no terminal and no other open files; what it tells goes to
 * out. job is copied with everything else. Fails with AF_E_IO if there can be no process or pipe.
 */
bool af_aside_start(struct af_aside *a, void (*work)(const void *job, int out),
		    const void *job, struct af_err *err)
	__attribute__((warn_unused_result));

/** In the work: hands a record of n bytes over, at most AF_ASIDE_MOST and always as many. Ends the process if nobody wants it. */
void af_aside_tell(int out, const void *record, size_t n);

/** Takes the next record of n bytes, never waits. *record is untouched unless it is AF_ASIDE_TOLD. */
enum af_aside_state af_aside_take(struct af_aside *a, void *record, size_t n);

/** Ends it, as soon as the kernel lets it go, and waits for nothing. Fine if none runs. */
void af_aside_drop(struct af_aside *a);
#endif
