/* Growing strings, and numbers as people write and read them. */
#include "afdisk/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

static void test_text__add_grows_and_keeps_what_was_there(void **state)
{
	(void)state;
	struct af_text t = { 0 };
	assert_string_equal(af_text_get(&t), "");
	for (int i = 0; i < 200; i++)
		af_text_add(&t, "%d,", i % 10);
	assert_int_equal(t.len, 400);
	assert_int_equal(strlen(af_text_get(&t)), 400);
	assert_memory_equal(af_text_get(&t) + 396, "8,9,", 5);
	af_text_release(&t);
	assert_null(t.data);
	assert_string_equal(af_text_get(&t), "");
}

static void test_text__add_takes_one_long_piece(void **state)
{
	(void)state;
	struct af_text t = { 0 };
	af_text_add(&t, "%5000s", "x");
	assert_int_equal(t.len, 5000);
	assert_int_equal(af_text_get(&t)[4999], 'x');
	af_text_release(&t);
}

static void test_text__alloc_is_zeroed_and_realloc_keeps(void **state)
{
	(void)state;
	unsigned char *p = af_alloc(3, 7);
	for (size_t i = 0; i < 21; i++)
		assert_int_equal(p[i], 0);
	p[20] = 9;
	p = af_realloc(p, 1000, 2);
	assert_int_equal(p[20], 9);
	free(p);
	p = af_alloc(0, 0);
	assert_non_null(p);
	free(p);
	char *copy = af_strdup("abc");
	assert_string_equal(copy, "abc");
	free(copy);
}

/* Exit status of a child that asks for more than there can be. */
static int status_of_greed(bool again)
{
	(void)fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		(void)freopen("/dev/null", "w", stderr);
		void *p = again ? af_realloc(NULL, SIZE_MAX, 2) : af_alloc(SIZE_MAX, 2);
		_exit(p != NULL ? 0 : 1);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_text__running_out_of_memory_ends_the_program(void **state)
{
	(void)state;
	assert_int_equal(status_of_greed(false), 2);
	assert_int_equal(status_of_greed(true), 2);
}

static void test_text__size_has_three_digits_and_a_binary_unit(void **state)
{
	(void)state;
	static const struct {
		af_bytes n;
		const char *full, *brief;
	} row[] = {
		{ 0, "0 B", "0B" },
		{ 512, "512 B", "512B" },
		{ 1023, "1023 B", "1023B" },
		{ 1024, "1 KiB", "1K" },
		{ 1536, "1.5 KiB", "1.5K" },
		{ 1075, "1 KiB", "1K" },
		{ 1076, "1.1 KiB", "1.1K" },
		{ 10 * AF_GIB, "10 GiB", "10G" },
		{ 1000204886016, "931.5 GiB", "931.5G" },
		{ AF_GIB - 1, "1 GiB", "1G" },
		{ AF_MIB - 1, "1 MiB", "1M" },
		{ 1024 * AF_GIB, "1 TiB", "1T" },
		{ INT64_MAX, "8 EiB", "8E" },
		{ INT64_MIN, "-8 EiB", "-8E" },
		{ -1536, "-1.5 KiB", "-1.5K" },
	};
	char buf[AF_SHORT];
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		assert_string_equal(af_text_size(row[i].n, buf), row[i].full);
		assert_string_equal(af_text_size_short(row[i].n, buf), row[i].brief);
	}
}

static void test_text__parse_takes_every_unit_of_the_contract(void **state)
{
	(void)state;
	static const struct {
		const char *word;
		enum af_amount_kind kind;
		int sign;
		int64_t value;
	} row[] = {
		{ "2048", AF_AMOUNT_SECTORS, 0, 2048 },
		{ "512s", AF_AMOUNT_SECTORS, 0, 512 },
		{ "512S", AF_AMOUNT_SECTORS, 0, 512 },
		{ "1.0s", AF_AMOUNT_SECTORS, 0, 1 },
		{ "4096B", AF_AMOUNT_BYTES, 0, 4096 },
		{ "4096b", AF_AMOUNT_BYTES, 0, 4096 },
		{ "1K", AF_AMOUNT_BYTES, 0, 1024 },
		{ "1m", AF_AMOUNT_BYTES, 0, 1048576 },
		{ "1M", AF_AMOUNT_BYTES, 0, 1048576 },
		{ "10G", AF_AMOUNT_BYTES, 0, 10737418240 },
		{ "2T", AF_AMOUNT_BYTES, 0, 2199023255552 },
		{ "1P", AF_AMOUNT_BYTES, 0, 1125899906842624 },
		{ "1KiB", AF_AMOUNT_BYTES, 0, 1024 },
		{ "1mib", AF_AMOUNT_BYTES, 0, 1048576 },
		{ "1GIB", AF_AMOUNT_BYTES, 0, 1073741824 },
		{ "1TiB", AF_AMOUNT_BYTES, 0, 1099511627776 },
		{ "1PiB", AF_AMOUNT_BYTES, 0, 1125899906842624 },
		{ "1kb", AF_AMOUNT_BYTES, 0, 1000 },
		{ "1MB", AF_AMOUNT_BYTES, 0, 1000000 },
		{ "1GB", AF_AMOUNT_BYTES, 0, 1000000000 },
		{ "1TB", AF_AMOUNT_BYTES, 0, 1000000000000 },
		{ "1PB", AF_AMOUNT_BYTES, 0, 1000000000000000 },
		{ "25%", AF_AMOUNT_PERCENT, 0, 25000 },
		{ "33.333%", AF_AMOUNT_PERCENT, 0, 33333 },
		{ "33.3339%", AF_AMOUNT_PERCENT, 0, 33333 },
		{ "100%", AF_AMOUNT_PERCENT, 0, 100000 },
		{ "max", AF_AMOUNT_MAX, 0, 0 },
		{ "MAX", AF_AMOUNT_MAX, 0, 0 },
		{ "+10G", AF_AMOUNT_BYTES, 1, 10737418240 },
		{ "-10G", AF_AMOUNT_BYTES, -1, 10737418240 },
		{ "-8", AF_AMOUNT_SECTORS, -1, 8 },
		{ "1.5G", AF_AMOUNT_BYTES, 0, 1610612736 },
		{ "0.1K", AF_AMOUNT_BYTES, 0, 102 },
		{ "0.9999999999999999999999999999999K", AF_AMOUNT_BYTES, 0, 1023 },
		{ "1.9B", AF_AMOUNT_BYTES, 0, 1 },
		{ "0", AF_AMOUNT_SECTORS, 0, 0 },
		{ "007M", AF_AMOUNT_BYTES, 0, 7340032 },
		{ "9223372036854775807", AF_AMOUNT_SECTORS, 0, INT64_MAX },
		{ "8191.9999P", AF_AMOUNT_BYTES, 0, 9223371924264785123 },
	};
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct af_amount a = { .sign = 7 };
		struct af_err err = { 0 };
		if (!af_text_parse(row[i].word, &a, &err))
			fail_msg("%s: %s", row[i].word, err.text);
		assert_int_equal(a.kind, row[i].kind);
		assert_int_equal(a.sign, row[i].sign);
		if (a.value != row[i].value)
			fail_msg("%s gives %lld", row[i].word, (long long)a.value);
	}
}

static void test_text__parse_refuses_and_names_the_word(void **state)
{
	(void)state;
	static const char *const word[] = {
		"",      "x",
		"10X",   "10 G",
		"10GG",  "1.5",
		"1.5s",  "1.",
		"1.G",   ".5G",
		"G",     "+",
		"-",     "+max",
		"--1",   "+-1G",
		"1e3",   "0x10",
		"101%",  "100.001%",
		"10%%",  "1,5G",
		" 1G",   "1G ",
		"10Mi",  "10sB",
		"8192P", "9223372036854775808",
		"max ",  "-max",
		"1..5G", "1.5.5G",
		"1EiB",  "99999999999999999999999999G",
	};
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		struct af_amount a = { .sign = 7 };
		struct af_err err = { 0 };
		if (af_text_parse(word[i], &a, &err))
			fail_msg("\"%s\" was taken", word[i]);
		assert_int_equal(err.code, AF_E_USAGE);
		assert_int_equal(a.sign, 7);
		assert_non_null(strstr(err.text, word[i]));
	}
}

static void test_text__parse_shows_no_control_bytes(void **state)
{
	(void)state;
	struct af_amount a;
	struct af_err err;
	assert_false(af_text_parse("1\033[2J\n", &a, &err));
	assert_null(strpbrk(err.text, "\033\n"));
}

static void test_text__amount_becomes_bytes(void **state)
{
	(void)state;
	struct af_err err;
	af_bytes n = -1;
	struct af_amount a = { AF_AMOUNT_BYTES, 0, 4097 };
	assert_true(af_amount_bytes(&a, 512, 0, &n, &err));
	assert_int_equal(n, 4097);
	a = (struct af_amount){ AF_AMOUNT_SECTORS, -1, 63 };
	assert_true(af_amount_bytes(&a, 4096, 0, &n, &err));
	assert_int_equal(n, 258048);
	a = (struct af_amount){ AF_AMOUNT_PERCENT, 0, 25000 };
	assert_true(af_amount_bytes(&a, 512, 1001, &n, &err));
	assert_int_equal(n, 250);
	assert_true(af_amount_bytes(&a, 512, INT64_MAX, &n, &err));
	assert_int_equal(n, INT64_MAX / 4);
	a = (struct af_amount){ AF_AMOUNT_MAX, 0, 0 };
	assert_true(af_amount_bytes(&a, 512, 12345, &n, &err));
	assert_int_equal(n, 12345);
}

static void test_text__amount_that_does_not_fit_is_refused(void **state)
{
	(void)state;
	struct af_err err = { 0 };
	af_bytes n = -1;
	struct af_amount a = { AF_AMOUNT_SECTORS, 0, INT64_MAX / 2 };
	assert_false(af_amount_bytes(&a, 512, 0, &n, &err));
	assert_int_equal(err.code, AF_E_RANGE);
	a = (struct af_amount){ AF_AMOUNT_PERCENT, 0, 100001 };
	err.code = AF_OK;
	assert_false(af_amount_bytes(&a, 512, 1000, &n, &err));
	assert_int_equal(err.code, AF_E_RANGE);
	assert_int_equal(n, -1);
}

static void test_text__clean_keeps_valid_characters_only(void **state)
{
	(void)state;
	static const struct {
		const char *in, *out;
	} row[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "M\xc3\xbcll \xe2\x82\xac \xf0\x9f\x98\x80",
		  "M\xc3\xbcll \xe2\x82\xac \xf0\x9f\x98\x80" },
		{ "a\tb\nc\x7f", "a?b?c?" },
		{ "\xc2\x9b"
		  "x",
		  "?x" }, /* a C1 control */
		{ "\xff\xfe", "??" },
		{ "\xc0\xaf", "??" },           /* overlong */
		{ "\xe0\x80\xaf", "???" },      /* overlong */
		{ "\xed\xa0\x80", "???" },      /* half of a surrogate pair */
		{ "\xf4\x90\x80\x80", "????" }, /* beyond the last character */
		{ "\xe2\x82", "??" },           /* cut off */
		{ "\xe2\x82z", "??z" },
		{ "\xc2\xa0", "\xc2\xa0" }, /* the first that is no control */
	};
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		char buf[64];
		af_text_clean(row[i].in, buf, sizeof(buf));
		assert_string_equal(buf, row[i].out);
	}
}

static void test_text__clean_cuts_between_characters(void **state)
{
	(void)state;
	char buf[8];
	for (size_t size = 1; size <= 6; size++) {
		memset(buf, 'z', sizeof(buf));
		af_text_clean("a\xe2\x82\xac"
			      "b",
			      buf, size);
		assert_string_equal(buf, size == 1   ? ""
					 : size <= 4 ? "a"
					 : size == 5 ? "a\xe2\x82\xac"
						     : "a\xe2\x82\xac"
						       "b");
		assert_int_equal(buf[size], 'z');
	}
}

static void test_text__joining_and_numbers_without_formatting(void **state)
{
	(void)state;
	char buf[6] = "", number[AF_SHORT];
	size_t used = af_text_join(buf, sizeof(buf), 0, "ab");
	used = af_text_join(buf, sizeof(buf), used, "cdefg");
	assert_int_equal(used, 5);
	assert_string_equal(buf, "abcde");
	assert_string_equal(af_text_decimal(0, number), "0");
	assert_string_equal(af_text_decimal(1953525168, number), "1953525168");
	assert_string_equal(af_text_decimal(INT64_MIN, number), "-9223372036854775808");
	assert_string_equal(af_text_decimal(INT64_MAX, number), "9223372036854775807");
}

static void test_text__bytes_are_appended_and_cleared(void **state)
{
	(void)state;
	struct af_text t = { 0 };
	af_text_clear(&t);
	af_text_put(&t, "ab%s", 3);
	af_text_put(&t, "", 0);
	af_text_add(&t, "-%d", 7);
	assert_string_equal(af_text_get(&t), "ab%-7");
	assert_int_equal(t.len, 5);
	af_text_clear(&t);
	assert_string_equal(af_text_get(&t), "");
	af_text_put(&t, "x", 1);
	assert_string_equal(af_text_get(&t), "x");
	af_text_release(&t);
}

static void test_text__partitions_are_named_as_linux_does(void **state)
{
	(void)state;
	static const struct {
		const char *dev;
		uint32_t number;
		const char *name;
	} row[] = {
		{ "/dev/sda", 5, "sda5" },
		{ "/dev/nvme0n1", 2, "nvme0n1p2" },
		{ "/dev/mmcblk0", 1, "mmcblk0p1" },
		{ "disk.img", 5, "disk.img5" },
		{ "../x/disk2", 12, "disk2p12" },
		{ "/dev/disk/by-id/ata-WDC_1", 3, "ata-WDC_1-part3" },
		{ "odd/", 1, "odd/1" },
		{ "", 1, "1" },
	};
	char buf[64];
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		assert_string_equal(
			af_text_part_name(row[i].dev, row[i].number, buf, sizeof(buf)),
			row[i].name);
	assert_string_equal(af_text_part_name("/dev/sda", 5, buf, 4), "sda");
	assert_string_equal(af_text_part_path("/dev/sda", 5, buf, sizeof(buf)),
			    "/dev/sda5");
	assert_string_equal(
		af_text_part_path("/dev/disk/by-id/ata-WDC_1", 3, buf, sizeof(buf)),
		"/dev/disk/by-id/ata-WDC_1-part3");
	assert_null(af_text_part_path("disk.img", 5, buf, sizeof(buf)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text__bytes_are_appended_and_cleared),
		cmocka_unit_test(test_text__joining_and_numbers_without_formatting),
		cmocka_unit_test(test_text__add_grows_and_keeps_what_was_there),
		cmocka_unit_test(test_text__add_takes_one_long_piece),
		cmocka_unit_test(test_text__alloc_is_zeroed_and_realloc_keeps),
		cmocka_unit_test(test_text__running_out_of_memory_ends_the_program),
		cmocka_unit_test(test_text__size_has_three_digits_and_a_binary_unit),
		cmocka_unit_test(test_text__parse_takes_every_unit_of_the_contract),
		cmocka_unit_test(test_text__parse_refuses_and_names_the_word),
		cmocka_unit_test(test_text__parse_shows_no_control_bytes),
		cmocka_unit_test(test_text__amount_becomes_bytes),
		cmocka_unit_test(test_text__amount_that_does_not_fit_is_refused),
		cmocka_unit_test(test_text__clean_keeps_valid_characters_only),
		cmocka_unit_test(test_text__clean_cuts_between_characters),
		cmocka_unit_test(test_text__partitions_are_named_as_linux_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
