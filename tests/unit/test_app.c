/* The main screen and what its keys do: offers, undo, leaving, writing and saving. */
#include "editor_bench.h"

#include <poll.h>

/* --- the main screen ----------------------------------------------------------------------------------- */

static void test_disk__offers_what_applies(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "seed");
	assert_true(ui_disk_offers(&b.app, UI_DO_DELETE));
	assert_true(ui_disk_offers(&b.app, UI_DO_BOOT));
	assert_true(ui_disk_offers(&b.app, UI_DO_ALIGN));
	assert_false(ui_disk_offers(&b.app, UI_DO_NEW));
	assert_false(ui_disk_offers(&b.app, UI_DO_SORT));
	assert_false(ui_disk_offers(&b.app, UI_DO_UNDO));
	assert_false(ui_disk_offers(&b.app, UI_DO_WRITE));
	assert_false(ui_disk_offers(&b.app, UI_DO_LABEL));
	press(&b, "Down Down"); /* the extended one */
	assert_false(ui_disk_offers(&b.app, UI_DO_ALIGN));
	assert_false(ui_disk_offers(&b.app, UI_DO_BOOT));
	press(&b, "Down"); /* a logical one */
	assert_true(ui_disk_offers(&b.app, UI_DO_BOOT));
	press(&b, "End"); /* free space */
	assert_true(ui_disk_offers(&b.app, UI_DO_NEW));
	assert_false(ui_disk_offers(&b.app, UI_DO_DELETE));
	press(&b, "Home d");
	assert_true(ui_disk_offers(&b.app, UI_DO_UNDO));
	assert_true(ui_disk_offers(&b.app, UI_DO_WRITE));
	press(&b, "Ctrl-Z");
	assert_true(ui_disk_offers(&b.app, UI_DO_REDO));
	assert_false(ui_disk_offers(&b.app, UI_DO_WRITE));
	end(&b);
}

static void test_disk__sort_is_offered_out_of_order(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "2097152 512 dos 0x10bd10bc p1=1048576+2048,83 p2=2048+2048,83");
	assert_true(ui_disk_offers(&b.app, UI_DO_SORT));
	press(&b, "s");
	assert_string_equal(b.app.message, "done: sort (Ctrl-Z takes it back)");
	assert_int_equal(af_session_disk(b.session).layout->part[0].number, 1);
	assert_false(ui_disk_offers(&b.app, UI_DO_SORT));
	end(&b);
}

static void test_disk__refusals_say_why(void **state)
{
	static const struct {
		const char *keys, *words;
	} table[] = {
		{ "n", "select free space" },
		{ "v", "nothing to write" },
		{ "s", "in the order" },
		{ "a", "nothing to align" },
		{ "Ctrl-Z", "nothing to undo" },
		{ "Ctrl-Y", "nothing to do again" },
		{ "End d", "select a partition" },
		{ "y", "h shows all keys" },
		{ "A", "nothing to align: the start of every" },
	};
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		press(&b, "Home");
		press(&b, table[i].keys);
		if (!strstr(b.app.message, table[i].words))
			fail_msg("%s: '%s'", table[i].keys, b.app.message);
	}
	end(&b);
}

static void test_disk__menu_runs_the_selected_item(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "Tab Enter"); /* Resize, Type, Boot, Delete */
	assert_string_equal(front(&b), "types");
	press(&b, "Esc Right Right Enter");
	assert_false(af_session_modified(b.session) && front(&b)[0] != 'd');
	assert_int_equal(af_session_disk(b.session).layout->nparts, 0);
	end(&b);
}

/* Enter once too often, on the first item of the menu, or after Delete and New. */
static void test_disk__enter_does_not_delete_unasked(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "Enter");
	assert_string_equal(front(&b), "sizing");
	press(&b, "Esc Left Left Left Left Enter"); /* Quit, Help, Dump, Delete */
	assert_int_equal(af_session_disk(b.session).layout->nparts, 0);
	press(&b, "n p Enter");
	assert_int_equal(af_session_disk(b.session).layout->nparts, 1);
	press(&b, "Enter");
	assert_int_equal(af_session_disk(b.session).layout->nparts, 1);
	end(&b);
}

static void test_disk__delete_says_what_goes_with_it(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "seed");
	press(&b, "Down Down d");
	assert_string_equal(b.app.message, "done: delete partition 3 and the 2 logicals in "
					   "it (Ctrl-Z takes it back)");
	end(&b);
}

static void test_disk__long_messages_stand_alone(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "seed");
	assert_true(is_shown(&b, "the start is 7 sectors past"));
	press(&b, "a");
	assert_true(is_shown(&b, "no grain line for partition 1"));
	assert_false(is_shown(&b, "the start is 7 sectors past"));
	end(&b);
}

static void test_disk__a_gpt_has_no_boot_flag(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "empty-gpt");
	press(&b, "n Enter b");
	assert_true(is_shown(&b, "a GPT has no boot flag"));
	assert_false(is_shown(&b, "Boot  "));
	assert_int_equal(af_session_disk(b.session).layout->part[0].attrs, 0);
	end(&b);
}

static void test_disk__boot_flag_goes_on_and_off(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "b");
	assert_true(af_session_disk(b.session).layout->part[0].boot);
	press(&b, "b");
	assert_false(af_session_disk(b.session).layout->part[0].boot);
	assert_int_equal(af_session_undos(b.session), 2);
	end(&b);
}

static void test_disk__units_edges_and_zoom(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "]");
	assert_int_equal(b.app.picture.edge, 1);
	press(&b, "[");
	assert_int_equal(b.app.picture.edge, 0);
	press(&b, "i");
	assert_int_equal(b.app.picture.units, UI_UNITS_SECTORS);
	press(&b, "i i");
	assert_int_equal(b.app.picture.units, UI_UNITS_HUMAN);
	press(&b, "- + +");
	assert_int_equal(b.app.picture.zoom, 2);
	for (int i = 0; i < 80; i++)
		press(&b, "+");
	assert_int_equal(b.app.picture.zoom, ui_bar_zoom_max(&b.app.picture, 80));
	press(&b, "0");
	assert_int_equal(b.app.picture.zoom, 0);
	press(&b, "Ctrl-L");
	assert_true(b.app.wants_redraw);
	end(&b);
}

static void test_app__undo_and_redo_count_their_steps(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "b t swap Enter Ctrl-Z Ctrl-Z Ctrl-Y");
	assert_int_equal(af_session_undos(b.session), 1);
	assert_int_equal(af_session_redos(b.session), 1);
	assert_int_equal(af_session_disk(b.session).layout->part[0].type[0], 0x83);
	assert_true(af_session_disk(b.session).layout->part[0].boot);
	press(&b, "d");
	assert_int_equal(af_session_redos(b.session), 0);
	end(&b);
}

/* --- leaving, writing, saving -------------------------------------------------------------------------- */

static void test_app__quit_asks_when_something_is_not_written(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "d q");
	assert_false(b.app.wants_quit);
	assert_string_equal(front(&b), "choice");
	press(&b, "Enter");
	assert_false(b.app.wants_quit);
	press(&b, "q r");
	assert_string_equal(front(&b), "review");
	press(&b, "q q q");
	assert_true(b.app.wants_quit);
	end(&b);
}

static void test_app__quit_without_changes_does_not_ask(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "q");
	assert_true(b.app.wants_quit);
	end(&b);
}

static void test_app__small_window_takes_no_keys_but_quit(void **state)
{
	struct bench b;
	struct ui_canvas small;
	(void)state;
	begin(&b, SMALL);
	ui_canvas_init(&small, 23, 80, false);
	ui_app_draw(&b.app, &small);
	ui_app_key(&b.app, 'd');
	assert_false(af_session_modified(b.session));
	ui_app_draw(&b.app, &b.canvas);
	press(&b, "d");
	ui_app_draw(&b.app, &small);
	ui_app_key(&b.app, 'q');
	assert_false(b.app.wants_quit);
	ui_app_draw(&b.app, &b.canvas);
	press(&b, "Ctrl-Z");
	ui_app_draw(&b.app, &small);
	ui_app_key(&b.app, 'q');
	assert_true(b.app.wants_quit);
	ui_canvas_release(&small);
	end(&b);
}

static void test_app__writes_after_the_word_only(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "d W y Enter");
	assert_true(af_session_modified(b.session));
	assert_int_equal(af_session_base(b.session)->nparts, 1);
	press(&b, "W yes Enter");
	assert_false(af_session_modified(b.session));
	assert_int_equal(af_session_base(b.session)->nparts, 0);
	assert_string_equal(front(&b), "disk");
	assert_non_null(
		strstr(b.app.message, "written: 1 sector; 'afdisk --write --restore "));
	assert_non_null(strstr(b.app.message, " disk.img' takes it back"));
	assert_string_equal(b.app.farewell, b.app.message);
	assert_int_equal(af_session_undos(b.session), 0);
	unlink_backup(&b);
	end(&b);
}

static void test_app__writes_nothing_when_read_only(void **state)
{
	const struct af_session_options o = { .read_only = true };
	struct bench b;
	(void)state;
	begin_with(&b, SMALL, &o);
	assert_non_null(strstr(b.app.message, "read-only"));
	press(&b, "d W");
	assert_string_equal(front(&b), "review");
	assert_non_null(strstr(b.app.message, "cannot write"));
	assert_int_equal(af_session_base(b.session)->nparts, 1);
	end(&b);
}

static void test_app__says_what_failed_when_the_disk_changed(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "d W");
	disk_make("disk.img", "2097152 512 dos 0x10bd10bc p1=4096+204800,83");
	press(&b, "yes Enter");
	assert_int_equal(b.app.message_role, UI_ROLE_BAD);
	assert_true(af_session_modified(b.session));
	end(&b);
}

static void test_app__dump_saves_the_wanted_table_over_nothing(void **state)
{
	struct bench b;
	struct af_text wanted = { 0 };
	struct af_err err = { 0 };
	char got[4096] = "";
	(void)state;
	begin(&b, SMALL);
	press(&b, "b u out.sfdisk Enter");
	assert_true(af_session_dump(b.session, &wanted, &err));
	FILE *f = fopen("out.sfdisk", "r");
	assert_non_null(f);
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(got, af_text_get(&wanted));
	af_text_release(&wanted);
	press(&b, "u out.sfdisk Enter");
	assert_non_null(strstr(b.app.message, "exists already"));
	press(&b, "u no/such/folder Enter");
	assert_non_null(strstr(b.app.message, "cannot save"));
	press(&b, "u Enter");
	assert_non_null(strstr(b.app.message, "no file name"));
	unlink("out.sfdisk");
	end(&b);
}

static void test_app__facts_lift_what_was_refused_for_want_of_them(void **state)
{
	const struct af_session_options o = { 0 };
	struct bench b;
	(void)state;
	begin_unknown(&b, SMALL, &o);
	press(&b, "r 50M");
	assert_true(is_shown(&b, "partition 1 holds data"));
	af_session_probe_start(b.session);
	struct pollfd fd = { .fd = af_session_probe_fd(b.session), .events = POLLIN };
	assert_int_equal(poll(&fd, 1, 10000), 1);
	ui_app_facts(&b.app);
	ui_app_draw(&b.app, &b.canvas);
	assert_false(is_shown(&b, "partition 1 holds data"));
	press(&b, "Enter");
	assert_int_equal(af_span_size(af_session_disk(b.session).layout->part[0].span),
			 50 * AF_MIB);
	end(&b);
}

/* What is found behind the screen is told then, and once. */
static void test_app__a_file_system_that_does_not_fit_is_told_once(void **state)
{
	const struct af_session_options o = { 0 };
	struct bench b;
	(void)state;
	begin_unknown(&b,
		      "2097152 512 dos 1 p1=2048+16384,83 poke=1049600,"
		      "100000000010000000000000000000000000000000000000020000000000000000"
		      "000000000000000000000000000000000000000000000053ef",
		      &o);
	assert_string_equal(b.app.message, "");
	af_session_probe_start(b.session);
	struct pollfd fd = { .fd = af_session_probe_fd(b.session), .events = POLLIN };
	assert_int_equal(poll(&fd, 1, 10000), 1);
	ui_app_facts(&b.app);
	assert_string_equal(b.app.message,
			    "disk.img1: its ext2 of 16 MiB is larger than the partition: 8 "
			    "MiB of it lies beyond the end");
	assert_int_equal(b.app.message_role, UI_ROLE_BAD);
	press(&b, "i");
	ui_app_facts(&b.app);
	assert_string_equal(b.app.message, "");
	end(&b);
}

static void test_app__part_names_are_those_of_linux(void **state)
{
	struct bench b;
	char name[40];
	(void)state;
	begin(&b, SMALL);
	assert_string_equal(ui_app_part_name(&b.app, 5, name, sizeof(name)), "disk.img5");
	end(&b);
}

static time_t ten(void)
{
	return 10;
}

static void test_header__tells_how_far_looking_inside_has_come(void **state)
{
	const struct af_session_options o = { 0 };
	struct af_content item[2] = { { .state = AF_CONTENT_NONE }, { .state = 0 } };
	const struct af_contents half = { .item = item, .n = 2 };
	struct bench b;
	(void)state;
	begin_unknown(&b, SMALL, &o);
	b.app.picture.disk.contents = &half;
	ui_app_draw(&b.app, &b.canvas);
	assert_false(is_shown(&b, "looked into")); /* nobody looks */
	af_session_probe_start(b.session);
	ui_app_draw(&b.app, &b.canvas);
	assert_true(is_shown(&b, "looked into 1 of 2"));
	assert_false(is_shown(&b, " left"));
	ui_app_start_clock(&b.app, ten);
	b.app.looking_since = 4;
	ui_app_draw(&b.app, &b.canvas);
	assert_true(is_shown(&b, "looked into 1 of 2, 7 s left"));
	item[1].state = AF_CONTENT_NONE;
	ui_app_draw(&b.app, &b.canvas);
	assert_false(is_shown(&b, "looked into"));
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header__tells_how_far_looking_inside_has_come),
		cmocka_unit_test(test_disk__offers_what_applies),
		cmocka_unit_test(test_disk__sort_is_offered_out_of_order),
		cmocka_unit_test(test_disk__refusals_say_why),
		cmocka_unit_test(test_disk__menu_runs_the_selected_item),
		cmocka_unit_test(test_disk__enter_does_not_delete_unasked),
		cmocka_unit_test(test_disk__delete_says_what_goes_with_it),
		cmocka_unit_test(test_disk__long_messages_stand_alone),
		cmocka_unit_test(test_disk__a_gpt_has_no_boot_flag),
		cmocka_unit_test(test_disk__boot_flag_goes_on_and_off),
		cmocka_unit_test(test_disk__units_edges_and_zoom),
		cmocka_unit_test(test_app__undo_and_redo_count_their_steps),
		cmocka_unit_test(test_app__quit_asks_when_something_is_not_written),
		cmocka_unit_test(test_app__quit_without_changes_does_not_ask),
		cmocka_unit_test(test_app__small_window_takes_no_keys_but_quit),
		cmocka_unit_test(test_app__writes_after_the_word_only),
		cmocka_unit_test(test_app__writes_nothing_when_read_only),
		cmocka_unit_test(test_app__says_what_failed_when_the_disk_changed),
		cmocka_unit_test(test_app__dump_saves_the_wanted_table_over_nothing),
		cmocka_unit_test(test_app__facts_lift_what_was_refused_for_want_of_them),
		cmocka_unit_test(test_app__a_file_system_that_does_not_fit_is_told_once),
		cmocka_unit_test(test_app__part_names_are_those_of_linux),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
