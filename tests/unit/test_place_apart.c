/* Where the start of the extended partition moves, no EBR is written over an old one, if there is room. */
#include "afdisk/place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "afdisk/label.h"
#include "memdev.h"

#define SS 512

static struct memdev disk;
static struct af_layout base, now;
static struct af_err err;

static void begin(const char *words)
{
	struct af_label_note note;

	memdev_make(&disk, words);
	assert_true(af_label_read(&disk.dev, &base, &note, &err));
	assert_false(note.read_only);
	af_layout_copy(&base, &now);
}

/* Moves the start of the extended partition, and the head of the chain with it. */
static void move_start(af_bytes sector)
{
	for (size_t i = 0; i < now.nparts; i++)
		if (now.part[i].role == AF_ROLE_EXTENDED)
			now.part[i].span.start = sector * SS;
	af_place_head(&now);
}

static af_bytes ebr(uint32_t number)
{
	return af_layout_number(&now, number)->ebr / SS;
}

static void finish(void)
{
	assert_true(af_layout_sound(&now, &err));
	af_layout_release(&base);
	af_layout_release(&now);
	memdev_close(&disk);
}

static const char grain[] = "65536 512 dos 1 e1=10240+40960,5 l5=12288+4096,83,ebr=10240 "
			    "l6=18432+4096,83,ebr=16384 l7=24576+4096,83,ebr=22528";

static void test_place_apart__moves_what_is_linked(void **state)
{
	(void)state;
	begin(grain);
	move_start(8192);
	af_place_apart(&base, &now);
	assert_int_equal(ebr(5), 8192);
	assert_int_equal(ebr(6), 16385);
	assert_int_equal(ebr(7), 22528); /* the last one has no link, and stays as it is */
	af_place_apart(&base, &now);
	assert_int_equal(ebr(6), 16385); /* once is enough */
	finish();
}

static void test_place_apart__leaves_a_start_that_stays(void **state)
{
	(void)state;
	begin(grain);
	af_place_apart(&base, &now);
	assert_true(af_layout_equal(&base, &now));
	finish();
}

static void test_place_apart__a_new_label_keeps_off_the_old_chain(void **state)
{
	(void)state;
	begin(grain);
	now.disk_id[0] ^= 1;
	af_place_apart(&base, &now);
	assert_int_equal(ebr(5), 10240); /* where the extended partition begins */
	assert_int_equal(ebr(6), 16385);
	finish();
}

static void test_place_apart__finds_room_before_and_right_before_the_data(void **state)
{
	(void)state;
	begin("65536 512 dos 1 e1=10240+40960,5 l5=10241+4095,83,ebr=10240 "
	      "l6=14342+4096,83,ebr=14341 l7=18441+4095,83,ebr=18439 "
	      "l8=22537+4096,83,ebr=22536");
	move_start(8192);
	af_place_apart(&base, &now);
	assert_int_equal(ebr(6), 14340); /* behind the old one the data begins */
	assert_int_equal(ebr(7), 18438); /* one that leaves two sectors */
	assert_int_equal(ebr(8), 22536);
	finish();
}

static void test_place_apart__stays_where_there_is_no_room(void **state)
{
	(void)state;
	begin("65536 512 dos 1 e1=10240+40960,5 l5=10241+4096,83,ebr=10240 "
	      "l6=14338+4096,83,ebr=14337 l7=18435+4096,83,ebr=18434");
	move_start(8192);
	af_place_apart(&base, &now);
	assert_int_equal(ebr(6), 14337);
	finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place_apart__moves_what_is_linked),
		cmocka_unit_test(test_place_apart__leaves_a_start_that_stays),
		cmocka_unit_test(test_place_apart__a_new_label_keeps_off_the_old_chain),
		cmocka_unit_test(
			test_place_apart__finds_room_before_and_right_before_the_data),
		cmocka_unit_test(test_place_apart__stays_where_there_is_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
