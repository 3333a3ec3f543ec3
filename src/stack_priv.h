/** stack_priv.h - what a reader of the stack room sees of a partition, and what it gives back. */
#ifndef AFDISK_STACK_PRIV_H
#define AFDISK_STACK_PRIV_H
#include <string.h>

#include "afdisk/chain.h"
#include "afdisk/facts.h"

/** A stretch of a disk that is looked into. Reads go through a small cache. */
struct stack_window {
	bool (*read)(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err);
	void *ctx;
	struct af_span span; /* bytes of the disk */
	uint32_t sector_size;
	bool guessing; /* libblkid was not asked what this is: only what lies in its usual place counts */
};

#define STACK_LAYERS 8 /* of one container or file system */

/** What one reader found. Offsets count from the start of the window. */
struct stack_found {
	struct af_layer layer[STACK_LAYERS]; /* see af_stack_add() */
	size_t n;
	af_bytes fs_size;  /* bytes that it needs of the window; 0: unknown */
	bool bound_to_end; /* its superblock is at the end: the size has to stay */
	struct af_span
		inner; /* where the next thing may lie; empty: nowhere, or it is encrypted */
	char remark[120]; /* what is odd; "" if nothing is */
};

/**
 * One format. read is true if it is there and to be believed; it goes by its magic numbers alone, so that it can be
 * tried on anything. Out begins as zeros, and is ignored if the answer is false.
 */
struct stack_reader {
	const char *type; /* libblkid's TYPE */
	bool (*read)(const struct stack_window *w, struct stack_found *out);
};

/** Reads n bytes at byte at of the window; false, and buf zeroed, if they are not all in it or cannot be read. */
static inline bool stack_read(const struct stack_window *w, af_bytes at, void *buf,
			      size_t n)
{
	const af_bytes size = af_span_size(w->span);
	struct af_err ignored;

	if (at >= 0 && at <= size && n <= (uint64_t)(size - at) &&
	    w->read(w->ctx, w->span.start + at, buf, n, &ignored))
		return true;
	memset(buf, 0, n);
	return false;
}

/** Adds data that begins at byte offset and is written in blocks of unit bytes (0: unknown). Left out if there are
 *  too many. */
void af_stack_add(struct stack_found *out, const char *what, af_bytes offset,
		  af_bytes unit);

/** A reflected CRC-32 of n bytes with that polynomial (edb88320: Ethernet's), going on from crc; nothing is inverted. */
uint32_t af_stack_crc32(uint32_t polynomial, uint32_t crc, const unsigned char *bytes,
			size_t n);

/** CRC-64 with the polynomial of ECMA-182, not reflected, all ones before and after it. */
uint64_t af_stack_crc64(const unsigned char *bytes, size_t n);

#define STACK_SHA256 32 /* bytes of it */

/** SHA-256 of n bytes: FIPS 180-4. */
void af_stack_sha256(const unsigned char *bytes, size_t n, unsigned char out[STACK_SHA256]);

/** The readers, each in a file of its own. */
bool af_stack_luks(const struct stack_window *w, struct stack_found *out);
bool af_stack_lvm(const struct stack_window *w, struct stack_found *out);
bool af_stack_md(const struct stack_window *w, struct stack_found *out);
bool af_stack_bcache(const struct stack_window *w, struct stack_found *out);
bool af_stack_bitlocker(const struct stack_window *w, struct stack_found *out);
bool af_stack_zfs(const struct stack_window *w, struct stack_found *out);
bool af_stack_fat(const struct stack_window *w, struct stack_found *out);
bool af_stack_exfat(const struct stack_window *w, struct stack_found *out);
bool af_stack_ntfs(const struct stack_window *w, struct stack_found *out);
bool af_stack_ext(const struct stack_window *w, struct stack_found *out);
bool af_stack_xfs(const struct stack_window *w, struct stack_found *out);
bool af_stack_btrfs(const struct stack_window *w, struct stack_found *out);
bool af_stack_f2fs(const struct stack_window *w, struct stack_found *out);
bool af_stack_ufs(const struct stack_window *w, struct stack_found *out);
bool af_stack_swap(const struct stack_window *w, struct stack_found *out);
#endif
