/*
 * stack_luks.c - where the encrypted data of a LUKS volume begins. Version 1, big-endian: "LUKS On-Disk Format Specification",
 * version 1.2.3, figure 1; nothing vouches for its numbers. Version 2: "LUKS2 On-Disk Format Specification"; a binary
 * header and text behind it, twice, each under a checksum of its own. What is inside cannot be seen without the key.
 */
#include <stdlib.h>

#include "afdisk/text.h"
#include "chain_bytes.h"
#include "stack_luks.h"
#include "stack_priv.h"

enum {
	VERSION_AT = 6,

	PAYLOAD_AT = 104, /* in units of 512 bytes */
	HEADER_1 = 592,

	SIZE_AT = 8, /* of header and text */
	SUM_NAME_AT = 72,
	SELF_AT = 256,
	SUM_AT = 448,
	SUM_ROOM = 64,
	HEADER_2 = 4096,
	SIZE_2_MIN = 16384,
	SIZE_2_MAX = 4 << 20,
};

static const unsigned char magic_1st[6] = { 'L', 'U', 'K', 'S', 0xba, 0xbe };
static const unsigned char magic_2nd[6] = { 'S', 'K', 'U', 'L', 0xba, 0xbe };

/* An offset of 0 means that the header was kept apart from the data. */
static bool read_1(const struct stack_window *w, const unsigned char *header,
		   struct stack_found *out)
{
	af_bytes payload;

	if (!af_s512_to_bytes((struct af_s512){ af_get_be32(header + PAYLOAD_AT) },
			      &payload) ||
	    payload < HEADER_1 || payload >= af_span_size(w->span))
		return false;
	af_stack_add(out, "LUKS1", payload, 0);
	return true;
}

static uint64_t get_be64(const unsigned char *p)
{
	return (uint64_t)af_get_be32(p) << 32 | af_get_be32(p + 4);
}

/* The sum is taken with zeros in its own place. */
static bool adds_up(unsigned char *header, size_t n)
{
	unsigned char said[STACK_SHA256], is[STACK_SHA256];

	if (memcmp(header + SUM_NAME_AT, "sha256", 7) != 0)
		return false;
	memcpy(said, header + SUM_AT, sizeof(said));
	memset(header + SUM_AT, 0, SUM_ROOM);
	af_stack_sha256(header, n, is);
	return memcmp(said, is, sizeof(is)) == 0;
}

/* The size of the header at byte at, if there may be one: a power of two from 16 KiB on. */
static size_t size_2(const struct stack_window *w, af_bytes at, const unsigned char *magic)
{
	unsigned char head[512];
	uint64_t size;

	if (!stack_read(w, at, head, sizeof(head)) || memcmp(head, magic, 6) != 0 ||
	    af_get_be16(head + VERSION_AT) != 2 || get_be64(head + SELF_AT) != (uint64_t)at)
		return 0;
	size = get_be64(head + SIZE_AT);
	return size >= SIZE_2_MIN && size <= SIZE_2_MAX && (size & (size - 1)) == 0
		       ? (size_t)size
		       : 0;
}

/* The header at byte at, with the text behind it. */
static bool read_2(const struct stack_window *w, af_bytes at, const unsigned char *magic,
		   struct stack_found *out)
{
	const size_t n = size_2(w, at, magic);
	unsigned char *header;
	bool done;

	if (n == 0)
		return false;
	header = af_alloc(n, 1);
	done = stack_read(w, at, header, n) && adds_up(header, n) &&
	       af_stack_luks_segments(
		       (const char *)header + HEADER_2, n - HEADER_2,
		       (struct af_span){ (af_bytes)n, af_span_size(w->span) }, out);
	free(header);
	return done;
}

/* The second header lies behind the first, whose size is not known if it is damaged. */
static bool read_2nd(const struct stack_window *w, struct stack_found *out)
{
	for (af_bytes at = SIZE_2_MIN; at <= SIZE_2_MAX; at *= 2) {
		if (read_2(w, at, magic_2nd, out))
			return true;
		out->n = 0;
	}
	return false;
}

bool af_stack_luks(const struct stack_window *w, struct stack_found *out)
{
	unsigned char header[HEADER_1];

	if (stack_read(w, 0, header, sizeof(header)) &&
	    memcmp(header, magic_1st, sizeof(magic_1st)) == 0 &&
	    af_get_be16(header + VERSION_AT) == 1)
		return read_1(w, header, out);
	return read_2(w, 0, magic_1st, out) || (!w->guessing && read_2nd(w, out));
}
