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

/** The value of a name, cleaned; "" if there is none. */
static void take(blkid_probe pr, const char *name, char *out, size_t size)
{
	const char *value;

	out[0] = '\0';
	if (blkid_probe_lookup_value(pr, name, &value, NULL) == 0)
		af_text_clean(value, out, size);
}

static void ask(blkid_probe pr, struct af_content *c)
{
	int rc;

	(void)blkid_probe_enable_superblocks(pr, 1);
	(void)blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
							    BLKID_SUBLKS_UUID |
							    BLKID_SUBLKS_USAGE);
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
		if (!c->fs[0])
			(void)snprintf(c->fs, sizeof(c->fs), "unknown");
	}
}

void af_probe(struct af_dev *dev, struct af_span span, struct af_content *out)
{
	struct af_content c = { .id = out->id, .state = AF_CONTENT_UNREADABLE };
	blkid_probe pr;

	if (af_dev_fd(dev) >= 0 && read_ahead(dev, span) && (pr = blkid_new_probe())) {
		if (blkid_probe_set_device(pr, af_dev_fd(dev), span.start,
					   af_span_size(span)) == 0)
			ask(pr, &c);
		blkid_free_probe(pr);
	}
	*out = c;
}
