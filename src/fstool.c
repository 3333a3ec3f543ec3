/*
 * fstool.c - the programs that resize file systems and containers, one row each. Nothing is run here: the table has been
 * changed, or is not to be, and the person is told what is left to do.
 */
#include "afdisk/fstool.h"

#include <inttypes.h>
#include <string.h>

#define ANEW ": copy its files away, and make it anew"

/* In both, @ is the device; #K and #B are the size in KiB and in bytes. */
struct tool {
	const char *fs;
	const char *shrink; /* what is to be done before the partition is made smaller */
	const char *grow;   /* ... after it was made larger */
};

static const struct tool tool_table[] = {
	{ "ext4", "shrink it first: 'e2fsck -f @' and 'resize2fs @ #K'", "'resize2fs @'" },
	{ "ext3", "shrink it first: 'e2fsck -f @' and 'resize2fs @ #K'", "'resize2fs @'" },
	{ "ext2", "shrink it first: 'e2fsck -f @' and 'resize2fs @ #K'", "'resize2fs @'" },
	{ "ntfs", "shrink it first: 'ntfsresize --size #B @'", "'ntfsresize @'" },
	{ "btrfs", "shrink it first: 'btrfs filesystem resize #K MOUNTPOINT'",
	  "'btrfs filesystem resize max MOUNTPOINT'" },
	{ "xfs", "XFS cannot be shrunk" ANEW, "'xfs_growfs MOUNTPOINT'" },
	{ "f2fs", "F2FS cannot be shrunk" ANEW, "'resize.f2fs @'" },
	{ "vfat",
	  "'fatresize --size #B @' shrinks it, and the partition along with it: run it "
	  "instead",
	  "'fatresize' with the new size" },
	{ "exfat", "no program shrinks exFAT" ANEW, NULL },
	{ "ufs", "UFS cannot be shrunk" ANEW, "'growfs', on its own system," },
	{ "swap", "swap is made anew: 'swapoff @', and mkswap afterwards", "'mkswap @'" },
	{ "reiserfs", "shrink it first: 'resize_reiserfs -s #K @'", "'resize_reiserfs @'" },
	{ "jfs", "JFS cannot be shrunk" ANEW, "'mount -o remount,resize MOUNTPOINT'" },
	{ "nilfs2", "shrink it first: 'nilfs-resize @ #B'", "'nilfs-resize @'" },
	{ "LVM2_member", "shrink it first: 'pvresize --setphysicalvolumesize #Bb @'",
	  "'pvresize @'" },
	{ "crypto_LUKS", "shrink what is inside and 'cryptsetup resize' it first",
	  "'cryptsetup resize'" },
	{ "bcache", NULL, "opening it again" },
	{ "linux_raid_member",
	  "shrink the array first, 'mdadm --grow --size=...', then this member of it, the "
	  "file 'size' below /sys/block/md*/md",
	  "'mdadm --grow --size=max'" },
	{ "zfs_member", "ZFS cannot be shrunk", "'zpool online -e'" },
};

static const struct tool *tool_of(const char *fs)
{
	for (size_t i = 0; i < sizeof(tool_table) / sizeof(tool_table[0]); i++)
		if (strcmp(tool_table[i].fs, fs) == 0)
			return &tool_table[i];
	return NULL;
}

static void add_size(struct af_text *out, char unit, af_bytes size)
{
	if (unit == 'K')
		af_text_add(out, "%" PRId64 "K", size / AF_KIB);
	else
		af_text_add(out, "%" PRId64, size);
}

static void fill_in(const char *words, const char *maybe_dev, af_bytes size,
		    struct af_text *out)
{
	for (const char *c = words; *c; c++)
		if (*c == '@')
			af_text_add(out, "%s", maybe_dev ? maybe_dev : "PARTITION");
		else if (*c == '#')
			add_size(out, *++c, size);
		else
			af_text_put(out, c, 1);
}

void af_fstool_shrink(const char *fs, const char *maybe_dev, af_bytes size,
		      struct af_text *out)
{
	const struct tool *tool = tool_of(fs);
	if (tool && tool->shrink)
		fill_in(tool->shrink, maybe_dev, size, out);
}

void af_fstool_grow(const char *fs, const char *maybe_dev, struct af_text *out)
{
	const struct tool *tool = tool_of(fs);
	if (!tool || !tool->grow)
		return;
	fill_in(tool->grow, maybe_dev, 0, out);
	af_text_add(out, " makes it larger");
}
