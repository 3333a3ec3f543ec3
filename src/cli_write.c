/*
 * What the command line does to a disk: the steps first, then, with --write, the deed. An edit's, or one of those that
 * lead back: a restore, and the two ends of a write that was interrupted. A backup only reads.
 */
#include "cli_priv.h"
#include <inttypes.h>
#include <stdio.h>

static int exit_status(const struct af_err *err)
{
	return err->code == AF_E_PARTIAL ? BROKEN : REFUSED;
}

static bool carry_out(const struct request *r, struct af_session *s,
		      struct af_commit_report *report, struct af_err *err)
{
	switch (r->verb) {
	case VERB_RESTORE:
		return af_session_restore(s, r->maybe_backup, report, err);
	case VERB_RESUME:
		return af_session_finish(s, AF_WAY_ON, report, err);
	case VERB_REVERT:
		return af_session_finish(s, AF_WAY_BACK, report, err);
	case VERB_EDITOR:
	case VERB_LIST:
	case VERB_CHECK:
	case VERB_DUMP:
	case VERB_EDIT:
	case VERB_APPLY:
	case VERB_BACKUP:
	case VERB_HELP:
	case VERB_VERSION:
		break;
	}
	return af_session_write(s, report, err);
}

int af_cli_write(const struct request *r, struct af_session *s, struct af_text *t)
{
	struct af_commit_report report = { 0 };
	struct af_err err;
	if (!carry_out(r, s, &report, &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		return exit_status(&err);
	}
	if (report.kernel[0] != '\0')
		af_cli_complain(r->path[0], "%s", report.kernel);
	af_text_add(t, "wrote %zu sector%s of %s; what was there before is in %s\n",
		    report.sectors, report.sectors == 1 ? "" : "s", r->path[0],
		    report.backup);
	if (report.told[0] != '\0')
		af_text_add(t, "the kernel knows of it: %s\n", report.told);
	return DONE;
}

/* Where the log will be, if that is a place to know about. */
static void tell_place(const struct request *r, const struct af_session *s)
{
	char note[400];
	if (r->quiet || r->verb == VERB_RESUME || r->verb == VERB_REVERT)
		return;
	af_session_log_place(s, note, sizeof(note));
	if (note[0] != '\0')
		af_cli_complain(r->path[0], "%s", note);
}

/* The steps come before they are done, so that nobody who cannot see them has them done. */
int af_cli_show_and_write(const struct request *r, struct af_session *s,
			  const struct af_text *steps, size_t n)
{
	struct af_text note = { 0 };
	bool writes = r->write && !r->no_write && n > 0;
	if (!writes && n > 0)
		af_text_add(&note, "nothing was written%s\n",
			    r->no_write ? "" : ": add --write to do it");
	int status = af_cli_print(steps) ? DONE : REFUSED;
	if (writes)
		tell_place(r, s);
	if (status == DONE && writes)
		status = af_cli_write(r, s, &note);
	if (status == DONE && !r->quiet && !af_cli_print(&note))
		status = writes ? BROKEN : REFUSED;
	af_text_release(&note);
	return status;
}

/* What is written where, and what is done before and after. */
static void number_runs(const struct af_patch *p, const struct af_disk *disk,
			const char *verb, bool saves, struct af_text *t)
{
	uint32_t ss = disk->topo->sector_size;
	size_t k = 0;
	if (p->n == 0) {
		af_text_add(t, "nothing to change\n");
		return;
	}
	if (saves)
		af_text_add(t,
			    "%3zu. save these sectors as they are now in a backup file\n",
			    ++k);
	for (size_t i = 0; i < p->n; i++) {
		int64_t first = af_sectors(p->run[i].at, ss);
		int64_t n = af_sectors(p->run[i].len, ss);
		af_text_add(t, "%3zu. %s the %s: sector%s %" PRId64, ++k, verb,
			    p->run[i].what, n == 1 ? "" : "s", first);
		if (n > 1)
			af_text_add(t, " to %" PRId64, first + n - 1);
		af_text_add(t, "\n");
	}
	af_text_add(t, "%3zu. read them back and compare\n", ++k);
}

int af_cli_restore(const struct request *r, struct af_session *s)
{
	struct af_disk disk = af_session_disk(s);
	struct af_text steps = { 0 };
	struct af_patch patch;
	struct af_err err;
	if (!af_session_restore_patch(s, r->maybe_backup, &patch, &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		return REFUSED;
	}
	number_runs(&patch, &disk, "put back", true, &steps);
	int status = af_cli_show_and_write(r, s, &steps, patch.n);
	af_patch_release(&patch);
	af_text_release(&steps);
	return status;
}

/* What was interrupted, in one line. */
static void describe(const struct af_unfinished *u, struct af_text *t)
{
	size_t n = u->fresh + u->old;
	af_text_add(t, "a write was interrupted: %zu of its %zu sectors %s new", u->fresh,
		    n, u->fresh == 1 ? "is" : "are");
	if (u->unreadable > 0)
		af_text_add(t, ", %zu cannot be read", u->unreadable);
	af_text_add(t, "; its log is %s\n", u->log);
}

int af_cli_finish(const struct request *r, struct af_session *s)
{
	bool on = r->verb == VERB_RESUME;
	const struct af_unfinished *u = af_session_unfinished(s);
	struct af_disk disk = af_session_disk(s);
	struct af_text steps = { 0 };
	struct af_patch patch = { 0 };
	struct af_err err;
	int status;
	if (u == NULL) {
		af_text_add(&steps, "nothing to %s\n", on ? "resume" : "revert");
		status = af_cli_print(&steps) ? DONE : REFUSED;
	} else if (!af_session_finish_patch(s, on ? AF_WAY_ON : AF_WAY_BACK, &patch,
					    &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		status = REFUSED;
	} else {
		describe(u, &steps);
		number_runs(&patch, &disk, on ? "write" : "put back", false, &steps);
		status = af_cli_show_and_write(r, s, &steps, patch.n);
	}
	af_patch_release(&patch);
	af_text_release(&steps);
	return status;
}

int af_cli_backup(const struct request *r, struct af_session *s)
{
	struct af_text t = { 0 };
	struct af_err err;
	size_t sectors, unreadable;
	int status = DONE;
	if (!af_session_backup(s, r->maybe_backup, &sectors, &unreadable, &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		return REFUSED;
	}
	if (unreadable > 0)
		af_cli_complain(r->path[0],
				"%zu sector%s of the table cannot be read, and the backup "
				"has not got %s",
				unreadable, unreadable == 1 ? "" : "s",
				unreadable == 1 ? "it" : "them");
	af_text_add(&t, "saved %zu sectors of %s in %s\n", sectors, r->path[0],
		    r->maybe_backup);
	if (!r->quiet && !af_cli_print(&t))
		status = REFUSED;
	af_text_release(&t);
	return status;
}
