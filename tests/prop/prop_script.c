/*
 * prop_script.c - on thousands of random tables, MBR and GPT: a dump that is applied to its own disk changes nothing, one that
 * is applied to an empty disk makes the same partitions, and a damaged one makes a sound table or is refused.
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

#include "afdisk/label.h"
#include "afdisk/script.h"
#include "gen.h"

/* Attribute bits that a script cannot say. */
#define SILENT_BITS UINT64_C(0x0000FFFFFFFFFFF8)

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

static struct af_rules rules_of(const struct af_layout *l)
{
	struct af_topo topo = { .size = l->disk_size,
				.sector_size = l->sector_size,
				.physical = 4096 };

	return af_align_rules(&topo, false);
}

static void dump(const struct af_layout *l, struct af_text *out)
{
	struct af_dev dev = { 0 };
	struct af_err err;

	(void)snprintf(dev.path, sizeof dev.path, "/dev/sd0");
	assert_true(af_label_dump(&dev, l, out, &err));
}

/* Types from words, and identities, as a session makes them. */
static bool resolve(struct af_script *s, const struct af_layout *base, struct af_err *err)
{
	enum af_scheme scheme = af_script_scheme(s, base);

	memset(s->fresh_id, 0xF1, sizeof s->fresh_id);
	for (size_t i = 0; i < s->nparts; i++) {
		struct af_script_part *p = &s->part[i];

		if (!p->has_uuid)
			memset(p->uuid, (int)i + 1, sizeof p->uuid);
		if (p->type_word[0] &&
		    !af_label_parse_type(scheme, p->type_word, p->type, err))
			return false;
	}
	return true;
}

static bool apply(const char *text, size_t n, const struct af_layout *base,
		  struct af_layout *out, struct af_err *err)
{
	struct af_script s;
	struct af_text more = { 0 };
	const struct af_rules rules = rules_of(base);
	bool good = af_script_read(text, n, base->sector_size, &s, &more, err);

	if (good) {
		good = resolve(&s, base, err) &&
		       af_script_layout(&s, base, &rules, out, &more, err);
		af_script_release(&s);
	}
	af_text_release(&more);
	return good;
}

static struct af_layout any_layout(struct gen *g, enum af_scheme scheme)
{
	uint32_t sector_size = gen_below(g, 2) ? 512 : 4096;
	struct af_layout l;

	gen_layout(g, scheme, (af_bytes)gen_between(g, 300, 3000000) * sector_size,
		   sector_size, &l);
	return l;
}

/* Everything is the same but what a script cannot say. */
static void check_same(const struct af_layout *want, const struct af_layout *got)
{
	assert_int_equal(got->nparts, want->nparts);
	assert_true(af_span_equal(got->usable, want->usable));
	for (size_t i = 0; i < want->nparts; i++) {
		const struct af_part *p = af_layout_number(got, want->part[i].number);
		struct af_part q = want->part[i];

		assert_non_null(p);
		q.ebr = p->ebr;
		q.attrs &= ~SILENT_BITS;
		if (!af_part_equal(p, &q))
			fail_msg("partition %u differs", (unsigned)q.number);
	}
}

/* Several logicals in one gap, their EBRs elsewhere: there is no sector for an EBR right before each. */
static bool is_crowded(const struct af_layout *l)
{
	const struct af_part *last = NULL, *ext = af_layout_extended(l);

	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *p = &l->part[i];
		af_bytes low;

		if (p->role != AF_ROLE_LOGICAL)
			continue;
		low = last ? last->span.end : ext->span.start + l->sector_size;
		if (p->number != l->slots + 1 && p->span.start < low + l->sector_size)
			return true;
		last = p;
	}
	return false;
}

static void one_round(uint64_t seed, enum af_scheme scheme)
{
	struct gen g = { seed };
	struct af_layout l = any_layout(&g, scheme), empty, got;
	struct af_text text = { 0 };
	struct af_err err = { .code = AF_OK };

	dump(&l, &text);
	if (!apply(text.data, text.len, &l, &got, &err))
		fail_msg("applied again: %s\n%s", err.text, text.data);
	assert_true(af_layout_equal(&l, &got));
	af_layout_release(&got);
	assert_true(
		af_layout_init(&empty, AF_SCHEME_NONE, l.disk_size, l.sector_size, &err));
	if (apply(text.data, text.len, &empty, &got, &err)) {
		check_same(&l, &got);
		af_layout_release(&got);
	} else if (!is_crowded(&l)) {
		fail_msg("applied anew: %s\n%s", err.text, text.data);
	}
	af_layout_release(&l);
	af_text_release(&text);
}

static void run(enum af_scheme scheme)
{
	uint64_t seed = number_from("SEED", any_seed()),
		 rounds = number_from("ROUNDS", 3000);

	for (uint64_t i = 0; i < rounds; i++) {
		/* Said before, because a failure jumps out of here. */
		if (i % 100 == 0 || rounds == 1)
			print_message("%s SEED=%" PRIu64 " ROUNDS=100\n",
				      af_scheme_name(scheme), seed + i);
		one_round(seed + i, scheme);
	}
}

static void test_script__a_dump_of_an_mbr_makes_it_again(void **state)
{
	(void)state;
	run(AF_SCHEME_MBR);
}

static void test_script__a_dump_of_a_gpt_makes_it_again(void **state)
{
	(void)state;
	run(AF_SCHEME_GPT);
}

/* Puts pieces of the language, or rubbish, over or into the text. */
static void damage(struct gen *g, struct af_text *text)
{
	static const char *const piece_table[] = {
		"start=",
		"size=",
		",",
		"+",
		"-",
		"\"",
		"'",
		"=",
		" : ",
		"#",
		";",
		"\n",
		"0",
		"99999999999999999999",
		"type=",
		"bootable",
		"E",
		"*",
		"attrs",
		"\\x00",
		"\\x4",
		"label: ",
		"gpt\n",
		"dos\n",
		"M",
		"GUID:",
		"5",
		"grain: 1M\n",
		"first-lba: 1\n",
		"sector-size: 4096\n",
		"table-length: 3\n",
		",,,*\n",
		",1M,E\n",
	};
	size_t n = sizeof piece_table / sizeof piece_table[0];

	for (uint64_t i = gen_between(g, 1, 3); i > 0; i--) {
		size_t at = gen_below(g, text->len + 1), cut = gen_below(g, 12);
		const char *piece = piece_table[gen_below(g, n)];
		char byte = (char)(gen_next(g) & 0x7F);
		struct af_text next = { 0 };

		if (cut > text->len - at)
			cut = text->len - at;
		af_text_put(&next, text->data, at);
		if (gen_below(g, 4) == 0)
			af_text_put(&next, &byte, 1);
		else
			af_text_put(&next, piece, strlen(piece));
		if (gen_below(g, 2))
			cut = 0;
		af_text_put(&next, text->data + at + cut, text->len - at - cut);
		af_text_release(text);
		*text = next;
	}
}

static void test_script__a_damaged_one_makes_a_sound_table_or_is_refused(void **state)
{
	uint64_t seed = number_from("SEED", any_seed()),
		 rounds = number_from("ROUNDS", 6000), taken = 0;

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		struct gen g = { seed + i };
		struct af_layout l = any_layout(&g, i % 2 ? AF_SCHEME_GPT : AF_SCHEME_MBR);
		struct af_layout got;
		struct af_text text = { 0 };
		struct af_err err = { .code = AF_OK };

		if (i % 100 == 0)
			print_message("damaged SEED=%" PRIu64 " ROUNDS=100\n", seed + i);
		dump(&l, &text);
		damage(&g, &text);
		if (apply(text.data, text.len, &l, &got, &err)) {
			assert_true(af_layout_sound(&got, &err));
			af_layout_release(&got);
			taken++;
		} else {
			assert_int_not_equal(err.code, AF_OK);
			assert_true(strchr(err.text, '\n') == NULL);
		}
		af_layout_release(&l);
		af_text_release(&text);
	}
	print_message("%" PRIu64 " of them were taken\n", taken);
	assert_true(rounds < 100 || (taken > 0 && taken < rounds));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_script__a_dump_of_an_mbr_makes_it_again),
		cmocka_unit_test(test_script__a_dump_of_a_gpt_makes_it_again),
		cmocka_unit_test(
			test_script__a_damaged_one_makes_a_sound_table_or_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
