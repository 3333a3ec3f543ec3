/* What changes between two tables, and the steps that get there. */
#include "afdisk/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#define SECTOR 512

static const struct af_type mbr_type[] = { { { 0x05 }, "Extended" },
					   { { 0x82 }, "Linux swap" },
					   { { 0x83 }, "Linux" },
					   { { 0x86 }, "NTFS volume set" },
					   { { 0x87 }, "NTFS volume set" } };
static const struct af_type gpt_type[] = { { { 0x82 }, "Linux swap" },
					   { { 0x83 }, "Linux filesystem" } };
static const struct af_types mbr_types = { mbr_type, 5 }, gpt_types = { gpt_type, 2 };
static const struct af_contents nothing = { 0 };

static struct af_part part(uint32_t number, enum af_role role, int64_t start,
			   int64_t sectors)
{
	struct af_part p = { .number = number, .role = role, .type = { 0x83 } };
	p.span = (struct af_span){ start * SECTOR, (start + sectors) * SECTOR };
	if (role == AF_ROLE_LOGICAL)
		p.ebr = (start - 63) * SECTOR;
	return p;
}

/* sda1, sda2, an extended sda3 and two logicals. */
static struct af_layout seed(void)
{
	struct af_layout l;
	struct af_err err;
	assert_true(af_layout_init(&l, AF_SCHEME_MBR, 1000 * AF_GIB, SECTOR, &err));
	const struct af_part all[] = {
		part(1, AF_ROLE_PRIMARY, 63, 20971521),
		part(2, AF_ROLE_PRIMARY, 20971584, 20971520),
		part(3, AF_ROLE_EXTENDED, 41943104, 50000000),
		part(5, AF_ROLE_LOGICAL, 41943167, 20971520),
		part(6, AF_ROLE_LOGICAL, 62914750, 20971520),
	};
	for (size_t i = 0; i < 5; i++)
		(void)af_layout_add(&l, &all[i]);
	l.part[2].type[0] = 5;
	l.disk_id[0] = 0x10;
	return l;
}

static struct af_part *numbered(struct af_layout *l, uint32_t number)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].number == number)
			return &l->part[i];
	fail();
	return NULL;
}

static void move_to(struct af_part *p, int64_t start, int64_t sectors)
{
	p->span = (struct af_span){ start * SECTOR, (start + sectors) * SECTOR };
}

/* The plan for sda. */
static struct af_plan make(const struct af_layout *base, const struct af_layout *now,
			   const struct af_contents *contents)
{
	const struct af_plan_words words = { .dev_name = "/dev/sda",
					     .contents = contents,
					     .mbr_types = &mbr_types,
					     .gpt_types = &gpt_types };
	struct af_plan plan;
	af_plan_make(base, now, &words, &plan);
	return plan;
}

/* The change of the partition that had, or will have, this number. */
static const struct af_change *change_of(const struct af_plan *p, uint32_t before,
					 uint32_t after)
{
	for (size_t i = 0; i < p->nchanges; i++)
		if (p->change[i].before.number == before &&
		    p->change[i].after.number == after)
			return &p->change[i];
	fail();
	return NULL;
}

static void check_step(const struct af_plan *p, size_t i, const char *word,
		       uint32_t partition, const char *detail)
{
	assert_true(i < p->nsteps);
	assert_string_equal(p->step[i].step, word);
	assert_int_equal(p->step[i].partition, partition);
	assert_string_equal(p->step[i].detail, detail);
}

/* The three steps that end every plan. */
static void check_end(const struct af_plan *p, size_t i)
{
	assert_int_equal(p->nsteps, i + 3);
	check_step(p, i, "backup", 0,
		   "save the old sectors of the table of sda in a backup file");
	check_step(p, i + 1, "write", 0, "write the table to sda");
	check_step(p, i + 2, "verify", 0, "read it back from sda and compare");
}

static void test_plan__no_difference_gives_no_steps(void **state)
{
	(void)state;
	struct af_layout l = seed();
	struct af_plan plan = make(&l, &l, &nothing);
	assert_int_equal(plan.nsteps, 0);
	assert_int_equal(plan.nchanges, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(plan.change[i].kind, AF_CHANGE_KEPT);
	af_plan_release(&plan);
	assert_null(plan.change);
	assert_int_equal(plan.nchanges, 0);
	af_layout_release(&l);
}

static void test_plan__delete_says_size_place_and_content(void **state)
{
	(void)state;
	struct af_layout base = seed(), now;
	af_layout_copy(&base, &now);
	uint32_t id = numbered(&now, 2)->id;
	struct af_content item = {
		.id = id, .state = AF_CONTENT_FOUND, .fs = "ext4", .label = "home"
	};
	struct af_contents contents = { &item, 1 };
	af_layout_remove(&now, id);
	struct af_plan plan = make(&base, &now, &contents);
	assert_int_equal(plan.change[0].kind, AF_CHANGE_REMOVED);
	assert_int_equal(plan.change[0].before.number, 2);
	assert_int_equal(plan.change[0].after.number, 0);
	check_step(&plan, 0, "delete", 2,
		   "delete sda2: 10 GiB at sector 20971584 (Linux, holds ext4 \"home\")");
	check_end(&plan, 1);
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__renumbering_is_named(void **state)
{
	(void)state;
	struct af_layout base = seed(), now;
	af_layout_copy(&base, &now);
	af_layout_remove(&now, numbered(&now, 5)->id);
	numbered(&now, 6)->number = 5;
	numbered(&now, 5)->ebr = numbered(&now, 3)->span.start;
	struct af_plan plan = make(&base, &now, &nothing);
	assert_int_equal(change_of(&plan, 6, 5)->kind, AF_CHANGE_RETAGGED);
	check_step(&plan, 0, "delete", 5,
		   "delete sda5: 10 GiB at sector 41943167 (logical, Linux)");
	check_step(&plan, 1, "change", 5,
		   "sda6 becomes sda5: its EBR moves from sector 62914687 to 41943104");
	check_end(&plan, 2);
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__add_says_where_the_ebr_goes(void **state)
{
	(void)state;
	struct af_layout base = seed(), now;
	af_layout_copy(&base, &now);
	struct af_part logical = part(7, AF_ROLE_LOGICAL, 83890176, 2048);
	(void)af_layout_add(&now, &logical);
	struct af_plan plan = make(&base, &now, &nothing);
	assert_int_equal(change_of(&plan, 0, 7)->kind, AF_CHANGE_ADDED);
	check_step(&plan, 0, "add", 7,
		   "add sda7: 1 MiB at sectors 83890176 to 83892223 (logical, Linux, "
		   "its EBR at 83890113)");
	check_end(&plan, 1);
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__a_moved_entry_leaves_its_content(void **state)
{
	(void)state;
	static const struct {
		struct af_content inside;
		const char *detail;
	} row[] = {
		{ { .state = AF_CONTENT_FOUND, .fs = "ext4" },
		  "move sda1: from sector 63 to 64; only the entry changes: the ext4 "
		  "inside "
		  "stays at sector 63" },
		{ { .state = AF_CONTENT_UNKNOWN },
		  "move sda1: from sector 63 to 64; only the entry changes: the content "
		  "inside "
		  "stays at sector 63" },
		{ { .state = AF_CONTENT_NONE },
		  "move sda1: from sector 63 to 64; nothing is recognised inside, only the "
		  "entry changes" },
	};
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct af_layout base = seed(), now;
		af_layout_copy(&base, &now);
		move_to(numbered(&now, 1), 64, 20971521);
		struct af_content item = row[i].inside;
		item.id = numbered(&now, 1)->id;
		struct af_contents contents = { &item, 1 };
		struct af_plan plan = make(&base, &now, &contents);
		assert_int_equal(change_of(&plan, 1, 1)->kind, AF_CHANGE_MOVED);
		check_step(&plan, 0, "move", 1, row[i].detail);
		check_end(&plan, 1);
		af_plan_release(&plan);
		af_layout_release(&now);
		af_layout_release(&base);
	}
}

static void test_plan__resize_names_both_places(void **state)
{
	(void)state;
	struct af_layout base = seed(), now;
	af_layout_copy(&base, &now);
	struct af_part *p = numbered(&now, 2);
	struct af_content item = { .id = p->id, .state = AF_CONTENT_FOUND, .fs = "xfs" };
	struct af_contents contents = { &item, 1 };
	move_to(p, 20971584, 2048);
	p->number = 4;
	p->boot = true;
	struct af_plan plan = make(&base, &now, &contents);
	assert_int_equal(change_of(&plan, 2, 4)->kind, AF_CHANGE_RESIZED);
	check_step(
		&plan, 0, "resize", 4,
		"resize sda2: from 10 GiB at sectors 20971584 to 41943103 to 1 MiB at "
		"sectors 20971584 to 20973631, and becomes sda4; only the entry changes: "
		"the "
		"xfs inside keeps its size");
	check_step(&plan, 1, "change", 4, "change sda2: boot flag on");
	check_end(&plan, 2);
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

/* What the plan says of the content of partition 6, 10 GiB, when it gets that many sectors. */
static void check_resized(const char *fs, af_bytes fs_size, af_bytes sectors,
			  const char *expect)
{
	struct af_layout base = seed(), now;
	af_layout_copy(&base, &now);
	struct af_part *p = numbered(&now, 6);
	struct af_content item = { .id = p->id,
				   .state = AF_CONTENT_FOUND,
				   .fs_size = fs_size };
	struct af_contents contents = { &item, 1 };
	(void)snprintf(item.fs, sizeof(item.fs), "%s", fs);
	p->span.end = p->span.start + sectors * SECTOR;
	struct af_plan plan = make(&base, &now, &contents);
	const char *said = strstr(plan.step[0].detail, "; only the entry changes: ");
	assert_non_null(said);
	assert_string_equal(strchr(said, ':') + 2, expect);
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__resize_says_what_becomes_of_the_content(void **state)
{
	(void)state;
	check_resized(
		"ext4", 10 * AF_GIB, 30000000,
		"the ext4 inside keeps its size: 'resize2fs /dev/sda6' makes it larger");
	check_resized("crypto_LUKS", 0, 30000000,
		      "the crypto_LUKS inside keeps its size: 'cryptsetup resize' makes it "
		      "larger");
	check_resized("exfat", 10 * AF_GIB, 30000000, "the exfat inside keeps its size");
	check_resized("ext4", 5 * AF_GIB, 20000000, "the ext4 inside keeps its size");
	check_resized("ext4", 10 * AF_GIB, 2048,
		      "the ext4 inside needs 10 GiB and is cut off");
}

static void test_plan__an_extended_partition_has_no_content(void **state)
{
	(void)state;
	struct af_layout base = seed(), now;
	af_layout_copy(&base, &now);
	struct af_part *p = numbered(&now, 3);
	struct af_content item = { .id = p->id, .state = AF_CONTENT_NONE };
	struct af_contents contents = { &item, 1 };
	move_to(p, 41943104, 50002048);
	struct af_plan plan = make(&base, &now, &contents);
	assert_string_equal(plan.step[0].step, "resize");
	assert_null(strstr(plan.step[0].detail, "inside"));
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__every_tag_is_told(void **state)
{
	(void)state;
	struct af_layout base, now;
	struct af_err err;
	assert_true(af_layout_init(&base, AF_SCHEME_GPT, 1000 * AF_MIB, SECTOR, &err));
	struct af_part p = part(1, AF_ROLE_PRIMARY, 2048, 2048);
	p.attrs = 1;
	(void)snprintf(p.name, sizeof(p.name), "old");
	(void)af_layout_add(&base, &p);
	af_layout_copy(&base, &now);
	struct af_part *q = numbered(&now, 1);
	q->uuid[15] = 7;
	q->attrs = 6;
	(void)snprintf(q->name, sizeof(q->name), "new");
	struct af_plan plan = make(&base, &now, &nothing);
	assert_int_equal(plan.change[0].kind, AF_CHANGE_RETAGGED);
	check_step(&plan, 0, "change", 1,
		   "change sda1: name \"old\" becomes \"new\", UUID becomes "
		   "00000000-0000-0000-0000-000000000007, attribute bit 0 off, attribute "
		   "bit 1 "
		   "on, attribute bit 2 on");
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_copy(&base, &now);
	numbered(&now, 1)->type[0] = 0x82;
	plan = make(&base, &now, &nothing);
	check_step(&plan, 0, "change", 1,
		   "change sda1: type Linux filesystem becomes Linux swap");
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__types_are_named_or_spelled(void **state)
{
	(void)state;
	static const struct {
		uint8_t before, after;
		const char *detail;
	} row[] = {
		{ 0x83, 0x82, "change sda1: type Linux becomes Linux swap" },
		{ 0x83, 0x12, "change sda1: type Linux becomes 12" },
		{ 0x86, 0x87, "change sda1: type 86 becomes 87" },
	};
	struct af_layout base = seed(), now;
	struct af_plan plan;
	af_layout_copy(&base, &now);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		numbered(&base, 1)->type[0] = row[i].before;
		numbered(&now, 1)->type[0] = row[i].after;
		plan = make(&base, &now, &nothing);
		check_step(&plan, 0, "change", 1, row[i].detail);
		af_plan_release(&plan);
	}
	af_layout_remove(&base, numbered(&base, 1)->id);
	af_layout_remove(&base, numbered(&base, 3)->id);
	numbered(&now, 1)->type[0] = 0x12;
	plan = make(&base, &now, &nothing);
	check_step(&plan, 0, "add", 1,
		   "add sda1: 10 GiB at sectors 63 to 20971583 (type 12)");
	check_step(&plan, 1, "add", 3,
		   "add sda3: 23.8 GiB at sectors 41943104 to 91943103 (extended)");
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__a_new_table_names_types_of_its_own_kind(void **state)
{
	(void)state;
	struct af_layout base = seed(), now;
	struct af_err err;
	assert_true(af_layout_init(&now, AF_SCHEME_GPT, base.disk_size, SECTOR, &err));
	now.next_id = base.next_id;
	struct af_part p = part(1, AF_ROLE_PRIMARY, 2048, 2048);
	(void)af_layout_add(&now, &p);
	p = part(2, AF_ROLE_PRIMARY, 4096, 2048);
	p.type[0] = 5;
	(void)af_layout_add(&now, &p);
	struct af_plan plan = make(&base, &now, &nothing);
	check_step(&plan, 1, "add", 1,
		   "add sda1: 1 MiB at sectors 2048 to 4095 (Linux filesystem)");
	check_step(&plan, 2, "add", 2,
		   "add sda2: 1 MiB at sectors 4096 to 6143 (type "
		   "05000000-0000-0000-0000-000000000000)");
	check_end(&plan, 3);
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__a_change_of_role_is_told(void **state)
{
	(void)state;
	struct af_layout base = seed(), now;
	af_layout_copy(&base, &now);
	numbered(&now, 5)->role = AF_ROLE_PRIMARY;
	numbered(&now, 5)->ebr = 0;
	struct af_plan plan = make(&base, &now, &nothing);
	assert_non_null(strstr(plan.step[0].detail, "becomes a primary one"));
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__a_new_label_says_what_is_lost(void **state)
{
	(void)state;
	struct af_layout base = seed(), now;
	struct af_err err;
	struct af_plan plan;
	assert_true(af_layout_init(&now, AF_SCHEME_GPT, base.disk_size, SECTOR, &err));
	plan = make(&base, &now, &nothing);
	assert_int_equal(plan.nchanges, 5);
	check_step(&plan, 0, "label", 0,
		   "make a new gpt table on sda: its dos table is lost, with 5 partitions");
	check_end(&plan, 1);
	af_plan_release(&plan);
	/* The same kind again, over nothing and over an empty one. */
	af_layout_release(&base);
	af_layout_copy(&now, &base);
	now.disk_id[3] = 1;
	plan = make(&base, &now, &nothing);
	check_step(&plan, 0, "label", 0,
		   "make a new gpt table on sda: it replaces a gpt table");
	af_plan_release(&plan);
	base.scheme = AF_SCHEME_NONE;
	plan = make(&base, &now, &nothing);
	check_step(&plan, 0, "label", 0,
		   "make a new gpt table on sda: there is none so far");
	check_end(&plan, 1);
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

static void test_plan__long_names_are_cut_not_split(void **state)
{
	(void)state;
	struct af_layout base, now;
	struct af_err err;
	assert_true(af_layout_init(&base, AF_SCHEME_GPT, 1000 * AF_MIB, SECTOR, &err));
	struct af_part p = part(1, AF_ROLE_PRIMARY, 2048, 2048);
	for (size_t i = 0; i < 36; i++)
		memcpy(p.name + 3 * i, "\xe2\x82\xac", 4);
	(void)af_layout_add(&base, &p);
	af_layout_copy(&base, &now);
	for (size_t i = 0; i < 36; i++)
		now.part[0].name[3 * i + 2] = (char)0xad;
	struct af_plan plan = make(&base, &now, &nothing);
	size_t n = strlen(plan.step[0].detail);
	assert_true(n >= 236 && n < 240);
	assert_int_equal((unsigned char)plan.step[0].detail[n - 3], 0xe2);
	af_plan_release(&plan);
	af_layout_release(&now);
	af_layout_release(&base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan__no_difference_gives_no_steps),
		cmocka_unit_test(test_plan__delete_says_size_place_and_content),
		cmocka_unit_test(test_plan__renumbering_is_named),
		cmocka_unit_test(test_plan__add_says_where_the_ebr_goes),
		cmocka_unit_test(test_plan__a_moved_entry_leaves_its_content),
		cmocka_unit_test(test_plan__resize_names_both_places),
		cmocka_unit_test(test_plan__resize_says_what_becomes_of_the_content),
		cmocka_unit_test(test_plan__an_extended_partition_has_no_content),
		cmocka_unit_test(test_plan__every_tag_is_told),
		cmocka_unit_test(test_plan__types_are_named_or_spelled),
		cmocka_unit_test(test_plan__a_new_table_names_types_of_its_own_kind),
		cmocka_unit_test(test_plan__a_change_of_role_is_told),
		cmocka_unit_test(test_plan__a_new_label_says_what_is_lost),
		cmocka_unit_test(test_plan__long_names_are_cut_not_split),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
