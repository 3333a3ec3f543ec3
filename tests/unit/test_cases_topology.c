/*
 * Trouble that people really had with what drives, bridges and arrays say of themselves, rebuilt as numbers, and what is
 * right. Sectors are of 512 bytes where nothing else is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "afdisk/label.h"
#include "memdev.h"
#include "world.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A disk of these words on a device that says this; what the words lack is kept from topo. */
static void make(struct world *w, const char *words, struct af_topo topo)
{
	world_make(w, words);
	topo.size = w->layout.disk_size;
	topo.sector_size = w->layout.sector_size;
	w->topo = topo;
	w->rules = af_align_rules(&w->topo, false);
}

static const char *run(struct world *w, const char *commands)
{
	static char now[1024];
	struct af_err err = { .code = AF_OK };

	if (!world_run(w, commands, &err))
		fail_msg("%s: %s", commands, err.text);
	assert_true(af_layout_sound(&w->layout, &err));
	return world_show(&w->layout, now, sizeof now);
}

/* The status of partition number 1 if it began at that sector. */
static enum af_status status_at(struct world *w, af_bytes sector)
{
	struct af_part part = w->layout.part[0];
	const af_bytes start = sector * w->layout.sector_size;

	part.span = (struct af_span){ start, start + 64 * AF_MIB };
	return af_align_judge(&w->rules, NULL, &part).status;
}

/* Case 15: the most that a USB bridge takes at once is no optimal size. */
static void test_cases__what_a_bridge_calls_optimal_is_bogus(void **state)
{
	static const struct {
		af_bytes optimal;
		const char *transport, *doubt;
	} table[] = {
		{ 33553920, "usb", "what bridges report" },
		{ 33553920, "ata", "what bridges report" },
		{ 32 * AF_MIB, "usb", "a USB bridge's word" },
		{ 3 * AF_MIB, "usb", "a USB bridge's word" },
		{ 65535, "ata", "no multiple of what edges are judged by" },
		{ 128 * AF_MIB, "ata", "too large" },
		{ 2 * AF_MIB, "usb", NULL },
		{ 32 * AF_MIB, "ata", NULL },
		{ 0, "usb", NULL },
	};
	const af_bytes physical_table[] = { 512, 4096 };

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		for (size_t k = 0; k < 2; k++) {
			struct af_topo topo = { .physical = physical_table[k],
						.optimal_io = table[i].optimal };
			struct world w;

			snprintf(topo.transport, sizeof topo.transport, "%s",
				 table[i].transport);
			make(&w, "1953525168 512 gpt auto", topo);
			const char *doubt = af_align_doubt(&w.topo);

			assert_int_equal(doubt == NULL, table[i].doubt == NULL);
			if (doubt)
				assert_string_equal(doubt, table[i].doubt);
			if (doubt)
				assert_int_equal(w.rules.grain.step, AF_MIB);
			world_release(&w);
		}
	struct world w;

	make(&w, "1953525168 512 gpt auto",
	     (struct af_topo){
		     .physical = 512, .optimal_io = 33553920, .transport = "usb" });
	assert_string_equal(run(&w, "new size=10G"), "g1=2048+20971520");
	world_release(&w);
}

/* Case 17: three data disks, stripes of 384 sectors, which are the minimum, too: the smallest multiple of at least 1 MiB. */
static void test_cases__a_stripe_of_three_disks_gives_a_grain_of_its_own(void **state)
{
	struct world w;

	(void)state;
	make(&w, "1953525168 512 gpt auto g1=2048+2048,linux,auto",
	     (struct af_topo){
		     .physical = 512, .minimum_io = 196608, .optimal_io = 196608 });
	assert_int_equal(w.rules.grain.step, 2304 * 512);
	assert_int_equal(w.rules.check.step, 196608);
	assert_int_equal(status_at(&w, 2304), AF_STATUS_TAIL);
	assert_int_equal(status_at(&w, 384), AF_STATUS_TAIL);
	assert_int_equal(status_at(&w, 2048), AF_STATUS_MISALIGNED);
	assert_string_equal(run(&w, "delete 1; new size=3M"), "g1=2304+6912");
	assert_int_equal(w.layout.part[0].span.start % 196608, 0);
	world_release(&w);
}

/* Cases 18 and 43: physical sectors begin at 7, 15, ... */
static void test_cases__an_offset_of_one_sector_moves_every_boundary(void **state)
{
	static const af_bytes good_table[] = { 7, 63, 71, 2047, 4095 },
			      bad_table[] = { 0, 8, 64, 2048, 4096 };
	struct world w;
	char text[240];

	(void)state;
	make(&w, "1953525168 512 dos 1 p1=2048+204800,83",
	     (struct af_topo){ .physical = 4096, .alignment_offset = 3584 });
	for (size_t i = 0; i < 5; i++) {
		assert_int_not_equal(status_at(&w, good_table[i]), AF_STATUS_MISALIGNED);
		assert_int_equal(status_at(&w, bad_table[i]), AF_STATUS_MISALIGNED);
	}
	af_align_sentence(&w.rules, NULL, &w.layout, &w.layout.part[0], text, sizeof text);
	assert_string_equal(text,
			    "the start is 1 sector past a 4 KiB boundary; the nearest "
			    "aligned sectors are 2047 and 2055");
	assert_string_equal(run(&w, "delete 1; new size=100M; new size=100M"),
			    "p1=2055+204800,83 p2=206855+204800,83");
	world_release(&w);
}

/* Case 18: -1 is "a stack that is itself misaligned", not a number. */
static void test_cases__an_unknown_offset_is_no_number(void **state)
{
	struct world w;

	(void)state;
	make(&w, "1953525168 512 dos 1 p1=2048+204800,83",
	     (struct af_topo){ .physical = 4096, .offset_unknown = true });
	assert_int_equal(w.rules.check.phase, 0);
	assert_int_equal(status_at(&w, 2048), AF_STATUS_OPTIMAL);
	world_release(&w);
}

/* Case 19: the end is padded as well, whatever the disk's own size is. */
static void test_cases__an_end_falls_on_a_line_too(void **state)
{
	struct world w;
	char text[300];

	(void)state;
	make(&w, "1000007 512 dos 1", (struct af_topo){ .physical = 4096 });
	assert_string_equal(run(&w, "new size=10MB"), "p1=2048+20480,83");
	assert_string_equal(run(&w, "resize 1 size=15MB"), "p1=2048+30720,83");
	assert_string_equal(run(&w, "resize 1 size=max"), "p1=2048+997376,83");
	assert_int_equal(w.layout.part[0].span.end % AF_MIB, 0);
	world_release(&w);
	make(&w, "1000007 512 gpt auto g1=2048+19531,linux,auto",
	     (struct af_topo){ .physical = 512 });
	af_align_sentence(&w.rules, NULL, &w.layout, &w.layout.part[0], text, sizeof text);
	assert_string_equal(text,
			    "the start is aligned, the end is 3 sectors past a 4 KiB "
			    "boundary: the last physical sector is shared with what "
			    "comes next, and LUKS2 with 4096-byte sectors refuses such "
			    "a size");
	assert_string_equal(run(&w, "resize 1 size=max"), "g1=2048+997376");
	world_release(&w);
}

/* Case 23: where a whole grain does not fit, the boundaries that have to be kept are enough. */
static void test_cases__a_small_gap_is_filled_on_the_boundaries_that_count(void **state)
{
	struct world w;

	(void)state;
	make(&w, "8192 512 dos 1", (struct af_topo){ .physical = 4096 });
	assert_int_equal(w.rules.grain.step, 4096);
	assert_string_equal(run(&w, "new size=1M; new size=512K; new"),
			    "p1=8+2048,83 p2=2056+1024,83 p3=3080+5112,83");
	world_release(&w);
}

/* Case 38: sizes on a drive of 4096-byte sectors, where 512 is the unit of nothing but sysfs. */
static void test_cases__a_4kn_drive_counts_in_its_own_sectors(void **state)
{
	struct world w;
	struct memdev m;
	struct af_layout base, now;
	struct af_label_note note;
	struct af_patch patch;
	struct af_err err = { .code = AF_OK };

	(void)state;
	make(&w, "16777216 4096 gpt auto", (struct af_topo){ .physical = 4096 });
	assert_int_equal(w.layout.disk_size, 64 * AF_GIB);
	assert_int_equal(w.rules.grain.step, AF_MIB);
	assert_string_equal(run(&w, "new size=1M; new size=100s; new size=25%"),
			    "g1=256+256 g2=512+256 g3=768+4194304");
	world_release(&w);

	memdev_open(&m, 64 * AF_MIB, 4096);
	assert_true(af_label_read(&m.dev, &base, &note, &err));
	assert_true(af_layout_init(&now, AF_SCHEME_GPT, m.dev.size, 4096, &err));
	now.disk_id[0] = 1;
	assert_true(af_label_render(&m.dev, &base, &now, &patch, &err));
	const struct af_run *header = af_patch_at(&patch, 4096);

	assert_non_null(header);
	assert_memory_equal(header->after + (4096 - header->at), "EFI PART", 8);
	for (size_t i = 0; i < patch.n; i++)
		assert_int_equal((patch.run[i].at | patch.run[i].len) % 4096, 0);
	af_patch_release(&patch);
	af_layout_release(&base);
	af_layout_release(&now);
	memdev_close(&m);
}

/* Case 41: what bridges and flash say of themselves; nothing of it may do harm. */
static void test_cases__nonsense_topology_is_survived(void **state)
{
	static const struct {
		const char *words;
		struct af_topo topo;
		af_bytes check, grain;
	} table[] = {
		/* Seagate BUP BL */
		{ "7814037167 512 gpt auto",
		  { .physical = 2048, .minimum_io = 512, .optimal_io = 33553920 },
		  4096,
		  AF_MIB },
		/* JMicron 152d:0578 */
		{ "117229295 512 dos 1", { .physical = 4096 }, 4096, AF_MIB },
		/* UFS KLUBG4G1CE */
		{ "31248384 4096 gpt auto",
		  { .physical = 16384, .minimum_io = 8192 },
		  16384,
		  AF_MIB },
		{ "7814037167 512 gpt auto",
		  { .physical = 4096, .optimal_io = 1234567 },
		  4096,
		  AF_MIB },
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct world w;

		make(&w, table[i].words, table[i].topo);
		assert_int_equal(w.rules.check.step, table[i].check);
		assert_int_equal(w.rules.grain.step, table[i].grain);
		(void)run(&w, "new size=1G; new");
		for (size_t k = 0; k < w.layout.nparts; k++)
			assert_int_equal(
				af_align_judge(&w.rules, NULL, &w.layout.part[k]).status,
				AF_STATUS_OPTIMAL);
		world_release(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases__what_a_bridge_calls_optimal_is_bogus),
		cmocka_unit_test(
			test_cases__a_stripe_of_three_disks_gives_a_grain_of_its_own),
		cmocka_unit_test(test_cases__an_offset_of_one_sector_moves_every_boundary),
		cmocka_unit_test(test_cases__an_unknown_offset_is_no_number),
		cmocka_unit_test(test_cases__an_end_falls_on_a_line_too),
		cmocka_unit_test(
			test_cases__a_small_gap_is_filled_on_the_boundaries_that_count),
		cmocka_unit_test(test_cases__a_4kn_drive_counts_in_its_own_sectors),
		cmocka_unit_test(test_cases__nonsense_topology_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
