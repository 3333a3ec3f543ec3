/*
 * nested_bsd.c - the BSD disklabel, as FreeBSD, NetBSD and OpenBSD write it on a PC: little-endian, at sector 1 of the
 * slice. What they do not agree about is what p_offset counts from: FreeBSD's kernel takes the slice plus the
 * distance to entry c, which holds for labels with offsets from the disk's start (c begins at the slice) and from the
 * slice's (c begins at 0); NetBSD's and OpenBSD's always count from the disk's start. OpenBSD's labels of version 1
 * keep the upper 16 bits of both numbers, and the size of a fragment, where others have p_fsize.
 */
#include "nested_priv.h"

#include <stdio.h>

#include "chain_bytes.h"

static const uint32_t magic = 0x82564557;

enum {
	MAGIC2_AT = 132,
	SECSIZE_AT = 40,
	VERSION_AT = 114, /* OpenBSD */
	COUNT_AT = 138,
	ENTRIES_AT = 148,
	ENTRY = 16,
	RAW = 2,            /* c */
	USUAL_ENTRIES = 16, /* as many as any reader takes */
	LABEL_MAX = ENTRIES_AT + AF_NESTED_MAX * ENTRY,
	FS_UNUSED = 0,
	FS_BSDFFS = 7,
};

/* A label as it was found. */
struct bsd {
	unsigned char bytes[LABEL_MAX];
	size_t count;  /* entries to look at */
	af_bytes unit; /* bytes that p_size and p_offset count */
	bool wide;     /* OpenBSD, version 1 */
};

struct bsd_entry {
	uint64_t size, offset;
	uint8_t type;
	af_bytes fragment; /* 0: unknown */
};

static bool is_label(const unsigned char *label)
{
	return af_get_le32(label) == magic && af_get_le32(label + MAGIC2_AT) == magic;
}

/* All 16-bit words of a good label, its checksum among them, give 0. */
static bool adds_up(const unsigned char *label, size_t count)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < ENTRIES_AT + count * ENTRY; i += 2)
		sum ^= af_get_le16(label + i);
	return sum == 0;
}

/* Finds a label and reads it whole; false if there is none. */
static bool find(const struct af_nested_place *p, struct bsd *b)
{
	const af_bytes place[2] = { 512, p->sector_size };
	for (size_t i = 0; i < (p->sector_size > 512 ? 2 : 1); i++) {
		if (!af_nested_bytes(p, place[i], b->bytes, 512) || !is_label(b->bytes))
			continue;
		b->count = af_get_le16(b->bytes + COUNT_AT);
		size_t most = b->count <= AF_NESTED_MAX ? b->count : USUAL_ENTRIES;
		return af_nested_bytes(p, place[i], b->bytes, ENTRIES_AT + most * ENTRY);
	}
	return false;
}

/* The unit of its numbers; 0 if it makes no sense. */
static af_bytes unit_of(const unsigned char *label)
{
	uint32_t size = af_get_le32(label + SECSIZE_AT);
	bool sane = size >= 512 && size <= 4096 && (size & (size - 1)) == 0;
	return sane ? size : 0;
}

/* OpenBSD: block and fragment as two exponents in one byte; 0 is a file system without. */
static af_bytes fragment_of(const struct bsd *b, const unsigned char *entry)
{
	af_bytes size = af_get_le32(entry + 8);
	if (b->wide && entry[13] == 0)
		return 0;
	if (b->wide) {
		unsigned block = (unsigned)entry[13] >> 3, per_block = entry[13] & 7;
		size = per_block ? (AF_KIB * 4 << block) >> (per_block - 1) : 0;
	}
	bool sane = size >= 512 && size <= AF_MIB && (size & (size - 1)) == 0;
	return entry[12] == FS_BSDFFS && sane ? size : 0;
}

static struct bsd_entry entry_of(const struct bsd *b, size_t i)
{
	const unsigned char *at = b->bytes + ENTRIES_AT + i * ENTRY;
	struct bsd_entry e = { .size = af_get_le32(at),
			       .offset = af_get_le32(at + 4),
			       .type = at[12],
			       .fragment = fragment_of(b, at) };
	if (b->wide) {
		e.offset |= (uint64_t)af_get_le16(at + 8) << 32;
		e.size |= (uint64_t)af_get_le16(at + 10) << 32;
	}
	return e;
}

/* True if the entry is the one that names the whole slice or disk: c, on NetBSD d as well. One with a type and no
 * others beside it is a partition all the same. */
static bool is_frame(const struct bsd *b, enum af_nested_kind kind, size_t i)
{
	if (i != RAW && (kind != AF_NESTED_NETBSD || i != RAW + 1))
		return false;
	if (entry_of(b, i).type == FS_UNUSED)
		return true;
	for (size_t k = 0; k < b->count; k++)
		if (k != i && entry_of(b, k).size > 0 && entry_of(b, k).type != FS_UNUSED)
			return true;
	return false;
}

static const char *type_name(enum af_nested_kind kind, uint8_t type)
{
	static const char *const name_table[] = {
		"unused",         "swap",   "Version 6", "Version 7", "System V", "4.1BSD",
		"Eighth Edition", "4.2BSD", "MSDOS",     "4.4LFS",    "unknown",  "HPFS",
		"ISO9660",        "boot",   "ADOS",      "HFS",       "ADFS",     "ext2fs",
		"NTFS",           "RAID",   "ccd",
	};
	const bool freebsd = kind == AF_NESTED_FREEBSD, openbsd = kind == AF_NESTED_OPENBSD;
	if (freebsd && type == 14)
		return "vinum";
	if (freebsd && type == 15)
		return "RAID";
	if (freebsd && type == 27)
		return "ZFS";
	if (openbsd && type == 18)
		return "ccd";
	if (openbsd && type == 20)
		return "NTFS";
	return type < sizeof(name_table) / sizeof(name_table[0]) ? name_table[type]
								 : "Unknown";
}

static void add_entry(const struct af_nested_place *p, const struct bsd *b, size_t i,
		      struct af_nested *out)
{
	struct bsd_entry e = entry_of(b, i);
	struct af_layer like = { .kind = is_frame(b, out->kind, i) ? AF_LAYER_FRAME
								   : AF_LAYER_NESTED,
				 .number = (uint32_t)i + 1,
				 .type = e.type,
				 .unit = e.fragment };
	struct af_span units = { (af_bytes)e.offset, (af_bytes)(e.offset + e.size) };
	af_bytes origin = -p->span.start;
	if (e.size == 0)
		return;
	if (out->kind == AF_NESTED_FREEBSD)
		origin = -(af_bytes)entry_of(b, RAW).offset * b->unit;
	(void)snprintf(like.name, sizeof(like.name), "%c",
		       i < 26 ? 'a' + (int)i : 'A' + (int)i - 26);
	(void)snprintf(like.type_name, sizeof(like.type_name), "%s",
		       type_name(out->kind, e.type));
	af_nested_add(out, p, &like, units, b->unit, origin);
}

/* Makes b->count what is to be looked at; false, with a remark, if the label is not to be believed. */
static bool believe(struct bsd *b, struct af_nested *out)
{
	if (b->count > AF_NESTED_MAX) {
		(void)snprintf(
			out->remark, sizeof(out->remark),
			"its disklabel counts %zu partitions: the first %d are shown",
			b->count, USUAL_ENTRIES);
		b->count = USUAL_ENTRIES;
	} else if (!adds_up(b->bytes, b->count)) {
		(void)snprintf(out->remark, sizeof(out->remark),
			       "its disklabel has a wrong checksum and is not believed");
		return false;
	}
	if (b->unit == 0) {
		(void)snprintf(out->remark, sizeof(out->remark),
			       "its disklabel counts in sectors of %u bytes, which makes "
			       "no sense",
			       (unsigned)af_get_le32(b->bytes + SECSIZE_AT));
		return false;
	}
	return true;
}

bool af_nested_bsd(const struct af_nested_place *p, struct af_nested *out)
{
	struct bsd b = { .count = 0 };
	if (!find(p, &b))
		return false;
	b.unit = unit_of(b.bytes);
	b.wide = out->kind == AF_NESTED_OPENBSD && af_get_le16(b.bytes + VERSION_AT) >= 1;
	if (!believe(&b, out))
		return true;
	for (size_t i = 0; i < b.count; i++)
		add_entry(p, &b, i, out);
	return true;
}
