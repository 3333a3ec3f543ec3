/**
 * stacks.h - containers as bytes, written by hand from their descriptions with none of afdisk's code: for those that only
 * a kernel or root can make. Numbers stand in them as given, sense or nonsense; checksums are right.
 */
#ifndef TESTS_STACKS_H
#define TESTS_STACKS_H
#include "memdev.h"

/** A LUKS1 header at byte at of the disk, its payload in units of 512 bytes. */
void stacks_luks1(struct memdev *m, af_bytes at, uint32_t payload);
#endif
