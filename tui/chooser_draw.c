/*
 * The disk chooser as it looks: a row for each disk with what decides which one it is, below that all that is known of the selected
 * one. What must not be overlooked is a word, never a colour alone.
 */
#include "chooser_priv.h"
#include "form.h"

#include <stdio.h>
#include <string.h>

#define PANE_ROWS 6 /* of the selected disk, with the line above */

/* Where the columns are; without serial numbers where width is 0. */
struct columns {
	int name, size, model, bus, serial, label, used, alignment;
};

static int longest_name(const struct ui_chooser *s)
{
	int width = 8;
	for (size_t i = 0; i < s->n; i++) {
		const int own = ui_canvas_width(s->disk[i].path);
		width = own > width ? own : width;
	}
	return width;
}

/* What is left over goes to the model, and from 120 columns on to bus and serial number. */
static struct columns place_columns(const struct ui_chooser *s, int cols)
{
	struct columns p = { .size = 6, .label = 5, .used = 17, .alignment = 19 };
	const int most = cols / 4;
	p.name = longest_name(s);
	p.name = p.name < most ? p.name : most;
	if (cols >= 120) {
		p.bus = 6;
		p.serial = 20;
		p.used = 22;
	}
	if (cols >= 160) {
		p.used = 36;
		p.alignment = 34;
	}
	const int gaps = cols >= 120 ? 8 : 6;
	p.model = cols - 2 - gaps - p.name - p.size - p.bus - p.serial - p.label - p.used -
		  p.alignment;
	return p;
}

/* Draws one cell and gives the column behind it; nothing for a column that is not there. */
static int cell(struct ui_canvas *c, int row, int col, int width, enum ui_role role,
		const char *text)
{
	if (width == 0)
		return col;
	ui_canvas_text(c, row, col, width, role, text);
	return col + width + 1;
}

static int right_cell(struct ui_canvas *c, int row, int col, int width, enum ui_role role,
		      const char *text)
{
	const int own = ui_canvas_width(text);
	ui_canvas_text(c, row, own < width ? col + width - own : col, width, role, text);
	return col + width + 1;
}

static void draw_headings(struct ui_canvas *c, const struct columns *p)
{
	const int row = UI_CHOOSER_TOP - 1;
	int col = cell(c, row, 2, p->name, UI_ROLE_TITLE, "Disk");
	col = right_cell(c, row, col, p->size, UI_ROLE_TITLE, "Size");
	col = cell(c, row, col, p->model, UI_ROLE_TITLE, "Model");
	col = cell(c, row, col, p->bus, UI_ROLE_TITLE, "Bus");
	col = cell(c, row, col, p->serial, UI_ROLE_TITLE, "Serial");
	col = cell(c, row, col, p->label, UI_ROLE_TITLE, "Label");
	col = cell(c, row, col, p->used, UI_ROLE_TITLE, "In use");
	cell(c, row, col, p->alignment, UI_ROLE_TITLE, "Alignment");
}

/* "SYSTEM / swap", "removable", "/mnt, read-only": what one should know before taking it. */
static void join_usage(const struct af_disk_facts *d, const char *read_only, char *buf,
		       size_t size)
{
	const char *word[] = { d->is_system ? "SYSTEM" : "", d->used,
			       d->read_only ? read_only : "",
			       d->removable ? "removable" : "" };
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		if (word[i][0] == '\0')
			continue;
		used = af_text_join(buf, size, used,
				    used == 0                ? ""
				    : i == 1 && d->is_system ? " "
							     : ", ");
		used = af_text_join(buf, size, used, word[i]);
	}
}

/* Of a path the end says more. */
static const char *model_words(const struct af_disk_facts *d, int width)
{
	const char *slash = d->model[0] == '/' ? strrchr(d->model, '/') : NULL;
	return slash && ui_canvas_width(d->model) > width ? slash + 1 : d->model;
}

/* ... with the short word of mount(8) where the column is narrow. */
static const char *usage_words(const struct af_disk_facts *d, int width, char *buf,
			       size_t size)
{
	join_usage(d, "read-only", buf, size);
	if (ui_canvas_width(buf) > width)
		join_usage(d, "ro", buf, size);
	return buf;
}

static enum ui_role alignment_role(const struct af_disk_facts *d)
{
	switch (d->state) {
	case AF_DISK_READING:
		return UI_ROLE_DIM;
	case AF_DISK_CLOSED:
		return UI_ROLE_WARN;
	case AF_DISK_KNOWN:
		break;
	}
	return d->failing > 0 ? UI_ROLE_BAD : UI_ROLE_TEXT;
}

/* Where the sentence is wider than its column, the reason alone, or that there is one; it stands below in full. */
static const char *alignment_words(const struct af_disk_facts *d, int width, char *buf,
				   size_t size)
{
	af_disk_alignment(d, buf, size);
	if (d->state != AF_DISK_CLOSED || ui_canvas_width(buf) <= width)
		return buf;
	return ui_canvas_width(d->why) <= width ? d->why : "cannot be read";
}

static void draw_row(const struct ui_chooser *s, size_t i, struct ui_canvas *c, int row,
		     const struct columns *p)
{
	const struct af_disk_facts *d = &s->disk[i];
	const bool selected = i == s->selected;
	const enum ui_role role = selected ? UI_ROLE_SELECTED : UI_ROLE_TEXT;
	char size[AF_SHORT] = "", used[160], alignment[400];
	const char *path = d->path;
	while (ui_canvas_width(path) > p->name)
		path++;
	if (d->size > 0)
		af_text_size_short(d->size, size);
	if (selected) {
		ui_canvas_fill(c, row, 0, c->cols, role, " ");
		ui_canvas_glyph(c, row, 0, 1, role, UI_GLYPH_CURSOR);
	}
	int col = cell(c, row, 2, p->name, role, path);
	col = right_cell(c, row, col, p->size, role, size);
	col = cell(c, row, col, p->model, role, model_words(d, p->model));
	col = cell(c, row, col, p->bus, role, d->transport);
	col = cell(c, row, col, p->serial, role, d->serial);
	col = cell(c, row, col, p->label, role, d->label);
	col = cell(c, row, col, p->used, selected || !d->is_system ? role : UI_ROLE_BAD,
		   usage_words(d, p->used, used, sizeof(used)));
	cell(c, row, col, p->alignment, selected ? role : alignment_role(d),
	     alignment_words(d, p->alignment, alignment, sizeof(alignment)));
}

static void keep_in_sight(struct ui_chooser *s)
{
	if (s->selected < s->top)
		s->top = s->selected;
	if (s->selected >= s->top + s->page)
		s->top = s->selected - s->page + 1;
	if (s->top + s->page > s->n)
		s->top = s->n > s->page ? s->n - s->page : 0;
}

static void draw_list(struct ui_chooser *s, struct ui_canvas *c, struct ui_rect r)
{
	const struct columns p = place_columns(s, c->cols);
	s->page = (size_t)r.rows; /* at least 11 */
	keep_in_sight(s);
	draw_headings(c, &p);
	for (size_t i = 0; i < s->page && s->top + i < s->n; i++)
		draw_row(s, s->top + i, c, r.row + (int)i, &p); /* below r.rows */
	if (s->top > 0)
		ui_canvas_glyph(c, r.row, c->cols - 1, 1, UI_ROLE_KEY, UI_GLYPH_MORE_UP);
	if (s->top + s->page < s->n)
		ui_canvas_glyph(c, r.row + r.rows - 1, c->cols - 1, 1, UI_ROLE_KEY,
				UI_GLYPH_MORE_DOWN);
	if (s->n == 0 && s->is_started)
		ui_canvas_text(c, r.row, 2, c->cols - 2, UI_ROLE_TEXT,
			       "no disks here: p opens an image by its path");
	else if (s->n == 0)
		ui_canvas_text(c, r.row, 2, c->cols - 2, UI_ROLE_DIM, "reading");
}

/* --- the selected one ---------------------------------------------------------------------------------- */

static void add_word(struct af_text *t, const char *before, const char *word)
{
	if (word[0])
		af_text_add(t, "%s%s%s", t->len > 0 ? ", " : "", before, word);
}

/* "931.5 GiB, WDC WD10EZRX, serial WCC1, ata, removable" */
static void say_device(const struct af_disk_facts *d, struct af_text *t)
{
	char size[AF_SHORT];
	add_word(t, "", d->size > 0 ? af_text_size(d->size, size) : "");
	add_word(t, d->model[0] == '/' ? "shows " : "", d->model);
	add_word(t, "serial ", d->serial);
	add_word(t, "", d->transport);
	add_word(t, "", d->removable ? "removable" : "");
	add_word(t, "", d->read_only ? "read-only" : "");
}

/* "dos, 5 partitions, 2 of 5 misaligned" */
static void say_table(const struct af_disk_facts *d, struct af_text *t)
{
	char words[400];
	const bool known = d->state == AF_DISK_KNOWN;
	if (known && strcmp(d->label, "none") != 0) {
		add_word(t, "", d->label);
		if (d->judged > 0)
			af_text_add(t, ", %u partition%s", d->judged,
				    d->judged == 1 ? "" : "s");
	}
	add_word(t, "", af_disk_alignment(d, words, sizeof(words)));
	add_word(t, "on it: ", known ? d->holds : "");
	add_word(t, "", known ? d->remark : "");
}

static int draw_paragraph(struct ui_canvas *c, int row, int end, enum ui_role role,
			  struct af_text *t)
{
	struct ui_rect r = { row, 0, end - row, c->cols };
	if (row < end && t->len > 0)
		row += ui_canvas_wrap(c, r, role, af_text_get(t));
	af_text_clear(t);
	return row;
}

static void draw_pane(const struct ui_chooser *s, struct ui_canvas *c, struct ui_rect r)
{
	const struct af_disk_facts *d = ui_chooser_selected(s);
	const int end = r.row + r.rows;
	struct af_text t = { 0 };
	int row = r.row + 1;
	ui_canvas_glyph(c, r.row, 0, c->cols, UI_ROLE_DIM, UI_GLYPH_HORIZONTAL);
	if (!d)
		return;
	ui_canvas_printf(c, r.row, 2, c->cols - 4, UI_ROLE_TITLE, " %s ", d->path);
	say_device(d, &t);
	row = draw_paragraph(c, row, end, UI_ROLE_TEXT, &t);
	say_table(d, &t);
	row = draw_paragraph(c, row, end, alignment_role(d), &t);
	if (d->is_system)
		af_text_add(&t, "THE RUNNING SYSTEM IS ON THIS DISK: %s", d->uses);
	else if (d->uses[0])
		af_text_add(&t, "In use: %s", d->uses);
	draw_paragraph(c, row, end, d->is_system ? UI_ROLE_BAD : UI_ROLE_TEXT, &t);
	af_text_release(&t);
}

/* --- around it ----------------------------------------------------------------------------------------- */

static bool needs_rights(const struct ui_chooser *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->disk[i].no_rights)
			return true;
	return false;
}

/* What there is to know in general: trouble first. */
static void draw_note(const struct ui_app *app, const struct ui_chooser *s,
		      struct ui_canvas *c)
{
	if (s->trouble[0])
		ui_canvas_text(c, 1, 0, c->cols, UI_ROLE_BAD, s->trouble);
	else if (needs_rights(s))
		ui_canvas_text(c, 1, 0, c->cols, UI_ROLE_WARN,
			       "only root may read disks: sudo afdisk. Images of your own: "
			       "p types "
			       "a path");
	else if (app->session)
		ui_canvas_printf(c, 1, 0, c->cols, UI_ROLE_TEXT, "Esc goes back to %s%s",
				 app->picture.disk.path,
				 af_session_modified(app->session)
					 ? ", whose changes were not written"
					 : "");
}

static void draw_title(const struct ui_chooser *s, struct ui_canvas *c)
{
	char count[40];
	ui_canvas_text(c, 0, 0, c->cols, UI_ROLE_TITLE, "afdisk: choose a disk");
	if (s->n == 0)
		return;
	snprintf(count, sizeof(count), "%zu disk%s", s->n, s->n == 1 ? "" : "s");
	ui_canvas_text(c, 0, c->cols - ui_canvas_width(count), c->cols, UI_ROLE_TEXT,
		       count);
}

static const struct {
	const char *label, *hint;
} item_table[UI_CHOOSER_ITEMS] = {
	[UI_CHOOSER_OPEN] = { "Open", "Open (Enter): the partition table of this disk" },
	[UI_CHOOSER_PATH] = { "Path",
			      "Path (p, / or ~): type the path of a disk image or a disk" },
	[UI_CHOOSER_REFRESH] = { "Refresh", "Refresh (r): list and read all disks again" },
	[UI_CHOOSER_BACK] = { "Back", "Back (Esc): to the disk that is open" },
	[UI_CHOOSER_HELP] = { "Help", "Help (h): all keys" },
	[UI_CHOOSER_QUIT] = { "Quit", "Quit (q): leave" },
};

static void draw_foot(const struct ui_app *app, const struct ui_chooser *s,
		      struct ui_canvas *c)
{
	const int row = c->rows - UI_FOOT_ROWS;
	const enum ui_chooser_item current = ui_chooser_item(app, s);
	int col = 0;
	ui_form_foot(c, item_table[current].hint);
	if (s->opening[0])
		ui_canvas_printf(c, row, 0, c->cols, UI_ROLE_WARN,
				 "opening %s ... (Esc: give up)", s->opening);
	else
		ui_canvas_text(c, row, 0, c->cols, UI_ROLE_DIM,
			       app->session ? "Arrows: disk, menu  p: type a path  r: read "
					      "again  Esc: back"
					    : "Arrows: disk, menu  p: type a path  r: read "
					      "again  q: leave");
	for (int i = 0; i < UI_CHOOSER_ITEMS; i++) {
		const enum ui_chooser_item item = (enum ui_chooser_item)i;
		if (!ui_chooser_offers(app, s, item))
			continue;
		ui_form_item(c, row + 1, col, item_table[i].label, item == current);
		col += UI_ITEM_COLS + 1;
	}
}

void ui_chooser_draw(const struct ui_app *app, struct ui_chooser *s, struct ui_canvas *c)
{
	const struct ui_rect list = { UI_CHOOSER_TOP, 0,
				      c->rows - UI_CHOOSER_TOP - PANE_ROWS - UI_FOOT_ROWS,
				      c->cols };
	draw_title(s, c);
	draw_note(app, s, c);
	draw_list(s, c, list);
	draw_pane(s, c, (struct ui_rect){ list.row + list.rows, 0, PANE_ROWS, c->cols });
	if (s->typing)
		ui_chooser_path_draw(s, c);
	else
		draw_foot(app, s, c);
}
