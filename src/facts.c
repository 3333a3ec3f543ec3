/*
 * What is known about a disk besides its table. Plain look-ups; who fills the facts in is
 * no business of this room. The one judgement made here errs on the side of data: a
 * partition that was not looked into, or could not be read, counts as holding some.
 */
#include "afdisk/facts.h"
#include "afdisk/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USES_SAID 3 /* at the most, in one sentence */

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

af_bytes af_content_excess(const struct af_content *c, struct af_span span)
{
	const af_bytes size = af_span_size(span);
	return c->state == AF_CONTENT_FOUND && c->fs_size > size ? c->fs_size - size : 0;
}

const char *af_content_larger(const struct af_content *c, struct af_span span, char *buf,
			      size_t size)
{
	const af_bytes excess = af_content_excess(c, span);
	buf[0] = '\0';
	if (excess > 0) {
		char all[AF_SHORT], more[AF_SHORT];
		(void)snprintf(buf, size,
			       "its %s of %s is larger than the partition: %s of it lies "
			       "beyond the end",
			       c->fs, af_text_size(c->fs_size, all),
			       af_text_size(excess, more));
	}
	return buf;
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
	case AF_LAYER_UNKNOWN:
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

bool af_use_is_of(const struct af_use *use, uint32_t number, af_bytes start)
{
	return use->number == number && (number == 0 || use->span.start == start);
}

static const struct {
	const char *named, *nameless; /* before the name, or instead of both */
	const char *end;
} use_table[] = {
	[AF_USE_MOUNT] = { "mounted at ", "mounted", "unmount it" },
	[AF_USE_SWAP] = { "swap ", "used as swap", "run swapoff on it" },
	[AF_USE_LAYER] = { "part of ", "part of another device", "close that" },
	[AF_USE_LOOP] = { "shown as /dev/", "shown by a loop device",
			  "run losetup -d on that" },
	[AF_USE_PROGRAM] = { "in use by ", "in use by another program", "let that end" },
};

const char *af_use_end(enum af_use_kind kind)
{
	return use_table[kind].end;
}

const char *af_uses_words(const struct af_uses *uses, uint32_t number, af_bytes start,
			  char *buf, size_t size)
{
	size_t used = 0, said = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < uses->n; i++) {
		const struct af_use *use = &uses->item[i];
		const bool named = use->what[0] != '\0';

		if (!af_use_is_of(use, number, start))
			continue;
		if (said == USES_SAID) {
			(void)af_text_join(buf, size, used, " ...");
			break;
		}
		used = af_text_join(buf, size, used, said++ > 0 ? ", " : "");
		used = af_text_join(buf, size, used,
				    named ? use_table[use->kind].named
					  : use_table[use->kind].nameless);
		used = af_text_join(buf, size, used, use->what);
	}
	return buf;
}

void af_uses_release(struct af_uses *u)
{
	free(u->item);
	*u = (struct af_uses){ 0 };
}
