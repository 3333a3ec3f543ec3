/*
 * crash_faults.c - a call fails, lies or is the last one while a table is written: at every single read, write and sync,
 * with every errno that drives and kernels give; and a program killed at random moments of random writes. No table is
 * lost, and nothing that failed is called done.
 */
#include "crash_bench.h"

#include <sys/wait.h>

#include "crash_scenarios.h"
#include "image_tap.h"

static const int errno_table[] = { EIO,   ENOSPC, ENODATA, EILSEQ,
				   EROFS, ENODEV, ENXIO,   EREMOTEIO };

#define ERRNOS (sizeof(errno_table) / sizeof(errno_table[0]))

/* How calls go wrong. */
enum fault { FAILS, FAILS_ON, LIES, SHORT, FAULTS };

struct tally {
	size_t tried, refused, partial, done;
};

/* A session over a fresh image, with the scenario's edits; old and wanted for the caller to release. */
static struct af_session *prepare(const struct scenario *what, struct af_layout *old,
				  struct af_layout *wanted)
{
	struct af_session *s;
	struct af_err err;

	make_image(what->disk);
	s = open_image();
	af_layout_copy(af_session_base(s), old);
	if (!af_session_run(s, what->commands, &err))
		fail_msg("%s: %s", what->name, err.text);
	af_layout_copy(af_session_disk(s).layout, wanted);
	return s;
}

/* How many calls of that kind a write without faults makes. */
static size_t count_calls(const struct scenario *what, enum tap_call call)
{
	struct af_layout old, wanted;
	struct af_session *s = prepare(what, &old, &wanted);
	struct af_commit_report report;
	struct af_err err;

	tap_begin(IMAGE, NULL);
	assert_true(af_session_write(s, &report, &err));
	tap_end();
	af_session_close(s);
	af_layout_release(&old);
	af_layout_release(&wanted);
	return tap.count[call];
}

/* What is said must be true, and say what to do. */
static void assert_told(bool done, const struct af_err *err, enum tap_call call,
			struct tally *t)
{
	t->tried++;
	if (done) {
		t->done++;
		assert_int_equal(call, TAP_READ); /* a look that nobody depends on */
	} else if (err->code == AF_E_PARTIAL) {
		t->partial++;
		assert_true(tap.count[TAP_WRITE] > 0);
		if (!strstr(err->text, "'afdisk --write --restore "))
			fail_msg("%s", err->text);
	} else {
		t->refused++;
		assert_int_equal(tap.count[TAP_WRITE], 0);
	}
}

/* One fault: the call number at of that kind. */
static void try_fault(const struct scenario *what, enum tap_call call, size_t at,
		      enum fault fault, struct tally *t)
{
	struct af_layout old, wanted;
	struct af_session *s = prepare(what, &old, &wanted);
	struct af_commit_report report;
	struct af_err err = { 0 };
	bool done;

	tap_begin(IMAGE, NULL);
	tap.fail_at[call] = at;
	tap.fail_with = fault == LIES ? 0 : errno_table[at % ERRNOS];
	tap.fail_on = fault == FAILS_ON || fault == SHORT;
	tap.is_short = fault == SHORT;
	done = af_session_write(s, &report, &err);
	tap_end();
	assert_told(done, &err, call, t);
	af_session_close(s);
	if (!settles(at % 2 ? AF_WAY_ON : AF_WAY_BACK, &old, &wanted))
		fail_msg("%s: lost after fault %d at call %zu of kind %d", what->name,
			 (int)fault, at, (int)call);
	af_layout_release(&old);
	af_layout_release(&wanted);
}

static void try_all(enum tap_call call, enum fault last)
{
	struct tally t = { 0 };

	for (size_t i = 0; i < SCENARIOS; i++) {
		const struct scenario *what = &scenario_table[i];
		size_t calls;

		if (strlen(what->disk) < 10) /* the large ones: nothing new in them */
			continue;
		calls = count_calls(what, call);
		assert_true(calls > 0);
		for (size_t at = 1; at <= calls; at++)
			for (enum fault f = FAILS; f <= last; f++)
				try_fault(what, call, at, f, &t);
	}
	print_message("%zu faults: %zu refused before anything was written, %zu told with "
		      "the way back, %zu without effect\n",
		      t.tried, t.refused, t.partial, t.done);
	assert_true(t.partial > 0);
	if (call == TAP_WRITE)
		assert_int_equal(t.partial, t.tried);
}

static void test_crash__a_fault_at_any_write_loses_nothing(void **state)
{
	(void)state;
	try_all(TAP_WRITE, SHORT);
}

static void test_crash__a_fault_at_any_sync_loses_nothing(void **state)
{
	(void)state;
	try_all(TAP_SYNC, FAILS_ON);
}

static void test_crash__a_fault_at_any_read_loses_nothing(void **state)
{
	(void)state;
	try_all(TAP_READ, FAILS_ON);
}

static uint64_t dice = 1;

static unsigned below(unsigned n)
{
	dice = dice * 6364136223846793005U + 1442695040888963407U;
	return n ? (unsigned)(dice >> 33) % n : 0;
}

/* Edits by chance until there is something to write; what a table does not take is left out. */
static void edit_somehow(struct af_session *s)
{
	static const struct {
		const char *before, *after;
		bool rare;
	} form_table[] = {
		{ "delete ", "", false },
		{ "type ", " 7", false },
		{ "new size=", "M", false },
		{ "new logical size=", "M", false },
		{ "new primary size=", "M", false },
		{ "resize ", " size=1M table-only", false },
		{ "resize 2 start=", "000 table-only", false },
		{ "resize 2 end=6", "000", false },
		{ "move ", " start=30720 table-only", false },
		{ "label dos; new size=", "M; new logical size=1M", true },
		{ "label gpt; new size=", "M; new size=1M", true },
		{ "align all table-only; type ", " 7", true },
		{ "sort; type ", " 7", true },
	};
	char text[80];
	struct af_err err;

	for (size_t k = 0; k < 200 && (!af_session_modified(s) || below(3) > 0); k++) {
		unsigned i = below(sizeof(form_table) / sizeof(form_table[0]));

		(void)snprintf(text, sizeof(text), "%s%u%s", form_table[i].before,
			       1 + below(9), form_table[i].after);
		if (form_table[i].rare && below(4) > 0)
			continue;
		if (!af_session_run(s, text, &err))
			assert_int_not_equal(err.code, AF_OK);
	}
	assert_true(af_session_modified(s));
}

/* Writes in a process of its own, which ends after so many calls; returns the calls it made if it was not killed. */
static long write_and_die(struct af_session *s, long kill_in)
{
	const long many = 1000000;
	int pipe_fd[2], status = 0;
	long calls = 0;
	pid_t child;

	assert_int_equal(pipe(pipe_fd), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct af_commit_report report;
		struct af_err err;

		tap.kill_in = kill_in > 0 ? kill_in : many;
		calls = af_session_write(s, &report, &err) ? many - tap.kill_in : -1;
		if (calls < 0)
			print_error("%s\n", err.text);
		tap.kill_in = 0;
		_exit(write(pipe_fd[1], &calls, sizeof(calls)) == sizeof(calls) ? 0 : 1);
	}
	(void)close(pipe_fd[1]);
	if (read(pipe_fd[0], &calls, sizeof(calls)) != sizeof(calls))
		calls = 0;
	(void)close(pipe_fd[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(kill_in > 0 || calls > 0);
	return calls;
}

#define KILLS 300

/* One random write, killed at a random moment; true if it was interrupted. */
static bool try_kill(bool spares_reads)
{
	const char *disk = scenario_table[below(SCENARIOS)].disk;
	struct af_layout old, wanted;
	struct af_session *s;
	bool between;
	long calls;

	if (strlen(disk) < 10 || strstr(disk, " none") || strstr(disk, "poke="))
		disk = DOS; /* a damaged one must be repaired first */
	make_image(disk);
	s = open_image();
	edit_somehow(s);
	af_layout_copy(af_session_base(s), &old);
	af_layout_copy(af_session_disk(s).layout, &wanted);
	tap.spares_reads = spares_reads;
	calls = write_and_die(s, 0);
	make_image(disk); /* and once more, from where this process still is */
	assert_int_equal(write_and_die(s, 1 + (long)below((unsigned)calls)), 0);
	af_session_close(s);
	s = open_image();
	between = af_session_unfinished(s) != NULL;
	af_session_close(s);
	if (!settles(below(2) ? AF_WAY_ON : AF_WAY_BACK, &old, &wanted))
		fail_msg("lost on %s", disk);
	af_layout_release(&old);
	af_layout_release(&wanted);
	return between;
}

static void test_crash__killed_at_a_random_moment_loses_nothing(void **state)
{
	const char *given = getenv("SEED");
	size_t interrupted = 0;

	(void)state;
	dice = given ? strtoul(given, NULL, 0) : (unsigned long)getpid();
	print_message("SEED=%lu\n", (unsigned long)dice);
	for (size_t i = 0; i < KILLS; i++)
		interrupted += try_kill(i % 2);
	print_message("%d kills, %zu of them between two tables, 0 lost\n", KILLS,
		      interrupted);
	assert_true(interrupted > 0);
}

static void expect_sectors(const char *disk, const char *commands, size_t sectors)
{
	struct af_session *s;
	struct af_commit_report report = { 0 };
	struct af_err err;

	make_image(disk);
	s = open_image();
	if (!af_session_run(s, commands, &err) || !af_session_write(s, &report, &err))
		fail_msg("%s: %s", commands, err.text);
	assert_int_equal(report.sectors, sectors);
	af_session_close(s);
}

static void test_crash__a_small_change_writes_few_sectors(void **state)
{
	(void)state;
	expect_sectors("dos56", "type 30 82", 1);
	expect_sectors("dos56", "delete 30", 1);
	expect_sectors("dos56", "delete 60", 1);
	expect_sectors("dos56", "boot 1 on", 1);
	expect_sectors("dos56", "resize 30 size=2M table-only", 2); /* and its link */
	expect_sectors("gpt128", "name 64 other", 4);
	expect_sectors("gpt128", "delete 64", 4);
	expect_sectors("gpt128", "resize 64 size=1M table-only", 4);
}

static void test_crash__a_table_applied_again_writes_nothing(void **state)
{
	static const char *const disk_table[] = { DOS, OLD, TIGHT, DOS4K, GPT, GPT4K };

	(void)state;
	for (size_t i = 0; i < sizeof(disk_table) / sizeof(disk_table[0]); i++) {
		struct af_text script = { 0 }, remarks = { 0 };
		struct af_commit_report report = { 0 };
		struct af_err err;
		struct af_session *s;

		make_image(disk_table[i]);
		s = open_image();
		assert_true(af_session_dump(s, &script, &err));
		assert_true(af_session_apply(s, script.data, script.len, &remarks, &err));
		tap_begin(IMAGE, NULL);
		assert_true(af_session_write(s, &report, &err));
		tap_end();
		assert_int_equal(tap.count[TAP_WRITE], 0);
		assert_int_equal(report.sectors, 0);
		af_session_close(s);
		af_text_release(&script);
		af_text_release(&remarks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crash__a_fault_at_any_write_loses_nothing),
		cmocka_unit_test(test_crash__a_fault_at_any_sync_loses_nothing),
		cmocka_unit_test(test_crash__a_fault_at_any_read_loses_nothing),
		cmocka_unit_test(test_crash__killed_at_a_random_moment_loses_nothing),
		cmocka_unit_test(test_crash__a_small_change_writes_few_sectors),
		cmocka_unit_test(test_crash__a_table_applied_again_writes_nothing),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
