/*
 * chain.c - the MBR and its chain of extended boot records, over bytes.
 *
 * Knows the format and nothing else: no device, no libfdisk. Every EBR is read
 * once; what a regular chain does not have (a link outside the extended
 * partition, a sector met twice, entries in places of no use) ends the walk with
 * a reason, because writing such a chain back could lose what it means to others.
 *
 *	extended     ext.start                                          ext.end
 *	  EBR 5 | gap | data of 5 ..... | EBR 6 | gap | data of 6 ..... | free
 *	   \_ entry 1: links to EBR 6, counted from ext.start
 */
#include "afdisk/chain.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/scheme.h"
#include "afdisk/text.h"
#include "chain_bytes.h"

enum {
	TABLE_AT = 446,
	ENTRY_SIZE = 16,
	SIGNATURE_AT = 510,
	BOOT_ACTIVE = 0x80,
	TYPE_LINK = 0x05,
	HEADS = 255,
	TRACK = 63,
	CYLINDERS = 1024,
};

static bool has_signature(const unsigned char *sector)
{
	return sector[SIGNATURE_AT] == 0x55 && sector[SIGNATURE_AT + 1] == 0xAA;
}

bool af_chain_is_mbr(const unsigned char *sector)
{
	if (!has_signature(sector))
		return false;
	for (size_t i = 0; i < 4; i++)
		if ((af_chain_entry(sector, i).boot & ~BOOT_ACTIVE) != 0)
			return false;
	return true;
}

struct af_mbr_entry af_chain_entry(const unsigned char *sector, size_t i)
{
	assert(i < 4);
	const unsigned char *p = sector + TABLE_AT + i * ENTRY_SIZE;

	return (struct af_mbr_entry){
		.boot = p[0],
		.type = p[4],
		.start = af_get_le32(p + 8),
		.count = af_get_le32(p + 12),
	};
}

/* The walk: what is read, and where it is. */
struct walk {
	struct af_span ext;
	uint32_t sector_size;
	struct af_chain *chain;
	unsigned char sector[4096];
};

static bool broken(struct walk *w, const char *what, af_bytes at)
{
	snprintf(w->chain->why, sizeof w->chain->why, "the EBR at sector %lld %s",
		 (long long)af_sectors(at, w->sector_size), what);
	return false;
}

static bool may_visit(struct walk *w, af_bytes at)
{
	struct af_span ebr = { at, at + w->sector_size };

	if (!af_span_inside(ebr, w->ext))
		return broken(w, "lies outside the extended partition", at);
	for (size_t i = 0; i < w->chain->n; i++)
		if (w->chain->ebr[i].at == at)
			return broken(w, "is linked to twice", at);
	if (w->chain->n == AF_CHAIN_MAX)
		return broken(w, "is one too many to follow", at);
	return true;
}

static bool is_link(const struct af_mbr_entry *e)
{
	return e->count != 0 && af_scheme_is_extended_code(e->type);
}

/* The bytes of an entry that counts from `from`; false if they do not fit. */
static bool entry_span(const struct af_mbr_entry *e, af_bytes from, uint32_t sector_size,
		       struct af_span *out)
{
	struct af_span s;

	if (!af_lba_to_bytes((struct af_lba){ e->start }, sector_size, &s.start) ||
	    !af_add(s.start, from, &s.start) ||
	    !af_lba_to_bytes((struct af_lba){ e->count }, sector_size, &s.end) ||
	    !af_add(s.end, s.start, &s.end))
		return false;
	*out = s;
	return true;
}

static bool take_data(struct walk *w, const struct af_mbr_entry *e, struct af_ebr *ebr)
{
	if (e->count == 0)
		return true;
	if (e->type == 0)
		return broken(w, "gives a size but no type", ebr->at);
	if (af_scheme_is_extended_code(e->type))
		return broken(w, "has its link in the first entry", ebr->at);
	if (!entry_span(e, ebr->at, w->sector_size, &ebr->data))
		return broken(w, "describes data beyond any disk", ebr->at);
	ebr->has_logical = true;
	ebr->boot = e->boot;
	ebr->type = e->type;
	return true;
}

static bool take_rest(struct walk *w, af_bytes at)
{
	struct af_mbr_entry second = af_chain_entry(w->sector, 1);

	if (second.count != 0 && !is_link(&second))
		return broken(w, "holds more than one logical partition", at);
	for (size_t i = 2; i < 4; i++)
		if (af_chain_entry(w->sector, i).count != 0)
			return broken(w, "uses its third or fourth entry", at);
	return true;
}

/* An extended partition that no tool has put an EBR into yet: Linux finds an empty chain in it too. */
static bool is_untouched(const struct walk *w)
{
	if (w->chain->n != 0)
		return false;
	for (size_t i = 0; i < w->sector_size; i++)
		if (w->sector[i] != 0)
			return false;
	return true;
}

/* Takes the EBR in w->sector; *next is where its link leads, or -1 at the end of the chain. */
static bool visit(struct walk *w, af_bytes at, af_bytes *next)
{
	struct af_chain *c = w->chain;
	struct af_ebr ebr = { .at = at };
	struct af_mbr_entry first = af_chain_entry(w->sector, 0);
	struct af_mbr_entry second = af_chain_entry(w->sector, 1);
	struct af_span link = { 0 };

	*next = -1;
	if (is_untouched(w))
		return true;
	if (!has_signature(w->sector))
		return broken(w, "has no signature", at);
	if (!take_data(w, &first, &ebr))
		return false;
	c->ebr = af_realloc(c->ebr, c->n + 1, sizeof *c->ebr);
	c->ebr[c->n++] = ebr;
	if (!take_rest(w, at))
		return false;
	if (!is_link(&second))
		return true;
	if (!entry_span(&second, w->ext.start, w->sector_size, &link))
		return broken(w, "links beyond any disk", at);
	*next = link.start;
	return true;
}

void af_chain_read(af_read_fn read, void *ctx, struct af_span ext, uint32_t sector_size,
		   struct af_chain *out)
{
	struct walk w = { .ext = ext, .sector_size = sector_size, .chain = out };
	af_bytes at = ext.start;
	struct af_err err;

	assert(sector_size >= 512 && sector_size <= sizeof w.sector);
	*out = (struct af_chain){ 0 };
	while (at >= 0) {
		if (!may_visit(&w, at))
			return;
		if (!read(ctx, at, w.sector, sector_size, &err)) {
			broken(&w, "cannot be read", at);
			return;
		}
		if (!visit(&w, at, &at))
			return;
	}
	out->whole = true;
}

void af_chain_release(struct af_chain *c)
{
	free(c->ebr);
	*c = (struct af_chain){ 0 };
}

/* The three bytes of a sector's place by 255 heads and 63 sectors; FE FF FF where they cannot reach. */
static void put_chs(unsigned char *p, uint64_t lba)
{
	uint64_t cylinder = lba / ((uint64_t)HEADS * TRACK);
	uint64_t head = lba / TRACK % HEADS, sector = lba % TRACK + 1;

	if (cylinder >= CYLINDERS) {
		cylinder = CYLINDERS - 1;
		head = HEADS - 1;
		sector = TRACK;
	}
	p[0] = (unsigned char)head;
	p[1] = (unsigned char)(sector | (cylinder >> 2 & 0xC0));
	p[2] = (unsigned char)(cylinder & 0xFF);
}

/* Writes entry i, which covers the disk's bytes `covers`. */
static void put_entry(unsigned char *sector, size_t i, const struct af_mbr_entry *e,
		      struct af_span covers, uint32_t sector_size)
{
	unsigned char *p = sector + TABLE_AT + i * ENTRY_SIZE;

	p[0] = e->boot;
	put_chs(p + 1, af_lba_of(covers.start, sector_size).n);
	p[4] = e->type;
	put_chs(p + 5, af_lba_of(covers.end - 1, sector_size).n);
	af_put_le32(p + 8, e->start);
	af_put_le32(p + 12, e->count);
}

/* Whole sectors from a to b: a sound layout has no more than 32 bits of them. */
static uint32_t sectors_between(af_bytes a, af_bytes b, uint32_t sector_size)
{
	return (uint32_t)af_sectors(b - a, sector_size);
}

static void encode_data(const struct af_part *part, unsigned char *sector,
			uint32_t sector_size)
{
	struct af_mbr_entry old = af_chain_entry(sector, 0);
	struct af_mbr_entry e = {
		.boot = part->boot ? BOOT_ACTIVE : 0,
		.type = part->type[0],
		.start = sectors_between(part->ebr, part->span.start, sector_size),
		.count = sectors_between(part->span.start, part->span.end, sector_size),
	};

	if (old.boot != e.boot || old.type != e.type || old.start != e.start ||
	    old.count != e.count)
		put_entry(sector, 0, &e, part->span, sector_size);
}

static void encode_link(const struct af_part *ext, const struct af_part *next,
			unsigned char *sector, uint32_t sector_size)
{
	struct af_mbr_entry old = af_chain_entry(sector, 1);
	struct af_span covers = { next->ebr, next->span.end };
	struct af_mbr_entry e = {
		.type = TYPE_LINK,
		.start = sectors_between(ext->span.start, next->ebr, sector_size),
		.count = sectors_between(covers.start, covers.end, sector_size),
	};

	if (!is_link(&old) || old.start != e.start || old.count != e.count)
		put_entry(sector, 1, &e, covers, sector_size);
}

void af_chain_encode(const struct af_layout *l, const struct af_part *part,
		     const struct af_part *next, unsigned char *sector)
{
	const struct af_part *ext = af_layout_extended(l);

	assert(ext && part->role == AF_ROLE_LOGICAL);
	encode_data(part, sector, l->sector_size);
	if (next)
		encode_link(ext, next, sector, l->sector_size);
	else
		memset(sector + TABLE_AT + ENTRY_SIZE, 0, ENTRY_SIZE);
	memset(sector + TABLE_AT + 2 * (size_t)ENTRY_SIZE, 0, 2 * (size_t)ENTRY_SIZE);
	sector[SIGNATURE_AT] = 0x55;
	sector[SIGNATURE_AT + 1] = 0xAA;
}
