/** above.h - what lies in the devices that the kernel has built on a partition: LUKS that is open, logical volumes, arrays. */
#ifndef AFDISK_ABOVE_H
#define AFDISK_ABOVE_H
#include "afdisk/dev.h"
#include "afdisk/facts.h"

/** Where to look: made-up ones for tests. Borrowed. */
struct af_above_place {
	const char *sys, *nodes; /* "/sys", "/dev" */
	uint64_t device;         /* of the partition, a dev_t */
};

/**
 * Follows what is in span of dev, as content has it, into the devices that are built on it, and adds their layers to content, with
 * offsets from the start of span: LVM in an open LUKS, a file system in a logical volume. What cannot be read, is
 * made of pieces of several devices or mapped in a way that no header tells is a layer of kind UNKNOWN. A device
 * without anything in it adds nothing. Only reads, never fails.
 */
void af_above_read(const struct af_above_place *place, struct af_dev *dev,
		   struct af_span span, struct af_content *content);
#endif
