/*
 * stack_digest.c - the checksums of headers that are read here. A header whose checksum is wrong is not believed: a wrong
 * place would be worse than none. All sums are kept in wider numbers, so that none of them wraps.
 */
#include "stack_priv.h"

uint32_t af_stack_crc32(uint32_t polynomial, uint32_t crc, const unsigned char *bytes,
			size_t n)
{
	uint32_t step[16]; /* what four bits that go out bring in */

	for (uint32_t i = 0; i < 16; i++) {
		step[i] = i;
		for (int bit = 0; bit < 4; bit++)
			step[i] = step[i] & 1 ? step[i] >> 1 ^ polynomial : step[i] >> 1;
	}
	for (size_t i = 0; i < n; i++) {
		crc ^= bytes[i];
		crc = crc >> 4 ^ step[crc & 15];
		crc = crc >> 4 ^ step[crc & 15];
	}
	return crc;
}

uint64_t af_stack_crc64(const unsigned char *bytes, size_t n)
{
	const uint64_t polynomial = 0x42F0E1EBA9EA3693, top = UINT64_C(1) << 63;
	uint64_t crc = UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= (uint64_t)bytes[i] << 56;
		for (int bit = 0; bit < 8; bit++)
			crc = (crc & top) != 0 ? (crc & ~top) << 1 ^ polynomial : crc << 1;
	}
	return ~crc;
}

#define BLOCK 64 /* bytes that SHA-256 takes at a time */

static inline uint32_t turn(uint32_t x, unsigned n)
{
	const uint64_t twice = (uint64_t)x << 32 | x;

	return (uint32_t)(twice >> n & UINT32_MAX);
}

static inline uint32_t low(uint64_t sum)
{
	return (uint32_t)(sum & UINT32_MAX);
}

static uint32_t get_be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t sha_table[BLOCK] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static void add_block(uint32_t state[8], const unsigned char *block)
{
	uint32_t w[BLOCK], a = state[0], b = state[1], c = state[2], d = state[3],
			   e = state[4], f = state[5], g = state[6], h = state[7];

	for (size_t i = 0; i < 16; i++)
		w[i] = get_be32(block + 4 * i);
	for (size_t i = 16; i < BLOCK; i++) {
		const uint32_t x = w[i - 15], y = w[i - 2];

		w[i] = low((uint64_t)w[i - 16] + w[i - 7] +
			   (turn(x, 7) ^ turn(x, 18) ^ x >> 3) +
			   (turn(y, 17) ^ turn(y, 19) ^ y >> 10));
	}
	for (size_t i = 0; i < BLOCK; i++) {
		const uint64_t big = (uint64_t)h + sha_table[i] + w[i] +
				     (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
				     ((e & f) ^ (~e & g));
		const uint64_t small = (uint64_t)(turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
				       ((a & b) ^ (a & c) ^ (b & c));

		h = g;
		g = f;
		f = e;
		e = low(d + big);
		d = c;
		c = b;
		b = a;
		a = low(big + small);
	}
	const uint32_t add[8] = { a, b, c, d, e, f, g, h };
	for (size_t i = 0; i < 8; i++)
		state[i] = low((uint64_t)state[i] + add[i]);
}

void af_stack_sha256(const unsigned char *bytes, size_t n, unsigned char out[STACK_SHA256])
{
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	unsigned char last[2 * BLOCK] = { 0 };
	const size_t whole = n / BLOCK * BLOCK, rest = n - whole;
	const size_t end = rest < BLOCK - 8 ? BLOCK : sizeof(last);
	const uint64_t bits = (uint64_t)n * 8;

	for (size_t i = 0; i < whole; i += BLOCK)
		add_block(state, bytes + i);
	memcpy(last, bytes + whole, rest);
	last[rest] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[end - 1 - i] = (unsigned char)(bits >> (8 * i) & 0xff);
	for (size_t i = 0; i < end; i += BLOCK)
		add_block(state, last + i);
	for (size_t i = 0; i < STACK_SHA256; i++)
		out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
}
