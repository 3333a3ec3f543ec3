/** crc.h - the checksum of GPT headers and of backup files. */
#ifndef AFDISK_CRC_H
#define AFDISK_CRC_H
#include <stddef.h>
#include <stdint.h>

/** The register of CRC-32 (polynomial 0x04C11DB7, lowest bit first: ISO 3309, gzip) after n more bytes. The checksum of
 *  bytes is ~af_crc32(~0, bytes, n); of bytes in two parts, the first call's outcome begins the second. */
uint32_t af_crc32(uint32_t before, const void *bytes, size_t n);
#endif
