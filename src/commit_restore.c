/*
 * commit_restore.c - putting back what a backup file holds. Each sector must be one that the write which made the file
 * found or left, so that neither another disk nor somebody's later change is overwritten.
 */
#include "afdisk/commit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/backup.h"
#include "afdisk/label.h"
#include "afdisk/text.h"
#include "commit_priv.h"

#define RESTORE                                                                            \
	"restore-" /* before the key of a disk, in the names of what a restore saves */

/** True if each sector of a run has one of its two contents: an interrupted write leaves a mix. */
static bool is_ours(const unsigned char *now, const struct af_run *run,
		    uint32_t sector_size)
{
	for (size_t i = 0; i < (size_t)run->len; i += sector_size)
		if (memcmp(now + i, run->before + i, sector_size) != 0 &&
		    memcmp(now + i, run->after + i, sector_size) != 0)
			return false;
	return true;
}

/** What a backup file holds, and the file. */
struct saved {
	const char *file;
	struct af_backup_origin of;
	struct af_patch patch;
};

/** A disk's size up to what a sector size given for an image can cut off. */
static af_bytes whole_size(af_bytes size)
{
	return size - size % 4096;
}

/** Reads a backup that must be of a disk like dev. */
static bool load_for(const struct af_dev *dev, const char *file, struct saved *out,
		     struct af_err *err)
{
	struct saved s = { .file = file };

	if (!af_backup_load(file, &s.of, &s.patch, err))
		return false;
	if (whole_size(s.of.size) == whole_size(dev->size)) {
		*out = s;
		return true;
	}
	af_patch_release(&s.patch);
	return af_fail(err, AF_E_USAGE,
		       "%s is a backup of a disk of %lld bytes (%s then), and %s has "
		       "%lld: name the disk that it is of",
		       file, (long long)s.of.size, s.of.path, dev->path,
		       (long long)dev->size);
}

/** The table in a key: "dos-0x10bd10bc-1000204886016" is "dos 0x10bd10bc". */
static void say_key(const char *key, char out[64])
{
	const char *size;
	char *dash;

	if (strncmp(key, RESTORE, sizeof(RESTORE) - 1) == 0)
		key += sizeof(RESTORE) - 1;
	size = strrchr(key, '-');
	(void)snprintf(out, 64, "%.*s", size ? (int)(size - key) : 63, key);
	dash = strchr(out, '-');
	if (dash)
		*dash = ' ';
}

/** Says why a sector holds neither of its two contents: another table, or another disk. */
static bool fail_foreign(struct af_dev *dev, const struct saved *s,
			 const struct af_run *run, struct af_err *err)
{
	char then[64], now[64], key[64];
	struct af_label_note note;
	struct af_layout l;

	if (!af_label_read(dev, &l, &note, err))
		return false;
	af_commit_key(dev, &l, key);
	af_layout_release(&l);
	say_key(key, now);
	say_key(s->of.key, then);
	if (strcmp(now, then) == 0)
		return af_fail(err, AF_E_STALE,
			       "the table of %s was changed after this backup was made "
			       "(%s)",
			       dev->path, run->what);
	return af_fail(err, AF_E_STALE,
		       "this is a backup of the table %s (%s then); %s has %s now: it is "
		       "another disk, or has got another table since",
		       then, s->of.path, dev->path, now);
}

/** From what the disk holds now to what it held before: the last run first. On failure out has a part of it. */
static bool turn_round(struct af_dev *dev, const struct saved *s, struct af_patch *out,
		       struct af_err *err)
{
	for (size_t i = s->patch.n; i > 0; i--) {
		const struct af_run *run = &s->patch.run[i - 1];
		struct af_run back = *run;
		size_t n = (size_t)run->len;
		bool known;

		if (run->at % dev->sector_size != 0 || run->len % dev->sector_size != 0)
			return af_fail(err, AF_E_FORMAT,
				       "this is a backup of a disk with other sectors");
		back.phase = s->patch.run[s->patch.n - 1].phase - run->phase;
		back.after = run->before;
		back.before = af_alloc(n, 1);
		known = af_dev_read(dev, run->at, back.before, n, err) &&
			(is_ours(back.before, run, dev->sector_size) ||
			 fail_foreign(dev, s, run, err));
		if (known && memcmp(back.before, back.after, n) != 0)
			af_patch_add(out, &back);
		free(back.before);
		if (!known)
			return false;
	}
	return true;
}

static bool restore(struct af_dev *dev, const struct saved *s, const char *maybe_journal,
		    struct af_commit_report *report, struct af_err *err)
{
	struct af_patch patch = { 0 };
	bool again = strncmp(s->of.key, RESTORE, sizeof(RESTORE) - 1) == 0;
	char key[64];
	struct af_commit_job j = { .dev = dev,
				   .patch = &patch,
				   .key = key,
				   .maybe_journal = maybe_journal,
				   .maybe_way_back = s->file };
	bool done = turn_round(dev, s, &patch, err);

	(void)snprintf(key, sizeof(key), "%s%.55s", again ? "" : RESTORE, s->of.key);
	done = done && af_commit_carry_out(&j, report, err);
	af_patch_release(&patch);
	return done;
}

bool af_commit_restore(struct af_dev *dev, const char *file, const char *maybe_journal,
		       struct af_commit_report *report, struct af_err *err)
{
	struct af_commit_report r = { 0 };
	struct saved s = { 0 };
	bool done = false;

	if (!load_for(dev, file, &s, err))
		return false;
	if (af_dev_claim(dev, err)) {
		done = restore(dev, &s, maybe_journal, &r, err);
		af_dev_unclaim(dev);
	}
	af_patch_release(&s.patch);
	if (!done)
		return af_fail_within(err, "cannot restore from %s", file);
	*report = r;
	return true;
}

bool af_commit_restore_patch(struct af_dev *dev, const char *file, struct af_patch *out,
			     struct af_err *err)
{
	struct af_patch patch = { 0 };
	struct saved s = { 0 };

	if (!load_for(dev, file, &s, err))
		return false;
	bool done = turn_round(dev, &s, &patch, err);

	af_patch_release(&s.patch);
	if (!done) {
		af_patch_release(&patch);
		return af_fail_within(err, "cannot restore from %s", file);
	}
	*out = patch;
	return true;
}
