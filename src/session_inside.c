/*
 * session_inside.c - what is in the entries of a disklabel, and in what the kernel has built on a container: the eyes that need to
 * know of both, what was found first and where else to look.
 */
#include "session_priv.h"

#include <string.h>

#include "afdisk/above.h"
#include "afdisk/align.h"
#include "afdisk/kernel.h"
#include "afdisk/stack.h"

static bool read_dev(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	return af_dev_read(ctx, at, buf, n, err);
}

void af_session_look_into_entries(struct af_dev *dev, const struct af_part *part,
				  struct af_content *c)
{
	for (size_t i = 0; i < c->nlayers; i++) {
		struct af_layer *layer = &c->layer[i];
		struct af_content inside = { .state = AF_CONTENT_FOUND };

		if (layer->kind != AF_LAYER_NESTED)
			continue;
		af_stack_guess(read_dev, dev, af_align_layer_span(part, layer),
			       dev->sector_size, &inside);
		if (inside.nlayers > 0 && inside.layer[inside.nlayers - 1].unit > 0)
			layer->unit = inside.layer[inside.nlayers - 1].unit;
		af_content_release(&inside);
	}
}

/* Only on these are devices looked for: finding a partition in sysfs takes a while. */
static bool is_container(const char *fs)
{
	static const char *const container_table[] = { "crypto_LUKS", "LVM2_member",
						       "linux_raid_member", "bcache" };

	for (size_t i = 0; i < sizeof(container_table) / sizeof(container_table[0]); i++)
		if (strcmp(fs, container_table[i]) == 0)
			return true;
	return false;
}

void af_session_look_above(struct af_dev *dev, const struct af_part *part,
			   struct af_content *c)
{
	struct af_above_place place = { .sys = "/sys", .nodes = "/dev" };
	struct af_kernel_parts parts;
	char folder[64];

	if (!is_container(c->fs) || !af_kernel_folder(dev, folder, sizeof(folder)))
		return;
	af_kernel_read(folder, &parts);
	for (size_t i = 0; i < parts.n; i++)
		if (parts.item[i].number == part->number &&
		    af_span_equal(parts.item[i].span, part->span)) {
			place.device = parts.item[i].device;
			af_above_read(&place, dev, part->span, c);
		}
	af_kernel_parts_release(&parts);
}
