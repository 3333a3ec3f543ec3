/*
 * chain_chs.c - places as cylinder, head and sector: three bytes that old systems read, of which everybody else looks
 * only at what geometry they speak of. A table keeps the one that it was made with.
 *
 *	lba = (cylinder x heads + head) x sectors + sector - 1
 *	byte 0: head    byte 1: sector in bits 0-5, bits 8-9 of the cylinder above    byte 2: the rest of the cylinder
 */
#include <string.h>

#include "chain_priv.h"

enum { CYLINDERS = 1024, HEADS = 255, TRACK = 63, HEADS_MAX = 256 };

void af_geometry_usual(struct af_geometry *out)
{
	*out = (struct af_geometry){ HEADS, TRACK, { 0xFE, 0xFF, 0xFF } };
}

uint64_t af_geometry_end(const struct af_geometry *g)
{
	return (uint64_t)CYLINDERS * g->heads * g->sectors;
}

void af_geometry_put(const struct af_geometry *g, uint64_t lba, unsigned char chs[3])
{
	uint64_t cylinder = lba / ((uint64_t)g->heads * g->sectors);

	if (cylinder >= CYLINDERS) {
		memcpy(chs, g->beyond, sizeof g->beyond);
		return;
	}
	chs[0] = (unsigned char)(lba / g->sectors % g->heads);
	chs[1] = (unsigned char)((lba % g->sectors + 1) | (cylinder >> 2 & 0xC0));
	chs[2] = (unsigned char)(cylinder & 0xFF);
}

/* True if seen says its place in the words of g. */
static bool speaks(const struct af_geometry *g, const struct af_chs *seen)
{
	unsigned char chs[3];

	if (seen->lba >= af_geometry_end(g))
		return false; /* any geometry may say that */
	af_geometry_put(g, seen->lba, chs);
	return memcmp(chs, seen->chs, sizeof chs) == 0;
}

static size_t count_speaking(const struct af_geometry *g, const struct af_chs *seen,
			     size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += speaks(g, &seen[i]);
	return count;
}

/* What stands for a place that g cannot name: what the table itself says there, if that is always the same. */
static void find_beyond(struct af_geometry *g, const struct af_chs *seen, size_t n)
{
	const struct af_chs *found = NULL;
	bool same = true;

	for (size_t i = 0; i < n; i++) {
		if (seen[i].lba < af_geometry_end(g))
			continue;
		same = same && (!found || memcmp(found->chs, seen[i].chs, 3) == 0);
		found = &seen[i];
	}
	g->beyond[0] = (unsigned char)(g->heads - 1);
	g->beyond[1] = (unsigned char)(g->sectors | 0xC0);
	g->beyond[2] = 0xFF;
	if (found && same)
		memcpy(g->beyond, found->chs, sizeof g->beyond);
}

void af_geometry_guess(const struct af_chs *seen, size_t n, struct af_geometry *out)
{
	size_t best;

	af_geometry_usual(out);
	best = count_speaking(out, seen, n);
	/* Partitions end with a cylinder where that counts: the end is the last head and the last sector. */
	for (size_t i = 0; i < n; i++) {
		struct af_geometry g = { .heads = seen[i].chs[0] + 1U,
					 .sectors = seen[i].chs[1] & 0x3F };
		size_t count =
			g.sectors && g.heads <= HEADS_MAX ? count_speaking(&g, seen, n) : 0;

		if (count > best) {
			best = count;
			*out = g;
		}
	}
	find_beyond(out, seen, n);
}
