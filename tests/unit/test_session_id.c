/* The identifier of a disk as an edit of its own, and edits that change nothing. */
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

static const char dos[] = "204800 512 dos 0x10bd10bc boot-code p1=2048+20480,07,boot "
			  "e2=40960+102400,5 l5=43008+20480,83,ebr=40960";
static const char gpt[] = "204800 512 gpt 11111111-2222-4333-8444-555555555555 "
			  "g1=2048+20480,linux,auto,one g2=40960+20480,linux,auto,two";

static char root[200], image[240], fstab[240];
static struct af_session *s;
static struct af_err err;

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	memset(&err, 0, sizeof(err));
	(void)snprintf(root, sizeof(root), "%s/afdisk-session-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	(void)snprintf(fstab, sizeof(fstab), "%s/fstab", root);
	return setenv("XDG_STATE_HOME", root, 1);
}

static int teardown(void **state)
{
	(void)state;
	af_session_close(s);
	s = NULL;
	return folder_remove(root);
}

static void begin(const char *words, const char *maybe_names)
{
	const struct af_session_options o = { .maybe_fstab = fstab };
	FILE *f = maybe_names ? fopen(fstab, "we") : NULL;

	if (f) {
		assert_true(fputs(maybe_names, f) >= 0);
		assert_int_equal(fclose(f), 0);
	}
	disk_make(image, words);
	s = af_session_open(image, &o, &err);
	assert_non_null(s);
}

static void run(const char *commands)
{
	if (!af_session_run(s, commands, &err))
		fail_msg("%s", err.text);
}

static const char *id_now(void)
{
	static char text[40];
	const struct af_layout *l = af_session_disk(s).layout;

	af_scheme_id_text(l->scheme, l->disk_id, text);
	return text;
}

/* All steps with that word, one behind the other. */
static const char *steps(const char *word)
{
	static char text[1000];
	struct af_plan plan;
	size_t used = 0;

	text[0] = '\0';
	af_session_plan(s, &plan);
	for (size_t i = 0; i < plan.nsteps; i++)
		if (strcmp(plan.step[i].step, word) == 0) {
			used = af_text_join(text, sizeof(text), used, plan.step[i].detail);
			used = af_text_join(text, sizeof(text), used, "\n");
		}
	af_plan_release(&plan);
	return text;
}

/* The bytes that a write would change, in all. */
static size_t changed_bytes(void)
{
	struct af_patch patch;
	size_t n = 0;

	assert_true(af_session_patch(s, &patch, &err));
	for (size_t i = 0; i < patch.n; i++)
		for (af_bytes k = 0; k < patch.run[i].len; k++)
			n += patch.run[i].before[k] != patch.run[i].after[k];
	af_patch_release(&patch);
	return n;
}

static void test_session__the_identifier_changes_and_nothing_else(void **state)
{
	struct af_commit_report report;

	(void)state;
	begin(dos, NULL);
	run("id 0x1234abcd");
	assert_string_equal(id_now(), "0x1234abcd");
	assert_int_equal(changed_bytes(), 4);
	assert_string_equal(steps("label"), "");
	assert_string_equal(steps("id"),
			    "change the identifier of the table from 0x10bd10bc to "
			    "0x1234abcd: the PARTUUIDs of its partitions change with it\n");
	assert_true(af_session_write(s, &report, &err));
	assert_false(af_session_modified(s));
	assert_string_equal(id_now(), "0x1234abcd");
	assert_int_equal(af_session_base(s)->nparts, 3);
}

static void test_session__a_gpt_has_a_uuid(void **state)
{
	struct af_commit_report report;

	(void)state;
	begin(gpt, NULL);
	run("id 01234567-89AB-4DEF-8123-456789ABCDEF");
	assert_string_equal(id_now(), "01234567-89AB-4DEF-8123-456789ABCDEF");
	assert_string_equal(steps("label"), "");
	assert_string_equal(steps("id"), "change the identifier of the table from "
					 "11111111-2222-4333-8444-555555555555 to "
					 "01234567-89AB-4DEF-8123-456789ABCDEF\n");
	assert_true(af_session_write(s, &report, &err));
	assert_int_equal(af_session_base(s)->nparts, 2);
	assert_true(af_layout_gpt_whole(af_session_base(s)));
}

static void test_session__a_fresh_identifier_is_of_its_kind(void **state)
{
	(void)state;
	begin(gpt, NULL);
	run("id new");
	assert_int_equal(strlen(id_now()), 36);
	assert_string_not_equal(id_now(), "11111111-2222-4333-8444-555555555555");
	run("undo; label dos; id new; id 0xff");
	assert_string_equal(id_now(), "0x000000ff");
}

static void test_session__an_identifier_of_another_kind_is_refused(void **state)
{
	static const char *const wrong[] = {
		"id",         "id 12345678",
		"id 0x",      "id 0x123456789",
		"id 0x12g4",  "id old",
		"id 0x0",     "id 01234567-89AB-4DEF-8123-456789ABCDEF",
		"id new new",
	};

	(void)state;
	begin(dos, NULL);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_false(af_session_run(s, wrong[i], &err));
		assert_int_equal(err.code, AF_E_USAGE);
	}
	assert_false(af_session_modified(s));
}

/* After another label the identifier is again what tells that it is a fresh table. */
static void test_session__a_new_label_is_a_new_table_all_the_same(void **state)
{
	(void)state;
	begin(dos, NULL);
	run("id 0x1234abcd; label dos");
	assert_string_equal(steps("id"), "");
	assert_string_not_equal(steps("label"), "");
	run("undo; convert gpt");
	assert_string_equal(steps("id"), "");
	assert_string_not_equal(steps("convert"), "");
}

static void test_session__who_looks_for_the_identifier_is_warned_of(void **state)
{
	static const char windows[] =
		"Windows knows its disks by the identifier: drive letters are given anew, "
		"and a Windows that boots from this disk needs its boot entry (BCD) made "
		"again\n";
	char both[600];

	(void)state;
	begin(dos, "# PARTUUID=10bd10bc-01 /old\nPARTUUID=10BD10BC-05 / ext4 defaults\n");
	run("id 0x1234abcd");
	(void)snprintf(both, sizeof(both),
		       "fstab or crypttab names a partition of this disk by its PARTUUID, "
		       "which becomes another one: change that, best to a UUID\n%s",
		       windows);
	assert_string_equal(steps("warning"), both);
	af_session_close(s);
	begin(dos, "# PARTUUID=10bd10bc-01 /old\nPARTUUID=10bd10bd-05 / ext4 defaults\n");
	run("id 0x1234abcd");
	assert_string_equal(steps("warning"), windows);
	run("type 1 83");
	run("undo; undo");
	assert_string_equal(steps("warning"), "");
}

static void test_session__what_changes_nothing_is_no_step_of_undo(void **state)
{
	static const char *const nothing[] = {
		"boot 1 on", "type 5 83", "sort", "resize 1 size=10M", "id 0x10bd10bc",
	};

	(void)state;
	begin(dos, NULL);
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
		run(nothing[i]);
		assert_int_equal(af_session_undos(s), 0);
	}
	run("boot 1 off");
	assert_int_equal(af_session_undos(s), 1);
	assert_non_null(af_session_undo(s));
	run("boot 1 on"); /* as it is: what was undone can still be done again */
	assert_int_equal(af_session_redos(s), 1);
}

/* Steps that were none are not taken back either. */
static void test_session__a_failed_run_takes_back_its_own_steps_only(void **state)
{
	struct af_layout before;

	(void)state;
	begin(dos, NULL);
	run("boot 1 off; type 5 82");
	af_layout_copy(af_session_disk(s).layout, &before);
	assert_false(af_session_run(s, "boot 1 off; boot 1 off; delete 9", &err));
	assert_true(af_layout_equal(&before, af_session_disk(s).layout));
	assert_int_equal(af_session_undos(s), 2);
	assert_false(af_session_run(s, "undo; undo; redo; delete 9", &err));
	assert_true(af_layout_equal(&before, af_session_disk(s).layout));
	assert_int_equal(af_session_undos(s), 2);
	af_layout_release(&before);
}

static void test_session__exact_is_a_matter_of_one_command(void **state)
{
	(void)state;
	begin(gpt, NULL);
	run("resize 1 end=22543 exact; new start=61456 size=100s exact; new size=3M");
	const struct af_layout *l = af_session_disk(s).layout;

	assert_int_equal(af_layout_number(l, 1)->span.end, 22544 * 512);
	assert_int_equal(af_layout_number(l, 3)->span.start, 61456 * 512);
	assert_int_equal(af_span_size(af_layout_number(l, 3)->span), 100 * 512);
	assert_int_equal(af_layout_number(l, 4)->span.start % AF_MIB, 0);
	run("move 4 start=100001s exact");
	assert_int_equal(af_layout_number(af_session_disk(s).layout, 4)->span.start,
			 100001 * 512);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_session__the_identifier_changes_and_nothing_else),
		CASE(test_session__a_gpt_has_a_uuid),
		CASE(test_session__a_fresh_identifier_is_of_its_kind),
		CASE(test_session__an_identifier_of_another_kind_is_refused),
		CASE(test_session__a_new_label_is_a_new_table_all_the_same),
		CASE(test_session__who_looks_for_the_identifier_is_warned_of),
		CASE(test_session__what_changes_nothing_is_no_step_of_undo),
		CASE(test_session__a_failed_run_takes_back_its_own_steps_only),
		CASE(test_session__exact_is_a_matter_of_one_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
