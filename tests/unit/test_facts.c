/* What is known about a disk besides its table. */
#include "afdisk/facts.h"
#include "afdisk/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

static struct af_contents four(void)
{
	struct af_contents c = { .item = af_alloc(4, sizeof(struct af_content)), .n = 4 };
	c.item[0] = (struct af_content){ .id = 7, .state = AF_CONTENT_FOUND, .fs = "ext4" };
	c.item[1] = (struct af_content){ .id = 3, .state = AF_CONTENT_NONE };
	c.item[2] = (struct af_content){ .id = 9, .state = AF_CONTENT_UNREADABLE };
	c.item[3] = (struct af_content){ .id = 5, .state = AF_CONTENT_UNKNOWN };
	return c;
}

static void test_facts__find_goes_by_id(void **state)
{
	(void)state;
	struct af_contents c = four();
	assert_string_equal(af_contents_find(&c, 7)->fs, "ext4");
	assert_ptr_equal(af_contents_find(&c, 5), &c.item[3]);
	assert_null(af_contents_find(&c, 1));
	af_contents_release(&c);
	assert_null(c.item);
	assert_null(af_contents_find(&c, 7));
}

static void test_facts__what_is_not_known_to_be_empty_may_hold_data(void **state)
{
	(void)state;
	struct af_contents c = four();
	assert_true(af_contents_may_hold(&c, 7));
	assert_false(af_contents_may_hold(&c, 3));
	assert_true(af_contents_may_hold(&c, 9));
	assert_true(af_contents_may_hold(&c, 5));
	assert_false(af_contents_may_hold(&c, 1)); /* made in this session */
	af_contents_release(&c);
}

static void test_facts__sources_have_the_words_of_the_contract(void **state)
{
	(void)state;
	assert_string_equal(af_source_name(AF_SOURCE_DEVICE), "device");
	assert_string_equal(af_source_name(AF_SOURCE_ASSUMED), "assumed");
	assert_string_equal(af_source_name(AF_SOURCE_QUIRK), "quirk");
	assert_string_equal(af_source_name(AF_SOURCE_MEASURED), "measured");
	assert_string_equal(af_source_name(AF_SOURCE_USER), "user");
}

static void test_facts__content_may_be_larger_than_its_place(void **state)
{
	(void)state;
	struct af_content c = { .state = AF_CONTENT_FOUND,
				.fs = "ext4",
				.fs_size = 3 * AF_MIB };
	const struct af_span two = { AF_MIB, 3 * AF_MIB }, three = { AF_MIB, 4 * AF_MIB };
	char buf[200];
	assert_int_equal(af_content_excess(&c, two), AF_MIB);
	assert_string_equal(
		af_content_larger(&c, two, buf, sizeof(buf)),
		"its ext4 of 3 MiB is larger than the partition: 1 MiB of it lies "
		"beyond the end");
	assert_int_equal(af_content_excess(&c, three), 0);
	assert_string_equal(af_content_larger(&c, three, buf, sizeof(buf)), "");
	c.fs_size = 0; /* not known */
	assert_int_equal(af_content_excess(&c, two), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts__find_goes_by_id),
		cmocka_unit_test(test_facts__what_is_not_known_to_be_empty_may_hold_data),
		cmocka_unit_test(test_facts__content_may_be_larger_than_its_place),
		cmocka_unit_test(test_facts__sources_have_the_words_of_the_contract),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
