/** session_priv.h - what the files of the session room share. */
#ifndef AFDISK_SESSION_PRIV_H
#define AFDISK_SESSION_PRIV_H
#include <pthread.h>

#include "afdisk/history.h"
#include "afdisk/label.h"
#include "afdisk/session.h"

/** One partition to be looked into, and what was found. */
struct job {
	struct af_part part;
	struct af_content found; /* its id is set from the start */
};

/** The thread behind the screen. The lock guards done and what follows it; the rest is set before the thread starts. */
struct prober {
	pthread_t thread;
	pthread_mutex_t lock;
	int pipe[2];
	struct job *job;
	struct af_boot_code code; /* the thread's own until anything is done */
	size_t n, taken;
	size_t done;
	bool stop;
	bool ended;  /* the thread is at its end */
	bool orphan; /* the session is gone: the thread frees what there is */
	char path[256];
	af_bytes size;
	uint32_t sector_size;
	enum af_scheme scheme;
};

struct af_session {
	struct af_dev dev;
	struct af_topo topo;
	struct af_rules rules;
	struct af_contents contents;
	struct af_uses uses;
	struct af_label_note note;
	struct af_history *history;
	struct af_layout empty;      /* the disk without a table */
	struct af_boot_code code;    /* what starts the disk, once somebody has looked */
	struct af_text said;         /* notes of the plans carried out, a line each */
	struct prober *maybe_prober; /* while it runs */
	bool wants_probing; /* look behind the screen whenever something is unknown */
	bool read_only;     /* never write, because of why_not */
	char why_not[120];
	char *maybe_journal, *maybe_fstab;
	bool look_only;
	char used_by
		[300]; /* why nothing can be changed while the disk itself is in use; "" if it is not */
	struct af_patch prepared; /* for a write of prepared_for, if is_prepared */
	struct af_layout prepared_for;
	bool is_prepared;
	bool is_between; /* a write was interrupted, and nothing is done before that is settled */
	struct af_unfinished unfinished;
	char between[400]; /* the sentence about it */
};

/** Contents of the partitions of now, where before is what the disk held and old what was known of it: knowledge
 *  is kept where the same partition covers the same bytes. */
struct af_contents af_session_carry_over(const struct af_contents *old,
					 const struct af_layout *maybe_before,
					 const struct af_layout *now);

/** Forgets what af_session_prepare() made. */
void af_session_unprepare(struct af_session *s);

/** Looks for an interrupted write of the disk, whose table reads as maybe_base now, without any damage. */
void af_session_look_back(struct af_session *s, const struct af_layout *maybe_base);

/** Ends the thread behind the screen and keeps what it has found so far. */
void af_session_stop_probing(struct af_session *s);

/** Ends the thread behind the screen without waiting for what it waits for. */
void af_session_leave_prober(struct af_session *s);

/** Fills in what the command's words mean on a table of that scheme, and the identities that it needs. */
bool af_session_resolve(enum af_scheme scheme, struct af_command *cmd, struct af_err *err);

/** Appends what /etc/fstab and /etc/crypttab say, or the file in place of both. Nothing if they cannot be read. */
void af_session_names(const char *maybe_fstab, struct af_text *t);

/** What PLAN cmd makes of the table, each partition with an identity; *id is its first new one. Fails as
 *  af_session_offer() and the commands of the plan. */
bool af_session_try_plan(const struct af_session *s, const struct af_command *cmd,
			 struct af_layout *out, uint32_t *id, struct af_err *err);

/** Keeps what is to be said of PLAN cmd, which is going to be carried out; does nothing for other commands. */
void af_session_note_plan(struct af_session *s, const struct af_command *cmd);

/** Gives every GPT partition without a UUID a fresh one. */
void af_session_identify(struct af_layout *l);

/** What a new label is made on: the present table, or an empty disk if that has sectors of another size than the disk's. */
const struct af_layout *af_session_ground(const struct af_session *s);

/** True if next, unless it has a new label, keeps every entry that another system keeps books of, as a dynamic disk's.
 *  Fails with AF_E_RULE naming the first that it does not keep. */
bool af_session_keeps_locked(const struct af_session *s, const struct af_layout *next,
			     struct af_err *err);

/** Finds out anew who uses the disk. */
void af_session_find_users(struct af_session *s);

/** True if next leaves alone what is in use, as af_edit_keeps_used(). */
bool af_session_keeps_used(const struct af_session *s, const struct af_layout *next,
			   struct af_err *err);

/** Makes next the wanted table, under those words for undo; takes it. Fails with AF_E_RULE if the table cannot be changed. */
bool af_session_take(struct af_session *s, struct af_layout next, const char *words,
		     struct af_err *err);

/** Looks once more into the partitions that the wanted table moves or makes smaller. Fails with AF_E_STALE, and knows better from
 *  then on, if one holds another thing than was found before. */
bool af_session_still_inside(struct af_session *s, struct af_err *err);

/** Finds out what starts the disk. */
void af_session_look_at_boot(struct af_dev *dev, struct af_boot_code *out);

/** Gives the nested entries in c, of a label in part, the blocks of the file systems in them: a label need not tell them, and may be
 *  out of date. */
void af_session_look_into_entries(struct af_dev *dev, const struct af_part *part,
				  struct af_content *c);

/** Adds to c, what was found in part, the layers in what the kernel has built on it. Nothing for an image. */
void af_session_look_above(struct af_dev *dev, const struct af_part *part,
			   struct af_content *c);

/** Looks into partition part of a table of that scheme: what it holds, and where the data of that begins. Takes the place of
 *  what out held but its id; never fails, as af_probe(). */
void af_session_look(struct af_dev *dev, enum af_scheme scheme, const struct af_part *part,
		     struct af_content *out);
#endif
