/*
 * lens_layers.c - what lies inside the selected partition, layer by layer, whatever it is: name, first sector of its data, the
 * mark of a boundary, and the unit in which it writes. Entries of labels have rows of their own and are not told here.
 */
#include "lens_priv.h"

#include <inttypes.h>
#include <stdio.h>

const struct af_layer *ui_lens_layer_at(const struct lens *x, af_bytes at)
{
	for (size_t i = 0; x->content && i < x->content->nlayers; i++) {
		const struct af_layer *layer = &x->content->layer[i];
		const af_bytes start = x->span.start + layer->offset;
		if (layer->kind == AF_LAYER_DATA && layer->offset > 0 && start >= at &&
		    start < at + x->sector)
			return layer;
	}
	return NULL;
}

/* How much is said of a layer. */
enum detail { ALL, SHORT };

/* Where its data begins: a sector, and bytes behind its start where it is not at one. */
static void add_place(const struct lens *x, const struct af_layer *layer,
		      enum detail detail, struct af_text *out)
{
	const struct af_grid check = x->p->disk.rules->check;
	const af_bytes start = x->span.start + layer->offset,
		       past = af_grid_past(check, start);
	af_text_add(out, "%s%" PRIu64, detail == ALL ? " data at " : " ",
		    ui_picture_sector(x->p, start));
	if (start % x->sector)
		af_text_add(out, "+%" PRId64 "B", start % x->sector);
	if (detail == ALL && past && past % x->sector == 0)
		af_text_add(out, " (%" PRId64 " past)", past / x->sector);
	else if (detail == ALL && past)
		af_text_add(out, " (%" PRId64 " bytes past)", past);
}

static void add_layer(const struct lens *x, const struct af_layer *layer,
		      enum detail detail, struct af_text *out)
{
	const struct af_rules *rules = x->p->disk.rules;
	char unit[AF_SHORT];
	if (layer->kind == AF_LAYER_UNKNOWN) {
		af_text_add(out, "? %s%s", layer->what,
			    detail == ALL ? ", its data not found" : "");
		return;
	}
	const bool on = af_grid_has(rules->check, x->span.start + layer->offset);
	af_text_add(out, "%s %s",
		    ui_glyph_text(on ? UI_GLYPH_ON : UI_GLYPH_OFF, x->c->ascii),
		    layer->what);
	add_place(x, layer, detail, out);
	if (layer->unit == 0)
		return;
	af_text_add(out, detail == ALL ? ", unit %s" : " %s",
		    af_text_size_short(layer->unit, unit));
	if (layer->unit < rules->physical)
		af_text_add(out, detail == ALL ? " is small" : " small");
}

static void add_layers(const struct lens *x, enum detail detail, struct af_text *out)
{
	const char *before = "inside: ";
	for (size_t i = 0; x->content && i < x->content->nlayers; i++) {
		if (!ui_lens_is_inside(&x->content->layer[i]))
			continue;
		af_text_add(out, "%s", before);
		add_layer(x, &x->content->layer[i], detail, out);
		before = detail == ALL ? "; " : " ";
	}
}

/* True if the data of something inside begins elsewhere than the partition, or nobody knows where. */
static bool is_remarkable(const struct lens *x)
{
	for (size_t i = 0; x->content && i < x->content->nlayers; i++) {
		const struct af_layer *layer = &x->content->layer[i];
		if (layer->kind == AF_LAYER_UNKNOWN ||
		    (layer->kind == AF_LAYER_DATA && layer->offset > 0))
			return true;
	}
	return false;
}

bool ui_lens_layers(const struct lens *x, int cols, struct af_text *out)
{
	add_layers(x, ALL, out);
	if (ui_canvas_width(af_text_get(out)) > cols) {
		af_text_clear(out);
		add_layers(x, SHORT, out);
	}
	return is_remarkable(x);
}
