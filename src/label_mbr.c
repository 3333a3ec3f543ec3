/*
 * label_mbr.c - MBR tables: entries and chain to a layout. Partitions are found and numbered as Linux does; what cannot
 * be written back as it is makes the table read-only, with the reason. label_mbr_put.c goes the other way.
 */
#include "label_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINUX_LOGICALS 251 /* numbers up to 255: DISK_MAX_PARTS in include/linux/blkdev.h */

/* Partitions on their way into a layout: all at once, since it keeps them in order of place. */
struct found {
	struct af_part *part;
	size_t n;
	uint32_t next_logical;
};

static void add_found(struct found *f, const struct af_part *part)
{
	if (f->n == 0 || (f->n & (f->n - 1)) == 0) /* full: as many as a power of two */
		f->part = af_realloc(f->part, f->n ? 2 * f->n : 1, sizeof *f->part);
	f->part[f->n++] = *part;
}

static void take_entry(const struct af_layout *l, struct found *f, uint32_t number,
		       const struct af_mbr_entry *e, struct af_label_note *note)
{
	bool extended = af_scheme_is_extended_code(e->type);
	struct af_part part = { .number = number,
				.role = extended ? AF_ROLE_EXTENDED : AF_ROLE_PRIMARY,
				.boot = e->boot == 0x80,
				.type = { e->type } };

	if (e->count == 0) {
		if (extended)
			af_note_remark(
				note,
				"entry %u of the MBR is an extended partition without "
				"sectors: Linux takes it for unused",
				(unsigned)number);
		return;
	}
	if (e->type == 0)
		af_note_blame(
			note,
			"entry %u of the MBR gives a size but no type: sfdisk --part-type "
			"gives it one",
			(unsigned)number);
	part.span.start = (af_bytes)e->start * l->sector_size; /* 44 bits at the most */
	part.span.end = part.span.start + (af_bytes)e->count * l->sector_size;
	for (size_t i = 0; i < f->n && extended; i++)
		if (f->part[i].role == AF_ROLE_EXTENDED)
			af_note_blame(note,
				      "there are two extended partitions, %u and %u: "
				      "sfdisk --delete "
				      "takes one away, with its logical ones",
				      (unsigned)f->part[i].number, (unsigned)number);
	add_found(f, &part);
}

static void take_logical(struct found *f, const struct af_ebr *ebr,
			 struct af_label_note *note)
{
	struct af_part part = {
		.number = f->next_logical++,
		.role = AF_ROLE_LOGICAL,
		.boot = ebr->boot == 0x80,
		.type = { ebr->type },
		.span = ebr->data,
		.ebr = ebr->at,
	};

	if ((ebr->boot & 0x7F) != 0)
		af_note_blame(note,
			      "the boot flag of partition %u is %02x, which is neither on "
			      "nor off: fdisk toggles it",
			      (unsigned)part.number, (unsigned)ebr->boot);
	add_found(f, &part);
}

static void judge_chain(const struct af_chain *c, const struct found *f,
			struct af_label_note *note)
{
	char where[40] = "before its first partition";

	if (f->next_logical > 5)
		snprintf(where, sizeof where, "after partition %u",
			 (unsigned)f->next_logical - 1);
	if (!c->ended)
		af_note_blame(note,
			      "the chain of logical partitions is broken %s: %s; "
			      "testdisk looks for what is lost",
			      where, c->why);
	else if (!c->whole)
		af_note_blame(note,
			      "the logical partitions are as Linux finds them, but cannot "
			      "be changed: %s",
			      c->why);
}

/* Adds what was found in one extended partition to what was found in those before. */
static void keep_chain(struct af_sheet *s, struct af_chain *c)
{
	size_t n = s->chain.n + c->n;

	s->chain.ebr = af_realloc(s->chain.ebr, n + 1, sizeof *c->ebr);
	if (c->n)
		memcpy(s->chain.ebr + s->chain.n, c->ebr, c->n * sizeof *c->ebr);
	s->chain.n = n;
	af_chain_release(c);
}

static void study_chain(struct af_sheet *s, struct af_span ext, struct found *f,
			struct af_label_note *note)
{
	struct af_chain c;

	af_chain_read(af_sheet_read, s, ext, s->sector_size, &c);
	for (size_t i = 0; i < c.n; i++)
		if (c.ebr[i].has_logical)
			take_logical(f, &c.ebr[i], note);
	judge_chain(&c, f, note);
	keep_chain(s, &c);
}

/* Linux walks the chains in the order of the entries. */
static void study_chains(struct af_sheet *s, struct found *f, struct af_label_note *note)
{
	size_t nentries = f->n, nlogicals;
	char linux_too[40] = "";

	for (size_t i = 0; i < nentries; i++)
		if (f->part[i].role == AF_ROLE_EXTENDED)
			study_chain(s, f->part[i].span, f, note);
	nlogicals = f->n - nentries;
	if (nlogicals > LINUX_LOGICALS)
		(void)snprintf(linux_too, sizeof linux_too, "Linux names the first %d; ",
			       LINUX_LOGICALS);
	if (nlogicals > AF_LOGICALS_MAX)
		af_note_remark(
			note,
			"%zu logical partitions: %sfdisk, sfdisk and parted find the first "
			"%d and delete the others with whatever they write",
			nlogicals, linux_too, AF_LOGICALS_MAX);
}

void af_mbr_study(struct af_sheet *s, struct af_layout *out, struct af_label_note *note)
{
	const unsigned char *sector = af_sheet_was(s, 0);
	struct found f = { .next_logical = 5 };

	out->scheme = AF_SCHEME_MBR;
	out->slots = af_scheme_slots(AF_SCHEME_MBR);
	out->usable = af_scheme_usable(AF_SCHEME_MBR, out->disk_size, out->sector_size);
	for (size_t i = 0; i < 4; i++)
		out->disk_id[i] = sector[AF_MBR_ID + 3 - i];
	for (uint32_t i = 0; i < 4; i++) {
		struct af_mbr_entry e = af_chain_entry(sector, i);

		take_entry(out, &f, i + 1, &e, note);
	}
	study_chains(s, &f, note);
	af_layout_add_all(out, f.part, f.n);
	free(f.part);
}
