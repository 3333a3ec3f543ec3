/*
 * layout_chain.c - chains of more logicals than other programs find. Those cannot help when such a chain is damaged, so
 * it is not rebuilt: what changes is one partition inside its own room, or the end of the chain.
 */
#include "afdisk/layout.h"
#include <inttypes.h>

static bool rebuilt(size_t n, struct af_err *err, const char *what)
{
	return af_fail(err, AF_E_RULE,
		       "there are %zu logical partitions, and other programs find only the "
		       "first %d: a chain like that is not rebuilt, so %s",
		       n, AF_LOGICALS_MAX, what);
}

/* The partition of l with that id, or NULL. Mostly the one behind the last that was asked for, *hint. */
static const struct af_part *find_from(const struct af_layout *l, uint32_t id, size_t *hint)
{
	for (size_t k = 0; k < l->nparts; k++) {
		size_t i = (*hint + k) % l->nparts;
		if (l->part[i].id == id) {
			*hint = i;
			return &l->part[i];
		}
	}
	return NULL;
}

/* True if logical p, one of n before, has its place in the chain; maybe_old is what it was. */
static bool stays(const struct af_part *maybe_old, const struct af_part *p, size_t n,
		  struct af_err *err)
{
	if (!maybe_old || maybe_old->role != AF_ROLE_LOGICAL)
		return rebuilt(n, err, "no logical one can be added");
	if (maybe_old->number != p->number)
		return rebuilt(
			n, err,
			"only the last logical one can be deleted, and their order stays");
	return maybe_old->ebr == p->ebr ||
	       rebuilt(n, err, "a logical one cannot leave the room behind its EBR");
}

bool af_layout_chain_kept(const struct af_layout *from, const struct af_layout *next,
			  struct af_err *err)
{
	size_t n = af_layout_logicals(from), hint = 0;
	const struct af_part *old = af_layout_extended(from),
			     *ext = af_layout_extended(next);
	if (n <= AF_LOGICALS_MAX || !ext || !old || af_layout_is_new(from, next))
		return true;
	if (old->span.start != ext->span.start)
		return rebuilt(n, err, "the extended one keeps its start");
	for (size_t i = 0; i < next->nparts; i++) {
		const struct af_part *p = &next->part[i];
		if (p->role == AF_ROLE_LOGICAL &&
		    !stays(find_from(from, p->id, &hint), p, n, err))
			return false;
	}
	return true;
}
