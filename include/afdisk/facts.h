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

/** What a layer inside a partition is. */
enum af_layer_kind {
	AF_LAYER_DATA, /* data of the partition itself: a payload, a file system's clusters */
	AF_LAYER_NESTED, /* an entry of a nested label: a partition of its own */
	AF_LAYER_FRAME, /* such an entry that names the whole or the label's place: no data */
	AF_LAYER_OUTSIDE, /* such an entry that reaches out of the partition: not judged */
	AF_LAYER_UNKNOWN, /* data is there, but where it begins cannot be told */
};

/** Something inside a partition whose data begins at a place of its own. */
struct af_layer {
	enum af_layer_kind kind;
	char what[40]; /* "FreeBSD a", "LUKS2" */
	af_bytes
		offset; /* from the partition's start; negative only if OUTSIDE; 0 if UNKNOWN */
	af_bytes size;   /* 0: up to the partition's end */
	af_bytes unit;   /* the smallest block that is written; 0 if unknown */
	uint32_t number; /* NESTED and its kin: its place in the label, from 1 on */
	char name[8];    /* "a", "s0"; "" if it has none */
	uint8_t type;    /* as its label has it */
	bool is_fs; /* a file system or swap: nothing lies deeper, its unit is what is written */
	char type_name[32]; /* "4.2BSD" */
};

/** Whether Windows has closed an NTFS. */
enum af_closed {
	AF_CLOSED_UNKNOWN, /* no NTFS, or it cannot be told */
	AF_CLOSED_YES,
	AF_CLOSED_NO, /* hibernation, Fast Startup or a crash: changes are still in its log, or in Windows' memory */
};

/** Owns layer[]: a struct copy is not a whole copy, see af_content_copy(). */
struct af_content {
	uint32_t id; /* of the partition */
	enum af_content_state state;
	char fs[32];               /* "ext4", "crypto_LUKS"; "" unless FOUND */
	char label[128], uuid[64]; /* "" if it has none; valid UTF-8 */
	char remark[120];          /* what is odd about its layers, or "" */
	af_bytes block;    /* of a file system, as libblkid has it; 0 if it does not say */
	af_bytes fs_size;  /* bytes that it needs of the partition; 0 if unknown */
	bool bound_to_end; /* its superblock sits at the end: the size has to stay */
	bool has_home; /* its boot sector says at which byte of the disk it begins ... */
	af_bytes home; /* ... this one */
	enum af_closed closed;
	struct af_layer *layer; /* the outermost first, a label's by offset; NULL: none */
	size_t nlayers;
};

/** What the first sector of the disk starts, as far as it is recognised. */
struct af_boot_code {
	bool known;   /* somebody has looked */
	bool is_grub; /* GRUB 2 for BIOS */
	struct af_span
		core; /* the bytes of the disk that GRUB loads first; empty if that cannot be told */
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

/** Bytes that what is inside needs beyond those of span; 0 if it fits, or its size is not known. */
af_bytes af_content_excess(const struct af_content *c, struct af_span span);

/** Says so: "its ext4 of 300 MiB is larger than the partition: 1 MiB of it lies beyond the end"; "" if it fits, or that is
 *  not known. Returns buf. */
const char *af_content_larger(const struct af_content *c, struct af_span span, char *buf,
			      size_t size);

/** A copy with layers of its own, for the caller to release. */
struct af_content af_content_copy(const struct af_content *from);

/** Frees the layers. */
void af_content_release(struct af_content *c);

/** True for an entry of a nested label, whether it holds data or not. */
bool af_layer_is_nested(const struct af_layer *layer);

/** Frees item[] and what it owns. */
void af_contents_release(struct af_contents *c);

/** In which way something uses a partition, or the whole disk. */
enum af_use_kind {
	AF_USE_MOUNT, /* what: the mount point */
	AF_USE_SWAP,  /* what: "" */
	AF_USE_LAYER, /* another device is made of it; what: "LVM vg0-root", "LUKS secret" */
	AF_USE_LOOP,  /* a loop device shows it; what: "loop0" */
	AF_USE_PROGRAM, /* held open by a program; what: "mkfs.ext4 (process 123)" or "" */
};

/** One use, as the kernel knows it, whatever the table says. */
struct af_use {
	uint32_t number;     /* of the partition; 0: of the whole disk */
	struct af_span span; /* bytes; of the whole disk: all of it */
	enum af_use_kind kind;
	char what[256]; /* valid UTF-8 */
};

/** All uses of a disk, in the order of the numbers. Owns item[]. */
struct af_uses {
	struct af_use *item;
	size_t n;
};

/** True if use is one of the partition with that number that starts at that byte; number 0 is the whole disk. */
bool af_use_is_of(const struct af_use *use, uint32_t number, af_bytes start);

/** Says how that partition (0: the whole disk) is used: "mounted at /home, part of RAID md0"; "" if it is not. Returns buf. */
const char *af_uses_words(const struct af_uses *uses, uint32_t number, af_bytes start,
			  char *buf, size_t size);

/** What ends a use of that kind, to be followed by "before it is deleted": "unmount it". */
const char *af_use_end(enum af_use_kind kind);

/** Frees item[]. */
void af_uses_release(struct af_uses *u);

/** The contract's word: "device", "assumed", "quirk", "measured", "user". */
const char *af_source_name(enum af_source s);
#endif
