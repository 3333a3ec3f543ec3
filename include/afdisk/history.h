/** history.h - undo and redo, as a row of whole layouts. */
#ifndef AFDISK_HISTORY_H
#define AFDISK_HISTORY_H
#include "afdisk/layout.h"

struct af_history;

/** Takes base (the caller no longer releases it): what the disk holds. Never returns NULL. */
struct af_history *af_history_new(struct af_layout base);

/** Frees h and every layout in it. NULL is fine. */
void af_history_free(struct af_history *h);

/** What the disk holds. Borrowed until af_history_rebase() or af_history_free(). */
const struct af_layout *af_history_base(const struct af_history *h);

/** What the person wants. Borrowed until the next push, undo, redo or rebase. */
const struct af_layout *af_history_now(const struct af_history *h);

/** Takes next and copies what ("add sda3, 40 GiB"); forgets what was undone. */
void af_history_push(struct af_history *h, struct af_layout next, const char *what);

/** Steps back; what was undone, or NULL if there was nothing. Borrowed until the next push. */
const char *af_history_undo(struct af_history *h);

/** Steps forward; what was done again, or NULL if there was nothing. Borrowed until the next push. */
const char *af_history_redo(struct af_history *h);

/** How many steps can be taken back. */
size_t af_history_undos(const struct af_history *h);

/** How many steps can be done again. */
size_t af_history_redos(const struct af_history *h);

/** True while now differs from base. */
bool af_history_dirty(const struct af_history *h);

/** Takes base as what the disk holds from here on, and forgets all steps: after a write. */
void af_history_rebase(struct af_history *h, struct af_layout base);
#endif
