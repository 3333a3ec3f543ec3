/** holders.h - who uses a disk: mounts, swap, what is built on it, loop devices, programs that hold it. */
#ifndef AFDISK_HOLDERS_H
#define AFDISK_HOLDERS_H
#include "afdisk/dev.h"
#include "afdisk/facts.h"

/**
 * Who uses dev and its partitions now, by name, also through layers: LVM on LUKS on a partition that is mounted. With ask a
 * disk that somebody holds without a name is found, too: it is opened exclusively, for a moment. Never fails: what cannot be
 * read is not used. The caller releases *out.
 */
void af_holders_read(const struct af_dev *dev, bool ask, struct af_uses *out);

/** A device that is built on another one. */
struct af_holder {
	uint64_t device; /* a dev_t */
	char name[64];   /* the kernel's: "dm-0" */
	char given[128]; /* what people call it: "vg0-root", else its name */
	char uuid[132];  /* of a mapping: "CRYPT-LUKS2-..."; "" if it has none */
	size_t slaves;   /* devices that it is made of */
	bool suspended;  /* a mapping that keeps whoever reads it waiting */
};

/** The devices that are built on device (a dev_t), by the tree sys, which is as /sys. Returns their number; *out is for the
 *  caller to free(). */
size_t af_holders_above(const char *sys, uint64_t device, struct af_holder **out);

/** Where to look: made-up ones for tests. Borrowed. */
struct af_holders_place {
	const char *sys, *proc; /* "/sys", "/proc" */
	uint64_t device;        /* the disk's dev_t */
	af_bytes size;
};

/** The same by what the kernel tells, nothing is opened exclusively. */
void af_holders_scan(const struct af_holders_place *place, struct af_uses *out);

/** What a person calls the layer in that folder of sysfs, whose name there is name: "LVM vg0-root", "LUKS secret", "RAID md0"; of
 *  anything else, that name. */
void af_holders_name(const char *folder, const char *name, char *buf, size_t size);
#endif
