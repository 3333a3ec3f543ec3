/** holders_priv.h - what the files of the holders room share. */
#ifndef AFDISK_HOLDERS_PRIV_H
#define AFDISK_HOLDERS_PRIV_H
#include "afdisk/holders.h"
#include "afdisk/kernel.h"

/** A block device that is the disk, a partition of it, or made of one of these. */
struct node {
	uint64_t device;
	char name[64]; /* "sda1", "dm-0" */
	size_t target; /* what of the disk it rests on: 0 is the disk, i its i-th partition as the kernel lists them */
};

/** One look at a disk. */
struct look {
	const struct af_holders_place *place;
	struct af_kernel_parts parts;
	struct node *node; /* the disk, its partitions, then what is above them */
	size_t nnodes;
	struct af_uses uses;
};

/** Notes that target is used in that way, unless that is known. */
void af_holders_note(struct look *l, size_t target, enum af_use_kind kind,
		     const char *what);

/** The node of that device, or NULL. Borrowed until nodes are added. */
const struct node *af_holders_node(const struct look *l, uint64_t device);

/** True if something is noted of that target. */
bool af_holders_known(const struct look *l, size_t target);

/** Notes the mounts of all nodes: by the table of mounts in file. */
void af_holders_mounts(struct look *l, const char *file);

/** Notes who holds the disk or partitions of it that nothing is noted of, by trying to open them exclusively. */
void af_holders_ask(struct look *l, const char *path);
#endif
