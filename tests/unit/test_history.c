/* Undo and redo. */
#include "afdisk/history.h"
#include "afdisk/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

/* A table with n partitions of 1 MiB. */
static struct af_layout table(unsigned n)
{
	struct af_layout l;
	struct af_err err;
	assert_true(af_layout_init(&l, AF_SCHEME_GPT, 100 * AF_MIB, 512, &err));
	for (unsigned i = 1; i <= n; i++) {
		struct af_part p = { .number = i, .type = { 1 } };
		p.span = (struct af_span){ i * AF_MIB, (i + 1) * AF_MIB };
		(void)af_layout_add(&l, &p);
	}
	return l;
}

static size_t parts_now(const struct af_history *h)
{
	return af_history_now(h)->nparts;
}

static void test_history__begins_with_the_base(void **state)
{
	(void)state;
	struct af_history *h = af_history_new(table(2));
	assert_int_equal(parts_now(h), 2);
	assert_ptr_equal(af_history_base(h), af_history_now(h));
	assert_false(af_history_dirty(h));
	assert_null(af_history_undo(h));
	assert_null(af_history_redo(h));
	af_history_free(h);
	af_history_free(NULL);
}

static void test_history__undo_and_redo_walk_the_same_steps(void **state)
{
	(void)state;
	struct af_history *h = af_history_new(table(0));
	for (unsigned i = 1; i <= 20; i++) {
		char what[16];
		(void)snprintf(what, sizeof(what), "add %u", i);
		af_history_push(h, table(i), what);
		assert_true(af_history_dirty(h));
	}
	assert_string_equal(af_history_undo(h), "add 20");
	assert_string_equal(af_history_undo(h), "add 19");
	assert_int_equal(parts_now(h), 18);
	assert_string_equal(af_history_redo(h), "add 19");
	assert_int_equal(parts_now(h), 19);
	for (unsigned i = 19; i >= 1; i--) {
		char what[16];
		(void)snprintf(what, sizeof(what), "add %u", i);
		assert_string_equal(af_history_undo(h), what);
	}
	assert_null(af_history_undo(h));
	assert_int_equal(parts_now(h), 0);
	assert_false(af_history_dirty(h));
	af_history_free(h);
}

static void test_history__push_forgets_what_was_undone(void **state)
{
	(void)state;
	struct af_history *h = af_history_new(table(0));
	af_history_push(h, table(1), "one");
	af_history_push(h, table(2), "two");
	/* The words that are borrowed here belong to the step that the push drops. */
	af_history_push(h, table(5), af_history_undo(h));
	assert_null(af_history_redo(h));
	assert_int_equal(parts_now(h), 5);
	assert_string_equal(af_history_undo(h), "two");
	assert_string_equal(af_history_undo(h), "one");
	assert_null(af_history_undo(h));
	af_history_free(h);
}

static void test_history__dirty_compares_tables_not_steps(void **state)
{
	(void)state;
	struct af_history *h = af_history_new(table(1));
	af_history_push(h, table(0), "delete");
	assert_true(af_history_dirty(h));
	af_history_push(h, table(1), "add again");
	assert_false(af_history_dirty(h));
	af_history_free(h);
}

static void test_history__rebase_begins_anew(void **state)
{
	(void)state;
	struct af_history *h = af_history_new(table(0));
	af_history_push(h, table(1), "one");
	af_history_push(h, table(2), "two");
	(void)af_history_undo(h);
	af_history_rebase(h, table(3));
	assert_int_equal(af_history_base(h)->nparts, 3);
	assert_int_equal(parts_now(h), 3);
	assert_false(af_history_dirty(h));
	assert_null(af_history_undo(h));
	assert_null(af_history_redo(h));
	af_history_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_history__begins_with_the_base),
		cmocka_unit_test(test_history__undo_and_redo_walk_the_same_steps),
		cmocka_unit_test(test_history__push_forgets_what_was_undone),
		cmocka_unit_test(test_history__dirty_compares_tables_not_steps),
		cmocka_unit_test(test_history__rebase_begins_anew),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
