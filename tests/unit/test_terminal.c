/* The editor in a terminal, by the clock: Esc alone leaves a question at once, although keys begin with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "disks.h"
#include "folder.h"
#include "terminal.h"

#define TRIES    9
#define QUIET_MS 60
#define ESCAPE_NS                                                                          \
	50000000 /* 50 ms; the best of some tries counts, for the machine may be busy */

static char root[200];

/* The best of some tries for what that key opens; 0 if there was no answer. */
static int64_t time_escape(struct terminal *t, const char *key)
{
	int64_t best = 0;
	for (int i = 0; i < TRIES && (best == 0 || best > ESCAPE_NS); i++) {
		const struct answer asked = terminal_send(t, key, QUIET_MS),
				    left = terminal_send(t, "\033", QUIET_MS);
		if (asked.bytes > 0 && left.bytes > 0 && (best == 0 || left.ns < best))
			best = left.ns;
	}
	return best;
}

static void test_terminal__escape_leaves_whatever_is_open_at_once(void **state)
{
	static const char *const table[] = { "l", "t", "r", "h", "M", "u" };
	char *argv[] = { getenv("AFDISK"), (char[]){ "disk.img" }, NULL };
	struct terminal t;
	(void)state;
	if (!argv[0])
		skip();
	disk_make("disk.img", "seed");
	terminal_start(&t, argv, NULL);
	terminal_first(&t, "edges of this partition, by typing or by arrows");
	terminal_settle(&t, QUIET_MS);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const int64_t ns = time_escape(&t, table[i]);
		print_message("Esc after %s: %lld us\n", table[i], (long long)ns / 1000);
		assert_true(ns > 0 && ns <= ESCAPE_NS);
	}
	terminal_stop(&t);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");
	(void)state;
	snprintf(root, sizeof(root), "%s/afdisk-terminal-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root) || chdir(root) != 0)
		return -1;
	return setenv("XDG_STATE_HOME", root, 1);
}

static int teardown(void **state)
{
	(void)state;
	return chdir("/") == 0 ? folder_remove(root) : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_terminal__escape_leaves_whatever_is_open_at_once, setup,
			teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
