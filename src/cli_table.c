/*
 * The partitions of disks in columns, as lines of text or as JSON: the only room that knows libsmartcols, which lays
 * them out. What stands in the columns is columns.c's.
 */
#include "cli_priv.h"
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

/* A table being filled. */
struct sheet {
	struct libscols_table *table;
	const struct af_columns *columns;
	bool json, color;
};

static void open_sheet(struct sheet *s)
{
	s->table = scols_new_table();
	(void)scols_table_set_termforce(s->table, SCOLS_TERMFORCE_NEVER);
	(void)scols_table_enable_colors(s->table, s->color);
	(void)scols_table_enable_json(s->table, s->json);
	(void)scols_table_enable_noencoding(s->table, 1); /* cell_text() did that */
	(void)scols_table_set_name(s->table, "partitions");
	for (size_t i = 0; i < s->columns->n; i++) {
		const enum af_column_kind kind = af_columns_kind(s->columns->show[i]);
		const bool right = kind == AF_COLUMN_COUNT;
		struct libscols_column *c = scols_table_new_column(
			s->table, af_columns_heading(s->columns->show[i]), 0,
			right ? SCOLS_FL_RIGHT : 0);
		if (kind != AF_COLUMN_TEXT)
			(void)scols_column_set_json_type(c, right ? SCOLS_JSON_NUMBER
								  : SCOLS_JSON_BOOLEAN);
	}
}

/* True of a partition that ends beyond the disk. */
static bool is_stray(const struct af_column_row *row)
{
	return row->maybe_layer == NULL && af_layout_is_stray(row->disk->layout, row->part);
}

/* What marks the partitions that a check would fail for; NULL for the others. */
static const char *color_of(const struct af_column_row *row)
{
	const enum af_status status = af_columns_verdict(row).status;
	if (is_stray(row) || af_status_fails(status, false))
		return "red";
	return af_status_fails(status, true) ? "brown" : NULL;
}

static bool is_plain(const struct af_text *t)
{
	for (size_t i = 0; i < t->len; i++)
		if (t->data[i] < ' ' || t->data[i] > '~')
			return false;
	return true;
}

/* Valid text without control characters, whatever the disk holds; NULL for nothing. */
static char *cell_text(const struct sheet *s, enum af_column column,
		       const struct af_column_row *row)
{
	struct af_text cell = { 0 };
	af_columns_cell(&cell, column, row, s->json);
	if (column == AF_COLUMN_STATUS && !s->json && is_stray(row))
		af_text_add(&cell, ", beyond the end");
	if (is_plain(&cell)) /* nearly always */
		return cell.data;
	char *clean = af_alloc(cell.len + 1, 1);
	af_text_clean(af_text_get(&cell), clean, cell.len + 1);
	af_text_release(&cell);
	return clean;
}

static void add_row(const struct sheet *s, const struct af_column_row *row)
{
	struct libscols_line *line = scols_table_new_line(s->table, NULL);
	for (size_t i = 0; i < s->columns->n; i++) {
		const enum af_column column = s->columns->show[i];
		(void)scols_line_refer_data(line, i, cell_text(s, column, row));
		if (s->color && column == AF_COLUMN_STATUS)
			(void)scols_cell_set_color(scols_line_get_cell(line, i),
						   color_of(row));
	}
}

/* The partition, and the entries of a label inside it. */
static void add_part(const struct sheet *s, struct af_column_row *row)
{
	const struct af_content *c = af_contents_find(row->disk->contents, row->part->id);
	row->maybe_layer = NULL;
	add_row(s, row);
	for (size_t i = 0; c != NULL && i < c->nlayers; i++) {
		row->maybe_layer = &c->layer[i];
		if (af_layer_is_nested(row->maybe_layer))
			add_row(s, row);
	}
}

static void add_disk(const struct sheet *s, const struct af_disk *disk)
{
	const struct af_layout *l = disk->layout;
	struct af_column_row row = { .disk = disk };
	struct af_room *room = NULL;
	if (af_columns_need_rooms(s->columns))
		row.nrooms = af_align_rooms(disk->rules, l, &room);
	row.room = room;
	for (size_t i = 0; i < l->nparts; i++) {
		row.part = &l->part[i];
		add_part(s, &row);
	}
	free(room);
}

static void close_sheet(const struct sheet *s, struct af_text *out)
{
	char *text = NULL;
	if (scols_print_table_to_string(s->table, &text) == 0 && text != NULL)
		af_text_put(out, text, strlen(text));
	if (out->len > 0 &&
	    out->data[out->len - 1] != '\n') /* it leaves the last one open */
		af_text_put(out, "\n", 1);
	free(text);
	scols_unref_table(s->table);
}

void af_cli_table(struct af_text *out, const struct af_disk *disk,
		  const struct af_columns *columns, bool color)
{
	struct sheet s = { .columns = columns, .color = color };
	open_sheet(&s);
	add_disk(&s, disk);
	close_sheet(&s, out);
}

void af_cli_table_json(struct af_text *out, const struct af_disk *disk, size_t n,
		       const struct af_columns *columns)
{
	struct sheet s = { .columns = columns, .json = true };
	open_sheet(&s);
	for (size_t i = 0; i < n; i++)
		add_disk(&s, &disk[i]);
	close_sheet(&s, out);
}
