/*
 * prop_label.c - on thousands of random disks: a layout that is rendered and written is what an independent reader, and
 * we ourselves, then read; and nothing is touched but what the table occupies and what changed.
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
#include "reader.h"

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

/* Sectors of a disk: some small, where everything is close together, some at the ends of what numbers can say. */
static uint64_t some_sectors(struct gen *g, enum af_scheme scheme)
{
	switch (gen_below(g, 4)) {
	case 0:
		return gen_between(g, 200, 3000);
	case 1:
		return gen_between(g, 3000, 400000);
	case 2:
		return gen_between(g, 1000000, 3000000000);
	default:
		return scheme == AF_SCHEME_GPT ? gen_between(g, 4000000000, 40000000000)
					       : 4294967296 + 77;
	}
}

/* Bytes that are no table, where tables go: what must survive, and what must not be taken for zeros. */
static void put_noise(struct gen *g, const struct memdev *m)
{
	unsigned char noise[4096];
	af_bytes size = m->dev.sector_size;
	af_bytes last = (m->dev.size / size - 1) * size;

	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (unsigned char)gen_next(g);
	noise[510] = 0;
	for (af_bytes i = 0; i < 40; i++) {
		memdev_poke(m, i * size, noise, (size_t)size);
		memdev_poke(m, last - i * size, noise, (size_t)size);
	}
}

/* True if the sector may belong to a table of l, or of the one before it. */
static bool is_table_sector(const struct af_layout *l, af_bytes at)
{
	af_bytes size = l->sector_size, last = (l->disk_size / size - 1) * size;
	const struct af_part *ext = af_layout_extended(l);

	if (l->scheme == AF_SCHEME_GPT)
		return at < l->usable.start || at >= l->usable.end;
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].role == AF_ROLE_LOGICAL && l->part[i].ebr == at)
			return true;
	return at == 0 || at == size || at == last || (ext && ext->span.start == at);
}

/* Every run is whole sectors of the table, says what the disk holds now, changes every sector, in rising phases. */
static void check_patch(const struct memdev *m, const struct af_patch *p,
			const struct af_layout *now)
{
	unsigned char disk[4096];
	uint32_t size = now->sector_size;

	for (size_t i = 0; i < p->n; i++) {
		const struct af_run *run = &p->run[i];

		assert_true(i == 0 || p->run[i - 1].phase <= run->phase);
		assert_true(run->what[0] != '\0');
		for (af_bytes at = 0; at < run->len; at += size) {
			memdev_peek(m, run->at + at, disk, size);
			assert_memory_equal(run->before + at, disk, size);
			assert_memory_not_equal(run->after + at, disk, size);
			assert_true(is_table_sector(now, run->at + at));
		}
	}
}

static void check_reads_as(struct memdev *m, const struct af_layout *l)
{
	static struct reader_table seen; /* large */
	struct af_layout got;
	struct af_label_note note;
	struct af_err err = { .code = AF_OK };
	char why[120];

	if (!reader_read(m->fd, (uint64_t)m->dev.size, m->dev.sector_size, &seen))
		fail_msg("the independent reader: %s", seen.fault);
	if (!gen_agrees(&seen, l, why))
		fail_msg("the independent reader disagrees about %s", why);
	if (!af_label_read(&m->dev, &got, &note, &err))
		fail_msg("reading: %s", err.text);
	assert_string_equal(note.why, "");
	assert_true(af_layout_equal(&got, l));
	af_layout_release(&got);
}

static void change(struct memdev *m, const struct af_layout *base,
		   const struct af_layout *now)
{
	struct af_patch patch = { 0 };
	struct af_err err = { .code = AF_OK };
	unsigned char before[446], after[446];

	if (!af_label_render(&m->dev, base, now, &patch, &err))
		fail_msg("rendering: %s", err.text);
	assert_int_equal(m->writes, 0);
	check_patch(m, &patch, now);
	memdev_peek(m, 0, before, sizeof before);
	memdev_apply(m, &patch);
	memdev_peek(m, 0, after, sizeof after);
	if (base->scheme == now->scheme)
		assert_memory_equal(before, after, 440);
	af_patch_release(&patch);
	check_reads_as(m, now);
}

static void one_round(uint64_t seed, enum af_scheme scheme)
{
	struct gen g = { seed };
	uint32_t sector_size = gen_below(&g, 3) ? 512 : 512U << gen_below(&g, 4);
	af_bytes size = (af_bytes)some_sectors(&g, scheme) * sector_size;
	struct af_layout empty, a, b;
	struct af_err err;
	struct memdev m;

	memdev_open(&m, size + (af_bytes)gen_below(&g, sector_size), sector_size);
	put_noise(&g, &m);
	assert_true(af_layout_init(&empty, AF_SCHEME_NONE, m.dev.size, sector_size, &err));
	gen_layout(&g, scheme, m.dev.size, sector_size, &a);
	gen_mutate(&g, &a, &b);
	change(&m, &empty, &a);
	change(&m, &a, &b);
	af_layout_release(&a);
	af_layout_release(&b);
	memdev_close(&m);
}

static void run(enum af_scheme scheme)
{
	uint64_t seed = number_from("SEED", any_seed()),
		 rounds = number_from("ROUNDS", 5000);

	for (uint64_t i = 0; i < rounds; i++) {
		/* Said before, because a failure jumps out of here. */
		if (i % 100 == 0 || rounds == 1)
			print_message("%s SEED=%" PRIu64 " ROUNDS=100\n",
				      af_scheme_name(scheme), seed + i);
		one_round(seed + i, scheme);
	}
}

static void test_label__an_mbr_is_read_as_it_was_rendered(void **state)
{
	(void)state;
	run(AF_SCHEME_MBR);
}

static void test_label__a_gpt_is_read_as_it_was_rendered(void **state)
{
	(void)state;
	run(AF_SCHEME_GPT);
}

/* Damages some bytes of the table: mostly of entries and headers. */
static void damage(struct gen *g, const struct memdev *m, const struct af_layout *l)
{
	af_bytes size = l->sector_size, last = (l->disk_size / size - 1) * size;

	for (uint64_t i = gen_between(g, 1, 3); i > 0; i--) {
		const struct af_part *any =
			l->nparts ? &l->part[gen_below(g, l->nparts)] : NULL;
		af_bytes base_table[] = { 446,      446,  size,
					  2 * size, last, any ? any->ebr + 446 : 446 };
		af_bytes at = base_table[gen_below(g, 6)] + (af_bytes)gen_below(g, 66);
		unsigned char byte = (unsigned char)gen_next(g);

		if (gen_below(g, 3) == 0)
			byte = gen_below(g, 2) ? 0xFF : 0;
		memdev_poke(m, at, &byte, 1);
	}
}

static bool has_stray(const struct af_layout *l)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (af_layout_is_stray(l, &l->part[i]))
			return true;
	return false;
}

/* A table that is writable, if only after repair, is changed like any other; one that is not is refused. */
static void change_damaged(struct gen *g, struct memdev *m, const struct af_layout *l,
			   bool read_only)
{
	struct af_layout whole, now, got;
	struct af_label_note note;
	struct af_patch patch = { 0 };
	struct af_err err = { .code = AF_OK };

	if (read_only || has_stray(l) || !af_layout_apart(l, &err)) {
		assert_false(af_label_render(&m->dev, l, l, &patch, &err));
		assert_int_equal(err.code, AF_E_RULE);
		return;
	}
	if (af_layout_sound(l, &err))
		af_layout_copy(l, &whole);
	else if (!af_edit_repair(l, &whole, &err))
		fail_msg("repairing: %s", err.text);
	gen_mutate(g, &whole, &now);
	af_layout_release(&whole);
	if (!af_label_render(&m->dev, l, &now, &patch, &err))
		fail_msg("rendering: %s", err.text);
	memdev_apply(m, &patch);
	assert_true(af_label_read(&m->dev, &got, &note, &err));
	assert_false(note.read_only);
	assert_true(af_layout_equal(&got, &now));
	af_patch_release(&patch);
	af_layout_release(&now);
	af_layout_release(&got);
}

static void one_damaged(uint64_t seed, enum af_scheme scheme)
{
	struct gen g = { seed };
	struct af_layout empty, a, got;
	struct af_label_note note;
	struct af_patch patch = { 0 };
	struct af_err err = { .code = AF_OK };
	struct memdev m;

	memdev_open(&m, (af_bytes)gen_between(&g, 200, 100000) * 512, 512);
	assert_true(af_layout_init(&empty, AF_SCHEME_NONE, m.dev.size, 512, &err));
	gen_layout(&g, scheme, m.dev.size, 512, &a);
	assert_true(af_label_render(&m.dev, &empty, &a, &patch, &err));
	memdev_apply(&m, &patch);
	af_patch_release(&patch);
	damage(&g, &m, &a);
	assert_true(af_label_read(&m.dev, &got, &note, &err));
	if (got.scheme != AF_SCHEME_NONE)
		change_damaged(&g, &m, &got, note.read_only);
	af_layout_release(&a);
	af_layout_release(&got);
	memdev_close(&m);
}

static void test_label__damaged_tables_are_changed_rightly_or_refused(void **state)
{
	uint64_t seed = number_from("SEED", any_seed()),
		 rounds = number_from("ROUNDS", 2000);

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		if (i % 100 == 0)
			print_message("damaged SEED=%" PRIu64 " ROUNDS=100\n", seed + i);
		one_damaged(seed + i, i % 2 ? AF_SCHEME_GPT : AF_SCHEME_MBR);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__an_mbr_is_read_as_it_was_rendered),
		cmocka_unit_test(test_label__a_gpt_is_read_as_it_was_rendered),
		cmocka_unit_test(test_label__damaged_tables_are_changed_rightly_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
