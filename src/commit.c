/*
 * commit - carries out a change of the table: prepare, act, look again. All that can be refused is refused before the
 * first write: another program's change, a busy disk, a backup that cannot be kept. Between the first and the
 * last write there is no question, no allocation of ours and no assert. Afterwards the medium is read, not a cache.
 *
 * Each phase of the patch is durable before the next begins, so that a power cut leaves the old table in force, or
 * the new one. Where that cannot be (a chain of EBRs is many sectors), the backup has both.
 */
#include "afdisk/commit.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/kernel.h"
#include "afdisk/label.h"
#include "afdisk/text.h"
#include "commit_priv.h"

static unsigned char *buffer_for(const struct af_patch *p)
{
	af_bytes largest = 1;

	for (size_t i = 0; i < p->n; i++)
		if (p->run[i].len > largest)
			largest = p->run[i].len;
	return af_alloc((size_t)largest, 1);
}

enum found { FOUND_OLD, FOUND_NEW, FOUND_OTHER };

/** Which of its two contents the sectors of a run have now. */
static enum found look_at(const struct af_commit_job *j, const struct af_run *run)
{
	size_t n = (size_t)run->len;
	struct af_err ignored;

	if (!af_dev_read(j->dev, run->at, j->buf, n, &ignored))
		return FOUND_OTHER;
	if (memcmp(j->buf, run->after, n) == 0)
		return FOUND_NEW;
	return memcmp(j->buf, run->before, n) == 0 ? FOUND_OLD : FOUND_OTHER;
}

/** The sectors of all runs in that state: "63, 2048-2049"; "none" if there are none. */
static void list_sectors(const struct af_commit_job *j, enum found state, char *buf,
			 size_t size)
{
	uint32_t ss = j->dev->sector_size;
	size_t used = 0;

	(void)snprintf(buf, size, "none");
	for (size_t i = 0; i < j->patch->n; i++) {
		const struct af_run *run = &j->patch->run[i];
		long long first = af_sectors(run->at, ss), n = af_sectors(run->len, ss);
		char one[64];

		if (look_at(j, run) != state)
			continue;
		(void)snprintf(one, sizeof(one), n > 1 ? "%s%lld-%lld" : "%s%lld",
			       used ? ", " : "", first, first + n - 1);
		if (used + strlen(one) + sizeof(", ...") > size) {
			(void)snprintf(buf + used, size - used, ", ...");
			return;
		}
		(void)snprintf(buf + used, size - used, "%s", one);
		used += strlen(one);
	}
}

/** From now on the medium is read, where the patch was written, and not a cache. */
static bool forget_runs(const struct af_commit_job *j, struct af_err *err)
{
	for (size_t i = 0; i < j->patch->n; i++)
		if (!af_dev_forget(j->dev, j->patch->run[i].at,
				   (size_t)j->patch->run[i].len, err))
			return false;
	return true;
}

/** Turns the failure in err into one that says what is on the disk now, and the way back. Where that gets too long, it
 *  is the reason that is cut. */
static bool fail_partial(const struct af_commit_job *j, struct af_err *err)
{
	char fresh[64], old[64], now[1024]; /* two names and the rest */
	struct af_err why = *err, ignored;
	bool known = forget_runs(j, &ignored);
	size_t room = sizeof(err->text) - 1;

	list_sectors(j, FOUND_NEW, fresh, sizeof(fresh));
	list_sectors(j, FOUND_OLD, old, sizeof(old));
	(void)snprintf(now, sizeof(now),
		       "; 'afdisk --write --restore %s %s' puts the old table back; new "
		       "sectors%s: %s; old: %s",
		       j->maybe_way_back ? j->maybe_way_back : j->log, j->dev->path,
		       known ? "" : " (by the cache)", fresh, old);
	room = strlen(now) < room ? room - strlen(now) : 0;
	(void)af_fail(err, AF_E_PARTIAL, "%.*s%s", (int)room, why.text, now);
	err->sys = why.sys;
	return false;
}

/** True if every sector still is what the patch was made from. */
static bool check_before(const struct af_commit_job *j, struct af_err *err)
{
	for (size_t i = 0; i < j->patch->n; i++) {
		const struct af_run *run = &j->patch->run[i];

		if (!af_dev_read(j->dev, run->at, j->buf, (size_t)run->len, err)) {
			if (j->mends)
				continue;
			return false;
		}
		if (memcmp(j->buf, run->before, (size_t)run->len) != 0)
			return af_fail(err, AF_E_STALE,
				       "another program changed the table of %s (%s): "
				       "open it again",
				       j->dev->path, run->what);
	}
	return true;
}

/** Writes all runs, with a flush where a phase ends. */
static bool write_runs(const struct af_commit_job *j, struct af_err *err)
{
	for (size_t i = 0; i < j->patch->n; i++) {
		const struct af_run *run = &j->patch->run[i];

		if (!af_dev_write(j->dev, run->at, run->after, (size_t)run->len, err))
			return af_fail_within(err, "writing the %s", run->what);
		if (i + 1 < j->patch->n && run[1].phase == run->phase)
			continue; /* the flush comes where the phase ends */
		if (!af_dev_flush(j->dev, err))
			return af_fail_within(err, "writing the %s", run->what);
	}
	return true;
}

/** The same, and no Ctrl-C, closed window or shutdown ends the program half-way. */
static bool write_undisturbed(const struct af_commit_job *j, struct af_err *err)
{
	sigset_t block, old;
	bool done;

	(void)sigemptyset(&block);
	(void)sigaddset(&block, SIGINT);
	(void)sigaddset(&block, SIGTERM);
	(void)sigaddset(&block, SIGHUP);
	(void)sigaddset(&block, SIGQUIT);
	(void)sigaddset(&block, SIGTSTP);
	(void)pthread_sigmask(SIG_BLOCK, &block, &old);
	done = write_runs(j, err);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	return done;
}

/** Reads the medium back: every run must be there. */
static bool check_after(const struct af_commit_job *j, struct af_err *err)
{
	if (!forget_runs(j, err))
		return af_fail_within(err, "reading back");
	for (size_t i = 0; i < j->patch->n; i++) {
		const struct af_run *run = &j->patch->run[i];

		if (!af_dev_read(j->dev, run->at, j->buf, (size_t)run->len, err))
			return af_fail_within(err, "reading back the %s", run->what);
		if (memcmp(j->buf, run->after, (size_t)run->len) != 0)
			return af_fail(err, AF_E_IO,
				       "reading back the %s: the drive did not keep "
				       "what was written",
				       run->what);
	}
	return true;
}

/** The table as anybody would read it now must be the wanted one. */
static bool check_table(struct af_dev *dev, const struct af_layout *now,
			struct af_label_note *note, struct af_err *err)
{
	struct af_layout seen;
	bool same;

	/* libfdisk was asked about these very bytes when they were made. */
	if (!af_label_look(dev, &seen, note, err))
		return af_fail_within(err, "reading the new table");
	same = af_layout_equal(&seen, now);
	af_layout_release(&seen);
	if (same && note->read_only) /* a copy of it that cannot be read, for example */
		return af_fail(err, AF_E_FORMAT, "the new table is not whole: %s",
			       note->why);
	return same ? true
		    : af_fail(err, AF_E_FORMAT,
			      "the new table reads differently from what was wanted");
}

static void tell_of(struct af_dev *dev, const struct af_layout *now,
		    struct af_commit_report *report)
{
	struct af_kernel_report kernel;

	af_kernel_update(dev, now, &kernel);
	(void)af_text_join(report->told, sizeof(report->told), 0, kernel.told);
	(void)af_text_join(report->kernel, sizeof(report->kernel), 0, kernel.missing);
}

/** A disk whose kernel keeps the old table is written all the same. */
static void tell_kernel(const struct af_commit_job *j, struct af_commit_report *report)
{
	struct af_label_note note;
	struct af_layout seen;
	struct af_err err;

	if (j->maybe_now) {
		tell_of(j->dev, j->maybe_now, report);
	} else if (af_label_read(j->dev, &seen, &note, &err)) {
		tell_of(j->dev, &seen, report);
		af_layout_release(&seen);
	}
}

void af_commit_say_table(const struct af_layout *l, char out[64])
{
	char id[40] = "";

	if (l->scheme != AF_SCHEME_NONE)
		af_scheme_id_text(l->scheme, l->disk_id, id);
	(void)snprintf(out, 64, "%s%s%s", af_scheme_name(l->scheme), id[0] ? " " : "", id);
}

/** The last looks before the first write. */
static bool prepare(const struct af_commit_job *j, struct af_err *err)
{
	if (!af_dev_flush(j->dev,
			  err)) /* what others wrote and lost must not look like ours */
		return false;
	return check_before(j, err);
}

/** Makes the log, unless there is one already; kept says what to drop if nothing is written after all. */
static bool save_log(struct af_commit_job *j, struct af_commit_report *report,
		     struct af_backup_kept *kept, struct af_err *err)
{
	j->head.kind = AF_BACKUP_LOG;
	af_backup_name_disk(j->dev, &j->head);
	if (!j->maybe_log &&
	    !af_backup_save(j->patch, &j->head, j->dev, j->maybe_journal, kept, err))
		return false;
	(void)snprintf(report->backup, sizeof(report->backup), "%s",
		       j->maybe_log ? j->maybe_log : kept->file);
	(void)snprintf(report->note, sizeof(report->note), "%s", kept->note);
	j->log = report->backup;
	return true;
}

bool af_commit_carry_out(struct af_commit_job *j, struct af_commit_report *report,
			 struct af_err *err)
{
	struct af_backup_kept kept = { 0 };
	bool done = false;

	if (j->patch->n == 0)
		return true;
	if (!af_commit_spares_used(j->dev, j->patch, err) ||
	    !save_log(j, report, &kept, err))
		return false;
	j->buf = buffer_for(j->patch);
	if (!prepare(j, err)) {
		if (!j->maybe_log)
			af_backup_drop(&kept);
	} else {
		done = write_undisturbed(j, err) && check_after(j, err) &&
		       (!j->maybe_now ||
			check_table(j->dev, j->maybe_now, &report->note_of_table, err));
		if (!done)
			(void)fail_partial(j, err);
	}
	free(j->buf);
	if (!done)
		return false;
	report->sectors = (size_t)af_sectors(af_patch_bytes(j->patch), j->dev->sector_size);
	tell_kernel(j, report);
	return true;
}

/** Under the claim: looks whether dev is as it was, and writes. */
static bool write_change(struct af_dev *dev, const struct af_commit_change *change,
			 struct af_commit_report *report, struct af_err *err)
{
	struct af_patch own = { 0 };
	struct af_commit_job j = { .dev = dev,
				   .patch = change->maybe_patch,
				   .maybe_journal = change->maybe_journal,
				   .maybe_now = change->now };
	bool done = change->maybe_patch
			    ? af_label_still(dev, change->base, err)
			    : af_label_render(dev, change->base, change->now, &own, err);

	if (done) {
		if (!j.patch)
			j.patch = &own;
		af_commit_say_table(change->base, j.head.was);
		af_commit_say_table(change->now, j.head.will);
		done = af_commit_carry_out(&j, report, err);
	}
	af_patch_release(&own);
	return done;
}

bool af_commit(struct af_dev *dev, const struct af_commit_change *change,
	       struct af_commit_report *report, struct af_err *err)
{
	struct af_commit_report r = { 0 };
	bool done;

	if (af_layout_equal(change->base, change->now)) {
		*report = r;
		return true;
	}
	if (!af_dev_claim_shared(dev, err))
		return false;
	done = write_change(dev, change, &r, err);
	af_dev_unclaim(dev);
	if (done)
		*report = r;
	return done;
}
