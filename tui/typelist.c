/*
 * A box with all types of the table's kind, those that people use first; typing narrows it to those whose name or
 * code, or what else they are called, has the typed text in it.
 */
#include "typelist.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form.h"
#include "input.h"

#define LIST_TOP 3 /* the row of the first type */

struct typelist {
	const struct af_types *types;
	enum af_scheme scheme;
	uint32_t number; /* of the partition */
	char title[120];
	struct ui_input search;
	size_t *order; /* indexes into types: the common ones, then the others */
	size_t *match; /* of those the ones that the search leaves */
	size_t n, at, top, page;
};

/* Two digits on an MBR, as in the table; the GUID on a GPT. */
static void code_text(const struct typelist *s, size_t type, char buf[40])
{
	const uint8_t *id = s->types->type[type].id;
	if (s->scheme == AF_SCHEME_MBR)
		snprintf(buf, 40, "%02x", (unsigned)id[0]);
	else
		af_scheme_type_text(s->scheme, id, buf);
}

/* What nearly every partition is, the most frequent first. */
static const char *const mbr_table[] = { "83", "82", "07", "ef", "0c", "8e", "fd", NULL };
static const char *const extended_table[] = { "05", "0f", NULL };
static const char *const gpt_table[] = {
	"0FC63DAF-8483-4772-8E79-3D69D8477DE4", /* Linux filesystem */
	"C12A7328-F81F-11D2-BA4B-00A0C93EC93B", /* EFI System */
	"0657FD6D-A4AB-43C4-84E5-0933C84B4F4F", /* Linux swap */
	"EBD0A0A2-B9E5-4433-87C0-68B6B72699C7", /* Microsoft basic data */
	"E6D6D379-F507-44C2-A23C-238F2A3DF928", /* Linux LVM */
	"A19D880F-05FC-4D3B-A006-743F0F84911E", /* Linux RAID */
	"21686148-6449-6E6F-744E-656564454649", /* BIOS boot */
	"E3C9E316-0B5C-4DB8-817D-F92DF00215AE", /* Microsoft reserved */
	"DE94BBA4-06D1-4D40-A16A-BFD50179D6AC", /* Windows recovery environment */
	"4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709", /* Linux root (x86-64) */
	"933AC7E1-2EB4-4F13-B844-0E14E2AEF915", /* Linux home */
	NULL
};

static const char *const *common_types(enum af_scheme scheme, bool extended)
{
	if (scheme == AF_SCHEME_GPT)
		return gpt_table;
	return extended ? extended_table : mbr_table;
}

/* The place of a type in that list; its length if it is none of them. */
static size_t rank(const struct typelist *s, const char *const *common, size_t type)
{
	char code[40];
	size_t i = 0;
	code_text(s, type, code);
	while (common[i] && strcmp(common[i], code) != 0)
		i++;
	return i;
}

static void put_in_order(struct typelist *s, const char *const *common)
{
	size_t n = 0, last = 0;
	while (common[last])
		last++;
	for (size_t wanted = 0; wanted <= last; wanted++)
		for (size_t i = 0; i < s->types->n; i++)
			if (rank(s, common, i) == wanted)
				s->order[n++] = i;
}

/* What people call a type that has another name in the list. */
static const struct {
	const char *code, *words;
} also_table[] = {
	{ "ef", "esp uefi boot" },
	{ "07", "windows" },
	{ "0c", "windows esp" },
	{ "27", "windows recovery" },
	{ "fd", "mdadm md" },
	{ "C12A7328-F81F-11D2-BA4B-00A0C93EC93B", "esp uefi boot" },
	{ "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7", "windows ntfs fat32 vfat exfat" },
	{ "E3C9E316-0B5C-4DB8-817D-F92DF00215AE", "windows msr" },
	{ "21686148-6449-6E6F-744E-656564454649", "grub bios_grub" },
	{ "A19D880F-05FC-4D3B-A006-743F0F84911E", "mdadm md" },
};

static bool is_called(const char *code, const char *search)
{
	for (size_t i = 0; i < sizeof(also_table) / sizeof(also_table[0]); i++)
		if (strcmp(also_table[i].code, code) == 0 &&
		    strcasestr(also_table[i].words, search))
			return true;
	return false;
}

static bool fits(const struct typelist *s, size_t type)
{
	char code[40];
	code_text(s, type, code);
	return strcasestr(s->types->type[type].name, s->search.text) ||
	       strcasestr(code, s->search.text) || is_called(code, s->search.text);
}

static void narrow(struct typelist *s, bool all)
{
	s->n = 0;
	s->at = 0;
	for (size_t i = 0; i < s->types->n; i++)
		if (all || fits(s, s->order[i]))
			s->match[s->n++] = s->order[i];
}

static void select_type(struct typelist *s, const uint8_t id[16])
{
	for (size_t i = 0; i < s->n; i++)
		if (memcmp(s->types->type[s->match[i]].id, id, 16) == 0)
			s->at = i;
}

static void draw_rows(struct typelist *s, struct ui_canvas *c, struct ui_rect r)
{
	char code[40];
	const size_t rows = (size_t)r.rows; /* positive: the box has a fixed margin */
	const int code_cols = s->scheme == AF_SCHEME_GPT ? 37 : 4;
	s->page = rows;
	if (s->at < s->top)
		s->top = s->at;
	if (s->at >= s->top + rows)
		s->top = s->at - rows + 1;
	for (size_t i = 0; i < rows && s->top + i < s->n; i++) {
		const size_t type = s->match[s->top + i];
		const bool here = s->top + i == s->at;
		const enum ui_role role = here ? UI_ROLE_SELECTED : UI_ROLE_TEXT;
		const int row = r.row + (int)i; /* below rows */
		ui_canvas_fill(c, row, r.col, r.cols, role, " ");
		code_text(s, type, code);
		ui_canvas_text(c, row, r.col + 1, code_cols, role, code);
		ui_canvas_text(c, row, r.col + 1 + code_cols, r.cols - code_cols - 2, role,
			       s->types->type[type].name);
	}
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	struct typelist *s = state;
	const int cols = c->cols, rows = c->rows - UI_FOOT_ROWS - 1;
	const struct ui_rect box = { 1, 0, rows, cols };
	const struct ui_rect list = { LIST_TOP, box.col + 1, rows - 3, cols - 2 };
	(void)app;
	ui_form_foot(
		c,
		"Type to search  Up Down PgUp PgDn: select  Enter: take it  Esc: cancel");
	ui_canvas_box(c, box, UI_ROLE_TEXT, s->title);
	ui_canvas_text(c, box.row + 1, box.col + 2, 10, UI_ROLE_TEXT, "Search:");
	ui_input_draw(&s->search, c, (struct ui_rect){ box.row + 1, box.col + 10, 1, 30 },
		      true);
	ui_canvas_printf(c, box.row + 1, box.col + 43, 30, UI_ROLE_DIM, "%zu of %zu", s->n,
			 s->types->n);
	if (s->n == 0)
		ui_canvas_text(c, list.row, list.col + 1, list.cols, UI_ROLE_WARN,
			       "no type has that in its name or code");
	draw_rows(s, c, list);
	if (s->top > 0)
		ui_canvas_glyph(c, list.row, box.col + cols - 1, 1, UI_ROLE_KEY,
				UI_GLYPH_MORE_UP);
	if (s->top + s->page < s->n)
		ui_canvas_glyph(c, list.row + list.rows - 1, box.col + cols - 1, 1,
				UI_ROLE_KEY, UI_GLYPH_MORE_DOWN);
}

static void take(struct ui_app *app, const struct typelist *s)
{
	if (s->n == 0)
		return;
	struct af_command cmd = { .verb = AF_VERB_TYPE, .number = s->number };
	af_scheme_type_text(s->scheme, s->types->type[s->match[s->at]].id, cmd.type_word);
	const char *name = s->types->type[s->match[s->at]].name; /* outlives the list */
	ui_app_pop(app);
	if (ui_app_do(app, &cmd))
		ui_app_say(app, UI_ROLE_GOOD,
			   "done: partition %" PRIu32 " is now %s (Ctrl-Z takes it back)",
			   cmd.number, name);
}

static void move(struct typelist *s, int key)
{
	const size_t step = key == UI_KEY_PAGE_UP || key == UI_KEY_PAGE_DOWN ? s->page : 1;
	const size_t last = s->n > 0 ? s->n - 1 : 0;
	if (key == UI_KEY_UP || key == UI_KEY_PAGE_UP)
		s->at = s->at > step ? s->at - step : 0;
	else
		s->at = s->at + step < last ? s->at + step : last;
}

static void key(struct ui_app *app, void *state, int pressed)
{
	struct typelist *s = state;
	bool changed = false;
	if (pressed == UI_KEY_ESCAPE || pressed == UI_KEY_CTRL('C'))
		ui_app_pop(app);
	else if (pressed == UI_KEY_ENTER)
		take(app, s);
	else if (pressed == UI_KEY_UP || pressed == UI_KEY_DOWN ||
		 pressed == UI_KEY_PAGE_UP || pressed == UI_KEY_PAGE_DOWN)
		move(s, pressed);
	else if (ui_input_key(&s->search, pressed, &changed) && changed)
		narrow(s, false);
}

/* The first click selects a type, one more takes it. */
static bool mouse(struct ui_app *app, void *state, const struct ui_mouse *m)
{
	struct typelist *s = state;
	const int line = m->row - LIST_TOP;
	if (m->kind != UI_MOUSE_PRESS || line < 0 || (size_t)line >= s->page ||
	    s->top + (size_t)line >= s->n)
		return false;
	if (s->at == s->top + (size_t)line)
		take(app, s);
	else
		s->at = s->top + (size_t)line;
	return true;
}

static void close(struct ui_app *app, void *state)
{
	struct typelist *s = state;
	(void)app;
	free(s->order);
	free(s->match);
	free(s);
}

static const struct ui_view typelist_view = {
	.name = "types", .draw = draw, .key = key, .mouse = mouse, .close = close
};

void ui_typelist_open(struct ui_app *app)
{
	const struct af_part *part = ui_app_part(app);
	const struct af_disk *d = &app->picture.disk;
	struct typelist *s = af_alloc(1, sizeof(*s));
	char name[60];
	s->types = d->types;
	s->scheme = d->layout->scheme;
	s->number = part->number;
	s->match = af_alloc(d->types->n + 1, sizeof(*s->match));
	s->order = af_alloc(d->types->n + 1, sizeof(*s->order));
	put_in_order(s, common_types(s->scheme, part->role == AF_ROLE_EXTENDED));
	snprintf(s->title, sizeof(s->title), "Type of %s: now %.48s",
		 ui_app_part_name(app, part->number, name, sizeof(name)),
		 af_scheme_type_name(d->types, part->type));
	ui_input_set(&s->search, "");
	narrow(s, true);
	select_type(s, part->type);
	ui_app_push(app, &typelist_view, s);
}
