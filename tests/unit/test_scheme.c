/* What an MBR and a GPT allow. */
#include "afdisk/scheme.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

static const uint8_t linux_guid[16] = { 0x0f, 0xc6, 0x3d, 0xaf, 0x84, 0x83, 0x47, 0x72,
					0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4 };
#define LINUX_GUID "0FC63DAF-8483-4772-8E79-3D69D8477DE4"

static void test_scheme__names_are_those_of_sfdisk(void **state)
{
	(void)state;
	assert_string_equal(af_scheme_name(AF_SCHEME_NONE), "none");
	assert_string_equal(af_scheme_name(AF_SCHEME_SUN), "sun");
	assert_string_equal(af_scheme_name(AF_SCHEME_SGI), "sgi");
	assert_string_equal(af_scheme_name(AF_SCHEME_BSD), "bsd");
	assert_true(af_scheme_is_ours(AF_SCHEME_MBR) && af_scheme_is_ours(AF_SCHEME_GPT));
	assert_false(af_scheme_is_ours(AF_SCHEME_NONE) || af_scheme_is_ours(AF_SCHEME_SUN));
	assert_string_equal(af_scheme_name(AF_SCHEME_MBR), "dos");
	assert_string_equal(af_scheme_name(AF_SCHEME_GPT), "gpt");
}

static void test_scheme__parse_takes_the_usual_words(void **state)
{
	(void)state;
	enum af_scheme s = AF_SCHEME_NONE;
	assert_true(af_scheme_parse("gpt", &s));
	assert_int_equal(s, AF_SCHEME_GPT);
	static const char *const dos[] = { "dos", "DOS", "mbr", "MsDos" };
	for (size_t i = 0; i < 4; i++) {
		s = AF_SCHEME_NONE;
		assert_true(af_scheme_parse(dos[i], &s));
		assert_int_equal(s, AF_SCHEME_MBR);
	}
	static const char *const no[] = { "", "none", "bsd", "gptx", "gp" };
	for (size_t i = 0; i < 5; i++) {
		s = AF_SCHEME_GPT;
		assert_false(af_scheme_parse(no[i], &s));
		assert_int_equal(s, AF_SCHEME_GPT);
	}
}

static void check_usable(enum af_scheme s, int64_t sectors, uint32_t size, int64_t first,
			 int64_t end)
{
	struct af_span span = af_scheme_usable(s, sectors * size, size);
	assert_int_equal(span.start, first * size);
	assert_int_equal(span.end, end * size);
}

static void test_scheme__usable_space_is_what_the_table_leaves(void **state)
{
	(void)state;
	check_usable(AF_SCHEME_MBR, 1953525168, 512, 1, 1953525168);
	check_usable(AF_SCHEME_MBR, INT64_C(1) << 33, 512, 1, 0xffffffff);
	check_usable(AF_SCHEME_MBR, INT64_C(1) << 33, 4096, 1, 0xffffffff);
	check_usable(AF_SCHEME_GPT, 1953525168, 512, 34, 1953525135);
	check_usable(AF_SCHEME_GPT, 100000, 1024, 18, 99983);
	check_usable(AF_SCHEME_GPT, 100000, 2048, 10, 99991);
	check_usable(AF_SCHEME_GPT, 100000, 4096, 6, 99995);
	check_usable(AF_SCHEME_NONE, 1953525168, 512, 0, 0);
}

static void test_scheme__usable_space_is_empty_on_a_disk_too_small(void **state)
{
	(void)state;
	check_usable(AF_SCHEME_MBR, 0, 512, 0, 0);
	check_usable(AF_SCHEME_MBR, 1, 512, 0, 0);
	check_usable(AF_SCHEME_MBR, 2, 512, 1, 2);
	check_usable(AF_SCHEME_GPT, 1, 512, 0, 0);
	check_usable(AF_SCHEME_GPT, 67, 512, 0, 0);
	check_usable(AF_SCHEME_GPT, 68, 512, 34, 35);
	check_usable(AF_SCHEME_GPT, 11, 4096, 0, 0);
	check_usable(AF_SCHEME_GPT, 12, 4096, 6, 7);
}

static void test_scheme__half_a_sector_at_the_end_is_not_usable(void **state)
{
	(void)state;
	struct af_span span = af_scheme_usable(AF_SCHEME_MBR, 1000 * 512 + 511, 512);
	assert_int_equal(span.end, 1000 * 512);
}

static void test_scheme__slots(void **state)
{
	(void)state;
	assert_int_equal(af_scheme_slots(AF_SCHEME_MBR), 4);
	assert_int_equal(af_scheme_slots(AF_SCHEME_GPT), 128);
	assert_int_equal(af_scheme_slots(AF_SCHEME_NONE), 0);
}

static void test_scheme__extended_codes_are_three(void **state)
{
	(void)state;
	for (unsigned code = 0; code < 256; code++)
		assert_int_equal(af_scheme_is_extended_code((uint8_t)code),
				 code == 0x05 || code == 0x0f || code == 0x85);
}

static void test_scheme__types_are_written_as_their_scheme_does(void **state)
{
	(void)state;
	char buf[40];
	af_scheme_type_text(AF_SCHEME_MBR, (const uint8_t[16]){ 0x83 }, buf);
	assert_string_equal(buf, "83");
	af_scheme_type_text(AF_SCHEME_MBR, (const uint8_t[16]){ 0x0f }, buf);
	assert_string_equal(buf, "f");
	af_scheme_type_text(AF_SCHEME_GPT, linux_guid, buf);
	assert_string_equal(buf, LINUX_GUID);
	af_scheme_type_text(AF_SCHEME_NONE, linux_guid, buf);
	assert_string_equal(buf, "");
}

static void test_scheme__identities_are_written_as_their_scheme_does(void **state)
{
	(void)state;
	char buf[40];
	af_scheme_id_text(AF_SCHEME_MBR, (const uint8_t[16]){ 0x10, 0xbd, 0x10, 0xbc },
			  buf);
	assert_string_equal(buf, "0x10bd10bc");
	af_scheme_id_text(AF_SCHEME_GPT, linux_guid, buf);
	assert_string_equal(buf, LINUX_GUID);
	af_scheme_id_text(AF_SCHEME_NONE, linux_guid, buf);
	assert_string_equal(buf, "");
	af_scheme_uuid_text(linux_guid, buf);
	assert_string_equal(buf, LINUX_GUID);
}

static void test_scheme__type_names_come_from_the_list(void **state)
{
	(void)state;
	static const struct af_type type[] = { { { 0x82 }, "Linux swap" },
					       { { 0x83 }, "Linux" } };
	struct af_types list = { type, 2 };
	assert_string_equal(af_scheme_type_name(&list, (const uint8_t[16]){ 0x83 }),
			    "Linux");
	assert_string_equal(af_scheme_type_name(&list, (const uint8_t[16]){ 0x83, 1 }),
			    "Unknown");
	assert_string_equal(af_scheme_type_name(&(struct af_types){ 0 }, linux_guid),
			    "Unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scheme__names_are_those_of_sfdisk),
		cmocka_unit_test(test_scheme__parse_takes_the_usual_words),
		cmocka_unit_test(test_scheme__usable_space_is_what_the_table_leaves),
		cmocka_unit_test(test_scheme__usable_space_is_empty_on_a_disk_too_small),
		cmocka_unit_test(test_scheme__half_a_sector_at_the_end_is_not_usable),
		cmocka_unit_test(test_scheme__slots),
		cmocka_unit_test(test_scheme__extended_codes_are_three),
		cmocka_unit_test(test_scheme__types_are_written_as_their_scheme_does),
		cmocka_unit_test(test_scheme__identities_are_written_as_their_scheme_does),
		cmocka_unit_test(test_scheme__type_names_come_from_the_list),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
