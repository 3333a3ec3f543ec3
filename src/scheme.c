/*
 * What an MBR and a GPT allow: how many partitions, where they may lie, and how their types
 * and identities are written. No table is read or written here; the names of types come
 * from outside.
 */
#include "afdisk/scheme.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define GPT_ENTRIES 128
#define GPT_ARRAY   INT64_C(16384)      /* bytes of 128 entries */
#define MBR_SECTORS INT64_C(0xffffffff) /* the last one of 32 bits is left alone */

const char *af_scheme_name(enum af_scheme s)
{
	switch (s) {
	case AF_SCHEME_NONE:
		return "none";
	case AF_SCHEME_MBR:
		return "dos";
	case AF_SCHEME_GPT:
		return "gpt";
	case AF_SCHEME_SUN:
		return "sun";
	case AF_SCHEME_SGI:
		return "sgi";
	case AF_SCHEME_BSD:
		return "bsd";
	}
	return "none";
}

bool af_scheme_is_ours(enum af_scheme s)
{
	return s == AF_SCHEME_MBR || s == AF_SCHEME_GPT;
}

bool af_scheme_parse(const char *word, enum af_scheme *out)
{
	static const struct {
		const char *word;
		enum af_scheme scheme;
	} word_table[] = {
		{ "gpt", AF_SCHEME_GPT },
		{ "dos", AF_SCHEME_MBR },
		{ "mbr", AF_SCHEME_MBR },
		{ "msdos", AF_SCHEME_MBR },
	};
	for (size_t i = 0; i < sizeof(word_table) / sizeof(word_table[0]); i++)
		if (strcasecmp(word, word_table[i].word) == 0) {
			*out = word_table[i].scheme;
			return true;
		}
	return false;
}

static struct af_span usable_sectors(enum af_scheme s, int64_t sectors, int64_t sector_size)
{
	int64_t entries = (GPT_ARRAY + sector_size - 1) / sector_size;
	switch (s) {
	case AF_SCHEME_MBR:
		return (struct af_span){ 1, sectors < MBR_SECTORS ? sectors : MBR_SECTORS };
	case AF_SCHEME_GPT:
		return (struct af_span){ 2 + entries, sectors - 1 - entries };
	case AF_SCHEME_NONE:
	case AF_SCHEME_SUN:
	case AF_SCHEME_SGI:
	case AF_SCHEME_BSD:
		break;
	}
	return (struct af_span){ 0, 0 };
}

struct af_span af_scheme_usable(enum af_scheme s, af_bytes disk_size, uint32_t sector_size)
{
	struct af_span span =
		usable_sectors(s, af_sectors(disk_size, sector_size), sector_size);
	if (span.start >= span.end)
		return (struct af_span){ 0, 0 };
	/* Both lie on the disk, whose size fits in af_bytes: so do the products. */
	return (struct af_span){ span.start * sector_size, span.end * sector_size };
}

uint32_t af_scheme_slots(enum af_scheme s)
{
	switch (s) {
	case AF_SCHEME_MBR:
		return 4;
	case AF_SCHEME_GPT:
		return GPT_ENTRIES;
	case AF_SCHEME_NONE:
	case AF_SCHEME_SUN:
	case AF_SCHEME_SGI:
	case AF_SCHEME_BSD:
		break;
	}
	return 0;
}

bool af_scheme_is_extended_code(uint8_t code)
{
	return code == 0x05 || code == 0x0f || code == 0x85;
}

bool af_scheme_is_esp(enum af_scheme s, const uint8_t type[16])
{
	return af_scheme_purpose(s, type) == AF_PURPOSE_ESP;
}

bool af_scheme_is_ldm(enum af_scheme s, const uint8_t type[16])
{
	static const uint8_t guid_table[2][16] = {
		/* metadata, data */
		{ 0x58, 0x08, 0xC8, 0xAA, 0x7E, 0x8F, 0x42, 0xE0, 0x85, 0xD2, 0xE1, 0xE9,
		  0x04, 0x34, 0xCF, 0xB3 },
		{ 0xAF, 0x9B, 0x60, 0xA0, 0x14, 0x31, 0x4F, 0x62, 0xBC, 0x68, 0x33, 0x11,
		  0x71, 0x4A, 0x69, 0xAD },
	};

	if (s == AF_SCHEME_MBR)
		return type[0] == 0x42;
	return s == AF_SCHEME_GPT && (memcmp(type, guid_table[0], 16) == 0 ||
				      memcmp(type, guid_table[1], 16) == 0);
}

void af_scheme_type_text(enum af_scheme s, const uint8_t type[16], char buf[40])
{
	switch (s) {
	case AF_SCHEME_MBR:
	case AF_SCHEME_SUN:
	case AF_SCHEME_SGI:
	case AF_SCHEME_BSD:
		(void)snprintf(buf, 40, "%x", (unsigned)type[0]);
		return;
	case AF_SCHEME_GPT:
		af_scheme_uuid_text(type, buf);
		return;
	case AF_SCHEME_NONE:
		break;
	}
	buf[0] = '\0';
}

void af_scheme_uuid_text(const uint8_t uuid[16], char buf[40])
{
	static const char digits[] = "0123456789ABCDEF";
	char *p = buf;
	for (size_t i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*p++ = '-';
		*p++ = digits[uuid[i] >> 4];
		*p++ = digits[uuid[i] & 15];
	}
	*p = '\0';
}

void af_scheme_id_text(enum af_scheme s, const uint8_t id[16], char buf[40])
{
	switch (s) {
	case AF_SCHEME_MBR:
		(void)snprintf(buf, 40, "0x%02x%02x%02x%02x", (unsigned)id[0],
			       (unsigned)id[1], (unsigned)id[2], (unsigned)id[3]);
		return;
	case AF_SCHEME_GPT:
		af_scheme_uuid_text(id, buf);
		return;
	case AF_SCHEME_NONE:
	case AF_SCHEME_SUN:
	case AF_SCHEME_SGI:
	case AF_SCHEME_BSD:
		break;
	}
	buf[0] = '\0';
}

const char *af_scheme_type_name(const struct af_types *list, const uint8_t type[16])
{
	for (size_t i = 0; i < list->n; i++)
		if (memcmp(list->type[i].id, type, sizeof(list->type[i].id)) == 0)
			return list->type[i].name;
	return "Unknown";
}
