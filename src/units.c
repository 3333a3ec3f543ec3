/*
 * units.c - checked sums, sector conversions, spans. Pure arithmetic: knows nothing of disks.
 * Every helper that can fail returns true for success and leaves *out alone otherwise.
 */
#include "afdisk/units.h"
#include <assert.h>

bool af_add(af_bytes a, af_bytes b, af_bytes *out)
{
	af_bytes sum;
	if (__builtin_add_overflow(a, b, &sum))
		return false;
	*out = sum;
	return true;
}

bool af_mul(af_bytes a, af_bytes b, af_bytes *out)
{
	af_bytes product;
	if (__builtin_mul_overflow(a, b, &product))
		return false;
	*out = product;
	return true;
}

bool af_lba_to_bytes(struct af_lba lba, uint32_t sector_size, af_bytes *out)
{
	af_bytes bytes;
	if (__builtin_mul_overflow(lba.n, sector_size, &bytes))
		return false;
	*out = bytes;
	return true;
}

bool af_s512_to_bytes(struct af_s512 s, af_bytes *out)
{
	return af_lba_to_bytes((struct af_lba){ s.n }, 512, out);
}

struct af_lba af_lba_of(af_bytes off, uint32_t sector_size)
{
	assert(off >= 0 && sector_size > 0);
	return (struct af_lba){ (uint64_t)off / sector_size };
}

int64_t af_sectors(af_bytes count, uint32_t sector_size)
{
	assert(sector_size > 0);
	return count / (af_bytes)sector_size;
}

int64_t af_scale(int64_t value, int64_t from, int64_t to)
{
	assert(from > 0 && value >= 0 && value <= from && to >= 0);
	__extension__ typedef __int128 wide;
	return (int64_t)((wide)value * to / from);
}

af_bytes af_span_size(struct af_span s)
{
	return s.end - s.start;
}

bool af_span_overlap(struct af_span a, struct af_span b)
{
	return a.start < b.end && b.start < a.end;
}

bool af_span_inside(struct af_span inner, struct af_span outer)
{
	return inner.start >= outer.start && inner.end <= outer.end;
}

bool af_span_has(struct af_span s, af_bytes at)
{
	return at >= s.start && at < s.end;
}

bool af_span_equal(struct af_span a, struct af_span b)
{
	return a.start == b.start && a.end == b.end;
}
