/*
 * layout_hybrid.c - the entries of a hybrid MBR, which mirror partitions of a GPT for systems that know MBRs only.
 *
 *	MBR   1: ee 1 ... 2047 | 2: 83 2048 ...... | 3: 0c ......      up to three mirrors, in any order
 *	GPT      the GPT itself | partition 1       | partition 2      | partition 3, which no entry mirrors
 *
 * An entry mirrors the partition that it shares start and size with. Firmware and old systems trust these entries, so
 * that nothing here happens to them unasked. Protective entries, of which there may be two, cover what the others leave.
 */
#include "afdisk/layout_hybrid.h"
#include "afdisk/text.h"
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

static bool in_use(const struct af_mirror *entry)
{
	return af_span_size(entry->span) > 0;
}

static bool protects(const struct af_mirror *entry)
{
	return in_use(entry) && entry->type == AF_PROTECTIVE;
}

/* The partition that lies exactly there, or NULL. */
static const struct af_part *part_at(const struct af_layout *l, struct af_span span)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (af_span_equal(l->part[i].span, span))
			return &l->part[i];
	return NULL;
}

void af_layout_mirror(struct af_layout *l, const struct af_mirror entry[AF_MIRRORS])
{
	l->hybrid = AF_HYBRID_OPEN;
	memmove(l->mirror, entry, sizeof(l->mirror));
	for (size_t i = 0; i < AF_MIRRORS; i++) {
		struct af_mirror *m = &l->mirror[i];
		const struct af_part *p = protects(m) ? NULL : part_at(l, m->span);
		m->id = in_use(m) && p ? p->id : 0;
	}
}

void af_layout_unmirror(struct af_layout *l)
{
	l->hybrid = AF_HYBRID_NONE;
	memset(l->mirror, 0, sizeof(l->mirror));
}

bool af_layout_is_stale(const struct af_layout *l, const struct af_mirror *entry)
{
	return entry->id != 0 && !part_at(l, entry->span);
}

uint32_t af_layout_open_mirror(const struct af_layout *l)
{
	for (uint32_t i = 0; i < AF_MIRRORS && l->hybrid == AF_HYBRID_OPEN; i++)
		if (af_layout_is_stale(l, &l->mirror[i]))
			return i + 1;
	return 0;
}

/* Four bytes say the start, and four the size, both in sectors. */
static bool can_say(const struct af_layout *l, struct af_span span)
{
	return af_lba_of(span.start, l->sector_size).n <= UINT32_MAX &&
	       af_lba_of(af_span_size(span), l->sector_size).n <= UINT32_MAX;
}

/* Gives a stale entry the place of its partition, or none. */
static bool follow_part(struct af_layout *l, size_t i, struct af_err *err)
{
	struct af_mirror *m = &l->mirror[i];
	const struct af_part *p = af_layout_find(l, m->id);
	if (!p) {
		*m = (struct af_mirror){ 0 };
		return true;
	}
	if (!can_say(l, p->span))
		return af_fail(
			err, AF_E_RANGE,
			"entry %zu of the hybrid MBR cannot follow partition %" PRIu32
			" beyond 32 bits of sectors: 'hybrid keep' leaves it as it "
			"is, 'hybrid protective' takes the mirrors away",
			i + 1, p->number);
	m->span = p->span;
	return true;
}

/* How far entry k, which is not in the way of any other, may reach up from its end, or down from its start. */
static struct af_span reach(const struct af_layout *l, size_t k)
{
	struct af_span own = l->mirror[k].span, r = { own.start, own.end };
	bool above = false, below = false;
	for (size_t i = 0; i < AF_MIRRORS; i++) {
		struct af_span s = l->mirror[i].span;
		if (i == k || !in_use(&l->mirror[i]))
			continue;
		if (s.start >= own.end && (!above || s.start < r.end)) {
			r.end = s.start;
			above = true;
		}
		if (s.end <= own.start && (!below || s.end > r.start)) {
			r.start = s.end;
			below = true;
		}
	}
	return r;
}

/* Keeps protective entry k clear of one that went from old to new. If it touched that, it goes on to the next. */
static void step_aside(struct af_layout *l, size_t k, struct af_span old,
		       struct af_span new)
{
	struct af_mirror *e = &l->mirror[k];
	struct af_span was = e->span;
	if (af_span_overlap(was, new) && !af_span_overlap(was, old)) {
		if (was.start < new.start)
			e->span.end = new.start;
		else
			e->span.start = new.end;
	} else if (was.end == old.start) {
		e->span.end = reach(l, k).end;
	} else if (was.start == old.end) {
		e->span.start = reach(l, k).start;
	}
	if (!in_use(e))
		*e = (struct af_mirror){ 0 };
}

/* The other entries make room for entry i, which was at old. */
static bool make_room(struct af_layout *l, size_t i, struct af_span old, struct af_err *err)
{
	struct af_span new = l->mirror[i].span;
	for (size_t k = 0; k < AF_MIRRORS; k++) {
		struct af_mirror *e = &l->mirror[k];
		bool over = af_span_overlap(e->span, new) && !af_span_overlap(e->span, old);
		if (protects(e))
			step_aside(l, k, old, new);
		else if (k != i && e->id == 0 && over)
			return af_fail(
				err, AF_E_RULE,
				"entry %zu of the hybrid MBR would lie over entry %zu, "
				"which mirrors no partition: 'hybrid keep' leaves both "
				"as they are, 'hybrid protective' takes all away",
				i + 1, k + 1);
	}
	return true;
}

static bool has_mirrors(const struct af_layout *l)
{
	for (size_t i = 0; i < AF_MIRRORS; i++)
		if (in_use(&l->mirror[i]) && !protects(&l->mirror[i]))
			return true;
	return false;
}

bool af_layout_follow(struct af_layout *l, struct af_err *err)
{
	bool had = has_mirrors(l);
	for (size_t i = 0; i < AF_MIRRORS; i++) {
		struct af_span old = l->mirror[i].span;
		const struct af_part *p = part_at(l, old);
		if (l->mirror[i].id != 0 && p)
			l->mirror[i].id = p->id;
		if (!af_layout_is_stale(l, &l->mirror[i]))
			continue;
		if (!follow_part(l, i, err))
			return false;
		if (in_use(&l->mirror[i]) && !make_room(l, i, old, err))
			return false;
	}
	if (had && !has_mirrors(l))
		af_layout_unmirror(l);
	return true;
}

const char *af_layout_mirror_words(const struct af_layout *l, char *buf, size_t size)
{
	struct af_text t = { 0 };
	for (uint32_t i = 0; i < AF_MIRRORS; i++) {
		const struct af_mirror *m = &l->mirror[i];
		const struct af_part *p = af_layout_find(l, m->id);
		if (!in_use(m) || protects(m))
			continue;
		af_text_add(&t, "%sentry %" PRIu32 " (%02x%s) mirrors ",
			    t.len != 0 ? ", " : "", i + 1, m->type,
			    (m->boot & 0x80) != 0 ? ", active" : "");
		if (p)
			af_text_add(&t, "partition %" PRIu32, p->number);
		else
			af_text_add(&t, "none");
	}
	af_text_clean(t.len != 0 ? af_text_get(&t) : "no entry mirrors a partition", buf,
		      size);
	af_text_release(&t);
	return buf;
}
