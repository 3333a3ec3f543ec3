/* The edit language: what is understood, what is refused, and what it does to a table. */
#include "afdisk/command.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

/* The one command in text. */
static struct af_command parse(const char *text)
{
	struct af_command cmd;
	struct af_err err = { 0 };
	const char *p = text;
	if (af_command_next(&p, &cmd, &err) != 1)
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(*p, '\0');
	return cmd;
}

static bool same_amount(struct af_amount a, enum af_amount_kind kind, int sign,
			int64_t value)
{
	return a.kind == kind && a.sign == sign && a.value == value;
}

static void test_command__new_takes_kind_edges_type_and_name(void **state)
{
	(void)state;
	struct af_command c = parse("new primary size=10G type=L name=\"a b\"");
	assert_int_equal(c.verb, AF_VERB_NEW);
	assert_int_equal(c.number, 0);
	assert_int_equal(c.add.role, AF_WANT_PRIMARY);
	assert_true(c.add.want.has_size && !c.add.want.has_start && !c.add.want.has_end);
	assert_true(same_amount(c.add.want.size, AF_AMOUNT_BYTES, 0, 10 * AF_GIB));
	assert_string_equal(c.type_word, "L");
	assert_string_equal(c.add.name, "a b");
	c = parse("NEW Logical START=2048 End=max");
	assert_int_equal(c.add.role, AF_WANT_LOGICAL);
	assert_true(same_amount(c.add.want.start, AF_AMOUNT_SECTORS, 0, 2048));
	assert_true(same_amount(c.add.want.end, AF_AMOUNT_MAX, 0, 0));
	c = parse("new extended size=25%");
	assert_int_equal(c.add.role, AF_WANT_EXTENDED);
	assert_true(same_amount(c.add.want.size, AF_AMOUNT_PERCENT, 0, 25000));
	c = parse("new");
	assert_int_equal(c.add.role, AF_WANT_ANY);
	assert_false(c.add.want.has_start || c.add.want.has_size || c.add.want.has_end);
}

static void test_command__resize_and_move_take_edges(void **state)
{
	(void)state;
	struct af_command c = parse("resize 6 size=+10G");
	assert_int_equal(c.verb, AF_VERB_RESIZE);
	assert_int_equal(c.number, 6);
	assert_true(same_amount(c.want.size, AF_AMOUNT_BYTES, 1, 10 * AF_GIB));
	assert_false(c.table_only);
	c = parse("resize 6 end=max");
	assert_true(c.want.has_end && same_amount(c.want.end, AF_AMOUNT_MAX, 0, 0));
	c = parse("resize 6 start=-1M end=20971583 table-only");
	assert_true(c.table_only);
	assert_true(same_amount(c.want.start, AF_AMOUNT_BYTES, -1, AF_MIB));
	assert_true(same_amount(c.want.end, AF_AMOUNT_SECTORS, 0, 20971583));
	c = parse("move 6 table-only start=1M");
	assert_int_equal(c.verb, AF_VERB_MOVE);
	assert_true(c.table_only && c.want.has_start);
	assert_true(same_amount(c.want.start, AF_AMOUNT_BYTES, 0, AF_MIB));
}

static void test_command__align_takes_one_or_all(void **state)
{
	(void)state;
	struct af_command c = parse("align 6");
	assert_int_equal(c.verb, AF_VERB_ALIGN);
	assert_int_equal(c.number, 6);
	assert_false(c.table_only);
	c = parse("align all table-only");
	assert_int_equal(c.number, 0);
	assert_true(c.table_only);
}

static void test_command__the_rest_take_their_value(void **state)
{
	(void)state;
	assert_int_equal(parse("delete 5").number, 5);
	assert_string_equal(parse("type 6 linux").type_word, "linux");
	struct af_command c = parse("boot 1 ON");
	assert_true(c.verb == AF_VERB_BOOT && c.number == 1 && c.on);
	assert_false(parse("boot 1 off").on);
	assert_string_equal(parse("name 2 \"x; y\"").text, "x; y");
	assert_string_equal(parse("name 2 ''").text, "");
	assert_string_equal(parse("name 2 a'\"'b").text, "a\"b");
	c = parse("attr 2 legacybiosbootable on");
	assert_true(c.verb == AF_VERB_ATTR && c.bit == 2 && c.on);
	c = parse("attr 2 60 off");
	assert_true(c.bit == 60 && !c.on);
	assert_int_equal(parse("sort").verb, AF_VERB_SORT);
	assert_int_equal(parse("repair").verb, AF_VERB_REPAIR);
	assert_int_equal(parse("label mbr").scheme, AF_SCHEME_MBR);
	assert_int_equal(parse("label gpt").scheme, AF_SCHEME_GPT);
	c = parse("plan windows-linux START=10G");
	assert_int_equal(c.verb, AF_VERB_PLAN);
	assert_string_equal(c.text, "windows-linux");
	assert_true(c.want.has_start && c.want.start.value == 10 * AF_GIB);
	assert_false(parse("plan data").want.has_start);
	assert_int_equal(parse("undo").verb, AF_VERB_UNDO);
	assert_int_equal(parse("redo").verb, AF_VERB_REDO);
	c = parse("uuid 2 0fc63daf-8483-4772-8E79-3D69D8477DE4");
	static const uint8_t uuid[16] = { 0x0f, 0xc6, 0x3d, 0xaf, 0x84, 0x83, 0x47, 0x72,
					  0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4 };
	assert_memory_equal(c.uuid, uuid, 16);
}

static void test_command__a_run_is_taken_apart(void **state)
{
	(void)state;
	const char *text = " ;; delete 5;name 2 'a;b'\n\tsort ; ";
	static const enum af_verb verb[] = { AF_VERB_DELETE, AF_VERB_NAME, AF_VERB_SORT };
	struct af_command cmd;
	struct af_err err;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(af_command_next(&text, &cmd, &err), 1);
		assert_int_equal(cmd.verb, verb[i]);
	}
	assert_int_equal(af_command_next(&text, &cmd, &err), 0);
	assert_int_equal(*text, '\0');
	assert_int_equal(af_command_next(&text, &cmd, &err), 0);
}

/* What is refused, and what the message must name. */
static const struct {
	const char *text, *named;
} refused_table[] = {
	{ "frobnicate 5", "\"frobnicate\"" },
	{ "delete", "delete N" },
	{ "delete 0", "\"0\"" },
	{ "delete 5x", "\"5x\"" },
	{ "delete -1", "\"-1\"" },
	{ "delete sda5", "\"sda5\"" },
	{ "delete 4294967296", "\"4294967296\"" },
	{ "delete ''", "\"\"" },
	{ "delete 5 6", "\"6\"" },
	{ "new size=10G size=11G", "\"size=11G\"" },
	{ "new start=1M start=2M", "\"start=2M\"" },
	{ "new size=10G end=20G", "\"end=20G\"" },
	{ "new end=20G size=10G", "\"size=10G\"" },
	{ "new 10G", "\"10G\"" },
	{ "new primary logical", "\"logical\"" },
	{ "new type=L type=S", "\"type=S\"" },
	{ "new name=a name=b", "\"name=b\"" },
	{ "new type=", "\"\"" },
	{ "new size=", "\"\"" },
	{ "new size=10X", "\"10X\"" },
	{ "new size=+10G", "+" },
	{ "new start=max", "\"start=max\"" },
	{ "new table-only", "\"table-only\"" },
	{ "resize 6", "size=" },
	{ "resize 6 table-only", "size=" },
	{ "resize size=10G", "\"size=10G\"" },
	{ "resize 6 10G", "\"10G\"" },
	{ "resize 6 size=1G end=2G", "\"end=2G\"" },
	{ "move 6", "start=" },
	{ "move 6 table-only", "start=" },
	{ "move 6 size=1G", "size=" },
	{ "move 6 start=+1M", "+" },
	{ "move 6 1M", "\"1M\"" },
	{ "align", "align N|all" },
	{ "align some", "\"some\"" },
	{ "align 0", "\"0\"" },
	{ "align all now", "\"now\"" },
	{ "align all table-only now", "\"now\"" },
	{ "type 6", "type N TYPE" },
	{ "type 6 a b", "\"b\"" },
	{ "boot 1", "boot N on|off" },
	{ "boot 1 yes", "\"yes\"" },
	{ "name 2", "name N TEXT" },
	{ "name 2 \"a\tb\"", "\"a?b\"" },
	{ "name 2 \xff", "\"?\"" },
	{ "uuid 2 xyz", "\"xyz\"" },
	{ "uuid 2 0fc63daf84834772-8E79-3D69D8477DE4", "UUID" },
	{ "uuid 2 0fc63daf-8483-4772-8E79-3D69D8477DE4a", "UUID" },
	{ "uuid 2 0fc63daf-8483-4772-8E79-3D69D8477DE", "UUID" },
	{ "uuid 2 0fc63daf-8483-4772-8E79-3D69D8477DEg", "UUID" },
	{ "attr 2 64 on", "\"64\"" },
	{ "attr 2 Nonsense on", "\"Nonsense\"" },
	{ "attr 2 60", "attr N ATTR on|off" },
	{ "attr 2 60 maybe", "\"maybe\"" },
	{ "sort 5", "\"5\"" },
	{ "repair 1", "\"1\"" },
	{ "plan", "plan NAME" },
	{ "plan data size=1G", "\"size=1G\"" },
	{ "plan data start=+1G", "+" },
	{ "plan data start=", "\"\"" },
	{ "plan data start=1M x", "\"x\"" },
	{ "label", "label gpt|dos" },
	{ "label bsd", "\"bsd\"" },
	{ "undo 2", "\"2\"" },
	{ "name 2 \"never closed", "\"never closed\"" },
	{ "name 2 'a\nb'", "'" },
	{ "new a b c d e f g h i j k l m n o p q r s", "too many" },
};

static void test_command__what_is_no_command_is_refused_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused_table) / sizeof(refused_table[0]); i++) {
		struct af_command cmd = { .number = 77 };
		struct af_err err = { 0 };
		const char *p = refused_table[i].text;
		if (af_command_next(&p, &cmd, &err) != -1)
			fail_msg("\"%s\" was taken", refused_table[i].text);
		assert_int_equal(err.code, AF_E_USAGE);
		assert_int_equal(cmd.number, 77);
		assert_ptr_equal(p, refused_table[i].text);
		if (strstr(err.text, refused_table[i].named) == NULL)
			fail_msg("\"%s\": no %s in: %s", refused_table[i].text,
				 refused_table[i].named, err.text);
	}
}

static void test_command__overlong_words_are_refused(void **state)
{
	(void)state;
	static const char *const before[] = { "name 2 ", "type 2 ", "new type=", "" };
	char text[2100];
	for (size_t i = 0; i < 4; i++)
		for (size_t n = 200; n <= 2000; n += 1800) {
			struct af_command cmd;
			struct af_err err = { 0 };
			const char *p = text;
			(void)snprintf(text, sizeof(text), "%s%0*d", before[i], (int)n, 1);
			assert_int_equal(af_command_next(&p, &cmd, &err), -1);
			assert_int_equal(err.code, AF_E_USAGE);
		}
}

static void test_command__attr_knows_names_and_numbers(void **state)
{
	(void)state;
	unsigned bit = 99;
	assert_true(af_command_attr("RequiredPartition", &bit));
	assert_int_equal(bit, 0);
	assert_true(af_command_attr("NoBlockIOProtocol", &bit));
	assert_int_equal(bit, 1);
	assert_true(af_command_attr("63", &bit));
	assert_int_equal(bit, 63);
	assert_true(af_command_attr("0", &bit));
	assert_int_equal(bit, 0);
	assert_false(af_command_attr("64", &bit));
	assert_false(af_command_attr("", &bit));
	assert_int_equal(bit, 0);
}

static void test_command__words_say_what_it_does(void **state)
{
	(void)state;
	static const struct {
		const char *text, *words;
	} row[] = {
		{ "new size=10G", "new partition size 10G" },
		{ "new logical start=2048 end=max",
		  "new logical partition from 2048s up to max" },
		{ "new primary", "new primary partition" },
		{ "new extended size=25%", "new extended partition size 25%" },
		{ "delete 5", "delete partition 5" },
		{ "resize 6 size=+10G", "resize partition 6 size +10G" },
		{ "resize 6 start=-8", "resize partition 6 from -8s" },
		{ "move 6 start=1M", "move partition 6 from 1M" },
		{ "align 6", "align partition 6" },
		{ "align all", "align all partitions" },
		{ "type 6 linux", "change partition 6: type linux" },
		{ "boot 1 on", "change partition 1: boot on" },
		{ "name 2 x", "change partition 2: name \"x\"" },
		{ "uuid 2 0fc63daf-8483-4772-8E79-3D69D8477DE4",
		  "change partition 2: UUID 0FC63DAF-8483-4772-8E79-3D69D8477DE4" },
		{ "attr 2 60 off", "change partition 2: attribute 60 off" },
		{ "sort", "sort" },
		{ "repair", "repair the GPT" },
		{ "label gpt", "new label gpt" },
		{ "undo", "undo" },
		{ "redo", "redo" },
	};
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		char buf[120];
		struct af_command cmd = parse(row[i].text);
		assert_string_equal(af_command_words(&cmd, buf, sizeof(buf)), row[i].words);
	}
	char tiny[8];
	struct af_command cmd = parse("delete 5");
	assert_string_equal(af_command_words(&cmd, tiny, sizeof(tiny)), "delete ");
}

/* A GPT with two partitions of 10 MiB on a disk of 100 MiB. */
static struct af_layout two(enum af_scheme scheme)
{
	struct af_layout l;
	struct af_err err;
	assert_true(af_layout_init(&l, scheme, 100 * AF_MIB, 512, &err));
	for (uint32_t i = 1; i <= 2; i++) {
		struct af_part p = { .number = i,
				     .type = { 0x83 },
				     .uuid = { (uint8_t)i } };
		p.span = (struct af_span){ (10 * i + 10) * AF_MIB, (10 * i + 20) * AF_MIB };
		(void)af_layout_add(&l, &p);
	}
	return l;
}

static const struct af_rules rules = { .check = { 4096, 0 },
				       .grain = { 1048576, 0 },
				       .lowest = 1048576 };
static const struct af_contents nothing = { 0 };
static const struct af_edit over_nothing = { .rules = &rules, .contents = &nothing };

/* The table after one command, and the id that it was about. */
static struct af_layout apply(const struct af_layout *from, const char *text, uint32_t *id)
{
	struct af_command cmd = parse(text);
	struct af_layout out;
	struct af_err err;
	cmd.type[0] = 0x82;
	if (cmd.verb == AF_VERB_NEW || cmd.verb == AF_VERB_LABEL)
		cmd.uuid[15] = 0xaa;
	if (!af_command_apply(&cmd, from, &over_nothing, &out, id, &err))
		fail_msg("%s: %s", text, err.text);
	return out;
}

static void test_command__apply_changes_what_it_names(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		af_bytes start, end;
		const char *name;
		uint64_t attrs;
		uint32_t number; /* of the partition that it is about */
		uint8_t type;
	} row[] = {
		{ "resize 2 size=20M", 30 * AF_MIB, 50 * AF_MIB, "", 0, 2, 0x83 },
		{ "move 2 start=60M", 60 * AF_MIB, 70 * AF_MIB, "", 0, 2, 0x83 },
		{ "align 2", 30 * AF_MIB, 40 * AF_MIB, "", 0, 2, 0x83 },
		{ "type 2 swap", 30 * AF_MIB, 40 * AF_MIB, "", 0, 2, 0x82 },
		{ "attr 2 LegacyBIOSBootable on", 30 * AF_MIB, 40 * AF_MIB, "", 4, 2,
		  0x83 },
		{ "name 2 home", 30 * AF_MIB, 40 * AF_MIB, "home", 0, 2, 0x83 },
		{ "attr 2 60 on", 30 * AF_MIB, 40 * AF_MIB, "", UINT64_C(1) << 60, 2,
		  0x83 },
		{ "new start=50M size=5M name=n", 50 * AF_MIB, 55 * AF_MIB, "n", 0, 3,
		  0x82 },
	};
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		uint32_t id = 0;
		struct af_layout from = two(AF_SCHEME_GPT);
		struct af_layout to = apply(&from, row[i].text, &id);
		const struct af_part *p = af_layout_find(&to, id);
		assert_non_null(p);
		assert_int_equal(p->number, row[i].number);
		assert_int_equal(p->span.start, row[i].start);
		assert_int_equal(p->span.end, row[i].end);
		assert_string_equal(p->name, row[i].name);
		assert_true(p->attrs == row[i].attrs);
		assert_int_equal(p->type[0], row[i].type);
		af_layout_release(&to);
		af_layout_release(&from);
	}
}

static void test_command__apply_uses_the_identities_it_is_given(void **state)
{
	(void)state;
	uint32_t id = 0;
	struct af_layout from = two(AF_SCHEME_GPT);
	struct af_layout to = apply(&from, "new", &id);
	assert_int_equal(af_layout_find(&to, id)->uuid[15], 0xaa);
	af_layout_release(&to);
	to = apply(&from, "uuid 1 0fc63daf-8483-4772-8E79-3D69D8477DE4", &id);
	assert_int_equal(af_layout_find(&to, id)->uuid[0], 0x0f);
	af_layout_release(&to);
	to = apply(&from, "label gpt", &id);
	assert_int_equal(to.disk_id[15], 0xaa);
	assert_int_equal(to.nparts, 0);
	assert_int_equal(id, 0);
	af_layout_release(&to);
	af_layout_release(&from);
}

static void test_command__apply_deletes_sorts_and_aligns_all(void **state)
{
	(void)state;
	uint32_t id = 0;
	struct af_layout from = two(AF_SCHEME_GPT);
	uint32_t first = af_layout_number(&from, 1)->id;
	struct af_layout to = apply(&from, "delete 1", &id);
	assert_int_equal(to.nparts, 1);
	assert_int_equal(id, first);
	struct af_layout sorted = apply(&to, "sort", &id);
	assert_non_null(af_layout_number(&sorted, 1));
	assert_int_equal(id, 0);
	af_layout_release(&sorted);
	af_layout_release(&to);
	from.part[0].span.start += 512;
	to = apply(&from, "align all", &id);
	assert_int_equal(to.part[0].span.start % AF_MIB, 0);
	assert_int_equal(id, 0);
	af_layout_release(&to);
	af_layout_release(&from);
}

static void test_command__apply_refuses_what_is_not_there(void **state)
{
	(void)state;
	static const char *const text[] = { "delete 9", "align 3", "undo", "redo" };
	struct af_layout from = two(AF_SCHEME_GPT);
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		struct af_command cmd = parse(text[i]);
		struct af_layout out;
		struct af_err err = { 0 };
		uint32_t id = 55;
		assert_false(af_command_apply(&cmd, &from, &over_nothing, &out, &id, &err));
		assert_int_equal(err.code, AF_E_USAGE);
		assert_int_equal(id, 55);
	}
	af_layout_release(&from);
}

static void test_command__apply_keeps_content_where_it_is_unless_told(void **state)
{
	(void)state;
	struct af_layout from = two(AF_SCHEME_GPT);
	struct af_content item = { .id = from.part[0].id,
				   .state = AF_CONTENT_FOUND,
				   .fs = "ext4" };
	struct af_contents contents = { &item, 1 };
	struct af_edit e = { .rules = &rules, .contents = &contents, .table_only = true };
	struct af_layout out;
	struct af_err err = { 0 };
	uint32_t id = 0;
	struct af_command cmd = parse("move 1 start=60M");
	assert_false(af_command_apply(&cmd, &from, &e, &out, &id, &err));
	assert_int_equal(err.code, AF_E_DATA);
	e.table_only = false; /* the command decides, either way */
	cmd = parse("move 1 start=60M table-only");
	assert_true(af_command_apply(&cmd, &from, &e, &out, &id, &err));
	af_layout_release(&out);
	af_layout_release(&from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command__new_takes_kind_edges_type_and_name),
		cmocka_unit_test(test_command__resize_and_move_take_edges),
		cmocka_unit_test(test_command__align_takes_one_or_all),
		cmocka_unit_test(test_command__the_rest_take_their_value),
		cmocka_unit_test(test_command__a_run_is_taken_apart),
		cmocka_unit_test(test_command__what_is_no_command_is_refused_by_name),
		cmocka_unit_test(test_command__overlong_words_are_refused),
		cmocka_unit_test(test_command__attr_knows_names_and_numbers),
		cmocka_unit_test(test_command__words_say_what_it_does),
		cmocka_unit_test(test_command__apply_changes_what_it_names),
		cmocka_unit_test(test_command__apply_uses_the_identities_it_is_given),
		cmocka_unit_test(test_command__apply_deletes_sorts_and_aligns_all),
		cmocka_unit_test(test_command__apply_refuses_what_is_not_there),
		cmocka_unit_test(test_command__apply_keeps_content_where_it_is_unless_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
