/*
 * prop_hybrid.c - on random GPTs under random hybrid MBRs, changed at random: sector 0 changes in the entries that
 * were asked for and nowhere else, these say what the partitions are, and what is read afterwards is what was wanted.
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

#include "afdisk/edit.h"
#include "afdisk/label.h"
#include "gen.h"
#include "memdev.h"

static uint64_t number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

static uint64_t any_seed(void)
{
	uint32_t seed = 1;

	if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
		seed = 1;
	return seed;
}

static uint32_t le32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static void put_le32(unsigned char *p, uint64_t value)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (unsigned char)(value >> (8 * i));
}

/* Entry i of sector 0: any bytes where they mean nothing. */
static void put_entry(struct gen *g, unsigned char *sector, uint64_t i, unsigned type,
		      uint64_t start, uint64_t count)
{
	unsigned char *p = sector + 446 + 16 * i;

	for (size_t k = 0; k < 8; k++)
		p[k] = (unsigned char)gen_next(g);
	p[0] = gen_below(g, 2) ? 0x80 : 0;
	p[4] = (unsigned char)type;
	put_le32(p + 8, start);
	put_le32(p + 12, count);
}

/* A hybrid MBR of that GPT: up to three mirrors from any entry on, boot code, a protective entry up to the first one. */
static void put_hybrid(struct gen *g, const struct memdev *m, const struct af_layout *l)
{
	unsigned char sector[512];
	uint64_t at = gen_below(g, 4), first = 2, ss = l->sector_size;

	memdev_peek(m, 0, sector, sizeof sector);
	for (size_t i = 0; i < 446; i++)
		sector[i] = (unsigned char)gen_next(g);
	memset(sector + 446, 0, 64);
	for (uint64_t k = 1; k <= 3; k++) {
		const struct af_part *p = &l->part[gen_below(g, l->nparts)];
		uint64_t start = (uint64_t)p->span.start / ss;

		if (k > 1 && gen_below(g, 3) == 0)
			continue;
		put_entry(g, sector, (at + k) % 4, 0x83, start,
			  (uint64_t)af_span_size(p->span) / ss);
		first = k == 1 || start < first ? start : first;
	}
	put_entry(g, sector, at, 0xEE, 1, first - 1);
	memdev_poke(m, 0, sector, sizeof sector);
}

/* What must be in entry i, which was mirroring something, if the mirrors follow. */
static void expect_followed(const struct af_layout *base, const struct af_layout *now,
			    size_t i, const unsigned char *was, const unsigned char *is)
{
	const struct af_part *old = af_layout_find(base, base->mirror[i].id);
	bool found = false;

	assert_non_null(old);
	for (size_t k = 0; k < now->nparts; k++)
		found = found || (af_span_equal(now->part[k].span, old->span));
	const struct af_part *p = af_layout_find(now, old->id);

	if (found) {
		assert_memory_equal(was, is, 16);
	} else if (!p) {
		for (size_t k = 0; k < 16; k++)
			assert_int_equal(is[k], 0);
	} else {
		assert_int_equal(le32(is + 8), p->span.start / now->sector_size);
		assert_int_equal(le32(is + 12), af_span_size(p->span) / now->sector_size);
		assert_int_equal(is[0], was[0]);
		assert_int_equal(is[4], was[4]);
	}
}

static void check_sector0(const unsigned char *was, const unsigned char *is,
			  const struct af_layout *base, const struct af_layout *now)
{
	assert_memory_equal(was, is, 446);
	assert_int_equal(is[510], 0x55);
	assert_int_equal(is[511], 0xAA);
	if (now->hybrid == AF_HYBRID_NONE) {
		assert_int_equal(is[450], 0xEE);
		assert_int_equal(le32(is + 454), 1);
		assert_int_equal(le32(is + 458), now->disk_size / now->sector_size - 1);
		for (size_t k = 462; k < 510; k++)
			assert_int_equal(is[k], 0);
		return;
	}
	for (size_t i = 0; i < 4; i++) {
		const unsigned char *a = was + 446 + 16 * i, *b = is + 446 + 16 * i;

		if (now->hybrid == AF_HYBRID_UPDATE && base->mirror[i].id != 0)
			expect_followed(base, now, i, a, b);
		else if (now->hybrid == AF_HYBRID_KEEP || a[4] != 0xEE)
			assert_memory_equal(a, b, 16);
	}
}

static void check_runs(const struct af_patch *p, const struct af_layout *now)
{
	for (size_t i = 0; i < p->n; i++)
		assert_true(p->run[i].at + p->run[i].len <= now->usable.start ||
			    p->run[i].at >= now->usable.end);
	for (size_t i = 0; i + 1 < p->n; i++)
		assert_true(p->run[i].at != 0); /* the MBR comes last */
}

static void change(struct memdev *m, const struct af_layout *base,
		   const struct af_layout *now)
{
	unsigned char was[512], is[512];
	struct af_patch patch = { 0 };
	struct af_layout got;
	struct af_label_note note;
	struct af_err err = { .code = AF_OK };

	memdev_peek(m, 0, was, sizeof was);
	if (!af_label_render(&m->dev, base, now, &patch, &err))
		fail_msg("rendering: %s", err.text);
	check_runs(&patch, now);
	memdev_apply(m, &patch);
	memdev_peek(m, 0, is, sizeof is);
	check_sector0(was, is, base, now);
	assert_true(af_label_read(&m->dev, &got, &note, &err));
	assert_false(note.read_only);
	assert_true(af_layout_equal(&got, now));
	af_layout_release(&got);
	af_patch_release(&patch);
}

/* A random change and a random choice; false if it is another table altogether, or the mirrors cannot follow. */
static bool choose(struct gen *g, const struct af_layout *base, struct af_layout *now)
{
	static const enum af_hybrid choice_table[] = { AF_HYBRID_UPDATE, AF_HYBRID_KEEP,
						       AF_HYBRID_NONE };
	struct af_layout changed;
	struct af_err err;

	gen_mutate(g, base, &changed);
	bool ok = !af_layout_is_new(base, &changed) &&
		  af_edit_hybrid(&changed, choice_table[gen_below(g, 3)], now, &err);

	af_layout_release(&changed);
	return ok;
}

static bool one_round(uint64_t seed)
{
	struct gen g = { seed };
	uint32_t ss = gen_below(&g, 3) ? 512 : 4096;
	struct af_layout empty, l, base, now;
	struct af_label_note note;
	struct af_patch patch = { 0 };
	struct af_err err;
	struct memdev m;
	bool changed = false;

	memdev_open(&m, (af_bytes)gen_between(&g, 2000, 3000000) * ss, ss);
	assert_true(af_layout_init(&empty, AF_SCHEME_NONE, m.dev.size, ss, &err));
	gen_layout(&g, AF_SCHEME_GPT, m.dev.size, ss, &l);
	assert_true(af_label_render(&m.dev, &empty, &l, &patch, &err));
	memdev_apply(&m, &patch);
	af_patch_release(&patch);
	if (l.nparts > 0) {
		put_hybrid(&g, &m, &l);
		assert_true(af_label_read(&m.dev, &base, &note, &err));
		assert_false(note.read_only);
		assert_int_equal(base.hybrid, AF_HYBRID_OPEN);
		changed = choose(&g, &base, &now);
		if (changed) {
			change(&m, &base, &now);
			af_layout_release(&now);
		}
		af_layout_release(&base);
	}
	af_layout_release(&l);
	memdev_close(&m);
	return changed;
}

static void test_hybrid__sector_0_changes_as_chosen(void **state)
{
	uint64_t seed = number_from("SEED", any_seed()),
		 rounds = number_from("ROUNDS", 1000), changed = 0;

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		if (i % 100 == 0 || rounds == 1)
			print_message("SEED=%" PRIu64 " ROUNDS=100\n", seed + i);
		changed += one_round(seed + i);
	}
	print_message("%" PRIu64 " of %" PRIu64 " changed\n", changed, rounds);
	assert_true(rounds < 100 || changed > rounds / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hybrid__sector_0_changes_as_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
