/*
 * What a start off the boundary was seen to cost on hard disks, by what is inside and where it lies. All figures are of
 * drives with physical sectors of 4096 bytes that report 512, sector 63 beside sector 64 or the like: a WD10EARS with dd, an
 * ST2000DL003 with bonnie++ on ext3, a WD20EARS with an archive unpacked to UFS and ZFS, a 2 TB WD drive with phybs.
 */
#include "cost.h"

#include <string.h>

struct cost_row {
	const char *fs;
	bool far; /* near the end of the disk, where it is slowest */
	struct ui_cost cost;
};

static const struct cost_row cost_table[] = {
	{ "ext2",
	  false,
	  { "ext2 wrote at 90 % of aligned speed in measurements of a WD10EARS with dd "
	    "(114 "
	    "of 126 MB/s)",
	    "writes at 90 % of aligned speed", "a WD10EARS" } },
	{ "ext4",
	  true,
	  { "ext4 near the end of the disk wrote at 67 % of aligned speed in measurements "
	    "of "
	    "a WD10EARS with dd (40 of 60 MB/s)",
	    "writes at 67 % of aligned speed", "a WD10EARS" } },
	{ "ext4",
	  false,
	  { "ext4 wrote at 87 % of aligned speed in measurements of a WD10EARS with dd (92 "
	    "of 106 MB/s)",
	    "writes at 87 % of aligned speed", "a WD10EARS" } },
	{ "reiserfs",
	  false,
	  { "reiserfs wrote at 86 % of aligned speed in measurements of a WD10EARS with dd "
	    "(87 of 101 MB/s)",
	    "writes at 86 % of aligned speed", "a WD10EARS" } },
	{ "vfat",
	  false,
	  { "FAT wrote at the same speed in measurements of a WD10EARS with dd (58 MB/s)",
	    "no loss seen in writes", "a WD10EARS" } },
	{ "ufs",
	  false,
	  { "UFS took 36 s to unpack what took 20 s aligned, in measurements of a WD20EARS",
	    "unpacks at 56 % of aligned speed", "a WD20EARS" } },
	{ "zfs_member",
	  false,
	  { "ZFS took 12 s to unpack what took 10 s aligned, in measurements of a WD20EARS",
	    "unpacks at 83 % of aligned speed", "a WD20EARS" } },
	{ "swap",
	  false,
	  { "4 KiB writes took 3 times as long as aligned ones in measurements of a 2 TB "
	    "WD "
	    "drive with phybs",
	    "4 KiB writes take 3 times as long", "a 2 TB WD" } },
};

/* Of everything else, ext3 included. */
static const struct ui_cost rewrite_cost = {
	"rewrites ran at 45 % and reads at 25 % of aligned speed in measurements of an "
	"ST2000DL003 with bonnie++ on ext3",
	"rewrites at 45 % of aligned speed", "an ST2000DL003"
};

/* Its fragments were smaller than the physical sectors, its start right. */
static const struct ui_cost small_cost = {
	"UFS in fragments of 2 KiB took 28 s to unpack what took 20 s in 4 KiB, in "
	"measurements of a WD20EARS",
	"2 KiB fragments unpack at 72 % of the speed of 4 KiB", "a WD20EARS"
};

/* Kinds of flash memory: the figures are of hard disks. */
static bool is_flash(const struct af_topo *topo)
{
	return strcmp(topo->transport, "nvme") == 0 || strcmp(topo->transport, "mmc") == 0;
}

const struct ui_cost *ui_cost_of(const struct af_topo *topo, const char *fs, af_bytes start)
{
	const bool far = start > topo->size / 10 * 9;
	if (is_flash(topo))
		return NULL;
	for (size_t i = 0; i < sizeof(cost_table) / sizeof(cost_table[0]); i++)
		if (strcmp(fs, cost_table[i].fs) == 0 && (far || !cost_table[i].far))
			return &cost_table[i].cost;
	return &rewrite_cost;
}

const struct ui_cost *ui_cost_of_small(const struct af_topo *topo)
{
	return is_flash(topo) ? NULL : &small_cost;
}

/* How the readers' names of file systems begin, and how libblkid calls them. */
static const char *const kind_table[][2] = {
	{ "ext2", "ext2" }, { "ext3", "ext3" }, { "ext4", "ext4" },      { "FAT", "vfat" },
	{ "UFS", "ufs" },   { "swap", "swap" }, { "ZFS", "zfs_member" },
};

const char *ui_cost_kind(const struct af_content *maybe_content)
{
	const char *kind = maybe_content ? maybe_content->fs : "";
	for (size_t i = 0; maybe_content && i < maybe_content->nlayers; i++) {
		const struct af_layer *layer = &maybe_content->layer[i];
		if (strcmp(layer->type_name, "4.2BSD") == 0)
			kind = "ufs";
		for (size_t k = 0; k < sizeof(kind_table) / sizeof(kind_table[0]); k++)
			if (strncmp(layer->what, kind_table[k][0],
				    strlen(kind_table[k][0])) == 0)
				kind = kind_table[k][1];
	}
	return kind;
}
