/*
 * stack_bcache.c - where the data of a bcache device begins, the cached one's and the cache's. Little-endian: struct cache_sb
 * of linux/bcache.h, at byte 4096, with a CRC-64 over all that follows it.
 */
#include <stdio.h>

#include "chain_bytes.h"
#include "stack_priv.h"

enum {
	SB_AT = 4096,
	SELF_AT = 8, /* in units of 512 bytes, as all other places */
	VERSION_AT = 16,
	MAGIC_AT = 24,
	FLAGS_AT = 104,
	INCOMPAT_AT = 128,
	DATA_AT = 184,
	BLOCK_AT = 192,
	BUCKET_AT = 194,
	FIRST_BUCKET_AT = 204,
	KEYS_AT = 206, /* how many, of eight bytes each behind the rest */
	FIXED = 208,
	KEYS_MAX = 256,

	DATA_USUAL = 16,
	LOG_BUCKET = 2,   /* feature: the bucket's size is a power of two */
	STATE_SHIFT = 61, /* in the flags: 0 none, 1 clean, 2 dirty, 3 stale */
};

enum version {
	CACHE = 0,
	BACKING = 1,
	CACHE_WITH_UUID = 3,
	BACKING_WITH_OFFSET = 4,
	CACHE_WITH_FEATURES = 5,
	BACKING_WITH_FEATURES = 6,
};

static bool load(const struct stack_window *w, unsigned char sb[FIXED + KEYS_MAX * 8])
{
	static const unsigned char magic[16] = { 0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a,
						 0x45, 0xca, 0x82, 0x65, 0xf5, 0x7f,
						 0x48, 0xba, 0x6d, 0x81 };
	size_t n;

	if (!stack_read(w, SB_AT, sb, FIXED) ||
	    memcmp(sb + MAGIC_AT, magic, sizeof(magic)) != 0 ||
	    af_get_le64(sb + SELF_AT) != SB_AT / 512)
		return false;
	n = af_get_le16(sb + KEYS_AT);
	if (n > KEYS_MAX)
		return false;
	n = FIXED + 8 * n;
	return stack_read(w, SB_AT, sb, n) &&
	       af_stack_crc64(sb + 8, n - 8) == af_get_le64(sb);
}

/* Adds data at that unit of 512 bytes; false if that is not in the window. */
static bool add(const struct stack_window *w, const unsigned char *sb, const char *what,
		uint64_t at, struct stack_found *out)
{
	af_bytes data;

	if (!af_s512_to_bytes((struct af_s512){ at }, &data) || data < SB_AT + 512 ||
	    data >= af_span_size(w->span))
		return false;
	af_stack_add(out, what, data, (af_bytes)af_get_le16(sb + BLOCK_AT) * 512);
	return true;
}

/* What is inside can be read where nothing of it is newer in the cache. */
static bool read_backing(const struct stack_window *w, const unsigned char *sb, uint64_t at,
			 struct stack_found *out)
{
	if (!add(w, sb, "bcache backing", at, out))
		return false;
	if (af_get_le64(sb + FLAGS_AT) >> STATE_SHIFT <= 1)
		out->inner =
			(struct af_span){ out->layer[0].offset, af_span_size(w->span) };
	return true;
}

static bool read_cache(const struct stack_window *w, const unsigned char *sb,
		       uint64_t features, struct stack_found *out)
{
	uint64_t bucket = af_get_le16(sb + BUCKET_AT);

	if (features == LOG_BUCKET && bucket < 32)
		bucket = UINT64_C(1) << bucket;
	else if (features != 0)
		return false;
	return add(w, sb, "bcache cache", bucket * af_get_le16(sb + FIRST_BUCKET_AT), out);
}

bool af_stack_bcache(const struct stack_window *w, struct stack_found *out)
{
	unsigned char sb[FIXED + KEYS_MAX * 8];

	if (!load(w, sb))
		return false;
	switch (af_get_le64(sb + VERSION_AT)) {
	case BACKING:
		return read_backing(w, sb, DATA_USUAL, out);
	case BACKING_WITH_OFFSET:
	case BACKING_WITH_FEATURES:
		return read_backing(w, sb, af_get_le64(sb + DATA_AT), out);
	case CACHE:
	case CACHE_WITH_UUID:
		return read_cache(w, sb, 0, out);
	case CACHE_WITH_FEATURES:
		return read_cache(w, sb, af_get_le64(sb + INCOMPAT_AT), out);
	}
	return false;
}
