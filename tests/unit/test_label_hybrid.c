/* Hybrid MBRs on a disk: what is read, and that sector 0 changes only where it was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "afdisk/layout_hybrid.h"
#include "disks.h"
#include "render.h"

#define GUID "af000000-0000-4000-8000-0000000000ff"
#define CASE_30                                                                            \
	"2097152 512 gpt " GUID " boot-code g1=2048+204800,linux,auto,one "                \
	"g2=206848+204800,linux,auto,two g3=411648+204800,linux,auto "                     \
	"poke=440,112233445566 poke=446,"
#define EE      "00000200eefeffff01000000ff070000"
#define MIRROR1 "80202100830dfe3f0008000000200300"
#define MIRROR2 "0002030083abcdef0028030000200300"
#define UNUSED  "00000000000000000000000000000000"

/* The bytes of sector 0 behind the boot code. */
struct tail {
	unsigned char bytes[72];
};

static struct tail tail_of(const struct memdev *m)
{
	struct tail t;
	memdev_peek(m, 440, t.bytes, sizeof t.bytes);
	return t;
}

/* Sector 0 but for entry number except (0: none) is what it was, boot code and all. */
static void expect_same(const struct render *b, const struct tail *was, unsigned except)
{
	struct tail now = tail_of(&b->m);
	unsigned char code[440];

	for (unsigned i = 0; i < sizeof now.bytes; i++)
		if (except == 0 || i < 6 + 16 * (except - 1) || i >= 6 + 16 * except)
			assert_int_equal(now.bytes[i], was->bytes[i]);
	memdev_peek(&b->m, 0, code, sizeof code);
	for (size_t i = 0; i < sizeof code; i++)
		assert_int_equal(code[i], disk_boot_byte(i));
}

static void set_size(struct render *b, uint32_t number, af_bytes sectors)
{
	struct af_part *p = render_part(b, number);

	p->span.end = p->span.start + sectors * 512;
}

static void choose(struct render *b, enum af_hybrid choice)
{
	struct af_layout next;

	if (!af_edit_hybrid(&b->now, choice, &next, &b->err))
		fail_msg("%s", b->err.text);
	af_layout_release(&b->now);
	b->now = next;
}

static void test_label__a_hybrid_mbr_is_told_and_takes_edits(void **state)
{
	struct af_label_note note;
	struct af_layout l;
	struct af_err err;
	struct memdev m;

	(void)state;
	memdev_make(&m, CASE_30 EE MIRROR1 MIRROR2 UNUSED);
	assert_true(af_label_read(&m.dev, &l, &note, &err));
	assert_false(note.read_only);
	assert_string_equal(
		note.why, "a hybrid MBR: entry 2 (83, active) mirrors partition 1, entry 3 "
			  "(83) mirrors partition 2");
	assert_int_equal(l.hybrid, AF_HYBRID_OPEN);
	assert_int_equal(l.nparts, 3);
	af_layout_release(&l);
	memdev_close(&m);
}

/* What is said of these entries. */
static void expect_words(const char *entries, const char *words, bool read_only)
{
	struct af_label_note note;
	struct af_layout l;
	struct af_err err;
	struct memdev m;
	char recipe[600], got[200];

	snprintf(recipe, sizeof recipe, CASE_30 "%s", entries);
	memdev_make(&m, recipe);
	assert_true(af_label_read(&m.dev, &l, &note, &err));
	assert_int_equal(note.read_only, read_only);
	assert_string_equal(af_layout_mirror_words(&l, got, sizeof got), words);
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__hybrid_mbrs_of_every_order_are_read(void **state)
{
	(void)state;
	expect_words(MIRROR2 EE MIRROR1 UNUSED,
		     "entry 1 (83) mirrors partition 2, entry 3 (83, active) mirrors "
		     "partition 1",
		     false);
	expect_words(EE MIRROR1 UNUSED "00feffff0cfeffff0000100000100000",
		     "entry 2 (83, active) mirrors partition 1, entry 4 (0c) mirrors none",
		     false);
	/* a protective entry for what lies behind, as gdisk makes it */
	expect_words(EE MIRROR1 UNUSED "00feffffeefeffff0028030000d81c00",
		     "entry 2 (83, active) mirrors partition 1", false);
	/* Linux looks for one that begins at sector 1 */
	expect_words("00feffffeefeffff3f000000ff070000" MIRROR1 UNUSED UNUSED,
		     "entry 2 (83, active) mirrors partition 1", true);
}

static void test_label__an_edit_beside_the_mirrors_leaves_sector_0(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CASE_30 EE MIRROR1 MIRROR2 UNUSED);
	struct tail was = tail_of(&b.m);

	set_size(&b, 3, 1000);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 4); /* entries and headers, not the MBR */
	expect_same(&b, &was, 0);
	render_tear_down(&b);
}

static void test_label__a_mirror_that_follows_is_written_last(void **state)
{
	static const unsigned char entry[16] = { 0x80, 0x20, 0x21, 0x00, 0x83, 0x30,
						 0x18, 0x00, 0x00, 0x08, 0x00, 0x00,
						 0xe8, 0x03, 0x00, 0x00 };
	struct render b;

	(void)state;
	render_set_up(&b, CASE_30 EE MIRROR1 MIRROR2 UNUSED);
	struct tail was = tail_of(&b.m), now;

	set_size(&b, 1, 1000);
	choose(&b, AF_HYBRID_UPDATE);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 5);
	render_expect_run(&b, 4, (struct af_span){ 0, 1 }, 4, "MBR");
	expect_same(&b, &was, 2);
	now = tail_of(&b.m);
	assert_memory_equal(now.bytes + 22, entry, sizeof entry);
	render_tear_down(&b);
}

static void test_label__a_kept_mirror_keeps_its_bytes(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CASE_30 EE MIRROR1 MIRROR2 UNUSED);
	struct tail was = tail_of(&b.m);

	set_size(&b, 1, 1000);
	choose(&b, AF_HYBRID_KEEP);
	render_and_write(&b);
	expect_same(&b, &was, 0);
	render_tear_down(&b);
}

static void test_label__without_a_choice_nothing_is_rendered(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CASE_30 EE MIRROR1 MIRROR2 UNUSED);
	set_size(&b, 2, 1000);
	render_expect_refused(
		&b, AF_E_RULE,
		"entry 3 of the hybrid MBR mirrors a partition that changes: "
		"say what becomes of it, 'hybrid update' (it follows), 'hybrid "
		"keep' (it stays as it is) or 'hybrid protective'");
	render_tear_down(&b);
}

static void test_label__protective_is_one_entry_over_the_disk(void **state)
{
	static const unsigned char entry[16] = { 0,    0, 2, 0, 0xee, 0x8a, 0x08, 0x82,
						 0x01, 0, 0, 0, 0xff, 0xff, 0x1f, 0 };
	static const unsigned char zeros[48];
	struct render b;

	(void)state;
	render_set_up(&b, CASE_30 EE MIRROR1 MIRROR2 UNUSED);
	struct tail was = tail_of(&b.m), now;

	choose(&b, AF_HYBRID_NONE);
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	now = tail_of(&b.m);
	assert_memory_equal(now.bytes, was.bytes, 6); /* 440 to 445 */
	assert_memory_equal(now.bytes + 6, entry, sizeof entry);
	assert_memory_equal(now.bytes + 22, zeros, sizeof zeros);
	render_tear_down(&b);
}

static void test_label__a_fresh_table_is_no_hybrid(void **state)
{
	struct render b;

	(void)state;
	render_set_up(&b, CASE_30 EE MIRROR1 MIRROR2 UNUSED);
	render_relabel(&b, AF_SCHEME_GPT);
	render_and_write(&b);
	assert_int_equal(b.now.hybrid, AF_HYBRID_NONE);
	render_tear_down(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__a_hybrid_mbr_is_told_and_takes_edits),
		cmocka_unit_test(test_label__hybrid_mbrs_of_every_order_are_read),
		cmocka_unit_test(test_label__an_edit_beside_the_mirrors_leaves_sector_0),
		cmocka_unit_test(test_label__a_mirror_that_follows_is_written_last),
		cmocka_unit_test(test_label__a_kept_mirror_keeps_its_bytes),
		cmocka_unit_test(test_label__without_a_choice_nothing_is_rendered),
		cmocka_unit_test(test_label__protective_is_one_entry_over_the_disk),
		cmocka_unit_test(test_label__a_fresh_table_is_no_hybrid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
