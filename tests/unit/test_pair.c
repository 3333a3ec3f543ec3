/* The two bars of the review: every change has its mark under what it was and over what it will be, and nothing else has. */
#include "pair.h"
#include "picture_disks.h"
#include "picture_more.h"

static void test_pair__every_kind_of_change_has_a_mark(void **state)
{
	static const struct {
		enum af_change_kind kind;
		af_bytes was, is;
		const char *mark;
	} case_table[] = {
		{ AF_CHANGE_KEPT, 1, 1, " " },     { AF_CHANGE_REMOVED, 1, 0, "-" },
		{ AF_CHANGE_ADDED, 0, 1, "+" },    { AF_CHANGE_MOVED, 1, 2, ">" },
		{ AF_CHANGE_MOVED, 2, 1, "<" },    { AF_CHANGE_RESIZED, 1, 1, "~" },
		{ AF_CHANGE_RETAGGED, 1, 1, "~" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(case_table) / sizeof(case_table[0]); i++) {
		struct af_change c = { .kind = case_table[i].kind };
		c.before.span.start = case_table[i].was;
		c.after.span.start = case_table[i].is;
		assert_string_equal(ui_pair_mark(&c), case_table[i].mark);
	}
}

/* Random fates: some partitions go, some become smaller at their start, the rest stays. */
static void make_fates(const struct af_layout *base, struct af_layout *next,
		       struct af_change *change, uint32_t *seed)
{
	struct af_err err;
	assert_true(af_layout_init(next, base->scheme, base->disk_size, base->sector_size,
				   &err));
	for (size_t i = 0; i < base->nparts; i++) {
		struct af_part part = base->part[i];
		const uint32_t fate = test_random(seed, 4);
		change[i] = (struct af_change){ .kind = AF_CHANGE_KEPT, .before = part };
		if (fate == 0) {
			change[i].kind = AF_CHANGE_REMOVED;
			continue;
		}
		if (fate == 1 && af_span_size(part.span) > base->sector_size) {
			part.span.start += base->sector_size;
			change[i].kind = AF_CHANGE_RESIZED;
		}
		(void)af_layout_add(next, &part);
		next->part[next->nparts - 1].id = part.id;
		change[i].after = next->part[next->nparts - 1];
	}
}

/* Over the columns of row there is that mark; where several share a column, at least one. */
static void check_marks(const struct ui_picture *p, const struct ui_extent *at,
			const char *marks, uint32_t id, char mark, bool shared)
{
	for (size_t i = 0; i < p->nrows; i++)
		for (int col = at[i].first; p->row[i].id == id && col <= at[i].last;
		     col++) {
			if (marks[col] == mark || (shared && marks[col] != ' '))
				continue;
			if (!(shared && mark == ' '))
				fail_msg("column %d has '%c', not '%c'", col, marks[col],
					 mark);
		}
}

static void check_pair(struct ui_pair *pair, int cols)
{
	struct ui_canvas c;
	ui_canvas_init(&c, 12, cols, false);
	assert_int_equal(ui_pair_draw(pair, &c, 1, 1), 9);
	struct ui_extent *was = af_alloc(pair->before.nrows + 1, sizeof(*was));
	struct ui_extent *is = af_alloc(pair->after.nrows + 1, sizeof(*is));
	ui_bar_extents(&pair->before, cols, was);
	ui_bar_extents(&pair->after, cols, is);
	const bool shared = pair->before.nrows > (size_t)cols; /* cols is positive */
	for (size_t i = 0; i < pair->plan->nchanges; i++) {
		const struct af_change *change = &pair->plan->change[i];
		const char mark = *ui_pair_mark(change);
		check_marks(&pair->before, was, pair->marks[0], change->before.id, mark,
			    shared);
		if (change->kind != AF_CHANGE_REMOVED)
			check_marks(&pair->after, is, pair->marks[1], change->after.id,
				    mark, shared);
	}
	for (int col = 0; col < cols; col++)
		assert_int_equal(c.cell[4 * cols + col].text[0], pair->marks[0][col]);
	free(was);
	free(is);
	ui_canvas_release(&c);
}

static void test_pair__marks_stand_at_what_changes(void **state)
{
	uint32_t seed = 17;
	(void)state;
	for (int i = 0; i < 200; i++) {
		struct test_disk d;
		struct af_layout next;
		struct ui_pair pair;
		test_disk_random(&d, &seed, 1 + test_random(&seed, 100));
		struct af_change *change = af_alloc(d.layout.nparts, sizeof(*change));
		make_fates(&d.layout, &next, change, &seed);
		const struct af_plan plan = { .change = change,
					      .nchanges = d.layout.nparts };
		struct af_disk now = d.p.disk;
		now.layout = &next;
		ui_pair_make(&pair, &now, &d.layout, &plan);
		check_pair(&pair, 40 + (int)test_random(&seed, 260));
		check_pair(&pair, 80); /* another width: found anew */
		ui_pair_release(&pair);
		af_layout_release(&next);
		free(change);
		test_disk_release(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pair__every_kind_of_change_has_a_mark),
		cmocka_unit_test(test_pair__marks_stand_at_what_changes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
