/*
 * edit_hybrid.c - the person's choice what becomes of a hybrid MBR when the partitions that it mirrors change.
 */
#include "afdisk/edit.h"
#include "afdisk/layout_hybrid.h"
#include "edit_priv.h"

bool af_edit_hybrid(const struct af_layout *from, enum af_hybrid choice,
		    struct af_layout *out, struct af_err *err)
{
	struct af_layout next;
	if (!af_edit_has_table(from, err))
		return false;
	if (from->hybrid == AF_HYBRID_NONE)
		return af_fail(err, AF_E_RULE,
			       "this disk has no hybrid MBR: there is nothing to %s",
			       choice == AF_HYBRID_UPDATE ? "update"
			       : choice == AF_HYBRID_KEEP ? "keep"
							  : "take away");
	af_layout_copy(from, &next);
	if (choice == AF_HYBRID_NONE)
		af_layout_unmirror(&next);
	else
		next.hybrid = choice;
	return af_edit_finish(&next, out, err);
}
