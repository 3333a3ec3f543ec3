/* The verbs of the edit room: adding, deleting, tags, and what data forbids. */
#include "edit_tries.h"

static const struct attempt new_table[] = {
	{ .say = "the largest free region, all of it",
	  .words = SMALL,
	  .commands = "new",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696 p3=1230848+866304,83" },
	{ .say = "a share of the region",
	  .words = SMALL,
	  .commands = "new size=25%",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696 p3=1230848+217088,83" },
	{ .say = "an end names the last sector",
	  .words = SMALL,
	  .commands = "new end=1499135",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696 p3=1230848+268288,83" },
	{ .say = "a size goes up to the grain",
	  .words = SMALL,
	  .commands = "new size=5s",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696 p3=1230848+2048,83" },
	{ .say = "inside the extended one it is logical",
	  .words = SMALL,
	  .commands = "new start=700000 size=10M",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696 l7=700416+20480,83,ebr=698368" },
	{ .say = "a logical fills the room inside first",
	  .words = SMALL,
	  .commands = "new logical",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696 l7=622592+608256,83,ebr=620544" },
	{ .say = "the extended one grows if it must",
	  .words = SMALL,
	  .commands = "new logical size=300M",
	  .expect = "p1=2048+204800,83 e2=206848+1030144,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696 l7=622592+614400,83,ebr=620544" },
	{ .say = "without an extended one a logical makes it",
	  .words = "2097152 512 dos 1",
	  .commands = "new logical size=100M",
	  .expect = "e1=2048+206848,05 l5=4096+204800,83,ebr=2048" },
	{ .say = "an extended one by itself",
	  .words = "2097152 512 dos 1",
	  .commands = "new extended size=100M; new logical size=10M; new logical",
	  .expect = "e1=2048+204800,05 l5=4096+20480,83,ebr=2048 "
		    "l6=26624+180224,83,ebr=24576" },
	{ .say = "MBR start below 1 MiB goes up",
	  .words = "2097152 512 dos 1",
	  .commands = "new start=100 size=1M",
	  .expect = "p1=2048+2048,83" },
	{ .say = "exact takes the sectors",
	  .words = "2097152 512 dos 1",
	  .commands = "new start=63 size=1000",
	  .exact = true,
	  .expect = "p1=63+1000,83" },
	{ .say = "exact logicals with one sector between",
	  .words = "2097152 512 dos 1",
	  .commands = "new logical start=5000 size=300; new logical start=5301 end=6000",
	  .exact = true,
	  .expect = "e1=4096+1905,05 l5=5000+300,83,ebr=4096 l6=5301+700,83,ebr=5300" },
	{ .say = "exact into the table",
	  .words = "2097152 512 dos 1",
	  .commands = "new start=0 size=10",
	  .exact = true,
	  .code = AF_E_RANGE,
	  .text = "sector 0 is not in free space for a new partition" },
	{ .say = "4096-byte sectors",
	  .words = "2097152 4096 dos 1",
	  .commands = "new size=1G; new logical size=1G; new",
	  .expect = "p1=256+262144,83 e2=262400+262400,05 l5=262656+262144,83,ebr=262400 "
		    "p3=524800+1572352,83" },
	{ .say = "a GPT keeps clear of both ends",
	  .words = "2097152 512 gpt auto",
	  .commands = "new size=100M; new",
	  .expect = "g1=2048+204800 g2=206848+1888256" },
	{ .say = "GPT on 4096-byte sectors",
	  .words = "2097152 4096 gpt auto",
	  .commands = "new size=100M; new",
	  .expect = "g1=256+25600 g2=25856+2071040" },
	{ .say = "a GPT knows no logical",
	  .words = "2097152 512 gpt auto",
	  .commands = "new logical",
	  .code = AF_E_RULE,
	  .text = "a GPT has no extended or logical partitions, and needs none" },
	{ .say = "more than there is",
	  .words = SMALL,
	  .commands = "new size=2G",
	  .code = AF_E_RANGE,
	  .text = "2 GiB do not fit: there are 423 MiB from sector 1230848 to "
		  "2097151" },
	{ .say = "a place in use",
	  .words = SMALL,
	  .commands = "new start=3000 size=1M",
	  .code = AF_E_RANGE,
	  .text = "sector 3000 is not in free space for a new partition" },
	{ .say = "nothing left",
	  .words = SMALL,
	  .commands = "new primary; new primary",
	  .code = AF_E_RANGE,
	  .text = "there is no free space for a new partition" },
	{ .say = "the slots are used up",
	  .words = "2097152 512 dos 1 p1=2048+2048,83 p2=4096+2048,83 p3=6144+2048,83 "
		   "p4=8192+2048,83",
	  .commands = "new",
	  .text = "all four slots of the table are used: delete a primary partition ('new "
		  "logical' then makes an extended one for as many as you like), or "
		  "convert it to a GPT ('convert gpt')",
	  .code = AF_E_RULE },
	{ .say = "the slots are used up, one of them by an extended one",
	  .words = "2097152 512 dos 1 p1=2048+2048,83 p2=4096+2048,83 p3=6144+2048,83 "
		   "e4=8192+2048,5",
	  .commands = "new primary",
	  .text = "all four slots of the table are used: make a logical partition ('new "
		  "logical' grows the extended one over free space beside it), delete a "
		  "primary one, or convert it to a GPT ('convert gpt')",
	  .code = AF_E_RULE },
	{ .say = "no slot for the extended one either",
	  .words = "2097152 512 dos 1 p1=2048+2048,83 p2=4096+2048,83 p3=6144+2048,83 "
		   "p4=8192+2048,83",
	  .commands = "new logical",
	  .code = AF_E_RULE,
	  .text = "a logical partition needs an extended one, and all four slots of the "
		  "table are used: delete a primary partition first, or convert it to a "
		  "GPT ('convert gpt')" },
	{ .say = "with the slots used up the room inside is taken",
	  .words = "2097152 512 dos 1 p1=2048+2048,83 p2=4096+2048,83 p3=6144+2048,83 "
		   "e4=8192+20480,5",
	  .commands = "new",
	  .expect = "p1=2048+2048,83 p2=4096+2048,83 p3=6144+2048,83 e4=8192+20480,05 "
		    "l5=10240+18432,83,ebr=8192" },
	{ .say = "no table",
	  .words = "2097152 512 none",
	  .commands = "new",
	  .code = AF_E_RULE,
	  .text = "there is no partition table: make one with 'label gpt' or 'label dos'" },
	{ .say = "an end before the start",
	  .words = SMALL,
	  .commands = "new start=1300000 end=1200000",
	  .code = AF_E_RANGE,
	  .text = "the end must lie in sectors 1300480 to 2097151" },
};

static const struct attempt tag_table[] = {
	{ .say = "an extended one goes with its logicals",
	  .words = SMALL,
	  .commands = "delete 2",
	  .expect = "p1=2048+204800,83" },
	{ .say = "later logicals move up, the first has the head",
	  .words = SMALL,
	  .commands = "delete 5",
	  .expect =
		  "p1=2048+204800,83 e2=206848+1024000,05 l5=415744+204800,83,ebr=206848" },
	{ .say = "all logicals",
	  .words = SMALL,
	  .commands = "delete 5; delete 5",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05" },
	{ .say = "a type",
	  .words = SMALL,
	  .commands = "type 1 7",
	  .expect = "p1=2048+204800,07 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "between extended codes",
	  .words = SMALL,
	  .commands = "type 2 f",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,0f l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "not to an extended code",
	  .words = SMALL,
	  .commands = "type 1 5",
	  .code = AF_E_RULE,
	  .text = "partition 1 holds data: an extended partition is made with 'new "
		  "extended' or 'new logical'" },
	{ .say = "not from one",
	  .words = SMALL,
	  .commands = "type 2 7",
	  .code = AF_E_RULE,
	  .text = "partition 2 is extended: delete it to use its place for another type" },
	{ .say = "not to nothing",
	  .words = SMALL,
	  .commands = "type 1 0",
	  .code = AF_E_RULE,
	  .text = "partition 1 has no type" },
	{ .say = "one active primary",
	  .words = SMALL,
	  .commands = "boot 1 on; boot 2 on",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05,boot "
		    "l5=208896+204800,83,ebr=206848 l6=415744+204800,83,ebr=413696" },
	{ .say = "a logical's flag by itself",
	  .words = SMALL,
	  .commands = "boot 1 on; boot 5 on",
	  .expect = "p1=2048+204800,83,boot e2=206848+1024000,05 "
		    "l5=208896+204800,83,boot,ebr=206848 l6=415744+204800,83,ebr=413696" },
	{ .say = "off again",
	  .words = SMALL,
	  .commands = "boot 1 on; boot 1 off",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "no names in an MBR",
	  .words = SMALL,
	  .commands = "name 1 x",
	  .code = AF_E_RULE,
	  .text = "only a GPT has partition names" },
	{ .say = "no UUIDs in an MBR",
	  .words = SMALL,
	  .commands = "uuid 1 0FC63DAF-8483-4772-8E79-3D69D8477DE4",
	  .code = AF_E_RULE,
	  .text = "only a GPT has partition UUIDs" },
	{ .say = "no attributes in an MBR",
	  .words = SMALL,
	  .commands = "attr 1 0 on",
	  .code = AF_E_RULE,
	  .text = "only a GPT has partition attributes" },
	{ .say = "sort primaries",
	  .words = SMALL,
	  .commands = "delete 1; sort",
	  .expect = "e1=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "sort logicals, EBRs follow",
	  .words = SMALL,
	  .commands = "delete 5; new logical start=210000 size=10M; sort",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=210944+20480,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "sort without a table",
	  .words = "2097152 512 none",
	  .commands = "sort",
	  .code = AF_E_RULE,
	  .text = "there is no partition table: make one with 'label gpt' or 'label dos'" },
	{ .say = "an MBR has one copy only",
	  .words = SMALL,
	  .commands = "repair",
	  .code = AF_E_RULE,
	  .text = "only a GPT has copies that can be repaired" },
	{ .say = "a good GPT needs no repair",
	  .words = "2097152 512 none",
	  .commands = "label gpt; repair",
	  .code = AF_E_RULE,
	  .text = "nothing to repair: both copies of the GPT are good and in their "
		  "places" },
	{ .say = "a fresh label",
	  .words = SMALL,
	  .commands = "label gpt; new size=10M",
	  .expect = "g1=2048+20480" },
	{ .say = "a fresh label where none was",
	  .words = "2097152 512 none",
	  .commands = "label dos; new size=10M",
	  .expect = "p1=2048+20480,83" },
	{ .say = "too small for a label",
	  .words = "33 512 none",
	  .commands = "label gpt",
	  .code = AF_E_RANGE,
	  .text = "a disk of 16.5 KiB is too small for a gpt table" },
};

static void test_edit__new(void **state)
{
	(void)state;
	RUN_ALL(new_table);
}

static void test_edit__delete_and_tags(void **state)
{
	(void)state;
	RUN_ALL(tag_table);
}

/* Puts content of that state into every partition of w. */
static void fill(struct world *w, struct af_content *item, enum af_content_state state)
{
	for (size_t i = 0; i < w->layout.nparts; i++)
		item[i] = (struct af_content){ .id = w->layout.part[i].id,
					       .state = state,
					       .fs = "ext4" };
	w->contents = (struct af_contents){ .item = item, .n = w->layout.nparts };
}

static void check_refused(const char *commands, enum af_content_state state,
			  const char *part)
{
	struct world w;
	struct af_content item[8];
	struct af_err err = { .code = AF_OK };
	world_make(&w, SMALL);
	fill(&w, item, state);
	assert_false(world_run(&w, commands, &err));
	assert_int_equal(err.code, AF_E_DATA);
	assert_non_null(strstr(err.text, part));
	w.contents = (struct af_contents){ .item = NULL };
	world_release(&w);
}

static void check_allowed(const char *commands, enum af_content_state state)
{
	struct world w;
	struct af_content item[8];
	struct af_err err = { .code = AF_OK };
	world_make(&w, SMALL);
	fill(&w, item, state);
	assert_true(world_run(&w, commands, &err));
	w.contents = (struct af_contents){ .item = NULL };
	world_release(&w);
}

static void test_edit__data_is_not_cut_off_or_left_behind(void **state)
{
	(void)state;
	check_refused("resize 1 size=50M", AF_CONTENT_FOUND, "ext4");
	check_refused("resize 1 start=4096", AF_CONTENT_FOUND, "ext4");
	check_refused("move 6 start=800000", AF_CONTENT_FOUND, "partition 6");
	check_refused("resize 6 size=-1M", AF_CONTENT_UNREADABLE, "could not be read");
	check_refused("resize 6 size=-1M", AF_CONTENT_UNKNOWN, "not been looked into");
	check_allowed("resize 6 size=+1M", AF_CONTENT_FOUND);
	check_allowed("resize 6 size=-1M table-only", AF_CONTENT_FOUND);
	check_allowed("move 6 start=800000 table-only", AF_CONTENT_UNKNOWN);
	check_allowed("resize 6 size=-1M; move 5 start=800000", AF_CONTENT_NONE);
	check_allowed("resize 2 end=700000", AF_CONTENT_FOUND);
	check_allowed("align all", AF_CONTENT_FOUND);
	check_allowed("delete 5; new logical size=1M; resize 6 size=+1M; resize 6 size=-1M",
		      AF_CONTENT_FOUND);
}

static void test_edit__align_of_data_is_refused(void **state)
{
	(void)state;
	struct world w;
	struct af_content item[8];
	struct af_err err = { .code = AF_OK };
	world_make(&w, "2097152 512 dos 1 p1=63+204800,83 p2=409600+204800,83");
	fill(&w, item, AF_CONTENT_FOUND);
	assert_false(world_run(&w, "align 1", &err));
	assert_int_equal(err.code, AF_E_DATA);
	assert_false(world_run(&w, "align all", &err));
	assert_int_equal(err.code, AF_E_DATA);
	assert_true(world_run(&w, "align all table-only", &err));
	assert_int_equal(w.layout.part[0].span.start, AF_MIB);
	w.contents = (struct af_contents){ .item = NULL };
	world_release(&w);
}

static void test_edit__gpt_tags(void **state)
{
	(void)state;
	struct world w;
	struct af_err err = { .code = AF_OK };
	world_make(&w,
		   "2097152 512 gpt auto g1=2048+2048,linux,auto g2=4096+2048,linux,auto");
	assert_true(world_run(
		&w, "name 1 'a b'; attr 1 60 on; attr 1 0 on; attr 1 0 off; attr 2 2 on",
		&err));
	assert_string_equal(w.layout.part[0].name, "a b");
	assert_true(w.layout.part[0].attrs == UINT64_C(1) << 60);
	assert_int_equal(w.layout.part[1].attrs, 4);
	assert_false(
		world_run(&w, "boot 2 off", &err)); /* case 35: that is another thing */
	assert_int_equal(err.code, AF_E_RULE);
	assert_non_null(strstr(err.text, "'type N efi'"));
	assert_true(world_run(&w, "uuid 1 0FC63DAF-8483-4772-8E79-3D69D8477DE4", &err));
	assert_int_equal(w.layout.part[0].uuid[0], 0x0f);
	assert_false(world_run(&w, "uuid 2 0FC63DAF-8483-4772-8E79-3D69D8477DE4", &err));
	assert_int_equal(err.code, AF_E_RULE);
	assert_true(world_run(&w, "name 1 123456789012345678901234567890123456", &err));
	assert_false(world_run(&w, "name 1 1234567890123456789012345678901234567", &err));
	assert_int_equal(err.code, AF_E_RANGE);
	assert_false(world_run(&w, "name 1 a\xff", &err));
	assert_int_equal(err.code, AF_E_USAGE);
	assert_true(world_run(&w, "name 1 \xf0\x9f\x90\xa7\xc3\xa9\xe2\x82\xac", &err));
	struct af_layout out;
	assert_false(af_edit_attr(&w.layout, w.layout.part[0].id, 64, true, &out, &err));
	assert_int_equal(err.code, AF_E_RANGE);
	world_release(&w);
}

static void test_edit__unknown_ids_are_refused(void **state)
{
	(void)state;
	struct world w;
	struct af_err err = { .code = AF_OK };
	struct af_layout out;
	world_make(&w, SMALL);
	struct af_edit e = { .rules = &w.rules, .contents = &w.contents };
	struct af_want want = { .has_size = false };
	struct af_amount start = { .kind = AF_AMOUNT_BYTES, .value = AF_MIB };
	uint8_t type[16] = { 0x83 };
	assert_false(af_edit_delete(&w.layout, 99, &out, &err));
	assert_false(af_edit_resize(&w.layout, &e, 99, &want, &out, &err));
	assert_false(af_edit_move(&w.layout, &e, 99, &start, &out, &err));
	assert_false(af_edit_align(&w.layout, &e, 99, &out, &err));
	assert_false(af_edit_type(&w.layout, 99, type, &out, &err));
	assert_false(af_edit_boot(&w.layout, 99, true, &out, &err));
	assert_int_equal(err.code, AF_E_USAGE);
	assert_false(af_edit_resize(&w.layout, &e, w.layout.part[0].id, &want, &out, &err));
	assert_string_equal(err.text, "resize needs a start, a size or an end");
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edit__new),
		cmocka_unit_test(test_edit__delete_and_tags),
		cmocka_unit_test(test_edit__data_is_not_cut_off_or_left_behind),
		cmocka_unit_test(test_edit__align_of_data_is_refused),
		cmocka_unit_test(test_edit__gpt_tags),
		cmocka_unit_test(test_edit__unknown_ids_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
