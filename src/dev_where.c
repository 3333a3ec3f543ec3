/*
 * dev_where.c - on which device a folder is kept: through file systems that are in memory or laid over another one,
 * partitions, device mapper, md and loop devices. A log of a write must not lie on the disk that is written, and a
 * person should know if it lies in memory. Reads sysfs and mountinfo; opens no device.
 */
#include "afdisk/dev.h"

#include <dirent.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#define SYS_BLOCK "/sys/dev/block"
#define LAYERS    16 /* that are looked through at the most */

int af_dev_entry(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool rests(const char *folder, dev_t upper, dev_t lower, int depth);

/** The number in a file such as "8:5"; false if there is none. */
static bool read_dev(const char *path, dev_t *out)
{
	char line[64] = "", *colon, *end;
	FILE *f = fopen(path, "re");

	if (!f)
		return false;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	(void)fclose(f);
	unsigned long first = strtoul(line, &colon, 10), second;

	if (*colon != ':' || first > UINT_MAX)
		return false;
	second = strtoul(colon + 1, &end, 10);
	if (end == colon + 1 || second > UINT_MAX)
		return false;
	*out = makedev((unsigned)first, (unsigned)second); /* checked above */
	return true;
}

/** True if one of the devices that this one is made of rests on lower. */
static bool slave_rests(const char *folder, const char *slaves, dev_t lower, int depth)
{
	struct dirent **entry = NULL;
	int n = scandir(slaves, &entry, af_dev_entry, alphasort);
	bool found = false;

	for (int i = 0; i < n; i++) {
		char path[PATH_MAX];
		dev_t slave;
		int len =
			snprintf(path, sizeof(path), "%s/%s/dev", slaves, entry[i]->d_name);

		found = found || (len < PATH_MAX && read_dev(path, &slave) &&
				  rests(folder, slave, lower, depth));
		free(entry[i]);
	}
	free(entry);
	return found;
}

/** The file behind a loop device. */
static bool stat_backing(const char *path, struct stat *st)
{
	char line[PATH_MAX] = "";
	FILE *f = fopen(path, "re");

	if (!f)
		return false;
	if (fgets(line, sizeof(line), f))
		line[strcspn(line, "\n")] = '\0';
	(void)fclose(f);
	return stat(line, st) == 0;
}

static bool rests(const char *folder, dev_t upper, dev_t lower, int depth)
{
	char own[PATH_MAX], path[PATH_MAX + 32];
	struct stat st;
	dev_t whole;

	if (upper == lower)
		return true;
	(void)snprintf(path, sizeof(path), "%s/%u:%u", folder, major(upper), minor(upper));
	if (depth <= 0 || !realpath(path, own))
		return false;
	(void)snprintf(path, sizeof(path), "%s/partition", own);
	if (stat(path, &st) == 0) {
		(void)snprintf(path, sizeof(path), "%s/../dev", own);
		return read_dev(path, &whole) && rests(folder, whole, lower, depth - 1);
	}
	(void)snprintf(path, sizeof(path), "%s/loop/backing_file", own);
	if (stat_backing(path, &st))
		return rests(folder, S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev, lower,
			     depth - 1);
	(void)snprintf(path, sizeof(path), "%s/slaves", own);
	return slave_rests(folder, path, lower, depth - 1);
}

bool af_dev_rests_on(const char *folder, uint64_t upper, uint64_t lower)
{
	return rests(folder, upper, lower, LAYERS);
}

/** The word behind name= in the comma-separated options; false if it is not there or does not fit. */
static bool option(const char *options, const char *name, char *out, size_t size)
{
	const char *at = strstr(options, name);
	size_t n;

	if (!at)
		return false;
	at += strlen(name);
	n = strcspn(at, ", \n");
	if (n == 0 || n >= size)
		return false;
	memcpy(out, at, n);
	out[n] = '\0';
	return true;
}

/** What the table of mounts says of the file system with that number: its source, or its upper folder. */
static bool mount_says(dev_t dev, const char *maybe_option, char *out, size_t size)
{
	char line[4096], number[32];
	bool found = false;
	FILE *f = fopen("/proc/self/mountinfo", "re");

	if (!f)
		return false;
	(void)snprintf(number, sizeof(number), "%u:%u", major(dev), minor(dev));
	while (!found && fgets(line, sizeof(line), f)) {
		char own[32], source[PATH_MAX];
		const char *tail = strstr(line, " - ");

		if (!tail || sscanf(line, "%*s %*s %31s", own) != 1 ||
		    strcmp(own, number) != 0)
			continue;
		if (maybe_option)
			found = option(tail, maybe_option, out, size);
		else if (sscanf(tail, " - %*s %4095s", source) == 1)
			found = snprintf(out, size, "%s", source) < (int)size;
	}
	(void)fclose(f);
	return found;
}

/** The block device that a file system is on; one that has no number of its own (btrfs) is named in the table. */
static dev_t device_of(const struct stat *st)
{
	char source[PATH_MAX];
	struct stat node;

	if (major(st->st_dev) == 0 &&
	    mount_says(st->st_dev, NULL, source, sizeof(source)) &&
	    stat(source, &node) == 0 && S_ISBLK(node.st_mode))
		return node.st_rdev;
	return st->st_dev;
}

/** True if the file system on device is inside the image: a loop device shows it. */
static bool in_image(dev_t device, const struct stat *image)
{
	for (unsigned minor_number = 0; minor_number < 256; minor_number++) {
		char path[128];
		struct stat st;

		(void)snprintf(path, sizeof(path), SYS_BLOCK "/7:%u/loop/backing_file",
			       minor_number);
		if (stat_backing(path, &st) && st.st_dev == image->st_dev &&
		    st.st_ino == image->st_ino)
			return rests(SYS_BLOCK, device, makedev(7, minor_number), LAYERS);
	}
	return false;
}

static enum af_where where(const struct af_dev *dev, const char *path, int depth)
{
	struct stat at, own;
	struct statfs fs;

	if (stat(path, &at) != 0 || statfs(path, &fs) != 0 || stat(dev->path, &own) != 0)
		return AF_WHERE_ELSEWHERE;
	if (S_ISREG(own.st_mode) && own.st_dev == at.st_dev)
		return AF_WHERE_ELSEWHERE; /* what takes the log takes the image, too */
	if (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC)
		return AF_WHERE_RAM;
	if (fs.f_type == OVERLAYFS_SUPER_MAGIC) {
		char upper[PATH_MAX];

		if (depth > 0 && mount_says(at.st_dev, "upperdir=", upper, sizeof(upper)) &&
		    stat(upper, &at) == 0)
			return where(dev, upper, depth - 1);
		return AF_WHERE_RAM; /* as live systems have it */
	}
	if (S_ISBLK(own.st_mode))
		return rests(SYS_BLOCK, device_of(&at), own.st_rdev, LAYERS)
			       ? AF_WHERE_SAME
			       : AF_WHERE_ELSEWHERE;
	return in_image(device_of(&at), &own) ? AF_WHERE_SAME : AF_WHERE_ELSEWHERE;
}

enum af_where af_dev_where(const struct af_dev *dev, const char *path)
{
	return where(dev, path, LAYERS);
}
