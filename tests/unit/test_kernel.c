/* What the kernel knows, from a made-up folder in place of sysfs, and what it has to be told to know a table. Whether it
 * does as it is told is tried in a virtual machine: tests/vm/kernel.sh. */
#include "afdisk/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
/* cmocka wants the ones above first */
#include "folder.h"
#include "memdev.h"
#include "world.h"
#include <cmocka.h>

static char root[200];
static struct af_kernel_parts known;

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-kernel-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(root));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	af_kernel_parts_release(&known);
	return folder_remove(root);
}

static void put(const char *name, const char *file, const char *line)
{
	char path[400];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	(void)mkdir(path, 0700);
	(void)snprintf(path, sizeof(path), "%s/%s/%s", root, name, file);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fprintf(f, "%s\n", line) > 0);
	assert_int_equal(fclose(f), 0);
}

static void put_part(const char *name, const char *number, const char *start,
		     const char *size)
{
	char device[20];

	(void)snprintf(device, sizeof(device), "8:%s", number);
	put(name, "partition", number);
	put(name, "start", start);
	put(name, "size", size);
	put(name, "dev", device);
}

static void test_kernel__reads_partitions_in_order(void **state)
{
	(void)state;
	put_part("c0d0p10", "10", "4096", "8");
	put_part("cciss!c0d0p2", "2", "2048", "2048");
	put("queue", "partition", "x");
	put_part("sda3", "3", "18446744073709551615", "8"); /* fits nowhere */
	put_part("sda4", "4", "-1", "8");
	put("sda5", "partition", "5"); /* goes away while it is read */
	af_kernel_read(root, &known);
	assert_int_equal(known.n, 2);
	assert_int_equal(known.item[0].number, 2);
	assert_int_equal(known.item[0].span.start, 2048 * 512);
	assert_int_equal(known.item[0].span.end, 4096 * 512);
	assert_true(known.item[0].device == makedev(8, 2));
	assert_string_equal(known.item[0].name, "cciss/c0d0p2");
	assert_int_equal(known.item[1].number, 10);
	af_kernel_parts_release(&known);
	af_kernel_read("/no/such/folder", &known);
	assert_int_equal(known.n, 0);
}

/** What has to be told so that a kernel that knows have ("1=2048+10 ...", in sectors) knows the table: "-3 1=... +5=..." */
static const char *plan(const char *have, const char *table)
{
	static char said[400];
	static const char verb[] = {
		[AF_KERNEL_DELETE] = '-', [AF_KERNEL_RESIZE] = '~', [AF_KERNEL_ADD] = '+'
	};
	struct af_kernel_part part[16] = { 0 };
	struct af_kernel_parts parts = { .item = part };
	struct af_kernel_op *op;
	struct world w;
	char text[200], *end = text;
	size_t used = 0;

	world_make(&w, table);
	(void)snprintf(text, sizeof(text), "%s", have);
	while (*end) {
		struct af_kernel_part *p = &part[parts.n++];
		af_bytes ss = w.layout.sector_size;

		p->number = (uint32_t)strtoul(end, &end, 10);
		p->span.start = (af_bytes)strtoul(end + 1, &end, 10) * ss;
		p->span.end = p->span.start + (af_bytes)strtoul(end + 1, &end, 10) * ss;
		end += *end == ' ';
	}
	size_t n = af_kernel_plan(&parts, &w.layout, &op);
	said[0] = '\0';
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(
			said + used, sizeof(said) - used, "%s%c%u=%lld+%lld", i ? " " : "",
			verb[op[i].verb], op[i].number,
			(long long)op[i].span.start / w.layout.sector_size,
			(long long)af_span_size(op[i].span) / w.layout.sector_size);
	free(op);
	world_release(&w);
	return said;
}

#define DOS  "2097152 512 dos 1 "
#define DOS4 "2097152 4096 dos 1 "

static void test_kernel__is_told_only_what_differs(void **state)
{
	(void)state;
	assert_string_equal(plan("1=2048+100", DOS "p1=2048+100,83"), "");
	assert_string_equal(plan("1=2048+100", DOS "p1=2048+100,82 p2=4096+8,83"),
			    "+2=4096+8");
	assert_string_equal(plan("1=2048+100 2=4096+8", DOS "p1=2048+100,83"), "-2=4096+8");
	assert_string_equal(plan("1=2048+100", DOS "p1=2048+200,83"), "~1=2048+200");
	assert_string_equal(plan("1=2048+100", DOS "p1=2049+99,83"),
			    "-1=2048+100 +1=2049+99");
	assert_string_equal(plan("", "2097152 512 gpt 00000000-0000-4000-8000-000000000001 "
				     "slots=512 g255=2048+8,linux,auto,a "
				     "g256=4096+8,linux,auto,b"),
			    "+255=2048+8");
	assert_string_equal(plan("1=2048+100 2=4096+8", "2097152 512 none"),
			    "-2=4096+8 -1=2048+100");
}

static void test_kernel__nothing_gets_in_the_way_of_anything(void **state)
{
	(void)state;
	/* the second one goes before the first grows over its place; what shrinks goes before what grows */
	assert_string_equal(plan("1=2048+100 2=2148+100", DOS "p1=2048+200,83"),
			    "-2=2148+100 ~1=2048+200");
	assert_string_equal(
		plan("1=4096+100 2=2048+2048", DOS "p1=4096+200,83 p2=2048+1000,83"),
		"~2=2048+1000 ~1=4096+200");
	assert_string_equal(
		plan("1=2048+2000 2=4096+100", DOS "p1=2048+2048,83 p2=4096+50,83"),
		"~2=4096+50 ~1=2048+2048");
	assert_string_equal(plan("1=2048+8 2=4096+8", DOS "p1=4096+8,83 p2=2048+8,83"),
			    "-2=4096+8 -1=2048+8 +1=4096+8 +2=2048+8");
}

static void test_kernel__an_extended_one_is_a_name_only(void **state)
{
	const char *table = DOS "e1=2048+8192,05 l5=4096+100,83 l6=6144+100,83";

	(void)state;
	assert_string_equal(plan("", table), "+1=2048+2 +5=4096+100 +6=6144+100");
	assert_string_equal(plan("1=2048+2 5=4096+100 6=6144+100", table), "");
	assert_string_equal(plan("1=2048+2 5=5000+8 6=6144+100 7=7000+8", table),
			    "-7=7000+8 -5=5000+8 +5=4096+100");
	/* data right behind the EBR: the kernel refuses what overlaps */
	table = DOS "e1=2048+8192,05 l5=2049+100,83,ebr=2048";
	assert_string_equal(plan("", table), "+1=2048+1 +5=2049+100");
	assert_string_equal(plan("1=2048+2", table), "~1=2048+1 +5=2049+100");
	assert_string_equal(plan("1=2048+1 5=2049+100", table), "");
	assert_string_equal(plan("", DOS4 "e1=2048+8192,05"), "+1=2048+2");
}

static void test_kernel__what_lies_inside_a_partition_is_its_own(void **state)
{
	(void)state;
	/* BSD slices that the kernel found in partition 1 */
	assert_string_equal(plan("1=2048+4096 5=2064+100 6=3000+100",
				 DOS "p1=2048+4096,a5 p2=8192+8,83"),
			    "+2=8192+8");
	assert_string_equal(plan("1=2048+4096 5=2064+100 6=3000+100", DOS "p2=8192+8,83"),
			    "-6=3000+100 -5=2064+100 -1=2048+4096 +2=8192+8");
	/* a logical one takes the number of a slice */
	assert_string_equal(plan("1=2048+4096 5=2064+100",
				 DOS "p1=2048+4096,a5 e2=8192+8192,05 l5=10240+8,83"),
			    "-5=2064+100 +2=8192+2 +5=10240+8");
}

static void test_kernel__an_image_is_nothing_to_it(void **state)
{
	struct af_kernel_report report;
	struct memdev m;
	struct world w;
	char folder[64];

	(void)state;
	memdev_make(&m, "seed-63");
	world_make(&w, "seed-63");
	assert_false(af_kernel_folder(&m.dev, folder, sizeof(folder)));
	af_kernel_update(&m.dev, &w.layout, &report);
	assert_string_equal(report.told, "");
	assert_string_equal(report.missing, "");
	memdev_close(&m);
	world_release(&w);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_kernel__reads_partitions_in_order),
		CASE(test_kernel__is_told_only_what_differs),
		CASE(test_kernel__nothing_gets_in_the_way_of_anything),
		CASE(test_kernel__an_extended_one_is_a_name_only),
		CASE(test_kernel__what_lies_inside_a_partition_is_its_own),
		CASE(test_kernel__an_image_is_nothing_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
