/* What sits in a stretch of an image: signatures written by hand, at an offset, as a partition has them. */
#include "afdisk/probe.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#define SIZE  (16 * AF_MIB)
#define START (3 * AF_MIB)

static const struct af_span span = { START, START + 8 * AF_MIB };
static char image[200];
static struct af_dev dev;
static struct af_content content;
static struct af_err err;
static int fd;

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(image, sizeof(image), "%s/afdisk-probe-XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp(image);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, SIZE), 0);
	assert_true(af_dev_open(image, &dev, &err));
	memset(&content, 0xee, sizeof(content));
	content.id = 42;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	af_dev_close(&dev);
	(void)close(fd);
	return unlink(image);
}

static void put(af_bytes at, const char *bytes, size_t n)
{
	assert_int_equal(pwrite(fd, bytes, n, START + at), n);
}

static void put_swap(const char *label)
{
	put(0x400, "\1\0\0\0\377\7\0\0", 8); /* version 1, last page 2047 */
	put(0x40c, "\x11\x22\x33\x44\x55\x66\x47\x88\x89\xaa\xbb\xcc\xdd\xee\xff\x01", 16);
	put(0x41c, label, strlen(label));
	put(4086, "SWAPSPACE2", 10);
}

static void assert_probed(enum af_content_state state, const char *fs)
{
	af_probe(&dev, span, &content);
	assert_int_equal(content.id, 42);
	assert_int_equal(content.state, state);
	assert_string_equal(content.fs, fs);
}

static void test_probe__finds_nothing_in_zeros(void **state)
{
	(void)state;
	assert_probed(AF_CONTENT_NONE, "");
	assert_string_equal(content.label, "");
	assert_string_equal(content.uuid, "");
}

static void test_probe__names_what_it_finds(void **state)
{
	(void)state;
	put_swap("scratch");
	assert_probed(AF_CONTENT_FOUND, "swap");
	assert_string_equal(content.label, "scratch");
	assert_string_equal(content.uuid, "11223344-5566-4788-89aa-bbccddeeff01");
}

static void test_probe__looks_into_the_span_only(void **state)
{
	const struct af_span later = { START + 512, span.end };

	(void)state;
	put_swap("scratch");
	af_probe(&dev, later, &content);
	assert_int_equal(content.state, AF_CONTENT_NONE);
}

static void test_probe__cleans_hostile_text(void **state)
{
	(void)state;
	put_swap("a\x1b[2Jb");
	assert_probed(AF_CONTENT_FOUND, "swap");
	assert_null(strchr(content.label, '\x1b'));
}

/* Any of the four labels will do; libblkid wants four uberblocks, which lie in the upper half of a label, and 64 MiB. */
static void test_probe__finds_zfs_by_any_label(void **state)
{
	static const af_bytes size = 64 * AF_MIB + 100 * AF_KIB;
	static const af_bytes label_table[] = { 0, 256 * AF_KIB, 64 * AF_MIB - 512 * AF_KIB,
						64 * AF_MIB - 256 * AF_KIB };
	const struct af_span large = { START, START + size };

	(void)state;
	assert_int_equal(ftruncate(fd, large.end), 0);
	dev.size = large.end;
	for (size_t i = 0; i < 4; i++) {
		const af_bytes at = label_table[i];
		const char zeros[4] = { 0 };

		put(at + 16 * AF_KIB, "\1\1\0\0", 4);
		for (int k = 0; k < 4; k++)
			put(at + (128 + k) * AF_KIB, "\x0c\xb1\xba\0", 4);
		af_probe(&dev, large, &content);
		assert_int_equal(content.state, AF_CONTENT_FOUND);
		assert_string_equal(content.fs, "zfs_member");
		put(at + 16 * AF_KIB, zeros, 4);
		af_probe(&dev, large, &content);
		assert_int_equal(content.state, AF_CONTENT_NONE);
		for (int k = 0; k < 4; k++)
			put(at + (128 + k) * AF_KIB, zeros, 4);
	}
}

static void test_probe__two_answers_are_ambiguous(void **state)
{
	(void)state;
	put_swap("x");
	put(0, "-rom1fs-", 8);
	assert_probed(AF_CONTENT_FOUND, "ambiguous");
	assert_string_equal(content.label, "");
}

static void test_probe__a_table_inside_is_no_file_system(void **state)
{
	(void)state;
	put(446, "\x80\x01\x01\x00\x83\xfe\xff\xff\x00\x08\x00\x00\x00\x10\x00\x00", 16);
	put(510, "\x55\xaa", 2);
	assert_probed(AF_CONTENT_NONE, "");
}

static void test_probe__reads_each_end_once(void **state)
{
	(void)state;
	put(4 * AF_MIB, "x", 1);
	assert_probed(AF_CONTENT_NONE, "");
	assert_int_equal(dev.reads, 2);
}

static void test_probe__a_hole_is_not_read(void **state)
{
	(void)state;
	if (lseek(fd, 0, SEEK_DATA) >= 0)
		skip(); /* this file system does not say where its holes are */
	assert_probed(AF_CONTENT_NONE, "");
	assert_int_equal(dev.reads, 0);
	assert_true(af_dev_is_hole(&dev, (struct af_span){ 0, SIZE }));
	assert_false(af_dev_is_hole(&dev, (struct af_span){ 0, SIZE + 1 }));
	put(-1, "x", 1);
	assert_probed(AF_CONTENT_NONE, "");
	put(af_span_size(span) - 1, "x", 1);
	assert_probed(AF_CONTENT_NONE, "");
	assert_int_equal(dev.reads, 2);
}

static void test_probe__takes_stretches_of_any_size(void **state)
{
	(void)state;
	for (af_bytes size = 512; size < 300 * AF_KIB; size = size * 2 + 512) {
		const struct af_span small = { START, START + size };

		af_probe(&dev, small, &content);
		assert_int_equal(content.state, AF_CONTENT_NONE);
	}
}

static void test_probe__what_cannot_be_read_counts_as_data(void **state)
{
	struct af_dev memory = { .size = SIZE, .sector_size = 512 };

	(void)state;
	assert_int_equal(ftruncate(fd, span.end - 4096), 0); /* the tail is gone */
	assert_probed(AF_CONTENT_UNREADABLE, "");
	assert_int_equal(ftruncate(fd, START), 0);
	assert_probed(AF_CONTENT_UNREADABLE, "");
	af_probe(&memory, span, &content); /* nothing that libblkid could read */
	assert_int_equal(content.state, AF_CONTENT_UNREADABLE);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_probe__finds_nothing_in_zeros),
		CASE(test_probe__names_what_it_finds),
		CASE(test_probe__looks_into_the_span_only),
		CASE(test_probe__cleans_hostile_text),
		CASE(test_probe__finds_zfs_by_any_label),
		CASE(test_probe__two_answers_are_ambiguous),
		CASE(test_probe__a_table_inside_is_no_file_system),
		CASE(test_probe__reads_each_end_once),
		CASE(test_probe__a_hole_is_not_read),
		CASE(test_probe__takes_stretches_of_any_size),
		CASE(test_probe__what_cannot_be_read_counts_as_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
