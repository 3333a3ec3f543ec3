/*
 * session_write.c - what a session does to its disk: writes the wanted table, or puts back what a file holds. The work is
 * commit's; here the session takes over what the disk holds then, and starts looking behind the screen again.
 */
#include "session_priv.h"

/** What was written and verified becomes the base; partitions keep their ids, which reading cannot know. */
static void adopt(struct af_session *s)
{
	struct af_contents old = s->contents;
	struct af_label_note note = { 0 };
	struct af_layout base, seen;
	struct af_err ignored;

	af_layout_copy(af_history_now(s->history), &base);
	s->contents = af_session_carry_over(&old, af_session_base(s), &base);
	af_contents_release(&old);
	af_history_rebase(s->history, base);
	if (af_label_read(&s->dev, &seen, &note, &ignored))
		af_layout_release(&seen);
	s->note = note;
}

bool af_session_write(struct af_session *s, struct af_commit_report *report,
		      struct af_err *err)
{
	bool done;

	if (s->read_only)
		return af_fail(err, AF_E_RULE, "nothing was written: %s", s->why_not);
	af_session_stop_probing(s);
	done = af_commit(&s->dev, af_session_base(s), af_history_now(s->history),
			 s->maybe_journal, report, err);
	if (done && af_session_modified(s))
		adopt(s);
	if (s->wants_probing)
		af_session_probe_start(s);
	return done;
}

/** What is read now becomes the base, as when the disk was opened. */
static bool start_over(struct af_session *s, struct af_err *err)
{
	struct af_layout base;

	if (!af_label_read(&s->dev, &base, &s->note, err))
		return af_fail_within(err, "the old table is back, but cannot be read");
	s->empty.next_id = base.next_id;
	af_contents_release(&s->contents);
	s->contents = af_session_carry_over(&s->contents, NULL, &base);
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
	if (s->wants_probing)
		af_session_probe_start(s);
	return done;
}

bool af_session_restore_patch(struct af_session *s, const char *file, struct af_patch *out,
			      struct af_err *err)
{
	return af_commit_restore_patch(&s->dev, file, out, err);
}
