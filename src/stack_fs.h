/** stack_fs.h - what the readers of file systems share. */
#ifndef AFDISK_STACK_FS_H
#define AFDISK_STACK_FS_H
#include "stack_priv.h"

/** True if n is a power of two from low to high. */
bool af_stack_is_power(uint64_t n, uint64_t low, uint64_t high);

/** af_stack_add(), if offset lies in the window; else false. */
bool af_stack_add_inside(const struct stack_window *w, struct stack_found *out,
			 const char *what, af_bytes offset, af_bytes unit);

/** The polynomial of CRC-32C, with which file systems guard their superblocks, for af_stack_crc32(). */
#define STACK_CRC32C UINT32_C(0x82f63b78)

/** Makes count units of unit bytes the size of the file system; unknown if that is no number of bytes. */
void af_stack_size(struct stack_found *out, uint64_t count, af_bytes unit);
#endif
