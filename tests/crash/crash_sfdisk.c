/*
 * crash_sfdisk.c - the control: sfdisk makes the same tables as afdisk does in crash_commit.c, and the same states are tried
 * of what it writes. It keeps no log, so that a state that reads neither as the old nor as the new table is lost. If this
 * found no loss, the other test could not find any either.
 */
#include "crash_bench.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "crash.h"
#include "crash_scenarios.h"

#define RECORD "log.tap"

struct trial {
	struct crash_log parts;
	unsigned char **before;
	struct af_layout old, wanted;
	size_t lost;
};

static char recorder[PATH_MAX]; /* the library beside this program */

/* Has sfdisk make the image what script says, recorded. */
static bool run_sfdisk(const struct af_text *script)
{
	int pipe_fd[2], status = 1;
	pid_t child;

	assert_int_equal(pipe(pipe_fd), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		(void)dup2(pipe_fd[0], STDIN_FILENO);
		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
		(void)close(pipe_fd[1]);
		(void)setenv("LD_PRELOAD", recorder, 1);
		(void)setenv("TAP_IMAGE", IMAGE, 1);
		(void)setenv("TAP_LOG", RECORD, 1);
		(void)execlp("sfdisk", "sfdisk", "--force", "--no-reread",
			     "--no-tell-kernel", "--wipe=never", IMAGE, NULL);
		_exit(127);
	}
	(void)close(pipe_fd[0]);
	assert_int_equal(write(pipe_fd[1], script->data, script->len), script->len);
	(void)close(pipe_fd[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static struct crash_log read_record(void)
{
	struct crash_log log = { 0 };
	FILE *f = fopen(RECORD, "re");
	int64_t head[2];

	while (f && fread(head, sizeof(head), 1, f) == 1) {
		size_t n = (size_t)head[1];
		unsigned char *bytes = malloc(n + 1);

		assert_non_null(bytes);
		assert_int_equal(fread(bytes, 1, n, f), n);
		if (n > 0)
			crash_put(&log, head[0], bytes, n);
		else
			crash_flush(&log);
		free(bytes);
	}
	if (f)
		(void)fclose(f);
	(void)unlink(RECORD);
	return log;
}

static void put(int fd, const struct crash_write *w, const unsigned char *bytes)
{
	assert_int_equal(pwrite(fd, bytes, w->len, w->at), w->len);
}

static void visit(void *ctx, const bool *there)
{
	struct trial *t = ctx;
	struct af_session *s;
	int fd = open(IMAGE, O_RDWR | O_CLOEXEC);

	for (size_t i = 0; i < t->parts.n; i++)
		put(fd, &t->parts.write[i], t->before[i]);
	for (size_t i = 0; i < t->parts.n; i++)
		if (there[i])
			put(fd, &t->parts.write[i], t->parts.write[i].bytes);
	(void)close(fd);
	s = open_image();
	t->lost += !reads_as(s, &t->old) && !reads_as(s, &t->wanted);
	af_session_close(s);
}

/* The table that the scenario's commands make, as a script; false if there is nothing to change. */
static bool make_script(const struct scenario *what, struct trial *t,
			struct af_text *script)
{
	struct af_session *s = open_image();
	struct af_err err;
	bool good =
		af_session_run(s, what->commands, &err) && af_session_dump(s, script, &err);

	af_layout_copy(af_session_base(s), &t->old);
	af_session_close(s);
	return good;
}

static void remember(const struct scenario *what, struct trial *t)
{
	int fd;

	make_image(what->disk);
	fd = open(IMAGE, O_RDONLY | O_CLOEXEC);
	t->before = calloc(t->parts.n + 1, sizeof(*t->before));
	for (size_t i = 0; i < t->parts.n; i++) {
		const struct crash_write *w = &t->parts.write[i];

		t->before[i] = calloc(1, w->len);
		assert_true(pread(fd, t->before[i], w->len, w->at) >= 0);
	}
	(void)close(fd);
}

/* Adds what came of one scenario to the sums. */
static void try_scenario(const struct scenario *what, size_t *states, size_t *lost)
{
	struct trial t = { 0 };
	struct af_text script = { 0 };
	struct crash_log log;
	struct af_session *s;

	make_image(what->disk);
	if (!make_script(what, &t, &script) || !run_sfdisk(&script)) {
		af_text_release(&script);
		af_layout_release(&t.old);
		return; /* not a table that sfdisk can make: none of its failures */
	}
	af_text_release(&script);
	log = read_record();
	s = open_image();
	af_layout_copy(af_session_base(s), &t.wanted);
	af_session_close(s);
	t.parts = crash_tear(&log, 512);
	crash_release(&log);
	remember(what, &t);
	size_t n = crash_states(&t.parts, visit, &t);

	*states += n;
	*lost += t.lost;
	if (t.lost > 0)
		print_message("sfdisk, %s: %zu of %zu states lost\n", what->name, t.lost,
			      n);
	for (size_t i = 0; i < t.parts.n; i++)
		free(t.before[i]);
	free(t.before);
	crash_release(&t.parts);
	af_layout_release(&t.old);
	af_layout_release(&t.wanted);
}

static void test_crash__the_harness_finds_what_sfdisk_loses(void **state)
{
	size_t states = 0, lost = 0;

	(void)state;
	for (size_t i = 0; i < SCENARIOS; i++) {
		const char *disk = scenario_table[i].disk;

		if (strlen(disk) < 10 || least(disk) > 512)
			continue;
		try_scenario(&scenario_table[i], &states, &lost);
	}
	print_message("sfdisk: %zu states, %zu lost\n", states, lost);
	assert_true(states > 100);
	assert_true(lost > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crash__the_harness_finds_what_sfdisk_loses),
	};
	ssize_t n = readlink("/proc/self/exe", recorder, sizeof(recorder) - 16);
	char *slash;

	recorder[n > 0 ? n : 0] = '\0';
	slash = strrchr(recorder, '/');
	if (slash)
		(void)snprintf(slash + 1, 16, "record.so");
	return cmocka_run_group_tests(tests, enter, leave);
}
