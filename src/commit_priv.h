/** commit_priv.h - what the files of the commit room share: one write of sectors, from the log to the kernel. */
#ifndef AFDISK_COMMIT_PRIV_H
#define AFDISK_COMMIT_PRIV_H
#include "afdisk/commit.h"

/** One write of a table. */
struct af_commit_job {
	struct af_dev *dev; /* claimed */
	const struct af_patch *patch;
	const char *key; /* of the disk, for the backup's name */
	const char *maybe_journal;
	const struct af_layout *maybe_now; /* the table to be, where that is known */
	unsigned char *buf;                /* as large as the largest run */
	const char *backup;                /* the name of the file */
	const char *maybe_way_back; /* a backup that leads back further than this one */
};

/** Carries out the job; report gets what was done, and the backup's name as soon as there is one. Fails as
 *  af_commit() does. */
bool af_commit_carry_out(struct af_commit_job *j, struct af_commit_report *report,
			 struct af_err *err) __attribute__((warn_unused_result));

/** Identifies the disk as well as its table can. */
void af_commit_key(const struct af_dev *dev, const struct af_layout *base, char key[64]);
#endif
