/* What is warned of, once and with what to do, and what is not: usual disks get no warning for usual edits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/command.h"
#include "afdisk/plan.h"
#include <stdio.h>
#include <string.h>

#define PARTS 8

/* A disk, what its partitions hold, and what is wanted. */
struct bench {
	struct af_rules rules;
	struct af_contents contents;
	struct af_content content[PARTS];
	struct af_boot_code code;
	struct af_layout base, now;
	char said[2000]; /* the warnings, a line each */
	size_t n;
};

static void begin(struct bench *b, enum af_scheme scheme, af_bytes size,
		  uint32_t sector_size)
{
	const struct af_topo topo = { .size = size,
				      .sector_size = sector_size,
				      .physical = 4096 };
	struct af_err err;
	memset(b, 0, sizeof(*b));
	b->rules = af_align_rules(&topo, false);
	b->contents.item = b->content;
	b->code.known = true;
	assert_true(af_layout_init(&b->base, scheme, size, sector_size, &err));
}

/* A partition of the disk in MiB, with what it holds ("" for nothing). */
static struct af_part *add(struct bench *b, enum af_role role, enum af_purpose purpose,
			   int64_t start, int64_t size, const char *fs)
{
	struct af_part p = { .role = role };
	p.span = (struct af_span){ start * AF_MIB, (start + size) * AF_MIB };
	p.number = role == AF_ROLE_LOGICAL
			   ? 5 + (uint32_t)af_layout_logicals(&b->base)
			   : 1 + (uint32_t)(b->base.nparts - af_layout_logicals(&b->base));
	if (role == AF_ROLE_EXTENDED)
		p.type[0] = 0x0f;
	else
		assert_true(af_scheme_purpose_type(b->base.scheme, purpose, p.type));
	if (role == AF_ROLE_LOGICAL)
		p.ebr = p.span.start - AF_MIB;
	p.uuid[0] = (uint8_t)p.number;
	const uint32_t id = af_layout_add(&b->base, &p);
	struct af_content *c = &b->content[b->contents.n++];
	*c = (struct af_content){ .id = id,
				  .state = fs[0] ? AF_CONTENT_FOUND : AF_CONTENT_NONE };
	snprintf(c->fs, sizeof(c->fs), "%s", fs);
	if (strcmp(fs, "ntfs") == 0 || strcmp(fs, "vfat") == 0) {
		c->has_home = true;
		c->home = p.span.start;
		c->closed = strcmp(fs, "ntfs") == 0 ? AF_CLOSED_YES : AF_CLOSED_UNKNOWN;
	}
	for (size_t i = 0; i < b->base.nparts; i++)
		if (b->base.part[i].id == id)
			return &b->base.part[i]; /* until the next one is added */
	return NULL;
}

static struct af_part *plain(struct bench *b, enum af_purpose purpose, int64_t start,
			     int64_t size, const char *fs)
{
	return add(b, AF_ROLE_PRIMARY, purpose, start, size, fs);
}

static void end(struct bench *b)
{
	af_layout_release(&b->base);
	af_layout_release(&b->now);
}

static void run(struct bench *b, const char *commands)
{
	const struct af_edit e = { .rules = &b->rules, .contents = &b->contents };
	struct af_command cmd;
	struct af_err err;
	int got;
	af_layout_release(&b->now);
	af_layout_copy(&b->base, &b->now);
	while ((got = af_command_next(&commands, &cmd, &err)) > 0) {
		struct af_layout next;
		uint32_t id;
		for (enum af_purpose p = AF_PURPOSE_ESP; p <= AF_PURPOSE_BIOS_BOOT; p++) {
			static const char *const word_table[] = {
				"",    "esp",   "msr",  "windows", "winre",
				"fat", "linux", "home", "swap",    "bios"
			};
			if (strcmp(cmd.type_word, word_table[p]) == 0)
				assert_true(
					af_scheme_purpose_type(b->now.scheme, p, cmd.type));
		}
		cmd.table_only = true;
		cmd.uuid[0] = (uint8_t)(cmd.uuid[0] + 77);
		if (!af_command_apply(&cmd, &b->now, &e, &next, &id, &err))
			fail_msg("%s", err.text);
		af_layout_release(&b->now);
		b->now = next;
	}
	assert_int_equal(got, 0);
}

static void plan(struct bench *b, const char *maybe_fstab)
{
	static const struct af_types none = { NULL, 0 };
	const struct af_plan_words words = { .dev_name = "/dev/sda",
					     .contents = &b->contents,
					     .maybe_code = &b->code,
					     .maybe_fstab = maybe_fstab,
					     .mbr_types = &none,
					     .gpt_types = &none };
	struct af_plan p;
	b->said[0] = '\0';
	b->n = 0;
	af_plan_make(&b->base, &b->now, &words, &p);
	for (size_t i = 0; i < p.nsteps; i++)
		if (af_plan_is_warning(&p.step[i])) {
			const size_t used = strlen(b->said);
			snprintf(b->said + used, sizeof(b->said) - used, "%s\n",
				 p.step[i].detail);
			b->n++;
			assert_true(strlen(p.step[i].detail) < 230); /* none is cut */
		}
	af_plan_release(&p);
}

/* The commands bring one warning, with these words in it; none if there are none. */
static void expect(struct bench *b, const char *commands, const char *maybe_words)
{
	run(b, commands);
	plan(b, NULL);
	if (b->n != (maybe_words ? 1 : 0) || (maybe_words && !strstr(b->said, maybe_words)))
		fail_msg("%s: %zu warnings: %s", commands, b->n, b->said);
}

/* --- usual disks --------------------------------------------------------------------------------------- */

#define RECOVERY (UINT64_C(1) << 63 | UINT64_C(1))

/* ESP, MSR, C:, recovery, and room. */
static void windows_11(struct bench *b)
{
	begin(b, AF_SCHEME_GPT, 200 * AF_GIB, 512);
	plain(b, AF_PURPOSE_ESP, 1, 100, "vfat");
	plain(b, AF_PURPOSE_RESERVED, 101, 16, "");
	plain(b, AF_PURPOSE_WINDOWS, 117, 100000, "ntfs");
	plain(b, AF_PURPOSE_RECOVERY, 100117, 600, "ntfs")->attrs = RECOVERY;
}

static void test_plan_warn__a_usual_windows_11_gets_none(void **state)
{
	struct bench b;
	(void)state;
	windows_11(&b);
	expect(&b, "new size=10G type=linux; new size=2G type=swap", NULL);
	expect(&b, "name 3 Windows; new type=windows size=50G", NULL);
	expect(&b, "delete 3", NULL);
	end(&b);
}

static void test_plan_warn__a_usual_dual_boot_gets_none(void **state)
{
	struct bench b;
	(void)state;
	windows_11(&b);
	plain(&b, AF_PURPOSE_LINUX, 110000, 30000, "ext4");
	plain(&b, AF_PURPOSE_SWAP, 140000, 4000, "swap");
	expect(&b, "delete 6; new size=8G type=swap; resize 5 size=max", NULL);
	expect(&b, "type 5 home; sort", NULL);
	end(&b);
}

static void test_plan_warn__a_usual_old_dual_boot_gets_none(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_MBR, 100 * AF_GIB, 512);
	b.code.is_grub = true;
	b.code.core = (struct af_span){ 512, (af_bytes)100 * 512 };
	plain(&b, AF_PURPOSE_WINDOWS, 1, 100, "ntfs")->boot = true;
	plain(&b, AF_PURPOSE_WINDOWS, 101, 50000, "ntfs");
	add(&b, AF_ROLE_EXTENDED, AF_PURPOSE_OTHER, 50101, 30000, "");
	add(&b, AF_ROLE_LOGICAL, AF_PURPOSE_LINUX, 50102, 20000, "ext4");
	add(&b, AF_ROLE_LOGICAL, AF_PURPOSE_SWAP, 70103, 2000, "swap");
	expect(&b, "new logical size=max; resize 6 size=1G", NULL);
	expect(&b, "new primary size=10G; boot 5 on", NULL);
	end(&b);
}

static void test_plan_warn__a_raspberry_pi_and_a_data_disk_get_none(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_MBR, 32 * AF_GIB, 512);
	plain(&b, AF_PURPOSE_FAT, 4, 512, "vfat");
	plain(&b, AF_PURPOSE_LINUX, 516, 3000, "ext4");
	expect(&b, "resize 2 size=max", NULL);
	expect(&b, "delete 2; new size=max", NULL);
	end(&b);
	begin(&b, AF_SCHEME_GPT, 4096 * AF_GIB, 4096);
	plain(&b, AF_PURPOSE_WINDOWS, 1, 1000000, "exfat");
	expect(&b, "new size=max; resize 1 size=900G", NULL);
	end(&b);
}

static void test_plan_warn__nothing_to_do_is_nothing_to_warn_of(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_MBR, 32 * AF_GIB, 512);
	plain(&b, AF_PURPOSE_LINUX, 1, 512, "")->boot = true;
	plain(&b, AF_PURPOSE_LINUX, 1024, 512, "")->boot = true;
	b.base.part[0].boot = true;
	expect(&b, "sort", NULL);
	end(&b);
}

/* --- firmware ------------------------------------------------------------------------------------------ */

static void test_plan_warn__an_efi_system_partition(void **state)
{
	struct bench b;
	(void)state;
	windows_11(&b);
	expect(&b, "new size=20M type=esp", "sda5 is too small for FAT32");
	expect(&b, "new size=100M type=esp", NULL);
	expect(&b, "delete 1", "sda1 was the last EFI System Partition");
	expect(&b, "type 1 linux", "sda1 was the last EFI System Partition");
	expect(&b, "delete 1; new size=300M type=esp", NULL);
	plain(&b, AF_PURPOSE_LINUX, 110000, 30000, "ext4");
	expect(&b, "type 5 esp", "sda5 is an EFI System Partition then, and holds ext4");
	end(&b);
	begin(&b, AF_SCHEME_GPT, 200 * AF_GIB, 4096);
	expect(&b, "new size=200M type=esp",
	       "is too small for FAT32, which firmware reads an EFI System Partition in: "
	       "with sectors of 4096 bytes it takes 260 MiB at least");
	expect(&b, "new size=260M type=esp", NULL);
	end(&b);
}

/* --- GRUB ---------------------------------------------------------------------------------------------- */

static void test_plan_warn__grub_in_the_gap(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_MBR, 100 * AF_GIB, 512);
	b.rules.lowest = 0;
	b.rules.exact = true;
	plain(&b, AF_PURPOSE_LINUX, 100, 1000, "ext4");
	b.code.is_grub = true;
	b.code.core = (struct af_span){ 512, (af_bytes)100 * 512 };
	expect(&b, "new start=63 size=1000",
	       "sda2 lies over sectors 1 to 99, which GRUB starts from");
	expect(&b, "new start=100 size=1000", NULL);
	expect(&b, "resize 1 start=63", "sda1 lies over sectors 1 to 99");
	expect(&b, "convert gpt", "needs a partition for itself on a GPT");
	expect(&b, "convert gpt; new start=50M size=1M type=bios", NULL);
	expect(&b, "label dos; new start=63 size=1000", NULL); /* nothing is to start */
	b.code.core = (struct af_span){ 0, 0 };
	expect(&b, "new start=63 size=1000", NULL);
	end(&b);
}

static void test_plan_warn__grub_in_its_own_partition(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 100 * AF_GIB, 512);
	plain(&b, AF_PURPOSE_BIOS_BOOT, 1, 1, "");
	plain(&b, AF_PURPOSE_LINUX, 2, 1000, "ext4");
	b.code.is_grub = true;
	b.code.core = (struct af_span){ AF_MIB, AF_MIB + 100 * (af_bytes)512 };
	expect(&b, "delete 1", "sda1 holds what GRUB starts from (sectors 2048 to 2147)");
	expect(&b, "type 1 linux", "sda1 holds what GRUB starts from");
	expect(&b, "move 1 start=2G", "sda1 holds what GRUB starts from");
	expect(&b, "name 1 x; delete 2", NULL);
	end(&b);
}

/* --- the active partition ------------------------------------------------------------------------------ */

static void old_windows(struct bench *b)
{
	begin(b, AF_SCHEME_MBR, 100 * AF_GIB, 512);
	plain(b, AF_PURPOSE_WINDOWS, 1, 50000, "ntfs")->boot = true;
	plain(b, AF_PURPOSE_LINUX, 60000, 1000, "ext4");
}

static void test_plan_warn__the_active_partition_of_windows(void **state)
{
	struct bench b;
	(void)state;
	old_windows(&b);
	expect(&b, "boot 1 off", "sda1 is no longer active, and nothing else is");
	expect(&b, "boot 2 on", "sda2 is active instead of sda1");
	expect(&b, "delete 1; boot 2 on", NULL);
	b.code.is_grub = true;
	expect(&b, "boot 2 on", NULL);
	expect(&b, "boot 1 off", NULL);
	end(&b);
}

static void test_plan_warn__two_active_ones(void **state)
{
	struct bench b;
	(void)state;
	old_windows(&b);
	b.base.part[1].boot = true;
	expect(&b, "new size=1G", "sda2 is active, and so is sda1");
	expect(&b, "boot 1 on", NULL);
	end(&b);
}

static void test_plan_warn__no_bios_starts_from_sectors_of_4096_bytes(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_MBR, 100 * AF_GIB, 4096);
	plain(&b, AF_PURPOSE_LINUX, 1, 1000, "ext4");
	expect(&b, "boot 1 on", "no BIOS starts from a disk with sectors of 4096 bytes");
	expect(&b, "new size=1G", NULL);
	end(&b);
}

/* --- where a file system thinks it lies ---------------------------------------------------------------- */

static void test_plan_warn__a_boot_sector_elsewhere(void **state)
{
	struct bench b;
	(void)state;
	old_windows(&b);
	expect(&b, "move 1 start=100M", "sda1 begins at another sector then");
	expect(&b, "move 2 start=70G", NULL);
	b.content[0].home = 100 * AF_MIB; /* it is brought back to where it was made */
	expect(&b, "move 1 start=100M", NULL);
	end(&b);
	windows_11(&b);
	expect(&b, "delete 4; move 3 start=150M", NULL); /* UEFI does not go by it */
	end(&b);
}

/* --- Windows ------------------------------------------------------------------------------------------- */

static void test_plan_warn__an_encrypted_or_open_drive(void **state)
{
	struct bench b;
	(void)state;
	windows_11(&b);
	b.content[2].closed = AF_CLOSED_NO;
	expect(&b, "resize 3 size=50G", "sda3 was not closed by Windows");
	expect(&b, "delete 4; resize 3 size=150G", NULL);
	b.content[2].closed = AF_CLOSED_UNKNOWN;
	expect(&b, "resize 3 size=50G", "ask 'ntfsresize --info'");
	snprintf(b.content[2].fs, sizeof(b.content[2].fs), "BitLocker");
	expect(&b, "resize 3 size=50G", "sda3 is encrypted by BitLocker");
	expect(&b, "new size=1G", NULL);
	end(&b);
}

static void test_plan_warn__the_recovery_environment(void **state)
{
	struct bench b;
	(void)state;
	windows_11(&b);
	expect(&b, "move 4 start=150G", "'reagentc /disable' before it moves");
	expect(&b, "attr 4 63 off", "attr 4 RequiredPartition on; attr 4 63 on");
	expect(&b, "new size=1G type=winre", "sda5 needs the attributes");
	expect(&b, "new size=1G type=winre; attr 5 0 on; attr 5 63 on", NULL);
	b.base.part[3].attrs = 0; /* without them before */
	expect(&b, "name 4 Recovery", NULL);
	end(&b);
}

static void test_plan_warn__what_windows_takes_for_its_own(void **state)
{
	struct bench b;
	(void)state;
	windows_11(&b);
	plain(&b, AF_PURPOSE_LINUX, 110000, 30000, "ext4");
	expect(&b, "type 5 windows", "for the ext4 inside, 'type 5 linux'");
	expect(&b, "type 5 msr", "the ext4 inside is lost to Windows");
	expect(&b, "type 4 windows", NULL);
	expect(&b, "type 3 linux", "sda3 holds ntfs, but has no type of Windows then");
	expect(&b, "type 3 esp", "sda3 is an EFI System Partition then, and holds ntfs");
	end(&b);
}

static void test_plan_warn__windows_in_a_table_of_the_other_kind(void **state)
{
	struct bench b;
	(void)state;
	old_windows(&b);
	expect(&b, "convert gpt", "its own mbr2gpt converts both");
	b.base.part[0].boot = false;
	expect(&b, "convert gpt", NULL); /* a drive for data */
	end(&b);
	windows_11(&b);
	expect(&b, "delete 2; convert dos", "Windows starts by UEFI from a GPT only");
	end(&b);
}

/* --- the rest ------------------------------------------------------------------------------------------ */

static void test_plan_warn__an_mbr_does_not_reach(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, AF_SCHEME_GPT, 4096 * AF_GIB, 512);
	expect(&b, "label dos", "an MBR reaches the first 2 TiB of this disk: the 2 TiB");
	end(&b);
	begin(&b, AF_SCHEME_GPT, 4096 * AF_GIB, 4096);
	expect(&b, "label dos", NULL);
	end(&b);
	begin(&b, AF_SCHEME_MBR, 4096 * AF_GIB, 512);
	expect(&b, "new size=1G", NULL); /* it was one before */
	end(&b);
}

static void test_plan_warn__lines_of_fstab(void **state)
{
	struct bench b;
	(void)state;
	windows_11(&b);
	plain(&b, AF_PURPOSE_LINUX, 110000, 30000, "ext4");
	snprintf(b.content[4].uuid, sizeof(b.content[4].uuid), "abc-def");
	run(&b, "delete 5");
	plan(&b, "UUID=abc-def / ext4 defaults 0 1\n");
	assert_string_equal(b.said,
			    "sda5 is named in fstab or crypttab: take that line out, "
			    "or the system waits for it when it starts\n");
	plan(&b, "#UUID=abc-def / ext4\nUUID=abc-de /home ext4\n");
	assert_int_equal(b.n, 0);
	run(&b, "uuid 5 0fc63daf-8483-4772-8E79-3D69D8477DE4");
	plan(&b, "PARTUUID=05000000-0000-0000-0000-000000000000 / ext4\n");
	assert_int_equal(b.n, 1);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_warn__a_usual_windows_11_gets_none),
		cmocka_unit_test(test_plan_warn__a_usual_dual_boot_gets_none),
		cmocka_unit_test(test_plan_warn__a_usual_old_dual_boot_gets_none),
		cmocka_unit_test(test_plan_warn__a_raspberry_pi_and_a_data_disk_get_none),
		cmocka_unit_test(test_plan_warn__nothing_to_do_is_nothing_to_warn_of),
		cmocka_unit_test(test_plan_warn__an_efi_system_partition),
		cmocka_unit_test(test_plan_warn__grub_in_the_gap),
		cmocka_unit_test(test_plan_warn__grub_in_its_own_partition),
		cmocka_unit_test(test_plan_warn__the_active_partition_of_windows),
		cmocka_unit_test(test_plan_warn__two_active_ones),
		cmocka_unit_test(test_plan_warn__no_bios_starts_from_sectors_of_4096_bytes),
		cmocka_unit_test(test_plan_warn__a_boot_sector_elsewhere),
		cmocka_unit_test(test_plan_warn__an_encrypted_or_open_drive),
		cmocka_unit_test(test_plan_warn__the_recovery_environment),
		cmocka_unit_test(test_plan_warn__what_windows_takes_for_its_own),
		cmocka_unit_test(test_plan_warn__windows_in_a_table_of_the_other_kind),
		cmocka_unit_test(test_plan_warn__an_mbr_does_not_reach),
		cmocka_unit_test(test_plan_warn__lines_of_fstab),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
