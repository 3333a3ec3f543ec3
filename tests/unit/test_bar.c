/* The bar: golden pictures, and what holds for every disk and every width. */
#include "picture_look.h"
#include "picture_more.h"

struct golden_row {
	const char *name;
	void (*make)(struct test_disk *d);
	size_t selected;
	int edge, zoom; /* zoom < 0: that much below the largest, -1 being it */
	struct test_look look;
};

static void make_empty_gpt(struct test_disk *d)
{
	test_disk_empty(d, AF_SCHEME_GPT);
}

static void make_empty_mbr(struct test_disk *d)
{
	test_disk_empty(d, AF_SCHEME_MBR);
}

static void make_no_table(struct test_disk *d)
{
	test_disk_empty(d, AF_SCHEME_NONE);
}

/** A RAID of three data disks: boundaries far apart, and no power of two. */
static void make_stripe(struct test_disk *d)
{
	test_disk_desktop(d);
	d->topo.minimum_io = 192 * AF_KIB;
	d->rules = af_align_rules(&d->topo, false);
	ui_picture_rows(&d->p, 0);
}

static const struct golden_row golden_table[] = {
	{ "bar-stripe", make_stripe, 0, 0, 0, { 5, 80, false, false } },
	{ "bar-stripe-middle", make_stripe, 0, 0, 20, { 5, 80, false, false } },
	{ "bar-seed-63", test_disk_seed_63, 0, 0, 0, { 5, 80, false, false } },
	{ "bar-seed-63-roles", test_disk_seed_63, 3, 1, 0, { 5, 80, false, true } },
	{ "bar-seed-aligned-ascii",
	  test_disk_seed_aligned,
	  1,
	  0,
	  0,
	  { 5, 80, true, false } },
	{ "bar-seed-63-wide", test_disk_seed_63, 1, 0, 0, { 5, 200, false, false } },
	{ "bar-seed-63-middle", test_disk_seed_63, 4, 0, 5, { 5, 80, false, false } },
	{ "bar-seed-63-max", test_disk_seed_63, 4, 0, -1, { 5, 80, false, true } },
	{ "bar-seed-63-ebr", test_disk_seed_63, 4, 0, -2, { 5, 80, false, false } },
	{ "bar-seed-63-ebr-ascii", test_disk_seed_63, 1, 1, -1, { 5, 80, true, false } },
	{ "bar-seed-aligned", test_disk_seed_aligned, 0, 0, 0, { 5, 80, false, false } },
	{ "bar-desktop", test_disk_desktop, 2, 0, 0, { 5, 80, false, true } },
	{ "bar-desktop-low", test_disk_desktop, 1, 0, 0, { 4, 80, false, false } },
	{ "bar-desktop-tall", test_disk_desktop, 5, 0, 0, { 8, 132, true, false } },
	{ "bar-gpt128", test_disk_gpt128, 0, 0, 0, { 5, 80, false, false } },
	{ "bar-gpt128-wide", test_disk_gpt128, 63, 0, 0, { 5, 200, false, false } },
	{ "bar-4k", test_disk_4k, 0, 0, 0, { 5, 80, false, false } },
	{ "bar-4k-max", test_disk_4k, 1, 0, -1, { 5, 80, false, false } },
	{ "bar-offset", test_disk_offset, 1, 0, 0, { 5, 80, false, false } },
	{ "bar-offset-max", test_disk_offset, 1, 0, -1, { 5, 80, false, false } },
	{ "bar-empty-gpt", make_empty_gpt, 0, 0, 0, { 5, 80, false, true } },
	{ "bar-empty-mbr", make_empty_mbr, 0, 0, 0, { 5, 80, true, false } },
	{ "bar-no-table", make_no_table, 0, 0, 0, { 5, 80, false, false } },
};

static void test_bar__looks_as_blessed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(golden_table) / sizeof(golden_table[0]); i++) {
		const struct golden_row *g = &golden_table[i];
		struct test_disk d;
		g->make(&d);
		d.p.selected = g->selected;
		d.p.edge = g->edge;
		d.p.zoom = g->zoom >= 0 ? g->zoom
					: ui_bar_zoom_max(&d.p, g->look.cols) + 1 + g->zoom;
		test_golden(&d, TEST_BAR, g->look, g->name);
		test_disk_release(&d);
	}
}

static void test_bar__positions_follow_the_units(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	d.p.units = UI_UNITS_SECTORS;
	assert_true(test_says(&d, TEST_BAR, 5, 80, "536870912s"));
	d.p.units = UI_UNITS_BYTES;
	assert_true(test_says(&d, TEST_BAR, 5, 80, "274877906944B"));
	test_disk_release(&d);
}

static void test_bar__says_what_a_column_is_worth(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	d.p.zoom = ui_bar_zoom_max(&d.p, 80);
	assert_true(test_says(&d, TEST_BAR, 5, 80, "1 column = 1 sector"));
	d.p.zoom -= 3;
	assert_true(test_says(&d, TEST_BAR, 5, 80, "1 column = 4K"));
	d.p.units = UI_UNITS_SECTORS;
	assert_true(test_says(&d, TEST_BAR, 5, 80, "1 column = 8 sectors"));
	test_disk_release(&d);
}

static void test_bar__a_preview_says_so(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	d.p.preview = true;
	assert_true(test_says(&d, TEST_BAR, 5, 80, "preview"));
	d.p.zoom = 9;
	assert_true(test_says(&d, TEST_BAR, 5, 80, "preview, 1 column"));
	test_disk_release(&d);
}

static void test_bar__says_what_it_cannot_show(void **state)
{
	(void)state;
	struct test_disk d;
	uint32_t seed = 3;
	test_disk_gpt128(&d);
	assert_true(test_says(&d, TEST_BAR, 4, 80, "128 share 80 columns, + zooms in"));
	d.p.selected = d.p.nrows - 1; /* free space, which is no partition */
	assert_true(test_says(&d, TEST_BAR, 4, 80, "128 share 80 columns, + zooms in"));
	assert_false(test_says(&d, TEST_BAR, 4, 200, "share"));
	d.p.preview = true;
	assert_true(test_says(&d, TEST_BAR, 4, 80, "preview, 128 share"));
	test_disk_release(&d);

	test_disk_random(&d, &seed, 70);
	assert_true(d.p.nrows > 90); /* partitions have columns, free space has not */
	assert_true(test_says(&d, TEST_BAR, 4, 90, "free space left out, + zooms in"));
	assert_false(test_says(&d, TEST_BAR, 4, (int)d.p.nrows, "left out"));
	test_disk_release(&d);
}

/* A GPT of that many partitions, with free space between them. */
static void make_many(struct test_disk *d, uint32_t n)
{
	test_disk_init(d, AF_SCHEME_GPT, 10 * (int64_t)n * 2048, 512);
	d->layout.slots = n;
	for (uint32_t i = 1; i <= n; i++)
		test_disk_add(d, (struct test_part){ .number = i,
						     .start = (int64_t)i * 8192,
						     .end = (int64_t)i * 8192 + 4095 });
	ui_picture_rows(&d->p, 0);
}

/* The bar of a thousand partitions stays where it is, whatever is selected, but for that one. */
static void test_bar__a_crowd_stands_still(void **state)
{
	(void)state;
	struct test_disk d;
	struct ui_extent at[2100], first[2100];
	make_many(&d, 1024);
	assert_in_range(d.p.nrows, 2000, 2100);
	assert_true(test_says(&d, TEST_BAR, 4, 80, "1024 share 80 columns, + zooms in"));
	ui_bar_extents(&d.p, 80, first);
	for (d.p.selected = 0; d.p.selected < d.p.nrows; d.p.selected += 7) {
		ui_bar_extents(&d.p, 80, at);
		for (size_t i = 0; i < d.p.nrows; i++)
			if (ui_picture_part(&d.p, i) &&
			    (at[i].first != first[i].first || at[i].last != first[i].last))
				fail_msg("row %zu moves where %zu is selected", i,
					 d.p.selected);
		assert_in_range(at[d.p.selected].last, at[d.p.selected].first, 79);
	}
	test_disk_release(&d);
}

static void test_bar__what_is_inside_has_a_letter(void **state)
{
	static const struct {
		const char *fs, *body;
		enum ui_role role;
	} case_table[] = {
		{ "ext4", "E###", UI_ROLE_FS_EXT },
		{ "ntfs", "N###", UI_ROLE_FS_NTFS },
		{ "swap", "S###", UI_ROLE_FS_SWAP },
		{ "vfat", "F###", UI_ROLE_FS_FAT },
		{ "crypto_LUKS", "L###", UI_ROLE_FS_CRYPT },
		{ "LVM2_member", "V###", UI_ROLE_FS_VOLUME },
		{ "linux_raid_member", "M###", UI_ROLE_FS_VOLUME },
		{ "isw_raid_member", "M###", UI_ROLE_FS_VOLUME },
		{ "minix", "O###", UI_ROLE_FS_OTHER },
		{ NULL, "####", UI_ROLE_PART },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(case_table) / sizeof(case_table[0]); i++) {
		struct test_disk d;
		struct ui_canvas c;
		const struct test_part part = {
			.number = 1,
			.start = 2048,
			.end = SEED_SECTORS / 2,
			.fs = case_table[i].fs,
		};
		test_disk_init(&d, AF_SCHEME_GPT, SEED_SECTORS, 512);
		test_disk_parts(&d, &part, 1);
		d.p.selected = 1;
		ui_canvas_init(&c, 4, 80, true);
		ui_bar_draw(&d.p, &c, (struct ui_rect){ 0, 0, 4, 80 });
		for (int col = 0; col < 4; col++) {
			const struct ui_cell *cell = &c.cell[80 + col];
			assert_int_equal(cell->text[0], case_table[i].body[col]);
			assert_int_equal(cell->role, case_table[i].role);
		}
		ui_canvas_release(&c);
		test_disk_release(&d);
	}
}

/* Two kinds with the same letter would be one kind for who sees no colours. */
static void test_bar__letters_differ(void **state)
{
	(void)state;
	for (size_t i = 0; ui_look_row(i); i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(ui_look_row(i)->letter,
						ui_look_row(j)->letter);
}

/* Labels of the ruler: each begins in the column of the place that it names, to the byte where columns are sectors,
 * and no two touch. */
static void check_labels(struct test_disk *d, int cols)
{
	struct ui_canvas c;
	struct af_text text = { 0 };
	ui_canvas_init(&c, 4, cols, true);
	ui_bar_draw(&d->p, &c, (struct ui_rect){ 0, 0, 4, cols });
	const struct af_span view = ui_bar_view(&d->p, cols);
	for (int col = 0; col < cols; col++)
		af_text_put(&text, c.cell[3 * cols + col].text, 1);
	const char *row = af_text_get(&text);
	for (int col = 0; col < cols; col++) {
		char *end;
		if (row[col] < '0' || row[col] > '9' || (col && row[col - 1] != ' '))
			continue;
		const int64_t n = strtoll(row + col, &end, 10);
		const char *units = "sMGT";
		const af_bytes size[] = { d->layout.sector_size, AF_MIB, AF_GIB,
					  1024 * AF_GIB };
		const char *unit = *end ? strchr(units, *end) : NULL;
		if ((end[0] == ' ' && end[1] != ' ' && n != 0) || *end == 'K')
			break; /* "1 column = ", "80 share", "4K boundary": the remark */
		if (!unit && n != 0)
			fail_msg("%d columns: label '%s'", cols, row + col);
		const af_bytes at = unit ? n * size[unit - units] : 0;
		if (ui_bar_column(view, cols, at) != col ||
		    !af_grid_has(d->rules.check, at))
			fail_msg("%d columns, zoom %d: label in column %d is wrong: '%s'",
				 cols, d->p.zoom, col, row);
	}
	af_text_release(&text);
	ui_canvas_release(&c);
}

static void test_bar__labels_do_not_lie(void **state)
{
	(void)state;
	uint32_t seed = 31;
	void (*const make[])(struct test_disk *) = { test_disk_seed_63, test_disk_offset,
						     test_disk_4k, make_stripe,
						     test_disk_huge };
	for (int i = 0; i < 1000; i++) {
		struct test_disk d;
		if (i % 6 < 5)
			make[i % 6](&d);
		else
			test_disk_random(&d, &seed, 1 + test_random(&seed, 60));
		d.p.selected = test_random(&seed, (uint32_t)d.p.nrows);
		d.p.edge = i % 2;
		d.p.zoom = (int)test_random(&seed, 32);
		d.p.units = i % 3 ? UI_UNITS_HUMAN : UI_UNITS_SECTORS;
		check_labels(&d, 45 + (int)test_random(&seed, 456));
		test_disk_release(&d);
	}
}

/* The extended partition is a frame also where there is one row for bodies. */
static void test_bar__the_frame_has_sides(void **state)
{
	(void)state;
	struct test_disk d;
	struct ui_canvas c;
	test_disk_desktop(&d);
	ui_canvas_init(&c, 4, 80, false);
	ui_bar_draw(&d.p, &c, (struct ui_rect){ 0, 0, 4, 80 });
	int left = 0, right = 79;
	while (strcmp(c.cell[left].text, ui_glyph_text(UI_GLYPH_TOP_LEFT, false)) != 0)
		left++;
	while (strcmp(c.cell[right].text, ui_glyph_text(UI_GLYPH_TOP_RIGHT, false)) != 0)
		right--;
	const char *line = ui_glyph_text(UI_GLYPH_VERTICAL, false);
	assert_in_range(right, left + 40, 79);
	assert_string_equal(c.cell[80 + left].text, line);
	assert_string_equal(c.cell[80 + right].text, line);
	assert_int_equal(c.cell[80 + left].role, UI_ROLE_EXTENDED);
	ui_canvas_release(&c);
	test_disk_release(&d);
}

/* Zoomed in, what lies between partitions is told, with its size where all of it is seen. */
static void test_bar__gaps_have_names(void **state)
{
	(void)state;
	struct test_disk d;
	test_disk_seed_63(&d);
	d.p.selected = 4;
	d.p.zoom = ui_bar_zoom_max(&d.p, 80);
	assert_true(test_says(&d, TEST_BAR, 4, 80, "padding"));
	d.p.from = 0; /* as if nothing had been drawn */
	assert_true(test_says(&d, TEST_BAR, 4, 200, "EBR─padding 62 sectors─"));
	d.p.selected = 0;
	d.p.from = 0;
	assert_true(test_says(&d, TEST_BAR, 4, 80, "MBR padding 62 sectors"));
	test_disk_release(&d);
}

static bool is_one_of(const char *text, const enum ui_glyph *glyph, size_t n)
{
	for (size_t i = 0; ui_look_row(i); i++)
		if (strcmp(text, ui_look_row(i)->letter) == 0)
			return true;
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, ui_glyph_text(glyph[i], false)) == 0)
			return true;
	return false;
}

/* Every column of the lowest row of bodies has something in it, and the selected thing
 * at least one. */
static void check_bodies(const struct ui_canvas *c, int rows, int cols, const char *what)
{
	static const enum ui_glyph body[] = { UI_GLYPH_FILL, UI_GLYPH_FREE,
					      UI_GLYPH_PADDING, UI_GLYPH_EBR,
					      UI_GLYPH_VERTICAL };
	int selected = 0, last = -1;
	for (int col = 0; col < cols; col++) {
		const struct ui_cell *cell = &c->cell[(rows - 3) * c->cols + col];
		if (!is_one_of(cell->text, body, 5))
			fail_msg("%s: column %d of %d is '%s'", what, col, cols,
				 cell->text);
		if (cell->role != UI_ROLE_PART_SELECTED)
			continue;
		if (last >= 0 && last != col - 1)
			fail_msg("%s: the selected one is in two pieces", what);
		last = col;
		selected++;
	}
	if (!selected)
		fail_msg("%s: nothing is selected in %d columns", what, cols);
}

static size_t bodies_of(const struct test_disk *d)
{
	size_t n = 0;
	for (size_t i = 0; i < d->layout.nparts; i++)
		n += d->layout.part[i].role != AF_ROLE_EXTENDED;
	return n;
}

/* Selects each row in turn; partitions share no column where there are enough. */
static void check_every_row(struct test_disk *d, int rows, int cols, const char *what)
{
	bool taken[500] = { false }, shared = bodies_of(d) >= (size_t)cols;
	for (d->p.selected = 0; d->p.selected < d->p.nrows; d->p.selected++) {
		const struct af_part *part = ui_picture_part(&d->p, d->p.selected);
		if (part && part->role == AF_ROLE_EXTENDED)
			continue; /* its frame is selected, not its bodies */
		struct ui_canvas c;
		ui_canvas_init(&c, rows, cols, false);
		ui_bar_draw(&d->p, &c, (struct ui_rect){ 0, 0, rows, cols });
		check_bodies(&c, rows, cols, what);
		for (int col = 0; part && col < cols; col++) {
			if (c.cell[(rows - 3) * cols + col].role != UI_ROLE_PART_SELECTED)
				continue;
			if (taken[col] && !shared)
				fail_msg("%s: two partitions in column %d of %d", what, col,
					 cols);
			taken[col] = true;
		}
		ui_canvas_release(&c);
	}
}

static void test_bar__every_partition_has_a_cell_at_every_width(void **state)
{
	(void)state;
	uint32_t seed = 11;
	for (int i = 0; i < 60; i++) {
		int rows = 4 + (int)test_random(&seed, 4);
		int cols = 1 + (int)test_random(&seed, 500);
		char what[64];
		struct test_disk d;
		(void)snprintf(what, sizeof(what), "case %d", i);
		if (i % 2)
			test_disk_random(&d, &seed, 1 + test_random(&seed, 128));
		else
			test_disk_random_logicals(&d, &seed, 1 + test_random(&seed, 56));
		check_every_row(&d, rows, cols, what);
		test_disk_release(&d);
	}
}

static void test_bar__writes_nothing_outside(void **state)
{
	(void)state;
	uint32_t seed = 23;
	for (int i = 0; i < 200; i++) {
		struct test_disk d;
		if (i % 2)
			test_disk_random(&d, &seed, 1 + test_random(&seed, 128));
		else
			test_disk_random_logicals(&d, &seed, 1 + test_random(&seed, 56));
		d.p.selected = test_random(&seed, (uint32_t)d.p.nrows);
		d.p.edge = i / 2 % 2;
		d.p.zoom = (int)test_random(&seed, 30);
		d.p.preview = i % 3 == 0;
		int cols = i < 20 ? 1 + i : 1 + (int)test_random(&seed, 500);
		test_stays_inside(&d, TEST_BAR, 4 + i % 4, cols);
		test_disk_release(&d);
	}
}

/* What is due in each column of the ruler: bit 0 an edge on its boundary, bit 1 one off it. */
static void find_due(const struct test_disk *d, int cols, unsigned char *due)
{
	struct ui_extent *at = af_alloc(d->p.nrows + 1, sizeof(*at));
	const struct af_span view = ui_bar_view(&d->p, cols);
	memset(due, 0, (size_t)cols);
	ui_bar_extents(&d->p, cols, at);
	for (size_t i = 0; i < d->p.nrows; i++) {
		const struct af_part *part = ui_picture_part(&d->p, i);
		if (!part || at[i].last < at[i].first)
			continue;
		const int end = at[i].last + 1 < cols ? at[i].last + 1 : cols - 1;
		if (part->span.start >= view.start)
			due[at[i].first] |=
				af_grid_has(d->rules.check, part->span.start) ? 1 : 2;
		if (part->span.end < view.end || view.end >= d->topo.size)
			due[end] |= af_grid_has(d->rules.check, part->span.end) ? 1 : 2;
	}
	free(at);
}

/* At every zoom and width a mark says what align says of an edge that lies there. */
static void test_bar__marks_agree_with_align(void **state)
{
	(void)state;
	uint32_t seed = 77;
	unsigned char due[500];
	for (int i = 0; i < 600; i++) {
		struct test_disk d;
		struct ui_canvas c;
		const int cols = 1 + (int)test_random(&seed, 500);
		if (i % 2)
			test_disk_random(&d, &seed, 1 + test_random(&seed, 100));
		else
			test_disk_random_logicals(&d, &seed, 1 + test_random(&seed, 56));
		d.p.selected = 0; /* a free space has a mark of its own */
		while (!ui_picture_part(&d.p, d.p.selected))
			d.p.selected++;
		d.p.zoom = (int)test_random(&seed, 25);
		ui_canvas_init(&c, 4, cols, true);
		ui_bar_draw(&d.p, &c, (struct ui_rect){ 0, 0, 4, cols });
		find_due(&d, cols, due);
		for (int col = 0; col < cols; col++) {
			const char mark = c.cell[2 * cols + col].text[0];
			const char want = due[col] & 2 ? 'X' : due[col] ? '^' : '.';
			const bool tick = mark == '.' || mark == '|' || mark == ' ';
			if (want == '.' ? !tick : mark != want)
				fail_msg("case %d: '%c' in column %d of %d, not '%c'", i,
					 mark, col, cols, want);
		}
		ui_canvas_release(&c);
		test_disk_release(&d);
	}
}

/** Neighbours whose outer edges are the first and the last of what is seen around the
 * edge between them. */
static void make_exact(struct test_disk *d)
{
	static const struct test_part part[] = {
		{ .number = 1, .start = 2051 - 40, .end = 2050 },
		{ .number = 2, .start = 2051, .end = 2051 + 39 },
	};
	test_disk_init(d, AF_SCHEME_GPT, SEED_SECTORS, 512);
	test_disk_parts(d, part, 2);
}

static bool is_edge(const struct test_disk *d, af_bytes at)
{
	for (size_t i = 0; i < d->layout.nparts; i++)
		if (d->layout.part[i].span.start == at || d->layout.part[i].span.end == at)
			return true;
	return false;
}

/* What the ruler must show at byte at, sector by sector. */
static const char *due_mark(const struct test_disk *d, af_bytes at)
{
	bool on = af_grid_has(d->rules.check, at);
	if (is_edge(d, at))
		return ui_glyph_text(on ? UI_GLYPH_ON : UI_GLYPH_OFF, false);
	if (!on)
		return " ";
	bool dense = d->rules.check.step == d->layout.sector_size;
	return ui_glyph_text(dense ? UI_GLYPH_TICK : UI_GLYPH_VERTICAL, false);
}

static void check_ruler(struct test_disk *d, int disk)
{
	struct ui_canvas c;
	struct af_span view = ui_bar_view(&d->p, 80);
	ui_canvas_init(&c, 5, 80, false);
	ui_bar_draw(&d->p, &c, (struct ui_rect){ 0, 0, 5, 80 });
	for (int col = 0; col < 80; col++) {
		const char *mark = c.cell[3 * 80 + col].text;
		const char *due = due_mark(d, ui_bar_byte(view, 80, col));
		bool labelled =
			strcmp(mark, ui_glyph_text(UI_GLYPH_VERTICAL, false)) == 0 &&
			strcmp(due, ui_glyph_text(UI_GLYPH_TICK, false)) == 0;
		if (strcmp(mark, due) != 0 && !labelled)
			fail_msg("disk %d: column %d has '%s', not '%s'", disk, col, mark,
				 due);
	}
	ui_canvas_release(&c);
}

/* Sector by sector, every boundary and every edge in view has its mark in its own
 * column, and nothing else has one. */
static void test_bar__sector_by_sector_the_ruler_is_exact(void **state)
{
	(void)state;
	void (*const make[])(
		struct test_disk *) = { test_disk_seed_63, test_disk_seed_aligned,
					test_disk_offset, test_disk_4k, make_exact };
	for (int i = 0; i < 20; i++) {
		struct test_disk d;
		make[i / 4](&d);
		d.p.selected = i & 2 ? 1 : 0;
		d.p.edge = i & 1;
		d.p.zoom = ui_bar_zoom_max(&d.p, 80);
		if (ui_picture_part(&d.p, d.p.selected))
			check_ruler(&d, i / 4);
		test_disk_release(&d);
	}
}

static void test_bar__off_wins_where_edges_meet(void **state)
{
	(void)state;
	struct test_disk d;
	struct ui_canvas c;
	test_disk_seed_63(&d);
	d.p.selected = 1; /* column 1: its start is on, as is the end before */
	ui_canvas_init(&c, 5, 80, false);
	ui_bar_draw(&d.p, &c, (struct ui_rect){ 0, 0, 5, 80 });
	const struct ui_cell *ruler = c.cell + (size_t)3 * 80;
	assert_string_equal(ruler[0].text, ui_glyph_text(UI_GLYPH_OFF, false));
	assert_int_equal(ruler[0].role, UI_ROLE_BAD);
	assert_string_equal(ruler[1].text, ui_glyph_text(UI_GLYPH_ON, false));
	assert_int_equal(ruler[1].role, UI_ROLE_SELECTED);
	/* column 3: the end of sda5 is on, the start of sda6 is off */
	assert_string_equal(ruler[3].text, ui_glyph_text(UI_GLYPH_OFF, false));
	ui_canvas_release(&c);
	test_disk_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bar__looks_as_blessed),
		cmocka_unit_test(test_bar__positions_follow_the_units),
		cmocka_unit_test(test_bar__says_what_a_column_is_worth),
		cmocka_unit_test(test_bar__a_preview_says_so),
		cmocka_unit_test(test_bar__says_what_it_cannot_show),
		cmocka_unit_test(test_bar__a_crowd_stands_still),
		cmocka_unit_test(test_bar__what_is_inside_has_a_letter),
		cmocka_unit_test(test_bar__letters_differ),
		cmocka_unit_test(test_bar__labels_do_not_lie),
		cmocka_unit_test(test_bar__the_frame_has_sides),
		cmocka_unit_test(test_bar__gaps_have_names),
		cmocka_unit_test(test_bar__every_partition_has_a_cell_at_every_width),
		cmocka_unit_test(test_bar__writes_nothing_outside),
		cmocka_unit_test(test_bar__marks_agree_with_align),
		cmocka_unit_test(test_bar__sector_by_sector_the_ruler_is_exact),
		cmocka_unit_test(test_bar__off_wins_where_edges_meet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
