/*
 * dev - the only room that touches a device: whole reads and writes at byte positions, the claim for writing
 * (dev_claim.c), what makes bytes durable. It knows nothing of tables.
 *
 * An open device has a descriptor for reading all its life; a claim adds a second one for writing, so that
 * looking at a disk never wakes those who watch for a closed writer (udev), and never needs the right to write.
 */
#include "dev_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SECTOR_OF_FILE 512
#define PAGES          ((af_bytes)65536) /* a multiple of the pages of any cache */

/** True if the device was taken away: it has no bytes then. */
static bool is_gone(const struct file *f)
{
	uint64_t bytes = 1;
	int kept = errno;
	bool gone = f->is_block && ioctl(f->fd, BLKGETSIZE64, &bytes) == 0 && bytes == 0;

	errno = kept;
	return gone;
}

/** Adds what the person should know about an error number that says too little by itself. */
static const char *hint(const struct file *f, int sys)
{
	if (is_gone(f))
		return " (was it unplugged?)";
	switch (sys) {
	case EIO:
	case ENODATA:
	case EILSEQ:
	case EREMOTEIO:
		return " (a bad sector, a bad cable or a failing drive)";
	case ENXIO:
	case ENODEV:
		return " (was it unplugged?)";
	default:
		return "";
	}
}

static bool fail_at(struct af_err *err, int sys, const struct file *f, const char *verb,
		    af_bytes at)
{
	return af_fail_sys(err, sys, "cannot %s %s at byte %lld%s", verb, f->path,
			   (long long)at, hint(f, sys));
}

static bool file_read(void *self, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	const struct file *f = self;
	unsigned char *p = buf;

	while (n > 0) {
		ssize_t got = pread(f->fd, p, n, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail_at(err, errno, f, "read", at);
		if (got == 0 && f->is_block) /* all of it is gone */
			return fail_at(err, ENODEV, f, "read", at);
		if (got == 0)
			return af_fail(err, AF_E_IO,
				       "cannot read %s at byte %lld: it ends there now",
				       f->path, (long long)at);
		p += got;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

static bool file_write(void *self, af_bytes at, const void *buf, size_t n,
		       struct af_err *err)
{
	const struct file *f = self;
	const unsigned char *p = buf;

	while (n > 0) {
		size_t some = f->maybe_aligned && n > ALIGNED_SIZE ? ALIGNED_SIZE : n;
		const void *from = f->maybe_aligned ? memcpy(f->maybe_aligned, p, some) : p;
		ssize_t put = pwrite(f->claim, from, some, at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return fail_at(err, put < 0 ? errno : EIO, f, "write", at);
		p += put;
		at += put;
		n -= (size_t)put;
	}
	return true;
}

static bool file_flush(void *self, struct af_err *err)
{
	const struct file *f = self;

	if (fdatasync(f->claim) == 0)
		return true;
	return af_fail_sys(err, errno, "cannot make %s keep what was written to it%s",
			   f->path, hint(f, errno));
}

/* Of a file, only whole pages are dropped. */
static bool file_forget(void *self, af_bytes at, size_t n, struct af_err *err)
{
	const struct file *f = self;
	af_bytes first = at - at % PAGES, end = at + (af_bytes)n + PAGES;
	int sys;

	if (f->is_block && ioctl(f->fd, BLKFLSBUF, 0) == 0)
		return true;
	if (f->is_block && errno != EACCES && errno != EPERM)
		return af_fail_sys(err, errno, "cannot drop what is cached of %s%s",
				   f->path, hint(f, errno));
	sys = posix_fadvise(f->fd, first, end - end % PAGES - first, POSIX_FADV_DONTNEED);
	if (sys == 0)
		return true;
	return af_fail_sys(err, sys, "cannot drop what is cached of %s", f->path);
}

static void file_close(void *self)
{
	struct file *f = self;

	(void)close(f->fd);
	free(f);
}

const struct af_dev_ops af_dev_file_ops = {
	.read = file_read,
	.write = file_write,
	.flush = file_flush,
	.forget = file_forget,
	.close = file_close,
};

/** The name of the disk that the partition node belongs to, "" if it is not told; false if it is no partition. */
static bool disk_of_partition(dev_t node, char *name, size_t size)
{
	char path[128], target[PATH_MAX];
	ssize_t n;
	char *slash, *disk;

	(void)snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/partition", major(node),
		       minor(node));
	if (access(path, F_OK) != 0)
		return false;
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major(node),
		       minor(node));
	n = readlink(path, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	slash = strrchr(target, '/'); /* .../block/sda/sda1 */
	if (slash)
		*slash = '\0';
	disk = strrchr(target, '/');
	disk = slash && disk ? disk + 1 : target;
	for (char *c = disk; *c; c++)
		if (*c == '!') /* how sysfs writes the slash of cciss/c0d0 */
			*c = '/';
	(void)snprintf(name, size, "%.100s", disk);
	return true;
}

/** Refuses what is not a whole disk or an image, before anything is opened: opening can have effects. */
static bool check_kind(const char *path, const struct stat *st, struct af_err *err)
{
	char disk[128];

	if (S_ISREG(st->st_mode))
		return true;
	if (S_ISDIR(st->st_mode))
		return af_fail(
			err, AF_E_USAGE,
			"%s is a folder: name a disk, such as /dev/sda, or an image file",
			path);
	if (!S_ISBLK(st->st_mode))
		return af_fail(err, AF_E_USAGE,
			       "%s is neither a disk nor a file: name a disk, such as "
			       "/dev/sda, or an image file",
			       path);
	if (disk_of_partition(st->st_rdev, disk, sizeof(disk)))
		return af_fail(err, AF_E_USAGE, "%s is a partition: open the disk %s%s",
			       path, disk[0] ? "/dev/" : "that it is on", disk);
	return true;
}

bool af_dev_measure(int fd, bool is_block, const char *path, af_bytes *size,
		    uint32_t *sector_size, struct af_err *err)
{
	uint64_t bytes = 0;
	int sector = SECTOR_OF_FILE;
	struct stat st;

	if (is_block) {
		if (ioctl(fd, BLKGETSIZE64, &bytes) != 0 ||
		    ioctl(fd, BLKSSZGET, &sector) != 0)
			return af_fail_sys(err, errno, "cannot get the size of %s", path);
	} else {
		if (fstat(fd, &st) != 0)
			return af_fail_sys(err, errno, "cannot get the size of %s", path);
		bytes = (uint64_t)st.st_size; /* never negative for a regular file */
	}
	if (bytes > INT64_MAX || sector < 512)
		return af_fail(err, AF_E_IO,
			       "cannot use %s: the kernel gives it an odd size", path);
	*size = (af_bytes)bytes; /* checked above */
	*sector_size = (uint32_t)sector;
	return true;
}

int af_dev_open_same(const char *path, int flags, dev_t device, ino_t inode,
		     struct af_err *err)
{
	int fd = open(path, flags | O_CLOEXEC);
	struct stat st;
	int sys = errno;

	if (fd < 0 && sys == EBUSY) {
		(void)af_fail(err, AF_E_BUSY,
			      "%s is in use: unmount its partitions first (swap, LVM "
			      "and RAID count, too)",
			      path);
		return -1;
	}
	if (fd < 0) {
		bool write = (flags & O_ACCMODE) != O_RDONLY;
		bool rights = sys == EACCES || sys == EPERM || sys == EROFS;
		const char *why = write ? " (write-protected, or only root may: try sudo)"
					: " (only root may: try sudo)";

		(void)af_fail_sys(err, sys, "cannot open %s for %s%s", path,
				  write ? "writing" : "reading", rights ? why : "");
		return -1;
	}
	if (fstat(fd, &st) == 0 &&
	    (S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev) == device &&
	    (S_ISBLK(st.st_mode) || st.st_ino == inode))
		return fd;
	(void)close(fd);
	(void)af_fail(err, AF_E_STALE,
		      "%s is not the disk any more that it was: open it again", path);
	return -1;
}

static bool fail_small(const char *path, bool is_block, af_bytes size, struct af_err *err)
{
	if (is_block)
		return af_fail(err, AF_E_USAGE, "%s has no medium in it", path);
	if (size == 0)
		return af_fail(
			err, AF_E_USAGE,
			"%s is empty: give it a size first, as 'truncate -s 1G' does",
			path);
	return af_fail(err, AF_E_USAGE, "%s is too small to hold a table (%lld bytes)",
		       path, (long long)size);
}

bool af_dev_open(const char *path, struct af_dev *out, struct af_err *err)
{
	struct af_dev dev = { .ops = &af_dev_file_ops };
	struct file f = { .fd = -1, .claim = -1 };
	struct stat st;

	if (strlen(path) >= sizeof(f.path))
		return af_fail(err, AF_E_USAGE,
			       "cannot open %.60s...: the name is too long", path);
	if (stat(path, &st) != 0)
		return af_fail_sys(err, errno, "cannot open %s", path);
	if (!check_kind(path, &st, err))
		return false;
	(void)snprintf(f.path, sizeof(f.path), "%s", path);
	(void)snprintf(dev.path, sizeof(dev.path), "%s", path);
	f.is_block = S_ISBLK(st.st_mode);
	f.device = f.is_block ? st.st_rdev : st.st_dev;
	f.inode = st.st_ino;
	f.fd = af_dev_open_same(path, O_RDONLY, f.device, f.inode, err);
	if (f.fd < 0)
		return false;
	if (!af_dev_measure(f.fd, f.is_block, path, &f.size, &dev.sector_size, err))
		goto fail;
	if (f.size < SECTOR_OF_FILE) {
		(void)fail_small(path, f.is_block, f.size, err);
		goto fail;
	}
	(void)posix_fadvise(f.fd, 0, 0,
			    POSIX_FADV_RANDOM); /* a small read stays one small request */
	dev.self = malloc(sizeof(f));
	if (!dev.self) {
		(void)af_fail_sys(err, ENOMEM, "cannot open %s", path);
		goto fail;
	}
	memcpy(dev.self, &f, sizeof(f));
	dev.size = f.size - f.size % dev.sector_size;
	dev.is_file = !f.is_block;
	*out = dev;
	return true;
fail:
	(void)close(f.fd);
	return false;
}

void af_dev_close(struct af_dev *dev)
{
	if (dev->ops) {
		af_dev_unclaim(dev);
		dev->ops->close(dev->self);
	}
	memset(dev, 0, sizeof(*dev));
}

static bool on_device(const struct af_dev *dev, af_bytes at, size_t n)
{
	return at >= 0 && at <= dev->size && n <= (uint64_t)(dev->size - at);
}

bool af_dev_read(struct af_dev *dev, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	if (!on_device(dev, at, n))
		return af_fail(err, AF_E_RANGE,
			       "cannot read %zu bytes at byte %lld of %s: it has %lld", n,
			       (long long)at, dev->path, (long long)dev->size);
	dev->reads++;
	return dev->ops->read(dev->self, at, buf, n, err);
}

bool af_dev_write(struct af_dev *dev, af_bytes at, const void *buf, size_t n,
		  struct af_err *err)
{
	if (!dev->writable)
		return af_fail(err, AF_E_USAGE,
			       "cannot write to %s: it is open for reading only",
			       dev->path);
	if (!on_device(dev, at, n))
		return af_fail(err, AF_E_RANGE,
			       "cannot write %zu bytes at byte %lld of %s: it has %lld", n,
			       (long long)at, dev->path, (long long)dev->size);
	if (at % dev->sector_size != 0 || n % dev->sector_size != 0)
		return af_fail(err, AF_E_RANGE,
			       "cannot write %zu bytes at byte %lld of %s: these are "
			       "no whole sectors",
			       n, (long long)at, dev->path);
	dev->writes++;
	return dev->ops->write(dev->self, at, buf, n, err);
}

bool af_dev_flush(struct af_dev *dev, struct af_err *err)
{
	if (!dev->writable)
		return true; /* nothing of ours can be on its way */
	dev->flushes++;
	return dev->ops->flush(dev->self, err);
}

bool af_dev_forget(struct af_dev *dev, af_bytes at, size_t n, struct af_err *err)
{
	return dev->ops->forget(dev->self, at, n, err);
}

int af_dev_fd(const struct af_dev *dev)
{
	const struct file *f = dev->self;

	return dev->ops == &af_dev_file_ops ? f->fd : -1;
}

bool af_dev_is_hole(const struct af_dev *dev, struct af_span span)
{
	const int fd = dev->is_file ? af_dev_fd(dev) : -1;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || span.end > st.st_size)
		return false;
	const off_t data = lseek(fd, span.start, SEEK_DATA);

	return data >= span.end || (data < 0 && errno == ENXIO);
}
