/*
 * label_mbr_put.c - a layout to the sectors of an MBR and its chain.
 *
 * Encoded here is what libfdisk cannot keep: an EBR's place, a chain whose order is not the order of places, EBRs
 * without a partition, an entry that reaches beyond the disk, and the geometry that the table was made with. Whatever
 * an edit does not change keeps its bytes: boot code, CHS, an untouched EBR as a whole.
 */
#include "label_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	TABLE_AT = 446,
	ENTRY_SIZE = 16,
	FIRST_CHS = 1,
	LAST_CHS = 5,
	SEEN_EBRS = 32, /* EBRs that are asked for the table's geometry */
	SEEN_MAX = 8 + 4 * SEEN_EBRS,
};

/* ------------------------------------------------------------------ the chain to be */

/* The chain of a table to be, in order; and which of the EBRs on the disk are in the old one. */
struct row {
	const struct af_chain *old;
	struct af_layout now; /* its partitions are in the order of their numbers */
	struct af_link *link;
	size_t n;
	size_t hint; /* where in the old chain the last one was found */
};

/* The EBR at `at` in the old chain, or old->n. Mostly the one behind the last that was asked for. */
static size_t find_old(struct row *r, af_bytes at)
{
	for (size_t k = 0; k < r->old->n; k++) {
		size_t i = (r->hint + k) % r->old->n;

		if (r->old->ebr[i].at == at) {
			r->hint = i;
			return i;
		}
	}
	return r->old->n;
}

static void add_link(struct row *r, af_bytes at, const struct af_part *maybe_part)
{
	size_t i = find_old(r, at);
	const struct af_ebr *old = i < r->old->n ? &r->old->ebr[i] : NULL;
	struct af_link link = { .at = at, .maybe_part = maybe_part };

	if (old && maybe_part)
		link.stays = old->has_logical && af_span_equal(old->data, maybe_part->span);
	else if (old)
		link.stays = !old->has_logical;
	r->link[r->n++] = link;
}

/* True if an EBR may stay at `at`. */
static bool is_free(const struct af_layout *now, af_bytes at)
{
	struct af_span sector = { at, at + now->sector_size };
	const struct af_part *ext = af_layout_extended(now);

	for (size_t i = 0; i < now->nparts; i++) {
		const struct af_part *p = &now->part[i];

		if (p->role != AF_ROLE_LOGICAL)
			continue;
		if (af_span_overlap(p->span, sector) ||
		    af_span_overlap(af_layout_ebr(now, p), sector))
			return false;
	}
	return ext && af_span_inside(sector, ext->span);
}

/* Adds the EBRs without a partition between the last of the row and the one at `to` (-1: the end of the chain), if the
 * two were that far apart in the old chain, too, and nothing needs their places. */
static void add_idle(struct row *r, af_bytes to)
{
	size_t n = r->old->n, first = find_old(r, r->link[r->n - 1].at) + 1, i = first;

	while (i < n && !r->old->ebr[i].has_logical && r->old->ebr[i].at != to &&
	       is_free(&r->now, r->old->ebr[i].at))
		i++;
	if (i < n ? r->old->ebr[i].at != to : to >= 0)
		return;
	for (size_t k = first; k < i; k++)
		add_link(r, r->old->ebr[k].at, NULL);
}

static int by_number(const void *a, const void *b)
{
	const struct af_part *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* The chain in an extended partition that begins with sector `head`. */
static void fill_row(struct row *r, af_bytes head)
{
	for (size_t i = 0; i < r->now.nparts; i++) {
		const struct af_part *p = &r->now.part[i];

		if (p->role != AF_ROLE_LOGICAL)
			continue;
		if (r->n == 0 && p->ebr != head)
			add_link(r, head, NULL);
		if (r->n > 0)
			add_idle(r, p->ebr);
		add_link(r, p->ebr, p);
	}
	if (r->n == 0)
		add_link(r, head, NULL);
	add_idle(r, -1);
}

/* True if the extended partition stays without any EBR, as it always was: its first sector is all zeros. */
static bool stays_blank(const struct af_sheet *s, const struct af_layout *base,
			const struct af_layout *now)
{
	const struct af_part *old = af_layout_extended(base),
			     *ext = af_layout_extended(now);

	return old && ext && s->chain.n == 0 && af_layout_logicals(now) == 0 &&
	       old->span.start == ext->span.start && !af_layout_is_new(base, now);
}

/* The caller releases it. */
static struct row make_row(const struct af_sheet *s, const struct af_layout *base,
			   const struct af_layout *now)
{
	static const struct af_chain none;
	const struct af_part *ext = af_layout_extended(now);
	struct row r = { .old = af_layout_is_new(base, now) ? &none : &s->chain };

	af_layout_copy(now, &r.now);
	if (r.now.nparts)
		qsort(r.now.part, r.now.nparts, sizeof *r.now.part, by_number);
	r.link = af_alloc(now->nparts + s->chain.n + 1, sizeof *r.link);
	if (ext && !stays_blank(s, base, now))
		fill_row(&r, ext->span.start);
	return r;
}

static void release_row(struct row *r)
{
	af_layout_release(&r->now);
	free(r->link);
}

/* ------------------------------------------------------------------ geometry */

static void see_entry(const unsigned char *sector, size_t i, uint64_t base,
		      struct af_chs *seen, size_t *n)
{
	struct af_mbr_entry e = af_chain_entry(sector, i);
	const unsigned char *p = sector + TABLE_AT + i * ENTRY_SIZE;

	if (e.count == 0)
		return;
	memcpy(seen[*n].chs, p + FIRST_CHS, sizeof seen->chs);
	seen[(*n)++].lba = base + e.start;
	memcpy(seen[*n].chs, p + LAST_CHS, sizeof seen->chs);
	seen[(*n)++].lba = base + e.start + e.count - 1;
}

/* The geometry that the table on the disk was made with. */
static void find_geometry(const struct af_sheet *s, const struct af_layout *base,
			  struct af_geometry *out)
{
	const struct af_part *ext = af_layout_extended(base);
	struct af_chs seen[SEEN_MAX];
	size_t n = 0;

	for (size_t i = 0; i < 4; i++)
		see_entry(af_sheet_was(s, 0), i, 0, seen, &n);
	for (size_t i = 0; ext && i < s->chain.n && i < SEEN_EBRS; i++) {
		const unsigned char *sector = af_sheet_was(s, s->chain.ebr[i].at);

		see_entry(sector, 0, af_lba_of(s->chain.ebr[i].at, s->sector_size).n, seen,
			  &n);
		see_entry(sector, 1, af_lba_of(ext->span.start, s->sector_size).n, seen,
			  &n);
	}
	af_geometry_guess(seen, n, out);
}

/* ------------------------------------------------------------------ putting */

/* What boots an MBR's partitions stays; that of another table only with its partitions. */
static void keep_boot_code(struct af_sheet *s, const struct af_layout *base,
			   const struct af_layout *now)
{
	size_t keep = af_layout_converts(base, now) ? AF_MBR_ID : 0;

	if (base->scheme != AF_SCHEME_MBR)
		memset(af_sheet_now(s, 0) + keep, 0, s->sector_size - keep);
}

static void put_sector0(struct af_sheet *s, const struct af_layout *base,
			const struct af_layout *now, const struct af_geometry *g)
{
	unsigned char *sector = af_sheet_now(s, 0);

	keep_boot_code(s, base, now);
	if (base->scheme == AF_SCHEME_MBR && af_layout_is_new(base, now))
		memset(sector + TABLE_AT, 0, 4 * (size_t)ENTRY_SIZE);
	for (uint32_t i = 0; i < 4; i++) {
		const struct af_part *part = af_layout_number(now, i + 1);
		struct af_mbr_entry e = { 0 };

		if (part)
			e = af_chain_entry_of(part, 0, s->sector_size);
		af_chain_put_entry(sector, i, &e, 0, g);
		sector[AF_MBR_ID + i] = now->disk_id[3 - i];
	}
	af_chain_sign(sector);
}

static bool put_row(struct af_sheet *s, const struct af_layout *now, struct row *r,
		    const struct af_geometry *g, struct af_err *err)
{
	for (size_t i = 0; i < r->n; i++)
		if (!af_sheet_need(s, r->link[i].at, s->sector_size, err))
			return false;
	for (size_t i = 0; i < r->n; i++) {
		unsigned char *sector = af_sheet_now(s, r->link[i].at);

		if (find_old(r, r->link[i].at) == r->old->n)
			memset(sector, 0, s->sector_size);
		af_chain_encode(now, &r->link[i], i + 1 < r->n ? &r->link[i + 1] : NULL, g,
				sector);
	}
	return true;
}

bool af_mbr_put(struct af_sheet *s, const struct af_layout *base,
		const struct af_layout *now, struct af_err *err)
{
	bool fresh = af_layout_is_new(base, now);
	struct af_geometry g;
	struct row r;

	if (fresh)
		af_geometry_usual(&g);
	else
		find_geometry(s, base, &g);
	put_sector0(s, base, now, &g);
	r = make_row(s, base, now);
	bool ok = put_row(s, now, &r, &g, err);

	release_row(&r);
	return ok;
}

static struct af_span sector_at(const struct af_sheet *s, af_bytes at)
{
	return (struct af_span){ at, at + s->sector_size };
}

/* EBRs from the tail to the head: those that the old chain runs through, or the others. */
static void emit_ebrs(const struct af_sheet *s, const struct row *r, bool living, int phase,
		      struct af_patch *p)
{
	struct row all = {
		.old = &s->chain
	}; /* a fresh table's EBRs may lie on the old ones */
	char what[48];

	for (size_t i = r->n; i > 0; i--) {
		const struct af_link *link = &r->link[i - 1];

		snprintf(what, sizeof what, "EBR without a partition");
		if (link->maybe_part)
			snprintf(what, sizeof what, "EBR of partition %u",
				 (unsigned)link->maybe_part->number);
		else if (r->n == 1)
			snprintf(what, sizeof what, "EBR of the empty extended partition");
		if ((find_old(&all, link->at) < s->chain.n) == living)
			af_sheet_emit(s, p, sector_at(s, link->at), phase, what);
	}
}

/* True if links may lead beyond the old end of the extended partition: then its new end comes first, and no link leads
 * out of it at any moment. */
static bool grows(const struct af_layout *base, const struct af_layout *now)
{
	const struct af_part *old = af_layout_extended(base);
	const struct af_part *ext = af_layout_extended(now);

	return old && ext && old->span.start == ext->span.start &&
	       old->span.end < ext->span.end && !af_layout_is_new(base, now);
}

void af_mbr_emit(const struct af_sheet *s, const struct af_layout *base,
		 const struct af_layout *now, struct af_patch *p)
{
	struct row r = make_row(s, base, now);
	bool first = grows(base, now);

	emit_ebrs(s, &r, false, 0, p);
	if (first)
		af_sheet_emit(s, p, sector_at(s, 0), 1, "MBR");
	emit_ebrs(s, &r, true, first ? 2 : 1, p);
	if (!first)
		af_sheet_emit(s, p, sector_at(s, 0), 2, "MBR");
	release_row(&r);
}
