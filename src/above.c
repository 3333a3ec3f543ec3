/*
 * above - follows data into the devices that are built on a partition and active: what is encrypted on the disk can be read
 * there, and where a logical volume lies is in its group's text. Offsets of mappings are not in sysfs, so they come
 * from the headers of the containers below; a mapping that none of these explains is one of unknown place.
 */
#include "afdisk/above.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/holders.h"
#include "afdisk/probe.h"
#include "afdisk/stack.h"
#include "afdisk/text.h"

#define DEPTH_MOST   5  /* devices on devices */
#define DEVICES_MOST 64 /* that are looked into, of one partition */

struct climb {
	const struct af_above_place *place;
	struct af_content *content; /* the partition's: layers are added to it */
	size_t looked;
};

/* A device, or the partition, with what is in it, and where in the partition it begins. */
struct floor {
	uint64_t device;
	struct af_dev *dev;
	struct af_span span;
	const struct af_content *content;
	af_bytes base;
	bool known; /* base is */
	int depth;
};

static bool read_dev(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	return af_dev_read(ctx, at, buf, n, err);
}

static bool is_mirror(const struct af_layer *layer)
{
	const char *space = strrchr(layer->what, ' ');

	return space && strcmp(space, " raid1") == 0;
}

/* The identifier of a logical volume is in that of its mapping: "LVM-", the group's, its own. More stands behind them for
 * parts of volumes that are no volume of their own. */
#define LVM_UUID (4 + 2 * AF_STACK_ID)

static bool place_of_volume(const struct floor *f, const struct af_holder *h, af_bytes *out)
{
	return strncmp(h->uuid, "LVM-", 4) == 0 && strlen(h->uuid) == LVM_UUID &&
	       af_stack_volume(read_dev, f->dev, f->span, h->uuid + LVM_UUID - AF_STACK_ID,
			       out);
}

/* Where in the floor below the device begins, by what is there; false if that cannot be told. */
static bool place_of(const struct floor *f, const struct af_holder *h, af_bytes *out)
{
	const struct af_content *c = f->content;
	const struct af_layer *first = c->nlayers > 0 ? &c->layer[0] : NULL;

	if (!first || first->kind != AF_LAYER_DATA)
		return false;
	*out = first->offset;
	if (strcmp(c->fs, "LVM2_member") == 0)
		return place_of_volume(f, h, out);
	if (strcmp(c->fs, "crypto_LUKS") == 0)
		return c->nlayers == 1 && h->slaves == 1 &&
		       strncmp(h->uuid, "CRYPT-LUKS", 10) == 0;
	if (strcmp(c->fs, "linux_raid_member") == 0)
		return h->slaves == 1 || is_mirror(first);
	return strcmp(c->fs, "bcache") == 0;
}

static void add_layer(struct climb *c, struct af_layer layer, const struct floor *f,
		      const struct af_holder *h)
{
	struct af_content *to = c->content;
	char what[300];

	(void)snprintf(what, sizeof(what), "%s on %s", layer.what, h->given);
	af_text_clean(what, layer.what, sizeof(layer.what));
	if (!f->known || layer.kind == AF_LAYER_UNKNOWN ||
	    !af_add(layer.offset, f->base, &layer.offset)) {
		layer.kind = AF_LAYER_UNKNOWN;
		layer.offset = 0;
	}
	to->layer = af_realloc(to->layer, to->nlayers + 1, sizeof(*to->layer));
	to->layer[to->nlayers++] = layer;
}

static void add_layers(struct climb *c, const struct floor *f, const struct af_holder *h)
{
	struct af_layer unreadable = { .kind = AF_LAYER_UNKNOWN, .what = "data" };

	if (f->content->state == AF_CONTENT_UNREADABLE)
		add_layer(c, unreadable, f, h);
	for (size_t i = 0; i < f->content->nlayers; i++)
		add_layer(c, f->content->layer[i], f, h);
	if (f->known && c->content->fs_size == 0 && f->content->fs_size > 0 &&
	    !af_add(f->base, f->content->fs_size, &c->content->fs_size))
		c->content->fs_size = 0;
}

/* Of a mirror, and of a cached device without newer data in the cache, everything was seen from below; of a part of a
 * volume, such as a pool's data, nothing is to be told: what is in the volume is. */
static bool is_quiet(const struct floor *f, const struct af_holder *h)
{
	if (strncmp(h->uuid, "LVM-", 4) == 0 && strlen(h->uuid) > LVM_UUID)
		return true;
	return (strcmp(f->content->fs, "linux_raid_member") == 0 ||
		strcmp(f->content->fs, "bcache") == 0) &&
	       f->content->nlayers > 1;
}

static bool open_node(const struct climb *c, const struct af_holder *h, struct af_dev *dev)
{
	char path[PATH_MAX];
	struct af_err ignored;

	if (h->suspended)
		return false;
	(void)snprintf(path, sizeof(path), "%.3000s/%.63s", c->place->nodes, h->name);
	for (char *p = path + strlen(c->place->nodes) + 1; *p; p++)
		if (*p == '!') /* how sysfs writes a slash */
			*p = '/';
	return af_dev_open(path, dev, &ignored);
}

static void climb_from(struct climb *c, const struct floor *below);

static void look_into(struct climb *c, const struct floor *below, const struct af_holder *h)
{
	struct af_dev dev;
	struct af_content inside = { .state = AF_CONTENT_UNREADABLE };
	struct floor f = { .device = h->device,
			   .dev = &dev,
			   .content = &inside,
			   .depth = below->depth + 1 };

	f.known = below->known && place_of(below, h, &f.base) &&
		  af_add(f.base, below->base, &f.base);
	if (!open_node(c, h, &dev)) {
		if (!is_quiet(below, h))
			add_layers(c, &f, h);
		return;
	}
	f.span = (struct af_span){ 0, dev.size };
	af_probe(&dev, f.span, &inside);
	af_stack_read(read_dev, &dev, f.span, dev.sector_size, &inside);
	if (!is_quiet(below, h))
		add_layers(c, &f, h);
	climb_from(c, &f);
	af_content_release(&inside);
	af_dev_close(&dev);
}

static void climb_from(struct climb *c, const struct floor *below)
{
	struct af_holder *holder;
	size_t n;

	if (below->depth == DEPTH_MOST)
		return;
	n = af_holders_above(c->place->sys, below->device, &holder);
	for (size_t i = 0; i < n && c->looked < DEVICES_MOST; i++) {
		c->looked++;
		look_into(c, below, &holder[i]);
	}
	free(holder);
}

void af_above_read(const struct af_above_place *place, struct af_dev *dev,
		   struct af_span span, struct af_content *content)
{
	struct climb c = { .place = place, .content = content };
	struct af_content before = af_content_copy(content);
	const struct floor bottom = { .device = place->device,
				      .dev = dev,
				      .span = span,
				      .content = &before,
				      .known = true };

	climb_from(&c, &bottom);
	af_content_release(&before);
}
