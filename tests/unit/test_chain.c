#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/chain.h"

/* A disk of sectors in memory; the extended partition is all of it but the first 100 sectors. */
struct disk {
	unsigned char *bytes;
	uint32_t sector_size;
	af_bytes size;
	af_bytes bad; /* a read of this byte fails; -1: none */
	unsigned reads;
};

#define EXT 100

static void make(struct disk *d, uint32_t sector_size, uint64_t sectors)
{
	*d = (struct disk){ .sector_size = sector_size, .bad = -1 };
	d->size = (af_bytes)(sectors * sector_size);
	d->bytes = calloc(sectors, sector_size);
	assert_non_null(d->bytes);
}

static bool read_disk(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	struct disk *d = ctx;

	d->reads++;
	if (at == d->bad || at + (af_bytes)n > d->size)
		return af_fail(err, AF_E_IO, "bad");
	memcpy(buf, d->bytes + at, n);
	return true;
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
}

static unsigned char *sector_of(struct disk *d, uint64_t sector)
{
	return d->bytes + sector * d->sector_size;
}

/* An EBR with a logical of 10 sectors one sector behind it; link is a disk sector, 0 for none. */
static void put_ebr(struct disk *d, uint64_t at, uint64_t link)
{
	unsigned char *sector = sector_of(d, at);

	put_entry(sector, 0, 0x83, 1, 10);
	if (link)
		put_entry(sector, 1, 0x05, link - EXT, 11);
	sector[510] = 0x55;
	sector[511] = 0xAA;
}

static void walk(struct disk *d, struct af_chain *c)
{
	struct af_span ext = { EXT * (af_bytes)d->sector_size, d->size };

	af_chain_read(read_disk, d, ext, d->sector_size, c);
}

/* The walk must end after n EBRs, because of what `why` says. */
static void expect_broken(struct disk *d, size_t n, const char *why)
{
	struct af_chain c;

	walk(d, &c);
	assert_false(c.whole);
	assert_int_equal(c.n, n);
	if (!strstr(c.why, why))
		fail_msg("\"%s\" is not in \"%s\"", why, c.why);
	af_chain_release(&c);
	free(d->bytes);
}

static void test_chain__is_mbr_needs_the_signature_and_sane_boot_flags(void **state)
{
	unsigned char sector[512] = { 0 };

	(void)state;
	assert_false(af_chain_is_mbr(sector));
	sector[510] = 0x55;
	assert_false(af_chain_is_mbr(sector));
	sector[511] = 0xAA;
	assert_true(af_chain_is_mbr(sector));
	sector[446 + 16] = 0x80;
	assert_true(af_chain_is_mbr(sector));
	sector[446 + 48] = 0x01;
	assert_false(af_chain_is_mbr(sector));
	sector[446 + 48] = 0x81;
	assert_false(af_chain_is_mbr(sector));
}

static void test_chain__entry_decodes_each_of_the_four(void **state)
{
	unsigned char sector[512] = { 0 };

	(void)state;
	put_entry(sector, 3, 0x83, 0xFEDCBA98, 0x12345678);
	sector[446 + 48] = 0x80;
	struct af_mbr_entry e = af_chain_entry(sector, 3);

	assert_int_equal(e.boot, 0x80);
	assert_int_equal(e.type, 0x83);
	assert_int_equal(e.start, 0xFEDCBA98);
	assert_int_equal(e.count, 0x12345678);
	assert_int_equal(af_chain_entry(sector, 0).count, 0);
}

static void expect_three(uint32_t sector_size)
{
	struct disk d;
	struct af_chain c;

	make(&d, sector_size, 1000);
	put_ebr(&d, 100, 500);
	put_ebr(&d, 500, 300); /* out of order of place */
	put_ebr(&d, 300, 0);
	sector_of(&d, 300)[446] = 0x80;
	walk(&d, &c);
	assert_true(c.whole);
	assert_string_equal(c.why, "");
	assert_int_equal(c.n, 3);
	assert_int_equal(d.reads, 3);
	assert_int_equal(c.ebr[1].at, 500 * (af_bytes)sector_size);
	assert_true(c.ebr[1].has_logical);
	assert_int_equal(c.ebr[1].type, 0x83);
	assert_int_equal(c.ebr[1].boot, 0);
	assert_int_equal(c.ebr[2].boot, 0x80);
	assert_int_equal(c.ebr[1].data.start, 501 * (af_bytes)sector_size);
	assert_int_equal(c.ebr[1].data.end, 511 * (af_bytes)sector_size);
	af_chain_release(&c);
	assert_null(c.ebr);
	free(d.bytes);
}

static void test_chain__reads_a_regular_chain(void **state)
{
	(void)state;
	expect_three(512);
	expect_three(4096);
}

static void test_chain__an_ebr_without_a_logical_is_kept_as_such(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 300);
	put_ebr(&d, 300, 0);
	put_entry(sector_of(&d, 100), 0, 0, 0, 0);
	walk(&d, &c);
	assert_true(c.whole);
	assert_int_equal(c.n, 2);
	assert_false(c.ebr[0].has_logical);
	assert_true(c.ebr[1].has_logical);
	af_chain_release(&c);
	free(d.bytes);
}

static void test_chain__a_loop_ends(void **state)
{
	struct disk d;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 300);
	put_ebr(&d, 300, 500);
	put_ebr(&d, 500, 300);
	expect_broken(&d, 3, "the EBR at sector 300 is linked to twice");
}

static void test_chain__a_link_to_itself_ends(void **state)
{
	struct disk d;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 300);
	put_ebr(&d, 300, 300);
	expect_broken(&d, 2, "linked to twice");
}

static void test_chain__a_link_to_the_head_ends(void **state)
{
	struct disk d;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 100);
	expect_broken(&d, 1, "linked to twice");
}

static void test_chain__a_link_outside_ends(void **state)
{
	struct disk d;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 1000);
	expect_broken(&d, 1, "sector 1000 lies outside the extended partition");
}

static void test_chain__the_farthest_link_of_the_largest_sectors_fits(void **state)
{
	struct disk d;

	(void)state;
	make(&d, 4096, 200);
	put_ebr(&d, 100, 0);
	put_entry(sector_of(&d, 100), 1, 0x0f, 0xFFFFFFFF, 0xFFFFFFFF);
	expect_broken(&d, 1, "lies outside");
}

static void test_chain__data_beyond_the_extended_partition_is_told_as_it_is(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 200);
	put_ebr(&d, 100, 0);
	put_entry(sector_of(&d, 100), 0, 0x83, 0xFFFFFFFF, 0xFFFFFFFF);
	walk(&d, &c);
	assert_true(c.whole);
	assert_int_equal(c.ebr[0].data.start, 512 * (100 + INT64_C(0xFFFFFFFF)));
	assert_int_equal(c.ebr[0].data.end, 512 * (100 + 2 * INT64_C(0xFFFFFFFF)));
	af_chain_release(&c);
	free(d.bytes);
}

/* The first sector of the disk in ctx, wherever it is read from. */
static bool read_first(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	struct disk *d = ctx;

	(void)at;
	(void)err;
	memcpy(buf, d->bytes, n);
	return true;
}

static void test_chain__numbers_beyond_any_disk_end(void **state)
{
	const struct af_span farthest = { INT64_MAX - 1023, INT64_MAX };
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 1);
	put_ebr(&d, 0, 0);
	put_entry(d.bytes, 0, 0x83, 0xFFFFFFFF, 1);
	af_chain_read(read_first, &d, farthest, 512, &c);
	assert_false(c.whole);
	assert_non_null(strstr(c.why, "describes data beyond any disk"));
	af_chain_release(&c);
	put_entry(d.bytes, 0, 0, 0, 0);
	put_entry(d.bytes, 1, 5, 0xFFFFFFFF, 1);
	af_chain_read(read_first, &d, farthest, 512, &c);
	assert_false(c.whole);
	assert_non_null(strstr(c.why, "links beyond any disk"));
	af_chain_release(&c);
	free(d.bytes);
}

static void test_chain__no_signature_ends(void **state)
{
	struct disk d;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 300);
	expect_broken(&d, 1, "the EBR at sector 300 has no signature");
}

static void test_chain__a_first_sector_of_zeros_is_an_empty_chain(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 4096, 200);
	walk(&d, &c);
	assert_true(c.whole);
	assert_int_equal(c.n, 0);
	af_chain_release(&c);
	sector_of(&d, 100)[4095] = 1;
	expect_broken(&d, 0, "no signature");
}

static void test_chain__an_unreadable_sector_ends(void **state)
{
	struct disk d;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 300);
	put_ebr(&d, 300, 0);
	d.bad = 300 * INT64_C(512);
	expect_broken(&d, 1, "the EBR at sector 300 cannot be read");
}

/* The walk must find n entries as Linux does, and say why they are not to be written back; *out is for release. */
static void expect_odd(struct disk *d, size_t n, const char *why, struct af_chain *out)
{
	walk(d, out);
	assert_true(out->ended);
	assert_false(out->whole);
	assert_int_equal(out->n, n);
	if (!strstr(out->why, why))
		fail_msg("\"%s\" is not in \"%s\"", why, out->why);
	free(d->bytes);
}

static void expect_data(const struct af_ebr *ebr, uint64_t at, uint64_t start, uint64_t end)
{
	assert_int_equal(ebr->at / 512, at);
	assert_true(ebr->has_logical);
	assert_int_equal(ebr->data.start / 512, start);
	assert_int_equal(ebr->data.end / 512, end);
}

static void test_chain__two_logicals_in_one_ebr_are_found(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 0);
	put_entry(sector_of(&d, 100), 1, 0x83, 20, 5);
	put_entry(sector_of(&d, 100), 2, 0x07, 30, 6);
	put_entry(sector_of(&d, 100), 3, 0x05, 300 - EXT, 20);
	put_ebr(&d, 300, 0);
	expect_odd(&d, 4, "the EBR at sector 100 holds more than one logical", &c);
	expect_data(&c.ebr[0], 100, 101, 111);
	expect_data(&c.ebr[1], 100, 120, 125);
	expect_data(&c.ebr[2], 100, 130, 136);
	expect_data(&c.ebr[3], 300, 301, 311);
	af_chain_release(&c);
}

static void test_chain__nonsense_in_the_last_entries_is_passed_over(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 300);
	put_ebr(&d, 300, 0);
	put_entry(sector_of(&d, 100), 2, 0x83, 20,
		  5000);                              /* beyond the extended partition */
	put_entry(sector_of(&d, 300), 3, 0x83, 5, 7); /* beyond what leads here */
	walk(&d, &c);
	assert_true(c.whole);
	assert_int_equal(c.n, 2);
	af_chain_release(&c);
	put_entry(sector_of(&d, 300), 3, 0x83, 5, 6);
	expect_odd(&d, 3, "the EBR at sector 300 holds more than one logical", &c);
	af_chain_release(&c);
}

static void test_chain__a_link_in_any_entry_is_followed(void **state)
{
	static const char *const why[4] = { "its link in the first entry", NULL,
					    "its link in its third or fourth entry",
					    "its link in its third or fourth entry" };
	struct disk d;
	struct af_chain c;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		if (!why[i])
			continue;
		make(&d, 512, 1000);
		put_ebr(&d, 100, 0);
		put_entry(sector_of(&d, 100), 0, 0, 0, 0);
		put_entry(sector_of(&d, 100), i, 0x85, 300 - EXT, 20);
		put_ebr(&d, 300, 0);
		expect_odd(&d, 2, why[i], &c);
		assert_false(c.ebr[0].has_logical);
		expect_data(&c.ebr[1], 300, 301, 311);
		af_chain_release(&c);
	}
}

static void test_chain__of_two_links_the_first_is_followed(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 300);
	put_ebr(&d, 300, 0);
	put_entry(sector_of(&d, 100), 2, 0x05, 500 - EXT, 20);
	expect_odd(&d, 2, "has two links", &c);
	expect_data(&c.ebr[1], 300, 301, 311);
	af_chain_release(&c);
}

static void test_chain__a_partition_behind_the_first_entry_is_found(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 0);
	put_entry(sector_of(&d, 100), 0, 0, 0, 0);
	put_entry(sector_of(&d, 100), 1, 0x83, 20, 5);
	expect_odd(&d, 1, "its partition behind the first entry", &c);
	expect_data(&c.ebr[0], 100, 120, 125);
	af_chain_release(&c);
}

static void test_chain__a_size_without_a_type_is_found(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 1000);
	put_ebr(&d, 100, 0);
	put_entry(sector_of(&d, 100), 0, 0, 1, 5);
	expect_odd(&d, 1, "no type", &c);
	expect_data(&c.ebr[0], 100, 101, 106);
	af_chain_release(&c);
}

/* n EBRs without a partition behind the first, which has one, and one with a partition at the end. */
static void make_idle(struct disk *d, uint64_t n)
{
	make(d, 512, 1000);
	for (uint64_t i = 0; i < n + 2; i++) {
		put_ebr(d, 100 + i, i < n + 1 ? 101 + i : 0);
		if (i > 0 && i < n + 1)
			put_entry(sector_of(d, 100 + i), 0, 0, 0, 0);
	}
}

static void test_chain__a_hundred_ebrs_without_a_partition_end(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make_idle(&d, 99);
	walk(&d, &c);
	assert_true(c.whole);
	assert_int_equal(c.n, 101);
	af_chain_release(&c);
	free(d.bytes);
	make_idle(&d, 100);
	expect_broken(&d, 101, "the EBR at sector 201 follows a hundred without");
}

static void test_chain__an_extended_partition_without_a_sector_ends(void **state)
{
	struct disk d;
	struct af_chain c;

	(void)state;
	make(&d, 512, 200);
	af_chain_read(read_disk, &d, (struct af_span){ 51200, 51200 }, 512, &c);
	assert_false(c.whole);
	assert_int_equal(d.reads, 0);
	af_chain_release(&c);
	free(d.bytes);
}

static void test_chain__five_thousand_ebrs_are_too_many(void **state)
{
	struct disk d;

	(void)state;
	make(&d, 512, 60000);
	for (uint64_t i = 0; i < 5000; i++)
		put_ebr(&d, 100 + 11 * i, i < 4999 ? 100 + 11 * (i + 1) : 0);
	expect_broken(&d, AF_CHAIN_MAX, "one too many");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chain__is_mbr_needs_the_signature_and_sane_boot_flags),
		cmocka_unit_test(test_chain__entry_decodes_each_of_the_four),
		cmocka_unit_test(test_chain__reads_a_regular_chain),
		cmocka_unit_test(test_chain__an_ebr_without_a_logical_is_kept_as_such),
		cmocka_unit_test(test_chain__a_loop_ends),
		cmocka_unit_test(test_chain__a_link_to_itself_ends),
		cmocka_unit_test(test_chain__a_link_to_the_head_ends),
		cmocka_unit_test(test_chain__a_link_outside_ends),
		cmocka_unit_test(test_chain__the_farthest_link_of_the_largest_sectors_fits),
		cmocka_unit_test(
			test_chain__data_beyond_the_extended_partition_is_told_as_it_is),
		cmocka_unit_test(test_chain__numbers_beyond_any_disk_end),
		cmocka_unit_test(test_chain__no_signature_ends),
		cmocka_unit_test(test_chain__a_first_sector_of_zeros_is_an_empty_chain),
		cmocka_unit_test(test_chain__an_unreadable_sector_ends),
		cmocka_unit_test(test_chain__two_logicals_in_one_ebr_are_found),
		cmocka_unit_test(test_chain__nonsense_in_the_last_entries_is_passed_over),
		cmocka_unit_test(test_chain__a_link_in_any_entry_is_followed),
		cmocka_unit_test(test_chain__of_two_links_the_first_is_followed),
		cmocka_unit_test(test_chain__a_partition_behind_the_first_entry_is_found),
		cmocka_unit_test(test_chain__a_size_without_a_type_is_found),
		cmocka_unit_test(test_chain__a_hundred_ebrs_without_a_partition_end),
		cmocka_unit_test(test_chain__an_extended_partition_without_a_sector_ends),
		cmocka_unit_test(test_chain__five_thousand_ebrs_are_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
