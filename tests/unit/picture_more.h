/** picture_more.h - more disks for the tests of the pictures: odd sectors, no table,
 * random ones. */
#ifndef TESTS_PICTURE_MORE_H
#define TESTS_PICTURE_MORE_H
#include "picture_disks.h"

/** Disks that need more than the seeds show: 4096-byte sectors, an alignment offset,
 * 12-digit sectors. */
static inline void test_disk_4k(struct test_disk *d)
{
	static const struct test_part part[] = {
		{ .number = 1, .start = 256, .end = 26214655, .fs = "xfs", .label = "big" },
		{ .number = 2, .start = 26214657, .end = 52429000 },
	};
	test_disk_init(d, AF_SCHEME_GPT, 244190646, 4096);
	test_disk_parts(d, part, 2);
}

static inline void test_disk_offset(struct test_disk *d)
{
	static const struct test_part part[] = {
		{ 1, AF_ROLE_PRIMARY, 63, 20971518, 0, 0x83, false, "ext4", "root" },
		{ 2, AF_ROLE_PRIMARY, 20973568, 83888127, 0, 0x83, false, NULL, NULL },
	};
	test_disk_init(d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	d->topo.alignment_offset = 3584;
	d->rules = af_align_rules(&d->topo, false);
	test_disk_parts(d, part, 2);
}

static inline void test_disk_huge(struct test_disk *d)
{
	static const struct test_part part[] = {
		{ .number = 1, .start = 100000000008, .end = 200000000008, .fs = "ext4" },
		{ .number = 127,
		  .start = 300000000007,
		  .end = 899999999999,
		  .label = "archive" },
	};
	test_disk_init(d, AF_SCHEME_GPT, 900000000064, 512);
	test_disk_parts(d, part, 2);
}

static inline void test_disk_empty(struct test_disk *d, enum af_scheme scheme)
{
	test_disk_init(d, scheme, SEED_SECTORS, 512);
	ui_picture_rows(&d->p, 0);
}

/** A small generator, so that a failing case is the same everywhere. */
static inline uint32_t test_random(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525U + 1013904223U;
	return (uint32_t)(((uint64_t)(*seed >> 8) * below) >> 24);
}

/** A GPT with n partitions (1 to 128) of random sizes and gaps, most edges off the
 * grain. */
static inline void test_disk_random(struct test_disk *d, uint32_t *seed, uint32_t n)
{
	test_disk_init(d, AF_SCHEME_GPT, 100000 + (int64_t)test_random(seed, 4000000) * 512,
		       512);
	int64_t start = 34, end = d->layout.disk_size / 512 - 34;
	for (uint32_t i = 1; i <= n; i++) {
		uint32_t share = (uint32_t)((end - start) / (n - i + 1));
		if (share < 4)
			break;
		int64_t first =
			start + (test_random(seed, 2) ? test_random(seed, share / 2) : 0);
		int64_t size = 1 + test_random(seed, share / 2);
		test_disk_add(d, (struct test_part){ .number = i,
						     .start = first,
						     .end = first + size - 1 });
		start = first + size;
	}
	ui_picture_rows(&d->p, 0);
}

/** An MBR with n logicals (1 to 56) in a row, each with its EBR somewhere before it. */
static inline void test_disk_random_logicals(struct test_disk *d, uint32_t *seed,
					     uint32_t n)
{
	int64_t start = 63 + test_random(seed, 100000), end = 40000000;
	test_disk_init(d, AF_SCHEME_MBR, end + 1 + test_random(seed, 1000000), 512);
	test_disk_add(d, (struct test_part){ 1, AF_ROLE_PRIMARY, 1, start - 1, 0, 0x83,
					     false, NULL, NULL });
	test_disk_add(d, (struct test_part){ 2, AF_ROLE_EXTENDED, start, end - 1, 0, 5,
					     false, NULL, NULL });
	for (uint32_t i = 0; i < n; i++) {
		uint32_t share = (uint32_t)((end - start) / (n - i));
		int64_t ebr = start + (i ? test_random(seed, share / 4) : 0);
		int64_t first = ebr + 1 + test_random(seed, share / 4);
		int64_t size = 1 + test_random(seed, share / 4);
		test_disk_add(d, (struct test_part){ 5 + i, AF_ROLE_LOGICAL, first,
						     first + size - 1, ebr, 0x83, false,
						     NULL, NULL });
		start = first + size;
	}
	ui_picture_rows(&d->p, 0);
}
#endif
