/*
 * label_scale.c - tables that were written through sectors of another size than the disk has now: a drive taken out of
 * an enclosure that showed 4096-byte sectors of a 512-byte drive, or the other way round. Such a table is read in its
 * own sectors, and never written: no other program would see what this one meant. A GPT says which size it was made
 * with by where its header lies; an MBR does not, so that what its entries point to has to decide.
 */
#include "label_priv.h"

#include <string.h>

#include "afdisk/foreign.h"

/* The same disk in sectors of that size, for the caller to release. */
static struct af_sheet in_sectors_of(const struct af_sheet *s, uint32_t size)
{
	return (struct af_sheet){
		.read = s->read,
		.ctx = s->ctx,
		.disk_size = af_sectors(s->disk_size, size) * size,
		.sector_size = size,
	};
}

/* Reads a table in sectors of that size with study; false, and out is untouched, if that finds none. */
static bool study_as(const struct af_sheet *s, uint32_t size, bool gpt,
		     struct af_layout *out)
{
	struct af_sheet other = in_sectors_of(s, size);
	struct af_label_note ignored = { 0 };
	struct af_layout l;
	struct af_err err;
	bool found = af_layout_init(&l, AF_SCHEME_NONE, other.disk_size, size, &err) &&
		     af_sheet_need(&other, 0, 2 * (af_bytes)size, &err);

	if (found && gpt)
		found = af_gpt_study(&other, &l, &ignored);
	else if (found)
		af_mbr_study(&other, &l, &ignored);
	af_sheet_release(&other);
	if (found) {
		af_layout_release(out);
		*out = l;
	}
	return found;
}

/* The size of sectors with which a GPT header lies at its place, if it is another than the present one; else 0. */
static uint32_t sectors_of_header(const struct af_sheet *s)
{
	for (uint32_t size = 512; size <= 4096; size *= 2) {
		const af_bytes inside = size % s->sector_size;
		const unsigned char *sector = af_sheet_was(s, size - inside);

		if (size != s->sector_size && sector && af_gpt_is_header(sector + inside))
			return size;
	}
	return 0;
}

bool af_scale_gpt(const struct af_sheet *s, struct af_layout *out,
		  struct af_label_note *note)
{
	const uint32_t size = sectors_of_header(s);

	if (size == 0)
		return false;
	af_note_blame(note,
		      "this GPT was made with sectors of %u bytes: open an image with "
		      "--sector-size %u, a drive in the enclosure that made it",
		      (unsigned)size, (unsigned)size);
	return study_as(s, size, true, out);
}

/* ------------------------------------------------------------------ MBR */

/* True if all entries lie on the disk with sectors of that size, and there are some. */
static bool all_fit(const struct af_sheet *s, const unsigned char *sector, uint32_t size)
{
	const uint64_t sectors = af_lba_of(s->disk_size, size).n;
	size_t used = 0;

	for (size_t i = 0; i < 4; i++) {
		struct af_mbr_entry e = af_chain_entry(sector, i);

		if (e.count == 0)
			continue;
		used++;
		if (e.start == 0 || (uint64_t)e.start + e.count > sectors)
			return false;
	}
	return used > 0;
}

/* True if the entries begin where programs put them on 512-byte sectors, so that nothing has to be looked at. */
static bool begins_as_usual(const unsigned char *sector)
{
	for (size_t i = 0; i < 4; i++) {
		struct af_mbr_entry e = af_chain_entry(sector, i);

		if (e.count != 0 && e.start < 2048 && e.start != 63)
			return false;
	}
	return true;
}

/* True if something is recognised where an entry would begin. */
static bool holds_something(const struct af_sheet *s, const struct af_mbr_entry *e,
			    uint32_t size)
{
	unsigned char bytes[AF_FOREIGN_CONTENT];
	const af_bytes at = (af_bytes)e->start * size; /* 44 bits */
	struct af_err err;

	if (at > s->disk_size - (af_bytes)sizeof bytes ||
	    !s->read(s->ctx, at, bytes, sizeof bytes, &err))
		return false;
	if (af_scheme_is_extended_code(e->type))
		return af_chain_is_mbr(bytes) && af_chain_entry(bytes, 0).count != 0;
	return af_foreign_content(bytes) != NULL;
}

static size_t count_recognised(const struct af_sheet *s, const unsigned char *sector,
			       uint32_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < 4; i++) {
		struct af_mbr_entry e = af_chain_entry(sector, i);

		n += e.count != 0 && holds_something(s, &e, size);
	}
	return n;
}

bool af_scale_mbr(const struct af_sheet *s, struct af_layout *out,
		  struct af_label_note *note)
{
	const uint32_t now = s->sector_size, other = now == 512 ? 4096 : 512;
	unsigned char sector[512];

	memcpy(sector, af_sheet_was(s, 0), sizeof sector);
	if (!all_fit(s, sector, other) ||
	    (other > now ? begins_as_usual(sector) : all_fit(s, sector, now)) ||
	    count_recognised(s, sector, other) == 0 || count_recognised(s, sector, now) > 0)
		return false;
	if (!study_as(s, other, false, out))
		return false;
	af_note_blame(
		note,
		"this MBR was made with sectors of %u bytes, by where its file systems "
		"begin: open an image with --sector-size %u, a drive in the enclosure "
		"that made it",
		(unsigned)other, (unsigned)other);
	return true;
}
