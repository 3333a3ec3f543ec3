/*
 * stack_xfs.c - XFS (XFS Algorithms & Data Structures: Superblocks; big-endian). Data is written in blocks, but the log and the
 * headers of the allocation groups in sectors, whose size mkfs takes from what the drive says: 512 bytes if it lies.
 */
#include "chain_bytes.h"
#include "stack_fs.h"

enum {
	SUPER = 512, /* all that is used of its sector */
	BLOCK_AT = 4,
	BLOCKS_AT = 8,
	VERSION_AT = 100, /* and flags */
	SECTOR_AT = 102,
	SUM_AT = 224,
	VERSION_OF_SUMS = 5,
};

static const uint32_t magic = 0x58465342; /* XFSB */

/* From version 5 on the sector with the superblock has a checksum, taken with zeros in its own place. */
static bool adds_up(const struct stack_window *w, const unsigned char *super,
		    uint32_t sector)
{
	static const unsigned char zeros[4];
	unsigned char more[SUPER];
	if ((af_get_be16(super + VERSION_AT) & 15) != VERSION_OF_SUMS)
		return true;
	uint32_t sum = af_stack_crc32(STACK_CRC32C, UINT32_MAX, super, SUM_AT);
	sum = af_stack_crc32(STACK_CRC32C, sum, zeros, sizeof(zeros));
	sum = af_stack_crc32(STACK_CRC32C, sum, super + SUM_AT + 4, SUPER - SUM_AT - 4);
	for (uint32_t at = SUPER; at < sector; at += SUPER) {
		if (!stack_read(w, at, more, sizeof(more)))
			return false;
		sum = af_stack_crc32(STACK_CRC32C, sum, more, sizeof(more));
	}
	return af_get_le32(super + SUM_AT) == ~sum; /* the one number in this order */
}

bool af_stack_xfs(const struct stack_window *w, struct stack_found *out)
{
	unsigned char super[SUPER];
	if (!stack_read(w, 0, super, sizeof(super)) || af_get_be32(super) != magic)
		return false;
	uint32_t block = af_get_be32(super + BLOCK_AT),
		 sector = af_get_be16(super + SECTOR_AT);
	uint64_t blocks = af_get_be64(super + BLOCKS_AT);
	if (!af_stack_is_power(block, 512, 65536) ||
	    !af_stack_is_power(sector, 512, block < 32768 ? block : 32768) || blocks == 0 ||
	    !adds_up(w, super, sector))
		return false;
	af_stack_size(out, blocks, block);
	return af_stack_add_inside(w, out, sector == block ? "XFS" : "XFS data", 0,
				   block) &&
	       (sector == block ||
		af_stack_add_inside(w, out, "XFS log and headers", 0, sector));
}
