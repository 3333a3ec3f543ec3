/*
 * Warnings are steps of the plan. An edit is followed by those that it brings: the ones that were not there before it.
 * All of them are in the review.
 */
#include "warn.h"

#include <stdio.h>
#include <string.h>

static void list(const struct ui_app *app, struct af_text *out)
{
	struct af_plan plan;
	af_session_plan(app->session, &plan);
	for (size_t i = 0; i < plan.nsteps; i++)
		if (af_plan_is_warning(&plan.step[i]))
			af_text_add(out, "%s\n", plan.step[i].detail);
	af_plan_release(&plan);
}

static bool was_seen(const struct af_text *seen, const char *line, size_t len)
{
	const char *at = af_text_get(seen);
	while (*at != '\0') {
		const size_t n = strcspn(at, "\n");
		if (n == len && memcmp(at, line, n) == 0)
			return true;
		at += n + 1;
	}
	return false;
}

/* Says the first of now that is new. */
static void say_news(struct ui_app *app, const struct af_text *now)
{
	char said[sizeof(app->message)], more[60] = "";
	const char *first = NULL;
	size_t first_len = 0, n = 0;
	for (const char *at = af_text_get(now); *at != '\0';) {
		const size_t len = strcspn(at, "\n");
		if (!was_seen(&app->warned, at, len) && n++ == 0) {
			first = at;
			first_len = len;
		}
		at += len + 1;
	}
	if (!first)
		return;
	if (n > 1)
		snprintf(more, sizeof(more), " (and %zu more: v shows all)", n - 1);
	memcpy(said, app->message, sizeof(said));
	ui_app_say(app, UI_ROLE_WARN, "%.300s. Mind: %.*s%s", said, (int)first_len, first,
		   more); /* some hundred bytes */
}

void ui_warn_look(struct ui_app *app, bool tell)
{
	struct af_text now = { 0 };
	list(app, &now);
	if (tell)
		say_news(app, &now);
	af_text_release(&app->warned);
	app->warned = now;
}
