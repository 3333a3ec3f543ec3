/* Where data begins in file systems that their own tools made, whole, cut short and with a bad byte each. */
#include "stack_bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "samples.h"

#define HEAD (8 * AF_KIB)
#define MIB  AF_MIB

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

/* The disk of a sample; skips the test if its tool is not here. */
static void need(const char *name)
{
	if (!make(sample_find(name)))
		skip();
}

static void test_stack_fs__hibernation_is_told(void **state)
{
	static const char *const mark_table[] = { "S1SUSPEND", "S2SUSPEND", "ULSUSPEND",
						  "LINHIB0001",
						  "\xed\xc3\x02\xe9\x98\x56\xe5\x0c" };
	(void)state;
	need("swap");
	for (size_t i = 0; i < sizeof(mark_table) / sizeof(mark_table[0]); i++) {
		memdev_poke(&b.m, BENCH_START + 4086, mark_table[i], strlen(mark_table[i]));
		assert_string_equal(bench_look(&b, "swsuspend"), "swap 0/4096");
		assert_int_equal(b.content.fs_size, MIB);
		assert_non_null(strstr(b.content.remark, "resume it first"));
	}
	bench_close(&b);
}

static void test_stack_fs__swap_of_another_byte_order_is_read(void **state)
{
	static const unsigned char header[] = { 0, 0, 0, 1, 0, 0, 0, 15 };
	(void)state;
	bench_open(&b, 8 * MIB);
	memdev_poke(&b.m, BENCH_START + 1024, header, sizeof(header));
	memdev_poke(&b.m, BENCH_START + 65536 - 10, "SWAPSPACE2", 10);
	assert_string_equal(bench_look(&b, "swap"), "swap 0/65536");
	assert_int_equal(b.content.fs_size, MIB);
	memdev_poke(&b.m, BENCH_START + 65536 - 10, "SWAP-SPACE", 10); /* no header yet */
	assert_string_equal(bench_look(&b, "swap"), "swap 0/65536");
	assert_int_equal(b.content.fs_size, 0);
	bench_close(&b);
}

/* FreeBSD's newfs puts the superblock of UFS2 at 64 KiB, makefs at 8 KiB. */
static void test_stack_fs__ufs2_is_found_at_its_other_place(void **state)
{
	static const unsigned char zeros[8192];
	unsigned char super[8192];
	(void)state;
	need("ufs2");
	memdev_peek(&b.m, BENCH_START + 8192, super, sizeof(super));
	memdev_poke(&b.m, BENCH_START + 8192, zeros, sizeof(zeros));
	assert_string_equal(bench_look(&b, "ufs"), "ufs ?");
	memdev_poke(&b.m, BENCH_START + 65536, super, sizeof(super));
	assert_string_equal(bench_look(&b, "ufs"), "UFS2 0/4096");
	bench_close(&b);
}

/* Made by many a camera: the second number of the table of FAT12 is no end mark. */
static void test_stack_fs__fat12_shares_a_byte_of_its_table(void **state)
{
	(void)state;
	need("fat12");
	const char *const right = sample_find("fat12")->layers;
	for (af_bytes i = 0; i < 2; i++) {
		memdev_poke(&b.m, BENCH_START + 2048 + 1 + i * 6144, "\x8f", 1);
		assert_string_equal(bench_look(&b, "vfat"), right);
	}
	bench_close(&b);
}

/* What has no reader lies in libblkid's blocks; what has none of those is not guessed at. */
static void test_stack_fs__libblkid_tells_the_block_of_others(void **state)
{
	(void)state;
	bench_open(&b, MIB);
	b.block = 2048;
	assert_string_equal(bench_look(&b, "iso9660"), "iso9660 0/2048");
	assert_int_equal(b.content.fs_size, 0);
	b.block = 0;
	assert_string_equal(bench_look(&b, "iso9660"), "");
	assert_int_equal(b.m.dev.reads, 0);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stack_fs__samples_of_the_real_tools_are_read),
		cmocka_unit_test(test_stack_fs__a_sample_cut_short_is_right_or_unknown),
		cmocka_unit_test(test_stack_fs__a_bad_byte_is_right_or_unknown),
		cmocka_unit_test(test_stack_fs__hibernation_is_told),
		cmocka_unit_test(test_stack_fs__swap_of_another_byte_order_is_read),
		cmocka_unit_test(test_stack_fs__ufs2_is_found_at_its_other_place),
		cmocka_unit_test(test_stack_fs__fat12_shares_a_byte_of_its_table),
		cmocka_unit_test(test_stack_fs__libblkid_tells_the_block_of_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
