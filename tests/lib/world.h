/** world.h - layouts from words and back, for tests of the pure rooms. Words are those of disks.h. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H
#include "afdisk/align.h"
#include "afdisk/layout.h"

/** A disk as the pure rooms see it. Release the layout with af_layout_release(). */
struct world {
	struct af_layout layout;
	struct af_topo topo;
	struct af_rules rules;
	struct af_contents contents; /* nothing inside any partition */
};

/** Builds it from words such as "seed" or "2097152 512 dos 1 p1=2048+204800,83"; wrong words end the program. */
void world_make(struct world *w, const char *words);

/** Frees what w owns. */
void world_release(struct world *w);

/** Runs "CMD; CMD" on w's layout; false with err, and w unchanged, if one fails. Types in hex or left out. */
bool world_run(struct world *w, const char *commands, struct af_err *err);

/** Writes the partitions in the words of disks.h, "p1=2048+204800,83 e2=...", into buf; a logical's EBR always. */
const char *world_show(const struct af_layout *l, char *buf, size_t size);
#endif
