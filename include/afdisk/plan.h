/** plan.h - what changes between the table on disk and the table to be, and the steps that get there. */
#ifndef AFDISK_PLAN_H
#define AFDISK_PLAN_H
#include "afdisk/align.h"
#include "afdisk/facts.h"
#include "afdisk/layout.h"

enum af_change_kind {
	AF_CHANGE_KEPT,
	AF_CHANGE_REMOVED,
	AF_CHANGE_ADDED,
	AF_CHANGE_MOVED,   /* another start, the same size */
	AF_CHANGE_RESIZED, /* another size */
	AF_CHANGE_RETAGGED, /* same place: another number, type, flag, name, UUID, attribute or EBR */
};

/** One partition's fate. before is zeros for ADDED, after for REMOVED. */
struct af_change {
	enum af_change_kind kind;
	struct af_part before, after;
};

/** One step a person can follow. */
struct af_step {
	char step
		[16]; /* "label", "convert", "delete", "add", "move", "resize", "change", "hybrid", "id", "warning", "repair", "backup", "write", "verify" */
	uint32_t
		partition; /* its number (after the change; before it for a delete), 0 if none */
	char detail[240]; /* one sentence, no final period */
};

/** Owns its arrays. Changes: removed ones first, then by place in the table to be. */
struct af_plan {
	struct af_change *change;
	size_t nchanges;
	struct af_step *step;
	size_t nsteps;
};

/** What the sentences say besides what is in the tables. Borrowed. */
struct af_plan_words {
	const char *dev_name; /* "/dev/sda", "disk.img" */
	const char *holds;    /* what a disk without a table holds, see label.h */
	const char *
		maybe_fstab; /* lines of fstab(5), or of like files, that may name partitions */
	const struct af_contents *contents;
	const struct af_boot_code *maybe_code; /* what starts the disk, if it is known */
	const struct af_types *mbr_types,
		*gpt_types; /* both: a new table may be of the other kind */
};

/** What it takes to get from base to now; partitions are matched by id. No difference gives no steps. The
 *  caller releases *out. */
void af_plan_make(const struct af_layout *base, const struct af_layout *now,
		  const struct af_plan_words *words, struct af_plan *out);

/** True if the step does nothing, and is there to be read. */
bool af_plan_is_warning(const struct af_step *step);

/** Frees what p owns; p is { 0 } again. */
void af_plan_release(struct af_plan *p);
#endif
