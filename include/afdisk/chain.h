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

/** One EBR: where it is, and its logical, if it has one (type and count not 0). */
struct af_ebr {
	af_bytes at;
	bool has_logical;
	uint8_t boot, type;
	struct af_span data; /* absolute bytes */
};

#define AF_CHAIN_MAX 4096 /* EBRs that are followed at the most */

/** A chain as found. Owns ebr[]. */
struct af_chain {
	struct af_ebr *ebr;
	size_t n;
	bool whole; /* read to its regular end; if not, why says what broke after the last ebr[] */
	char why[160];
};

/** Reads n bytes at byte at of what is being looked at. */
typedef bool (*af_read_fn)(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err);

/** True if sector (at least 512 bytes) ends in 55 AA and every boot flag is 00 or 80: a table, not a boot sector. */
bool af_chain_is_mbr(const unsigned char *sector);

/** Decodes entry i (0 to 3) of a sector. */
struct af_mbr_entry af_chain_entry(const unsigned char *sector, size_t i);

/**
 * Walks the chain that begins at the start of the extended partition ext. Bounded: links must stay inside ext, no
 * EBR twice, at most AF_CHAIN_MAX. Anything else ends the walk with whole == false and the reason. A first sector of
 * nothing but zeros is a whole chain of no EBRs. Never fails; the caller releases *out.
 */
void af_chain_read(af_read_fn read, void *ctx, struct af_span ext, uint32_t sector_size,
		   struct af_chain *out);

/** Frees ebr[]. */
void af_chain_release(struct af_chain *c);

/**
 * Writes the EBR of logical part into sector (sector_size bytes, which hold what is at part->ebr now if that is a
 * live EBR, else zeros): first entry, link to next (NULL at the end of the chain), signature; entries that stay the
 * same keep their bytes, CHS included. start, size relative as the format wants them; CHS by 255 heads and 63 sectors.
 */
void af_chain_encode(const struct af_layout *l, const struct af_part *part,
		     const struct af_part *next, unsigned char *sector);
#endif
