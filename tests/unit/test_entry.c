/* What cfdisk does besides moving edges: fields of an entry, the identifier of the disk, a script loaded, begun without
 * a table, the extra pane; and what is selected after a step. */
#include "editor_bench.h"

#include <sys/stat.h>

#include "menu.h"

#define GPT "2097152 512 gpt 00000000-0000-4000-8000-000000000001"
#define TWO GPT " g1=2048+204800,linux,auto,one g2=409600+204800,linux,auto,two"

static const struct af_part *part_of(const struct bench *b, uint32_t number)
{
	const struct af_part *p =
		af_layout_number(af_session_disk(b->session).layout, number);
	assert_non_null(p);
	return p;
}

static void type(struct bench *b, const char *text)
{
	for (; *text; text++)
		press_key(b, (unsigned char)*text);
}

static void save(const char *name, const char *text)
{
	FILE *f = fopen(name, "we");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* --- the entry ----------------------------------------------------------------------------------------- */

static void test_entry__fields_are_changed_one_by_one(void **state)
{
	struct bench b;
	char uuid[40];
	(void)state;
	begin(&b, TWO);
	press(&b, "Down Down e Enter");
	type(&b, "a new 'name'");
	press(&b, "Enter");
	assert_string_equal(front(&b), "entry");
	assert_string_equal(part_of(&b, 2)->name, "a new 'name'");
	press(&b, "Down Enter");
	type(&b, "01234567-89ab-4def-8123-456789abcdef");
	press(&b, "Enter");
	af_scheme_uuid_text(part_of(&b, 2)->uuid, uuid);
	assert_string_equal(uuid, "01234567-89AB-4DEF-8123-456789ABCDEF");
	press(&b, "Down Enter new Enter Down Down Down Space Down Enter");
	assert_true(part_of(&b, 2)->attrs == (UINT64_C(1) << 2 | UINT64_C(1) << 59));
	assert_int_equal(af_session_undos(b.session), 5);
	press(&b, "Space Esc Ctrl-Z");
	assert_string_equal(front(&b), "disk");
	assert_true(part_of(&b, 2)->attrs == (UINT64_C(1) << 2 | UINT64_C(1) << 59));
	end(&b);
}

static void test_entry__undo_works_while_it_is_shown(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, TWO);
	press(&b, "End n 10M Enter b"); /* partition 3; a GPT has no boot flag */
	press(&b, "e Down Down Down Space Down Space Ctrl-Z");
	assert_true(part_of(&b, 3)->attrs == 1);
	press(&b, "Ctrl-Y");
	assert_true(part_of(&b, 3)->attrs == 3);
	assert_string_equal(front(&b), "entry");
	press(&b, "Ctrl-Z Ctrl-Z Ctrl-Z"); /* the partition, too */
	assert_string_equal(front(&b), "disk");
	assert_false(af_session_modified(b.session));
	end(&b);
}

static void test_entry__every_bit_can_be_switched(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, TWO);
	press(&b, "e Down Down Down");
	for (int i = 0; i < 19; i++)
		press(&b, "Space Down");
	assert_true(part_of(&b, 1)->attrs == UINT64_C(0xffff000000000007));
	press(&b, "Home End PgUp PgDn Space");
	assert_true(part_of(&b, 1)->attrs != UINT64_C(0xffff000000000007));
	end(&b);
}

static void test_entry__rubbish_changes_nothing(void **state)
{
	static const char *const table[] = {
		"1234",
		"new; delete 1",
		"x'y",
		"''",
		" ",
		"01234567-89ab-4def-8123-456789abcdef0",
		"AF000000-0000-4000-8000-000000000001",
	};
	struct bench b;
	(void)state;
	begin(&b, TWO);
	press(&b, "Down Down e Down");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		press(&b, "Enter");
		type(&b, table[i]);
		press(&b, "Enter");
		assert_false(af_session_modified(b.session));
		assert_string_equal(front(&b), "entry");
	}
	press(&b, "Enter Esc Home Enter");
	for (int i = 0; i < 200; i++)
		press_key(&b, 'n');
	press(&b, "Enter");
	assert_false(af_session_modified(b.session));
	end(&b);
}

static void test_entry__an_mbr_has_an_identifier(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "e 0x1234abcd Enter");
	assert_int_equal(af_session_disk(b.session).layout->disk_id[0], 0x12);
	assert_true(is_shown(&b, "identifier 0x1234abcd"));
	press(&b, "Down e 12345 Enter");
	assert_int_equal(af_session_undos(b.session), 1);
	press(&b, "e Enter"); /* as it is */
	assert_int_equal(af_session_undos(b.session), 1);
	end(&b);
	begin(&b, "2097152 512 none");
	press(&b, "Esc e");
	assert_string_equal(front(&b), "disk");
	assert_true(is_shown(&b, "no partition table yet"));
	end(&b);
}

static void test_entry__types_are_found_by_what_they_are_called(void **state)
{
	static const struct {
		const char *search, *name;
	} table[] = {
		{ "ntfs", "Microsoft basic data" }, { "esp", "EFI System" },
		{ "msr", "Microsoft reserved" },    { "grub", "BIOS boot" },
		{ "swap", "Linux swap" },           { "0657", "Linux swap" },
	};
	struct bench b;
	char keys[60];
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		begin(&b, TWO);
		snprintf(keys, sizeof(keys), "t %s Enter", table[i].search);
		press(&b, keys);
		assert_non_null(strstr(b.app.message, table[i].name));
		end(&b);
	}
}

/* --- scripts ------------------------------------------------------------------------------------------- */

static void test_entry__a_script_is_loaded_and_taken_back(void **state)
{
	struct bench b;
	(void)state;
	save("layout", "label: gpt\nsize=100M, name=\"first\"\nsize=200M\n");
	begin(&b, "2097152 512 none");
	assert_string_equal(front(&b), "choice"); /* which table? */
	press(&b, "L");
	assert_string_equal(front(&b), "line");
	press(&b, "layout Enter");
	assert_int_equal(af_session_disk(b.session).layout->nparts, 2);
	assert_string_equal(part_of(&b, 1)->name, "first");
	press(&b, "Ctrl-Z");
	assert_int_equal(af_session_disk(b.session).layout->scheme, AF_SCHEME_NONE);
	press(&b, "L layout Enter");
	assert_int_equal(af_session_disk(b.session).layout->nparts, 2);
	unlink("layout");
	end(&b);
}

static void test_entry__what_is_no_script_is_refused(void **state)
{
	static const char *const table[] = { "nowhere", ".", "rubbish", "fifo" };
	struct bench b;
	(void)state;
	save("rubbish", "label: gpt\nsize=potato\n");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	begin(&b, TWO);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		press(&b, "L");
		type(&b, table[i]);
		press(&b, "Enter");
		assert_false(af_session_modified(b.session));
		assert_int_equal(b.app.message_role, UI_ROLE_BAD);
	}
	press(&b, "L Enter");
	assert_true(is_shown(&b, "no file name"));
	unlink("rubbish");
	unlink("fifo");
	end(&b);
}

static void test_entry__its_own_dump_changes_nothing(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, TWO);
	press(&b, "u table Enter L table Enter");
	assert_true(is_shown(&b, "nothing changed"));
	assert_int_equal(af_session_undos(b.session), 0);
	unlink("table");
	end(&b);
}

/* --- without a table ----------------------------------------------------------------------------------- */

static void test_entry__zero_begins_without_the_table(void **state)
{
	const struct af_session_options o = { .zero = true };
	struct bench b;
	(void)state;
	begin_with(&b, TWO, &o);
	assert_string_equal(front(&b), "choice");
	press(&b, "Esc W");
	assert_true(is_shown(&b, "no partition table yet"));
	press(&b, "q");
	assert_true(b.app.wants_quit); /* nothing would be lost */
	b.app.wants_quit = false;
	press(&b, "Ctrl-Z");
	assert_int_equal(af_session_disk(b.session).layout->nparts, 2);
	assert_false(af_session_modified(b.session));
	press(&b, "Ctrl-Y l g n 10M Enter W yes Enter");
	assert_int_equal(af_session_base(b.session)->nparts, 1);
	unlink_backup(&b);
	end(&b);
}

static void test_entry__zero_needs_no_table_that_can_be_read(void **state)
{
	const struct af_session_options o = { .zero = true };
	struct bench b;
	(void)state;
	begin_with(&b, "2097152 512 none", &o);
	assert_string_equal(front(&b), "choice");
	press(&b, "d");
	assert_int_equal(af_session_disk(b.session).layout->scheme, AF_SCHEME_MBR);
	end(&b);
}

/* --- panes, menu, selection ---------------------------------------------------------------------------- */

static void test_entry__x_goes_through_the_panes(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, TWO);
	assert_true(is_shown(&b, "starts 2048") || is_shown(&b, "2048, aligned"));
	press(&b, "x");
	assert_true(is_shown(&b, "PARTUUID: AF000000-0000-4000-8000-000000000001"));
	assert_true(is_shown(&b, "0FC63DAF-8483-4772-8E79-3D69D8477DE4"));
	press(&b, "x");
	assert_false(is_shown(&b, "PARTUUID"));
	assert_int_equal(ui_disk_places(&b.app).lens.rows, 0);
	press(&b, "x");
	assert_int_equal(b.app.pane, UI_PANE_LENS);
	end(&b);
}

static void test_entry__each_item_of_the_menu_is_where_it_is_drawn(void **state)
{
	struct bench b;
	enum ui_action seen[UI_DO_COUNT];
	size_t n = 0;
	(void)state;
	begin(&b, TWO);
	for (int row = 0; row < 24; row++)
		for (int col = 0; col < 80; col++) {
			const enum ui_action a = ui_menu_at(&b.app, row, col);
			if (a != UI_DO_COUNT && (n == 0 || seen[n - 1] != a))
				seen[n++] = a;
		}
	size_t offered = 0;
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++)
		if (*ui_action_info(a)->menu && ui_disk_offers(&b.app, a))
			assert_int_equal(seen[offered++], a);
	assert_int_equal(n, offered);
	end(&b);
}

static void test_entry__what_a_step_brings_back_is_selected(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, TWO);
	press(&b, "Down Down d");
	assert_true(ui_app_row(&b.app)->is_free);
	press(&b, "Home Ctrl-Z");
	assert_int_equal(ui_app_part(&b.app)->number, 2);
	press(&b, "Home r 50M Enter End Ctrl-Z");
	assert_int_equal(ui_app_part(&b.app)->number, 1);
	press(&b, "End Ctrl-Y");
	assert_int_equal(ui_app_part(&b.app)->number, 1);
	press(&b, "d n Enter"); /* made again in its place: it is selected */
	assert_int_equal(ui_app_part(&b.app)->number, 1);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entry__fields_are_changed_one_by_one),
		cmocka_unit_test(test_entry__undo_works_while_it_is_shown),
		cmocka_unit_test(test_entry__every_bit_can_be_switched),
		cmocka_unit_test(test_entry__rubbish_changes_nothing),
		cmocka_unit_test(test_entry__an_mbr_has_an_identifier),
		cmocka_unit_test(test_entry__types_are_found_by_what_they_are_called),
		cmocka_unit_test(test_entry__a_script_is_loaded_and_taken_back),
		cmocka_unit_test(test_entry__what_is_no_script_is_refused),
		cmocka_unit_test(test_entry__its_own_dump_changes_nothing),
		cmocka_unit_test(test_entry__zero_begins_without_the_table),
		cmocka_unit_test(test_entry__zero_needs_no_table_that_can_be_read),
		cmocka_unit_test(test_entry__x_goes_through_the_panes),
		cmocka_unit_test(test_entry__each_item_of_the_menu_is_where_it_is_drawn),
		cmocka_unit_test(test_entry__what_a_step_brings_back_is_selected),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
