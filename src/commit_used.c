/*
 * commit_used.c - the last word on a disk that is in use: what a patch would make of its table must leave alone whatever is
 * used now, under the claim, when no other program can change the table any more. The table to be is read from the disk
 * with the patch laid over it, so that it does not matter where the patch comes from.
 */
#include <string.h>

#include "afdisk/edit.h"
#include "afdisk/holders.h"
#include "afdisk/label.h"
#include "commit_priv.h"

/** A device with a patch laid over what it holds. */
struct overlay {
	struct af_dev *under;
	const struct af_patch *patch;
};

static bool overlay_read(void *self, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	const struct overlay *o = self;
	const struct af_span all = { at,
				     at + (af_bytes)n }; /* on the device: checked by dev */
	unsigned char *to = buf;

	if (!af_dev_read(o->under, at, buf, n, err))
		return false;
	for (size_t i = 0; i < o->patch->n; i++) {
		const struct af_run *run = &o->patch->run[i];
		af_bytes start = run->at > all.start ? run->at : all.start;
		af_bytes end = run->at + run->len < all.end ? run->at + run->len : all.end;

		if (start < end)
			memcpy(to + (start - all.start), run->after + (start - run->at),
			       (size_t)(end - start));
	}
	return true;
}

static const struct af_dev_ops overlay_ops = { .read = overlay_read };

/** The same partition has the same id in both: what begins where one began, and is no other kind. */
static void match_ids(const struct af_layout *from, struct af_layout *next)
{
	for (size_t i = 0; i < next->nparts; i++) {
		struct af_part *p = &next->part[i];

		p->id = from->next_id + (uint32_t)i;
		for (size_t k = 0; k < from->nparts; k++)
			if (from->part[k].span.start == p->span.start &&
			    from->part[k].role == p->role)
				p->id = from->part[k].id;
	}
}

bool af_commit_spares(struct af_dev *dev, const struct af_patch *patch,
		      const struct af_uses *uses, struct af_err *err)
{
	struct overlay o = { .under = dev, .patch = patch };
	struct af_dev over = *dev;
	struct af_label_note note;
	struct af_layout from, next;
	bool done;

	if (uses->n == 0)
		return true;
	over.ops = &overlay_ops;
	over.self = &o;
	if (!af_label_read(dev, &from, &note, err))
		return false;
	done = af_label_read(&over, &next, &note, err);
	if (done) {
		match_ids(&from, &next);
		done = af_edit_keeps_used(&from, &next, uses, err);
		af_layout_release(&next);
	}
	af_layout_release(&from);
	return done;
}

bool af_commit_spares_used(struct af_dev *dev, const struct af_patch *patch,
			   struct af_err *err)
{
	struct af_uses uses;
	bool done;

	if (dev->is_file) /* its claim has looked for a loop device and for locks */
		return true;
	af_holders_read(dev, true, &uses);
	done = af_commit_spares(dev, patch, &uses, err);
	if (done && uses.n == 0 && !dev->exclusive)
		done = af_fail(
			err, AF_E_BUSY,
			"%s is in use by another program: let it finish, or close it",
			dev->path);
	af_uses_release(&uses);
	return done;
}
