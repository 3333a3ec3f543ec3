/*
 * crash_commit.c - the power fails while a table is written: every state that can be left is opened again. It must read as
 * the old table or the new one, or be brought to either of them by one restart, to the last bit; and so must every
 * state that a power cut during that restart leaves.
 */
#include "crash_bench.h"

#include <fcntl.h>

#include "crash.h"
#include "crash_scenarios.h"
#include "image_tap.h"

/* What came of the states of one scenario, or of all. */
struct tally {
	size_t states, old, fresh, healed, lost, restarts, cut_again;
};

/* One scenario, with a drive of one physical sector size. */
struct trial {
	const struct scenario *what;
	struct crash_log parts; /* what the commit wrote, torn */
	unsigned char **before; /* of each part: what was there */
	struct af_layout old, wanted;
	struct tally tally;
	bool again; /* the states of an interrupted restart are being tried */
};

static int image_fd(void)
{
	int fd = open(IMAGE, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

/* Puts the image into a state: part i is new if maybe_there[i], old if not; all old without it. */
static void set_state(const struct trial *t, const bool *maybe_there)
{
	int fd = image_fd();

	for (size_t i = 0; i < t->parts.n; i++)
		assert_int_equal(syscall(SYS_pwrite64, fd, t->before[i],
					 t->parts.write[i].len, t->parts.write[i].at),
				 t->parts.write[i].len);
	for (size_t i = 0; i < t->parts.n && maybe_there; i++)
		if (maybe_there[i])
			assert_int_equal(syscall(SYS_pwrite64, fd, t->parts.write[i].bytes,
						 t->parts.write[i].len,
						 t->parts.write[i].at),
					 t->parts.write[i].len);
	close(fd);
}

/* True if every part holds its new bytes, or every part its old ones. */
static bool is_whole(const struct trial *t, bool fresh)
{
	static unsigned char now[65536];
	int fd = image_fd();
	bool same = true;

	for (size_t i = 0; i < t->parts.n && same; i++) {
		const struct crash_write *w = &t->parts.write[i];

		assert_true(w->len <= sizeof(now));
		assert_int_equal(syscall(SYS_pread64, fd, now, w->len, w->at), w->len);
		same = memcmp(now, fresh ? w->bytes : t->before[i], w->len) == 0;
	}
	close(fd);
	return same;
}

/* One restart: finishes or takes back what is unfinished. True if the disk is wholly at that end then. */
static bool restart(struct trial *t, enum af_way way)
{
	struct af_session *s = open_image();
	struct af_commit_report report;
	struct af_err err;
	bool done = af_session_unfinished(s) != NULL &&
		    af_session_finish(s, way, &report, &err) &&
		    reads_as(s, way == AF_WAY_ON ? &t->wanted : &t->old) &&
		    !af_session_unfinished(s);

	af_session_close(s);
	t->tally.restarts++;
	return done && is_whole(t, way == AF_WAY_ON);
}

/* Cuts the power at each write of a restart from this state, and restarts once more. */
static bool survives_second_cut(struct trial *t, const bool *there, enum af_way way)
{
	struct crash_log log = { 0 };
	bool good = true, *now = calloc(t->parts.n + 1, sizeof(*now));

	tap_begin(IMAGE, &log);
	set_state(t, there);
	good = restart(t, way);
	tap_end();
	for (size_t k = 0; k + 1 < log.n && good; k += 1 + log.n / CRASH_ALL) {
		int fd;

		set_state(t, there);
		fd = image_fd();
		for (size_t i = 0; i <= k; i++)
			(void)syscall(SYS_pwrite64, fd, log.write[i].bytes,
				      log.write[i].len, log.write[i].at);
		close(fd);
		good = restart(t, way);
		t->tally.cut_again++;
	}
	crash_release(&log);
	free(now);
	return good;
}

/* Both ends can be reached from here. */
static bool heals(struct trial *t, const bool *there)
{
	bool good;

	set_state(t, there);
	good = restart(t, AF_WAY_ON);
	set_state(t, there);
	good = restart(t, AF_WAY_BACK) && good;
	if (good && (t->parts.n <= CRASH_ALL || t->tally.states % 64 == 0))
		good = survives_second_cut(t, there, AF_WAY_ON) &&
		       survives_second_cut(t, there, AF_WAY_BACK);
	return good;
}

static void print_state(const struct trial *t, const bool *there)
{
	print_message("LOST %s: written are", t->what->name);
	for (size_t i = 0; i < t->parts.n; i++)
		if (there[i])
			print_message(" %lld", (long long)t->parts.write[i].at / 512);
	print_message("\n");
}

static void visit(void *ctx, const bool *there)
{
	struct trial *t = ctx;
	struct af_session *s;
	bool old, fresh, between, good = true;

	set_state(t, there);
	s = open_image();
	old = reads_as(s, &t->old);
	fresh = reads_as(s, &t->wanted);
	between = af_session_unfinished(s) != NULL;
	af_session_close(s);
	t->tally.states++;
	if (between)
		good = heals(t, there);
	else
		good = old || fresh;
	if (!good) {
		t->tally.lost++;
		print_state(t, there);
	} else if (old) {
		t->tally.old++;
	} else if (fresh) {
		t->tally.fresh++;
	} else {
		t->tally.healed++;
	}
}

/* Writes the wanted table, recording how. */
static void write_once(struct trial *t, struct crash_log *log)
{
	struct af_session *s = open_image();
	struct af_commit_report report;
	struct af_err err;

	af_layout_copy(af_session_base(s), &t->old);
	if (!af_session_run(s, t->what->commands, &err))
		fail_msg("%s: %s", t->what->name, err.text);
	tap_begin(IMAGE, log);
	if (!af_session_write(s, &report, &err))
		fail_msg("%s: %s", t->what->name, err.text);
	tap_end();
	assert_true(log->n > 0);
	af_layout_copy(af_session_base(s), &t->wanted);
	af_session_close(s);
}

/* Reads what was at each part before: the image is made anew for that. */
static void remember(struct trial *t)
{
	int fd;

	disk_make(IMAGE, t->what->disk);
	fd = image_fd();
	t->before = calloc(t->parts.n + 1, sizeof(*t->before));
	for (size_t i = 0; i < t->parts.n; i++) {
		const struct crash_write *w = &t->parts.write[i];

		t->before[i] = malloc(w->len);
		assert_int_equal(syscall(SYS_pread64, fd, t->before[i], w->len, w->at),
				 w->len);
	}
	close(fd);
}

static void add(struct tally *sum, const struct tally *t)
{
	sum->states += t->states;
	sum->old += t->old;
	sum->fresh += t->fresh;
	sum->healed += t->healed;
	sum->lost += t->lost;
	sum->restarts += t->restarts;
	sum->cut_again += t->cut_again;
}

static struct tally try_scenario(const struct scenario *what, size_t physical)
{
	struct trial t = { .what = what };
	struct crash_log log = { 0 };

	make_image(what->disk);
	write_once(&t, &log);
	t.parts = crash_tear(&log, physical);
	remember(&t);
	(void)crash_states(&t.parts, visit, &t);
	for (size_t i = 0; i < t.parts.n; i++)
		free(t.before[i]);
	free(t.before);
	crash_release(&t.parts);
	crash_release(&log);
	af_layout_release(&t.old);
	af_layout_release(&t.wanted);
	return t.tally;
}

static void say(const char *name, size_t physical, const struct tally *t)
{
	print_message(
		"%-50s %4zu: %5zu states: %4zu old, %4zu new, %4zu healed, %zu lost\n",
		name, physical, t->states, t->old, t->fresh, t->healed, t->lost);
}

static void test_crash__no_state_of_a_commit_loses_a_table(void **state)
{
	struct tally sum = { 0 };

	(void)state;
	for (size_t i = 0; i < SCENARIOS; i++)
		for (size_t physical = least(scenario_table[i].disk); physical <= 4096;
		     physical *= 8) {
			struct tally t = try_scenario(&scenario_table[i], physical);

			say(scenario_table[i].name, physical, &t);
			add(&sum, &t);
		}
	print_message("%zu scenarios, physical sectors of 512 and 4096 bytes\n", SCENARIOS);
	say("all", 0, &sum);
	print_message("%zu restarts, %zu of them after a power cut in one\n", sum.restarts,
		      sum.cut_again);
	assert_int_equal(sum.lost, 0);
	assert_true(sum.cut_again > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crash__no_state_of_a_commit_loses_a_table),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
