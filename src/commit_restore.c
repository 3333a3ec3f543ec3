/*
 * commit_restore.c - putting back what a file holds. The log of a write goes back only over what that write found or
 * left, so that neither another disk nor somebody's later change is overwritten; the backup of a table goes back over
 * anything, sector by sector where they differ, because damage is what it is for.
 */
#include "afdisk/commit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/label.h"
#include "afdisk/text.h"
#include "commit_priv.h"

/** What a file holds, and the file. */
struct saved {
	const char *file;
	struct af_backup_head head;
	struct af_patch patch;
};

/** Says of which disk a file is that is not of dev. */
static bool fail_disk(const struct af_dev *dev, const char *file,
		      const struct af_backup_head *head, struct af_err *err)
{
	if (head->size != dev->size)
		return af_fail(
			err, AF_E_USAGE,
			"%s is a backup of a disk of %lld bytes (%s then), and %s has "
			"%lld: name the disk that it is of",
			file, (long long)head->size, head->path, dev->path,
			(long long)dev->size);
	if (head->sector_size != dev->sector_size)
		return af_fail(
			err, AF_E_USAGE,
			"%s is a backup of a disk with sectors of %u bytes, and %s has "
			"sectors of %u: --sector-size can tell that of an image",
			file, head->sector_size, dev->path, dev->sector_size);
	return af_fail(err, AF_E_USAGE,
		       "%s is a backup of the disk '%s %s' (%s then), and %s is '%s %s': "
		       "name the disk that it is of",
		       file, head->model, head->serial, head->path, dev->path, dev->model,
		       dev->serial);
}

bool af_commit_load(const struct af_dev *dev, const char *file, struct af_backup_head *head,
		    struct af_patch *patch, struct af_err *err)
{
	struct af_patch p = { 0 };

	if (!af_backup_load(file, head, &p, err))
		return false;
	if (af_backup_is_of(head, dev)) {
		*patch = p;
		return true;
	}
	af_patch_release(&p);
	return fail_disk(dev, file, head, err);
}

void af_commit_say_disk(struct af_dev *dev, char out[64])
{
	struct af_label_note note;
	struct af_layout l;
	struct af_err ignored;

	out[0] = '\0';
	if (!af_label_read(dev, &l, &note, &ignored))
		return;
	af_commit_say_table(&l, out);
	af_layout_release(&l);
}

/** Says why a sector holds neither of its two contents: another table, or another disk. */
static bool fail_foreign(struct af_dev *dev, const struct saved *s,
			 const struct af_run *run, struct af_err *err)
{
	char now[64];

	af_commit_say_disk(dev, now);
	if (strcmp(now, s->head.was) == 0 || strcmp(now, s->head.will) == 0 || !now[0])
		return af_fail(err, AF_E_STALE,
			       "the table of %s was changed after this backup was made "
			       "(%s)",
			       dev->path, run->what);
	return af_fail(err, AF_E_STALE,
		       "this is a backup of the table %s (%s then); %s has %s now: it is "
		       "another disk, or has got another table since",
		       s->head.was, s->head.path, dev->path, now);
}

/** The bytes of one sector, zeros if it cannot be read; false then. */
static bool read_sector(struct af_dev *dev, af_bytes at, unsigned char *now)
{
	struct af_err ignored;

	if (af_dev_read(dev, at, now, dev->sector_size, &ignored))
		return true;
	memset(now, 0, dev->sector_size);
	return false;
}

static bool is_blank(const unsigned char *sector, size_t size)
{
	return sector[0] == 0 && memcmp(sector, sector + 1, size - 1) == 0;
}

void af_commit_count(struct af_dev *dev, const struct af_run *run, unsigned char *now,
		     struct af_commit_tally *tally)
{
	size_t ss = dev->sector_size;
	struct af_err ignored;
	bool whole = af_dev_read(dev, run->at, now, (size_t)run->len, &ignored);

	for (size_t i = 0; i < (size_t)run->len; i += ss) {
		if (!whole && !read_sector(dev, run->at + (af_bytes)i, now + i)) {
			memcpy(now + i, run->before + i, ss);
			tally->unreadable++;
			continue;
		}
		if (memcmp(now + i, run->after + i, ss) == 0) {
			tally->fresh++;
		} else if (memcmp(now + i, run->before + i, ss) == 0) {
			tally->old++;
		} else {
			tally->other++;
			continue;
		}
		tally->blank += is_blank(now + i, ss);
	}
}

/** Adds what has to be written to turn the sectors of run into what they were, those together that lie together. */
static void add_back(struct af_dev *dev, const struct af_run *run, const unsigned char *now,
		     int phase, struct af_patch *out)
{
	size_t ss = dev->sector_size, end;

	for (size_t i = 0; i < (size_t)run->len; i = end) {
		end = i + ss;
		if (memcmp(now + i, run->before + i, ss) == 0)
			continue;
		while (end < (size_t)run->len &&
		       memcmp(now + end, run->before + end, ss) != 0)
			end += ss;
		struct af_run back = *run;

		back.at += (af_bytes)i;
		back.len = (af_bytes)(end - i);
		back.phase = phase;
		back.after = run->before + i;
		back.before = af_alloc(end - i, 1);
		memcpy(back.before, now + i, end - i);
		af_patch_add(out, &back);
		free(back.before);
	}
}

/** From what the disk holds now to what it held before the write of a log: the last run first. */
static bool turn_round(struct af_dev *dev, const struct saved *s, struct af_patch *out,
		       struct af_err *err)
{
	for (size_t i = s->patch.n; i > 0; i--) {
		const struct af_run *run = &s->patch.run[i - 1];
		unsigned char *now = af_alloc((size_t)run->len, 1);
		struct af_commit_tally tally = { 0 };

		af_commit_count(dev, run, now, &tally);
		if (tally.other == 0)
			add_back(dev, run, now,
				 s->patch.run[s->patch.n - 1].phase - run->phase, out);
		free(now);
		if (tally.other > 0)
			return fail_foreign(dev, s, run, err);
	}
	return true;
}

/** The table of a backup: in its own order, over whatever is there. */
static void put_table(struct af_dev *dev, const struct saved *s, struct af_patch *out)
{
	size_t ss = dev->sector_size;

	for (size_t i = 0; i < s->patch.n; i++) {
		const struct af_run *run = &s->patch.run[i];
		unsigned char *now = af_alloc((size_t)run->len, 1);
		struct af_err ignored;

		if (!af_dev_read(dev, run->at, now, (size_t)run->len, &ignored))
			for (size_t k = 0; k < (size_t)run->len; k += ss)
				(void)read_sector(dev, run->at + (af_bytes)k, now + k);
		add_back(dev, run, now, run->phase, out);
		free(now);
	}
}

/** The sectors to write; on failure out has a part of them. */
static bool make_patch(struct af_dev *dev, const struct saved *s, struct af_patch *out,
		       struct af_err *err)
{
	if (s->head.kind == AF_BACKUP_LOG)
		return turn_round(dev, s, out, err);
	put_table(dev, s, out);
	return true;
}

static bool restore(struct af_dev *dev, const struct saved *s, const char *maybe_journal,
		    struct af_commit_report *report, struct af_err *err)
{
	struct af_patch patch = { 0 };
	struct af_commit_job j = { .dev = dev,
				   .patch = &patch,
				   .maybe_journal = maybe_journal,
				   .maybe_way_back = s->file,
				   .mends = true };
	bool done = make_patch(dev, s, &patch, err);

	af_commit_say_disk(dev, j.head.was);
	memcpy(j.head.will, s->head.was, sizeof(j.head.will));
	done = done && af_commit_carry_out(&j, report, err);
	af_patch_release(&patch);
	return done;
}

bool af_commit_restore(struct af_dev *dev, const char *file, const char *maybe_journal,
		       struct af_commit_report *report, struct af_err *err)
{
	struct af_commit_report r = { 0 };
	struct saved s = { .file = file };
	bool done = false;

	if (!af_commit_load(dev, file, &s.head, &s.patch, err))
		return false;
	if (af_dev_claim_shared(dev, err)) {
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
	struct saved s = { .file = file };

	if (!af_commit_load(dev, file, &s.head, &s.patch, err))
		return false;
	bool done = make_patch(dev, &s, &patch, err);

	af_patch_release(&s.patch);
	if (!done) {
		af_patch_release(&patch);
		return af_fail_within(err, "cannot restore from %s", file);
	}
	*out = patch;
	return true;
}

bool af_commit_backup(struct af_dev *dev, const char *file, size_t *sectors,
		      size_t *unreadable, struct af_err *err)
{
	struct af_backup_head head = { .kind = AF_BACKUP_TABLE };
	struct af_backup_kept kept;
	struct af_patch patch = { 0 };
	bool done;

	*unreadable = af_label_sectors(dev, &patch);
	*sectors = (size_t)af_sectors(af_patch_bytes(&patch), dev->sector_size);
	af_backup_name_disk(dev, &head);
	af_commit_say_disk(dev, head.was);
	done = patch.n > 0 ? af_backup_save(&patch, &head, dev, file, &kept, err)
			   : af_fail(err, AF_E_IO, "no sector of the table can be read");
	af_patch_release(&patch);
	return done;
}
