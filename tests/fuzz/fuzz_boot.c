/*
 * Boot code, and the boot sector and log of an NTFS, in bytes that nobody vouches for. The first byte chooses what is looked at; the
 * others lie at the start of a disk. What is told lies in what af_bytes can hold, and nothing beyond the partition is read.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "afdisk/boot.h"
#include "fuzz.h"

#define DISK  65536
#define START ((af_bytes)63 * 512)

struct bytes {
	af_bytes start, end; /* what may be read */
	unsigned char disk[DISK];
};

static bool read_bytes(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	const struct bytes *b = ctx;
	assert(at >= b->start && at <= b->end - (af_bytes)n);
	if (at - b->start > DISK - (af_bytes)n)
		return af_fail(err, AF_E_IO, "beyond");
	memcpy(buf, b->disk + (at - b->start), n);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct bytes b;
	static const char *const fs_table[] = { "vfat", "exfat", "ntfs", "ntfs" };
	struct af_content c = { .state = AF_CONTENT_FOUND };
	struct af_boot_code code;
	if (n < 1 || n > DISK)
		return 0;
	memset(&b, 0, sizeof(b));
	memcpy(b.disk, data + 1, n - 1);
	if (data[0] % 5 == 4) {
		b.end = INT64_MAX;
		af_boot_code_read(read_bytes, &b, data[0] & 128 ? 4096 : 512, &code);
		assert(code.known && code.core.start <= code.core.end);
		return 0;
	}
	b.start = START;
	b.end = START + DISK;
	snprintf(c.fs, sizeof(c.fs), "%s", fs_table[data[0] % 5]);
	af_boot_inside(read_bytes, &b, (struct af_span){ b.start, b.end }, &c);
	assert(!c.has_home || c.home >= 0);
	return 0;
}
