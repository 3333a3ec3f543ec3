/*
 * world.c - layouts from words and back. Goes through the recipe language of disks.c, but never through an image: what
 * these layouts hold is what the words say.
 */
#include "world.h"
#include "afdisk/command.h"
#include "disks.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t some_guid[16] = { 0x0f, 0xc6, 0x3d, 0xaf, 0x84, 0x83, 0x47, 0x72,
				       0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4 };

static void die(const char *what, const char *why)
{
	(void)fprintf(stderr, "world: %s: %s\n", what, why);
	exit(99);
}

static void add_entry(struct af_layout *l, const struct disk_entry *entry)
{
	af_bytes ss = l->sector_size;
	struct af_part p = {
		.number = entry->number,
		.boot = entry->boot,
		.span = { (af_bytes)entry->start * ss,
			  (af_bytes)(entry->start + entry->count) * ss },
		.attrs = entry->attrs,
	};
	if (l->scheme == AF_SCHEME_GPT) {
		memcpy(p.type, some_guid, sizeof(p.type));
		p.uuid[0] = (uint8_t)entry->number;
		(void)snprintf(p.name, sizeof(p.name), "%s", entry->name);
	} else {
		p.type[0] = entry->type;
		if (entry->logical)
			p.role = AF_ROLE_LOGICAL;
		else if (af_scheme_is_extended_code(entry->type))
			p.role = AF_ROLE_EXTENDED;
		p.ebr = entry->logical ? (af_bytes)entry->ebr * ss : 0;
	}
	(void)af_layout_add(l, &p);
}

void world_make(struct world *w, const char *words)
{
	struct disk *d = calloc(1, sizeof(*d));
	char why[DISK_WHY];
	if (!d || !disk_read_words(words, d, why))
		die(words, why);
	enum af_scheme scheme = d->label == DISK_GPT   ? AF_SCHEME_GPT
				: d->label == DISK_DOS ? AF_SCHEME_MBR
						       : AF_SCHEME_NONE;
	struct af_err err;
	af_bytes size = (af_bytes)(d->sectors * d->sector_size);
	memset(w, 0, sizeof(*w));
	if (!af_layout_init(&w->layout, scheme, size, d->sector_size, &err))
		die(words, err.text);
	for (size_t i = 0; i < d->n; i++)
		add_entry(&w->layout, &d->entry[i]);
	w->topo = (struct af_topo){ .size = size,
				    .sector_size = d->sector_size,
				    .physical = 4096,
				    .physical_source = AF_SOURCE_ASSUMED };
	w->rules = af_align_rules(&w->topo, false);
	free(d);
}

void world_release(struct world *w)
{
	af_layout_release(&w->layout);
	af_contents_release(&w->contents);
}

static bool run_one(const struct world *w, struct af_command *cmd, struct af_layout *l,
		    struct af_err *err)
{
	const struct af_edit e = { .rules = &w->rules, .contents = &w->contents };
	struct af_layout next;
	uint32_t id;
	if (cmd->type_word[0])
		cmd->type[0] = cmd->add.type[0] =
			(uint8_t)strtoul(cmd->type_word, NULL, 16);
	if (!af_command_apply(cmd, l, &e, &next, &id, err))
		return false;
	af_layout_release(l);
	*l = next;
	return true;
}

bool world_run(struct world *w, const char *commands, struct af_err *err)
{
	struct af_layout now;
	struct af_command cmd;
	af_layout_copy(&w->layout, &now);
	int got;
	bool ran = true;
	while (ran && (got = af_command_next(&commands, &cmd, err)) != 0)
		ran = got == 1 && run_one(w, &cmd, &now, err);
	if (!ran) {
		af_layout_release(&now);
		return false;
	}
	af_layout_release(&w->layout);
	w->layout = now;
	return true;
}

static void show_part(const struct af_layout *l, const struct af_part *p, char *buf,
		      size_t size)
{
	uint32_t ss = l->sector_size;
	bool gpt = l->scheme == AF_SCHEME_GPT, logical = p->role == AF_ROLE_LOGICAL;
	const char *kind = gpt                           ? "g"
			   : p->role == AF_ROLE_EXTENDED ? "e"
			   : logical                     ? "l"
							 : "p";
	char type[8] = "", ebr[40] = "";
	if (!gpt)
		(void)snprintf(type, sizeof(type), ",%02x", p->type[0]);
	if (logical)
		(void)snprintf(ebr, sizeof(ebr), ",ebr=%" PRIu64, af_lba_of(p->ebr, ss).n);
	(void)snprintf(buf, size, "%s%s%" PRIu32 "=%" PRIu64 "+%" PRId64 "%s%s%s",
		       *buf ? " " : "", kind, p->number, af_lba_of(p->span.start, ss).n,
		       af_sectors(af_span_size(p->span), ss), type, p->boot ? ",boot" : "",
		       ebr);
}

const char *world_show(const struct af_layout *l, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; i < l->nparts; i++) {
		size_t used = strlen(buf);
		char one[160];
		one[0] = used ? 'x' : '\0';
		one[1] = '\0';
		show_part(l, &l->part[i], one, sizeof(one));
		(void)snprintf(buf + used, size - used, "%s", one);
	}
	return buf;
}
