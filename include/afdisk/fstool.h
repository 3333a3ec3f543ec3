/** fstool.h - which program makes a file system or container smaller or larger, in words for people. */
#ifndef AFDISK_FSTOOL_H
#define AFDISK_FSTOOL_H
#include "afdisk/text.h"

/** Appends how what libblkid calls fs, in partition dev ("/dev/sda1"; NULL: a part of an image), is made to fit into size
 *  bytes: "shrink it first with 'resize2fs /dev/sda1 204800K'", or that it cannot be. Nothing if that is not known. */
void af_fstool_shrink(const char *fs, const char *maybe_dev, af_bytes size,
		      struct af_text *out);

/** Appends the command that makes it as large as partition dev has become: "'resize2fs /dev/sda1' makes it larger". Nothing
 *  if that is not known. */
void af_fstool_grow(const char *fs, const char *maybe_dev, struct af_text *out);
#endif
