/** session.h - one open disk: what it holds, what is wanted, and the verbs that both faces call. */
#ifndef AFDISK_SESSION_H
#define AFDISK_SESSION_H
#include "afdisk/command.h"
#include "afdisk/commit.h"
#include "afdisk/offer.h"
#include "afdisk/patch.h"
#include "afdisk/plan.h"
#include "afdisk/report.h"
#include "afdisk/topo.h"

struct af_session;

struct af_session_options {
	bool read_only, exact;
	bool even_unreadable; /* a table that cannot be read is an empty one: only a way back is wanted */
	bool look_only; /* the table is only shown: libfdisk is not asked about it, and the disk not claimed for a moment */
	bool opinion_later; /* libfdisk is asked by af_session_prepare() only, about the outcome: for who shows nothing before */
	bool users_unasked; /* with look_only: who uses the disk does not matter */
	bool zero; /* begins without the table on the disk, which may be unreadable; one undo brings it back */
	struct af_overrides overrides;
	const char *maybe_journal;
	const char *maybe_fstab; /* read in place of /etc/fstab and /etc/crypttab */
};

/** Opens a disk: topology and table, nothing else is read. NULL with err on failure. */
struct af_session *af_session_open(const char *path, const struct af_session_options *o,
				   struct af_err *err);

/** Stops probing and closes everything. NULL is fine. */
void af_session_close(struct af_session *s);

/** Everything to draw the disk with; layout is the wanted one. Borrowed until the next change of the session. */
struct af_disk af_session_disk(const struct af_session *s);

/** The same with another layout, a preview, which is borrowed. */
struct af_disk af_session_disk_of(const struct af_session *s, const struct af_layout *l);

/** What the disk holds. Borrowed until the next write. */
const struct af_layout *af_session_base(const struct af_session *s);

/** NULL if the table may be changed and written; else the sentence that says why not. Borrowed. */
const char *af_session_read_only(const struct af_session *s);

/** Why the table as it is now takes no edit but a new label (and not even that while an interrupted write is to be
 *  settled), or NULL. Borrowed. */
const char *af_session_locked(const struct af_session *s);

/** True unless the disk was opened read-only or is write-protected, whatever its table is like. */
bool af_session_may_write(const struct af_session *s);

enum { AF_REMARK = 480 }; /* bytes for a remark */

/** What there is to say about the table to the person, or "": what it needs now, then what was odd when it was read.
 *  Not while an interrupted write is to be settled. Perhaps in buf. */
const char *af_session_remark(const struct af_session *s, char *buf, size_t size);

/** Looks into partition id, or into every one if id is 0, here and now (the command line); once is enough. */
void af_session_probe(struct af_session *s, uint32_t id);

/** Finds out what starts the disk, here and now (the command line); once is enough. Part of looking into every partition. */
void af_session_probe_boot(struct af_session *s);

/** Starts looking behind the screen, and does so again after each write. Finished facts arrive at af_session_probe_fd(). */
void af_session_probe_start(struct af_session *s);

/** A descriptor that becomes readable when facts have arrived; -1 if no probing runs. Another one after a write. */
int af_session_probe_fd(const struct af_session *s);

/** Takes what has arrived into the contents; true if something changed. Never waits. */
bool af_session_probe_take(struct af_session *s);

/** Carries out one command (undo and redo too) on the wanted table; *id is the partition it was about. What leaves the table
 *  as it is makes no step of undo. */
bool af_session_do(struct af_session *s, const struct af_command *cmd, uint32_t *id,
		   struct af_err *err) __attribute__((warn_unused_result));

/** What af_session_do() would give, without doing it; the caller releases *out. Not for undo and redo. */
bool af_session_preview(const struct af_session *s, const struct af_command *cmd,
			struct af_layout *out, uint32_t *id, struct af_err *err)
	__attribute__((warn_unused_result));

/** The commands that a PLAN stands for, and what is left out of it. Fails with AF_E_USAGE if there is none of that name, and
 *  as af_offer_make(). */
bool af_session_offer(const struct af_session *s, const struct af_command *cmd,
		      struct af_offer_plan *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** What the plans carried out so far left out or used, a line each; "" if nothing. Borrowed. */
const char *af_session_said(const struct af_session *s);

/** Runs "CMD; CMD; ..." until one fails: then err says "command K: ...", and what the earlier ones changed is undone. */
bool af_session_run(struct af_session *s, const char *text, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * Makes the wanted table what an sfdisk script of n bytes says, as one step of undo. Fails as af_script_read() and
 * af_script_layout() do, nothing changed. Appends to *remarks, a line each: on success what the script left open or was not
 * followed in, else what more is wrong with it.
 */
bool af_session_apply(struct af_session *s, const char *script, size_t n,
		      struct af_text *remarks, struct af_err *err)
	__attribute__((warn_unused_result));

/** Undo; the words of what was undone, or NULL. Borrowed. */
const char *af_session_undo(struct af_session *s);

/** Redo; the words of what was done again, or NULL. Borrowed. */
const char *af_session_redo(struct af_session *s);

/** How many steps undo can take back. */
size_t af_session_undos(const struct af_session *s);

/** How many steps redo can do again. */
size_t af_session_redos(const struct af_session *s);

/** True if there is something to write. */
bool af_session_modified(const struct af_session *s);

/** The steps from the disk to the wanted table; the caller releases *out. */
void af_session_plan(const struct af_session *s, struct af_plan *out);

/** The sectors that a write would change; the caller releases *out. Fails as af_label_render() does. */
bool af_session_patch(struct af_session *s, struct af_patch *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Refuses now what a write of the wanted table would refuse before it begins, and keeps the sectors for it. Fails as
 *  af_label_render() does. */
bool af_session_prepare(struct af_session *s, struct af_err *err)
	__attribute__((warn_unused_result));

/** Writes the wanted table; what was read back becomes the base, and undo begins anew. Fails as af_commit() does. */
bool af_session_write(struct af_session *s, struct af_commit_report *report,
		      struct af_err *err) __attribute__((warn_unused_result));

/**
 * Puts back what a backup file holds, whatever is wanted now; what the disk holds then becomes the base, and undo
 * begins anew. Fails as af_commit_restore() does.
 */
bool af_session_restore(struct af_session *s, const char *file,
			struct af_commit_report *report, struct af_err *err)
	__attribute__((warn_unused_result));

/** The sectors that af_session_restore() would write; the caller releases *out. Fails as it does before that. */
bool af_session_restore_patch(struct af_session *s, const char *file, struct af_patch *out,
			      struct af_err *err) __attribute__((warn_unused_result));

/** The write of this disk that was interrupted, or NULL. Until it is finished or taken back the table takes no edit and no
 *  write. Borrowed until the next write. */
const struct af_unfinished *af_session_unfinished(const struct af_session *s);

/** Brings the interrupted write to one of its ends; what the disk holds then becomes the base, and undo begins anew.
 *  Fails as af_commit_finish() does, with AF_E_USAGE if there is none. */
bool af_session_finish(struct af_session *s, enum af_way way,
		       struct af_commit_report *report, struct af_err *err)
	__attribute__((warn_unused_result));

/** The sectors that af_session_finish() would write; the caller releases *out. There is an interrupted write. */
bool af_session_finish_patch(struct af_session *s, enum af_way way, struct af_patch *out,
			     struct af_err *err) __attribute__((warn_unused_result));

/** Saves the table on the disk, damaged or not, to a new file for af_session_restore(). Fails as af_commit_backup(). */
bool af_session_backup(struct af_session *s, const char *file, size_t *sectors,
		       size_t *unreadable, struct af_err *err)
	__attribute__((warn_unused_result));

/** What a person should know about where the log of a write will be kept; "" if all is well. */
void af_session_log_place(const struct af_session *s, char *note, size_t size);

/** Appends the wanted table as an sfdisk script. */
bool af_session_dump(struct af_session *s, struct af_text *out, struct af_err *err)
	__attribute__((warn_unused_result));
#endif
