/** chain_bytes.h - numbers in sectors, for the rooms that read and write tables. */
#ifndef AFDISK_CHAIN_BYTES_H
#define AFDISK_CHAIN_BYTES_H
#include <stdint.h>

/** The number in two bytes at p, least significant first. */
static inline uint32_t af_get_le16(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

/** The number in two bytes at p, most significant first. */
static inline uint32_t af_get_be16(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | (uint32_t)p[1];
}

/** The number in four bytes at p, most significant first. */
static inline uint32_t af_get_be32(const unsigned char *p)
{
	return af_get_be16(p) << 16 | af_get_be16(p + 2);
}

/** The number in eight bytes at p, most significant first. */
static inline uint64_t af_get_be64(const unsigned char *p)
{
	return (uint64_t)af_get_be32(p) << 32 | af_get_be32(p + 4);
}

/** The number in four bytes at p, least significant first. */
static inline uint32_t af_get_le32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

/** The number in eight bytes at p. */
static inline uint64_t af_get_le64(const unsigned char *p)
{
	return af_get_le32(p) | (uint64_t)af_get_le32(p + 4) << 32;
}

/** Writes four bytes at p. */
static inline void af_put_le32(unsigned char *p, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (unsigned char)(value >> (8 * i));
}
#endif
