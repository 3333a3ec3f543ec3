/*
 * What changes between the table on disk and the table to be, and the steps that get there,
 * in sentences. Partitions are matched by id, so a moved one is not taken for a new one.
 * The order is that in which it is done: the table is saved, written and read back at the
 * end; a change of label comes first, since it decides about all the rest.
 */
#include "afdisk/plan.h"
#include "afdisk/fstool.h"
#include "plan_priv.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 128

/* What the sentences are made from. */
struct making {
	const struct af_layout *base, *now;
	const struct af_plan_words *words;
	struct af_plan *plan;
	bool converts; /* partitions of base come into a table of the other kind */
};

static enum af_change_kind kind_of(const struct af_part *before,
				   const struct af_part *after)
{
	if (af_span_size(before->span) != af_span_size(after->span))
		return AF_CHANGE_RESIZED;
	if (before->span.start != after->span.start)
		return AF_CHANGE_MOVED;
	return af_part_equal(before, after) ? AF_CHANGE_KEPT : AF_CHANGE_RETAGGED;
}

static void find_changes(const struct af_layout *base, const struct af_layout *now,
			 struct af_plan *plan)
{
	plan->change = af_alloc(base->nparts + now->nparts, sizeof(*plan->change));
	for (size_t i = 0; i < base->nparts; i++)
		if (af_layout_find(now, base->part[i].id) == NULL)
			plan->change[plan->nchanges++] =
				(struct af_change){ .kind = AF_CHANGE_REMOVED,
						    .before = base->part[i] };
	for (size_t i = 0; i < now->nparts; i++) {
		const struct af_part *after = &now->part[i];
		const struct af_part *before = af_layout_find(base, after->id);
		struct af_change c = { .kind = AF_CHANGE_ADDED, .after = *after };
		if (before != NULL) {
			c.kind = kind_of(before, after);
			c.before = *before;
		}
		plan->change[plan->nchanges++] = c;
	}
}

void af_plan_add(struct af_plan *plan, const char *word, uint32_t partition,
		 struct af_text *sentence)
{
	plan->step = af_realloc(plan->step, plan->nsteps + 1, sizeof(*plan->step));
	struct af_step *step = &plan->step[plan->nsteps++];
	*step = (struct af_step){ .partition = partition };
	(void)snprintf(step->step, sizeof(step->step), "%s", word);
	af_text_clean(af_text_get(sentence), step->detail, sizeof(step->detail));
	af_text_release(sentence);
}

static int64_t sector(const struct af_layout *l, af_bytes at)
{
	return at / l->sector_size;
}

/* "10.0 GiB at sectors 2048 to 20973567" */
static void say_place(struct af_text *t, const struct af_layout *l, struct af_span s)
{
	char size[AF_SHORT];
	af_text_add(t, "%s at sectors %" PRId64 " to %" PRId64,
		    af_text_size(af_span_size(s), size), sector(l, s.start),
		    sector(l, s.end) - 1);
}

/* "ext4 \"home\"", or "content" where nobody could look. */
static void say_content(struct af_text *t, const struct af_content *c)
{
	if (c->state != AF_CONTENT_FOUND) {
		af_text_add(t, "content");
		return;
	}
	af_text_add(t, "%s", c->fs);
	if (c->label[0] != '\0')
		af_text_add(t, " \"%s\"", c->label);
}

/* The type of p, a partition of l, as the lists have it; NULL if they do not. */
static const char *type_name(const struct making *m, const struct af_layout *l,
			     const struct af_part *p)
{
	const struct af_types *list =
		l->scheme == AF_SCHEME_GPT ? m->words->gpt_types : m->words->mbr_types;
	const char *name = af_scheme_type_name(list, p->type);
	return strcmp(name, "Unknown") != 0 ? name : NULL;
}

/* "Linux", "logical, type 12"; "extended", whichever of its types it has. */
static void say_type(struct af_text *t, const struct making *m, const struct af_layout *l,
		     const struct af_part *p)
{
	const char *name = type_name(m, l, p);
	char code[40];
	if (p->role == AF_ROLE_EXTENDED) {
		af_text_add(t, "extended");
		return;
	}
	af_scheme_type_text(l->scheme, p->type, code);
	af_text_add(t, "%s%s%s", p->role == AF_ROLE_LOGICAL ? "logical, " : "",
		    name != NULL ? "" : "type ", name != NULL ? name : code);
	if (p->name[0] != '\0')
		af_text_add(t, ", \"%s\"", p->name);
}

static void say_delete(const struct making *m, const struct af_part *p)
{
	char name[NAME_SIZE], size[AF_SHORT];
	struct af_text t = { 0 };
	const struct af_content *c = af_contents_find(m->words->contents, p->id);
	af_text_add(&t, "delete %s: %s at sector %" PRId64 " (",
		    af_text_part_name(m->words->dev_name, p->number, name, sizeof(name)),
		    af_text_size(af_span_size(p->span), size),
		    sector(m->base, p->span.start));
	say_type(&t, m, m->base, p);
	if (c != NULL && c->state == AF_CONTENT_FOUND) {
		af_text_add(&t, ", holds ");
		say_content(&t, c);
	}
	af_text_add(&t, ")");
	af_plan_add(m->plan, "delete", p->number, &t);
}

static void say_add(const struct making *m, const struct af_part *p)
{
	char name[NAME_SIZE];
	struct af_text t = { 0 };
	af_text_add(&t, "add %s: ",
		    af_text_part_name(m->words->dev_name, p->number, name, sizeof(name)));
	say_place(&t, m->now, p->span);
	af_text_add(&t, " (");
	say_type(&t, m, m->now, p);
	if (p->role == AF_ROLE_LOGICAL)
		af_text_add(&t, ", its EBR at %" PRId64, sector(m->now, p->ebr));
	af_text_add(&t, "%s)", p->boot ? ", boot flag on" : "");
	af_plan_add(m->plan, "add", p->number, &t);
}

/* What the size of an entry means to the content, whose place stays. */
static void say_room(struct af_text *t, const struct making *m, const struct af_change *c,
		     const struct af_content *inside)
{
	char dev[NAME_SIZE];
	const af_bytes room = af_span_size(c->after.span);
	if (af_content_excess(inside, c->after.span) > 0) {
		char size[AF_SHORT];
		af_text_add(t, " inside needs %s and is cut off",
			    af_text_size(inside->fs_size, size));
		return;
	}
	af_text_add(t, " inside keeps its size");
	if (room <= af_span_size(c->before.span) || inside->state != AF_CONTENT_FOUND ||
	    inside->fs_size == room)
		return;
	struct af_text how = { 0 };
	af_fstool_grow(
		inside->fs,
		af_text_part_path(m->words->dev_name, c->after.number, dev, sizeof(dev)),
		&how);
	if (how.len > 0)
		af_text_add(t, ": %s", af_text_get(&how));
	af_text_release(&how);
}

/* What becomes of the data when an entry moves or shrinks. */
static void say_data(struct af_text *t, const struct making *m, const struct af_change *c)
{
	const struct af_content *inside =
		af_contents_find(m->words->contents, c->before.id);
	if (c->before.role == AF_ROLE_EXTENDED || inside == NULL)
		return;
	if (inside->state == AF_CONTENT_NONE) {
		if (c->before.span.start != c->after.span.start)
			af_text_add(
				t,
				"; nothing is recognised inside, only the entry changes");
		return;
	}
	af_text_add(t, "; only the entry changes: the ");
	say_content(t, inside);
	if (c->before.span.start != c->after.span.start)
		af_text_add(t, " inside stays at sector %" PRId64,
			    sector(m->base, c->before.span.start));
	else
		say_room(t, m, c, inside);
}

static void say_number(struct af_text *t, const struct making *m, const struct af_change *c)
{
	if (c->before.number == c->after.number)
		return;
	char name[NAME_SIZE];
	af_text_add(
		t, ", and becomes %s",
		af_text_part_name(m->words->dev_name, c->after.number, name, sizeof(name)));
}

static void say_move(const struct making *m, const struct af_change *c)
{
	char name[NAME_SIZE];
	struct af_text t = { 0 };
	af_text_add(
		&t, "move %s: from sector %" PRId64 " to %" PRId64,
		af_text_part_name(m->words->dev_name, c->before.number, name, sizeof(name)),
		sector(m->base, c->before.span.start), sector(m->now, c->after.span.start));
	say_number(&t, m, c);
	say_data(&t, m, c);
	af_plan_add(m->plan, "move", c->after.number, &t);
}

static void say_resize(const struct making *m, const struct af_change *c)
{
	char name[NAME_SIZE];
	struct af_text t = { 0 };
	af_text_add(&t, "resize %s: from ",
		    af_text_part_name(m->words->dev_name, c->before.number, name,
				      sizeof(name)));
	say_place(&t, m->base, c->before.span);
	af_text_add(&t, " to ");
	say_place(&t, m->now, c->after.span);
	say_number(&t, m, c);
	say_data(&t, m, c);
	af_plan_add(m->plan, "resize", c->after.number, &t);
}

/* Starts the next of a list of differences. */
static struct af_text *another(struct af_text *t)
{
	af_text_add(t, "%s", t->len == 0 ? "" : ", ");
	return t;
}

static void say_attrs(struct af_text *t, const struct af_part *a, const struct af_part *b)
{
	for (unsigned bit = 0; bit < 64; bit++)
		if (((a->attrs ^ b->attrs) >> bit & 1) != 0)
			af_text_add(another(t), "attribute bit %u %s", bit,
				    (b->attrs >> bit & 1) != 0 ? "on" : "off");
}

static void say_type_change(struct af_text *t, const struct making *m,
			    const struct af_change *c)
{
	const char *old = type_name(m, m->base, &c->before),
		   *new = type_name(m, m->now, &c->after);
	char old_code[40], new_code[40];
	if (memcmp(c->before.type, c->after.type, sizeof(c->before.type)) == 0)
		return;
	af_scheme_type_text(m->base->scheme, c->before.type, old_code);
	af_scheme_type_text(m->now->scheme, c->after.type, new_code);
	bool twins = old != NULL && new != NULL &&strcmp(old, new) == 0 && !m->converts;
	af_text_add(another(t), "type %s becomes %s",
		    old != NULL && !twins ? old : old_code,
		    new != NULL && !twins ? new : new_code);
}

static void say_uuid(struct af_text *t, const struct af_part *a, const struct af_part *b)
{
	char uuid[40];
	if (memcmp(a->uuid, b->uuid, sizeof(a->uuid)) == 0)
		return;
	af_scheme_uuid_text(b->uuid, uuid);
	af_text_add(another(t), "UUID becomes %s", uuid);
}

/* What an entry cannot say in the other kind of table. Bits that go on as the active flag or in the type are not lost. */
static void say_lost(struct af_text *t, const struct making *m, const struct af_change *c)
{
	uint64_t lost = c->before.attrs;
	struct af_scheme_kind kind = { 0 }, was = { 0 };
	if (m->now->scheme == AF_SCHEME_GPT)
		return;
	memcpy(kind.type, c->after.type, sizeof(kind.type));
	if (af_scheme_convert(AF_SCHEME_MBR, &kind, &was) && was.hidden)
		lost &= ~(UINT64_C(1) << 62);
	if (c->after.boot)
		lost &= ~(UINT64_C(1) << 2);
	if (c->before.name[0] != '\0')
		af_text_add(another(t), "its name \"%s\" is lost", c->before.name);
	if (lost != 0)
		af_text_add(another(t), "its attributes (%016" PRIX64 ") are lost", lost);
}

/* The differences of two entries, but for place and number. */
static void say_tags(struct af_text *t, const struct making *m, const struct af_change *c)
{
	const struct af_part *a = &c->before, *b = &c->after;
	say_type_change(t, m, c);
	if (a->role != b->role)
		af_text_add(another(t), "%s",
			    b->role == AF_ROLE_LOGICAL        ? "becomes a logical one"
			    : m->now->scheme == AF_SCHEME_GPT ? "no longer a logical one"
							      : "becomes a primary one");
	if (m->converts) {
		say_lost(t, m, c);
		return;
	}
	if (a->boot != b->boot)
		af_text_add(another(t), "boot flag %s", b->boot ? "on" : "off");
	if (strcmp(a->name, b->name) != 0)
		af_text_add(another(t), "name \"%s\" becomes \"%s\"", a->name, b->name);
	say_uuid(t, a, b);
	say_attrs(t, a, b);
}

/* "sda7 becomes sda6", or "change sda7: ", which the differences follow. */
static void say_who(struct af_text *t, const struct making *m, const struct af_change *c)
{
	char old[NAME_SIZE], new[NAME_SIZE];
	(void)af_text_part_name(m->words->dev_name, c->before.number, old, sizeof(old));
	(void)af_text_part_name(m->words->dev_name, c->after.number, new, sizeof(new));
	if (c->kind == AF_CHANGE_RETAGGED && c->before.number != c->after.number)
		af_text_add(t, "%s becomes %s", old, new);
	else
		af_text_add(t, "change %s", old);
}

static void say_change(const struct making *m, const struct af_change *c)
{
	struct af_text tags = { 0 }, t = { 0 };
	bool in_place = c->kind == AF_CHANGE_RETAGGED;
	say_tags(&tags, m, c);
	bool had = c->before.ebr != 0, has = c->after.ebr != 0;
	if (has && (m->converts || !had))
		af_text_add(another(&tags), "its EBR at %" PRId64,
			    sector(m->now, c->after.ebr));
	else if (had && has && in_place && c->before.ebr != c->after.ebr)
		af_text_add(another(&tags),
			    "its EBR moves from sector %" PRId64 " to %" PRId64,
			    sector(m->base, c->before.ebr), sector(m->now, c->after.ebr));
	say_who(&t, m, c);
	if (tags.len != 0)
		af_text_add(&t, ": %s", af_text_get(&tags));
	if (in_place || tags.len != 0)
		af_plan_add(m->plan, "change", c->after.number, &t);
	af_text_release(&tags);
	af_text_release(&t);
}

/* Partitions of the table on disk that the new one does not have; *stay is how many it has. */
static size_t count_removed(const struct af_plan *plan, size_t *stay)
{
	size_t n = 0;
	*stay = 0;
	for (size_t i = 0; i < plan->nchanges; i++) {
		n += plan->change[i].kind == AF_CHANGE_REMOVED;
		*stay += plan->change[i].kind != AF_CHANGE_REMOVED &&
			 plan->change[i].kind != AF_CHANGE_ADDED;
	}
	return n;
}

/* What becomes of the table on disk. */
static void say_old_table(const struct making *m, struct af_text *t)
{
	size_t stay, lost = count_removed(m->plan, &stay);
	const char *kind = af_scheme_name(m->base->scheme);
	if (stay == 0 && lost != 0)
		af_text_add(t, ": its %s table is lost, with %zu partition%s", kind, lost,
			    lost == 1 ? "" : "s");
	else
		af_text_add(t, ": it replaces a %s table", kind);
	if (stay != 0)
		af_text_add(t, ", of which %zu partition%s stay%s", stay,
			    stay == 1 ? "" : "s", stay == 1 ? "s" : "");
	if (stay != 0 && lost != 0)
		af_text_add(t, " and %zu go%s", lost, lost == 1 ? "es" : "");
}

static void say_label(const struct making *m)
{
	struct af_text t = { 0 };
	bool holds = m->words->holds != NULL && m->words->holds[0] != '\0';
	af_text_add(&t, "make a new %s table on %s", af_scheme_name(m->now->scheme),
		    af_text_base_name(m->words->dev_name));
	if (m->base->scheme != AF_SCHEME_NONE)
		say_old_table(m, &t);
	else if (!holds)
		af_text_add(&t, ": there is none so far");
	if (holds && m->base->scheme != AF_SCHEME_NONE)
		af_text_add(&t, ", and so is the %s", m->words->holds);
	else if (holds)
		af_text_add(&t, ": the %s on the whole disk is lost", m->words->holds);
	af_plan_add(m->plan, "label", 0, &t);
}

/* What a GPT does without, and what it needs. */
static void say_gpt_for_mbr(const struct making *m, struct af_text *t)
{
	const struct af_part *ext = af_layout_extended(m->base);
	struct af_text room = { 0 };
	if (ext != NULL) {
		char name[NAME_SIZE];
		af_text_add(t, "; the extended %s goes, its logical partitions stay",
			    af_text_part_name(m->words->dev_name, ext->number, name,
					      sizeof(name)));
	}
	af_plan_add(m->plan, "convert", 0, t);
	af_text_add(&room,
		    "the GPT takes sectors 1 to %" PRId64
		    ": a boot loader there, such as GRUB, has to be installed again",
		    sector(m->now, m->now->usable.start) - 1);
	af_plan_add(m->plan, "convert", 0, &room);
}

static void say_convert(const struct making *m)
{
	struct af_text t = { 0 };
	af_text_add(&t,
		    "convert the %s table of %s to %s: every partition stays where it is",
		    af_scheme_name(m->base->scheme), af_text_base_name(m->words->dev_name),
		    af_scheme_name(m->now->scheme));
	if (m->now->scheme == AF_SCHEME_GPT) {
		say_gpt_for_mbr(m, &t);
		return;
	}
	af_text_add(&t, "; its UUID and those of the partitions are lost");
	af_plan_add(m->plan, "convert", 0, &t);
}

static void say_one(const struct making *m, const struct af_change *c)
{
	switch (c->kind) {
	case AF_CHANGE_KEPT:
		return;
	case AF_CHANGE_REMOVED:
		say_delete(m, &c->before);
		return;
	case AF_CHANGE_ADDED:
		say_add(m, &c->after);
		return;
	case AF_CHANGE_MOVED:
		say_move(m, c);
		break;
	case AF_CHANGE_RESIZED:
		say_resize(m, c);
		break;
	case AF_CHANGE_RETAGGED:
		break;
	}
	say_change(m, c);
}

/* A new table says itself that what was there goes, a conversion that the extended partition does. */
static bool is_told(const struct making *m, const struct af_change *c, bool fresh)
{
	if (c->kind != AF_CHANGE_REMOVED)
		return true;
	return m->converts ? c->before.role != AF_ROLE_EXTENDED : !fresh;
}

static void say_writing(const struct making *m)
{
	const char *disk = af_text_base_name(m->words->dev_name);
	struct af_text t = { 0 };
	af_text_add(&t, "save the old sectors of the table of %s in a backup file", disk);
	af_plan_add(m->plan, "backup", 0, &t);
	af_text_add(&t, "write the table to %s", disk);
	af_plan_add(m->plan, "write", 0, &t);
	af_text_add(&t, "read it back from %s and compare", disk);
	af_plan_add(m->plan, "verify", 0, &t);
}

void af_plan_make(const struct af_layout *base, const struct af_layout *now,
		  const struct af_plan_words *words, struct af_plan *out)
{
	struct af_plan plan = { 0 };
	struct making m = { .base = base, .now = now, .words = words, .plan = &plan };
	find_changes(base, now, &plan);
	bool fresh = af_layout_is_new(base, now);
	m.converts = af_layout_converts(base, now);
	if (m.converts)
		say_convert(&m);
	else if (fresh)
		say_label(&m);
	else
		af_plan_repair(base, now, &plan);
	if (!fresh)
		af_plan_id(base, now, words, &plan);
	for (size_t i = 0; i < plan.nchanges; i++)
		if (is_told(&m, &plan.change[i], fresh))
			say_one(&m, &plan.change[i]);
	af_plan_hybrid(base, now, words->dev_name, &plan);
	af_plan_warn(base, now, words, &plan);
	if (plan.nsteps != 0)
		say_writing(&m);
	*out = plan;
}

bool af_plan_is_warning(const struct af_step *step)
{
	return strcmp(step->step, "warning") == 0;
}

void af_plan_release(struct af_plan *p)
{
	free(p->change);
	free(p->step);
	*p = (struct af_plan){ 0 };
}
