/*
 * topo - what is known about the sectors under a table: the kernel's ioctls, then its sysfs folder, then the
 * user's overrides, each with its source. What the kernel says is taken as said; only what cannot be true of any
 * drive (a physical sector that is no multiple of the logical one) is replaced by the usual value.
 * For an image nothing is known: 512-byte sectors on 4096-byte physical ones are assumed, as drives are built now.
 */
#include "afdisk/topo.h"

#include <ctype.h>
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

#include "afdisk/align.h"
#include "afdisk/text.h"
#include "topo_priv.h"

#define USUAL_PHYSICAL 4096
#define LARGEST_SANE   AF_MIB /* a physical sector; anything above is a mistake of a bridge */

/** The first line of folder/file without blanks around it; false if there is none. */
static bool read_line(const char *folder, const char *file, char *buf, int size)
{
	char path[PATH_MAX];
	char *p;
	size_t n;
	FILE *f;
	int len = snprintf(path, sizeof(path), "%s/%s", folder, file);

	if (len < 0 || (size_t)len >= sizeof(path))
		return false;
	f = fopen(path, "re");
	if (!f)
		return false;
	p = fgets(buf, size, f);
	(void)fclose(f);
	if (!p)
		return false;
	while (isspace((unsigned char)*p))
		p++;
	n = strlen(p);
	while (n > 0 && isspace((unsigned char)p[n - 1]))
		n--;
	memmove(buf, p, n);
	buf[n] = '\0';
	return n > 0;
}

static bool read_number(const char *folder, const char *file, int64_t *out)
{
	char line[64], *end;
	long long value;

	if (!read_line(folder, file, line, sizeof(line)))
		return false;
	errno = 0;
	value = strtoll(line, &end, 10);
	if (errno != 0 || *end != '\0')
		return false;
	*out = value;
	return true;
}

static void read_text(const char *folder, const char *file, char *out, size_t size)
{
	char line[256];

	if (read_line(folder, file, line, sizeof(line)))
		af_text_clean(line, out, size);
}

/** Puts the vendor before the model, unless it says nothing ("ATA" for every SATA disk). */
static void read_model(const char *folder, struct af_topo *t)
{
	char vendor[64] = "", model[64] = "";

	read_text(folder, "device/vendor", vendor, sizeof(vendor));
	read_text(folder, "device/model", model, sizeof(model));
	if (strcmp(vendor, "ATA") == 0 || strncmp(vendor, "0x", 2) == 0)
		vendor[0] = '\0';
	if (vendor[0])
		(void)snprintf(t->model, sizeof(t->model), "%.20s %.40s", vendor, model);
	else if (model[0])
		(void)snprintf(t->model, sizeof(t->model), "%s", model);
}

static bool is_numbered(const char *part, const char *name)
{
	size_t n = strlen(name);

	return strncmp(part, name, n) == 0 && isdigit((unsigned char)part[n]);
}

/** The bus by the folders that the kernel hangs the device under: ".../usb1/1-4/.../block/sdb". */
static void guess_transport(const char *folder, struct af_topo *t)
{
	static const char *const bus[] = { "usb", "ata", "nvme", "mmc", "virtio" };
	char path[PATH_MAX];

	if (!realpath(folder, path))
		return;
	for (size_t i = 0; i < sizeof(bus) / sizeof(bus[0]); i++)
		for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/'))
			if (is_numbered(p + 1, bus[i])) {
				(void)snprintf(t->transport, sizeof(t->transport), "%s",
					       bus[i]);
				return;
			}
}

static void set_offset(struct af_topo *t, int64_t offset)
{
	t->offset_unknown = offset < 0;
	t->alignment_offset = offset < 0 ? 0 : offset;
	t->offset_source = offset < 0 ? AF_SOURCE_ASSUMED : AF_SOURCE_DEVICE;
}

/** Judges by what the model is known to be, where the drive says less. */
static void apply_quirk(struct af_topo *t)
{
	af_bytes known = af_topo_quirk(t->model);

	if (known > t->physical) {
		t->physical = known;
		t->physical_source = AF_SOURCE_QUIRK;
	}
}

void af_topo_sysfs(const char *folder, struct af_topo *out)
{
	int64_t n;

	if (read_number(folder, "queue/logical_block_size", &n) && n >= 512 && n <= 65536) {
		out->sector_size = (uint32_t)n; /* in range */
		out->sector_source = AF_SOURCE_DEVICE;
	}
	if (read_number(folder, "queue/physical_block_size", &n) && n > 0) {
		out->physical = out->reported_physical = n;
		out->physical_source = AF_SOURCE_DEVICE;
	}
	if (read_number(folder, "queue/minimum_io_size", &n) && n >= 0)
		out->minimum_io = n;
	if (read_number(folder, "queue/optimal_io_size", &n) && n >= 0)
		out->optimal_io = n;
	if (read_number(folder, "alignment_offset", &n))
		set_offset(out, n);
	if (read_number(folder, "size", &n) && n >= 0)
		(void)af_s512_to_bytes((struct af_s512){ (uint64_t)n }, &out->size);
	if (read_number(folder, "removable", &n))
		out->removable = n != 0;
	if (read_number(folder, "ro", &n))
		out->read_only = n != 0;
	read_model(folder, out);
	apply_quirk(out);
	read_text(folder, "device/serial", out->serial, sizeof(out->serial));
	read_text(folder, "serial", out->serial, sizeof(out->serial)); /* virtio */
	guess_transport(folder, out);
}

static void read_ioctls(int fd, struct af_topo *t)
{
	unsigned physical = 0, minimum = 0, optimal = 0;
	int offset = 0, read_only = 0;

	if (ioctl(fd, BLKPBSZGET, &physical) == 0 && physical > 0) {
		t->physical = t->reported_physical = physical;
		t->physical_source = AF_SOURCE_DEVICE;
	}
	if (ioctl(fd, BLKIOMIN, &minimum) == 0)
		t->minimum_io = minimum;
	if (ioctl(fd, BLKIOOPT, &optimal) == 0)
		t->optimal_io = optimal;
	if (ioctl(fd, BLKALIGNOFF, &offset) == 0)
		set_offset(t, offset);
	if (ioctl(fd, BLKROGET, &read_only) == 0)
		t->read_only = read_only != 0;
}

static void read_device(const struct af_dev *dev, struct af_topo *t)
{
	struct stat st;
	int fd = af_dev_fd(dev);

	t->sector_source = AF_SOURCE_DEVICE;
	read_ioctls(fd, t);
	if (fstat(fd, &st) == 0) {
		char folder[64];

		(void)snprintf(folder, sizeof(folder), "/sys/dev/block/%u:%u",
			       major(st.st_rdev), minor(st.st_rdev));
		af_topo_sysfs(folder, t);
	}
	t->size = dev->size; /* the open descriptor's word */
	t->sector_size = dev->sector_size;
}

/** Replaces a physical sector that no drive can have. */
static void make_sane(struct af_topo *t)
{
	if (t->physical < t->sector_size || t->physical > LARGEST_SANE ||
	    t->physical % t->sector_size != 0) {
		t->physical =
			t->sector_size > USUAL_PHYSICAL ? t->sector_size : USUAL_PHYSICAL;
		t->physical_source = AF_SOURCE_ASSUMED;
	}
	if (t->alignment_offset % t->sector_size != 0)
		set_offset(t, -1);
}

static bool is_sector_size(af_bytes n)
{
	return n == 512 || n == 1024 || n == 2048 || n == 4096;
}

static bool override_sector(const struct af_overrides *o, struct af_topo *t,
			    struct af_err *err)
{
	if (!o->has_sector_size)
		return true;
	if (!t->is_file)
		return af_fail(err, AF_E_USAGE,
			       "a sector size can be given for an image only: a "
			       "device knows its own");
	if (!is_sector_size(o->sector_size))
		return af_fail(err, AF_E_USAGE,
			       "a sector size of %lld bytes cannot be: give 512, "
			       "1024, 2048 or 4096",
			       (long long)o->sector_size);
	t->sector_size = (uint32_t)o->sector_size; /* one of four */
	t->sector_source = AF_SOURCE_USER;
	if (t->physical < o->sector_size)
		t->physical = o->sector_size;
	return true;
}

static bool override_physical(const struct af_overrides *o, struct af_topo *t,
			      struct af_err *err)
{
	if (!o->has_physical)
		return true;
	if (o->physical <= 0 || o->physical % t->sector_size != 0)
		return af_fail(err, AF_E_USAGE,
			       "a physical sector of %lld bytes cannot be: it must be "
			       "a multiple of the sector size, %u",
			       (long long)o->physical, t->sector_size);
	t->physical = o->physical;
	t->physical_source = AF_SOURCE_USER;
	return true;
}

static bool override_offset(const struct af_overrides *o, struct af_topo *t,
			    struct af_err *err)
{
	if (!o->has_alignment_offset)
		return true;
	if (o->alignment_offset < 0 || o->alignment_offset >= t->physical)
		return af_fail(err, AF_E_USAGE,
			       "an alignment offset of %lld bytes cannot be: it must "
			       "be less than a physical sector, %lld",
			       (long long)o->alignment_offset, (long long)t->physical);
	if (o->alignment_offset % t->sector_size != 0)
		return af_fail(err, AF_E_USAGE,
			       "an alignment offset of %lld bytes cannot be: it must "
			       "be a multiple of the sector size, %u",
			       (long long)o->alignment_offset, t->sector_size);
	t->alignment_offset = o->alignment_offset;
	t->offset_source = AF_SOURCE_USER;
	t->offset_unknown = false;
	return true;
}

static bool override_grain(const struct af_overrides *o, struct af_topo *t,
			   struct af_err *err)
{
	af_bytes check;

	if (!o->has_grain)
		return true;
	if (o->grain <= 0 || o->grain % t->sector_size != 0)
		return af_fail(err, AF_E_USAGE,
			       "a grain of %lld bytes cannot be: it must be a "
			       "multiple of the sector size, %u",
			       (long long)o->grain, t->sector_size);
	check = af_align_rules(t, false).check.step;
	if (o->grain % check != 0)
		return af_fail(err, AF_E_USAGE,
			       "a grain of %lld bytes cannot be: it must be a multiple of "
			       "the %lld that edges are aligned to (--physical SIZE says "
			       "otherwise, --exact takes any sector)",
			       (long long)o->grain, (long long)check);
	t->grain = o->grain;
	t->grain_source = AF_SOURCE_USER;
	return true;
}

bool af_topo_read(struct af_dev *dev, const struct af_overrides *o, struct af_topo *out,
		  struct af_err *err)
{
	struct af_topo t = {
		.size = dev->size,
		.sector_size = dev->is_file ? 512 : dev->sector_size,
		.physical = USUAL_PHYSICAL,
		.sector_source = AF_SOURCE_ASSUMED,
		.physical_source = AF_SOURCE_ASSUMED,
		.offset_source = AF_SOURCE_ASSUMED,
		.grain_source = AF_SOURCE_ASSUMED,
		.is_file = dev->is_file,
	};

	if (dev->is_file)
		t.read_only = faccessat(AT_FDCWD, dev->path, W_OK, AT_EACCESS) != 0;
	else if (af_dev_fd(dev) >= 0)
		read_device(dev, &t);
	if (!is_sector_size(t.sector_size))
		return af_fail(err, AF_E_USAGE,
			       "%s has sectors of %u bytes: afdisk knows 512 to 4096",
			       dev->path, t.sector_size);
	make_sane(&t);
	if (!override_sector(o, &t, err) || !override_physical(o, &t, err) ||
	    !override_offset(o, &t, err) || !override_grain(o, &t, err))
		return false;
	if (t.size < t.sector_size)
		return af_fail(err, AF_E_USAGE, "%s is smaller than one sector of %u bytes",
			       dev->path, t.sector_size);
	t.size -= t.size % t.sector_size;
	dev->size = t.size;
	dev->sector_size = t.sector_size;
	memcpy(dev->model, t.model, sizeof(dev->model));
	memcpy(dev->serial, t.serial, sizeof(dev->serial));
	*out = t;
	return true;
}
