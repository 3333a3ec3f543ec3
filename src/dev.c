/*
 * dev - the only room that touches a device: whole reads and writes at byte positions, the claim for writing,
 * what makes bytes durable, and the kernel's own view of the table. It knows nothing of tables.
 *
 * An open device has a descriptor for reading all its life; a claim adds a second one for writing, so that
 * looking at a disk never wakes those who watch for a closed writer (udev), and never needs the right to write.
 */
#include "afdisk/dev.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define SECTOR_OF_FILE 512
#define TRIES          8 /* udev holds the lock of a disk, or one of its partitions, for moments */
#define PAUSE_MS       10 /* between two of them: at most 70 ms in all */

/** What af_dev.self points to. */
struct file {
	int fd;    /* for reading */
	int claim; /* for writing, or -1 */
	bool is_block;
	dev_t device; /* which one it is: a name can come to mean another */
	ino_t inode;
	af_bytes size; /* to the byte */
	char path[256];
};

static void pause_briefly(void)
{
	struct timespec t = { 0, PAUSE_MS * 1000000L };

	(void)nanosleep(&t, NULL);
}

/** Adds what the person should know about an error number that says too little by itself. */
static const char *hint(int sys)
{
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
			   (long long)at, hint(sys));
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
		ssize_t put = pwrite(f->claim, p, n, at);

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
			   f->path, hint(errno));
}

static bool file_forget(void *self, struct af_err *err)
{
	const struct file *f = self;
	int sys;

	if (f->is_block && ioctl(f->fd, BLKFLSBUF, 0) == 0)
		return true;
	if (f->is_block && errno != EACCES && errno != EPERM)
		return af_fail_sys(err, errno, "cannot drop what is cached of %s%s",
				   f->path, hint(errno));
	sys = posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED);
	if (sys == 0)
		return true;
	return af_fail_sys(err, sys, "cannot drop what is cached of %s", f->path);
}

static bool file_reread(void *self, struct af_err *err)
{
	const struct file *f = self;
	int fd = f->claim >= 0 ? f->claim : f->fd;
	int sys = 0;

	if (!f->is_block)
		return true;
	for (int i = 0; i < TRIES; i++) {
		if (i > 0)
			pause_briefly();
		if (ioctl(fd, BLKRRPART) == 0)
			return true;
		sys = errno;
		if (sys != EBUSY)
			break;
	}
	if (sys == EBUSY)
		return af_fail(err, AF_E_BUSY,
			       "the kernel keeps the old table of %s: a partition of "
			       "it is in use; unmount it and run 'partx -u %s', or "
			       "restart the machine",
			       f->path, f->path);
	if (sys == EINVAL)
		return af_fail(
			err, AF_E_IO,
			"the kernel makes no partitions on %s by itself: run 'partx -u %s'",
			f->path, f->path);
	return af_fail_sys(err, sys, "the kernel cannot read the new table of %s%s",
			   f->path, hint(sys));
}

static void file_close(void *self)
{
	struct file *f = self;

	if (f->claim >= 0)
		(void)close(f->claim);
	(void)close(f->fd);
	free(f);
}

static const struct af_dev_ops file_ops = {
	.read = file_read,
	.write = file_write,
	.flush = file_flush,
	.forget = file_forget,
	.reread = file_reread,
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

/** Size and logical sector size of an open descriptor. */
static bool measure(int fd, bool is_block, const char *path, af_bytes *size,
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

/** Opens path and makes sure that it still is what st described. Returns the descriptor, or -1 with err. */
static int open_same(const char *path, int flags, dev_t device, ino_t inode,
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
	struct af_dev dev = { .ops = &file_ops };
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
	f.fd = open_same(path, O_RDONLY, f.device, f.inode, err);
	if (f.fd < 0)
		return false;
	if (!measure(f.fd, f.is_block, path, &f.size, &dev.sector_size, err))
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

static bool lock(int fd, const struct file *f, struct af_err *err)
{
	int tries = f->is_block ? TRIES : 1;

	for (int i = 0; i < tries; i++) {
		if (i > 0)
			pause_briefly();
		if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
			if (lock_bytes(fd, f))
				return true;
			break;
		}
		if (errno != EWOULDBLOCK && errno != EINTR)
			return af_fail_sys(err, errno, "cannot lock %s", f->path);
	}
	return af_fail(err, AF_E_BUSY,
		       "%s is locked by another program: let it finish, or close it",
		       f->path);
}

bool af_dev_claim(struct af_dev *dev, struct af_err *err)
{
	struct file *f = dev->self;
	af_bytes size = 0;
	uint32_t sector_size = 0;
	int fd;

	if (dev->ops != &file_ops)
		dev->writable = true; /* nobody else can hold it */
	if (dev->writable)
		return true;
	fd = open_same(f->path, f->is_block ? O_RDWR | O_EXCL : O_RDWR, f->device, f->inode,
		       err);
	if (fd < 0)
		return false;
	if (!check_loop(f, err) || !lock(fd, f, err) ||
	    !measure(fd, f->is_block, f->path, &size, &sector_size, err))
		goto fail;
	if (size != f->size) {
		(void)af_fail(err, AF_E_STALE,
			      "%s had %lld bytes and has %lld now: open it again", f->path,
			      (long long)f->size, (long long)size);
		goto fail;
	}
	f->claim = fd;
	dev->writable = true;
	return true;
fail:
	(void)close(fd);
	return false;
}

void af_dev_unclaim(struct af_dev *dev)
{
	struct file *f = dev->self;

	if (dev->ops != &file_ops || f->claim < 0)
		return;
	(void)close(
		f->claim); /* releases the lock as well; written bytes were flushed or reported */
	f->claim = -1;
	dev->writable = false;
}

void af_dev_close(struct af_dev *dev)
{
	if (dev->ops)
		dev->ops->close(dev->self);
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

bool af_dev_forget(struct af_dev *dev, struct af_err *err)
{
	return dev->ops->forget(dev->self, err);
}

bool af_dev_reread(struct af_dev *dev, struct af_err *err)
{
	return dev->ops->reread(dev->self, err);
}

int af_dev_fd(const struct af_dev *dev)
{
	const struct file *f = dev->self;

	return dev->ops == &file_ops ? f->fd : -1;
}
