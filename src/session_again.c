/*
 * session_again.c - the last look into the partitions that a write makes smaller or moves. What was found in them may be as old
 * as the session, and a file system that somebody has made since must not be cut off because it was not there then.
 */
#include "session_priv.h"

#include <inttypes.h>
#include <string.h>

/* True if bytes at the start or the end of was are no more in will. */
static bool is_cut(const struct af_part *was, const struct af_part *maybe_will)
{
	return maybe_will && was->role != AF_ROLE_EXTENDED &&
	       (maybe_will->span.start != was->span.start ||
		maybe_will->span.end < was->span.end);
}

static bool is_same(const struct af_content *a, const struct af_content *b)
{
	return a->state == b->state && strcmp(a->fs, b->fs) == 0 &&
	       strcmp(a->uuid, b->uuid) == 0 && a->fs_size == b->fs_size &&
	       a->bound_to_end == b->bound_to_end;
}

/* What is known of the partition, if anybody has looked into it; else NULL. */
static struct af_content *known_of(struct af_session *s, uint32_t id)
{
	for (size_t i = 0; i < s->contents.n; i++)
		if (s->contents.item[i].id == id &&
		    s->contents.item[i].state != AF_CONTENT_UNKNOWN)
			return &s->contents.item[i];
	return NULL;
}

static bool refuse(const struct af_part *part, const struct af_content *now,
		   struct af_err *err)
{
	const char *what = now->fs;

	if (now->state == AF_CONTENT_UNREADABLE)
		what = "nothing that can be read";
	else if (now->state != AF_CONTENT_FOUND)
		what = "nothing known";
	return af_fail(err, AF_E_STALE,
		       "nothing was written: partition %" PRIu32
		       " was changed since it was looked into, and holds %s now: undo the "
		       "change, or review it again",
		       part->number, what);
}

/* Looks into part once more; what is found takes the place of what was known. False if that is another thing. */
static bool is_still(struct af_session *s, const struct af_part *part,
		     struct af_content *known, struct af_err *err)
{
	struct af_content now = { .id = part->id };

	/* Whoever wrote to the partition did that past what is cached of the disk. */
	if (!af_dev_forget(&s->dev, part->span.start, (size_t)af_span_size(part->span),
			   err))
		return false;
	af_session_look(&s->dev, af_session_base(s)->scheme, part, &now);

	const bool same = is_same(known, &now);

	af_content_release(known);
	*known = now;
	return same || refuse(part, known, err);
}

bool af_session_still_inside(struct af_session *s, struct af_err *err)
{
	const struct af_layout *base = af_session_base(s),
			       *now = af_history_now(s->history);

	for (size_t i = 0; i < base->nparts; i++) {
		const struct af_part *was = &base->part[i];
		struct af_content *known = known_of(s, was->id);

		if (known && is_cut(was, af_layout_find(now, was->id)) &&
		    !is_still(s, was, known, err))
			return false;
	}
	return true;
}
