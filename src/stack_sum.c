/*
 * stack_sum.c - CRC-32C (Castagnoli, reflected, polynomial 82f63b78), with which ext4, XFS and btrfs guard their superblocks. Four
 * bits a step: a superblock is short, and a table of 16 numbers can be checked by eye.
 */
#include "stack_fs.h"

uint32_t af_stack_crc32c(uint32_t crc, const unsigned char *bytes, size_t n)
{
	static const uint32_t step_table[16] = {
		0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
		0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
		0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
	};
	for (size_t i = 0; i < n; i++) {
		crc ^= bytes[i];
		crc = crc >> 4 ^ step_table[crc & 15];
		crc = crc >> 4 ^ step_table[crc & 15];
	}
	return crc;
}
