/* Layouts that are offered: sizes, what is there already, what is left out, and why one is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/offer.h"
#include <stdio.h>
#include <string.h>

/* A disk, and a machine with 8 GiB of memory. */
struct bench {
	struct af_rules rules;
	struct af_contents contents;
	struct af_content content[8];
	struct af_offer_place place;
	struct af_layout layout;
	struct af_offer_plan plan;
	struct af_err err;
};

static void begin(struct bench *b, enum af_scheme scheme, af_bytes size,
		  uint32_t sector_size)
{
	const struct af_topo topo = { .size = size,
				      .sector_size = sector_size,
				      .physical = 4096 };
	memset(b, 0, sizeof(*b));
	b->rules = af_align_rules(&topo, false);
	b->contents.item = b->content;
	b->place.memory = 8 * AF_GIB;
	assert_true(af_layout_init(&b->layout, scheme, size, sector_size, &b->err));
}

static void end(struct bench *b)
{
	af_layout_release(&b->layout);
}

static void carry_out(struct bench *b, const struct af_command *cmd)
{
	const struct af_edit e = { .rules = &b->rules, .contents = &b->contents };
	struct af_layout next;
	uint32_t id;
	if (!af_command_apply(cmd, &b->layout, &e, &next, &id, &b->err))
		fail_msg("%s", b->err.text);
	af_layout_release(&b->layout);
	b->layout = next;
}

static bool offer(struct bench *b, const char *name)
{
	const struct af_edit e = { .rules = &b->rules, .contents = &b->contents };
	return af_offer_make(af_offer_find(name), &b->layout, &e, &b->place, &b->plan,
			     &b->err);
}

/* Makes the layout, which has to fit. */
static void make(struct bench *b, const char *name)
{
	if (!offer(b, name))
		fail_msg("%s", b->err.text);
	for (size_t i = 0; i < b->plan.n; i++)
		carry_out(b, &b->plan.cmd[i]);
}

static void refuses(struct bench *b, const char *name, const char *text)
{
	assert_false(offer(b, name));
	assert_string_equal(b->err.text, text);
}

/* Adds a partition for a purpose behind the others. */
static void add(struct bench *b, enum af_purpose purpose, af_bytes size)
{
	struct af_command cmd = { .verb = AF_VERB_NEW };
	cmd.add.want.has_size = true;
	cmd.add.want.size = (struct af_amount){ .kind = AF_AMOUNT_BYTES, .value = size };
	assert_true(af_scheme_purpose_type(b->layout.scheme, purpose, cmd.type));
	carry_out(b, &cmd);
}

/* The last partition that was added holds that. */
static void holds(struct bench *b, const char *fs)
{
	struct af_content *c = &b->content[b->contents.n++];
	*c = (struct af_content){ .id = b->layout.next_id - 1, .state = AF_CONTENT_FOUND };
	snprintf(c->fs, sizeof(c->fs), "%s", fs);
}

/* The partitions as "5:root:20480" with sizes in MiB: of a GPT their names, else their types. */
static void shows(const struct bench *b, const char *wanted)
{
	struct af_text t = { 0 };
	for (size_t i = 0; i < b->layout.nparts; i++) {
		const struct af_part *p = &b->layout.part[i];
		char type[40];
		af_scheme_type_text(b->layout.scheme, p->type, type);
		af_text_add(&t, "%s%u:%s%s:%lld", i ? " " : "", (unsigned)p->number,
			    p->name[0] ? p->name : type, p->boot ? "*" : "",
			    (long long)(af_span_size(p->span) / AF_MIB));
	}
	assert_string_equal(af_text_get(&t), wanted);
	af_text_release(&t);
}

static void test_offer__a_dual_boot_fills_the_disk_by_shares(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 1024 * AF_GIB, 512);
	make(&b, "windows-linux");
	shows(&b, "1:EFI system:1024 2:Microsoft reserved:16 3:Windows:515054 "
		  "4:Linux root:131072 5:Linux swap:8192 6:home:393216");
	assert_string_equal(b.plan.note, "");
	end(&b);
}

static void test_offer__each_has_its_type(void **state)
{
	static const enum af_purpose purpose_table[] = {
		AF_PURPOSE_ESP,   AF_PURPOSE_RESERVED, AF_PURPOSE_WINDOWS,
		AF_PURPOSE_LINUX, AF_PURPOSE_SWAP,     AF_PURPOSE_HOME
	};
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 1024 * AF_GIB, 512);
	make(&b, "windows-linux");
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(af_scheme_purpose(AF_SCHEME_GPT, b.layout.part[i].type),
				 purpose_table[i]);
	end(&b);
}

static void test_offer__an_esp_has_260_mib_on_sectors_of_4096_bytes(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 6 * AF_GIB, 4096);
	make(&b, "linux");
	shows(&b, "1:EFI system:260 2:Linux root:4858 3:Linux swap:1024");
	assert_string_equal(b.plan.note, "no room for home (8 GiB at least)");
	end(&b);
}

static void test_offer__swap_follows_the_memory_within_limits(void **state)
{
	static const struct {
		af_bytes memory, swap;
	} row_table[] = {
		{ 0, 2 * AF_GIB },
		{ AF_GIB, 2 * AF_GIB },
		{ 6 * AF_GIB + 5, 6 * AF_GIB },
		{ 512 * AF_GIB, 16 * AF_GIB },
	};
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct bench b;
		begin(&b, AF_SCHEME_GPT, 4096 * AF_GIB, 512);
		b.place.memory = row_table[i].memory;
		make(&b, "linux-bios");
		assert_int_equal(af_span_size(b.layout.part[2].span), row_table[i].swap);
		end(&b);
	}
}

static void test_offer__what_is_there_is_not_made_again(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 500 * AF_GIB, 512);
	add(&b, AF_PURPOSE_ESP, 100 * AF_MIB);
	add(&b, AF_PURPOSE_RESERVED, 16 * AF_MIB);
	add(&b, AF_PURPOSE_WINDOWS, 200 * AF_GIB);
	holds(&b, "BitLocker");
	make(&b, "windows-linux");
	shows(&b, "1:C12A7328-F81F-11D2-BA4B-00A0C93EC93B:100 "
		  "2:E3C9E316-0B5C-4DB8-817D-F92DF00215AE:16 "
		  "3:EBD0A0A2-B9E5-4433-87C0-68B6B72699C7:204800 "
		  "4:Linux root:101376 5:Linux swap:8192 6:home:197514");
	end(&b);
}

static void test_offer__an_ntfs_beside_an_esp_is_windows(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 300 * AF_GIB, 512);
	add(&b, AF_PURPOSE_ESP, 100 * AF_MIB);
	add(&b, AF_PURPOSE_WINDOWS, 200 * AF_GIB);
	make(&b, "windows-linux"); /* nothing is known of what it holds */
	assert_int_equal(b.layout.nparts, 7);
	end(&b);
	begin(&b, AF_SCHEME_GPT, 300 * AF_GIB, 512);
	add(&b, AF_PURPOSE_ESP, 100 * AF_MIB);
	add(&b, AF_PURPOSE_WINDOWS, 200 * AF_GIB);
	holds(&b, "ntfs");
	make(&b, "windows-linux");
	assert_int_equal(b.layout.nparts, 5);
	assert_string_equal(b.plan.note,
			    "EFI system: partition 1 (100 MiB) stays; Windows: "
			    "partition 2 (200 GiB) stays");
	end(&b);
}

/* A data disk that Windows made: an MSR and a drive, but nothing to start from. */
static void test_offer__a_drive_without_an_esp_is_no_windows(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 300 * AF_GIB, 512);
	add(&b, AF_PURPOSE_RESERVED, 16 * AF_MIB);
	add(&b, AF_PURPOSE_WINDOWS, 100 * AF_GIB);
	holds(&b, "ntfs");
	make(&b, "windows-linux");
	assert_int_equal(b.layout.nparts, 7); /* all but the MSR */
	end(&b);
}

static void test_offer__an_old_dual_boot_has_an_active_primary_and_logicals(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_MBR, 120 * AF_GIB, 512);
	make(&b, "windows-linux-bios");
	shows(&b, "1:7*:66300 2:f:56579 5:83:20480 6:82:2304 7:83:33792");
	end(&b);
}

static void test_offer__logicals_beside_a_windows_on_an_mbr(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_MBR, 120 * AF_GIB, 512);
	add(&b, AF_PURPOSE_WINDOWS, 60 * AF_GIB);
	holds(&b, "ntfs");
	make(&b, "windows-linux-bios");
	shows(&b, "1:7:61440 2:f:61439 5:83:21504 6:82:2304 7:83:37628");
	assert_string_equal(b.plan.note, "Windows: partition 1 (60 GiB) stays");
	end(&b);
}

static void test_offer__primaries_where_no_extended_is_in_reach(void **state)
{
	struct bench b;
	struct af_command cmd = { .verb = AF_VERB_NEW,
				  .add = { .role = AF_WANT_EXTENDED } };
	(void)state;
	begin(&b, AF_SCHEME_MBR, 120 * AF_GIB, 512);
	cmd.add.want.has_size = true;
	cmd.add.want.size = (struct af_amount){ .kind = AF_AMOUNT_BYTES, .value = AF_GIB };
	carry_out(&b, &cmd);
	add(&b, AF_PURPOSE_WINDOWS, 40 * AF_GIB);
	holds(&b, "ntfs");
	make(&b, "windows-linux-bios"); /* two entries are left */
	shows(&b, "1:5:1024 2:7:40960 3:83:73727 4:82:7168");
	assert_string_equal(
		b.plan.note,
		"Windows: partition 2 (40 GiB) stays; no entry of the table for home");
	end(&b);
}

static void test_offer__a_stick_starts_both_ways(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 8 * AF_GIB, 512);
	make(&b, "rescue");
	shows(&b, "1:BIOS boot:1 2:EFI system:3328 3:persistence:4861");
	end(&b);
	begin(&b, AF_SCHEME_MBR, 8 * AF_GIB, 512);
	make(&b, "rescue");
	shows(&b, "1:c*:3328 2:83:4863");
	end(&b);
}

static void test_offer__an_empty_table_of_the_other_kind_begins_anew(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_MBR, 120 * AF_GIB, 512);
	make(&b, "linux");
	assert_int_equal(b.plan.cmd[0].verb, AF_VERB_LABEL);
	assert_int_equal(b.layout.scheme, AF_SCHEME_GPT);
	end(&b);
	begin(&b, AF_SCHEME_MBR, 120 * AF_GIB, 512);
	add(&b, AF_PURPOSE_LINUX, AF_GIB);
	refuses(&b, "linux", "plan linux: it is for a gpt table, and this is a dos one");
	end(&b);
}

static void test_offer__says_how_much_it_needs(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 20 * AF_GIB, 512);
	refuses(&b, "windows-linux",
		"plan windows-linux: it takes at least 40.3 GiB, and this free space has "
		"20 GiB");
	add(&b, AF_PURPOSE_LINUX, 20 * AF_GIB - 2 * AF_MIB);
	refuses(&b, "data", "plan data: there is no free space");
	end(&b);
}

static void test_offer__goes_where_it_is_told(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 20 * AF_GIB, 512);
	b.place.has_at = true;
	b.place.at = 10 * AF_GIB + 512;
	make(&b, "data");
	assert_int_equal(b.layout.part[0].span.start, 10 * AF_GIB + AF_MIB);
	b.place.at = 11 * AF_GIB;
	refuses(&b, "data", "plan data: that place is not in free space");
	end(&b);
}

static void test_offer__without_a_table_it_says_how_to_make_one(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_NONE, 20 * AF_GIB, 512);
	refuses(&b, "windows-linux-bios",
		"plan windows-linux-bios: there is no partition table: make one with "
		"'label "
		"dos'");
	end(&b);
}

static void test_offer__menu_labels_begin_with_different_letters(void **state)
{
	(void)state;
	for (size_t i = 0; af_offer_at(i); i++) {
		assert_true(strlen(af_offer_at(i)->label) <= 8);
		assert_true(strlen(af_offer_at(i)->title) <= 72);
		assert_ptr_equal(af_offer_find(af_offer_at(i)->name), af_offer_at(i));
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(af_offer_at(i)->label[0],
					     af_offer_at(k)->label[0]);
	}
	assert_null(af_offer_find("windows"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offer__a_dual_boot_fills_the_disk_by_shares),
		cmocka_unit_test(test_offer__each_has_its_type),
		cmocka_unit_test(test_offer__an_esp_has_260_mib_on_sectors_of_4096_bytes),
		cmocka_unit_test(test_offer__swap_follows_the_memory_within_limits),
		cmocka_unit_test(test_offer__what_is_there_is_not_made_again),
		cmocka_unit_test(test_offer__an_ntfs_beside_an_esp_is_windows),
		cmocka_unit_test(test_offer__a_drive_without_an_esp_is_no_windows),
		cmocka_unit_test(
			test_offer__an_old_dual_boot_has_an_active_primary_and_logicals),
		cmocka_unit_test(test_offer__logicals_beside_a_windows_on_an_mbr),
		cmocka_unit_test(test_offer__primaries_where_no_extended_is_in_reach),
		cmocka_unit_test(test_offer__a_stick_starts_both_ways),
		cmocka_unit_test(test_offer__an_empty_table_of_the_other_kind_begins_anew),
		cmocka_unit_test(test_offer__says_how_much_it_needs),
		cmocka_unit_test(test_offer__goes_where_it_is_told),
		cmocka_unit_test(test_offer__without_a_table_it_says_how_to_make_one),
		cmocka_unit_test(test_offer__menu_labels_begin_with_different_letters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
