/** dev.h - a device as a record of functions; the one over a file or block device. */
#ifndef AFDISK_DEV_H
#define AFDISK_DEV_H
#include "afdisk/err.h"
#include "afdisk/units.h"
#include <dirent.h>
#include <stddef.h>
#include <time.h>

/** What a device can do. Each returns false with err on failure; reads and writes are whole or failed. */
struct af_dev_ops {
	bool (*read)(void *self, af_bytes at, void *buf, size_t n, struct af_err *err);
	bool (*write)(void *self, af_bytes at, const void *buf, size_t n,
		      struct af_err *err);
	bool (*flush)(void *self,
		      struct af_err *err); /* all written bytes are on the medium */
	bool (*forget)(
		void *self, af_bytes at, size_t n,
		struct af_err *err); /* reads there come from the medium, not a cache */
	void (*close)(void *self);
};

struct af_dev {
	const struct af_dev_ops *ops;
	void *self;
	af_bytes size;
	uint32_t sector_size; /* logical, bytes; set by whoever knows it */
	bool is_file, writable;
	bool exclusive; /* writable, and nobody else can mount or open it for themselves */
	char path[256];
	char model[64], serial[64];      /* "" if unknown; set by whoever knows them */
	uint64_t reads, writes, flushes; /* requests so far */
};

/** Opens a regular file or block device read-only; size and sector size (512 for a file) are filled in. Fails with
 *  AF_E_IO, or AF_E_USAGE if it is neither kind, or a partition rather than a disk. */
bool af_dev_open(const char *path, struct af_dev *out, struct af_err *err)
	__attribute__((warn_unused_result));

enum af_where {
	AF_WHERE_ELSEWHERE, /* on another disk; of an image: also on the file system that it is a file of */
	AF_WHERE_RAM,  /* in memory: a power cut empties it */
	AF_WHERE_SAME, /* on this device itself, however many layers are between */
};

/** Where the file or folder path, which is there, is kept as seen from dev. What cannot be found out is elsewhere. */
enum af_where af_dev_where(const struct af_dev *dev, const char *path);

/** True if block device upper rests on lower by the folder of all block devices, /sys/dev/block: it is a partition of
 *  it, a layer over it, or a loop device over a file on it. */
bool af_dev_rests_on(const char *folder, uint64_t upper, uint64_t lower);

/** Makes an open device writable: a block device exclusively (AF_E_BUSY if a mount or another program holds it), an
 *  image under a lock and only if no loop device shows it. The size must be what it was (AF_E_STALE). */
bool af_dev_claim(struct af_dev *dev, struct af_err *err)
	__attribute__((warn_unused_result));

/** The same, but a block device that others hold becomes writable, too, and is not exclusive then: it is for the
 *  caller to leave alone what they use. */
bool af_dev_claim_shared(struct af_dev *dev, struct af_err *err)
	__attribute__((warn_unused_result));

/** Waits until no other program has the lock to write to the device, which is not claimed; for some seconds at the most. */
void af_dev_outwait(struct af_dev *dev);

/** True if a loop device among those in folder, which is as /sys/block, shows the file path; its name goes to name. */
bool af_dev_find_loop(const char *folder, const char *path, char *name, size_t size);

/** Gives the claim up again; the device can still be read. Waits until udev, where it is, has taken notice: the
 *  device nodes stay as they are then. */
void af_dev_unclaim(struct af_dev *dev);

/** Closes it; dev is all zeros afterwards. */
void af_dev_close(struct af_dev *dev);

/** Reads n bytes at byte at, all of which must lie on the device (AF_E_RANGE). */
bool af_dev_read(struct af_dev *dev, af_bytes at, void *buf, size_t n, struct af_err *err)
	__attribute__((warn_unused_result));

/** Writes n bytes at byte at; both on sector lines. Not durable before af_dev_flush(). */
bool af_dev_write(struct af_dev *dev, af_bytes at, const void *buf, size_t n,
		  struct af_err *err) __attribute__((warn_unused_result));

/** Makes everything written so far durable. */
bool af_dev_flush(struct af_dev *dev, struct af_err *err)
	__attribute__((warn_unused_result));

/** Drops what is cached of n bytes at byte at, or more, so that the next read of them sees the medium. */
bool af_dev_forget(struct af_dev *dev, af_bytes at, size_t n, struct af_err *err)
	__attribute__((warn_unused_result));

/** A filter for scandir(): true but for names that begin with a dot. */
int af_dev_entry(const struct dirent *entry);

/** A moment so many milliseconds from now, for af_dev_wait(). */
struct timespec af_dev_in(long ms);

/** Waits for some milliseconds; false at once if the moment has passed. */
bool af_dev_wait(struct timespec until);

/** True if a file has a hole all over span, which reads as zeros; false for everything else, and where nobody says. */
bool af_dev_is_hole(const struct af_dev *dev, struct af_span span);

/** The descriptor behind a file or block device, for libraries that read by themselves; -1 for any other device. Borrowed. */
int af_dev_fd(const struct af_dev *dev);
#endif
