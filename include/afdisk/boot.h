/** boot.h - what starts a disk, and what a file system knows of where it lies. Reads a few sectors, changes none. */
#ifndef AFDISK_BOOT_H
#define AFDISK_BOOT_H
#include "afdisk/chain.h"
#include "afdisk/facts.h"

/**
 * What the boot code of a disk with sectors of sector_size bytes does: whether it is GRUB's, and from where that loads the
 * rest of itself. Never fails: what cannot be read is not recognised. Source: GRUB 2, boot.S and diskboot.S.
 */
void af_boot_code_read(af_read_fn read, void *ctx, uint32_t sector_size,
		       struct af_boot_code *out);

/**
 * Fills in, of what is found in span, home (FAT, NTFS, exFAT: their boot sectors say where they begin) and, of an NTFS, closed. Never
 * fails, never reads outside of span. Source: the boot sectors of Microsoft's FAT, NTFS and exFAT specifications.
 */
void af_boot_inside(af_read_fn read, void *ctx, struct af_span span,
		    struct af_content *content);

/** Whether Windows has closed the NTFS in span, by the state of its log and its volume flags. Source: ntfs-3g, layout.h and
 *  logfile.h. */
enum af_closed af_boot_ntfs_closed(af_read_fn read, void *ctx, struct af_span span);
#endif
