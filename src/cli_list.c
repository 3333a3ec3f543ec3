/*
 * What --list and --check print for people. The only room that knows libsmartcols, which
 * lines up the columns of the table; the lines above it say what the disk is and by what
 * its partitions are judged. What stands in the columns is columns.c's.
 */
#include "cli_priv.h"
#include <inttypes.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table whose rows come from one disk or from several. */
struct sheet {
	struct libscols_table *table;
	const struct af_columns *columns;
	bool json;
};

static struct sheet new_sheet(const struct af_columns *columns, bool color, bool json)
{
	struct sheet s = { scols_new_table(), columns, json };
	(void)scols_table_set_termforce(s.table, SCOLS_TERMFORCE_NEVER);
	(void)scols_table_enable_colors(s.table, color);
	(void)scols_table_enable_json(s.table, json);
	(void)scols_table_set_name(s.table, "partitions");
	for (size_t i = 0; i < columns->n; i++) {
		enum af_column_kind kind = af_columns_kind(columns->show[i]);
		bool number = kind == AF_COLUMN_COUNT;
		struct libscols_column *c = scols_table_new_column(
			s.table, af_columns_heading(columns->show[i]), 0,
			number ? SCOLS_FL_RIGHT : 0);
		if (kind != AF_COLUMN_TEXT)
			(void)scols_column_set_json_type(c, number ? SCOLS_JSON_NUMBER
								   : SCOLS_JSON_BOOLEAN);
	}
	return s;
}

/* A mark where a check would fail. */
static void color_status(struct libscols_line *line, size_t at, enum af_status status)
{
	struct libscols_cell *cell = scols_line_get_cell(line, at);
	if (af_status_fails(status, false))
		(void)scols_cell_set_color(cell, "red");
	else if (af_status_fails(status, true))
		(void)scols_cell_set_color(cell, "brown");
}

/* What a cell says, in JSON without bytes that are no text. */
static void set_cell(struct libscols_line *line, size_t at, struct af_text *t, bool json)
{
	if (json && t->len > 0) {
		char *clean = af_alloc(t->len + 1, 1);
		af_text_clean(af_text_get(t), clean, t->len + 1);
		(void)scols_line_refer_data(line, at, clean);
	} else {
		(void)scols_line_set_data(line, at, af_text_get(t));
	}
}

/* True of a partition that ends beyond the disk. */
static bool is_stray(const struct af_column_row *row)
{
	return row->part != NULL && row->maybe_layer == NULL &&
	       af_layout_is_stray(row->disk->layout, row->part);
}

static void add_row(const struct sheet *s, const struct af_column_row *row,
		    struct af_text *cell)
{
	struct libscols_line *line = scols_table_new_line(s->table, NULL);
	for (size_t i = 0; i < s->columns->n; i++) {
		enum af_column column = s->columns->show[i];
		af_text_clear(cell);
		af_columns_cell(cell, column, row, s->json);
		bool stray = column == AF_COLUMN_STATUS && is_stray(row);
		if (stray && !s->json)
			af_text_add(cell, ", beyond the end");
		set_cell(line, i, cell, s->json);
		if (stray)
			(void)scols_cell_set_color(scols_line_get_cell(line, i), "red");
		else if (column == AF_COLUMN_STATUS)
			color_status(line, i, af_columns_verdict(row).status);
	}
}

/* The partition, and the entries of a label inside it. */
static void add_part(const struct sheet *s, struct af_column_row *row, struct af_text *cell)
{
	const struct af_content *c = af_contents_find(row->disk->contents, row->part->id);
	row->maybe_layer = NULL;
	add_row(s, row, cell);
	for (size_t i = 0; c != NULL && i < c->nlayers; i++) {
		row->maybe_layer = &c->layer[i];
		if (af_layer_is_nested(row->maybe_layer))
			add_row(s, row, cell);
	}
}

static void add_rows(const struct sheet *s, const struct af_disk *disk)
{
	const struct af_layout *l = disk->layout;
	struct af_column_row row = { .disk = disk };
	struct af_room *room = NULL;
	struct af_text cell = { 0 };
	row.nrooms = af_align_rooms(disk->rules, l, &room);
	row.room = room;
	for (size_t i = 0; i < l->nparts; i++) {
		row.part = &l->part[i];
		add_part(s, &row, &cell);
	}
	af_text_release(&cell);
	free(room);
}

/* Appends the table, whose last line the library may leave open, and frees it. */
static void put_sheet(struct af_text *t, struct sheet *s)
{
	char *text = NULL;
	if (scols_print_table_to_string(s->table, &text) == 0 && text != NULL)
		af_text_add(t, "%s", text);
	if (t->len > 0 && t->data[t->len - 1] != '\n')
		af_text_add(t, "\n");
	free(text);
	scols_unref_table(s->table);
}

/* "1 sector", "8 sectors" */
static void add_sectors(struct af_text *t, af_bytes n, uint32_t sector_size)
{
	int64_t sectors = af_sectors(n, sector_size);
	af_text_add(t, "%" PRId64 " sector%s", sectors, sectors == 1 ? "" : "s");
}

/* "4.0 KiB (8 sectors)" */
static void add_step(struct af_text *t, af_bytes step, uint32_t sector_size)
{
	char size[AF_SHORT];
	af_text_add(t, "%s (", af_text_size(step, size));
	add_sectors(t, step, sector_size);
	af_text_add(t, ")");
}

static void add_model(struct af_text *t, const struct af_topo *topo)
{
	char model[sizeof(topo->model)], serial[sizeof(topo->serial)];
	af_text_clean(topo->model, model, sizeof(model));
	af_text_clean(topo->serial, serial, sizeof(serial));
	if (model[0] != '\0')
		af_text_add(t, "Model: %s%s%s\n", model,
			    serial[0] != '\0' ? ", serial " : "", serial);
}

static void add_sector_sizes(struct af_text *t, const struct af_topo *topo)
{
	af_text_add(t, "Sectors: %" PRIu32 " bytes logical (%s), %" PRId64 " physical (%s",
		    topo->sector_size, af_source_name(topo->sector_source), topo->physical,
		    af_source_name(topo->physical_source));
	if (topo->reported_physical != 0 && topo->reported_physical != topo->physical)
		af_text_add(t, "; the device says %" PRId64, topo->reported_physical);
	if (topo->offset_unknown)
		af_text_add(t, "), alignment offset unknown\n");
	else
		af_text_add(t, "), alignment offset %" PRId64 "\n", topo->alignment_offset);
}

/* What the device says of transfers, if anything, and whether that is believed. */
static void add_transfers(struct af_text *t, const struct af_topo *topo)
{
	const char *doubt = af_align_doubt(topo);
	if (topo->optimal_io == 0)
		return;
	af_text_add(t, "I/O: %" PRId64 " bytes minimum, %" PRId64 " optimal",
		    topo->minimum_io, topo->optimal_io);
	if (doubt != NULL)
		af_text_add(t, " (bogus, not used: %s)", doubt);
	af_text_add(t, "\n");
}

static void add_label(struct af_text *t, const struct af_disk *disk)
{
	const struct af_layout *l = disk->layout;
	char id[40];
	bool holds = disk->holds != NULL && disk->holds[0] != '\0';
	af_scheme_id_text(l->scheme, l->disk_id, id);
	af_text_add(t, "Label: %s", af_report_label(disk));
	if (l->scheme != AF_SCHEME_NONE)
		af_text_add(t, ", id %s", id);
	if (*af_layout_state(l) != '\0')
		af_text_add(t, ", %s", af_layout_state(l));
	if (l->sector_size != disk->topo->sector_size)
		af_text_add(t, ", in sectors of %" PRIu32 " bytes", l->sector_size);
	if (holds)
		af_text_add(t, "; on the disk: %s", disk->holds);
	else if (l->scheme == AF_SCHEME_NONE)
		af_text_add(t, "; nothing is recognised on the disk");
	af_text_add(t, "\n");
}

static void add_heading(struct af_text *t, const struct af_disk *disk)
{
	const struct af_topo *topo = disk->topo;
	char size[AF_SHORT], path[256];
	af_text_clean(disk->path, path, sizeof(path));
	af_text_add(t, "Disk %s: %s, %" PRId64 " bytes, ", path,
		    af_text_size(topo->size, size), topo->size);
	add_sectors(t, topo->size, topo->sector_size);
	af_text_add(t, "\n");
	add_model(t, topo);
	add_sector_sizes(t, topo);
	add_transfers(t, topo);
	add_label(t, disk);
	af_text_add(t, "Grain: ");
	add_step(t, disk->rules->grain.step, topo->sector_size);
	af_text_add(t, "; aligned means on a boundary of ");
	add_step(t, disk->rules->check.step, topo->sector_size);
	af_text_add(t, "\n");
}

/* What is odd about what lies inside. */
static void add_remarks(struct af_text *t, const struct af_disk *disk)
{
	for (size_t i = 0; i < disk->layout->nparts; i++) {
		struct af_column_row row = { .disk = disk, .part = &disk->layout->part[i] };
		const struct af_content *c = af_contents_find(disk->contents, row.part->id);
		if (c == NULL || !c->remark[0])
			continue;
		af_columns_cell(t, AF_COLUMN_DEVICE, &row, false);
		af_text_add(t, ": %s\n", c->remark);
	}
}

void af_cli_list(struct af_text *t, const struct af_disk *disk,
		 const struct af_columns *columns, bool color)
{
	add_heading(t, disk);
	if (disk->layout->nparts == 0)
		return;
	struct sheet s = new_sheet(columns, color, false);
	af_text_add(t, "\n");
	add_rows(&s, disk);
	put_sheet(t, &s);
	add_remarks(t, disk);
}

void af_cli_list_json(struct af_text *t, const struct af_disk *disk, size_t n,
		      const struct af_columns *columns)
{
	struct sheet s = new_sheet(columns, false, true);
	for (size_t i = 0; i < n; i++)
		add_rows(&s, &disk[i]);
	put_sheet(t, &s);
}

/* "disk.img1: misaligned: " */
static enum af_status begin_line(struct af_text *t, const struct af_column_row *row)
{
	enum af_status status = af_columns_verdict(row).status;
	af_columns_cell(t, AF_COLUMN_DEVICE, row, false);
	af_text_add(t, ": %s: ", af_status_name(status));
	return status;
}

/* A line for each entry of a label inside the partition; returns how many fail. */
static size_t check_nested(struct af_text *t, const struct af_disk *disk,
			   const struct af_part *part, bool strict)
{
	const struct af_content *c = af_contents_find(disk->contents, part->id);
	size_t failed = 0;
	for (size_t i = 0; c != NULL && i < c->nlayers; i++) {
		struct af_column_row row = { .disk = disk,
					     .part = part,
					     .maybe_layer = &c->layer[i] };
		if (!af_layer_is_nested(row.maybe_layer))
			continue;
		failed += af_status_fails(begin_line(t, &row), strict);
		af_align_sentence_nested(disk->rules, disk->layout, part, c,
					 row.maybe_layer, t);
		af_text_add(t, "\n");
	}
	return failed;
}

size_t af_cli_check(struct af_text *t, const struct af_disk *disk, bool strict)
{
	const struct af_layout *l = disk->layout;
	char sentence[480], path[256];
	size_t failed = 0;
	for (size_t i = 0; i < l->nparts; i++) {
		struct af_column_row row = { .disk = disk, .part = &l->part[i] };
		failed += af_status_fails(begin_line(t, &row), strict);
		af_align_sentence(disk->rules, disk->contents, l, &l->part[i], sentence,
				  sizeof(sentence));
		af_text_add(t, "%s\n", sentence);
		failed += check_nested(t, disk, &l->part[i], strict);
	}
	af_text_clean(disk->path, path, sizeof(path));
	if (l->nparts == 0)
		af_text_add(t, "%s: no partitions\n", path);
	return failed;
}
