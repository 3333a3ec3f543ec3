/*
 * Tables made to waste time or memory: each is opened, or refused, for a price that does not depend on what its numbers
 * claim. Counted are the requests to the disk; processor time has a bound that a slow machine keeps, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "afdisk/label.h"
#include "gen.h"
#include "memdev.h"

#define SLOW_MS                                                                            \
	1000 /* ten times what is promised, for machines that do other things, too */

static int64_t now_ms(void)
{
	struct timespec t;

	assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), 0);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* What opening cost. */
struct price {
	uint64_t reads;
	int64_t ms;
	size_t nparts;
	struct af_label_note note;
};

/* Reads the table, and closes the disk. */
static struct price open_table(struct memdev *m)
{
	struct price p = { 0 };
	struct af_layout l;
	struct af_err err;
	int64_t start = now_ms();

	assert_true(af_label_read(&m->dev, &l, &p.note, &err));
	p.ms = now_ms() - start;
	p.reads = m->reads;
	p.nparts = l.nparts;
	assert_true(p.ms < SLOW_MS);
	af_layout_release(&l);
	memdev_close(m);
	return p;
}

static void put_le32(unsigned char *p, uint64_t value)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (unsigned char)(value >> (8 * i));
}

static void put_entry(unsigned char *sector, size_t i, uint8_t type, uint64_t start,
		      uint64_t count)
{
	unsigned char *p = sector + 446 + 16 * i;

	p[4] = type;
	put_le32(p + 8, start);
	put_le32(p + 12, count);
	sector[510] = 0x55;
	sector[511] = 0xAA;
}

#define EXT 64 /* sector where the extended partition begins */

static void put_sector(struct memdev *m, uint64_t at, const unsigned char sector[512])
{
	memdev_poke(m, (af_bytes)at * m->dev.sector_size, sector, 512);
}

/* A disk whose extended partition is nearly all of it. */
static void make_disk(struct memdev *m, uint64_t sectors, uint32_t sector_size)
{
	unsigned char sector[512] = { 0 };

	memdev_open(m, (af_bytes)(sectors * sector_size), sector_size);
	put_entry(sector, 1, 0x0f, EXT, sectors - EXT);
	put_sector(m, 0, sector);
}

/* The EBR number i of a chain whose places jump to and fro; it holds one sector, and links to number next unless
 * that is 0. */
static void put_ebr(struct memdev *m, uint64_t i, uint64_t n, uint64_t next)
{
	unsigned char sector[512] = { 0 };

	/* 1021 and n have no common factor: each number has a place of its own */
	put_entry(sector, 0, 0x83, 1, 1);
	if (next)
		put_entry(sector, 1, 5, next * 1021 % n * 8, 2);
	put_sector(m, EXT + i * 1021 % n * 8, sector);
}

static void make_chain(struct memdev *m, uint64_t n, uint64_t back_to, uint32_t sector_size)
{
	make_disk(m, EXT + 8 * n, sector_size);
	for (uint64_t i = 0; i < n; i++)
		put_ebr(m, i, n, i + 1 < n ? i + 1 : back_to);
}

static void test_label__a_chain_of_4096_scattered_ebrs_is_one_read_each(void **state)
{
	struct memdev m;
	struct price p;

	(void)state;
	for (uint32_t sector_size = 512; sector_size <= 4096; sector_size *= 8) {
		make_chain(&m, 4096, 0, sector_size);
		p = open_table(&m);
		assert_false(p.note.read_only);
		assert_int_equal(p.nparts, 4097);
		assert_true(p.reads <= 4096 + 2);
	}
}

static void test_label__a_longer_chain_is_given_up(void **state)
{
	struct memdev m;
	struct price p;

	(void)state;
	make_chain(&m, 20000, 0, 512);
	p = open_table(&m);
	assert_true(p.note.read_only);
	assert_true(p.reads <= 4096 + 2);
}

static void test_label__loops_end_where_they_close(void **state)
{
	static const uint64_t back_table[] = { 1, 3, 2000, 3999 };
	struct memdev m;
	struct price p;

	(void)state;
	for (size_t i = 0; i < sizeof back_table / sizeof *back_table; i++) {
		make_chain(&m, 4000, back_table[i], 512);
		p = open_table(&m);
		assert_true(p.note.read_only);
		assert_non_null(strstr(p.note.why, "is linked to twice"));
		assert_int_equal(p.nparts, 4001);
		assert_true(p.reads <= 4000 + 2);
	}
}

static void test_label__the_largest_numbers_cost_nothing(void **state)
{
	unsigned char sector[512] = { 0 };
	struct memdev m;
	struct price p;

	(void)state;
	for (uint32_t sector_size = 512; sector_size <= 4096; sector_size *= 8) {
		memdev_open(&m, 1000 * (af_bytes)sector_size, sector_size);
		for (size_t i = 0; i < 4; i++)
			put_entry(sector, i, i == 1 ? 5 : 0x83, i == 1 ? 10 : 0xFFFFFFFF,
				  0xFFFFFFFF);
		put_sector(&m, 0, sector);
		for (size_t i = 0; i < 4; i++)
			put_entry(sector, i, i == 1 ? 5 : 0x83, 0xFFFFFFFF, 0xFFFFFFFF);
		put_sector(&m, 10, sector);
		p = open_table(&m);
		assert_true(p.note.read_only);
		assert_true(p.reads <= 4);
	}
}

/* ------------------------------------------------------------------ GPT */

static uint32_t crc32(const unsigned char *bytes, size_t n)
{
	uint32_t crc = 0xFFFFFFFF;

	for (size_t i = 0; i < n; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
	}
	return crc ^ 0xFFFFFFFF;
}

static void test_label__a_gpt_with_impossible_entries_costs_nothing(void **state)
{
	static const uint32_t number_table[][2] = {
		{ 0xFFFFFFFF, 128 }, { 128, 0 },         { 128, 0xFFFFFFFF }, { 0, 0 },
		{ 0xFFFFFFFF, 0 },   { 0x1000000, 128 }, { 128, 64 },         { 128, 129 },
	};
	struct memdev m;
	struct price p;

	(void)state;
	for (size_t i = 0; i < sizeof number_table / sizeof *number_table; i++) {
		unsigned char header[92];

		memdev_make(&m, "20000000 512 gpt af000000-0000-4000-8000-0000000000ff");
		for (af_bytes at = 512; at > 0;
		     at = at == 512 ? m.dev.size - 512 : 0) { /* both copies */
			memdev_peek(&m, at, header, sizeof header);
			put_le32(header + 80, number_table[i][0]);
			put_le32(header + 84, number_table[i][1]);
			memset(header + 16, 0, 4);
			put_le32(header + 16, crc32(header, sizeof header));
			memdev_poke(&m, at, header, sizeof header);
		}
		p = open_table(&m);
		assert_true(p.note.read_only);
		assert_true(p.reads <= 8);
	}
}

/* ------------------------------------------------------------------ random bytes */

/* Sector 0 and all others random, but with a signature, sane flags and types that lead on. */
static void fill_random(struct gen *g, struct memdev *m, uint64_t sectors)
{
	for (uint64_t at = 0; at < sectors; at++) {
		unsigned char sector[512] = { 0 };

		for (size_t i = 0; i < 4; i++)
			put_entry(sector, i, gen_below(g, 2) ? 0x05 : 0x83,
				  gen_below(g, sectors), gen_below(g, sectors));
		put_sector(m, at, sector);
	}
}

static void test_label__random_tables_are_bounded(void **state)
{
	struct gen g = { .state = 11 };
	struct memdev m;
	struct price p;

	(void)state;
	for (int round = 0; round < 20; round++) {
		memdev_open(&m, 3000 * INT64_C(512), 512);
		fill_random(&g, &m, 3000);
		p = open_table(&m);
		assert_true(p.reads <= 3000 + 2);
	}
}

static void test_label__random_bytes_are_bounded(void **state)
{
	struct gen g = { .state = 12 };
	struct memdev m;
	struct price p;

	(void)state;
	for (int round = 0; round < 100; round++) {
		unsigned char bytes[16384];

		memdev_open(&m, 20000 * INT64_C(512), 512);
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (unsigned char)gen_below(&g, 256);
		bytes[510] = 0x55;
		bytes[511] = 0xAA;
		for (size_t i = 0; i < 4; i++)
			bytes[446 + 16 * i] = 0;
		memdev_poke(&m, 0, bytes, sizeof bytes);
		p = open_table(&m);
		assert_true(p.reads <= 50);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_label__a_chain_of_4096_scattered_ebrs_is_one_read_each),
		cmocka_unit_test(test_label__a_longer_chain_is_given_up),
		cmocka_unit_test(test_label__loops_end_where_they_close),
		cmocka_unit_test(test_label__the_largest_numbers_cost_nothing),
		cmocka_unit_test(test_label__a_gpt_with_impossible_entries_costs_nothing),
		cmocka_unit_test(test_label__random_tables_are_bounded),
		cmocka_unit_test(test_label__random_bytes_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
