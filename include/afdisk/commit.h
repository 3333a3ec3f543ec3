/** commit.h - carries out a table change: prepare, act, look again. */
#ifndef AFDISK_COMMIT_H
#define AFDISK_COMMIT_H
#include "afdisk/dev.h"
#include "afdisk/facts.h"
#include "afdisk/label.h"
#include "afdisk/layout.h"
#include "afdisk/patch.h"

struct af_commit_report {
	size_t sectors; /* written */
	char backup
		[512];  /* the file with the old sectors; "" if nothing had to be written */
	char note[400]; /* "" or where that file is, and that it could be safer */
	char told
		[200]; /* "added sda3, resized sda1": what the kernel took over; "" if nothing */
	struct af_label_note
		note_of_table; /* what reading the new table found; of af_commit() */
	char kernel[500];      /* "" or what the kernel does not know yet, and what to do */
};

/** What a write is to do. All borrowed. */
struct af_commit_change {
	const struct af_layout *base, *now;
	const struct af_patch *maybe_patch; /* what af_label_render() gave for these two */
	const char *maybe_journal;
};

/**
 * Makes dev, which holds base, hold now: claims the device; reads it again and compares (AF_E_STALE if another program changed
 * it); saves the old and new sectors to a backup file; writes phase by phase with a flush after each; reads back from the
 * medium and compares; tells the kernel. A failure before the first write leaves every byte as it was; after it the code
 * is AF_E_PARTIAL and the text names the backup and the way back. No change writes nothing.
 */
bool af_commit(struct af_dev *dev, const struct af_commit_change *change,
	       struct af_commit_report *report, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * Puts back what the sectors in file held before: the same care as above. Of the log of a write, every sector must hold what
 * that write found or left there, in any mix (AF_E_STALE); the backup of a table goes back over anything. The disk must
 * have the size, the sectors and, where they are known, the model and serial number of the one that the file is of
 * (AF_E_USAGE). What is there already is not written. After a failure with AF_E_PARTIAL the same file still leads back.
 */
bool af_commit_restore(struct af_dev *dev, const char *file, const char *maybe_journal,
		       struct af_commit_report *report, struct af_err *err)
	__attribute__((warn_unused_result));

/** The sectors that af_commit_restore() would write, in its order, without claiming or writing anything. Fails
 *  as it does before the first write. The caller releases *out. */
bool af_commit_restore_patch(struct af_dev *dev, const char *file, struct af_patch *out,
			     struct af_err *err) __attribute__((warn_unused_result));

/** A write that was interrupted: some of its sectors have their new bytes, others their old ones. */
struct af_unfinished {
	char log[512];          /* the file that knows both */
	size_t fresh, old;      /* sectors; together all that the write changes */
	size_t unreadable;      /* of these, counted with the old ones */
	char was[64], will[64]; /* the tables: "dos 0x10bd10bc", "none" */
};

/**
 * True if the table of dev is between two, by the newest log of that disk that says anything about it: at maybe_journal, or
 * where logs are kept. What the disk holds decides, not how a write ended. maybe_base is the table as it reads now.
 */
bool af_commit_unfinished(struct af_dev *dev, const struct af_layout *maybe_base,
			  const char *maybe_journal, struct af_unfinished *out);

enum af_way {
	AF_WAY_ON,   /* to what the write was to make */
	AF_WAY_BACK, /* to what was there before */
};

/**
 * Brings an interrupted write to one of its ends, with the care of a write. Fails with AF_E_STALE if the disk is not between
 * the two tables of the log any more.
 */
bool af_commit_finish(struct af_dev *dev, const char *log, enum af_way way,
		      struct af_commit_report *report, struct af_err *err)
	__attribute__((warn_unused_result));

/** The sectors that af_commit_finish() would write, in its order. Fails as it does before the first write. The
 *  caller releases *out. */
bool af_commit_finish_patch(struct af_dev *dev, const char *log, enum af_way way,
			    struct af_patch *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Saves every sector of the table of dev, damaged or not, to a new file, for af_commit_restore(): *sectors of them,
 *  and *unreadable more that could not be read. Fails with AF_E_IO. */
bool af_commit_backup(struct af_dev *dev, const char *file, size_t *sectors,
		      size_t *unreadable, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * True if what uses says is in use on dev stays what the kernel takes it for once the patch is written, as
 * af_edit_keeps_used() says; otherwise AF_E_BUSY. Every write asks that itself, under its claim; this is for those who show
 * beforehand what it would do. Other failures are of reading.
 */
bool af_commit_spares(struct af_dev *dev, const struct af_patch *patch,
		      const struct af_uses *uses, struct af_err *err)
	__attribute__((warn_unused_result));
#endif
