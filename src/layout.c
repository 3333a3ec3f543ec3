/*
 * layout.c - a partition table as a value: finding, adding, comparing, gaps, and the rules that make a
 * table sound. The EBR of a logical is a sector in use like any other: no partition and no other EBR
 * may lie over it. Knows nothing of alignment, disks or libraries.
 */
#include "afdisk/layout.h"
#include "afdisk/text.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool af_layout_init(struct af_layout *out, enum af_scheme scheme, af_bytes disk_size,
		    uint32_t sector_size, struct af_err *err)
{
	struct af_span usable = af_scheme_usable(scheme, disk_size, sector_size);
	if (scheme != AF_SCHEME_NONE && af_span_size(usable) <= 0) {
		char size[AF_SHORT];
		return af_fail(err, AF_E_RANGE, "a disk of %s is too small for a %s table",
			       af_text_size(disk_size, size), af_scheme_name(scheme));
	}
	*out = (struct af_layout){
		.scheme = scheme,
		.sector_size = sector_size,
		.disk_size = disk_size,
		.usable = usable,
		.slots = af_scheme_slots(scheme),
		.next_id = 1,
	};
	return true;
}

void af_layout_copy(const struct af_layout *from, struct af_layout *out)
{
	*out = *from;
	out->part = NULL;
	if (from->nparts) {
		out->part = af_alloc(from->nparts, sizeof(*out->part));
		memcpy(out->part, from->part, from->nparts * sizeof(*out->part));
	}
}

void af_layout_release(struct af_layout *l)
{
	free(l->part);
	*l = (struct af_layout){ .scheme = AF_SCHEME_NONE };
}

bool af_part_equal(const struct af_part *a, const struct af_part *b)
{
	return a->number == b->number && a->role == b->role && a->boot == b->boot &&
	       af_span_equal(a->span, b->span) && a->ebr == b->ebr &&
	       a->attrs == b->attrs && memcmp(a->type, b->type, sizeof(a->type)) == 0 &&
	       memcmp(a->uuid, b->uuid, sizeof(a->uuid)) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

static bool form_equal(const struct af_gpt_form *a, const struct af_gpt_form *b)
{
	return a->primary == b->primary && a->backup == b->backup &&
	       a->entry_size == b->entry_size && a->entries == b->entries &&
	       a->backup_entries == b->backup_entries && a->backup_at == b->backup_at &&
	       a->mbr_misfits == b->mbr_misfits && a->mbr_lost == b->mbr_lost;
}

/* The same entries, whatever they mirror. */
static bool mirrors_equal(const struct af_layout *a, const struct af_layout *b)
{
	for (size_t i = 0; i < AF_MIRRORS; i++) {
		const struct af_mirror *x = &a->mirror[i], *y = &b->mirror[i];
		if (x->type != y->type || x->boot != y->boot ||
		    !af_span_equal(x->span, y->span))
			return false;
	}
	return (a->hybrid == AF_HYBRID_NONE) == (b->hybrid == AF_HYBRID_NONE);
}

bool af_layout_equal(const struct af_layout *a, const struct af_layout *b)
{
	if (a->scheme != b->scheme || a->sector_size != b->sector_size ||
	    a->disk_size != b->disk_size || !af_span_equal(a->usable, b->usable) ||
	    a->slots != b->slots ||
	    memcmp(a->disk_id, b->disk_id, sizeof(a->disk_id)) != 0 ||
	    a->nparts != b->nparts || !form_equal(&a->gpt, &b->gpt) || !mirrors_equal(a, b))
		return false;
	for (size_t i = 0; i < a->nparts; i++)
		if (!af_part_equal(&a->part[i], &b->part[i]))
			return false;
	return true;
}

bool af_layout_is_new(const struct af_layout *base, const struct af_layout *now)
{
	return base->scheme != now->scheme ||
	       (!now->id_changed &&
		memcmp(base->disk_id, now->disk_id, sizeof(base->disk_id)) != 0);
}

bool af_layout_converts(const struct af_layout *base, const struct af_layout *now)
{
	bool kept = false;
	for (size_t i = 0; i < now->nparts && !kept; i++)
		kept = af_layout_find(base, now->part[i].id) != NULL;
	return kept && base->scheme != now->scheme;
}

const struct af_part *af_layout_find(const struct af_layout *l, uint32_t id)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].id == id)
			return &l->part[i];
	return NULL;
}

const struct af_part *af_layout_number(const struct af_layout *l, uint32_t number)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].number == number)
			return &l->part[i];
	return NULL;
}

const struct af_part *af_layout_extended(const struct af_layout *l)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].role == AF_ROLE_EXTENDED)
			return &l->part[i];
	return NULL;
}

size_t af_layout_logicals(const struct af_layout *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->nparts; i++)
		n += l->part[i].role == AF_ROLE_LOGICAL;
	return n;
}

static int by_place(const void *a, const void *b)
{
	const struct af_part *x = a, *y = b;
	if (x->span.start != y->span.start)
		return x->span.start < y->span.start ? -1 : 1;
	if (x->role != y->role)
		return x->role == AF_ROLE_EXTENDED || x->role == AF_ROLE_FRAME ||
				       y->role == AF_ROLE_LOGICAL
			       ? -1
			       : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

void af_layout_sort(struct af_layout *l)
{
	size_t i = 1;
	while (i < l->nparts && by_place(&l->part[i - 1], &l->part[i]) <= 0)
		i++;
	if (i < l->nparts) /* mostly it is in order */
		qsort(l->part, l->nparts, sizeof(*l->part), by_place);
}

void af_layout_add_all(struct af_layout *l, const struct af_part *part, size_t n)
{
	if (n == 0)
		return;
	l->part = af_realloc(l->part, l->nparts + n, sizeof(*l->part));
	for (size_t i = 0; i < n; i++) {
		l->part[l->nparts] = part[i];
		l->part[l->nparts++].id = l->next_id++;
	}
	af_layout_sort(l);
}

uint32_t af_layout_add(struct af_layout *l, const struct af_part *part)
{
	struct af_part copy = *part;
	size_t at = l->nparts;
	copy.id = l->next_id++;
	l->part = af_realloc(l->part, l->nparts + 1, sizeof(*l->part));
	while (at > 0 && by_place(&copy, &l->part[at - 1]) < 0)
		at--;
	memmove(&l->part[at + 1], &l->part[at], (l->nparts - at) * sizeof(*l->part));
	l->part[at] = copy;
	l->nparts++;
	return copy.id;
}

void af_layout_remove(struct af_layout *l, uint32_t id)
{
	size_t kept = 0;
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].id != id)
			l->part[kept++] = l->part[i];
	l->nparts = kept;
}

struct af_span af_layout_ebr(const struct af_layout *l, const struct af_part *part)
{
	return (struct af_span){ part->ebr, part->ebr + l->sector_size };
}

/*
 * ---------------------------------------------------------------------------------------------
 * Gaps: everything occupied is put in one sorted list of marks, and what lies between is a gap.
 * The extended partition itself occupies nothing, but no gap crosses its edges.
 */
enum mark_kind { MARK_EDGE, MARK_PRIMARY, MARK_LOGICAL, MARK_EBR };

struct mark {
	struct af_span span;
	uint32_t
		id; /* of the partition whose data or EBR this is; an edge of the extended one: 0 */
	enum mark_kind kind;
};

static int by_mark(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;
	if (x->span.start != y->span.start)
		return x->span.start < y->span.start ? -1 : 1;
	return x->span.end < y->span.end ? -1 : x->span.end > y->span.end;
}

static size_t collect_marks(const struct af_layout *l, struct mark *mark)
{
	size_t n = 0;
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		if (p->role == AF_ROLE_EXTENDED) {
			mark[n++].span = (struct af_span){ p->span.start, p->span.start };
			mark[n++].span = (struct af_span){ p->span.end, p->span.end };
			continue;
		}
		bool logical = p->role == AF_ROLE_LOGICAL;
		mark[n++] = (struct mark){ p->span, p->id,
					   logical ? MARK_LOGICAL : MARK_PRIMARY };
		if (logical)
			mark[n++] = (struct mark){ af_layout_ebr(l, p), p->id, MARK_EBR };
	}
	qsort(mark, n, sizeof(*mark), by_mark);
	return n;
}

/* The first sector of an extended partition without logicals holds its empty EBR. */
static af_bytes lowest_free_in(const struct af_layout *l, af_bytes at)
{
	const struct af_part *ext = af_layout_extended(l);
	return ext && ext->span.start == at ? at + l->sector_size : at;
}

static void add_gap(const struct af_layout *l, struct af_gap *gap, size_t *n,
		    struct af_gap new)
{
	const struct af_part *ext = af_layout_extended(l);
	new.span.start = lowest_free_in(l, new.span.start);
	if (new.span.end > l->usable.end)
		new.span.end = l->usable.end; /* what follows is a stray */
	if (new.span.start >= new.span.end)
		return;
	new.in_extended = ext &&af_span_inside(new.span, ext->span);
	gap[(*n)++] = new;
}

size_t af_layout_gaps(const struct af_layout *l, struct af_gap **out)
{
	size_t room = 2 * l->nparts + 2, n = 0;
	if (l->scheme != AF_SCHEME_NONE && !af_scheme_is_ours(l->scheme)) {
		*out = NULL; /* nothing is free in what is not ours to change */
		return 0;
	}
	struct mark *mark = af_alloc(room, sizeof(*mark));
	struct af_gap *gap = af_alloc(room, sizeof(*gap));
	size_t nmarks = collect_marks(l, mark);
	af_bytes at = l->usable.start;
	struct mark last = { .kind = MARK_EDGE };
	for (size_t i = 0; i < nmarks; i++) {
		struct af_gap new = {
			.span = { at, mark[i].span.start },
			.after_ebr = last.kind == MARK_EBR &&
				     mark[i].kind == MARK_LOGICAL && last.id == mark[i].id,
			.before_logical = mark[i].kind == MARK_LOGICAL,
		};
		add_gap(l, gap, &n, new);
		if (mark[i].span.end > at)
			at = mark[i].span.end;
		last = mark[i];
	}
	add_gap(l, gap, &n, (struct af_gap){ .span = { at, l->usable.end } });
	free(mark);
	*out = gap;
	return n;
}

/*
 * ---------------------------------------------------------------------------------------------
 * Soundness
 */
static bool edges_sound(const struct af_layout *l, const struct af_part *p,
			struct af_err *err)
{
	if (p->span.start >= p->span.end)
		return af_fail(err, AF_E_RULE, "partition %" PRIu32 " has no sectors",
			       p->number);
	if (p->span.start % l->sector_size || p->span.end % l->sector_size ||
	    p->ebr % l->sector_size)
		return af_fail(err, AF_E_RULE,
			       "partition %" PRIu32 " has an edge inside a sector",
			       p->number);
	if (!af_span_inside(p->span, l->usable))
		return af_fail(err, AF_E_RULE,
			       "partition %" PRIu32
			       " reaches beyond what a table of this disk can hold: delete "
			       "it or make it smaller",
			       p->number);
	return true;
}

static bool type_sound(const struct af_layout *l, const struct af_part *p,
		       struct af_err *err)
{
	static const uint8_t none[16];
	if (memcmp(p->type, none, sizeof(none)) == 0)
		return af_fail(err, AF_E_RULE, "partition %" PRIu32 " has no type",
			       p->number);
	bool extended =
		l->scheme == AF_SCHEME_MBR && af_scheme_is_extended_code(p->type[0]);
	if (extended != (p->role == AF_ROLE_EXTENDED))
		return af_fail(err, AF_E_RULE,
			       "partition %" PRIu32
			       " and its type disagree about being extended",
			       p->number);
	return true;
}

static bool number_sound(const struct af_layout *l, const struct af_part *p,
			 size_t nlogicals, bool *taken, struct af_err *err)
{
	if (p->role == AF_ROLE_LOGICAL) {
		if (p->number <= l->slots || p->number > l->slots + nlogicals)
			return af_fail(err, AF_E_RULE,
				       "logical partition %" PRIu32
				       " is not numbered in the chain",
				       p->number);
	} else if (p->number < 1 || p->number > l->slots) {
		return af_fail(err, AF_E_RULE,
			       "a table of %" PRIu32 " slots has no number %" PRIu32,
			       l->slots, p->number);
	}
	if (taken[p->number])
		return af_fail(err, AF_E_RULE, "two partitions have number %" PRIu32,
			       p->number);
	taken[p->number] = true;
	return true;
}

static bool numbers_sound(const struct af_layout *l, size_t nlogicals, struct af_err *err)
{
	bool *taken = af_alloc(l->slots + nlogicals + 1, sizeof(*taken)), sound = true;
	for (size_t i = 0; i < l->nparts && sound; i++)
		sound = number_sound(l, &l->part[i], nlogicals, taken, err);
	free(taken);
	return sound;
}

static bool logical_sound(const struct af_layout *l, const struct af_part *p,
			  struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(l);
	if (!ext || !af_span_inside(p->span, ext->span))
		return af_fail(err, AF_E_RULE,
			       "logical partition %" PRIu32
			       " is not inside an extended one",
			       p->number);
	if (p->ebr < ext->span.start || p->ebr + l->sector_size > p->span.start)
		return af_fail(err, AF_E_RULE,
			       "the EBR of partition %" PRIu32
			       " is not between the start of the "
			       "extended partition and its data",
			       p->number);
	return true;
}

static uint32_t mark_number(const struct af_layout *l, const struct mark *m)
{
	const struct af_part *p = af_layout_find(l, m->id);
	return p ? p->number : 0;
}

/* In order of place, two ranges in use that share a byte are always seen as neighbours. */
static bool marks_apart(const struct af_layout *l, struct af_err *err)
{
	struct mark *mark = af_alloc(2 * l->nparts + 2, sizeof(*mark));
	size_t n = collect_marks(l, mark);
	const struct mark *last = NULL, *clash = NULL;
	for (size_t i = 0; i < n && !clash; i++) {
		if (mark[i].kind == MARK_EDGE)
			continue;
		if (last && af_span_overlap(last->span, mark[i].span))
			clash = &mark[i];
		else
			last = &mark[i];
	}
	if (clash)
		(void)af_fail(err, AF_E_RULE,
			      "partitions %" PRIu32 " and %" PRIu32
			      " overlap (an EBR counts)",
			      mark_number(l, last), mark_number(l, clash));
	free(mark);
	return !clash;
}

static bool one_extended(const struct af_layout *l, struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(l);
	for (size_t i = 0; ext && i < l->nparts; i++)
		if (l->part[i].role == AF_ROLE_EXTENDED && &l->part[i] != ext)
			return af_fail(err, AF_E_RULE, "there are two extended partitions");
	return true;
}

/* An extended partition's first sector is the head of the chain: no data, and no EBR but the first. */
static bool head_apart(const struct af_layout *l, struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(l);
	for (size_t i = 0; ext && i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		bool first = p->number == l->slots + 1;
		if (p->role == AF_ROLE_LOGICAL && (p->span.start == ext->span.start ||
						   (p->ebr == ext->span.start && !first)))
			return af_fail(err, AF_E_RULE,
				       "partition %" PRIu32
				       " lies over the first EBR of the extended partition",
				       p->number);
	}
	return true;
}

bool af_layout_apart(const struct af_layout *l, struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(l);
	for (size_t i = 0; ext && i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		if (p->role == AF_ROLE_PRIMARY && af_span_overlap(p->span, ext->span))
			return af_fail(err, AF_E_RULE,
				       "partitions %" PRIu32 " and %" PRIu32 " overlap",
				       p->number, ext->number);
	}
	return marks_apart(l, err) && head_apart(l, err);
}

bool af_layout_parts_sound(const struct af_layout *l, struct af_err *err)
{
	size_t nlogicals = af_layout_logicals(l);
	if (l->scheme == AF_SCHEME_NONE && l->nparts)
		return af_fail(err, AF_E_RULE, "there is no table to hold partitions");
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		if (!edges_sound(l, p, err) || !type_sound(l, p, err))
			return false;
		if (p->role == AF_ROLE_LOGICAL && !logical_sound(l, p, err))
			return false;
	}
	return numbers_sound(l, nlogicals, err) && one_extended(l, err) &&
	       af_layout_gpt_sound(l, err);
}

bool af_layout_sound(const struct af_layout *l, struct af_err *err)
{
	return af_layout_parts_sound(l, err) && af_layout_apart(l, err);
}
