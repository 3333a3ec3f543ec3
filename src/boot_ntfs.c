/*
 * boot_ntfs.c - whether Windows has closed an NTFS. With hibernation or Fast Startup it has not: its log says that somebody
 * is still at work, and who changes the file system then loses what Windows wakes up with. Reads the boot sector, two
 * records of the master file table and the restart pages of the log: some 10 KiB. By ntfs-3g's layout.h and logfile.h.
 */
#include "afdisk/boot.h"

#include <string.h>

#include "chain_bytes.h"

enum {
	BOOT = 512,
	RECORD_MAX = 4096,
	STRIDE =
		512, /* the last two bytes of each are a sequence number, and kept elsewhere */
	LOG_FILE = 2, /* numbers of records */
	VOLUME = 3,
	ATTR_VOLUME = 0x70,
	ATTR_DATA = 0x80,
	PAGE = 4096,
	NO_CLIENT = 0xFFFF
};

#define VOLUME_IS_DIRTY  1U
#define RESTART_IS_CLEAN 2U

/* An NTFS being read. */
struct ntfs {
	af_read_fn read;
	void *ctx;
	struct af_span span;
	af_bytes cluster, record, table; /* bytes; of the table from the start of span */
	unsigned char buf[RECORD_MAX];
};

/* Reads n bytes at byte at of the file system; false beyond it. */
static bool read_at(const struct ntfs *v, af_bytes at, void *buf, af_bytes n)
{
	struct af_err ignored;
	af_bytes from;
	return at >= 0 && n <= af_span_size(v->span) && at <= af_span_size(v->span) - n &&
	       af_add(v->span.start, at, &from) &&
	       v->read(v->ctx, from, buf, (size_t)n, &ignored);
}

static bool is_power(af_bytes n, af_bytes least, af_bytes most)
{
	return n >= least && n <= most && (n & (n - 1)) == 0;
}

/* A size that is a number of clusters, or a power of two as a negative exponent. */
static af_bytes coded_size(unsigned byte, af_bytes cluster)
{
	if (byte < 128)
		return (af_bytes)byte * cluster;
	return 256 - byte <= 21 ? (af_bytes)1 << (256 - byte) : 0;
}

static bool open_volume(struct ntfs *v)
{
	unsigned char boot[BOOT];
	if (!read_at(v, 0, boot, sizeof(boot)) || memcmp(boot + 3, "NTFS    ", 8) != 0)
		return false;
	const af_bytes sector = af_get_le16(boot + 11);
	const uint64_t table = af_get_le64(boot + 48);
	if (!is_power(sector, 256, 4096))
		return false;
	v->cluster = boot[13] > 128 ? coded_size(boot[13], 1) * sector : boot[13] * sector;
	if (!is_power(v->cluster, 256, 2 * AF_MIB) || table > INT64_MAX)
		return false;
	v->record = coded_size(boot[64], v->cluster);
	return is_power(v->record, 512, RECORD_MAX) &&
	       af_mul((af_bytes)table, v->cluster, &v->table);
}

/* Puts back the bytes at the end of each stride; false if they are not of one writing. */
static bool fix_up(unsigned char *p, af_bytes size)
{
	const uint32_t at = af_get_le16(p + 4), n = af_get_le16(p + 6);
	if (n != (uint32_t)(size / STRIDE) + 1 || at + 2 * n > STRIDE - 2)
		return false;
	for (size_t i = 1; i < n; i++) {
		unsigned char *end = p + i * STRIDE - 2;
		if (memcmp(end, p + at, 2) != 0)
			return false;
		memcpy(end, p + at + 2 * i, 2);
	}
	return true;
}

static bool read_record(struct ntfs *v, unsigned number)
{
	af_bytes at;
	return af_add(v->table, number * v->record, &at) &&
	       read_at(v, at, v->buf, v->record) && memcmp(v->buf, "FILE", 4) == 0 &&
	       fix_up(v->buf, v->record);
}

/* The first attribute of that kind without a name, of at least least bytes, in the record; NULL if there is none. */
static const unsigned char *find_attribute(const struct ntfs *v, uint32_t kind,
					   uint32_t least)
{
	const uint32_t size = (uint32_t)v->record;
	uint32_t at = af_get_le16(v->buf + 20);
	while (at + 16 <= size) {
		const unsigned char *p = v->buf + at;
		const uint32_t len = af_get_le32(p + 4);
		if (len < 16 || len > size - at)
			return NULL;
		if (af_get_le32(p) == kind && p[9] == 0)
			return len >= least ? p : NULL;
		at += len;
	}
	return NULL;
}

static bool is_volume_dirty(struct ntfs *v)
{
	const unsigned char *p;
	if (!read_record(v, VOLUME) || !(p = find_attribute(v, ATTR_VOLUME, 24)) ||
	    p[8] != 0)
		return false;
	const uint32_t value = af_get_le16(p + 20);
	return value + 12 <= af_get_le32(p + 4) &&
	       (af_get_le16(p + value + 10) & VOLUME_IS_DIRTY) != 0;
}

/* Where the first run of a file's data begins, in bytes of the file system. */
static bool first_run(const struct ntfs *v, const unsigned char *p, af_bytes *at)
{
	const uint32_t len = af_get_le32(p + 4), runs = af_get_le16(p + 32);
	if (p[8] == 0 || runs + 2 > len)
		return false;
	const unsigned lengths = p[runs] & 15, offsets = p[runs] >> 4;
	uint64_t cluster = 0;
	if (lengths == 0 || offsets == 0 || offsets > 8 ||
	    runs + 1 + lengths + offsets > len)
		return false;
	for (unsigned i = offsets; i > 0; i--)
		cluster = cluster << 8 | p[runs + lengths + i];
	return cluster <= INT64_MAX && af_mul((af_bytes)cluster, v->cluster, at);
}

/* What one restart page of the log says, and how new it is. */
static enum af_closed restart_page(const unsigned char *p, uint64_t *age)
{
	const uint32_t area = af_get_le16(p + 24);
	if (memcmp(p, "RSTR", 4) != 0 || area + 16 > STRIDE - 2)
		return AF_CLOSED_UNKNOWN;
	*age = af_get_le64(p + area);
	bool nobody = af_get_le16(p + area + 12) == NO_CLIENT;
	bool clean = (af_get_le16(p + area + 14) & RESTART_IS_CLEAN) != 0;
	return nobody || clean ? AF_CLOSED_YES : AF_CLOSED_NO;
}

/* An empty log, as mkntfs makes it, is all ones: nobody has been at work. */
static bool is_empty_log(const unsigned char *p)
{
	for (size_t i = 0; i < PAGE; i++)
		if (p[i] != 0xFF)
			return false;
	return true;
}

/* The newer of two pages counts. */
static enum af_closed read_log(struct ntfs *v)
{
	unsigned char page[2 * PAGE];
	uint64_t age[2] = { 0, 0 };
	const unsigned char *p;
	af_bytes at;
	if (!read_record(v, LOG_FILE) || !(p = find_attribute(v, ATTR_DATA, 64)) ||
	    !first_run(v, p, &at) || !read_at(v, at, page, sizeof(page)))
		return AF_CLOSED_UNKNOWN;
	if (is_empty_log(page))
		return AF_CLOSED_YES;
	enum af_closed first = restart_page(page, &age[0]),
		       second = restart_page(page + PAGE, &age[1]);
	if (first == AF_CLOSED_UNKNOWN)
		return second;
	return second != AF_CLOSED_UNKNOWN && age[1] > age[0] ? second : first;
}

enum af_closed af_boot_ntfs_closed(af_read_fn read, void *ctx, struct af_span span)
{
	struct ntfs v = { .read = read, .ctx = ctx, .span = span };
	if (!open_volume(&v))
		return AF_CLOSED_UNKNOWN;
	enum af_closed log = read_log(&v);
	return log != AF_CLOSED_UNKNOWN && is_volume_dirty(&v) ? AF_CLOSED_NO : log;
}
