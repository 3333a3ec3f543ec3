/*
 * session_write.c - what a session does to its disk: writes the wanted table, or puts back what a file holds. The work is
 * commit's; here the session takes over what the disk holds then, and starts looking behind the screen again.
 */
#include "session_priv.h"

#include <stdio.h>

#include "afdisk/backup.h"
#include "afdisk/layout_hybrid.h"

/** What was written and verified becomes the base; partitions keep their ids, which reading cannot know. */
static void adopt(struct af_session *s, const struct af_label_note *note)
{
	struct af_contents old = s->contents;
	struct af_layout base;

	af_layout_copy(af_history_now(s->history), &base);
	if (base.hybrid != AF_HYBRID_NONE)
		af_layout_mirror(&base, base.mirror);
	s->contents = af_session_carry_over(&old, af_session_base(s), &base);
	af_contents_release(&old);
	af_history_rebase(s->history, base);
	s->note = *note;
}

/* What may be another way after a write, done or not, is looked at again if somebody goes on looking; returns done. */
static bool look_again(struct af_session *s, bool done, const struct af_err *err)
{
	if (!done && err->code == AF_E_PARTIAL)
		af_session_look_back(s, NULL);
	if (s->wants_probing) {
		af_session_find_users(s);
		af_session_probe_start(s);
	}
	return done;
}

void af_session_unprepare(struct af_session *s)
{
	if (!s->is_prepared)
		return;
	s->is_prepared = false;
	af_patch_release(&s->prepared);
	af_layout_release(&s->prepared_for);
}

bool af_session_prepare(struct af_session *s, struct af_err *err)
{
	struct af_patch patch;

	af_session_unprepare(s);
	if (!af_session_patch(s, &patch, err))
		return false;
	s->prepared = patch;
	af_layout_copy(af_history_now(s->history), &s->prepared_for);
	s->is_prepared = true;
	return true;
}

static bool write_now(struct af_session *s, struct af_commit_report *report,
		      struct af_err *err)
{
	const struct af_layout *now = af_history_now(s->history);
	const bool ready = s->is_prepared && af_layout_equal(&s->prepared_for, now);
	const struct af_commit_change change = { .base = af_session_base(s),
						 .now = now,
						 .maybe_patch = ready ? &s->prepared : NULL,
						 .maybe_journal = s->maybe_journal };
	const bool done = af_commit(&s->dev, &change, report, err);

	af_session_unprepare(s);
	return done;
}

bool af_session_write(struct af_session *s, struct af_commit_report *report,
		      struct af_err *err)
{
	bool done;

	if (s->read_only || s->is_between)
		return af_fail(err, AF_E_RULE, "nothing was written: %s",
			       s->read_only ? s->why_not : s->between);
	af_session_stop_probing(s);
	done = af_session_still_inside(s, err) && write_now(s, report, err);
	if (done && af_session_modified(s))
		adopt(s, &report->note_of_table);
	return look_again(s, done, err);
}

/** What is read now becomes the base, as when the disk was opened. */
static bool start_over(struct af_session *s, struct af_err *err)
{
	struct af_layout base;

	if (!af_label_read(&s->dev, &base, &s->note, err))
		return af_fail_within(err, "the table is written, but cannot be read");
	s->empty.next_id = base.next_id;
	af_session_look_back(s, s->note.read_only ? NULL : &base);
	af_contents_release(&s->contents);
	s->contents = af_session_carry_over(&s->contents, NULL, &base);
	af_session_unprepare(s);
	af_history_free(s->history);
	s->history = af_history_new(base);
	return true;
}

bool af_session_restore(struct af_session *s, const char *file,
			struct af_commit_report *report, struct af_err *err)
{
	bool done;

	if (s->read_only)
		return af_fail(err, AF_E_RULE, "nothing was written: %s", s->why_not);
	af_session_stop_probing(s);
	done = af_commit_restore(&s->dev, file, s->maybe_journal, report, err) &&
	       start_over(s, err);
	return look_again(s, done, err);
}

/** Hands patch over to *out, or releases it if it would change what is in use. */
static bool give(struct af_session *s, struct af_patch *patch, struct af_patch *out,
		 struct af_err *err)
{
	if (af_commit_spares(&s->dev, patch, &s->uses, err)) {
		*out = *patch;
		return true;
	}
	af_patch_release(patch);
	return false;
}

bool af_session_restore_patch(struct af_session *s, const char *file, struct af_patch *out,
			      struct af_err *err)
{
	struct af_patch patch;

	return af_commit_restore_patch(&s->dev, file, &patch, err) &&
	       give(s, &patch, out, err);
}

void af_session_look_back(struct af_session *s, const struct af_layout *maybe_base)
{
	const struct af_unfinished *u = &s->unfinished;

	s->is_between =
		af_commit_unfinished(&s->dev, maybe_base, s->maybe_journal, &s->unfinished);
	if (!s->is_between)
		return;
	(void)snprintf(s->between, sizeof(s->between),
		       "a write was interrupted, %zu of its %zu sectors %s new: 'afdisk "
		       "--resume --write %.80s' finishes it, --revert takes it back",
		       u->fresh, u->fresh + u->old, u->fresh == 1 ? "is" : "are",
		       s->dev.path);
}

const struct af_unfinished *af_session_unfinished(const struct af_session *s)
{
	return s->is_between ? &s->unfinished : NULL;
}

bool af_session_may_write(const struct af_session *s)
{
	return !s->read_only;
}

bool af_session_finish(struct af_session *s, enum af_way way,
		       struct af_commit_report *report, struct af_err *err)
{
	bool done;

	if (s->read_only)
		return af_fail(err, AF_E_RULE, "nothing was written: %s", s->why_not);
	if (!s->is_between)
		return af_fail(err, AF_E_USAGE, "no write of %s was interrupted",
			       s->dev.path);
	af_session_stop_probing(s);
	done = af_commit_finish(&s->dev, s->unfinished.log, way, report, err) &&
	       start_over(s, err);
	return look_again(s, done, err);
}

bool af_session_finish_patch(struct af_session *s, enum af_way way, struct af_patch *out,
			     struct af_err *err)
{
	struct af_patch patch;

	return af_commit_finish_patch(&s->dev, s->unfinished.log, way, &patch, err) &&
	       give(s, &patch, out, err);
}

bool af_session_backup(struct af_session *s, const char *file, size_t *sectors,
		       size_t *unreadable, struct af_err *err)
{
	return af_commit_backup(&s->dev, file, sectors, unreadable, err);
}

void af_session_log_place(const struct af_session *s, char *note, size_t size)
{
	note[0] = '\0';
	if (!s->maybe_journal)
		af_backup_foresee(&s->dev, note, size);
}
