/*
 * edit_repair.c - a GPT made whole again. Which copy is the good one was found out when the table was read; here the
 * table to be gets both of them, each in its place. Usable space changes only where the backup moves.
 */
#include "afdisk/edit.h"
#include "edit_priv.h"
#include <inttypes.h>

/* Fails if there is nothing to repair. */
static bool needs_repair(const struct af_layout *l, struct af_err *err)
{
	if (l->scheme != AF_SCHEME_GPT)
		return af_fail(err, AF_E_RULE,
			       "only a GPT has copies that can be repaired");
	return !af_layout_gpt_whole(l) || l->gpt.mbr_misfits ||
	       af_fail(err, AF_E_RULE,
		       "nothing to repair: both copies of the GPT are good and in their "
		       "places");
}

static bool without_strays(const struct af_layout *l, struct af_err *err)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (af_layout_is_stray(l, &l->part[i]))
			return af_fail(
				err, AF_E_RULE,
				"partition %" PRIu32
				" ends beyond the disk: delete it or make it smaller first",
				l->part[i].number);
	return true;
}

bool af_edit_repair(const struct af_layout *from, struct af_layout *out, struct af_err *err)
{
	struct af_layout next;
	if (!needs_repair(from, err) || !without_strays(from, err))
		return false;
	af_layout_copy(from, &next);
	next.gpt = (struct af_gpt_form){
		.entry_size = from->gpt.entry_size,
		.entries = from->gpt.entries,
	};
	if (from->gpt.backup_at == 0)
		next.gpt.backup_entries = from->gpt.backup_entries;
	else
		next.usable.end = af_layout_gpt_entries(&next, true).start;
	return af_edit_finish(&next, out, err);
}
