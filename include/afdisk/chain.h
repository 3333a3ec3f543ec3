/**
 * chain.h - the MBR and its chain of extended boot records, over bytes.
 * Format: the PC partition table as Linux reads it (block/partitions/msdos.c): four 16-byte entries at byte 446 of a
 * sector that ends in 55 AA at byte 510; an EBR's first entry is its logical (relative to the EBR), its second
 * links to the next EBR (relative to the extended partition).
 */
#ifndef AFDISK_CHAIN_H
#define AFDISK_CHAIN_H
#include "afdisk/err.h"
#include "afdisk/layout.h"
#include "afdisk/units.h"
#include <stddef.h>

/** One entry as it stands in a sector; start and count in sectors, relative as the table has them. */
struct af_mbr_entry {
	uint8_t boot, type;
	uint32_t start, count;
};

/** One EBR: where it is, and its logical, if it has one (count not 0). */
struct af_ebr {
	af_bytes at;
	bool has_logical;
	uint8_t boot, type;
	struct af_span data; /* absolute bytes */
};

#define AF_CHAIN_MAX 4096 /* EBRs that are followed at the most */

/** A chain as found. Owns ebr[]: one for each logical that Linux finds, in its order, and for each EBR without one.
 *  An EBR that holds two logicals is there twice. */
struct af_chain {
	struct af_ebr *ebr;
	size_t n;
	bool ended; /* read to its end; if not, why says what broke it behind the last ebr[] */
	bool whole; /* and each EBR has the form that can be written back; if not, why says which has not */
	char why[160];
};

/** Reads n bytes at byte at of what is being looked at. */
typedef bool (*af_read_fn)(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err);

/** True if sector (at least 512 bytes) ends in 55 AA and every boot flag is 00 or 80: a table, not a boot sector. */
bool af_chain_is_mbr(const unsigned char *sector);

/** Decodes entry i (0 to 3) of a sector. */
struct af_mbr_entry af_chain_entry(const unsigned char *sector, size_t i);

/**
 * Walks the chain that begins at the start of the extended partition ext, as Linux does. Bounded: links must stay
 * inside ext, no EBR twice, at most AF_CHAIN_MAX, a hundred in a row without a logical. Anything else, and an EBR without
 * a signature, ends the walk with ended == false and the reason. A first sector of nothing but zeros is a whole chain of
 * no EBRs. Never fails; the caller releases *out.
 */
void af_chain_read(af_read_fn read, void *ctx, struct af_span ext, uint32_t sector_size,
		   struct af_chain *out);

/** Frees ebr[]. */
void af_chain_release(struct af_chain *c);

/** How a table tells places in cylinders, heads and sectors. */
struct af_geometry {
	unsigned heads, sectors; /* of a cylinder, of a track */
	unsigned char beyond
		[3]; /* what stands for a place behind the 1024 cylinders that have a number */
};

/** Three bytes of an entry, and the absolute sector that they are about. */
struct af_chs {
	unsigned char chs[3];
	uint64_t lba;
};

/** The geometry of a fresh table: 255 heads, 63 sectors, FE FF FF beyond. */
void af_geometry_usual(struct af_geometry *out);

/** The geometry that most of these were told in: the usual one unless another fits more of them. */
void af_geometry_guess(const struct af_chs *seen, size_t n, struct af_geometry *out);

/** The first sector that has no cylinder number. */
uint64_t af_geometry_end(const struct af_geometry *g);

/** Writes the three bytes that tell sector lba. */
void af_geometry_put(const struct af_geometry *g, uint64_t lba, unsigned char chs[3]);

/** The entry of part whose start counts from byte base. */
struct af_mbr_entry af_chain_entry_of(const struct af_part *part, af_bytes base,
				      uint32_t sector_size);

/**
 * Makes entry i of a sector say e, counted from sector base of the disk; a count of 0 is an unused entry. What it says
 * already keeps its bytes, and so do the CHS of a place that stays.
 */
void af_chain_put_entry(unsigned char *sector, size_t i, const struct af_mbr_entry *e,
			uint64_t base, const struct af_geometry *g);

/** Puts 55 AA at byte 510. */
void af_chain_sign(unsigned char *sector);

/** One EBR of a chain to be. */
struct af_link {
	af_bytes at;
	const struct af_part *maybe_part; /* its logical; NULL: an EBR without one */
	bool stays; /* the disk has it with the same logical: a link to it that is there stays too */
};

/**
 * Makes sector the EBR link, which leads to maybe_next (NULL: the end of the chain). sector holds what is at
 * link->at now if that is a live EBR, else zeros; entries three and four are left alone.
 */
void af_chain_encode(const struct af_layout *l, const struct af_link *link,
		     const struct af_link *maybe_next, const struct af_geometry *g,
		     unsigned char *sector);
#endif
