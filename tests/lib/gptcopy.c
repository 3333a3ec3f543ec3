/*
 * gptcopy.c - one copy of a GPT as bytes, from the UEFI specification. Nothing of src/ is used here.
 */
#include "gptcopy.h"

#include <stdlib.h>

uint64_t gpt_get(const unsigned char *p, unsigned n)
{
	uint64_t value = 0;

	while (n-- > 0)
		value = value << 8 | p[n];
	return value;
}

void gpt_put(unsigned char *p, uint64_t value, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t crc32_of(const unsigned char *p, size_t n)
{
	uint32_t crc = 0xFFFFFFFF;

	while (n-- > 0) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
	}
	return ~crc;
}

void gpt_copy_take(const struct memdev *m, uint64_t header, struct gpt_copy *c)
{
	uint32_t ss = m->dev.sector_size;

	memdev_peek(m, (af_bytes)(header * ss), c->header, ss);
	c->entry = (size_t)gpt_get(c->header + 84, 4);
	c->bytes = (size_t)gpt_get(c->header + 80, 4) * c->entry;
	c->array = calloc(1, c->bytes);
	if (!c->array)
		abort();
	memdev_peek(m, (af_bytes)(gpt_get(c->header + 72, 8) * ss), c->array, c->bytes);
}

void gpt_copy_seal(const struct memdev *m, uint64_t header, struct gpt_copy *c)
{
	gpt_put(c->header + 16, 0, 4);
	gpt_put(c->header + 16, crc32_of(c->header, 92), 4);
	memdev_poke(m, (af_bytes)(header * m->dev.sector_size), c->header, 92);
}

void gpt_copy_put(const struct memdev *m, uint64_t header, struct gpt_copy *c)
{
	memdev_poke(m, (af_bytes)(gpt_get(c->header + 72, 8) * m->dev.sector_size),
		    c->array, c->bytes);
	gpt_put(c->header + 88, crc32_of(c->array, c->bytes), 4);
	gpt_copy_seal(m, header, c);
}

unsigned char *gpt_copy_entry(const struct gpt_copy *c, unsigned number)
{
	return c->array + (number - 1) * c->entry;
}
