/* A chain of EBRs in bytes that nobody vouches for: the walk ends, and what it gives lies inside the extended partition. */
#include "afdisk/chain.h"

#include <assert.h>

#include "fuzz.h"

struct bytes {
	const uint8_t *data;
	size_t n;
};

/* The bytes over and over: what lies outside looks as good as what lies inside. */
static bool read_bytes(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	const struct bytes *b = ctx;
	unsigned char *out = buf;
	(void)err;
	for (size_t i = 0; i < n; i++)
		out[i] = b->n ? b->data[((uint64_t)at + i) % b->n] : 0;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct bytes b = { data, n };
	struct af_span ext = { 0, 1 << 20 };
	struct af_chain chain;
	if (n >= 512)
		(void)af_chain_is_mbr(data);
	for (uint32_t sector_size = 512; sector_size <= 4096; sector_size *= 8) {
		af_chain_read(read_bytes, &b, ext, sector_size, &chain);
		assert(chain.n < AF_CHAIN_MAX + 4);
		for (size_t i = 0; i < chain.n; i++)
			assert(af_span_has(ext, chain.ebr[i].at));
		af_chain_release(&chain);
	}
	return 0;
}
