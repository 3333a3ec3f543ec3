/** picture_look.h - pictures as text: golden files, what they say, and that they stay in
 * their place. */
#ifndef TESTS_PICTURE_LOOK_H
#define TESTS_PICTURE_LOOK_H
#include "picture_disks.h"

enum test_what { TEST_BAR, TEST_TABLE, TEST_LENS };

static inline void test_draw_on(struct test_disk *d, enum test_what what,
				struct ui_canvas *c, struct ui_rect r)
{
	switch (what) {
	case TEST_BAR:
		ui_bar_draw(&d->p, c, r);
		break;
	case TEST_TABLE:
		ui_table_draw(&d->p, c, r);
		break;
	case TEST_LENS:
		ui_lens_draw(&d->p, c, r);
		break;
	}
}

/** How a golden picture is drawn. */
struct test_look {
	int rows, cols;
	bool ascii;
	bool roles; /* the roles behind the text */
};

/**
 * Compares a picture with tests/unit/golden/NAME.txt. With AFDISK_BLESS in the environment
 * it is written there instead.
 */
static inline void test_golden(struct test_disk *d, enum test_what what,
			       struct test_look look, const char *name)
{
	struct ui_canvas c;
	struct af_text got = { 0 };
	ui_canvas_init(&c, look.rows, look.cols, look.ascii);
	test_draw_on(d, what, &c, (struct ui_rect){ 0, 0, look.rows, look.cols });
	ui_canvas_dump(&c, &got);
	if (look.roles)
		ui_canvas_dump_roles(&c, &got);
	ui_canvas_release(&c);

	const char *slash = strrchr(__FILE__, '/');
	char path[512], want[32768];
	(void)snprintf(path, sizeof(path), "%.*sgolden/%s.txt",
		       slash ? (int)(slash - __FILE__ + 1) : 0, __FILE__, name);
	FILE *f = fopen(path, getenv("AFDISK_BLESS") ? "w" : "r");
	if (!f)
		fail_msg("%s cannot be opened", path);
	if (getenv("AFDISK_BLESS")) {
		(void)fputs(af_text_get(&got), f);
		(void)fclose(f);
		af_text_release(&got);
		return;
	}
	size_t n = fread(want, 1, sizeof(want) - 1, f);
	want[n] = '\0';
	(void)fclose(f);
	if (strcmp(want, af_text_get(&got)) != 0)
		fail_msg("%s differs; want\n%sgot\n%s", path, want, af_text_get(&got));
	af_text_release(&got);
}

/** Draws into the middle of a canvas full of '@' and fails if one outside of the
 * rectangle is lost. */
static inline void test_stays_inside(struct test_disk *d, enum test_what what, int rows,
				     int cols)
{
	struct ui_canvas c;
	struct ui_rect r = { 2, 3, rows, cols };
	ui_canvas_init(&c, rows + 4, cols + 6, false);
	for (int row = 0; row < c.rows; row++)
		ui_canvas_fill(&c, row, 0, c.cols, UI_ROLE_TEXT, "@");
	test_draw_on(d, what, &c, r);
	for (int i = 0; i < c.rows * c.cols; i++) {
		int row = i / c.cols, col = i % c.cols;
		bool inside = row >= 2 && row < 2 + rows && col >= 3 && col < 3 + cols;
		if (!inside && strcmp(c.cell[i].text, "@") != 0)
			fail_msg("wrote '%s' to row %d, column %d of %d", c.cell[i].text,
				 row - 2, col - 3, cols);
	}
	ui_canvas_release(&c);
}

/** True if the text of the picture, lines joined by spaces, has words in it. */
static inline bool test_says(struct test_disk *d, enum test_what what, int rows, int cols,
			     const char *words)
{
	struct ui_canvas c;
	struct af_text got = { 0 };
	ui_canvas_init(&c, rows, cols, false);
	test_draw_on(d, what, &c, (struct ui_rect){ 0, 0, rows, cols });
	ui_canvas_dump(&c, &got);
	for (size_t i = 0; i < got.len; i++)
		if (got.data[i] == '\n')
			got.data[i] = ' ';
	bool found = strstr(af_text_get(&got), words) != NULL;
	af_text_release(&got);
	ui_canvas_release(&c);
	return found;
}
#endif
