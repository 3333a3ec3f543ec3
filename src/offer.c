/*
 * offer.c - the layouts that are offered, as a table: which partitions, how small and how large they may be, and how
 * they share what is left. Least sizes are what the systems themselves ask for: Windows 10 takes 32 GB, an ESP that holds
 * kernels and FAT32 on 4096-byte sectors 260 MiB (Microsoft, "UEFI/GPT-based hard drive partitions"). Where they go is
 * offer_make.c's part.
 */
#include "afdisk/offer.h"
#include "offer_priv.h"
#include <string.h>
#include <strings.h>

#define ESP                                                                                \
	{                                                                                  \
		.purpose = AF_PURPOSE_ESP, .name = "EFI system", .min = 260 * AF_MIB,      \
		.max = AF_GIB, .weight = 2                                                 \
	}
#define SWAP                                                                               \
	{                                                                                  \
		.purpose = AF_PURPOSE_SWAP, .name = "Linux swap", .optional = true,        \
		.by_memory = true, .min = AF_GIB, .weight = 2                              \
	}
#define HOME                                                                               \
	{                                                                                  \
		.purpose = AF_PURPOSE_HOME, .name = "home", .optional = true,              \
		.min = 8 * AF_GIB, .weight = 40                                            \
	}
#define ROOT(least, share)                                                                 \
	{                                                                                  \
		.purpose = AF_PURPOSE_LINUX, .name = "Linux root", .min = (least)*AF_GIB,  \
		.max = 128 * AF_GIB, .weight = (share)                                     \
	}
#define BIOS_BOOT                                                                          \
	{                                                                                  \
		.purpose = AF_PURPOSE_BIOS_BOOT, .name = "BIOS boot", .min = AF_MIB,       \
		.max = AF_MIB                                                              \
	}
#define WINDOWS                                                                            \
	{                                                                                  \
		.purpose = AF_PURPOSE_WINDOWS, .name = "Windows", .active = true,          \
		.min = 32 * AF_GIB, .weight = 50                                           \
	}

static const struct layout {
	struct af_offer offer;
	struct offer_share share[OFFER_SHARES];
} layout_table[] = {
	{ { "windows-linux", "Dual",
	    "UEFI dual boot: ESP, MSR, Windows, Linux root, swap, home", AF_SCHEME_GPT },
	  { ESP,
	    { .purpose = AF_PURPOSE_RESERVED,
	      .name = "Microsoft reserved",
	      .min = 16 * AF_MIB,
	      .max = 16 * AF_MIB },
	    WINDOWS,
	    ROOT(8, 20),
	    SWAP,
	    HOME } },
	{ { "linux", "Linux", "Linux with UEFI: ESP, root, swap, home", AF_SCHEME_GPT },
	  { ESP, ROOT(4, 40), SWAP, HOME } },
	{ { "linux-bios", "BIOS",
	    "Linux with BIOS on a GPT: BIOS boot partition for GRUB, root, swap, home",
	    AF_SCHEME_GPT },
	  { BIOS_BOOT, ROOT(4, 40), SWAP, HOME } },
	{ { "windows-linux-bios", "Old dual",
	    "BIOS dual boot: Windows, active; Linux root, swap, home as logicals",
	    AF_SCHEME_MBR },
	  { WINDOWS, ROOT(8, 20), SWAP, HOME } },
	{ { "data", "All data", "Data disk: one partition over all of it", AF_SCHEME_NONE },
	  { { .purpose = AF_PURPOSE_LINUX, .name = "data", .weight = 1 } } },
	{ { "rescue", "Rescue",
	    "Rescue stick: FAT32 that UEFI and BIOS can boot, Linux to keep data",
	    AF_SCHEME_NONE },
	  { { .purpose = AF_PURPOSE_BIOS_BOOT,
	      .name = "BIOS boot",
	      .only = AF_SCHEME_GPT,
	      .min = AF_MIB,
	      .max = AF_MIB },
	    { .purpose = AF_PURPOSE_ESP,
	      .name = "EFI system",
	      .only = AF_SCHEME_GPT,
	      .min = 512 * AF_MIB,
	      .max = 32 * AF_GIB,
	      .weight = 40 },
	    { .purpose = AF_PURPOSE_FAT,
	      .name = "FAT32",
	      .only = AF_SCHEME_MBR,
	      .active = true,
	      .min = 512 * AF_MIB,
	      .max = 32 * AF_GIB,
	      .weight = 40 },
	    { .purpose = AF_PURPOSE_LINUX,
	      .name = "persistence",
	      .min = 256 * AF_MIB,
	      .weight = 60 } } },
};

#define LAYOUTS (sizeof(layout_table) / sizeof(layout_table[0]))

const struct af_offer *af_offer_at(size_t i)
{
	return i < LAYOUTS ? &layout_table[i].offer : NULL;
}

const struct af_offer *af_offer_find(const char *name)
{
	for (size_t i = 0; i < LAYOUTS; i++)
		if (strcasecmp(layout_table[i].offer.name, name) == 0)
			return &layout_table[i].offer;
	return NULL;
}

size_t af_offer_shares(const struct af_offer *offer, enum af_scheme scheme,
		       struct offer_share out[OFFER_SHARES])
{
	const struct offer_share *share = NULL;
	size_t n = 0;
	for (size_t i = 0; i < LAYOUTS; i++)
		if (strcmp(layout_table[i].offer.name, offer->name) == 0)
			share = layout_table[i].share;
	for (size_t i = 0; share && i < OFFER_SHARES && share[i].name; i++)
		if (share[i].only == AF_SCHEME_NONE || share[i].only == scheme)
			out[n++] = share[i];
	return n;
}

/*
 * ---------------------------------------------------------------------------------------------
 * Sizes
 */
af_bytes af_offer_round(af_bytes n, af_bytes step)
{
	return (n + step - 1) / step * step;
}

static bool is_full(const struct offer_share *s)
{
	return s->weight == 0 || (s->max > 0 && s->size >= s->max);
}

/* Hands rest out by weight; true if somebody took all that he may have, so that there is some left. */
static bool share_out(struct offer_share *share, size_t n, af_bytes *rest)
{
	int64_t weights = 0;
	bool capped = false;
	for (size_t i = 0; i < n; i++)
		weights += is_full(&share[i]) ? 0 : share[i].weight;
	if (weights == 0)
		return false;
	const af_bytes all = *rest;
	for (size_t i = 0; i < n; i++) {
		struct offer_share *s = &share[i];
		if (is_full(s))
			continue;
		af_bytes more = af_scale(s->weight, weights, all);
		if (s->max > 0 && more > s->max - s->size) {
			more = s->max - s->size;
			capped = true;
		}
		s->size += more;
		*rest -= more;
	}
	return capped;
}

/* Who takes what is left: the one with the greatest weight that has no limit, else the greatest of all, and without one. */
static size_t find_filler(struct offer_share *share, size_t n)
{
	size_t best = 0;
	for (size_t i = 1; i < n; i++) {
		bool open = share[i].max == 0, was = share[best].max == 0;
		bool heavier = share[i].weight > share[best].weight;
		if (open != was ? open : heavier)
			best = i;
	}
	share[best].max = 0;
	return best;
}

/* What sizes of that order are rounded to, so that they are easy to read. */
static af_bytes unit_of(af_bytes size)
{
	if (size >= 4 * AF_GIB)
		return AF_GIB;
	if (size >= AF_GIB)
		return AF_GIB / 4;
	return size >= 256 * AF_MIB ? 64 * AF_MIB : 1;
}

static af_bytes rounded(const struct offer_share *s, af_bytes step)
{
	af_bytes size = s->size / unit_of(s->size) * unit_of(s->size);
	size = size / step * step;
	return size > s->min ? size : s->min;
}

void af_offer_fit(struct offer_share *share, size_t n, af_bytes room, af_bytes step)
{
	const size_t filler = find_filler(share, n);
	af_bytes rest = room;
	for (size_t i = 0; i < n; i++) {
		struct offer_share *s = &share[i];
		s->min = s->size = af_offer_round(s->min, step);
		rest -= s->size;
	}
	while (rest > 0 && share_out(share, n, &rest))
		;
	share[filler].size = room;
	for (size_t i = 0; i < n; i++)
		if (i != filler) {
			share[i].size = rounded(&share[i], step);
			share[filler].size -= share[i].size;
		}
	share[filler].size = share[filler].size / step * step;
}
