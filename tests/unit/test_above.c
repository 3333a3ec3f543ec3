/* What lies in the devices that are built on a partition, by made-up folders in place of /sys and /dev, where files stand for
 * devices. */
#include "afdisk/above.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include "afdisk/stack.h"
#include "disks.h"
#include "folder.h"
#include <cmocka.h>

#define GROUP  "LVM-AAAAAAbbbbCCCCddddEEEEffffGGGGGG"
#define VOLUME "lvlvlv0123456789abcdefghijklmnop"

static char root[200], sys[240], nodes[240];

static void path_of(const char *name, char path[400])
{
	(void)snprintf(path, 400, "%s/%s", root, name);
	for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		(void)mkdir(path, 0700);
		*p = '/';
	}
}

/** Writes a file below the root, and makes the folders that it needs. */
static void put(const char *name, const char *text)
{
	char path[400];
	FILE *f;

	path_of(name, path);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/** On device below is built dm-N, which has that name and identifier and is made of as many devices. */
static void put_holder(const char *below, int n, const char *given, const char *uuid,
		       int slaves)
{
	const struct {
		const char *file, *text;
	} file_table[] = { { "dm/name", given }, { "dm/uuid", uuid } };
	char name[200], device[32];

	(void)snprintf(device, sizeof(device), "253:%d\n", n);
	(void)snprintf(name, sizeof(name), "sys/dev/block/%s/holders/dm-%d/dev", below, n);
	put(name, device);
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(name, sizeof(name), "sys/dev/block/%s/holders/dm-%d/%s",
			       below, n, file_table[i].file);
		put(name, file_table[i].text);
	}
	for (int i = 0; i < slaves; i++) {
		(void)snprintf(name, sizeof(name),
			       "sys/dev/block/%s/holders/dm-%d/slaves/sda%d", below, n, i);
		put(name, "");
	}
}

/** A node whose device holds what the words of disks.h say. */
static void put_node(const char *name, const char *words)
{
	char path[400], within[100];

	(void)snprintf(within, sizeof(within), "dev/%s", name);
	path_of(within, path);
	disk_make(path, words);
}

/** The partition, begun with the header of LUKS2 that cryptsetup made: its data is 16 MiB in. */
static void put_luks(void)
{
	static unsigned char bytes[40000];
	char path[400];
	FILE *from = fopen("tests/fuzz/seeds/stack/luks2", "rbe"), *to;

	assert_non_null(from);
	size_t n = fread(bytes, 1, sizeof(bytes), from);
	(void)fclose(from);
	put_node("sda1", "131072 512 none");
	path_of("dev/sda1", path);
	to = fopen(path, "r+be");
	assert_non_null(to);
	assert_int_equal(fwrite(bytes + 2, 1, n - 2, to), n - 2);
	assert_int_equal(fclose(to), 0);
}

/* Swap of 512 pages, and of the same with a bad magic number. */
#define SWAP "8192 512 none poke=1024,01000000ff010000 poke=4086,53574150535041434532"

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-above-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(root));
	(void)snprintf(sys, sizeof(sys), "%s/sys", root);
	(void)snprintf(nodes, sizeof(nodes), "%s/dev", root);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return folder_remove(root);
}

static bool read_dev(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	return af_dev_read(ctx, at, buf, n, err);
}

/** The layers in and above partition sda1, which is of that type: "LUKS2 16777216/4096, LVM2 on x ?". */
static const char *seen(const char *fs, af_bytes *fs_size)
{
	static char text[500];
	const struct af_above_place place = { sys, nodes, makedev(8, 1) };
	struct af_content c = { .state = AF_CONTENT_FOUND };
	struct af_dev dev;
	struct af_err err;
	char path[400];

	path_of("dev/sda1", path);
	assert_true(af_dev_open(path, &dev, &err));
	(void)snprintf(c.fs, sizeof(c.fs), "%s", fs);
	af_stack_read(read_dev, &dev, (struct af_span){ 0, dev.size }, 512, &c);
	af_above_read(&place, &dev, (struct af_span){ 0, dev.size }, &c);
	text[0] = '\0';
	for (size_t i = 0; i < c.nlayers; i++) {
		size_t used = strlen(text);

		(void)snprintf(text + used, sizeof(text) - used, "%s%s ", i ? ", " : "",
			       c.layer[i].what);
		used = strlen(text);
		if (c.layer[i].kind == AF_LAYER_UNKNOWN)
			(void)snprintf(text + used, sizeof(text) - used, "?");
		else
			(void)snprintf(text + used, sizeof(text) - used, "%lld/%lld",
				       (long long)c.layer[i].offset,
				       (long long)c.layer[i].unit);
	}
	if (fs_size)
		*fs_size = c.fs_size;
	af_content_release(&c);
	af_dev_close(&dev);
	return text;
}

static void test_above__lvm_in_an_open_luks_adds_up(void **state)
{
	af_bytes fs_size;

	(void)state;
	put_luks();
	assert_string_equal(seen("crypto_LUKS", &fs_size), "LUKS2 16777216/4096");
	assert_int_equal(fs_size, 0);
	put_holder("8:1", 0, "secret\n", "CRYPT-LUKS2-0123-secret\n", 1);
	put_node("dm-0", "65536 512 none lvm=0+65536,2048,8192");
	put_holder("253:0", 1, "vg0-root\n", GROUP VOLUME "\n", 1);
	put_node("dm-1", SWAP);
	/* 16 MiB, 1 MiB, five extents of 4 MiB */
	assert_string_equal(seen("crypto_LUKS", &fs_size),
			    "LUKS2 16777216/4096, LVM2 on secret 17825792/4194304, "
			    "swap on vg0-root 38797312/4096");
	assert_int_equal(fs_size, 16777216 + 65536 * 512);
}

static void test_above__what_no_header_explains_is_unknown(void **state)
{
	(void)state;
	put_luks();
	/* two devices below; a mapping that is not LUKS's; no node */
	put_holder("8:1", 0, "secret\n", "CRYPT-LUKS2-0123-secret\n", 2);
	put_node("dm-0", "65536 512 none lvm=0+65536,2048,8192");
	assert_string_equal(seen("crypto_LUKS", NULL),
			    "LUKS2 16777216/4096, LVM2 on secret ?");
	put_holder("8:1", 0, "odd\n", "CRYPT-PLAIN-odd\n", 2);
	assert_string_equal(seen("crypto_LUKS", NULL),
			    "LUKS2 16777216/4096, LVM2 on odd ?");
	put_holder("8:1", 2, "gone\n", "CRYPT-LUKS2-0123-gone\n", 1);
	assert_string_equal(seen("crypto_LUKS", NULL),
			    "LUKS2 16777216/4096, LVM2 on odd ?, data on gone ?");
}

static void test_above__only_volumes_of_the_group_have_a_place(void **state)
{
	(void)state;
	put_node("sda1", "65536 512 none lvm=0+65536,2049,8192");
	put_holder("8:1", 0, "vg0-root\n", GROUP VOLUME "\n", 1);
	put_holder("8:1", 1, "vg0-pool\n", GROUP VOLUME "-tpool\n", 1);
	put_holder("8:1", 2, "vg0-other\n", GROUP "xxxxxx0123456789abcdefghijklmnop\n", 1);
	put_holder("8:1", 3, "vg0-empty\n", GROUP VOLUME "\n", 1);
	put_node("dm-0", SWAP);
	put_node("dm-1", SWAP);
	put_node("dm-2", SWAP);
	put_node("dm-3", "8192 512 none");
	/* a volume on a part of one is on none of the group's own */
	put_holder("253:1", 4, "vg0-thin\n", GROUP "yyyyyy0123456789abcdefghijklmnop\n", 1);
	put_node("dm-4", SWAP);
	assert_string_equal(seen("LVM2_member", NULL),
			    "LVM2 1049088/4194304, swap on vg0-root 22020608/4096, swap on "
			    "vg0-thin ?, swap on vg0-other ?");
}

static void test_above__a_suspended_device_is_not_read(void **state)
{
	(void)state;
	put_luks();
	put_holder("8:1", 0, "secret\n", "CRYPT-LUKS2-0123-secret\n", 1);
	put_node("dm-0", "65536 512 none lvm=0+65536,2048,8192");
	put("sys/dev/block/8:1/holders/dm-0/dm/suspended", "1\n");
	assert_string_equal(seen("crypto_LUKS", NULL),
			    "LUKS2 16777216/4096, data on secret ?");
	put("sys/dev/block/8:1/holders/dm-0/dm/suspended", "0\n");
	assert_string_equal(seen("crypto_LUKS", NULL),
			    "LUKS2 16777216/4096, LVM2 on secret 17825792/4194304");
}

static void test_above__a_mirror_is_seen_from_below(void **state)
{
	(void)state;
	put_node("sda1",
		 "65536 512 none md12=0+65536,1,2048,60000,0 lvm=2048+60000,2048,8192");
	put_holder("8:1", 0, "", "", 2);
	put_node("dm-0", "60000 512 none lvm=0+60000,2048,8192");
	put_holder("253:0", 1, "vg0-root\n", GROUP VOLUME "\n", 1);
	put_node("dm-1", SWAP);
	assert_string_equal(seen("linux_raid_member", NULL),
			    "md 1.2 raid1 1048576/0, LVM2 2097152/4194304, "
			    "swap on vg0-root 23068672/4096");
	/* of stripes nobody knows which lie here */
	put_node("sda1", "65536 512 none md12=0+65536,5,2048,60000,1024");
	assert_string_equal(seen("linux_raid_member", NULL),
			    "md 1.2 raid5 1048576/524288, LVM2 on dm-0 ?, "
			    "swap on vg0-root ?");
}

static void test_above__devices_that_go_in_a_circle_end(void **state)
{
	char path[400], target[400];

	(void)state;
	put_luks();
	put_holder("8:1", 0, "a\n", "CRYPT-LUKS2-0123-a\n", 1);
	put_node("dm-0", "65536 512 none lvm=0+65536,2048,8192");
	path_of("sys/dev/block/253:0/holders", path);
	path_of("sys/dev/block/8:1/holders", target);
	assert_int_equal(symlink(target, path), 0);
	assert_non_null(strstr(seen("crypto_LUKS", NULL), "LVM2 on a 17825792/4194304"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_above__lvm_in_an_open_luks_adds_up),
		CASE(test_above__what_no_header_explains_is_unknown),
		CASE(test_above__only_volumes_of_the_group_have_a_place),
		CASE(test_above__a_suspended_device_is_not_read),
		CASE(test_above__a_mirror_is_seen_from_below),
		CASE(test_above__devices_that_go_in_a_circle_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
