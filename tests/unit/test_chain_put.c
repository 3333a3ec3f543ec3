/* Entries as bytes: the chain's two numbers, CHS in the words of the table, and what keeps its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/chain.h"

#define EXT 100 /* sector where the extended partition begins */

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
}

static struct af_part logical(uint32_t number, uint32_t sector_size, af_bytes ebr,
			      af_bytes start, af_bytes end)
{
	return (struct af_part){
		.number = number,
		.role = AF_ROLE_LOGICAL,
		.type = { 0x83 },
		.ebr = ebr * sector_size,
		.span = { start * sector_size, end * sector_size },
	};
}

/* Extended from sector 100 on; two logicals in chain order 5, 6. */
static void two(struct af_layout *l, uint32_t sector_size)
{
	struct af_err err;
	struct af_part ext = {
		.number = 2,
		.role = AF_ROLE_EXTENDED,
		.type = { 0x05 },
		.span = { EXT * (af_bytes)sector_size, 40000 * (af_bytes)sector_size },
	};
	struct af_part five = logical(5, sector_size, 100, 163, 1000);
	struct af_part six = logical(6, sector_size, 1000, 1063, 2000);

	assert_true(af_layout_init(l, AF_SCHEME_MBR, 40000 * (af_bytes)sector_size,
				   sector_size, &err));
	af_layout_add(l, &ext);
	af_layout_add(l, &five);
	af_layout_add(l, &six);
}

/* The EBR of part, which leads to the one of maybe_next, both of them new to the disk unless they stay. */
static void encode(const struct af_layout *l, const struct af_part *part,
		   const struct af_part *maybe_next, bool stays, unsigned char *sector)
{
	struct af_link link = { .at = part->ebr, .maybe_part = part };
	struct af_link next = { .maybe_part = maybe_next, .stays = stays };
	struct af_geometry g;

	if (maybe_next)
		next.at = maybe_next->ebr;
	af_geometry_usual(&g);
	af_chain_encode(l, &link, maybe_next ? &next : NULL, &g, sector);
}

static void expect_entry(const unsigned char *sector, size_t i, struct af_mbr_entry want)
{
	struct af_mbr_entry e = af_chain_entry(sector, i);

	assert_int_equal(e.boot, want.boot);
	assert_int_equal(e.type, want.type);
	assert_int_equal(e.start, want.start);
	assert_int_equal(e.count, want.count);
}

static void expect_encoded(uint32_t sector_size)
{
	unsigned char sector[4096] = { 0 };
	struct af_layout l;

	two(&l, sector_size);
	encode(&l, af_layout_number(&l, 5), af_layout_number(&l, 6), false, sector);
	expect_entry(sector, 0, (struct af_mbr_entry){ 0, 0x83, 63, 837 });
	expect_entry(sector, 1, (struct af_mbr_entry){ 0, 0x05, 900, 1000 });
	assert_int_equal(sector[510], 0x55);
	assert_int_equal(sector[511], 0xAA);
	for (size_t i = 512; i < sizeof sector; i++)
		assert_int_equal(sector[i], 0);
	memset(sector, 0, sizeof sector);
	encode(&l, af_layout_number(&l, 6), NULL, false, sector);
	expect_entry(sector, 0, (struct af_mbr_entry){ 0, 0x83, 63, 937 });
	expect_entry(sector, 1, (struct af_mbr_entry){ 0 });
	af_layout_release(&l);
}

static void
test_chain__encode_counts_from_the_ebr_and_from_the_extended_partition(void **state)
{
	(void)state;
	expect_encoded(512);
	expect_encoded(4096);
}

static void test_chain__encode_writes_chs_of_the_absolute_sector(void **state)
{
	unsigned char sector[512] = { 0 };
	struct af_layout l;

	(void)state;
	two(&l, 512);
	encode(&l, af_layout_number(&l, 6), NULL, false, sector);
	/* 1063 = head 16, sector 56; 1999 = head 31, sector 47 */
	assert_int_equal(sector[446 + 1], 16);
	assert_int_equal(sector[446 + 2], 56);
	assert_int_equal(sector[446 + 3], 0);
	assert_int_equal(sector[446 + 5], 31);
	assert_int_equal(sector[446 + 6], 47);
	af_layout_release(&l);
}

static void test_chain__encode_says_fe_ff_ff_where_chs_cannot_reach(void **state)
{
	static const unsigned char beyond[3] = { 0xFE, 0xFF, 0xFF };
	unsigned char sector[512] = { 0 };
	struct af_layout l;
	struct af_part *last;

	(void)state;
	two(&l, 512);
	last = &l.part[l.nparts - 1];
	last->span.end = (INT64_C(1024) * 255 * 63 + 1) *
			 512; /* one sector behind the last cylinder */
	encode(&l, last, NULL, false, sector);
	assert_memory_equal(sector + 446 + 5, beyond, 3);
	last->span.end -= 512;
	memset(sector, 0, sizeof sector);
	encode(&l, last, NULL, false, sector);
	assert_memory_equal(sector + 446 + 5, beyond,
			    3); /* the very last sector has the same name */
	last->span.end -= 512;
	memset(sector, 0, sizeof sector);
	encode(&l, last, NULL, false, sector);
	assert_int_equal(sector[446 + 6], 0xC0 | 62);
	af_layout_release(&l);
}

static void test_chain__encode_keeps_entries_that_stay_the_same(void **state)
{
	unsigned char sector[512], before[512];
	struct af_layout l;

	(void)state;
	memset(sector, 0x5A, sizeof sector); /* foreign boot code and CHS everywhere */
	sector[446] = 0;
	put_entry(sector, 0, 0x83, 63, 837);
	put_entry(sector, 1, 0x0f, 900, 1000); /* another code for a link says the same */
	put_entry(sector, 2, 0, 0, 0);
	memset(sector + 446 + 32, 0, 32);
	sector[510] = 0x55;
	sector[511] = 0xAA;
	memcpy(before, sector, sizeof before);
	two(&l, 512);
	encode(&l, af_layout_number(&l, 5), af_layout_number(&l, 6), false, sector);
	assert_memory_equal(sector, before, sizeof before);
	l.part[1].boot = true;
	encode(&l, &l.part[1], af_layout_number(&l, 6), false, sector);
	assert_int_equal(sector[446], 0x80);
	assert_memory_equal(sector, before, 446);
	assert_memory_equal(sector + 462, before + 462, 50);
	af_layout_release(&l);
}

/* Bytes of a disk of 40000 sectors. */
static bool read_bytes(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	(void)err;
	memcpy(buf, (const unsigned char *)ctx + at, n);
	return true;
}

static void test_chain__what_is_encoded_is_read(void **state)
{
	unsigned char *disk = calloc(40000, 512);
	struct af_layout l;
	struct af_chain c;

	(void)state;
	assert_non_null(disk);
	two(&l, 512);
	l.part[2].boot = true;
	encode(&l, &l.part[1], &l.part[2], false, disk + EXT * (size_t)512);
	encode(&l, &l.part[2], NULL, false, disk + 1000 * (size_t)512);
	af_chain_read(read_bytes, disk, l.part[0].span, 512, &c);
	assert_true(c.whole);
	assert_int_equal(c.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(c.ebr[i].at, l.part[i + 1].ebr);
		assert_true(af_span_equal(c.ebr[i].data, l.part[i + 1].span));
		assert_int_equal(c.ebr[i].boot == 0x80, l.part[i + 1].boot);
	}
	af_chain_release(&c);
	af_layout_release(&l);
	free(disk);
}

/* A link that leads to the same EBR as before stays, whatever size it gives; one that leads elsewhere does not. */
static void test_chain__encode_keeps_a_link_to_what_stays(void **state)
{
	unsigned char sector[512] = { 0 }, before[512];
	struct af_layout l;

	(void)state;
	two(&l, 512);
	put_entry(sector, 0, 0x83, 63, 837);
	put_entry(sector, 1, 0x05, 900, 30000);
	sector[510] = 0x55;
	sector[511] = 0xAA;
	memcpy(before, sector, sizeof before);
	encode(&l, &l.part[1], &l.part[2], true, sector);
	assert_memory_equal(sector, before, sizeof before);
	encode(&l, &l.part[1], &l.part[2], false, sector);
	expect_entry(sector, 1, (struct af_mbr_entry){ 0, 0x05, 900, 1000 });
	af_layout_release(&l);
}

/* A type or a flag is no reason to tell a place in other words; a new place is. */
static void test_chain__an_entry_keeps_the_chs_of_a_place_that_stays(void **state)
{
	static const unsigned char strange[3] = { 0x5A, 0x5A, 0x5A };
	struct af_mbr_entry e = { 0, 0x83, 63, 837 };
	unsigned char sector[512] = { 0 };
	struct af_geometry g;

	(void)state;
	af_geometry_usual(&g);
	put_entry(sector, 2, 0x07, 63, 837);
	memcpy(sector + 446 + 32 + 1, strange, 3);
	memcpy(sector + 446 + 32 + 5, strange, 3);
	e.boot = 0x80;
	af_chain_put_entry(sector, 2, &e, 0, &g);
	expect_entry(sector, 2, e);
	assert_memory_equal(sector + 446 + 32 + 1, strange, 3);
	assert_memory_equal(sector + 446 + 32 + 5, strange, 3);
	e.count++;
	af_chain_put_entry(sector, 2, &e, 0, &g);
	assert_memory_equal(sector + 446 + 32 + 1, "\x01\x01\x00", 3);
	assert_memory_equal(sector + 446 + 32 + 5, "\x0E\x13\x00", 3);
}

/* What stands in an entry without sectors is nobody's business; an entry that goes leaves zeros. */
static void test_chain__an_unused_entry_is_left_alone(void **state)
{
	static const unsigned char zeros[16];
	const struct af_mbr_entry unused = { 0 };
	unsigned char sector[512] = { 0 }, before[512];
	struct af_geometry g;

	(void)state;
	af_geometry_usual(&g);
	memset(sector + 446, 0x5A, 8);
	memcpy(before, sector, sizeof before);
	af_chain_put_entry(sector, 0, &unused, 0, &g);
	assert_memory_equal(sector, before, sizeof before);
	put_entry(sector, 0, 0x83, 63, 10);
	af_chain_put_entry(sector, 0, &unused, 0, &g);
	assert_memory_equal(sector + 446, zeros, sizeof zeros);
}

/* ------------------------------------------------------------------ geometry */

static void expect_geometry(const struct af_chs *seen, size_t n, struct af_geometry want)
{
	struct af_geometry g;

	af_geometry_guess(seen, n, &g);
	assert_int_equal(g.heads, want.heads);
	assert_int_equal(g.sectors, want.sectors);
	assert_memory_equal(g.beyond, want.beyond, sizeof g.beyond);
}

static void test_chain__the_geometry_is_what_the_table_says(void **state)
{
	/* 240 heads: all ends on head 239, sector 63; the last one beyond 1024 cylinders */
	static const struct af_chs xp[] = {
		{ { 0x01, 0x01, 0x00 }, 63 },
		{ { 0xEF, 0x7F, 0x0E }, 4097519 },
		{ { 0x00, 0x41, 0x0F }, 4097520 },
		{ { 0xEF, 0xFF, 0xFF }, 15755039 },
	};
	/* 64 heads, 32 sectors; beyond, the table says FE FF FF all the same */
	static const struct af_chs zip[] = {
		{ { 0x01, 0x01, 0x00 }, 32 },
		{ { 0x3F, 0x20, 0x63 }, 204799 },
		{ { 0xFE, 0xFF, 0xFF }, 2097152 },
	};

	(void)state;
	expect_geometry(xp, 4, (struct af_geometry){ 240, 63, { 0xEF, 0xFF, 0xFF } });
	expect_geometry(zip, 3, (struct af_geometry){ 64, 32, { 0xFE, 0xFF, 0xFF } });
}

/* 16 heads, but no partition begins or ends with a cylinder. */
static void test_chain__the_geometry_is_worked_out(void **state)
{
	static const struct af_chs aligned[] = {
		{ { 0x00, 0x21, 0x02 }, 2048 },
		{ { 0x08, 0x27, 0x52 }, 83198 },
		{ { 0x06, 0x11, 0x51 }, 82042 },
		{ { 0x0D, 0x4E, 0x8C }, 400000 },
	};
	/* one place alone is no evidence */
	static const struct af_chs alone[] = { { { 0x08, 0x27, 0x52 }, 83198 } };

	/* nearly all of it beyond the cylinders: what stands for that decides */
	static const struct af_chs far[] = {
		{ { 0x01, 0x01, 0x00 }, 63 },
		{ { 0x0F, 0xFF, 0xFF }, 4000000 },
		{ { 0x0F, 0xFF, 0xFF }, 8000000 },
	};

	(void)state;
	expect_geometry(far, 3, (struct af_geometry){ 16, 63, { 0x0F, 0xFF, 0xFF } });
	expect_geometry(aligned, 4, (struct af_geometry){ 16, 63, { 0x0F, 0xFF, 0xFF } });
	expect_geometry(alone, 1, (struct af_geometry){ 255, 63, { 0xFE, 0xFF, 0xFF } });
}

static void test_chain__the_geometry_is_the_usual_one_without_a_better(void **state)
{
	static const struct af_geometry usual = { 255, 63, { 0xFE, 0xFF, 0xFF } };
	/* aligned to MiB: the ends say nothing about heads and sectors */
	static const struct af_chs modern[] = {
		{ { 0x20, 0x21, 0x00 }, 2048 },
		{ { 0x0A, 0x08, 0x82 }, 2097151 },
	};
	/* nothing but what stands for "beyond", or zeros */
	static const struct af_chs beyond[] = {
		{ { 0xFE, 0xFF, 0xFF }, 50000000 },
		{ { 0xFE, 0xFF, 0xFF }, 60000000 },
	};
	static const struct af_chs zeros[] = {
		{ { 0, 0, 0 }, 2048 },
		{ { 0, 0, 0 }, 4095 },
	};
	/* one place that several geometries could have said */
	static const struct af_chs start[] = { { { 0x01, 0x01, 0x00 }, 63 } };

	(void)state;
	expect_geometry(modern, 2, usual);
	expect_geometry(beyond, 2, usual);
	expect_geometry(zeros, 2, usual);
	expect_geometry(start, 1, usual);
	expect_geometry(start, 0, usual);
}

/* Beyond 1024 cylinders the last place that has a number, unless the table has a word of its own, always the same. */
static void test_chain__beyond_is_the_tables_own_word(void **state)
{
	static const struct af_chs same[] = {
		{ { 0xEF, 0x7F, 0x0E }, 4097519 },
		{ { 0x00, 0x41, 0x0F }, 4097520 },
		{ { 0xFE, 0xFF, 0xFF }, 20000000 },
	};
	static const struct af_chs mixed[] = {
		{ { 0xEF, 0x7F, 0x0E }, 4097519 },
		{ { 0x00, 0x41, 0x0F }, 4097520 },
		{ { 0xFE, 0xFF, 0xFF }, 20000000 },
		{ { 0x12, 0xD4, 0xFF }, 30000000 },
	};

	(void)state;
	expect_geometry(same, 3, (struct af_geometry){ 240, 63, { 0xFE, 0xFF, 0xFF } });
	expect_geometry(mixed, 4, (struct af_geometry){ 240, 63, { 0xEF, 0xFF, 0xFF } });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chain__encode_counts_from_the_ebr_and_from_the_extended_partition),
		cmocka_unit_test(test_chain__encode_writes_chs_of_the_absolute_sector),
		cmocka_unit_test(test_chain__encode_says_fe_ff_ff_where_chs_cannot_reach),
		cmocka_unit_test(test_chain__encode_keeps_entries_that_stay_the_same),
		cmocka_unit_test(test_chain__what_is_encoded_is_read),
		cmocka_unit_test(test_chain__encode_keeps_a_link_to_what_stays),
		cmocka_unit_test(test_chain__an_entry_keeps_the_chs_of_a_place_that_stays),
		cmocka_unit_test(test_chain__an_unused_entry_is_left_alone),
		cmocka_unit_test(test_chain__the_geometry_is_what_the_table_says),
		cmocka_unit_test(test_chain__the_geometry_is_worked_out),
		cmocka_unit_test(
			test_chain__the_geometry_is_the_usual_one_without_a_better),
		cmocka_unit_test(test_chain__beyond_is_the_tables_own_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
