/*
 * Golden screens: keys in, a canvas out. A case is a file NAME.keys beside this one:
 *
 *   disk seed              what mkdisk makes (tests/lib/disks.h)
 *   machine home           no disk, but a list to choose one from (tests/lib/machine.h)
 *   sector 4096            the sector size to be assumed; 512 otherwise
 *   read-only | log        opened for reading only; what is written has its log in disk.log
 *   broken-off CMD; CMD    begun with the old sector 0 and the other sectors of what these commands write
 *   sizes 80x24 132x43     one golden screen each: NAME.80x24.txt
 *   ascii | roles          ASCII instead of UTF-8; the roles in a golden screen of their own, NAME.80x24.roles
 *   keys Down n Enter      keys by name, in order
 *   text 10G               characters that are typed
 *   changed                another program changes the table
 *   # ...                  a remark
 *
 * Every screen is drawn in ASCII, too, and must be the golden one with other glyphs; and no colour on it may say what
 * nothing else says. Every view must be in front in a case with both sizes above and the roles, which is what a terminal
 * without colours makes its attributes of.
 *
 * BLESS=1 writes the golden screens anew.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app.h"
#include "chooser.h"
#include "disks.h"
#include "machine.h"
#include "plain.h"

#define SIZES 4
#define STEPS 16
#define CASES 400
#define VIEWS 40

/* A case as read. Owned by the test that runs it. */
struct scene {
	char name[100], disk[600], machine[20], broken_off[200];
	struct {
		int rows, cols;
	} size[SIZES];
	size_t nsizes;
	int sector_size;
	bool ascii, roles;
	bool read_only, log;
	bool zero; /* begun without the table on the disk */
	struct {
		bool typed;   /* text, not names of keys */
		bool changed; /* neither: another program changes the table */
		char words[200];
	} step[STEPS];
	size_t nsteps;
};

/* The names of views, as their sources have them, and whether a case shows them in every way. */
struct shown {
	char name[40];
	bool every_way;
};

static struct shown shown[VIEWS];
static size_t nshown;

static char folder[4096]; /* where the cases are, absolute */
static char place[4096];  /* where disk.img is made */

static void read_sizes(struct scene *s, char *words)
{
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		assert_true(s->nsizes < SIZES);
		char *times;
		s->size[s->nsizes].cols = (int)strtol(word, &times, 10); /* small */
		assert_int_equal(*times, 'x');
		s->size[s->nsizes].rows = (int)strtol(times + 1, NULL, 10);
		s->nsizes++;
	}
}

static void add_step(struct scene *s, bool typed, const char *words)
{
	assert_true(s->nsteps < STEPS);
	s->step[s->nsteps].typed = typed;
	snprintf(s->step[s->nsteps].words, sizeof(s->step[s->nsteps].words), "%s", words);
	s->nsteps++;
}

/* True if the line is a word that stands alone. */
static bool read_flag(struct scene *s, const char *line)
{
	const struct {
		const char *word;
		bool *flag;
	} flag_table[] = {
		{ "ascii", &s->ascii }, { "zero", &s->zero },
		{ "roles", &s->roles }, { "read-only", &s->read_only },
		{ "log", &s->log },
	};
	for (size_t i = 0; i < sizeof(flag_table) / sizeof(flag_table[0]); i++)
		if (strcmp(line, flag_table[i].word) == 0)
			return *flag_table[i].flag = true;
	return false;
}

static void read_step(struct scene *s, const char *line, const char *words)
{
	if (strcmp(line, "changed") == 0)
		add_step(s, false, "");
	else if (strcmp(line, "keys") == 0 || strcmp(line, "text") == 0)
		add_step(s, line[0] == 't', words);
	else if (line[0] != '#' && line[0] != '\0')
		fail_msg("%s.keys: %s is no word of a case", s->name, line);
	if (strcmp(line, "changed") == 0)
		s->step[s->nsteps - 1].changed = true;
}

static void read_line(struct scene *s, char *line)
{
	char *words = line + strcspn(line, " ");
	if (*words)
		*words++ = '\0';
	if (strcmp(line, "disk") == 0)
		snprintf(s->disk, sizeof(s->disk), "%s", words);
	else if (strcmp(line, "machine") == 0)
		snprintf(s->machine, sizeof(s->machine), "%s", words);
	else if (strcmp(line, "sector") == 0)
		s->sector_size = (int)strtol(words, NULL, 10); /* small */
	else if (strcmp(line, "sizes") == 0)
		read_sizes(s, words);
	else if (strcmp(line, "broken-off") == 0)
		snprintf(s->broken_off, sizeof(s->broken_off), "%s", words);
	else if (!read_flag(s, line))
		read_step(s, line, words);
}

static void read_scene(struct scene *s, const char *name)
{
	char path[5000], line[700];
	*s = (struct scene){ 0 };
	snprintf(s->name, sizeof(s->name), "%s", name);
	snprintf(path, sizeof(path), "%s/%s.keys", folder, name);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		read_line(s, line);
	}
	fclose(f);
	assert_true(s->nsizes > 0);
}

/* The whole file, or NULL. For free(). */
static char *read_file(const char *path)
{
	struct stat st;
	FILE *f = fopen(path, "r");
	if (!f)
		return NULL;
	assert_int_equal(fstat(fileno(f), &st), 0);
	char *text = calloc((size_t)st.st_size + 1, 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)st.st_size, f), st.st_size);
	fclose(f);
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* Says in which lines two screens differ. */
static void tell_difference(const char *path, const char *wanted, const char *drawn)
{
	fprintf(stderr, "%s\n", path);
	for (int line = 1; *wanted || *drawn; line++) {
		const size_t w = strcspn(wanted, "\n"), d = strcspn(drawn, "\n");
		if (w != d || strncmp(wanted, drawn, w) != 0)
			fprintf(stderr, "%3d wanted %.*s\n    drawn  %.*s\n", line, (int)w,
				wanted, (int)d, drawn);
		wanted += w + (wanted[w] != '\0');
		drawn += d + (drawn[d] != '\0');
	}
}

/* True if the golden screen is this one; it is made so when blessing. */
static bool is_golden(const struct scene *s, size_t i, const char *ending,
		      const char *screen)
{
	char path[5000];
	snprintf(path, sizeof(path), "%s/%s.%dx%d.%s", folder, s->name, s->size[i].cols,
		 s->size[i].rows, ending);
	if (getenv("BLESS"))
		write_file(path, screen);
	char *golden = read_file(path);
	const bool same = golden && strcmp(golden, screen) == 0;
	if (!same)
		tell_difference(path, golden ? golden : "(there is no such file)", screen);
	free(golden);
	return same;
}

/* Fills the list of disks if that is on the screen: a case has none of the real ones. */
static void show_machine(struct ui_app *app, const struct scene *s)
{
	static struct af_disk_facts disk[MACHINE_MOST];
	if (app->maybe_chooser && s->machine[0])
		ui_chooser_show(app, disk, machine_make(s->machine, disk));
}

static void press(struct ui_app *app, struct ui_canvas *c, const struct scene *s, int key)
{
	ui_app_key(app, key);
	show_machine(app, s);
	ui_app_draw(app, c);
}

/* A byte of the disk, as another program would write it: sector 0 of a case has one in its first entry. */
static void change_table(void)
{
	FILE *f = fopen("disk.img", "r+");
	assert_non_null(f);
	assert_int_equal(fseek(f, 450, SEEK_SET), 0);
	assert_int_equal(fputc(0x07, f), 0x07);
	assert_int_equal(fclose(f), 0);
}

static void play(struct ui_app *app, struct ui_canvas *c, const struct scene *s)
{
	for (size_t i = 0; i < s->nsteps; i++) {
		const char *at = s->step[i].words;
		if (s->step[i].changed)
			change_table();
		while (*at && s->step[i].typed)
			press(app, c, s, (unsigned char)*at++);
		while (*at) {
			const int key = ui_key_parse(at);
			if (key == UI_KEY_NONE)
				fail_msg("%s.keys: there is no key %s", s->name, at);
			press(app, c, s, key);
			at += strcspn(at, " ");
			at += strspn(at, " ");
		}
	}
}

static bool check_canvas(const struct scene *s, size_t i, const struct ui_canvas *c)
{
	struct af_text text = { 0 }, roles = { 0 };
	ui_canvas_dump(c, &text);
	ui_canvas_dump_roles(c, &roles);
	bool same = is_golden(s, i, "txt", af_text_get(&text));
	if (s->roles)
		same = is_golden(s, i, "roles", af_text_get(&roles)) && same;
	af_text_release(&text);
	af_text_release(&roles);
	return same;
}

/* True if the screen that was drawn says the same without UTF-8, and without colours. */
static bool check_plain(const struct scene *s, struct ui_app *app,
			const struct ui_canvas *drawn)
{
	struct ui_canvas ascii;
	bool same = plain_mono_tells(drawn);
	if (!s->ascii) {
		ui_canvas_init(&ascii, drawn->rows, drawn->cols, true);
		ui_app_draw(app, &ascii);
		same = plain_ascii_same(drawn, &ascii) && same;
		ui_canvas_release(&ascii);
	}
	if (!same)
		fprintf(stderr, "... in %s at %dx%d\n", s->name, drawn->cols, drawn->rows);
	return same;
}

/* Writes the commands of the case, and puts the old sector 0 back. */
static void break_off(const struct scene *s, const struct af_session_options *o)
{
	struct af_commit_report report;
	struct af_err err = { 0 };
	char old[512];
	FILE *f = fopen("disk.img", "r+");
	struct af_session *session = af_session_open("disk.img", o, &err);
	assert_true(f && session);
	assert_int_equal(fread(old, 1, sizeof(old), f), sizeof(old));
	if (!af_session_run(session, s->broken_off, &err) ||
	    !af_session_write(session, &report, &err))
		fail_msg("%s", err.text);
	af_session_close(session);
	rewind(f);
	assert_int_equal(fwrite(old, 1, sizeof(old), f), sizeof(old));
	assert_int_equal(fclose(f), 0);
}

/* NULL if the case has no disk. */
static struct af_session *open_disk(const struct scene *s,
				    const struct af_session_options *o)
{
	struct af_err err = { 0 };
	if (s->disk[0] == '\0')
		return NULL;
	disk_make("disk.img", s->disk);
	if (s->broken_off[0])
		break_off(s, o);
	struct af_session *session = af_session_open("disk.img", o, &err);
	if (!session)
		fail_msg("%s", err.text);
	af_session_probe(session, 0);
	return session;
}

static bool has_size(const struct scene *s, int cols, int rows)
{
	for (size_t i = 0; i < s->nsizes; i++)
		if (s->size[i].cols == cols && s->size[i].rows == rows)
			return true;
	return false;
}

/* Notes which view is in front at the end of a case that is drawn in every way. */
static void note_view(const struct scene *s, const struct ui_app *app)
{
	if (s->ascii || !s->roles || !has_size(s, 80, 24) || !has_size(s, 132, 43))
		return;
	for (size_t i = 0; i < nshown; i++)
		if (strcmp(shown[i].name, app->layer[app->nlayers - 1].view->name) == 0)
			shown[i].every_way = true;
}

/* Plays the case in a window of its i-th size. */
static bool run_size(const struct scene *s, size_t i)
{
	struct af_session_options o = { 0 };
	struct ui_app app;
	struct ui_canvas c;
	o.zero = s->zero;
	o.read_only = s->read_only;
	o.maybe_journal = s->log ? "disk.log" : NULL;
	o.overrides.has_sector_size = s->sector_size > 0;
	o.overrides.sector_size = s->sector_size;
	ui_app_init(&app, open_disk(s, &o), &o);
	ui_canvas_init(&c, s->size[i].rows, s->size[i].cols, s->ascii);
	show_machine(&app, s);
	ui_app_draw(&app, &c);
	play(&app, &c, s);
	const bool same = check_canvas(s, i, &c) && check_plain(s, &app, &c);
	note_view(s, &app);
	ui_app_release(&app);
	ui_canvas_release(&c);
	unlink("disk.img");
	unlink("disk.log");
	return same;
}

static void test_screen(void **state)
{
	struct scene s;
	bool same = true;
	read_scene(&s, *state);
	for (size_t i = 0; i < s.nsizes; i++)
		same = run_size(&s, i) && same;
	assert_true(same);
}

static void test_views__are_all_shown_in_every_way(void **state)
{
	bool all = nshown > 0;
	(void)state;
	for (size_t i = 0; i < nshown; i++)
		if (!shown[i].every_way) {
			fprintf(stderr,
				"no case with sizes 80x24 132x43 and roles ends in %s\n",
				shown[i].name);
			all = false;
		}
	assert_true(all);
}

/* Takes the names of the views that a source defines: .name = "..." behind struct ui_view. */
static void find_views(const char *path)
{
	static const char begin[] = "const struct ui_view ", name[] = ".name = \"";
	char *source = read_file(path);
	assert_non_null(source);
	for (char *at = source; (at = strstr(at, begin)); at++) {
		const size_t head = strcspn(at, ";{"), n = strlen(name);
		const char *found = at[head] == '{' ? strstr(at + head, name) : NULL;
		if (!found)
			continue;
		assert_true(nshown < VIEWS);
		snprintf(shown[nshown++].name, sizeof(shown[0].name), "%.*s",
			 (int)strcspn(found + n, "\""), found + n);
	}
	free(source);
}

static int enter_place(void **state)
{
	const char *tmp = getenv("TMPDIR");
	(void)state;
	snprintf(place, sizeof(place), "%s/screens.XXXXXX", tmp ? tmp : "/tmp");
	glob_t source;
	if (glob("tui/*.c", 0, NULL, &source) != 0)
		return -1;
	for (size_t i = 0; i < source.gl_pathc; i++)
		find_views(source.gl_pathv[i]);
	globfree(&source);
	return mkdtemp(place) && chdir(place) == 0 ? 0 : -1;
}

static int leave_place(void **state)
{
	(void)state;
	return chdir("/") == 0 && rmdir(place) == 0 ? 0 : -1;
}

/* The name of a case from its path: without folder and ending. For free(). */
static char *case_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path);
	if (name)
		name[strlen(name) - strlen(".keys")] = '\0';
	return name;
}

int main(void)
{
	static struct CMUnitTest test[CASES + 1];
	glob_t found;
	size_t n = 0;
	if (!realpath("tests/screen", folder) ||
	    glob("tests/screen/*.keys", 0, NULL, &found) != 0) {
		fprintf(stderr, "run this from the top of the tree\n");
		return 1;
	}
	if (found.gl_pathc > CASES) {
		fprintf(stderr, "more than %d cases: raise CASES\n", CASES);
		return 1;
	}
	for (; n < found.gl_pathc; n++) {
		char *name = case_name(found.gl_pathv[n]);
		test[n] = (struct CMUnitTest){ .name = name,
					       .test_func = test_screen,
					       .initial_state = name };
	}
	globfree(&found);
	test[n] = (struct CMUnitTest)cmocka_unit_test(
		test_views__are_all_shown_in_every_way); /* behind the others */
	const int failed =
		_cmocka_run_group_tests("screens", test, n + 1, enter_place, leave_place);
	for (size_t i = 0; i < n; i++)
		free(test[i].initial_state);
	return failed;
}
