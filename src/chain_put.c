/*
 * chain_put.c - entries of the MBR and of EBRs as bytes. Knows the format and the table's own geometry; what an entry
 * said before in the same words keeps its bytes: all of it, or at least the CHS of a place that stays.
 */
#include "afdisk/chain.h"

#include <assert.h>
#include <string.h>

#include "chain_priv.h"

enum { TYPE_LINK = 0x05 };

static bool same_place(const struct af_mbr_entry *a, const struct af_mbr_entry *b)
{
	return a->count == b->count && a->start == b->start;
}

void af_chain_put_entry(unsigned char *sector, size_t i, const struct af_mbr_entry *e,
			uint64_t base, const struct af_geometry *g)
{
	struct af_mbr_entry old = af_chain_entry(sector, i);
	unsigned char *p = sector + TABLE_AT + i * ENTRY_SIZE;
	uint64_t lba = base + e->start;

	if (e->count == 0) { /* without sectors it is unused, whatever it holds */
		if (old.count != 0)
			memset(p, 0, ENTRY_SIZE);
		return;
	}
	if (!same_place(&old, e)) {
		af_geometry_put(g, lba, p + FIRST_CHS);
		af_geometry_put(g, lba + e->count - 1, p + LAST_CHS);
	}
	p[0] = e->boot;
	p[4] = e->type;
	af_put_le32(p + 8, e->start);
	af_put_le32(p + 12, e->count);
}

void af_chain_sign(unsigned char *sector)
{
	sector[SIGNATURE_AT] = 0x55;
	sector[SIGNATURE_AT + 1] = 0xAA;
}

struct af_mbr_entry af_chain_entry_of(const struct af_part *part, af_bytes base,
				      uint32_t sector_size)
{
	/* A sound layout has no more than 32 bits of sectors. */
	return (struct af_mbr_entry){
		.boot = part->boot ? BOOT_ACTIVE : 0,
		.type = part->type[0],
		.start = (uint32_t)af_sectors(part->span.start - base, sector_size),
		.count = (uint32_t)af_sectors(af_span_size(part->span), sector_size),
	};
}

static uint64_t lba_of(const struct af_layout *l, af_bytes at)
{
	return af_lba_of(at, l->sector_size).n;
}

static void put_data(const struct af_layout *l, const struct af_link *link,
		     const struct af_geometry *g, unsigned char *sector)
{
	struct af_mbr_entry e = { 0 };

	if (link->maybe_part)
		e = af_chain_entry_of(link->maybe_part, link->at, l->sector_size);
	af_chain_put_entry(sector, 0, &e, lba_of(l, link->at), g);
}

static void put_link(const struct af_layout *l, const struct af_link *maybe_next,
		     const struct af_geometry *g, unsigned char *sector)
{
	const struct af_part *ext = af_layout_extended(l);
	struct af_mbr_entry old = af_chain_entry(sector, 1), e = { 0 };

	assert(ext);
	if (maybe_next) {
		const struct af_part *data = maybe_next->maybe_part;
		af_bytes end = data ? data->span.end : maybe_next->at + l->sector_size;

		e.type = af_chain_is_link(&old) ? old.type : TYPE_LINK;
		e.start = (uint32_t)af_sectors(maybe_next->at - ext->span.start,
					       l->sector_size);
		e.count = (uint32_t)af_sectors(end - maybe_next->at, l->sector_size);
		if (af_chain_is_link(&old) && e.start == old.start &&
		    (maybe_next->stays || e.count == old.count))
			return;
	}
	af_chain_put_entry(sector, 1, &e, lba_of(l, ext->span.start), g);
}

void af_chain_encode(const struct af_layout *l, const struct af_link *link,
		     const struct af_link *maybe_next, const struct af_geometry *g,
		     unsigned char *sector)
{
	put_data(l, link, g, sector);
	put_link(l, maybe_next, g, sector);
	af_chain_sign(sector);
}
