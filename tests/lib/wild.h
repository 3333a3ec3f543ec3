/** wild.h - random disks as other programs leave them, for tests of reading and changing. */
#ifndef TESTS_WILD_H
#define TESTS_WILD_H
#include "disks.h"
#include "gen.h"
#include "memdev.h"

/**
 * A random regular table on a disk of 512- or 4096-byte sectors: an MBR with EBRs at any distance, chains in any order,
 * any geometry in its CHS fields, bytes in all boot code; or a GPT with any attributes, names of any UTF-16 units. d is what
 * it holds; m is for memdev_close().
 */
void wild_disk(struct gen *g, bool gpt, struct disk *d, struct memdev *m);

/** A random GUID as text, never all zeros. */
void wild_guid(struct gen *g, char text[40]);
#endif
