/** layout_hybrid.h - the entries of a hybrid MBR, which mirror partitions of a GPT. */
#ifndef AFDISK_LAYOUT_HYBRID_H
#define AFDISK_LAYOUT_HYBRID_H
#include "afdisk/layout.h"

/** Makes l a hybrid whose MBR has these entries: those that have the place of a partition mirror it from now on, and what
 *  becomes of them is open. */
void af_layout_mirror(struct af_layout *l, const struct af_mirror entry[AF_MIRRORS]);

/** Makes the MBR a protective one. */
void af_layout_unmirror(struct af_layout *l);

/** True if the entry mirrors a partition of l that has changed its place, or is gone. */
bool af_layout_is_stale(const struct af_layout *l, const struct af_mirror *entry);

/** The number of a stale entry, 1 to 4, as long as it is not chosen what becomes of it; else 0. */
uint32_t af_layout_open_mirror(const struct af_layout *l);

/** What the entries of a hybrid MBR mirror, "entry 2 (83) mirrors partition 1, entry 3 (0c) mirrors none". Returns buf. */
const char *af_layout_mirror_words(const struct af_layout *l, char *buf, size_t size);

/**
 * Makes all entries that mirror partitions follow these, and those of deleted ones go; protective entries stay beside them.
 * When no mirror is left of a hybrid, its MBR becomes a protective one. Fails with AF_E_RANGE, naming the entry, if it cannot
 * say the new place, or with AF_E_RULE if it would lie over an entry that mirrors nothing; l may be changed then.
 */
bool af_layout_follow(struct af_layout *l, struct af_err *err)
	__attribute__((warn_unused_result));
#endif
