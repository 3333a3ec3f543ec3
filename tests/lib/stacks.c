/** Containers as bytes. Each builder fills a buffer of its own and pokes it into the disk. */
#include "stacks.h"

#include <string.h>

static void put_be(unsigned char *at, uint64_t value, size_t n)
{
	for (size_t i = n; i > 0; i--, value >>= 8)
		at[i - 1] = (unsigned char)(value & 0xff);
}

static void put_text(unsigned char *at, const char *text)
{
	memcpy(at, text, strlen(text));
}

void stacks_luks1(struct memdev *m, af_bytes at, uint32_t payload)
{
	unsigned char h[592] = "LUKS\xba\xbe";

	put_be(h + 6, 1, 2);
	put_text(h + 8, "aes");
	put_text(h + 40, "xts-plain64");
	put_text(h + 72, "sha256");
	put_be(h + 104, payload, 4);
	put_be(h + 108, 64, 4);
	put_text(h + 168, "11111111-2222-4333-8444-555555555555");
	memdev_poke(m, at, h, sizeof(h));
}
