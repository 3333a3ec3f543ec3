/** dev_priv.h - what the files of the dev room share. */
#ifndef AFDISK_DEV_PRIV_H
#define AFDISK_DEV_PRIV_H
#include <sys/types.h>

#include "afdisk/dev.h"

/** What af_dev.self points to. */
struct file {
	int fd;    /* for reading */
	int claim; /* for writing, or -1 */
	unsigned char
		*maybe_aligned; /* a buffer for writes past the cache; NULL: through it */
	bool is_block;
	dev_t device; /* which one it is: a name can come to mean another */
	ino_t inode;
	af_bytes size; /* to the byte */
	char path[256];
};

#define ALIGNED_SIZE (64 * AF_KIB) /* of that buffer */

/** The functions of a device over a file or block device. */
extern const struct af_dev_ops af_dev_file_ops;

/** Size and logical sector size (512 for a file) of an open descriptor. */
bool af_dev_measure(int fd, bool is_block, const char *path, af_bytes *size,
		    uint32_t *sector_size, struct af_err *err);

/** Opens path and makes sure that it still is what it was. Returns the descriptor, or -1 with err. */
int af_dev_open_same(const char *path, int flags, dev_t device, ino_t inode,
		     struct af_err *err);

/** A descriptor that hears of changed devices, if udev watches this one and will look at it anew when a writer closes it;
 *  else -1. */
int af_dev_udev_listen(dev_t device);

/** Waits, for some seconds at the most, until udev has noticed that a writer closed the device, whose lock keeps it from
 *  more. Closes the descriptor; -1 is fine. */
void af_dev_udev_notice(int listener, dev_t device);

/** Waits, for some seconds at the most, until udev has nothing to do. */
void af_dev_udev_settle(void);
#endif
