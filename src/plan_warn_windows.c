/*
 * plan_warn_windows.c - what Windows makes of a change: encrypted drives, one that it has not closed, its recovery
 * environment, its reserved partition, and what it takes for a drive of its own.
 */
#include <string.h>

#include "plan_warn.h"

/* Microsoft: what a recovery partition has, so that it gets no drive letter and is not deleted. */
#define RECOVERY_ATTRS (UINT64_C(1) << 63 | UINT64_C(1))

static bool holds(const struct warning *w, const char *fs)
{
	const struct af_content *c = af_plan_warn_inside(w);
	return c && strcmp(c->fs, fs) == 0;
}

/* An edge goes where the data inside does not expect it. Windows itself takes room behind the end. */
static bool is_hurt(const struct warning *w)
{
	const struct af_span *a = &w->change->before.span, *b = &w->change->after.span;
	return af_plan_warn_stays(w) && (a->start != b->start || b->end < a->end);
}

static void warn_locked(const struct warning *w)
{
	if (is_hurt(w) && holds(w, "BitLocker"))
		af_plan_warn_part(w, w->change->after.number,
				  "is encrypted by BitLocker: decrypt it in Windows first "
				  "('manage-bde -off', suspending is not enough), and "
				  "shrink it there");
}

static void warn_open(const struct warning *w)
{
	if (!is_hurt(w) || !holds(w, "ntfs"))
		return;
	const uint32_t number = w->change->after.number;
	switch (af_plan_warn_inside(w)->closed) {
	case AF_CLOSED_YES:
		return;
	case AF_CLOSED_NO:
		af_plan_warn_part(w, number,
				  "was not closed by Windows (hibernation, Fast Startup or "
				  "a crash): there, 'powercfg /h off' and shut down, "
				  "before this is done");
		return;
	case AF_CLOSED_UNKNOWN:
		af_plan_warn_part(w, number,
				  "may be one that Windows hibernates on: ask 'ntfsresize "
				  "--info' before this is done");
		return;
	}
}

static void warn_recovery(const struct warning *w)
{
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	if (af_plan_warn_is(w) != AF_PURPOSE_RECOVERY)
		return;
	if (af_plan_warn_stays(w) && a->span.start != b->span.start)
		af_plan_warn_part(w, b->number,
				  "is the recovery environment of Windows: 'reagentc "
				  "/disable' before it moves, '/enable' afterwards");
	bool had = af_plan_warn_was(w) == AF_PURPOSE_RECOVERY &&
		   (a->attrs & RECOVERY_ATTRS) != RECOVERY_ATTRS;
	if (w->now->scheme != AF_SCHEME_GPT || had ||
	    (b->attrs & RECOVERY_ATTRS) == RECOVERY_ATTRS)
		return;
	af_plan_warn_part(
		w, b->number,
		"needs the attributes of a recovery partition, or Windows gives "
		"it a drive letter: 'attr %u RequiredPartition on; attr %u 63 on'",
		(unsigned)b->number, (unsigned)b->number);
}

static bool gets(const struct warning *w, enum af_purpose purpose)
{
	return af_plan_warn_is(w) == purpose && af_plan_warn_was(w) != purpose;
}

static void warn_reserved(const struct warning *w)
{
	const struct af_content *c = af_plan_warn_inside(w);
	if (gets(w, AF_PURPOSE_RESERVED) && c && c->state == AF_CONTENT_FOUND)
		af_plan_warn_part(w, w->change->after.number,
				  "is Microsoft reserved then, which is never formatted "
				  "and has no drive letter: the %s inside is lost to "
				  "Windows",
				  c->fs);
}

/* What Windows can read in a drive of its own. */
static bool is_known(const char *fs)
{
	return strcmp(fs, "ntfs") == 0 || strcmp(fs, "vfat") == 0 ||
	       strcmp(fs, "exfat") == 0 || strcmp(fs, "BitLocker") == 0;
}

static void warn_drive(const struct warning *w)
{
	const struct af_content *c = af_plan_warn_inside(w);
	if ((gets(w, AF_PURPOSE_WINDOWS) || gets(w, AF_PURPOSE_FAT)) && c &&
	    c->state == AF_CONTENT_FOUND && !is_known(c->fs))
		af_plan_warn_part(w, w->change->after.number,
				  "is a drive of Windows by its type, and Windows offers "
				  "to format it: for the %s inside, 'type %u linux'",
				  c->fs, (unsigned)w->change->after.number);
}

/* Windows goes by the type: what has another one it neither shows nor starts from. */
static void warn_hidden(const struct warning *w)
{
	const struct af_content *c = af_plan_warn_inside(w);
	const enum af_purpose is = af_plan_warn_is(w);
	if (af_plan_warn_was(w) == AF_PURPOSE_WINDOWS && is != AF_PURPOSE_WINDOWS &&
	    is != AF_PURPOSE_RECOVERY && is != AF_PURPOSE_RESERVED &&
	    is != AF_PURPOSE_ESP && c && is_known(c->fs))
		af_plan_warn_part(
			w, w->change->after.number,
			"holds %s, but has no type of Windows then, which neither "
			"shows it nor starts from it",
			c->fs);
}

void af_plan_warn_windows(const struct warning *w)
{
	if (w->change->kind == AF_CHANGE_REMOVED)
		return;
	warn_locked(w);
	warn_open(w);
	warn_recovery(w);
	warn_reserved(w);
	warn_drive(w);
	warn_hidden(w);
}

/* True if Windows starts from the table on the disk: by BIOS from an active partition, by UEFI beside an ESP. */
static bool has_windows(const struct warning *w)
{
	const struct af_layout *l = w->base;
	bool has_esp = false, has_drive = false;
	if (l->scheme == AF_SCHEME_MBR && l->sector_size != 512)
		return false; /* no BIOS starts from these */
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		bool may = af_plan_warn_of_windows(w, l, p) && p->role == AF_ROLE_PRIMARY;
		has_esp = has_esp || af_scheme_is_esp(l->scheme, p->type);
		has_drive = has_drive || (may && (p->boot || l->scheme == AF_SCHEME_GPT));
	}
	return has_drive && (has_esp || l->scheme == AF_SCHEME_MBR);
}

void af_plan_warn_windows_table(const struct warning *w)
{
	struct af_text t = { 0 };
	if (!af_layout_converts(w->base, w->now) || !has_windows(w))
		return;
	if (w->now->scheme == AF_SCHEME_GPT)
		af_text_add(&t,
			    "Windows, which starts by BIOS here, does not start from a "
			    "GPT: its own mbr2gpt converts both, the table and Windows");
	else
		af_text_add(&t,
			    "Windows starts by UEFI from a GPT only: from an MBR it does "
			    "not start any more");
	af_plan_add(w->plan, "warning", 0, &t);
}
