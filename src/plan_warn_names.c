/*
 * plan_warn_names.c - lines of fstab(5) and crypttab(5) that name a partition of the disk: by its number, by its
 * PARTUUID, or by the UUID of what is inside. Who gets another number leaves its name to the next one, or to nobody.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plan_warn.h"

/* True if the n bytes at text are word, with quotes around its value or without, in any case. */
static bool is_word(const char *text, size_t n, const char *word)
{
	char bare[160];
	size_t used = 0;
	for (size_t i = 0; i < n && used + 1 < sizeof(bare); i++)
		if (text[i] != '"')
			bare[used++] = text[i];
	bare[used] = '\0';
	return strcasecmp(bare, word) == 0;
}

/* True if a line of text that is no comment has that word. */
static bool has_word(const char *text, const char *word)
{
	while (*text != '\0') {
		size_t line = strcspn(text, "\n");
		size_t at = strspn(text, " \t");
		while (at < line && text[at] != '#') {
			size_t len = strcspn(text + at, " \t\n");
			if (is_word(text + at, len, word))
				return true;
			at += len;
			at += strspn(text + at, " \t");
		}
		text += line + (text[line] != '\0');
	}
	return false;
}

/* How Linux names a partition by its table: "10bd10bc-05", or the UUID of a GPT's entry. */
static void partuuid(const struct af_layout *l, const struct af_part *p, char buf[64])
{
	char id[40];
	if (l->scheme == AF_SCHEME_GPT) {
		af_scheme_uuid_text(p->uuid, id);
		(void)snprintf(buf, 64, "PARTUUID=%s", id);
		return;
	}
	af_scheme_id_text(l->scheme, l->disk_id, id); /* "0x10bd10bc" */
	(void)snprintf(buf, 64, "PARTUUID=%s-%02x", id + 2, (unsigned)p->number);
}

static bool by_number(const struct warning *w, char name[136])
{
	char base[128];
	(void)snprintf(name, 136, "/dev/%s",
		       af_text_part_name(w->words->dev_name, w->change->before.number, base,
					 sizeof(base)));
	return has_word(w->words->maybe_fstab, name);
}

static bool by_content(const struct warning *w)
{
	const struct af_content *c = af_plan_warn_inside(w);
	char word[80];
	if (!c || c->uuid[0] == '\0')
		return false;
	(void)snprintf(word, sizeof(word), "UUID=%s", c->uuid);
	return has_word(w->words->maybe_fstab, word);
}

static void warn_gone(const struct warning *w)
{
	char name[136], id[64];
	partuuid(w->base, &w->change->before, id);
	if (by_number(w, name) || by_content(w) || has_word(w->words->maybe_fstab, id))
		af_plan_warn_part(
			w, w->change->before.number,
			"is named in fstab or crypttab: take that line out, or the "
			"system waits for it when it starts");
}

/* Another identifier of the same table is told as a whole. */
static bool is_told(const struct warning *w)
{
	return w->base->scheme == w->now->scheme &&
	       memcmp(w->base->disk_id, w->now->disk_id, sizeof(w->base->disk_id)) != 0;
}

void af_plan_warn_names(const struct warning *w)
{
	char name[136], old[64], new[64];
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	if (w->change->kind == AF_CHANGE_ADDED || !w->words->maybe_fstab)
		return;
	if (w->change->kind == AF_CHANGE_REMOVED) {
		warn_gone(w);
		return;
	}
	if (a->number != b->number && by_number(w, name))
		af_plan_warn_part(w, b->number,
				  "is %s so far, and fstab or crypttab says so: change "
				  "that, best to a UUID",
				  name);
	partuuid(w->base, a, old);
	partuuid(w->now, b, new);
	if (strcmp(old, new) != 0 && !is_told(w) && has_word(w->words->maybe_fstab, old))
		af_plan_warn_part(w, b->number,
				  "is %s so far, and fstab or crypttab says so: change "
				  "that, best to a UUID",
				  old);
}
