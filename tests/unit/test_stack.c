/* Where data begins in containers: bytes written by hand, layers out. */
#include "stack_bench.h"

#include "stacks.h"

#define SIZE (32 * AF_MIB)

static struct bench b;

static int setup(void **state)
{
	(void)state;
	bench_open(&b, SIZE);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	bench_close(&b);
	return 0;
}

static void test_stack__luks1_tells_its_payload(void **state)
{
	(void)state;
	stacks_luks1(&b.m, BENCH_START, 4096);
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "LUKS1 2097152/0");
	stacks_luks1(&b.m, BENCH_START, 4041);
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "LUKS1 2068992/0");
}

static void test_stack__a_payload_that_cannot_be_is_unknown(void **state)
{
	static const uint32_t payload_table[] = { 0, 1, SIZE / 512, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		stacks_luks1(&b.m, BENCH_START, payload_table[i]);
		assert_string_equal(bench_look(&b, "crypto_LUKS"), "crypto_LUKS ?");
	}
	stacks_luks1(&b.m, BENCH_START, SIZE / 512 - 1);
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "LUKS1 33553920/0");
}

static void test_stack__what_no_reader_knows_has_no_layer(void **state)
{
	(void)state;
	stacks_luks1(&b.m, BENCH_START, 4096);
	assert_string_equal(bench_look(&b, "minix"), "");
	assert_null(b.content.layer);
	assert_int_equal(b.m.dev.reads, 0);
}

static void test_stack__a_header_is_read_at_once(void **state)
{
	(void)state;
	stacks_luks1(&b.m, BENCH_START, 4096);
	(void)bench_look(&b, "crypto_LUKS");
	assert_int_equal(b.m.dev.reads, 1);
}

static void test_stack__what_cannot_be_read_is_unknown(void **state)
{
	(void)state;
	stacks_luks1(&b.m, BENCH_START, 4096);
	b.m.fail_read = 1;
	b.m.fail_on = true;
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "crypto_LUKS ?");
	b.m.fail_read = b.m.reads + 1; /* the header alone can be read */
	b.m.fail_on = false;
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "LUKS1 2097152/0");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_stack__luks1_tells_its_payload),
		CASE(test_stack__a_payload_that_cannot_be_is_unknown),
		CASE(test_stack__what_no_reader_knows_has_no_layer),
		CASE(test_stack__a_header_is_read_at_once),
		CASE(test_stack__what_cannot_be_read_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
