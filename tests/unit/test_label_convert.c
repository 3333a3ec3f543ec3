/* Rendering a table into one of the other kind with the same partitions: which sectors, in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "afdisk/edit.h"
#include "disks.h"
#include "render.h"

#define CHAIN                                                                              \
	"204800 512 dos 0x1 boot-code p1=2048+4096,83,boot e2=8192+100000,f "              \
	"l5=8255+1000,83,ebr=8192 l6=20063+1000,82,ebr=20000 "
#define FIVE                                                                               \
	"204800 512 gpt af000000-0000-4000-8000-0000000000ff boot-code "                   \
	"g1=2048+1000,linux,auto g2=4096+1000,linux,auto g3=6144+1000,linux,auto "         \
	"g4=8192+1000,linux,auto g5=10240+1000,linux,auto "

static struct af_span one(af_bytes sector)
{
	return (struct af_span){ sector, sector + 1 };
}

/* A disk from words, and its table to be converted. */
static void set_up(struct render *b, const char *words, enum af_scheme to)
{
	const uint8_t id[16] = { 0x11, 0x22, 0x33, 0x44 };
	struct af_topo topo = { .physical = 4096 };

	render_set_up(b, words);
	topo.size = b->base.disk_size;
	topo.sector_size = b->base.sector_size;
	struct af_rules rules = af_align_rules(&topo, false);
	const struct af_edit e = { .rules = &rules };

	af_layout_release(&b->now);
	if (!af_edit_convert(&b->base, &e, to, id, &b->now, &b->err))
		fail_msg("%s", b->err.text);
	for (size_t i = 0; i < b->now.nparts && to == AF_SCHEME_GPT; i++)
		b->now.part[i].uuid[0] = (uint8_t)(i + 1);
}

static void expect_boot_code(const struct render *b)
{
	unsigned char sector[440];

	memdev_peek(&b->m, 0, sector, sizeof sector);
	for (size_t i = 0; i < sizeof sector; i++)
		assert_int_equal(sector[i], disk_boot_byte(i));
}

static void test_label__an_mbr_becomes_a_gpt_in_the_last_sector_written(void **state)
{
	struct render b;

	(void)state;
	set_up(&b, CHAIN, AF_SCHEME_GPT);
	render_and_write(&b);
	render_expect_run(&b, 0, (struct af_span){ 204767, 204769 }, 0,
			  "backup GPT entries");
	render_expect_run(&b, 1, one(204799), 1, "backup GPT header");
	render_expect_run(&b, 2, (struct af_span){ 2, 4 }, 2, "GPT entries");
	render_expect_run(&b, 3, one(1), 3, "GPT header");
	render_expect_run(&b, 4, one(0), 4, "MBR");
	assert_int_equal(b.patch.n, 5);
	expect_boot_code(&b);
	render_tear_down(&b);
}

static void test_label__a_gpt_becomes_an_mbr_before_its_headers_go(void **state)
{
	struct render b;

	(void)state;
	set_up(&b, FIVE, AF_SCHEME_MBR);
	render_and_write(&b);
	render_expect_run(&b, 0, one(9192), 0, "EBR of partition 6");
	render_expect_run(&b, 1, one(8184), 0, "EBR of partition 5");
	render_expect_run(&b, 2, one(0), 2, "MBR");
	render_expect_run(&b, 3, one(1), 3, "old GPT header");
	render_expect_run(&b, 4, one(204799), 3, "old GPT header");
	assert_int_equal(b.patch.n, 5);
	expect_boot_code(&b);
	render_tear_down(&b);
}

static void test_label__what_is_converted_must_be_whole(void **state)
{
	struct render b;

	(void)state;
	/* the protective entry elsewhere */
	set_up(&b, FIVE "poke=454,02 poke=462,00000000830000000008000001", AF_SCHEME_MBR);
	render_expect_refused(&b, AF_E_RULE, "does not begin at sector 1");
	render_tear_down(&b);
}

/* Headers that an older GPT has left: sector 1 says that the other is in sector 3000, which is data today. */
static void test_label__what_looks_like_a_table_in_a_partition_is_data(void **state)
{
	static const char magic[] = "EFI PART";
	char found[sizeof magic] = "";
	struct render b;

	(void)state;
	set_up(&b,
	       CHAIN "poke=512,4546492050415254 poke=544,b80b000000000000 "
		     "poke=1536000,4546492050415254",
	       AF_SCHEME_GPT);
	render_and_write(&b);
	memdev_peek(&b.m, 3000 * INT64_C(512), found, sizeof magic - 1);
	assert_string_equal(found, magic);
	render_tear_down(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_label__an_mbr_becomes_a_gpt_in_the_last_sector_written),
		cmocka_unit_test(test_label__a_gpt_becomes_an_mbr_before_its_headers_go),
		cmocka_unit_test(test_label__what_is_converted_must_be_whole),
		cmocka_unit_test(
			test_label__what_looks_like_a_table_in_a_partition_is_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
