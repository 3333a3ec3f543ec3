/*
 * layout_gpt.c - how a GPT lies on its disk, as part of the value: where its two copies are, what is wrong with them, and
 * what to do about it in words. A disk that grew has its backup somewhere in the middle; one that shrank (or hides
 * sectors behind a USB bridge) has lost it, and perhaps has partitions that end beyond the last sector: strays,
 * which an MBR can have as well.
 */
#include "afdisk/layout.h"
#include "afdisk/text.h"
#include <inttypes.h>
#include <stdio.h>

#define ENTRY_USUAL 128
#define HIDDEN_MAX  AF_MIB /* that much may be missing because something between hides it */

static af_bytes last_sector(const struct af_layout *l)
{
	return (af_sectors(l->disk_size, l->sector_size) - 1) * l->sector_size;
}

uint32_t af_layout_gpt_entry(const struct af_layout *l)
{
	return l->gpt.entry_size ? l->gpt.entry_size : ENTRY_USUAL;
}

af_bytes af_layout_gpt_backup(const struct af_layout *l)
{
	return l->gpt.backup_at ? l->gpt.backup_at : last_sector(l);
}

struct af_span af_layout_gpt_entries(const struct af_layout *l, bool of_backup)
{
	af_bytes ss = l->sector_size, bytes = (af_bytes)l->slots * af_layout_gpt_entry(l);
	af_bytes size = (bytes + ss - 1) / ss * ss;
	af_bytes at = of_backup ? l->gpt.backup_entries : l->gpt.entries;
	if (at == 0)
		at = of_backup ? af_layout_gpt_backup(l) - size : 2 * ss;
	return (struct af_span){ at, at + size };
}

bool af_layout_gpt_whole(const struct af_layout *l)
{
	return l->scheme != AF_SCHEME_GPT ||
	       (l->gpt.primary == AF_GPT_GOOD && l->gpt.backup == AF_GPT_GOOD &&
		l->gpt.backup_at == 0 && !l->gpt.mbr_lost);
}

const char *af_layout_state(const struct af_layout *l)
{
	if (l->scheme != AF_SCHEME_GPT)
		return "";
	if (l->gpt.primary != AF_GPT_GOOD)
		return "primary damaged";
	if (l->gpt.backup_at > last_sector(l))
		return "backup beyond the end";
	if (l->gpt.backup_at != 0)
		return "backup not at the end";
	if (l->gpt.backup == AF_GPT_DIFFERS)
		return "backup differs";
	if (l->gpt.backup != AF_GPT_GOOD)
		return "backup damaged";
	if (l->gpt.mbr_lost)
		return "no protective MBR";
	return l->gpt.mbr_misfits ? "protective MBR of a wrong size" : "";
}

bool af_layout_is_stray(const struct af_layout *l, const struct af_part *p)
{
	return p->span.start >= l->usable.start && p->span.end > l->usable.end;
}

static const struct af_part *first_stray(const struct af_layout *l)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (l->scheme != AF_SCHEME_NONE && af_layout_is_stray(l, &l->part[i]))
			return &l->part[i];
	return NULL;
}

static const char *damage(enum af_gpt_copy copy)
{
	switch (copy) {
	case AF_GPT_NO_HEADER:
		return "has a damaged header";
	case AF_GPT_NO_ENTRIES:
		return "has entries that fail their checksum";
	case AF_GPT_DIFFERS:
		return "differs from the primary";
	case AF_GPT_GOOD:
		break;
	}
	return "is good";
}

/* Of a disk with less sectors than its GPT was made for. */
static void say_shrunk(const struct af_layout *l, struct af_text *t)
{
	af_bytes lost = l->gpt.backup_at + l->sector_size - l->disk_size;
	int64_t sectors = af_sectors(lost, l->sector_size);
	if (lost <= HIDDEN_MAX) {
		af_text_add(t,
			    "the disk is %" PRId64
			    " sector%s shorter than its GPT says, and the "
			    "backup is not there: a USB bridge may hide %s: better write "
			    "nothing; else repair makes a new one",
			    sectors, sectors == 1 ? "" : "s", sectors == 1 ? "it" : "them");
	} else {
		char size[AF_SHORT];
		af_text_add(
			t,
			"the disk is %s smaller than its GPT says, and the backup is not "
			"there: repair makes a new one at the end",
			af_text_size(lost, size));
	}
}

/* Of a disk with more. */
static void say_grown(const struct af_layout *l, struct af_text *t)
{
	char size[AF_SHORT];
	af_text_add(t,
		    "+%s behind the old backup GPT at sector %" PRId64
		    "%s: repair moves it to "
		    "the end of the disk",
		    af_text_size(last_sector(l) - l->gpt.backup_at, size),
		    af_sectors(l->gpt.backup_at, l->sector_size),
		    l->gpt.backup == AF_GPT_GOOD ? "" : ", which is damaged");
}

static bool is_whole_but_for_mbr(const struct af_layout *l)
{
	struct af_layout with = { .scheme = l->scheme, .gpt = l->gpt };
	with.gpt.mbr_lost = false;
	return af_layout_gpt_whole(&with);
}

static void say_copies(const struct af_layout *l, struct af_text *t)
{
	const struct af_gpt_form *f = &l->gpt;
	if (f->mbr_lost)
		af_text_add(t,
			    "no MBR protects this GPT, and Linux does not find it: "
			    "repair makes one; 'label' begins anew%s",
			    is_whole_but_for_mbr(l) ? "" : "; ");
	if (f->primary != AF_GPT_GOOD) {
		af_text_add(
			t,
			"the primary GPT %s; the backup is shown: repair makes the primary "
			"good again",
			damage(f->primary));
	} else if (f->backup_at > last_sector(l)) {
		say_shrunk(l, t);
	} else if (f->backup_at != 0) {
		say_grown(l, t);
	} else if (f->backup != AF_GPT_GOOD) {
		af_text_add(t, "the backup GPT %s%s: repair makes it %s", damage(f->backup),
			    f->backup == AF_GPT_DIFFERS ? ", which is shown" : "",
			    f->backup == AF_GPT_DIFFERS ? "follow" : "good again");
	} else if (f->mbr_misfits) {
		af_text_add(t, "the protective entry of the MBR is not of the size of the "
			       "disk: repair "
			       "makes it fit");
	}
}

const char *af_layout_remark(const struct af_layout *l, char *buf, size_t size)
{
	const struct af_part *stray = first_stray(l);
	struct af_text t = { 0 };
	struct af_err overlap;
	if (stray) {
		int64_t over = af_sectors(stray->span.end - l->usable.end, l->sector_size);
		af_text_add(&t,
			    "partition %" PRIu32 " ends %" PRId64
			    " sector%s beyond the last usable one",
			    stray->number, over, over == 1 ? "" : "s");
		if (l->scheme == AF_SCHEME_GPT && l->gpt.backup_at > last_sector(l) &&
		    l->gpt.backup_at - last_sector(l) <= HIDDEN_MAX)
			af_text_add(&t,
				    ", which a USB bridge may hide: better write nothing");
		else
			af_text_add(&t, ": delete it or make it smaller%s",
				    af_layout_gpt_whole(l) ? "" : ", then repair the GPT");
	} else if (!af_layout_apart(l, &overlap)) {
		af_text_add(&t, "%.120s: delete one or make it smaller", overlap.text);
	} else if (l->scheme == AF_SCHEME_GPT) {
		say_copies(l, &t);
	}
	(void)snprintf(buf, size, "%s", af_text_get(&t));
	af_text_release(&t);
	return buf;
}

/* Cuts strays off where usable space ends. */
static void clip(struct af_layout *l)
{
	size_t kept = 0;
	for (size_t i = 0; i < l->nparts; i++) {
		struct af_part p = l->part[i];
		bool stray = af_layout_is_stray(l, &p);
		if (stray && p.span.start >= l->usable.end)
			continue;
		if (stray)
			p.span.end = l->usable.end;
		l->part[kept++] = p;
	}
	l->nparts = kept;
}

bool af_layout_mendable(const struct af_layout *l, struct af_err *err)
{
	struct af_layout cut;
	af_layout_copy(l, &cut);
	clip(&cut);
	cut.gpt.primary = cut.gpt.backup = AF_GPT_GOOD;
	cut.gpt.backup_at = cut.gpt.backup_entries = 0;
	cut.gpt.mbr_lost = false;
	bool good = af_layout_parts_sound(&cut, err);
	af_layout_release(&cut);
	return good;
}

bool af_layout_gpt_sound(const struct af_layout *l, struct af_err *err)
{
	if (l->scheme != AF_SCHEME_GPT)
		return true;
	if (!af_layout_gpt_whole(l))
		return af_fail(err, AF_E_RULE,
			       "the GPT must be repaired before anything else (%s)",
			       af_layout_state(l));
	struct af_span room = { af_layout_gpt_entries(l, false).end,
				af_layout_gpt_entries(l, true).start };
	if (l->slots == 0 ||
	    af_layout_gpt_entries(l, false).start < 2 * (af_bytes)l->sector_size ||
	    af_layout_gpt_entries(l, true).end > last_sector(l) ||
	    !af_span_inside(l->usable, room))
		return af_fail(err, AF_E_RULE,
			       "the usable space of the GPT is not between its two copies");
	return true;
}
