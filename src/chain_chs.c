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

#define NAMED ((size_t)1 << 16) /* what a place that is named counts, against one beyond */

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

/* The last place that has a number, which mostly stands for all behind it, too. */
static void put_last(const struct af_geometry *g, unsigned char chs[3])
{
	chs[0] = (unsigned char)(g->heads - 1);
	chs[1] = (unsigned char)(g->sectors | 0xC0);
	chs[2] = 0xFF;
}

/* How well g explains what was seen: by the places that it names, and between equals by what stands for those beyond. */
static size_t fit(const struct af_geometry *g, const struct af_chs *seen, size_t n)
{
	size_t named = 0, beyond = 0;

	for (size_t i = 0; i < n; i++) {
		bool far = seen[i].lba >= af_geometry_end(g);
		unsigned char chs[3];

		if (far)
			put_last(g, chs);
		else
			af_geometry_put(g, seen[i].lba, chs);
		if (memcmp(chs, seen[i].chs, sizeof chs) == 0)
			(*(far ? &beyond : &named))++;
	}
	return named * NAMED + beyond;
}

/* True if the score is that of a geometry that leaves nothing open. */
static bool explains_all(size_t score, size_t n)
{
	return score / NAMED + score % NAMED == n;
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
	put_last(g, g->beyond);
	if (found && same)
		memcpy(g->beyond, found->chs, sizeof g->beyond);
}

/* Takes g if it fits better than the best so far. */
static void consider(struct af_geometry *best, size_t *score, struct af_geometry g,
		     const struct af_chs *seen, size_t n)
{
	size_t fits = fit(&g, seen, n);

	if (fits <= *score)
		return;
	*score = fits;
	*best = g;
}

/* The geometries in which seen tells its place: one equation for two unknowns, so each length of track is tried. */
static void consider_solutions(struct af_geometry *best, size_t *score, size_t which,
			       const struct af_chs *seen, size_t n)
{
	const struct af_chs *one = &seen[which];
	uint64_t cylinder = one->chs[2] | (uint64_t)(one->chs[1] & 0xC0) << 2;
	uint64_t head = one->chs[0], sector = one->chs[1] & 0x3F;

	if (cylinder == 0 || sector == 0 || one->lba < sector)
		return;
	for (uint64_t track = TRACK; track >= sector; track--) {
		uint64_t tracks = (one->lba - (sector - 1)) / track;
		uint64_t heads = tracks > head ? (tracks - head) / cylinder : 0;
		struct af_geometry g = { .heads = (unsigned)heads,
					 .sectors = (unsigned)track };

		if (heads > head && heads <= HEADS_MAX)
			consider(best, score, g, seen, n);
	}
}

void af_geometry_guess(const struct af_chs *seen, size_t n, struct af_geometry *out)
{
	size_t score;

	af_geometry_usual(out);
	score = fit(out, seen, n);
	/* Partitions end with a cylinder where that counts: the end is the last head and the last sector. */
	for (size_t i = 0; i < n && !explains_all(score, n); i++) {
		struct af_geometry g = { .heads = seen[i].chs[0] + 1U,
					 .sectors = seen[i].chs[1] & 0x3F };

		if (g.sectors)
			consider(out, &score, g, seen, n);
	}
	const bool open = !explains_all(score, n);
	if (score < 2 * NAMED)
		score = 2 * NAMED - 1; /* a place alone has solutions that mean nothing */
	for (size_t i = 0; open && i < n && score / NAMED < n; i++)
		consider_solutions(out, &score, i, seen, n);
	find_beyond(out, seen, n);
}
