/*
 * plan_repair.c - the step from the copies of a GPT as they are to whole ones, in words.
 */
#include "plan_priv.h"
#include <inttypes.h>

/* What becomes of the primary and of sector 0, told before and after the backup. */
static const char *primary_words(const struct af_layout *base, const struct af_layout *now)
{
	return base->gpt.primary != now->gpt.primary
		       ? "make the primary GPT again from the backup"
		       : "";
}

static const char *mbr_words(const struct af_layout *base, const struct af_layout *now)
{
	if (base->gpt.mbr_lost != now->gpt.mbr_lost)
		return "make a protective MBR";
	return base->gpt.mbr_misfits != now->gpt.mbr_misfits
		       ? "fit the protective entry of the MBR to the disk"
		       : "";
}

/* The backup that moves to the end of the disk, with what that gives. */
static void say_moved(const struct af_layout *base, const struct af_layout *now,
		      struct af_text *t)
{
	bool good = base->gpt.backup == AF_GPT_GOOD;
	af_text_add(t, "%s the end of the disk, sector %" PRId64,
		    good ? "move the backup GPT to" : "make the backup GPT again at",
		    af_sectors(af_layout_gpt_backup(now), now->sector_size));
	if (base->usable.end < now->usable.end) {
		char more[AF_SHORT];
		af_text_add(t, ", +%s usable",
			    af_text_size(now->usable.end - base->usable.end, more));
	}
}

static void say_backup(const struct af_layout *base, const struct af_layout *now,
		       struct af_text *t)
{
	if (base->gpt.backup_at != now->gpt.backup_at)
		say_moved(base, now, t);
	else if (base->gpt.backup != now->gpt.backup)
		af_text_add(t, "make the backup GPT again from the primary");
}

void af_plan_repair(const struct af_layout *base, const struct af_layout *now,
		    struct af_plan *plan)
{
	struct af_text backup = { 0 }, step = { 0 };
	say_backup(base, now, &backup);
	const char *part[] = { primary_words(base, now), af_text_get(&backup),
			       mbr_words(base, now) };
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		if (part[i][0] != '\0')
			af_text_add(&step, "%s%s", step.len == 0 ? "repair: " : ", ",
				    part[i]);
	if (step.len != 0)
		af_plan_add(plan, "repair", 0, &step);
	af_text_release(&backup);
}
