/*
 * probe - what file system or container sits in a stretch of the disk. libblkid knows the signatures; this room feeds
 * it. Its many small reads, near both ends, are served from the page cache after one read at each end, which is
 * what makes looking into a cold disk fast.
 */
#include "afdisk/probe.h"

#include <blkid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/text.h"

#define HEAD (72 * AF_KIB)
#define TAIL (64 * AF_KIB)

#define MARKS_MAX 2048 /* ZFS alone has some 500 */

/** Reads both ends of the span once, so that they are cached; false if one of them cannot be read. */
static bool read_ahead(struct af_dev *dev, struct af_span span)
{
	af_bytes size = af_span_size(span);
	af_bytes head = size < HEAD ? size : HEAD;
	af_bytes tail = size - head < TAIL ? size - head : TAIL;
	unsigned char *buf = af_alloc((size_t)HEAD, 1);
	struct af_err ignored;
	bool done = af_dev_read(dev, span.start, buf, (size_t)head, &ignored) &&
		    (tail == 0 ||
		     af_dev_read(dev, span.end - tail, buf, (size_t)tail, &ignored));

	free(buf);
	return done;
}

/*
 * A ZFS device has four labels of 256 KiB, two at each end, and in each at 16 KiB a list of names and values that
 * begins with its encoding: 1 (XDR), the byte order, two zeros (OpenZFS, vdev_label.c and nvpair.c). libblkid
 * reads all four labels whole, more than everything else together, so it is only asked about ZFS where one of them
 * begins so. Below 64 MiB it does not look for ZFS.
 */
#define ZFS_LABEL (256 * AF_KIB)
#define ZFS_LIST  (16 * AF_KIB)
#define ZFS_LEAST (64 * AF_MIB)

static bool is_zfs_label(struct af_dev *dev, af_bytes at)
{
	unsigned char list[4];
	struct af_err ignored;

	return af_dev_read(dev, at + ZFS_LIST, list, sizeof(list), &ignored) &&
	       list[0] == 1 && list[1] <= 1 && list[2] == 0 && list[3] == 0;
}

static bool may_be_zfs(struct af_dev *dev, struct af_span span)
{
	const af_bytes end = span.start + af_span_size(span) / ZFS_LABEL * ZFS_LABEL;

	if (af_span_size(span) < ZFS_LEAST)
		return false;
	return is_zfs_label(dev, span.start) || is_zfs_label(dev, span.start + ZFS_LABEL) ||
	       is_zfs_label(dev, end - 2 * ZFS_LABEL) || is_zfs_label(dev, end - ZFS_LABEL);
}

static void leave_out_zfs(blkid_probe pr)
{
	char zfs[] = "zfs_member";
	char *names[] = { zfs, NULL };

	(void)blkid_probe_filter_superblocks_type(pr, BLKID_FLTR_NOTIN, names);
}

/** The value of a name, cleaned; "" if there is none. */
static void take(blkid_probe pr, const char *name, char *out, size_t size)
{
	const char *value;

	out[0] = '\0';
	if (blkid_probe_lookup_value(pr, name, &value, NULL) == 0)
		af_text_clean(value, out, size);
}

/* The block of a file system: a number that this version of libblkid tells of some. */
static af_bytes take_block(blkid_probe pr)
{
	const char *value;
	long block;

	if (blkid_probe_lookup_value(pr, "BLOCK_SIZE", &value, NULL) != 0)
		return 0;
	block = strtol(value, NULL, 10);
	return block > 0 && block <= AF_MIB ? block : 0;
}

static void ask(blkid_probe pr, bool zfs, struct af_content *c)
{
	int rc;

	(void)blkid_probe_enable_superblocks(pr, 1);
	(void)blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
							    BLKID_SUBLKS_UUID |
							    BLKID_SUBLKS_USAGE);
	if (!zfs)
		leave_out_zfs(pr);
	rc = blkid_do_safeprobe(pr);
	if (rc == 1) {
		c->state = AF_CONTENT_NONE;
	} else if (rc == -2) { /* several, and libblkid does not say which holds */
		c->state = AF_CONTENT_FOUND;
		(void)snprintf(c->fs, sizeof(c->fs), "ambiguous");
	} else if (rc == 0) {
		c->state = AF_CONTENT_FOUND;
		take(pr, "TYPE", c->fs, sizeof(c->fs));
		take(pr, "LABEL", c->label, sizeof(c->label));
		take(pr, "UUID", c->uuid, sizeof(c->uuid));
		c->block = take_block(pr);
		if (!c->fs[0])
			(void)snprintf(c->fs, sizeof(c->fs), "unknown");
	}
}

void af_probe(struct af_dev *dev, struct af_span span, struct af_content *out)
{
	struct af_content c = { .id = out->id, .state = AF_CONTENT_UNREADABLE };
	blkid_probe pr;

	if (af_dev_is_hole(dev, span))
		c.state = AF_CONTENT_NONE;
	else if (af_dev_fd(dev) >= 0 && read_ahead(dev, span) && (pr = blkid_new_probe())) {
		if (blkid_probe_set_device(pr, af_dev_fd(dev), span.start,
					   af_span_size(span)) == 0)
			ask(pr, may_be_zfs(dev, span), &c);
		blkid_free_probe(pr);
	}
	*out = c;
}

/** The place of a magic number by two of libblkid's values; false if it does not say. */
static bool take_magic(blkid_probe pr, const char *offset_name, const char *magic_name,
		       struct af_span *out)
{
	const char *offset, *magic;
	size_t n;
	long long at;

	if (blkid_probe_lookup_value(pr, offset_name, &offset, NULL) != 0 ||
	    blkid_probe_lookup_value(pr, magic_name, &magic, &n) != 0 || n == 0)
		return false;
	at = strtoll(offset, NULL, 10);
	*out = (struct af_span){ at, at + (af_bytes)n };
	return at >= 0;
}

/** The signature that was found last; false if there is none. */
static bool take_mark(blkid_probe pr, struct af_mark *out)
{
	*out = (struct af_mark){ 0 };
	if (take_magic(pr, "SBMAGIC_OFFSET", "SBMAGIC", &out->magic)) {
		take(pr, "TYPE", out->name, sizeof(out->name));
		take(pr, "LABEL", out->label, sizeof(out->label));
		return true;
	}
	out->is_table = true;
	take(pr, "PTTYPE", out->name, sizeof(out->name));
	return take_magic(pr, "PTMAGIC_OFFSET", "PTMAGIC", &out->magic);
}

/** True for tables that afdisk reads itself. */
static bool is_known_table(const struct af_mark *mark)
{
	return mark->is_table &&
	       (strcmp(mark->name, "dos") == 0 || strcmp(mark->name, "gpt") == 0 ||
		strcmp(mark->name, "PMBR") == 0);
}

static size_t step_through(blkid_probe pr, struct af_mark **out)
{
	struct af_mark mark;
	size_t n = 0;

	(void)blkid_probe_enable_superblocks(pr, 1);
	(void)blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
							    BLKID_SUBLKS_MAGIC);
	(void)blkid_probe_enable_partitions(pr, 1);
	(void)blkid_probe_set_partitions_flags(pr, BLKID_PARTS_MAGIC);
	for (int i = 0; i < MARKS_MAX && blkid_do_probe(pr) == 0; i++) {
		if (!take_mark(pr, &mark))
			continue;
		if (!is_known_table(&mark)) {
			*out = af_realloc(*out, n + 1, sizeof(**out));
			(*out)[n++] = mark;
		}
		(void)blkid_probe_hide_range(pr, (uint64_t)mark.magic.start,
					     (uint64_t)af_span_size(mark.magic));
		(void)blkid_probe_step_back(pr);
	}
	return n;
}

size_t af_probe_marks(struct af_dev *dev, struct af_mark **out)
{
	const struct af_span whole = { 0, dev->size };
	blkid_probe pr;
	size_t n = 0;

	*out = NULL;
	if (af_dev_fd(dev) < 0 || !read_ahead(dev, whole) || !(pr = blkid_new_probe()))
		return 0;
	if (blkid_probe_set_device(pr, af_dev_fd(dev), 0, dev->size) == 0)
		n = step_through(pr, out);
	blkid_free_probe(pr);
	return n;
}
