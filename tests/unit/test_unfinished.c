/* A write that was interrupted: the editor asks about it before anything else, and brings it to one of its ends. */
#include "editor_bench.h"
#include "folder.h"
#include "unfinished.h"

#include <fcntl.h>

#define WORDS                                                                              \
	"2097152 512 dos 0x10bd10bc p1=2048+204800,83 e2=206848+409600,5 "                 \
	"l5=208896+20480,83,ebr=206848 l6=231424+20480,83,ebr=229376"

static unsigned char before[512], after[512], ebr[512];

static void sector(long n, unsigned char *bytes, bool write_it)
{
	const int fd = open("disk.img", O_RDWR | O_CLOEXEC);
	const ssize_t done =
		write_it ? pwrite(fd, bytes, 512, n * 512) : pread(fd, bytes, 512, n * 512);
	assert_int_equal(done, 512);
	close(fd);
}

/* An editor over a disk whose sector 0 is the old one, and whose EBR is the new one. */
static void begin_between(struct bench *b, bool read_only)
{
	struct af_session_options o = { 0 };
	struct af_commit_report report;
	struct af_err err;
	disk_make("disk.img", WORDS);
	sector(0, before, false);
	b->session = af_session_open("disk.img", &o, &err);
	assert_non_null(b->session);
	assert_true(af_session_run(b->session, "type 1 7; delete 5", &err));
	if (!af_session_write(b->session, &report, &err))
		fail_msg("%s", err.text);
	assert_int_equal(report.sectors, 2);
	af_session_close(b->session);
	sector(0, after, false);
	sector(206848, ebr, false);
	sector(0, before, true);
	o.read_only = read_only;
	b->session = af_session_open("disk.img", &o, &err);
	assert_non_null(b->session);
	ui_app_init(&b->app, b->session, &o);
	ui_canvas_init(&b->canvas, 24, 80, false);
	ui_app_draw(&b->app, &b->canvas);
}

static void finish(struct bench *b)
{
	end(b);
	folder_remove("afdisk");
}

static void assert_sector(long n, const unsigned char *wanted)
{
	unsigned char now[512];
	sector(n, now, false);
	assert_memory_equal(now, wanted, sizeof(now));
}

static void test_unfinished__is_asked_about_before_anything_else(void **state)
{
	struct bench b;
	(void)state;
	begin_between(&b, false);
	assert_string_equal(front(&b), "choice");
	assert_true(is_shown(&b, "A write was interrupted: 1 of its 2 sectors is new"));
	press(&b, "Enter"); /* looking is what happens by itself */
	assert_string_equal(front(&b), "disk");
	press(&b, "d");
	assert_string_equal(front(&b), "choice");
	press(&b, "Esc");
	press(&b, "Enter"); /* the selected item of the menu */
	assert_string_equal(front(&b), "choice");
	press(&b, "Esc h"); /* looking goes on */
	assert_string_equal(front(&b), "help");
	press(&b, "Esc");
	assert_false(af_session_modified(b.session));
	press(&b, "l q");
	assert_true(b.app.wants_quit);
	assert_sector(0, before);
	finish(&b);
}

static void test_unfinished__is_finished_after_the_word(void **state)
{
	struct bench b;
	(void)state;
	begin_between(&b, false);
	press(&b, "f");
	assert_true(is_shown(&b, "Finish: write 1 sector to disk.img? Type yes:"));
	press(&b, "no Enter");
	assert_sector(0, before);
	press(&b, "d f yes Enter");
	assert_true(is_shown(&b, "finished: 1 sector written"));
	assert_sector(0, after);
	assert_sector(206848, ebr);
	assert_null(af_session_unfinished(b.session));
	assert_null(af_session_read_only(b.session));
	press(&b, "d"); /* and goes on as ever */
	assert_true(af_session_modified(b.session));
	finish(&b);
}

static void test_unfinished__is_taken_back_after_the_word(void **state)
{
	struct bench b;
	(void)state;
	begin_between(&b, false);
	press(&b, "b yes Enter");
	assert_true(is_shown(&b, "taken back: 1 sector written"));
	assert_sector(0, before);
	assert_int_equal(af_session_base(b.session)->nparts, 4);
	assert_int_equal(b.app.status, 0);
	finish(&b);
}

static void test_unfinished__is_not_asked_about_where_nothing_may_be_written(void **state)
{
	struct bench b;
	(void)state;
	begin_between(&b, true);
	assert_string_equal(front(&b), "disk");
	assert_true(is_shown(&b, "read-only"));
	press(&b, "d");
	assert_false(af_session_modified(b.session));
	finish(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unfinished__is_asked_about_before_anything_else),
		cmocka_unit_test(test_unfinished__is_finished_after_the_word),
		cmocka_unit_test(test_unfinished__is_taken_back_after_the_word),
		cmocka_unit_test(
			test_unfinished__is_not_asked_about_where_nothing_may_be_written),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
