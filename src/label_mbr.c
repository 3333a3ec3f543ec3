/*
 * label_mbr.c - MBR tables: entries and chain to a layout, and a layout to sectors.
 *
 * libfdisk encodes the four entries of sector 0. The EBRs are encoded here, because libfdisk ties an EBR's
 * place to a setting and cannot keep a chain whose order is not the order of places. Whatever an edit
 * does not change keeps its bytes: boot code, CHS, an untouched EBR as a whole.
 */
#include "label_priv.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	ID_AT = 440,
	TABLE_AT = 446,
	ENTRY_SIZE = 16,
	TYPE_IN_ENTRY = 4,
	SIGNATURE_AT = 510
};

static void add_entry(struct af_layout *out, uint32_t number, const struct af_mbr_entry *e,
		      struct af_label_note *note)
{
	struct af_part part = { .number = number,
				.boot = e->boot == 0x80,
				.type = { e->type } };

	if (e->count == 0)
		return;
	if (e->type == 0)
		af_note_blame(note, "entry %u of the MBR gives a size but no type",
			      (unsigned)number);
	part.role =
		af_scheme_is_extended_code(e->type) ? AF_ROLE_EXTENDED : AF_ROLE_PRIMARY;
	part.span.start = (af_bytes)e->start * out->sector_size; /* 44 bits at the most */
	part.span.end = part.span.start + (af_bytes)e->count * out->sector_size;
	if (part.role == AF_ROLE_EXTENDED && af_layout_extended(out))
		af_note_blame(note, "there are two extended partitions");
	af_layout_add(out, &part);
}

static void add_logical(struct af_layout *out, uint32_t number, const struct af_ebr *ebr,
			struct af_label_note *note)
{
	struct af_part part = {
		.number = number,
		.role = AF_ROLE_LOGICAL,
		.boot = ebr->boot == 0x80,
		.type = { ebr->type },
		.span = ebr->data,
		.ebr = ebr->at,
	};

	if ((ebr->boot & 0x7F) != 0)
		af_note_blame(note,
			      "the boot flag of partition %u is %02x, which is neither on "
			      "nor off",
			      (unsigned)number, (unsigned)ebr->boot);
	af_layout_add(out, &part);
}

static void study_chain(struct af_sheet *s, struct af_span ext, struct af_layout *out,
			struct af_label_note *note)
{
	uint32_t number = 5;

	af_chain_read(af_sheet_read, s, ext, s->sector_size, &s->chain);
	for (size_t i = 0; i < s->chain.n; i++)
		if (s->chain.ebr[i].has_logical)
			add_logical(out, number++, &s->chain.ebr[i], note);
	if (!s->chain.whole)
		af_note_blame(note, "the chain of logical partitions is broken: %s",
			      s->chain.why);
	else if (number - 5 > AF_LOGICALS_MAX)
		af_note_blame(note,
			      "%u logical partitions are more than the %d that Linux names",
			      (unsigned)number - 5, AF_LOGICALS_MAX);
}

void af_mbr_study(struct af_sheet *s, struct af_layout *out, struct af_label_note *note)
{
	const unsigned char *sector = af_sheet_was(s, 0);

	out->scheme = AF_SCHEME_MBR;
	out->slots = af_scheme_slots(AF_SCHEME_MBR);
	out->usable = af_scheme_usable(AF_SCHEME_MBR, out->disk_size, out->sector_size);
	for (size_t i = 0; i < 4; i++)
		out->disk_id[i] = sector[ID_AT + 3 - i];
	for (uint32_t i = 0; i < 4; i++) {
		struct af_mbr_entry e = af_chain_entry(af_sheet_was(s, 0), i);

		add_entry(out, i + 1, &e, note);
	}
	const struct af_part *ext = af_layout_extended(out);

	if (ext)
		study_chain(s, ext->span, out, note);
}

static bool live(const struct af_sheet *s, af_bytes at)
{
	for (size_t i = 0; i < s->chain.n; i++)
		if (s->chain.ebr[i].at == at)
			return true;
	return false;
}

/* True if both say the same, which may be nothing: an entry without sectors is unused, whatever it holds. */
static bool same_entry(const unsigned char *a, const unsigned char *b, size_t i)
{
	struct af_mbr_entry x = af_chain_entry(a, i), y = af_chain_entry(b, i);

	if (x.count == 0)
		return y.count == 0;
	return x.boot == y.boot && x.type == y.type && x.start == y.start &&
	       x.count == y.count;
}

/* What libfdisk wrote into the table of the shadow, but for entries that mean what they did before. */
static bool take_entries(struct af_sheet *s, int shadow, const struct af_layout *now,
			 const unsigned char *old, struct af_err *err)
{
	unsigned char written[4096], *sector = af_sheet_now(s, 0);
	const struct af_part *ext = af_layout_extended(now);

	if (!af_shadow_read(&shadow, 0, written, s->sector_size, err))
		return false;
	if (ext)
		written[TABLE_AT + (ext->number - 1) * ENTRY_SIZE + TYPE_IN_ENTRY] =
			ext->type[0];
	for (size_t i = 0; i < 4; i++) {
		const unsigned char *from = same_entry(written, old, i) ? old : written;
		size_t at = TABLE_AT + i * ENTRY_SIZE;

		memcpy(sector + at, from + at, ENTRY_SIZE);
	}
	return true;
}

/* What boots an MBR's partitions stays; that of another table only with its partitions. */
static void keep_boot_code(struct af_sheet *s, const struct af_layout *base,
			   const struct af_layout *now)
{
	size_t keep = af_layout_converts(base, now) ? ID_AT : 0;

	if (base->scheme != AF_SCHEME_MBR)
		memset(af_sheet_now(s, 0) + keep, 0, s->sector_size - keep);
}

static bool put_sector0(struct af_sheet *s, const struct af_layout *base,
			const struct af_layout *now, struct af_err *err)
{
	unsigned char *sector = af_sheet_now(s, 0), old[4096];

	keep_boot_code(s, base, now);
	memcpy(old, sector, s->sector_size);
	memset(sector + TABLE_AT, 0, 4 * (size_t)ENTRY_SIZE);
	for (size_t i = 0; i < 4; i++)
		sector[ID_AT + i] = now->disk_id[3 - i];
	sector[SIGNATURE_AT] = 0x55;
	sector[SIGNATURE_AT + 1] = 0xAA;

	int shadow = af_sheet_shadow(s, err);
	bool ok = shadow >= 0 && af_fdisk_put_mbr(shadow, now, err) &&
		  take_entries(s, shadow, now, old, err);

	if (shadow >= 0)
		close(shadow);
	return ok;
}

/* True if the EBR at part->ebr, and its link to next, already say all of it, if not in our own words. */
static bool stands(const struct af_layout *base, const struct af_layout *now,
		   const struct af_part *part, const struct af_part *next)
{
	const struct af_part *ext = af_layout_extended(base),
			     *new_ext = af_layout_extended(now);
	const struct af_part *old = af_layout_number(base, part->number);
	const struct af_part *old_next = af_layout_number(base, part->number + 1);

	if (af_layout_is_new(base, now) || !ext || ext->span.start != new_ext->span.start ||
	    !old || !af_part_equal(old, part))
		return false;
	return next ? old_next && af_part_equal(old_next, next) : !old_next;
}

/* True if the link of the EBR in sector leads straight to next: not by way of an EBR without a partition. */
static bool links_to(const struct af_layout *now, const unsigned char *sector,
		     const struct af_part *next)
{
	struct af_mbr_entry link = af_chain_entry(sector, 1);
	const struct af_part *ext = af_layout_extended(now);

	if (!next)
		return link.count == 0;
	return (af_bytes)link.start * now->sector_size == next->ebr - ext->span.start;
}

static void put_logical(struct af_sheet *s, const struct af_layout *base,
			const struct af_layout *now, const struct af_part *part)
{
	const struct af_part *next = af_layout_number(now, part->number + 1);
	unsigned char *sector = af_sheet_now(s, part->ebr);

	if (!live(s, part->ebr))
		memset(sector, 0, s->sector_size);
	else if (stands(base, now, part, next) && links_to(now, sector, next))
		return;
	af_chain_encode(now, part, next, sector);
}

/* An extended partition without logicals begins with an EBR without entries; one that always was zeros may stay. */
static void put_empty(struct af_sheet *s, const struct af_layout *base, af_bytes at)
{
	const struct af_part *old = af_layout_extended(base);
	unsigned char *sector = af_sheet_now(s, at);

	if (old && old->span.start == at && s->chain.n == 0)
		return;
	if (!live(s, at))
		memset(sector, 0, s->sector_size);
	memset(sector + TABLE_AT, 0, 4 * (size_t)ENTRY_SIZE);
	sector[SIGNATURE_AT] = 0x55;
	sector[SIGNATURE_AT + 1] = 0xAA;
}

static bool need_ebrs(struct af_sheet *s, const struct af_layout *now, struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(now);
	const struct af_part *first = af_layout_number(now, 5);

	if (ext && first && first->ebr != ext->span.start)
		return af_fail(err, AF_E_RULE,
			       "the first EBR must lie at the start of the extended "
			       "partition, sector %lld",
			       (long long)af_sectors(ext->span.start, now->sector_size));
	if (ext && !af_sheet_need(s, ext->span.start, now->sector_size, err))
		return false;
	for (size_t i = 0; i < now->nparts; i++)
		if (now->part[i].role == AF_ROLE_LOGICAL &&
		    !af_sheet_need(s, now->part[i].ebr, now->sector_size, err))
			return false;
	return true;
}

bool af_mbr_put(struct af_sheet *s, const struct af_layout *base,
		const struct af_layout *now, struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(now);

	if (!need_ebrs(s, now, err) || !put_sector0(s, base, now, err))
		return false;
	for (size_t i = 0; i < now->nparts; i++)
		if (now->part[i].role == AF_ROLE_LOGICAL)
			put_logical(s, base, now, &now->part[i]);
	if (ext && !af_layout_number(now, 5))
		put_empty(s, base, ext->span.start);
	return true;
}

static struct af_span sector_at(const struct af_sheet *s, af_bytes at)
{
	return (struct af_span){ at, at + s->sector_size };
}

/* EBRs from the tail to the head: those that the old chain runs through, or the others. */
static void emit_ebrs(const struct af_sheet *s, const struct af_layout *now, bool living,
		      struct af_patch *p)
{
	uint32_t number = 5;
	char what[48];

	while (af_layout_number(now, number))
		number++;
	while (--number >= 5) {
		const struct af_part *part = af_layout_number(now, number);

		snprintf(what, sizeof what, "EBR of partition %u", (unsigned)number);
		if (live(s, part->ebr) == living)
			af_sheet_emit(s, p, sector_at(s, part->ebr), living ? 1 : 0, what);
	}
}

void af_mbr_emit(const struct af_sheet *s, const struct af_layout *now, struct af_patch *p)
{
	const struct af_part *ext = af_layout_extended(now);
	bool empty = ext && !af_layout_number(now, 5);

	emit_ebrs(s, now, false, p);
	if (empty)
		af_sheet_emit(s, p, sector_at(s, ext->span.start),
			      live(s, ext->span.start) ? 1 : 0,
			      "EBR of the empty extended partition");
	emit_ebrs(s, now, true, p);
	af_sheet_emit(s, p, sector_at(s, 0), 2, "MBR");
}
