/*
 * A container or file system in bytes that nobody vouches for. The first byte chooses what libblkid is to have said, the
 * second whether checksums are made good; the others lie at the start of a partition of zeros, once as short as they are. What is
 * read lies in the partition, and so does what is told of it, which can be judged and put in words.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "../../src/chain_bytes.h"
#include "../../src/stack_luks.h"
#include "../../src/stack_lvm.h"
#include "afdisk/align.h"
#include "afdisk/stack.h"
#include "fuzz.h"

#define START ((af_bytes)63 * 512)
#define HEAD  65536
#define MAKES 2 /* how often sums over sums are made good */

static const char *const type_table[] = {
	"crypto_LUKS", "LVM2_member", "linux_raid_member",
	"bcache",      "BitLocker",   "zfs_member",
	"vfat",        "exfat",       "ntfs",
	"ext4",        "xfs",         "btrfs",
	"f2fs",        "ufs",         "swap",
};

#define TYPES (sizeof(type_table) / sizeof(type_table[0]))

struct partition {
	af_bytes size;
	size_t n;
	unsigned char bytes[HEAD];
};

static bool read_partition(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	const struct partition *p = ctx;
	const af_bytes from = at - START;

	(void)err;
	assert(from >= 0 && n <= (size_t)p->size && from <= p->size - (af_bytes)n);
	memset(buf, 0, n);
	if (from < (af_bytes)p->n)
		memcpy(buf, p->bytes + from,
		       n < p->n - (size_t)from ? n : p->n - (size_t)from);
	return true;
}

static void make_luks(unsigned char *b)
{
	for (size_t at = 0; at <= 16384; at += 16384) {
		const size_t n = af_get_be32(b + at + 12);

		if (n < 512 || n > HEAD - at)
			continue;
		memset(b + at + 448, 0, 64);
		af_stack_sha256(b + at, n, b + at + 448);
	}
}

static uint32_t lvm_sum(const unsigned char *bytes, size_t n)
{
	return af_stack_crc32(0xedb88320, 0xf597a6cf, bytes, n);
}

static void make_lvm(unsigned char *b)
{
	const size_t at = 4096 + af_get_le32(b + 4096 + 40), n = af_get_le32(b + 4096 + 48);

	if (at < HEAD && n < HEAD - at)
		af_put_le32(b + 4096 + 56, lvm_sum(b + at, n));
	af_put_le32(b + 4096, lvm_sum(b + 4100, 508));
	for (size_t i = 0; i < 2048; i += 512)
		af_put_le32(b + i + 16, lvm_sum(b + i + 20, 492));
}

static void make_md(unsigned char *b)
{
	for (size_t at = 0; at <= 4096; at += 4096) {
		const size_t n = 256 + (size_t)2 * (af_get_le32(b + at + 220) & 1023);
		uint64_t sum = 0;

		af_put_le32(b + at + 216, 0);
		for (size_t i = 0; i < n; i += 2)
			sum += (uint64_t)af_get_le16(b + at + i) << (i % 4 ? 16 : 0);
		sum = (sum & UINT32_MAX) + (sum >> 32);
		af_put_le32(b + at + 216, (uint32_t)(sum & UINT32_MAX));
	}
}

static void make_bcache(unsigned char *b)
{
	const size_t n = 200 + (size_t)8 * (af_get_le16(b + 4096 + 206) & 511);
	const uint64_t sum = af_stack_crc64(b + 4104, n);

	af_put_le32(b + 4096, (uint32_t)(sum & UINT32_MAX));
	af_put_le32(b + 4100, (uint32_t)(sum >> 32));
}

static void make_exfat(unsigned char *b)
{
	const size_t sector = (size_t)1 << (9 + b[108] % 4);
	uint64_t sum = 0;

	for (size_t i = 0; i < 11 * sector; i++)
		if (i != 106 && i != 107 && i != 112)
			sum = ((sum >> 1 | (sum & 1) << 31) + b[i]) & UINT32_MAX;
	af_put_le32(b + 11 * sector, (uint32_t)(sum & UINT32_MAX));
}

static void make_ext(unsigned char *b)
{
	af_put_le32(b + 2044, af_stack_crc32(0x82f63b78, UINT32_MAX, b + 1024, 1020));
}

static void make_xfs(unsigned char *b)
{
	const size_t sector = af_get_be16(b + 102);

	af_put_le32(b + 224, 0);
	af_put_le32(b + 224, ~af_stack_crc32(0x82f63b78, UINT32_MAX, b,
					     sector > 512 ? sector : 512));
}

/* Mutations would hardly ever hit the right ones. */
static void make_good(unsigned char *b, size_t type)
{
	static void (*const make_table[TYPES])(unsigned char *b) = {
		make_luks, make_lvm,   make_md, make_bcache, NULL,     NULL,
		NULL,      make_exfat, NULL,    make_ext,    make_xfs,
	};

	if (make_table[type])
		make_table[type](b);
}

static void judge(const struct partition *p, struct af_content *c)
{
	const struct af_topo topo = { .size = (af_bytes)1 << 40,
				      .sector_size = 512,
				      .physical = 4096 };
	const struct af_rules rules = af_align_rules(&topo, false);
	const struct af_part part = { .id = 1, .span = { START, START + p->size } };
	const struct af_layout l = { .scheme = AF_SCHEME_MBR, .sector_size = 512 };
	const struct af_contents contents = { .item = c, .n = 1 };
	char sentence[480];

	assert(c->fs_size >= 0);
	for (size_t i = 0; i < c->nlayers; i++) {
		const struct af_layer *layer = &c->layer[i];

		assert(layer->what[0] && layer->unit >= 0);
		assert(layer->kind == AF_LAYER_DATA || layer->kind == AF_LAYER_UNKNOWN);
		assert(layer->offset >= 0 && layer->offset < p->size);
		assert(af_align_layer_word(&rules, &part, layer)[0]);
	}
	af_align_sentence(&rules, &contents, &l, &part, sentence, sizeof(sentence));
	assert(sentence[0]);
	(void)af_align_grain(&rules, c);
}

static void look(struct partition *p, const char *type, af_bytes size)
{
	struct af_content c = { .id = 1, .state = AF_CONTENT_FOUND };

	p->size = size;
	(void)snprintf(c.fs, sizeof(c.fs), "%s", type);
	af_stack_read(read_partition, p, (struct af_span){ START, START + size }, 512, &c);
	judge(p, &c);
	af_content_release(&c);
}

/* The texts, which checksums keep away from most bytes. */
static void read_texts(const char *text, size_t n)
{
	struct stack_lvm_group group = { .pv = "pvpvpv0123456789abcdefghijklmnop",
					 .lv = "lvlvlv0123456789abcdefghijklmnop" };
	struct stack_found found = { .n = 0 };

	(void)af_stack_lvm_text(text, n, &group);
	(void)af_stack_luks_segments(text, n, (struct af_span){ 0, 1 << 30 }, &found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct partition p;

	if (n < 3)
		return 0;
	const size_t type = data[0] % TYPES;

	memset(p.bytes, 0, sizeof(p.bytes));
	p.n = n - 2 < HEAD ? n - 2 : HEAD;
	memcpy(p.bytes, data + 2, p.n);
	read_texts((const char *)p.bytes, p.n);
	for (int i = 0; (data[1] & 1) && i < MAKES; i++)
		make_good(p.bytes, type);
	look(&p, type_table[type], (af_bytes)p.n);
	look(&p, type_table[type], 64 * AF_MIB);
	look(&p, type_table[type], (af_bytes)1 << 45);
	return 0;
}
