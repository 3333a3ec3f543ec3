/*
 * kernel - what the kernel knows of a disk's partitions (sysfs), and the way to tell it of others without a reading of
 * the whole table, which is refused as long as anything on the disk is in use: BLKPG, one partition at a time.
 * That works for every disk that can have partitions, whatever tables the kernel itself can read, and leaves alone all
 * that does not change. kernel_plan.c decides what has to be told.
 */
#include "afdisk/kernel.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/blkpg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "afdisk/plan.h"
#include "afdisk/text.h"

#define PATIENCE_MS 5000 /* for what is busy: udev looks into new partitions for moments */
#define NODES_MS    2000 /* for device nodes, which the kernel itself makes at once */

bool af_kernel_folder(const struct af_dev *dev, char *buf, size_t size)
{
	struct stat st;
	int fd = af_dev_fd(dev);

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISBLK(st.st_mode))
		return false;
	(void)snprintf(buf, size, "/sys/dev/block/%u:%u", major(st.st_rdev),
		       minor(st.st_rdev));
	return true;
}

static bool read_line(const char *folder, const char *name, const char *file, char line[64])
{
	char path[PATH_MAX];
	FILE *f;
	bool got;

	if (snprintf(path, sizeof(path), "%s/%s/%s", folder, name, file) >=
	    (int)sizeof(path))
		return false;
	f = fopen(path, "re");
	if (!f)
		return false;
	got = fgets(line, 64, f) != NULL;
	(void)fclose(f);
	return got;
}

static bool read_number(const char *folder, const char *name, const char *file,
			uint64_t *out)
{
	char line[64], *end;

	if (!read_line(folder, name, file, line) || !isdigit((unsigned char)line[0]))
		return false;
	errno = 0;
	*out = strtoull(line, &end, 10);
	return errno == 0 && (*end == '\n' || *end == '\0');
}

static bool read_device(const char *folder, const char *name, uint64_t *out)
{
	char line[64], *end;
	unsigned long major_number, minor_number;

	if (!read_line(folder, name, "dev", line))
		return false;
	major_number = strtoul(line, &end, 10);
	if (*end != ':')
		return false;
	minor_number = strtoul(end + 1, &end, 10);
	if (major_number > UINT_MAX || minor_number > UINT_MAX)
		return false;
	*out = makedev((unsigned)major_number, (unsigned)minor_number);
	return true;
}

/** Start and size in sysfs are in units of 512 bytes on every disk. */
static bool read_part(const char *folder, const char *name, struct af_kernel_part *out)
{
	uint64_t number, start, size;
	af_bytes length;

	if (!read_number(folder, name, "partition", &number) || number > UINT32_MAX ||
	    !read_number(folder, name, "start", &start) ||
	    !read_number(folder, name, "size", &size) ||
	    !read_device(folder, name, &out->device) ||
	    !af_s512_to_bytes((struct af_s512){ start }, &out->span.start) ||
	    !af_s512_to_bytes((struct af_s512){ size }, &length) ||
	    !af_add(out->span.start, length, &out->span.end))
		return false;
	out->number = (uint32_t)number; /* checked above */
	(void)snprintf(out->name, sizeof(out->name), "%.63s", name);
	for (char *c = out->name; *c; c++)
		if (*c == '!') /* how sysfs writes the slash of cciss/c0d0p1 */
			*c = '/';
	return true;
}

static int by_number(const void *a, const void *b)
{
	const struct af_kernel_part *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

void af_kernel_read(const char *folder, struct af_kernel_parts *out)
{
	struct af_kernel_parts parts = { 0 };
	struct dirent **entry = NULL;
	int n = scandir(folder, &entry, af_dev_entry, alphasort);

	for (int i = 0; i < n; i++) {
		struct af_kernel_part part = { 0 };

		if (read_part(folder, entry[i]->d_name, &part)) {
			parts.item =
				af_realloc(parts.item, parts.n + 1, sizeof(*parts.item));
			parts.item[parts.n++] = part;
		}
		free(entry[i]);
	}
	free(entry);
	if (parts.n > 1)
		qsort(parts.item, parts.n, sizeof(*parts.item), by_number);
	*out = parts;
}

void af_kernel_parts_release(struct af_kernel_parts *p)
{
	free(p->item);
	*p = (struct af_kernel_parts){ 0 };
}

/** One update. */
struct job {
	struct af_dev *dev;
	const struct af_layout *now;
	struct timespec deadline; /* until which what is busy is tried again */
	char folder[64];
	int failed; /* errno of the first that could not be told, 0 if none */
	struct af_text told, missing;
};

static int blkpg_code(enum af_kernel_verb verb)
{
	switch (verb) {
	case AF_KERNEL_DELETE:
		return BLKPG_DEL_PARTITION;
	case AF_KERNEL_RESIZE:
		return BLKPG_RESIZE_PARTITION;
	case AF_KERNEL_ADD:
		break;
	}
	return BLKPG_ADD_PARTITION;
}

/** Carries out one; 0, or errno. */
static int tell_one(const struct job *j, const struct af_kernel_op *op)
{
	struct blkpg_partition part = { .start = op->span.start,
					.length = af_span_size(op->span),
					.pno = (int)op->number }; /* below 2^31 */
	struct blkpg_ioctl_arg arg = { .op = blkpg_code(op->verb),
				       .datalen = sizeof(part),
				       .data = &part };

	while (ioctl(af_dev_fd(j->dev), BLKPG, &arg) != 0) {
		if (errno == EINTR)
			continue;
		if (errno != EBUSY || !af_dev_wait(j->deadline))
			return errno;
	}
	return 0;
}

static const char *done_word(enum af_kernel_verb verb)
{
	switch (verb) {
	case AF_KERNEL_DELETE:
		return "removed";
	case AF_KERNEL_RESIZE:
		return "resized";
	case AF_KERNEL_ADD:
		break;
	}
	return "added";
}

static void add_name(struct af_text *t, const struct job *j, const char *word,
		     uint32_t number)
{
	char name[128];

	af_text_add(t, "%s%s%s%s", t->len ? ", " : "", word, word[0] ? " " : "",
		    af_text_part_name(j->dev->path, number, name, sizeof(name)));
}

static void tell_all(struct job *j, const struct af_kernel_op *op, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int sys = tell_one(j, &op[i]);

		if (sys == 0)
			add_name(&j->told, j, done_word(op[i].verb), op[i].number);
		else if (!j->failed)
			j->failed = sys;
	}
}

/** The kernel's own view afterwards: what is still to be told is what it does not know. */
static void look_again(struct job *j)
{
	struct af_kernel_parts known;
	struct af_kernel_op *op;
	size_t n;

	af_kernel_read(j->folder, &known);
	n = af_kernel_plan(&known, j->now, &op);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || op[i].number != op[i - 1].number)
			add_name(&j->missing, j, "", op[i].number);
	free(op);
	af_kernel_parts_release(&known);
}

static bool is_node(const char *name, uint64_t device)
{
	char path[80];
	struct stat st;

	(void)snprintf(path, sizeof(path), "/dev/%s", name);
	return stat(path, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == device;
}

/** The kernel makes the nodes itself where /dev is its own; elsewhere some program may, and may take a moment. */
static void wait_for_nodes(const struct job *j, struct af_text *absent)
{
	struct timespec deadline = af_dev_in(NODES_MS);
	struct af_kernel_parts known;

	af_kernel_read(j->folder, &known);
	for (size_t i = 0; i < known.n; i++) {
		const struct af_kernel_part *part = &known.item[i];

		if (!af_layout_number(j->now, part->number))
			continue;
		while (!is_node(part->name, part->device) && af_dev_wait(deadline))
			;
		if (!is_node(part->name, part->device))
			af_text_add(absent, "%s/dev/%s", absent->len ? ", " : "",
				    part->name);
	}
	af_kernel_parts_release(&known);
}

/** Why the kernel does not know, and what helps. */
static void say_missing(const struct job *j, char *buf, size_t size)
{
	const char *path = j->dev->path, *names = af_text_get(&j->missing);
	bool takes_none = !j->told.len && (j->failed == EINVAL || j->failed == ENOTTY);

	if (access(j->folder, F_OK) != 0)
		(void)snprintf(buf, size, "the table is written, and %.100s is gone now",
			       path);
	else if (takes_none)
		(void)snprintf(
			buf, size,
			"the table is written, but the kernel makes no partitions on "
			"%.100s, whatever its table says: 'kpartx -u %.100s' maps "
			"them",
			path, path);
	else if (j->failed == EACCES || j->failed == EPERM)
		(void)snprintf(
			buf, size,
			"the table is written, but the kernel keeps the old one: only "
			"root may tell it; 'partx -u %.100s' does",
			path);
	else
		(void)snprintf(buf, size,
			       "the table is written, but the kernel keeps what it knew of "
			       "%.120s (%s): stop using that and run 'partx -u %.100s', or "
			       "restart the machine",
			       names, strerror(j->failed ? j->failed : EBUSY), path);
}

/** Says how many partitions have numbers that the kernel does not have. */
static void say_nameless(const struct af_layout *now, char *buf, size_t size)
{
	unsigned n = 0;

	for (size_t i = 0; i < now->nparts; i++)
		n += now->part[i].number > AF_KERNEL_NUMBERS;
	if (n > 0)
		(void)snprintf(buf, size,
			       "the kernel has no names for partitions after number %d: %u "
			       "of this table cannot be used under Linux",
			       AF_KERNEL_NUMBERS, n);
}

void af_kernel_update(struct af_dev *dev, const struct af_layout *now,
		      struct af_kernel_report *report)
{
	struct job j = { .dev = dev, .now = now, .deadline = af_dev_in(PATIENCE_MS) };
	struct af_text absent = { 0 };
	struct af_kernel_parts known;
	struct af_kernel_op *op;
	size_t n;

	*report = (struct af_kernel_report){ 0 };
	if (!af_kernel_folder(dev, j.folder, sizeof(j.folder)))
		return;
	af_kernel_read(j.folder, &known);
	n = af_kernel_plan(&known, now, &op);
	af_kernel_parts_release(&known);
	tell_all(&j, op, n);
	free(op);
	look_again(&j);
	if (!j.missing.len)
		wait_for_nodes(&j, &absent);
	(void)af_text_join(report->told, sizeof(report->told), 0, af_text_get(&j.told));
	if (j.missing.len)
		say_missing(&j, report->missing, sizeof(report->missing));
	else if (absent.len)
		(void)snprintf(report->missing, sizeof(report->missing),
			       "the kernel knows the new table, but there is no %.200s",
			       af_text_get(&absent));
	else
		say_nameless(now, report->missing, sizeof(report->missing));
	af_text_release(&absent);
	af_text_release(&j.told);
	af_text_release(&j.missing);
}
