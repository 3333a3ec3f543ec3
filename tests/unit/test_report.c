/* The JSON of the contract, compared as text: json-c stays behind its door. */
#include "afdisk/report.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#define SECTORS(n) ((af_bytes)(n)*512)

static const struct af_type mbr_type[] = { { { 0x83 }, "Linux" },
					   { { 0x05 }, "Extended" } };
static const struct af_types mbr_types = { mbr_type, 2 };

static struct af_topo topology(void)
{
	return (struct af_topo){ .size = SECTORS(2097152),
				 .sector_size = 512,
				 .physical = 4096,
				 .physical_source = AF_SOURCE_ASSUMED,
				 .is_file = true };
}

static uint32_t add(struct af_layout *l, uint32_t number, enum af_role role, int64_t start,
		    int64_t end)
{
	struct af_part p = { .number = number, .role = role, .type = { 0x83 } };
	p.span = (struct af_span){ SECTORS(start), SECTORS(end) };
	if (role == AF_ROLE_EXTENDED)
		p.type[0] = 5;
	if (role == AF_ROLE_LOGICAL)
		p.ebr = SECTORS(start - 63);
	return af_layout_add(l, &p);
}

/* All that is known about a small disk: borrowed from where it is kept. */
struct fixture {
	struct af_layout layout;
	struct af_topo topo;
	struct af_rules rules;
	struct af_content item[1];
	struct af_contents contents;
	struct af_disk disk;
	struct af_text text;
};

static void start(struct fixture *f, enum af_scheme scheme)
{
	struct af_err err;
	*f = (struct fixture){ .topo = topology() };
	assert_true(af_layout_init(&f->layout, scheme, f->topo.size, 512, &err));
	f->rules = af_align_rules(&f->topo, false);
	f->contents = (struct af_contents){ f->item, 1 };
	f->disk = (struct af_disk){ .path = "disk.img",
				    .layout = &f->layout,
				    .topo = &f->topo,
				    .rules = &f->rules,
				    .contents = &f->contents,
				    .types = &mbr_types };
}

static void finish(struct fixture *f)
{
	af_layout_release(&f->layout);
	af_text_release(&f->text);
}

static void has(const struct fixture *f, const char *piece)
{
	if (strstr(af_text_get(&f->text), piece) == NULL)
		fail_msg("no %s in %s", piece, af_text_get(&f->text));
}

static void test_report__an_mbr_in_full(void **state)
{
	(void)state;
	struct fixture f;
	start(&f, AF_SCHEME_MBR);
	memcpy(f.layout.disk_id, "\x10\xbd\x10\xbc", 4);
	f.item[0] = (struct af_content){
		.state = AF_CONTENT_FOUND, .fs = "ext4", .label = "home", .uuid = "1-2"
	};
	f.item[0].id = add(&f.layout, 1, AF_ROLE_PRIMARY, 63, 204800);
	f.layout.part[0].boot = true;
	(void)add(&f.layout, 2, AF_ROLE_EXTENDED, 409600, 1024000);
	(void)add(&f.layout, 5, AF_ROLE_LOGICAL, 409663, 614400);
	af_report_disks(&f.text, &f.disk, 1);
	has(&f,
	    "{\"disks\":[{\"path\":\"disk.img\",\"size\":1073741824,\"sectors\":2097152,"
	    "\"sector_size\":512,\"physical_size\":4096,\"physical_source\":\"assumed\","
	    "\"reported_physical_size\":null,\"alignment_offset\":0,\"minimum_io\":null,"
	    "\"optimal_io\":null,\"grain\":1048576,\"check_size\":4096,\"model\":null,"
	    "\"serial\":null,\"transport\":null,\"label\":\"dos\",\"id\":\"0x10bd10bc\","
	    "\"first_usable\":1,\"last_usable\":2097151,\"partitions\":[");
	has(&f,
	    "{\"number\":1,\"kind\":\"primary\",\"start\":63,\"end\":204799,"
	    "\"sectors\":204737,\"type\":\"83\",\"type_name\":\"Linux\",\"boot\":true,"
	    "\"name\":null,\"uuid\":null,\"attrs\":null,\"fs\":\"ext4\","
	    "\"fs_label\":\"home\",\"fs_uuid\":\"1-2\",\"fs_size\":null,"
	    "\"mountpoints\":[],\"in_use\":null,\"status\":\"misaligned\",\"start_off\":7,"
	    "\"end_off\":0,\"padding_before\":62,\"ebr\":null,\"layers\":[]}");
	has(&f,
	    "{\"number\":2,\"kind\":\"extended\",\"start\":409600,\"end\":1023999,"
	    "\"sectors\":614400,\"type\":\"5\",\"type_name\":\"Extended\",\"boot\":false,");
	has(&f, "\"fs\":null,\"fs_label\":null,\"fs_uuid\":null,");
	has(&f, "\"status\":\"container\"");
	has(&f, "\"start\":409663,\"end\":614399,");
	has(&f, "\"padding_before\":63,\"ebr\":409600,");
	has(&f, "\"free\":[{\"start\":204800,\"end\":409599,\"sectors\":204800,"
		"\"kind\":\"primary\"},{");
	has(&f, "\"kind\":\"logical\"}");
	assert_int_equal(af_text_get(&f.text)[f.text.len - 1], '\n');
	finish(&f);
}

static void test_report__who_uses_a_partition(void **state)
{
	(void)state;
	struct af_use use[] = {
		{ .number = 1, .kind = AF_USE_LAYER, .what = "LUKS x" },
		{ .number = 1, .kind = AF_USE_MOUNT, .what = "/a \"b\"" },
		{ .number = 1, .kind = AF_USE_MOUNT, .what = "/c" },
	};
	const struct af_uses uses = { use, 3 };
	struct fixture f;
	start(&f, AF_SCHEME_GPT);
	(void)add(&f.layout, 1, AF_ROLE_PRIMARY, 2048, 4096);
	(void)add(&f.layout, 2, AF_ROLE_PRIMARY, 4096, 8192);
	f.disk.uses = &uses;
	f.topo.is_file = false;
	for (size_t i = 0; i < 3; i++)
		use[i].span = f.layout.part[0].span;
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"mountpoints\":[\"/a \\\"b\\\"\",\"/c\"],\"in_use\":true");
	has(&f, "\"mountpoints\":[],\"in_use\":false");
	finish(&f);

	start(&f, AF_SCHEME_GPT);
	(void)add(&f.layout, 1, AF_ROLE_PRIMARY, 2048, 4096);
	use[0].number = 0; /* the whole disk: an image behind a loop device, for example */
	f.disk.uses = &(struct af_uses){ use, 1 };
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"mountpoints\":[],\"in_use\":true");
	finish(&f);
}

static void test_report__a_gpt_entry_has_name_uuid_and_attributes(void **state)
{
	(void)state;
	struct fixture f;
	start(&f, AF_SCHEME_GPT);
	(void)add(&f.layout, 3, AF_ROLE_PRIMARY, 2048, 4096);
	struct af_part *p = &f.layout.part[0];
	p->uuid[0] = 0xab;
	p->attrs = 1 | 4 | UINT64_C(1) << 5 | UINT64_C(1) << 48 | UINT64_C(1) << 60;
	(void)snprintf(p->name, sizeof(p->name), "a \"b\" \xc3\xbc/");
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"label\":\"gpt\",\"id\":\"00000000-0000-0000-0000-000000000000\","
		"\"first_usable\":34,\"last_usable\":2097118,");
	has(&f, "\"kind\":\"gpt\"");
	has(&f, "\"boot\":false,\"name\":\"a \\\"b\\\" \xc3\xbc/\","
		"\"uuid\":\"AB000000-0000-0000-0000-000000000000\","
		"\"attrs\":\"RequiredPartition LegacyBIOSBootable 5 GUID:48,60\",");
	has(&f, "\"free\":[{\"start\":4096,\"end\":2097118,\"sectors\":2093023,\"kind\":"
		"\"gpt\"}]");
	finish(&f);
	start(&f, AF_SCHEME_GPT);
	(void)add(&f.layout, 3, AF_ROLE_PRIMARY, 2048, 4096);
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"boot\":false,\"name\":\"\",");
	has(&f, "\"attrs\":\"\",");
	finish(&f);
}

static void test_report__a_disk_without_a_table(void **state)
{
	(void)state;
	struct fixture f;
	start(&f, AF_SCHEME_MBR);
	f.layout.scheme = AF_SCHEME_NONE;
	f.layout.usable = (struct af_span){ 0, 0 };
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"label\":\"none\",\"id\":null,\"first_usable\":null,\"last_usable\":null,"
		"\"partitions\":[],\"free\":[]}]}\n");
	finish(&f);
}

static void test_report__topology_is_told_where_it_is_known(void **state)
{
	(void)state;
	struct fixture f;
	start(&f, AF_SCHEME_MBR);
	f.topo.reported_physical = 512;
	f.topo.minimum_io = 4096;
	f.topo.optimal_io = 65536;
	f.topo.physical_source = AF_SOURCE_DEVICE;
	f.topo.alignment_offset = 3584;
	(void)snprintf(f.topo.model, sizeof(f.topo.model), "WDC");
	(void)snprintf(f.topo.serial, sizeof(f.topo.serial), "S1");
	(void)snprintf(f.topo.transport, sizeof(f.topo.transport), "usb");
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"physical_source\":\"device\",\"reported_physical_size\":512,"
		"\"alignment_offset\":3584,\"minimum_io\":4096,\"optimal_io\":65536,");
	has(&f, "\"model\":\"WDC\",\"serial\":\"S1\",\"transport\":\"usb\",");
	af_text_release(&f.text);
	f.topo.offset_unknown = true;
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"alignment_offset\":null,");
	finish(&f);
}

static void test_report__text_is_valid_whatever_the_disk_holds(void **state)
{
	(void)state;
	struct fixture f;
	start(&f, AF_SCHEME_GPT);
	f.item[0] = (struct af_content){ .state = AF_CONTENT_FOUND, .fs = "\xff\x1b[2J" };
	f.item[0].id = add(&f.layout, 1, AF_ROLE_PRIMARY, 2048, 4096);
	(void)snprintf(f.layout.part[0].name, AF_NAME_MAX, "\xc0\xaf\n");
	f.disk.path = "\xfe.img";
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"path\":\"?.img\"");
	has(&f, "\"name\":\"???\"");
	has(&f, "\"fs\":\"??[2J\"");
	finish(&f);
}

static void test_report__what_is_not_found_is_null(void **state)
{
	(void)state;
	struct fixture f;
	start(&f, AF_SCHEME_MBR);
	f.item[0] = (struct af_content){ .state = AF_CONTENT_UNREADABLE, .fs = "stale" };
	f.item[0].id = add(&f.layout, 1, AF_ROLE_PRIMARY, 2048, 4096);
	af_report_disks(&f.text, &f.disk, 1);
	has(&f, "\"fs\":null,");
	finish(&f);
}

static void test_report__several_disks_or_none(void **state)
{
	(void)state;
	struct fixture f;
	start(&f, AF_SCHEME_MBR);
	af_report_disks(&f.text, NULL, 0);
	assert_string_equal(af_text_get(&f.text), "{\"disks\":[]}\n");
	struct af_disk two[2] = { f.disk, f.disk };
	two[1].path = "other.img";
	af_report_disks(&f.text, two, 2);
	has(&f, "{\"path\":\"disk.img\",");
	has(&f, "]},{\"path\":\"other.img\",");
	finish(&f);
}

static void test_report__a_plan_with_the_disk_to_be(void **state)
{
	(void)state;
	struct fixture f;
	start(&f, AF_SCHEME_MBR);
	struct af_step step[2] = { { "delete", 2, "delete sda2" },
				   { "write", 0, "write it" } };
	struct af_plan plan = { .step = step, .nsteps = 2 };
	af_report_plan(&f.text, &plan, &f.disk, false);
	has(&f,
	    "{\"plan\":[{\"step\":\"delete\",\"partition\":2,\"detail\":\"delete sda2\"},"
	    "{\"step\":\"write\",\"partition\":null,\"detail\":\"write it\"}],"
	    "\"disk\":{\"path\":\"disk.img\",");
	has(&f, "},\"written\":false}\n");
	af_text_release(&f.text);
	af_report_plan(&f.text, &(struct af_plan){ 0 }, &f.disk, true);
	has(&f, "{\"plan\":[],");
	has(&f, "\"written\":true}\n");
	finish(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report__an_mbr_in_full),
		cmocka_unit_test(test_report__who_uses_a_partition),
		cmocka_unit_test(test_report__a_gpt_entry_has_name_uuid_and_attributes),
		cmocka_unit_test(test_report__a_disk_without_a_table),
		cmocka_unit_test(test_report__topology_is_told_where_it_is_known),
		cmocka_unit_test(test_report__text_is_valid_whatever_the_disk_holds),
		cmocka_unit_test(test_report__what_is_not_found_is_null),
		cmocka_unit_test(test_report__several_disks_or_none),
		cmocka_unit_test(test_report__a_plan_with_the_disk_to_be),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
