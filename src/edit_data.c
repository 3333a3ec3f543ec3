/*
 * edit_data.c - whether another place or size of a partition would lose data. A file system lies at the start and counts its
 * own size, so that an end may come down to there, but no start may move. Where the size is not known, all of it is data.
 */
#include "afdisk/fstool.h"
#include "edit_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* True if next takes from a stray no more than the disk has taken, and what the grain rounds off. */
static bool is_cut_off(const struct af_layout *l, const struct af_edit *e,
		       const struct af_part *p, struct af_span next)
{
	return af_layout_is_stray(l, p) && next.end > l->usable.end - e->rules->grain.step;
}

/* What is said about a partition whose content cannot be named. */
static const char *name_of(const struct af_content *maybe_content)
{
	if (!maybe_content || maybe_content->state == AF_CONTENT_UNKNOWN)
		return "has not been looked into yet";
	return maybe_content->state == AF_CONTENT_UNREADABLE ? "could not be read"
							     : maybe_content->fs;
}

static bool refuse(const struct af_part *p, const struct af_content *c, const char *why,
		   struct af_err *err)
{
	return af_fail(err, AF_E_DATA, "partition %" PRIu32 " holds data (%s): %s",
		       p->number, name_of(c), why);
}

/* Two sizes for people; in bytes if they would look the same. */
static void say_sizes(af_bytes a, af_bytes b, char text_a[AF_SHORT], char text_b[AF_SHORT])
{
	if (strcmp(af_text_size(a, text_a), af_text_size(b, text_b)) != 0)
		return;
	(void)snprintf(text_a, AF_SHORT, "%" PRId64 " bytes", a);
	(void)snprintf(text_b, AF_SHORT, "%" PRId64 " bytes", b);
}

/* "partition 1 holds ext4 of 300 MiB: 200 MiB would cut it off; shrink it first: ..." */
static bool refuse_cut(const struct af_edit *e, const struct af_part *p,
		       const struct af_content *c, af_bytes size, struct af_err *err)
{
	char has[AF_SHORT], asked[AF_SHORT], path[300];
	const char *dev = e->maybe_dev ? af_text_part_path(e->maybe_dev, p->number, path,
							   sizeof(path))
				       : NULL;
	struct af_text how = { 0 };
	say_sizes(c->fs_size, size, has, asked);
	af_fstool_shrink(c->fs, dev, size, &how);
	(void)af_fail(err, AF_E_DATA,
		      "partition %" PRIu32 " holds %s of %s: %s would cut it off%s%s",
		      p->number, c->fs, has, asked, how.len > 0 ? "; " : "",
		      af_text_get(&how));
	af_text_release(&how);
	return false;
}

bool af_edit_data_safe(const struct af_layout *from, const struct af_edit *e,
		       const struct af_part *p, struct af_span next, struct af_err *err)
{
	const bool moved = next.start != p->span.start, smaller = next.end < p->span.end;
	if (p->role == AF_ROLE_EXTENDED || e->table_only || af_span_equal(next, p->span) ||
	    (!moved && is_cut_off(from, e, p, next)) ||
	    !af_contents_may_hold(e->contents, p->id))
		return true;
	const struct af_content *c = af_contents_find(e->contents, p->id);
	if (moved)
		return refuse(p, c, "moving its start would have to move the data", err);
	if (c->bound_to_end)
		return refuse(p, c, "what describes it lies at its end, which has to stay",
			      err);
	if (!smaller || (c->fs_size > 0 && c->fs_size <= af_span_size(next)))
		return true;
	if (c->state == AF_CONTENT_FOUND && c->fs_size > 0)
		return refuse_cut(e, p, c, af_span_size(next), err);
	return refuse(p, c, "a smaller partition would cut it off", err);
}
