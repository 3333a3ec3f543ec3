/*
 * commit_finish.c - a write that was interrupted: is there one, and to which of its two ends is it brought. What the disk
 * holds decides, not what a log says of itself: a drive may have lost what it called safe. Between its two ends the table
 * is a mix of old and new sectors, and the log has the bytes of both; so it can be gone on with from every state,
 * the ones that an interrupted finish leaves included, and no other log is needed.
 */
#include "afdisk/commit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/text.h"
#include "commit_priv.h"

enum verdict {
	DONE,    /* all sectors are new */
	NOTHING, /* all are old, or some are neither: this log does not tell */
	BETWEEN,
};

/** What the disk says; is_named if the log was not searched for but named, so that it is this disk's. */
static enum verdict judge(struct af_dev *dev, const struct af_patch *patch, bool is_named,
			  struct af_commit_tally *tally)
{
	for (size_t i = 0; i < patch->n && tally->other == 0; i++) {
		unsigned char *now = af_alloc((size_t)patch->run[i].len, 1);

		af_commit_count(dev, &patch->run[i], now, tally);
		free(now);
	}
	if (tally->other > 0 || tally->fresh + tally->unreadable == 0)
		return NOTHING;
	if (!is_named && tally->blank == tally->old + tally->fresh)
		return NOTHING; /* zeros are on every empty disk of that size */
	return tally->old + tally->unreadable == 0 ? DONE : BETWEEN;
}

/** True if the table that reads as now can be one that a write makes of the one before: a mix has the one or the other. */
static bool can_be_of(const struct af_backup_head *head, const char *now)
{
	return !now[0] || strcmp(now, "none") == 0 || strcmp(now, head->was) == 0 ||
	       strcmp(now, head->will) == 0;
}

/** What one log tells; *out is filled if it is a write that was interrupted. */
static enum verdict look_into(struct af_dev *dev, const char *now, const char *log,
			      bool is_named, struct af_unfinished *out)
{
	struct af_commit_tally tally = { 0 };
	struct af_backup_head head;
	struct af_patch patch;
	struct af_err ignored;
	enum verdict v = NOTHING;

	if (!af_commit_load(dev, log, &head, &patch, &ignored))
		return NOTHING;
	if (head.kind == AF_BACKUP_LOG && can_be_of(&head, now))
		v = judge(dev, &patch, is_named, &tally);
	af_patch_release(&patch);
	if (v != BETWEEN)
		return v;
	*out = (struct af_unfinished){ .fresh = tally.fresh,
				       .old = tally.old + tally.unreadable,
				       .unreadable = tally.unreadable };
	(void)snprintf(out->log, sizeof(out->log), "%s", log);
	memcpy(out->was, head.was, sizeof(out->was));
	memcpy(out->will, head.will, sizeof(out->will));
	return v;
}

bool af_commit_unfinished(struct af_dev *dev, const struct af_layout *maybe_base,
			  const char *maybe_journal, struct af_unfinished *out)
{
	enum verdict v = NOTHING;
	struct af_backup_list list;
	char now[64] = "";

	if (maybe_base)
		af_commit_say_table(maybe_base, now);
	if (maybe_journal)
		v = look_into(dev, now, maybe_journal, true, out);
	if (v != NOTHING)
		return v == BETWEEN;
	af_backup_find(dev, &list);
	for (size_t i = 0; i < list.n && v == NOTHING; i++)
		v = look_into(dev, now, list.file[i], false, out);
	af_backup_list_release(&list);
	return v == BETWEEN;
}

/** Adds a run that leads to one end, unless it is there already and can be read. */
static void add_run(struct af_dev *dev, const struct af_run *run, enum af_way way,
		    struct af_commit_tally *sum, struct af_patch *out)
{
	size_t n = (size_t)run->len;
	unsigned char *now = af_alloc(n, 1);
	struct af_commit_tally tally = { 0 };
	struct af_run left = *run;

	af_commit_count(dev, run, now, &tally);
	sum->other += tally.other;
	sum->fresh += tally.fresh;
	sum->old += tally.old;
	sum->unreadable += tally.unreadable;
	left.after = way == AF_WAY_ON ? run->after : run->before;
	left.before = now;
	if (tally.unreadable > 0 || memcmp(now, left.after, n) != 0)
		af_patch_add(out, &left);
	free(now);
}

/** What is left of the write of a log, or what leads back: the last run first, then. */
static bool rest_of(struct af_dev *dev, const struct af_patch *log, enum af_way way,
		    struct af_patch *out, struct af_err *err)
{
	int last = log->n > 0 ? log->run[log->n - 1].phase : 0;
	struct af_commit_tally sum = { 0 };

	for (size_t i = 0; i < log->n; i++) {
		struct af_run run = log->run[way == AF_WAY_ON ? i : log->n - 1 - i];

		run.phase = way == AF_WAY_ON ? run.phase : last - run.phase;
		add_run(dev, &run, way, &sum, out);
	}
	if (sum.other > 0)
		return af_fail(err, AF_E_STALE,
			       "the table of %s was changed by another program since",
			       dev->path);
	/* Who was at it may have got there, and is not to be undone for what was seen before. */
	if ((way == AF_WAY_ON ? sum.fresh : sum.old) + sum.unreadable == 0)
		return af_fail(
			err, AF_E_STALE,
			"the write of the table of %s was %s by another program since: "
			"open it again",
			dev->path, way == AF_WAY_ON ? "taken back" : "finished");
	return true;
}

bool af_commit_finish_patch(struct af_dev *dev, const char *log, enum af_way way,
			    struct af_patch *out, struct af_err *err)
{
	struct af_patch whole, patch = { 0 };
	struct af_backup_head head;
	bool done;

	if (!af_commit_load(dev, log, &head, &whole, err))
		return false;
	done = rest_of(dev, &whole, way, &patch, err);
	af_patch_release(&whole);
	if (done)
		*out = patch;
	else
		af_patch_release(&patch);
	return done;
}

bool af_commit_finish(struct af_dev *dev, const char *log, enum af_way way,
		      struct af_commit_report *report, struct af_err *err)
{
	struct af_commit_report r = { 0 };
	struct af_patch patch = { 0 };
	struct af_commit_job j = {
		.dev = dev, .patch = &patch, .maybe_log = log, .mends = true
	};
	bool done;

	if (!af_dev_claim_shared(dev, err))
		return false;
	done = af_commit_finish_patch(dev, log, way, &patch, err) &&
	       af_commit_carry_out(&j, &r, err);
	af_patch_release(&patch);
	af_dev_unclaim(dev);
	if (done)
		*report = r;
	return done;
}
