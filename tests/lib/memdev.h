/**
 * memdev.h - a disk in memory for tests: a sparse memfd behind a struct af_dev, with requests that can be made to fail.
 */
#ifndef TESTS_MEMDEV_H
#define TESTS_MEMDEV_H
#include "afdisk/dev.h"
#include "afdisk/patch.h"

/** Numbers count from 1 on from when the disk was made; 0 is never. A failing request changes nothing. */
struct memdev {
	struct af_dev dev; /* writable, path "/dev/mem0" */
	int fd;
	uint64_t reads, writes, flushes,
		forgets; /* that reached the disk, failed ones included */
	uint64_t fail_read, fail_write,
		fail_flush; /* the number of the request that fails */
	bool fail_on;       /* so do all of its kind after it */
};

/** A disk of zeros. Ends the program if there is no memory. m must not move while it is open. */
void memdev_open(struct memdev *m, af_bytes size, uint32_t sector_size);

/** A disk from the words that disk_read_words() of disks.h takes. Ends the program if they make no sense. */
void memdev_make(struct memdev *m, const char *words);

/** Frees it. */
void memdev_close(struct memdev *m);

/** Bytes of the disk, past all counters. The range must lie on the disk. */
void memdev_peek(const struct memdev *m, af_bytes at, void *buf, size_t n);
void memdev_poke(const struct memdev *m, af_bytes at, const void *buf, size_t n);

/** copy is another disk that holds the same; for memdev_close(). */
void memdev_copy(const struct memdev *m, struct memdev *copy);

/** The next sector from byte *at on that was ever written: its bytes into buf, its place into *at. False if there is
 *  none. All others hold zeros. */
bool memdev_next(const struct memdev *m, af_bytes *at, void *buf);

/** True if is holds what was does in every sector that no run of p covers. */
bool memdev_changed_as(const struct memdev *is, const struct memdev *was,
		       const struct af_patch *p);

/** Writes the runs of a patch, in order, past all counters. */
void memdev_apply(const struct memdev *m, const struct af_patch *p);
#endif
