/* What the editor says and ends with when a write breaks off on the medium: this program's pwrite() fails where it is told. */
#include "editor_bench.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define SMALL_GPT                                                                          \
	"20480 512 gpt af000000-0000-4000-8000-0000000000ff "                              \
	"g1=2048+2048,linux,auto g2=4096+2048,linux,auto"

static int writes_left =
	-1; /* to the image, before the medium takes no more; -1: for ever */

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
	struct stat st, image;
	bool counts = fstat(fd, &st) == 0 && stat("disk.img", &image) == 0 &&
		      st.st_ino == image.st_ino;
	if (counts && writes_left == 0) {
		errno = EIO;
		return -1;
	}
	if (counts && writes_left > 0)
		writes_left--;
	return syscall(SYS_pwrite64, fd, buf, n, at);
}

static void test_review__a_write_that_breaks_off_is_told_and_ends_with_3(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL_GPT);
	writes_left = 2;
	press(&b, "d W yes Enter");
	assert_int_equal(b.app.status, 3);
	assert_non_null(strstr(b.app.message, "--restore "));
	assert_string_equal(b.app.farewell, b.app.message);
	assert_true(af_session_modified(b.session));
	writes_left = -1;
	unlink_backup(&b);
	end(&b);
}

static void test_review__a_write_that_never_began_ends_with_0(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL_GPT);
	assert_int_equal(setenv("XDG_STATE_HOME", "/dev/null", 1), 0);
	press(&b, "d W yes Enter");
	assert_true(af_session_modified(b.session));
	assert_int_equal(b.app.status, 0);
	assert_string_equal(b.app.farewell, "");
	end(&b);
}

static void test_review__says_that_it_writes_before_it_does(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL_GPT);
	b.app.draws_first = true;
	press(&b, "d W yes Enter");
	assert_true(is_shown(&b, "writing to disk.img: leave it connected"));
	assert_true(af_session_modified(b.session));
	ui_app_work(&b.app);
	ui_app_draw(&b.app, &b.canvas);
	assert_false(af_session_modified(b.session));
	assert_true(is_shown(&b, "written: "));
	unlink_backup(&b);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_review__a_write_that_breaks_off_is_told_and_ends_with_3),
		cmocka_unit_test(test_review__says_that_it_writes_before_it_does),
		cmocka_unit_test(test_review__a_write_that_never_began_ends_with_0),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
