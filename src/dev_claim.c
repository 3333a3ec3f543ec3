/*
 * dev_claim.c - the right to write: to a block device alone where nobody else uses it, else beside those who do; to an image
 * under a lock, and only if no loop device shows it. A disk's lock is flock on the whole disk, as udev expects it.
 *
 * Writes to a disk go past the cache: through it, a sector would be written together with its neighbours, which may
 * belong to a mounted partition and have changed since they were read.
 */
#include "dev_priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_MS                                                                            \
	3000 /* udev holds the lock of a disk, or of one of its partitions, for moments */

/** True if the loop device of that folder in sysfs shows the file. */
static bool shows(const char *folder, const char *loop, const struct stat *file)
{
	char name[PATH_MAX], backing[PATH_MAX] = "";
	struct stat st;
	FILE *f = NULL;

	if (snprintf(name, sizeof(name), "%s/%s/loop/backing_file", folder, loop) <
	    (int)sizeof(name))
		f = fopen(name, "re");
	if (!f)
		return false;
	if (fgets(backing, sizeof(backing), f))
		backing[strcspn(backing, "\n")] = '\0';
	(void)fclose(f);
	return stat(backing, &st) == 0 && st.st_dev == file->st_dev &&
	       st.st_ino == file->st_ino;
}

static int is_loop(const struct dirent *entry)
{
	return strncmp(entry->d_name, "loop", 4) == 0;
}

bool af_dev_find_loop(const char *folder, const char *path, char *name, size_t size)
{
	struct dirent **entry = NULL;
	struct stat file;
	bool found = false;
	int n = stat(path, &file) == 0 ? scandir(folder, &entry, is_loop, alphasort) : 0;

	for (int i = 0; i < n; i++) {
		if (!found && shows(folder, entry[i]->d_name, &file)) {
			found = true;
			(void)snprintf(name, size, "%s", entry[i]->d_name);
		}
		free(entry[i]);
	}
	free(entry);
	return found;
}

/** Writing to an image behind the back of its loop device could hit a mounted file system. */
static bool check_loop(const struct file *f, struct af_err *err)
{
	char name[32];

	if (f->is_block || !af_dev_find_loop("/sys/block", f->path, name, sizeof(name)))
		return true;
	return af_fail(
		err, AF_E_BUSY,
		"%s is in use as /dev/%s: write to that, or run 'losetup -d /dev/%s' "
		"first",
		f->path, name, name);
}

/** True unless somebody locks bytes of an image, as a virtual machine does with its disk. */
static bool lock_bytes(int fd, const struct file *f)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return f->is_block || fcntl(fd, F_OFD_SETLK, &all) == 0 ||
	       (errno != EAGAIN && errno != EACCES);
}

/** The lock of an image is on the descriptor for writing, as some network file systems want it. */
static int lock_fd(const struct file *f, int fd)
{
	return f->is_block ? f->fd : fd;
}

static bool lock(int fd, const struct file *f, struct af_err *err)
{
	struct timespec end = af_dev_in(f->is_block ? LOCK_MS : 0);

	do {
		if (flock(lock_fd(f, fd), LOCK_EX | LOCK_NB) == 0) {
			if (lock_bytes(fd, f))
				return true;
			break;
		}
		if (errno != EWOULDBLOCK && errno != EINTR)
			return af_fail_sys(err, errno, "cannot lock %s", f->path);
	} while (af_dev_wait(end));
	return af_fail(err, AF_E_BUSY,
		       "%s is locked by another program: let it finish, or close it",
		       f->path);
}

/** Opens it for writing: an image; a disk, past the cache where that can be. -1 with err. */
static int open_for_writing(const struct file *f, int flags, struct af_err *err)
{
	int fd;

	if (!f->is_block)
		return af_dev_open_same(f->path, O_RDWR, f->device, f->inode, err);
	fd = af_dev_open_same(f->path, O_RDWR | O_DIRECT | flags, f->device, f->inode, err);
	if (fd < 0 && err->sys == EINVAL)
		fd = af_dev_open_same(f->path, O_RDWR | flags, f->device, f->inode, err);
	return fd;
}

/** Memory that the device can take data from; NULL if it is written through the cache. */
static unsigned char *buffer_for(int fd)
{
	void *buf = NULL;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || !(flags & O_DIRECT) ||
	    posix_memalign(&buf, 4096, (size_t)ALIGNED_SIZE) != 0)
		return NULL;
	return buf;
}

/** Whatever udev does when a writer closes the disk, it does before the disk is given away. */
static void close_claim(const struct file *f, int fd)
{
	int listener = f->is_block ? af_dev_udev_listen(f->device) : -1;

	(void)close(fd); /* what was written was flushed, or that was reported */
	af_dev_udev_notice(listener, f->device);
	(void)flock(f->fd, LOCK_UN);
	if (listener >= 0)
		af_dev_udev_settle();
}

/** Makes fd, which is locked, the claim, if the device still is what it was. */
static bool take(struct af_dev *dev, int fd, struct af_err *err)
{
	struct file *f = dev->self;
	af_bytes size = 0;
	uint32_t sector_size = 0;

	if (!af_dev_measure(fd, f->is_block, f->path, &size, &sector_size, err))
		return false;
	if (size != f->size)
		return af_fail(err, AF_E_STALE,
			       "%s had %lld bytes and has %lld now: open it again", f->path,
			       (long long)f->size, (long long)size);
	f->claim = fd;
	f->maybe_aligned = buffer_for(fd);
	dev->writable = true;
	return true;
}

/** Whoever held the device before may have gone while its lock was waited for. */
static void try_alone(struct af_dev *dev)
{
	struct file *f = dev->self;
	struct af_err ignored;
	int fd = dev->exclusive ? -1 : open_for_writing(f, O_EXCL, &ignored);

	if (fd < 0)
		return;
	(void)close(f->claim);
	f->claim = fd;
	dev->exclusive = true;
}

static bool claim(struct af_dev *dev, bool shared, struct af_err *err)
{
	struct file *f = dev->self;
	int fd;

	if (dev->ops != &af_dev_file_ops)
		dev->writable = dev->exclusive = true; /* nobody else can hold it */
	if (dev->writable)
		return true;
	fd = open_for_writing(f, O_EXCL, err);
	dev->exclusive = fd >= 0;
	if (fd < 0 && shared && err->code == AF_E_BUSY)
		fd = open_for_writing(f, 0, err);
	if (fd >= 0 && check_loop(f, err) && lock(fd, f, err)) {
		if (take(dev, fd, err)) {
			try_alone(dev);
			return true;
		}
		close_claim(f, fd);
	} else if (fd >= 0) {
		(void)close(fd); /* without the lock there is nothing to wait for */
	}
	dev->exclusive = false;
	return false;
}

bool af_dev_claim(struct af_dev *dev, struct af_err *err)
{
	return claim(dev, false, err);
}

bool af_dev_claim_shared(struct af_dev *dev, struct af_err *err)
{
	return claim(dev, true, err);
}

void af_dev_unclaim(struct af_dev *dev)
{
	struct file *f = dev->self;

	if (dev->ops != &af_dev_file_ops || f->claim < 0)
		return;
	close_claim(f, f->claim);
	free(f->maybe_aligned);
	f->maybe_aligned = NULL;
	f->claim = -1;
	dev->writable = dev->exclusive = false;
}

void af_dev_outwait(struct af_dev *dev)
{
	const struct file *f = dev->self;
	struct timespec end = af_dev_in(LOCK_MS);

	if (dev->ops != &af_dev_file_ops || dev->writable)
		return;
	while (flock(f->fd, LOCK_SH | LOCK_NB) != 0)
		if ((errno != EWOULDBLOCK && errno != EINTR) || !af_dev_wait(end))
			return;
	(void)flock(f->fd, LOCK_UN);
}
