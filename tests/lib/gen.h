/** gen.h - random sound layouts, random changes to them, and whether what the independent reader saw is a layout. */
#ifndef TESTS_GEN_H
#define TESTS_GEN_H
#include "afdisk/layout.h"
#include "reader.h"

/** A stream of random numbers: the same seed gives the same stream on every machine. */
struct gen {
	uint64_t state;
};

/** The next number, all 64 bits of it. */
uint64_t gen_next(struct gen *g);

/** A number from 0 to n - 1; n > 0. */
uint64_t gen_below(struct gen *g, uint64_t n);

/** A number from low to high, both included. */
uint64_t gen_between(struct gen *g, uint64_t low, uint64_t high);

/** A random sound layout of that scheme: MBR with primaries in any order of slots, EBR gaps of 1, 8, 63, 2048 and
 *  random ones, chains out of order of place; GPT with holes in the numbers, any attributes and names. */
void gen_layout(struct gen *g, enum af_scheme scheme, af_bytes disk_size,
		uint32_t sector_size, struct af_layout *out);

/** A random change of a layout that leaves it sound: an entry's fields, an edge, a partition less, another order, all
 *  partitions anew, or another table altogether. */
void gen_mutate(struct gen *g, const struct af_layout *from, struct af_layout *out);

/** True if t is what l says, to the last field; if not, why (120 bytes) names what is not. */
bool gen_agrees(const struct reader_table *t, const struct af_layout *l, char *why);
#endif
