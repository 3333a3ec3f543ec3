/*
 * label_gpt.c - reads a GPT: both copies, as far as they are good, to a layout that says which is.
 *
 * A header counts only if its checksum holds and what it says can be: then its entries are read, never more than a
 * mebibyte of them. Where things usually lie on a disk of L sectors, as many as the entries take:
 *
 *	0 MBR | 1 header | 2 entries ... | usable ... | entries ... | L-1 backup header
 *
 * The entries may lie elsewhere; the backup does on a disk that has grown, and is lost on one that has shrunk.
 */
#include "label_gpt_priv.h"

#include <string.h>

#include "chain_bytes.h"

/* One copy as it was found; positions in sectors. Without a good header only bad and sealed count. */
struct copy {
	const char *bad; /* what is wrong with its header, or NULL */
	bool sealed;     /* the header's checksum holds */
	bool entries_good;
	uint64_t self, other, first, last;
	af_bytes entries; /* where they begin */
	uint32_t n, entry_size, entries_crc;
	uint8_t id[16];
};

struct pair {
	struct copy primary, backup;
	uint64_t backup_at; /* where the backup is, or is said to be */
};

bool af_gpt_is_header(const unsigned char *sector)
{
	return memcmp(sector, "EFI PART", 8) == 0;
}

static uint64_t last_lba(const struct af_sheet *s)
{
	return (uint64_t)af_sectors(s->disk_size, s->sector_size) - 1;
}

/* Whole sectors for that many bytes. */
static af_bytes in_sectors(const struct af_sheet *s, uint64_t bytes)
{
	return (af_bytes)((bytes + s->sector_size - 1) / s->sector_size) * s->sector_size;
}

/* Sectors that the entries of a copy take; they are known to be few. */
static af_bytes array_size(const struct af_sheet *s, const struct copy *c)
{
	return in_sectors(s, (uint64_t)c->n * c->entry_size);
}

/* NULL if entries like these can be there, else what is wrong. */
static const char *check_array(const struct af_sheet *s, uint64_t entries, struct copy *c)
{
	uint32_t units = c->entry_size / 128;
	af_bytes end = (af_bytes)(last_lba(s) + 1) * s->sector_size;

	if (units == 0 || c->entry_size % 128 != 0 || (units & (units - 1)) != 0 ||
	    c->entry_size > AF_GPT_ENTRY_MAX)
		return "has entries of an impossible size";
	if (c->n == 0 || (uint64_t)c->n * c->entry_size > AF_GPT_BYTES_MAX)
		return "has an impossible number of entries";
	if (entries < 2 || entries > last_lba(s) ||
	    !af_lba_to_bytes((struct af_lba){ entries }, s->sector_size, &c->entries) ||
	    end - c->entries < array_size(s, c) ||
	    (c->self >= entries &&
	     c->entries + array_size(s, c) > (af_bytes)c->self * s->sector_size))
		return "has its entries in an impossible place";
	return NULL;
}

/* What is wrong with the header in sector, which was read at sector number `at`; NULL and *c filled if nothing is. */
static const char *take_header(const struct af_sheet *s, const unsigned char *sector,
			       uint64_t at, struct copy *c)
{
	if (!sector)
		return "cannot be read";
	if (!af_gpt_is_header(sector))
		return "is not there";
	uint32_t size = af_get_le32(sector + AF_GPT_SIZE);

	if (size < AF_GPT_HEADER_MIN || size > s->sector_size)
		return "has an impossible size";
	if (af_gpt_header_crc(sector, size) != af_get_le32(sector + AF_GPT_CRC))
		return "fails its checksum";
	if (af_get_le64(sector + AF_GPT_SELF) != at)
		return "says it belongs to another place";
	*c = (struct copy){
		.sealed = true,
		.self = at,
		.other = af_get_le64(sector + AF_GPT_OTHER),
		.first = af_get_le64(sector + AF_GPT_FIRST),
		.last = af_get_le64(sector + AF_GPT_LAST),
		.n = af_get_le32(sector + AF_GPT_COUNT),
		.entry_size = af_get_le32(sector + AF_GPT_ENTRY_SIZE),
		.entries_crc = af_get_le32(sector + AF_GPT_ENTRIES_CRC),
	};
	af_gpt_guid(sector + AF_GPT_ID, c->id);
	return check_array(s, af_get_le64(sector + AF_GPT_ENTRIES), c);
}

/* Reads the copy whose header lies in sector number `at`, on the disk. */
static void read_copy(struct af_sheet *s, uint64_t at, struct copy *c)
{
	af_bytes place = (af_bytes)at * s->sector_size; /* on the disk */
	struct af_err err;

	*c = (struct copy){ 0 };
	(void)af_sheet_need(s, place, s->sector_size, &err);
	c->bad = take_header(s, af_sheet_was(s, place), at, c);
	if (c->bad || !af_sheet_need(s, c->entries, array_size(s, c), &err))
		return;
	c->entries_good = af_gpt_crc(af_sheet_was(s, c->entries),
				     (size_t)c->n * c->entry_size) == c->entries_crc;
}

/* The same of a backup, which usually is read in one piece with its entries before it. Where that fails there is no second try
 * at the entries: what comes and goes is not good. */
static void read_backup(struct af_sheet *s, uint64_t at, af_bytes entries, struct copy *c)
{
	af_bytes place = (af_bytes)at * s->sector_size; /* on the disk */
	struct af_err err;

	bool whole = place <= entries ||
		     af_sheet_need(s, place - entries, entries + s->sector_size, &err);

	read_copy(s, at, c);
	c->entries_good = c->entries_good && whole;
}

/* Where a backup must be by what is known before it is read. */
static uint64_t backup_by_primary(const struct af_sheet *s, const struct copy *primary)
{
	af_bytes at;
	bool sane = !primary->bad && primary->other > primary->last &&
		    af_lba_to_bytes((struct af_lba){ primary->other }, s->sector_size, &at);

	return sane ? primary->other : last_lba(s);
}

/* Where the last sector was when the MBR was made: the place of the backup, should the primary not say it. */
static uint64_t backup_by_mbr(const struct af_sheet *s)
{
	size_t i = af_gpt_protective(af_sheet_was(s, 0));

	return i < 4 ? af_chain_entry(af_sheet_was(s, 0), i).count : 0;
}

static void find_backup(struct af_sheet *s, struct pair *p)
{
	af_bytes entries =
		p->primary.bad ? in_sectors(s, AF_GPT_ARRAY) : array_size(s, &p->primary);
	uint64_t last = last_lba(s), other;
	struct copy found;

	p->backup_at = backup_by_primary(s, &p->primary);
	if (p->backup_at > last) {
		p->backup.bad = "lies beyond the disk";
		return;
	}
	read_backup(s, p->backup_at, entries, &p->backup);
	other = p->primary.bad ? backup_by_mbr(s) : last;
	if (!p->backup.bad || other == p->backup_at || other < 2 || other > last)
		return;
	read_backup(s, other, entries, &found);
	if (found.bad)
		return;
	p->backup = found;
	p->backup_at = other;
}

static bool copies_equal(const struct copy *a, const struct copy *b)
{
	return a->first == b->first && a->last == b->last && a->n == b->n &&
	       a->entry_size == b->entry_size && a->entries_crc == b->entries_crc &&
	       a->other == b->self && b->other == a->self &&
	       memcmp(a->id, b->id, sizeof a->id) == 0;
}

static enum af_gpt_copy state_of(const struct copy *c)
{
	if (c->bad)
		return AF_GPT_NO_HEADER;
	return c->entries_good ? AF_GPT_GOOD : AF_GPT_NO_ENTRIES;
}

/* True if sector 0 says of the disk what it should: all of it, or as much as 32 bits can. */
static bool mbr_fits(const struct af_sheet *s)
{
	size_t i = af_gpt_protective(af_sheet_was(s, 0));

	if (i == 4)
		return true; /* not a plain one */
	uint32_t count = af_chain_entry(af_sheet_was(s, 0), i).count;

	return count == UINT32_MAX || count == af_gpt_protected(s);
}

static struct af_gpt_form form_of(const struct af_sheet *s, const struct pair *p)
{
	const struct copy *a = &p->primary, *b = &p->backup;
	struct af_gpt_form f = {
		.primary = state_of(a),
		.backup = state_of(b),
		.mbr_misfits = !mbr_fits(s),
	};
	af_bytes at =
		(af_bytes)p->backup_at * s->sector_size; /* checked where it was found */
	const struct copy *used = f.primary == AF_GPT_GOOD ? a : b;

	if (f.primary == AF_GPT_GOOD && f.backup == AF_GPT_GOOD && !copies_equal(a, b))
		f.backup = AF_GPT_DIFFERS;
	if (p->backup_at != last_lba(s))
		f.backup_at = at;
	if (used->entry_size != 128)
		f.entry_size = used->entry_size;
	if (!a->bad && a->entries != 2 * (af_bytes)s->sector_size)
		f.entries = a->entries;
	if (f.backup == AF_GPT_GOOD && b->entries + array_size(s, b) != at)
		f.backup_entries = b->entries;
	return f;
}

/* Both edges of inclusive sectors as bytes; false if they are no range on any disk. */
static bool inclusive_span(uint64_t first, uint64_t last, uint32_t sector_size,
			   struct af_span *out)
{
	struct af_span s;

	if (first > last || last == UINT64_MAX ||
	    !af_lba_to_bytes((struct af_lba){ first }, sector_size, &s.start) ||
	    !af_lba_to_bytes((struct af_lba){ last + 1 }, sector_size, &s.end))
		return false;
	*out = s;
	return true;
}

/* Appends what an entry holds; there is room for it. */
static void add_entry(struct af_layout *out, uint32_t number, const unsigned char *entry,
		      struct af_label_note *note)
{
	static const unsigned char unused[16];
	struct af_part part = { .number = number,
				.attrs = af_get_le64(entry + AF_GPT_E_ATTRS) };

	if (memcmp(entry, unused, sizeof unused) == 0)
		return;
	if (!inclusive_span(af_get_le64(entry + AF_GPT_E_FIRST),
			    af_get_le64(entry + AF_GPT_E_LAST), out->sector_size,
			    &part.span)) {
		af_note_blame(note,
			      "partition %u has impossible sectors and is not shown: gdisk "
			      "can delete it",
			      (unsigned)number);
		return;
	}
	af_gpt_guid(entry + AF_GPT_E_TYPE, part.type);
	af_gpt_guid(entry + AF_GPT_E_UUID, part.uuid);
	af_gpt_get_name(entry, part.name);
	part.id = out->next_id++;
	out->part[out->nparts++] = part;
}

/* Usable space as the header has it, but for what is not there any more on a disk that has shrunk. */
static bool take_usable(const struct copy *c, struct af_layout *out)
{
	af_bytes ss = out->sector_size, last = af_sectors(out->disk_size, (uint32_t)ss) - 1;
	struct af_span room = { af_layout_gpt_entries(out, false).end,
				af_layout_gpt_entries(out, true).start };

	if (!inclusive_span(c->first, c->last, out->sector_size, &out->usable))
		return false;
	if (out->gpt.backup_at > last * ss) {
		room.end = last * ss - af_span_size(af_layout_gpt_entries(out, true));
		if (out->usable.end > room.end)
			out->usable.end = room.end;
	}
	return out->usable.start < out->usable.end && af_span_inside(out->usable, room);
}

/* Shows what copy c says. */
static void take_table(struct af_sheet *s, const struct copy *c, struct af_layout *out,
		       struct af_label_note *note)
{
	const unsigned char *entries = af_sheet_was(s, c->entries);

	if (!take_usable(c, out)) {
		af_note_blame(
			note,
			"the GPT gives an impossible range of usable sectors: testdisk "
			"looks for what is lost, a new label begins anew");
		out->usable = af_scheme_usable(AF_SCHEME_GPT, s->disk_size, s->sector_size);
	}
	out->part = af_alloc(c->n, sizeof *out->part);
	for (uint32_t i = 0; i < c->n; i++)
		add_entry(out, i + 1, entries + (size_t)i * c->entry_size, note);
	af_layout_sort(out); /* once: they may be thousands */
}

bool af_gpt_study(struct af_sheet *s, struct af_layout *out, struct af_label_note *note)
{
	struct pair p = { 0 };
	const struct copy *a = &p.primary, *b = &p.backup;

	if (last_lba(s) < 2)
		return false;
	read_copy(s, 1, &p.primary);
	find_backup(s, &p);
	if (!a->sealed && !b->sealed)
		return false;
	const struct copy *c = a->entries_good || !b->entries_good ? a : b;

	out->scheme = AF_SCHEME_GPT;
	memcpy(out->disk_id, c->sealed ? c->id : b->id, sizeof out->disk_id);
	out->usable = af_scheme_usable(AF_SCHEME_GPT, s->disk_size, s->sector_size);
	out->slots = af_scheme_slots(AF_SCHEME_GPT);
	if (!c->entries_good) {
		const char *bad = a->bad ? a->bad : b->bad;

		af_note_blame(
			note,
			"neither copy of the GPT can be used: the %s %s; testdisk looks "
			"for "
			"what is lost",
			a->bad   ? "primary header"
			: b->bad ? "primary entries fail their checksum, and the backup"
				 : "entries of both",
			bad ? bad : "fail their checksum");
		return true;
	}
	out->slots = c->n;
	out->gpt = form_of(s, &p);
	take_table(s, c, out, note);
	return true;
}
