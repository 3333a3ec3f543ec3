/*
 * edit_new.c - adding a partition: which role, which free stretch, which lines.
 * The defaults are those of section "New" in the manual: the largest free region, all of it, on the grain.
 */
#include "afdisk/edit.h"
#include "afdisk/place.h"
#include "edit_priv.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* GPT: Linux filesystem data, 0FC63DAF-8483-4772-8E79-3D69D8477DE4. */
static const uint8_t linux_guid[16] = { 0x0f, 0xc6, 0x3d, 0xaf, 0x84, 0x83, 0x47, 0x72,
					0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4 };
#define LINUX_CODE 0x83

/* The gap around byte at; false if it is in use. */
static bool gap_around(const struct af_layout *l, af_bytes at, struct af_gap *out)
{
	struct af_gap *gap;
	size_t n = af_layout_gaps(l, &gap);
	bool found = false;
	for (size_t i = 0; i < n && !found; i++) {
		found = af_span_has(gap[i].span, at);
		if (found)
			*out = gap[i];
	}
	free(gap);
	return found;
}

/* All slots are used, and this gap touches the extended partition: it takes that in. */
static bool no_slot_beside(const struct af_layout *l, const struct af_rules *rules,
			   const struct af_gap *gap, struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(l);
	bool before = gap->span.end == ext->span.start;
	af_bytes edge = gap->span.end - l->sector_size;
	if (before && !af_grid_up(rules->grain, gap->span.start, &edge))
		edge = gap->span.start;
	return af_fail(err, AF_E_RULE,
		       "all four slots of the table are used, and this gap lies outside "
		       "extended partition %" PRIu32 ": 'new logical' or 'resize %" PRIu32
		       " %s=%" PRIu64
		       "s' grows that one over it; else delete a primary partition, or "
		       "convert it to a GPT ('convert gpt')",
		       ext->number, ext->number, before ? "start" : "end",
		       af_lba_of(edge, l->sector_size).n);
}

/* All slots are used, and something is wanted in the main table, at *maybe_at. */
static bool no_slot(const struct af_layout *l, const struct af_rules *rules,
		    const af_bytes *maybe_at, struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(l);
	struct af_gap gap;
	if (ext && maybe_at && gap_around(l, *maybe_at, &gap) &&
	    (gap.span.end == ext->span.start || gap.span.start == ext->span.end))
		return no_slot_beside(l, rules, &gap, err);
	return af_fail(
		err, AF_E_RULE, "all four slots of the table are used: %s",
		ext ? "make a logical partition ('new logical' grows the extended one "
		      "over free space beside it), delete a primary one, or convert it "
		      "to a GPT ('convert gpt')"
		    : "delete a primary partition ('new logical' then makes an extended "
		      "one for as many as you like), or convert it to a GPT ('convert "
		      "gpt')");
}

/* True if the main table takes another one; maybe_at is where it is wanted. */
static bool slot_free(const struct af_layout *l, const struct af_rules *rules,
		      const af_bytes *maybe_at, struct af_err *err)
{
	if (af_place_slot(l))
		return true;
	if (l->scheme == AF_SCHEME_GPT)
		return af_fail(err, AF_E_RULE,
			       "all %" PRIu32 " entries of the table are used", l->slots);
	return no_slot(l, rules, maybe_at, err);
}

/* Beyond their reach, others take logicals for free space. */
static bool chain_free(const struct af_layout *l, struct af_err *err)
{
	size_t n = af_layout_logicals(l);
	return n < AF_LOGICALS_MAX ||
	       af_fail(err, AF_E_RULE,
		       "there are %zu logical partitions, and other programs find only the "
		       "first %d: they would delete the new one with whatever they write",
		       n, AF_LOGICALS_MAX);
}

/* The byte that says where the person wants it, if anything does. */
static bool wanted_place(const struct af_layout *l, const struct af_new *n, bool *has,
			 af_bytes *at, struct af_err *err)
{
	*has = n->has_within;
	*at = n->within;
	const struct af_amount *a = &n->want.start;
	if (!n->want.has_start || a->kind == AF_AMOUNT_PERCENT || a->kind == AF_AMOUNT_MAX)
		return true;
	*has = true;
	struct edit_base base = { .l = l, .region = l->usable };
	return af_edit_position(&base, a, false, at, err);
}

/* Without a word from the person: logical inside the extended partition, primary elsewhere. */
static enum af_role natural_role(const struct af_rules *rules, const struct af_layout *l,
				 bool has, af_bytes at)
{
	const struct af_part *ext = af_layout_extended(l);
	if (!ext)
		return AF_ROLE_PRIMARY;
	if (has)
		return af_span_has(ext->span, at) ? AF_ROLE_LOGICAL : AF_ROLE_PRIMARY;
	struct af_room *room;
	size_t n = af_align_rooms(rules, l, &room);
	af_bytes inside = 0, outside = 0;
	for (size_t i = 0; i < n; i++) {
		af_bytes *largest = room[i].in_extended ? &inside : &outside;
		if (room[i].kind == AF_ROOM_FREE && af_span_size(room[i].span) > *largest)
			*largest = af_span_size(room[i].span);
	}
	free(room);
	bool only_inside = !af_place_slot(l) && inside > 0;
	return only_inside || inside > outside ? AF_ROLE_LOGICAL : AF_ROLE_PRIMARY;
}

static bool choose_role(const struct af_layout *l, const struct af_edit *e,
			const struct af_new *n, enum af_role *role, struct af_err *err)
{
	bool has = false;
	af_bytes at = 0;
	if (!wanted_place(l, n, &has, &at, err))
		return false;
	switch (n->role) {
	case AF_WANT_ANY:
		*role = natural_role(e->rules, l, has, at);
		break;
	case AF_WANT_PRIMARY:
		*role = AF_ROLE_PRIMARY;
		break;
	case AF_WANT_EXTENDED:
		*role = AF_ROLE_EXTENDED;
		break;
	case AF_WANT_LOGICAL:
		*role = AF_ROLE_LOGICAL;
		break;
	}
	if (l->scheme == AF_SCHEME_GPT && *role != AF_ROLE_PRIMARY)
		return af_fail(
			err, AF_E_RULE,
			"a GPT has no extended or logical partitions, and needs none");
	if (*role == AF_ROLE_EXTENDED && af_layout_extended(l))
		return af_fail(err, AF_E_RULE, "there is an extended partition already");
	if (*role == AF_ROLE_LOGICAL)
		return chain_free(l, err);
	return slot_free(l, e->rules, has ? &at : NULL, err);
}

/* True if a partition between two lines of grid fits. */
static bool takes_lines(struct af_grid grid, const struct af_window *w)
{
	af_bytes low;
	return af_grid_up(grid, w->data.start, &low) && low <= w->data.end - grid.step;
}

/* The window for the partition: the one around the asked place, else the largest that takes one. */
static bool choose_window(const struct af_layout *l, const struct af_edit *e,
			  const struct af_new *n, const struct af_place *place,
			  struct af_window *out, struct af_err *err)
{
	bool has = false, found = false;
	const struct af_grid grid = place->padding ? e->rules->check : e->rules->grain;
	af_bytes at = 0;
	if (!wanted_place(l, n, &has, &at, err))
		return false;
	struct af_window *w;
	size_t count = af_place_windows(e->rules, l, place, &w);
	for (size_t i = 0; i < count; i++) {
		struct af_span around = w[i].whole;
		if (place->role == AF_ROLE_LOGICAL)
			around.start -=
				l->sector_size; /* the EBR before it counts as padding */
		bool fits = has ? af_span_has(around, at) : takes_lines(grid, &w[i]);
		bool larger = !found || af_span_size(w[i].data) > af_span_size(out->data);
		if (fits && larger) {
			*out = w[i];
			found = true;
		}
	}
	free(w);
	if (found)
		return true;
	const char *kind = place->role == AF_ROLE_LOGICAL ? "logical" : "new";
	if (!has)
		return af_fail(err, AF_E_RANGE, "there is no free space for a %s partition",
			       kind);
	return af_fail(err, AF_E_RANGE,
		       "sector %" PRIu64 " is not in free space for a %s partition",
		       af_lba_of(at, l->sector_size).n, kind);
}

/* What the edges of a new partition are worked out from. */
struct job {
	const struct af_layout *l;
	const struct af_rules *rules;
	const struct af_want *want;
	struct af_span data; /* where it may lie */
};

static uint64_t sector(const struct job *j, af_bytes at)
{
	return af_lba_of(at, j->l->sector_size).n;
}

static bool exact_start(const struct job *j, af_bytes asked, af_bytes *out,
			struct af_err *err)
{
	if (!af_span_has(j->data, asked))
		return af_fail(err, AF_E_RANGE,
			       "a partition cannot start at sector %" PRIu64
			       ": the free ones are %" PRIu64 " to %" PRIu64,
			       sector(j, asked), sector(j, j->data.start),
			       sector(j, j->data.end - 1));
	*out = asked;
	return true;
}

static bool start_on(struct af_grid grid, const struct job *j, af_bytes asked,
		     af_bytes *out)
{
	return af_grid_up(grid, asked, out) && *out <= j->data.end - grid.step;
}

static bool new_start(const struct job *j, af_bytes *out, struct af_err *err)
{
	struct edit_base base = { .l = j->l, .region = j->data };
	af_bytes asked = j->data.start;
	if (j->want->has_start &&
	    !af_edit_position(&base, &j->want->start, false, &asked, err))
		return false;
	if (j->want->has_start && j->rules->exact)
		return exact_start(j, asked, out, err);
	if (asked < j->data.start)
		asked = j->data.start;
	return start_on(j->rules->grain, j, asked, out) ||
	       start_on(j->rules->check, j, asked, out) ||
	       af_fail(err, AF_E_RANGE,
		       "behind sector %" PRIu64
		       " there is no room for an aligned partition, only padding",
		       sector(j, asked));
}

/* The end by an asked size; a size that fits the region but not behind the aligned start ends with the region. */
static bool end_by_size(const struct job *j, struct af_span rest, af_bytes *out,
			struct af_err *err)
{
	struct edit_base base = { .l = j->l, .region = j->data };
	af_bytes size;
	if (!af_edit_size(&base, &j->want->size, &size, err))
		return false;
	if (size > af_span_size(rest) && size > af_span_size(j->data)) {
		char want[AF_SHORT], have[AF_SHORT];
		return af_fail(
			err, AF_E_RANGE,
			"%s do not fit: there are %s from sector %" PRIu64 " to %" PRIu64,
			af_text_size(size, want), af_text_size(af_span_size(rest), have),
			sector(j, rest.start), sector(j, rest.end - 1));
	}
	*out = size > af_span_size(rest) ? rest.end : rest.start + size;
	return true;
}

static bool end_by_place(const struct job *j, struct af_span rest, af_bytes *out,
			 struct af_err *err)
{
	struct edit_base base = { .l = j->l, .region = rest };
	if (!af_edit_position(&base, &j->want->end, true, out, err))
		return false;
	return (*out > rest.start && *out <= rest.end) ||
	       af_fail(err, AF_E_RANGE,
		       "the end must lie in sectors %" PRIu64 " to %" PRIu64,
		       sector(j, rest.start), sector(j, rest.end - 1));
}

/* The end of a new partition that starts at start: on the lines that its start is on. */
static bool new_end(const struct job *j, af_bytes start, af_bytes *out, struct af_err *err)
{
	const struct af_want *w = j->want;
	struct af_span rest = { start, j->data.end };
	bool by_size = w->has_size && w->size.kind != AF_AMOUNT_MAX;
	bool by_place = w->has_end && w->end.kind != AF_AMOUNT_MAX;
	af_bytes asked = rest.end;
	if (by_size && !end_by_size(j, rest, &asked, err))
		return false;
	if (by_place && !end_by_place(j, rest, &asked, err))
		return false;
	struct af_rules rules = *j->rules;
	if (!af_grid_has(rules.grain, start))
		rules.grain = rules.check;
	bool exact = rules.exact && (w->has_size || w->has_end || w->has_start);
	*out = exact ? asked
		     : af_place_edge(&rules, asked, start + j->l->sector_size, rest.end);
	return true;
}

static void fill_type(const struct af_layout *l, const struct af_new *n,
		      struct af_part *part)
{
	static const uint8_t none[16];
	memcpy(part->type, n->type, sizeof(part->type));
	if (memcmp(n->type, none, sizeof(none)) != 0)
		return;
	if (l->scheme == AF_SCHEME_GPT)
		memcpy(part->type, linux_guid, sizeof(linux_guid));
	else if (part->role == AF_ROLE_EXTENDED)
		part->type[0] = af_place_extended_code(l, part->span.end);
	else
		part->type[0] = LINUX_CODE;
}

/* Sets the span of a new partition whose role is known. */
static bool new_span(const struct af_layout *l, const struct af_edit *e,
		     const struct af_new *n, const struct af_place *place,
		     struct af_span *span, struct af_err *err)
{
	struct af_window w = { .whole = { 0, 0 } };
	if (!choose_window(l, e, n, place, &w, err))
		return false;
	struct job j = { .l = l, .rules = e->rules, .want = &n->want, .data = w.data };
	return new_start(&j, &span->start, err) &&
	       new_end(&j, span->start, &span->end, err);
}

/* The extended partition grows only if a logical does not fit in it, and padding, which is smaller than the grain, is
 * taken only where there is nothing else. */
static bool new_place(const struct af_layout *l, const struct af_edit *e,
		      const struct af_new *n, struct af_place *place, struct af_span *span,
		      struct af_err *err)
{
	const bool logical = place->role == AF_ROLE_LOGICAL;
	struct af_err ignored;
	for (int padding = 0; padding < 2; padding++) {
		place->padding = padding;
		place->grow = false;
		if (logical && new_span(l, e, n, place, span, &ignored))
			return true;
		place->grow = true;
		if (new_span(l, e, n, place, span, padding ? err : &ignored))
			return true;
	}
	return false;
}

static bool new_part(const struct af_layout *l, const struct af_edit *e,
		     const struct af_new *n, struct af_part *part, struct af_err *err)
{
	if (!af_edit_has_table(l, err) || !choose_role(l, e, n, &part->role, err) ||
	    !af_edit_type_fits(l, part->role, n->type, err))
		return false;
	size_t nlogicals = af_layout_logicals(l);
	struct af_place place = { .role = part->role,
				  .is_first = nlogicals == 0,
				  .exact = e->rules->exact && n->want.has_start };
	if (!new_place(l, e, n, &place, &part->span, err))
		return false;
	part->number = part->role == AF_ROLE_LOGICAL ? l->slots + (uint32_t)nlogicals + 1
						     : af_place_slot(l);
	memcpy(part->uuid, n->uuid, sizeof(part->uuid));
	memcpy(part->name, n->name, sizeof(part->name));
	fill_type(l, n, part);
	return true;
}

bool af_edit_new(const struct af_layout *from, const struct af_edit *e,
		 const struct af_new *n, struct af_layout *out, uint32_t *id,
		 struct af_err *err)
{
	struct af_part part = { 0 };
	if (!new_part(from, e, n, &part, err))
		return false;
	struct af_layout next;
	af_layout_copy(from, &next);
	uint32_t new_id = af_layout_add(&next, &part);
	if (part.role == AF_ROLE_LOGICAL &&
	    !af_place_house(e->rules, &next, new_id, true, err))
		return af_edit_drop(&next);
	if (!af_edit_finish(&next, out, err))
		return false;
	*id = new_id;
	return true;
}
