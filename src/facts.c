/*
 * What is known about a disk besides its table. Plain look-ups; who fills the facts in is
 * no business of this room. The one judgement made here errs on the side of data: a
 * partition that was not looked into, or could not be read, counts as holding some.
 */
#include "afdisk/facts.h"
#include "afdisk/text.h"
#include <stdlib.h>
#include <string.h>

const struct af_content *af_contents_find(const struct af_contents *c, uint32_t id)
{
	/* Most tables are in the order in which they were read: no search then. */
	size_t guess = (size_t)id - 1;
	if (guess < c->n && c->item[guess].id == id)
		return &c->item[guess];
	for (size_t i = 0; i < c->n; i++)
		if (c->item[i].id == id)
			return &c->item[i];
	return NULL;
}

bool af_contents_may_hold(const struct af_contents *c, uint32_t id)
{
	const struct af_content *item = af_contents_find(c, id);
	return item != NULL && item->state != AF_CONTENT_NONE;
}

struct af_content af_content_copy(const struct af_content *from)
{
	struct af_content c = *from;
	c.layer = NULL;
	if (c.nlayers > 0) {
		c.layer = af_alloc(c.nlayers, sizeof(*c.layer));
		memcpy(c.layer, from->layer, c.nlayers * sizeof(*c.layer));
	}
	return c;
}

void af_content_release(struct af_content *c)
{
	free(c->layer);
	c->layer = NULL;
	c->nlayers = 0;
}

bool af_layer_is_nested(const struct af_layer *layer)
{
	switch (layer->kind) {
	case AF_LAYER_NESTED:
	case AF_LAYER_FRAME:
	case AF_LAYER_OUTSIDE:
		return true;
	case AF_LAYER_DATA:
		break;
	}
	return false;
}

void af_contents_release(struct af_contents *c)
{
	for (size_t i = 0; i < c->n; i++)
		af_content_release(&c->item[i]);
	free(c->item);
	*c = (struct af_contents){ 0 };
}

const char *af_source_name(enum af_source s)
{
	switch (s) {
	case AF_SOURCE_DEVICE:
		return "device";
	case AF_SOURCE_ASSUMED:
		return "assumed";
	case AF_SOURCE_QUIRK:
		return "quirk";
	case AF_SOURCE_MEASURED:
		return "measured";
	case AF_SOURCE_USER:
		return "user";
	}
	return "assumed";
}
