/*
 * render.c - what tests of rendering have in common. A failed expectation fails the running test.
 */
#include "render.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reader.h"

static unsigned wanted_size = 512;

int render_in_512(void **state)
{
	(void)state;
	wanted_size = 512;
	return 0;
}

int render_in_4096(void **state)
{
	(void)state;
	wanted_size = 4096;
	return 0;
}

af_bytes render_at(const struct render *b, af_bytes sector)
{
	return sector * b->m.dev.sector_size;
}

/* The words of a disk of 512-byte sectors, for as many of the size that is wanted. */
static void in_wanted_sectors(const char *words, char *out, size_t n)
{
	const char *at = strstr(words, " 512 ");

	if (at)
		snprintf(out, n, "%.*s %u %s", (int)(at - words), words, wanted_size,
			 at + 5);
	else
		snprintf(out, n, "%s", words);
}

void render_open(struct render *b, const struct memdev *m)
{
	struct af_label_note note;

	*b = (struct render){ .m = *m, .err = { .code = AF_OK } };
	b->m.dev.self = &b->m;
	assert_true(af_label_read(&b->m.dev, &b->base, &note, &b->err));
	af_layout_copy(&b->base, &b->now);
}

void render_set_up(struct render *b, const char *words)
{
	struct memdev m;
	char wanted[2000];

	in_wanted_sectors(words, wanted, sizeof wanted);
	memdev_make(&m, wanted);
	render_open(b, &m);
}

void render_expect_damaged(struct render *b)
{
	struct af_label_note note;
	struct af_layout got;

	assert_true(af_label_read(&b->m.dev, &got, &note, &b->err));
	assert_true(note.read_only || !af_layout_sound(&got, &b->err));
	af_layout_release(&got);
}

void render_tear_down(struct render *b)
{
	af_patch_release(&b->patch);
	af_layout_release(&b->base);
	af_layout_release(&b->now);
	memdev_close(&b->m);
}

/* The partition of the table to be with that number, to change. */
struct af_part *render_part(struct render *b, uint32_t number)
{
	for (size_t i = 0; i < b->now.nparts; i++)
		if (b->now.part[i].number == number)
			return &b->now.part[i];
	fail_msg("no partition %u", number);
	return NULL;
}

void render_now(struct render *b)
{
	if (!af_label_render(&b->m.dev, &b->base, &b->now, &b->patch, &b->err))
		fail_msg("%s", b->err.text);
	assert_int_equal(b->m.writes, 0);
}

/* Renders and writes; an independent reader finds nothing to complain of, and we read the table to be. */
void render_and_write(struct render *b)
{
	static struct reader_table seen; /* large */
	struct af_layout got;
	struct af_label_note note;
	struct memdev was;

	render_now(b);
	memdev_copy(&b->m, &was);
	memdev_apply(&b->m, &b->patch);
	assert_true(memdev_changed_as(&b->m, &was, &b->patch));
	memdev_close(&was);
	if (!reader_read(b->m.fd, (uint64_t)b->m.dev.size, b->m.dev.sector_size, &seen))
		fail_msg("%s", seen.fault);
	assert_true(af_label_read(&b->m.dev, &got, &note, &b->err));
	assert_false(note.read_only);
	assert_true(af_layout_equal(&got, &b->now));
	af_layout_release(&got);
}

void render_expect_refused(struct render *b, enum af_code code, const char *words)
{
	assert_false(af_label_render(&b->m.dev, &b->base, &b->now, &b->patch, &b->err));
	assert_int_equal(b->err.code, code);
	if (!strstr(b->err.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, b->err.text);
	assert_int_equal(b->patch.n, 0);
	assert_int_equal(b->m.writes, 0);
}

void render_expect_run(const struct render *b, size_t i, struct af_span sectors, int phase,
		       const char *what)
{
	assert_true(i < b->patch.n);
	const struct af_run *run = &b->patch.run[i];

	assert_int_equal(run->at, sectors.start * b->m.dev.sector_size);
	assert_int_equal(run->len, af_span_size(sectors) * b->m.dev.sector_size);
	assert_int_equal(run->phase, phase);
	assert_string_equal(run->what, what);
}

void render_relabel(struct render *b, enum af_scheme scheme)
{
	af_bytes size = b->now.disk_size;
	uint32_t sector_size = b->now.sector_size;

	af_layout_release(&b->now);
	assert_true(af_layout_init(&b->now, scheme, size, sector_size, &b->err));
	memset(b->now.disk_id, 0x5A, scheme == AF_SCHEME_GPT ? 16 : 4);
}
