/*
 * What --list and --check print for people. The only room that knows libsmartcols, which
 * lines up the columns of the table; the lines above it say what the disk is and by what
 * its partitions are judged.
 */
#include "afdisk/cli.h"
#include <inttypes.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { DEVICE, BOOT, START, END, SECTORS, SIZE, TYPE, FS, STATUS, COLUMNS };

static const struct {
	const char *name;
	int flags;
} column_table[COLUMNS] = {
	[DEVICE] = { "Device", 0 },
	[BOOT] = { "Boot", 0 },
	[START] = { "Start", SCOLS_FL_RIGHT },
	[END] = { "End", SCOLS_FL_RIGHT },
	[SECTORS] = { "Sectors", SCOLS_FL_RIGHT },
	[SIZE] = { "Size", SCOLS_FL_RIGHT },
	[TYPE] = { "Type", 0 },
	[FS] = { "FS", 0 },
	[STATUS] = { "Status", 0 },
};

/* The partition's name with the folder that the disk was named with. */
static void add_part_path(struct af_text *t, const char *path, uint32_t number)
{
	char name[128];
	const char *slash = strrchr(path, '/');
	int folder = slash != NULL ? (int)(slash - path) + 1 : 0; /* paths are short */
	af_text_add(t, "%.*s%s", folder, path,
		    af_plan_part_name(path, number, name, sizeof(name)));
}

static const char *content_word(const struct af_contents *contents, uint32_t id)
{
	const struct af_content *c = af_contents_find(contents, id);
	if (c == NULL)
		return "";
	switch (c->state) {
	case AF_CONTENT_FOUND:
		return c->fs;
	case AF_CONTENT_NONE:
		return "";
	case AF_CONTENT_UNKNOWN:
	case AF_CONTENT_UNREADABLE:
		break;
	}
	return "?";
}

static void set_number(struct libscols_line *line, enum column column, int64_t n)
{
	char buf[AF_SHORT];
	(void)snprintf(buf, sizeof(buf), "%" PRId64, n);
	(void)scols_line_set_data(line, column, buf);
}

static void set_status(struct libscols_line *line, const struct af_disk *disk,
		       const struct af_part *part)
{
	enum af_status status = af_align_judge(disk->rules, part).status;
	(void)scols_line_set_data(line, STATUS, af_status_name(status));
	struct libscols_cell *cell = scols_line_get_cell(line, STATUS);
	if (af_status_fails(status, false))
		(void)scols_cell_set_color(cell, "red");
	else if (af_status_fails(status, true))
		(void)scols_cell_set_color(cell, "brown");
}

static void add_row(struct libscols_table *table, const struct af_disk *disk,
		    const struct af_part *part)
{
	uint32_t ss = disk->layout->sector_size;
	struct libscols_line *line = scols_table_new_line(table, NULL);
	struct af_text device = { 0 };
	char size[AF_SHORT];
	bool gpt = disk->layout->scheme == AF_SCHEME_GPT;
	bool boot = gpt ? (part->attrs & 4) != 0 : part->boot;
	add_part_path(&device, disk->path, part->number);
	(void)scols_line_set_data(line, DEVICE, af_text_get(&device));
	(void)scols_line_set_data(line, BOOT, boot ? "*" : "");
	set_number(line, START, af_sectors(part->span.start, ss));
	set_number(line, END, af_sectors(part->span.end, ss) - 1);
	set_number(line, SECTORS, af_sectors(af_span_size(part->span), ss));
	(void)scols_line_set_data(line, SIZE,
				  af_text_size_short(af_span_size(part->span), size));
	(void)scols_line_set_data(line, TYPE, af_scheme_type_name(disk->types, part->type));
	(void)scols_line_set_data(line, FS, content_word(disk->contents, part->id));
	set_status(line, disk, part);
	af_text_release(&device);
}

static void add_table(struct af_text *t, const struct af_disk *disk, bool color)
{
	struct libscols_table *table = scols_new_table();
	char *text = NULL;
	(void)scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	(void)scols_table_enable_colors(table, color);
	for (size_t i = 0; i < COLUMNS; i++)
		(void)scols_table_new_column(table, column_table[i].name, 0,
					     column_table[i].flags);
	for (size_t i = 0; i < disk->layout->nparts; i++)
		add_row(table, disk, &disk->layout->part[i]);
	if (scols_print_table_to_string(table, &text) == 0 && text != NULL)
		af_text_add(t, "%s\n", text);
	free(text);
	scols_unref_table(table);
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

static void add_label(struct af_text *t, const struct af_layout *l)
{
	char id[40];
	af_scheme_id_text(l->scheme, l->disk_id, id);
	if (l->scheme == AF_SCHEME_NONE)
		af_text_add(t, "Label: none\n");
	else
		af_text_add(t, "Label: %s, id %s\n", af_scheme_name(l->scheme), id);
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
	add_label(t, disk->layout);
	af_text_add(t, "Grain: ");
	add_step(t, disk->rules->grain.step, topo->sector_size);
	af_text_add(t, "; aligned means on a boundary of ");
	add_step(t, disk->rules->check.step, topo->sector_size);
	af_text_add(t, "\n");
}

void af_cli_list(struct af_text *t, const struct af_disk *disk, bool color)
{
	add_heading(t, disk);
	if (disk->layout->nparts == 0)
		return;
	af_text_add(t, "\n");
	add_table(t, disk, color);
}

size_t af_cli_check(struct af_text *t, const struct af_disk *disk, bool strict)
{
	const struct af_layout *l = disk->layout;
	char sentence[240], path[256];
	size_t failed = 0;
	for (size_t i = 0; i < l->nparts; i++) {
		struct af_text name = { 0 };
		enum af_status status = af_align_judge(disk->rules, &l->part[i]).status;
		failed += af_status_fails(status, strict);
		add_part_path(&name, disk->path, l->part[i].number);
		af_align_sentence(disk->rules, l, &l->part[i], sentence, sizeof(sentence));
		af_text_add(t, "%s: %s: %s\n", af_text_get(&name), af_status_name(status),
			    sentence);
		af_text_release(&name);
	}
	af_text_clean(disk->path, path, sizeof(path));
	if (l->nparts == 0)
		af_text_add(t, "%s: no partitions\n", path);
	return failed;
}
