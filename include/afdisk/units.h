/** units.h - the core counts in bytes; every other unit is wrapped until it is converted. */
#ifndef AFDISK_UNITS_H
#define AFDISK_UNITS_H
#include <stdbool.h>
#include <stdint.h>

/** A byte offset from the start of the disk, or a byte count. Never negative once stored. */
typedef int64_t af_bytes;

#define AF_KIB ((af_bytes)1024)
#define AF_MIB (1024 * AF_KIB)
#define AF_GIB (1024 * AF_MIB)

/** A sector address in this disk's own logical sectors (512 to 4096 bytes each). */
struct af_lba {
	uint64_t n;
};

/** A count of 512-byte units, as sysfs, LVM, LUKS1 and md use them on every disk. */
struct af_s512 {
	uint64_t n;
};

/** Half-open byte range [start, end). Empty when start == end. */
struct af_span {
	af_bytes start, end;
};

/** out = a + b; false, and out untouched, if the sum does not fit. */
bool af_add(af_bytes a, af_bytes b, af_bytes *out);

/** out = a * b; false, and out untouched, if the product does not fit. */
bool af_mul(af_bytes a, af_bytes b, af_bytes *out);

/** The byte where sector lba begins; false if it does not fit in af_bytes. */
bool af_lba_to_bytes(struct af_lba lba, uint32_t sector_size, af_bytes *out);

/** The same for 512-byte units. */
bool af_s512_to_bytes(struct af_s512 s, af_bytes *out);

/** The sector in which byte off (>= 0) lies. */
struct af_lba af_lba_of(af_bytes off, uint32_t sector_size);

/** How many whole sectors fit in a count of bytes (negative counts give negative answers). */
int64_t af_sectors(af_bytes count, uint32_t sector_size);

/** value * to / from rounded down, without overflow on the way; from > 0, all >= 0, value <= from. */
int64_t af_scale(int64_t value, int64_t from, int64_t to);

/** Bytes in the span: end - start. */
af_bytes af_span_size(struct af_span s);

/** True if the two ranges share at least one byte. */
bool af_span_overlap(struct af_span a, struct af_span b);

/** True if every byte of inner lies in outer (an empty inner on an edge of outer does). */
bool af_span_inside(struct af_span inner, struct af_span outer);

/** True if byte at lies in s. */
bool af_span_has(struct af_span s, af_bytes at);

/** True if both edges are the same. */
bool af_span_equal(struct af_span a, struct af_span b);
#endif
