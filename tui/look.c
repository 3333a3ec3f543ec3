/*
 * Letters and roles for what is inside partitions, by the names that libblkid gives. Colours go by family, so that eight
 * of them are enough; the letter tells more, and the table has the name itself.
 */
#include "look.h"

#include <string.h>

static const struct ui_look look_table[] = {
	{ "ext4", "ext2, ext3, ext4", "E", UI_ROLE_FS_EXT },
	{ "ext3", "", "E", UI_ROLE_FS_EXT },
	{ "ext2", "", "E", UI_ROLE_FS_EXT },
	{ "vfat", "FAT, exFAT", "F", UI_ROLE_FS_FAT },
	{ "exfat", "", "F", UI_ROLE_FS_FAT },
	{ "ntfs", "NTFS", "N", UI_ROLE_FS_NTFS },
	{ "ReFS", "ReFS", "W", UI_ROLE_FS_NTFS },
	{ "swap", "swap, and the image of a suspended system", "S", UI_ROLE_FS_SWAP },
	{ "swsuspend", "", "S", UI_ROLE_FS_SWAP },
	{ "xfs", "XFS", "X", UI_ROLE_FS_UNIX },
	{ "btrfs", "Btrfs", "B", UI_ROLE_FS_UNIX },
	{ "f2fs", "F2FS", "G", UI_ROLE_FS_UNIX },
	{ "bcachefs", "bcachefs", "P", UI_ROLE_FS_UNIX },
	{ "reiserfs", "ReiserFS, Reiser4", "R", UI_ROLE_FS_UNIX },
	{ "reiser4", "", "R", UI_ROLE_FS_UNIX },
	{ "jfs", "JFS", "J", UI_ROLE_FS_UNIX },
	{ "nilfs2", "NILFS2", "T", UI_ROLE_FS_UNIX },
	{ "ufs", "UFS", "U", UI_ROLE_FS_UNIX },
	{ "zfs_member", "ZFS", "Z", UI_ROLE_FS_UNIX },
	{ "hfsplus", "HFS, HFS+", "H", UI_ROLE_FS_UNIX },
	{ "hfs", "", "H", UI_ROLE_FS_UNIX },
	{ "apfs", "APFS", "A", UI_ROLE_FS_UNIX },
	{ "crypto_LUKS", "LUKS", "L", UI_ROLE_FS_CRYPT },
	{ "BitLocker", "BitLocker", "K", UI_ROLE_FS_CRYPT },
	{ "LVM2_member", "LVM", "V", UI_ROLE_FS_VOLUME },
	{ "LVM1_member", "", "V", UI_ROLE_FS_VOLUME },
	{ "linux_raid_member", "RAID", "M", UI_ROLE_FS_VOLUME },
	{ "bcache", "bcache", "C", UI_ROLE_FS_VOLUME },
	{ "disklabel", "a partition table of its own", "D", UI_ROLE_FS_VOLUME },
	{ "iso9660", "ISO 9660, UDF", "I", UI_ROLE_FS_OTHER },
	{ "udf", "", "I", UI_ROLE_FS_OTHER },
	{ "squashfs", "SquashFS, EROFS", "Q", UI_ROLE_FS_OTHER },
	{ "erofs", "", "Q", UI_ROLE_FS_OTHER },
};

#define LOOKS (sizeof(look_table) / sizeof(look_table[0]))

static const struct ui_look unknown_look = { "", "", "", UI_ROLE_PART };
static const struct ui_look unreadable_look = { "", "cannot be read", "?",
						UI_ROLE_FS_OTHER };
static const struct ui_look raid_look = { "", "", "M", UI_ROLE_FS_VOLUME };
static const struct ui_look other_look = {
	"", "something else; without a letter: nothing is recognised", "O", UI_ROLE_FS_OTHER
};

static const struct ui_look *look_of_name(const char *fs)
{
	static const char raid[] = "_raid_member";
	const size_t n = strlen(fs);
	for (size_t i = 0; i < LOOKS; i++)
		if (strcmp(look_table[i].fs, fs) == 0)
			return &look_table[i];
	if (n > strlen(raid) && strcmp(fs + n - strlen(raid), raid) == 0)
		return &raid_look;
	return &other_look;
}

const struct ui_look *ui_look_of(const struct af_content *maybe_content)
{
	if (!maybe_content)
		return &unknown_look;
	switch (maybe_content->state) {
	case AF_CONTENT_UNKNOWN:
	case AF_CONTENT_NONE:
		return &unknown_look;
	case AF_CONTENT_FOUND:
		return look_of_name(maybe_content->fs);
	case AF_CONTENT_UNREADABLE:
		break;
	}
	return &unreadable_look;
}

const struct ui_look *ui_look_row(size_t i)
{
	for (size_t at = 0; at < LOOKS; at++)
		if (look_table[at].for_people[0] && i-- == 0)
			return &look_table[at];
	const struct ui_look *const last[] = { &unreadable_look, &other_look };
	return i < 2 ? last[i] : NULL;
}
