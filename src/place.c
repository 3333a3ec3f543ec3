/*
 * place.c - the room between partitions: windows in which one may lie, the sector that its EBR needs, and
 * an extended partition that follows its logicals. Decides where; edit.c decides what.
 *
 *   | sda2 |..gap..[EBR 5|pad| data 5 |..gap..|EBR 6|pad| data 6 |..gap..]..gap..| sda4 |
 *                  ^ extended: its first sector is the head of the chain, the EBR of logical 5
 */
#include "afdisk/place.h"
#include "afdisk/text.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this, old systems need the LBA code 0f for an extended partition: 1024 cylinders. */
#define CHS_SECTORS (INT64_C(1024) * 255 * 63)

struct af_part *af_place_part(struct af_layout *l, uint32_t id)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].id == id)
			return &l->part[i];
	return NULL;
}

/* The same for an id that is known to be there. */
static struct af_part *part(struct af_layout *l, uint32_t id)
{
	struct af_part *p = af_place_part(l, id);
	assert(p);
	return p;
}

uint8_t af_place_extended_code(const struct af_layout *l, af_bytes end)
{
	return af_sectors(end, l->sector_size) > CHS_SECTORS ? 0x0f : 0x05;
}

uint32_t af_place_slot(const struct af_layout *l)
{
	bool *used = af_alloc((size_t)l->slots + 1, sizeof(*used));
	uint32_t n = 1;
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].number <= l->slots)
			used[l->part[i].number] = true;
	while (n <= l->slots && used[n])
		n++;
	free(used);
	return n <= l->slots ? n : 0;
}

void af_place_head(struct af_layout *l)
{
	const struct af_part *ext = af_layout_extended(l);
	const struct af_part *first = af_layout_number(l, l->slots + 1);
	if (ext && first && first->role == AF_ROLE_LOGICAL)
		part(l, first->id)->ebr = ext->span.start;
}

void af_place_follow(struct af_layout *l, af_bytes old_start)
{
	const struct af_part *first = af_layout_number(l, l->slots + 1);
	if (first && first->role == AF_ROLE_LOGICAL && first->ebr == old_start)
		af_place_head(l);
}

static bool line_for(struct af_grid grid, af_bytes asked, af_bytes low, af_bytes high,
		     af_bytes *out)
{
	af_bytes at = asked > low ? asked : low;
	if (af_grid_up(grid, at, out) && *out <= high)
		return true;
	return af_grid_down(grid, high, out) && *out >= low;
}

af_bytes af_place_edge(const struct af_rules *rules, af_bytes asked, af_bytes low,
		       af_bytes high)
{
	assert(low <= high);
	af_bytes at;
	if (line_for(rules->grain, asked, low, high, &at) ||
	    line_for(rules->check, asked, low, high, &at))
		return at;
	if (asked < low)
		return low;
	return asked > high ? high : asked;
}

/*
 * ---------------------------------------------------------------------------------------------
 * Windows
 */

/* Bytes that must lie between the start of a free stretch and a logical's data in it. */
static af_bytes ebr_room(const struct af_layout *l, const struct af_place *p,
			 struct af_span whole)
{
	const struct af_part *ext = af_layout_extended(l);
	bool holds_head = !ext || whole.start < ext->span.start;
	bool after_head = ext && whole.start == ext->span.start + l->sector_size;
	int sectors = p->exact ? 1 : 2;
	if (holds_head && !p->is_first)
		sectors++; /* the head and an EBR of its own */
	if (after_head && p->is_first)
		sectors--; /* the head is there already */
	return sectors * (af_bytes)l->sector_size;
}

/* Where an extended partition that begins in data may begin: on the grain, or on a check line if that is all. */
static af_bytes head_start(const struct af_rules *rules, struct af_span data)
{
	af_bytes at;
	if (af_grid_up(rules->grain, data.start, &at) &&
	    at <= data.end - 2 * rules->check.step)
		return at;
	return af_grid_up(rules->check, data.start, &at) ? at : data.start;
}

static struct af_window window_of(const struct af_rules *rules, const struct af_layout *l,
				  const struct af_place *p, const struct af_gap *gap)
{
	const struct af_part *ext = af_layout_extended(l);
	struct af_window w = { .whole = gap->span, .data = gap->span };
	bool logical = p->role == AF_ROLE_LOGICAL;
	bool inside = logical && ext && gap->span.start >= ext->span.start;
	if (inside) /* only data is held to the lowest start, not its EBR */
		w.data.start += ebr_room(l, p, gap->span);
	if (!p->exact && w.data.start < rules->lowest)
		w.data.start = rules->lowest;
	if (logical && !inside) {
		if (!p->exact)
			w.data.start = head_start(rules, w.data);
		w.data.start += ebr_room(l, p, gap->span);
	}
	if (logical && !p->exact && gap->before_logical)
		w.data.end -= l->sector_size;
	return w;
}

/* Gaps that a logical may use: those inside, grown by the ones that touch the extended partition. */
static size_t logical_gaps(const struct af_layout *l, bool grow, struct af_gap *gap,
			   size_t n)
{
	const struct af_part *ext = af_layout_extended(l);
	size_t kept = 0;
	if (!ext)
		return n;
	for (size_t i = 0; i < n; i++) {
		bool before = gap[i].span.end == ext->span.start;
		bool behind = gap[i].span.start == ext->span.end;
		bool joined = kept && gap[kept - 1].span.end == ext->span.end;
		bool head_free = i + 1 < n && gap[i + 1].in_extended &&
				 gap[i + 1].span.start == ext->span.start + l->sector_size;
		if (!grow) {
			if (gap[i].in_extended)
				gap[kept++] = gap[i];
		} else if (behind && joined) {
			gap[kept - 1].span.end = gap[i].span.end;
		} else if (before && head_free) {
			gap[i + 1].span.start = gap[i].span.start;
		} else if (before || behind || gap[i].in_extended) {
			gap[kept++] = gap[i];
		}
	}
	return kept;
}

size_t af_place_windows(const struct af_rules *rules, const struct af_layout *l,
			const struct af_place *p, struct af_window **out)
{
	struct af_gap *gap;
	size_t n = af_layout_gaps(l, &gap), nwindows = 0;
	if (p->role == AF_ROLE_LOGICAL)
		n = logical_gaps(l, p->grow, gap, n);
	*out = af_alloc(n + 1, sizeof(**out));
	for (size_t i = 0; i < n; i++)
		if (p->role == AF_ROLE_LOGICAL || !gap[i].in_extended)
			(*out)[nwindows++] = window_of(rules, l, p, &gap[i]);
	free(gap);
	return nwindows;
}

/* Widens inner so that it holds span. */
static void include(struct af_span *inner, bool *any, struct af_span span)
{
	if (!*any || span.start < inner->start)
		inner->start = span.start;
	if (!*any || span.end > inner->end)
		inner->end = span.end;
	*any = true;
}

/* Bytes before the data of a logical that the head of the chain takes: two sectors, as Linux does with it, where there
 * are two. */
static af_bytes head_room(const struct af_rules *rules, const struct af_layout *l,
			  const struct af_part *p)
{
	af_bytes ss = l->sector_size;
	bool two = !rules->exact && p->span.start - af_layout_extended(l)->span.start > ss;
	return two ? 2 * ss : ss;
}

void af_place_extended(const struct af_rules *rules, const struct af_layout *l,
		       struct af_span *limit, struct af_span *inner)
{
	const struct af_part *ext = af_layout_extended(l);
	assert(ext);
	bool any = false;
	*limit = l->usable;
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		if (p->role == AF_ROLE_LOGICAL) {
			struct af_span data = p->span, ebr = af_layout_ebr(l, p);
			data.start -= head_room(rules, l, p);
			include(inner, &any, data);
			if (p->ebr != ext->span.start)
				include(inner, &any,
					(struct af_span){ ebr.start - l->sector_size,
							  ebr.end });
		} else if (p->span.end <= ext->span.start && p->span.end > limit->start) {
			limit->start = p->span.end;
		} else if (p->span.start >= ext->span.end && p->span.start < limit->end) {
			limit->end = p->span.start;
		}
	}
	if (limit->start < rules->lowest && ext->span.start >= rules->lowest &&
	    !rules->exact)
		limit->start = rules->lowest;
	if (!any)
		*inner = (struct af_span){ limit->end - l->sector_size,
					   limit->start + l->sector_size };
}

/*
 * ---------------------------------------------------------------------------------------------
 * Housing a logical
 */

/* The end of whatever lies nearest below byte at, the partition skip and its EBR left out. */
static af_bytes occupied_below(const struct af_layout *l, uint32_t skip, af_bytes at)
{
	af_bytes low = l->usable.start;
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		if (p->id == skip || p->role == AF_ROLE_EXTENDED)
			continue;
		if (p->span.end <= at && p->span.end > low)
			low = p->span.end;
		af_bytes ebr_end = p->ebr + l->sector_size;
		if (p->role == AF_ROLE_LOGICAL && ebr_end <= at && ebr_end > low)
			low = ebr_end;
	}
	return low;
}

/* Start for an extended partition whose chain begins below data, not under low. */
static af_bytes extended_start(const struct af_rules *rules, const struct af_layout *l,
			       af_bytes data, af_bytes low, int sectors)
{
	af_bytes high = data - sectors * (af_bytes)l->sector_size, at;
	if (high < low)
		high = data - (sectors - 1) * (af_bytes)l->sector_size;
	if ((af_grid_down(rules->grain, high, &at) && at >= low) ||
	    (af_grid_down(rules->check, high, &at) && at >= low))
		return at;
	return high > low ? low : high;
}

static bool create_extended(const struct af_rules *rules, struct af_layout *l, uint32_t id,
			    struct af_err *err)
{
	struct af_span data = part(l, id)->span;
	struct af_part ext = { .role = AF_ROLE_EXTENDED, .number = af_place_slot(l) };
	if (!ext.number)
		return af_fail(
			err, AF_E_RULE,
			"a logical partition needs an extended one, and all four slots of "
			"the "
			"table are used: delete a primary partition first, or convert it "
			"to a GPT ('convert gpt')");
	af_bytes low = occupied_below(l, id, data.start);
	ext.span.start = extended_start(rules, l, data.start, low, 2);
	ext.span.end = data.end;
	ext.type[0] = af_place_extended_code(l, data.end);
	(void)af_layout_add(l, &ext);
	return true;
}

static void grow_extended(const struct af_rules *rules, struct af_layout *l, uint32_t id)
{
	struct af_part *ext = part(l, af_layout_extended(l)->id);
	const struct af_part *p = part(l, id);
	bool is_first = p->number == l->slots + 1;
	if (p->span.end > ext->span.end)
		ext->span.end = p->span.end;
	/* behind the head there must be room for an EBR of its own */
	if (p->span.start <
	    ext->span.start + (is_first ? 1 : 2) * (af_bytes)l->sector_size) {
		af_bytes old = ext->span.start;
		af_bytes low =
			occupied_below(l, id, p->span.start < old ? p->span.start : old);
		ext->span.start =
			extended_start(rules, l, p->span.start, low, is_first ? 2 : 3);
		af_place_follow(l, old);
	}
}

/* A place for the EBR: one grain before the data as fdisk does, on a check line if that leaves two sectors. */
static bool place_ebr(const struct af_rules *rules, const struct af_layout *l,
		      struct af_part *p, af_bytes low, struct af_err *err)
{
	af_bytes ss = l->sector_size, last = p->span.start - 2 * ss;
	if (low > p->span.start - ss)
		return af_fail(err, AF_E_RANGE,
			       "there is no free sector for the EBR of partition %" PRIu32
			       " before its start",
			       p->number);
	af_bytes want = p->span.start - rules->grain.step, line;
	if (want < low)
		want = low;
	if (want > last)
		want = last > low ? last : low;
	if (af_grid_up(rules->check, want, &line) && line <= last)
		want = line;
	p->ebr = want;
	return true;
}

bool af_place_house(const struct af_rules *rules, struct af_layout *l, uint32_t id,
		    bool moved, struct af_err *err)
{
	if (!af_layout_extended(l) && !create_extended(rules, l, id, err))
		return false;
	grow_extended(rules, l, id);
	struct af_part *p = part(l, id);
	af_bytes low = occupied_below(l, id, p->span.start);
	af_bytes head = af_layout_extended(l)->span.start;
	if (low < head + l->sector_size)
		low = head + l->sector_size;
	bool is_first = p->number == l->slots + 1;
	bool far = moved && p->span.start - p->ebr > rules->grain.step &&
		   af_layout_logicals(l) <= AF_LOGICALS_MAX;
	bool keeps = !far && p->ebr >= low && p->ebr + l->sector_size <= p->span.start;
	if (is_first && !keeps)
		p->ebr = head;
	else if (!keeps && !place_ebr(rules, l, p, low, err))
		return false;
	af_layout_sort(l);
	return true;
}
