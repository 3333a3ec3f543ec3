/*
 * script_place.c - where a line of a script puts its partition: as it says, or where sfdisk would, if that is on the
 * grain. Only data is looked at here: EBRs follow when all data has its place.
 */
#include "script_priv.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static int64_t sectors(const struct script_build *b, af_bytes n)
{
	return af_sectors(n, b->l.sector_size);
}

/* What partitions of this kind may cover. */
static struct af_span room_of(const struct script_build *b, enum af_role role)
{
	const struct af_part *ext = af_layout_extended(&b->l);
	if (role != AF_ROLE_LOGICAL || !ext)
		return b->l.usable;
	return (struct af_span){ ext->span.start + b->l.sector_size, ext->span.end };
}

static bool same_level(const struct af_part *a, enum af_role role)
{
	return (a->role == AF_ROLE_LOGICAL) == (role == AF_ROLE_LOGICAL);
}

/* The first one in order of place of those that share a byte with span, each with margin bytes before it. */
static const struct af_part *in_the_way(const struct script_build *b, enum af_role role,
					struct af_span span, af_bytes margin)
{
	for (size_t i = 0; i < b->l.nparts; i++) {
		const struct af_part *p = &b->l.part[i];
		struct af_span wide = { p->span.start - margin, p->span.end };
		if (same_level(p, role) && af_span_overlap(wide, span))
			return p;
	}
	return NULL;
}

/* Bytes kept free before a logical, for its EBR: one grain, as sfdisk does. */
static af_bytes margin_of(const struct script_build *b, enum af_role role)
{
	return role == AF_ROLE_LOGICAL ? b->rules.grain.step : 0;
}

/* The first line of grid where size bytes are free; false if there is none. */
static bool first_fit(const struct script_build *b, enum af_role role, struct af_grid grid,
		      af_bytes size, af_bytes *out)
{
	struct af_span room = room_of(b, role);
	af_bytes margin = margin_of(b, role), low = room.start, start;
	if (role == AF_ROLE_LOGICAL)
		low += margin - b->l.sector_size; /* the first sector is the head */
	if (low < b->rules.lowest)
		low = b->rules.lowest;
	while (af_grid_up(grid, low, &start) && size <= room.end - start) {
		struct af_span want = { start, start + size };
		const struct af_part *other = in_the_way(b, role, want, margin);
		if (!other) {
			*out = start;
			return true;
		}
		low = other->span.end + margin;
	}
	return false;
}

bool af_script_has_room(const struct script_build *b)
{
	af_bytes start;
	return first_fit(b, AF_ROLE_PRIMARY, b->rules.grain, b->rules.grain.step, &start);
}

static bool place_start(const struct script_build *b, const struct af_script_part *sp,
			enum af_role role, struct af_span *span)
{
	af_bytes grain = b->rules.grain.step, check = b->rules.check.step;
	if (first_fit(b, role, b->rules.grain, sp->has_size ? sp->size : grain,
		      &span->start) ||
	    first_fit(b, role, b->rules.check, sp->has_size ? sp->size : check,
		      &span->start))
		return true;
	char size[AF_SHORT];
	return af_script_refuse(b, sp->line, AF_E_RANGE,
				"there is no free space for %s partition%s%s",
				role == AF_ROLE_LOGICAL ? "a logical" : "another",
				sp->has_size ? " of " : "",
				sp->has_size ? af_text_size(sp->size, size) : "");
}

/* The end of a partition without a size: the last line before whatever follows. */
static void place_end(const struct script_build *b, enum af_role role, struct af_span *span)
{
	af_bytes limit = room_of(b, role).end, margin = margin_of(b, role), at;
	const struct af_part *next =
		in_the_way(b, role, (struct af_span){ span->start, limit }, 0);
	if (next)
		limit = next->span.start - margin > span->start
				? next->span.start - margin
				: next->span.start - b->l.sector_size;
	span->end = limit;
	if ((af_grid_down(b->rules.grain, limit, &at) && at > span->start) ||
	    (af_grid_down(b->rules.check, limit, &at) && at > span->start))
		span->end = at;
}

static bool check_start(const struct script_build *b, const struct af_script_part *sp,
			enum af_role role)
{
	struct af_span room = room_of(b, role);
	return af_span_has(room, sp->start) ||
	       af_script_refuse(b, sp->line, AF_E_RANGE,
				"the start, sector %" PRId64 ", is not in %" PRId64
				" to %" PRId64 ", where a %s partition may lie",
				sectors(b, sp->start), sectors(b, room.start),
				sectors(b, room.end) - 1,
				role == AF_ROLE_LOGICAL ? "logical"
							: af_scheme_name(b->l.scheme));
}

/* A place that was given must be whole sectors, within what there is, and nobody's. */
static bool check_span(const struct script_build *b, const struct af_script_part *sp,
		       enum af_role role, struct af_span span)
{
	struct af_span room = room_of(b, role);
	uint32_t ss = b->l.sector_size;
	if (span.start % ss || span.end % ss)
		return af_script_refuse(
			b, sp->line, AF_E_RANGE,
			"the partition does not lie on sectors of %" PRIu32 " bytes", ss);
	const struct af_part *other = in_the_way(b, role, span, 0);
	if (other)
		return af_script_refuse(b, sp->line, AF_E_RULE,
					"sectors %" PRId64 " to %" PRId64
					" overlap the partition of line %" PRIu32
					", sectors %" PRId64 " to %" PRId64,
					sectors(b, span.start), sectors(b, span.end) - 1,
					af_script_line_of(b, other->id),
					sectors(b, other->span.start),
					sectors(b, other->span.end) - 1);
	return (span.end > span.start && span.end <= room.end) ||
	       af_script_refuse(b, sp->line, AF_E_RANGE,
				"sectors %" PRId64 " to %" PRId64
				" reach beyond sector %" PRId64 ", the last one that %s",
				sectors(b, span.start), sectors(b, span.end) - 1,
				sectors(b, room.end) - 1,
				role == AF_ROLE_LOGICAL
					? "the extended partition has"
					: "a partition of this disk may have");
}

bool af_script_place(struct script_build *b, const struct af_script_part *sp,
		     struct af_part *part)
{
	struct af_span span = { sp->start, sp->start };
	if (sp->has_start && !check_start(b, sp, part->role))
		return false;
	if (!sp->has_start && !place_start(b, sp, part->role, &span))
		return false;
	if (!sp->has_size)
		place_end(b, part->role, &span);
	else if (!af_add(span.start, sp->size, &span.end))
		return af_script_refuse(b, sp->line, AF_E_RANGE,
					"the end is too large a number");
	if (!check_span(b, sp, part->role, span))
		return false;
	if (!sp->has_start || !sp->has_size)
		af_text_add(b->remarks,
			    "line %" PRIu32 ": placed at sectors %" PRId64 " to %" PRId64
			    "\n",
			    sp->line, sectors(b, span.start), sectors(b, span.end) - 1);
	part->span = span;
	return true;
}
