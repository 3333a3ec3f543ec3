/* One open disk, on image files: what is read when, what edits need, what writing leaves behind. */
#include "afdisk/session.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "disks.h"
#include "folder.h"

static atomic_int reads; /* every one is counted */

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
	reads++;
	return syscall(SYS_pread64, fd, buf, n, at);
}

static const char mbr[] = "204800 512 dos 0x10bd10bc boot-code p1=2048+20480,83,boot "
			  "e2=40960+102400,5 l5=43008+20480,83,ebr=40960 l6=65536+20480,83";
static const char gpt[] = "204800 512 gpt 11111111-2222-4333-8444-555555555555 "
			  "g1=2048+20480,linux,auto,one g2=40960+20480,linux,auto,two";
static const char broken[] = "204800 512 dos 0x10bd10bc e1=2048+102400,5 "
			     "l5=4096+20480,83,ebr=2048 l6=65536+20480,83,ebr=63488 "
			     "poke=32506366,0000"; /* no 55 AA there */

static char root[200], image[240];
static struct af_session_options options;
static struct af_session *s;
static struct af_commit_report report;
static struct af_err err;
static uint32_t id;

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	memset(&options, 0, sizeof(options));
	memset(&err, 0, sizeof(err));
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
	return folder_remove(root);
}

static void reopen(void)
{
	af_session_close(s);
	s = af_session_open(image, &options, &err);
	if (!s)
		fail_msg("%s", err.text);
}

static void open_disk(const char *words)
{
	disk_make(image, words);
	reopen();
}

/** A swap signature at sector start of the image. */
static void put_swap(off_t start)
{
	int fd = open(image, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "\1\0\0\0\377\7\0\0", 8, start * 512 + 0x400), 8);
	assert_int_equal(pwrite(fd, "SWAPSPACE2", 10, start * 512 + 4086), 10);
	assert_int_equal(close(fd), 0);
}

static const struct af_layout *now(void)
{
	return af_session_disk(s).layout;
}

static const struct af_part *part(uint32_t number)
{
	const struct af_part *p = af_layout_number(now(), number);

	assert_non_null(p);
	return p;
}

static const struct af_content *content(uint32_t number)
{
	return af_contents_find(af_session_disk(s).contents, part(number)->id);
}

static void run(const char *text)
{
	if (!af_session_run(s, text, &err))
		fail_msg("%s: %s", text, err.text);
}

static void assert_run_fails(const char *text, enum af_code code, const char *word)
{
	struct af_layout before;

	af_layout_copy(now(), &before);
	assert_false(af_session_run(s, text, &err));
	if (err.code != code || !strstr(err.text, word))
		fail_msg("code %d: %s", (int)err.code, err.text);
	assert_true(af_layout_equal(now(), &before));
	af_layout_release(&before);
}

static struct af_command command(const char *text)
{
	struct af_command cmd;

	assert_int_equal(af_command_next(&text, &cmd, &err), 1);
	return cmd;
}

static void test_session__refuses_what_cannot_be_opened(void **state)
{
	(void)state;
	assert_null(af_session_open(image, &options, &err));
	assert_int_equal(err.code, AF_E_IO);
	assert_null(af_session_open(root, &options, &err));
	assert_int_equal(err.code, AF_E_USAGE);
	disk_make(image, mbr);
	options.overrides.has_grain = true;
	options.overrides.grain = 1000;
	assert_null(af_session_open(image, &options, &err));
	assert_int_equal(err.code, AF_E_USAGE);
	af_session_close(NULL);
}

static const char *remark(void)
{
	static char buf[240];

	return af_session_remark(s, buf, sizeof(buf));
}

static void test_session__opens_with_the_table_and_nothing_else(void **state)
{
	struct af_disk disk;

	(void)state;
	disk_make(image, "seed");
	reads = 0;
	reopen();
	assert_true(reads <= 8);
	disk = af_session_disk(s);
	assert_string_equal(disk.path, image);
	assert_int_equal(disk.layout->scheme, AF_SCHEME_MBR);
	assert_int_equal(disk.layout->nparts, 5);
	assert_int_equal(disk.topo->physical, 4096);
	assert_int_equal(disk.rules->check.step, 4096);
	assert_ptr_equal(disk.types, af_session_disk(s).types);
	assert_true(disk.types->n > 10);
	assert_ptr_equal(disk.layout, af_session_base(s));
	assert_int_equal(disk.contents->n, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(disk.contents->item[i].state,
				 disk.layout->part[i].role == AF_ROLE_EXTENDED
					 ? AF_CONTENT_NONE
					 : AF_CONTENT_UNKNOWN);
	assert_null(af_session_read_only(s));
	assert_string_equal(remark(), "");
	assert_false(af_session_modified(s));
}

static void test_session__takes_the_overrides(void **state)
{
	(void)state;
	disk_make(image, "25600 4096 gpt 11111111-2222-4333-8444-555555555555 "
			 "g1=256+2560,linux,auto");
	options.overrides.has_sector_size = true;
	options.overrides.sector_size = 4096;
	options.exact = true;
	reopen();
	assert_int_equal(now()->sector_size, 4096);
	assert_int_equal(part(1)->span.start, AF_MIB);
	assert_true(af_session_disk(s).rules->exact);
}

static void test_session__probes_in_the_foreground(void **state)
{
	(void)state;
	disk_make(image, mbr);
	put_swap(43008);
	reopen();
	af_session_probe(s, 0);
	assert_int_equal(content(1)->state, AF_CONTENT_NONE);
	assert_string_equal(content(5)->fs, "swap");
	assert_int_equal(content(5)->id, part(5)->id);
	reads = 0;
	af_session_probe(s, 0); /* all is known */
	assert_int_equal(reads, 0);
}

/** Waits until the thread behind the screen has told everything. Returns how often something changed. */
static int take_all(void)
{
	int changes = 0;

	for (int fd = af_session_probe_fd(s); fd >= 0; fd = af_session_probe_fd(s)) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		assert_int_equal(poll(&p, 1, 10000), 1);
		changes += af_session_probe_take(s);
	}
	return changes;
}

static void test_session__probes_behind_the_screen(void **state)
{
	(void)state;
	disk_make(image, mbr);
	put_swap(65536);
	reopen();
	assert_int_equal(af_session_probe_fd(s), -1);
	assert_false(af_session_probe_take(s));
	af_session_probe_start(s);
	af_session_probe_start(s); /* it runs already */
	assert_true(af_session_probe_fd(s) >= 0);
	assert_true(take_all() > 0);
	assert_int_equal(content(1)->state, AF_CONTENT_NONE);
	assert_int_equal(content(5)->state, AF_CONTENT_NONE);
	assert_string_equal(content(6)->fs, "swap");
	af_session_probe_start(s); /* nothing is left to look into */
	assert_int_equal(af_session_probe_fd(s), -1);
}

static void test_session__what_vanished_while_probing_counts_as_data(void **state)
{
	(void)state;
	open_disk(mbr);
	assert_int_equal(unlink(image), 0);
	af_session_probe_start(s);
	(void)take_all();
	assert_int_equal(content(1)->state, AF_CONTENT_UNREADABLE);
	disk_make(image, mbr); /* for the end of the test */
}

static void test_session__does_undoes_and_redoes(void **state)
{
	struct af_command cmd = command("delete 1"), undo = command("undo"),
			  redo = command("redo");
	uint32_t was;

	(void)state;
	open_disk(mbr);
	was = part(1)->id;
	assert_true(af_session_do(s, &cmd, &id, &err));
	assert_int_equal(id, was);
	assert_null(af_layout_number(now(), 1));
	assert_non_null(af_layout_number(af_session_base(s), 1));
	assert_true(af_session_modified(s));
	assert_true(af_session_do(s, &undo, &id, &err));
	assert_int_equal(id, 0);
	assert_false(af_session_modified(s));
	assert_int_equal(part(1)->id, was);
	assert_false(af_session_do(s, &undo, &id, &err));
	assert_int_equal(err.code, AF_E_USAGE);
	assert_string_equal(err.text, "there is nothing to undo");
	assert_true(af_session_do(s, &redo, &id, &err));
	assert_null(af_layout_number(now(), 1));
	assert_false(af_session_do(s, &redo, &id, &err));
	assert_string_equal(err.text, "there is nothing to redo");
	assert_string_equal(af_session_undo(s), "delete partition 1");
	assert_string_equal(af_session_redo(s), "delete partition 1");
}

static void test_session__preview_changes_nothing(void **state)
{
	struct af_command cmd = command("new size=10M type=swap");
	struct af_layout out;

	(void)state;
	open_disk(mbr);
	assert_true(af_session_preview(s, &cmd, &out, &id, &err));
	assert_int_equal(out.nparts, now()->nparts + 1);
	assert_int_equal(af_layout_find(&out, id)->type[0], 0x82);
	af_layout_release(&out);
	assert_false(af_session_modified(s));
	assert_null(af_session_undo(s));
}

static void test_session__knows_the_words_for_types(void **state)
{
	static const uint8_t linux_type[16] = { 0x0f, 0xc6, 0x3d, 0xaf, 0x84, 0x83,
						0x47, 0x72, 0x8e, 0x79, 0x3d, 0x69,
						0xd8, 0x47, 0x7d, 0xe4 };

	(void)state;
	open_disk(mbr);
	run("delete 2; new primary size=10M; new extended; new logical size=10M; type 1 7");
	assert_int_equal(part(1)->type[0], 0x07);
	assert_int_equal(part(2)->type[0], 0x83);
	assert_true(af_scheme_is_extended_code(part(3)->type[0]));
	assert_int_equal(part(5)->type[0], 0x83);
	assert_run_fails("type 1 nonsense", AF_E_USAGE, "nonsense");
	assert_run_fails("new type=nonsense", AF_E_USAGE, "nonsense");
	open_disk(gpt);
	run("new size=10M; type 1 swap; type 2 linux");
	assert_memory_equal(part(3)->type, linux_type, 16);
	assert_memory_equal(part(2)->type, linux_type, 16);
	assert_memory_not_equal(part(1)->type, linux_type, 16);
}

static void test_session__makes_fresh_identities(void **state)
{
	static const uint8_t zero[16];

	(void)state;
	open_disk(gpt);
	run("new size=10M; new size=10M");
	assert_memory_not_equal(part(3)->uuid, zero, 16);
	assert_memory_not_equal(part(3)->uuid, part(4)->uuid, 16);
	assert_int_equal(part(3)->uuid[6] >> 4, 4); /* a random one */
	run("label gpt");
	assert_memory_not_equal(now()->disk_id, zero, 16);
	assert_memory_not_equal(now()->disk_id, af_session_base(s)->disk_id, 16);
	run("label dos");
	assert_memory_not_equal(now()->disk_id, zero, 4);
	assert_memory_equal(now()->disk_id + 4, zero, 12);
	run("new size=10M");
	assert_memory_equal(part(1)->uuid, zero, 16);
}

static void test_session__without_a_table_only_label_works(void **state)
{
	(void)state;
	open_disk("204800 512 none");
	assert_run_fails("new", AF_E_RULE,
			 "no partition table: make one with 'label gpt' or 'label dos'");
	assert_run_fails("sort", AF_E_RULE, "no partition table");
	run("label gpt; new size=10M");
	assert_int_equal(now()->nparts, 1);
	assert_null(content(1)); /* made here: nothing is inside */
	assert_true(af_session_modified(s));
}

static void test_session__a_failed_run_leaves_nothing_behind(void **state)
{
	(void)state;
	open_disk(mbr);
	assert_run_fails("delete 1; delete 9; delete 6", AF_E_USAGE, "command 2: ");
	assert_run_fails("delete 1; ; rubbish", AF_E_USAGE, "command 2: ");
	assert_false(af_session_modified(s));
	run("delete 1");
	assert_run_fails("undo; undo", AF_E_USAGE, "command 2: ");
	assert_run_fails("undo; type 1 7; delete 9", AF_E_USAGE, "command 3: ");
	assert_run_fails("undo; redo; redo", AF_E_USAGE, "command 3: ");
	assert_run_fails("delete 6; undo; redo; undo; delete 5; delete 9", AF_E_USAGE,
			 "command 6: ");
	assert_null(af_layout_number(now(), 1));
	run("");
	run(" ; ;");
}

static void test_session__data_is_looked_for_before_it_is_moved(void **state)
{
	(void)state;
	disk_make(image, mbr);
	put_swap(2048);
	reopen();
	assert_run_fails("move 1 start=4096", AF_E_DATA, "command 1: ");
	run("move 6 start=70000");
	assert_int_equal(part(6)->span.start, 35 * AF_MIB);
	run("move 1 start=4096 table-only");
	reopen();
	{
		struct af_command cmd = command("move 1 start=4096");

		assert_false(af_session_do(s, &cmd, &id, &err)); /* nobody has looked yet */
		assert_int_equal(err.code, AF_E_DATA);
	}
	reads = 0;
	run("move 1 start=4096 table-only; delete 5; new size=1M");
	assert_int_equal(reads, 0); /* none of these needs to know */
}

static void test_session__read_only_allows_everything_but_writing(void **state)
{
	(void)state;
	options.read_only = true;
	open_disk(mbr);
	assert_non_null(strstr(af_session_read_only(s), "as asked, nothing"));
	run("delete 1");
	assert_false(af_session_write(s, &report, &err));
	assert_int_equal(err.code, AF_E_RULE);
	assert_non_null(strstr(err.text, "nothing was written"));
	reopen();
	assert_int_equal(now()->nparts, 4);
}

static void test_session__a_protected_file_is_read_only(void **state)
{
	uid_t me = geteuid();

	(void)state;
	disk_make(image, mbr);
	assert_int_equal(chmod(image, 0444), 0);
	assert_int_equal(chmod(root, 0755), 0);
	assert_int_equal(chdir(root), 0);
	if (me == 0)
		assert_int_equal(seteuid(65534), 0);
	s = af_session_open("disk.img", &options, &err);
	if (me == 0)
		assert_int_equal(seteuid(me), 0);
	assert_int_equal(chdir("/"), 0);
	assert_non_null(s);
	assert_string_equal(af_session_read_only(s), "this file is write-protected");
	assert_false(af_session_write(s, &report, &err));
}

static void test_session__a_broken_table_takes_a_label_only(void **state)
{
	const char *why;

	(void)state;
	open_disk(broken);
	why = af_session_read_only(s);
	assert_non_null(why);
	assert_true(strlen(why) > 0);
	assert_string_equal(remark(), "");
	assert_run_fails("delete 5", AF_E_RULE, why);
	run("label gpt");
	assert_null(af_session_read_only(s));
	run("new size=10M");
	assert_true(af_session_undo(s) && af_session_undo(s));
	assert_non_null(af_session_read_only(s));
	open_disk(
		"204800 512 none poke=446,77 poke=510,55aa"); /* a boot sector: a remark only */
	assert_null(af_session_read_only(s));
	assert_true(strlen(remark()) > 0);
}

static void test_session__writes_and_goes_on_from_there(void **state)
{
	struct af_layout wanted;
	uint32_t kept;

	(void)state;
	disk_make(image, mbr);
	put_swap(43008);
	reopen();
	af_session_probe(s, 0);
	kept = part(5)->id;
	run("delete 6; new primary size=10M; move 1 start=4096");
	af_layout_copy(now(), &wanted);
	if (!af_session_write(s, &report, &err))
		fail_msg("%s", err.text);
	assert_true(report.sectors > 0);
	assert_int_equal(access(report.backup, F_OK), 0);
	assert_false(af_session_modified(s));
	assert_null(af_session_undo(s));
	assert_ptr_equal(af_session_base(s), now());
	assert_int_equal(part(5)->id, kept);
	assert_string_equal(content(5)->fs, "swap");             /* it is where it was */
	assert_int_equal(content(1)->state, AF_CONTENT_UNKNOWN); /* it lies elsewhere now */
	assert_int_equal(content(3)->state,
			 AF_CONTENT_UNKNOWN); /* it can hold what was there before */
	assert_int_equal(content(2)->state, AF_CONTENT_NONE);
	assert_true(af_session_write(s, &report, &err)); /* nothing to do */
	assert_int_equal(report.sectors, 0);
	reopen();
	assert_true(af_layout_equal(now(), &wanted));
	af_layout_release(&wanted);
}

static void test_session__looks_again_after_writing(void **state)
{
	(void)state;
	open_disk(gpt);
	af_session_probe_start(s);
	(void)take_all();
	run("delete 1; new size=5M");
	assert_true(af_session_write(s, &report, &err));
	assert_true(af_session_probe_fd(s) >= 0);
	(void)take_all();
	assert_int_equal(content(1)->state, AF_CONTENT_NONE);
}

static void test_session__closes_and_writes_while_probing(void **state)
{
	(void)state;
	open_disk("gpt128");
	af_session_probe_start(s);
	reopen(); /* no hang, no leak, no race: the sanitizers watch */
	af_session_probe_start(s);
	run("name 1 other");
	assert_true(af_session_write(s, &report, &err));
	(void)take_all();
	for (uint32_t n = 1; n <= 128; n++)
		assert_int_equal(content(n)->state, AF_CONTENT_NONE);
}

static void test_session__a_failed_write_keeps_what_is_wanted(void **state)
{
	char file[240];
	int fd;

	(void)state;
	(void)snprintf(file, sizeof(file), "%s/log", root);
	options.maybe_journal = file;
	open_disk(mbr);
	fd = open(image, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	run("delete 1");
	assert_false(af_session_write(s, &report, &err));
	assert_int_equal(err.code, AF_E_BUSY);
	assert_true(af_session_modified(s));
	assert_int_equal(close(fd), 0);
	assert_true(af_session_write(s, &report, &err));
	assert_string_equal(report.backup, file); /* where the user says */
	assert_false(af_session_modified(s));
}

static void test_session__plans_patches_and_dumps_what_is_wanted(void **state)
{
	struct af_plan plan;
	struct af_patch patch;
	struct af_text text = { 0 };

	(void)state;
	open_disk(mbr);
	run("delete 1");
	af_session_plan(s, &plan);
	assert_true(plan.nchanges > 0);
	assert_int_equal(plan.change[0].kind, AF_CHANGE_REMOVED);
	af_plan_release(&plan);
	assert_true(af_session_patch(s, &patch, &err));
	assert_int_equal(patch.n, 1);
	assert_int_equal(patch.run[0].at, 0);
	af_patch_release(&patch);
	assert_true(af_session_dump(s, &text, &err));
	assert_non_null(strstr(af_text_get(&text), "label: dos"));
	assert_null(strstr(af_text_get(&text), "2048,"));
	af_text_release(&text);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_session__refuses_what_cannot_be_opened),
		CASE(test_session__opens_with_the_table_and_nothing_else),
		CASE(test_session__takes_the_overrides),
		CASE(test_session__probes_in_the_foreground),
		CASE(test_session__probes_behind_the_screen),
		CASE(test_session__what_vanished_while_probing_counts_as_data),
		CASE(test_session__does_undoes_and_redoes),
		CASE(test_session__preview_changes_nothing),
		CASE(test_session__knows_the_words_for_types),
		CASE(test_session__makes_fresh_identities),
		CASE(test_session__without_a_table_only_label_works),
		CASE(test_session__a_failed_run_leaves_nothing_behind),
		CASE(test_session__data_is_looked_for_before_it_is_moved),
		CASE(test_session__read_only_allows_everything_but_writing),
		CASE(test_session__a_protected_file_is_read_only),
		CASE(test_session__a_broken_table_takes_a_label_only),
		CASE(test_session__writes_and_goes_on_from_there),
		CASE(test_session__looks_again_after_writing),
		CASE(test_session__closes_and_writes_while_probing),
		CASE(test_session__a_failed_write_keeps_what_is_wanted),
		CASE(test_session__plans_patches_and_dumps_what_is_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
