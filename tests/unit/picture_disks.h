/** picture_disks.h - disks as values for the tests of the pictures, and the pictures as
 * text. */
#ifndef TESTS_PICTURE_DISKS_H
#define TESTS_PICTURE_DISKS_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

#define SEED_SECTORS 1953525168 /* the drive of the seed article */

/** One partition of a test disk, in sectors; end inclusive, as the article prints it. */
struct test_part {
	uint32_t number;
	enum af_role role;
	int64_t start, end, ebr;
	uint8_t type;
	bool boot;
	const char *fs, *label;
};

/** Everything a picture borrows, in one place. */
struct test_disk {
	struct af_layout layout;
	struct af_topo topo;
	struct af_rules rules;
	struct af_contents contents;
	struct af_types types;
	struct ui_picture p;
};

static const struct af_type test_type_table[] = {
	{ .id = { 0x05 }, .name = "Extended" },
	{ .id = { 0x07 }, .name = "HPFS/NTFS/exFAT" },
	{ .id = { 0x82 }, .name = "Linux swap / Solaris" },
	{ .id = { 0x83 }, .name = "Linux" },
	{ .id = { 0x0f, 0xc6, 0x3d, 0xaf, 0x84, 0x83, 0x47, 0x72, 0x8e, 0x79, 0x3d, 0x69,
		  0xd8, 0x47, 0x7d, 0xe4 },
	  .name = "Linux filesystem" },
};

static inline void test_disk_init(struct test_disk *d, enum af_scheme scheme,
				  int64_t sectors, uint32_t sector_size)
{
	struct af_err err;
	*d = (struct test_disk){
		.topo = { .size = sectors * sector_size,
			  .sector_size = sector_size,
			  .physical = 4096,
			  .reported_physical = 4096 },
		.types = { test_type_table,
			   sizeof(test_type_table) / sizeof(test_type_table[0]) },
	};
	assert_true(af_layout_init(&d->layout, scheme, d->topo.size, sector_size, &err));
	d->rules = af_align_rules(&d->topo, false);
	d->p.disk = (struct af_disk){
		.path = "/dev/sda",
		.layout = &d->layout,
		.topo = &d->topo,
		.rules = &d->rules,
		.contents = &d->contents,
		.types = &d->types,
	};
}

static inline void test_disk_content(struct test_disk *d, uint32_t id, const char *fs,
				     const char *label)
{
	struct af_content content = { .id = id, .state = AF_CONTENT_FOUND };
	(void)snprintf(content.fs, sizeof(content.fs), "%s", fs);
	(void)snprintf(content.label, sizeof(content.label), "%s", label ? label : "");
	d->contents.item =
		af_realloc(d->contents.item, d->contents.n + 1, sizeof(*d->contents.item));
	d->contents.item[d->contents.n++] = content;
}

static inline uint32_t test_disk_add(struct test_disk *d, struct test_part t)
{
	int64_t ss = d->layout.sector_size;
	struct af_part part = {
		.number = t.number,
		.role = t.role,
		.boot = t.boot,
		.span = { t.start * ss, (t.end + 1) * ss },
		.ebr = t.ebr * ss,
	};
	if (d->layout.scheme == AF_SCHEME_GPT)
		memcpy(part.type, test_type_table[4].id, sizeof(part.type));
	else
		part.type[0] = t.type;
	if (d->layout.scheme == AF_SCHEME_GPT && t.label)
		(void)snprintf(part.name, sizeof(part.name), "%s", t.label);
	uint32_t id = af_layout_add(&d->layout, &part);
	if (t.fs)
		test_disk_content(d, id, t.fs, t.label);
	return id;
}

static inline void test_disk_parts(struct test_disk *d, const struct test_part *part,
				   size_t n)
{
	for (size_t i = 0; i < n; i++)
		test_disk_add(d, part[i]);
	ui_picture_rows(&d->p, 0);
}

static inline void test_disk_release(struct test_disk *d)
{
	af_contents_release(&d->contents);
	af_layout_release(&d->layout);
	ui_picture_release(&d->p);
}

/** The article's table as an XP-era tool makes it: everything 63 sectors behind a
 * cylinder. */
static inline void test_disk_seed_63(struct test_disk *d)
{
	static const struct test_part part[] = {
		{ 1, AF_ROLE_PRIMARY, 63, 20971583, 0, 0x83, true, "ext3", "root" },
		{ 2, AF_ROLE_PRIMARY, 20971584, 41945084, 0, 0x83, false, "ext4", "home" },
		{ 3, AF_ROLE_EXTENDED, 41945085, 1953525167, 0, 0x05, false, NULL, NULL },
		{ 5, AF_ROLE_LOGICAL, 41945148, 62916687, 41945085, 0x83, false, "vfat",
		  "data" },
		{ 6, AF_ROLE_LOGICAL, 62916751, 83888271, 62916688, 0x82, false, "swap",
		  NULL },
	};
	test_disk_init(d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	test_disk_parts(d, part, 5);
}

/** The article's table with all starts on 4 KiB boundaries. */
static inline void test_disk_seed_aligned(struct test_disk *d)
{
	static const struct test_part part[] = {
		{ 1, AF_ROLE_PRIMARY, 2048, 20973568, 0, 0x83, true, "ext3", "root" },
		{ 2, AF_ROLE_PRIMARY, 20973576, 41945096, 0, 0x83, false, "ext4", "home" },
		{ 3, AF_ROLE_EXTENDED, 41945104, 1953525167, 0, 0x05, false, NULL, NULL },
		{ 5, AF_ROLE_LOGICAL, 41945168, 62916688, 41945104, 0x83, false, "ext4",
		  "data" },
		{ 6, AF_ROLE_LOGICAL, 62916752, 83888272, 62916689, 0x82, false, "swap",
		  NULL },
	};
	test_disk_init(d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	test_disk_parts(d, part, 5);
}

/** A desktop's disk: partitions wide enough to be seen, all on the grain. */
static inline void test_disk_desktop(struct test_disk *d)
{
	static const struct test_part part[] = {
		{ 1, AF_ROLE_PRIMARY, 2048, 419432447, 0, 0x07, true, "ntfs", "Windows" },
		{ 2, AF_ROLE_EXTENDED, 419432448, 1677721599, 0, 0x05, false, NULL, NULL },
		{ 5, AF_ROLE_LOGICAL, 419434496, 838864895, 419432448, 0x83, false, "ext4",
		  "root" },
		{ 6, AF_ROLE_LOGICAL, 838866944, 1258297343, 838864896, 0x83, false, "ext4",
		  "home" },
	};
	test_disk_init(d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	test_disk_parts(d, part, 4);
}

/** A GPT whose 128 entries are all in use, one of them large. */
static inline void test_disk_gpt128(struct test_disk *d)
{
	test_disk_init(d, AF_SCHEME_GPT, SEED_SECTORS, 512);
	int64_t start = 2048;
	for (uint32_t i = 1; i <= 128; i++) {
		int64_t size = i == 64 ? 1000000 * 1024 : 2048 * i;
		test_disk_add(d, (struct test_part){ .number = i,
						     .start = start,
						     .end = start + size - 1,
						     .label = i % 2 ? "odd" : "even" });
		start += size;
	}
	ui_picture_rows(&d->p, 0);
}
#endif
