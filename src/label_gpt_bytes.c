/*
 * label_gpt_bytes.c - the bytes of a GPT: checksums, GUIDs, names, the protective entry. Knows no disk and no layout.
 */
#include "label_gpt_priv.h"

#include <string.h>

#include "afdisk/crc.h"
#include "chain_bytes.h"

uint32_t af_gpt_crc(const unsigned char *p, size_t n)
{
	return ~af_crc32(~UINT32_C(0), p, n);
}

uint32_t af_gpt_header_crc(const unsigned char *sector, uint32_t size)
{
	static const unsigned char zeros[4];
	uint32_t crc = af_crc32(~UINT32_C(0), sector, AF_GPT_CRC);

	crc = af_crc32(crc, zeros, sizeof zeros);
	return ~af_crc32(crc, sector + AF_GPT_CRC + 4, size - AF_GPT_CRC - 4);
}

void af_gpt_guid(const unsigned char *from, unsigned char *to)
{
	/* Its first three fields are little-endian on the disk, and written the other way round in text. */
	static const unsigned char place_table[16] = { 3, 2, 1,  0,  5,  4,  7,  6,
						       8, 9, 10, 11, 12, 13, 14, 15 };

	for (size_t i = 0; i < 16; i++)
		to[i] = from[place_table[i]];
}

/* Appends one character as UTF-8; returns its bytes. */
static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead_table[5] = { 0, 0, 0xC0, 0xE0, 0xF0 };

	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3F));
	out[0] = (char)(lead_table[n] | c);
	return n;
}

void af_gpt_get_name(const unsigned char *entry, char out[AF_NAME_MAX])
{
	size_t len = 0;

	for (size_t i = 0; i < AF_GPT_E_UNITS; i++) {
		const unsigned char *p = entry + AF_GPT_E_NAME + 2 * i;
		uint32_t c = (uint32_t)p[0] | (uint32_t)p[1] << 8;
		uint32_t low =
			i + 1 < AF_GPT_E_UNITS ? (uint32_t)p[2] | (uint32_t)p[3] << 8 : 0;

		if (c == 0)
			break;
		if (c >= 0xD800 && c < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
			c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
			i++;
		} else if (c >= 0xD800 && c < 0xE000) {
			c = 0xFFFD;
		}
		len += put_utf8(out + len, c);
	}
	out[len] = '\0';
}

/* The next character of valid UTF-8 text, moving *p on; 0 at the end or at rubbish. */
static uint32_t next_char(const char **p)
{
	const unsigned char *s = (const unsigned char *)*p;
	size_t more = s[0] < 0x80 ? 0 : s[0] < 0xE0 ? 1 : s[0] < 0xF0 ? 2 : 3;
	uint32_t c = more ? s[0] & (0x3FU >> more) : s[0];

	for (size_t i = 1; i <= more; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3F);
	}
	*p += more + 1;
	return c;
}

static void put_unit(unsigned char *out, uint32_t unit)
{
	out[0] = (unsigned char)(unit & 0xFF);
	out[1] = (unsigned char)(unit >> 8 & 0xFF);
}

bool af_gpt_put_name(const char *name, unsigned char *entry)
{
	unsigned char *out = entry + AF_GPT_E_NAME;
	size_t n = 0;

	memset(out, 0, 2 * (size_t)AF_GPT_E_UNITS);
	while (*name) {
		uint32_t c = next_char(&name);
		size_t units = c >= 0x10000 ? 2 : 1;

		if (c == 0 || n + units > AF_GPT_E_UNITS)
			return false;
		if (units == 2) {
			put_unit(out + 2 * n++, 0xD800 + ((c - 0x10000) >> 10));
			c = 0xDC00 + ((c - 0x10000) & 0x3FF);
		}
		put_unit(out + 2 * n++, c);
	}
	return true;
}

size_t af_gpt_protective(const unsigned char *sector)
{
	size_t found = 4;

	for (size_t i = 0; i < 4; i++) {
		struct af_mbr_entry e = af_chain_entry(sector, i);

		if (e.count != 0 && (e.type != 0xEE || e.start != 1 || found != 4))
			return 4;
		if (e.count != 0)
			found = i;
	}
	return found;
}

uint32_t af_gpt_protected(const struct af_sheet *s)
{
	int64_t sectors = af_sectors(s->disk_size, s->sector_size) - 1;

	return sectors < UINT32_MAX ? (uint32_t)sectors : UINT32_MAX;
}
