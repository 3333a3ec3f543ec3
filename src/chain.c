/*
 * chain.c - the MBR and its chain of extended boot records, over bytes.
 *
 * Knows the format and nothing else: no device, no libfdisk. Every EBR is read once, and gives what Linux takes from it,
 * whatever the order of its entries. Where the walk cannot go on (a link outside the extended partition, a sector
 * met before) the chain is broken; where an EBR has a form of its own it is not whole, because writing such a chain
 * back could lose what it means to others.
 *
 *	extended     ext.start                                          ext.end
 *	  EBR 5 | gap | data of 5 ..... | EBR 6 | gap | data of 6 ..... | free
 *	   \_ entry 1: links to EBR 6, counted from ext.start
 */
#include "afdisk/chain.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "afdisk/scheme.h"
#include "afdisk/text.h"
#include "chain_priv.h"

enum {
	IDLE_MAX = 100, /* EBRs in a row without a partition that Linux follows */
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

bool af_chain_is_link(const struct af_mbr_entry *e)
{
	return e->count != 0 && af_scheme_is_extended_code(e->type);
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
	struct af_span here; /* the EBR in sector, and as far as the link to it says */
	af_bytes farthest;   /* the EBR furthest behind so far */
	unsigned idle;       /* EBRs in a row without a partition, this one included */
	unsigned char sector[4096];
};

/* The chain is not whole, for this reason; the first one counts. */
static void blame(struct walk *w, const char *what, af_bytes at)
{
	if (!w->chain->why[0])
		snprintf(w->chain->why, sizeof w->chain->why, "the EBR at sector %lld %s",
			 (long long)af_sectors(at, w->sector_size), what);
}

static bool broken(struct walk *w, const char *what, af_bytes at)
{
	w->chain->why[0] = '\0';
	blame(w, what, at);
	return false;
}

/* Only a link backwards, or to itself, can lead to a sector met before. */
static bool met_before(const struct walk *w, af_bytes at)
{
	const struct af_chain *c = w->chain;

	if (c->n == 0 || at > w->farthest)
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (c->ebr[i].at == at)
			return true;
	return false;
}

static bool may_visit(struct walk *w, af_bytes at)
{
	struct af_span ebr = { at, at + w->sector_size };

	if (!af_span_inside(ebr, w->ext))
		return broken(w, "lies outside the extended partition", at);
	if (met_before(w, at))
		return broken(w, "is linked to twice", at);
	if (w->chain->n >= AF_CHAIN_MAX)
		return broken(w, "is one too many to follow", at);
	if (w->idle == IDLE_MAX)
		return broken(w, "follows a hundred without a partition: Linux stops there",
			      at);
	return true;
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

static void add_ebr(struct af_chain *c, const struct af_ebr *ebr)
{
	if (c->n == 0 || (c->n & (c->n - 1)) == 0) /* full: as many as a power of two */
		c->ebr = af_realloc(c->ebr, c->n ? 2 * c->n : 1, sizeof *c->ebr);
	c->ebr[c->n++] = *ebr;
}

/* Linux believes the third and fourth entries only if they lie inside what leads to them. */
static bool believed(const struct walk *w, size_t i, struct af_span data)
{
	return i < 2 || (af_span_inside(data, w->here) && af_span_inside(data, w->ext));
}

/* Takes entry i if it is a partition; *nfound counts those of this EBR. */
static bool take_data(struct walk *w, size_t i, size_t *nfound)
{
	struct af_mbr_entry e = af_chain_entry(w->sector, i);
	struct af_ebr ebr = {
		.at = w->here.start, .has_logical = true, .boot = e.boot, .type = e.type
	};

	if (e.count == 0 || af_scheme_is_extended_code(e.type))
		return true;
	if (!entry_span(&e, ebr.at, w->sector_size, &ebr.data))
		return broken(w, "describes data beyond any disk", ebr.at);
	if (!believed(w, i, ebr.data))
		return true;
	if (*nfound > 0)
		blame(w, "holds more than one logical partition", ebr.at);
	else if (i > 0)
		blame(w, "has its partition behind the first entry", ebr.at);
	if (e.type == 0)
		blame(w, "gives a size but no type", ebr.at);
	add_ebr(w->chain, &ebr);
	(*nfound)++;
	return true;
}

/* The entry that links on: the first one of a type for it; 4 if there is none. */
static size_t find_link(struct walk *w)
{
	size_t found = 4;

	for (size_t i = 0; i < 4; i++) {
		struct af_mbr_entry e = af_chain_entry(w->sector, i);

		if (!af_chain_is_link(&e))
			continue;
		if (found < 4)
			blame(w, "has two links: Linux follows the first", w->here.start);
		else
			found = i;
	}
	if (found != 1 && found < 4)
		blame(w,
		      found == 0 ? "has its link in the first entry"
				 : "has its link in its third or fourth entry",
		      w->here.start);
	return found;
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

/* Takes the EBR in w->sector; *next is what its link leads to, from -1 on at the end of the chain. */
static bool visit(struct walk *w, struct af_span *next)
{
	const struct af_ebr empty = { .at = w->here.start };
	size_t nfound = 0, link;

	*next = (struct af_span){ -1, -1 };
	if (is_untouched(w))
		return true;
	if (!has_signature(w->sector))
		return broken(w, "has no signature: Linux stops there", w->here.start);
	for (size_t i = 0; i < 4; i++)
		if (!take_data(w, i, &nfound))
			return false;
	w->idle = nfound ? 0 : w->idle + 1;
	if (nfound == 0)
		add_ebr(w->chain, &empty);
	link = find_link(w);
	if (link == 4)
		return true;
	struct af_mbr_entry e = af_chain_entry(w->sector, link);

	return entry_span(&e, w->ext.start, w->sector_size, next) ||
	       broken(w, "links beyond any disk", w->here.start);
}

void af_chain_read(af_read_fn read, void *ctx, struct af_span ext, uint32_t sector_size,
		   struct af_chain *out)
{
	struct walk w = {
		.ext = ext, .sector_size = sector_size, .chain = out, .here = ext
	};
	struct af_err err;

	assert(sector_size >= 512 && sector_size <= sizeof w.sector);
	*out = (struct af_chain){ 0 };
	while (w.here.start >= 0) {
		struct af_span next;

		if (!may_visit(&w, w.here.start))
			return;
		if (!read(ctx, w.here.start, w.sector, sector_size, &err)) {
			broken(&w, "cannot be read", w.here.start);
			return;
		}
		if (w.here.start > w.farthest)
			w.farthest = w.here.start;
		if (!visit(&w, &next))
			return;
		w.here = next;
	}
	out->ended = true;
	out->whole = !out->why[0];
}

void af_chain_release(struct af_chain *c)
{
	free(c->ebr);
	*c = (struct af_chain){ 0 };
}
