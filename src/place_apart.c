/*
 * place_apart.c - EBRs that must not lie on old ones. Every link of a chain counts from the start of the extended partition;
 * where that moves, all EBRs change at once, which no drive can do. But if none of the new ones lies on a sector of the
 * old chain, both chains are there while the table is written, and sector 0 alone decides which of them is in force.
 */
#include "afdisk/place.h"
#include <stddef.h>

#define REACH 256 /* sectors that are looked at each way: far more than there are EBRs */

/* The sectors of the old chain that the layout tells of. */
static bool is_old(const struct af_layout *base, af_bytes at)
{
	const struct af_part *ext = af_layout_extended(base);
	if (ext->span.start == at)
		return true;
	for (size_t i = 0; i < base->nparts; i++)
		if (base->part[i].role == AF_ROLE_LOGICAL && base->part[i].ebr == at)
			return true;
	return false;
}

/* True if the EBR of part says the same as before: the last one of both chains, which has no link. */
static bool says_the_same(const struct af_layout *base, const struct af_layout *l,
			  const struct af_part *part)
{
	for (size_t i = 0; i < base->nparts; i++) {
		const struct af_part *old = &base->part[i];
		if (old->role != AF_ROLE_LOGICAL || old->ebr != part->ebr)
			continue;
		return old->boot == part->boot && old->type[0] == part->type[0] &&
		       af_span_equal(old->span, part->span) &&
		       !af_layout_number(base, old->number + 1) &&
		       !af_layout_number(l, part->number + 1);
	}
	return false;
}

/* True if part's EBR can be at that sector: behind whatever lies before the data, in no EBR's place, old or new. */
static bool is_free(const struct af_layout *base, const struct af_layout *l,
		    const struct af_part *part, af_bytes at)
{
	const struct af_part *ext = af_layout_extended(l);
	af_bytes end = at + l->sector_size;
	if (at <= ext->span.start || end > part->span.start || is_old(base, at))
		return false;
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		struct af_span between = { at, part->span.start };
		if (p->id == part->id || p->role == AF_ROLE_EXTENDED)
			continue;
		if (af_span_overlap(p->span, between) ||
		    (p->role == AF_ROLE_LOGICAL &&
		     af_span_overlap(af_layout_ebr(l, p), between)))
			return false;
	}
	return true;
}

/* The nearest free sector, behind the present one if there is one that leaves the next one free; the present one if
 * there is none. */
static af_bytes nearest(const struct af_layout *base, const struct af_layout *l,
			const struct af_part *part)
{
	af_bytes ss = l->sector_size, last = part->span.start - 2 * ss;
	for (af_bytes at = part->ebr + ss; at <= last && at <= part->ebr + REACH * ss;
	     at += ss)
		if (is_free(base, l, part, at))
			return at;
	for (af_bytes at = part->ebr - ss; at >= part->ebr - REACH * ss; at -= ss)
		if (is_free(base, l, part, at))
			return at;
	return is_free(base, l, part, part->span.start - ss) ? part->span.start - ss
							     : part->ebr;
}

void af_place_apart(const struct af_layout *base, struct af_layout *l)
{
	const struct af_part *old = af_layout_extended(base), *ext = af_layout_extended(l);
	if (!old || !ext ||
	    (old->span.start == ext->span.start && !af_layout_is_new(base, l)))
		return;
	for (size_t i = 0; i < l->nparts; i++) {
		struct af_part *p = &l->part[i];
		if (p->role == AF_ROLE_LOGICAL && p->ebr != ext->span.start &&
		    is_old(base, p->ebr) && !says_the_same(base, l, p))
			p->ebr = nearest(base, l, p);
	}
}
