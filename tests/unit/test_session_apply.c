/* Applying a script to an open disk: what its words mean there, fresh identities, undo. */
#include "afdisk/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "disks.h"
#include "folder.h"

static const char mbr[] = "204800 512 dos 0x10bd10bc p1=2048+20480,83,boot "
			  "e2=40960+102400,5 l5=43008+20480,83,ebr=40960";
static const char broken[] = "204800 512 dos 0x10bd10bc e1=2048+102400,5 "
			     "l5=4096+20480,83,ebr=2048 l6=65536+20480,83,ebr=63488 "
			     "poke=32506366,0000"; /* no 55 AA there */

static char root[200], image[240];
static struct af_session_options options;
static struct af_session *s;
static struct af_text remarks;
static struct af_err err;

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	memset(&options, 0, sizeof(options));
	(void)snprintf(root, sizeof(root), "%s/afdisk-session-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	return setenv("XDG_STATE_HOME", root, 1);
}

static int teardown(void **state)
{
	(void)state;
	af_session_close(s);
	s = NULL;
	af_text_release(&remarks);
	return folder_remove(root);
}

static void open_disk(const char *words)
{
	disk_make(image, words);
	s = af_session_open(image, &options, &err);
	assert_non_null(s);
}

static bool apply(const char *script)
{
	af_text_clear(&remarks);
	return af_session_apply(s, script, strlen(script), &remarks, &err);
}

static const struct af_layout *now(void)
{
	return af_session_disk(s).layout;
}

static void test_session__a_script_is_one_step_of_undo(void **state)
{
	(void)state;
	open_disk(mbr);
	assert_true(apply("2048,20480,83,*\n40960,102400,E\n43008,20480,S\n,1M,L\n"));
	assert_string_equal(af_text_get(&remarks),
			    "line 4: placed at sectors 22528 to 24575\n");
	assert_int_equal(now()->nparts, 4);
	assert_int_equal(af_layout_number(now(), 5)->type[0], 0x82);
	assert_int_equal(af_layout_number(now(), 5)->id,
			 af_layout_number(af_session_base(s), 5)->id);
	assert_true(af_session_modified(s));
	assert_string_equal(af_session_undo(s), "apply a script");
	assert_false(af_session_modified(s));
}

static void test_session__the_table_as_it_is_is_no_step(void **state)
{
	struct af_text dump = { 0 };

	(void)state;
	open_disk(mbr);
	assert_true(af_session_dump(s, &dump, &err));
	assert_true(apply(af_text_get(&dump)));
	assert_string_equal(af_text_get(&remarks), "");
	assert_false(af_session_modified(s));
	assert_null(af_session_undo(s));
	af_text_release(&dump);
}

static void test_session__what_a_script_leaves_out_is_fresh(void **state)
{
	static const uint8_t none[16];

	(void)state;
	open_disk(mbr);
	assert_true(apply("label: gpt\n,1M,efi\n,1M,home\n"));
	assert_int_equal(now()->scheme, AF_SCHEME_GPT);
	assert_memory_not_equal(now()->disk_id, none, 16);
	assert_memory_not_equal(now()->part[0].uuid, none, 16);
	assert_memory_not_equal(now()->part[0].uuid, now()->part[1].uuid, 16);
	assert_int_equal(now()->part[0].type[0], 0xC1);
	assert_int_equal(now()->part[1].type[0], 0x93);
}

static void test_session__a_wrong_script_changes_nothing(void **state)
{
	(void)state;
	open_disk(mbr);
	assert_false(apply(",1M\nx=1\ny=2\n"));
	assert_string_equal(err.text, "line 2: \"x=\" is not a field: start, size, type, "
				      "uuid, name, attrs or bootable was expected");
	assert_memory_equal(af_text_get(&remarks), "line 3: ", 8);
	assert_false(apply(",1M\n,1M,bottle\n"));
	assert_string_equal(err.text, "line 2: 'bottle' is no type of a dos partition: "
				      "give a code or a name such as linux, swap, uefi");
	assert_false(apply(",1M\n,1T\n"));
	assert_int_equal(err.code, AF_E_RANGE);
	assert_string_equal(af_text_get(&remarks), "");
	assert_false(af_session_modified(s));
}

static void test_session__unused_entries_need_no_type(void **state)
{
	(void)state;
	open_disk(mbr);
	assert_true(apply("/dev/sda1 : start=2048,size=20480,Id=83\n"
			  "/dev/sda2 : start=0,size=0,Id=0\n"));
	assert_int_equal(now()->nparts, 1);
}

static void test_session__a_broken_table_is_replaced_or_left_alone(void **state)
{
	(void)state;
	open_disk(broken);
	assert_false(apply(",1M\n"));
	assert_int_equal(err.code, AF_E_RULE);
	assert_memory_equal(err.text, "the table cannot be changed: ", 29);
	assert_string_equal(af_text_get(&remarks), "");
	assert_false(af_session_modified(s));
	assert_true(apply("label-id: 0x1\n,1M\n"));
	assert_int_equal(now()->nparts, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_session__a_script_is_one_step_of_undo),
		CASE(test_session__the_table_as_it_is_is_no_step),
		CASE(test_session__what_a_script_leaves_out_is_fresh),
		CASE(test_session__a_wrong_script_changes_nothing),
		CASE(test_session__unused_entries_need_no_type),
		CASE(test_session__a_broken_table_is_replaced_or_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
