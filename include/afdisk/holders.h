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
