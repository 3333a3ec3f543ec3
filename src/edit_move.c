/*
 * edit_move.c - moving edges: resize, move, align one. The edge that is not named stays to the sector; data that
 * would be cut off or left behind is refused unless only the table is meant.
 */
#include "afdisk/edit.h"
#include "afdisk/place.h"
#include "edit_priv.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Windows of a partition that is taken out of a copy of the layout first. */
struct around {
	struct af_window *window;
	size_t n;
};

static struct around look_around(const struct af_layout *l, const struct af_edit *e,
				 const struct af_part *p, bool grow)
{
	struct af_place place = { .role = p->role,
				  .is_first = p->number == l->slots + 1,
				  .grow = grow,
				  .exact = e->rules->exact };
	struct af_layout without;
	af_layout_copy(l, &without);
	af_layout_remove(&without, p->id);
	struct around a;
	a.n = af_place_windows(e->rules, &without, &place, &a.window);
	af_layout_release(&without);
	return a;
}

/* The window that holds byte at, among those around p; false if none does. */
static bool window_at(const struct af_layout *l, const struct af_edit *e,
		      const struct af_part *p, bool grow, af_bytes at,
		      struct af_window *out)
{
	struct around a = look_around(l, e, p, grow);
	bool found = false;
	for (size_t i = 0; i < a.n && !found; i++) {
		found = af_span_has(a.window[i].whole, at);
		if (found)
			*out = a.window[i];
	}
	free(a.window);
	return found;
}

/* The ranges for both edges of p: start in [low.start, low.end], end in [high.start, high.end]. */
struct limits {
	struct af_span low, high;
};

static struct limits limits_of(const struct af_layout *l, const struct af_edit *e,
			       const struct af_part *p, bool grow)
{
	struct limits lim = { .low = { p->span.start, p->span.end - l->sector_size },
			      .high = { p->span.start + l->sector_size, p->span.end } };
	struct af_window w;
	if (p->role == AF_ROLE_EXTENDED) {
		struct af_span limit, inner;
		af_place_extended(e->rules, l, &limit, &inner);
		lim.low = (struct af_span){ limit.start, inner.start };
		lim.high = (struct af_span){ inner.end, limit.end };
	} else if (window_at(l, e, p, grow, p->span.start, &w)) {
		if (w.data.start < lim.low.start)
			lim.low.start = w.data.start;
		if (w.data.end > lim.high.end)
			lim.high.end = w.data.end;
	}
	if (lim.high.end > l->usable.end)
		lim.high.end = l->usable.end; /* that of a stray can only come back */
	return lim;
}

static bool out_of_reach(const struct af_layout *l, const char *edge, struct af_span reach,
			 struct af_err *err)
{
	if (reach.start > reach.end) /* of a stray one */
		return af_fail(err, AF_E_RANGE,
			       "it begins beyond the end of the disk: delete it");
	return af_fail(err, AF_E_RANGE,
		       "the %s can only be put at sectors %" PRIu64 " to %" PRIu64
		       ": others (or its own data) lie beyond",
		       edge, af_lba_of(reach.start, l->sector_size).n,
		       af_lba_of(reach.end, l->sector_size).n);
}

/*
 * One edge, from now to about asked; it never moves against the direction asked for. False if asked is out
 * of reach.
 */
static bool move_edge(const struct af_layout *l, const struct af_edit *e, af_bytes now,
		      af_bytes asked, struct af_span reach, af_bytes *out)
{
	af_bytes ss = l->sector_size;
	if (asked < reach.start || asked > reach.end)
		return false;
	if (asked == now || e->rules->exact) {
		*out = asked;
		return true;
	}
	af_bytes low = reach.start, high = reach.end;
	if (asked > now && low < now + ss)
		low = now + ss;
	if (asked < now && high > now - ss)
		high = now - ss;
	*out = af_place_edge(e->rules, asked, low, high);
	return true;
}

/* True if an edge of p that moved from now to at lies on a boundary; an extended partition's need not. */
static bool on_boundary(const struct af_edit *e, const struct af_part *p, const char *edge,
			af_bytes now, af_bytes at, struct af_err *err)
{
	if (at == now || e->rules->exact || p->role == AF_ROLE_EXTENDED ||
	    af_grid_has(e->rules->check, at))
		return true;
	char step[AF_SHORT];
	return af_fail(err, AF_E_RANGE,
		       "there is no %s boundary to put the %s of partition %" PRIu32
		       " on between its neighbours: --exact takes any sector",
		       af_text_size(e->rules->check.step, step), edge, p->number);
}

/* What a resize is worked out from. */
struct job {
	const struct af_layout *l;
	const struct af_edit *e;
	const struct af_part *p;
	const struct af_want *want;
};

static bool resized_start(const struct job *j, af_bytes *out, struct af_err *err)
{
	struct limits lim = limits_of(j->l, j->e, j->p, true);
	struct edit_base base = { .l = j->l,
				  .now = j->p->span.start,
				  .region = { lim.low.start, lim.high.end } };
	af_bytes asked;
	if (!af_edit_position(&base, &j->want->start, false, &asked, err))
		return false;
	if (!move_edge(j->l, j->e, j->p->span.start, asked, lim.low, out))
		return out_of_reach(j->l, "start", lim.low, err);
	return on_boundary(j->e, j->p, "start", j->p->span.start, *out, err);
}

/* The end that "max" means: the last line ahead, of the grain if one lies ahead; else it stays. With --exact, all. */
static af_bytes max_end(const struct af_edit *e, af_bytes now, af_bytes high)
{
	af_bytes at;
	if (now > high)
		now = 0;
	if (e->rules->exact)
		return high > now ? high : now;
	if (af_grid_down(e->rules->grain, high, &at) && at > now)
		return at;
	if (af_grid_down(e->rules->check, high, &at) && at > now)
		return at;
	return now;
}

static bool is_max(const struct af_want *want)
{
	return (want->has_size && want->size.kind == AF_AMOUNT_MAX) ||
	       (want->has_end && want->end.kind == AF_AMOUNT_MAX);
}

/* Where the person wants the end of the partition, whose start will be region.start. */
static bool asked_end(const struct job *j, struct af_span region, af_bytes *out,
		      struct af_err *err)
{
	struct edit_base base = { .l = j->l, .now = j->p->span.end, .region = region };
	if (j->want->has_end)
		return af_edit_position(&base, &j->want->end, true, out, err);
	af_bytes size;
	base.now = af_span_size(j->p->span);
	if (!af_edit_size(&base, &j->want->size, &size, err))
		return false;
	return af_add(region.start, size, out) ||
	       af_fail(err, AF_E_RANGE, "the size does not fit on the disk");
}

/* All there is: inside the extended partition first, beyond it when nothing is left inside. */
static af_bytes maximal_end(const struct job *j, const struct limits *all)
{
	struct limits inside = limits_of(j->l, j->e, j->p, false);
	af_bytes end = max_end(j->e, j->p->span.end, inside.high.end);
	return end != j->p->span.end ? end : max_end(j->e, j->p->span.end, all->high.end);
}

static bool resized_end(const struct job *j, af_bytes start, af_bytes *out,
			struct af_err *err)
{
	af_bytes ss = j->l->sector_size, asked;
	struct limits lim = limits_of(j->l, j->e, j->p, true);
	if (lim.high.start < start + ss)
		lim.high.start = start + ss;
	if (is_max(j->want)) {
		*out = maximal_end(j, &lim);
		return true;
	}
	if (!asked_end(j, (struct af_span){ start, lim.high.end }, &asked, err))
		return false;
	struct af_span last = { lim.high.start - ss, lim.high.end - ss };
	if (!move_edge(j->l, j->e, j->p->span.end, asked, lim.high, out))
		return out_of_reach(j->l, "end", last, err);
	return on_boundary(j->e, j->p, "end", j->p->span.end, *out, err);
}

/* Gives partition id its new span on a copy, and everything that depends on it. */
static bool respan(const struct af_layout *from, const struct af_edit *e, uint32_t id,
		   struct af_span span, struct af_layout *out, struct af_err *err)
{
	struct af_layout next;
	af_layout_copy(from, &next);
	struct af_part *p = af_place_part(&next, id);
	p->span = span;
	bool logical = p->role == AF_ROLE_LOGICAL;
	bool moved = span.start != af_layout_find(from, id)->span.start;
	af_layout_sort(&next);
	if (!logical && moved)
		af_place_follow(&next, af_layout_find(from, id)->span.start);
	if (logical && !af_place_house(e->rules, &next, id, moved, err))
		return af_edit_drop(&next);
	if (!af_layout_chain_kept(from, &next, err))
		return af_edit_drop(&next);
	return af_edit_finish_less(from, &next, out, err);
}

bool af_edit_resize(const struct af_layout *from, const struct af_edit *e, uint32_t id,
		    const struct af_want *want, struct af_layout *out, struct af_err *err)
{
	const struct af_part *p = af_edit_find(from, id, err);
	if (!p)
		return false;
	if (!want->has_start && !want->has_size && !want->has_end)
		return af_fail(err, AF_E_USAGE, "resize needs a start, a size or an end");
	struct job j = { .l = from, .e = e, .p = p, .want = want };
	struct af_span next = p->span;
	if (want->has_start && !resized_start(&j, &next.start, err))
		return false;
	bool moves_end = want->has_size || want->has_end;
	if (moves_end && !resized_end(&j, next.start, &next.end, err))
		return false;
	if (next.start >= next.end)
		return af_fail(err, AF_E_RANGE,
			       "the start must lie before the end, sector %" PRIu64,
			       af_lba_of(next.end - 1, from->sector_size).n);
	return af_edit_data_safe(from, e, p, next, err) &&
	       respan(from, e, id, next, out, err);
}

/*
 * ---------------------------------------------------------------------------------------------
 * Move and align: the size stays
 */

static bool movable(const struct af_part *p, struct af_err *err)
{
	return p->role != AF_ROLE_EXTENDED || af_fail(err, AF_E_RULE,
						      "an extended partition does not move "
						      "by itself: resize it, or move its "
						      "logical partitions");
}

bool af_edit_move(const struct af_layout *from, const struct af_edit *e, uint32_t id,
		  const struct af_amount *start, struct af_layout *out, struct af_err *err)
{
	const struct af_part *p = af_edit_find(from, id, err);
	if (!p || !movable(p, err))
		return false;
	af_bytes asked, size = af_span_size(p->span);
	struct edit_base base = { .l = from, .now = p->span.start, .region = from->usable };
	if (!af_edit_position(&base, start, false, &asked, err))
		return false;
	struct af_window w;
	if (!window_at(from, e, p, true, asked, &w))
		return af_fail(err, AF_E_RANGE,
			       "sector %" PRIu64
			       " is in use, or not where this kind of partition can be",
			       af_lba_of(asked, from->sector_size).n);
	af_bytes last = w.data.end - size;
	bool fits = last >= w.data.start && asked <= last;
	if (e->rules->exact && asked < w.data.start)
		fits = false;
	if (!fits) {
		char need[AF_SHORT];
		return af_fail(err, AF_E_RANGE,
			       "%s from sector %" PRIu64
			       " on do not fit: the free sectors there are %" PRIu64
			       " to %" PRIu64,
			       af_text_size(size, need),
			       af_lba_of(asked, from->sector_size).n,
			       af_lba_of(w.data.start, from->sector_size).n,
			       af_lba_of(w.data.end - 1, from->sector_size).n);
	}
	af_bytes at = e->rules->exact || asked == p->span.start
			      ? asked
			      : af_place_edge(e->rules, asked, w.data.start, last);
	struct af_span next = { at, at + size };
	return on_boundary(e, p, "start", p->span.start, at, err) &&
	       af_edit_data_safe(from, e, p, next, err) &&
	       respan(from, e, id, next, out, err);
}

bool af_edit_is_compensated(const struct af_edit *e, const struct af_part *p)
{
	return af_align_judge(e->rules, e->contents, p).status == AF_STATUS_COMPENSATED;
}

/* The nearest line for the start of p in its own window; false if none leaves room for it. */
static bool aligned_start(const struct af_layout *l, const struct af_edit *e,
			  const struct af_part *p, bool grow, af_bytes *out)
{
	struct af_window w;
	if (!window_at(l, e, p, grow, p->span.start, &w))
		return false;
	struct af_span range = { w.data.start, w.data.end - af_span_size(p->span) };
	struct af_grid grain =
		af_align_grain(e->rules, af_contents_find(e->contents, p->id));
	return af_grid_nearest(grain, p->span.start, range, out);
}

static bool align_extended(const struct af_layout *from, const struct af_edit *e,
			   const struct af_part *p, struct af_layout *out,
			   struct af_err *err)
{
	struct af_span limit, inner, range;
	af_place_extended(e->rules, from, &limit, &inner);
	range = (struct af_span){ limit.start, inner.start };
	if (range.end > p->span.end - from->sector_size)
		range.end = p->span.end - from->sector_size;
	af_bytes at;
	if (!af_grid_nearest(e->rules->grain, p->span.start, range, &at))
		return af_fail(
			err, AF_E_RANGE,
			"the start of extended partition %" PRIu32
			" can lie on no grain line between its neighbours and its logicals",
			p->number);
	return respan(from, e, p->id, (struct af_span){ at, p->span.end }, out, err);
}

/* The first thing inside that is off by an offset of its own, or NULL; an entry of a label is not made anew for that. */
static const struct af_layer *misaligned_layer(const struct af_edit *e,
					       const struct af_part *p,
					       const struct af_content *maybe_content)
{
	for (size_t i = 0; maybe_content && i < maybe_content->nlayers; i++) {
		const struct af_layer *layer = &maybe_content->layer[i];
		if (layer->kind == AF_LAYER_DATA &&
		    strcmp(af_align_layer_word(e->rules, p, layer), "misaligned") == 0)
			return layer;
	}
	return NULL;
}

/* Adds to err the command that makes what is inside anew, if that helps; false. */
static bool name_remedy(const struct af_layout *l, const struct af_edit *e,
			const struct af_part *p, struct af_err *err)
{
	char path[300];
	const struct af_content *content = af_contents_find(e->contents, p->id);
	const struct af_inside inside = {
		.content = content,
		.layer = misaligned_layer(e, p, content),
		.maybe_dev = e->maybe_dev ? af_text_part_path(e->maybe_dev, p->number, path,
							      sizeof(path))
					  : NULL,
		.sector_size = l->sector_size,
	};
	struct af_text t = { 0 };
	if (inside.layer &&
	    af_align_say_remedy(e->rules, p, &inside, &t) != AF_REMEDY_NONE) {
		const struct af_err why = *err;
		(void)af_fail(err, why.code, "%s; %s", why.text, af_text_get(&t));
	}
	af_text_release(&t);
	return false;
}

/* The partition is where the first of its data is on a line, and other data is not. */
static bool no_better(const struct af_layout *l, const struct af_edit *e,
		      const struct af_part *p, struct af_err *err)
{
	(void)af_fail(err, AF_E_RULE,
		      "partition %" PRIu32
		      " stays where it is: no place puts all of its data on boundaries",
		      p->number);
	return name_remedy(l, e, p, err);
}

bool af_edit_align(const struct af_layout *from, const struct af_edit *e, uint32_t id,
		   struct af_layout *out, struct af_err *err)
{
	const struct af_part *p = af_edit_find(from, id, err);
	if (!p)
		return false;
	if (p->role == AF_ROLE_EXTENDED)
		return align_extended(from, e, p, out, err);
	if (af_edit_is_compensated(e, p))
		return af_fail(err, AF_E_RULE,
			       "partition %" PRIu32
			       " stays where it is: its start is off the boundary, but the "
			       "data inside lies on one",
			       p->number);
	af_bytes at, size = af_span_size(p->span);
	if (!aligned_start(from, e, p, false, &at) && !aligned_start(from, e, p, true, &at))
		return af_fail(err, AF_E_RANGE,
			       "there is no grain line for partition %" PRIu32
			       " between its neighbours: 'align all' (A) moves them too",
			       p->number);
	if (at == p->span.start &&
	    af_align_judge(e->rules, e->contents, p).status == AF_STATUS_INNER)
		return no_better(from, e, p, err);
	struct af_span next = { at, at + size };
	if (!af_edit_data_safe(from, e, p, next, err))
		return name_remedy(from, e, p, err);
	return respan(from, e, id, next, out, err);
}
