/*
 * A write that was interrupted: finish it, go back, or only look. Both ends want the word that every write wants; until
 * one is reached the session takes no edit, and whoever tries is asked again.
 */
#include "unfinished.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "form.h"

enum answer { LOOK, FINISH, BACK, QUIT };

static void carry_out(struct ui_app *app, enum af_way way)
{
	struct af_commit_report report = { 0 };
	struct af_err err = { 0 };
	const bool ok = af_session_finish(app->session, way, &report, &err);
	ui_app_refresh(app, 0);
	if (ok)
		ui_app_say(app, UI_ROLE_GOOD, "%s: %zu sector%s written%s%s",
			   way == AF_WAY_ON ? "finished" : "taken back", report.sectors,
			   report.sectors == 1 ? "" : "s", report.kernel[0] ? ". " : "",
			   report.kernel);
	else
		ui_app_say(app, UI_ROLE_BAD, "%s", err.text);
	if (!ok && err.code == AF_E_PARTIAL)
		app->status = 3;
	memcpy(app->farewell, app->message, sizeof(app->farewell));
}

static void finish_now(struct ui_app *app)
{
	carry_out(app, AF_WAY_ON);
}

static void go_back_now(struct ui_app *app)
{
	carry_out(app, AF_WAY_BACK);
}

static void finish(struct ui_app *app, const char *word)
{
	ui_app_write(app, word, finish_now);
}

static void go_back(struct ui_app *app, const char *word)
{
	ui_app_write(app, word, go_back_now);
}

static void ask_word(struct ui_app *app, enum af_way way)
{
	char question[160];
	struct af_patch patch;
	struct af_err err;
	const struct ui_line_form form = {
		.question = question,
		.hint = "yes and Enter: write  Esc: do not write",
		.initial = "",
		.done = way == AF_WAY_ON ? finish : go_back,
	};
	if (!af_session_finish_patch(app->session, way, &patch, &err)) {
		ui_app_say(app, UI_ROLE_BAD, "%s", err.text);
		return;
	}
	const int64_t n =
		af_sectors(af_patch_bytes(&patch), app->picture.disk.layout->sector_size);
	snprintf(question, sizeof(question),
		 "%s: write %" PRId64 " sector%s to %.60s? Type yes:",
		 way == AF_WAY_ON ? "Finish" : "Go back", n, n == 1 ? "" : "s",
		 app->picture.disk.path);
	af_patch_release(&patch);
	ui_form_line(app, &form);
}

static void chosen(struct ui_app *app, int value)
{
	if (value == FINISH)
		ask_word(app, AF_WAY_ON);
	else if (value == BACK)
		ask_word(app, AF_WAY_BACK);
	else if (value == LOOK)
		ui_app_say(app, UI_ROLE_WARN,
			   "nothing is changed: W asks again what becomes of the "
			   "interrupted write");
	app->wants_quit = value == QUIT;
}

bool ui_unfinished_ask(struct ui_app *app)
{
	static const struct ui_choice item[] = {
		{ "Look", "change nothing; any edit and W ask again", LOOK },
		{ "Finish", "write the rest: the table becomes what was wanted", FINISH },
		{ "Back", "put back what was written: the table becomes the old one",
		  BACK },
		{ "Quit", "leave; the disk stays as it is", QUIT },
	};
	const struct af_unfinished *u = af_session_unfinished(app->session);
	char question[120];
	if (!u || !af_session_may_write(app->session))
		return false;
	snprintf(question, sizeof(question),
		 "A write was interrupted: %zu of its %zu sectors %s new. Finish it?",
		 u->fresh, u->fresh + u->old, u->fresh == 1 ? "is" : "are");
	ui_form_choice(app, question, item, 4, chosen);
	return true;
}
