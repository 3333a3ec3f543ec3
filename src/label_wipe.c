/*
 * label_wipe.c - what must not stay when a disk gets a new label: the magic numbers by which it would still be taken for
 * what it was. libblkid finds those of file systems, containers and other systems' tables; the headers of GPTs at
 * any sector size, an ISO image's descriptor and the headers of a dynamic disk are looked for here. Only the magic numbers go,
 * last of all, and as sectors of the patch: a backup has them.
 */
#include "label_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/foreign.h"
#include "afdisk/probe.h"
#include "chain_bytes.h"

#define BOOT_CODE 440 /* bytes of sector 0 that are no table */

/* The sectors that hold these bytes, at least one, of the disk. */
static struct af_span sectors_of(const struct af_sheet *s, struct af_span bytes)
{
	const af_bytes size = s->sector_size;

	return (struct af_span){ bytes.start / size * size,
				 (bytes.end - 1) / size * size + size };
}

/* What is being looked for, and how that goes. */
struct search {
	struct af_sheet *s;
	struct af_wipe found;
	struct af_err err; /* the first failure; its code is AF_OK so far */
};

/* Has the sheet hold these bytes and gives them; NULL if they lie beyond the disk or cannot be read. */
static const unsigned char *bytes_at(struct search *f, struct af_span bytes)
{
	const af_bytes size = f->s->sector_size;

	if (bytes.start < 0 || bytes.end > f->s->disk_size / size * size ||
	    f->err.code != AF_OK)
		return NULL;
	const struct af_span whole = sectors_of(f->s, bytes);

	if (!af_sheet_need(f->s, whole.start, af_span_size(whole), &f->err))
		return NULL;
	return af_sheet_was(f->s, bytes.start);
}

static void add(struct search *f, struct af_span bytes, const char *what)
{
	struct af_wipe *w = &f->found;

	w->item = af_realloc(w->item, w->n + 1, sizeof *w->item);
	struct af_wipe_item *item = &w->item[w->n++];

	*item = (struct af_wipe_item){ .magic = bytes };
	snprintf(item->what, sizeof item->what, "%s", what);
}

/* Adds these bytes if they begin with that magic; true if so. */
static bool add_if(struct search *f, struct af_span bytes, const char *magic,
		   const char *what)
{
	const unsigned char *p = bytes_at(f, bytes);
	bool is = p && memcmp(p, magic, strlen(magic)) == 0;

	if (is)
		add(f, bytes, what);
	return is;
}

static struct af_span at(af_bytes start, af_bytes len)
{
	return (struct af_span){ start, start + len };
}

/* The headers of GPTs made with sectors of that size: at both ends, and where the first says the other is. */
static void find_gpt(struct search *f, uint32_t size)
{
	static const char magic[] = "EFI PART", what[] = "old GPT header";
	const af_bytes last = (af_sectors(f->s->disk_size, size) - 1) * size;
	af_bytes other = 0;

	if (last < 2 * (af_bytes)size)
		return;
	(void)add_if(f, at(last, 512), magic, what);
	if (!add_if(f, at(size, 512), magic, what))
		return;
	const unsigned char *p = bytes_at(f, at(size, 512));

	if (p && af_lba_to_bytes((struct af_lba){ af_get_le64(p + 32) }, size, &other) &&
	    other > size && other < last)
		(void)add_if(f, at(other, 512), magic, what);
}

/* The private headers of a dynamic disk: one in front, two in the database at the end. */
static void find_ldm(struct search *f)
{
	static const char magic[] = "PRIVHEAD", what[] = "header of a dynamic disk";
	const struct af_span first = at(AF_FOREIGN_LDM_AT, 512);
	const unsigned char *p = bytes_at(f, first);
	struct af_foreign_ldm ldm;

	if (!p || !af_foreign_ldm(p, &ldm))
		return;
	add(f, first, what);
	const af_bytes base = ldm.database.start;

	if (base <= 0 || ldm.database.end > f->s->disk_size)
		return;
	(void)add_if(f, at(base + (af_bytes)1856 * 512, 512), magic, what);
	(void)add_if(f, at(base + (af_bytes)2047 * 512, 512), magic, what);
}

/* BSD's disklabel at sector 1 of either size: libblkid does not look for one on a whole disk. */
static void find_disklabel(struct search *f)
{
	static const char magic[] = "\x57\x45\x56\x82", what[] = "old disklabel";

	(void)add_if(f, at(512, 4), magic, what);
	if (f->s->sector_size > 512)
		(void)add_if(f, at(f->s->sector_size, 4), magic, what);
}

/* An image's descriptor and maps. */
static void find_image(struct search *f)
{
	(void)add_if(f, at(AF_FOREIGN_ISO_AT, 5), "CD001", "ISO 9660 descriptor");
	const unsigned char *p = bytes_at(f, at(0, 512));

	if (!p || memcmp(p, "ER", 2) != 0)
		return; /* two letters say nothing by themselves */
	(void)add_if(f, at(512, 2), "PM", "Apple partition map");
	(void)add_if(f, at(2048, 2), "PM", "Apple partition map");
}

/* Boot code that is part of what the disk was: an image's, a file system's. */
static void find_code(struct search *f, bool locked)
{
	const unsigned char *p = bytes_at(f, at(0, 512));

	if (p && (memcmp(p, "ER", 2) == 0 || af_foreign_boot_sector(p) != NULL ||
		  (locked && f->found.n > 0)))
		add(f, at(0, BOOT_CODE), "boot code");
}

static void find_marks(struct search *f, struct af_dev *dev)
{
	struct af_mark *mark;
	size_t n = af_probe_marks(dev, &mark);
	char what[sizeof f->found.item->what];

	for (size_t i = 0; i < n; i++) {
		snprintf(what, sizeof what, "%s signature", mark[i].name);
		if (bytes_at(f, mark[i].magic))
			add(f, mark[i].magic, what);
	}
	free(mark);
}

static int by_place(const void *a, const void *b)
{
	const struct af_wipe_item *x = a, *y = b;

	return (x->magic.start > y->magic.start) - (x->magic.start < y->magic.start);
}

/* The disk holds nothing that anybody wants. */
static void find_all(struct search *f, struct af_dev *dev, bool locked)
{
	find_image(f);
	find_code(f, locked);
	find_ldm(f);
	find_disklabel(f);
	for (uint32_t size = 512; size <= 4096; size *= 2)
		find_gpt(f, size);
	find_marks(f, dev);
}

/* Leaves out what lies in a partition: that is data. */
static void spare_data(struct af_wipe *w, const struct af_layout *now)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->n; i++) {
		bool inside = false;

		for (size_t k = 0; k < now->nparts && !inside; k++)
			inside = now->part[k].role != AF_ROLE_EXTENDED &&
				 af_span_overlap(now->part[k].span, w->item[i].magic);
		if (!inside)
			w->item[kept++] = w->item[i];
	}
	w->n = kept;
}

bool af_wipe_find(struct af_sheet *s, struct af_dev *maybe_dev, const struct af_layout *now,
		  bool locked, struct af_wipe *out, struct af_err *err)
{
	struct search f = { .s = s, .err = { .code = AF_OK } };

	if (maybe_dev)
		find_all(&f, maybe_dev, locked);
	else
		find_gpt(&f, s->sector_size);
	if (!maybe_dev)
		spare_data(&f.found, now);
	if (f.err.code != AF_OK) {
		af_wipe_release(&f.found);
		*err = f.err;
		return false;
	}
	if (f.found.n > 0)
		qsort(f.found.item, f.found.n, sizeof *f.found.item, by_place);
	*out = f.found;
	return true;
}

/* The span without what overlaps other, if that leaves one piece. */
static struct af_span without(struct af_span span, struct af_span other)
{
	if (!af_span_overlap(span, other))
		return span;
	if (span.start < other.start)
		return (struct af_span){ span.start, other.start };
	return (struct af_span){ span.end < other.end ? span.end : other.end, span.end };
}

/* What of the span is not a part of the new table. */
static struct af_span spare(const struct af_sheet *s, const struct af_layout *now,
			    struct af_span span)
{
	const af_bytes size = s->sector_size,
		       whole = af_sectors(s->disk_size, now->sector_size) * size;

	span = without(span, (struct af_span){ BOOT_CODE, 512 });
	if (now->scheme == AF_SCHEME_GPT) {
		const af_bytes head = af_layout_gpt_entries(now, false).end,
			       tail = af_layout_gpt_entries(now, true).start;

		span = without(span, (struct af_span){ size, head });
		span = without(span, (struct af_span){ tail, whole });
	}
	for (size_t i = 0; i < now->nparts; i++) {
		const struct af_part *part = &now->part[i];

		if (part->role == AF_ROLE_LOGICAL)
			span = without(span, at(part->ebr, size));
		else if (part->role == AF_ROLE_EXTENDED)
			span = without(span, at(part->span.start, size));
	}
	return span;
}

void af_wipe_put(struct af_sheet *s, const struct af_wipe *w, const struct af_layout *now)
{
	for (size_t i = 0; i < w->n; i++) {
		struct af_span magic = spare(s, now, w->item[i].magic);

		if (af_span_size(magic) > 0)
			memset(af_sheet_now(s, magic.start), 0,
			       (size_t)af_span_size(magic));
	}
}

void af_wipe_emit(const struct af_sheet *s, const struct af_wipe *w, struct af_patch *p)
{
	const int phase = p->n > 0 ? p->run[p->n - 1].phase + 1 : 0;
	const af_bytes size = s->sector_size;

	for (size_t i = 0; i < w->n; i++) {
		struct af_span whole = sectors_of(s, w->item[i].magic);

		for (af_bytes sector = whole.start; sector < whole.end; sector += size)
			if (!af_patch_at(p, sector))
				af_sheet_emit(s, p, at(sector, size), phase,
					      w->item[i].what);
	}
}

void af_wipe_release(struct af_wipe *w)
{
	free(w->item);
	*w = (struct af_wipe){ 0 };
}
