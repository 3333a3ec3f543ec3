/* The same partitions in a table of the other kind: what becomes of roles, numbers, types and flags, what is in the way. */
#include "edit_tries.h"

#include "afdisk/label.h"

static const struct attempt to_gpt_table[] = {
	{ .say = "every partition keeps its place and its number, and the extended one "
		 "goes",
	  .words = SMALL,
	  .commands = "convert gpt",
	  .expect = "g1=2048+204800 g5=208896+204800 g6=415744+204800" },
	{ .say = "EBRs are free sectors then",
	  .words = "20480 512 dos 1 e1=2048+8192,05 l5=4096+2048,83,ebr=2048 "
		   "l6=6145+4095,83,ebr=6144",
	  .commands = "convert gpt; new start=6144s size=1s; new start=2048s size=2048s",
	  .exact = true,
	  .expect = "g2=2048+2048 g5=4096+2048 g1=6144+1 g6=6145+4095" },
	{ .say = "the first sector that a partition may have",
	  .words = "20480 512 dos 1 p1=34+100,83",
	  .commands = "convert gpt",
	  .expect = "g1=34+100" },
	{ .say = "one sector lower is in the way",
	  .words = "20480 512 dos 1 p2=33+100,83",
	  .commands = "convert gpt",
	  .code = AF_E_RANGE,
	  .text = "partition 2 is in the way: a GPT needs the sectors up to 33, and the "
		  "partition begins 1 sector too early" },
	{ .say = "with larger sectors the first one is another",
	  .words = "20480 4096 dos 1 p1=6+100,83 p2=20000+475,83",
	  .commands = "convert gpt",
	  .expect = "g1=6+100 g2=20000+475" },
	{ .say = "and so is the last one",
	  .words = "20480 4096 dos 1 p1=6+100,83 p2=20000+476,83",
	  .commands = "convert gpt",
	  .code = AF_E_RANGE,
	  .text = "partition 2 is in the way: a GPT needs the sectors from 20475 on for "
		  "its "
		  "second copy, and the partition ends 1 sector too late: make it smaller "
		  "first" },
	{ .say = "up to the end of the disk",
	  .words = "20480 512 dos 1 p1=63+100,83 e4=2048+18432,05 l5=2111+18369,83",
	  .commands = "convert gpt",
	  .code = AF_E_RANGE,
	  .text = "partition 5 is in the way: a GPT needs the sectors from 20447 on for "
		  "its "
		  "second copy, and the partition ends 33 sectors too late: make it "
		  "smaller "
		  "first" },
	{ .say = "an extended one up to the end of the disk is not in the way",
	  .words = "20480 512 dos 1 e4=2048+18432,05 l5=2111+10000,83",
	  .commands = "convert gpt",
	  .expect = "g5=2111+10000" },
	{ .say = "a chain where the GPT goes would be lost before the GPT is in force",
	  .words = "20480 512 dos 1 e4=30+18432,05 l5=2111+10000,83,ebr=30",
	  .commands = "convert gpt",
	  .code = AF_E_RANGE,
	  .text = "the extended partition 4 is in the way: its chain begins at sector 30, "
		  "where the GPT goes (up to sector 33), and would be lost before that is "
		  "in "
		  "force" },
	{ .say = "an empty one can be deleted first",
	  .words = "20480 512 dos 1 p1=20000+1,83 e4=30+18432,05",
	  .commands = "delete 4; convert gpt",
	  .expect = "g1=20000+1" },
	{ .say = "dynamic disks stay",
	  .words = "20480 512 dos 1 p1=63+100,42",
	  .commands = "convert gpt",
	  .code = AF_E_RULE,
	  .text = "partition 1 belongs to a dynamic disk (LDM), whose volumes are bound to "
		  "its kind of table: convert it to a basic disk with Windows first" },
	{ .say = "a type without a counterpart is not guessed",
	  .words = "20480 512 dos 1 p1=63+100,83 p2=200+100,a9",
	  .commands = "convert gpt",
	  .code = AF_E_RULE,
	  .text = "partition 2 has type a9, for which a gpt table has none: give it "
		  "another "
		  "('type 2 ...') or delete it first" },
	{ .say = "the kind that it is",
	  .words = SMALL,
	  .commands = "convert dos",
	  .code = AF_E_USAGE,
	  .text = "the table is of kind dos already" },
	{ .say = "no table",
	  .words = "20480 512 none",
	  .commands = "convert dos",
	  .code = AF_E_RULE,
	  .text = "there is no partition table: make one with 'label gpt' or 'label dos'" },
};

static void test_edit_convert__to_a_gpt(void **state)
{
	(void)state;
	RUN_ALL(to_gpt_table);
}

#define LINUX_G(n, place) "g" #n "=" place ",linux,auto "

static const struct attempt to_mbr_table[] = {
	{ .say = "four partitions are primaries, and keep what number an MBR has",
	  .words = "20480 512 gpt auto " LINUX_G(3, "34+10") LINUX_G(7, "44+10")
		  LINUX_G(1, "54+10") LINUX_G(2, "64+10"),
	  .commands = "convert dos",
	  .expect = "p3=34+10,83 p4=44+10,83 p1=54+10,83 p2=64+10,83" },
	{ .say = "of five the last two share an extended one",
	  .words = "204800 512 gpt auto " LINUX_G(1, "2048+2048") LINUX_G(2, "4096+2048")
		  LINUX_G(3, "6144+2048") LINUX_G(4, "10240+2048") LINUX_G(5, "14336+2048"),
	  .commands = "convert dos",
	  .expect = "p1=2048+2048,83 p2=4096+2048,83 p3=6144+2048,83 e4=8192+8192,05 "
		    "l5=10240+2048,83,ebr=8192 l6=14336+2048,83,ebr=12288" },
	{ .say = "others share it where the last two have no room for an EBR",
	  .words = "204800 512 gpt auto " LINUX_G(1, "2048+2048") LINUX_G(2, "4097+2047")
		  LINUX_G(3, "6144+2048") LINUX_G(4, "8192+2048") LINUX_G(5, "10240+2048"),
	  .commands = "convert dos",
	  .expect = "e2=2040+4104,05 l5=2048+2048,83,ebr=2040 l6=4097+2047,83,ebr=4096 "
		    "p3=6144+2048,83 p4=8192+2048,83 p1=10240+2048,83" },
	{ .say = "five side by side",
	  .words = "204800 512 gpt auto " LINUX_G(1, "2048+2048") LINUX_G(2, "4096+2048")
		  LINUX_G(3, "6144+2048") LINUX_G(4, "8192+2048") LINUX_G(5, "10240+2048"),
	  .commands = "convert dos",
	  .code = AF_E_RANGE,
	  .text = "partition 4 is in the way: of 5 partitions 2 must be logical on an MBR, "
		  "with a free sector before each, and it begins right where partition 3 "
		  "ends" },
	{ .say = "beyond 32 bits",
	  .words = "8589934592 512 gpt auto " LINUX_G(1, "2048+4294967296"),
	  .commands = "convert dos",
	  .code = AF_E_RANGE,
	  .text = "partition 1 ends 2049 sectors beyond the last that an MBR can name, "
		  "4294967294" },
	{ .say = "up to there",
	  .words = "8589934592 512 gpt auto " LINUX_G(1, "2048+4294965247"),
	  .commands = "convert dos",
	  .expect = "p1=2048+4294965247,83" },
	{ .say = "one sector after another with 4096-byte sectors",
	  .words = "20480 4096 gpt auto " LINUX_G(1, "6+10") LINUX_G(2, "16+10")
		  LINUX_G(3, "26+10") LINUX_G(4, "37+10") LINUX_G(5, "48+10"),
	  .commands = "convert dos",
	  .expect = "p1=6+10,83 p2=16+10,83 p3=26+10,83 e4=36+22,05 l5=37+10,83,ebr=36 "
		    "l6=48+10,83,ebr=47" },
	{ .say = "there and back",
	  .words = SMALL,
	  .commands = "convert gpt; convert dos",
	  .expect = "p1=2048+204800,83 p2=208896+204800,83 p3=415744+204800,83" },
};

static void test_edit_convert__to_an_mbr(void **state)
{
	(void)state;
	RUN_ALL(to_mbr_table);
}

/* Runs the commands on a world in words; the test fails if they are refused. */
static void make(struct world *w, const char *words, const char *commands)
{
	struct af_err err = { .code = AF_OK };
	world_make(w, words);
	if (!world_run(w, commands, &err))
		fail_msg("%s", err.text);
}

static void test_edit_convert__the_active_flag_is_attribute_bit_2(void **state)
{
	struct world w;
	(void)state;
	make(&w, "20480 512 dos 1 p1=2048+100,83 p2=4096+100,83,boot", "convert gpt");
	assert_int_equal(w.layout.part[0].attrs, 0);
	assert_int_equal(w.layout.part[1].attrs, 4);
	assert_false(w.layout.part[1].boot);
	world_release(&w);
	make(&w, "20480 512 gpt auto " LINUX_G(1, "2048+100") LINUX_G(2, "4096+100"),
	     "attr 2 2 on; attr 2 63 on; attr 1 0 on; convert dos");
	assert_false(w.layout.part[0].boot);
	assert_true(w.layout.part[1].boot);
	assert_int_equal(w.layout.part[0].attrs | w.layout.part[1].attrs, 0);
	world_release(&w);
}

static void test_edit_convert__one_primary_is_active(void **state)
{
	struct world w;
	(void)state;
	make(&w, "20480 512 gpt auto " LINUX_G(1, "4096+100") LINUX_G(2, "2048+100"),
	     "attr 1 2 on; attr 2 2 on; convert dos");
	assert_true(af_layout_number(&w.layout, 1)->boot);
	assert_false(af_layout_number(&w.layout, 2)->boot);
	world_release(&w);
}

static void test_edit_convert__what_boots_stays_primary(void **state)
{
	struct world w;
	(void)state;
	make(&w,
	     "204800 512 gpt auto " LINUX_G(1, "2048+100") LINUX_G(2, "4096+100")
		     LINUX_G(3, "6144+100") LINUX_G(4, "8192+100") LINUX_G(5, "10240+100"),
	     "attr 4 2 on; convert dos");
	const struct af_part *boots = af_layout_number(&w.layout, 4);
	assert_non_null(boots);
	assert_int_equal(boots->span.start, 8192 * 512);
	assert_int_equal(boots->role, AF_ROLE_PRIMARY);
	assert_true(boots->boot);
	world_release(&w);
}

static void test_edit_convert__names_and_uuids_do_not_outlive_a_gpt(void **state)
{
	struct world w;
	uint8_t none[16] = { 0 };
	(void)state;
	make(&w, "20480 512 gpt auto g1=2048+100,linux,auto,root", "convert dos");
	assert_string_equal(w.layout.part[0].name, "");
	assert_memory_equal(w.layout.part[0].uuid, none, 16);
	world_release(&w);
}

static void test_edit_convert__ids_stay(void **state)
{
	struct world w;
	struct af_err err;
	uint32_t id[3];
	(void)state;
	world_make(&w,
		   "20480 512 dos 1 p1=63+100,83 e2=2048+8192,05 l5=4096+100,83,ebr=2048");
	for (size_t i = 0; i < 3; i++)
		id[i] = w.layout.part[i].id;
	assert_true(world_run(&w, "convert gpt", &err));
	assert_int_equal(w.layout.nparts, 2);
	assert_int_equal(w.layout.part[0].id, id[0]);
	assert_int_equal(w.layout.part[1].id, id[2]);
	world_release(&w);
}

/* What becomes of a type of scheme `from`, and back, as text. */
static void expect_type(enum af_scheme from, struct af_scheme_kind kind, const char *text)
{
	struct af_scheme_kind got;
	char buf[40];
	if (!af_scheme_convert(from, &kind, &got)) {
		assert_null(text);
		return;
	}
	enum af_scheme to = from == AF_SCHEME_MBR ? AF_SCHEME_GPT : AF_SCHEME_MBR;
	af_scheme_type_text(to, got.type, buf);
	assert_string_equal(buf, text ? text : "none");
}

static void test_scheme_convert__the_usual_types(void **state)
{
	static const struct {
		uint8_t code;
		const char *guid;
	} usual_table[] = {
		{ 0x07, "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7" },
		{ 0x0c, "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7" },
		{ 0x27, "DE94BBA4-06D1-4D40-A16A-BFD50179D6AC" },
		{ 0x82, "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F" },
		{ 0x83, "0FC63DAF-8483-4772-8E79-3D69D8477DE4" },
		{ 0x8e, "E6D6D379-F507-44C2-A23C-238F2A3DF928" },
		{ 0xa5, "516E7CB4-6ECF-11D6-8FF8-00022D09712B" },
		{ 0xef, "C12A7328-F81F-11D2-BA4B-00A0C93EC93B" },
		{ 0xfd, "A19D880F-05FC-4D3B-A006-743F0F84911E" },
		{ 0xa9, NULL },
		{ 0x42, NULL },
		{ 0x05, NULL },
		{ 0xee, NULL },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(usual_table) / sizeof(*usual_table); i++)
		expect_type(AF_SCHEME_MBR,
			    (struct af_scheme_kind){ .type = { usual_table[i].code } },
			    usual_table[i].guid);
}

static void test_scheme_convert__hidden_basic_data_has_codes_of_its_own(void **state)
{
	struct af_scheme_kind hidden = { .type = { 0x17 } }, basic = { .type = { 7 } }, got;
	(void)state;
	assert_true(af_scheme_convert(AF_SCHEME_MBR, &hidden, &got));
	assert_true(got.hidden);
	expect_type(AF_SCHEME_GPT, got, "17");
	assert_true(af_scheme_convert(AF_SCHEME_MBR, &basic, &got));
	assert_false(got.hidden);
	expect_type(AF_SCHEME_GPT, got, "7");
	got.hidden = true;
	expect_type(AF_SCHEME_GPT, got, "17");
}

/* Each GUID is one that libfdisk has a name for, so that none is mistyped, and comes back to its code. */
static void test_scheme_convert__every_guid_is_a_known_one(void **state)
{
	const struct af_types *known = af_label_types(AF_SCHEME_GPT);
	unsigned found = 0;
	(void)state;
	for (unsigned code = 1; code < 256; code++) {
		struct af_scheme_kind kind = { .type = { (uint8_t)code } }, guid, back;
		char text[40];
		if (!af_scheme_convert(AF_SCHEME_MBR, &kind, &guid))
			continue;
		af_scheme_uuid_text(guid.type, text);
		print_message("%02x %s\n", code, text);
		if (code != 0xe8) /* LUKS: in the specification, not in libfdisk's list */
			assert_string_not_equal(af_scheme_type_name(known, guid.type),
						"Unknown");
		assert_true(af_scheme_convert(AF_SCHEME_GPT, &guid, &back));
		found++;
	}
	assert_true(found > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edit_convert__to_a_gpt),
		cmocka_unit_test(test_edit_convert__to_an_mbr),
		cmocka_unit_test(test_edit_convert__the_active_flag_is_attribute_bit_2),
		cmocka_unit_test(test_edit_convert__one_primary_is_active),
		cmocka_unit_test(test_edit_convert__what_boots_stays_primary),
		cmocka_unit_test(test_edit_convert__names_and_uuids_do_not_outlive_a_gpt),
		cmocka_unit_test(test_edit_convert__ids_stay),
		cmocka_unit_test(test_scheme_convert__the_usual_types),
		cmocka_unit_test(
			test_scheme_convert__hidden_basic_data_has_codes_of_its_own),
		cmocka_unit_test(test_scheme_convert__every_guid_is_a_known_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
