/*
 * stack_ext.c - ext2, ext3 and ext4 (Linux, Documentation/filesystems/ext4: the super block). Block 0 is the start of the
 * partition. mkfs takes blocks of 1 KiB on what is smaller than 512 MB, which no place makes good on a 4 KiB drive.
 */
#include "chain_bytes.h"
#include "stack_fs.h"

enum {
	SUPER_AT = 1024,
	SUPER = 1024,
	BLOCKS_AT = 4,
	LOG_BLOCK_AT = 24,
	MAGIC_AT = 56,
	COMPAT_AT = 92,
	INCOMPAT_AT = 96,
	RO_COMPAT_AT = 100,
	BLOCKS_HIGH_AT = 336,
	SUM_TYPE_AT = 373,
	SUM_AT = 1020,
	MAGIC = 0xef53,
	HAS_JOURNAL = 0x4,
	INCOMPAT_JOURNAL_DEV = 0x8,
	INCOMPAT_64BIT = 0x80,
	RO_COMPAT_SUMS = 0x400,
	SUM_CRC32C = 1,
	EXT2_INCOMPAT = 0x12, /* file types, meta block groups */
	EXT3_INCOMPAT = 0x16, /* ... and a journal to be replayed */
	EXT2_RO_COMPAT = 0x7, /* sparse superblocks, large files, B-tree directories */
	LOG_LARGEST = 6,      /* 64 KiB */
};

/* As libblkid and mount tell them apart: what an older driver does not know makes it the next one. */
static const char *name_of(const unsigned char *super)
{
	const bool journal = af_get_le32(super + COMPAT_AT) & HAS_JOURNAL;
	const uint32_t incompat = af_get_le32(super + INCOMPAT_AT),
		       ro_compat = af_get_le32(super + RO_COMPAT_AT);
	if (ro_compat & ~(uint32_t)EXT2_RO_COMPAT)
		return "ext4";
	if (!journal)
		return incompat & ~(uint32_t)EXT2_INCOMPAT ? "ext4" : "ext2";
	return incompat & ~(uint32_t)EXT3_INCOMPAT ? "ext4" : "ext3";
}

/* Where blocks of metadata carry checksums, the superblock is one of them. */
static bool adds_up(const unsigned char *super)
{
	if (!(af_get_le32(super + RO_COMPAT_AT) & RO_COMPAT_SUMS))
		return true;
	return super[SUM_TYPE_AT] == SUM_CRC32C &&
	       af_get_le32(super + SUM_AT) ==
		       af_stack_crc32(STACK_CRC32C, UINT32_MAX, super, SUM_AT);
}

bool af_stack_ext(const struct stack_window *w, struct stack_found *out)
{
	unsigned char super[SUPER];
	if (!stack_read(w, SUPER_AT, super, sizeof(super)) ||
	    af_get_le16(super + MAGIC_AT) != MAGIC)
		return false;
	const uint32_t log = af_get_le32(super + LOG_BLOCK_AT),
		       incompat = af_get_le32(super + INCOMPAT_AT);
	uint64_t blocks = af_get_le32(super + BLOCKS_AT);
	if (incompat & INCOMPAT_64BIT)
		blocks |= (uint64_t)af_get_le32(super + BLOCKS_HIGH_AT) << 32;
	if (log > LOG_LARGEST || blocks == 0 || (incompat & INCOMPAT_JOURNAL_DEV) ||
	    !adds_up(super))
		return false;
	af_stack_size(out, blocks, AF_KIB << log);
	return af_stack_add_inside(w, out, name_of(super), 0, AF_KIB << log);
}
