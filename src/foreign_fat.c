/*
 * foreign_fat.c - whether a FAT file system is used as an EFI System Partition: a directory EFI in its root. Knows where
 * the root begins, by Microsoft's FAT specification (fatgen103), and reads its first cluster only.
 */
#include <string.h>

#include "afdisk/foreign.h"
#include "chain_bytes.h"

#define ENTRY 32
#define READ_MAX                                                                           \
	4096 /* of the root: what a usual cluster has, and the first entries of any other */

static uint32_t get_le16(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

/* Where the root begins, in bytes of the file system; 0 if its boot sector makes no sense. */
static af_bytes root_at(const unsigned char *boot)
{
	const uint32_t sector = get_le16(boot + 11), cluster = boot[13];
	const uint32_t few = get_le16(boot + 22), many = af_get_le32(boot + 36);
	const uint32_t fat = few ? few : many;
	const bool is_fat32 = few == 0;
	uint32_t first = af_get_le32(boot + 44);

	if (sector < 512 || sector > 4096 || (sector & (sector - 1)) != 0 || cluster == 0 ||
	    fat == 0 || boot[16] == 0 || boot[16] > 2 || (is_fat32 && first < 2))
		return 0;
	first = is_fat32 ? first - 2 : 0;
	/* At most 2^16 + 2 * 2^32 + 2^40 sectors of 2^12 bytes. */
	return ((af_bytes)get_le16(boot + 14) + (af_bytes)boot[16] * fat +
		(af_bytes)first * cluster) *
	       sector;
}

static bool has_directory(const unsigned char *p, size_t n)
{
	enum { ATTRIBUTES = 11, DIRECTORY = 0x10, LONG_NAME = 0x0F };

	for (size_t at = 0; at + ENTRY <= n && p[at] != 0; at += ENTRY)
		if (memcmp(p + at, "EFI        ", 11) == 0 &&
		    p[at + ATTRIBUTES] != LONG_NAME &&
		    (p[at + ATTRIBUTES] & DIRECTORY) != 0)
			return true;
	return false;
}

bool af_foreign_fat_has_efi(af_read_fn read, void *ctx, struct af_span part)
{
	unsigned char boot[512], root[READ_MAX];
	af_bytes at, start;
	struct af_err err;

	if (af_span_size(part) < (af_bytes)sizeof boot ||
	    !read(ctx, part.start, boot, sizeof boot, &err))
		return false;
	at = root_at(boot);
	if (at == 0 || !af_add(part.start, at, &start) ||
	    start > part.end - (af_bytes)sizeof root)
		return false;
	return read(ctx, start, root, sizeof root, &err) &&
	       has_directory(root, sizeof root);
}
