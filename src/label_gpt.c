/*
 * label_gpt.c - GPT tables: both copies to a layout, and a layout to sectors.
 *
 * Reading is ours, checksums included. Writing is libfdisk's, on a shadow; then what it cannot say (a
 * name beyond the basic plane) or must not touch (sector 0 of a table that stays) is put right here.
 * Where things lie on a disk of L sectors:
 *
 *	0 MBR | 1 header | 2 entries ... | usable ... | entries ... | L-1 backup header
 */
#include "label_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chain_bytes.h"

enum {
	NAME_AT = 56,
	NAME_UNITS = 36,
	HEADER_CRC = 16,
	HEADER_ENTRIES_CRC = 88,
	HEADER_MIN = 92,
	ENTRIES_MAX = 8192,
};

/* A header whose own checksum holds. Positions in sectors. */
struct header {
	uint64_t self, other, first, last, entries;
	uint32_t n, entry_size, entries_crc;
	uint8_t id[16];
};

/* CRC-32 as Ethernet has it, four bits at a time; crc is that of the bytes before, 0 at first. */
static uint32_t crc32_of(uint32_t crc, const unsigned char *p, size_t n)
{
	static const uint32_t nibble_table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};

	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		crc = crc >> 4 ^ nibble_table[crc & 15];
		crc = crc >> 4 ^ nibble_table[crc & 15];
	}
	return ~crc;
}

/* The header's checksum counts its own four bytes as zeros. */
static uint32_t header_crc(const unsigned char *sector, uint32_t size)
{
	static const unsigned char zeros[4];
	uint32_t crc = crc32_of(0, sector, HEADER_CRC);

	crc = crc32_of(crc, zeros, sizeof zeros);
	return crc32_of(crc, sector + HEADER_CRC + 4, size - HEADER_CRC - 4);
}

/* A GUID's first three fields are little-endian on the disk, and written the other way round in text. */
static void guid_text_order(const unsigned char *disk, uint8_t text[16])
{
	static const unsigned char place_table[16] = { 3, 2, 1,  0,  5,  4,  7,  6,
						       8, 9, 10, 11, 12, 13, 14, 15 };

	for (size_t i = 0; i < 16; i++)
		text[i] = disk[place_table[i]];
}

bool af_gpt_is_header(const unsigned char *sector)
{
	return memcmp(sector, "EFI PART", 8) == 0;
}

/* NULL and *out filled if sector, read at sector number `at`, is a good header; else what is wrong with it. */
static const char *take_header(const unsigned char *sector, uint32_t sector_size,
			       uint64_t at, struct header *out)
{
	if (!sector)
		return "cannot be read";
	if (!af_gpt_is_header(sector))
		return "is not there";
	uint32_t size = af_get_le32(sector + 12);

	if (size < HEADER_MIN || size > sector_size)
		return "has an impossible size";
	if (header_crc(sector, size) != af_get_le32(sector + HEADER_CRC))
		return "fails its checksum";
	if (af_get_le64(sector + 24) != at)
		return "says it belongs to another place";
	*out = (struct header){
		.self = at,
		.other = af_get_le64(sector + 32),
		.first = af_get_le64(sector + 40),
		.last = af_get_le64(sector + 48),
		.entries = af_get_le64(sector + 72),
		.n = af_get_le32(sector + 80),
		.entry_size = af_get_le32(sector + 84),
		.entries_crc = af_get_le32(sector + HEADER_ENTRIES_CRC),
	};
	guid_text_order(sector + 56, out->id);
	return NULL;
}

/* Bytes of n entries, in whole sectors. */
static af_bytes entries_bytes(uint32_t n, uint32_t sector_size)
{
	af_bytes bytes = (af_bytes)n * AF_GPT_ENTRY;

	return (bytes + sector_size - 1) / sector_size * sector_size;
}

static uint64_t last_lba(const struct af_sheet *s)
{
	return (uint64_t)af_sectors(s->disk_size, s->sector_size) - 1;
}

/* Where the backup's header and entries belong. */
static af_bytes backup_header_at(const struct af_sheet *s)
{
	return (af_bytes)last_lba(s) * s->sector_size;
}

static af_bytes backup_entries_at(const struct af_sheet *s, uint32_t n)
{
	return backup_header_at(s) - entries_bytes(n, s->sector_size);
}

/* What each copy takes, for n entries; the MBR counts with the first. */
static struct af_span head_of(const struct af_sheet *s, uint32_t n)
{
	return (struct af_span){ 0, 2 * (af_bytes)s->sector_size +
					    entries_bytes(n, s->sector_size) };
}

static struct af_span tail_of(const struct af_sheet *s, uint32_t n)
{
	return (struct af_span){ backup_entries_at(s, n),
				 backup_header_at(s) + s->sector_size };
}

/* True if this header describes entries that this program can keep where they are. */
static bool entries_usual(const struct af_sheet *s, const struct header *h)
{
	if (h->entry_size != AF_GPT_ENTRY || h->n == 0 || h->n > ENTRIES_MAX)
		return false;
	if (h->self == 1)
		return h->entries == 2;
	return (af_bytes)h->entries == backup_entries_at(s, h->n) / s->sector_size;
}

/* Has the sheet hold both copies as far as they can be read, for a table of n entries. */
static void need_copies(struct af_sheet *s, uint32_t n)
{
	af_bytes entries = entries_bytes(n, s->sector_size);
	struct af_err err;

	if (!af_sheet_need(s, 0, 2 * (af_bytes)s->sector_size + entries, &err) ||
	    !af_sheet_need(s, backup_entries_at(s, n), entries + s->sector_size, &err))
		(void)af_sheet_need(s, backup_header_at(s), s->sector_size, &err);
}

/* The entries of h if they are usual, whole and their checksum holds, else NULL. */
static const unsigned char *good_entries(const struct af_sheet *s, const struct header *h)
{
	if (!entries_usual(s, h))
		return NULL;
	size_t bytes = (size_t)h->n * AF_GPT_ENTRY;
	const unsigned char *p = af_sheet_was(s, (af_bytes)h->entries * s->sector_size);

	if (!p ||
	    !af_sheet_was(s, (af_bytes)h->entries * s->sector_size + (af_bytes)bytes - 1))
		return NULL;
	return crc32_of(0, p, bytes) == h->entries_crc ? p : NULL;
}

/* Appends one character as UTF-8; returns its bytes. */
static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead_table[5] = { 0, 0, 0xC0, 0xE0, 0xF0 };

	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3F));
	out[0] = (char)(lead_table[n] | c);
	return n;
}

/* The name of an entry as UTF-8. Half a surrogate pair becomes the replacement character. */
static void get_name(const unsigned char *entry, char out[AF_NAME_MAX])
{
	size_t len = 0;

	for (size_t i = 0; i < NAME_UNITS; i++) {
		const unsigned char *p = entry + NAME_AT + 2 * i;
		uint32_t c = (uint32_t)p[0] | (uint32_t)p[1] << 8;
		uint32_t low =
			i + 1 < NAME_UNITS ? (uint32_t)p[2] | (uint32_t)p[3] << 8 : 0;

		if (c == 0)
			break;
		if (c >= 0xD800 && c < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
			c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
			i++;
		} else if (c >= 0xD800 && c < 0xE000) {
			c = 0xFFFD;
		}
		len += put_utf8(out + len, c);
	}
	out[len] = '\0';
}

/* The next character of valid UTF-8 text, moving *p on; 0 at the end or at rubbish. */
static uint32_t next_char(const char **p)
{
	const unsigned char *s = (const unsigned char *)*p;
	size_t more = s[0] < 0x80 ? 0 : s[0] < 0xE0 ? 1 : s[0] < 0xF0 ? 2 : 3;
	uint32_t c = more ? s[0] & (0x3FU >> more) : s[0];

	for (size_t i = 1; i <= more; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3F);
	}
	*p += more + 1;
	return c;
}

/* Writes name as UTF-16 into 72 bytes; false if it has more than 36 units or is not UTF-8. */
static bool put_name(const char *name, unsigned char out[2 * NAME_UNITS])
{
	size_t n = 0;

	memset(out, 0, 2 * (size_t)NAME_UNITS);
	while (*name) {
		uint32_t c = next_char(&name), unit[2] = { c, 0 };
		size_t units = c >= 0x10000 ? 2 : 1;

		if (c == 0 || n + units > NAME_UNITS)
			return false;
		if (units == 2) {
			unit[0] = 0xD800 + ((c - 0x10000) >> 10);
			unit[1] = 0xDC00 + ((c - 0x10000) & 0x3FF);
		}
		for (size_t i = 0; i < units; i++, n++) {
			out[2 * n] = (unsigned char)(unit[i] & 0xFF);
			out[2 * n + 1] = (unsigned char)(unit[i] >> 8);
		}
	}
	return true;
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

static void add_entry(struct af_layout *out, uint32_t number, const unsigned char *entry,
		      struct af_label_note *note)
{
	static const unsigned char unused[16];
	struct af_part part = { .number = number, .attrs = af_get_le64(entry + 48) };

	if (memcmp(entry, unused, sizeof unused) == 0)
		return;
	if (!inclusive_span(af_get_le64(entry + 32), af_get_le64(entry + 40),
			    out->sector_size, &part.span)) {
		af_note_blame(note, "partition %u has impossible sectors and is not shown",
			      (unsigned)number);
		return;
	}
	guid_text_order(entry, part.type);
	guid_text_order(entry + 16, part.uuid);
	get_name(entry, part.name);
	af_layout_add(out, &part);
}

/* Where partitions may lie at most: behind one copy and before the other. */
static struct af_span between_copies(const struct af_sheet *s, uint32_t n)
{
	return (struct af_span){ head_of(s, n).end, tail_of(s, n).start };
}

static void study_entries(const struct af_sheet *s, const struct header *h,
			  const unsigned char *entries, struct af_layout *out,
			  struct af_label_note *note)
{
	out->scheme = AF_SCHEME_GPT;
	out->slots = h->n;
	memcpy(out->disk_id, h->id, sizeof out->disk_id);
	if (!inclusive_span(h->first, h->last, s->sector_size, &out->usable) ||
	    !af_span_inside(out->usable, between_copies(s, h->n))) {
		af_note_blame(note, "the GPT gives an impossible range of usable sectors");
		out->usable = af_scheme_usable(AF_SCHEME_GPT, s->disk_size, s->sector_size);
	}
	for (uint32_t i = 0; entries && i < h->n; i++)
		add_entry(out, i + 1, entries + (size_t)i * AF_GPT_ENTRY, note);
}

static bool copies_equal(const struct header *a, const struct header *b)
{
	return a->first == b->first && a->last == b->last && a->n == b->n &&
	       a->entries_crc == b->entries_crc && a->other == b->self &&
	       b->other == a->self && memcmp(a->id, b->id, sizeof a->id) == 0;
}

static void judge_copies(const struct af_sheet *s, const struct header *primary,
			 const char *primary_bad, const struct header *backup,
			 const char *backup_bad, struct af_label_note *note)
{
	if (primary_bad)
		af_note_blame(note, "the GPT header at sector 1 %s; the backup is shown",
			      primary_bad);
	else if (primary->other != last_lba(s))
		af_note_blame(
			note,
			"the backup GPT is not at the end of the disk: repair that first "
			"(sgdisk -e moves it)");
	else if (backup_bad)
		af_note_blame(note, "the backup GPT header at the end of the disk %s",
			      backup_bad);
	else if (!copies_equal(primary, backup))
		af_note_blame(
			note,
			"the two copies of the GPT differ; the one at sector 1 is shown");
}

bool af_gpt_study(struct af_sheet *s, struct af_layout *out, struct af_label_note *note)
{
	struct header primary = { 0 }, backup = { 0 };
	uint32_t size = s->sector_size, usual = (uint32_t)(AF_GPT_ARRAY / AF_GPT_ENTRY);

	if (last_lba(s) < 2)
		return false;
	const char *bad = take_header(af_sheet_was(s, size), size, 1, &primary);

	need_copies(s, !bad && entries_usual(s, &primary) ? primary.n : usual);

	const char *backup_bad = take_header(af_sheet_was(s, backup_header_at(s)), size,
					     last_lba(s), &backup);

	if (bad && backup_bad)
		return false;
	const struct header *h = bad ? &backup : &primary;
	const unsigned char *entries = good_entries(s, h),
			    *spare = good_entries(s, &backup);

	judge_copies(s, &primary, bad, &backup, backup_bad, note);
	if (!entries_usual(s, h))
		af_note_blame(note,
			      "the GPT keeps its entries in an unusual place or size");
	else if (!entries)
		af_note_blame(note, "the entries of the GPT fail their checksum");
	else if (!spare)
		af_note_blame(note, "the backup entries of the GPT fail their checksum");
	if (!entries && spare) {
		h = &backup;
		entries = spare;
	}
	study_entries(s, h, entries, out, note);
	return true;
}

/* What libfdisk made of one copy, back from the shadow. */
static bool take_back(struct af_sheet *s, int shadow, struct af_span range,
		      struct af_err *err)
{
	return af_shadow_read(&shadow, range.start, af_sheet_now(s, range.start),
			      (size_t)af_span_size(range), err);
}

/* Checksums of a header and its entries, after entries were changed. */
static void seal(struct af_sheet *s, af_bytes header_at, af_bytes entries_at, uint32_t n)
{
	unsigned char *header = af_sheet_now(s, header_at);

	af_put_le32(header + HEADER_ENTRIES_CRC,
		    crc32_of(0, af_sheet_now(s, entries_at), (size_t)n * AF_GPT_ENTRY));
	af_put_le32(header + HEADER_CRC, header_crc(header, af_get_le32(header + 12)));
}

/* Names that libfdisk could not write. */
static bool put_names(struct af_sheet *s, const struct af_layout *now, struct af_err *err)
{
	af_bytes main_at = 2 * (af_bytes)s->sector_size,
		 spare_at = backup_entries_at(s, now->slots);
	bool touched = false;

	for (size_t i = 0; i < now->nparts; i++) {
		const struct af_part *part = &now->part[i];
		af_bytes at = (af_bytes)(part->number - 1) * AF_GPT_ENTRY;
		char written[AF_NAME_MAX];

		get_name(af_sheet_now(s, main_at + at), written);
		if (strcmp(written, part->name) == 0)
			continue;
		if (!put_name(part->name, af_sheet_now(s, main_at + at) + NAME_AT))
			return af_fail(
				err, AF_E_RULE,
				"the name of partition %u does not fit in 36 UTF-16 units",
				(unsigned)part->number);
		memcpy(af_sheet_now(s, spare_at + at) + NAME_AT,
		       af_sheet_now(s, main_at + at) + NAME_AT, 2 * (size_t)NAME_UNITS);
		touched = true;
	}
	if (touched) {
		seal(s, s->sector_size, main_at, now->slots);
		seal(s, backup_header_at(s), spare_at, now->slots);
	}
	return true;
}

/* Sector 0 of a table that stays is not ours to improve; a new one keeps its own kind's boot code, and one that other
 * partitions came into keeps what boots them. */
static void keep_sector0(struct af_sheet *s, const struct af_layout *base,
			 const struct af_layout *now)
{
	bool boots = base->scheme == AF_SCHEME_GPT || af_layout_converts(base, now);
	size_t keep = !af_layout_is_new(base, now) ? s->sector_size : boots ? 440 : 0;

	memcpy(af_sheet_now(s, 0), af_sheet_was(s, 0), keep);
}

static bool put_on_shadow(struct af_sheet *s, const struct af_layout *maybe_base,
			  const struct af_layout *now, struct af_err *err)
{
	int shadow = af_sheet_shadow(s, err);
	bool ok = shadow >= 0 && af_fdisk_put_gpt(shadow, maybe_base, now, err) &&
		  take_back(s, shadow, head_of(s, now->slots), err) &&
		  take_back(s, shadow, tail_of(s, now->slots), err);

	if (shadow >= 0)
		close(shadow);
	return ok;
}

bool af_gpt_put(struct af_sheet *s, const struct af_layout *base,
		const struct af_layout *now, struct af_err *err)
{
	bool fresh = af_layout_is_new(base, now);
	struct af_span head = head_of(s, now->slots), tail = tail_of(s, now->slots);

	if (now->slots == 0 || now->slots > ENTRIES_MAX ||
	    (!fresh && now->slots != base->slots))
		return af_fail(err, AF_E_RULE, "a GPT of %u entries cannot be written here",
			       (unsigned)now->slots);
	if (!af_sheet_need(s, head.start, af_span_size(head), err) ||
	    !af_sheet_need(s, tail.start, af_span_size(tail), err))
		return false;
	if (fresh) {
		memset(af_sheet_now(s, head.start), 0, (size_t)af_span_size(head));
		memset(af_sheet_now(s, tail.start), 0, (size_t)af_span_size(tail));
	}
	if (!put_on_shadow(s, fresh ? NULL : base, now, err))
		return false;
	keep_sector0(s, base, now);
	return put_names(s, now, err);
}

void af_gpt_emit(const struct af_sheet *s, const struct af_layout *now, struct af_patch *p)
{
	struct af_span head = head_of(s, now->slots), tail = tail_of(s, now->slots);
	af_bytes size = s->sector_size, backup = backup_header_at(s);

	af_sheet_emit(s, p, (struct af_span){ tail.start, backup }, 0,
		      "backup GPT entries");
	af_sheet_emit(s, p, (struct af_span){ backup, tail.end }, 1, "backup GPT header");
	af_sheet_emit(s, p, (struct af_span){ 2 * size, head.end }, 2, "GPT entries");
	af_sheet_emit(s, p, (struct af_span){ size, 2 * size }, 3, "GPT header");
	af_sheet_emit(s, p, (struct af_span){ 0, size }, 4, "MBR");
}
