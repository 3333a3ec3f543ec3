/*
 * edit_all.c - align all: every start on the grain, order and sizes kept. A row of blocks in order of place: one for
 * each partition, and one for the head of the extended partition; each keeps its distance from the one before.
 * Two passes: how late each may start so that all behind it still fit, then the line nearest to where it is now.
 */
#include "afdisk/edit.h"
#include "afdisk/place.h"
#include "edit_priv.h"
#include <inttypes.h>
#include <stdlib.h>

struct block {
	uint32_t id;
	af_bytes size,
		need;   /* need: bytes to keep free between the block before and this one */
	af_bytes start; /* now, then to be */
	af_bytes latest;
	struct af_grid grain; /* of its start */
	bool fixed;           /* it stays: what is inside is right where it is */
};

/* What cannot be moved without its data stays where it is as long as nothing is wrong there, though it be off the grain. */
static bool is_good_data(const struct af_edit *e, const struct af_part *p)
{
	const enum af_status status = af_align_judge(e->rules, e->contents, p).status;
	return (!e->table_only && p->role != AF_ROLE_EXTENDED &&
		!af_status_fails(status, false) &&
		af_contents_may_hold(e->contents, p->id));
}

static struct block block_of(const struct af_layout *l, const struct af_edit *e,
			     const struct af_part *p, bool after_head, bool keep)
{
	struct block b = {
		.id = p->id,
		.size = af_span_size(p->span),
		.start = p->span.start,
		.fixed = af_edit_is_compensated(e, p) || (keep && is_good_data(e, p)),
		.grain = af_align_grain(e->rules, af_contents_find(e->contents, p->id))
	};
	bool is_first = p->number == l->slots + 1;
	if (p->role == AF_ROLE_EXTENDED)
		b.size = l->sector_size;
	if (p->role == AF_ROLE_LOGICAL)
		b.need = (after_head && is_first ? 1 : 2) * (af_bytes)l->sector_size;
	return b;
}

static bool no_room(const struct af_layout *l, const struct block *b, struct af_err *err)
{
	const struct af_part *p = af_layout_find(l, b->id);
	return af_fail(err, AF_E_RANGE,
		       "partition %" PRIu32
		       " cannot be aligned: with every size kept there is no room for it",
		       p->number);
}

/* Sets latest of every block, from the end of the disk backwards. */
static bool pass_latest(const struct af_layout *l, struct block *block, size_t n,
			struct af_err *err)
{
	af_bytes high = l->usable.end;
	for (size_t i = n; i > 0; i--) {
		struct block *b = &block[i - 1];
		if (b->fixed && b->start <= high - b->size)
			b->latest = b->start;
		else if (b->fixed || !af_grid_down(b->grain, high - b->size, &b->latest))
			return no_room(l, b, err);
		high = b->latest - b->need;
	}
	return true;
}

/* Sets start of every block to the line nearest to where it is. */
static bool pass_starts(const struct af_layout *l, const struct af_rules *rules,
			struct block *block, size_t n, struct af_err *err)
{
	af_bytes low = l->usable.start;
	for (size_t i = 0; i < n; i++) {
		struct block *b = &block[i];
		struct af_span range = { low + b->need, b->latest };
		if (range.start < rules->lowest + b->need && !b->fixed)
			range.start = rules->lowest + b->need;
		bool placed =
			b->fixed ? range.start <= b->start
				 : af_grid_nearest(b->grain, b->start, range, &b->start);
		if (!placed)
			return no_room(l, b, err);
		low = b->start + b->size;
	}
	return true;
}

static bool all_safe(const struct af_layout *l, const struct af_edit *e,
		     const struct block *block, size_t n, struct af_err *err)
{
	for (size_t i = 0; i < n && !e->table_only; i++) {
		const struct af_part *p = af_layout_find(l, block[i].id);
		struct af_span to = { block[i].start, block[i].start + block[i].size };
		if (p->role != AF_ROLE_EXTENDED && !af_edit_data_safe(l, e, p, to, err))
			return false;
	}
	return true;
}

/* The extended partition keeps its end where it can: never under its logicals, never over what follows. */
static void end_extended(struct af_layout *l, af_bytes old_size)
{
	const struct af_part *found = af_layout_extended(l);
	if (!found)
		return;
	struct af_part *ext = af_place_part(l, found->id);
	af_bytes low = 0, high = l->usable.end;
	for (size_t i = 0; i < l->nparts; i++) {
		struct af_span s = l->part[i].span;
		if (l->part[i].role == AF_ROLE_LOGICAL && s.end > low)
			low = s.end;
		if (l->part[i].role == AF_ROLE_PRIMARY && s.start > ext->span.start &&
		    s.start < high)
			high = s.start;
	}
	if (!low && ext->span.end < ext->span.start + old_size)
		ext->span.end = ext->span.start + old_size;
	if (ext->span.end < low)
		ext->span.end = low;
	if (ext->span.end > high)
		ext->span.end = high;
}

/* Puts the new starts into l; the EBRs follow in order of place, each kept where it is still right. */
static bool apply(const struct af_layout *from, const struct af_edit *e,
		  const struct block *block, size_t n, struct af_layout *l,
		  struct af_err *err)
{
	af_bytes extended_size = 0;
	for (size_t i = 0; i < n; i++) {
		struct af_part *p = af_place_part(l, block[i].id);
		p->ebr = 0;
		if (p->role == AF_ROLE_EXTENDED)
			extended_size = af_span_size(p->span);
		else
			p->span.end = block[i].start + block[i].size;
		p->span.start = block[i].start;
	}
	end_extended(l, extended_size);
	af_layout_sort(l);
	for (size_t i = 0; i < n; i++) {
		struct af_part *p = af_place_part(l, block[i].id);
		if (p->role != AF_ROLE_LOGICAL)
			continue;
		const struct af_part *old = af_layout_find(from, p->id);
		bool is_head = old->ebr == af_layout_extended(from)->span.start;
		p->ebr = is_head ? af_layout_extended(l)->span.start : old->ebr;
		if (!af_place_house(e->rules, l, p->id, p->span.start != old->span.start,
				    err))
			return false;
	}
	return true;
}

/* keep: data that is aligned stays where it is. */
static bool align_all(const struct af_layout *from, const struct af_edit *e, bool keep,
		      struct af_layout *out, struct af_err *err)
{
	struct block *block = af_alloc(from->nparts + 1, sizeof(*block));
	for (size_t i = 0; i < from->nparts; i++) {
		bool after_head = i > 0 && from->part[i - 1].role == AF_ROLE_EXTENDED;
		block[i] = block_of(from, e, &from->part[i], after_head, keep);
	}
	struct af_layout next;
	af_layout_copy(from, &next);
	bool done = pass_latest(from, block, from->nparts, err) &&
		    pass_starts(from, e->rules, block, from->nparts, err) &&
		    all_safe(from, e, block, from->nparts, err) &&
		    apply(from, e, block, from->nparts, &next, err);
	free(block);
	done = done && af_layout_chain_kept(from, &next, err);
	return done ? af_edit_finish(&next, out, err) : af_edit_drop(&next);
}

bool af_edit_align_all(const struct af_layout *from, const struct af_edit *e,
		       struct af_layout *out, struct af_err *err)
{
	if (!af_edit_has_table(from, err))
		return false;
	if (align_all(from, e, true, out, err))
		return true;
	/* there may be room if that moves: then it is named */
	return err->code == AF_E_RANGE && align_all(from, e, false, out, err);
}
