/**
 * foreign.h - what the first bytes of a disk say that is no partition table of afdisk's: a file system on all of it, an ISO
 * image, an Apple partition map, a dynamic disk. Pure over bytes; a head is what a disk begins with, n bytes of it.
 */
#ifndef AFDISK_FOREIGN_H
#define AFDISK_FOREIGN_H
#include "afdisk/chain.h"
#include "afdisk/units.h"
#include <stddef.h>

#define AF_FOREIGN_HEAD (36 * AF_KIB) /* a head of this size is enough for all of them */

/** The kind of file system whose boot sector these 512 bytes are: "FAT", "NTFS", "exFAT", "BitLocker"; NULL if none.
 *  Source: the boot sectors of the FAT, NTFS and exFAT specifications; BitLocker writes "-FVE-FS-" for the name. */
const char *af_foreign_boot_sector(const unsigned char *sector);

/** How many bytes the file system of that boot sector covers by its own word, 0 if it does not say it, or says
 *  that it is in a partition (its field of hidden sectors is not 0). */
af_bytes af_foreign_boot_size(const unsigned char *sector);

/**
 * True if the FAT file system in part, of what read reads, has a directory EFI in its root, as an EFI System Partition has.
 * Looks at the first cluster of the root. False, too, if that cannot be found or read; whether it is FAT, others know.
 */
bool af_foreign_fat_has_efi(af_read_fn read, void *ctx, struct af_span part);

#define AF_FOREIGN_CONTENT 4096

/** What a partition holds that begins with these AF_FOREIGN_CONTENT bytes, if that can be said from them alone: a boot
 *  sector, "ext", "XFS", "LUKS", "LVM" or "swap"; else NULL. Source: linux/magic.h and the formats' own headers. */
const char *af_foreign_content(const unsigned char *p);

/** An ISO 9660 image, by its primary volume descriptor (ECMA-119, 8.4). */
struct af_foreign_iso {
	char label[33]; /* valid UTF-8; "" if it has none */
	af_bytes size;
};

#define AF_FOREIGN_ISO_AT 32769 /* the byte where its magic begins */

/** True if an ISO 9660 volume lies on the disk; *out is filled then. */
bool af_foreign_iso(const unsigned char *head, size_t n, struct af_foreign_iso *out);

/** The entries of the Apple partition map of the disk (Inside Macintosh: Devices, "Driver descriptor record"), 0 if
 *  there is none. *block gets the size of its blocks in bytes. */
uint32_t af_foreign_apm(const unsigned char *head, size_t n, uint32_t *block);

/** A dynamic disk's private header, as Linux reads it (block/partitions/ldm.c). */
struct af_foreign_ldm {
	struct af_span database; /* bytes, the header's sectors are of 512 */
};

/** The byte where the first private header lies on an MBR disk: sector 6. */
#define AF_FOREIGN_LDM_AT 3072

/** True if the bytes at p (512 of them) are a private header; *out is filled then. */
bool af_foreign_ldm(const unsigned char *p, struct af_foreign_ldm *out);
#endif
