/* The main screen as a value: rows, selection, places, and the columns of the bar. */
#include "picture_more.h"

static void test_picture__rows_are_in_order_of_place_with_free_space(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	assert_int_equal(d.p.nrows, 6);
	for (size_t i = 1; i < d.p.nrows; i++)
		assert_true(d.p.row[i - 1].span.start <= d.p.row[i].span.start);
	assert_int_equal(ui_picture_part(&d.p, 2)->role, AF_ROLE_EXTENDED);
	assert_false(d.p.row[2].in_extended);
	assert_true(d.p.row[3].in_extended);
	assert_int_equal(ui_picture_part(&d.p, 4)->number, 6);
	assert_true(d.p.row[5].is_free && d.p.row[5].in_extended);
	assert_null(ui_picture_part(&d.p, 5));
	assert_null(ui_picture_part(&d.p, 6));
	test_disk_release(&d);
}

static void test_picture__free_space_outside_comes_after_the_logicals(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_desktop(&d);
	assert_int_equal(d.p.nrows, 6);
	assert_true(d.p.row[4].is_free && d.p.row[4].in_extended);
	assert_true(d.p.row[5].is_free && !d.p.row[5].in_extended);
	test_disk_release(&d);
}

static void test_picture__an_empty_extended_one_comes_before_its_free_space(void **state)
{
	(void)state;
	static const struct test_part part = {
		1, AF_ROLE_EXTENDED, 2048, 4196351, 0, 5, false, NULL, NULL
	};
	struct test_disk d;
	test_disk_init(&d, AF_SCHEME_MBR, SEED_SECTORS, 512);
	test_disk_parts(&d, &part, 1);
	assert_int_equal(d.p.nrows, 3);
	assert_non_null(ui_picture_part(&d.p, 0));
	assert_true(d.p.row[1].is_free && d.p.row[1].in_extended);
	assert_true(d.p.row[2].is_free && !d.p.row[2].in_extended);
	test_disk_release(&d);
}

static void test_picture__entries_of_labels_hang_under_their_partition(void **state)
{
	(void)state;
	struct test_disk d;
	struct ui_nested n;
	struct af_verdict v;
	test_disk_seed_63(&d);
	struct af_layer layer[3] = {
		{ .kind = AF_LAYER_FRAME, .name = "c", .size = 524288 },
		{ .kind = AF_LAYER_NESTED, .name = "a", .offset = 8192, .size = 4096 },
		{ .kind = AF_LAYER_OUTSIDE,
		  .name = "e",
		  .offset = INT64_C(1) << 50,
		  .size = 512 },
	};
	d.p.selected = 5;
	struct ui_row last = d.p.row[5];
	struct af_content *c = &d.contents.item[0];
	c->layer = af_alloc(3, sizeof(*layer));
	memcpy(c->layer, layer, sizeof(layer));
	c->nlayers = 3;
	ui_picture_rows(&d.p, 0);
	/* two of them lie on the disk; what was selected stays so */
	assert_int_equal(d.p.nrows, 8);
	assert_int_equal(d.p.selected, 7);
	assert_false(ui_picture_nested(&d.p, 0, &n));
	assert_true(ui_picture_nested(&d.p, 2, &n));
	assert_string_equal(n.layer->name, "a");
	assert_int_equal(n.host->number, 1);
	assert_null(ui_picture_part(&d.p, 2));
	assert_int_equal(d.p.row[2].span.start, 79 * 512);
	assert_true(ui_picture_verdict(&d.p, 2, &v));
	assert_int_equal(v.status, AF_STATUS_MISALIGNED);
	assert_true(ui_picture_verdict(&d.p, 1, &v));
	assert_int_equal(v.status, AF_STATUS_CONTAINER);
	assert_false(ui_picture_verdict(&d.p, 7, &v));
	d.p.selected = 2;
	ui_picture_rows(&d.p, 0);
	assert_int_equal(d.p.selected, 2);
	ui_picture_select(&d.p, &last);
	assert_int_equal(d.p.selected, 7);
	test_disk_release(&d);
}

static void test_picture__a_kept_id_stays_selected(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	uint32_t first = d.p.row[0].id, last = d.p.row[4].id;
	d.p.selected = 1;
	af_layout_remove(&d.layout, first);
	ui_picture_rows(&d.p, last);
	assert_int_equal(d.p.row[d.p.selected].id, last);
	test_disk_release(&d);
}

static void test_picture__the_place_stays_selected_when_the_partition_is_gone(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_desktop(&d);
	d.p.selected = 3;
	uint32_t id = d.p.row[3].id;
	af_bytes start = d.p.row[3].span.start;
	af_layout_remove(&d.layout, id);
	ui_picture_rows(&d.p, id);
	assert_true(d.p.row[d.p.selected].is_free);
	assert_true(af_span_has(d.p.row[d.p.selected].span, start));

	/* and the same row without a change */
	d.p.selected = 1;
	ui_picture_rows(&d.p, 0);
	assert_int_equal(d.p.selected, 1);
	test_disk_release(&d);
}

static void test_picture__top_stays_among_the_rows(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_gpt128(&d);
	d.p.top = 100;
	d.p.selected = 110;
	d.layout.nparts = 1;
	ui_picture_rows(&d.p, 0);
	assert_true(d.p.top < d.p.nrows);
	assert_true(d.p.selected < d.p.nrows);
	test_disk_release(&d);
	assert_null(d.p.row);
	assert_int_equal(d.p.nrows, 0);
}

static void test_picture__a_place_has_one_owner(void **state)
{
	(void)state;
	static const struct {
		int64_t sector;
		enum ui_place place;
		uint32_t number; /* 0: none */
	} case_table[] = {
		{ 0, UI_PLACE_TABLE, 0 },          { 62, UI_PLACE_PADDING, 0 },
		{ 63, UI_PLACE_PART, 1 },          { 20971583, UI_PLACE_PART, 1 },
		{ 20971584, UI_PLACE_PART, 2 },    { 41945085, UI_PLACE_EBR, 5 },
		{ 41945086, UI_PLACE_PADDING, 0 }, { 62916688, UI_PLACE_EBR, 6 },
		{ 83888272, UI_PLACE_FREE, 0 },    { SEED_SECTORS, UI_PLACE_OUTSIDE, 0 },
	};
	struct test_disk d;
	test_disk_seed_63(&d);
	for (size_t i = 0; i < sizeof(case_table) / sizeof(case_table[0]); i++) {
		struct af_span span = { case_table[i].sector * 512,
					case_table[i].sector * 512 + 512 };
		const struct af_part *part;
		assert_int_equal(ui_picture_place(&d.p, span, &part), case_table[i].place);
		assert_int_equal(part ? part->number : 0, case_table[i].number);
	}
	test_disk_release(&d);
}

static void test_picture__a_gpt_has_its_table_at_both_ends(void **state)
{
	(void)state;
	struct test_disk d;
	const struct af_part *part;
	test_disk_empty(&d, AF_SCHEME_GPT);
	struct af_span last = { d.layout.disk_size - 512, d.layout.disk_size };
	assert_int_equal(ui_picture_place(&d.p, (struct af_span){ 0, 512 }, &part),
			 UI_PLACE_TABLE);
	assert_int_equal(ui_picture_place(&d.p, last, &part), UI_PLACE_TABLE);
	test_disk_release(&d);

	test_disk_empty(&d, AF_SCHEME_NONE);
	assert_int_equal(ui_picture_place(&d.p, last, &part), UI_PLACE_FREE);
	assert_int_equal(d.p.nrows, 0);
	assert_int_equal(ui_picture_edge(&d.p), 0);
	test_disk_release(&d);
}

static void test_picture__the_edge_follows_the_selection(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	assert_int_equal(ui_picture_edge(&d.p), 63 * 512);
	assert_int_equal(ui_picture_sector(&d.p, ui_picture_edge(&d.p)), 63);
	d.p.edge = 1;
	assert_int_equal(ui_picture_edge(&d.p), (int64_t)20971584 * 512);
	test_disk_release(&d);
	test_disk_4k(&d);
	assert_int_equal(ui_picture_sector(&d.p, ui_picture_edge(&d.p)), 256);
	test_disk_release(&d);
}

static void test_picture__amounts_follow_the_units(void **state)
{
	(void)state;
	struct test_disk d;
	char buf[AF_SHORT];
	test_disk_seed_63(&d);
	assert_string_equal(ui_picture_amount(&d.p, 10 * AF_GIB, buf), "10G");
	d.p.units = UI_UNITS_SECTORS;
	assert_string_equal(ui_picture_amount(&d.p, 10 * AF_GIB, buf), "20971520");
	d.p.units = UI_UNITS_BYTES;
	assert_string_equal(ui_picture_amount(&d.p, 10 * AF_GIB, buf), "10737418240");
	test_disk_release(&d);
}

static void test_picture__columns_rise_and_bytes_come_back(void **state)
{
	(void)state;
	uint32_t seed = 1;
	for (int i = 0; i < 200; i++) {
		int cols = 20 + (int)test_random(&seed, 281);
		af_bytes start = (af_bytes)test_random(&seed, 1U << 30) * 512;
		af_bytes size = cols + (af_bytes)test_random(&seed, 1U << 30) * 1000;
		struct af_span view = { start, start + size };
		assert_int_equal(ui_bar_column(view, cols, start), 0);
		assert_int_equal(ui_bar_column(view, cols, start - 1), 0);
		assert_int_equal(ui_bar_column(view, cols, view.end - 1), cols - 1);
		assert_int_equal(ui_bar_column(view, cols, view.end), cols - 1);
		for (int col = 0; col < cols; col++) {
			af_bytes at = ui_bar_byte(view, cols, col);
			assert_int_equal(ui_bar_column(view, cols, at), col);
			if (col)
				assert_int_equal(ui_bar_column(view, cols, at - 1),
						 col - 1);
		}
	}
}

static void test_picture__the_whole_largest_disk_has_columns(void **state)
{
	(void)state;
	struct af_span view = { 0, INT64_MAX };
	assert_int_equal(ui_bar_column(view, 300, INT64_MAX - 1), 299);
	assert_int_equal(ui_bar_column(view, 300, ui_bar_byte(view, 300, 150)), 150);
}

/* Random spans in order of place within view, n at the most. */
static size_t random_spans(uint32_t *seed, struct af_span view, size_t n,
			   struct af_span *out)
{
	af_bytes at = view.start;
	size_t made = 0;
	for (; made < n && at + 4 < view.end; made++) {
		uint32_t share = (uint32_t)((view.end - at) / (af_bytes)(n - made));
		af_bytes start = at + test_random(seed, share / 2 + 1);
		/* one in four takes all it can */
		af_bytes size =
			test_random(seed, 4) ? 1 + test_random(seed, 3) : share / 2 + 1;
		out[made] = (struct af_span){ start, start + size };
		at = start + size;
	}
	return made;
}

static void test_picture__everything_gets_a_column_in_order(void **state)
{
	(void)state;
	static struct af_span span[300];
	static struct ui_extent at[300];
	uint32_t seed = 7;
	for (int i = 0; i < 2000; i++) {
		int cols = 1 + (int)test_random(&seed, 500);
		struct af_span view = { 0, 1000 + test_random(&seed, 1U << 24) };
		size_t n = random_spans(&seed, view, 1 + test_random(&seed, 299), span);
		ui_bar_map(view, cols, span, n, at);
		for (size_t j = 0; j < n; j++) {
			assert_in_range(at[j].first, 0, cols - 1);
			assert_in_range(at[j].last, at[j].first, cols - 1);
			if (!j)
				continue;
			assert_true(at[j].first >= at[j - 1].first);
			if (n <= (size_t)cols)
				assert_true(at[j].first > at[j - 1].last);
		}
	}
}

static void test_picture__spans_with_room_are_to_scale(void **state)
{
	(void)state;
	const struct af_span span[] = { { 0, 250 }, { 500, 1000 } };
	struct ui_extent at[2];
	ui_bar_map((struct af_span){ 0, 1000 }, 100, span, 2, at);
	assert_int_equal(at[0].first, 0);
	assert_int_equal(at[0].last, 24);
	assert_int_equal(at[1].first, 50);
	assert_int_equal(at[1].last, 99);
}

static void test_picture__crowded_ends_push_to_the_left(void **state)
{
	(void)state;
	const struct af_span span[] = {
		{ 0, 990 }, { 990, 992 }, { 993, 994 }, { 999, 1000 }
	};
	struct ui_extent at[4];
	ui_bar_map((struct af_span){ 0, 1000 }, 10, span, 4, at);
	assert_int_equal(at[0].first, 0);
	assert_int_equal(at[0].last, 6);
	for (int i = 1; i < 4; i++) {
		assert_int_equal(at[i].first, 6 + i);
		assert_int_equal(at[i].last, 6 + i);
	}
}

static void test_picture__each_zoom_shows_half_as_much_down_to_a_sector(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	for (d.p.selected = 0; d.p.selected < d.p.nrows; d.p.selected++) {
		for (d.p.edge = 0; d.p.edge < 2; d.p.edge++) {
			int most = ui_bar_zoom_max(&d.p, 80);
			d.p.zoom = 0;
			struct af_span view = ui_bar_view(&d.p, 80);
			assert_true(
				af_span_equal(view, (struct af_span){ 0, d.topo.size }));
			for (d.p.zoom = 1; d.p.zoom <= most; d.p.zoom++) {
				af_bytes before = af_span_size(view);
				view = ui_bar_view(&d.p, 80);
				af_bytes column = af_span_size(view) / 80;
				assert_true(view.start >= 0 && view.start % column == 0);
				assert_true(view.end < d.topo.size + column);
				assert_true(af_span_size(view) <= before / 3 * 2);
				if (d.p.zoom > 1)
					assert_int_equal(af_span_size(view), before / 2);
				af_bytes edge = ui_picture_edge(&d.p);
				assert_true(edge >= view.start && edge <= view.end);
			}
			assert_int_equal(af_span_size(view), 80 * 512);
			d.p.zoom = most + 5;
			assert_true(af_span_equal(view, ui_bar_view(&d.p, 80)));
		}
	}
	test_disk_release(&d);
}

/* Looked up or searched for, whose a place is stays the same: also where things overlap, which only searching finds. */
static void test_picture__looking_up_finds_what_searching_does(void **state)
{
	(void)state;
	uint32_t seed = 41;
	for (int i = 0; i < 300; i++) {
		struct test_disk d;
		test_disk_random_logicals(&d, &seed, 1 + test_random(&seed, 56));
		if (i % 3 == 0)
			d.layout.part[d.layout.nparts - 1].span.start -=
				512 * (1 + (af_bytes)test_random(&seed, 1U << 20));
		ui_picture_rows(&d.p, 0);
		assert_true(i % 3 == 0 || d.p.nowners > 0);
		for (int j = 0; j < 400; j++) {
			const struct af_part *looked, *searched,
				*near = &d.layout.part[test_random(
					&seed, (uint32_t)d.layout.nparts)];
			af_bytes at = near->span.start +
				      512 * ((af_bytes)test_random(&seed, 200) - 150);
			af_bytes size =
				512 *
				(1 + (af_bytes)test_random(&seed, j % 2 ? 3 : 100000));
			struct af_span span = { at < 0 ? 0 : at, (at < 0 ? 0 : at) + size };
			const size_t owners = d.p.nowners;
			const enum ui_place is = ui_picture_place(&d.p, span, &looked);
			d.p.nowners = 0;
			assert_int_equal(ui_picture_place(&d.p, span, &searched), is);
			d.p.nowners = owners;
			if (is == UI_PLACE_PART)
				assert_ptr_equal(looked, searched);
		}
		test_disk_release(&d);
	}
}

/* The column of the selected edge. */
static int edge_column(const struct ui_picture *p, int cols)
{
	return ui_bar_column(ui_bar_view(p, cols), cols, ui_picture_edge(p));
}

/* Where in a zoomed view an edge may be: in its middle three fifths, or where the disk ends. */
static bool has_context(const struct ui_picture *p, int cols)
{
	struct af_span view = ui_bar_view(p, cols);
	int col = edge_column(p, cols), margin = cols / 5;
	return (col >= margin || view.start == 0) &&
	       (col <= cols - margin || view.end >= p->disk.layout->disk_size);
}

/* Zooms in to the last step and out again; returns how often the edge left its column without need. */
static void check_zoom(struct test_disk *d, int cols)
{
	int most = ui_bar_zoom_max(&d->p, cols), margin = (cols + 4) / 5;
	for (int i = 0; i < 2 * most; i++) {
		int was = edge_column(&d->p, cols);
		ui_bar_zoom(&d->p, cols, i < most ? 1 : -1);
		int is = edge_column(&d->p, cols);
		struct af_span view = ui_bar_view(&d->p, cols);
		bool ends = view.start == 0 || view.end >= d->topo.size;
		bool moved = is != was && was >= margin && was < cols - margin;
		if (moved && !ends)
			fail_msg("step %d of %d in %d columns: the edge went from %d to %d",
				 i, most, cols, was, is);
		if (!has_context(&d->p, cols))
			fail_msg("%d %d: %d", cols, d->p.zoom, is);
		d->p.from = view.start; /* as drawing does */
	}
	assert_int_equal(d->p.zoom, 0);
}

static void test_picture__the_edge_stays_in_its_column_while_zooming(void **state)
{
	(void)state;
	uint32_t seed = 5;
	for (int i = 0; i < 400; i++) {
		struct test_disk d;
		int cols = i < 200 ? 80 : 4 + (int)test_random(&seed, 497);
		test_disk_random(&d, &seed, 1 + test_random(&seed, 60));
		d.p.selected = test_random(&seed, (uint32_t)d.p.nrows);
		d.p.edge = i % 2;
		check_zoom(&d, cols);
		test_disk_release(&d);
	}
}

/* As long as the selected edge is well inside the view, the picture stands still. */
static void test_picture__the_view_moves_only_when_it_must(void **state)
{
	(void)state;
	uint32_t seed = 9;
	for (int i = 0; i < 100; i++) {
		struct test_disk d;
		test_disk_random(&d, &seed, 2 + test_random(&seed, 60));
		ui_bar_zoom(&d.p, 80, 1 + (int)test_random(&seed, 6));
		for (size_t j = 0; j < 2 * d.p.nrows; j++) {
			struct af_span before = ui_bar_view(&d.p, 80);
			d.p.from = before.start;
			d.p.selected = j / 2;
			d.p.edge = (int)(j % 2);
			struct af_span view = ui_bar_view(&d.p, 80);
			af_bytes edge = ui_picture_edge(&d.p),
				 margin = af_span_size(view) / 5;
			assert_true(edge >= view.start && edge <= view.end);
			assert_true(has_context(&d.p, 80));
			if (edge >= before.start + margin && edge <= before.end - margin)
				assert_true(af_span_equal(before, view));
		}
		test_disk_release(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_picture__looking_up_finds_what_searching_does),
		cmocka_unit_test(test_picture__the_edge_stays_in_its_column_while_zooming),
		cmocka_unit_test(test_picture__the_view_moves_only_when_it_must),
		cmocka_unit_test(test_picture__rows_are_in_order_of_place_with_free_space),
		cmocka_unit_test(test_picture__free_space_outside_comes_after_the_logicals),
		cmocka_unit_test(
			test_picture__an_empty_extended_one_comes_before_its_free_space),
		cmocka_unit_test(
			test_picture__entries_of_labels_hang_under_their_partition),
		cmocka_unit_test(test_picture__a_kept_id_stays_selected),
		cmocka_unit_test(
			test_picture__the_place_stays_selected_when_the_partition_is_gone),
		cmocka_unit_test(test_picture__top_stays_among_the_rows),
		cmocka_unit_test(test_picture__a_place_has_one_owner),
		cmocka_unit_test(test_picture__a_gpt_has_its_table_at_both_ends),
		cmocka_unit_test(test_picture__the_edge_follows_the_selection),
		cmocka_unit_test(test_picture__amounts_follow_the_units),
		cmocka_unit_test(test_picture__columns_rise_and_bytes_come_back),
		cmocka_unit_test(test_picture__the_whole_largest_disk_has_columns),
		cmocka_unit_test(test_picture__everything_gets_a_column_in_order),
		cmocka_unit_test(test_picture__spans_with_room_are_to_scale),
		cmocka_unit_test(test_picture__crowded_ends_push_to_the_left),
		cmocka_unit_test(
			test_picture__each_zoom_shows_half_as_much_down_to_a_sector),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
