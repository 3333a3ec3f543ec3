/* Random keys, clicks and window sizes on many kinds of disks, through the editor without a terminal: nothing crashes or
 * hangs, what is wanted is always sound, every cell of every screen is one, and no byte of the disk is written unless
 * the word yes was typed. Keys are weighted by what is in front, so that every view and every action is reached, which is
 * checked, too. SEED=n repeats a run, ROUNDS=n makes it longer. */
#include "../crash/image_tap.h"
#include "ahead.h"
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "disk.h"
#include "disks.h"
#include "folder.h"
#include "gen.h"

#define ROUNDS 300
#define KEYS   667 /* in a round: together 200,000 */
#define TRAIL  24  /* of the last ones, told when something is wrong */

/* What the editor is tried on; dear ones come up less often. */
static const struct scene {
	const char *words;
	uint32_t sector_size; /* 0: 512 */
	bool read_only;
	unsigned weight;
} scene_table[] = {
	{ "seed", 0, false, 20 },
	{ "gpt128", 0, false, 6 },
	{ "2097152 512 gpt af000000-0000-4000-8000-000000000001 slots=1024 "
	  "g1=2048+40960,linux,auto,one g7=65536+131072,efi,auto "
	  "g900=409600+4096,linux,auto",
	  0, false, 8 },
	{ "dos56", 0, false, 4 },
	{ "dos1000", 0, false, 1 },
	{ "empty-gpt-4k", 4096, false, 8 },
	{ "262144 4096 dos 0x1 p1=256+30000,83 e2=40000+90000,5 l5=40300+5000,83,ebr=40000",
	  4096, false, 8 },
	{ "2097152 512 none", 0, false, 10 },
	{ "empty-dos", 0, false, 10 },
	/* the primary header of a GPT has a bit that fell over */
	{ "2097152 512 gpt af000000-0000-4000-8000-000000000001 g1=2048+40960,linux,auto "
	  "poke=536,ff",
	  0, false, 10 },
	/* both have */
	{ "2097152 512 gpt af000000-0000-4000-8000-000000000001 g1=2048+40960,linux,auto "
	  "poke=536,ff poke=1073741336,ff",
	  0, false, 4 },
	/* the second EBR has no signature */
	{ "2097152 512 dos 0x1 e1=2048+200000,5 l5=2111+1000,83,ebr=2048 "
	  "l6=10063+1000,83,ebr=10000 l7=20063+1000,83,ebr=20000 poke=10240510,0000",
	  0, false, 8 },
	{ "seed", 0, true, 6 },
	/* out of order, off every boundary, an extended partition full of odd ones */
	{ "2097152 512 dos 0x10bd10bc p1=1048576+2048,83 p2=77+2001,7,boot "
	  "e3=4001+400000,f "
	  "l5=4064+1001,83,ebr=4001 l6=9000+63,82,ebr=8999",
	  0, false, 10 },
	/* a label inside a partition */
	{ "2097152 512 dos 0x1 p1=2048+1000000,a5 p2=1048576+204800,83 "
	  "bsd=2048,a:2048+400000,b:500000+1000,c:2048+1000000",
	  0, false, 10 },
};
#define SCENES (sizeof(scene_table) / sizeof(scene_table[0]))

static char root[200];
static struct gen g;
static uint64_t seed;

static struct editor {
	struct af_session *session;
	struct ui_app app;
	struct ui_canvas canvas;
	struct af_session_options options;
	size_t writes; /* of the disk that the word was typed for */
	char trail[TRAIL][40];
	size_t keys;
} e;

/* Every view that a person can get into from the main screen, and whether we did. */
static struct {
	const char *name;
	uint64_t keys;
} view_table[] = {
	{ "disk", 0 },   { "choice", 0 },  { "line", 0 },  { "types", 0 },
	{ "sizing", 0 }, { "review", 0 },  { "help", 0 },  { "messages", 0 },
	{ "offers", 0 }, { "chooser", 0 }, { "entry", 0 },
};
#define VIEWS (sizeof(view_table) / sizeof(view_table[0]))

/* Every disk and path of the chooser is read by a process of its own before it is opened: there are none, so that no key leads to a
 * disk of this machine. */
pid_t fork(void)
{
	errno = EAGAIN;
	return -1;
}

static uint64_t acted[UI_DO_COUNT]; /* while it was offered */
static uint64_t dragged, written, broken_off;

static const char *trail(void)
{
	static char text[TRAIL * 42];
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = e.keys > TRAIL ? e.keys - TRAIL : 0; i < e.keys; i++) {
		used = af_text_join(text, sizeof(text), used, e.trail[i % TRAIL]);
		used = af_text_join(text, sizeof(text), used, " ");
	}
	return text;
}

/* Fails with all that is needed to see it again. */
static void must(bool held, const char *what, const char *why)
{
	if (!held)
		fail_msg("SEED=%" PRIu64 " ROUNDS=1, key %zu, after %s: not %s: %s", seed,
			 e.keys, trail(), what, why);
}

#define HOLDS(condition, why) must(condition, #condition, why)

static const char *front(void)
{
	return e.app.layer[e.app.nlayers - 1].view->name;
}

static bool is_front(const char *name)
{
	return strcmp(front(), name) == 0;
}

static bool chance(unsigned one_in)
{
	return gen_below(&g, one_in) == 0;
}

/* --- what must hold ------------------------------------------------------------------------------------ */

static void check_cells(void)
{
	const struct ui_canvas *c = &e.canvas;
	int left = 0; /* columns that the character before still takes */
	for (int i = 0; i < c->rows * c->cols; i++) {
		const struct ui_cell *cell = &c->cell[i];
		left = i % c->cols == 0 ? 0 : left;
		HOLDS(cell->role < UI_ROLE_COUNT, "a role");
		HOLDS(cell->width == 0 ? left == 1 : left == 0, "half a character");
		HOLDS(memchr(cell->text, '\0', sizeof(cell->text)) != NULL,
		      "a cell without end");
		HOLDS(cell->width == 0 || cell->text[0] != '\0', "an empty cell");
		HOLDS(cell->width < 2 || i % c->cols < c->cols - 1, "a character cut off");
		left = cell->width == 2 ? 1 : 0;
	}
}

static void draw(void)
{
	ui_app_draw(&e.app, &e.canvas);
	check_cells();
}

static void check_state(void)
{
	struct af_err err = { 0 };
	const struct ui_picture *p = &e.app.picture;
	const struct af_layout *l = p->disk.layout;
	const bool ours = l->scheme != AF_SCHEME_NONE && !*af_layout_state(l) &&
			  !af_session_locked(e.session);
	HOLDS(tap.count[TAP_WRITE] == e.writes, "the disk was written");
	HOLDS(e.app.nlayers >= 1 && e.app.nlayers <= UI_LAYERS, "layers");
	HOLDS(p->nrows == 0 || p->selected < p->nrows, "the selected row");
	HOLDS(p->edge == 0 || p->edge == 1, "the edge");
	HOLDS(memchr(e.app.message, '\0', sizeof(e.app.message)) != NULL, "the message");
	HOLDS(!ours || af_layout_sound(l, &err), err.text);
}

static void note_view(void)
{
	for (size_t i = 0; i < VIEWS; i++)
		if (is_front(view_table[i].name))
			view_table[i].keys++;
}

/* --- what a person does -------------------------------------------------------------------------------- */

static void remember(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void remember(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	(void)vsnprintf(e.trail[e.keys++ % TRAIL], sizeof(e.trail[0]), fmt, args);
	va_end(args);
}

/* An arrow key brings what was drawn ahead for it, where anything was. */
static void press_arrow(int key)
{
	struct ui_ahead ahead = { 0 };
	struct ui_app app = e.app;
	struct ui_canvas c;
	ui_canvas_init(&c, e.canvas.rows, e.canvas.cols, e.canvas.ascii);
	ui_ahead_make(&ahead, &e.app, &e.canvas);
	const bool foreseen = ui_ahead_take(&ahead, key, &app, &c);
	ui_app_key(&e.app, key);
	if (foreseen) {
		const size_t cells = (size_t)c.rows * (size_t)c.cols;
		ui_app_draw(&e.app, &e.canvas);
		HOLDS(memcmp(c.cell, e.canvas.cell, cells * sizeof(*c.cell)) == 0,
		      "what was drawn ahead");
		HOLDS(app.picture.selected == e.app.picture.selected, "the row ahead");
	}
	ui_canvas_release(&c);
	ui_ahead_release(&ahead);
}

static void press(int key)
{
	const enum ui_action a = ui_action_of_key(key);
	const bool counts = is_front("disk") && a < UI_DO_COUNT &&
			    e.app.rows >= UI_MIN_ROWS && e.app.cols >= UI_MIN_COLS;
	if (key > ' ' && key < 127)
		remember("%c", key);
	else
		remember("#%x", (unsigned)key); /* never negative */
	note_view();
	if (counts && ui_disk_offers(&e.app, a))
		acted[a]++;
	if ((key == UI_KEY_UP || key == UI_KEY_DOWN) && chance(8))
		press_arrow(key);
	else
		ui_app_key(&e.app, key);
	e.app.wants_quit = false;
}

/* Letters that can make the word, and slashes, which can lead out of our folder, are not typed into a line. */
static int harmless(int key)
{
	return is_front("line") && (key == 'y' || key == '/') ? 'x' : key;
}

static int any_key(void)
{
	static const int special[] = { UI_KEY_ESCAPE,    UI_KEY_ENTER,     UI_KEY_TAB,
				       UI_KEY_BACK_TAB,  UI_KEY_BACKSPACE, UI_KEY_CTRL('U'),
				       UI_KEY_CTRL('W'), UI_KEY_F1,        UI_KEY_INSERT };
	if (chance(4))
		return special[gen_below(&g, sizeof(special) / sizeof(special[0]))];
	if (chance(3))
		return UI_KEY_UP + (int)gen_below(&g, UI_KEY_SHIFT_RIGHT - UI_KEY_UP + 1);
	if (chance(8)) /* any character there is, and some that are none */
		return (int)gen_between(&g, 1, 0x110020);
	return (int)gen_between(&g, ' ', '~');
}

/* The first key of any action: all are as likely. */
static int action_key(void)
{
	const enum ui_action a = (enum ui_action)gen_below(&g, UI_DO_COUNT);
	return ui_key_parse(ui_action_info(a)->keys);
}

static void type(const char *text)
{
	for (; *text; text++)
		press(harmless((unsigned char)*text));
}

/* What makes sense in a form for a size. */
static void fill_size(void)
{
	static const char *const size_table[] = { "1M",  "25%", "max", "63s", "10G",  "+1M",
						  "-1M", "0",   "x",   "99P", "4096B" };
	const int moves[] = { UI_KEY_UP, UI_KEY_DOWN, UI_KEY_PAGE_UP, UI_KEY_PAGE_DOWN };
	if (chance(3))
		type(size_table[gen_below(&g, sizeof(size_table) / sizeof(size_table[0]))]);
	else if (chance(4))
		press(UI_KEY_TAB);
	else
		press(moves[gen_below(&g, 4)]);
	if (chance(3))
		press(UI_KEY_ENTER);
}

static void point(enum ui_mouse_kind kind, int row, int col)
{
	const struct ui_mouse m = { .kind = kind, .row = row, .col = col };
	remember("mouse%d:%d,%d", (int)kind, row, col);
	note_view();
	ui_app_mouse(&e.app, &e.canvas, &m);
	e.app.wants_quit = false;
}

/* Whatever a click does there, it writes nothing and names no file. */
static void click_anywhere(void)
{
	const int row = (int)gen_below(&g, (uint64_t)e.canvas.rows + 2) - 1,
		  col = (int)gen_below(&g, (uint64_t)e.canvas.cols + 2) - 1;
	draw(); /* a person clicks on what he sees */
	point((enum ui_mouse_kind)gen_below(&g, UI_MOUSE_WHEEL_DOWN + 1), row, col);
}

/* Presses somewhere in the bar, most often where something begins or ends, and pulls. */
static void drag_an_edge(void)
{
	const int rows = (int)gen_between(&g, 3, 6);
	int col = (int)gen_below(&g, (uint64_t)e.canvas.cols);
	draw();
	point(UI_MOUSE_PRESS, rows, col);
	for (uint64_t n = gen_below(&g, 5); n > 0; n--) {
		col += (int)gen_below(&g, 9) - 4;
		point(UI_MOUSE_DRAG, rows, col);
		dragged += is_front("sizing");
		if (chance(3))
			draw();
	}
	if (!chance(8))
		point(UI_MOUSE_RELEASE, rows, col);
}

static void resize_window(void)
{
	int rows = 24, cols = 80;
	if (chance(30)) {
		rows = (int)gen_between(&g, 1, 200);
		cols = (int)gen_between(&g, 1, 500);
	} else if (chance(2)) {
		rows = (int)gen_between(&g, 20, 50);
		cols = (int)gen_between(&g, 70, 140);
	}
	remember("%dx%d", cols, rows);
	ui_canvas_release(&e.canvas);
	ui_canvas_init(&e.canvas, rows, cols, chance(3));
	draw();
}

static void open_disk(void)
{
	struct af_err err = { 0 };
	e.session = af_session_open("disk.img", &e.options, &err);
	HOLDS(e.session != NULL, err.text);
	if (!chance(4))
		af_session_probe(e.session, 0);
	ui_app_init(&e.app, e.session, &e.options);
}

/* Types the word, and lets the disk fail in the middle sometimes. True if it was asked for. */
static bool say_yes(bool fails)
{
	if (!is_front("line") || strcmp(e.app.picture.disk.path, "disk.img") != 0)
		return false;
	remember(fails ? "yes-and-it-breaks-off" : "yes");
	tap.fail_at[TAP_WRITE] = fails ? tap.count[TAP_WRITE] + gen_between(&g, 1, 4) : 0;
	tap.fail_with = EIO;
	tap.fail_on = true;
	ui_app_key(&e.app, 'y');
	ui_app_key(&e.app, 'e');
	ui_app_key(&e.app, 's');
	ui_app_key(&e.app, UI_KEY_ENTER);
	tap.fail_at[TAP_WRITE] = 0;
	written += tap.count[TAP_WRITE] > e.writes;
	e.writes = tap.count[TAP_WRITE];
	return true;
}

/* The one way to change the disk. What broke off is found by the next one who opens it. */
static void write_all_of_it(void)
{
	const bool fails = chance(3);
	while (e.app.nlayers > 1)
		ui_app_pop(&e.app);
	press('W');
	if (is_front("choice")) /* a write was interrupted: finish it, or go back */
		press(chance(2) ? 'f' : 'b');
	if (!say_yes(fails) || !fails)
		return;
	ui_app_release(&e.app);
	open_disk();
	broken_off += af_session_unfinished(e.session) != NULL;
	draw();
}

static void act(void)
{
	const bool sizing = is_front("sizing"), review = is_front("review");
	if (chance(100))
		resize_window();
	else if (chance(400))
		write_all_of_it();
	else if (chance(12))
		click_anywhere();
	else if (chance(25))
		drag_an_edge();
	else if (sizing && !chance(4))
		fill_size();
	else if (review && chance(3))
		press(chance(2) ? 'W' : UI_KEY_ESCAPE);
	else if ((is_front("messages") || is_front("offers")) && chance(4))
		press(UI_KEY_ESCAPE);
	else if (is_front("disk") && !chance(3))
		press(chance(3) ? UI_KEY_UP + (int)gen_below(&g, 8) : action_key());
	else
		press(harmless(any_key()));
}

/* Names that are wide, run the other way, or are built of several characters; where there are names. */
static void give_names(void)
{
	static const char *const name_table[] = {
		"漢字の名前は長い長い長い",
		"مرحبا بالعالم",
		"👨👩👧 🇩🇪 ☎️x",
		"é́́́́́ e",
		"हिन्दी नाम",
		"한글 x\u200b",
	};
	struct af_err err;
	struct af_text t = { 0 };
	const struct af_layout *l = af_session_disk(e.session).layout;
	for (size_t i = 0; i < l->nparts; i++)
		af_text_add(&t, "name %" PRIu32 " '%s';", l->part[i].number,
			    name_table[gen_below(&g, 6)]);
	(void)!af_session_run(e.session, af_text_get(&t), &err); /* not on every disk */
	af_text_release(&t);
	ui_app_refresh(&e.app, 0);
}

static void check_round(void)
{
	const struct scene *s = scene_table;
	uint64_t all = 0, at;
	for (size_t i = 0; i < SCENES; i++)
		all += scene_table[i].weight;
	for (at = gen_below(&g, all); at >= s->weight; s++)
		at -= s->weight;
	e = (struct editor){ .keys = 0 };
	e.options.read_only = s->read_only;
	e.options.overrides.has_sector_size = s->sector_size != 0;
	e.options.overrides.sector_size = s->sector_size;
	disk_make("disk.img", s->words);
	open_disk();
	if (chance(3))
		give_names();
	tap_begin("disk.img", NULL);
	ui_canvas_init(&e.canvas, 24, 80, chance(4));
	draw();
	while (e.keys < KEYS) {
		act();
		check_state();
		if (chance(5))
			draw();
	}
	tap_end();
	ui_app_release(&e.app);
	ui_canvas_release(&e.canvas);
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);
	return value ? strtoull(value, NULL, 10) : otherwise;
}

/* A test that never gets anywhere proves nothing. */
static void check_coverage(uint64_t rounds)
{
	for (size_t i = 0; i < VIEWS; i++)
		print_message("%s: %" PRIu64 " keys\n", view_table[i].name,
			      view_table[i].keys);
	print_message("%" PRIu64 " drags, %" PRIu64 " writes, %" PRIu64 " broken off\n",
		      dragged, written, broken_off);
	if (rounds < ROUNDS)
		return;
	for (size_t i = 0; i < VIEWS; i++)
		HOLDS(view_table[i].keys > 100, view_table[i].name);
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++)
		HOLDS(acted[a] > 0, ui_action_info(a)->help);
	HOLDS(dragged > 100, "edges were dragged");
	HOLDS(written > 10, "something was written");
	HOLDS(broken_off > 3, "a write broke off");
}

static void prop_keys__nothing_is_written_without_the_word(void **state)
{
	uint64_t rounds = from_environment("ROUNDS", ROUNDS);
	uint64_t first = from_environment("SEED", (uint64_t)time(NULL) * 1000);
	(void)state;
	print_message("SEED=%" PRIu64 "\n", first);
	for (uint64_t i = 0; i < rounds; i++) {
		seed = first + i;
		g = (struct gen){ seed };
		check_round();
	}
	check_coverage(rounds);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");
	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-keys-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root) || chdir(root) != 0)
		return -1;
	return setenv("XDG_STATE_HOME", root, 1);
}

static int teardown(void **state)
{
	(void)state;
	return chdir("/") == 0 ? folder_remove(root) : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			prop_keys__nothing_is_written_without_the_word, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
