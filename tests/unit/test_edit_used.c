/* What may be changed of a disk while it is in use. */
#include "afdisk/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the ones above first */
#include "world.h"
#include <cmocka.h>

#define SS 512
#define DOS                                                                                \
	"4194304 512 dos 1 p1=2048+8192,83 p2=16384+8192,83 e3=32768+65536,05 "            \
	"l5=34816+4096,83,ebr=32768 l6=45056+4096,83,ebr=43008"
#define GPT                                                                                \
	"4194304 512 gpt 00000000-0000-4000-8000-000000000001 g1=2048+8192,linux,auto,a "  \
	"g2=16384+8192,linux,auto,b"

static struct af_err err;

/** A use of the partition with that number at those sectors; number 0 is the whole disk. */
static struct af_use used(uint32_t number, af_bytes start, af_bytes sectors)
{
	return (struct af_use){ .number = number,
				.span = { start * SS, (start + sectors) * SS },
				.kind = AF_USE_MOUNT,
				.what = "/home" };
}

/** True if the commands may be carried out on the table while use lasts. */
static bool may(const char *table, struct af_use use, const char *commands)
{
	struct af_uses uses = { &use, 1 };
	struct world from, next;
	bool kept;

	world_make(&from, table);
	world_make(&next, table);
	if (!world_run(&next, commands, &err))
		fail_msg("%s: %s", commands, err.text);
	memset(&err, 0, sizeof(err));
	kept = af_edit_keeps_used(&from.layout, &next.layout, &uses, &err);
	world_release(&from);
	world_release(&next);
	if (!kept)
		assert_int_equal(err.code, AF_E_BUSY);
	return kept;
}

static void refused(const char *table, struct af_use use, const char *commands,
		    const char *why)
{
	assert_false(may(table, use, commands));
	assert_string_equal(err.text, why);
}

static void test_edit_used__a_used_partition_stays(void **state)
{
	const struct af_use first = used(1, 2048, 8192);

	(void)state;
	refused(DOS, first, "delete 1",
		"partition 1 is mounted at /home: unmount it before it is deleted");
	refused(DOS, first, "resize 1 size=2M",
		"partition 1 is mounted at /home: unmount it before it is made smaller");
	refused(DOS, first, "move 1 start=4M",
		"partition 1 is mounted at /home: unmount it before it is moved");
	refused(DOS, first, "resize 1 start=2M",
		"partition 1 is mounted at /home: unmount it before it is moved");
	refused(GPT, used(2, 16384, 8192), "delete 1; sort",
		"partition 2 is mounted at /home: it would become partition 1, and the "
		"kernel "
		"cannot rename it while it is in use");
	refused(GPT, first, "label gpt",
		"partition 1 is mounted at /home: unmount it before it is deleted");
}

static void test_edit_used__it_may_grow_and_change_its_tags(void **state)
{
	const struct af_use first = used(1, 2048, 8192);

	(void)state;
	assert_true(may(DOS, first, "resize 1 size=6M"));
	assert_true(may(DOS, first, "type 1 7; boot 1 on"));
	assert_true(may(GPT, first, "name 1 x; attr 1 2 on"));
	assert_true(may(DOS, first, "delete 2; new primary size=1M; move 2 start=100M"));
	assert_true(may(DOS, first, "delete 3"));
	/* the file system has not grown yet, or it has: it is the kernel's size that counts */
	assert_true(may(DOS, used(1, 2048, 4096), "resize 1 size=2M"));
	refused(DOS, used(1, 2048, 4096), "resize 1 size=1M",
		"partition 1 is mounted at /home: unmount it before it is made smaller");
}

static void test_edit_used__a_logical_keeps_its_number(void **state)
{
	const struct af_use last = used(6, 45056, 4096);

	(void)state;
	refused(DOS, last, "delete 5",
		"partition 6 is mounted at /home: it would become partition 5, and the "
		"kernel "
		"cannot rename it while it is in use");
	refused(DOS, last, "delete 3",
		"partition 6 is mounted at /home: unmount it before it is deleted");
	assert_true(may(DOS, used(5, 34816, 4096), "delete 6"));
	assert_true(may(DOS, last, "new logical size=1M"));
	assert_true(may(DOS, last, "resize 5 size=3M"));
	assert_true(may(DOS, last, "resize 6 size=10M"));
	assert_true(may(DOS, last, "resize 3 size=40M"));
}

static void test_edit_used__nothing_changes_on_a_disk_in_use_itself(void **state)
{
	struct af_use whole = used(0, 0, 4194304);

	(void)state;
	refused(DOS, whole, "boot 1 on",
		"the whole disk is mounted at /home: unmount it before its table is "
		"changed");
	whole.kind = AF_USE_PROGRAM;
	(void)strcpy(whole.what, "mkfs (process 7)");
	refused(GPT, whole, "delete 2",
		"the whole disk is in use by mkfs (process 7): let that end before its "
		"table "
		"is changed");
	assert_true(may(GPT, whole, "name 1 x; name 1 a"));
}

static void test_edit_used__what_only_the_kernel_knows_is_left_alone(void **state)
{
	const struct af_use unknown = used(4, 1048576, 8192);
	const struct af_use moved = used(1, 4096, 1024); /* inside of partition 1 */

	(void)state;
	assert_true(may(DOS, unknown, "delete 2; boot 1 on"));
	refused(DOS, unknown, "new primary start=1046528s size=8M",
		"the kernel has a partition 4 at sectors 1048576 to 1056767, which is "
		"mounted "
		"at /home and not in this table: nothing new can be there");
	assert_true(may(DOS, unknown, "new primary start=1048576s size=4M"));
	assert_true(may(DOS, moved, "type 1 7; delete 2"));
	refused(DOS, moved, "resize 1 size=3M",
		"the kernel has a partition 1 at sectors 4096 to 5119, which is mounted at "
		"/home and not in this table: nothing new can be there");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edit_used__a_used_partition_stays),
		cmocka_unit_test(test_edit_used__it_may_grow_and_change_its_tags),
		cmocka_unit_test(test_edit_used__a_logical_keeps_its_number),
		cmocka_unit_test(test_edit_used__nothing_changes_on_a_disk_in_use_itself),
		cmocka_unit_test(test_edit_used__what_only_the_kernel_knows_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
