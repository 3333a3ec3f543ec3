/*
 * The top of the main screen: device, model and size; label and identity; sector sizes with where each comes
 * from, and the grain. What does not fit is left out from the right, the device's path from its left.
 */
#include "header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "4096 B", "192 KiB", "1 MiB": a size that has to be exact. */
static void add_size(struct af_text *t, af_bytes n)
{
	if (n >= AF_MIB && n % AF_MIB == 0)
		af_text_add(t, "%" PRId64 " MiB", n / AF_MIB);
	else if (n >= 16 * AF_KIB && n % AF_KIB == 0)
		af_text_add(t, "%" PRId64 " KiB", n / AF_KIB);
	else
		af_text_add(t, "%" PRId64 " B", n);
}

static void add_sourced(struct af_text *t, const char *what, af_bytes n,
			enum af_source source)
{
	af_text_add(t, "%s ", what);
	add_size(t, n);
	af_text_add(t, " (%s)", af_source_name(source));
}

static const char *state_words(const struct ui_app *app)
{
	if (app->picture.preview)
		return "preview";
	if (af_session_unfinished(app->session))
		return "write interrupted";
	if (!af_scheme_is_ours(app->picture.disk.layout->scheme))
		return af_session_modified(app->session)    ? "begun without a table"
		       : af_session_read_only(app->session) ? "read-only"
							    : "";
	if (af_session_modified(app->session))
		return af_session_may_write(app->session) ? "modified"
							  : "modified, read-only";
	return af_session_read_only(app->session) ? "read-only" : "";
}

/* The seconds until all partitions are known, at the rate so far; 0 if nobody can say yet. */
static long seconds_left(const struct ui_app *app, size_t known)
{
	const time_t now = ui_messages_now(&app->messages);
	const size_t n = app->picture.disk.contents->n;
	if (app->looking_since == 0 || now < app->looking_since + 2 ||
	    known <= app->looked_before)
		return 0;
	const long ago = (long)(now - app->looking_since); /* the life of a program */
	return ago * (long)(n - known) / (long)(known - app->looked_before) + 1;
}

/* How far looking into the partitions has come, while some but not all are known: a slow disk takes its time. */
static void progress_words(const struct ui_app *app, char *buf, size_t size)
{
	const size_t n = app->picture.disk.contents->n;
	buf[0] = '\0';
	if (af_session_probe_fd(app->session) < 0)
		return;
	const size_t known = ui_app_known(app);
	if (known == 0 || known == n)
		return;
	const long left = seconds_left(app, known);
	snprintf(buf, size, "looked into %zu of %zu", known, n);
	if (left > 0)
		snprintf(buf + strlen(buf), size - strlen(buf), ", %ld s left", left);
	af_text_join(buf, size, strlen(buf), "  ");
}

static void draw_device(const struct ui_app *app, struct ui_canvas *c)
{
	const struct af_disk *d = &app->picture.disk;
	char state[80];
	progress_words(app, state, sizeof(state));
	af_text_join(state, sizeof(state), strlen(state), state_words(app));
	const char *path = d->path;
	const int state_col = c->cols - ui_canvas_width(state);
	char size[AF_SHORT];
	bool cut = false;
	while (ui_canvas_width(path) > c->cols / 2) {
		path++;
		cut = true;
	}
	int col = ui_canvas_text(c, 0, 0, c->cols, UI_ROLE_TITLE, "Disk: ");
	col += ui_canvas_printf(c, 0, col, c->cols, UI_ROLE_TITLE, "%s%s  %s",
				cut ? "..." : "", path, af_text_size(d->topo->size, size));
	if (d->topo->model[0])
		ui_canvas_printf(c, 0, col, state_col - col - 1, UI_ROLE_TEXT, "  %s",
				 d->topo->model);
	ui_canvas_text(c, 0, state_col, c->cols, UI_ROLE_WARN, state);
}

/* Half of an identity says nothing: its word is shortened first, then it is left out. */
static void add_id(const struct af_layout *l, size_t cols, struct af_text *t)
{
	static const char *const word_table[] = { "identifier", "id" };
	char id[40];
	af_scheme_id_text(l->scheme, l->disk_id, id);
	for (size_t i = 0; i < 2 && id[0] != '\0'; i++)
		if (t->len + strlen(word_table[i]) + strlen(id) + 3 <= cols) {
			af_text_add(t, ", %s %s", word_table[i], id);
			return;
		}
}

static void draw_label(const struct ui_app *app, struct ui_canvas *c)
{
	const struct af_disk *d = &app->picture.disk;
	const struct af_layout *l = d->layout;
	struct af_text t = { 0 };
	char sectors[40];
	af_text_add(&t, "Label: %s%s", af_report_label(d),
		    l->hybrid != AF_HYBRID_NONE ? ", hybrid MBR" : "");
	if (l->sector_size != d->topo->sector_size)
		af_text_add(&t, " in sectors of %" PRIu32 " B", l->sector_size);
	if (*af_layout_state(l) != '\0')
		af_text_add(&t, ", %s", af_layout_state(l));
	add_id(l, (size_t)c->cols, &t);
	if (d->holds != NULL && d->holds[0] != '\0')
		af_text_add(&t, ", on it: %s", d->holds);
	snprintf(sectors, sizeof(sectors), ", %" PRId64 " sectors",
		 af_sectors(l->disk_size, l->sector_size));
	if (t.len + strlen(sectors) <= (size_t)c->cols) /* half of it says nothing */
		af_text_add(&t, "%s", sectors);
	ui_canvas_text(c, 1, 0, c->cols, UI_ROLE_TEXT, af_text_get(&t));
	af_text_release(&t);
}

static void draw_sectors(const struct ui_app *app, struct ui_canvas *c)
{
	const struct af_topo *topo = app->picture.disk.topo;
	struct af_text t = { 0 };
	add_sourced(&t, "Sector", topo->sector_size, topo->sector_source);
	add_sourced(&t, ", physical", topo->physical, topo->physical_source);
	if (topo->offset_unknown)
		af_text_add(&t, ", offset unknown");
	if (topo->alignment_offset > 0)
		add_sourced(&t, ", offset", topo->alignment_offset, topo->offset_source);
	af_text_add(&t, ", grain ");
	add_size(&t, app->picture.disk.rules->grain.step);
	if (app->picture.disk.rules->check.step != topo->physical) {
		af_text_add(&t, ", check ");
		add_size(&t, app->picture.disk.rules->check.step);
	}
	if (topo->reported_physical > 0 && topo->reported_physical != topo->physical) {
		af_text_add(&t, ", the device says ");
		add_size(&t, topo->reported_physical);
	}
	if (af_align_doubt(topo)) {
		af_text_add(&t, ", optimal I/O ");
		add_size(&t, topo->optimal_io);
		af_text_add(&t, " is bogus");
	}
	ui_canvas_text(c, 2, 0, c->cols, UI_ROLE_TEXT, af_text_get(&t));
	af_text_release(&t);
}

void ui_header_draw(const struct ui_app *app, struct ui_canvas *c)
{
	draw_device(app, c);
	draw_label(app, c);
	draw_sectors(app, c);
}
