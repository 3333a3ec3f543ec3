/*
 * stack_btrfs.c - btrfs (btrfs-progs, kernel-shared/uapi/btrfs_tree.h: btrfs_super_block). One file system may span devices: what
 * counts here is this one's size, in the item about it, not the sum at the head of the superblock.
 */
#include "chain_bytes.h"
#include "stack_fs.h"

enum {
	SUPER_AT = 65536,
	SUPER = 4096,
	SUM_SIZE = 32,
	MAGIC_AT = 64,
	SECTOR_AT = 144,
	SUM_TYPE_AT = 196,
	SUM_CRC32C = 0, /* the others are not computed here */
	DEVICE_SIZE_AT = 209,
};

static bool adds_up(const unsigned char *super)
{
	return af_get_le16(super + SUM_TYPE_AT) != SUM_CRC32C ||
	       af_get_le32(super) == ~af_stack_crc32(STACK_CRC32C, UINT32_MAX,
						     super + SUM_SIZE, SUPER - SUM_SIZE);
}

bool af_stack_btrfs(const struct stack_window *w, struct stack_found *out)
{
	unsigned char super[SUPER];
	if (!stack_read(w, SUPER_AT, super, sizeof(super)) ||
	    memcmp(super + MAGIC_AT, "_BHRfS_M", 8) != 0)
		return false;
	uint32_t sector = af_get_le32(super + SECTOR_AT);
	if (!af_stack_is_power(sector, 512, 65536) || !adds_up(super))
		return false;
	af_stack_size(out, af_get_le64(super + DEVICE_SIZE_AT), 1);
	return af_stack_add_inside(w, out, "btrfs", 0, sector);
}
