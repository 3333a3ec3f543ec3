/*
 * kernel_plan.c - what the kernel has to be told, and in which order: what goes before what comes into its place, what
 * shrinks before its neighbour grows. Pure.
 *
 * An extended partition is a name only, of two sectors at the most: the kernel refuses what overlaps, and the first
 * logical partition may begin right behind its EBR.
 */
#include "afdisk/kernel.h"

#include <stdlib.h>

#include "afdisk/text.h"

#define SECTORS_OF_EXTENDED 2

/** The span by which the kernel is to know a partition. */
static struct af_span span_for_kernel(const struct af_layout *l, const struct af_part *part)
{
	struct af_span s = part->span;
	af_bytes most = s.start + SECTORS_OF_EXTENDED * (af_bytes)l->sector_size;

	if (part->role != AF_ROLE_EXTENDED)
		return s;
	s.end = s.end < most ? s.end : most;
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].role == AF_ROLE_LOGICAL && l->part[i].span.start < s.end)
			s.end = l->part[i].span.start;
	return s;
}

/** True if k is one that the kernel found in a label inside of another partition, which stays. */
static bool is_nested(const struct af_kernel_parts *known, const struct af_kernel_part *k,
		      const struct af_layout *now)
{
	for (size_t i = 0; i < known->n; i++) {
		const struct af_kernel_part *outer = &known->item[i];
		const struct af_part *part = af_layout_number(now, outer->number);

		if (outer != k && part && part->role != AF_ROLE_EXTENDED &&
		    part->span.start == outer->span.start &&
		    af_span_inside(k->span, outer->span))
			return true;
	}
	return false;
}

/** The partition of now that the kernel knows under this number at this place, or NULL. */
static const struct af_part *same_part(const struct af_layout *now,
				       const struct af_kernel_part *k)
{
	const struct af_part *part = af_layout_number(now, k->number);

	return part && part->span.start == k->span.start ? part : NULL;
}

static bool must_go(const struct af_kernel_parts *known, const struct af_kernel_part *k,
		    const struct af_layout *now)
{
	if (same_part(now, k))
		return false;
	return af_layout_number(now, k->number) || !is_nested(known, k, now);
}

static const struct af_kernel_part *find_known(const struct af_kernel_parts *known,
					       uint32_t number)
{
	for (size_t i = 0; i < known->n; i++)
		if (known->item[i].number == number)
			return &known->item[i];
	return NULL;
}

/** True if the kernel has another size for k than it is to have; which one goes to *to. */
static bool has_other_size(const struct af_layout *now, const struct af_kernel_part *k,
			   struct af_span *to)
{
	const struct af_part *part = same_part(now, k);

	if (!part)
		return false;
	*to = span_for_kernel(now, part);
	if (part->role == AF_ROLE_EXTENDED)
		return k->span.end > to->end;
	return k->span.end != to->end;
}

static size_t add_resizes(const struct af_kernel_parts *known, const struct af_layout *now,
			  bool grow, struct af_kernel_op *op)
{
	size_t n = 0;

	for (size_t i = 0; i < known->n; i++) {
		const struct af_kernel_part *k = &known->item[i];
		struct af_span to;

		if (has_other_size(now, k, &to) && (to.end > k->span.end) == grow)
			op[n++] = (struct af_kernel_op){ AF_KERNEL_RESIZE, k->number, to };
	}
	return n;
}

static int by_number(const void *a, const void *b)
{
	const struct af_kernel_op *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static size_t add_new(const struct af_kernel_parts *known, const struct af_layout *now,
		      struct af_kernel_op *op)
{
	size_t n = 0;

	for (size_t i = 0; i < now->nparts; i++) {
		const struct af_part *part = &now->part[i];
		const struct af_kernel_part *k = find_known(known, part->number);

		if (part->number <= AF_KERNEL_NUMBERS &&
		    (!k || k->span.start != part->span.start))
			op[n++] = (struct af_kernel_op){ AF_KERNEL_ADD, part->number,
							 span_for_kernel(now, part) };
	}
	if (n > 1)
		qsort(op, n, sizeof(*op), by_number);
	return n;
}

size_t af_kernel_plan(const struct af_kernel_parts *known, const struct af_layout *now,
		      struct af_kernel_op **out)
{
	struct af_kernel_op *op = af_alloc(known->n + now->nparts, sizeof(*op));
	size_t n = 0;

	for (size_t i = known->n; i > 0; i--) {
		const struct af_kernel_part *k = &known->item[i - 1];

		if (must_go(known, k, now))
			op[n++] = (struct af_kernel_op){ AF_KERNEL_DELETE, k->number,
							 k->span };
	}
	n += add_resizes(known, now, false, op + n);
	n += add_resizes(known, now, true, op + n);
	n += add_new(known, now, op + n);
	*out = op;
	return n;
}
