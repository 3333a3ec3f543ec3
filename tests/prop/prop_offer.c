/*
 * prop_offer.c - every layout on random disks of 64 MiB to 8 TiB, of 512 and 4096 bytes a sector, empty and partly filled:
 * what is made lies on the grain, in order, over nothing, in the free space it was asked for, fills it, and is as much as
 * was promised; what is refused is refused for its size.
 *
 * SEED=n repeats a run, ROUNDS=n changes its length.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "afdisk/offer.h"
#include "gen.h"

static struct gen gen;

/* A drive, its table, and where on it a layout is to go. */
struct scene {
	struct af_topo topo;
	struct af_rules rules;
	struct af_contents contents;
	struct af_layout layout;
	struct af_offer_place place;
	bool empty;
};

static uint64_t number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* 64 MiB to 8 TiB, as many small ones as large ones. */
static af_bytes random_size(uint32_t sector_size)
{
	af_bytes size = 64 * AF_MIB << gen_below(&gen, 17);
	size += (af_bytes)gen_below(&gen, (uint64_t)size);
	return size / sector_size * sector_size;
}

static void random_drive(struct scene *s)
{
	const uint32_t sector_size = gen_below(&gen, 3) ? 512 : 4096;
	s->topo = (struct af_topo){ .sector_size = sector_size,
				    .size = random_size(sector_size),
				    .physical = 4096 };
	if (gen_below(&gen, 4) == 0)
		s->topo.optimal_io = 196608; /* three data disks of 64 KiB */
	if (gen_below(&gen, 8) == 0 && sector_size == 512)
		s->topo.alignment_offset = 3584;
	if (gen_below(&gen, 8) == 0)
		s->topo.grain = 4096;
	s->rules = af_align_rules(&s->topo, gen_below(&gen, 4) == 0);
}

static void random_scene(struct scene *s)
{
	struct af_err err;
	memset(s, 0, sizeof(*s));
	random_drive(s);
	const enum af_scheme scheme = gen_below(&gen, 2) ? AF_SCHEME_GPT : AF_SCHEME_MBR;
	s->empty = gen_below(&gen, 2);
	if (!s->empty)
		gen_layout(&gen, scheme, s->topo.size, s->topo.sector_size, &s->layout);
	else if (!af_layout_init(&s->layout, scheme, s->topo.size, s->topo.sector_size,
				 &err))
		fail_msg("%s", err.text);
	s->place.memory = AF_GIB << gen_below(&gen, 8);
	s->place.has_at = gen_below(&gen, 3) == 0;
	s->place.at = (af_bytes)gen_below(&gen, (uint64_t)s->topo.size);
	s->place.at -= s->place.at % s->topo.sector_size;
}

/* Carries out the plan, as who knows identities does. */
static void carry_out(const struct scene *s, const struct af_offer_plan *plan,
		      struct af_layout *out)
{
	struct af_rules rules = s->rules;
	const struct af_edit e = { .rules = &rules, .contents = &s->contents };
	rules.exact = false;
	af_layout_copy(&s->layout, out);
	for (size_t i = 0; i < plan->n; i++) {
		struct af_layout next;
		struct af_err err;
		uint32_t id;
		if (!af_command_apply(&plan->cmd[i], out, &e, &next, &id, &err))
			fail_msg("command %zu of the plan: %s", i + 1, err.text);
		af_layout_release(out);
		*out = next;
	}
}

static size_t count_words(const char *text, const char *word)
{
	size_t n = 0;
	while ((text = strstr(text, word)) != NULL) {
		text += strlen(word);
		n++;
	}
	return n;
}

/* What an empty disk with room for all of it gets. */
static size_t promised(const struct af_offer *offer, enum af_scheme scheme)
{
	static const struct {
		const char *name;
		size_t gpt, mbr;
	} promise_table[] = {
		{ "windows-linux", 6, 0 },      { "linux", 4, 0 }, { "linux-bios", 4, 0 },
		{ "windows-linux-bios", 0, 4 }, { "data", 1, 1 },  { "rescue", 3, 2 },
	};
	for (size_t i = 0; i < sizeof(promise_table) / sizeof(promise_table[0]); i++)
		if (strcmp(promise_table[i].name, offer->name) == 0)
			return scheme == AF_SCHEME_GPT ? promise_table[i].gpt
						       : promise_table[i].mbr;
	fail_msg("%s promises nothing", offer->name);
	return 0;
}

static bool is_new(const struct scene *s, const struct af_part *p)
{
	return af_layout_find(&s->layout, p->id) == NULL;
}

/* Both edges on the grain; where a region has no two lines of it, on the check size. */
static void check_aligned(const struct scene *s, const struct af_layout *l,
			  const struct af_part *p)
{
	bool coarse = af_grid_has(s->rules.grain, p->span.start);
	struct af_grid grid = coarse ? s->rules.grain : s->rules.check;
	assert_true(af_grid_has(grid, p->span.start));
	assert_true(af_grid_has(grid, p->span.end));
	assert_true(p->span.start >= s->rules.lowest);
	assert_true(!s->place.has_at || p->span.start >= s->place.at);
	assert_int_equal(l->scheme == AF_SCHEME_GPT, p->name[0] != '\0');
}

static void check_over_nothing(const struct af_layout *l, const struct af_part *p)
{
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *q = &l->part[i];
		if (q->id == p->id || q->role == AF_ROLE_EXTENDED)
			continue;
		assert_false(af_span_overlap(p->span, q->span));
		if (q->role == AF_ROLE_LOGICAL)
			assert_false(af_span_overlap(p->span, af_layout_ebr(l, q)));
	}
}

/* Whoever was there is where it was, and how it was but for its EBR and its flag. */
static void check_old(const struct scene *s, const struct af_layout *l)
{
	for (size_t i = 0; i < s->layout.nparts; i++) {
		const struct af_part *was = &s->layout.part[i],
				     *is = af_layout_find(l, was->id);
		assert_non_null(is);
		if (was->role != AF_ROLE_EXTENDED)
			assert_true(af_span_equal(was->span, is->span));
		assert_int_equal(was->number, is->number);
		assert_int_equal(was->boot, is->boot);
	}
}

/* On an empty disk nothing large enough for a partition is left over, but behind it what the EBRs may leave. */
static void check_filled(const struct scene *s, const struct af_layout *l)
{
	struct af_room *room;
	size_t n = af_align_rooms(&s->rules, l, &room);
	for (size_t i = 0; i < n && s->empty && !s->place.has_at; i++)
		if (room[i].kind == AF_ROOM_FREE)
			assert_true(af_span_size(room[i].span) <
				    2 * s->rules.grain.step + s->rules.check.step);
	free(room);
}

static void check_made(const struct scene *s, const struct af_offer *offer,
		       const struct af_offer_plan *plan)
{
	struct af_layout l;
	struct af_err err;
	size_t made = 0;
	af_bytes last = 0;
	carry_out(s, plan, &l);
	if (!af_layout_sound(&l, &err))
		fail_msg("%s: %s", offer->name, err.text);
	for (size_t i = 0; i < l.nparts; i++) {
		const struct af_part *p = &l.part[i];
		if (!is_new(s, p) || p->role == AF_ROLE_EXTENDED)
			continue;
		made++;
		check_aligned(s, &l, p);
		check_over_nothing(&l, p);
		assert_true(p->span.start >= last);
		last = p->span.end;
	}
	size_t all = promised(offer, l.scheme), less = count_words(plan->note, "no room");
	if (s->empty)
		assert_int_equal(made, all - less);
	assert_true(made >= 1 && made <= all);
	if (l.scheme == s->layout.scheme)
		check_old(s, &l);
	check_filled(s, &l);
	af_layout_release(&l);
}

/* An empty disk of 44 GiB takes every layout, and every disk the smallest one. */
static void check_refused(const struct scene *s, const struct af_offer *offer,
			  const struct af_err *err)
{
	assert_true(err->code == AF_E_RANGE || err->code == AF_E_RULE);
	if (!s->empty || s->place.has_at)
		return;
	assert_string_not_equal(offer->name, "data");
	assert_non_null(strstr(err->text, "it takes at least"));
	assert_true(s->topo.size < 44 * AF_GIB);
}

static bool try_offer(const struct scene *s, const struct af_offer *offer)
{
	const struct af_edit e = { .rules = &s->rules, .contents = &s->contents };
	struct af_offer_plan plan;
	struct af_err err = { .code = AF_OK };
	bool made = af_offer_make(offer, &s->layout, &e, &s->place, &plan, &err);
	if (getenv("TRACE"))
		print_message("%s on %lld: %s\n", offer->name, (long long)s->topo.size,
			      made ? plan.note : err.text);
	if (made)
		check_made(s, offer, &plan);
	else
		check_refused(s, offer, &err);
	return made;
}

static void prop_offer__every_layout_is_sound_and_on_the_grain(void **state)
{
	const uint64_t seed = number_from("SEED", (uint64_t)time(NULL));
	const size_t rounds = number_from("ROUNDS", 2000);
	size_t made = 0, tried = 0;
	(void)state;
	print_message("SEED=%llu\n", (unsigned long long)seed);
	gen.state = seed;
	for (size_t i = 0; i < rounds; i++) {
		struct scene s;
		random_scene(&s);
		for (size_t k = 0; af_offer_at(k); k++, tried++)
			made += try_offer(&s, af_offer_at(k));
		af_layout_release(&s.layout);
	}
	print_message("%zu of %zu made\n", made, tried);
	assert_true(made > tried / 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prop_offer__every_layout_is_sound_and_on_the_grain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
