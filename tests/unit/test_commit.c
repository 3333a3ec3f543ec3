/* Writing a table: on a drive in memory that can fail at any read, write or flush, lose writes, or be changed by
 * somebody else meanwhile. Whatever it does, the result is told truly, and the way back works. */
#include "afdisk/commit.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "afdisk/backup.h"
#include "afdisk/command.h"
#include "afdisk/label.h"
#include "commit_drive.h"
#include "disks.h"
#include "folder.h"

static const char mbr[] =
	"16384 512 dos 0x1234 boot-code p1=2048+2048,83,boot e2=4096+8192,5 "
	"l5=4159+1000,83 l6=6207+1000,83 l7=8255+1000,83";
static const char gpt[] = "16384 512 gpt 11111111-2222-4333-8444-555555555555 "
			  "g1=2048+2048,linux,auto g2=4096+2048,linux,auto";

static const struct {
	const char *disk, *commands;
} job_table[] = {
	{ mbr, "delete 6; new logical size=1M; type 1 82" },
	{ mbr, "delete 2" },
	{ gpt, "delete 1; new size=1M; name 2 other" },
	{ "16384 512 none", "label dos; new size=1M" },
	{ "16384 512 none", "label gpt; new size=1M" },
};

#define JOBS (sizeof(job_table) / sizeof(job_table[0]))

static char root[200];
static struct af_dev dev;
static struct af_layout base, now;
static struct af_commit_report report;
static struct af_err err;

static void edit(const char *commands)
{
	struct af_topo topo = { .size = SIZE, .sector_size = 512, .physical = 4096 };
	struct af_rules rules = af_align_rules(&topo, false);
	const struct af_contents none = { 0 };
	const struct af_edit e = { .rules = &rules, .contents = &none };
	struct af_command cmd;
	struct af_layout next;
	uint32_t id;

	while (af_command_next(&commands, &cmd, &err) > 0) {
		if (cmd.type_word[0])
			assert_true(af_label_parse_type(now.scheme, cmd.type_word, cmd.type,
							&err));
		if (cmd.verb == AF_VERB_LABEL)
			memset(cmd.uuid, 0x5a, cmd.scheme == AF_SCHEME_MBR ? 4 : 16);
		if (cmd.verb == AF_VERB_NEW && now.scheme == AF_SCHEME_GPT)
			memset(cmd.uuid, 0x5a, 16);
		if (!af_command_apply(&cmd, &now, &e, &next, &id, &err))
			fail_msg("%s", err.text);
		af_layout_release(&now);
		now = next;
	}
}

static void fill(const char *words)
{
	static struct disk d;
	char why[DISK_WHY];

	memset(drive.bytes, 0, SIZE);
	assert_true(disk_read_words(words, &d, why));
	assert_true(disk_put(&d, drive_put, NULL, why));
	memcpy(drive.before, drive.bytes, SIZE);
	drive.fail_read = drive.fail_write = drive.fail_flush = NEVER;
}

static void prepare(const char *words, const char *commands)
{
	struct af_label_note note;

	fill(words);
	af_layout_release(&base);
	af_layout_release(&now);
	assert_true(af_label_read(&dev, &base, &note, &err));
	assert_false(note.read_only);
	af_layout_copy(&base, &now);
	edit(commands);
	drive.reads = drive.writes = drive.flushes = 0;
	memset(drive.log, 0, sizeof(drive.log));
	memset(&report, 0, sizeof(report));
	memset(&err, 0, sizeof(err));
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	memset(&drive, 0, sizeof(drive));
	drive.bytes = calloc(1, SIZE);
	drive.before = calloc(1, SIZE);
	if (!drive.bytes || !drive.before)
		return -1;
	dev = (struct af_dev){
		.ops = &drive_ops, .size = SIZE, .sector_size = 512, .path = "/dev/sdx"
	};
	(void)snprintf(root, sizeof(root), "%s/afdisk-commit-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	return setenv("XDG_STATE_HOME", root, 1);
}

static int teardown(void **state)
{
	(void)state;
	af_layout_release(&base);
	af_layout_release(&now);
	free(drive.bytes);
	free(drive.before);
	return folder_remove(root);
}

static bool commit(void)
{
	const struct af_commit_change change = { .base = &base, .now = &now };

	return af_commit(&dev, &change, &report, &err);
}

static bool untouched(void)
{
	return memcmp(drive.bytes, drive.before, SIZE) == 0;
}

static void assert_holds(const struct af_layout *want)
{
	struct af_label_note note;
	struct af_layout seen;

	drive.fail_read = NEVER;
	assert_true(af_label_read(&dev, &seen, &note, &err));
	assert_true(af_layout_equal(&seen, want));
	af_layout_release(&seen);
}

static void test_commit__writes_what_was_wanted_and_nothing_else(void **state)
{
	(void)state;
	for (size_t j = 0; j < JOBS; j++) {
		struct af_backup_head head;
		struct af_patch saved;
		size_t sectors = 0;

		prepare(job_table[j].disk, job_table[j].commands);
		if (!commit())
			fail_msg("%s", err.text);
		assert_holds(&now);
		assert_true(af_backup_load(report.backup, &head, &saved, &err));
		for (size_t i = 0; i < saved.n; i++) {
			const struct af_run *run = &saved.run[i];

			assert_memory_equal(drive.before + run->at, run->before,
					    (size_t)run->len);
			assert_memory_equal(drive.bytes + run->at, run->after,
					    (size_t)run->len);
			memcpy(drive.bytes + run->at, run->before, (size_t)run->len);
			sectors += (size_t)run->len / 512;
		}
		assert_true(untouched());
		assert_int_equal(report.sectors, sectors);
		assert_string_equal(report.kernel, "");
		af_patch_release(&saved);
	}
}

static void test_commit__no_change_writes_nothing(void **state)
{
	(void)state;
	prepare(mbr, "");
	assert_true(commit());
	assert_int_equal(drive.writes, 0);
	assert_int_equal(report.sectors, 0);
	assert_string_equal(report.backup, "");
	assert_true(untouched());
}

static void test_commit__flushes_between_the_phases(void **state)
{
	(void)state;
	for (size_t j = 0; j < JOBS; j++) {
		struct af_text want = { 0 };
		struct af_patch patch;

		prepare(job_table[j].disk, job_table[j].commands);
		assert_true(af_label_render(&dev, &base, &now, &patch, &err));
		af_text_add(&want, "f"); /* what others wrote before us */
		for (size_t i = 0; i < patch.n; i++) {
			bool last = i + 1 == patch.n ||
				    patch.run[i + 1].phase != patch.run[i].phase;

			af_text_add(&want, last ? "wf" : "w");
		}
		af_patch_release(&patch);
		assert_true(commit());
		assert_string_equal(drive.log, af_text_get(&want));
		af_text_release(&want);
	}
}

static volatile sig_atomic_t writes_at_signal;

static void on_signal(int number)
{
	(void)number;
	writes_at_signal = (sig_atomic_t)drive.writes;
}

static void test_commit__a_signal_waits_for_the_last_write(void **state)
{
	struct sigaction act = { .sa_handler = on_signal }, old;

	(void)state;
	prepare(mbr, job_table[0].commands);
	writes_at_signal = 0;
	drive.raises = true;
	assert_int_equal(sigaction(SIGINT, &act, &old), 0);
	assert_true(commit());
	assert_int_equal(sigaction(SIGINT, &old, NULL), 0);
	assert_true(drive.writes > 1);
	assert_int_equal(writes_at_signal, drive.writes);
	assert_false(drive.unblocked);
}

static void assert_refused(enum af_code code, const char *word)
{
	assert_false(commit());
	assert_int_equal(err.code, code);
	if (!strstr(err.text, word))
		fail_msg("%s", err.text);
	assert_int_equal(drive.writes, 0);
	assert_string_equal(report.backup, "");
}

/** True if there is no backup: only an empty folder can be removed. */
static bool no_backup(void)
{
	char folder[240];

	(void)snprintf(folder, sizeof(folder), "%s/afdisk", root);
	return rmdir(folder) == 0;
}

static void test_commit__refuses_a_disk_that_changed(void **state)
{
	struct af_patch patch;
	struct af_commit_change change = { &base, &now, &patch, NULL };

	(void)state;
	prepare(mbr, "type 1 82");
	drive.bytes[450] = 0x07; /* the type of partition 1 */
	assert_refused(AF_E_STALE, "");
	prepare(mbr, "type 1 82");
	drive.somebody_writes = 1; /* after it was read again, before the first write */
	drive.somebody_at = 450;
	assert_refused(AF_E_STALE, "another program");
	assert_true(no_backup());
	prepare(mbr,
		"type 5 82"); /* rendered beforehand, and then the same beside the patch */
	assert_true(af_label_render(&dev, &base, &now, &patch, &err));
	drive.bytes[450] = 0x07;
	assert_false(af_commit(&dev, &change, &report, &err));
	assert_int_equal(err.code, AF_E_STALE);
	assert_int_equal(drive.writes, 0);
	af_patch_release(&patch);
}

static void test_commit__refuses_without_a_backup(void **state)
{
	char file[240];

	(void)state;
	prepare(mbr, "type 1 82");
	(void)snprintf(file, sizeof(file), "%s/missing/log", root);
	const struct af_commit_change change = { .base = &base,
						 .now = &now,
						 .maybe_journal = file };
	assert_false(af_commit(&dev, &change, &report, &err));
	assert_int_equal(err.code, AF_E_IO);
	assert_int_equal(drive.writes, 0);
	assert_true(untouched());
}

static void test_commit__refuses_an_image_in_use(void **state)
{
	char image[240];
	int fd;

	(void)state;
	prepare(mbr, "type 1 82");
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	disk_make(image, mbr);
	assert_true(af_dev_open(image, &dev, &err));
	fd = open(image, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_refused(AF_E_BUSY, image);
	assert_int_equal(flock(fd, LOCK_UN), 0);
	assert_true(commit());
	assert_false(dev.writable); /* the claim is given up */
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	assert_int_equal(close(fd), 0);
	af_dev_close(&dev);
}

/** After a failed commit: never a lie, and the way back leads to the old bytes. */
static void assert_told_truly(bool done)
{
	const char *name = strstr(err.text, "--restore ");
	char file[240] = "";

	assert_false(done);
	drive.fail_read = drive.fail_write = drive.fail_flush = NEVER;
	drive.loses_writes = drive.forget_fails = false;
	if (drive.writes == 0) {
		assert_int_not_equal(err.code, AF_E_PARTIAL);
		assert_true(untouched());
		return;
	}
	assert_int_equal(err.code, AF_E_PARTIAL);
	assert_non_null(name);
	assert_int_equal(sscanf(name, "--restore %239s", file), 1);
	if (!af_commit_restore(&dev, file, NULL, &report, &err))
		fail_msg("%s", err.text);
	assert_true(untouched());
	assert_holds(&base);
}

/** Lets each call of one kind fail in turn, alone or with all that follow. */
static void fail_at_each(const int64_t *count, int64_t *fail_at)
{
	for (size_t j = 0; j < 2 * JOBS; j++) {
		const char *words = job_table[j / 2].disk,
			   *commands = job_table[j / 2].commands;
		int64_t calls;

		drive.once = j % 2;
		prepare(words, commands);
		assert_true(commit());
		calls = *count;
		assert_true(calls > 0);
		for (int64_t i = 0; i < calls; i++) {
			prepare(words, commands);
			*fail_at = i;
			bool done = commit();
			/* A GPT is looked for at the end of an empty disk, and that may fail. */
			if (done && count == &drive.reads && base.scheme == AF_SCHEME_NONE)
				assert_holds(&now);
			else
				assert_told_truly(done);
		}
	}
}

static void test_commit__survives_a_failure_at_every_write(void **state)
{
	(void)state;
	fail_at_each(&drive.writes, &drive.fail_write);
}

static void test_commit__survives_a_failure_at_every_flush(void **state)
{
	(void)state;
	fail_at_each(&drive.flushes, &drive.fail_flush);
}

static void test_commit__survives_a_failure_at_every_read(void **state)
{
	(void)state;
	fail_at_each(&drive.reads, &drive.fail_read);
}

static void test_commit__notices_a_drive_that_loses_writes(void **state)
{
	(void)state;
	prepare(mbr, job_table[0].commands);
	drive.loses_writes = true;
	assert_false(commit());
	assert_non_null(strstr(err.text, "did not keep"));
	assert_told_truly(false);
}

static void test_commit__the_whole_table_must_read_as_wanted(void **state)
{
	(void)state;
	prepare(mbr, "type 1 82");
	drive.somebody_writes = 2; /* the last one: all that was written is there */
	drive.somebody_at = 4096 * 512 + 450; /* but not all of the table */
	assert_false(commit());
	assert_int_equal(err.code, AF_E_PARTIAL);
	assert_non_null(strstr(err.text, "reads differently"));
}

static void test_commit__without_the_medium_nothing_is_verified(void **state)
{
	(void)state;
	prepare(mbr, "type 1 82");
	drive.forget_fails = true;
	assert_told_truly(commit());
}

static void test_commit__says_which_sectors_are_new(void **state)
{
	(void)state;
	prepare(mbr, "type 1 82"); /* one write: nothing of it is on the disk */
	drive.fail_write = 0;
	assert_false(commit());
	assert_non_null(strstr(err.text, "new sectors: none; old: 0"));
	prepare(gpt, "name 1 other");
	drive.fail_write = 2;
	assert_false(commit());
	assert_non_null(strstr(err.text, "; old: "));
	assert_null(strstr(err.text, "new sectors: none"));
	assert_int_equal(err.sys, 5);
}

static void test_commit__a_long_name_does_not_cut_the_way_back(void **state)
{
	char wanted[400];

	(void)state;
	prepare(gpt, "name 1 other");
	memset(dev.path, 'x', 160);
	drive.fail_write = 2;
	assert_false(commit());
	(void)snprintf(wanted, sizeof(wanted), ".backup %s' puts the old table", dev.path);
	assert_non_null(strstr(err.text, "'afdisk --write --restore /"));
	assert_non_null(strstr(err.text, wanted));
	assert_non_null(strstr(err.text, "; old: "));
}

static void test_commit__restore_puts_every_byte_back(void **state)
{
	(void)state;
	for (size_t j = 0; j < JOBS; j++) {
		struct af_commit_report first, back;

		prepare(job_table[j].disk, job_table[j].commands);
		assert_true(commit());
		first = report;
		assert_true(af_commit_restore(&dev, first.backup, NULL, &report, &err));
		assert_true(untouched());
		assert_int_equal(report.sectors, first.sectors);
		back = report;
		assert_true(af_commit_restore(&dev, first.backup, NULL, &report, &err));
		assert_int_equal(report.sectors, 0); /* it is there already */
		assert_string_equal(report.backup, "");
		assert_true(af_commit_restore(&dev, back.backup, NULL, &report, &err));
		assert_holds(&now); /* the way back can be taken back */
	}
}

static void test_commit__restore_refuses_another_table(void **state)
{
	char file[sizeof(report.backup)];

	(void)state;
	prepare(mbr, "type 1 82");
	assert_true(commit());
	memcpy(file, report.backup, sizeof(file));
	drive.bytes[450] = 0x07;
	memcpy(drive.before, drive.bytes, SIZE);
	assert_false(af_commit_restore(&dev, file, NULL, &report, &err));
	assert_int_equal(err.code, AF_E_STALE);
	assert_non_null(strstr(err.text, "was changed after this backup"));
	assert_true(untouched());
	drive.bytes[440] ^= 0xff;
	assert_false(af_commit_restore(&dev, file, NULL, &report, &err));
	assert_int_equal(err.code, AF_E_STALE);
	assert_non_null(strstr(err.text, "of the table dos 0x00001234 (/dev/sdx then); "
					 "/dev/sdx has dos 0x000012cb now"));
	drive.bytes[440] ^= 0xff;
	dev.sector_size = 4096;
	assert_false(af_commit_restore(&dev, file, NULL, &report, &err));
	assert_int_equal(err.code, AF_E_USAGE);
	assert_non_null(strstr(err.text, "with sectors of 512 bytes"));
	dev.sector_size = 512;
	(void)snprintf(dev.serial, sizeof(dev.serial), "S2");
	assert_false(af_commit_restore(&dev, file, NULL, &report, &err));
	assert_int_equal(err.code, AF_E_STALE); /* the log knows no serial number */
	dev.serial[0] = '\0';
	assert_false(af_commit_restore(&dev, root, NULL, &report, &err));
	assert_int_equal(err.code, AF_E_FORMAT);
}

static void test_commit__restore_refuses_a_disk_of_another_size(void **state)
{
	char file[sizeof(report.backup)];

	(void)state;
	prepare(mbr, "type 1 82");
	assert_true(commit());
	memcpy(file, report.backup, sizeof(file));
	memcpy(drive.before, drive.bytes, SIZE);
	dev.size = SIZE - 4096;
	assert_false(af_commit_restore(&dev, file, NULL, &report, &err));
	assert_int_equal(err.code, AF_E_USAGE);
	assert_non_null(strstr(err.text, file));
	assert_non_null(strstr(err.text, "of a disk of 8388608 bytes (/dev/sdx then), and "
					 "/dev/sdx has 8384512"));
	assert_true(untouched());
	dev.size = SIZE;
	assert_true(af_commit_restore(&dev, file, NULL, &report, &err));
}

static void test_commit__restore_can_be_looked_at_first(void **state)
{
	struct af_patch patch;

	(void)state;
	prepare(gpt, "label dos");
	assert_true(commit());
	memcpy(drive.before, drive.bytes, SIZE);
	drive.writes = 0;
	dev.writable = false;
	assert_true(af_commit_restore_patch(&dev, report.backup, &patch, &err));
	assert_int_equal(patch.n, 3);
	assert_string_equal(patch.run[0].what, "old GPT header");
	assert_string_equal(patch.run[2].what, "MBR");
	af_patch_release(&patch);
	assert_int_equal(drive.writes, 0);
	assert_true(untouched());
	assert_false(dev.writable);
	drive.bytes[450] ^= 0xff;
	assert_false(af_commit_restore_patch(&dev, report.backup, &patch, &err));
	assert_int_equal(err.code, AF_E_STALE);
	assert_false(af_commit_restore_patch(&dev, root, &patch, &err));
	assert_int_equal(err.code, AF_E_FORMAT);
}

static void test_commit__a_failed_restore_names_the_same_file(void **state)
{
	struct af_commit_report back;
	char wanted[600];

	(void)state;
	prepare(gpt, "label dos");
	assert_true(commit());
	drive.writes = 0;
	drive.fail_write = 1;
	assert_false(af_commit_restore(&dev, report.backup, NULL, &back, &err));
	assert_int_equal(err.code, AF_E_PARTIAL);
	(void)snprintf(wanted, sizeof(wanted), "--restore %s ", report.backup);
	assert_non_null(strstr(err.text, wanted));
	drive.fail_write = NEVER;
	memcpy(drive.before, drive.bytes, SIZE);
	assert_true(af_commit_restore(&dev, report.backup, NULL, &back, &err));
	assert_holds(&base);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_commit__writes_what_was_wanted_and_nothing_else),
		CASE(test_commit__no_change_writes_nothing),
		CASE(test_commit__flushes_between_the_phases),
		CASE(test_commit__a_signal_waits_for_the_last_write),
		CASE(test_commit__refuses_a_disk_that_changed),
		CASE(test_commit__refuses_without_a_backup),
		CASE(test_commit__refuses_an_image_in_use),
		CASE(test_commit__survives_a_failure_at_every_write),
		CASE(test_commit__survives_a_failure_at_every_flush),
		CASE(test_commit__survives_a_failure_at_every_read),
		CASE(test_commit__notices_a_drive_that_loses_writes),
		CASE(test_commit__the_whole_table_must_read_as_wanted),
		CASE(test_commit__without_the_medium_nothing_is_verified),
		CASE(test_commit__says_which_sectors_are_new),
		CASE(test_commit__a_long_name_does_not_cut_the_way_back),
		CASE(test_commit__restore_puts_every_byte_back),
		CASE(test_commit__restore_refuses_another_table),
		CASE(test_commit__restore_refuses_a_disk_of_another_size),
		CASE(test_commit__restore_can_be_looked_at_first),
		CASE(test_commit__a_failed_restore_names_the_same_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
