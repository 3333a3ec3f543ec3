/*
 * GPTs of every form that people bring: entries of other sizes, numbers and places, names that are no text, headers that
 * make no sense. What is not asked to change keeps its bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static const char *const form_table[] = {
	"",
	"first-usable=2048",
	"slots=248 first-usable=64",
	"slots=1024",
	"entry-size=256",
	"entry-size=512 slots=64",
	"entry-size=4096 slots=32",
	"array=34 first-usable=66",
	"array=100 first-usable=300 entry-size=1024 slots=64",
};
#define FORMS (sizeof form_table / sizeof form_table[0])

static const uint32_t size_table[] = { 512, 4096 };

/* What no usual program writes: all attribute bits, half a surrogate pair, a name beyond the basic plane, bytes behind
 * the 128th of an entry and in an unused one. */
static void decorate(struct gpt_copy *c)
{
	static const unsigned char half[] = { 'a', 0, 0x3D, 0xD8, 'b', 0, 0, 0xDC, 0, 0 };
	static const unsigned char penguin[] = { 0x3D, 0xD8, 0x27, 0xDC, 0, 0 };
	static const unsigned used[] = { 1, 3, 7 };

	memset(gpt_copy_entry(c, 1) + 48, 0xFF, 8);
	memcpy(gpt_copy_entry(c, 3) + 56, half, sizeof half);
	memset(gpt_copy_entry(c, 7) + 56, 0, 72);
	memcpy(gpt_copy_entry(c, 7) + 56, penguin, sizeof penguin);
	memset(gpt_copy_entry(c, 5) + 16, 0x55, 100);
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 128; k < c->entry; k++)
			gpt_copy_entry(c, used[i])[k] = (unsigned char)(used[i] + k);
}

static void set_up(struct render *b, const char *form, uint32_t sector_size)
{
	char words[400];
	struct memdev m;
	struct gpt_copy c;

	snprintf(words, sizeof words, "%d %u gpt " GUID PARTS "%s poke=446,80", SECTORS,
		 (unsigned)sector_size, form);
	memdev_make(&m, words);
	for (size_t i = 0; i < 2; i++) {
		uint64_t at = i ? SECTORS - 1 : 1;

		gpt_copy_take(&m, at, &c);
		decorate(&c);
		gpt_copy_put(&m, at, &c);
		free(c.array);
	}
	render_open(b, &m);
}

/* ------------------------------------------------------------------ forms */

static void expect_read(const struct render *b, const char *form)
{
	const struct af_layout *l = &b->base;
	char remark[240];

	if (!af_layout_gpt_whole(l) || l->nparts != 3 || l->gpt.mbr_misfits)
		fail_msg("%s is not read as a whole", form);
	assert_string_equal(af_layout_remark(l, remark, sizeof remark), "");
	assert_true(af_layout_number(l, 1)->attrs == UINT64_MAX);
	assert_string_equal(af_layout_number(l, 3)->name, "a\xEF\xBF\xBD"
							  "b\xEF\xBF\xBD");
	assert_string_equal(af_layout_number(l, 7)->name, "\xF0\x9F\x90\xA7");
}

/* case 32: entries of 256 bytes, and in sector 34; case 31: 248 of them, with sector 64 usable */
static void test_label__gpts_of_every_form_are_read(void **state)
{
	struct render b;

	(void)state;
	for (size_t i = 0; i < 2 * FORMS; i++) {
		set_up(&b, form_table[i / 2], size_table[i % 2]);
		expect_read(&b, form_table[i / 2]);
		render_tear_down(&b);
	}
}

/* A change of the layout, and of the bytes of entries that follow from it and from nothing else. */
struct change {
	const char *say;
	void (*layout)(struct render *b);
	void (*bytes)(struct gpt_copy *c);
};

static void end_layout(struct render *b)
{
	render_part(b, 7)->span.end -= b->m.dev.sector_size;
}

static void end_bytes(struct gpt_copy *c)
{
	gpt_put(gpt_copy_entry(c, 7) + 40, 2048 + 1000 - 2, 8);
}

static void name_layout(struct render *b)
{
	snprintf(render_part(b, 7)->name, AF_NAME_MAX, "x\xF0\x9F\x90\xA7");
}

static void name_bytes(struct gpt_copy *c)
{
	static const unsigned char name[] = { 'x', 0, 0x3D, 0xD8, 0x27, 0xDC };

	memcpy(gpt_copy_entry(c, 7) + 56, name, sizeof name);
}

static void attr_layout(struct render *b)
{
	render_part(b, 3)->attrs = UINT64_C(1) << 63 | 8;
}

static void attr_bytes(struct gpt_copy *c)
{
	gpt_put(gpt_copy_entry(c, 3) + 48, UINT64_C(1) << 63 | 8, 8);
}

static void delete_layout(struct render *b)
{
	af_layout_remove(&b->now, render_part(b, 3)->id);
}

static void delete_bytes(struct gpt_copy *c)
{
	memset(gpt_copy_entry(c, 3), 0, c->entry);
}

static void sort_layout(struct render *b)
{
	render_part(b, 1)->number = 2;
	render_part(b, 7)->number = 1;
}

static void sort_bytes(struct gpt_copy *c)
{
	memcpy(gpt_copy_entry(c, 2), gpt_copy_entry(c, 1), c->entry);
	memcpy(gpt_copy_entry(c, 1), gpt_copy_entry(c, 7), c->entry);
	memset(gpt_copy_entry(c, 7), 0, c->entry);
}

static void add_layout(struct render *b)
{
	struct af_part part = { .number = 5, .type = { 1 }, .uuid = { 2 } };
	af_bytes ss = b->m.dev.sector_size;

	part.span = (struct af_span){ 12288 * ss, 12300 * ss };
	af_layout_add(&b->now, &part);
}

static void add_bytes(struct gpt_copy *c)
{
	unsigned char *p = gpt_copy_entry(c, 5);

	memset(p, 0, c->entry);
	p[3] = 1;
	p[16 + 3] = 2;
	gpt_put(p + 32, 12288, 8);
	gpt_put(p + 40, 12299, 8);
}

static const struct change change_table[] = {
	{ "an end moves", end_layout, end_bytes },
	{ "a name", name_layout, name_bytes },
	{ "attributes", attr_layout, attr_bytes },
	{ "a delete", delete_layout, delete_bytes },
	{ "other numbers", sort_layout, sort_bytes },
	{ "a new one", add_layout, add_bytes },
};
#define CHANGES (sizeof change_table / sizeof change_table[0])

static void expect_bytes(struct render *b, const struct change *change)
{
	static struct reader_table seen; /* large */
	struct gpt_copy want, got;
	unsigned char before[4096], after[4096];
	uint32_t ss = b->m.dev.sector_size;

	gpt_copy_take(&b->m, 1, &want);
	change->bytes(&want);
	memdev_peek(&b->m, 0, before, ss);
	change->layout(b);
	render_now(b);
	memdev_apply(&b->m, &b->patch);
	memdev_peek(&b->m, 0, after, ss);
	assert_memory_equal(before, after, ss);
	for (size_t i = 0; i < 2; i++) {
		gpt_copy_take(&b->m, i ? SECTORS - 1 : 1, &got);
		assert_int_equal(got.bytes, want.bytes);
		if (memcmp(got.array, want.array, want.bytes) != 0)
			fail_msg("%s changes other bytes, too", change->say);
		free(got.array);
	}
	free(want.array);
	if (!reader_read(b->m.fd, (uint64_t)b->m.dev.size, ss, &seen))
		fail_msg("%s: %s", change->say, seen.fault);
}

static void test_label__what_a_change_does_not_name_keeps_its_bytes(void **state)
{
	struct render b;

	(void)state;
	for (size_t i = 0; i < 2 * FORMS * CHANGES; i++) {
		set_up(&b, form_table[i / 2 % FORMS], size_table[i % 2]);
		expect_bytes(&b, &change_table[i / 2 / FORMS]);
		render_tear_down(&b);
	}
}

/* The entries of the backup, a hundred sectors before their usual place. */
static void test_label__backup_entries_elsewhere_stay_there(void **state)
{
	const uint64_t at = SECTORS - 1 - 132;
	struct gpt_copy c, first;
	struct render b;
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 gpt " GUID PARTS);
	gpt_copy_take(&m, 1, &c);
	gpt_put(c.header + 48, at - 1, 8);
	gpt_copy_put(&m, 1, &c);
	free(c.array);
	gpt_copy_take(&m, SECTORS - 1, &c);
	gpt_put(c.header + 48, at - 1, 8);
	gpt_put(c.header + 72, at, 8);
	gpt_copy_put(&m, SECTORS - 1, &c);
	free(c.array);
	render_open(&b, &m);
	assert_true(af_layout_gpt_whole(&b.base));
	render_part(&b, 7)->attrs = 4;
	render_and_write(&b);
	gpt_copy_take(&b.m, 1, &first);
	gpt_copy_take(&b.m, SECTORS - 1, &c);
	assert_int_equal(gpt_get(c.header + 72, 8), at);
	assert_memory_equal(c.array, first.array, c.bytes);
	free(c.array);
	free(first.array);
	render_tear_down(&b);
}

static void
test_label__a_protective_entry_of_a_wrong_size_is_kept_until_repair(void **state)
{
	struct render b;
	unsigned char size[4];

	(void)state;
	render_set_up(&b, "20480 512 gpt " GUID PARTS "poke=446,80 poke=458,00100000");
	assert_true(b.base.gpt.mbr_misfits);
	assert_string_equal(af_layout_state(&b.base), "protective MBR of a wrong size");
	render_part(&b, 7)->attrs = 4;
	render_and_write(&b);
	memdev_peek(&b.m, 458, size, 4);
	assert_int_equal(gpt_get(size, 4), 4096);
	render_tear_down(&b);

	render_set_up(&b, "20480 512 gpt " GUID PARTS "poke=446,80 poke=458,00100000");
	af_layout_release(&b.now);
	assert_true(af_edit_repair(&b.base, &b.now, &b.err));
	render_and_write(&b);
	assert_int_equal(b.patch.n, 1);
	memdev_peek(&b.m, 458, size, 4);
	assert_int_equal(gpt_get(size, 4), SECTORS - 1);
	memdev_peek(&b.m, 446, size, 1);
	assert_int_equal(size[0], 0x80);
	render_tear_down(&b);

	/* as Windows writes it, whatever the disk */
	render_set_up(&b, "20480 512 gpt " GUID PARTS "poke=458,ffffffff");
	assert_false(b.base.gpt.mbr_misfits);
	assert_false(af_edit_repair(&b.base, &b.now, &b.err));
	assert_int_equal(b.err.code, AF_E_RULE);
	render_tear_down(&b);
}

/* ------------------------------------------------------------------ hostile headers, case 32 */

/* A field of both headers gets a value, with right checksums; what the reader must say. */
static const struct hostile {
	unsigned field, bytes;
	uint64_t value;
	const char *why;
} hostile_table[] = {
	{ 80, 4, 0xFFFFFFFF, "impossible number of entries" },
	{ 80, 4, 0, "impossible number of entries" },
	{ 80, 4, 8193, "impossible number of entries" },
	{ 84, 4, 0, "entries of an impossible size" },
	{ 84, 4, 64, "entries of an impossible size" },
	{ 84, 4, 100, "entries of an impossible size" },
	{ 84, 4, 384, "entries of an impossible size" },
	{ 84, 4, 0x80000000, "entries of an impossible size" },
	{ 72, 8, UINT64_MAX, "entries in an impossible place" },
	{ 72, 8, SECTORS, "entries in an impossible place" },
	{ 72, 8, SECTORS - 1, "entries in an impossible place" },
	{ 72, 8, 1, "entries in an impossible place" },
	{ 72, 8, 0, "entries in an impossible place" },
	{ 72, 8, 3000, "entries of both fail their checksum" },
	{ 40, 8, 10, "impossible range of usable sectors" },
	{ 40, 8, 20447, "impossible range of usable sectors" },
	{ 48, 8, 33, "impossible range of usable sectors" },
	{ 48, 8, UINT64_MAX, "impossible range of usable sectors" },
	{ 48, 8, 20460, "impossible range of usable sectors" },
};

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)(now.tv_sec - start->tv_sec) +
	       (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static void expect_hostile(struct memdev *m, const char *why)
{
	struct timespec start;
	struct af_layout l;
	struct af_label_note note;
	struct af_err err = { .code = AF_OK };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	assert_true(af_label_read(&m->dev, &l, &note, &err));
	double took = seconds_since(&start);

	if (!note.read_only)
		(void)af_layout_remark(&l, note.why, sizeof(note.why));
	if (!strstr(note.why, why))
		fail_msg("\"%s\" is not in \"%s\"", why, note.why);
	if (took > 0.1)
		fail_msg("%s: %.3f s", why, took);
	assert_int_equal(l.scheme, AF_SCHEME_GPT);
	af_layout_release(&l);
}

static void test_label__hostile_headers_are_told_in_no_time(void **state)
{
	struct memdev m;
	struct gpt_copy c;

	(void)state;
	for (size_t i = 0; i < sizeof hostile_table / sizeof hostile_table[0]; i++) {
		const struct hostile *h = &hostile_table[i];

		memdev_make(&m, "20480 512 gpt " GUID PARTS);
		for (size_t k = 0; k < 2; k++) {
			uint64_t at = k ? SECTORS - 1 : 1;

			gpt_copy_take(&m, at, &c);
			free(c.array);
			gpt_put(c.header + h->field, h->value, h->bytes);
			gpt_copy_seal(&m, at, &c);
		}
		expect_hostile(&m, h->why);
		memdev_close(&m);
	}
}

/* The most entries that are believed, on a large disk and all in use, still are read in no time. */
static void test_label__entries_that_overlap_are_told_in_no_time(void **state)
{
	struct memdev m;
	struct gpt_copy c;

	(void)state;
	memdev_make(&m, "1953525168 512 gpt " GUID " slots=8192 first-usable=4096 "
			"g1=8192+1000,linux,auto");
	for (size_t k = 0; k < 2; k++) {
		uint64_t at = k ? 1953525167 : 1;

		gpt_copy_take(&m, at, &c);
		for (unsigned n = 2; n <= 8192; n++)
			memcpy(gpt_copy_entry(&c, n), gpt_copy_entry(&c, 1), 128);
		gpt_copy_put(&m, at, &c);
		free(c.array);
	}
	expect_hostile(&m, "overlap");
	memdev_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__gpts_of_every_form_are_read),
		cmocka_unit_test(test_label__what_a_change_does_not_name_keeps_its_bytes),
		cmocka_unit_test(test_label__backup_entries_elsewhere_stay_there),
		cmocka_unit_test(
			test_label__a_protective_entry_of_a_wrong_size_is_kept_until_repair),
		cmocka_unit_test(test_label__hostile_headers_are_told_in_no_time),
		cmocka_unit_test(test_label__entries_that_overlap_are_told_in_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
