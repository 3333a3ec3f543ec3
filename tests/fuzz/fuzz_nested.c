/*
 * A label of another system in bytes that nobody vouches for. The first byte chooses the kind, the second the sector size, where
 * the slice begins, and whether the checksum is made good; the others lie at the start of the slice. What is read
 * lies in the slice or is marked, and can be judged and put in words.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/align.h"
#include "afdisk/nested.h"
#include "fuzz.h"

#define SLICE 8192

struct slice {
	af_bytes start;
	unsigned char bytes[SLICE];
};

static bool read_slice(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	const struct slice *s = ctx;
	if (at < s->start || at - s->start + (af_bytes)n > SLICE)
		return af_fail(err, AF_E_IO, "beyond");
	memcpy(buf, s->bytes + (at - s->start), n);
	return true;
}

/* XOR of 16-bit words of n bytes into the two at place. */
static void make_xor(unsigned char *bytes, size_t n, size_t place)
{
	unsigned char sum[2] = { 0, 0 };
	for (size_t i = 0; i < n; i++)
		if (i / 2 != place / 2)
			sum[i % 2] ^= bytes[i];
	memcpy(bytes + place, sum, 2);
}

static void make_sum(unsigned char *bytes)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < 512; i += 4)
		if (i != 504)
			sum -= (uint32_t)bytes[i] << 24 | (uint32_t)bytes[i + 1] << 16 |
			       (uint32_t)bytes[i + 2] << 8 | bytes[i + 3];
	for (size_t i = 0; i < 4; i++)
		bytes[504 + i] = (unsigned char)(sum >> (24 - 8 * i));
}

/* Mutations would hardly ever hit the right one. */
static void make_good(struct slice *s, enum af_nested_kind kind)
{
	unsigned char *label = s->bytes + 512;
	size_t count = (size_t)label[138] | (size_t)label[139] << 8;
	if (kind == AF_NESTED_SUN)
		make_xor(s->bytes, 512, 510);
	else if (kind == AF_NESTED_SGI)
		make_sum(s->bytes);
	else if (kind == AF_NESTED_SOLARIS)
		make_xor(label, 512, 510);
	else if (count <= AF_NESTED_MAX)
		make_xor(label, 148 + 16 * count, 136);
}

/* What is found is judged and told like any partition's content. */
static void judge(const struct slice *s, struct af_nested *label, af_bytes size,
		  uint32_t sector_size)
{
	struct af_topo topo = { .size = (af_bytes)1 << 40,
				.sector_size = sector_size,
				.physical = 4096 };
	struct af_rules rules = af_align_rules(&topo, false);
	struct af_part part = { .id = 1, .span = { s->start, s->start + size } };
	struct af_content item = { .id = 1,
				   .state = AF_CONTENT_FOUND,
				   .layer = label->layer,
				   .nlayers = label->n };
	const struct af_contents contents = { .item = &item, .n = 1 };
	const struct af_layout l = { .scheme = AF_SCHEME_MBR, .sector_size = sector_size };
	char sentence[480];
	struct af_text t = { 0 };
	af_align_sentence(&rules, &contents, &l, &part, sentence, sizeof(sentence));
	assert(sentence[0]);
	(void)af_align_grain(&rules, &item);
	for (size_t i = 0; i < label->n; i++) {
		const struct af_layer *layer = &label->layer[i];
		assert(layer->size > 0 && layer->what[0] && layer->name[0]);
		assert(layer->kind != AF_LAYER_NESTED ||
		       (layer->offset >= 0 && layer->offset + layer->size <= size));
		assert(i == 0 || layer->kind == AF_LAYER_OUTSIDE ||
		       label->layer[i - 1].offset <= layer->offset);
		(void)af_align_layer_word(&rules, &part, layer);
		af_align_sentence_nested(&rules, &l, &part, &item, layer, &t);
	}
	af_text_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct slice s;
	static struct af_nested label;
	if (n < 2)
		return 0;
	enum af_nested_kind kind = (enum af_nested_kind)(data[0] % (AF_NESTED_SGI + 1));
	uint32_t sector_size = data[1] & 1 ? 4096 : 512;
	bool whole = kind == AF_NESTED_SUN || kind == AF_NESTED_SGI;
	memset(s.bytes, 0, sizeof(s.bytes));
	memcpy(s.bytes, data + 2, n - 2 < SLICE ? n - 2 : SLICE);
	s.start = whole ? 0 : (af_bytes)(data[1] >> 2) * sector_size;
	if (data[1] & 2)
		make_good(&s, kind);
	/* much larger than what can be read of it, and just that */
	for (af_bytes size = SLICE; size <= (af_bytes)SLICE << 20; size <<= 20) {
		struct af_span span = { s.start, s.start + size };
		if (af_nested_read(read_slice, &s, span, sector_size, kind, &label))
			judge(&s, &label, size, sector_size);
	}
	return 0;
}
