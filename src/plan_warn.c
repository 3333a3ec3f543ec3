/*
 * plan_warn.c - what a person may not expect of a change, because of programs other than Linux: firmware that does not
 * look into an extended partition, boot sectors that know where they are, old systems that count cylinders.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plan_priv.h"

#define TYPE_EFI 0xef
#define CHS_SECTORS                                                                        \
	(INT64_C(1024) * 255 * 63) /* the sectors that have a cylinder's number */

/* One change, and where warnings about it go. */
struct warning {
	const struct af_layout *base, *now;
	const struct af_plan_words *words;
	const struct af_change *change;
	struct af_plan *plan;
};

/* Adds "NAME SENTENCE". */
static void warn(const struct warning *w, const char *sentence)
{
	char name[128];
	struct af_text t = { 0 };
	uint32_t number = w->change->after.number;
	af_text_add(&t, "%s %s",
		    af_text_part_name(w->words->dev_name, number, name, sizeof(name)),
		    sentence);
	af_plan_add(w->plan, "warning", number, &t);
}

static bool is_new(const struct warning *w)
{
	return w->change->kind == AF_CHANGE_ADDED;
}

static uint8_t code(const struct warning *w)
{
	return w->now->scheme == AF_SCHEME_MBR ? w->change->after.type[0] : 0;
}

static void warn_efi(const struct warning *w)
{
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	bool was = !is_new(w) && a->role == AF_ROLE_LOGICAL && a->type[0] == TYPE_EFI;
	if (code(w) == TYPE_EFI && b->role == AF_ROLE_LOGICAL && !was)
		warn(w, "is a logical partition: UEFI firmware looks for an EFI system "
			"partition among the primary ones only");
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
	char sentence[120];
	bool was = !is_new(w) && is_far(w->base, &w->change->before);
	if (!is_far(w->now, &w->change->after) || was)
		return;
	(void)snprintf(sentence, sizeof(sentence),
		       "reaches beyond 1024 cylinders: old systems look for type %x there, "
		       "not %x",
		       lba_twin(code(w)), (unsigned)code(w));
	warn(w, sentence);
}

/* FAT, NTFS and their hidden kinds: their boot sectors hold the sector that they begin at. */
static bool knows_its_place(uint8_t type)
{
	switch (type & ~0x10) {
	case 0x01:
	case 0x04:
	case 0x06:
	case 0x07:
	case 0x0b:
	case 0x0c:
	case 0x0e:
		return true;
	default:
		return false;
	}
}

static void warn_boot(const struct warning *w)
{
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	if (is_new(w) || a->span.start == b->span.start || b->role == AF_ROLE_EXTENDED)
		return;
	if (b->boot || knows_its_place(code(w)))
		warn(w,
		     "begins at another sector then: the hidden-sectors field of its boot "
		     "sector and the boot loader have to be put right, or it does not "
		     "boot");
}

/* True if a line of text that is no comment has that word. */
static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	while (*text != '\0') {
		size_t line = strcspn(text, "\n");
		size_t at = strspn(text, " \t");
		while (at < line && text[at] != '#') {
			size_t len = strcspn(text + at, " \t\n");
			if (len == n && memcmp(text + at, word, n) == 0)
				return true;
			at += len;
			at += strspn(text + at, " \t");
		}
		text += line + (text[line] != '\0');
	}
	return false;
}

/* Who gets another number leaves its name to the next one, or to nobody. */
static void warn_named(const struct warning *w)
{
	char base[128], name[136], sentence[240];
	uint32_t number = w->change->before.number;
	if (is_new(w) || number == w->change->after.number || !w->words->maybe_fstab)
		return;
	(void)snprintf(name, sizeof(name), "/dev/%s",
		       af_text_part_name(w->words->dev_name, number, base, sizeof(base)));
	if (!has_word(w->words->maybe_fstab, name))
		return;
	(void)snprintf(
		sentence, sizeof(sentence),
		"is %s so far, and fstab or crypttab says so: change that, best to a "
		"UUID",
		name);
	warn(w, sentence);
}

void af_plan_warn(const struct af_layout *base, const struct af_layout *now,
		  const struct af_plan_words *words, struct af_plan *plan)
{
	struct warning w = { .base = base, .now = now, .words = words, .plan = plan };
	for (size_t i = 0; i < plan->nchanges; i++) {
		w.change = &plan->change[i];
		if (w.change->kind == AF_CHANGE_KEPT || w.change->kind == AF_CHANGE_REMOVED)
			continue;
		warn_efi(&w);
		warn_far(&w);
		warn_boot(&w);
		warn_named(&w);
	}
}
