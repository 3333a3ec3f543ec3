/*
 * The extra pane: what is known of the selected partition besides its row. Each fact is "Key: value"; short ones share
 * a line. The words are those of --list.
 */
#include "facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/columns.h"

#define GAP 3 /* columns between two facts of one line */

/* Where the next fact goes. */
struct pen {
	struct ui_canvas *c;
	struct ui_rect r;
	int row, col; /* from the corner of r */
	bool more;    /* something did not fit */
};

static void new_line(struct pen *p)
{
	if (p->col > 0)
		p->row++;
	p->col = 0;
}

/* Writes one fact; one that is longer than the line goes on in the next. */
static void put(struct pen *p, const char *key, const char *value)
{
	char text[700];
	const int head = ui_canvas_width(key) + 1;
	if (*value == '\0')
		return;
	snprintf(text, sizeof(text), "%s %s", key, value);
	const int width = ui_canvas_width(text);
	if (p->col > 0 && p->col + GAP + width > p->r.cols)
		new_line(p);
	p->col += p->col > 0 ? GAP : 0;
	struct ui_rect at = { p->r.row + p->row, p->r.col + p->col, p->r.rows - p->row,
			      p->r.cols - p->col };
	if (at.rows <= 0) {
		p->more = true;
		return;
	}
	const int rows = ui_canvas_wrap(p->c, at, UI_ROLE_TEXT, text);
	ui_canvas_role(p->c, at.row, at.col, head - 1, UI_ROLE_DIM);
	p->more = p->more || rows > at.rows;
	p->row += rows - 1;
	p->col = rows > 1 ? p->r.cols : p->col + width;
}

static void put_cell(struct pen *p, const char *key, const struct af_column_row *row,
		     enum af_column column)
{
	struct af_text t = { 0 };
	af_columns_cell(&t, column, row, false);
	if (strcmp(af_text_get(&t), "-") != 0)
		put(p, key, af_text_get(&t));
	af_text_release(&t);
}

static void put_type(struct pen *p, const struct af_disk *d, const struct af_part *part)
{
	char code[40], text[140];
	af_scheme_type_text(d->layout->scheme, part->type, code);
	snprintf(text, sizeof(text), "%s (%s)", af_scheme_type_name(d->types, part->type),
		 code);
	put(p, "Type:", text);
}

/* An MBR's is made of the disk's identifier and the number, as the kernel does it. */
static void put_partuuid(struct pen *p, const struct af_layout *l,
			 const struct af_part *part)
{
	char text[40] = "";
	if (l->scheme == AF_SCHEME_GPT)
		af_scheme_uuid_text(part->uuid, text);
	if (l->scheme == AF_SCHEME_MBR) {
		char id[40];
		af_scheme_id_text(l->scheme, l->disk_id, id);
		snprintf(text, sizeof(text), "%.8s-%02" PRIx32, id + 2, part->number);
	}
	put(p, "PARTUUID:", text);
}

static const char *state_words(const struct af_content *maybe_content)
{
	if (!maybe_content)
		return "new: nothing is inside yet";
	switch (maybe_content->state) {
	case AF_CONTENT_UNKNOWN:
		return "not looked into yet";
	case AF_CONTENT_NONE:
		return "nothing that is known";
	case AF_CONTENT_FOUND:
		return maybe_content->fs;
	case AF_CONTENT_UNREADABLE:
		return "could not be read";
	}
	return "";
}

static void put_content(struct pen *p, const struct af_part *part,
			const struct af_content *maybe_content)
{
	if (part->role == AF_ROLE_EXTENDED)
		return;
	put(p, "Inside:", state_words(maybe_content));
	if (!maybe_content || maybe_content->state != AF_CONTENT_FOUND)
		return;
	put(p, "Label:", maybe_content->label);
	put(p, "UUID:", maybe_content->uuid);
	if (maybe_content->fs_size > 0) {
		char size[AF_SHORT], text[120];
		snprintf(text, sizeof(text), "%s of the partition",
			 af_text_size(maybe_content->fs_size, size));
		put(p, "Takes:", text);
	}
	if (maybe_content->bound_to_end)
		put(p, "Bound:", "to the end of the partition, which has to stay");
	put(p, "Remark:", maybe_content->remark);
}

static void put_layers(struct pen *p, const struct af_disk *d, const struct af_part *part,
		       const struct af_content *maybe_content)
{
	for (size_t i = 0; maybe_content && i < maybe_content->nlayers; i++) {
		const struct af_layer *layer = &maybe_content->layer[i];
		char offset[AF_SHORT], text[160];
		const bool known = layer->kind != AF_LAYER_UNKNOWN;
		snprintf(text, sizeof(text), "%s%s%s, %s", layer->what, known ? " at " : "",
			 known ? af_text_size(layer->offset, offset) : "",
			 af_align_layer_word(d->rules, part, layer));
		put(p, i == 0 ? "Layers:" : "-", text);
	}
}

static void put_part(struct pen *p, const struct af_disk *d, const struct af_part *part)
{
	const struct af_content *inside = af_contents_find(d->contents, part->id);
	struct af_room *room;
	const size_t nrooms = af_align_rooms(d->rules, d->layout, &room);
	const struct af_column_row row = {
		.disk = d, .part = part, .room = room, .nrooms = nrooms
	};
	put_type(p, d, part);
	put_partuuid(p, d->layout, part);
	put(p, "Name:", part->name);
	put_cell(p, "Attributes:", &row, AF_COLUMN_ATTRS);
	if (part->boot)
		put(p, "Boot flag:", "80 (active)");
	new_line(p);
	put_content(p, part, inside);
	put_layers(p, d, part, inside);
	if (d->uses) {
		char uses[300] = "";
		put(p, "Used:",
		    af_uses_words(d->uses, part->number, part->span.start, uses,
				  sizeof(uses)));
	}
	new_line(p);
	put_cell(p, "Padding before, in sectors:", &row, AF_COLUMN_PADDING);
	put_cell(p, "EBR at sector:", &row, AF_COLUMN_EBR);
	free(room);
}

static void put_span(struct pen *p, const struct ui_picture *picture, struct af_span span)
{
	char text[160], size[AF_SHORT];
	const uint64_t first = ui_picture_sector(picture, span.start),
		       last = ui_picture_sector(picture, span.end - 1);
	snprintf(text, sizeof(text),
		 "%" PRIu64 " to %" PRIu64 " (%" PRIu64 "), %s, %" PRId64 " bytes", first,
		 last, last - first + 1, af_text_size(af_span_size(span), size),
		 af_span_size(span));
	put(p, "Sectors:", text);
	new_line(p);
}

void ui_facts_draw(const struct ui_app *app, struct ui_canvas *c, struct ui_rect r)
{
	const struct ui_row *row = ui_app_row(app);
	const struct af_part *part = ui_app_part(app);
	const struct af_disk *d = &app->picture.disk;
	struct ui_nested nested;
	char name[100] = "Free space";
	if (!row)
		return;
	if (part)
		ui_app_part_name(app, part->number, name, sizeof(name));
	else if (ui_picture_nested(&app->picture, app->picture.selected, &nested))
		snprintf(name, sizeof(name), "%s", nested.layer->what);
	ui_canvas_glyph(c, r.row, r.col, r.cols, UI_ROLE_DIM, UI_GLYPH_HORIZONTAL);
	ui_canvas_printf(c, r.row, r.col + 2, r.cols - 4, UI_ROLE_TITLE, " %s ", name);
	struct pen p = { .c = c, .r = { r.row + 1, r.col, r.rows - 1, r.cols - 1 } };
	put_span(&p, &app->picture, row->span);
	if (part)
		put_part(&p, d, part);
	else if (row->host && nested.layer)
		put(&p, "Type:", nested.layer->type_name);
	if (p.more)
		ui_canvas_glyph(c, r.row + r.rows - 1, r.col + r.cols - 1, 1, UI_ROLE_HINT,
				UI_GLYPH_MORE_DOWN);
}
