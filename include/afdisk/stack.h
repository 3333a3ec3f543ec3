/** stack.h - what is stacked in a partition: where the data of a container or file system begins, and in what blocks. Read only. */
#ifndef AFDISK_STACK_H
#define AFDISK_STACK_H
#include "afdisk/chain.h"
#include "afdisk/facts.h"

/**
 * Follows the data in span, bytes of a disk with sectors of sector_size bytes, down to the last layer that can be read.
 * content->fs says what libblkid found there (its TYPE); content gets its layers, fs_size, bound_to_end and, if it has none, a
 * remark. A type that no reader knows has its data at byte 0, in
 * libblkid's blocks; without those it is left alone; one that is known but not to be believed gives a layer of kind
 * UNKNOWN. Never fails, never reads outside of span. The formats are named in the files of the readers.
 */
void af_stack_read(af_read_fn read, void *ctx, struct af_span span, uint32_t sector_size,
		   struct af_content *content);

/** The same where nobody was asked what is in span: by the readers' own magic numbers. Nothing recognised gives no layer. */
void af_stack_guess(af_read_fn read, void *ctx, struct af_span span, uint32_t sector_size,
		    struct af_content *content);

/** Letters and digits of LVM2's identifiers, which have hyphens only where people read them. */
#define AF_STACK_ID 32

/** Where in span, an LVM2 physical volume, the logical volume of that identifier (without hyphens) begins; false if it does not
 *  begin there, or is not made of whole pieces one behind the other. *offset counts from the start of span. */
bool af_stack_volume(af_read_fn read, void *ctx, struct af_span span, const char *id,
		     af_bytes *offset);
#endif
