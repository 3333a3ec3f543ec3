/*
 * prop_convert.c - on random disks: a table converted to the other kind and back has every partition where it was, is
 * what an independent reader reads, touches no sector of a partition, and whenever the writing ends too early one of the
 * two tables is there, and whole.
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

/* What may follow from a conversion besides its success. */
struct tally {
	unsigned to_gpt, to_mbr, with_logicals, refused;
};

/* Types that both kinds have: codes of an MBR. */
static void usual_types(struct gen *g, struct af_layout *l)
{
	static const uint8_t code_table[] = { 0x83, 0x07, 0x82, 0x8e, 0xfd,
					      0xef, 0xa5, 0x27, 0x17 };

	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].role != AF_ROLE_EXTENDED)
			l->part[i].type[0] = code_table[gen_below(g, sizeof code_table)];
}

/* What the session fills in. */
static void give_uuids(struct gen *g, struct af_layout *l)
{
	for (size_t i = 0; i < l->nparts && l->scheme == AF_SCHEME_GPT; i++)
		for (size_t k = 0; k < sizeof l->part[i].uuid; k++)
			l->part[i].uuid[k] = (uint8_t)gen_next(g);
}

/* Every partition of a but the extended one is in b, with its id and its sectors, and nobody else is. */
static void check_same_places(const struct af_layout *a, const struct af_layout *b)
{
	size_t na = 0, nb = 0;

	for (size_t i = 0; i < a->nparts; i++) {
		const struct af_part *p = &a->part[i];
		const struct af_part *q = af_layout_find(b, p->id);

		if (p->role == AF_ROLE_EXTENDED)
			continue;
		assert_non_null(q);
		assert_true(af_span_equal(p->span, q->span));
		na++;
	}
	for (size_t i = 0; i < b->nparts; i++)
		nb += b->part[i].role != AF_ROLE_EXTENDED;
	assert_int_equal(na, nb);
}

/* No run lies in a partition. */
static void check_data_untouched(const struct af_patch *p, const struct af_layout *now)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < now->nparts; k++) {
			struct af_span run = { p->run[i].at, p->run[i].at + p->run[i].len };

			if (now->part[k].role != AF_ROLE_EXTENDED)
				assert_false(af_span_overlap(run, now->part[k].span));
		}
}

/* The runs one after the other: after each of them one of the two tables is read. */
static void write_slowly(struct memdev *m, const struct af_patch *p,
			 const struct af_layout *base, const struct af_layout *now)
{
	for (size_t i = 0; i < p->n; i++) {
		struct af_layout got;
		struct af_label_note note;
		struct af_err err;

		memdev_poke(m, p->run[i].at, p->run[i].after, (size_t)p->run[i].len);
		assert_true(af_label_read(&m->dev, &got, &note, &err));
		assert_true(af_layout_equal(&got, base) || af_layout_equal(&got, now));
		if (note.read_only)
			fail_msg("after \"%s\": %s", p->run[i].what, note.why);
		af_layout_release(&got);
	}
}

static void check_reads_as(struct memdev *m, const struct af_layout *l)
{
	static struct reader_table seen; /* large */
	char why[120];

	if (!reader_read(m->fd, (uint64_t)m->dev.size, m->dev.sector_size, &seen))
		fail_msg("the independent reader: %s", seen.fault);
	if (!gen_agrees(&seen, l, why))
		fail_msg("the independent reader disagrees about %s", why);
}

static void write_table(struct memdev *m, const struct af_layout *base,
			const struct af_layout *now, bool slowly)
{
	struct af_patch patch = { 0 };
	struct af_err err = { .code = AF_OK };
	unsigned char before[440], after[440];

	if (!af_label_render(&m->dev, base, now, &patch, &err))
		fail_msg("rendering: %s", err.text);
	check_data_untouched(&patch, now);
	memdev_peek(m, 0, before, sizeof before);
	if (slowly)
		write_slowly(m, &patch, base, now);
	memdev_apply(m, &patch);
	memdev_peek(m, 0, after, sizeof after);
	assert_memory_equal(before, after, slowly ? sizeof before : 0);
	af_patch_release(&patch);
	check_reads_as(m, now);
}

/* From one table on the disk to one of the other kind; false if that is refused, for a reason that says why. */
static bool convert(struct gen *g, struct memdev *m, const struct af_rules *rules,
		    const struct af_layout *base, struct af_layout *now)
{
	const struct af_edit e = { .rules = rules };
	bool to_gpt = base->scheme == AF_SCHEME_MBR;
	uint8_t id[16] = { 0 };
	struct af_err err = { .code = AF_OK };

	memset(id, 0x77, to_gpt ? sizeof id : 4);
	if (!af_edit_convert(base, &e, to_gpt ? AF_SCHEME_GPT : AF_SCHEME_MBR, id, now,
			     &err)) {
		assert_int_equal(err.code, AF_E_RANGE);
		return false;
	}
	give_uuids(g, now);
	check_same_places(base, now);
	write_table(m, base, now, true);
	return true;
}

static void one_round(uint64_t seed, uint32_t sector_size, struct tally *t)
{
	struct gen g = { seed };
	af_bytes size = (af_bytes)gen_between(&g, 2000, 400000) * sector_size;
	struct af_topo topo = { .size = size,
				.sector_size = sector_size,
				.physical = 4096 };
	struct af_rules rules = af_align_rules(&topo, false);
	struct af_layout empty, a, b, c;
	struct af_err err;
	struct memdev m;

	memdev_open(&m, size, sector_size);
	assert_true(af_layout_init(&empty, AF_SCHEME_NONE, size, sector_size, &err));
	gen_layout(&g, AF_SCHEME_MBR, size, sector_size, &a);
	usual_types(&g, &a);
	write_table(&m, &empty, &a, false);
	if (a.nparts > 0 && convert(&g, &m, &rules, &a, &b)) {
		t->to_gpt++;
		if (b.nparts > 0 && convert(&g, &m, &rules, &b, &c)) {
			t->to_mbr++;
			t->with_logicals += af_layout_extended(&c) != NULL;
			check_same_places(&c, &a);
			af_layout_release(&c);
		} else {
			t->refused++;
		}
		af_layout_release(&b);
	} else {
		t->refused++;
	}
	af_layout_release(&a);
	memdev_close(&m);
}

static void run(uint32_t sector_size)
{
	uint64_t seed = number_from("SEED", any_seed()),
		 rounds = number_from("ROUNDS", 600);
	struct tally t = { 0 };

	for (uint64_t i = 0; i < rounds; i++) {
		if (i % 100 == 0 || rounds == 1)
			print_message("%u SEED=%" PRIu64 " ROUNDS=100\n", sector_size,
				      seed + i);
		one_round(seed + i, sector_size, &t);
	}
	print_message("to gpt %u, and back %u, %u of these with logicals; refused %u\n",
		      t.to_gpt, t.to_mbr, t.with_logicals, t.refused);
	if (rounds >= 300) {
		assert_true(t.to_gpt > rounds / 10);
		assert_true(t.with_logicals > rounds / 100);
	}
}

static void test_convert__there_and_back_with_512_byte_sectors(void **state)
{
	(void)state;
	run(512);
}

static void test_convert__there_and_back_with_4096_byte_sectors(void **state)
{
	(void)state;
	run(4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_convert__there_and_back_with_512_byte_sectors),
		cmocka_unit_test(test_convert__there_and_back_with_4096_byte_sectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
