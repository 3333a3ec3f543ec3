/* Choosing a whole layout on the screen: what is drawn before Enter, and what Enter, Esc and the mouse do. */
#include "editor_bench.h"

#define EMPTY_GPT "104857600 512 gpt AF000000-0000-4000-8000-0000000000FF"
#define EMPTY_MBR "104857600 512 dos 0x10bd10bc"

static size_t parts(const struct bench *b)
{
	return af_session_disk(b->session).layout->nparts;
}

/* Presses the left button on the item of that number in the foot. */
static void click_item(struct bench *b, int item)
{
	const struct ui_mouse m = { .kind = UI_MOUSE_PRESS,
				    .row = b->canvas.rows - UI_FOOT_ROWS + 1,
				    .col = item * (UI_ITEM_COLS + 1) + 2 };
	ui_app_mouse(&b->app, &b->canvas, &m);
	ui_app_draw(&b->app, &b->canvas);
}

static void test_offers__a_preview_changes_nothing(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, EMPTY_GPT);
	press(&b, "p");
	assert_string_equal(front(&b), "offers");
	assert_true(is_shown(&b, "preview"));
	assert_int_equal(b.app.picture.disk.layout->nparts, 6);
	assert_int_equal(parts(&b), 0);
	press(&b, "Esc");
	assert_int_equal(b.app.nlayers, 1);
	assert_int_equal(b.app.picture.disk.layout->nparts, 0);
	assert_false(af_session_modified(b.session));
	end(&b);
}

static void test_offers__taken_it_is_one_step(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, EMPTY_GPT);
	press(&b, "p Enter");
	assert_int_equal(parts(&b), 6);
	assert_true(is_shown(&b, "done: plan windows-linux"));
	press(&b, "Ctrl-Z");
	assert_int_equal(parts(&b), 0);
	press(&b, "Ctrl-Y");
	assert_int_equal(parts(&b), 6);
	end(&b);
}

static void test_offers__begins_with_one_for_this_table(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, EMPTY_MBR);
	press(&b, "p");
	assert_true(is_shown(&b, "BIOS dual boot"));
	press(&b, "d"); /* an empty table is begun anew */
	assert_true(is_shown(&b, "Label: gpt"));
	press(&b, "Esc");
	assert_true(is_shown(&b, "Label: dos"));
	end(&b);
}

static void test_offers__arrows_go_round(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, EMPTY_GPT);
	press(&b, "p Left");
	assert_true(is_shown(&b, "Rescue stick"));
	press(&b, "Right Right");
	assert_true(is_shown(&b, "Linux with UEFI"));
	press(&b, "Enter");
	assert_int_equal(parts(&b), 4);
	end(&b);
}

static void test_offers__what_cannot_be_had_says_why_and_stays(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "8388608 512 gpt AF000000-0000-4000-8000-0000000000FF");
	press(&b, "p d");
	assert_true(is_shown(&b, "it takes at least 40.3 GiB"));
	assert_false(is_shown(&b, "preview"));
	press(&b, "Enter x");
	assert_string_equal(front(&b), "offers");
	assert_true(is_shown(&b, "it takes at least 40.3 GiB"));
	assert_int_equal(parts(&b), 0);
	end(&b);
}

static void test_offers__goes_into_the_selected_free_space(void **state)
{
	struct bench b;
	(void)state;
	/* 1 GiB free, a partition, and 48 GiB free */
	begin(&b, EMPTY_GPT " g1=2099200+2048,linux,auto");
	press(&b, "Home p a");
	assert_int_equal(b.app.picture.disk.layout->part[0].span.end, 1025 * AF_MIB);
	press(&b, "Esc End p a Enter");
	assert_int_equal(parts(&b), 2);
	assert_int_equal(af_session_disk(b.session).layout->part[1].span.start,
			 1026 * AF_MIB);
	end(&b);
}

static void test_offers__the_mouse_shows_then_takes(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, EMPTY_GPT);
	press(&b, "p");
	click_item(&b, 4);
	assert_true(is_shown(&b, "Data disk"));
	assert_int_equal(parts(&b), 0);
	click_item(&b, 4);
	assert_int_equal(parts(&b), 1);
	end(&b);
}

static void test_offers__needs_free_space_and_a_table(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "p");
	assert_true(is_shown(&b, "select free space to fill it with a layout"));
	end(&b);
	begin(&b, "2097152 512 none");
	press(&b, "Esc p");
	assert_true(is_shown(&b, "the disk has no partition table yet"));
	end(&b);
}

static void test_offers__a_new_label_names_the_key(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, "2097152 512 none");
	press(&b, "g");
	assert_true(is_shown(&b, "n makes a partition, p whole layouts"));
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offers__a_preview_changes_nothing),
		cmocka_unit_test(test_offers__taken_it_is_one_step),
		cmocka_unit_test(test_offers__begins_with_one_for_this_table),
		cmocka_unit_test(test_offers__arrows_go_round),
		cmocka_unit_test(test_offers__what_cannot_be_had_says_why_and_stays),
		cmocka_unit_test(test_offers__goes_into_the_selected_free_space),
		cmocka_unit_test(test_offers__the_mouse_shows_then_takes),
		cmocka_unit_test(test_offers__needs_free_space_and_a_table),
		cmocka_unit_test(test_offers__a_new_label_names_the_key),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
