/** probe.h - what file system or container sits in a stretch of the disk, by libblkid. */
#ifndef AFDISK_PROBE_H
#define AFDISK_PROBE_H
#include "afdisk/dev.h"
#include "afdisk/facts.h"

/**
 * Looks into span of dev with read-ahead (its first 72 KiB and last 64 KiB in one read each); *out gets state and, if something is found, its
 * names; out->id is left alone. Never fails: what cannot be read is AF_CONTENT_UNREADABLE.
 */
void af_probe(struct af_dev *dev, struct af_span span, struct af_content *out);
#endif
