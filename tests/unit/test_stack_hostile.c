/* Containers that tools made, whole, with a bad byte, and cut short: their layers are right or unknown, and nothing outside of the
 * partition is read. */
#include "stack_bench.h"

#define SIZE    (32 * AF_MIB)
#define SECTORS "6144+65536" /* the partition: BENCH_START and SIZE */
#define SEEDS   "tests/fuzz/seeds/stack/"
#define HEAD    (8 * AF_KIB)

/* A sample: the file that a tool's header is in, or words of disks.h. */
struct sample {
	const char *seed, *words, *fs, *layers;
	struct af_span super; /* bytes with its numbers, if not in the first 8 KiB */
	struct af_span naked; /* its numbers that no checksum or copy vouches for */
	int step; /* bytes between those that are flipped; 0: none is left out */
};

#define LUKS1_PAYLOAD                                                                      \
	{                                                                                  \
		104, 108                                                                   \
	}

#define MADE(file, type, is, ...)                                                          \
	{                                                                                  \
		.seed = file, .fs = type, .layers = is, __VA_ARGS__                        \
	}
#define BUILT(by, type, is, ...)                                                           \
	{                                                                                  \
		.words = by, .fs = type, .layers = is, __VA_ARGS__                         \
	}

static const struct sample sample_table[] = {
	MADE("luks1", "crypto_LUKS", "LUKS1 2097152/0", .naked = { 104, 108 }),
	MADE("luks1-4041", "crypto_LUKS", "LUKS1 2068992/0", .naked = { 104, 108 }),
	MADE("luks2", "crypto_LUKS", "LUKS2 16777216/4096", ),
	MADE("luks2-reencrypt", "crypto_LUKS", "LUKS2 16777216/4096", .step = 30),
	MADE("luks2-compensated", "crypto_LUKS", "LUKS2 16777728/512", .step = 30),
	MADE("lvm-group", "LVM2_member", "LVM2 1048576/4194304", ),
	MADE("lvm-2055", "LVM2_member", "LVM2 1052160/0", ),
	MADE("bcache-backing", "bcache", "bcache backing 8192/512", ),
	MADE("bcache-backing-17", "bcache", "bcache backing 8704/512", ),
	MADE("bcache-cache", "bcache", "bcache cache 524288/512", ),
	BUILT("md090=" SECTORS ",5,65536", "linux_raid_member", "md 0.90 raid5 0/65536",
	      .super = { SIZE - 65536, SIZE - 61440 }),
	BUILT("md10=" SECTORS ",1,0,65000,0", "linux_raid_member", "md 1.0 raid1 0/0",
	      .super = { SIZE - 8192, SIZE - 4096 }),
	BUILT("md11=" SECTORS ",0,4096,61440,1024", "linux_raid_member",
	      "md 1.1 raid0 2097152/524288", ),
	BUILT("md12=" SECTORS ",5,2048,60000,1024", "linux_raid_member",
	      "md 1.2 raid5 1048576/524288", ),
	BUILT("bitlocker=" SECTORS ",0,8", "BitLocker", "BitLocker 0/4096",
	      .super = { AF_MIB, AF_MIB + 512 }, .naked = { 11, 14 }),
	BUILT("bitlocker=" SECTORS ",1,8", "BitLocker", "BitLocker To Go 0/0",
	      .super = { AF_MIB, AF_MIB + 512 }),
	BUILT("bitlocker=" SECTORS ",2,8", "BitLocker", "BitLocker (Vista) 0/4096",
	      .super = { AF_MIB, AF_MIB + 512 }, .naked = { 11, 14 }),
	BUILT("zfs=" SECTORS ",12", "zfs_member", "ZFS 4194304/4096",
	      .super = { 16384, 17408 }),
};

#define SAMPLES (sizeof(sample_table) / sizeof(sample_table[0]))

static struct bench b;

static void load_seed(const char *name)
{
	static unsigned char bytes[65536];
	char path[200];
	size_t n;

	bench_open(&b, SIZE);
	(void)snprintf(path, sizeof(path), SEEDS "%s", name);
	FILE *f = fopen(path, "rbe");
	assert_non_null(f);
	n = fread(bytes, 1, sizeof(bytes), f);
	assert_true(n > 2);
	(void)fclose(f);
	memdev_poke(&b.m, BENCH_START, bytes + 2, n - 2);
}

static void load(const struct sample *s)
{
	if (s->seed)
		load_seed(s->seed);
	else
		bench_make(&b, s->words, SIZE);
}

/* Right: the layers as they are, or none that one would go by. */
static void expect_right_or_unknown(const struct sample *s, const char *what, af_bytes at)
{
	const char *seen = bench_look(&b, s->fs);

	if (strcmp(seen, s->layers) == 0 ||
	    (b.content.nlayers == 1 && b.content.layer[0].kind == AF_LAYER_UNKNOWN))
		return;
	/* the extents' size is a note: without the text that has it the label is left */
	if (strcmp(s->fs, "LVM2_member") == 0 && strstr(seen, "/0") &&
	    strncmp(seen, s->layers, strcspn(s->layers, "/")) == 0)
		return;
	print_message("%s, %s %lld: %s\n", s->layers, what, (long long)at, seen);
	fail();
}

static void flip(const struct sample *s, af_bytes at, unsigned char bits)
{
	unsigned char byte, bad;

	memdev_peek(&b.m, BENCH_START + at, &byte, 1);
	bad = byte ^ bits;
	memdev_poke(&b.m, BENCH_START + at, &bad, 1);
	if (af_span_has(s->naked, at))
		(void)bench_look(&b, s->fs); /* nobody could know */
	else
		expect_right_or_unknown(s, "flipped at", at);
	memdev_poke(&b.m, BENCH_START + at, &byte, 1);
}

static void test_stack__what_tools_made_is_read_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		load(&sample_table[i]);
		assert_string_equal(bench_look(&b, sample_table[i].fs),
				    sample_table[i].layers);
		bench_close(&b);
	}
}

static void test_stack__a_bad_byte_gives_no_wrong_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		const struct sample *s = &sample_table[i];

		load(s);
		for (af_bytes at = 0; at < HEAD; at += s->step + 1)
			flip(s, at, at % 2 ? 0xff : 0x01);
		for (af_bytes at = s->super.start; at < s->super.end; at++)
			flip(s, at, at % 2 ? 0x01 : 0xff);
		bench_close(&b);
	}
}

/* Both headers' numbers may be gone at once: then nothing is left. */
static void test_stack__luks2_lives_by_either_header(void **state)
{
	static const unsigned char zeros[512] = { 0 };

	(void)state;
	load_seed("luks2");
	memdev_poke(&b.m, BENCH_START, zeros, sizeof(zeros));
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "LUKS2 16777216/4096");
	memdev_poke(&b.m, BENCH_START + 16384 + 4096, zeros, sizeof(zeros));
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "crypto_LUKS ?");
	bench_close(&b);
	load_seed("luks2");
	memdev_poke(&b.m, BENCH_START + 16384, zeros, sizeof(zeros));
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "LUKS2 16777216/4096");
	bench_close(&b);
}

/* All lengths in steps of 512 bytes near both ends, some in between. */
static af_bytes next_length(af_bytes size)
{
	const af_bytes near = 256 * AF_KIB;

	return size < near || size >= SIZE - near ? size + 512 : size + 37 * (af_bytes)512;
}

static void test_stack__nothing_is_read_behind_a_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		const struct sample *s = &sample_table[i];

		load(s);
		for (af_bytes size = 512; size < SIZE; size = next_length(size)) {
			b.span.end = b.span.start + size;
			expect_right_or_unknown(s, "cut at", size);
		}
		bench_close(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stack__what_tools_made_is_read_right),
		cmocka_unit_test(test_stack__a_bad_byte_gives_no_wrong_place),
		cmocka_unit_test(test_stack__luks2_lives_by_either_header),
		cmocka_unit_test(test_stack__nothing_is_read_behind_a_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
