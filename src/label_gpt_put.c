/*
 * label_gpt_put.c - writes a GPT: the sectors of both copies, and their safe order.
 *
 * Encoding is ours, since libfdisk cannot keep entries that are larger than usual, that lie elsewhere, or whose names
 * are no text. An entry keeps every byte that the layout does not say otherwise; so do the rest of the headers,
 * unused entries, and sector 0.
 */
#include "label_gpt_priv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chain_bytes.h"

/* The sectors of a GPT. */
struct places {
	struct af_span header, entries;               /* of the primary */
	struct af_span backup_header, backup_entries; /* and the other one */
};

static struct places places_of(const struct af_layout *l)
{
	af_bytes ss = l->sector_size, backup = af_layout_gpt_backup(l);

	return (struct places){
		.header = { ss, 2 * ss },
		.entries = af_layout_gpt_entries(l, false),
		.backup_header = { backup, backup + ss },
		.backup_entries = af_layout_gpt_entries(l, true),
	};
}

static bool need(struct af_sheet *s, struct af_span span, struct af_err *err)
{
	return af_sheet_need(s, span.start, af_span_size(span), err);
}

static void put_le64(unsigned char *p, uint64_t value)
{
	af_put_le32(p, (uint32_t)value); /* its lower half */
	af_put_le32(p + 4, (uint32_t)(value >> 32));
}

static uint64_t sector_of(const struct af_layout *l, af_bytes at)
{
	return af_lba_of(at, l->sector_size).n;
}

/* Writes what the layout says of part into its entry, and nothing else. */
static bool put_entry(const struct af_layout *now, const struct af_part *part,
		      unsigned char *entry, struct af_err *err)
{
	char name[AF_NAME_MAX];

	af_gpt_guid(part->type, entry + AF_GPT_E_TYPE);
	af_gpt_guid(part->uuid, entry + AF_GPT_E_UUID);
	put_le64(entry + AF_GPT_E_FIRST, sector_of(now, part->span.start));
	put_le64(entry + AF_GPT_E_LAST, sector_of(now, part->span.end) - 1);
	put_le64(entry + AF_GPT_E_ATTRS, part->attrs);
	af_gpt_get_name(entry, name);
	return strcmp(name, part->name) == 0 || af_gpt_put_name(part->name, entry) ||
	       af_fail(err, AF_E_RULE,
		       "the name of partition %u does not fit in 36 UTF-16 units",
		       (unsigned)part->number);
}

/* Makes the entries in array, which are those of maybe_base, those of now. A partition takes its bytes along where it
 * gets another number. */
static bool put_entries(const struct af_layout *maybe_base, const struct af_layout *now,
			const unsigned char *old, unsigned char *array, struct af_err *err)
{
	uint32_t size = af_layout_gpt_entry(now);
	bool ok = true;

	for (size_t i = 0; maybe_base && i < maybe_base->nparts; i++)
		memset(array + (size_t)(maybe_base->part[i].number - 1) * size, 0, size);
	for (size_t i = 0; ok && i < now->nparts; i++) {
		const struct af_part *part = &now->part[i];
		const struct af_part *before =
			maybe_base ? af_layout_find(maybe_base, part->id) : NULL;
		unsigned char *entry = array + (size_t)(part->number - 1) * size;

		if (before)
			memcpy(entry, old + (size_t)(before->number - 1) * size, size);
		else
			memset(entry, 0, size);
		ok = put_entry(now, part, entry, err);
	}
	return ok;
}

/* Says where things are in a header whose other bytes stay, and seals it. */
static void put_header(const struct af_layout *now, const struct places *p, bool is_backup,
		       uint32_t entries_crc, unsigned char *sector)
{
	af_bytes self = is_backup ? p->backup_header.start : p->header.start,
		 other = is_backup ? p->header.start : p->backup_header.start,
		 entries = is_backup ? p->backup_entries.start : p->entries.start;

	put_le64(sector + AF_GPT_SELF, sector_of(now, self));
	put_le64(sector + AF_GPT_OTHER, sector_of(now, other));
	put_le64(sector + AF_GPT_FIRST, sector_of(now, now->usable.start));
	put_le64(sector + AF_GPT_LAST, sector_of(now, now->usable.end) - 1);
	af_gpt_guid(now->disk_id, sector + AF_GPT_ID);
	put_le64(sector + AF_GPT_ENTRIES, sector_of(now, entries));
	af_put_le32(sector + AF_GPT_COUNT, now->slots);
	af_put_le32(sector + AF_GPT_ENTRY_SIZE, af_layout_gpt_entry(now));
	af_put_le32(sector + AF_GPT_ENTRIES_CRC, entries_crc);
	af_put_le32(sector + AF_GPT_CRC,
		    af_gpt_header_crc(sector, af_get_le32(sector + AF_GPT_SIZE)));
}

/* A header of revision 1.0 that says nothing yet. */
static void fresh_header(unsigned char *sector, uint32_t sector_size)
{
	static const unsigned char begin[16] = {
		'E', 'F', 'I', ' ', 'P', 'A', 'R', 'T', 0, 0, 1, 0, AF_GPT_HEADER_MIN
	};

	memset(sector, 0, sector_size);
	memcpy(sector, begin, sizeof begin);
}

/* What each header is made from: its own bytes while they are good, else those of the other one. */
static void begin_headers(struct af_sheet *s, const struct af_layout *maybe_base,
			  const struct places *p)
{
	const struct places from = maybe_base ? places_of(maybe_base) : *p;
	size_t size = s->sector_size;
	unsigned char *primary = af_sheet_now(s, p->header.start),
		      *backup = af_sheet_now(s, p->backup_header.start);

	if (!maybe_base) {
		fresh_header(primary, s->sector_size);
		fresh_header(backup, s->sector_size);
	} else if (maybe_base->gpt.primary != AF_GPT_GOOD) {
		memcpy(primary, af_sheet_was(s, from.backup_header.start), size);
		memcpy(backup, primary, size);
	} else if (maybe_base->gpt.backup != AF_GPT_GOOD ||
		   maybe_base->gpt.backup_at != 0) {
		memcpy(backup, primary, size);
	}
}

/* The entries of the copy that is used, as they were read; zeros without one. For free(). */
static unsigned char *entries_used(const struct af_sheet *s,
				   const struct af_layout *maybe_base, size_t size)
{
	unsigned char *out = af_alloc(size, 1);

	if (maybe_base) {
		bool backup = maybe_base->gpt.primary != AF_GPT_GOOD;
		const unsigned char *was =
			af_sheet_was(s, af_layout_gpt_entries(maybe_base, backup).start);

		assert(was); /* base was read from there */
		memcpy(out, was, size);
	}
	return out;
}

/* Both copies. The bytes behind the last entry, up to the end of its sector, stay. */
static bool put_copies(struct af_sheet *s, const struct af_layout *maybe_base,
		       const struct af_layout *now, struct af_err *err)
{
	const struct places p = places_of(now);
	size_t size = (size_t)now->slots * af_layout_gpt_entry(now);
	unsigned char *old = entries_used(s, maybe_base, size), *array = af_alloc(size, 1);

	memcpy(array, old, size);
	bool ok = put_entries(maybe_base, now, old, array, err);

	if (ok) {
		uint32_t crc = af_gpt_crc(array, size);

		memcpy(af_sheet_now(s, p.entries.start), array, size);
		memcpy(af_sheet_now(s, p.backup_entries.start), array, size);
		begin_headers(s, maybe_base, &p);
		put_header(now, &p, false, crc, af_sheet_now(s, p.header.start));
		put_header(now, &p, true, crc, af_sheet_now(s, p.backup_header.start));
	}
	free(old);
	free(array);
	return ok;
}

/* A new protective MBR keeps its own kind's boot code, and one that other partitions came into what boots them; one that is
 * made again keeps all but the entries; one that stays is only made to fit where that was asked for. */
static void put_sector0(struct af_sheet *s, const struct af_layout *base,
			const struct af_layout *now)
{
	/* Not active, from sector 1 to the end of the disk, which is beyond what CHS can say. */
	static const unsigned char entry[12] = { 0, 0, 2, 0, 0xEE, 0xFF, 0xFF, 0xFF, 1 };
	unsigned char *sector = af_sheet_now(s, 0);
	size_t i = af_gpt_protective(sector);
	bool again = base->gpt.mbr_lost && !now->gpt.mbr_lost;

	if (again || af_layout_is_new(base, now)) {
		bool boots = base->scheme == AF_SCHEME_GPT || af_layout_converts(base, now);
		size_t keep = again ? 446 : boots ? 440 : 0;

		memset(sector + keep, 0, s->sector_size - keep);
		memcpy(sector + 446, entry, sizeof entry);
		sector[510] = 0x55;
		sector[511] = 0xAA;
		i = 0;
	} else if (base->gpt.mbr_misfits == now->gpt.mbr_misfits || i == 4) {
		return;
	}
	af_put_le32(sector + 446 + 16 * i + 12, af_gpt_protected(s));
}

bool af_gpt_put(struct af_sheet *s, const struct af_layout *base,
		const struct af_layout *now, struct af_err *err)
{
	bool fresh = af_layout_is_new(base, now);
	const struct places p = places_of(now);

	if (!fresh && (now->slots != base->slots ||
		       af_layout_gpt_entry(now) != af_layout_gpt_entry(base)))
		return af_fail(err, AF_E_RULE,
			       "a GPT of %u entries keeps that length, and their size",
			       (unsigned)base->slots);
	if (!need(s, (struct af_span){ 0, p.header.end }, err) ||
	    !need(s, p.entries, err) || !need(s, p.backup_entries, err) ||
	    !need(s, p.backup_header, err))
		return false;
	put_sector0(s, base, now);
	return put_copies(s, fresh ? NULL : base, now, err);
}

static void emit_primary(const struct af_sheet *s, const struct places *p, int phase,
			 struct af_patch *patch)
{
	af_sheet_emit(s, patch, p->entries, phase, "GPT entries");
	af_sheet_emit(s, patch, p->header, phase + 1, "GPT header");
}

static void emit_backup(const struct af_sheet *s, const struct places *p, int phase,
			struct af_patch *patch)
{
	af_sheet_emit(s, patch, p->backup_entries, phase, "backup GPT entries");
	af_sheet_emit(s, patch, p->backup_header, phase + 1, "backup GPT header");
}

void af_gpt_emit(const struct af_sheet *s, const struct af_layout *base,
		 const struct af_layout *now, struct af_patch *p)
{
	const struct places places = places_of(now);
	bool backup_is_good =
		!af_layout_is_new(base, now) && base->gpt.primary != AF_GPT_GOOD;

	if (backup_is_good) {
		emit_primary(s, &places, 0, p);
		emit_backup(s, &places, 2, p);
	} else {
		emit_backup(s, &places, 0, p);
		emit_primary(s, &places, 2, p);
	}
	af_sheet_emit(s, p, (struct af_span){ 0, s->sector_size }, 4, "MBR");
}
