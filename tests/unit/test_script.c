#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/script.h"
#include "world.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EMPTY "204800 512 dos 1"
#define CHAIN                                                                              \
	"204800 512 dos 1 p1=63+2000,83,boot e2=8192+100000,f l5=8255+1000,83,ebr=8192 "   \
	"l6=20063+1000,83,ebr=20000 l7=30063+1000,83,ebr=30000"
#define UUID_1 "11111111-1111-1111-1111-111111111111"
#define GPT                                                                                \
	"204800 512 gpt af000000-0000-4000-8000-000000000001 "                             \
	"g1=2048+4096,linux,auto g3=8192+100,linux,auto"

/* A script for a world, and what became of it. */
struct run {
	struct world w;
	struct af_script script;
	struct af_layout got;
	struct af_text more;
	struct af_err err;
	bool read, made;
};

/* What words leave out: an identity, usable sectors from 1 MiB on, UUIDs, a name. */
static void fill(struct af_layout *l)
{
	static const uint8_t id[4] = { 0x12, 0x34, 0xab, 0xcd };
	memcpy(l->disk_id, id, sizeof(id));
	if (l->scheme != AF_SCHEME_GPT)
		return;
	l->usable.start = AF_MIB;
	for (size_t i = 0; i < l->nparts; i++)
		memset(l->part[i].uuid, 0x10 + (int)l->part[i].number, 16);
	if (l->nparts > 0)
		(void)snprintf(l->part[0].name, sizeof(l->part[0].name), "boot");
}

/* Types are hexadecimal here, and E is extended; fresh identities are of one byte, 1, 2 ... */
static void resolve(struct af_script *s)
{
	memset(s->fresh_id, 0xf0, sizeof(s->fresh_id));
	for (size_t i = 0; i < s->nparts; i++) {
		struct af_script_part *p = &s->part[i];
		p->type[0] = p->type_word[0] == 'E'
				     ? 5
				     : (uint8_t)strtoul(p->type_word, NULL, 16);
		if (!p->has_uuid)
			memset(p->uuid, (int)i + 1, sizeof(p->uuid));
	}
}

static void begin(struct run *r, const char *words, const char *script)
{
	*r = (struct run){ .read = false };
	world_make(&r->w, words);
	fill(&r->w.layout);
	r->read = af_script_read(script, strlen(script), r->w.layout.sector_size,
				 &r->script, &r->more, &r->err);
	if (!r->read)
		return;
	resolve(&r->script);
	r->made = af_script_layout(&r->script, &r->w.layout, &r->w.rules, &r->got, &r->more,
				   &r->err);
}

static void end(struct run *r)
{
	if (r->made)
		af_layout_release(&r->got);
	if (r->read)
		af_script_release(&r->script);
	af_text_release(&r->more);
	world_release(&r->w);
}

/* The script makes exactly these partitions. */
static void makes(const char *words, const char *script, const char *expect)
{
	char shown[2000];
	struct run r;
	begin(&r, words, script);
	if (!r.made)
		fail_msg("%s: %s", script, r.err.text);
	assert_string_equal(world_show(&r.got, shown, sizeof(shown)), expect);
	end(&r);
}

static void refuses(const char *words, const char *script, enum af_code code,
		    const char *expect)
{
	struct run r;
	begin(&r, words, script);
	if (r.made)
		fail_msg("%s: was taken", script);
	assert_string_equal(r.err.text, expect);
	assert_int_equal(r.err.code, code);
	end(&r);
}

/* What the remarks say. */
static void remarks(const char *words, const char *script, const char *expect)
{
	struct run r;
	begin(&r, words, script);
	if (!r.made)
		fail_msg("%s: %s", script, r.err.text);
	assert_string_equal(af_text_get(&r.more), expect);
	end(&r);
}

/* --- reading --- */

static void test_script__named_fields_come_in_any_order_and_case(void **state)
{
	(void)state;
	const char *expect = "p1=2048+4096,82,boot";
	makes(EMPTY, "start=2048, size=4096, type=82, bootable\n", expect);
	makes(EMPTY, "Bootable TYPE= 82;Size= 4096 , START=2048", expect);
	makes(EMPTY, "\n  # a comment\nd1:id=82,start=0x800,size=2M,bootable # another\r\n",
	      expect);
	makes(EMPTY, "type=\"82\" start='2048' size=2048KiB bootable;", expect);
	makes(EMPTY, "bootable,type=83,Id=82,start=1M,size=+2M", expect);
}

static void test_script__fields_by_place(void **state)
{
	(void)state;
	const char *expect = "p1=2048+4096,82,boot";
	makes(EMPTY, "2048,4096,82,*", expect);
	makes(EMPTY, " 2048 ; 2M ; 82 ; * ;\n", expect);
	makes(EMPTY, "2048 4096 82 *", expect);
	makes(EMPTY, "-,+2M,82,*", expect);
	makes(EMPTY, ",4096,-,-", "p1=2048+4096,83");
}

static void test_script__the_number_ends_the_name(void **state)
{
	(void)state;
	makes(EMPTY, "/dev/sda3 : start=2048,size=1", "p3=2048+1,83");
	makes(EMPTY, "/dev/nvme0n1p4: start=2048,size=1", "p4=2048+1,83");
	makes(EMPTY, "my disk 7.img2 :start=2048,size=1", "p2=2048+1,83");
	makes(EMPTY, "/dev/disk/by-id/a:b-part2 : start=2048,size=1", "p2=2048+1,83");
}

static void test_script__wrong_lines_are_named(void **state)
{
	(void)state;
	refuses(EMPTY, "\n\n\n\n\n\nstrat=7", AF_E_USAGE,
		"line 7: \"strat=\" is not a field: start, size, type, uuid, name, attrs "
		"or bootable was expected");
	refuses(EMPTY, "size=1M, boot", AF_E_USAGE,
		"line 1: \"boot\" is not a field: start, size, type, uuid, name, attrs or "
		"bootable was expected");
	refuses(EMPTY, "start=1M,start=2M", AF_E_USAGE,
		"line 1: \"start\" is given for the second time");
	refuses(EMPTY, "name=\"x", AF_E_USAGE,
		"line 1: \"x\" begins with a quote that is never closed");
	refuses(EMPTY, "name=\"x\"y", AF_E_USAGE,
		"line 1: \"y\" follows a quote: a comma was expected");
	refuses(EMPTY, "name=\"\\x00\"", AF_E_USAGE, "line 1: \"\\x00\" holds a zero byte");
	refuses(EMPTY, "sda : start=1", AF_E_USAGE,
		"line 1: \"sda\" is not a partition's name: no number ends it");
	refuses(EMPTY, "1,2,3,*,5", AF_E_USAGE,
		"line 1: \"5\" is too much: start, size, type and bootable are all there "
		"is");
	refuses(EMPTY, "1,2,3,x", AF_E_USAGE,
		"line 1: \"x\" is not a boot flag: * or nothing was expected");
}

static void test_script__wrong_values_are_named(void **state)
{
	(void)state;
	refuses(EMPTY, "size=99999999999G", AF_E_USAGE,
		"line 1: \"99999999999G\" is not a number of sectors, nor a size such as "
		"10M, that fits");
	refuses(EMPTY, "x,5M", AF_E_USAGE,
		"line 1: \"x\" is not a number of sectors, nor a size such as 10M, that "
		"fits");
	refuses(EMPTY, "start=0xg", AF_E_USAGE,
		"line 1: \"0xg\" is not a number of sectors");
	refuses(EMPTY, "size=-1M", AF_E_USAGE,
		"line 1: \"-1M\" is a difference: a script says how large a partition is");
	refuses(EMPTY, "start=+1M", AF_E_USAGE,
		"line 1: \"+1M\" is a distance: a script says where a partition starts");
	refuses(EMPTY, "size=max", AF_E_USAGE,
		"line 1: \"max\" is not for scripts: sectors, a size such as 10M, or + was "
		"expected");
	refuses(EMPTY, "start=9223372036854775807s", AF_E_RANGE,
		"line 1: 9223372036854775807 sectors are more than fit");
	refuses(EMPTY, "size=9223372036854775807B", AF_E_USAGE,
		"line 1: \"9223372036854775807B\" is too large a number");
	refuses(EMPTY, "uuid=1234", AF_E_USAGE,
		"line 1: \"1234\" is not a UUID such as "
		"0FC63DAF-8483-4772-8E79-3D69D8477DE4");
	refuses(EMPTY, "type=,size=1M", AF_E_USAGE,
		"line 1: \"\" is not a type: a code, a UUID or a name was expected");
	refuses(EMPTY, "attrs=47", AF_E_USAGE,
		"line 1: \"47\" is not an attribute: RequiredPartition, NoBlockIOProtocol, "
		"LegacyBIOSBootable or a bit of 48 to 63 was expected");
	refuses(EMPTY, "label: gpt\nname=\"\\xff\"", AF_E_USAGE,
		"line 2: \"?\" is not UTF-8 without control characters");
	refuses(EMPTY, "name=1234567890123456789012345678901234567", AF_E_USAGE,
		"line 1: \"1234567890123456789012345678901234567\" is too long a name: a "
		"GPT holds 36 characters");
}

static void test_script__wrong_headers_are_named(void **state)
{
	(void)state;
	refuses(EMPTY, "label: sun", AF_E_USAGE,
		"line 1: \"sun\" is not a kind of table: dos or gpt was expected");
	refuses(EMPTY, "unit: cylinders", AF_E_USAGE,
		"line 1: \"cylinders\" is not a unit: sectors was expected");
	refuses(EMPTY, "sector-size: 1000", AF_E_USAGE,
		"line 1: \"1000\" is not a sector size: 512 to 4096 was expected");
	refuses(EMPTY, "grain: 100", AF_E_USAGE,
		"line 1: \"100\" is not a grain: 1M, say, was expected");
	refuses(EMPTY, "grain: x", AF_E_USAGE,
		"line 1: \"x\" is not a size: 10G, 512s, 4096B, 25% or max, say, was "
		"expected");
	refuses(EMPTY, "first-lba: -1", AF_E_USAGE, "line 1: \"-1\" is not a number");
	refuses(EMPTY, "table-length:", AF_E_USAGE, "line 1: \"\" is not a number");
	refuses(EMPTY, "label-id:", AF_E_USAGE,
		"line 1: \"\" is not an identity: 0x12345678 or a UUID, say");
	refuses(EMPTY, ",1M\nlabel: dos", AF_E_USAGE,
		"line 2: \"label\" is a header: it must come before the partitions");
	refuses(EMPTY, "label-id: xyz\n,1M", AF_E_USAGE,
		"line 1: \"xyz\" is not the identity of a dos table");
	refuses(EMPTY, "", AF_E_USAGE,
		"the script is empty: neither a label nor a partition");
}

static void test_script__further_faults_follow_the_first(void **state)
{
	(void)state;
	struct run r;
	struct af_text many = { 0 };
	begin(&r, EMPTY, "a=1\n,1M\nb=2\n1,2,3,4\n");
	assert_false(r.read);
	assert_string_equal(r.err.text,
			    "line 1: \"a=\" is not a field: start, size, type, uuid, name, "
			    "attrs or bootable was expected");
	assert_string_equal(
		af_text_get(&r.more),
		"line 3: \"b=\" is not a field: start, size, type, uuid, name, attrs or "
		"bootable was expected\nline 4: \"4\" is not a boot flag: * or nothing was "
		"expected\n");
	end(&r);
	for (int i = 0; i < 1000; i++)
		af_text_add(&many, "a=1\n");
	begin(&r, EMPTY, af_text_get(&many));
	assert_non_null(strstr(r.more.data, "line 20: "));
	assert_null(strstr(r.more.data, "line 21: "));
	assert_non_null(strstr(r.more.data, "there is more that is wrong\n"));
	end(&r);
	af_text_release(&many);
}

static void test_script__is_bounded(void **state)
{
	(void)state;
	struct af_script s;
	struct af_err err;
	struct af_text text = { 0 }, more = { 0 };
	for (int i = 0; i < 5000; i++)
		af_text_add(&text, "x");
	refuses(EMPTY, af_text_get(&text), AF_E_USAGE, "line 1: longer than 4096 bytes");
	af_text_clear(&text);
	for (int i = 0; i <= AF_SCRIPT_PARTS_MAX; i++)
		af_text_add(&text, ",1\n");
	refuses(EMPTY, af_text_get(&text), AF_E_RANGE,
		"line 1025: more than 1024 partitions");
	assert_false(af_script_read("a\0b", 3, 512, &s, &more, &err));
	assert_string_equal(err.text, "line 1: holds a zero byte: this is no text");
	char *large = af_alloc(AF_SCRIPT_BYTES_MAX + 1, 1);
	assert_false(af_script_read(large, AF_SCRIPT_BYTES_MAX + 1, 512, &s, &more, &err));
	assert_string_equal(err.text, "a script of more than 1048576 bytes");
	free(large);
	af_text_release(&text);
	af_text_release(&more);
}

/* --- numbers --- */

static void test_script__unnamed_lines_take_free_numbers(void **state)
{
	(void)state;
	makes(EMPTY, ",1M\nd1: size=1M\n,0\n,1M\n",
	      "p2=2048+2048,83 p1=4096+2048,83 p4=6144+2048,83");
	makes(EMPTY, ",1M\n,20M,E\n,1M\n,1M\n,1M\n,1M\n",
	      "p1=2048+2048,83 e2=4096+40960,05 l5=6144+2048,83,ebr=4096 "
	      "l6=10240+2048,83,ebr=8192 p3=45056+2048,83 p4=47104+2048,83");
	makes(EMPTY, ",20M,E\n8192,1M\n", "e1=2048+40960,05 l5=8192+2048,83,ebr=2048");
	refuses(EMPTY, ",1M\n,1M\n,1M\n,1M\n,1M\n", AF_E_RULE,
		"line 5: all 4 entries of the table are used");
	refuses(EMPTY, "d2: size=1M\nd2: size=1M\n", AF_E_RULE,
		"line 2: line 1 makes partition 2 already");
	refuses(EMPTY, "d5: size=1M\n", AF_E_RULE,
		"line 1: partition 5 is a logical one, and no line before it makes an "
		"extended one");
	refuses(EMPTY, ",1M,E\n,1M,E\n", AF_E_RULE,
		"line 2: line 1 makes an extended partition already");
	refuses(EMPTY, "label: gpt\nd129: size=1M\n", AF_E_RULE,
		"line 2: a table of 128 entries has no number 129");
}

static void test_script__logicals_are_numbered_without_holes(void **state)
{
	(void)state;
	const char *script = "d1: start=2048,size=40960,type=5\n"
			     "d9: start=8192,size=100\nd6: start=4096,size=100\n"
			     "d7: start=0,size=0\n";
	makes(EMPTY, script,
	      "e1=2048+40960,05 l5=4096+100,83,ebr=2048 l6=8192+100,83,ebr=6144");
	remarks(EMPTY, script,
		"line 3: partition 6 becomes number 5: logical ones are counted without a "
		"hole\nline 2: partition 9 becomes number 6: logical ones are counted "
		"without a hole\n");
}

static void test_script__no_more_logicals_than_others_find(void **state)
{
	(void)state;
	struct af_text t = { 0 };
	af_text_add(&t, "d1: start=2048,size=100000,type=5\n");
	for (int i = 0; i < 57; i++)
		af_text_add(&t, "d%d: start=%d,size=1\n", 5 + i, 4096 + 2 * i);
	refuses(EMPTY, af_text_get(&t), AF_E_RULE,
		"line 58: more logical partitions than other programs find (56)");
	af_text_release(&t);
}

/* --- places --- */

static void test_script__what_is_left_open_is_placed_on_the_grain_and_told(void **state)
{
	(void)state;
	const char *script = "2048,4096\n,1M\n10000,1\n,\n";
	makes(EMPTY, script,
	      "p1=2048+4096,83 p2=6144+2048,83 p3=10000+1,83 p4=10240+194560,83");
	remarks(EMPTY, script,
		"line 2: placed at sectors 6144 to 8191\n"
		"line 4: placed at sectors 10240 to 204799\n");
	makes(EMPTY, "10240,1M\n5000\n", "p2=5000+5240,83 p1=10240+2048,83");
	makes(EMPTY, "label: gpt\n,+", "g1=2048+200704");
	makes(EMPTY, "grain: 64K\n,100\n,100\n", "p1=2048+100,83 p2=2176+100,83");
	makes(EMPTY, "grain: 1000B\n,1\n,1\n", "p1=2048+1,83 p2=2056+1,83");
}

static void test_script__logicals_keep_one_grain_apart(void **state)
{
	(void)state;
	makes(EMPTY,
	      "2048,20M,E\nd5: size=1000\nd6: start=10240,size=2048\nd7: "
	      "size=1M\nd8:size=1\n",
	      "e1=2048+40960,05 l5=4096+1000,83,ebr=2048 l6=10240+2048,83,ebr=8192 "
	      "l7=14336+2048,83,ebr=12288 l8=18432+1,83,ebr=16384");
	makes(EMPTY, "2048,20M,E\nd5: start=20480,size=9\nd6: start=5000\n",
	      "e1=2048+40960,05 l6=5000+13432,83,ebr=2952 l5=20480+9,83,ebr=2048");
}

static void test_script__given_sectors_are_taken_as_they_are(void **state)
{
	(void)state;
	makes(EMPTY, "63,100\nsize=1234,start=999\n5000,1000K\n",
	      "p1=63+100,83 p2=999+1234,83 p3=5000+2000,83");
	makes(EMPTY, "start=1MB,size=1MB\n", "p1=1953+1954,83");
	makes(EMPTY, "1,1\n2,80000,5\nd5: start=3,size=1000\nd6: start=1004,size=1000\n",
	      "p1=1+1,83 e2=2+80000,05 l5=3+1000,83,ebr=2 l6=1004+1000,83,ebr=1003");
}

static void test_script__impossible_places_are_refused(void **state)
{
	(void)state;
	refuses(EMPTY, "2048,300000\n", AF_E_RANGE,
		"line 1: sectors 2048 to 302047 reach beyond sector 204799, the last one "
		"that a partition of this disk may have");
	refuses(EMPTY, "300000,1\n", AF_E_RANGE,
		"line 1: the start, sector 300000, is not in 1 to 204799, where a dos "
		"partition may lie");
	refuses(EMPTY, "2048,9223372036854775296B\n", AF_E_RANGE,
		"line 1: the end is too large a number");
	refuses(EMPTY, ",1T\n", AF_E_RANGE,
		"line 1: there is no free space for another partition of 1 TiB");
	refuses(EMPTY, ",\n,\n", AF_E_RANGE,
		"line 2: there is no free space for another partition");
	refuses(EMPTY, "2048,4096,E\nd5: size=1\nd6: size=1\n", AF_E_RANGE,
		"line 3: there is no free space for a logical partition of 512 B");
	refuses(EMPTY, "2048,4096\n6143,1\n", AF_E_RULE,
		"line 2: sectors 6143 to 6143 overlap the partition of line 1, sectors "
		"2048 to 6143");
	refuses(EMPTY, "2048,8192,E\nd5: start=4096,size=9\nd6: start=4105,size=9\n",
		AF_E_RANGE,
		"line 3: there is no free sector for the EBR of partition 6 before its "
		"start");
	refuses(EMPTY, "sector-size: 512\n2048,4096,E\nd5: start=2048,size=1\n", AF_E_RANGE,
		"line 3: the start, sector 2048, is not in 2049 to 6143, where a logical "
		"partition may lie");
	refuses(EMPTY, "2048,4096,E\nd5: start=4096,size=4096\n", AF_E_RANGE,
		"line 2: sectors 4096 to 8191 reach beyond sector 6143, the last one that "
		"the extended partition has");
}

static void test_script__sectors_of_another_size_are_converted(void **state)
{
	(void)state;
	makes(EMPTY, "sector-size: 4096\n256,256\n,1M\n,8\n",
	      "p1=2048+2048,83 p2=4096+2048,83 p3=6144+64,83");
	makes("25600 4096 dos 1", "sector-size: 512\n2048,2048\n", "p1=256+256,83");
	refuses("25600 4096 dos 1", "sector-size: 512\n63,2048\n", AF_E_RANGE,
		"line 2: the partition does not lie on sectors of 4096 bytes");
}

/* --- the table before --- */

/* Base is what words say; applied to it, script gives exactly base. */
static void changes_nothing(const char *words, const char *script)
{
	struct run r;
	begin(&r, words, script);
	if (!r.made)
		fail_msg("%s: %s", script, r.err.text);
	assert_true(af_layout_equal(&r.w.layout, &r.got));
	assert_int_equal(r.got.nparts, r.w.layout.nparts);
	for (size_t i = 0; i < r.got.nparts; i++)
		assert_int_equal(r.got.part[i].id, r.w.layout.part[i].id);
	end(&r);
}

static void test_script__the_same_table_is_no_change(void **state)
{
	(void)state;
	changes_nothing(CHAIN,
			"63,2000,83,*\n8192,100000,f\n8255,1000\n20063,1000\n30063,1000\n");
	changes_nothing(GPT, "label: gpt\nfirst-lba: 2048\n"
			     "d1: start=2048,size=4096,name=boot\nd3: start=8192,size=100");
}

static void test_script__partitions_stay_by_number_place_or_uuid(void **state)
{
	(void)state;
	struct run r;
	begin(&r, CHAIN,
	      "d1: start=4096,size=2000\nd2: start=8192,size=100000,type=f\n"
	      "d5: start=8255,size=1000\nd6: start=30063,size=2000\n");
	assert_true(r.made);
	const struct af_part *five = af_layout_number(&r.got, 5);
	const struct af_part *six = af_layout_number(&r.got, 6);
	assert_int_equal(five->id, af_layout_number(&r.w.layout, 5)->id);
	assert_int_equal(five->ebr, 8192 * 512);
	assert_true(six->id >= r.w.layout.next_id); /* neither its number nor its place */
	assert_true(af_layout_number(&r.got, 1)->id >= r.w.layout.next_id);
	end(&r);
	begin(&r, GPT,
	      "d7: start=40960,size=100,uuid=" UUID_1 "\nd9: start=8192,size=100\n");
	assert_true(r.made);
	assert_int_equal(af_layout_number(&r.got, 7)->id,
			 af_layout_number(&r.w.layout, 1)->id);
	assert_memory_equal(af_layout_number(&r.got, 9)->uuid,
			    af_layout_number(&r.w.layout, 3)->uuid, 16);
	end(&r);
}

static void test_script__silent_attributes_stay(void **state)
{
	(void)state;
	struct world w;
	struct af_script s;
	struct af_text more = { 0 };
	struct af_layout got;
	struct af_err err;
	const char *text = "start=2048,size=4096,attrs=\"GUID:50 RequiredPartiton,"
			   "nobiosprotocol\"\n";
	world_make(&w, GPT);
	w.layout.part[0].attrs = UINT64_C(0x8000000000000105);
	assert_false(af_script_read(text, strlen(text), 512, &s, &more, &err));
	text = "start=2048,size=4096,attrs=\"GUID:50 "
	       "RequiredPartiton,noblockioprotocol\"\n";
	assert_true(af_script_read(text, strlen(text), 512, &s, &more, &err));
	resolve(&s);
	assert_true(af_script_layout(&s, &w.layout, &w.rules, &got, &more, &err));
	assert_true(got.part[0].attrs == UINT64_C(0x0004000000000103));
	af_layout_release(&got);
	af_script_release(&s);
	af_text_release(&more);
	world_release(&w);
}

static void test_script__the_identity_stays_unless_it_is_given(void **state)
{
	(void)state;
	static const struct {
		const char *words, *script, *id;
	} table[] = {
		{ "204800 512 dos 1", ",1M", "0x1234abcd" },
		{ "204800 512 dos 1", "label-id: 0x55\n,1M", "0x00000055" },
		{ "204800 512 dos 1", "label-id: 12345678\n,1M", "0x12345678" },
		{ GPT, "label: dos\n,1M", "0xf0f0f0f0" },
		{ GPT, "label: gpt", "1234ABCD-0000-0000-0000-000000000000" },
		{ EMPTY, "label: gpt", "F0F0F0F0-F0F0-F0F0-F0F0-F0F0F0F0F0F0" },
		{ GPT, "label-id: " UUID_1 "\nlabel: gpt",
		  "11111111-1111-1111-1111-111111111111" },
		{ "204800 512 none", ",1M", "0xf0f0f0f0" },
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct run r;
		char id[40];
		begin(&r, table[i].words, table[i].script);
		if (!r.made)
			fail_msg("%s: %s", table[i].script, r.err.text);
		af_scheme_id_text(r.got.scheme, r.got.disk_id, id);
		assert_string_equal(id, table[i].id);
		end(&r);
	}
	refuses(EMPTY, "label: gpt\nlabel-id: 0x1234\n", AF_E_USAGE,
		"line 2: \"0x1234\" is not the identity of a gpt table");
	refuses(EMPTY, "label-id: 0x123456789\nlabel: dos", AF_E_USAGE,
		"line 1: \"0x123456789\" is not the identity of a dos table");
}

static void test_script__a_fresh_gpt_follows_its_headers(void **state)
{
	(void)state;
	struct run r;
	begin(&r, EMPTY, "label: gpt\nfirst-lba: 100\nlast-lba: 2000\ntable-length: 256\n");
	assert_true(r.made);
	assert_int_equal(r.got.usable.start, 100 * 512);
	assert_int_equal(r.got.usable.end, 2001 * 512);
	assert_int_equal(r.got.slots, 256);
	end(&r);
	refuses(EMPTY, "label: gpt\nfirst-lba: 33\n", AF_E_RANGE,
		"line 2: first-lba 33 is not in 34 to 204766, what a table of this disk "
		"can use");
	refuses(EMPTY, "label: gpt\nlast-lba: 204767\n", AF_E_RANGE,
		"line 2: last-lba 204767 is not in 34 to 204766, what a table of this disk "
		"can use: leave it out for another disk");
	refuses(EMPTY, "label: gpt\ntable-length: 2000\n", AF_E_RANGE,
		"line 2: table-length must be 1 to 1024 entries");
	refuses("20 512 none", "label: gpt\n", AF_E_RANGE,
		"a disk of 10 KiB is too small for a gpt table");
	refuses("100 512 none", "label: gpt\ntable-length: 1024\n", AF_E_RANGE,
		"line 2: a disk of 50 KiB is too small for a table of 1024 entries");
	remarks(GPT, "label: gpt\nfirst-lba: 34\nlast-lba: 204766\ntable-length: 64\n",
		"line 4: table-length stays 128, as the table on the disk has it\n"
		"line 2: first-lba stays 2048, as the table on the disk has it\n");
}

static void test_script__fields_that_the_table_lacks(void **state)
{
	(void)state;
	refuses(EMPTY, "name=x", AF_E_RULE,
		"line 1: a dos table has no partition names, UUIDs or attributes: leave "
		"the field out");
	remarks(EMPTY, "label: gpt\n2048,1M,,*\n",
		"line 2: a GPT has no boot flag, so bootable is left out: "
		"attrs=LegacyBIOSBootable is its like\n");
	refuses(EMPTY, "label: gpt\nsize=1,uuid=" UUID_1 "\nsize=1\nsize=1,uuid=" UUID_1,
		AF_E_RULE, "line 4: line 2 gives that UUID already");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_script__named_fields_come_in_any_order_and_case),
		cmocka_unit_test(test_script__fields_by_place),
		cmocka_unit_test(test_script__the_number_ends_the_name),
		cmocka_unit_test(test_script__wrong_lines_are_named),
		cmocka_unit_test(test_script__wrong_values_are_named),
		cmocka_unit_test(test_script__wrong_headers_are_named),
		cmocka_unit_test(test_script__further_faults_follow_the_first),
		cmocka_unit_test(test_script__is_bounded),
		cmocka_unit_test(test_script__unnamed_lines_take_free_numbers),
		cmocka_unit_test(test_script__logicals_are_numbered_without_holes),
		cmocka_unit_test(test_script__no_more_logicals_than_others_find),
		cmocka_unit_test(
			test_script__what_is_left_open_is_placed_on_the_grain_and_told),
		cmocka_unit_test(test_script__logicals_keep_one_grain_apart),
		cmocka_unit_test(test_script__given_sectors_are_taken_as_they_are),
		cmocka_unit_test(test_script__impossible_places_are_refused),
		cmocka_unit_test(test_script__sectors_of_another_size_are_converted),
		cmocka_unit_test(test_script__the_same_table_is_no_change),
		cmocka_unit_test(test_script__partitions_stay_by_number_place_or_uuid),
		cmocka_unit_test(test_script__silent_attributes_stay),
		cmocka_unit_test(test_script__the_identity_stays_unless_it_is_given),
		cmocka_unit_test(test_script__a_fresh_gpt_follows_its_headers),
		cmocka_unit_test(test_script__fields_that_the_table_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
