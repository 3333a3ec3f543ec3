/*
 * The disk chooser: what its keys do. A disk is opened in two steps: first somebody else reads its table, so that no key waits for a
 * disk that does not answer; when that went well it is opened here, with everything already in memory. The one that
 * the running system is on is opened after a question only.
 */
#include "chooser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "chooser_priv.h"
#include "form.h"
#include "help.h"

const struct af_disk_facts *ui_chooser_selected(const struct ui_chooser *s)
{
	return s->selected < s->n ? &s->disk[s->selected] : NULL;
}

bool ui_chooser_offers(const struct ui_app *app, const struct ui_chooser *s,
		       enum ui_chooser_item item)
{
	if (item == UI_CHOOSER_OPEN)
		return s->n > 0;
	return item != UI_CHOOSER_BACK || app->session != NULL;
}

enum ui_chooser_item ui_chooser_item(const struct ui_app *app, const struct ui_chooser *s)
{
	return ui_chooser_offers(app, s, s->menu) ? s->menu : UI_CHOOSER_PATH;
}

/* --- opening ------------------------------------------------------------------------------------------- */

void ui_chooser_try(struct ui_chooser *s, const char *path)
{
	snprintf(s->opening, sizeof(s->opening), "%s", path);
	af_disks_try(s->disks, path);
}

bool ui_chooser_give_up(struct ui_app *app, struct ui_chooser *s)
{
	if (s->opening[0] == '\0')
		return false;
	af_disks_try_no_more(s->disks);
	ui_app_say(app, UI_ROLE_WARN, "%s was not opened", s->opening);
	s->opening[0] = '\0';
	return true;
}

/* The chooser is gone afterwards, unless that fails. */
static void open_now(struct ui_app *app, const char *path, bool read_only)
{
	struct af_session_options o = af_disks_options(&app->options, path);
	struct af_err err = { 0 };
	o.read_only = o.read_only || read_only;
	struct af_session *session = af_session_open(path, &o, &err);
	if (session)
		ui_app_open(app, session);
	else
		ui_app_say(app, UI_ROLE_BAD, "%s", err.text);
}

enum answer { STAY, LOOK, EDIT };

static void system_chosen(struct ui_app *app, int value)
{
	char path[256];
	memcpy(path, app->maybe_chooser->asked, sizeof(path));
	if (value != STAY)
		open_now(app, path, value == LOOK);
}

static void ask_system(struct ui_app *app, struct ui_chooser *s,
		       const struct af_disk_facts *disk)
{
	static const struct ui_choice item[] = {
		{ "Stay", "go on choosing: it is not opened", STAY },
		{ "Look", "open it read-only: nothing can be written", LOOK },
		{ "Open", "edit it: nothing is written before the review and the word yes",
		  EDIT },
	};
	char question[240];
	snprintf(s->asked, sizeof(s->asked), "%s", disk->path);
	snprintf(question, sizeof(question),
		 "THE RUNNING SYSTEM IS ON %.60s (%.90s). Open it?", disk->path,
		 disk->used);
	ui_form_choice(app, question, item, 3, system_chosen);
}

static void tell_closed(struct ui_app *app, const struct af_disk_facts *disk)
{
	if (strncmp(disk->why, disk->path, strlen(disk->path)) == 0)
		ui_app_say(app, UI_ROLE_BAD, "%s", disk->why);
	else
		ui_app_say(app, UI_ROLE_BAD, "cannot open %s: %s", disk->path, disk->why);
}

void ui_chooser_tried(struct ui_app *app, const struct af_disk_facts *disk)
{
	struct ui_chooser *s = app->maybe_chooser;
	s->opening[0] = '\0';
	if (disk->state == AF_DISK_CLOSED)
		tell_closed(app, disk);
	else if (disk->is_system)
		ask_system(app, s, disk);
	else
		open_now(app, disk->path, false);
}

/* --- what comes in ------------------------------------------------------------------------------------- */

static void pick_row(struct ui_chooser *s, size_t at)
{
	s->selected = at;
	if (at < s->n)
		snprintf(s->chosen, sizeof(s->chosen), "%s", s->disk[at].path);
}

void ui_chooser_show(struct ui_app *app, const struct af_disk_facts *disk, size_t n)
{
	struct ui_chooser *s = app->maybe_chooser;
	size_t at = 0;
	s->disk = disk;
	s->n = n;
	s->is_started = true;
	while (at < n && strcmp(disk[at].path, s->chosen) != 0)
		at++;
	if (at == n && s->chosen[0])
		ui_app_say(app, UI_ROLE_WARN, "%s is gone", s->chosen);
	if (at == n) {
		s->chosen[0] = '\0';
		at = s->selected < n ? s->selected : n > 0 ? n - 1 : 0;
	}
	pick_row(s, at);
}

void ui_chooser_refresh(struct ui_app *app)
{
	struct ui_chooser *s = app->maybe_chooser;
	struct af_err err = { 0 };
	size_t n;
	const bool listed = af_disks_refresh(s->disks, &err);
	snprintf(s->trouble, sizeof(s->trouble), "%.299s", listed ? "" : err.text);
	const struct af_disk_facts *disk = af_disks_list(s->disks, &n);
	ui_chooser_show(app, disk, n);
}

void ui_chooser_start(struct ui_app *app)
{
	if (!app->maybe_chooser->is_started)
		ui_chooser_refresh(app);
}

int ui_chooser_fd(const struct ui_app *app)
{
	return af_disks_fd(app->maybe_chooser->disks);
}

void ui_chooser_take(struct ui_app *app)
{
	struct ui_chooser *s = app->maybe_chooser;
	size_t n;
	if (!af_disks_take(s->disks))
		return;
	const struct af_disk_facts *disk = af_disks_list(s->disks, &n);
	ui_chooser_show(app, disk, n);
	const struct af_completion *names = af_disks_completed(s->disks);
	if (names)
		ui_chooser_go_on(app, s, names);
	const struct af_disk_facts *one = af_disks_tried(s->disks);
	if (one && s->opening[0])
		ui_chooser_tried(app, one); /* the last: s may be gone */
}

/* --- keys ---------------------------------------------------------------------------------------------- */

static void go_back(struct ui_app *app, struct ui_chooser *s)
{
	if (ui_chooser_give_up(app, s))
		return;
	if (app->session)
		ui_app_pop(app);
	else
		ui_app_say(app, UI_ROLE_WARN, "no disk is open to go back to: q leaves");
}

static void select_row(struct ui_chooser *s, enum ui_action a)
{
	const size_t last = s->n > 0 ? s->n - 1 : 0, page = s->page > 1 ? s->page - 1 : 1,
		     step = a == UI_DO_UP || a == UI_DO_DOWN ? 1 : page;
	size_t to = s->selected;
	if (a == UI_DO_FIRST)
		to = 0;
	else if (a == UI_DO_LAST)
		to = last;
	else if (a == UI_DO_UP || a == UI_DO_PAGE_UP)
		to = to > step ? to - step : 0;
	else
		to += step;
	pick_row(s, to < last ? to : last);
}

static void run(struct ui_app *app, struct ui_chooser *s, enum ui_chooser_item item)
{
	switch (item) {
	case UI_CHOOSER_OPEN:
		ui_chooser_try(s, s->disk[s->selected].path);
		break;
	case UI_CHOOSER_PATH:
		ui_chooser_type(s, "");
		break;
	case UI_CHOOSER_REFRESH:
		ui_chooser_refresh(app);
		break;
	case UI_CHOOSER_BACK:
		go_back(app, s);
		break;
	case UI_CHOOSER_HELP:
		ui_help_open(app);
		break;
	case UI_CHOOSER_QUIT:
		ui_ask_quit(app);
		break;
	case UI_CHOOSER_ITEMS:
		break;
	}
}

static void select_item(struct ui_app *app, struct ui_chooser *s, int step)
{
	int item = (int)ui_chooser_item(app, s);
	do
		item = (item + step + UI_CHOOSER_ITEMS) % UI_CHOOSER_ITEMS;
	while (!ui_chooser_offers(app, s, (enum ui_chooser_item)item));
	s->menu = (enum ui_chooser_item)item; /* below UI_CHOOSER_ITEMS */
}

/* The keys that mean here what they mean on the main screen. */
static void common_key(struct ui_app *app, struct ui_chooser *s, int key)
{
	const enum ui_action a = ui_action_of_key(key);
	if (a == UI_DO_QUIT)
		run(app, s, UI_CHOOSER_QUIT);
	else if (a == UI_DO_HELP)
		run(app, s, UI_CHOOSER_HELP);
	else if (a == UI_DO_MESSAGES)
		ui_messages_open(app);
	else if (a == UI_DO_MENU_NEXT || a == UI_DO_MENU_BACK)
		select_item(app, s, a == UI_DO_MENU_NEXT ? 1 : -1);
	else if (a == UI_DO_UP || a == UI_DO_DOWN || a == UI_DO_PAGE_UP ||
		 a == UI_DO_PAGE_DOWN || a == UI_DO_FIRST || a == UI_DO_LAST)
		select_row(s, a);
	else
		ui_app_say(app, UI_ROLE_WARN,
			   "this key does nothing here: Enter opens, p types a path, Esc "
			   "goes back, q leaves");
}

static void list_key(struct ui_app *app, struct ui_chooser *s, int key)
{
	const char text[] = { (char)(key < 0x80 ? key : 0), '\0' }; /* ASCII */
	if (key == UI_KEY_ENTER)
		run(app, s, ui_chooser_item(app, s));
	else if (key == UI_KEY_ESCAPE)
		go_back(app, s);
	else if (key == '/' || key == '~' || key == '.')
		ui_chooser_type(s, text);
	else if (key == 'p' || key == 'P' || key == 'o' || key == 'O')
		ui_chooser_type(s, "");
	else if (key == 'r' || key == 'R')
		ui_chooser_refresh(app);
	else
		common_key(app, s, key);
}

static void key(struct ui_app *app, void *state, int pressed)
{
	struct ui_chooser *s = state;
	if (s->typing)
		ui_chooser_path_key(app, s, pressed);
	else
		list_key(app, s, pressed);
}

/* A click selects a disk, and opens the one that is selected; one on an item of the menu does it. */
static bool mouse(struct ui_app *app, void *state, const struct ui_mouse *m)
{
	struct ui_chooser *s = state;
	const size_t at = s->top + (size_t)(m->row - UI_CHOOSER_TOP);
	const int item = ui_form_item_at(app, m->row, m->col);
	if (m->kind != UI_MOUSE_PRESS || s->typing)
		return false;
	if (m->row >= UI_CHOOSER_TOP && at < s->top + s->page && at < s->n) {
		const bool again = at == s->selected;
		pick_row(s, at);
		if (again)
			run(app, s, UI_CHOOSER_OPEN);
		return true;
	}
	for (int i = 0, n = 0; i < UI_CHOOSER_ITEMS; i++)
		if (ui_chooser_offers(app, s, (enum ui_chooser_item)i) && n++ == item) {
			run(app, s, (enum ui_chooser_item)i);
			return true;
		}
	return false;
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	ui_chooser_draw(app, state, c);
}

static void close(struct ui_app *app, void *state)
{
	struct ui_chooser *s = state;
	af_disks_free(s->disks);
	free(s);
	app->maybe_chooser = NULL;
}

static const struct ui_view chooser_view = { .name = "chooser",
					     .whole = true,
					     .draw = draw,
					     .key = key,
					     .mouse = mouse,
					     .close = close };

void ui_chooser_open(struct ui_app *app)
{
	struct ui_chooser *s = af_alloc(1, sizeof(*s));
	s->disks = af_disks_new(&app->options);
	app->maybe_chooser = s;
	app->wants_start = true;
	ui_app_push(app, &chooser_view, s);
}
