/*
 * The partitions of one disk as lines of text, in columns. All cells are written into one
 * string first, which gives the width of each column; then the lines are put together.
 * A library could do that: it takes longer than reading and judging the whole table does.
 */
#include "cli_priv.h"
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct cell {
	size_t at, len;    /* in the string of all cells */
	size_t width;      /* columns of the screen */
	const char *color; /* what switches it on; "" for none */
};

struct table {
	const struct af_columns *columns;
	struct af_text text; /* of all cells, line by line; the first is the heading */
	struct cell *cell;
	size_t ncells, room;
	size_t width[AF_COLUMNS];
};

static bool is_plain(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < ' ' || s[i] > '~')
			return false;
	return true;
}

/* Columns of the screen; what the locale has no character for takes one a byte. */
static size_t screen_width(const char *s, size_t n)
{
	mbstate_t state = { 0 };
	size_t width = 0;
	while (n > 0) {
		wchar_t c;
		size_t len = mbrtowc(&c, s, n, &state);
		int columns = 1;
		if (len == 0 || len > n) { /* none, or -1 or -2: not whole or not valid */
			state = (mbstate_t){ 0 };
			len = 1;
		} else {
			columns = wcwidth(c);
		}
		width += columns > 0 ? (size_t)columns : 0;
		s += len;
		n -= len;
	}
	return width;
}

/* The text from at on has been appended: that is the next cell. */
static void end_cell(struct table *t, size_t at, size_t column, const char *color)
{
	struct cell c = { .at = at, .len = t->text.len - at, .color = color };
	if (is_plain(t->text.data + at, c.len)) {
		c.width = c.len;
	} else {
		char *raw = af_strdup(t->text.data + at);
		af_text_clean(raw, t->text.data + at, c.len + 1);
		free(raw);
		c.len = strlen(t->text.data + at);
		t->text.len = at + c.len;
		c.width = screen_width(t->text.data + at, c.len);
	}
	if (c.width > t->width[column])
		t->width[column] = c.width;
	if (t->ncells == t->room) {
		t->room = 2 * t->room + 64;
		t->cell = af_realloc(t->cell, t->room, sizeof(*t->cell));
	}
	t->cell[t->ncells++] = c;
}

/* True of a partition that ends beyond the disk. */
static bool is_stray(const struct af_column_row *row)
{
	return row->maybe_layer == NULL && af_layout_is_stray(row->disk->layout, row->part);
}

/* What marks the partitions that a check would fail for. */
static const char *color_of(const struct af_column_row *row)
{
	const enum af_status status = af_columns_verdict(row).status;
	if (is_stray(row) || af_status_fails(status, false))
		return "\033[31m";
	return af_status_fails(status, true) ? "\033[33m" : "";
}

static void add_row(struct table *t, const struct af_column_row *row, bool color)
{
	for (size_t i = 0; i < t->columns->n; i++) {
		const enum af_column column = t->columns->show[i];
		const bool status = column == AF_COLUMN_STATUS;
		const size_t at = t->text.len;
		af_text_put(&t->text, "", 0);
		af_columns_cell(&t->text, column, row, false);
		if (status && is_stray(row))
			af_text_add(&t->text, ", beyond the end");
		end_cell(t, at, i, color && status ? color_of(row) : "");
	}
}

/* The partition, and the entries of a label inside it. */
static void add_part(struct table *t, struct af_column_row *row, bool color)
{
	const struct af_content *c = af_contents_find(row->disk->contents, row->part->id);
	row->maybe_layer = NULL;
	add_row(t, row, color);
	for (size_t i = 0; c != NULL && i < c->nlayers; i++) {
		row->maybe_layer = &c->layer[i];
		if (af_layer_is_nested(row->maybe_layer))
			add_row(t, row, color);
	}
}

static void add_heading(struct table *t)
{
	for (size_t i = 0; i < t->columns->n; i++) {
		const char *heading = af_columns_heading(t->columns->show[i]);
		const size_t at = t->text.len;
		af_text_put(&t->text, heading, strlen(heading));
		end_cell(t, at, i, "");
	}
}

static void put(struct af_text *out, const char *text)
{
	af_text_put(out, text, strlen(text));
}

static void put_blanks(struct af_text *out, size_t n)
{
	static const char blanks[] = "                ";
	for (; n >= sizeof(blanks); n -= sizeof(blanks) - 1)
		af_text_put(out, blanks, sizeof(blanks) - 1);
	af_text_put(out, blanks, n);
}

/* One line, without blanks at its end. */
static void put_line(struct af_text *out, const struct table *t, const struct cell *cell)
{
	size_t blanks = 0;
	for (size_t i = 0; i < t->columns->n; i++, cell++) {
		const size_t open = t->width[i] - cell->width;
		const bool right = af_columns_kind(t->columns->show[i]) == AF_COLUMN_COUNT;
		if (cell->len == 0) {
			blanks += open + 1;
			continue;
		}
		put_blanks(out, blanks + (right ? open : 0));
		put(out, cell->color);
		af_text_put(out, t->text.data + cell->at, cell->len);
		put(out, cell->color[0] != '\0' ? "\033[0m" : "");
		blanks = 1 + (right ? 0 : open);
	}
	af_text_put(out, "\n", 1);
}

void af_cli_table(struct af_text *out, const struct af_disk *disk,
		  const struct af_columns *columns, bool color)
{
	const struct af_layout *l = disk->layout;
	struct af_column_row row = { .disk = disk };
	struct table t = { .columns = columns };
	struct af_room *room = NULL;
	if (af_columns_need_rooms(columns))
		row.nrooms = af_align_rooms(disk->rules, l, &room);
	row.room = room;
	add_heading(&t);
	for (size_t i = 0; i < l->nparts; i++) {
		row.part = &l->part[i];
		add_part(&t, &row, color);
	}
	for (size_t i = 0; i < t.ncells; i += columns->n)
		put_line(out, &t, &t.cell[i]);
	af_text_release(&t.text);
	free(t.cell);
	free(room);
}
