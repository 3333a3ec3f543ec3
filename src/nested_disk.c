/*
 * nested_disk.c - the labels that Sun's (SPARC) and SGI's machines write on a whole disk: big-endian, in its first 512
 * bytes. Sun's counts starts in cylinders, so that what they are aligned to hangs on its heads and sectors a track;
 * SGI's in blocks of 512 bytes.
 */
#include "nested_priv.h"

#include <stdio.h>

#include "chain_bytes.h"

enum {
	SUN_VTOC_VERSION_AT = 128,
	SUN_COUNT_AT = 140,
	SUN_INFO_AT = 142, /* tag and flags of each entry */
	SUN_SANITY_AT = 188,
	SUN_HEADS_AT = 436,
	SUN_TRACK_AT = 438,
	SUN_ENTRIES_AT = 444,
	SUN_MAGIC_AT = 508,
	SUN_MAGIC = 0xDABE,
	SUN_ENTRIES = 8,
	SUN_WHOLE = 5,
	SUN_RAW = 2, /* c, where there is no VTOC */

	SGI_MAGIC = 0x0BE5A941,
	SGI_ENTRIES_AT = 312,
	SGI_ENTRY = 12,
	SGI_ENTRIES = 16,
	SGI_HEADER = 0,
	SGI_VOLUME = 6,

	BLOCK = 512,
};

static const uint32_t sun_sanity = 0x600DDEEE;

static bool disbelieve(struct af_nested *out)
{
	(void)snprintf(out->remark, sizeof(out->remark),
		       "its checksum is wrong, and it is not believed");
	return true;
}

static bool sun_adds_up(const unsigned char *label)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < BLOCK; i += 2)
		sum ^= af_get_be16(label + i);
	return sum == 0;
}

/* Labels from before the VTOC have zeros there: types are unknown then, and c is the whole disk. */
static bool sun_has_vtoc(const unsigned char *label)
{
	return af_get_be32(label + SUN_SANITY_AT) == sun_sanity &&
	       af_get_be32(label + SUN_VTOC_VERSION_AT) == 1 &&
	       af_get_be16(label + SUN_COUNT_AT) <= SUN_ENTRIES;
}

bool af_nested_sun(const struct af_nested_place *p, struct af_nested *out)
{
	unsigned char label[BLOCK];
	if (!af_nested_bytes(p, 0, label, BLOCK) ||
	    af_get_be16(label + SUN_MAGIC_AT) != SUN_MAGIC)
		return false;
	if (!sun_adds_up(label))
		return disbelieve(out);
	const bool vtoc = sun_has_vtoc(label);
	const uint32_t count = vtoc ? af_get_be16(label + SUN_COUNT_AT) : SUN_ENTRIES;
	const af_bytes cylinder = (af_bytes)af_get_be16(label + SUN_HEADS_AT) *
				  af_get_be16(label + SUN_TRACK_AT);
	for (uint32_t i = 0; i < count; i++) {
		const unsigned char *at = label + SUN_ENTRIES_AT + (size_t)i * 8;
		unsigned tag = vtoc ? af_get_be16(label + SUN_INFO_AT + (size_t)i * 4) : 0;
		bool whole = vtoc ? tag == SUN_WHOLE : i == SUN_RAW;
		af_bytes start, blocks = af_get_be32(at + 4);
		struct af_layer like = { .kind = whole ? AF_LAYER_FRAME : AF_LAYER_NESTED,
					 .number = i + 1,
					 .type = (uint8_t)(tag & 0xff) };
		if (blocks == 0 || !af_mul(af_get_be32(at), cylinder, &start))
			continue;
		(void)snprintf(like.name, sizeof(like.name), "%c", 'a' + (int)i);
		af_nested_add(out, p, &like, (struct af_span){ start, start + blocks },
			      BLOCK, 0);
	}
	return true;
}

static bool sgi_adds_up(const unsigned char *label)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < BLOCK; i += 4)
		sum += af_get_be32(label + i);
	return (sum & UINT32_MAX) == 0;
}

bool af_nested_sgi(const struct af_nested_place *p, struct af_nested *out)
{
	unsigned char label[BLOCK];
	if (!af_nested_bytes(p, 0, label, BLOCK) || af_get_be32(label) != SGI_MAGIC)
		return false;
	if (!sgi_adds_up(label))
		return disbelieve(out);
	for (uint32_t i = 0; i < SGI_ENTRIES; i++) {
		const unsigned char *at = label + SGI_ENTRIES_AT + (size_t)i * SGI_ENTRY;
		af_bytes blocks = af_get_be32(at), start = af_get_be32(at + 4);
		uint32_t type = af_get_be32(at + 8);
		bool frame = type == SGI_HEADER || type == SGI_VOLUME;
		struct af_layer like = { .kind = frame ? AF_LAYER_FRAME : AF_LAYER_NESTED,
					 .number = i + 1,
					 .type = (uint8_t)(type & 0xff) };
		if (blocks == 0)
			continue;
		(void)snprintf(like.name, sizeof(like.name), "%u", (unsigned)i + 1);
		af_nested_add(out, p, &like, (struct af_span){ start, start + blocks },
			      BLOCK, 0);
	}
	return true;
}
