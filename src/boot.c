/*
 * boot.c - what starts a disk. GRUB 2 for BIOS: its boot.img in the first sector holds the number of the sector where
 * diskboot.img lies, and that holds a list of the sectors that the rest of the core image takes. FAT, NTFS and exFAT: their
 * boot sectors hold the number of the sector at which they begin, which their own boot code goes by.
 */
#include "afdisk/boot.h"

#include <string.h>

#include "afdisk/foreign.h"
#include "chain_bytes.h"

#define SECTOR 512

/* GRUB 2, include/grub/i386/pc/boot.h: the fields of boot.img, and the list at the end of diskboot.img, which grows down. */
enum {
	KERNEL_AT = 0x5C,
	CODE_END = 440,
	LIST_AT = 0x1F4,
	LIST_LOWEST = 0x100,
	LIST_ENTRY = 12
};

/* True if text stands somewhere in the first n bytes at p. */
static bool has_text(const unsigned char *p, size_t n, const char *text)
{
	return memmem(p, n, text, strlen(text)) != NULL;
}

static bool sectors_span(uint64_t first, uint64_t n, uint32_t sector_size,
			 struct af_span *out)
{
	return n > 0 && first <= UINT64_MAX - n &&
	       af_lba_to_bytes((struct af_lba){ first }, sector_size, &out->start) &&
	       af_lba_to_bytes((struct af_lba){ first + n }, sector_size, &out->end);
}

/* The list's entries, as long as each goes on where the one before ended. */
static void follow_list(const unsigned char *p, uint32_t sector_size, struct af_span *core)
{
	for (unsigned at = LIST_AT; at >= LIST_LOWEST; at -= LIST_ENTRY) {
		struct af_span next;
		if (!sectors_span(af_get_le64(p + at), af_get_le16(p + at + 8), sector_size,
				  &next) ||
		    next.start != core->end)
			return;
		core->end = next.end;
	}
}

void af_boot_code_read(af_read_fn read, void *ctx, uint32_t sector_size,
		       struct af_boot_code *out)
{
	unsigned char p[SECTOR];
	struct af_span core;
	struct af_err ignored;
	*out = (struct af_boot_code){ .known = true };
	if (!read(ctx, 0, p, sizeof(p), &ignored) || p[510] != 0x55 || p[511] != 0xAA)
		return;
	out->is_grub = has_text(p, CODE_END, "GRUB ") && has_text(p, CODE_END, "Geom");
	if (!out->is_grub ||
	    !sectors_span(af_get_le64(p + KERNEL_AT), 1, sector_size, &core) ||
	    core.start == 0 || !read(ctx, core.start, p, sizeof(p), &ignored) ||
	    !has_text(p, sizeof(p), "loading") || !has_text(p, sizeof(p), "Geom"))
		return;
	follow_list(p, sector_size, &core);
	out->core = core;
}

/* The sector at which the file system of that boot sector says it begins, in its own sectors. */
static bool find_home(const unsigned char *boot, af_bytes *home)
{
	const char *kind = af_foreign_boot_sector(boot);
	const bool is_exfat = kind && strcmp(kind, "exFAT") == 0;
	uint32_t unit = af_get_le16(boot + 11);
	uint64_t hidden = af_get_le32(boot + 28);
	if (!kind || strcmp(kind, "BitLocker") == 0)
		return false;
	if (is_exfat) {
		unit = boot[108] <= 12 ? 1U << boot[108] : 0;
		hidden = af_get_le64(boot + 64);
	}
	return unit >= 512 && unit <= 4096 && (unit & (unit - 1)) == 0 &&
	       af_lba_to_bytes((struct af_lba){ hidden }, unit, home);
}

void af_boot_inside(af_read_fn read, void *ctx, struct af_span span,
		    struct af_content *content)
{
	unsigned char boot[SECTOR];
	struct af_err ignored;
	if (content->state != AF_CONTENT_FOUND || af_span_size(span) < SECTOR ||
	    !read(ctx, span.start, boot, sizeof(boot), &ignored) || boot[510] != 0x55 ||
	    boot[511] != 0xAA)
		return;
	content->has_home = find_home(boot, &content->home);
	if (strcmp(content->fs, "ntfs") == 0)
		content->closed = af_boot_ntfs_closed(read, ctx, span);
}
