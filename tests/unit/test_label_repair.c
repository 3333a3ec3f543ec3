/*
 * GPTs that need repair: damaged copies, disks that grew or shrank. Every state that a power cut in a repair may leave
 * still shows the whole table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "gptcopy.h"
#include "reader.h"
#include "render.h"

#define GUID    "af000000-0000-4000-8000-0000000000ff"
#define SECTORS 20480
#define PARTS                                                                              \
	" g7=2048+1000,linux,auto,seven g1=4096+1000,linux,auto,one "                      \
	"g3=8192+1000,efi,auto,three "

static const uint32_t size_table[] = { 512, 4096 };

/* ------------------------------------------------------------------ repair */

enum where {
	NOWHERE,
	PRIMARY_HEADER,
	PRIMARY_ENTRIES,
	BACKUP_HEADER,
	BACKUP_ENTRIES,
	BACKUP_ID
};

static const struct kind {
	const char *form;
	enum where damage;
	const char *state;
} kind_table[] = {
	{ "", PRIMARY_HEADER, "primary damaged" },
	{ "", PRIMARY_ENTRIES, "primary damaged" },
	{ "", BACKUP_HEADER, "backup damaged" },
	{ "", BACKUP_ENTRIES, "backup damaged" },
	{ "", BACKUP_ID, "backup differs" },
	{ "made-for=15000", NOWHERE, "backup not at the end" },
	{ "made-for=15000", PRIMARY_HEADER, "primary damaged" },
	{ "made-for=15000", BACKUP_HEADER, "backup not at the end" },
	{ "made-for=30000", NOWHERE, "backup beyond the end" },
	{ "entry-size=512", PRIMARY_HEADER, "primary damaged" },
	{ "array=34 first-usable=66", PRIMARY_ENTRIES, "primary damaged" },
	{ "array=34 first-usable=66 made-for=15000", NOWHERE, "backup not at the end" },
	{ "slots=1024", BACKUP_ENTRIES, "backup damaged" },
};
#define KINDS (sizeof kind_table / sizeof kind_table[0])

static void damage(const struct memdev *m, const struct kind *k)
{
	uint64_t last = strstr(k->form, "made-for=15000") ? 14999 : SECTORS - 1;
	uint64_t ss = m->dev.sector_size, at = 0;
	struct gpt_copy c;

	if (k->damage == NOWHERE)
		return;
	gpt_copy_take(m, k->damage < BACKUP_HEADER ? 1 : last, &c);
	if (k->damage == BACKUP_ID) {
		c.header[56] ^= 1;
		gpt_copy_seal(m, last, &c);
	} else if (k->damage == PRIMARY_ENTRIES || k->damage == BACKUP_ENTRIES) {
		at = gpt_get(c.header + 72, 8) * ss + 60;
	} else {
		at = gpt_get(c.header + 24, 8) * ss + 40;
	}
	free(c.array);
	if (at)
		memdev_poke(m, (af_bytes)at, "\x77", 1);
}

static void set_up_kind(struct render *b, const struct kind *k, uint32_t sector_size)
{
	char words[400];
	struct memdev m;

	snprintf(words, sizeof words, "%d %u gpt " GUID PARTS "%s", SECTORS,
		 (unsigned)sector_size, k->form);
	memdev_make(&m, words);
	damage(&m, k);
	render_open(b, &m);
}

/* The table of m must still be there, whatever state its copies are in. */
static void expect_parts(struct memdev *m, const struct af_layout *base, const char *when)
{
	struct af_layout got;
	struct af_label_note note;
	struct af_err err = { .code = AF_OK };

	assert_true(af_label_read(&m->dev, &got, &note, &err));
	if (note.read_only)
		fail_msg("%s: %s", when, note.why);
	assert_int_equal(got.nparts, base->nparts);
	for (size_t i = 0; i < base->nparts; i++)
		assert_true(af_part_equal(&got.part[i], &base->part[i]));
	af_layout_release(&got);
}

/* Writes the patch sector by sector, as a drive might have when the power went. */
static void cut_everywhere(struct render *b, const struct kind *k)
{
	af_bytes ss = b->m.dev.sector_size;

	for (size_t i = 0; i < b->patch.n; i++)
		for (af_bytes at = 0; at < b->patch.run[i].len; at += ss) {
			memdev_poke(&b->m, b->patch.run[i].at + at,
				    b->patch.run[i].after + at, (size_t)ss);
			expect_parts(&b->m, &b->base, k->state);
		}
}

static void test_label__a_power_cut_in_a_repair_leaves_a_good_copy(void **state)
{
	static struct reader_table seen; /* large */
	struct render b;

	(void)state;
	for (size_t i = 0; i < 2 * KINDS; i++) {
		const struct kind *k = &kind_table[i / 2];

		set_up_kind(&b, k, size_table[i % 2]);
		assert_string_equal(af_layout_state(&b.base), k->state);
		expect_parts(&b.m, &b.base, k->state);
		af_layout_release(&b.now);
		if (!af_edit_repair(&b.base, &b.now, &b.err))
			fail_msg("%s: %s", k->state, b.err.text);
		render_now(&b);
		assert_true(b.patch.n > 0);
		cut_everywhere(&b, k);
		if (!reader_read(b.m.fd, (uint64_t)b.m.dev.size, b.m.dev.sector_size,
				 &seen))
			fail_msg("%s: %s", k->state, seen.fault);
		assert_int_equal(seen.n, 3);
		render_tear_down(&b);
	}
}

/* The same with another edit in the same write: the copy that was good is the last one to change. */
static void test_label__the_good_copy_changes_last(void **state)
{
	struct render b;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		set_up_kind(&b, &kind_table[i], 512);
		af_layout_release(&b.now);
		assert_true(af_edit_repair(&b.base, &b.now, &b.err));
		render_part(&b, 7)->attrs = 4;
		render_and_write(&b);
		const char *last = i < 2 ? "backup GPT header" : "GPT header";

		assert_string_equal(b.patch.run[b.patch.n - 1].what, last);
		assert_true(b.patch.run[b.patch.n - 1].phase > b.patch.run[0].phase + 1);
		render_tear_down(&b);
	}
}

static void test_label__nothing_is_written_to_a_damaged_gpt_before_repair(void **state)
{
	struct render b;

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		set_up_kind(&b, &kind_table[i], 512);
		render_part(&b, 7)->attrs = 4;
		render_expect_refused(&b, AF_E_RULE,
				      "must be repaired before anything else");
		render_tear_down(&b);
	}
}

/* ------------------------------------------------------------------ disks that grew or shrank */

static void expect_remark(const struct render *b, const char *words)
{
	char remark[240];

	af_layout_remark(&b->base, remark, sizeof remark);
	if (!strstr(remark, words))
		fail_msg("\"%s\" is not in \"%s\"", words, remark);
}

/* case 28: a card image on a larger card */
static void test_label__space_behind_the_old_backup_is_usable_after_repair(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "125045424 512 gpt " GUID " made-for=8372257 "
			  "g1=16384+32768,linux,auto g2=49152+4030464,linux,auto "
			  "g3=4079616+4030464,linux,auto g4=8110080+262144,linux,auto");
	expect_remark(&b, "+55.6 GiB behind the old backup GPT at sector 8372256");
	assert_true(b.base.usable.end == 8372224 * INT64_C(512));
	af_layout_release(&b.now);
	assert_true(af_edit_repair(&b.base, &b.now, &b.err));
	assert_true(b.now.usable.end == (125045424 - 33) * INT64_C(512));
	assert_int_equal(b.now.nparts, 4);
	render_and_write(&b);
	render_tear_down(&b);
}

/* case 29: behind a USB bridge, and a clone on a smaller disk */
static void test_label__a_hidden_sector_is_told_from_a_smaller_disk(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, "7814037167 512 gpt " GUID " made-for=7814037168 "
			  "g1=34+262144,linux,auto g2=264192+7813771264,linux,auto");
	expect_remark(&b, "1 sector shorter than its GPT says");
	expect_remark(&b, "a USB bridge may hide it: better write nothing");
	assert_int_equal(b.base.nparts, 2);
	render_tear_down(&b);
	render_set_up(&b, "200000000 512 gpt " GUID " made-for=209715200 "
			  "g1=2048+1000000,linux,auto");
	expect_remark(&b, "4.6 GiB smaller than its GPT says");
	assert_true(b.base.usable.end == (200000000 - 33) * INT64_C(512));
	render_tear_down(&b);
}

/* case 29: the GPT of the smaller disk is right, an entry is not */
static void test_label__an_entry_beyond_the_usable_sectors_can_go(void **state)
{
	static const struct af_rules rules = { .grain = { AF_MIB, 0 },
					       .check = { 4096, 0 } };
	static const struct af_contents nothing;
	const struct af_edit e = { .rules = &rules, .contents = &nothing };
	struct af_want want = { .has_size = true, .size = { .kind = AF_AMOUNT_MAX } };
	struct render b;
	struct af_layout next;

	(void)state;
	render_set_up(&b, "209715200 512 gpt " GUID " g1=2048+100000,linux,auto "
			  "g2=104448+224936118,linux,auto");
	expect_remark(&b, "partition 2 ends 15325399 sectors beyond the last usable one: "
			  "delete it or make it smaller");
	uint32_t one = af_layout_number(&b.base, 1)->id,
		 two = af_layout_number(&b.base, 2)->id;

	assert_false(af_edit_name(&b.base, one, "x", &next, &b.err));
	assert_int_equal(b.err.code, AF_E_RULE);
	assert_false(af_edit_repair(&b.base, &next, &b.err));
	assert_true(af_edit_delete(&b.base, one, &next, &b.err));
	assert_false(af_layout_sound(&next, &b.err)); /* number 2 is still there */
	af_layout_release(&next);
	af_layout_release(&b.now);
	assert_true(af_edit_resize(&b.base, &e, two, &want, &b.now, &b.err));
	assert_true(render_part(&b, 2)->span.end % AF_MIB == 0);
	assert_true(render_part(&b, 2)->span.end > b.now.usable.end - AF_MIB);
	render_and_write(&b);
	render_tear_down(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__a_power_cut_in_a_repair_leaves_a_good_copy),
		cmocka_unit_test(test_label__the_good_copy_changes_last),
		cmocka_unit_test(
			test_label__nothing_is_written_to_a_damaged_gpt_before_repair),
		cmocka_unit_test(
			test_label__space_behind_the_old_backup_is_usable_after_repair),
		cmocka_unit_test(test_label__a_hidden_sector_is_told_from_a_smaller_disk),
		cmocka_unit_test(test_label__an_entry_beyond_the_usable_sectors_can_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
