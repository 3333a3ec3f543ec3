/*
 * The checksum against its published check value, the definition bit by bit, and itself in two parts at any place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/crc.h"

#define SIZE 67

static unsigned char bytes[SIZE];

static uint32_t bit_by_bit(uint32_t crc, const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n * 8; i++) {
		const uint32_t byte = p[i / 8], bit = (crc ^ byte >> i % 8) & 1;

		crc = crc >> 1 ^ (bit ? 0xEDB88320 : 0);
	}
	return crc;
}

static void test_crc__has_the_check_value(void **state)
{
	(void)state;
	assert_int_equal(~af_crc32(UINT32_MAX, "123456789", 9), 0xCBF43926);
	assert_int_equal(af_crc32(0x12345678, "", 0), 0x12345678);
}

static void test_crc__agrees_with_the_definition_at_every_length_and_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)(i * 151 + 7);
	for (size_t from = 0; from < SIZE; from++)
		for (size_t n = 0; from + n <= SIZE; n++)
			assert_int_equal(af_crc32((uint32_t)n, bytes + from, n),
					 bit_by_bit((uint32_t)n, bytes + from, n));
}

static void test_crc__of_parts_is_that_of_the_whole(void **state)
{
	(void)state;
	for (size_t at = 0; at <= SIZE; at++)
		assert_int_equal(
			af_crc32(af_crc32(UINT32_MAX, bytes, at), bytes + at, SIZE - at),
			af_crc32(UINT32_MAX, bytes, SIZE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crc__has_the_check_value),
		cmocka_unit_test(
			test_crc__agrees_with_the_definition_at_every_length_and_place),
		cmocka_unit_test(test_crc__of_parts_is_that_of_the_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
