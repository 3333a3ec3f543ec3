/*
 * What is known about a disk besides its table. Plain look-ups; who fills the facts in is
 * no business of this room. The one judgement made here errs on the side of data: a
 * partition that was not looked into, or could not be read, counts as holding some.
 */
#include "afdisk/facts.h"
#include <stdlib.h>

const struct af_content *af_contents_find(const struct af_contents *c, uint32_t id)
{
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

void af_contents_release(struct af_contents *c)
{
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
