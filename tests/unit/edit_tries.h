/**
 * edit_tries.h - runs edit commands on small disks in words (world.h) and compares what comes out, or what is said.
 * SMALL is a disk of 1 GiB with a primary and two logicals. For the tests of the edit room only.
 */
#ifndef TESTS_EDIT_TRIES_H
#define TESTS_EDIT_TRIES_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "world.h"
#include <string.h>

#define SMALL                                                                              \
	"2097152 512 dos 1 p1=2048+204800,83 e2=206848+1024000,05 "                        \
	"l5=208896+204800,83,ebr=206848 l6=415744+204800,83,ebr=413696"

struct attempt {
	const char *say, *words, *commands;
	const char *expect; /* the table afterwards; or */
	const char *text;   /* what is said instead */
	enum af_code code;
	bool exact;
};

static void run_one(const struct attempt *t)
{
	struct world w;
	struct af_err err = { .code = AF_OK };
	char before[4096], after[4096];
	world_make(&w, t->words);
	w.rules.exact = t->exact;
	(void)world_show(&w.layout, before, sizeof(before));
	bool ran = world_run(&w, t->commands, &err);
	(void)world_show(&w.layout, after, sizeof(after));
	print_message("%s\n", t->say);
	if (t->expect) {
		if (!ran)
			print_error("%s\n", err.text);
		assert_true(ran);
		assert_string_equal(after, t->expect);
		assert_true(af_layout_sound(&w.layout, &err));
	} else {
		assert_false(ran);
		assert_string_equal(err.text, t->text);
		assert_int_equal(err.code, t->code);
		assert_string_equal(after, before);
	}
	world_release(&w);
}

static void run_all(const struct attempt *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run_one(&t[i]);
}

#define RUN_ALL(table) run_all(table, sizeof(table) / sizeof(*(table)))
#endif
