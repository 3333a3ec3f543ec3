/* How small a partition can be made, by what its content says of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "afdisk/edit.h"
#include "world.h"

/* A disk with one partition, of 100 MiB, and that content. */
static bool run(const char *commands, const struct af_content *like, struct af_err *err)
{
	struct world w;
	struct af_content item = *like;
	world_make(&w, "2097152 512 dos 1 p1=2048+204800,83");
	item.id = w.layout.part[0].id;
	item.state = AF_CONTENT_FOUND;
	w.contents = (struct af_contents){ .item = &item, .n = 1 };
	bool done = world_run(&w, commands, err);
	w.contents = (struct af_contents){ .item = NULL };
	world_release(&w);
	return done;
}

static void check_refused(const char *commands, const struct af_content *like,
			  const char *text)
{
	struct af_err err = { .code = AF_OK };
	assert_false(run(commands, like, &err));
	assert_int_equal(err.code, AF_E_DATA);
	assert_non_null(strstr(err.text, text));
}

static void check_done(const char *commands, const struct af_content *like)
{
	struct af_err err = { .code = AF_OK };
	if (!run(commands, like, &err))
		fail_msg("%s", err.text);
}

static void test_edit__a_partition_shrinks_down_to_its_file_system(void **state)
{
	(void)state;
	const struct af_content ext4 = { .fs = "ext4", .fs_size = 50 * AF_MIB };
	check_done("resize 1 size=50M", &ext4);
	check_done("resize 1 size=70M; resize 1 size=50M", &ext4);
	check_refused(
		"resize 1 size=49M", &ext4,
		"partition 1 holds ext4 of 50 MiB: 49 MiB would cut it off; shrink it "
		"first: 'e2fsck -f PARTITION' and 'resize2fs PARTITION 50176K'");
	check_done("resize 1 size=49M table-only", &ext4);
	check_refused("resize 1 start=4096 size=60M", &ext4, "moving its start");
}

static void test_edit__a_file_system_that_is_larger_is_not_cut_further(void **state)
{
	(void)state;
	const struct af_content ext4 = { .fs = "ext4", .fs_size = 150 * AF_MIB };
	check_refused("resize 1 size=99M", &ext4,
		      "ext4 of 150 MiB: 99 MiB would cut it off");
}

static void test_edit__sizes_that_look_alike_are_told_in_bytes(void **state)
{
	(void)state;
	const struct af_content xfs = { .fs = "xfs", .fs_size = 50 * AF_MIB + 512 };
	check_refused(
		"resize 1 size=50M", &xfs,
		"xfs of 52429312 bytes: 52428800 bytes would cut it off; XFS cannot be "
		"shrunk");
}

static void test_edit__what_does_not_tell_its_size_is_not_cut(void **state)
{
	(void)state;
	const struct af_content luks = { .fs = "crypto_LUKS" };
	check_refused("resize 1 size=99M", &luks, "a smaller partition would cut it off");
	check_done("resize 1 size=100M", &luks);
}

static void test_edit__what_ends_in_its_description_keeps_its_size(void **state)
{
	(void)state;
	const struct af_content md = { .fs = "linux_raid_member",
				       .fs_size = 50 * AF_MIB,
				       .bound_to_end = true };
	check_refused("resize 1 size=60M", &md, "lies at its end");
	check_refused("resize 1 size=+1M", &md, "lies at its end");
	check_done("resize 1 size=60M table-only", &md);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edit__a_partition_shrinks_down_to_its_file_system),
		cmocka_unit_test(
			test_edit__a_file_system_that_is_larger_is_not_cut_further),
		cmocka_unit_test(test_edit__sizes_that_look_alike_are_told_in_bytes),
		cmocka_unit_test(test_edit__what_does_not_tell_its_size_is_not_cut),
		cmocka_unit_test(test_edit__what_ends_in_its_description_keeps_its_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
