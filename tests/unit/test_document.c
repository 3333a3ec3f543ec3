/* What is told of keys is so: all of the lists are on the help page and in the manual page, and each key does something there. */
#include "editor_bench.h"

#include "chooser.h"
#include "machine.h"

static char home[4096]; /* the top of the tree */

/* Text with every stretch of blanks as one space. For free(). */
static char *squeeze(const char *text)
{
	char *out = calloc(strlen(text) + 1, 1), *to = out;
	assert_non_null(out);
	for (; *text; text++) {
		const bool blank = *text == ' ' || *text == '\n';
		if (!blank)
			*to++ = *text;
		else if (to > out && to[-1] != ' ')
			*to++ = ' ';
	}
	return out;
}

/* The whole help page. For free(). */
static char *help_page(void)
{
	struct bench b;
	struct ui_canvas tall;
	struct af_text t = { 0 };
	begin(&b, "seed");
	ui_canvas_init(&tall, 300, 80, false);
	press(&b, "h");
	ui_app_draw(&b.app, &tall);
	ui_canvas_dump(&tall, &t);
	char *page = squeeze(af_text_get(&t));
	af_text_release(&t);
	ui_canvas_release(&tall);
	end(&b);
	return page;
}

/* The file as it is. For free(). */
static char *read_page(const char *path)
{
	enum { MOST = 200000 };
	char *page = calloc(MOST, 1);
	FILE *f = fopen(path, "r");
	if (!f || !page)
		fail_msg("there is no %s", path);
	assert_true(fread(page, 1, MOST - 1, f) < MOST - 1);
	fclose(f);
	return page;
}

/* The manual page without its fonts, its requests and its escapes. For free(). */
static char *manual_page(void)
{
	char path[5000];
	snprintf(path, sizeof(path), "%s/afdisk.8", getenv("PAGES"));
	char *raw = read_page(path), *to = raw;
	for (const char *at = raw; *at; at++)
		if (at[0] == '\\' && at[1] == 'f')
			at += 2;
		else if (*at != '\\')
			*to++ = *at;
	*to = '\0';
	char *page = squeeze(raw);
	free(raw);
	return page;
}

static void check_has(const char *page, const char *what)
{
	char words[300];
	snprintf(words, sizeof(words), "%s", what);
	if (!strstr(page, words + 1)) /* its first letter may be a capital */
		fail_msg("\"%s\" is not there", what);
}

/* The keys as they stand in a row, with commas. */
static void check_keys(const char *page, const char *keys)
{
	char row[200] = "";
	size_t used = 0;
	while (*keys) {
		const size_t n = strcspn(keys, " ");
		used += (size_t)snprintf(row + used, sizeof(row) - used, "%s%.*s",
					 used ? ", " : " ", (int)n, keys);
		keys += n + strspn(keys + n, " ");
	}
	if (!strstr(page, row))
		fail_msg("the keys%s are not there", row);
}

static void check_lists(const char *page)
{
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++) {
		check_keys(page, ui_action_info(a)->keys);
		check_has(page, ui_action_info(a)->help);
	}
	for (size_t i = 0; ui_view_keys(i); i++) {
		check_has(page, ui_view_keys(i)->where);
		check_keys(page, ui_view_keys(i)->keys);
		check_has(page, ui_view_keys(i)->help);
	}
	for (int i = 0; i < AF_STATUSES; i++)
		check_has(page, af_status_meaning((enum af_status)i));
}

static void test_document__the_help_page_tells_every_key(void **state)
{
	char *page = help_page();
	const struct ui_look *look;
	(void)state;
	check_lists(page);
	for (size_t i = 0; (look = ui_look_row(i)) != NULL; i++) /* they come last */
		check_has(page, look->for_people);
	free(page);
}

static void test_document__the_manual_page_tells_every_key(void **state)
{
	char *page = manual_page();
	(void)state;
	check_lists(page);
	free(page);
}

/* The table of keys in README has all that the menu has. */
static void test_document__readme_tells_the_keys_of_the_menu(void **state)
{
	char path[5000];
	(void)state;
	snprintf(path, sizeof(path), "%s/README.md", home);
	char *page = read_page(path);
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++) {
		const struct ui_action_info *info = ui_action_info(a);
		char key[30];
		snprintf(key, sizeof(key), "`%.*s`", (int)strcspn(info->keys, " "),
			 info->keys);
		if (*info->menu && strlen(key) == 3 && !strstr(page, key))
			fail_msg("README does not tell %s", key);
	}
	free(page);
}

/* A place, and keys that lead there from the main screen of a disk; no disk: from the list of those of a machine. */
static const struct {
	const char *where, *disk, *keys;
} way_table[] = {
	{ "In New and Resize", "empty-dos", "n PgDn" },
	{ "In New and Resize", "empty-dos", "n l PgDn" },
	{ "In New and Resize", "empty-dos", "n Tab 6 3" },
	{ "In New and Resize",
	  "2097152 512 gpt 00000000-0000-4000-8000-000000000001 "
	  "g1=2048+204800,linux,auto,one poke=1048576,4c554b53babe0001",
	  "r Down" },
	{ "In an entry", "gpt128", "e Down Down Down" },
	{ "In a question", "seed", "d q" },
	{ "In a line of text", "seed", "u a b Left" },
	{ "In a list or a long text", "seed", "t Down" },
	{ "In a list or a long text", "seed", "h PgDn" },
	{ "In the review", "seed", "d v" },
	{ "In the list of disks", NULL, "" },
};

#define WAYS (sizeof(way_table) / sizeof(way_table[0]))

static void begin_list(struct bench *b)
{
	static struct af_disk_facts disk[MACHINE_MOST];
	const struct af_session_options o = { 0 };
	*b = (struct bench){ 0 };
	ui_app_init(&b->app, NULL, &o);
	ui_canvas_init(&b->canvas, 24, 80, false);
	ui_chooser_show(&b->app, disk, machine_make("home", disk));
	ui_app_draw(&b->app, &b->canvas);
}

/* True if the key changes the screen at the end of the i-th way. */
static bool does_something(size_t i, const char *key)
{
	struct bench b;
	struct af_text before = { 0 }, after = { 0 };
	if (way_table[i].disk)
		begin(&b, way_table[i].disk);
	else
		begin_list(&b);
	press(&b, way_table[i].keys);
	ui_canvas_dump(&b.canvas, &before);
	ui_canvas_dump_roles(&b.canvas, &before);
	press_key(&b, ui_key_parse(key));
	ui_canvas_dump(&b.canvas, &after);
	ui_canvas_dump_roles(&b.canvas, &after);
	const bool changed = strcmp(af_text_get(&before), af_text_get(&after)) != 0;
	af_text_release(&before);
	af_text_release(&after);
	end(&b);
	return changed;
}

/* Tests read no disks of the machine. */
static bool reads_disks(const struct ui_view_keys *k)
{
	return strcmp(k->keys, "r Ctrl-L") == 0;
}

static bool does_something_there(const char *where, const char *key)
{
	for (size_t i = 0; i < WAYS; i++)
		if (strcmp(way_table[i].where, where) == 0 && does_something(i, key))
			return true;
	return false;
}

static void test_document__every_key_of_another_place_does_something_there(void **state)
{
	const struct ui_view_keys *k;
	(void)state;
	for (size_t row = 0; (k = ui_view_keys(row)) != NULL; row++)
		for (const char *key = k->keys; *key && !reads_disks(k);
		     key += strcspn(key, " "), key += strspn(key, " "))
			if (!does_something_there(k->where, key))
				fail_msg("%s: %s does nothing", k->where, key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_document__the_help_page_tells_every_key),
		cmocka_unit_test(test_document__the_manual_page_tells_every_key),
		cmocka_unit_test(test_document__readme_tells_the_keys_of_the_menu),
		cmocka_unit_test(
			test_document__every_key_of_another_place_does_something_there),
	};
	if (!getcwd(home, sizeof(home)))
		return 1;
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
