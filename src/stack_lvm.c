/*
 * stack_lvm.c - where the extents of an LVM2 physical volume begin. Little-endian: struct label_header of lvm2's
 * lib/label/label.h, pv_header, mda_header and raw_locn of lib/format_text/layout.h. The label names the areas of data, and
 * those of metadata; where the volume is in a group the text in these has the last word, and knows the extents' size.
 */
#include "afdisk/stack.h"

#include <stdio.h>
#include <stdlib.h>

#include "afdisk/text.h"
#include "chain_bytes.h"
#include "stack_lvm.h"
#include "stack_priv.h"

enum {
	SECTOR = 512,
	SECTORS = 4, /* in one of which the label is */
	SELF_AT = 8,
	SUM_AT = 16,
	SUMMED_AT = 20, /* from here to the sector's end */
	HEADER_AT = 20, /* from the label's start */
	TYPE_AT = 24,

	PV_SIZE_AT = STACK_LVM_ID, /* in the header: its identifier comes first */
	PV_AREAS_AT = STACK_LVM_ID + 8,
	AREA = 16, /* two numbers of eight bytes; zeros end a list */
	AREAS = 2, /* of a list, that are looked at */

	MDA_SUMMED_AT = 4,
	MDA_VERSION_AT = 20,
	MDA_SIZE_AT = 32,
	TEXT_AT = 40,
	TEXT_SIZE_AT = 48,
	TEXT_SUM_AT = 56,
	TEXT_FLAGS_AT = 60,
	TEXT_IGNORED = 1,
	TEXT_MAX = 1 << 20,

	EXTENT_MAX = 1 << 24, /* in units of 512 bytes */
};

static const char mda_magic[] = " LVM2 x[5A%r0N*>";

static uint32_t sum(const unsigned char *bytes, size_t n)
{
	return af_stack_crc32(0xedb88320, 0xf597a6cf, bytes, n);
}

/* The sector with the label; false if none of them has one. */
static bool find_label(const struct stack_window *w, unsigned char *label)
{
	for (int i = 0; i < SECTORS; i++)
		if (stack_read(w, (af_bytes)i * SECTOR, label, SECTOR) &&
		    memcmp(label, "LABELONE", 8) == 0 &&
		    memcmp(label + TYPE_AT, "LVM2 001", 8) == 0 &&
		    af_get_le64(label + SELF_AT) == (uint64_t)i &&
		    af_get_le32(label + SUM_AT) ==
			    sum(label + SUMMED_AT, SECTOR - SUMMED_AT))
			return true;
	return false;
}

/* A span told by start and length, or by start alone: then up to the end of the window. */
static bool get_area(const struct stack_window *w, const unsigned char *at,
		     struct af_span *out)
{
	const uint64_t start = af_get_le64(at), n = af_get_le64(at + 8);
	const af_bytes size = af_span_size(w->span);

	if (start >= (uint64_t)size || n > (uint64_t)size - start)
		return false;
	*out = (struct af_span){ (af_bytes)start, n > 0 ? (af_bytes)(start + n) : size };
	return true;
}

/* The areas of a list in the label, from byte *at of its sector on, which comes behind its end: the first of those that lie
 * in the window; returns how many. */
static size_t get_areas(const struct stack_window *w, const unsigned char *label,
			size_t *at, struct af_span area[AREAS])
{
	size_t n = 0;

	for (; *at + AREA <= SECTOR && af_get_le64(label + *at) != 0; *at += AREA)
		if (n < AREAS && get_area(w, label + *at, &area[n]))
			n++;
	*at += AREA;
	return n;
}

/* Text goes round in its area, behind the sector with the header. */
static char *load_text(const struct stack_window *w, struct af_span mda,
		       const unsigned char *header, size_t *n)
{
	const af_bytes room = af_span_size(mda);
	const uint64_t at = af_get_le64(header + TEXT_AT);
	const uint64_t size = af_get_le64(header + TEXT_SIZE_AT);
	unsigned char *text;
	af_bytes first;

	if (room <= SECTOR || size == 0 || size > TEXT_MAX ||
	    size > (uint64_t)(room - SECTOR) || at < SECTOR || at >= (uint64_t)room)
		return NULL;
	*n = (size_t)size;
	first = room - (af_bytes)at < (af_bytes)size ? room - (af_bytes)at : (af_bytes)size;
	text = af_alloc(*n, 1);
	if (stack_read(w, mda.start + (af_bytes)at, text, (size_t)first) &&
	    stack_read(w, mda.start + SECTOR, text + first, *n - (size_t)first) &&
	    sum(text, *n) == af_get_le32(header + TEXT_SUM_AT))
		return (char *)text;
	free(text);
	return NULL;
}

static bool read_mda(const struct stack_window *w, struct af_span mda,
		     struct stack_lvm_group *group)
{
	unsigned char header[SECTOR];
	char *text;
	bool done;
	size_t n;

	if (!stack_read(w, mda.start, header, sizeof(header)) ||
	    memcmp(header + MDA_SUMMED_AT, mda_magic, 16) != 0 ||
	    af_get_le32(header) != sum(header + MDA_SUMMED_AT, SECTOR - MDA_SUMMED_AT) ||
	    af_get_le32(header + MDA_VERSION_AT) != 1 ||
	    af_get_le64(header + MDA_SIZE_AT) != (uint64_t)af_span_size(mda) ||
	    (af_get_le32(header + TEXT_FLAGS_AT) & TEXT_IGNORED) != 0)
		return false;
	text = load_text(w, mda, header, &n);
	done = text && af_stack_lvm_text(text, n, group);
	free(text);
	return done;
}

/* What the label says: where data begins, and where the text may be. */
struct volume {
	af_bytes data, size;
	struct af_span mda[AREAS];
	size_t nmdas;
	char id[STACK_LVM_ID + 1];
};

static bool read_label(const struct stack_window *w, struct volume *v)
{
	unsigned char label[SECTOR];
	struct af_span data[AREAS];
	size_t at;

	if (!find_label(w, label))
		return false;
	at = af_get_le32(label + HEADER_AT);
	if (at < 32 || at + PV_AREAS_AT + AREA > SECTOR)
		return false;
	memcpy(v->id, label + at, STACK_LVM_ID);
	v->id[STACK_LVM_ID] = '\0';
	v->size = (af_bytes)(af_get_le64(label + at + PV_SIZE_AT) & INT64_MAX);
	at += PV_AREAS_AT;
	if (get_areas(w, label, &at, data) == 0)
		return false;
	v->data = data[0].start;
	v->nmdas = get_areas(w, label, &at, v->mda);
	return true;
}

/* The first copy of the text that is whole answers; false if none is. */
static bool ask_text(const struct stack_window *w, const struct volume *v, const char *lv,
		     struct stack_lvm_group *group)
{
	for (size_t i = 0; i < v->nmdas; i++) {
		*group = (struct stack_lvm_group){ .extent = 0 };
		memcpy(group->pv, v->id, sizeof(group->pv));
		(void)snprintf(group->lv, sizeof(group->lv), "%s", lv);
		if (read_mda(w, v->mda[i], group))
			return group->extent <= EXTENT_MAX &&
			       group->pe_start <= INT64_MAX / SECTOR;
	}
	return false;
}

bool af_stack_lvm(const struct stack_window *w, struct stack_found *out)
{
	struct stack_lvm_group group;
	struct volume v;
	af_bytes start, extent = 0;

	if (!read_label(w, &v))
		return false;
	start = v.data;
	if (ask_text(w, &v, "", &group)) {
		extent = (af_bytes)group.extent * SECTOR;
		if (group.pe_start > 0)
			start = (af_bytes)group.pe_start * SECTOR;
	}
	if (start >= af_span_size(w->span))
		return false;
	af_stack_add(out, "LVM2", start, extent);
	out->fs_size = v.size;
	return true;
}

bool af_stack_volume(af_read_fn read, void *ctx, struct af_span span, const char *id,
		     af_bytes *offset)
{
	const struct stack_window w = { .read = read, .ctx = ctx, .span = span };
	struct stack_lvm_group group;
	struct volume v;
	af_bytes extents, start;

	if (!read_label(&w, &v) || !ask_text(&w, &v, id, &group) || !group.lv_here ||
	    group.pe_start == 0 || group.lv_extent > INT64_MAX ||
	    !af_mul((af_bytes)group.lv_extent, (af_bytes)group.extent * SECTOR, &extents) ||
	    !af_add((af_bytes)group.pe_start * SECTOR, extents, &start) ||
	    start >= af_span_size(span))
		return false;
	*offset = start;
	return true;
}
