/** commit.h - carries out a table change: prepare, act, look again. */
#ifndef AFDISK_COMMIT_H
#define AFDISK_COMMIT_H
#include "afdisk/dev.h"
#include "afdisk/layout.h"
#include "afdisk/patch.h"

struct af_commit_report {
	size_t sectors; /* written */
	char backup
		[512]; /* the file with the old sectors; "" if nothing had to be written */
	char told
		[200]; /* "added sda3, resized sda1": what the kernel took over; "" if nothing */
	char kernel[500]; /* "" or what the kernel does not know yet, and what to do */
};

/**
 * Makes dev, which holds base, hold now: claims the device; reads it again and compares (AF_E_STALE if another program changed
 * it); saves the old and new sectors to a backup file; writes phase by phase with a flush after each; reads back from the
 * medium and compares; tells the kernel. A failure before the first write leaves every byte as it was; after it the code
 * is AF_E_PARTIAL and the text names the backup and the way back. No change writes nothing.
 */
bool af_commit(struct af_dev *dev, const struct af_layout *base,
	       const struct af_layout *now, const char *maybe_journal,
	       struct af_commit_report *report, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * Puts back what the sectors in backup file held before: the same care as above. Every sector must hold what the write
 * that made the backup found or left there, in any mix (AF_E_STALE), and the disk must have the size of the one that
 * it is of (AF_E_USAGE). What is there already is not written. After a failure with AF_E_PARTIAL the same file still
 * leads back.
 */
bool af_commit_restore(struct af_dev *dev, const char *file, const char *maybe_journal,
		       struct af_commit_report *report, struct af_err *err)
	__attribute__((warn_unused_result));

/** The sectors that af_commit_restore() would write, in its order, without claiming or writing anything. Fails
 *  as it does before the first write. The caller releases *out. */
bool af_commit_restore_patch(struct af_dev *dev, const char *file, struct af_patch *out,
			     struct af_err *err) __attribute__((warn_unused_result));
#endif
