/** fuzz.h - what a harness is: one function over bytes that nobody vouches for. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H
#include <stddef.h>
#include <stdint.h>

/** Feeds n bytes to what the harness is about; a crash, a hang or a failed check is the result. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
#endif
