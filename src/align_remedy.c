/*
 * align_remedy.c - the command that makes what lies inside a partition anew, in blocks as large as a physical sector and with
 * its data on boundaries: where blocks are smaller, or data begins at a bad offset of its own, no other place of the
 * partition is a remedy, or none that leaves its start right. The options are those of the programs' manual pages.
 */
#include "afdisk/align.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* In a command, @ is the device; #B is the new block in bytes, #S in sectors, #A the power of two that it is, #L the level. */
struct remedy {
	const char *what; /* how the layer's name begins */
	const char *command;
	af_bytes most; /* the largest block that it takes */
	const char
		*odd; /* for a partition that ends inside such a block, if it takes none */
};

static const struct remedy remedy_table[] = {
	{ "ext4", "mkfs.ext4 -b #B @", 4096, NULL },
	{ "ext3", "mkfs.ext3 -b #B @", 4096, NULL },
	{ "ext2", "mkfs.ext2 -b #B @", 4096, NULL },
	{ "XFS", "mkfs.xfs -f -s size=#B @", 4096, NULL },
	{ "FAT", "mkfs.fat -s #S @", 65536, NULL },
	{ "exFAT", "mkfs.exfat -c #B @", 65536, NULL },
	{ "NTFS", "mkntfs -Q -c #B @", 65536, NULL },
	{ "UFS", "newfs -f #B", 65536, NULL },
	{ "LUKS", "cryptsetup luksFormat --sector-size #B @", 4096,
	  "cryptsetup luksFormat @" },
	{ "LVM2", "pvcreate --dataalignment 1m @", 65536, NULL },
	{ "md 1", "mdadm --create ARRAY --level=#L --data-offset=1M @ ...", 65536, NULL },
	{ "bcache backing", "wipefs -a @ && make-bcache -B --block #B --data-offset 2048 @",
	  4096, NULL },
	{ "bcache cache", "wipefs -a @ && make-bcache -C --block #B @", 4096, NULL },
	{ "ZFS", "zpool create -o ashift=#A POOL @", 65536, NULL },
};

/* Of an entry in a disklabel, on a system with names of its own for devices. */
static const struct remedy entry_remedy = { "", "newfs -f #B", 65536, NULL };

static const struct remedy *remedy_of(const struct af_layer *layer)
{
	for (size_t i = 0; i < sizeof(remedy_table) / sizeof(remedy_table[0]); i++)
		if (strncmp(layer->what, remedy_table[i].what,
			    strlen(remedy_table[i].what)) == 0)
			return &remedy_table[i];
	return NULL;
}

/* Where the layer lies: on a device that the kernel has built, which its name tells, in the partition, or who knows where. */
static void add_device(const struct af_content *content, const struct af_layer *layer,
		       const char *maybe_dev, struct af_text *out)
{
	const char *on = strstr(layer->what, " on "), *dev = maybe_dev;
	if (on) {
		on += strlen(" on ");
		const bool own = strncmp(on, "md", 2) == 0 || strncmp(on, "bcache", 6) == 0;
		af_text_add(out, "/dev/%s%s", own ? "" : "mapper/", on);
		return;
	}
	if (!dev)
		dev = "PARTITION";
	for (const struct af_layer *below = content->layer; below < layer; below++)
		if (!below->is_fs)
			dev = "DEVICE";
	af_text_add(out, "%s", dev);
}

static int power_of(af_bytes n)
{
	int power = 0;
	while (n > 1) {
		n /= 2;
		power++;
	}
	return power;
}

/* The level of an array is the last word of the name. */
static const char *level_of(const struct af_layer *layer)
{
	const char *level = strstr(layer->what, "raid");
	return level ? level : "LEVEL";
}

static void add_command(const char *words, const struct af_inside *w, af_bytes block,
			struct af_text *out)
{
	for (const char *c = words; *c; c++) {
		if (*c == '@')
			add_device(w->content, w->layer, w->maybe_dev, out);
		else if (*c != '#')
			af_text_put(out, c, 1);
		else if (*++c == 'B')
			af_text_add(out, "%" PRId64, block);
		else if (*c == 'S')
			af_text_add(out, "%" PRId64, block / w->sector_size);
		else if (*c == 'A')
			af_text_add(out, "%d", power_of(block));
		else
			af_text_add(out, "%s", level_of(w->layer));
	}
}

/* True if one place of the partition would put all that is inside on boundaries. */
static bool has_good_place(const struct af_rules *rules, const struct af_content *content)
{
	const struct af_layer *first = NULL;
	for (size_t i = 0; i < content->nlayers; i++) {
		const struct af_layer *layer = &content->layer[i];
		if (layer->kind != AF_LAYER_DATA && layer->kind != AF_LAYER_NESTED)
			continue;
		if (!first)
			first = layer;
		if ((layer->offset - first->offset) % rules->check.step != 0)
			return false;
	}
	return true;
}

enum af_remedy af_align_remedy(const struct af_rules *rules, const struct af_part *part,
			       const struct af_inside *w, struct af_text *out)
{
	const struct af_layer *layer = w->layer;
	const struct remedy *r = remedy_of(layer);
	const char *word = af_align_layer_word(rules, part, layer);
	const bool off = strcmp(word, "misaligned") == 0,
		   small = strcmp(word, "unknown") != 0 && layer->unit > 0 &&
			   layer->unit < rules->physical;
	const bool bad_start = !af_grid_has(rules->check, part->span.start),
		   conflict = !has_good_place(rules, w->content);
	af_bytes block = layer->unit > rules->physical ? layer->unit : rules->physical;

	if (layer->kind == AF_LAYER_NESTED) /* its sentence names a better offset */
		r = small ? &entry_remedy : NULL;
	if (!r || !(small || (off && (!bad_start || conflict))))
		return AF_REMEDY_NONE;
	if (block > r->most)
		return AF_REMEDY_NONE;
	const bool ends_inside = r->odd && af_span_size(part->span) % block != 0;
	if (ends_inside && small)
		return AF_REMEDY_NONE;
	add_command(ends_inside ? r->odd : r->command, w, block, out);
	return small || conflict ? AF_REMEDY_ONLY : AF_REMEDY_ONE;
}

/* "ext4 has blocks of 1 KiB: " */
static void say_unit(const struct af_layer *layer, struct af_text *out)
{
	char unit[AF_SHORT];
	af_text_add(out, "%s has blocks of %s: ", layer->what,
		    af_text_size(layer->unit, unit));
}

enum af_remedy af_align_say_remedy(const struct af_rules *rules, const struct af_part *part,
				   const struct af_inside *where, struct af_text *out)
{
	struct af_text command = { 0 };
	enum af_remedy remedy = AF_REMEDY_NONE;
	struct af_inside w = *where;
	for (size_t i = 0; remedy == AF_REMEDY_NONE && i < w.content->nlayers; i++) {
		w.layer = &w.content->layer[i];
		if (!where->layer || where->layer == w.layer)
			remedy = af_align_remedy(rules, part, &w, &command);
	}
	if (remedy != AF_REMEDY_NONE && !where->layer && w.layer->unit > 0 &&
	    w.layer->unit < rules->physical)
		say_unit(w.layer, out);
	if (remedy != AF_REMEDY_NONE)
		af_text_add(out, "%smaking it anew helps: %s",
			    remedy == AF_REMEDY_ONLY ? "only " : "", af_text_get(&command));
	af_text_release(&command);
	return remedy;
}
