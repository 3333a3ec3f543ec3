/**
 * Containers as bytes: LUKS1, LVM2, RAID, bcache, BitLocker, ZFS, from their descriptions, with none of afdisk's code. Every
 * number stands in them as the words say it, sense or nonsense; checksums are right.
 */
#include "disks.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS 6
#define UNIT    512

/* "NAME=START+COUNT,number,...": bytes, and the numbers as they stand. */
struct container {
	struct disk *d;
	uint64_t start, size;
	uint64_t number[NUMBERS];
	size_t n;
};

static void put_le(unsigned char *at, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++, value >>= 8)
		at[i] = (unsigned char)(value & 0xff);
}

static void put_be(unsigned char *at, uint64_t value, size_t n)
{
	for (size_t i = n; i > 0; i--, value >>= 8)
		at[i - 1] = (unsigned char)(value & 0xff);
}

static uint64_t get_le(const unsigned char *at, size_t n)
{
	uint64_t value = 0;
	for (size_t i = n; i > 0; i--)
		value = value << 8 | at[i - 1];
	return value;
}

/* Without its ending zero. */
static void put_text(unsigned char *at, const char *text)
{
	while (*text)
		*at++ = (unsigned char)*text++;
}

/* n bytes of zeros to be filled, at byte `at` of the container; NULL if there are too many of them. */
static unsigned char *piece(struct container *c, uint64_t at, size_t n)
{
	if (c->d->nforeign == DISK_FOREIGN)
		return NULL;
	struct disk_foreign *f = &c->d->foreign[c->d->nforeign++];
	f->at = c->start + at;
	f->n = n;
	return f->bytes;
}

static bool make_luks1(struct container *c)
{
	unsigned char *h = piece(c, 0, 592);
	if (!h)
		return false;
	put_text(h, "LUKS\xba\xbe");
	put_be(h + 6, 1, 2);
	put_text(h + 8, "aes");
	put_text(h + 40, "xts-plain64");
	put_text(h + 72, "sha256");
	put_be(h + 104, c->number[0], 4);
	put_be(h + 108, 64, 4);
	put_text(h + 168, "11111111-2222-4333-8444-555555555555");
	return true;
}

static uint32_t lvm_crc(const unsigned char *bytes, size_t n)
{
	uint32_t crc = 0xf597a6cf;
	for (size_t i = 0; i < n * 8; i++) {
		uint32_t low = (crc ^ (uint32_t)(bytes[i / 8] >> (i % 8))) & 1;
		crc = crc >> 1 ^ (low ? 0xedb88320 : 0);
	}
	return crc;
}

#define LVM_TEXT                                                                           \
	"vg0 {\nid = \"AAAAAA-bbbb-CCCC-dddd-EEEE-ffff-GGGGGG\"\nseqno = 1\n"              \
	"format = \"lvm2\" # informational\nstatus = [\"RESIZEABLE\", \"READ\", "          \
	"\"WRITE\"]\nextent_size = %" PRIu64 "\n\nphysical_volumes {\n\npv0 {\n"           \
	"id = \"pvpvpv-0123-4567-89ab-cdef-ghij-klmnop\"\ndevice = \"/dev/sd}\"\n"         \
	"dev_size = %" PRIu64 "\npe_start = %" PRIu64 "\npe_count = 9\n}\n}\n\n"           \
	"logical_volumes {\n\nroot {\nid = \"lvlvlv-0123-4567-89ab-cdef-ghij-klmnop\"\n"   \
	"segment_count = 1\n\nsegment1 {\nstart_extent = 0\nextent_count = 2\n\n"          \
	"type = \"striped\"\nstripe_count = 1\n\nstripes = [\n\"pv0\", 5\n]\n}\n}\n}\n}\n" \
	"contents = \"Text Format Volume Group\"\nversion = 1\n"

/* The metadata of a group, from 4 KiB on: PE start, extent size. */
static bool make_lvm_group(struct container *c)
{
	unsigned char *mda = piece(c, 4096, UNIT), *text = piece(c, 4096 + UNIT, 0);
	if (!text)
		return false;
	int n = snprintf((char *)text, sizeof(c->d->foreign[0].bytes), LVM_TEXT,
			 c->number[1], c->size / UNIT, c->number[0]);
	c->d->foreign[c->d->nforeign - 1].n = (size_t)n;
	put_text(mda + 4, " LVM2 x[5A%r0N*>");
	put_le(mda + 20, 1, 4);
	put_le(mda + 24, 4096, 8);
	put_le(mda + 32, 65536 - 4096, 8);
	put_le(mda + 40, UNIT, 8);
	put_le(mda + 48, (uint64_t)n, 8);
	put_le(mda + 56, lvm_crc(text, (size_t)n), 4);
	put_le(mda, lvm_crc(mda + 4, UNIT - 4), 4);
	return true;
}

static bool make_lvm(struct container *c)
{
	unsigned char *label = piece(c, UNIT, UNIT);
	if (!label)
		return false;
	unsigned char *pv = label + 32;
	put_text(label, "LABELONE");
	put_le(label + 8, 1, 8);
	put_le(label + 20, 32, 4);
	put_text(label + 24, "LVM2 001");
	put_text(pv, "pvpvpv0123456789abcdefghijklmnop");
	put_le(pv + 32, c->size, 8);
	put_le(pv + 40, c->number[0] * UNIT, 8);
	put_le(pv + 72, 4096, 8);
	put_le(pv + 80, 65536 - 4096, 8);
	put_le(label + 16, lvm_crc(label + 20, UNIT - 20), 4);
	return c->number[1] == 0 || make_lvm_group(c);
}

static uint32_t md_sum(const unsigned char *bytes, size_t n)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i += 4)
		sum += get_le(bytes + i, 4);
	return (uint32_t)((sum & UINT32_MAX) + (sum >> 32));
}

/* Level, chunk in bytes. */
static bool make_md_090(struct container *c)
{
	uint64_t at = (c->size & ~UINT64_C(65535)) - 65536;
	unsigned char *sb = piece(c, at, UNIT);
	if (!sb)
		return false;
	put_le(sb, 0xa92b4efc, 4);
	put_le(sb + 8, 90, 4);
	put_le(sb + 20, 0x11111111, 4);
	put_le(sb + 24, 1700000000, 4);
	put_le(sb + 28, c->number[0], 4);
	put_le(sb + 32, at / 1024, 4);
	put_le(sb + 40, 2, 4);
	put_le(sb + 260, c->number[1], 4);
	put_le(sb + 152, md_sum(sb, UNIT), 4);
	return true;
}

/* Level, data offset, size, chunk, by how much the data is on its way, and the size that this member has for it, if that is
 * another; all but the first in units of 512 bytes. */
static bool make_md_1(struct container *c, uint64_t at)
{
	unsigned char *sb = piece(c, at, 260);
	if (!sb)
		return false;
	put_le(sb, 0xa92b4efc, 4);
	put_le(sb + 4, 1, 4);
	put_le(sb + 8, c->number[4] ? 4 | 64 : 0, 4);
	memset(sb + 16, 0x11, 16);
	put_text(sb + 32, "host:0");
	put_le(sb + 64, 1700000000, 4);
	put_le(sb + 72, c->number[0], 4);
	put_le(sb + 80, c->number[2], 8);
	put_le(sb + 88, c->number[3], 4);
	put_le(sb + 92, 2, 4);
	put_le(sb + 124, c->number[4], 4);
	put_le(sb + 128, c->number[1], 8);
	put_le(sb + 136, c->number[5] ? c->number[5] : c->number[2], 8);
	put_le(sb + 144, at / UNIT, 8);
	memset(sb + 168, 0x22, 16);
	put_le(sb + 220, 2, 4);
	put_le(sb + 258, 1, 2);
	put_le(sb + 216, md_sum(sb, 260), 4);
	return true;
}

static bool make_md_10(struct container *c)
{
	return make_md_1(c, (c->size - 8192) & ~UINT64_C(4095));
}

static bool make_md_11(struct container *c)
{
	return make_md_1(c, 0);
}

static bool make_md_12(struct container *c)
{
	return make_md_1(c, 4096);
}

static uint64_t bcache_crc(const unsigned char *bytes, size_t n)
{
	uint64_t crc = UINT64_MAX;
	for (size_t i = 0; i < n * 8; i++) {
		uint64_t top = crc >> 63 ^ (bytes[i / 8] >> (7 - i % 8) & 1);
		crc = crc << 1 ^ (top ? UINT64_C(0x42f0e1eba9ea3693) : 0);
	}
	return ~crc;
}

/* Version, then of a backing device its data offset, of a cache the size of a bucket; block size; state. */
static bool make_bcache(struct container *c)
{
	static const unsigned char magic[16] = { 0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a,
						 0x45, 0xca, 0x82, 0x65, 0xf5, 0x7f,
						 0x48, 0xba, 0x6d, 0x81 };
	unsigned char *sb = piece(c, 4096, 208);
	uint64_t version = c->number[0];
	bool cache = version == 0 || version == 3 || version == 5;
	if (!sb)
		return false;
	put_le(sb + 8, 8, 8);
	put_le(sb + 16, version, 8);
	memcpy(sb + 24, magic, 16);
	memset(sb + 40, 0x33, 16);
	put_le(sb + 104, c->number[3] << 61, 8);
	put_le(sb + 184, c->number[1], 8);
	put_le(sb + 192, c->number[2], 2);
	put_le(sb + 194, cache ? c->number[1] : 1024, 2);
	put_le(sb + 204, 1, 2);
	put_le(sb, bcache_crc(sb + 8, 200), 8);
	return true;
}

/* Kind: 0 from Windows 7 on, 1 To Go, 2 Vista; sectors a cluster. */
static bool make_bitlocker(struct container *c)
{
	static const unsigned char id[16] = { 0x3b, 0xd6, 0x67, 0x49, 0x29, 0x2e,
					      0xd8, 0x4a, 0x83, 0x99, 0xf6, 0xa3,
					      0x39, 0xe3, 0xd0, 0x01 };
	uint64_t kind = c->number[0], block = UINT64_C(1) << 20;
	unsigned char *boot = piece(c, 0, 512), *metadata = piece(c, block, 16);
	if (!metadata)
		return false;
	put_text(boot, kind == 2 ? "\xeb\x52\x90" : "\xeb\x58\x90");
	put_text(boot + 3, kind == 1 ? "MSWIN4.1" : "-FVE-FS-");
	put_le(boot + 11, UNIT, 2);
	boot[13] = (unsigned char)c->number[1];
	if (kind == 2) {
		put_le(boot + 56, block / (UNIT * c->number[1]), 8);
	} else {
		memcpy(boot + (kind == 1 ? 424 : 160), id, 16);
		for (size_t i = 0; i < 3; i++)
			put_le(boot + (kind == 1 ? 440 : 176) + 8 * i, block, 8);
	}
	put_le(boot + 510, 0xaa55, 2);
	put_text(metadata, "-FVE-FS-");
	put_le(metadata + 8, 64, 2);
	put_le(metadata + 10, kind == 2 ? 1 : 2, 2);
	return true;
}

/* A pair of name and value at byte *at of a list: a number, or the bytes of another list in its place. */
static void zfs_pair(unsigned char *list, size_t *at, const char *name, uint64_t number,
		     const unsigned char *maybe_list, size_t n)
{
	size_t name_len = strlen(name), head = 12 + (name_len + 3) / 4 * 4 + 8;
	unsigned char *p = list + *at;
	size_t size = head + (maybe_list ? n : 8);
	put_be(p, size, 4);
	put_be(p + 4, size, 4);
	put_be(p + 8, name_len, 4);
	put_text(p + 12, name);
	put_be(p + head - 8, maybe_list ? 19 : 8, 4);
	put_be(p + head - 4, 1, 4);
	if (maybe_list)
		memcpy(p + head, maybe_list, n);
	else
		put_be(p + head, number, 8);
	*at += size;
}

static bool zfs_label(struct container *c, uint64_t at)
{
	unsigned char tree[256] = { 0 }, *list = piece(c, at + 16384, 1024);
	size_t n = 8, used = 12;
	if (!list)
		return false;
	zfs_pair(tree, &n, "id", 0, NULL, 0);
	zfs_pair(tree, &n, "metaslab_shift", 24, NULL, 0);
	zfs_pair(tree, &n, "ashift", c->number[0], NULL, 0);
	zfs_pair(tree, &n, "asize", c->size - (UINT64_C(4718592)), NULL, 0);
	n += 8;
	put_be(list, 0x01010000, 4);
	put_be(list + 8, 1, 4);
	zfs_pair(list, &used, "version", 5000, NULL, 0);
	zfs_pair(list, &used, "pool_guid", 4711, NULL, 0);
	zfs_pair(list, &used, "guid", 4712, NULL, 0);
	zfs_pair(list, &used, "vdev_tree", 0, tree, n);
	return true;
}

/* Shift. */
static bool make_zfs(struct container *c)
{
	uint64_t label = 262144, end = c->size / label * label;
	for (uint64_t i = 0; i < 2; i++) {
		unsigned char *blocks = piece(c, 131072 + 2048 * i, 1032);
		if (!blocks)
			return false;
		put_le(blocks, 0xbab10c, 8);
		put_le(blocks + 1024, 0xbab10c, 8);
	}
	return zfs_label(c, 0) && zfs_label(c, label) && zfs_label(c, end - 2 * label) &&
	       zfs_label(c, end - label);
}

/* The numbers of a word behind its name. */
static bool read_numbers(const char *at, struct container *c)
{
	char *end;
	c->start = strtoumax(at, &end, 10) * c->d->sector_size;
	if (end == at || *end != '+')
		return false;
	c->size = strtoumax(end + 1, &end, 10) * c->d->sector_size;
	while (*end == ',' && c->n < NUMBERS)
		c->number[c->n++] = strtoumax(end + 1, &end, 10);
	return !*end && c->size >= 65536;
}

bool disk_read_container(const char *word, struct disk *d)
{
	static const struct {
		const char *name;
		bool (*make)(struct container *c);
	} kind_table[] = {
		{ "luks1=", make_luks1 },   { "lvm=", make_lvm },
		{ "md090=", make_md_090 },  { "md10=", make_md_10 },
		{ "md11=", make_md_11 },    { "md12=", make_md_12 },
		{ "bcache=", make_bcache }, { "bitlocker=", make_bitlocker },
		{ "zfs=", make_zfs },
	};
	struct container c = { .d = d };
	for (size_t i = 0; i < sizeof(kind_table) / sizeof(kind_table[0]); i++) {
		size_t n = strlen(kind_table[i].name);
		if (strncmp(word, kind_table[i].name, n) == 0)
			return read_numbers(word + n, &c) && kind_table[i].make(&c);
	}
	return false;
}
