/*
 * Tasks done with cfdisk and with afdisk, key by key in a real terminal. What the table is afterwards is judged by sfdisk; how many
 * keys it took has to stand in the page for users of cfdisk. Tasks are in tasks.txt:
 *
 *   task Words of the row in the page
 *   disk ...               what mkdisk makes (tests/lib/disks.h)
 *   cfdisk KEY...          keys by name, BackSpace*6 six times; what names no key is typed, a key each letter
 *   cannot WHY             instead: cfdisk has no way to do it
 *   tries KEY...           what it is tried by, before Enter; says TEXT is what cfdisk answers then
 *   afdisk KEY...
 *   is START SECTORS TYPE     a partition afterwards, as sfdisk tells it; ~N: or up to 2 MiB beside, *: any; the type of a GPT is the
 *                             beginning of its UUID, and 5 and f are both extended
 *
 * The way of cfdisk is the shortest that somebody takes who knows it. BLESS=1 writes the numbers into the page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "disks.h"
#include "terminal.h"

#define TASKS 10
#define LINE  1000

struct task {
	char words[200], disk[600], cfdisk[LINE], afdisk[LINE], cannot[200];
	char tries[LINE], says[200];
	char wanted[2000]; /* the lines of is */
	int keys[2];       /* of cfdisk and of afdisk, as counted */
};

static struct task task[TASKS];
static size_t ntasks;
static char home[4096], place[4096];

/* --- the list ------------------------------------------------------------------------------------------ */

static void read_line(struct task *t, const char *word, const char *rest)
{
	if (strcmp(word, "disk") == 0)
		snprintf(t->disk, sizeof(t->disk), "%s", rest);
	else if (strcmp(word, "cfdisk") == 0)
		snprintf(t->cfdisk, sizeof(t->cfdisk), "%s", rest);
	else if (strcmp(word, "afdisk") == 0)
		snprintf(t->afdisk, sizeof(t->afdisk), "%s", rest);
	else if (strcmp(word, "tries") == 0)
		snprintf(t->tries, sizeof(t->tries), "%s", rest);
	else if (strcmp(word, "says") == 0)
		snprintf(t->says, sizeof(t->says), "%s", rest);
	else if (strcmp(word, "cannot") == 0)
		snprintf(t->cannot, sizeof(t->cannot), "%s", rest);
	else if (strcmp(word, "is") == 0)
		snprintf(t->wanted + strlen(t->wanted),
			 sizeof(t->wanted) - strlen(t->wanted), "%s\n", rest);
	else
		fail_msg("%s is no word of a task", word);
}

static void read_tasks(void)
{
	char path[5000], line[LINE];
	snprintf(path, sizeof(path), "%s/tests/pty/tasks.txt", home);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		char *rest = line + strcspn(line, " ");
		if (*rest)
			*rest++ = '\0';
		if (strcmp(line, "task") == 0) {
			assert_true(ntasks < TASKS);
			snprintf(task[ntasks++].words, sizeof(task[0].words), "%s", rest);
		} else if (*line && *line != '#') {
			assert_true(ntasks > 0);
			read_line(&task[ntasks - 1], line, rest);
		}
	}
	fclose(f);
}

/* --- keys ---------------------------------------------------------------------------------------------- */

/* What a key sends in a terminal of the kind xterm. */
static const struct {
	const char *name, *sends;
} key_table[] = {
	{ "Up", "\033OA" },    { "Down", "\033OB" },    { "Right", "\033OC" },
	{ "Left", "\033OD" },  { "Home", "\033OH" },    { "End", "\033OF" },
	{ "PgUp", "\033[5~" }, { "PgDn", "\033[6~" },   { "Enter", "\r" },
	{ "Tab", "\t" },       { "BackSpace", "\177" }, { "Delete", "\033[3~" },
	{ "Ctrl-Z", "\032" },  { "Space", " " },
};

static void press(struct terminal *p, const char *sends)
{
	(void)terminal_send(p, sends, 20);
}

/* One word of the list of keys; how many keys that were. */
static int press_word(struct terminal *p, const char *word)
{
	const size_t n = strcspn(word, "*");
	const int times = word[n] ? (int)strtol(word + n + 1, NULL, 10) : 1; /* small */
	for (size_t i = 0; i < sizeof(key_table) / sizeof(key_table[0]); i++)
		if (strlen(key_table[i].name) == n &&
		    strncmp(key_table[i].name, word, n) == 0) {
			for (int k = 0; k < times; k++)
				press(p, key_table[i].sends);
			return times;
		}
	for (const char *c = word; *c; c++) {
		const char letter[2] = { *c };
		press(p, letter);
	}
	return (int)strlen(word);
}

static int press_words(struct terminal *p, const char *keys)
{
	char words[LINE], *rest = words;
	int count = 0;
	snprintf(words, sizeof(words), "%s", keys);
	for (char *word = strtok_r(words, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		count += press_word(p, word);
	return count;
}

/* Starts the program on disk.img; marker is drawn by its first screen. */
static void begin_program(struct terminal *p, const char *program, const char *marker)
{
	char path[5000], disk[] = "disk.img";
	char *argv[] = { path, disk, NULL };
	snprintf(path, sizeof(path), "%s", program);
	terminal_start(p, argv, NULL);
	(void)terminal_first(p, marker);
	terminal_settle(p, 100);
}

/* Runs the program with these keys, by which it leaves; how many they are. */
static int run_keys(const char *program, const char *marker, const char *keys)
{
	struct terminal p;
	begin_program(&p, program, marker);
	const int count = press_words(&p, keys);
	const int status = terminal_leave(&p);
	if (status != 0)
		fail_msg("%s does not leave with 0 after: %s", program, keys);
	return count;
}

/* --- judging ------------------------------------------------------------------------------------------- */

/* The value behind "name=" in a line of a dump, up to a comma. */
static void field(const char *line, const char *name, char out[60])
{
	const char *at = strstr(line, name);
	out[0] = '\0';
	if (!at)
		return;
	at += strlen(name);
	at += strspn(at, " ");
	snprintf(out, 60, "%.*s", (int)strcspn(at, ",\n"), at);
}

/* The partitions as sfdisk tells them, in the form of the list. */
static void read_table(char *out, size_t size)
{
	char line[LINE], start[60], sectors[60], type[60];
	size_t used = 0;
	out[0] = '\0';
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (!freopen("dump.txt", "w", stdout))
			_exit(1);
		execlp("sfdisk", "sfdisk", "-d", "disk.img", (char *)NULL);
		_exit(127);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	FILE *f = fopen("dump.txt", "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "start="))
			continue;
		field(line, "start=", start);
		field(line, "size=", sectors);
		field(line, "type=", type);
		type[strcspn(type, "-")] = '\0';
		used += (size_t)snprintf(out + used, size - used, "%s %s %s\n", start,
					 sectors, strcmp(type, "f") == 0 ? "5" : type);
	}
	fclose(f);
	unlink("dump.txt");
}

/* True if a number is the wanted one. */
static bool is_number(const char *wanted, const char *got)
{
	const long long near = 2LL * 2048;
	if (*wanted != '~')
		return strcmp(wanted, "*") == 0 || strcmp(wanted, got) == 0;
	return llabs(strtoll(wanted + 1, NULL, 10) - strtoll(got, NULL, 10)) <= near;
}

static bool is_table(const char *wanted, const char *got)
{
	char want[3][60], have[3][60];
	int n = 0, m = 0;
	while (sscanf(wanted, "%59s %59s %59s\n%n", want[0], want[1], want[2], &n) == 3 &&
	       sscanf(got, "%59s %59s %59s\n%n", have[0], have[1], have[2], &m) == 3) {
		if (!is_number(want[0], have[0]) || !is_number(want[1], have[1]) ||
		    strcmp(want[2], have[2]) != 0)
			return false;
		wanted += n;
		got += m;
	}
	return *wanted == '\0' && *got == '\0';
}

static int do_task(const struct task *t, const char *program, const char *marker,
		   const char *keys)
{
	char table[2000];
	disk_make("disk.img", t->disk);
	const int count = run_keys(program, marker, keys);
	read_table(table, sizeof(table));
	unlink("disk.img");
	if (!is_table(t->wanted, table))
		fail_msg("%s: %s made\n%s", t->words, program, table);
	return count;
}

static const char cfdisk[] = "/usr/sbin/cfdisk";

/* What cfdisk cannot do it says, when it is asked to with Enter. */
static void try_task(const struct task *t)
{
	struct terminal p;
	disk_make("disk.img", t->disk);
	begin_program(&p, cfdisk, "uit");
	press_words(&p, t->tries);
	assert_int_equal(write(p.fd, "\r", 1), 1);
	(void)terminal_first(&p, t->says);
	terminal_stop(&p);
	unlink("disk.img");
}

static void test_task(void **state)
{
	struct task *t = *state;
	t->keys[1] = do_task(t, getenv("AFDISK"), "isk", t->afdisk);
	if (t->tries[0])
		try_task(t);
	if (t->cannot[0])
		return;
	t->keys[0] = do_task(t, cfdisk, "uit", t->cfdisk);
	if (t->keys[1] > t->keys[0])
		fail_msg("%s: %d keys, cfdisk %d", t->words, t->keys[1], t->keys[0]);
}

/* --- the page ------------------------------------------------------------------------------------------ */

static void make_row(const struct task *t, char *row, size_t size)
{
	char keys[20];
	snprintf(keys, sizeof(keys), "%d", t->keys[0]);
	snprintf(row, size, "| %s | %s | %d |\n", t->words, t->cannot[0] ? t->cannot : keys,
		 t->keys[1]);
}

/* The page with the rows between its marks replaced. For free(). */
static char *fill_in(const char *page)
{
	static const char begin[] = "<!-- tasks: begin -->\n",
			  end[] = "<!-- tasks: end -->";
	const char *from = strstr(page, begin), *to = strstr(page, end);
	assert_non_null(from);
	assert_non_null(to);
	from += strlen(begin);
	char row[LINE], *made = calloc(strlen(page) + TASKS * sizeof(row) + 200, 1);
	assert_non_null(made);
	char *at = made + sprintf(made, "%.*s%s", (int)(from - page), page,
				  "\n| task | cfdisk | afdisk |\n| --- | ---: | ---: |\n");
	for (size_t i = 0; i < ntasks; i++) {
		make_row(&task[i], row, sizeof(row));
		at += sprintf(at, "%s", row);
	}
	sprintf(at, "\n%s", to);
	return made;
}

static void test_the_page_tells_the_numbers(void **state)
{
	static char page[100000];
	char path[5000];
	(void)state;
	snprintf(path, sizeof(path), "%s/src/for-cfdisk-users.md", home);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	page[fread(page, 1, sizeof(page) - 1, f)] = '\0';
	fclose(f);
	char *made = fill_in(page);
	if (getenv("BLESS")) {
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(made, f);
		assert_int_equal(fclose(f), 0);
	} else {
		assert_string_equal(page, made);
	}
	free(made);
}

static int enter_place(void **state)
{
	const char *tmp = getenv("TMPDIR");
	(void)state;
	snprintf(place, sizeof(place), "%s/tasks.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(place) && chdir(place) == 0 ? 0 : -1;
}

static int leave_place(void **state)
{
	(void)state;
	unlink("disk.img"); /* of a task that failed */
	return chdir("/") == 0 && rmdir(place) == 0 ? 0 : -1;
}

int main(void)
{
	static struct CMUnitTest test[TASKS + 1];
	if (!getcwd(home, sizeof(home)))
		return 1;
	read_tasks();
	for (size_t i = 0; i < ntasks; i++)
		test[i] = (struct CMUnitTest){ .name = task[i].words,
					       .test_func = test_task,
					       .initial_state = &task[i] };
	test[ntasks] = (struct CMUnitTest){ .name = "the page tells the numbers",
					    .test_func = test_the_page_tells_the_numbers };
	return _cmocka_run_group_tests("tasks", test, ntasks + 1, enter_place, leave_place);
}
