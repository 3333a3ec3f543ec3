/** render.h - tests of rendering: a disk in memory, the table that it holds, and the one that it shall hold. */
#ifndef TESTS_RENDER_H
#define TESTS_RENDER_H
#include "afdisk/label.h"
#include "memdev.h"

struct render {
	struct memdev m;
	struct af_layout base, now; /* at first the same */
	struct af_patch patch;
	struct af_err err;
};

/** Setups of cmocka: disks whose words say 512 have sectors of that size from here on. */
int render_in_512(void **state);
int render_in_4096(void **state);

/** The entries of cmocka's list for a test that holds at both sizes of sectors. */
#define RENDER_BOTH(test)                                                                  \
	{ #test, test, render_in_512, NULL, NULL },                                        \
	{                                                                                  \
#test "_4096", test, render_in_4096, NULL, NULL                            \
	}

/** The byte where that sector of the disk begins. */
af_bytes render_at(const struct render *b, af_bytes sector);

/** A disk from the words of disks.h, and its table. */
void render_set_up(struct render *b, const char *words);

/** The same with a disk that is made already; takes m. */
void render_open(struct render *b, const struct memdev *m);

/** Frees it. */
void render_tear_down(struct render *b);

/** The partition of the table to be with that number, to change. The test fails if there is none. */
struct af_part *render_part(struct render *b, uint32_t number);

/** Renders; the test fails if that is refused. */
void render_now(struct render *b);

/** Renders and writes: an independent reader then finds nothing to complain of, and we read the table to be. */
void render_and_write(struct render *b);

/** Rendering must be refused with that code, and these words in the text. */
void render_expect_refused(struct render *b, enum af_code code, const char *words);

/** What run i of the patch must be; sectors are the disk's. */
void render_expect_run(const struct render *b, size_t i, struct af_span sectors, int phase,
		       const char *what);

/** The table must be one that is not to be rewritten, or not before it is repaired. */
void render_expect_damaged(struct render *b);

/** Makes the table to be an empty one of that scheme, with an identity of 5A bytes. */
void render_relabel(struct render *b, enum af_scheme scheme);
#endif
