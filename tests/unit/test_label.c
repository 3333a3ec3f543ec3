/* Reading tables, their types, and the dump; what is broken is in test_label_broken.c, writing in
 * test_label_render.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "afdisk/label.h"
#include "memdev.h"

static void read_table(struct memdev *m, struct af_layout *l, struct af_label_note *note)
{
	struct af_err err = { .code = AF_OK };

	if (!af_label_read(&m->dev, l, note, &err))
		fail_msg("%s", err.text);
}

/* What reading m must give; m is closed. */
static void expect(struct memdev *m, enum af_scheme scheme, size_t nparts, bool read_only,
		   const char *why)
{
	struct af_layout l;
	struct af_label_note note;

	read_table(m, &l, &note);
	if (strcmp(why, "") == 0 ? note.why[0] : !strstr(note.why, why))
		fail_msg("the note is \"%s\" instead of \"%s\"", note.why, why);
	assert_int_equal(l.scheme, scheme);
	assert_int_equal(l.nparts, nparts);
	assert_int_equal(note.read_only, read_only);
	assert_int_equal(m->writes, 0);
	af_layout_release(&l);
	memdev_close(m);
}

static void test_label__zeros_are_no_table(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "2048 512 none");
	expect(&m, AF_SCHEME_NONE, 0, false, "");
}

static void test_label__tiny_disks_are_read(void **state)
{
	static const af_bytes size_table[] = { 100, 512, 1024, 1536, 5000 };

	(void)state;
	for (size_t i = 0; i < sizeof size_table / sizeof *size_table; i++) {
		struct memdev m;

		memdev_open(&m, size_table[i], 512);
		expect(&m, AF_SCHEME_NONE, 0, false,
		       i > 1 ? "" : "too small for a partition table");
	}
}

static void test_label__reads_the_seed_disk(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	(void)state;
	memdev_make(&m, "seed");
	read_table(&m, &l, &note);
	assert_string_equal(note.why, "");
	assert_false(note.read_only);
	assert_int_equal(m.reads, 3); /* the head, and two EBRs */
	assert_int_equal(l.scheme, AF_SCHEME_MBR);
	assert_int_equal(l.slots, 4);
	assert_memory_equal(l.disk_id, "\x10\xBD\x10\xBC", 4);
	assert_int_equal(l.usable.start, 512);
	assert_int_equal(l.nparts, 5);
	const struct af_part *one = af_layout_number(&l, 1), *ext = af_layout_number(&l, 3);
	const struct af_part *six = af_layout_number(&l, 6);

	assert_true(one->boot);
	assert_int_equal(one->span.start, 63 * 512);
	assert_int_equal(one->span.end, (63 + INT64_C(20971521)) * 512);
	assert_int_equal(one->type[0], 0x83);
	assert_int_equal(ext->role, AF_ROLE_EXTENDED);
	assert_int_equal(six->role, AF_ROLE_LOGICAL);
	assert_int_equal(six->ebr, (62914751 - 63) * INT64_C(512));
	assert_int_equal(six->span.start, 62914751 * INT64_C(512));
	for (uint32_t id = 1; id <= 5; id++)
		assert_non_null(af_layout_find(&l, id));
	assert_int_equal(l.next_id, 6);
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__reads_128_gpt_entries_in_two_requests(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	(void)state;
	memdev_make(&m, "gpt128");
	read_table(&m, &l, &note);
	assert_string_equal(note.why, "");
	assert_int_equal(m.reads, 2);
	assert_int_equal(l.nparts, 128);
	assert_int_equal(l.slots, 128);
	assert_int_equal(l.usable.start, 34 * 512);
	assert_string_equal(af_layout_number(&l, 128)->name, "part-128");
	assert_memory_equal(l.disk_id, "\xAF\0\0\0\0\0\x40\0\x80\0\0\0\0\0\0\xFF", 16);
	assert_memory_equal(
		l.part[0].type,
		"\x0F\xC6\x3D\xAF\x84\x83\x47\x72\x8E\x79\x3D\x69\xD8\x47\x7D\xE4", 16);
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__reads_sectors_of_4096_bytes(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	(void)state;
	memdev_make(&m, "empty-gpt-4k");
	read_table(&m, &l, &note);
	assert_string_equal(note.why, "");
	assert_int_equal(l.usable.start, 6 * 4096);
	assert_int_equal(m.reads, 2);
	af_layout_release(&l);
	memdev_close(&m);
	memdev_make(&m, "100000 4096 dos 0x12345678 p1=8+100,83 e2=200+5000,5 "
			"l5=300+10,83,ebr=200");
	expect(&m, AF_SCHEME_MBR, 3, false, "");
}

/* ------------------------------------------------------------------ what is no table, or two */

static void test_label__a_fat_file_system_on_the_whole_disk_is_no_table(void **state)
{
	struct memdev m;

	(void)state;
	/* EB 3C 90 "mkfs.fat", "FAT16   " at 54, the signature */
	memdev_make(&m,
		    "20480 512 none poke=0,eb3c906d6b66732e666174 poke=54,4641543136202020 "
		    "poke=510,55aa");
	expect(&m, AF_SCHEME_NONE, 0, false, "the whole disk is one FAT file system");
	memdev_make(&m,
		    "20480 512 none poke=0,eb5890 poke=82,4641543332202020 poke=510,55aa");
	expect(&m, AF_SCHEME_NONE, 0, false, "one FAT file system");
	memdev_make(&m, "20480 512 none poke=0,eb52904e54465320202020 poke=510,55aa");
	expect(&m, AF_SCHEME_NONE, 0, false, "one NTFS file system");
	memdev_make(&m, "20480 512 none poke=0,eb7690455846415420202020 poke=510,55aa");
	expect(&m, AF_SCHEME_NONE, 0, false, "one exFAT file system");
}

static void test_label__a_table_behind_a_fat_jump_is_a_table(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(
		&m,
		"20480 512 dos 0x1 p1=2048+2048,c poke=0,eb5890 poke=82,4641543332202020");
	expect(&m, AF_SCHEME_MBR, 1, false, "");
}

static void test_label__a_boot_sector_with_code_for_entries_is_no_table(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 none poke=446,33c0 poke=510,55aa");
	expect(&m, AF_SCHEME_NONE, 0, false, "boot sector");
}

static void test_label__a_gpt_without_its_protective_mbr_is_shown(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "empty-gpt poke=510,0000");
	expect(&m, AF_SCHEME_GPT, 0, false, "");
}

static void test_label__an_old_gpt_header_behind_an_mbr_is_a_remark(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x1 p1=2048+2048,83 poke=512,4546492050415254");
	expect(&m, AF_SCHEME_MBR, 1, false, "header of an old GPT");
	memdev_make(&m, "20480 512 dos 0x1 poke=512,4546492050415254");
	expect(&m, AF_SCHEME_MBR, 0, false, "gdisk brings that back");
}

static void test_label__a_protective_mbr_without_a_gpt_is_not_written(void **state)
{
	struct memdev m;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x1 p1=1+20479,ee");
	expect(&m, AF_SCHEME_MBR, 1, true, "neither copy can be read");
	memdev_make(&m, "2 512 dos 0x1 p1=1+1,ee");
	expect(&m, AF_SCHEME_MBR, 1, true, "neither copy can be read");
}

static void test_label__an_empty_first_ebr_is_readable(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x1 e1=2048+8192,5 l5=2111+0,83,ebr=2048 "
			"l6=4063+100,83,ebr=4000");
	read_table(&m, &l, &note);
	assert_string_equal(note.why, "");
	assert_int_equal(l.nparts, 2);
	assert_int_equal(l.part[1].number, 5);
	assert_int_equal(l.part[1].ebr, 4000 * 512);
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__an_unreadable_first_sector_is_an_error(void **state)
{
	struct memdev m;
	struct af_layout l = { .next_id = 77 };
	struct af_label_note note = { .why = "untouched" };
	struct af_err err = { .code = AF_OK };

	(void)state;
	memdev_make(&m, "seed");
	m.fail_read = 1;
	assert_false(af_label_read(&m.dev, &l, &note, &err));
	assert_int_equal(err.code, AF_E_IO);
	assert_int_equal(l.next_id, 77);
	assert_string_equal(note.why, "untouched");
	memdev_close(&m);
}

/* ------------------------------------------------------------------ types */

static void test_label__the_types_of_both_schemes_are_listed_once(void **state)
{
	const struct af_types *mbr = af_label_types(AF_SCHEME_MBR),
			      *gpt = af_label_types(AF_SCHEME_GPT);

	(void)state;
	assert_ptr_equal(mbr, af_label_types(AF_SCHEME_MBR));
	assert_true(mbr->n > 90);
	assert_true(gpt->n > 150);
	assert_int_equal(af_label_types(AF_SCHEME_NONE)->n, 0);
	assert_string_equal(af_scheme_type_name(mbr, (const uint8_t[16]){ 0x83 }), "Linux");
	assert_string_equal(af_scheme_type_name(mbr, (const uint8_t[16]){ 0 }),
			    "Unknown"); /* not "Empty" */
	assert_string_equal(af_scheme_type_name(gpt, gpt->type[0].id), "EFI System");
	for (size_t i = 0; i < gpt->n; i++)
		assert_true(gpt->type[i].name[0] != '\0');
}

struct word {
	enum af_scheme scheme;
	const char *word, *type; /* NULL: refused */
};

#define MBR        AF_SCHEME_MBR
#define GPT        AF_SCHEME_GPT
#define GUID_LINUX "0FC63DAF-8483-4772-8E79-3D69D8477DE4"
#define GUID_SWAP  "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F"
#define GUID_EFI   "C12A7328-F81F-11D2-BA4B-00A0C93EC93B"
#define GUID_HOME  "933AC7E1-2EB4-4F13-B844-0E14E2AEF915"
#define GUID_RAID  "A19D880F-05FC-4D3B-A006-743F0F84911E"
#define GUID_LVM   "E6D6D379-F507-44C2-A23C-238F2A3DF928"
#define GUID_OWN   "11111111-2222-3333-4444-5555AAAAFFFF"

static const struct word word_table[] = {
	{ MBR, "83", "83" },
	{ MBR, "0x83", "83" },
	{ MBR, "7", "7" },
	{ MBR, "FD", "fd" },
	{ MBR, "e", "e" }, /* as sfdisk: the code, not the shortcut */
	{ MBR, "E", "5" },
	{ MBR, "L", "83" },
	{ MBR, "l", "83" },
	{ MBR, "S", "82" },
	{ MBR, "U", "ef" },
	{ MBR, "R", "fd" },
	{ MBR, "V", "8e" },
	{ MBR, "X", "85" },
	{ MBR, "linux", "83" },
	{ MBR, "Linux", "83" },
	{ MBR, "SWAP", "82" },
	{ MBR, "extended", "5" },
	{ MBR, "efi", "ef" },
	{ MBR, "raid", "fd" },
	{ MBR, "lvm", "8e" },
	{ MBR, "W95 FAT32 (LBA)", "c" },
	{ MBR, "home", NULL },
	{ MBR, "H", NULL },
	{ MBR, "0", NULL },
	{ MBR, "1ff", NULL },
	{ MBR, "83x", NULL },
	{ MBR, "-7d", NULL },
	{ MBR, " 83", NULL },
	{ MBR, "", NULL },
	{ MBR, GUID_LINUX, NULL },
	{ GPT, "L", GUID_LINUX },
	{ GPT, "linux", GUID_LINUX },
	{ GPT, "linux filesystem", GUID_LINUX },
	{ GPT, GUID_LINUX, GUID_LINUX },
	{ GPT, "0fc63daf-8483-4772-8e79-3d69d8477de4", GUID_LINUX },
	{ GPT, "s", GUID_SWAP },
	{ GPT, "swap", GUID_SWAP },
	{ GPT, "U", GUID_EFI },
	{ GPT, "EFI", GUID_EFI },
	{ GPT, "uefi", GUID_EFI },
	{ GPT, "EFI System", GUID_EFI },
	{ GPT, "H", GUID_HOME },
	{ GPT, "home", GUID_HOME },
	{ GPT, "R", GUID_RAID },
	{ GPT, "V", GUID_LVM },
	{ GPT, GUID_OWN, GUID_OWN },
	{ GPT, "83", NULL },
	{ GPT, "extended", NULL },
	{ GPT, "00000000-0000-0000-0000-000000000000", NULL },
	{ GPT, "0FC63DAF-8483-4772-8E79-3D69D8477DE", NULL },
	{ GPT, "", NULL },
	{ AF_SCHEME_NONE, "linux", NULL },
};

static void test_label__parses_types_as_sfdisk_does(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof word_table / sizeof *word_table; i++) {
		const struct word *w = &word_table[i];
		uint8_t type[16] = { 0xAB };
		struct af_err err = { .code = AF_OK };
		char text[40];
		bool ok = af_label_parse_type(w->scheme, w->word, type, &err);

		if (ok != (w->type != NULL))
			fail_msg("%s: \"%s\"", af_scheme_name(w->scheme), w->word);
		if (ok) {
			af_scheme_type_text(w->scheme, type, text);
			assert_string_equal(text, w->type);
		} else {
			assert_int_equal(err.code, AF_E_USAGE);
			assert_non_null(strstr(err.text, w->word));
			assert_int_equal(type[0], 0xAB);
		}
	}
}

/* ------------------------------------------------------------------ the dump */

static void test_label__dumps_an_mbr(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;
	struct af_text out = { 0 };
	struct af_err err;

	(void)state;
	memdev_make(&m, "20480 512 dos 0x10bd10bc p3=63+1000,7,boot e1=2048+8192,f "
			"l5=2111+100,83,ebr=2048");
	read_table(&m, &l, &note);
	assert_true(af_label_dump(&m.dev, &l, &out, &err));
	assert_string_equal(
		af_text_get(&out),
		"label: dos\nlabel-id: 0x10bd10bc\ndevice: /dev/mem0\nunit: sectors\n"
		"sector-size: 512\n\n"
		"/dev/mem0p1 : start=        2048, size=        8192, type=f\n"
		"/dev/mem0p3 : start=          63, size=        1000, type=7, bootable\n"
		"/dev/mem0p5 : start=        2111, size=         100, type=83\n");
	af_text_release(&out);
	af_layout_release(&l);
	memdev_close(&m);
}

#define SMALL_GPT "20480 512 gpt af000000-0000-4000-8000-0000000000ff "

static void test_label__dumps_a_gpt(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;
	struct af_text out = { 0 };
	struct af_err err;

	(void)state;
	memdev_make(&m,
		    SMALL_GPT "g2=2048+1000,linux,11111111-2222-3333-4444-555555555555");
	read_table(&m, &l, &note);
	snprintf(l.part[0].name, sizeof l.part[0].name, "a \"b\" \xC3\xA9$");
	l.part[0].attrs = 0x8001000000000015;
	assert_true(af_label_dump(&m.dev, &l, &out, &err));
	assert_string_equal(
		af_text_get(&out),
		"label: gpt\nlabel-id: AF000000-0000-4000-8000-0000000000FF\ndevice: "
		"/dev/mem0\n"
		"unit: sectors\nfirst-lba: 34\nlast-lba: 20446\nsector-size: 512\n\n"
		"/dev/mem0p2 : start=        2048, size=        1000, type=" GUID_LINUX
		", uuid=11111111-2222-3333-4444-555555555555, name=\"a \\x22b\\x22 "
		"\\xc3\\xa9\\x24\""
		", attrs=\"RequiredPartition LegacyBIOSBootable GUID:48,63\"\n"
		"# partition 2 also has attribute bits 0x10\n");
	af_text_release(&out);
	af_layout_release(&l);
	memdev_close(&m);
}

static void test_label__no_table_has_no_dump(void **state)
{
	struct memdev m;
	struct af_layout l;
	struct af_label_note note;
	struct af_text out = { 0 };
	struct af_err err;

	(void)state;
	memdev_make(&m, "20480 512 none");
	read_table(&m, &l, &note);
	assert_false(af_label_dump(&m.dev, &l, &out, &err));
	assert_int_equal(err.code, AF_E_USAGE);
	assert_string_equal(af_text_get(&out), "");
	memdev_close(&m);
}

/* Runs sfdisk on the image at path with script as its input; false if it cannot be run or fails. */
static bool run_sfdisk(const char *path, const char *script)
{
	int pipe_fd[2], status = 0;

	assert_int_equal(pipe(pipe_fd), 0);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		dup2(pipe_fd[0], 0);
		close(pipe_fd[0]);
		close(pipe_fd[1]);
		setenv("PATH", "/usr/sbin:/sbin:/usr/bin:/bin", 1);
		execlp("sfdisk", "sfdisk", "--quiet", "--no-reread", path, (char *)NULL);
		_exit(127);
	}
	close(pipe_fd[0]);
	assert_int_equal(write(pipe_fd[1], script, strlen(script)),
			 (ssize_t)strlen(script));
	close(pipe_fd[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The dump of the disk in words, read by sfdisk onto an empty one, gives the same table. */
static void expect_same_by_sfdisk(const char *words)
{
	struct memdev m, copy;
	struct af_layout l, got;
	struct af_label_note note;
	struct af_text out = { 0 };
	struct af_err err;
	char path[64];

	memdev_make(&m, words);
	read_table(&m, &l, &note);
	assert_true(af_label_dump(&m.dev, &l, &out, &err));
	memdev_open(&copy, m.dev.size, m.dev.sector_size);
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), copy.fd);
	assert_true(run_sfdisk(path, af_text_get(&out)));
	read_table(&copy, &got, &note);
	assert_string_equal(note.why, "");
	for (size_t i = 0; i < l.nparts; i++)
		l.part[i].ebr = 0; /* a script does not say where EBRs are */
	for (size_t i = 0; i < got.nparts; i++)
		got.part[i].ebr = 0;
	assert_true(af_layout_equal(&l, &got));
	af_text_release(&out);
	af_layout_release(&l);
	af_layout_release(&got);
	memdev_close(&m);
	memdev_close(&copy);
}

static void test_label__sfdisk_reads_the_dump_back(void **state)
{
	(void)state;
	expect_same_by_sfdisk("seed");
	expect_same_by_sfdisk(
		"204800 512 dos 0x1 p2=64+100,7,boot p1=2048+5000,83 e4=10000+90000,f "
		"l5=12048+1000,83,ebr=10000 l6=20000+1000,82");
	expect_same_by_sfdisk("gpt128");
	expect_same_by_sfdisk(SMALL_GPT "g7=34+1000,efi,auto,one g2=4096+1000,linux,auto");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__zeros_are_no_table),
		cmocka_unit_test(test_label__tiny_disks_are_read),
		cmocka_unit_test(test_label__reads_the_seed_disk),
		cmocka_unit_test(test_label__reads_128_gpt_entries_in_two_requests),
		cmocka_unit_test(test_label__reads_sectors_of_4096_bytes),
		cmocka_unit_test(
			test_label__a_fat_file_system_on_the_whole_disk_is_no_table),
		cmocka_unit_test(test_label__a_table_behind_a_fat_jump_is_a_table),
		cmocka_unit_test(
			test_label__a_boot_sector_with_code_for_entries_is_no_table),
		cmocka_unit_test(test_label__a_gpt_without_its_protective_mbr_is_shown),
		cmocka_unit_test(test_label__an_old_gpt_header_behind_an_mbr_is_a_remark),
		cmocka_unit_test(test_label__a_protective_mbr_without_a_gpt_is_not_written),
		cmocka_unit_test(test_label__an_empty_first_ebr_is_readable),
		cmocka_unit_test(test_label__an_unreadable_first_sector_is_an_error),
		cmocka_unit_test(test_label__the_types_of_both_schemes_are_listed_once),
		cmocka_unit_test(test_label__parses_types_as_sfdisk_does),
		cmocka_unit_test(test_label__dumps_an_mbr),
		cmocka_unit_test(test_label__dumps_a_gpt),
		cmocka_unit_test(test_label__no_table_has_no_dump),
		cmocka_unit_test(test_label__sfdisk_reads_the_dump_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
