/* Where data begins in file systems that their own tools made, whole, cut short and with a bad byte each. */
#include "stack_bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "samples.h"

#define HEAD (8 * AF_KIB)

static struct bench b;
static char path[300];

/* Copies what is in the file, but for its holes, to the partition. */
static void load(void)
{
	unsigned char buf[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	af_bytes size = lseek(fd, 0, SEEK_END), at = 0;

	assert_true(fd >= 0 && size > 0);
	bench_open(&b, size);
	while ((at = lseek(fd, at, SEEK_DATA)) >= 0) {
		ssize_t n = pread(fd, buf, sizeof(buf), at);

		assert_true(n > 0);
		memdev_poke(&b.m, BENCH_START + at, buf, (size_t)n);
		at += n;
	}
	(void)close(fd);
}

/* Makes a sample and a disk with it; false if its tool is not here. */
static bool make(const struct sample *s)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(path, sizeof(path), "%s/afdisk-sample-%d", tmp ? tmp : "/tmp",
		       (int)getpid());
	bool made = sample_make(s, path);
	if (made)
		load();
	assert_int_equal(unlink(path), 0);
	return made;
}

/* Calls one with each sample that can be made; skips the test if that is none. */
static void each(void (*one)(const struct sample *s))
{
	size_t n = 0;
	for (size_t i = 0; i < sample_count; i++) {
		if (!make(&sample_table[i]))
			continue;
		one(&sample_table[i]);
		bench_close(&b);
		n++;
	}
	if (n == 0)
		skip();
}

static void is_read(const struct sample *s)
{
	assert_string_equal(bench_look(&b, s->fs), s->layers);
	assert_int_equal(b.content.fs_size, s->fs_size);
	assert_false(b.content.bound_to_end);
	assert_string_equal(b.content.remark, "");
}

static void test_stack_fs__samples_of_the_real_tools_are_read(void **state)
{
	(void)state;
	each(is_read);
}

/* What follows the name: a bit of ext3's makes it an ext2. */
static const char *numbers(const char *layers)
{
	const char *space = strchr(layers, ' ');
	return space ? space : layers;
}

/* The answer is the right one, or that it is unknown. */
static bool is_right_or_unknown(const struct sample *s)
{
	char unknown[40];

	(void)snprintf(unknown, sizeof(unknown), "%s ?", s->fs);
	const char *found = bench_look(&b, s->fs);
	return strcmp(found, unknown) == 0 ||
	       strcmp(numbers(found), numbers(s->layers)) == 0;
}

static void is_cut(const struct sample *s)
{
	const af_bytes end = b.span.end;
	for (af_bytes size = 0; size <= 160 * AF_KIB; size += 512) {
		b.span.end = BENCH_START + size < end ? BENCH_START + size : end;
		assert_true(is_right_or_unknown(s));
	}
}

static void test_stack_fs__a_sample_cut_short_is_right_or_unknown(void **state)
{
	(void)state;
	each(is_cut);
}

/* Nothing else tells how many entries the root directory of a FAT12 or FAT16 has: the clusters lie where that says. */
static bool is_root_entries(const struct sample *s, af_bytes at)
{
	return strncmp(s->name, "fat1", 4) == 0 && at == 18;
}

static void flip(const struct sample *s, af_bytes at)
{
	unsigned char was, is;

	memdev_peek(&b.m, BENCH_START + at, &was, 1);
	is = was ^ 0xff;
	memdev_poke(&b.m, BENCH_START + at, &is, 1);
	bool good = is_right_or_unknown(s) || is_root_entries(s, at);
	if (good && s->guarded)
		good = b.content.fs_size == 0 || b.content.fs_size == s->fs_size;
	if (!good)
		print_message("%s, byte %lld: %s, %lld bytes\n", s->name, (long long)at,
			      b.text, (long long)b.content.fs_size);
	assert_true(good);
	memdev_poke(&b.m, BENCH_START + at, &was, 1);
}

static void is_flipped(const struct sample *s)
{
	for (af_bytes at = 0; at < HEAD; at++)
		flip(s, at);
	for (af_bytes at = s->super.at; at < s->super.at + s->super.n; at++)
		flip(s, at);
}

static void test_stack_fs__a_bad_byte_is_right_or_unknown(void **state)
{
	(void)state;
	each(is_flipped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stack_fs__samples_of_the_real_tools_are_read),
		cmocka_unit_test(test_stack_fs__a_sample_cut_short_is_right_or_unknown),
		cmocka_unit_test(test_stack_fs__a_bad_byte_is_right_or_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
