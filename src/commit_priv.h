/** commit_priv.h - what the files of the commit room share: one write of sectors, from the log to the kernel. */
#ifndef AFDISK_COMMIT_PRIV_H
#define AFDISK_COMMIT_PRIV_H
#include "afdisk/backup.h"
#include "afdisk/commit.h"

/** One write of a table. */
struct af_commit_job {
	struct af_dev *dev; /* claimed */
	const struct af_patch *patch;
	struct af_backup_head head; /* was and will are for the log */
	const char *maybe_log;      /* a log that has all of it already: none is made */
	const char *maybe_journal;  /* else: where the log is to go */
	const char *maybe_way_back; /* a file that leads back further than the log */
	const struct af_layout *maybe_now; /* the table to be, where that is known */
	bool mends;         /* sectors that cannot be read are written, too */
	unsigned char *buf; /* as large as the largest run */
	const char *log;    /* the name of the file */
};

/** Carries out the job; report gets what was done, and the log's name as soon as there is one. Fails as
 *  af_commit() does. */
bool af_commit_carry_out(struct af_commit_job *j, struct af_commit_report *report,
			 struct af_err *err) __attribute__((warn_unused_result));

/** A table in few words: "dos 0x10bd10bc", "none". */
void af_commit_say_table(const struct af_layout *l, char out[64]);

/** The same of what dev holds now; "" if that cannot be read. */
void af_commit_say_disk(struct af_dev *dev, char out[64]);

/** A file of dev, or AF_E_USAGE. The caller releases *patch. */
bool af_commit_load(const struct af_dev *dev, const char *file, struct af_backup_head *head,
		    struct af_patch *patch, struct af_err *err);

/** What of a run's sectors has which of its two contents. */
struct af_commit_tally {
	size_t old, fresh, unreadable, other;
	size_t blank; /* of the old and fresh ones, those that hold nothing but zeros */
};

/** Counts the sectors of a run by what they hold; now (the run's length) gets that, the old bytes for the unreadable. */
void af_commit_count(struct af_dev *dev, const struct af_run *run, unsigned char *now,
		     struct af_commit_tally *tally);

/** True if the patch leaves alone every partition of the claimed device that is in use, as af_edit_keeps_used() says.
 *  Otherwise AF_E_BUSY. Other failures are of reading. */
bool af_commit_spares_used(struct af_dev *dev, const struct af_patch *patch,
			   struct af_err *err) __attribute__((warn_unused_result));
#endif
