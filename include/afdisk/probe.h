/** probe.h - what file system or container sits in a stretch of the disk, by libblkid. */
#ifndef AFDISK_PROBE_H
#define AFDISK_PROBE_H
#include "afdisk/dev.h"
#include "afdisk/facts.h"

/**
 * Looks into span of dev with read-ahead (its first 72 KiB and last 64 KiB in one read each); *out gets state and, if something is found, its
 * names; out->id is left alone. A hole of a file is not read: nothing is in it.
 * Never fails: what cannot be read is AF_CONTENT_UNREADABLE.
 */
void af_probe(struct af_dev *dev, struct af_span span, struct af_content *out);

/** One signature of a file system, container or table. */
struct af_mark {
	struct af_span
		magic; /* bytes of the disk: the magic number, not what it stands for */
	bool is_table;
	char name[32], label[64]; /* "ext4"; label is "" if it has none; both valid UTF-8 */
};

/**
 * All signatures on the whole of dev that libblkid would go by, one after the other as if the earlier ones were not there;
 * the tables dos and gpt are left out. Only reads. Returns their number, 0 if dev cannot be read by libblkid; *out is
 * for the caller to free().
 */
size_t af_probe_marks(struct af_dev *dev, struct af_mark **out);
#endif
