/* Where data begins in containers: bytes written by hand, layers out. The samples that tools made are in test_stack_hostile.c. */
#include "stack_bench.h"

#define SIZE    (32 * AF_MIB)
#define SECTORS "6144+65536" /* the partition: BENCH_START and SIZE */

/* What is read of a container in words, in a partition of SIZE. */
struct row {
	const char *words, *fs, *layers;
	af_bytes fs_size;
	bool bound_to_end;
};

#define UNKNOWN(words, fs)                                                                 \
	{                                                                                  \
		words, fs, fs " ?", 0, false                                               \
	}
/* The same of what may have its superblock at the end. */
#define UNKNOWN_AT_END(words, fs)                                                          \
	{                                                                                  \
		words, fs, fs " ?", 0, true                                                \
	}

static const struct row luks_table[] = {
	{ "luks1=" SECTORS ",4096", "crypto_LUKS", "LUKS1 2097152/0", 0, false },
	{ "luks1=" SECTORS ",4041", "crypto_LUKS", "LUKS1 2068992/0", 0, false },
	{ "luks1=" SECTORS ",65535", "crypto_LUKS", "LUKS1 33553920/0", 0, false },
	UNKNOWN("luks1=" SECTORS ",65536", "crypto_LUKS"),
	UNKNOWN("luks1=" SECTORS ",4294967295", "crypto_LUKS"),
	UNKNOWN("luks1=" SECTORS ",1", "crypto_LUKS"),
	UNKNOWN("luks1=" SECTORS ",0", "crypto_LUKS"), /* its header is elsewhere */
	UNKNOWN("luks1=" SECTORS ",4096 poke=3145735,03", "crypto_LUKS"), /* version 3 */
};

static const struct row lvm_table[] = {
	{ "lvm=" SECTORS ",2048", "LVM2_member", "LVM2 1048576/0", SIZE, false },
	{ "lvm=" SECTORS ",2049", "LVM2_member", "LVM2 1049088/0", SIZE, false },
	{ "lvm=" SECTORS ",384", "LVM2_member", "LVM2 196608/0", SIZE, false },
	{ "lvm=" SECTORS ",2055,8192", "LVM2_member", "LVM2 1052160/4194304", SIZE, false },
	/* the text's checksum is wrong: the label is left; so with its header's */
	{ "lvm=" SECTORS ",2048,8192 poke=3150360,41", "LVM2_member", "LVM2 1048576/0",
	  SIZE, false },
	{ "lvm=" SECTORS ",2048,8192 poke=3149824,41", "LVM2_member", "LVM2 1048576/0",
	  SIZE, false },
	/* an area that does not lie in the partition; a label that says that it is another sector's; a wrong checksum */
	UNKNOWN("lvm=" SECTORS ",65536", "LVM2_member"),
	UNKNOWN("lvm=" SECTORS ",2048 poke=3146248,02", "LVM2_member"),
	UNKNOWN("lvm=" SECTORS ",2048 poke=3146300,41", "LVM2_member"),
};

static const struct row md_table[] = {
	{ "md090=" SECTORS ",1,0", "linux_raid_member", "md 0.90 raid1 0/0", 0, true },
	{ "md090=" SECTORS ",5,65536", "linux_raid_member", "md 0.90 raid5 0/65536", 0,
	  true },
	{ "md10=" SECTORS ",1,0,65000,0", "linux_raid_member", "md 1.0 raid1 0/0", 0,
	  true },
	{ "md11=" SECTORS ",0,4096,61440,1024", "linux_raid_member",
	  "md 1.1 raid0 2097152/524288", SIZE, false },
	{ "md12=" SECTORS ",1,2048,63000,0", "linux_raid_member", "md 1.2 raid1 1048576/0",
	  33304576, false },
	{ "md12=" SECTORS ",6,1026,63000,1024", "linux_raid_member",
	  "md 1.2 raid6 525312/524288", 32781312, false },
	{ "md12=" SECTORS ",10,272,63000,128", "linux_raid_member",
	  "md 1.2 raid10 139264/65536", 32395264, false },
	/* linear: -1 */
	{ "md12=" SECTORS ",4294967295,2048,63000,0", "linux_raid_member",
	  "md 1.2 1048576/0", 33304576, false },
	/* on its way by -2040 units */
	{ "md12=" SECTORS ",5,2048,63000,1024,4294965256", "linux_raid_member",
	  "md 1.2 raid5 1048576/524288, md, its new place 4096/0", 33304576, false },
	/* the array uses less than the member gives it, or stripes and does not say; Linux wants all that is given */
	{ "md12=" SECTORS ",1,2048,20000,0,0,63000", "linux_raid_member",
	  "md 1.2 raid1 1048576/0", 33304576, false },
	{ "md12=" SECTORS ",0,2048,0,128,0,63000", "linux_raid_member",
	  "md 1.2 raid0 1048576/65536", 33304576, false },
	UNKNOWN_AT_END("md12=" SECTORS ",1,65536,10,0", "linux_raid_member"),
	UNKNOWN_AT_END("md12=" SECTORS ",1,36028797018963968,10,0", "linux_raid_member"),
	UNKNOWN_AT_END("md12=" SECTORS ",1,2048,10,0 poke=3149968,01", "linux_raid_member"),
	UNKNOWN_AT_END("md090=" SECTORS ",1,0 poke=36634656,ff", "linux_raid_member"),
};

static const struct row other_table[] = {
	{ "bcache=" SECTORS ",1,0,1", "bcache", "bcache backing 8192/512", 0, false },
	{ "bcache=" SECTORS ",4,17,8", "bcache", "bcache backing 8704/4096", 0, false },
	{ "bcache=" SECTORS ",6,2048,8", "bcache", "bcache backing 1048576/4096", 0,
	  false },
	{ "bcache=" SECTORS ",0,1024,8", "bcache", "bcache cache 524288/4096", 0, false },
	{ "bcache=" SECTORS ",3,2049,8", "bcache", "bcache cache 1049088/4096", 0, false },
	UNKNOWN("bcache=" SECTORS ",4,8,8", "bcache"), /* over its own superblock */
	UNKNOWN("bcache=" SECTORS ",4,65536,8", "bcache"),
	UNKNOWN("bcache=" SECTORS ",2,1024,8", "bcache"), /* a journal's */
	UNKNOWN("bcache=" SECTORS ",1,0,1 poke=3150030,01", "bcache"),
	{ "bitlocker=" SECTORS ",0,8", "BitLocker", "BitLocker 0/4096", 0, false },
	{ "bitlocker=" SECTORS ",1,64", "BitLocker", "BitLocker To Go 0/0", 0, false },
	{ "bitlocker=" SECTORS ",2,8", "BitLocker", "BitLocker (Vista) 0/4096", 0, false },
	{ "bitlocker=" SECTORS ",0,3", "BitLocker", "BitLocker 0/0", 0, false },
	UNKNOWN("bitlocker=" SECTORS ",0,8 poke=4194304,58", "BitLocker"),
	{ "zfs=" SECTORS ",12", "zfs_member", "ZFS 4194304/4096", 0, true },
	{ "zfs=" SECTORS ",9", "zfs_member", "ZFS 4194304/512", 0, true },
	UNKNOWN_AT_END("zfs=" SECTORS ",17", "zfs_member"),
	UNKNOWN_AT_END("zfs=" SECTORS ",0", "zfs_member"),
	/* without the first label; without the first three */
	{ "zfs=" SECTORS ",12 poke=3162112,00", "zfs_member", "ZFS 4194304/4096", 0, true },
	{ "zfs=" SECTORS ",12 poke=3162112,00 poke=3424256,00 poke=36192256,00",
	  "zfs_member", "ZFS 4194304/4096", 0, true },
};

static void check(const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct bench b;

		bench_make(&b, row[i].words, SIZE);
		(void)bench_look(&b, row[i].fs);
		if (strcmp(b.text, row[i].layers) != 0)
			print_message("%s\n", row[i].words);
		assert_string_equal(b.text, row[i].layers);
		assert_int_equal(b.content.fs_size, row[i].fs_size);
		assert_int_equal(b.content.bound_to_end, row[i].bound_to_end);
		bench_close(&b);
	}
}

#define CHECK(table) check(table, sizeof(table) / sizeof((table)[0]))

static void test_stack__luks1_tells_its_payload(void **state)
{
	(void)state;
	CHECK(luks_table);
}

static void test_stack__lvm_tells_where_its_extents_begin(void **state)
{
	(void)state;
	CHECK(lvm_table);
}

static void test_stack__raid_tells_its_data_offset(void **state)
{
	(void)state;
	CHECK(md_table);
}

static void test_stack__bcache_bitlocker_and_zfs_do_likewise(void **state)
{
	(void)state;
	CHECK(other_table);
}

static void test_stack__offsets_of_what_is_inside_add_up(void **state)
{
	struct bench b;

	(void)state;
	/* a mirror 1 MiB in, LUKS1 in it, off by one unit; what is in a stripe set cannot be seen */
	bench_make(&b, "md12=" SECTORS ",1,2048,63000,0 luks1=8192+63000,4041", SIZE);
	assert_string_equal(bench_look(&b, "linux_raid_member"),
			    "md 1.2 raid1 1048576/0, LUKS1 3117568/0");
	assert_int_equal(b.content.fs_size, 33304576); /* the outermost's */
	bench_close(&b);
	bench_make(&b, "md12=" SECTORS ",0,2048,63000,128 luks1=8192+63000,4041", SIZE);
	assert_string_equal(bench_look(&b, "linux_raid_member"),
			    "md 1.2 raid0 1048576/65536");
	bench_close(&b);
	/* bcache 8 KiB in, a mirror in it, LVM in that; with newer data in the cache nothing is looked at */
	bench_make(&b,
		   "bcache=" SECTORS ",1,0,8,1 md11=6160+65520,1,2048,60000,0 "
		   "lvm=8208+60000,2048,8192",
		   SIZE);
	assert_string_equal(bench_look(&b, "bcache"),
			    "bcache backing 8192/4096, md 1.1 raid1 1056768/0, "
			    "LVM2 2105344/4194304");
	bench_close(&b);
	bench_make(&b, "bcache=" SECTORS ",1,0,8,2 md11=6160+65520,1,2048,60000,0", SIZE);
	assert_string_equal(bench_look(&b, "bcache"), "bcache backing 8192/4096");
	bench_close(&b);
}

static void test_stack__mirrors_in_mirrors_end(void **state)
{
	struct bench b;

	(void)state;
	bench_make(&b,
		   "md11=6144+65536,1,16,60000,0 md11=6160+60000,1,16,50000,0 "
		   "md11=6176+60000,1,16,40000,0 md11=6192+60000,1,16,30000,0 "
		   "md11=6208+60000,1,16,20000,0",
		   SIZE);
	(void)bench_look(&b, "linux_raid_member");
	assert_int_equal(b.content.nlayers, 4);
	bench_close(&b);
}

static void test_stack__what_no_reader_knows_has_no_layer(void **state)
{
	struct bench b;

	(void)state;
	bench_make(&b, "luks1=" SECTORS ",4096", SIZE);
	assert_string_equal(bench_look(&b, "minix"), "");
	assert_null(b.content.layer);
	assert_int_equal(b.m.dev.reads, 0);
	assert_false(b.content.bound_to_end);
	assert_string_equal(bench_look(&b, "drbd"), "");
	assert_true(b.content.bound_to_end);
	bench_close(&b);
}

static void test_stack__a_header_is_read_at_once(void **state)
{
	struct bench b;

	(void)state;
	bench_make(&b, "lvm=" SECTORS ",2048,8192", SIZE);
	assert_string_equal(bench_look(&b, "LVM2_member"), "LVM2 1048576/4194304");
	assert_int_equal(b.m.dev.reads, 1);
	bench_close(&b);
}

static void test_stack__what_cannot_be_read_is_unknown(void **state)
{
	struct bench b;

	(void)state;
	bench_make(&b, "luks1=" SECTORS ",4096", SIZE);
	b.m.fail_read = 1;
	b.m.fail_on = true;
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "crypto_LUKS ?");
	b.m.fail_read = b.m.reads + 1; /* the header alone can be read */
	b.m.fail_on = false;
	assert_string_equal(bench_look(&b, "crypto_LUKS"), "LUKS1 2097152/0");
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stack__luks1_tells_its_payload),
		cmocka_unit_test(test_stack__lvm_tells_where_its_extents_begin),
		cmocka_unit_test(test_stack__raid_tells_its_data_offset),
		cmocka_unit_test(test_stack__bcache_bitlocker_and_zfs_do_likewise),
		cmocka_unit_test(test_stack__offsets_of_what_is_inside_add_up),
		cmocka_unit_test(test_stack__mirrors_in_mirrors_end),
		cmocka_unit_test(test_stack__what_no_reader_knows_has_no_layer),
		cmocka_unit_test(test_stack__a_header_is_read_at_once),
		cmocka_unit_test(test_stack__what_cannot_be_read_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
