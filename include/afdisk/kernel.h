/** kernel.h - the partitions that the kernel knows of a disk, and how it is told of a new table. */
#ifndef AFDISK_KERNEL_H
#define AFDISK_KERNEL_H
#include "afdisk/dev.h"
#include "afdisk/layout.h"

#define AF_KERNEL_NUMBERS 255 /* the highest that a partition can have in Linux */

/** One partition as the kernel has it. */
struct af_kernel_part {
	uint32_t number;
	struct af_span span; /* bytes; of an extended partition it shows two sectors */
	uint64_t device;     /* a dev_t */
	char name[64];       /* "sda1", as in /dev */
};

/** Sorted by number. Owns item[]. */
struct af_kernel_parts {
	struct af_kernel_part *item;
	size_t n;
};

/** One thing that the kernel is told: BLKPG of linux/blkpg.h. */
enum af_kernel_verb { AF_KERNEL_DELETE, AF_KERNEL_RESIZE, AF_KERNEL_ADD };

struct af_kernel_op {
	enum af_kernel_verb verb;
	uint32_t number;
	struct af_span span; /* to be; DELETE: as it was */
};

struct af_kernel_report {
	char told[200]; /* "added sda3, resized sda1"; "" if it knew everything */
	char missing
		[500]; /* "" or what it does not know, why, and what to do; a sentence */
};

/** The folder of sysfs that describes the device, such as "/sys/dev/block/8:0"; false, for an image. */
bool af_kernel_folder(const struct af_dev *dev, char *buf, size_t size);

/** The partitions in the folder of a disk; none if there is no such folder. The caller releases *out. */
void af_kernel_read(const char *folder, struct af_kernel_parts *out);

/** Frees item[]. */
void af_kernel_parts_release(struct af_kernel_parts *p);

/**
 * What the kernel has to be told so that it knows the table now, in an order in which nothing gets in the way of
 * anything; only what differs, and nothing of numbers that it does not have. Partitions inside of others, which it finds in a label of their own, are left alone. Returns
 * their number; *out is for the caller to free().
 */
size_t af_kernel_plan(const struct af_kernel_parts *known, const struct af_layout *now,
		      struct af_kernel_op **out);

/**
 * Tells the kernel what it does not know of table now, and looks whether it does, and whether the device nodes are
 * there. What is busy is tried again for some seconds. Never fails: report says what came of it. Nothing to do for an image.
 */
void af_kernel_update(struct af_dev *dev, const struct af_layout *now,
		      struct af_kernel_report *report);
#endif
