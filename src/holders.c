/*
 * holders - who uses a disk now. The kernel tells in sysfs what is built on a partition (device mapper, RAID, bcache, loop
 * devices), and on that; a mount or a swap area of any of these is a use of the partition at the bottom.
 * holders_mount.c reads the mounts, holders_ask.c finds who has no name here. Nothing is known of tables: partitions are
 * the kernel's.
 */
#include "holders_priv.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "afdisk/text.h"

#define NODES_MOST 4096 /* that are looked at: no machine has so many */

void af_holders_note(struct look *l, size_t target, enum af_use_kind kind, const char *what)
{
	struct af_use use = { .kind = kind, .span = { 0, l->place->size } };
	size_t at = 0;

	if (target > 0) {
		use.number = l->parts.item[target - 1].number;
		use.span = l->parts.item[target - 1].span;
	}
	af_text_clean(what, use.what, sizeof(use.what));
	for (size_t i = 0; i < l->uses.n; i++) {
		const struct af_use *other = &l->uses.item[i];

		if (other->number == use.number && other->kind == kind &&
		    strcmp(other->what, use.what) == 0)
			return;
		if (other->number <= use.number)
			at = i + 1;
	}
	l->uses.item = af_realloc(l->uses.item, l->uses.n + 1, sizeof(use));
	memmove(&l->uses.item[at + 1], &l->uses.item[at], (l->uses.n - at) * sizeof(use));
	l->uses.item[at] = use;
	l->uses.n++;
}

const struct node *af_holders_node(const struct look *l, uint64_t device)
{
	for (size_t i = 0; i < l->nnodes; i++)
		if (l->node[i].device == device)
			return &l->node[i];
	return NULL;
}

bool af_holders_known(const struct look *l, size_t target)
{
	uint32_t number = target > 0 ? l->parts.item[target - 1].number : 0;

	for (size_t i = 0; i < l->uses.n; i++)
		if (l->uses.item[i].number == number)
			return true;
	return false;
}

/** The first line of folder/file; "" if there is none. */
static void read_line(const char *folder, const char *file, char *buf, int size)
{
	char path[PATH_MAX];
	FILE *f = NULL;

	buf[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s", folder, file) < (int)sizeof(path))
		f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(buf, size, f))
		buf[strcspn(buf, "\n")] = '\0';
	else
		buf[0] = '\0';
	(void)fclose(f);
}

static bool read_device(const char *folder, uint64_t *out)
{
	unsigned long major_number, minor_number;
	char line[64], *end;

	read_line(folder, "dev", line, sizeof(line));
	major_number = strtoul(line, &end, 10);
	if (end == line || *end != ':')
		return false;
	minor_number = strtoul(end + 1, &end, 10);
	*out = makedev((unsigned)major_number, (unsigned)minor_number); /* the kernel's */
	return true;
}

/** Adds a node; false if it is there, or there are too many. */
static bool add_node(struct look *l, uint64_t device, const char *name, size_t target)
{
	struct node *n;

	for (size_t i = 0; i < l->nnodes; i++)
		if (l->node[i].device == device && l->node[i].target == target)
			return false;
	if (l->nnodes == NODES_MOST)
		return false;
	l->node = af_realloc(l->node, l->nnodes + 1, sizeof(*l->node));
	n = &l->node[l->nnodes++];
	*n = (struct node){ .device = device, .target = target };
	(void)snprintf(n->name, sizeof(n->name), "%.63s", name);
	return true;
}

void af_holders_name(const char *folder, const char *name, char *buf, size_t size)
{
	char uuid[128], given[128];
	const char *kind = "device mapper";

	read_line(folder, "dm/name", given, sizeof(given));
	read_line(folder, "dm/uuid", uuid, sizeof(uuid));
	if (strncmp(uuid, "LVM-", 4) == 0)
		kind = "LVM";
	else if (strncmp(uuid, "CRYPT-LUKS", 10) == 0)
		kind = "LUKS";
	else if (strncmp(uuid, "CRYPT-", 6) == 0)
		kind = "encrypted";
	else if (strncmp(uuid, "mpath-", 6) == 0)
		kind = "multipath";
	if (given[0])
		(void)snprintf(buf, size, "%s %s", kind, given);
	else if (strncmp(name, "md", 2) == 0)
		(void)snprintf(buf, size, "RAID %s", name);
	else
		(void)snprintf(buf, size, "%s", name);
}

static size_t count_slaves(const char *folder)
{
	char path[PATH_MAX];
	struct dirent **entry = NULL;
	int n;

	(void)snprintf(path, sizeof(path), "%.4000s/slaves", folder);
	n = scandir(path, &entry, af_dev_entry, alphasort);
	for (int i = 0; i < n; i++)
		free(entry[i]);
	free(entry);
	return n > 0 ? (size_t)n : 0;
}

/** The holder in that folder. */
static bool read_holder(const char *folder, const char *name, struct af_holder *out)
{
	char suspended[8];

	*out = (struct af_holder){ .slaves = count_slaves(folder) };
	if (!read_device(folder, &out->device))
		return false;
	read_line(folder, "dm/suspended", suspended, sizeof(suspended));
	out->suspended = suspended[0] == '1';
	(void)snprintf(out->name, sizeof(out->name), "%.63s", name);
	read_line(folder, "dm/name", out->given, sizeof(out->given));
	read_line(folder, "dm/uuid", out->uuid, sizeof(out->uuid));
	if (!out->given[0])
		memcpy(out->given, out->name, sizeof(out->name));
	return true;
}

size_t af_holders_above(const char *sys, uint64_t device, struct af_holder **out)
{
	struct dirent **entry = NULL;
	char folder[PATH_MAX], path[PATH_MAX];
	struct af_holder holder;
	size_t n = 0;
	int count;

	*out = NULL;
	(void)snprintf(folder, sizeof(folder), "%.3000s/dev/block/%u:%u/holders", sys,
		       major(device), minor(device));
	count = scandir(folder, &entry, af_dev_entry, alphasort);
	for (int i = 0; i < count; i++) {
		(void)snprintf(path, sizeof(path), "%.3500s/%.200s", folder,
			       entry[i]->d_name);
		if (read_holder(path, entry[i]->d_name, &holder)) {
			*out = af_realloc(*out, n + 1, sizeof(**out));
			(*out)[n++] = holder;
		}
		free(entry[i]);
	}
	free(entry);
	return n;
}

/** What is built on the device of that folder: holders/NAME is the folder of each. */
static void add_layers(struct look *l, const char *folder, size_t target)
{
	struct dirent **entry = NULL;
	char path[PATH_MAX], what[300];
	int n;

	(void)snprintf(path, sizeof(path), "%.4000s/holders", folder);
	n = scandir(path, &entry, af_dev_entry, alphasort);
	for (int i = 0; i < n; i++) {
		uint64_t device;

		if (snprintf(path, sizeof(path), "%s/holders/%s", folder,
			     entry[i]->d_name) < (int)sizeof(path) &&
		    read_device(path, &device)) {
			af_holders_name(path, entry[i]->d_name, what, sizeof(what));
			af_holders_note(l, target, AF_USE_LAYER, what);
			(void)add_node(l, device, entry[i]->d_name, target);
		}
		free(entry[i]);
	}
	free(entry);
}

/** The partitions of a layer, such as md0p1. */
static void add_parts(struct look *l, const char *folder, size_t target)
{
	struct af_kernel_parts parts;

	af_kernel_read(folder, &parts);
	for (size_t i = 0; i < parts.n; i++)
		(void)add_node(l, parts.item[i].device, parts.item[i].name, target);
	af_kernel_parts_release(&parts);
}

static int is_loop(const struct dirent *entry)
{
	return strncmp(entry->d_name, "loop", 4) == 0;
}

/** Loop devices that show a node. */
static void add_loops(struct look *l)
{
	char folder[PATH_MAX], path[PATH_MAX], backing[PATH_MAX];
	struct dirent **entry = NULL;
	struct stat st;
	int n;

	(void)snprintf(folder, sizeof(folder), "%s/block", l->place->sys);
	n = scandir(folder, &entry, is_loop, alphasort);
	for (int i = 0; i < n; i++) {
		const struct node *below = NULL;
		uint64_t device;

		(void)snprintf(path, sizeof(path), "%.3000s/%.200s", folder,
			       entry[i]->d_name);
		read_line(path, "loop/backing_file", backing, sizeof(backing));
		if (backing[0] && stat(backing, &st) == 0 && S_ISBLK(st.st_mode))
			below = af_holders_node(l, st.st_rdev);
		if (below && read_device(path, &device)) {
			size_t target = below->target;

			af_holders_note(l, target, AF_USE_LOOP, entry[i]->d_name);
			(void)add_node(l, device, entry[i]->d_name, target);
		}
		free(entry[i]);
	}
	free(entry);
}

/** All that rests on the disk, layer by layer: each node is looked at once, and may add some behind it. */
static void climb(struct look *l, size_t from)
{
	for (size_t i = from; i < l->nnodes; i++) {
		const struct node n = l->node[i];
		char folder[PATH_MAX];

		(void)snprintf(folder, sizeof(folder), "%s/dev/block/%u:%u", l->place->sys,
			       major(n.device), minor(n.device));
		add_layers(l, folder, n.target);
		if (i > l->parts.n) /* above the disk and its own partitions */
			add_parts(l, folder, n.target);
	}
}

static void find_nodes(struct look *l)
{
	char folder[PATH_MAX];
	size_t below;

	(void)snprintf(folder, sizeof(folder), "%s/dev/block/%u:%u", l->place->sys,
		       major(l->place->device), minor(l->place->device));
	af_kernel_read(folder, &l->parts);
	(void)add_node(l, l->place->device, "", 0);
	for (size_t i = 0; i < l->parts.n; i++)
		(void)add_node(l, l->parts.item[i].device, l->parts.item[i].name, i + 1);
	climb(l, 0);
	below = l->nnodes;
	add_loops(l);
	climb(l, below);
}

/** Swap areas, a line each after a heading; the name is the kernel's own. */
static void note_swaps(struct look *l)
{
	char path[PATH_MAX], line[PATH_MAX];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/swaps", l->place->proc);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, " \t\n")] = '\0';
		for (size_t i = 0; i < l->nnodes; i++)
			if (strncmp(line, "/dev/", 5) == 0 && l->node[i].name[0] &&
			    strcmp(line + 5, l->node[i].name) == 0)
				af_holders_note(l, l->node[i].target, AF_USE_SWAP, "");
	}
	if (f)
		(void)fclose(f);
}

/** File systems over several devices, of which the table of mounts names one. */
static void note_btrfs(struct look *l)
{
	char folder[PATH_MAX], path[PATH_MAX];
	struct dirent **entry = NULL;
	struct stat st;
	int n;

	(void)snprintf(folder, sizeof(folder), "%s/fs/btrfs", l->place->sys);
	n = scandir(folder, &entry, af_dev_entry, alphasort);
	for (int i = 0; i < n; i++) {
		for (size_t k = 0; k < l->nnodes; k++) {
			(void)snprintf(path, sizeof(path), "%.3000s/%.200s/devices/%s",
				       folder, entry[i]->d_name, l->node[k].name);
			if (l->node[k].name[0] && stat(path, &st) == 0 &&
			    !af_holders_known(l, l->node[k].target))
				af_holders_note(l, l->node[k].target, AF_USE_LAYER,
						"a mounted btrfs");
		}
		free(entry[i]);
	}
	free(entry);
}

static void look_at(struct look *l)
{
	char path[PATH_MAX];

	find_nodes(l);
	(void)snprintf(path, sizeof(path), "%s/self/mountinfo", l->place->proc);
	af_holders_mounts(l, path);
	note_swaps(l);
	note_btrfs(l);
}

static void release(struct look *l)
{
	free(l->node);
	af_kernel_parts_release(&l->parts);
}

void af_holders_scan(const struct af_holders_place *place, struct af_uses *out)
{
	struct look l = { .place = place };

	look_at(&l);
	*out = l.uses;
	release(&l);
}

/** An image is in use if a loop device shows it. */
static void look_at_image(const struct af_dev *dev, struct af_uses *out)
{
	const struct af_holders_place place = { .size = dev->size };
	struct look l = { .place = &place };
	char name[32];

	if (dev->is_file && af_dev_find_loop("/sys/block", dev->path, name, sizeof(name)))
		af_holders_note(&l, 0, AF_USE_LOOP, name);
	*out = l.uses;
}

void af_holders_read(const struct af_dev *dev, bool ask, struct af_uses *out)
{
	struct af_holders_place place = { .sys = "/sys",
					  .proc = "/proc",
					  .size = dev->size };
	struct look l = { .place = &place };
	struct stat st;
	int fd = af_dev_fd(dev);

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISBLK(st.st_mode)) {
		look_at_image(dev, out);
		return;
	}
	place.device = st.st_rdev;
	look_at(&l);
	if (ask && !dev->exclusive)
		af_holders_ask(&l, dev->path);
	*out = l.uses;
	release(&l);
}
