/*
 * plan_warn.c - what a person may not expect of a change, because of programs other than this one. Firmware and boot
 * loaders are plan_warn_boot.c's, Windows plan_warn_windows.c's, fstab plan_warn_names.c's; here is who asks them, and
 * what is left: old systems that count cylinders, and an MBR that does not reach.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plan_warn.h"

#define CHS_SECTORS                                                                        \
	(INT64_C(1024) * 255 * 63) /* the sectors that have a cylinder's number */

void af_plan_warn_part(const struct warning *w, uint32_t number, const char *fmt, ...)
{
	char name[128], sentence[240];
	struct af_text t = { 0 };
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	af_text_add(&t, "%s %s",
		    af_text_part_name(w->words->dev_name, number, name, sizeof(name)),
		    sentence);
	af_plan_add(w->plan, "warning", number, &t);
}

const struct af_content *af_plan_warn_inside(const struct warning *w)
{
	const struct af_content *c = NULL;
	if (w->change->kind != AF_CHANGE_ADDED)
		c = af_contents_find(w->words->contents, w->change->before.id);
	return c && c->state != AF_CONTENT_UNKNOWN && c->state != AF_CONTENT_UNREADABLE
		       ? c
		       : NULL;
}

bool af_plan_warn_stays(const struct warning *w)
{
	return w->change->kind != AF_CHANGE_ADDED && w->change->kind != AF_CHANGE_REMOVED;
}

enum af_purpose af_plan_warn_was(const struct warning *w)
{
	return w->change->kind == AF_CHANGE_ADDED
		       ? AF_PURPOSE_OTHER
		       : af_scheme_purpose(w->base->scheme, w->change->before.type);
}

enum af_purpose af_plan_warn_is(const struct warning *w)
{
	return w->change->kind == AF_CHANGE_REMOVED
		       ? AF_PURPOSE_OTHER
		       : af_scheme_purpose(w->now->scheme, w->change->after.type);
}

bool af_plan_warn_of_windows(const struct warning *w, const struct af_layout *l,
			     const struct af_part *p)
{
	const struct af_content *c = af_contents_find(w->words->contents, p->id);
	enum af_purpose purpose = af_scheme_purpose(l->scheme, p->type);
	bool known = c && c->state == AF_CONTENT_FOUND;
	return purpose == AF_PURPOSE_RECOVERY ||
	       (purpose == AF_PURPOSE_WINDOWS &&
		(!known || strcmp(c->fs, "ntfs") == 0 || strcmp(c->fs, "BitLocker") == 0));
}

/* The type that a FAT file system needs beyond 1024 cylinders; 0 for any other. */
static unsigned lba_twin(uint8_t type)
{
	switch (type) {
	case 0x01:
	case 0x04:
	case 0x06:
		return 0x0e;
	case 0x0b:
		return 0x0c;
	case 0x05:
		return 0x0f;
	default:
		return 0;
	}
}

/* True if p has a type that is read by cylinders, in a place that has no cylinder's number. */
static bool is_far(const struct af_layout *l, const struct af_part *p)
{
	return l->scheme == AF_SCHEME_MBR && lba_twin(p->type[0]) != 0 &&
	       af_sectors(p->span.end, l->sector_size) > CHS_SECTORS;
}

static void warn_far(const struct warning *w)
{
	const struct af_part *p = &w->change->after;
	bool was = af_plan_warn_stays(w) && is_far(w->base, &w->change->before);
	if (w->change->kind == AF_CHANGE_REMOVED || !is_far(w->now, p) || was)
		return;
	af_plan_warn_part(w, p->number,
			  "reaches beyond 1024 cylinders: old systems look for type %x "
			  "there, not %x",
			  lba_twin(p->type[0]), (unsigned)p->type[0]);
}

/* A new MBR on a disk that is larger than what 32 bits of sectors reach. */
static void warn_reach(const struct warning *w)
{
	const af_bytes reach = w->now->usable.end, rest = w->now->disk_size - reach;
	char end[AF_SHORT], lost[AF_SHORT];
	struct af_text t = { 0 };
	if (w->now->scheme != AF_SCHEME_MBR || w->base->scheme == AF_SCHEME_MBR ||
	    rest < AF_GIB)
		return;
	af_text_add(&t,
		    "an MBR reaches the first %s of this disk: the %s behind them stay "
		    "unused ('label gpt' has no such limit)",
		    af_text_size(reach, end), af_text_size(rest, lost));
	af_plan_add(w->plan, "warning", 0, &t);
}

void af_plan_warn(const struct af_layout *base, const struct af_layout *now,
		  const struct af_plan_words *words, struct af_plan *plan)
{
	struct warning w = { .base = base, .now = now, .words = words, .plan = plan };
	if (plan->nsteps == 0)
		return;
	w.fresh = af_layout_is_new(base, now) && !af_layout_converts(base, now);
	for (size_t i = 0; i < plan->nchanges; i++) {
		w.change = &plan->change[i];
		if (w.change->kind == AF_CHANGE_KEPT)
			continue;
		af_plan_warn_boot(&w);
		af_plan_warn_windows(&w);
		af_plan_warn_names(&w);
		warn_far(&w);
	}
	w.change = NULL;
	af_plan_warn_boot_table(&w);
	af_plan_warn_windows_table(&w);
	warn_reach(&w);
}
