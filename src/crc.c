/*
 * crc - CRC-32, eight bytes at a time: a GPT's entries are 16 KiB in each copy, and are summed whenever it is read. Table k
 * says what a byte does to the register when k more bytes have gone through it.
 */
#include "afdisk/crc.h"

#include <pthread.h>

enum { AT_ONCE = 8 };

static uint32_t table[AT_ONCE][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill_tables(void)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
		table[0][byte] = crc;
	}
	for (int k = 1; k < AT_ONCE; k++)
		for (uint32_t byte = 0; byte < 256; byte++) {
			const uint32_t crc = table[k - 1][byte];

			table[k][byte] = crc >> 8 ^ table[0][crc & 0xFF];
		}
}

/* The register, over which the first four of eight bytes go. */
static uint32_t eight(uint32_t crc, const unsigned char *p)
{
	return table[7][(crc ^ p[0]) & 0xFF] ^ table[6][(crc >> 8 ^ p[1]) & 0xFF] ^
	       table[5][(crc >> 16 ^ p[2]) & 0xFF] ^ table[4][crc >> 24 ^ p[3]] ^
	       table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
}

uint32_t af_crc32(uint32_t before, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint32_t crc = before;

	pthread_once(&once, fill_tables);
	for (; n >= AT_ONCE; n -= AT_ONCE, p += AT_ONCE)
		crc = eight(crc, p);
	for (; n > 0; n--, p++)
		crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xFF];
	return crc;
}
