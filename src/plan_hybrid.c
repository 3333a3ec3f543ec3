/*
 * plan_hybrid.c - the sentences about a hybrid MBR: which entries follow, stay, go, or are still to be decided about.
 */
#include "afdisk/layout_hybrid.h"
#include "plan_priv.h"
#include <inttypes.h>
#include <string.h>

static bool in_use(const struct af_mirror *m)
{
	return af_span_size(m->span) > 0;
}

/* " at sectors 2048 to 206847" */
static void say_sectors(struct af_text *t, const struct af_layout *l, struct af_span s)
{
	af_text_add(t, " at sectors %" PRId64 " to %" PRId64,
		    af_sectors(s.start, l->sector_size),
		    af_sectors(s.end, l->sector_size) - 1);
}

/* "; gone are entry 2 (83, active, at sectors 2048 to 206847), ..." */
static void say_gone(struct af_text *t, const struct af_layout *base)
{
	const char *before = "; gone are";
	for (uint32_t i = 0; i < AF_MIRRORS; i++) {
		const struct af_mirror *m = &base->mirror[i];
		if (!in_use(m) || m->type == AF_PROTECTIVE)
			continue;
		af_text_add(t, "%s entry %" PRIu32 " (%02x%s", before, i + 1, m->type,
			    m->boot ? ", active," : "");
		say_sectors(t, base, m->span);
		af_text_add(t, ")");
		before = ",";
	}
}

/* An entry that stays while its partition does not. */
static bool say_stale(struct af_text *t, const struct af_layout *now, uint32_t entry)
{
	const struct af_mirror *m = &now->mirror[entry - 1];
	if (!af_layout_is_stale(now, m))
		return false;
	bool open = now->hybrid == AF_HYBRID_OPEN;
	af_text_add(t, "%s entry %" PRIu32 " (%02x",
		    open ? "still to be decided: what becomes of" : "leave", entry,
		    m->type);
	say_sectors(t, now, m->span);
	af_text_add(t, ") of the hybrid MBR%s",
		    open ? ", whose partition changes"
			 : " as it is: it mirrors no partition any more");
	return true;
}

/* ", as sda1 is", for an entry that mirrors it. */
static void say_mirrored(struct af_text *t, const struct af_layout *now,
			 const char *dev_name, const struct af_mirror *m)
{
	const struct af_part *p = af_layout_find(now, m->id);
	if (p != NULL) {
		char name[128];
		af_text_add(t, ", as %s is",
			    af_text_part_name(dev_name, p->number, name, sizeof(name)));
	}
}

static void say_changed(struct af_text *t, const struct af_layout *now,
			const char *dev_name, const struct af_mirror *old, uint32_t entry)
{
	const struct af_mirror *m = &now->mirror[entry - 1];
	if (!in_use(m)) {
		af_text_add(t, "take entry %" PRIu32 " (%02x", entry, old->type);
		say_sectors(t, now, old->span);
		af_text_add(t, ") out of the hybrid MBR");
		return;
	}
	af_text_add(t, "put entry %" PRIu32 " (%02x) of the hybrid MBR", entry, m->type);
	say_sectors(t, now, m->span);
	say_mirrored(t, now, dev_name, m);
}

/* What becomes of one entry; false if there is nothing to say. */
static bool say_entry(struct af_text *t, const struct af_layout *base,
		      const struct af_layout *now, const char *dev_name, uint32_t entry)
{
	const struct af_mirror *old = &base->mirror[entry - 1],
			       *m = &now->mirror[entry - 1];
	if (af_span_equal(old->span, m->span) && old->type == m->type)
		return say_stale(t, now, entry);
	say_changed(t, now, dev_name, old, entry);
	return true;
}

void af_plan_hybrid(const struct af_layout *base, const struct af_layout *now,
		    const char *dev_name, struct af_plan *plan)
{
	if (base->hybrid == AF_HYBRID_NONE)
		return;
	bool is_new = af_layout_is_new(base, now);
	if (is_new || now->hybrid == AF_HYBRID_NONE) {
		struct af_text t = { 0 };
		af_text_add(
			&t, "%s",
			is_new ? "replace the hybrid MBR"
			       : "make the MBR protective: one entry over the whole disk");
		say_gone(&t, base);
		af_plan_add(plan, "hybrid", 0, &t);
		return;
	}
	for (uint32_t entry = 1; entry <= AF_MIRRORS; entry++) {
		struct af_text t = { 0 };
		if (say_entry(&t, base, now, dev_name, entry))
			af_plan_add(plan, "hybrid", 0, &t);
	}
}
