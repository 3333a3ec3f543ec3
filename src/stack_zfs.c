/*
 * stack_zfs.c - a device of a ZFS pool: data begins behind two labels of 256 KiB and 3.5 MiB kept for boot code, in blocks of
 * 1 << ashift. A label's names and values are XDR, big-endian: OpenZFS, include/sys/vdev_impl.h and module/nvpair/nvpair.c;
 * of its four copies two lie at each end of the device.
 */
#include <stdlib.h>

#include "afdisk/text.h"
#include "chain_bytes.h"
#include "stack_priv.h"

#define LABEL      ((af_bytes)256 * AF_KIB)
#define LIST       ((af_bytes)16 * AF_KIB)
#define LIST_SIZE  ((size_t)112 * 1024)
#define DATA_START ((af_bytes)4 * AF_MIB)

enum {
	XDR = 1,
	HEADER = 4,      /* encoding, byte order, two unused */
	LIST_HEADER = 8, /* version, flags */
	PAIR_HEADER = 8, /* how long it is here, and in memory; zeros end a list */
	TYPE_UINT64 = 8,
	TYPE_LIST = 19,
	ASHIFT_MIN = 9,
	ASHIFT_MAX = 16,
};

/* Bytes of one list. */
struct list {
	const unsigned char *at;
	size_t n;
};

/* The value of the pair called name, if it is of that type and there is one of it: the rest of the pair. */
static bool find(struct list l, const char *name, uint32_t type, struct list *value)
{
	const size_t len = strlen(name), padded = (len + 3) / 4 * 4;

	while (l.n >= PAIR_HEADER + 4) {
		const size_t size = af_get_be32(l.at);
		/* behind its name come its type, how many values, and these */
		const size_t head = PAIR_HEADER + 4 + padded + 8;

		if (size < PAIR_HEADER + 4 || size > l.n)
			return false;
		if (size >= head && af_get_be32(l.at + PAIR_HEADER) == len &&
		    memcmp(l.at + PAIR_HEADER + 4, name, len) == 0 &&
		    af_get_be32(l.at + head - 8) == type &&
		    af_get_be32(l.at + head - 4) == 1) {
			*value = (struct list){ l.at + head, size - head };
			return true;
		}
		l.at += size;
		l.n -= size;
	}
	return false;
}

/* True if that is the list of a device; *ashift is 0 if it does not say, as of one that is but a cache or a spare. */
static bool read_list(const unsigned char *bytes, size_t n, uint32_t *ashift)
{
	struct list all = { bytes + HEADER + LIST_HEADER, n - HEADER - LIST_HEADER };
	struct list tree, value;

	*ashift = 0;
	if (bytes[0] != XDR || bytes[1] > 1 || bytes[2] != 0 || bytes[3] != 0 ||
	    !find(all, "version", TYPE_UINT64, &value))
		return false;
	if (find(all, "vdev_tree", TYPE_LIST, &tree) && tree.n > LIST_HEADER) {
		tree.at += LIST_HEADER;
		tree.n -= LIST_HEADER;
		if (find(tree, "ashift", TYPE_UINT64, &value) && value.n >= 8 &&
		    af_get_be32(value.at) == 0)
			*ashift = af_get_be32(value.at + 4);
		if (*ashift < ASHIFT_MIN || *ashift > ASHIFT_MAX)
			return false;
	}
	return true;
}

static bool read_label(const struct stack_window *w, af_bytes at, uint32_t *ashift)
{
	unsigned char *bytes;
	unsigned char head[HEADER];
	bool done;

	if (at < 0 || !stack_read(w, at + LIST, head, sizeof(head)) || head[0] != XDR)
		return false;
	bytes = af_alloc(LIST_SIZE, 1);
	done = stack_read(w, at + LIST, bytes, LIST_SIZE) &&
	       read_list(bytes, LIST_SIZE, ashift);
	free(bytes);
	return done;
}

/* Nothing vouches for one label here, but a second one: two that are readable must say the same. */
bool af_stack_zfs(const struct stack_window *w, struct stack_found *out)
{
	const af_bytes size = af_span_size(w->span), end = size / LABEL * LABEL;
	const af_bytes label_table[] = { 0, LABEL, end - 2 * LABEL, end - LABEL };
	uint32_t ashift[2] = { 0, 0 };
	size_t n = 0;

	if (size <= DATA_START)
		return false;
	for (size_t i = 0; i < sizeof(label_table) / sizeof(label_table[0]) && n < 2; i++)
		if (read_label(w, label_table[i], &ashift[n]))
			n++;
	if (n == 0 || (n == 2 && ashift[0] != ashift[1]))
		return false;
	af_stack_add(out, "ZFS", DATA_START, ashift[0] > 0 ? (af_bytes)1 << ashift[0] : 0);
	out->bound_to_end = true;
	return true;
}
