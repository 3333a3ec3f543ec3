/** plan_warn.h - what the files that warn share. */
#ifndef AFDISK_PLAN_WARN_H
#define AFDISK_PLAN_WARN_H
#include "plan_priv.h"

/** A plan that is being looked at, and one of its changes. */
struct warning {
	const struct af_layout *base, *now;
	const struct af_plan_words *words;
	const struct af_change *change;
	struct af_plan *plan;
	bool fresh; /* a new table, with nothing of the old one */
};

/** Adds a warning about partition number: its name, then the sentence. */
void af_plan_warn_part(const struct warning *w, uint32_t number, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** What is known to be inside the change's partition; NULL if it is new or nobody has looked. */
const struct af_content *af_plan_warn_inside(const struct warning *w);

/** True if the partition was there before, and is there still. */
bool af_plan_warn_stays(const struct warning *w);

/** The purpose of the change's partition before, and after; OTHER where it is not there. */
enum af_purpose af_plan_warn_was(const struct warning *w);
enum af_purpose af_plan_warn_is(const struct warning *w);

/** True if Windows may start from p of l: its own partition, or the one beside it that it reserves for starting. */
bool af_plan_warn_of_windows(const struct warning *w, const struct af_layout *l,
			     const struct af_part *p);

/** What firmware and boot loaders find then: about one change, and about the table as a whole. */
void af_plan_warn_boot(const struct warning *w);
void af_plan_warn_boot_table(const struct warning *w);

/** What Windows makes of one change, and of another kind of table. */
void af_plan_warn_windows(const struct warning *w);
void af_plan_warn_windows_table(const struct warning *w);

/** What lines of fstab and crypttab no longer find, because of one change. */
void af_plan_warn_names(const struct warning *w);
#endif
