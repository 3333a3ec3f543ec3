/*
 * nested_solaris.c - the VTOC of Solaris on a PC: little-endian, at sector 1 of its partition, every start counted from
 * the start of the partition. A slice with the tag "backup" is the whole, one with "boot" or "alternates" holds what
 * the label needs itself: neither is data.
 */
#include "nested_priv.h"

#include <stdio.h>

#include "chain_bytes.h"

enum {
	SANITY_AT = 12,
	VERSION_AT = 16,
	SECTOR_AT = 28,
	COUNT_AT = 30,
	SLICES_AT = 72,
	SLICE = 12,
	SLICES_MAX = 16,
	MAGIC_AT = 508, /* of the sector: not every system writes it */
	DKL_MAGIC = 0xDABE,
	TAG_BOOT = 1,
	TAG_BACKUP = 5,
	TAG_ALTERNATES = 9,
};

static const uint32_t sanity = 0x600DDEEE;

static const char *tag_name(unsigned tag)
{
	static const char *const name_table[] = {
		"unassigned", "boot", "root", "swap",       "usr",   "backup",
		"stand",      "var",  "home", "alternates", "cache", "reserved",
	};
	return tag < sizeof(name_table) / sizeof(name_table[0]) ? name_table[tag]
								: "Unknown";
}

static bool find(const struct af_nested_place *p, unsigned char *sector)
{
	const af_bytes place[2] = { 512, p->sector_size };
	for (size_t i = 0; i < (p->sector_size > 512 ? 2 : 1); i++)
		if (af_nested_bytes(p, place[i], sector, 512) &&
		    af_get_le32(sector + SANITY_AT) == sanity &&
		    af_get_le32(sector + VERSION_AT) == 1)
			return true;
	return false;
}

/* All 16-bit words of a label with a magic number, its checksum among them, give 0. */
static bool adds_up(const unsigned char *sector)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < 512; i += 2)
		sum ^= af_get_le16(sector + i);
	return sum == 0 || af_get_le16(sector + MAGIC_AT) != DKL_MAGIC;
}

static void add_slice(const struct af_nested_place *p, const unsigned char *at,
		      uint32_t number, af_bytes unit, struct af_nested *out)
{
	unsigned tag = af_get_le16(at);
	af_bytes start = af_get_le32(at + 4), count = af_get_le32(at + 8);
	bool frame = tag == TAG_BOOT || tag == TAG_BACKUP || tag == TAG_ALTERNATES;
	struct af_layer like = { .kind = frame ? AF_LAYER_FRAME : AF_LAYER_NESTED,
				 .number = number,
				 .type = (uint8_t)(tag & 0xff) };
	if (count == 0)
		return;
	(void)snprintf(like.name, sizeof(like.name), "s%u", (unsigned)number - 1);
	(void)snprintf(like.type_name, sizeof(like.type_name), "%s", tag_name(tag));
	af_nested_add(out, p, &like, (struct af_span){ start, start + count }, unit, 0);
}

bool af_nested_solaris(const struct af_nested_place *p, struct af_nested *out)
{
	unsigned char sector[512];
	if (!find(p, sector))
		return false;
	if (!adds_up(sector)) {
		(void)snprintf(out->remark, sizeof(out->remark),
			       "its VTOC has a wrong checksum and is not believed");
		return true;
	}
	unsigned count = af_get_le16(sector + COUNT_AT);
	af_bytes unit = af_get_le16(sector + SECTOR_AT);
	if (unit < 512 || unit > 4096 || (unit & (unit - 1)) != 0)
		unit = 512;
	if (count > SLICES_MAX) {
		(void)snprintf(out->remark, sizeof(out->remark),
			       "its VTOC counts %u slices: the first %d are shown", count,
			       SLICES_MAX);
		count = SLICES_MAX;
	}
	for (uint32_t i = 0; i < count; i++)
		add_slice(p, sector + SLICES_AT + (size_t)i * SLICE, i + 1, unit, out);
	return true;
}
