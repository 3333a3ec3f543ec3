/*
 * stack - follows the data of a partition down through containers and file systems. Each format has a reader in a file of its
 * own and a row in the table here. A reader sees a window of bytes that nobody vouches for and says where data
 * begins and where the next thing may lie; this file adds the offsets up. Nothing is known here of what is active: that
 * is the kernel's.
 */
#include "afdisk/stack.h"

#include <stdio.h>
#include <stdlib.h>

#include "afdisk/text.h"
#include "stack_priv.h"

#define DEPTH_MOST 4 /* containers in each other, in one partition */

/* Tried in this order where libblkid was not asked: those with the weakest magic numbers come last. */
static const struct stack_reader reader_table[] = {
	{ "crypto_LUKS", af_stack_luks },
	{ "LVM2_member", af_stack_lvm },
	{ "linux_raid_member", af_stack_md },
	{ "bcache", af_stack_bcache },
	{ "BitLocker", af_stack_bitlocker },
	{ "zfs_member", af_stack_zfs },
	{ "btrfs", af_stack_btrfs },
	{ "xfs", af_stack_xfs },
	{ "f2fs", af_stack_f2fs },
	{ "ext4", af_stack_ext },
	{ "ext3", af_stack_ext },
	{ "ext2", af_stack_ext },
	{ "ntfs", af_stack_ntfs },
	{ "exfat", af_stack_exfat },
	{ "ufs", af_stack_ufs },
	{ "swap", af_stack_swap },
	{ "swsuspend", af_stack_swap },
	{ "vfat", af_stack_fat },
};

#define READERS (sizeof(reader_table) / sizeof(reader_table[0]))

/* The bytes read last, in pieces on lines of their size: headers lie side by side, and a system call costs more than
 * a copy does. */
#define PIECE  ((af_bytes)16 * AF_KIB)
#define PIECES 4

struct piece {
	af_bytes at;
	size_t n; /* 0: not filled */
	unsigned char bytes[PIECE];
};

struct cache {
	af_read_fn read;
	void *ctx;
	struct af_span span;
	struct piece piece[PIECES];
	size_t oldest;
};

/* The piece with byte at, which lies in the span; NULL if it cannot be read. */
static const struct piece *piece_of(struct cache *c, af_bytes at)
{
	const af_bytes start = at - (at - c->span.start) % PIECE;
	struct af_err ignored;

	for (size_t i = 0; i < PIECES; i++)
		if (c->piece[i].n > 0 && c->piece[i].at == start)
			return &c->piece[i];

	struct piece *p = &c->piece[c->oldest];
	const af_bytes left = c->span.end - start;
	const size_t n = (size_t)(left < PIECE ? left : PIECE);

	p->n = 0;
	if (!c->read(c->ctx, start, p->bytes, n, &ignored))
		return NULL;
	p->at = start;
	p->n = n;
	c->oldest = (c->oldest + 1) % PIECES;
	return p;
}

static bool read_cached(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	struct cache *c = ctx;
	unsigned char *to = buf;

	if (n > (size_t)(PIECE * PIECES))
		return c->read(c->ctx, at, buf, n, err);
	while (n > 0) {
		const struct piece *p = piece_of(c, at);

		if (!p) /* part of it is bad, but maybe not this part */
			return c->read(c->ctx, at, to, n, err);

		const size_t from = (size_t)(at - p->at);
		const size_t some = p->n - from < n ? p->n - from : n;

		memcpy(to, p->bytes + from, some);
		to += some;
		at += (af_bytes)some;
		n -= some;
	}
	return true;
}

void af_stack_add(struct stack_found *out, const char *what, af_bytes offset, af_bytes unit)
{
	struct af_layer *layer = &out->layer[out->n];

	if (out->n == STACK_LAYERS)
		return;
	*layer = (struct af_layer){ .kind = AF_LAYER_DATA, .offset = offset, .unit = unit };
	(void)snprintf(layer->what, sizeof(layer->what), "%s", what);
	out->n++;
}

static void put_layer(struct af_content *c, struct af_layer layer, af_bytes base)
{
	layer.offset += base;
	c->layer = af_realloc(c->layer, c->nlayers + 1, sizeof(*c->layer));
	c->layer[c->nlayers++] = layer;
}

/* What one reader found goes into the content; base is where its window begins in the partition. */
static void take(struct af_content *c, const struct stack_found *found, af_bytes base)
{
	for (size_t i = 0; i < found->n; i++)
		put_layer(c, found->layer[i], base);
	if (c->fs_size == 0 && found->fs_size > 0 &&
	    !af_add(base, found->fs_size, &c->fs_size))
		c->fs_size = 0;
	c->bound_to_end = c->bound_to_end || found->bound_to_end;
	if (!c->remark[0])
		(void)snprintf(c->remark, sizeof(c->remark), "%s", found->remark);
}

/* The part of w that found says the next thing may lie in; false if there is none. */
static bool window_inside(const struct stack_window *w, const struct stack_found *found,
			  struct stack_window *inner)
{
	const struct af_span all = { 0, af_span_size(w->span) };

	if (found->inner.start >= found->inner.end || !af_span_inside(found->inner, all))
		return false;
	*inner = *w;
	inner->guessing = true;
	inner->span.start = w->span.start + found->inner.start;
	inner->span.end = w->span.start + found->inner.end;
	return true;
}

/* Tries all readers; the first that believes what it sees fills found. */
static bool try_all(const struct stack_window *w, struct stack_found *found)
{
	for (size_t i = 0; i < READERS; i++) {
		if (i > 0 && reader_table[i].read == reader_table[i - 1].read)
			continue; /* another name of the same */
		*found = (struct stack_found){ .n = 0 };
		if (reader_table[i].read(w, found))
			return true;
	}
	return false;
}

/* All that lies in what was found in w. */
static void descend(const struct stack_window *w, struct stack_found *found,
		    struct af_content *c)
{
	struct stack_window outer = *w, inner;

	for (int depth = 1; depth < DEPTH_MOST; depth++) {
		if (!window_inside(&outer, found, &inner) || !try_all(&inner, found))
			return;
		take(c, found, inner.span.start - w->span.start);
		outer = inner;
	}
}

static const struct stack_reader *reader_of(const char *type)
{
	for (size_t i = 0; i < READERS; i++)
		if (strcmp(reader_table[i].type, type) == 0)
			return &reader_table[i];
	return NULL;
}

/* Those whose superblock, or the only one that counts, lies at the end of what it describes: where nothing more is known of them,
 * it has to stay there. */
static bool is_found_from_end(const char *type)
{
	static const char *const type_table[] = {
		"adaptec_raid_member",
		"ddf_raid_member",
		"drbd",
		"hpt37x_raid_member",
		"hpt45x_raid_member",
		"isw_raid_member",
		"jmicron_raid_member",
		"linux_raid_member",
		"lsi_mega_raid_member",
		"nvidia_raid_member",
		"promise_fasttrack_raid_member",
		"silicon_medley_raid_member",
		"via_raid_member",
		"zfs_member",
	};
	for (size_t i = 0; i < sizeof(type_table) / sizeof(type_table[0]); i++)
		if (strcmp(type_table[i], type) == 0)
			return true;
	return false;
}

/* All that can be said of a format by what libblkid tells. */
static struct af_layer plain_layer(enum af_layer_kind kind, const struct af_content *c)
{
	struct af_layer layer = { .kind = kind };

	if (kind == AF_LAYER_DATA)
		layer.unit = c->block;
	(void)snprintf(layer.what, sizeof(layer.what), "%s", c->fs);
	return layer;
}

/* A window on all of span, through a cache that is its ctx, for free(). */
static struct stack_window open_window(af_read_fn read, void *ctx, struct af_span span,
				       uint32_t sector_size)
{
	struct cache *cache = af_alloc(1, sizeof(*cache));

	cache->read = read;
	cache->ctx = ctx;
	cache->span = span;
	return (struct stack_window){
		.read = read_cached, .ctx = cache, .span = span, .sector_size = sector_size
	};
}

void af_stack_read(af_read_fn read, void *ctx, struct af_span span, uint32_t sector_size,
		   struct af_content *content)
{
	const struct stack_reader *reader = reader_of(content->fs);
	struct stack_found found = { .n = 0 };

	if (!reader) {
		content->bound_to_end = is_found_from_end(content->fs);
		if (content->block > 0)
			put_layer(content, plain_layer(AF_LAYER_DATA, content), 0);
		return;
	}

	struct stack_window w = open_window(read, ctx, span, sector_size);

	if (reader->read(&w, &found)) {
		take(content, &found, 0);
		descend(&w, &found, content);
	} else {
		content->bound_to_end = is_found_from_end(content->fs);
		put_layer(content, plain_layer(AF_LAYER_UNKNOWN, content), 0);
	}
	free(w.ctx);
}

void af_stack_guess(af_read_fn read, void *ctx, struct af_span span, uint32_t sector_size,
		    struct af_content *content)
{
	struct stack_window w = open_window(read, ctx, span, sector_size);
	struct stack_found found;

	w.guessing = true;
	if (try_all(&w, &found)) {
		take(content, &found, 0);
		descend(&w, &found, content);
	}
	free(w.ctx);
}
