/** lens_priv.h - what the parts of the lens share: sectors (lens.c), layers inside (lens_layers.c), the sentence
 * (lens_say.c). */
#ifndef UI_LENS_PRIV_H
#define UI_LENS_PRIV_H
#include "picture.h"

/** The lens being drawn. */
struct lens {
	const struct ui_picture *p;
	struct ui_canvas *c;
	const struct af_part *part;       /* NULL: free space, or an entry of a label */
	const struct af_content *content; /* of part, NULL if nothing is known of it */
	bool is_nested;
	struct ui_nested nested; /* that entry */
	struct af_span span;
	af_bytes sector;
};

/** True if the layer has data of the partition itself, wherever that is. */
static inline bool ui_lens_is_inside(const struct af_layer *layer)
{
	return layer->kind == AF_LAYER_DATA || layer->kind == AF_LAYER_UNKNOWN;
}

/** The layer whose data begins in the sector at byte at, behind the partition's own start; NULL if none does. */
const struct af_layer *ui_lens_layer_at(const struct lens *x, af_bytes at);

/** Says in one line of at most cols columns what is inside: of each layer where its data begins, whether that is on a
 * boundary, and its unit; "" if there is none. True if one of them begins elsewhere than the partition. */
bool ui_lens_layers(const struct lens *x, int cols, struct af_text *out);

/** Writes the layers and the sentence into r: what is off, what it costs, what a key would do. */
void ui_lens_say(const struct lens *x, struct ui_rect r);
#endif
