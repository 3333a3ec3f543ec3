/* The screen that a disk is chosen on: over made-up lists, and over images that are really opened. */
#include "editor_bench.h"

#include <poll.h>
#include <sys/stat.h>

#include "chooser.h"
#include "chooser_priv.h"
#include "machine.h"

static struct af_disk_facts disk[MACHINE_MOST];

static void draw(struct bench *b)
{
	ui_app_draw(&b->app, &b->canvas);
}

static void begin_choosing(struct bench *b, const char *machine)
{
	const struct af_session_options o = { 0 };
	*b = (struct bench){ 0 };
	ui_app_init(&b->app, NULL, &o);
	ui_canvas_init(&b->canvas, 24, 80, false);
	ui_chooser_show(&b->app, disk, machine_make(machine, disk));
	draw(b);
}

/* Takes what comes in until the condition holds. */
static void wait_until(struct bench *b, bool (*is)(const struct bench *b))
{
	while (!is(b)) {
		struct pollfd p = { .fd = ui_app_fd(&b->app), .events = POLLIN };
		assert_int_equal(poll(&p, 1, 60000), 1);
		ui_app_facts(&b->app);
		draw(b);
	}
}

static bool is_open(const struct bench *b)
{
	return b->app.session && !b->app.maybe_chooser;
}

static bool has_said(const struct bench *b)
{
	return b->app.message[0] != '\0';
}

static bool is_completed(const struct bench *b)
{
	return b->app.maybe_chooser->typed[0] == '\0';
}

static void type(struct bench *b, const char *text)
{
	for (; *text; text++)
		press_key(b, (unsigned char)*text);
}

/* --- the list ------------------------------------------------------------------------------------------ */

static void test_chooser__without_a_disk_it_is_all_there_is(void **state)
{
	struct bench b;
	(void)state;
	begin_choosing(&b, "home");
	assert_string_equal(front(&b), "chooser");
	assert_false(is_shown(&b, "Back"));
	press(&b, "Esc");
	assert_true(is_shown(&b, "no disk is open to go back to: q leaves"));
	press(&b, "x");
	assert_true(is_shown(&b, "this key does nothing here"));
	press(&b, "M");
	assert_string_equal(front(&b), "messages");
	assert_true(is_shown(&b, "no disk is open to go back to: q leaves"));
	press(&b, "Esc h");
	assert_string_equal(front(&b), "help");
	press(&b, "Esc");
	assert_false(b.app.wants_quit);
	press(&b, "q");
	assert_true(b.app.wants_quit);
	end(&b);
}

static void test_chooser__selects_and_keeps_what_is_selected(void **state)
{
	struct bench b;
	(void)state;
	begin_choosing(&b, "home");
	press(&b, "Down Down j k");
	assert_string_equal(ui_chooser_selected(b.app.maybe_chooser)->path, "/dev/sdc");
	ui_chooser_show(&b.app, disk + 1, 5); /* sda went */
	assert_string_equal(ui_chooser_selected(b.app.maybe_chooser)->path, "/dev/sdc");
	assert_false(has_said(&b));
	ui_chooser_show(&b.app, disk + 3, 3); /* sdc, too */
	assert_string_equal(b.app.message, "/dev/sdc is gone");
	press(&b, "End");
	assert_string_equal(ui_chooser_selected(b.app.maybe_chooser)->path, "/dev/sr0");
	press(&b, "Home PgDn PgUp PgUp");
	assert_string_equal(ui_chooser_selected(b.app.maybe_chooser)->path, "/dev/sdd");
	ui_chooser_show(&b.app, disk, 0);
	assert_null(ui_chooser_selected(b.app.maybe_chooser));
	press(&b, "Down Up End PgDn");
	assert_null(ui_chooser_selected(b.app.maybe_chooser));
	press(&b, "Enter"); /* nothing to open: a path */
	assert_true(b.app.maybe_chooser->typing);
	end(&b);
}

static void test_chooser__menu_runs_the_selected_item(void **state)
{
	struct bench b;
	(void)state;
	begin_choosing(&b, "home");
	press(&b, "Tab Enter");
	assert_true(b.app.maybe_chooser->typing);
	press(&b, "Esc Right Right Enter");
	assert_string_equal(front(&b), "help");
	press(&b, "Esc Left Left Left Left Enter"); /* Refresh, Path, Open, Quit */
	assert_true(b.app.wants_quit);
	end(&b);
}

static void click(struct bench *b, int row, int col)
{
	const struct ui_mouse m = { .kind = UI_MOUSE_PRESS, .row = row, .col = col };
	ui_app_mouse(&b->app, &b->canvas, &m);
	draw(b);
}

static void test_chooser__takes_clicks(void **state)
{
	struct bench b;
	(void)state;
	begin_choosing(&b, "home");
	click(&b, UI_CHOOSER_TOP + 3, 5);
	assert_string_equal(ui_chooser_selected(b.app.maybe_chooser)->path, "/dev/sdd");
	assert_string_equal(b.app.maybe_chooser->opening, "");
	click(&b, UI_CHOOSER_TOP + 10, 5); /* below the last */
	assert_string_equal(ui_chooser_selected(b.app.maybe_chooser)->path, "/dev/sdd");
	click(&b, 21, 13); /* Path */
	assert_true(b.app.maybe_chooser->typing);
	end(&b);
}

static void test_chooser__the_running_systems_disk_is_asked_about(void **state)
{
	struct bench b;
	struct af_disk_facts f;
	(void)state;
	disk_make("disk.img", SMALL);
	begin_choosing(&b, "home");
	f = disk[6];
	assert_true(f.is_system);
	snprintf(f.path, sizeof(f.path), "disk.img");
	ui_chooser_tried(&b.app, &f);
	draw(&b);
	assert_string_equal(front(&b), "choice");
	assert_true(is_shown(&b, "THE RUNNING SYSTEM IS ON disk.img"));
	press(&b, "Enter"); /* the first answer is to stay */
	assert_string_equal(front(&b), "chooser");
	ui_chooser_tried(&b.app, &f);
	press(&b, "Esc");
	assert_string_equal(front(&b), "chooser");
	ui_chooser_tried(&b.app, &f);
	press(&b, "l");
	assert_string_equal(front(&b), "disk");
	assert_non_null(strstr(af_session_read_only(b.app.session), "as asked"));
	press(&b, "o");
	ui_chooser_tried(&b.app, &f);
	press(&b, "o");
	assert_string_equal(front(&b), "disk");
	assert_null(af_session_read_only(b.app.session));
	end(&b);
}

/* --- a path -------------------------------------------------------------------------------------------- */

static void test_chooser__opens_an_image_by_its_path(void **state)
{
	struct bench b;
	(void)state;
	disk_make("disk.img", SMALL);
	begin_choosing(&b, "none");
	press(&b, ".");
	type(&b, "/disk.img");
	press(&b, "Enter");
	assert_true(is_shown(&b, "opening ./disk.img ..."));
	wait_until(&b, is_open);
	assert_string_equal(front(&b), "disk");
	assert_string_equal(af_session_disk(b.app.session).path, "./disk.img");
	assert_true(is_shown(&b, "disk.img1"));
	assert_true(b.app.wants_start); /* somebody is to look into the partitions */
	ui_app_start(&b.app);
	assert_true(ui_app_fd(&b.app) >= 0);
	end(&b);
}

static void test_chooser__a_path_that_cannot_be_opened_stays(void **state)
{
	struct bench b;
	(void)state;
	begin_choosing(&b, "none");
	press(&b, "/");
	type(&b, "nowhere/disk.img");
	press(&b, "Enter");
	wait_until(&b, has_said);
	assert_string_equal(b.app.message,
			    "cannot open /nowhere/disk.img: no such file or directory");
	assert_true(is_shown(&b, "/nowhere/disk.img"));
	assert_true(b.app.maybe_chooser->typing);
	press(&b, "Ctrl-U");
	type(&b, "/");
	press(&b, "Enter");
	wait_until(&b, has_said);
	assert_true(is_shown(&b, "/ is a folder"));
	press(&b, "Esc");
	assert_false(b.app.maybe_chooser->typing);
	end(&b);
}

static void test_chooser__tab_completes(void **state)
{
	struct bench b;
	(void)state;
	assert_int_equal(mkdir("folder", 0700), 0);
	disk_make("folder/one.img", SMALL);
	disk_make("folder/two.img", SMALL);
	begin_choosing(&b, "none");
	press(&b, "p");
	type(&b, "fol");
	press(&b, "Tab");
	assert_true(is_shown(&b, "looking for what can follow"));
	wait_until(&b, is_completed);
	assert_string_equal(b.app.maybe_chooser->input.text, "folder/");
	press(&b, "Tab");
	wait_until(&b, is_completed);
	assert_true(is_shown(&b, "2 can follow"));
	assert_true(is_shown(&b, "one.img"));
	type(&b, "t");
	assert_false(is_shown(&b, "2 can follow"));
	press(&b, "Tab");
	wait_until(&b, is_completed);
	assert_string_equal(b.app.maybe_chooser->input.text, "folder/two.img");
	type(&b, "x");
	press(&b, "Tab");
	wait_until(&b, has_said);
	assert_true(is_shown(&b, "no folder, file or disk begins with that"));
	end(&b);
	unlink("folder/one.img");
	unlink("folder/two.img");
	rmdir("folder");
}

/* The answer to what has been changed since is dropped. */
static void test_chooser__a_late_completion_changes_nothing(void **state)
{
	struct bench b;
	struct af_completion late = { .text = "folder/", .n = 1 };
	(void)state;
	begin_choosing(&b, "none");
	press(&b, "p");
	type(&b, "fol");
	press(&b, "Tab");
	type(&b, "x");
	ui_chooser_go_on(&b.app, b.app.maybe_chooser, &late);
	assert_string_equal(b.app.maybe_chooser->input.text, "folx");
	end(&b);
}

static void test_chooser__opening_is_given_up(void **state)
{
	struct bench b;
	(void)state;
	disk_make("disk.img", SMALL);
	begin_choosing(&b, "none");
	press(&b, "p");
	type(&b, "disk.img");
	press(&b, "Enter Esc");
	assert_string_equal(b.app.message, "disk.img was not opened");
	assert_true(b.app.maybe_chooser->typing);
	ui_app_facts(&b.app);
	assert_null(b.app.session);
	end(&b);
}

/* --- from one disk to another -------------------------------------------------------------------------- */

static void test_chooser__unwritten_changes_are_kept_or_asked_about(void **state)
{
	struct bench b;
	(void)state;
	disk_make("other.img", "empty-gpt");
	begin(&b, SMALL);
	press(&b, "o");
	assert_string_equal(front(&b), "chooser"); /* nothing to lose */
	press(&b, "Esc d o");
	assert_string_equal(front(&b), "choice");
	press(&b, "Enter");
	assert_string_equal(front(&b), "disk");
	assert_true(af_session_modified(b.app.session));
	press(&b, "o c");
	assert_true(is_shown(&b, "Esc goes back to disk.img, whose changes were not"));
	press(&b, "q");
	assert_string_equal(front(&b), "choice");
	press(&b, "Esc Esc");
	assert_string_equal(front(&b), "disk");
	assert_true(af_session_modified(b.app.session));
	press(&b, "o r");
	assert_string_equal(front(&b), "review");
	press(&b, "Esc o c p");
	type(&b, "other.img");
	press(&b, "Enter");
	wait_until(&b, is_open);
	assert_false(af_session_modified(b.app.session));
	assert_true(is_shown(&b, "Label: gpt"));
	press(&b, "Ctrl-Z");
	assert_true(is_shown(&b, "nothing to undo"));
	end(&b);
	unlink("other.img");
}

static void test_chooser__the_same_screen_as_by_name(void **state)
{
	struct bench b, c;
	struct af_text chosen = { 0 }, named = { 0 };
	(void)state;
	disk_make("disk.img", "2097152 512 none");
	begin_choosing(&b, "none");
	press(&b, "p");
	type(&b, "disk.img");
	press(&b, "Enter");
	wait_until(&b, is_open);
	ui_canvas_dump(&b.canvas, &chosen);
	end(&b);
	begin_unknown(&c, "2097152 512 none", &(struct af_session_options){ 0 });
	ui_canvas_dump(&c.canvas, &named);
	assert_string_equal(af_text_get(&chosen), af_text_get(&named));
	assert_non_null(strstr(af_text_get(&chosen), "New partition table"));
	end(&c);
	af_text_release(&chosen);
	af_text_release(&named);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chooser__without_a_disk_it_is_all_there_is),
		cmocka_unit_test(test_chooser__selects_and_keeps_what_is_selected),
		cmocka_unit_test(test_chooser__menu_runs_the_selected_item),
		cmocka_unit_test(test_chooser__takes_clicks),
		cmocka_unit_test(test_chooser__the_running_systems_disk_is_asked_about),
		cmocka_unit_test(test_chooser__opens_an_image_by_its_path),
		cmocka_unit_test(test_chooser__a_path_that_cannot_be_opened_stays),
		cmocka_unit_test(test_chooser__tab_completes),
		cmocka_unit_test(test_chooser__a_late_completion_changes_nothing),
		cmocka_unit_test(test_chooser__opening_is_given_up),
		cmocka_unit_test(test_chooser__unwritten_changes_are_kept_or_asked_about),
		cmocka_unit_test(test_chooser__the_same_screen_as_by_name),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
