/** stack_bench.h - a partition in memory that is looked into, for the tests of the stack room's readers. */
#ifndef STACK_BENCH_H
#define STACK_BENCH_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/stack.h"
#include "afdisk/text.h"
#include "memdev.h"

#define BENCH_START (3 * AF_MIB)

/** A disk with one partition, and what was found in it. */
struct bench {
	struct memdev m;
	struct af_span span;
	struct af_content content;
	af_bytes block; /* what libblkid says of it */
	bool strayed;   /* something outside of the partition was read */
	char text[400];
};

/** A disk of zeros with a partition of that size in it. */
static inline void bench_open(struct bench *b, af_bytes size)
{
	memset(b, 0, sizeof(*b));
	memdev_open(&b->m, BENCH_START + size + AF_MIB, 512);
	b->span = (struct af_span){ BENCH_START, BENCH_START + size };
}

/** A disk by the words of disks.h, with a partition of that size. */
static inline void bench_make(struct bench *b, const char *words, af_bytes size)
{
	char all[500];

	memset(b, 0, sizeof(*b));
	b->span = (struct af_span){ BENCH_START, BENCH_START + size };
	(void)snprintf(all, sizeof(all), "%lld 512 none %s",
		       (long long)((b->span.end + AF_MIB) / 512), words);
	memdev_make(&b->m, all);
}

static inline bool bench_read(void *ctx, af_bytes at, void *buf, size_t n,
			      struct af_err *err)
{
	struct bench *b = ctx;
	const struct af_span asked = { at, at + (af_bytes)n };

	b->strayed = b->strayed || !af_span_inside(asked, b->span);
	return af_dev_read(&b->m.dev, at, buf, n, err);
}

/** Looks into it as libblkid's type fs; the layers in words: "LUKS1 2097152/0, ext4 ?" (bytes/unit), borrowed. */
static inline const char *bench_look(struct bench *b, const char *fs)
{
	size_t used = 0;

	af_content_release(&b->content);
	b->content = (struct af_content){ .state = AF_CONTENT_FOUND, .block = b->block };
	(void)snprintf(b->content.fs, sizeof(b->content.fs), "%s", fs);
	b->text[0] = '\0';
	af_stack_read(bench_read, b, b->span, 512, &b->content);
	assert_false(b->strayed);
	for (size_t i = 0; i < b->content.nlayers; i++) {
		const struct af_layer *layer = &b->content.layer[i];
		char one[100];

		if (layer->kind == AF_LAYER_UNKNOWN)
			(void)snprintf(one, sizeof(one), "%s ?", layer->what);
		else
			(void)snprintf(one, sizeof(one), "%s %lld/%lld", layer->what,
				       (long long)layer->offset, (long long)layer->unit);
		used = af_text_join(b->text, sizeof(b->text), used, i ? ", " : "");
		used = af_text_join(b->text, sizeof(b->text), used, one);
	}
	return b->text;
}

static inline void bench_close(struct bench *b)
{
	af_content_release(&b->content);
	memdev_close(&b->m);
}
#endif
