/*
 * prop_change.c - tables that others made, changed in one place. On thousands of random disks, written by a writer that is
 * not ours (disks.c, and random bytes where a table leaves them free): one command on one partition is carried out and
 * written; an independent reader must then find that change and no other, and byte by byte nothing may differ but
 * the entry of that partition, the links and checksums that follow from it, and what the plan had named.
 *
 * SEED=n repeats a run, ROUNDS=n changes its length.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <cmocka.h>

#include "afdisk/command.h"
#include "afdisk/commit.h"
#include "afdisk/label.h"
#include "folder.h"
#include "gen.h"
#include "reader.h"
#include "wild.h"

#define ROUNDS     11500 /* for each kind of table; a tenth of the commands is refused */
#define MAX_SECTOR 4096

/* One round: the disk, its copy as it was, and what the independent reader saw. */
struct round {
	uint64_t seed;
	struct gen g;
	struct disk *disk;
	struct memdev m, was;
	struct reader_table before, wanted, after;
	struct af_command cmd;
	char words[200];
	uint32_t number;   /* the partition that the command names, 0 for a new one */
	uint64_t old_ebr;  /* of that one; 0 if it is no logical */
	uint64_t refusals; /* of all rounds */
};

#define HOLDS(r, condition, why)                                                           \
	do {                                                                               \
		if (!(condition))                                                          \
			fail_msg("SEED=%" PRIu64 " ROUNDS=1: \"%s\": not " #condition      \
				 ": %s",                                                   \
				 (r)->seed, (r)->words, why);                              \
	} while (0)

/* ------------------------------------------------------------------ one command */

static bool one_in(struct round *r, uint64_t n)
{
	return gen_below(&r->g, n) == 0;
}

static const struct reader_part *any_part(struct round *r)
{
	const struct reader_table *t = &r->before;
	return t->n ? &t->part[gen_below(&r->g, t->n)] : NULL;
}

static void say(struct round *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct round *r, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	(void)vsnprintf(r->words, sizeof(r->words), fmt, args);
	va_end(args);
}

/* Commands about an entry's fields. */
static void say_field(struct round *r, bool gpt, const struct reader_part *p)
{
	char uuid[40];
	wild_guid(&r->g, uuid);
	const unsigned kind = (unsigned)gen_below(&r->g, gpt ? 5 : 2);
	const char *on = one_in(r, 2) ? "on" : "off";
	if (kind == 0)
		say(r, "type %u 83", p->number);
	else if (kind == 1)
		say(r, "boot %u %s", p->number, on);
	else if (kind == 2)
		say(r, "name %u '%s'", p->number, one_in(r, 2) ? "new \xc3\xa4" : "");
	else if (kind == 3)
		say(r, "attr %u %u %s", p->number, (unsigned)gen_below(&r->g, 64), on);
	else
		say(r, "uuid %u %s", p->number, uuid);
}

static void say_command(struct round *r, bool gpt)
{
	const struct reader_part *p = any_part(r);
	const unsigned kind = (unsigned)gen_below(&r->g, 6);
	r->number = p && kind < 5 ? p->number : 0;
	if (!p || kind == 5)
		say(r, "new size=%" PRIu64 "s", gen_between(&r->g, 1, 3000));
	else if (kind == 4)
		say(r, "delete %u", p->number);
	else if (kind == 3)
		say(r, "resize %u end=%" PRIu64 "s", p->number,
		    p->start + gen_below(&r->g, p->count + 300));
	else if (kind == 2)
		say(r, "resize %u start=%" PRIu64 "s", p->number,
		    p->start + gen_below(&r->g, p->count));
	else
		say_field(r, gpt, p);
}

/* Reads the words; types and identities are resolved here, as a session does. */
static void read_command(struct round *r, bool gpt)
{
	const char *words = r->words;
	struct af_err err = { 0 };
	HOLDS(r, af_command_next(&words, &r->cmd, &err) == 1, err.text);
	if (r->cmd.verb != AF_VERB_TYPE && r->cmd.verb != AF_VERB_NEW)
		return;
	memset(r->cmd.type, gpt ? 0x5a : 0, sizeof(r->cmd.type));
	if (!gpt)
		r->cmd.type[0] = 0x83;
	memcpy(r->cmd.add.type, r->cmd.type, sizeof(r->cmd.type));
	memset(r->cmd.uuid, gpt ? 0x77 : 0, sizeof(r->cmd.uuid));
}

/* ------------------------------------------------------------------ what must follow, and nothing else */

static struct reader_part *find(struct reader_table *t, uint32_t number)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->part[i].number == number)
			return &t->part[i];
	return NULL;
}

static struct reader_part *find_container(struct reader_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->part[i].kind == READER_EXTENDED)
			return &t->part[i];
	return NULL;
}

static void take_out(struct reader_table *t, const struct reader_part *p)
{
	const size_t i = (size_t)(p - t->part); /* it is one of them */
	memmove(&t->part[i], &t->part[i + 1], (t->n - i - 1) * sizeof(*p));
	t->n--;
}

/* Logicals behind the one that went move up; with an extended partition go all of them. */
static void want_deleted(struct reader_table *t, uint32_t number)
{
	struct reader_part *p = find(t, number);
	const enum reader_kind kind = p->kind;
	take_out(t, p);
	for (size_t i = t->n; i-- > 0;)
		if (kind == READER_EXTENDED && t->part[i].kind == READER_LOGICAL)
			take_out(t, &t->part[i]);
		else if (kind == READER_LOGICAL && t->part[i].number > number)
			t->part[i].number--;
}

/* Fields that a command names are taken from what was read afterwards, and looked at by want_field(). */
static void want_named(struct round *r)
{
	struct reader_part *p = find(&r->wanted, r->number);
	const struct reader_part *now = find(&r->after, r->number);
	if (!p || !now) {
		HOLDS(r, false, "the partition is gone");
		return;
	}
	if (r->cmd.verb == AF_VERB_TYPE)
		memcpy(p->type, r->cmd.type, 16);
	if (r->cmd.verb == AF_VERB_UUID)
		memcpy(p->uuid, now->uuid, 16);
	if (r->cmd.verb == AF_VERB_NAME)
		memcpy(p->name, now->name, sizeof(p->name));
	if (r->cmd.verb == AF_VERB_ATTR) {
		const uint64_t bit = UINT64_C(1) << r->cmd.bit;
		p->attrs = r->cmd.on ? p->attrs | bit : p->attrs & ~bit;
	}
	if (r->cmd.verb == AF_VERB_RESIZE) {
		p->start = now->start;
		p->count = now->count;
	}
}

/* An MBR has one active primary; a GPT's flag is bit 2 of the attributes. */
static void want_boot(struct round *r)
{
	struct reader_part *named = find(&r->wanted, r->number);
	if (r->wanted.label == READER_GPT) {
		named->attrs = r->cmd.on ? named->attrs | 4 : named->attrs & ~UINT64_C(4);
		return;
	}
	const bool clears = r->cmd.on && named->kind != READER_LOGICAL;
	for (size_t i = 0; clears && i < r->wanted.n; i++)
		if (r->wanted.part[i].kind != READER_LOGICAL)
			r->wanted.part[i].boot = false;
	named->boot = r->cmd.on;
}

/* The new one is the one that is nobody from before; it lies where nobody was. */
static void want_new(struct round *r)
{
	const struct reader_part *new = NULL;
	for (size_t i = 0; i < r->after.n && !new; i++)
		if (!find(&r->before, r->after.part[i].number))
			new = &r->after.part[i];
	if (!new) {
		HOLDS(r, false, "no new partition");
		return;
	}
	r->number = new->number;
	for (size_t i = 0; i < r->before.n; i++) {
		const struct reader_part *p = &r->before.part[i];
		HOLDS(r,
		      p->kind == READER_EXTENDED || new->start + new->count <= p->start ||
			      p->start + p->count <= new->start,
		      "it lies over another one");
	}
	r->wanted.part[r->wanted.n++] = *new;
}

/* A container may grow with its logicals; the head of the chain may be housed anew where the old one went. */
static void allow_what_follows(struct round *r, bool chain)
{
	struct reader_part *was = find_container(&r->wanted);
	const struct reader_part *now = find_container(&r->after);
	if (was && now && chain && now->start <= was->start &&
	    now->start + now->count >= was->start + was->count) {
		was->start = now->start;
		was->count = now->count;
	}
	for (size_t i = 0; i < r->wanted.n; i++) {
		struct reader_part *p = &r->wanted.part[i];
		const struct reader_part *q = find(&r->after, p->number);
		const bool head = q && now && q->ebr == now->start;
		if (p->kind == READER_LOGICAL && chain && q &&
		    (head || p->number == r->number))
			p->ebr = q->ebr;
	}
}

static bool same_part(const struct reader_part *a, const struct reader_part *b)
{
	return a->kind == b->kind && a->boot == b->boot && a->start == b->start &&
	       a->count == b->count && a->ebr == b->ebr && a->attrs == b->attrs &&
	       memcmp(a->type, b->type, 16) == 0 && memcmp(a->uuid, b->uuid, 16) == 0 &&
	       memcmp(a->name, b->name, sizeof(a->name)) == 0;
}

static void want(struct round *r)
{
	const struct reader_part *named = find(&r->before, r->number);
	bool chain = named && named->kind != READER_PRIMARY;
	r->wanted = r->before;
	if (r->cmd.verb == AF_VERB_DELETE)
		want_deleted(&r->wanted, r->number);
	else if (r->cmd.verb == AF_VERB_NEW)
		want_new(r);
	else if (r->cmd.verb == AF_VERB_BOOT)
		want_boot(r);
	else
		want_named(r);
	if (r->cmd.verb == AF_VERB_NEW)
		chain = find(&r->after, r->number)->kind == READER_LOGICAL;
	allow_what_follows(r, chain);
}

static void check_tables(struct round *r)
{
	want(r);
	HOLDS(r, r->wanted.n == r->after.n, "another number of partitions");
	HOLDS(r, memcmp(r->wanted.id, r->after.id, 16) == 0, "the disk's identity");
	HOLDS(r, r->wanted.first == r->after.first && r->wanted.last == r->after.last,
	      "the usable range");
	for (size_t i = 0; i < r->wanted.n; i++) {
		const struct reader_part *p = &r->wanted.part[i];
		const struct reader_part *q = find(&r->after, p->number);
		char why[40];
		(void)snprintf(why, sizeof(why), "partition %u", p->number);
		HOLDS(r, q && same_part(p, q), why);
	}
}

/* ------------------------------------------------------------------ byte by byte */

/* True if a byte of sector 0 of an MBR may differ: the entry of a partition that differs. */
static bool may_differ_in_mbr(struct round *r, size_t byte)
{
	if (byte < 446 || byte >= 510)
		return false;
	const uint32_t number = (uint32_t)((byte - 446) / 16 + 1);
	const struct reader_part *p = find(&r->before, number),
				 *q = find(&r->after, number);
	return !p || !q || !same_part(p, q);
}

/* In an EBR: its link, and everything if it is of the partition named, or of the head where that changed. */
static bool may_differ_in_ebr(struct round *r, uint64_t sector, size_t byte)
{
	const struct reader_part *named = find(&r->after, r->number);
	const bool chain = r->cmd.verb == AF_VERB_DELETE || r->cmd.verb == AF_VERB_NEW ||
			   r->cmd.verb == AF_VERB_RESIZE;
	if (sector == r->old_ebr || (named && named->ebr == sector))
		return true;
	const struct reader_part *container = find_container(&r->after);
	if (chain && container && container->start == sector)
		return true;
	return chain && byte >= 462 && byte < 478;
}

/* In a GPT: the two checksums of a header, and the entry of the partition named. */
static bool may_differ_in_gpt(struct round *r, uint64_t sector, size_t byte)
{
	const uint64_t last = r->disk->sectors - 1;
	const uint64_t slots = 128 * 128 / r->disk->sector_size;
	if (sector == 1 || sector == last)
		return (byte >= 16 && byte < 20) || (byte >= 88 && byte < 92);
	const uint64_t array = sector >= 2 && sector < 2 + slots ? 2 : last - slots;
	const uint64_t at = (sector - array) * r->disk->sector_size + byte;
	return sector >= array && sector < array + slots && at / 128 + 1 == r->number;
}

static void check_byte(struct round *r, const struct af_patch *plan, af_bytes at)
{
	const uint64_t sector = (uint64_t)at / r->disk->sector_size;
	const size_t byte = (size_t)((uint64_t)at % r->disk->sector_size);
	bool may;
	char why[60];
	if (r->disk->label == DISK_GPT)
		may = may_differ_in_gpt(r, sector, byte);
	else
		may = sector ? may_differ_in_ebr(r, sector, byte)
			     : may_differ_in_mbr(r, byte);
	(void)snprintf(why, sizeof(why), "byte %zu of sector %" PRIu64, byte, sector);
	HOLDS(r, af_patch_at(plan, at) != NULL, why);
	HOLDS(r, may, why);
}

static void check_bytes(struct round *r, const struct af_patch *plan)
{
	unsigned char was[MAX_SECTOR], is[MAX_SECTOR];
	const size_t size = r->disk->sector_size;
	for (af_bytes at = 0; memdev_next(&r->m, &at, is); at += (af_bytes)size) {
		memdev_peek(&r->was, at, was, size);
		for (size_t i = 0; i < size; i++)
			if (was[i] != is[i])
				check_byte(r, plan, at + (af_bytes)i);
	}
}

/* ------------------------------------------------------------------ a round */

static struct af_rules exact_rules(const struct disk *d)
{
	const struct af_topo topo = {
		.size = (af_bytes)(d->sectors * d->sector_size),
		.sector_size = d->sector_size,
		.physical = 4096,
	};
	return af_align_rules(&topo, true);
}

/* Writes it: most by the plan's runs, some by a whole commit with its backup file. */
static void write_it(struct round *r, const struct af_layout *base,
		     const struct af_layout *now, struct af_patch *plan)
{
	struct af_err err = { 0 };
	struct af_commit_report report;
	const struct af_commit_change whole = { .base = base, .now = now }, rendered = {
		.base = base, .now = now, .maybe_patch = plan
	};
	HOLDS(r, af_label_render(&r->m.dev, base, now, plan, &err), err.text);
	if (r->seed % 32)
		memdev_apply(&r->m, plan);
	else
		HOLDS(r,
		      af_commit(&r->m.dev, r->seed % 64 ? &whole : &rendered, &report,
				&err),
		      err.text);
}

static void change(struct round *r, const struct af_layout *base, bool gpt)
{
	const struct af_rules rules = exact_rules(r->disk);
	const struct af_contents nothing = { 0 };
	const struct af_edit edit = { .rules = &rules, .contents = &nothing };
	struct af_patch plan = { 0 };
	struct af_layout now;
	struct af_err err = { 0 };
	uint32_t id = 0;
	say_command(r, gpt);
	read_command(r, gpt);
	if (!af_command_apply(&r->cmd, base, &edit, &now, &id, &err)) {
		HOLDS(r, err.code != AF_OK && err.text[0], "a refusal without a reason");
		r->refusals++;
		return;
	}
	const struct reader_part *named = find(&r->before, r->number);
	r->old_ebr = named ? named->ebr : 0;
	write_it(r, base, &now, &plan);
	HOLDS(r,
	      reader_read(r->m.fd, (uint64_t)r->m.dev.size, r->disk->sector_size,
			  &r->after),
	      r->after.fault);
	check_tables(r);
	check_bytes(r, &plan);
	af_patch_release(&plan);
	af_layout_release(&now);
}

static void one_round(struct round *r, uint64_t seed, bool gpt)
{
	struct af_layout base;
	struct af_label_note note;
	struct af_err err = { 0 };
	char why[120];
	r->seed = seed;
	r->g = (struct gen){ seed };
	r->words[0] = '\0';
	wild_disk(&r->g, gpt, r->disk, &r->m);
	memdev_copy(&r->m, &r->was);
	HOLDS(r,
	      reader_read(r->m.fd, (uint64_t)r->m.dev.size, r->disk->sector_size,
			  &r->before),
	      r->before.fault);
	HOLDS(r, af_label_read(&r->m.dev, &base, &note, &err), err.text);
	HOLDS(r, !note.read_only, note.why);
	if (base.scheme == AF_SCHEME_MBR)
		HOLDS(r, gen_agrees(&r->before, &base, why), why);
	change(r, &base, gpt);
	af_layout_release(&base);
	memdev_close(&r->was);
	memdev_close(&r->m);
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : otherwise;
}

static void run(bool gpt)
{
	struct round *r = calloc(1, sizeof(*r)); /* large */
	struct disk *d = calloc(1, sizeof(*d));
	uint32_t any = 1;
	if (getrandom(&any, sizeof(any), 0) != sizeof(any))
		any = 1;
	const uint64_t seed = number_from("SEED", any), n = number_from("ROUNDS", ROUNDS);
	assert_true(r && d);
	r->disk = d;
	print_message("SEED=%" PRIu64 "\n", seed);
	for (uint64_t i = 0; i < n; i++)
		one_round(r, seed + i, gpt);
	print_message("%" PRIu64 " tables changed, %" PRIu64 " commands refused\n",
		      n - r->refusals, r->refusals);
	assert_true(n < 100 || r->refusals < n / 2);
	free(d);
	free(r);
}

static void test_change__of_an_mbr_changes_what_was_named_only(void **state)
{
	(void)state;
	run(false);
}

static void test_change__of_a_gpt_changes_what_was_named_only(void **state)
{
	(void)state;
	run(true);
}

static char root[200];

static int set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");
	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-change-XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(root) ? setenv("XDG_STATE_HOME", root, 1) : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return folder_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_change__of_an_mbr_changes_what_was_named_only),
		cmocka_unit_test(test_change__of_a_gpt_changes_what_was_named_only),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
