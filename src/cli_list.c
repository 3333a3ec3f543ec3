/*
 * What --list and --check print: the lines above a table say what the disk is and by what its partitions are
 * judged. What stands in the columns is columns.c's, how they are laid out cli_table.c's.
 */
#include "afdisk/layout_hybrid.h"
#include "cli_priv.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void add_hybrid(struct af_text *t, const struct af_layout *l)
{
	char words[200];
	af_text_add(t, "Hybrid MBR: %s\n", af_layout_mirror_words(l, words, sizeof(words)));
}

static void add_label(struct af_text *t, const struct af_disk *disk)
{
	const struct af_layout *l = disk->layout;
	char id[40];
	bool holds = disk->holds != NULL && disk->holds[0] != '\0';
	af_scheme_id_text(l->scheme, l->disk_id, id);
	af_text_add(t, "Label: %s", af_report_label(disk));
	if (id[0] != '\0')
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
	if (l->hybrid != AF_HYBRID_NONE)
		add_hybrid(t, l);
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

static void add_remark(struct af_text *t, const struct af_column_row *row,
		       const char *remark)
{
	if (remark[0] == '\0')
		return;
	af_columns_cell(t, AF_COLUMN_DEVICE, row, false);
	af_text_add(t, ": %s\n", remark);
}

/* What is odd about what lies inside. */
static void add_remarks(struct af_text *t, const struct af_disk *disk)
{
	char buf[200];
	for (size_t i = 0; i < disk->layout->nparts; i++) {
		struct af_column_row row = { .disk = disk, .part = &disk->layout->part[i] };
		const struct af_content *c = af_contents_find(disk->contents, row.part->id);
		if (c == NULL)
			continue;
		add_remark(t, &row, af_content_larger(c, row.part->span, buf, sizeof(buf)));
		add_remark(t, &row, c->remark);
	}
}

/* "In use: sda1 mounted at /boot, sda2 used as swap"; nothing if nobody uses the disk. */
static void add_uses(struct af_text *t, const struct af_disk *disk)
{
	const struct af_layout *l = disk->layout;
	const char *before = "In use: ";
	char words[400], name[128];
	if (disk->uses == NULL || disk->uses->n == 0)
		return;
	if (af_uses_words(disk->uses, 0, 0, words, sizeof(words))[0] != '\0') {
		af_text_add(t, "%sthe whole disk, %s", before, words);
		before = "; ";
	}
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *part = &l->part[i];
		(void)af_uses_words(disk->uses, part->number, part->span.start, words,
				    sizeof(words));
		if (words[0] == '\0')
			continue;
		af_text_add(t, "%s%s %s", before,
			    af_text_part_name(disk->path, part->number, name, sizeof(name)),
			    words);
		before = "; ";
	}
	if (before[0] == ';')
		af_text_add(t, "\n");
}

void af_cli_list(struct af_text *t, const struct af_disk *disk,
		 const struct af_columns *columns, bool color)
{
	add_heading(t, disk);
	add_uses(t, disk);
	if (disk->layout->nparts == 0)
		return;
	af_text_add(t, "\n");
	af_cli_table(t, disk, columns, color);
	add_remarks(t, disk);
}

/* "disk.img1: misaligned: " */
static enum af_status begin_line(struct af_text *t, const struct af_column_row *row)
{
	enum af_status status = af_columns_verdict(row).status;
	af_columns_cell(t, AF_COLUMN_DEVICE, row, false);
	af_text_add(t, ": %s: ", af_status_name(status));
	return status;
}

/* The command that mends a layer where no place of the partition does. */
static void add_remedy(struct af_text *t, const struct af_column_row *row)
{
	const struct af_disk *disk = row->disk;
	char path[300];
	struct af_text remedy = { 0 };
	const struct af_inside where = {
		.content = af_contents_find(disk->contents, row->part->id),
		.layer = row->maybe_layer,
		.maybe_dev = af_text_part_path(disk->path, row->part->number, path,
					       sizeof(path)),
		.sector_size = disk->layout->sector_size,
	};
	if (af_align_say_remedy(disk->rules, row->part, &where, &remedy) != AF_REMEDY_NONE)
		af_text_add(t, "; %s", af_text_get(&remedy));
	af_text_release(&remedy);
}

/* "disk.img1 LUKS2: aligned: begins 4096 sectors ..." */
static void check_layer(struct af_text *t, const struct af_column_row *row)
{
	const struct af_disk *disk = row->disk;
	const struct af_layer *layer = row->maybe_layer;
	const struct af_column_row of_part = { .disk = disk, .part = row->part };
	af_columns_cell(t, AF_COLUMN_DEVICE, &of_part, false);
	af_text_add(t, " %s: %s: ", layer->what,
		    af_align_layer_word(disk->rules, row->part, layer));
	af_align_sentence_layer(disk->rules, disk->layout, row->part, layer, t);
	add_remedy(t, row);
	af_text_add(t, "\n");
}

/* A line for each thing inside the partition; returns how many entries of a label fail. That other data is off is
 * the partition's own failure. */
static size_t check_inside(struct af_text *t, const struct af_disk *disk,
			   const struct af_part *part, bool strict)
{
	const struct af_content *c = af_contents_find(disk->contents, part->id);
	size_t failed = 0;
	for (size_t i = 0; c != NULL && i < c->nlayers; i++) {
		struct af_column_row row = { .disk = disk,
					     .part = part,
					     .maybe_layer = &c->layer[i] };
		if (!af_layer_is_nested(row.maybe_layer)) {
			check_layer(t, &row);
			continue;
		}
		failed += af_status_fails(begin_line(t, &row), strict);
		af_align_sentence_nested(disk->rules, disk->layout, part, c,
					 row.maybe_layer, t);
		add_remedy(t, &row);
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
		failed += check_inside(t, disk, &l->part[i], strict);
	}
	af_text_clean(disk->path, path, sizeof(path));
	if (l->nparts == 0)
		af_text_add(t, "%s: no partitions\n", path);
	return failed;
}
