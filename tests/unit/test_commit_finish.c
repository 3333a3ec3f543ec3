/* A write that was interrupted, by its log and what the disk holds: is there one, and how is it brought to an end. */
#include "afdisk/commit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "afdisk/backup.h"
#include "commit_drive.h"
#include "folder.h"

static const af_bytes place_table[] = { 4096, 8192, 0 }; /* in the order of writing */

#define PLACES 3

static char root[200];
static struct af_dev dev;
static struct af_unfinished found;
static struct af_commit_report report;
static struct af_err err;

/* The bytes of a sector in state 'o', 'n', or 'x' for neither. */
static void fill(unsigned char *bytes, size_t place, char state)
{
	memset(bytes, state, 512);
	bytes[0] = (unsigned char)place;
	bytes[510] = 0; /* no table */
}

/* The log of a write of three sectors, each in a phase of its own. */
static void save_log(void)
{
	struct af_backup_head head = { .kind = AF_BACKUP_LOG,
				       .was = "none",
				       .will = "none" };
	struct af_backup_kept kept;
	struct af_patch patch = { 0 };
	unsigned char before[512], after[512];

	for (size_t i = 0; i < PLACES; i++) {
		struct af_run run = { .at = place_table[i],
				      .len = 512,
				      .phase = (int)i,
				      .before = before,
				      .after = after,
				      .what = "sector" };

		fill(before, i, 'o');
		fill(after, i, 'n');
		af_patch_add(&patch, &run);
	}
	af_backup_name_disk(&dev, &head);
	assert_true(af_backup_save(&patch, &head, &dev, NULL, &kept, &err));
	af_patch_release(&patch);
}

/* Three letters, as fill() knows them, one for each place. */
static void hold(const char *states)
{
	for (size_t i = 0; i < PLACES; i++)
		fill(drive.bytes + place_table[i], i, states[i]);
	drive.writes = drive.flushes = drive.reads = 0;
	memset(&found, 0, sizeof(found));
}

static void assert_holds(const char *states)
{
	unsigned char wanted[512];

	for (size_t i = 0; i < PLACES; i++) {
		fill(wanted, i, states[i]);
		assert_memory_equal(drive.bytes + place_table[i], wanted, sizeof(wanted));
	}
}

static bool look(void)
{
	return af_commit_unfinished(&dev, NULL, NULL, &found);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	memset(&drive, 0, sizeof(drive));
	drive.bytes = calloc(1, SIZE);
	if (!drive.bytes)
		return -1;
	drive.fail_read = drive.fail_write = drive.fail_flush = NEVER;
	dev = (struct af_dev){
		.ops = &drive_ops, .size = SIZE, .sector_size = 512, .path = "/dev/sdx"
	};
	(void)snprintf(root, sizeof(root), "%s/afdisk-finish-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root) || setenv("XDG_STATE_HOME", root, 1) != 0)
		return -1;
	save_log();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(drive.bytes);
	return folder_remove(root);
}

static void test_commit_finish__a_mix_is_found_and_nothing_else(void **state)
{
	(void)state;
	hold("ooo");
	assert_false(look());
	hold("nnn");
	assert_false(look());
	hold("nxo"); /* somebody wrote there since */
	assert_false(look());
	hold("non");
	assert_true(look());
	assert_int_equal(found.fresh, 2);
	assert_int_equal(found.old, 1);
	assert_int_equal(found.unreadable, 0);
	dev.size -= 4096; /* another disk */
	assert_false(look());
	dev.size += 4096;
	(void)snprintf(dev.serial, sizeof(dev.serial), "S1");
	assert_true(look()); /* the log does not know it */
	save_log();
	(void)snprintf(dev.serial, sizeof(dev.serial), "S2");
	assert_true(look()); /* by the first one */
}

static void test_commit_finish__a_finished_write_hides_those_before_it(void **state)
{
	unsigned char before[512], after[512];
	struct af_backup_head head = { .kind = AF_BACKUP_LOG,
				       .was = "none",
				       .will = "none" };
	struct af_run run = { .at = 0, .len = 512, .before = before, .after = after };
	struct af_backup_kept kept;
	struct af_patch patch = { 0 };

	(void)state;
	fill(before, 2, 'n'); /* an edit that takes a part of the other back */
	fill(after, 2, 'o');
	af_patch_add(&patch, &run);
	af_backup_name_disk(&dev, &head);
	assert_true(af_backup_save(&patch, &head, &dev, NULL, &kept, &err));
	af_patch_release(&patch);
	hold("nno");
	assert_false(look());
	af_backup_drop(&kept);
	assert_true(look());
}

static void test_commit_finish__goes_to_either_end_in_order(void **state)
{
	(void)state;
	hold("noo");
	assert_true(look());
	memset(drive.log, 0, sizeof(drive.log));
	assert_true(af_commit_finish(&dev, found.log, AF_WAY_ON, &report, &err));
	assert_string_equal(drive.log, "fwfwf");
	assert_int_equal(report.sectors, 2);
	assert_holds("nnn");
	hold("nno");
	assert_true(look());
	assert_true(af_commit_finish(&dev, found.log, AF_WAY_BACK, &report, &err));
	assert_int_equal(report.sectors, 2);
	assert_holds("ooo");
	assert_false(look());
}

static void test_commit_finish__a_sector_that_cannot_be_read_is_written(void **state)
{
	static const enum af_way way_table[] = { AF_WAY_ON, AF_WAY_BACK };

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (size_t bad = 0; bad < PLACES; bad++) {
			hold(i ? "ooo" : "nnn"); /* the power cut did nothing else */
			drive.is_bad = true;
			drive.bad = place_table[bad] + 100;
			assert_true(look());
			assert_int_equal(found.unreadable, 1);
			if (!af_commit_finish(&dev, found.log, way_table[i], &report, &err))
				fail_msg("%s", err.text);
			assert_false(drive.is_bad);
			assert_holds(i ? "ooo" : "nnn");
		}
}

static void test_commit_finish__a_failure_leaves_the_log_in_charge(void **state)
{
	(void)state;
	for (int64_t at = 0; at < 2; at++) {
		hold("noo");
		assert_true(look());
		drive.fail_write = at;
		assert_false(af_commit_finish(&dev, found.log, AF_WAY_ON, &report, &err));
		assert_int_equal(err.code, AF_E_PARTIAL);
		assert_non_null(strstr(err.text, found.log));
		drive.fail_write = NEVER;
		assert_true(look());
		assert_true(af_commit_finish(&dev, found.log, AF_WAY_ON, &report, &err));
		assert_holds("nnn");
	}
}

static void test_commit_finish__does_not_undo_what_another_program_finished(void **state)
{
	(void)state;
	save_log();
	hold("noo");
	assert_true(look());
	char kept[sizeof(found.log)];

	memcpy(kept, found.log, sizeof(kept));
	hold("nnn");
	assert_false(af_commit_finish(&dev, kept, AF_WAY_BACK, &report, &err));
	assert_int_equal(err.code, AF_E_STALE);
	assert_holds("nnn");
	assert_true(af_commit_finish(&dev, kept, AF_WAY_ON, &report, &err));
	hold("ooo");
	assert_false(af_commit_finish(&dev, kept, AF_WAY_ON, &report, &err));
	assert_int_equal(err.code, AF_E_STALE);
	assert_holds("ooo");
}

static void test_commit_finish__refuses_what_changed_since_it_was_found(void **state)
{
	struct af_patch patch;

	(void)state;
	hold("noo");
	assert_true(look());
	fill(drive.bytes + place_table[2], 2, 'x');
	assert_false(af_commit_finish(&dev, found.log, AF_WAY_ON, &report, &err));
	assert_int_equal(err.code, AF_E_STALE);
	assert_int_equal(drive.writes, 0);
	assert_false(af_commit_finish_patch(&dev, found.log, AF_WAY_BACK, &patch, &err));
	assert_holds("nox");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_commit_finish__a_mix_is_found_and_nothing_else),
		CASE(test_commit_finish__a_finished_write_hides_those_before_it),
		CASE(test_commit_finish__goes_to_either_end_in_order),
		CASE(test_commit_finish__a_sector_that_cannot_be_read_is_written),
		CASE(test_commit_finish__a_failure_leaves_the_log_in_charge),
		CASE(test_commit_finish__does_not_undo_what_another_program_finished),
		CASE(test_commit_finish__refuses_what_changed_since_it_was_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
