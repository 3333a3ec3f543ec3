/* The form behind New and Resize: which key moves which edge, where an edge stops and why, and that keys and typed commands
 * come to the same. SEED=N repeats a run of random keys, ROUNDS=N makes it longer. */
#include "editor_bench.h"

#include <inttypes.h>
#include <time.h>

#include "gen.h"

/* A partition of 100 MiB with ext4 of 50 MiB in it, and one without anything. */
#define GPT "2097152 512 gpt 00000000-0000-4000-8000-000000000001"
#define TWO GPT " g1=2048+204800,linux,auto,one g2=409600+204800,linux,auto,two"
#define CHAIN                                                                              \
	"4194304 512 dos 0x1 p1=2048+204800,83 e2=1048576+2097152,5 "                      \
	"l5=1050624+204800,83,ebr=1048576"

static const struct af_part *part_of(const struct bench *b, uint32_t number)
{
	const struct af_part *p =
		af_layout_number(af_session_disk(b->session).layout, number);
	assert_non_null(p);
	return p;
}

/* --- keys ---------------------------------------------------------------------------------------------- */

static void test_sizing__each_key_moves_the_edge_by_its_step(void **state)
{
	static const struct {
		const char *keys;
		int64_t start, end; /* sectors of 512 bytes; partition 2 of TWO */
	} table[] = {
		{ "Up", 409600, 616448 },
		{ "Right", 409600, 616448 },
		{ "Down", 409600, 612352 },
		{ "Left", 409600, 612352 },
		{ "Shift-Up", 409600, 614408 },
		{ "Shift-Right Shift-Right", 409600, 614416 },
		{ "> > Up", 409600, 616448 },
		{ "<", 409600, 614392 },
		{ "Shift-Left Shift-Down", 409600, 614384 },
		{ "Tab Up", 411648, 614400 },
		{ "Tab Left Tab Right", 407552, 616448 },
		{ "Tab >", 409608, 614400 },
		{ "Tab < Tab >", 409592, 614408 },
		{ "Tab > Shift-Tab 10M", 409608, 430088 },
		{ "Home", 409600, 411648 },
		{ "End", 409600, 2095104 },
		{ "Tab Home", 206848, 614400 },
		{ "Tab End", 612352, 614400 },
		{ "10M Left Left Backspace Up", 409600, 432128 },
		{ "10M Home 1", 409600, 409600 + 225280 },
		{ "Shift-Tab 700000s", 409600, 700416 },
		{ "Shift-Tab 699999s", 409600, 700416 },
		{ "+10M", 409600, 634880 },
		{ "max", 409600, 2095104 },
	};
	struct bench b;
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		begin(&b, TWO);
		press(&b, "Down Down r");
		press(&b, table[i].keys);
		press(&b, "Enter");
		const struct af_part *p = part_of(&b, 2);
		if (p->span.start != table[i].start * 512 ||
		    p->span.end != table[i].end * 512)
			fail_msg("%s: sectors %" PRId64 " up to %" PRId64, table[i].keys,
				 p->span.start / 512, p->span.end / 512);
		assert_int_equal(af_session_undos(b.session), 1);
		end(&b);
	}
}

static void test_sizing__new_takes_the_same_keys(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, GPT);
	press(&b, "n Down Tab Up Up Tab 500M > Enter");
	const struct af_part *p = part_of(&b, 1);
	assert_int_equal(p->span.start, 3 * AF_MIB);
	assert_int_equal(p->span.end, 500 * AF_MIB + 4096);
	press(&b, "Ctrl-Z n 25% Enter");
	assert_int_equal(af_span_size(part_of(&b, 1)->span), 256 * AF_MIB);
	end(&b);
}

static void
test_sizing__a_typed_sector_is_put_on_the_grain_unless_it_is_wanted(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, GPT);
	press(&b, "n 100M");
	assert_false(is_shown(&b, "=: as typed")); /* no sector was named */
	press(&b, "Tab 4096");
	assert_false(is_shown(&b, "=: as typed")); /* it is on the grain */
	press(&b, "Tab Tab Tab 4100");
	assert_true(is_shown(&b, "=: as typed"));
	press(&b, "Enter");
	assert_int_equal(part_of(&b, 1)->span.start, 3 * AF_MIB);
	press(&b, "Ctrl-Z n Tab 4100 =");
	assert_false(is_shown(&b, "=: as typed"));
	press(&b, "Tab 6001 Enter"); /* nor is what is typed next */
	assert_int_equal(part_of(&b, 1)->span.start, 4100 * 512);
	assert_int_equal(part_of(&b, 1)->span.end, 6002 * 512);
	assert_true(is_shown(&b, "from 4100s up to 6001s"));
	press(&b, "r Tab Tab 8200"); /* an end, at its last sector */
	assert_true(is_shown(&b, "=: as typed"));
	press(&b, "= Enter");
	assert_int_equal(part_of(&b, 1)->span.start, 4100 * 512);
	assert_int_equal(part_of(&b, 1)->span.end, 8201 * 512);
	end(&b);
}

static void test_sizing__what_does_not_fit_is_said_before_enter(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, TWO);
	press(&b, "Home r 300M");
	assert_true(is_shown(&b, "the end can only be put at sectors"));
	press(&b, "Enter");
	assert_string_equal(front(&b), "sizing");
	press(&b, "Esc r End Up");
	assert_true(is_shown(&b, "the end can only be put"));
	press(&b, "Enter"); /* what is shown holds */
	assert_int_equal(part_of(&b, 1)->span.end, 200 * AF_MIB);
	end(&b);
}

/* --- kinds --------------------------------------------------------------------------------------------- */

static void test_sizing__kinds_are_offered_where_there_is_a_choice(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "Down n");
	assert_string_equal(front(&b), "sizing");
	assert_true(is_shown(&b, "New primary"));
	assert_true(is_shown(&b, "Kind: p primary   l logical   e extended"));
	press(&b, "l");
	assert_true(is_shown(&b, "New logical"));
	press(&b, "e p l 10M Enter");
	assert_int_equal(part_of(&b, 5)->role, AF_ROLE_LOGICAL);
	press(&b, "Ctrl-Z n Enter");
	assert_int_equal(part_of(&b, 2)->role, AF_ROLE_PRIMARY);
	end(&b);
	begin(&b, CHAIN);
	press(&b, "End Up n");
	assert_true(is_shown(&b, "New logical"));
	assert_false(is_shown(&b, "Kind:"));
	press(&b, "Esc End n");
	assert_true(is_shown(&b, "Kind: p primary   l logical"));
	assert_false(is_shown(&b, "e extended"));
	end(&b);
	begin(&b, GPT);
	press(&b, "n");
	assert_true(is_shown(&b, "New partition"));
	assert_false(is_shown(&b, "Kind:"));
	end(&b);
}

static void test_sizing__letters_of_a_size_are_no_kinds(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, SMALL);
	press(&b, "Down n 1p");
	assert_true(is_shown(&b, "1 PiB do not fit"));
	press(&b, "Ctrl-U l");
	assert_true(is_shown(&b, "New logical"));
	press(&b, "Esc n max Enter");
	assert_int_equal(part_of(&b, 2)->role, AF_ROLE_PRIMARY);
	end(&b);
}

/* --- data ---------------------------------------------------------------------------------------------- */

/* A LUKS header in partition 2 of TWO: nobody can know how small it may become. */
#define DATA TWO " poke=209715200,4c554b53babe0001"

static void test_sizing__data_stops_an_edge(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, DATA);
	press(&b, "Down Down r");
	for (int i = 0; i < 20; i++) /* a key that is held */
		press(&b, i % 2 ? "Down" : "PgDn");
	assert_true(is_shown(&b, "holds data (crypto_LUKS)"));
	assert_true(is_shown(&b, "!: let it pass"));
	assert_int_equal(b.app.picture.disk.layout->part[1].span.end, 300 * AF_MIB);
	press(&b, "Enter");
	assert_string_equal(front(&b), "disk");
	assert_false(af_session_modified(b.session));
	end(&b);
}

static void test_sizing__an_edge_passes_data_only_if_that_is_said(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, DATA);
	press(&b, "Down Down r ! Down"); /* nothing had stopped it: no permission */
	assert_true(is_shown(&b, "holds data (crypto_LUKS)"));
	press(&b, "!");
	assert_true(is_shown(&b, "sectors 409600 to 614399"));
	press(&b, "Down");
	assert_true(is_shown(&b, "table-only"));
	press(&b, "Up");
	assert_false(is_shown(&b, "table-only"));
	press(&b, "Down Down Enter");
	assert_int_equal(part_of(&b, 2)->span.end, 298 * AF_MIB);
	end(&b);
}

static void test_sizing__a_typed_size_below_data_needs_permission(void **state)
{
	struct bench b;
	(void)state;
	begin(&b, DATA);
	press(&b, "Down Down r 50M");
	assert_true(is_shown(&b, "holds data (crypto_LUKS)"));
	press(&b, "Enter Enter");
	assert_string_equal(front(&b), "sizing");
	assert_false(af_session_modified(b.session));
	press(&b, "!");
	assert_true(is_shown(&b, "table-only"));
	assert_false(af_session_modified(b.session));
	press(&b, "Enter");
	assert_string_equal(front(&b), "disk");
	assert_int_equal(af_span_size(part_of(&b, 2)->span), 50 * AF_MIB);
	end(&b);
}

static void test_sizing__nobody_passes_what_nobody_has_seen(void **state)
{
	const struct af_session_options o = { 0 };
	struct bench b;
	(void)state;
	begin_unknown(&b, DATA, &o);
	press(&b, "Down Down r Down ! Down ! Down Enter");
	assert_false(af_session_modified(b.session));
	press(&b, "r 50M ! Enter Enter");
	assert_string_equal(front(&b), "sizing");
	assert_false(af_session_modified(b.session));
	end(&b);
}

/* ext2 of 50 MiB in partition 2: an edge comes down to there by itself, whichever keys move it, and no further. */
#define EXT                                                                                \
	TWO " poke=209716224,0010000000320000 poke=209716248,02000000"                     \
	    " poke=209716280,53ef0100 poke=209716300,01000000"

static void test_sizing__an_end_stops_at_the_end_of_the_file_system(void **state)
{
	static const char *const table[] = { "PgDn", "Down", "<", "Home", "Shift-Left" };
	struct bench b;
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		begin(&b, EXT);
		press(&b, "Down Down r 51M Tab Shift-Tab");
		assert_true(b.app.picture.stop.shown);
		assert_int_equal(b.app.picture.stop.at, 250 * AF_MIB);
		for (int n = 0; n < 300; n++)
			press(&b, table[i]);
		assert_int_equal(b.app.picture.disk.layout->part[1].span.end, 250 * AF_MIB);
		press(&b, "Enter");
		assert_int_equal(af_span_size(part_of(&b, 2)->span), 50 * AF_MIB);
		assert_false(b.app.picture.stop.shown);
		end(&b);
	}
}

/* --- any keys ------------------------------------------------------------------------------------------ */

static struct gen gen;

static const char *one_of(const char *const *table, size_t n)
{
	return table[gen_below(&gen, n)];
}

#define ONE_OF(table) one_of(table, sizeof(table) / sizeof((table)[0]))

static const char *const disk_table[] = {
	GPT,
	TWO,
	SMALL,
	CHAIN,
	DATA,
	EXT,
	"seed",
	"2097152 512 dos 0x1 p1=63+204800,83 p2=409633+100001,83",
	"4194304 512 dos 0x1 e1=2048+3145728,5 l5=4096+204800,83,ebr=2048 "
	"l6=1050624+204800,83,ebr=1048639 p2=3147776+204800,83",
	"262144 4096 gpt 00000000-0000-4000-8000-000000000001 "
	"g1=256+20000,linux,auto,a g3=60001+777,linux,auto,b",
};

static const char *const key_table[] = {
	"Up",
	"Down",
	"Left",
	"Right",
	"<",
	">",
	"PgUp",
	"PgDn",
	"Home",
	"End",
	"Tab",
	"Shift-Tab",
	"Shift-Up",
	"Shift-Left",
	"p",
	"l",
	"e",
	"!",
	"Shift-Tab Down Down",
	"> > >",
	"Tab < <",
};

static const char *const text_table[] = {
	"10M", "25%", "1.5M", "max", "+3M", "-3M", "12345s", "70000", "0", "900G", "33%",
};

/* Goes to a random row and opens the form on it, if it has one. */
static bool open_form(struct bench *b)
{
	const size_t down = gen_below(&gen, b->app.picture.nrows + 1);
	press(b, "Home");
	for (size_t i = 0; i < down; i++)
		press(b, "Down");
	press(b, ui_app_part(&b->app) ? "r" : "n");
	return strcmp(front(b), "sizing") == 0;
}

static void check_shown(const struct bench *b, const char *words)
{
	struct af_err err;
	if (!af_layout_sound(b->app.picture.disk.layout, &err))
		fail_msg("%s: %s", words, err.text);
}

/* A new partition of a GPT gets another UUID with every try. */
static bool same_places(const struct af_layout *a, const struct af_layout *b)
{
	bool same = a->nparts == b->nparts;
	for (size_t i = 0; same && i < a->nparts; i++)
		same = a->part[i].number == b->part[i].number &&
		       a->part[i].ebr == b->part[i].ebr &&
		       af_span_equal(a->part[i].span, b->part[i].span);
	return same;
}

/* The typed command that puts the edges of what was made where they are gives the same places. */
static void check_command(const struct bench *b, const char *words,
			  const struct af_layout *before)
{
	const struct af_session_options o = { 0 };
	const struct af_layout *now = af_session_disk(b->session).layout;
	const struct af_part *p = ui_app_part(&b->app), *old;
	struct af_text t = { 0 };
	struct af_err err = { 0 };
	old = af_layout_find(before, p->id);
	const char *kind = p->role == AF_ROLE_LOGICAL     ? "logical "
			   : p->role == AF_ROLE_EXTENDED  ? "extended "
			   : now->scheme == AF_SCHEME_GPT ? ""
							  : "primary ";
	const int64_t ss = now->sector_size;
	if (old)
		af_text_add(&t, "resize %u table-only ", (unsigned)p->number);
	else
		af_text_add(&t, "new %s", kind);
	af_text_add(&t, "exact start=%" PRId64 "s end=%" PRId64 "s", p->span.start / ss,
		    p->span.end / ss - 1);
	struct af_session *s = af_session_open("disk.img", &o, &err);
	assert_non_null(s);
	if (!af_session_run(s, af_text_get(&t), &err))
		fail_msg("%s: %s: %s", words, af_text_get(&t), err.text);
	const struct af_layout *typed = af_session_disk(s).layout;
	assert_int_equal(typed->nparts, now->nparts);
	const struct af_part *q = af_layout_number(typed, p->number);
	assert_non_null(q);
	assert_true(af_span_equal(p->span, q->span));
	af_session_close(s);
	af_text_release(&t);
}

static void test_sizing__any_keys_give_what_a_command_gives(void **state)
{
	const char *seed = getenv("SEED"), *rounds = getenv("ROUNDS");
	const unsigned long n = rounds ? strtoul(rounds, NULL, 10) : 300;
	gen.state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
	print_message("# SEED=%llu\n", (unsigned long long)gen.state);
	(void)state;
	for (unsigned long i = 0; i < n; i++) {
		const char *words = ONE_OF(disk_table);
		struct af_layout before, shown;
		struct bench b;
		char all[600] = "";
		size_t used = af_text_join(all, sizeof(all), 0, words);
		used = af_text_join(all, sizeof(all), used, ": ");
		begin(&b, words);
		if (open_form(&b)) {
			for (uint64_t k = gen_below(&gen, 14); k > 0; k--) {
				const char *keys = gen_below(&gen, 4) ? ONE_OF(key_table)
								      : ONE_OF(text_table);
				press(&b, keys);
				used = af_text_join(all, sizeof(all), used, keys);
				used = af_text_join(all, sizeof(all), used, " ");
				check_shown(&b, all);
			}
			af_layout_copy(af_session_base(b.session), &before);
			press(&b, "Up"); /* what was typed may not hold; this does */
			af_layout_copy(b.app.picture.disk.layout, &shown);
			press(&b, "Enter");
			assert_string_equal(front(&b), "disk");
			if (!same_places(&shown, af_session_disk(b.session).layout))
				fail_msg("%s: Enter gives another table", all);
			if (af_session_modified(b.session))
				check_command(&b, all, &before);
			af_layout_release(&before);
			af_layout_release(&shown);
		}
		end(&b);
	}
}

/* What is typed into the field is what the command takes. */
static void test_sizing__typed_sizes_are_those_of_the_command(void **state)
{
	static const char *const size_table[] = { "10M",   "25%",    "1.5M",   "max",
						  "+3M",   "+1234s", "33%",    "150M",
						  "12345", "1s",     "204801", "100MB" };
	const struct af_session_options o = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof(size_table) / sizeof(size_table[0]); i++) {
		struct bench b;
		struct af_text t = { 0 };
		struct af_err err = { 0 };
		begin(&b, TWO);
		press(&b, "Home r");
		press(&b, size_table[i]);
		press(&b, "Enter");
		af_text_add(&t, "resize 1 size=%s", size_table[i]);
		struct af_session *s = af_session_open("disk.img", &o, &err);
		assert_non_null(s);
		assert_true(af_session_run(s, af_text_get(&t), &err));
		assert_true(af_layout_equal(af_session_disk(s).layout,
					    af_session_disk(b.session).layout));
		af_session_close(s);
		af_text_release(&t);
		end(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizing__each_key_moves_the_edge_by_its_step),
		cmocka_unit_test(test_sizing__new_takes_the_same_keys),
		cmocka_unit_test(
			test_sizing__a_typed_sector_is_put_on_the_grain_unless_it_is_wanted),
		cmocka_unit_test(test_sizing__what_does_not_fit_is_said_before_enter),
		cmocka_unit_test(test_sizing__kinds_are_offered_where_there_is_a_choice),
		cmocka_unit_test(test_sizing__letters_of_a_size_are_no_kinds),
		cmocka_unit_test(test_sizing__data_stops_an_edge),
		cmocka_unit_test(test_sizing__an_edge_passes_data_only_if_that_is_said),
		cmocka_unit_test(test_sizing__a_typed_size_below_data_needs_permission),
		cmocka_unit_test(test_sizing__nobody_passes_what_nobody_has_seen),
		cmocka_unit_test(test_sizing__an_end_stops_at_the_end_of_the_file_system),
		cmocka_unit_test(test_sizing__any_keys_give_what_a_command_gives),
		cmocka_unit_test(test_sizing__typed_sizes_are_those_of_the_command),
	};
	return cmocka_run_group_tests(tests, enter_place, leave_place);
}
