/* Devices: whole reads and writes, refusals, the claim, what is durable. The system calls that the kernel seldom lets
 * fail are put in front of the real ones here. */
#include "afdisk/dev.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include "folder.h"
#include <cmocka.h>

#define SIZE 65536

static struct {
	int interrupts; /* so many EINTR come first */
	size_t shorten; /* not 0: at most so many bytes a call */
	int fail;       /* not 0: this errno */
} calls;

static bool disturbed(void)
{
	if (calls.interrupts > 0) {
		calls.interrupts--;
		errno = EINTR;
		return true;
	}
	errno = calls.fail;
	return calls.fail != 0;
}

static size_t shortened(size_t n)
{
	return calls.shorten && n > calls.shorten ? calls.shorten : n;
}

/* The parameters of the library have names that only it may use. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
	return disturbed() ? -1 : syscall(SYS_pread64, fd, buf, shortened(n), at);
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
	return disturbed() ? -1 : syscall(SYS_pwrite64, fd, buf, shortened(n), at);
}

int fdatasync(int fd)
{
	return disturbed() ? -1 : (int)syscall(SYS_fdatasync, fd);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static char folder[200], image[240];
static struct af_dev dev;
static struct af_err err;

static unsigned char pattern(size_t i)
{
	return (unsigned char)((i * 7 + i / 512) & 0xff);
}

static void make_image(size_t size)
{
	FILE *f = fopen(image, "we");

	assert_non_null(f);
	for (size_t i = 0; i < size; i++)
		assert_int_not_equal(fputc(pattern(i), f), EOF);
	assert_int_equal(fclose(f), 0);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	memset(&calls, 0, sizeof(calls));
	memset(&err, 0, sizeof(err));
	(void)snprintf(folder, sizeof(folder), "%s/afdisk-dev-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(folder));
	(void)snprintf(image, sizeof(image), "%s/disk.img", folder);
	make_image(SIZE);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	memset(&calls, 0, sizeof(calls));
	af_dev_close(&dev);
	return folder_remove(folder);
}

static void open_image(void)
{
	assert_true(af_dev_open(image, &dev, &err));
}

static void assert_refused(bool done, enum af_code code, const char *word)
{
	assert_false(done);
	assert_int_equal(err.code, code);
	assert_non_null(strstr(err.text, word));
}

static void test_dev__opens_an_image_with_its_size(void **state)
{
	(void)state;
	open_image();
	assert_int_equal(dev.size, SIZE);
	assert_int_equal(dev.sector_size, 512);
	assert_true(dev.is_file);
	assert_false(dev.writable);
	assert_string_equal(dev.path, image);
	assert_true(af_dev_fd(&dev) >= 0);
}

static void test_dev__counts_whole_sectors_only(void **state)
{
	(void)state;
	make_image(SIZE + 511);
	open_image();
	assert_int_equal(dev.size, SIZE);
	assert_true(af_dev_claim(&dev, &err)); /* the size is what it was */
}

static void test_dev__refuses_what_is_no_disk(void **state)
{
	char pipe_name[240], missing[240], long_name[400];

	(void)state;
	assert_refused(af_dev_open(folder, &dev, &err), AF_E_USAGE, "is a folder");
	assert_refused(af_dev_open("/dev/null", &dev, &err), AF_E_USAGE,
		       "neither a disk nor a file");
	(void)snprintf(pipe_name, sizeof(pipe_name), "%s/pipe", folder);
	assert_int_equal(mkfifo(pipe_name, 0600), 0);
	assert_refused(af_dev_open(pipe_name, &dev, &err), AF_E_USAGE,
		       "neither a disk nor a file");
	assert_int_equal(unlink(pipe_name), 0);
	(void)snprintf(missing, sizeof(missing), "%s/missing", folder);
	assert_refused(af_dev_open(missing, &dev, &err), AF_E_IO, missing);
	assert_int_equal(err.sys, ENOENT);
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	assert_refused(af_dev_open(long_name, &dev, &err), AF_E_USAGE, "too long");
	make_image(0);
	assert_refused(af_dev_open(image, &dev, &err), AF_E_USAGE, "is empty");
	make_image(511);
	assert_refused(af_dev_open(image, &dev, &err), AF_E_USAGE,
		       "too small to hold a table (511 bytes)");
	assert_null(dev.ops); /* the output is untouched */
}

static void test_dev__close_leaves_zeros(void **state)
{
	static const struct af_dev zeros;

	(void)state;
	open_image();
	af_dev_close(&dev);
	assert_memory_equal(&dev, &zeros, sizeof(dev));
	af_dev_close(&dev); /* again does nothing */
}

static void assert_pattern(const unsigned char *buf, size_t at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(buf[i], pattern(at + i));
}

static void test_dev__reads_whole_through_short_and_interrupted_calls(void **state)
{
	unsigned char buf[5000];

	(void)state;
	open_image();
	calls.interrupts = 3;
	calls.shorten = 700;
	assert_true(af_dev_read(&dev, 1234, buf, sizeof(buf), &err));
	assert_pattern(buf, 1234, sizeof(buf));
	assert_int_equal(dev.reads, 1);
	assert_true(af_dev_read(&dev, SIZE - 10, buf, 10, &err));
	assert_pattern(buf, SIZE - 10, 10);
	assert_true(af_dev_read(&dev, SIZE, buf, 0, &err));
}

static void test_dev__refuses_to_read_off_the_device(void **state)
{
	unsigned char buf[512];

	(void)state;
	open_image();
	assert_refused(af_dev_read(&dev, SIZE - 511, buf, 512, &err), AF_E_RANGE, image);
	assert_refused(af_dev_read(&dev, -512, buf, 512, &err), AF_E_RANGE, image);
	assert_refused(af_dev_read(&dev, INT64_MAX, buf, 512, &err), AF_E_RANGE, image);
	assert_int_equal(dev.reads, 0);
}

static void test_dev__says_why_it_cannot_read(void **state)
{
	unsigned char buf[512];

	(void)state;
	open_image();
	calls.fail = EIO;
	assert_refused(af_dev_read(&dev, 512, buf, 512, &err), AF_E_IO, "bad sector");
	assert_int_equal(err.sys, EIO);
	calls.fail = ENXIO;
	assert_refused(af_dev_read(&dev, 512, buf, 512, &err), AF_E_IO, "unplugged");
	calls.fail = 0;
	assert_int_equal(truncate(image, 1024), 0);
	assert_refused(af_dev_read(&dev, 512, buf, 512 + 512, &err), AF_E_IO,
		       "it ends there now");
}

static void test_dev__writes_whole_sectors_only_when_claimed(void **state)
{
	unsigned char buf[1536], back[1536];

	(void)state;
	memset(buf, 0xa5, sizeof(buf));
	open_image();
	assert_refused(af_dev_write(&dev, 0, buf, 512, &err), AF_E_USAGE, "reading only");
	assert_true(af_dev_claim(&dev, &err));
	assert_refused(af_dev_write(&dev, 1, buf, 512, &err), AF_E_RANGE,
		       "no whole sectors");
	assert_refused(af_dev_write(&dev, 0, buf, 100, &err), AF_E_RANGE,
		       "no whole sectors");
	assert_refused(af_dev_write(&dev, SIZE, buf, 512, &err), AF_E_RANGE, image);
	assert_int_equal(dev.writes, 0);
	calls.interrupts = 2;
	calls.shorten = 500;
	assert_true(af_dev_write(&dev, 1024, buf, sizeof(buf), &err));
	calls.shorten = 0;
	assert_int_equal(dev.writes, 1);
	assert_true(af_dev_flush(&dev, &err));
	assert_int_equal(dev.flushes, 1);
	assert_true(af_dev_forget(&dev, 1024, sizeof(back), &err));
	assert_true(af_dev_read(&dev, 1024, back, sizeof(back), &err));
	assert_memory_equal(buf, back, sizeof(back));
	assert_true(af_dev_read(&dev, 0, back, 1024, &err));
	assert_pattern(back, 0, 1024);
	calls.fail = ENOSPC;
	assert_refused(af_dev_write(&dev, 0, buf, 512, &err), AF_E_IO, "write");
	assert_int_equal(err.sys, ENOSPC);
	assert_refused(af_dev_flush(&dev, &err), AF_E_IO, "keep");
}

static void test_dev__flush_of_an_unclaimed_device_has_nothing_to_do(void **state)
{
	(void)state;
	open_image();
	calls.fail = EIO;
	assert_true(af_dev_flush(&dev, &err));
	assert_int_equal(dev.flushes, 0);
}

static void test_dev__claim_is_exclusive_until_given_up(void **state)
{
	struct af_dev other;

	(void)state;
	open_image();
	assert_true(af_dev_open(image, &other, &err));
	assert_true(af_dev_claim(&dev, &err));
	assert_true(af_dev_claim(&dev, &err)); /* it has it already */
	assert_true(dev.writable);
	assert_refused(af_dev_claim(&other, &err), AF_E_BUSY, image);
	assert_false(other.writable);
	af_dev_unclaim(&dev);
	assert_false(dev.writable);
	af_dev_unclaim(&dev); /* again does nothing */
	assert_true(af_dev_claim(&other, &err));
	af_dev_close(&other);
}

static void test_dev__claim_respects_the_lock_of_another_program(void **state)
{
	int fd = open(image, O_RDONLY | O_CLOEXEC);

	(void)state;
	open_image();
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_refused(af_dev_claim(&dev, &err), AF_E_BUSY, "locked by another program");
	assert_int_equal(close(fd), 0);
	assert_true(af_dev_claim(&dev, &err));
}

/* As qemu holds the disk of a running machine. */
static void test_dev__claim_respects_a_lock_on_bytes(void **state)
{
	struct flock bytes = {
		.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 100, .l_len = 1
	};
	int fd = open(image, O_RDONLY | O_CLOEXEC);

	(void)state;
	open_image();
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &bytes), 0);
	assert_refused(af_dev_claim(&dev, &err), AF_E_BUSY, "locked by another program");
	assert_int_equal(close(fd), 0);
	assert_true(af_dev_claim(&dev, &err));
}

/** Makes the folder that sysfs has for a loop device of the image, or of something that is gone. */
static void make_loop(const char *name, const char *backing)
{
	char path[300];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/%s/loop", folder, name);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/%s/loop/backing_file", folder, name);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fprintf(f, "%s\n", backing) > 0);
	assert_int_equal(fclose(f), 0);
}

static void test_dev__finds_the_loop_device_of_an_image(void **state)
{
	char name[32] = "as before", link[240];

	(void)state;
	make_loop("loop0", "/no/such/image (deleted)");
	assert_false(af_dev_find_loop(folder, image, name, sizeof(name)));
	assert_false(af_dev_find_loop("/no/such/folder", image, name, sizeof(name)));
	assert_string_equal(name, "as before");
	(void)snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(symlink(image, link), 0);
	make_loop("loop17", link);
	assert_true(af_dev_find_loop(folder, image, name, sizeof(name)));
	assert_string_equal(name, "loop17");
	assert_false(af_dev_find_loop(folder, "/no/such/image", name, sizeof(name)));
}

static void test_dev__claim_notices_another_size(void **state)
{
	(void)state;
	open_image();
	assert_int_equal(truncate(image, SIZE + 512), 0);
	assert_refused(af_dev_claim(&dev, &err), AF_E_STALE,
		       "65536 bytes and has 66048 now");
	assert_int_equal(truncate(image, SIZE), 0);
	assert_true(af_dev_claim(&dev, &err));
}

static void test_dev__claim_notices_another_file_of_that_name(void **state)
{
	char other[240];

	(void)state;
	open_image();
	(void)snprintf(other, sizeof(other), "%s/other", folder);
	assert_int_equal(rename(image, other), 0);
	make_image(SIZE);
	assert_refused(af_dev_claim(&dev, &err), AF_E_STALE, "open it again");
	assert_int_equal(unlink(other), 0);
}

static void test_dev__claim_says_that_rights_are_missing(void **state)
{
	uid_t me = geteuid();

	(void)state;
	assert_int_equal(chmod(image, 0444), 0);
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(chdir(folder), 0); /* what lies above may be closed to others */
	assert_true(af_dev_open("disk.img", &dev, &err));
	if (me == 0)
		assert_int_equal(seteuid(65534), 0);
	assert_refused(af_dev_claim(&dev, &err), AF_E_IO,
		       "write-protected, or only root may");
	if (me == 0)
		assert_int_equal(seteuid(me), 0);
	assert_int_equal(err.sys, EACCES);
	assert_int_equal(chdir("/"), 0);
}

static bool refuse_read(void *self, af_bytes at, void *buf, size_t n, struct af_err *e)
{
	(void)self;
	(void)at;
	(void)buf;
	(void)n;
	return af_fail(e, AF_E_IO, "no");
}

static void test_dev__other_devices_have_no_descriptor_and_no_rival(void **state)
{
	static const struct af_dev_ops ops = { .read = refuse_read };
	struct af_dev other = { .ops = &ops, .size = 1024, .sector_size = 512 };
	unsigned char buf[512];

	(void)state;
	assert_int_equal(af_dev_fd(&other), -1);
	assert_true(af_dev_claim(&other, &err));
	assert_true(other.writable);
	af_dev_unclaim(&other);
	assert_refused(af_dev_read(&other, 0, buf, 512, &err), AF_E_IO, "no");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_dev__opens_an_image_with_its_size),
		CASE(test_dev__counts_whole_sectors_only),
		CASE(test_dev__refuses_what_is_no_disk),
		CASE(test_dev__close_leaves_zeros),
		CASE(test_dev__reads_whole_through_short_and_interrupted_calls),
		CASE(test_dev__refuses_to_read_off_the_device),
		CASE(test_dev__says_why_it_cannot_read),
		CASE(test_dev__writes_whole_sectors_only_when_claimed),
		CASE(test_dev__flush_of_an_unclaimed_device_has_nothing_to_do),
		CASE(test_dev__claim_is_exclusive_until_given_up),
		CASE(test_dev__claim_respects_the_lock_of_another_program),
		CASE(test_dev__claim_respects_a_lock_on_bytes),
		CASE(test_dev__finds_the_loop_device_of_an_image),
		CASE(test_dev__claim_notices_another_size),
		CASE(test_dev__claim_notices_another_file_of_that_name),
		CASE(test_dev__claim_says_that_rights_are_missing),
		CASE(test_dev__other_devices_have_no_descriptor_and_no_rival),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
