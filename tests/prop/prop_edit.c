/*
 * Random disks, random edits: a sound layout stays sound, what was not named stays as it was, aligning twice is
 * aligning once. The seed is printed; SEED=N repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "afdisk/text.h"
#include "gen.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DISKS 4000
#define EDITS 25

static struct gen gen;

static uint64_t below(uint64_t n)
{
	return gen_below(&gen, n);
}

/* A physical sector of 4 to 32 KiB, and how far sector 0 lies off its boundary. */
static void random_drive(struct af_topo *topo)
{
	unsigned times = below(3) ? 1 : 1U << below(4);
	topo->physical = 4096 * (af_bytes)times;
	if (below(4) == 0)
		topo->alignment_offset = (af_bytes)below(times * 4096 / topo->sector_size) *
					 topo->sector_size;
}

/* A disk of 1 MB to 16 GB with a random table on it. */
static void random_world(struct world *w)
{
	uint32_t sector_size = below(4) ? 512 : 4096;
	uint64_t sectors = below(4) ? 40000 + below(4000000) : 2000 + below(10000);
	af_bytes size = (af_bytes)sectors * (af_bytes)sector_size;
	enum af_scheme scheme = below(4) ? AF_SCHEME_MBR : AF_SCHEME_GPT;
	memset(w, 0, sizeof(*w));
	gen_layout(&gen, scheme, size, sector_size, &w->layout);
	w->topo = (struct af_topo){ .size = size, .sector_size = sector_size };
	random_drive(&w->topo);
	w->rules = af_align_rules(&w->topo, false);
}

static uint32_t some_number(const struct af_layout *l)
{
	return l->nparts && below(20) ? l->part[below(l->nparts)].number
				      : (uint32_t)below(12);
}

static void random_size(struct af_text *t, const struct af_layout *l)
{
	uint64_t sectors = (uint64_t)(l->disk_size / l->sector_size);
	switch (below(5)) {
	case 0:
		af_text_add(t, "max");
		return;
	case 1:
		af_text_add(t, "%u%%", (unsigned)below(101));
		return;
	case 2:
		af_text_add(t, "%uM", (unsigned)below(400));
		return;
	default:
		af_text_add(t, "%llu", (unsigned long long)below(sectors));
		return;
	}
}

static void random_new(struct af_text *t, const struct af_layout *l)
{
	static const char *const roles[] = { "",        "",        "primary",
					     "logical", "logical", "extended" };
	af_text_add(t, "new %s", roles[below(6)]);
	if (below(3) == 0)
		af_text_add(t, " start=%llu",
			    (unsigned long long)below(
				    (uint64_t)(l->disk_size / l->sector_size)));
	if (below(3)) {
		af_text_add(t, below(4) ? " size=" : " end=");
		random_size(t, l);
	}
}

static void random_resize(struct af_text *t, const struct af_layout *l, uint32_t number)
{
	af_text_add(t, "resize %u", number);
	uint64_t what = below(4);
	if (what < 2)
		af_text_add(t, " start=%s%llu",
			    below(2)   ? ""
			    : below(2) ? "+"
				       : "-",
			    (unsigned long long)below(90000));
	if (what) {
		af_text_add(t, below(2) ? " size=" : " end=");
		if (below(2))
			af_text_add(t, "%s%u", below(2) ? "+" : "-",
				    (unsigned)below(90000));
		else
			random_size(t, l);
	}
}

static void random_command(struct af_text *t, const struct af_layout *l, uint32_t *number)
{
	*number = some_number(l);
	switch (below(9)) {
	case 0:
	case 1:
	case 2:
		*number = 0;
		random_new(t, l);
		return;
	case 3:
	case 4:
		random_resize(t, l, *number);
		return;
	case 5:
		af_text_add(t, "move %u start=%llu", *number,
			    (unsigned long long)below(
				    (uint64_t)(l->disk_size / l->sector_size)));
		return;
	case 6:
		af_text_add(t, "delete %u", *number);
		return;
	case 7:
		af_text_add(t, "align %u", *number);
		return;
	default:
		*number = 0;
		af_text_add(t, below(2) ? "sort" : "align all");
		return;
	}
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool apart(struct af_span a, struct af_span b)
{
	return a.end <= b.start || b.end <= a.start;
}

/* Partition p shares no byte with q, nor with the sector of q's EBR. */
static void check_pair(const struct af_layout *l, const struct af_part *p,
		       const struct af_part *q)
{
	const struct af_part *ext = af_layout_extended(l);
	struct af_span ebr = { q->ebr, q->ebr + l->sector_size };
	if (q->role == AF_ROLE_EXTENDED && p->role == AF_ROLE_LOGICAL)
		return;
	if (p != q)
		assert_true(apart(p->span, q->span));
	if (q->role != AF_ROLE_LOGICAL)
		return;
	assert_true(apart(p->span, ebr));
	assert_true(ebr.start >= ext->span.start && ebr.end <= ext->span.end);
	if (p != q && p->role == AF_ROLE_LOGICAL)
		assert_true(p->ebr != q->ebr);
}

/* Written apart from af_layout_sound(): no two occupied ranges of the table share a byte. */
static void check_nothing_overlaps(const struct af_layout *l)
{
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		assert_true(p->span.start < p->span.end && p->span.end <= l->disk_size);
		for (size_t k = 0; k < l->nparts && p->role != AF_ROLE_EXTENDED; k++)
			check_pair(l, p, &l->part[k]);
	}
}

/* Everybody but the named partition, the extended one and the head of the chain is as before. */
static void check_others(const struct af_layout *was, const struct af_layout *is,
			 uint32_t number)
{
	for (size_t i = 0; i < was->nparts; i++) {
		struct af_part p = was->part[i];
		const struct af_part *q = af_layout_find(is, p.id);
		if (p.number == number || p.role == AF_ROLE_EXTENDED)
			continue;
		assert_non_null(q);
		if (p.number == was->slots + 1 && p.role == AF_ROLE_LOGICAL)
			p.ebr = q->ebr;
		assert_true(af_part_equal(&p, q));
	}
}

/* An edge that was moved lies on the boundary, wherever it lay before. */
static void check_moved(const struct world *w, const char *command,
			const struct af_part *was, const struct af_part *is)
{
	bool moved = was->span.start != is->span.start;
	if (is->role == AF_ROLE_EXTENDED)
		return;
	if (moved)
		assert_true(af_grid_has(w->rules.check, is->span.start));
	if (begins(command, "resize") && was->span.end != is->span.end)
		assert_true(af_grid_has(w->rules.check, is->span.end));
}

static void check_named(const struct world *w, const char *command,
			const struct af_part *was, const struct af_part *is)
{
	if (begins(command, "move") || begins(command, "align"))
		if (was->role != AF_ROLE_EXTENDED)
			assert_int_equal(af_span_size(was->span), af_span_size(is->span));
	check_moved(w, command, was, is);
	if (begins(command, "align"))
		assert_true(af_grid_has(w->rules.grain, is->span.start));
	if (begins(command, "resize") && !strstr(command, "start="))
		assert_int_equal(was->span.start, is->span.start);
	if (begins(command, "resize") && !strstr(command, "size=") &&
	    !strstr(command, "end="))
		assert_int_equal(was->span.end, is->span.end);
}

static void check_new(const struct world *w, const struct af_layout *was)
{
	for (size_t i = 0; i < w->layout.nparts; i++) {
		const struct af_part *p = &w->layout.part[i];
		if (af_layout_find(was, p->id) || p->role == AF_ROLE_EXTENDED)
			continue;
		assert_true(af_grid_has(w->rules.check, p->span.start));
		assert_true(af_grid_has(w->rules.check, p->span.end));
		assert_true(p->span.start >= w->rules.lowest);
	}
}

static void check_done(const struct world *w, const char *command, uint32_t number,
		       const struct af_layout *was)
{
	struct af_err err;
	const struct af_part *old = af_layout_number(was, number);
	assert_true(af_layout_sound(&w->layout, &err));
	check_nothing_overlaps(&w->layout);
	if (number && old && !begins(command, "delete"))
		check_named(w, command, old, af_layout_find(&w->layout, old->id));
	if (begins(command, "new")) {
		check_new(w, was);
		check_others(was, &w->layout, 0);
	}
	if (begins(command, "resize") || begins(command, "move") ||
	    begins(command, "align "))
		if (number)
			check_others(was, &w->layout, number);
}

static void check_refused(const char *command, const struct af_err *err)
{
	assert_true(err->code == AF_E_USAGE || err->code == AF_E_RULE ||
		    err->code == AF_E_RANGE);
	if (strstr(err->text, "overlap") || strstr(err->text, "is not between") ||
	    strstr(err->text, "reaches beyond") ||
	    strstr(err->text, "lies over the first EBR"))
		fail_msg("an edit made an unsound table: %s", err->text);
	if (strstr(err->text, "free sector for the EBR") && strcmp(command, "sort") != 0)
		fail_msg("an edit left no room for an EBR: %s", err->text);
}

static void check_idempotent(struct world *w, const char *command)
{
	struct af_err err;
	struct af_layout once;
	if (!begins(command, "align") && !begins(command, "sort"))
		return;
	af_layout_copy(&w->layout, &once);
	if (!world_run(w, command, &err))
		fail_msg("a second '%s': %s", command, err.text);
	assert_true(af_layout_equal(&once, &w->layout));
	af_layout_release(&once);
}

/* What is offered as free space takes a partition, unless the slots or the chain are full. */
static void check_free_is_free(const struct world *w)
{
	struct af_room *room;
	size_t n = af_align_rooms(&w->rules, &w->layout, &room);
	struct af_edit e = { .rules = &w->rules, .contents = &w->contents };
	for (size_t i = 0; i < n; i++) {
		struct af_new add = { .has_within = true, .within = room[i].span.start };
		struct af_layout out;
		struct af_err err;
		uint32_t id;
		if (room[i].kind != AF_ROOM_FREE)
			continue;
		if (af_edit_new(&w->layout, &e, &add, &out, &id, &err)) {
			assert_true(af_span_inside(af_layout_find(&out, id)->span,
						   room[i].span));
			af_layout_release(&out);
		} else if (err.code != AF_E_RULE) {
			fail_msg("%s", err.text);
		}
	}
	free(room);
}

static size_t one_edit(struct world *w)
{
	struct af_text command = { 0 };
	struct af_layout was;
	struct af_err err = { .code = AF_OK };
	uint32_t number;
	char table[4096];
	random_command(&command, &w->layout, &number);
	af_layout_copy(&w->layout, &was);
	(void)world_show(&was, table, sizeof(table));
	bool done = world_run(w, af_text_get(&command), &err);
	if (getenv("TRACE"))
		print_message("now %s\n  %s -> %s\n", table, af_text_get(&command),
			      done ? "done" : err.text);
	if (done) {
		check_done(w, af_text_get(&command), number, &was);
		check_idempotent(w, af_text_get(&command));
	} else {
		check_refused(af_text_get(&command), &err);
		assert_true(af_layout_equal(&was, &w->layout));
	}
	if (done)
		check_free_is_free(w);
	af_layout_release(&was);
	af_text_release(&command);
	return done;
}

static void prop_edit__a_sound_layout_stays_sound(void **state)
{
	(void)state;
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	size_t done = 0;
	print_message("SEED=%llu\n", (unsigned long long)seed);
	gen.state = seed;
	for (size_t i = 0; i < DISKS; i++) {
		struct world w;
		random_world(&w);
		for (size_t k = 0; k < EDITS; k++)
			done += one_edit(&w);
		world_release(&w);
	}
	print_message("%zu of %d edits done\n", done, DISKS * EDITS);
	assert_true(done > DISKS * EDITS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prop_edit__a_sound_layout_stays_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
