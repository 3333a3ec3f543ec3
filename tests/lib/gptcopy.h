/** gptcopy.h - one copy of a GPT as bytes, for tests: read from a disk, changed, and written with right checksums. */
#ifndef TESTS_GPTCOPY_H
#define TESTS_GPTCOPY_H
#include "memdev.h"

/** Owns array[], which is for free(). */
struct gpt_copy {
	unsigned char header[4096];
	unsigned char *array; /* the entries, entry bytes each */
	size_t bytes, entry;
};

/** The number in n bytes at p, least significant first; and the other way round. */
uint64_t gpt_get(const unsigned char *p, unsigned n);
void gpt_put(unsigned char *p, uint64_t value, unsigned n);

/** Reads the copy whose header is in that sector. Its fields must make sense. */
void gpt_copy_take(const struct memdev *m, uint64_t header, struct gpt_copy *c);

/** Writes it back, entries and header, with their checksums. */
void gpt_copy_put(const struct memdev *m, uint64_t header, struct gpt_copy *c);

/** Writes the header alone, with its checksum. */
void gpt_copy_seal(const struct memdev *m, uint64_t header, struct gpt_copy *c);

/** The bytes of an entry; numbers begin with 1. */
unsigned char *gpt_copy_entry(const struct gpt_copy *c, unsigned number);
#endif
