/*
 * edit_used.c - what may be changed of a disk while it is in use. A used partition must stay what the kernel takes it for: its
 * number, its start, and at least its size. It may grow, and its type, name and flags are the table's business alone.
 */
#include "afdisk/edit.h"
#include <inttypes.h>

#define WORDS 400

/* The partition that use is of, if l has it as the kernel does; else NULL. */
static const struct af_part *used_part(const struct af_layout *l, const struct af_use *use)
{
	const struct af_part *p = af_layout_number(l, use->number);
	bool same = p && p->role != AF_ROLE_EXTENDED && p->span.start == use->span.start &&
		    p->span.end >= use->span.end;
	return same ? p : NULL;
}

/* Something other than before lies where the kernel has a used partition that the table does not know. */
static bool covers_anew(const struct af_layout *from, const struct af_layout *next,
			const struct af_use *use)
{
	for (size_t i = 0; i < next->nparts; i++) {
		const struct af_part *p = &next->part[i];
		const struct af_part *was = af_layout_find(from, p->id);
		if (p->role != AF_ROLE_EXTENDED && af_span_overlap(p->span, use->span) &&
		    !(was && af_span_equal(was->span, p->span)))
			return true;
	}
	return false;
}

/* "partition 5 is mounted at /home: unmount it before it is deleted" */
static bool refuse(const struct af_layout *next, const struct af_part *was,
		   const struct af_use *use, const char *words, struct af_err *err)
{
	const struct af_part *p = af_layout_find(next, was->id);
	const char *what = "is made smaller";
	if (!p)
		what = "is deleted";
	else if (p->span.start != use->span.start)
		what = "is moved";
	else if (p->number != use->number)
		return af_fail(err, AF_E_BUSY,
			       "partition %" PRIu32
			       " is %s: it would become partition %" PRIu32
			       ", and the kernel cannot rename it while it is in use",
			       use->number, words, p->number);
	return af_fail(err, AF_E_BUSY, "partition %" PRIu32 " is %s: %s before it %s",
		       use->number, words, af_use_end(use->kind), what);
}

static bool keeps(const struct af_layout *from, const struct af_layout *next,
		  const struct af_uses *uses, const struct af_use *use, struct af_err *err)
{
	const struct af_part *was = used_part(from, use);
	char words[WORDS];
	af_uses_words(uses, use->number, use->span.start, words, sizeof(words));
	if (use->number == 0)
		return af_fail(err, AF_E_BUSY,
			       "the whole disk is %s: %s before its table is changed",
			       words, af_use_end(use->kind));
	if (used_part(next, use))
		return true;
	if (was)
		return refuse(next, was, use, words, err);
	return !covers_anew(from, next, use) ||
	       af_fail(err, AF_E_BUSY,
		       "the kernel has a partition %" PRIu32 " at sectors %" PRIu64
		       " to %" PRIu64
		       ", which is %s and not in this table: nothing new can be there",
		       use->number, af_lba_of(use->span.start, next->sector_size).n,
		       af_lba_of(use->span.end - 1, next->sector_size).n, words);
}

bool af_edit_keeps_used(const struct af_layout *from, const struct af_layout *next,
			const struct af_uses *uses, struct af_err *err)
{
	if (uses->n == 0 || af_layout_equal(from, next))
		return true;
	for (size_t i = 0; i < uses->n; i++)
		if (!keeps(from, next, uses, &uses->item[i], err))
			return false;
	return true;
}
