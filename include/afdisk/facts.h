/** facts.h - what is known about a disk besides its table: plain values, filled by the eyes. */
#ifndef AFDISK_FACTS_H
#define AFDISK_FACTS_H
#include "afdisk/units.h"
#include <stddef.h>

/** Where a number comes from. */
enum af_source {
	AF_SOURCE_DEVICE,  /* the kernel says so */
	AF_SOURCE_ASSUMED, /* nobody said; the usual value */
	AF_SOURCE_QUIRK,   /* the model is known to lie, and this is the truth */
	AF_SOURCE_MEASURED,
	AF_SOURCE_USER, /* an option of the command line */
};

/** The device under the table. All sizes in bytes. */
struct af_topo {
	af_bytes size;
	uint32_t sector_size;       /* logical; 512, 1024, 2048 or 4096 */
	af_bytes physical;          /* what judging uses */
	af_bytes reported_physical; /* what the device said; 0 if it said nothing */
	enum af_source sector_source, physical_source, offset_source, grain_source;
	af_bytes alignment_offset; /* >= 0; 0 when the kernel says "unknown" */
	bool offset_unknown;       /* the kernel's -1: a stack that is itself misaligned */
	af_bytes minimum_io, optimal_io; /* 0 if unknown */
	af_bytes grain;                  /* what the user asked for, else 0 */
	bool is_file;                    /* a disk image */
	bool read_only;                  /* the medium cannot be written */
	bool removable;
	char model[64], serial[64], transport[16]; /* "" if unknown */
};

/** What was found inside a partition. */
enum af_content_state {
	AF_CONTENT_UNKNOWN, /* not looked yet */
	AF_CONTENT_NONE,    /* looked: nothing recognised */
	AF_CONTENT_FOUND,
	AF_CONTENT_UNREADABLE, /* could not be read: treated as data */
};

struct af_content {
	uint32_t id; /* of the partition */
	enum af_content_state state;
	char fs[32];               /* "ext4", "crypto_LUKS"; "" unless FOUND */
	char label[128], uuid[64]; /* "" if it has none; valid UTF-8 */
};

/** Contents of all partitions that the disk held when it was opened. Owns item[]. */
struct af_contents {
	struct af_content *item;
	size_t n;
};

/** The entry of partition id, or NULL: it was made in this session, nothing is inside. Borrowed. */
const struct af_content *af_contents_find(const struct af_contents *c, uint32_t id);

/** True if partition id may hold something that a moved edge would lose: found, unreadable, not looked yet. */
bool af_contents_may_hold(const struct af_contents *c, uint32_t id);

/** Frees item[]. */
void af_contents_release(struct af_contents *c);

/** The contract's word: "device", "assumed", "quirk", "measured", "user". */
const char *af_source_name(enum af_source s);
#endif
