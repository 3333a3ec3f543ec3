/* The names of the columns of --list, and what they ask for. */
#include "afdisk/columns.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

static struct af_columns read_list(const char *list)
{
	struct af_columns c = { .n = 0 };
	struct af_err err;
	if (!af_columns_read(list, &c, &err))
		fail_msg("%s: %s", list, err.text);
	return c;
}

static void test_columns__are_shown_in_the_asked_order_each_once(void **state)
{
	(void)state;
	struct af_columns c = read_list("Size,start,SIZE,fs-uuid");
	assert_int_equal(c.n, 3);
	assert_int_equal(c.show[0], AF_COLUMN_SIZE);
	assert_int_equal(c.show[1], AF_COLUMN_START);
	assert_int_equal(c.show[2], AF_COLUMN_FS_UUID);
}

static void test_columns__a_plus_keeps_the_usual_ones(void **state)
{
	(void)state;
	struct af_columns usual = af_columns_usual(), c = read_list("+ebr,type,PARTUUID");
	assert_int_equal(c.n, usual.n + 2);
	assert_memory_equal(c.show, usual.show, usual.n * sizeof(usual.show[0]));
	assert_int_equal(c.show[usual.n], AF_COLUMN_EBR);
	assert_int_equal(c.show[usual.n + 1], AF_COLUMN_UUID);
}

static void test_columns__every_one_is_found_by_its_own_name(void **state)
{
	(void)state;
	struct af_columns c = { .n = 0 };
	struct af_err err;
	assert_false(af_columns_read("?", &c, &err));
	char *names = strstr(err.text, ": ") + 2, *end = strstr(names, " are");
	assert_non_null(end);
	*end = '\0';
	for (char *space = strchr(names, ' '); space != NULL; space = strchr(space, ' '))
		*space = ',';
	c = read_list(names);
	assert_int_equal(c.n, AF_COLUMNS);
	for (size_t i = 0; i < c.n; i++)
		assert_int_equal(c.show[i], i);
}

static void test_columns__rubbish_is_refused_and_changes_nothing(void **state)
{
	(void)state;
	static const char *const wrong[] = { "",       "+",         ",",
					     "START,", ",START",    "STAR",
					     "STARTS", "START END", "+START,+END" };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct af_columns c = { .n = 77 };
		struct af_err err;
		assert_false(af_columns_read(wrong[i], &c, &err));
		assert_int_equal(err.code, AF_E_USAGE);
		assert_int_equal(c.n, 77);
	}
}

static void test_columns__contents_are_needed_for_four_of_them(void **state)
{
	(void)state;
	struct af_columns c = af_columns_usual();
	assert_true(af_columns_need_contents(&c));
	size_t asking = 0;
	for (int i = 0; i < AF_COLUMNS; i++) {
		c = (struct af_columns){ .show = { (enum af_column)i }, .n = 1 };
		asking += af_columns_need_contents(&c);
	}
	assert_int_equal(asking, 4); /* the status is one: it counts what is inside */
}

static void test_columns__users_are_asked_for_where_they_are_told(void **state)
{
	static const struct {
		const char *list;
		bool need;
	} table[] = {
		{ "START,SIZE", false }, { "USE", true },    { "MOUNTPOINTS,START", true },
		{ "+UUID", true },       { "STATUS", true }, { "FS,LABEL", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct af_columns c;
		struct af_err err = { 0 };
		assert_true(af_columns_read(table[i].list, &c, &err));
		assert_int_equal(af_columns_need_users(&c), table[i].need);
	}
	struct af_columns usual = af_columns_usual();
	assert_true(af_columns_need_users(&usual));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns__users_are_asked_for_where_they_are_told),
		cmocka_unit_test(test_columns__are_shown_in_the_asked_order_each_once),
		cmocka_unit_test(test_columns__a_plus_keeps_the_usual_ones),
		cmocka_unit_test(test_columns__every_one_is_found_by_its_own_name),
		cmocka_unit_test(test_columns__rubbish_is_refused_and_changes_nothing),
		cmocka_unit_test(test_columns__contents_are_needed_for_four_of_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
