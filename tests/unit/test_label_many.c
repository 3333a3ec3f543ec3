/*
 * Chains of more logicals than other programs find: what is changed there is written in its own sectors, and what would
 * rebuild the chain is refused by the label room itself, whoever asks. With sectors of 512 and of 4096 bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "render.h"

#define MANY 70
#define STEP 1000U /* sectors from one EBR to the next */
#define GAP  63U

static uint64_t ebr_of(uint32_t number)
{
	return 2048 + (uint64_t)STEP * (number - 5);
}

static void set_up(struct render *b, uint32_t sector_size)
{
	char words[6000];
	size_t n = (size_t)snprintf(words, sizeof words,
				    "200000 %u dos 0x1 p1=64+1000,83 e2=2048+190000,5",
				    (unsigned)sector_size);

	for (uint32_t number = 5; number < 5 + MANY; number++)
		n += (size_t)snprintf(words + n, sizeof words - n, " l%u=%u+%u,83,ebr=%u",
				      (unsigned)number, (unsigned)ebr_of(number) + GAP,
				      STEP - GAP - 100, (unsigned)ebr_of(number));
	render_set_up(b, words);
	assert_int_equal(b->base.nparts, MANY + 2);
}

/* Writes what the change made of the table: just these EBRs, from the tail to the head, and the MBR if with_mbr. */
static void expect_sectors(struct render *b, const uint32_t *number, size_t n,
			   bool with_mbr)
{
	render_and_write(b);
	assert_int_equal(b->patch.n, n + with_mbr);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(b->patch.run[i].at,
				 ebr_of(number[i]) * b->m.dev.sector_size);
		assert_int_equal(b->patch.run[i].len, b->m.dev.sector_size);
	}
	if (with_mbr)
		assert_int_equal(b->patch.run[n].at, 0);
	render_tear_down(b);
}

static void change_inside(uint32_t sector_size)
{
	static const uint32_t sixty_six[] = { 66, 65 }, last[] = { 73 };
	struct render b;

	set_up(&b, sector_size);
	render_part(&b, 1)->type[0] = 0x07;
	expect_sectors(&b, NULL, 0, true);
	set_up(&b, sector_size);
	render_part(&b, 66)->type[0] = 0x82;
	render_part(&b, 66)->boot = true;
	expect_sectors(&b, sixty_six, 1, false);
	set_up(&b, sector_size);
	render_part(&b, 66)->span.end +=
		100 * (af_bytes)sector_size; /* and the link to it */
	expect_sectors(&b, sixty_six, 2, false);
	set_up(&b, sector_size);
	render_part(&b, 66)->span.start -= 10 * (af_bytes)sector_size;
	expect_sectors(&b, sixty_six, 1, false);
	set_up(&b, sector_size);
	af_layout_remove(&b.now, render_part(&b, 74)->id);
	expect_sectors(&b, last, 1, false);
}

static void test_label__among_many_one_changes_in_its_own_sectors(void **state)
{
	(void)state;
	change_inside(512);
	change_inside(4096);
}

/* Gives logicals from number on the number before theirs. */
static void close_hole(struct render *b, uint32_t number)
{
	for (; number < 5 + MANY; number++)
		render_part(b, number)->number--;
}

static void rebuild(uint32_t sector_size)
{
	struct af_part more = { .role = AF_ROLE_LOGICAL, .type = { 0x83 } };
	struct render b;

	set_up(&b, sector_size);
	af_layout_remove(&b.now, render_part(&b, 20)->id);
	close_hole(&b, 21);
	render_expect_refused(&b, AF_E_RULE, "only the last logical one can be deleted");
	render_tear_down(&b);
	set_up(&b, sector_size);
	render_part(&b, 20)->ebr += sector_size;
	render_expect_refused(&b, AF_E_RULE, "cannot leave the room behind its EBR");
	render_tear_down(&b);
	set_up(&b, sector_size);
	more.number = 5 + MANY;
	more.ebr = (af_bytes)ebr_of(more.number) * sector_size;
	more.span.start = more.ebr + sector_size;
	more.span.end = more.span.start + sector_size;
	af_layout_add(&b.now, &more);
	render_expect_refused(&b, AF_E_RULE, "no logical one can be added");
	render_tear_down(&b);
	set_up(&b, sector_size);
	render_part(&b, 2)->span.start -= sector_size;
	render_part(&b, 5)->ebr -= sector_size;
	render_expect_refused(&b, AF_E_RULE, "the extended one keeps its start");
	render_tear_down(&b);
}

static void test_label__a_chain_of_many_is_not_rebuilt(void **state)
{
	(void)state;
	rebuild(512);
	rebuild(4096);
}

/* Without its extended partition it is gone as a whole, which only the MBR says. */
static void test_label__a_chain_of_many_goes_as_a_whole(void **state)
{
	struct render b;

	(void)state;
	set_up(&b, 512);
	for (uint32_t number = 5; number < 5 + MANY; number++)
		af_layout_remove(&b.now, render_part(&b, number)->id);
	af_layout_remove(&b.now, render_part(&b, 2)->id);
	expect_sectors(&b, NULL, 0, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label__among_many_one_changes_in_its_own_sectors),
		cmocka_unit_test(test_label__a_chain_of_many_is_not_rebuilt),
		cmocka_unit_test(test_label__a_chain_of_many_goes_as_a_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
