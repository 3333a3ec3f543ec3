/*
 * label_sectors.c - which sectors belong to a table, for a backup of it: as far as a damaged one still tells, and rather
 * too many than too few. What the sectors mean is of no interest beyond where they are, and what must be written last
 * when they are put back: whatever makes a table valid.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/text.h"
#include "chain_bytes.h"
#include "label_priv.h"

#define GAP_MAX     AF_MIB
#define ENTRIES_MAX AF_MIB

/** A stretch of the table; earlier ones have the sectors that later ones share with them. */
struct piece {
	struct af_span span;
	int phase;
	const char *what;
};

struct pieces {
	struct af_sheet *sheet;
	struct piece *piece;
	size_t n;
};

static void add(struct pieces *p, struct af_span span, int phase, const char *what)
{
	af_bytes size = p->sheet->sector_size, disk = p->sheet->disk_size;

	span.end = span.end < disk ? span.end : disk;
	if (span.start < 0 || span.start % size != 0 || span.start >= span.end)
		return;
	p->piece = af_realloc(p->piece, p->n + 1, sizeof(*p->piece));
	p->piece[p->n++] = (struct piece){ span, phase, what };
}

static void add_sector(struct pieces *p, af_bytes at, int phase, const char *what)
{
	add(p, (struct af_span){ at, at + p->sheet->sector_size }, phase, what);
}

/** The byte where sector n begins, or -1 if that is beyond the disk. */
static af_bytes byte_of(const struct af_sheet *s, uint64_t n)
{
	af_bytes at;

	if (!af_lba_to_bytes((struct af_lba){ n }, s->sector_size, &at) ||
	    at >= s->disk_size)
		return -1;
	return at;
}

/** The sector at `at` if it can be read and begins like a GPT header, else NULL. */
static const unsigned char *header_at(struct af_sheet *s, af_bytes at)
{
	struct af_err ignored;

	if (at < 0 || !af_sheet_need(s, at, s->sector_size, &ignored))
		return NULL;
	return af_gpt_is_header(af_sheet_was(s, at)) ? af_sheet_was(s, at) : NULL;
}

/** The entries that a header describes. */
static struct af_span entries_of(const struct af_sheet *s, const unsigned char *header)
{
	uint64_t bytes = (uint64_t)af_get_le32(header + 80) * af_get_le32(header + 84);
	af_bytes at = byte_of(s, af_get_le64(header + 72)), size = s->sector_size;
	af_bytes len = bytes < (uint64_t)ENTRIES_MAX ? (af_bytes)bytes : ENTRIES_MAX;

	return (struct af_span){ at, at + (len + size - 1) / size * size };
}

/** Where the entries of a usual GPT lie, if no header tells. */
static struct af_span usual_entries(const struct af_sheet *s, bool backup)
{
	af_bytes size = s->sector_size, last = s->disk_size - size;
	af_bytes at = backup ? last - AF_GPT_ARRAY : 2 * size;

	return (struct af_span){ at, at + AF_GPT_ARRAY };
}

/** Both copies, wherever they are, if anything says that there is a GPT. */
static void add_gpt(struct pieces *p, bool known)
{
	struct af_sheet *s = p->sheet;
	af_bytes size = s->sector_size, last = s->disk_size - size, other = -1;
	const unsigned char *first = header_at(s, size), *spare;
	struct af_span entries = first ? entries_of(s, first) : usual_entries(s, false);

	if (first)
		other = byte_of(s, af_get_le64(first + 32));
	spare = header_at(s, last);
	if (!first && !spare && !known)
		return;
	add_sector(p, size, 3, "GPT header");
	add(p, entries, 2, "GPT entries");
	add_sector(p, last, 1, "backup GPT header");
	add(p, spare ? entries_of(s, spare) : usual_entries(s, true), 0,
	    "backup GPT entries");
	spare = other != last ? header_at(s, other) : NULL;
	if (!spare)
		return;
	add_sector(p, other, 1, "displaced GPT header");
	add(p, entries_of(s, spare), 0, "displaced GPT entries");
}

/** Every EBR that was met, and where each one leads: the chain may be broken there. */
static void add_chain(struct pieces *p, const struct af_layout *l)
{
	struct af_sheet *s = p->sheet;
	const struct af_part *ext = af_layout_extended(l);
	struct af_err ignored;

	if (!ext)
		return;
	add_sector(p, ext->span.start, 0, "EBR");
	for (size_t i = 0; i < s->chain.n; i++) {
		af_bytes at = s->chain.ebr[i].at;

		add_sector(p, at, 0, "EBR");
		if (!af_sheet_need(s, at, s->sector_size, &ignored))
			continue;
		struct af_mbr_entry link = af_chain_entry(af_sheet_was(s, at), 1);

		if (link.count != 0)
			add_sector(p,
				   ext->span.start + (af_bytes)link.start * s->sector_size,
				   0, "EBR");
	}
}

/** What lies before the first partition: boot loaders live there. */
static void add_gap(struct pieces *p, const struct af_layout *l)
{
	af_bytes end = GAP_MAX;

	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].span.start < end)
			end = l->part[i].span.start;
	add(p, (struct af_span){ 0, end }, 0, "gap before the first partition");
}

/** True if an earlier piece has that sector. */
static bool taken(const struct pieces *p, size_t before, af_bytes at)
{
	for (size_t i = 0; i < before; i++)
		if (af_span_has(p->piece[i].span, at))
			return true;
	return false;
}

/** Adds the stretch of sectors from `at` on that are this piece's and can be read; returns where it ends. */
static af_bytes add_stretch(const struct pieces *p, size_t k, af_bytes at, bool *readable,
			    struct af_patch *out)
{
	const struct piece *piece = &p->piece[k];
	size_t size = p->sheet->sector_size;
	af_bytes end = at;
	struct af_run run = { .at = at, .phase = piece->phase };
	struct af_err ignored;
	unsigned char *bytes = NULL;

	*readable = true;
	while (end < piece->span.end && !taken(p, k, end) && *readable) {
		size_t have = (size_t)(end - at);

		bytes = af_realloc(bytes, have + size, 1);
		*readable =
			p->sheet->read(p->sheet->ctx, end, bytes + have, size, &ignored);
		end += (af_bytes)size;
	}
	run.len = end - at - (*readable ? 0 : (af_bytes)size);
	run.before = run.after = bytes;
	(void)snprintf(run.what, sizeof(run.what), "%s", piece->what);
	if (run.len > 0)
		af_patch_add(out, &run);
	free(bytes);
	return end;
}

/** All pieces of one phase; returns the sectors that cannot be read. */
static size_t take_phase(const struct pieces *p, int phase, struct af_patch *out)
{
	size_t unreadable = 0;

	for (size_t k = 0; k < p->n; k++) {
		af_bytes at = p->piece[k].span.start;
		bool readable;

		while (p->piece[k].phase == phase && at < p->piece[k].span.end) {
			if (taken(p, k, at)) {
				at += p->sheet->sector_size;
				continue;
			}
			at = add_stretch(p, k, at, &readable, out);
			unreadable += !readable;
		}
	}
	return unreadable;
}

static bool read_dev(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	return af_dev_read(ctx, at, buf, n, err);
}

size_t af_label_sectors(struct af_dev *dev, struct af_patch *out)
{
	struct af_sheet s = { .read = read_dev,
			      .ctx = dev,
			      .disk_size = dev->size - dev->size % dev->sector_size,
			      .sector_size = dev->sector_size };
	struct pieces p = { .sheet = &s };
	struct af_layout l = { .scheme = AF_SCHEME_NONE };
	struct af_label_note note;
	struct af_err ignored;
	size_t unreadable = 0;
	bool known = af_label_study(&s, false, &l, &note, &ignored);

	*out = (struct af_patch){ 0 };
	add_sector(&p, 0, 4, "MBR");
	add_gpt(&p, known && l.scheme == AF_SCHEME_GPT);
	add_chain(&p, &l);
	add_gap(&p, &l);
	for (int phase = 0; phase <= 4; phase++)
		unreadable += take_phase(&p, phase, out);
	free(p.piece);
	af_layout_release(&l);
	af_sheet_release(&s);
	return unreadable;
}
