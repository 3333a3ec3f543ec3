/*
 * wild.c - random disks as others leave them: tables written by disks.c, and random bytes wherever a table leaves them
 * free. No code of src/ has a part in it.
 */
#include "wild.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct wild {
	struct gen *g;
	struct disk *disk;
	struct memdev *m;
};

void wild_guid(struct gen *g, char text[40])
{
	const uint64_t a = gen_next(g), b = gen_next(g);
	(void)snprintf(text, 40, "%08x-%04x-%04x-%04x-%012" PRIx64, (unsigned)(a | 1),
		       (unsigned)(a >> 32 & 0xffff), (unsigned)(a >> 48),
		       (unsigned)(b & 0xffff), b >> 16);
}

static bool one_in(struct wild *w, uint64_t n)
{
	return gen_below(w->g, n) == 0;
}

static unsigned char some_code(struct wild *w)
{
	static const unsigned char table[] = { 0x83, 0x07, 0x82, 0x0c, 0x06, 0x27,
					       0xde, 0xfd, 0x8e, 0x64, 0xf0 };
	return table[gen_below(w->g, sizeof(table))];
}

static uint64_t some_gap(struct wild *w)
{
	static const uint64_t table[] = { 1, 1, 2, 8, 63, 64, 2048 };
	return one_in(w, 3) ? gen_between(w->g, 1, 3000)
			    : table[gen_below(w->g, sizeof(table) / sizeof(table[0]))];
}

static struct disk_entry *add_entry(struct disk *d, unsigned number, uint64_t start,
				    uint64_t count)
{
	struct disk_entry *e = &d->entry[d->n++];
	*e = (struct disk_entry){ .number = number, .start = start, .count = count };
	return e;
}

/* A chain from the start of the extended partition on; all but its head may lie
 * in any order. */
static void add_chain(struct wild *w, uint64_t start, uint64_t end)
{
	struct disk *d = w->disk;
	const size_t n = gen_below(w->g, 12), first = d->n;
	const uint64_t share = (end - start) / (n + 1);
	uint64_t at = start;
	for (size_t i = 0; i < n; i++) {
		const uint64_t ebr = at + (i && one_in(w, 2) ? gen_below(w->g, 5000) : 0);
		const uint64_t data = ebr + some_gap(w);
		const uint64_t count = gen_between(w->g, 1, share + 1);
		if (data + count > end)
			break;
		struct disk_entry *e = add_entry(d, (unsigned)(5 + i), data, count);
		e->logical = true;
		e->ebr = ebr;
		e->type = some_code(w);
		at = data + count;
	}
	if (d->n == first) { /* an EBR without a partition */
		struct disk_entry *e = add_entry(d, 5, start, 0);
		e->logical = true;
		e->ebr = start;
	}
	for (size_t i = d->n; one_in(w, 2) && i-- > first + 2;) {
		const size_t k = first + 1 + gen_below(w->g, i - first);
		const struct disk_entry swap = d->entry[i];
		d->entry[i] = d->entry[k];
		d->entry[k] = swap;
	}
}

static void make_dos(struct wild *w)
{
	static const unsigned char container[] = { 0x05, 0x0f, 0x85 };
	struct disk *d = w->disk;
	const size_t n = gen_between(w->g, 1, 4), extended = gen_below(w->g, n + 1);
	const uint64_t most = d->sectors < UINT32_MAX ? d->sectors : UINT32_MAX;
	const uint64_t share = most / n;
	const unsigned turn = (unsigned)gen_below(w->g, 4);
	d->label = DISK_DOS;
	d->id = (uint32_t)gen_next(w->g);
	for (size_t i = 0; i < n; i++) {
		const uint64_t low = i * share + (i ? 0 : 1);
		const uint64_t start =
			one_in(w, 3) ? low : gen_between(w->g, low, low + share / 2);
		const uint64_t end =
			one_in(w, 3) ? (i + 1) * share
				     : gen_between(w->g, start + 1, (i + 1) * share);
		struct disk_entry *e =
			add_entry(d, (unsigned)(i + turn) % 4 + 1, start, end - start);
		e->type = i == extended ? container[gen_below(w->g, 3)] : some_code(w);
		e->boot = i != extended && i == turn;
		if (i == extended)
			add_chain(w, start, end);
	}
}

/* Letters, characters beyond the BMP, and halves of them that stand alone. */
static void some_name(struct wild *w, uint16_t units[36])
{
	const size_t n = one_in(w, 3) ? 36 : gen_below(w->g, 36);
	for (size_t i = 0; i < n; i++) {
		units[i] = (uint16_t)gen_between(w->g, 0x20, 0x7e);
		if (one_in(w, 6))
			units[i] = (uint16_t)gen_between(w->g, 1, 0xffff);
		if (one_in(w, 12) && i + 1 < n) {
			units[i++] = (uint16_t)gen_between(w->g, 0xd800, 0xdbff);
			units[i] = (uint16_t)gen_between(w->g, 0xdc00, 0xdfff);
		}
	}
}

static void make_gpt(struct wild *w)
{
	struct disk *d = w->disk;
	const size_t n = one_in(w, 40) ? 128 : gen_between(w->g, 1, 12);
	const uint64_t slots = 128 * 128 / d->sector_size;
	const uint64_t usual = 2 + slots, end = d->sectors - 1 - slots;
	d->label = DISK_GPT;
	d->first_usable = usual + (one_in(w, 3) ? gen_below(w->g, 100) : 0);
	wild_guid(w->g, d->guid);
	const uint64_t share = (end - d->first_usable) / n;
	const unsigned turn = (unsigned)gen_below(w->g, 128);
	for (size_t i = 0; i < n && share > 2; i++) {
		const uint64_t low = d->first_usable + i * share;
		const uint64_t start =
			one_in(w, 3) ? low : gen_between(w->g, low, low + share / 2);
		const uint64_t stop = one_in(w, 3)
					      ? low + share
					      : gen_between(w->g, start + 1, low + share);
		const unsigned number = (unsigned)(i * (1 + turn % 2 * 2) + turn) % 128 + 1;
		struct disk_entry *e = add_entry(d, number, start, stop - start);
		wild_guid(w->g, e->type_guid);
		wild_guid(w->g, e->uuid);
		e->attrs = one_in(w, 2) ? gen_next(w->g) : 0;
		some_name(w, e->units);
	}
}

/* Where a table leaves bytes free: boot code, the code of EBRs, CHS addresses
 * of a geometry that nobody knows. */
static void add_noise(struct wild *w, uint64_t sector, bool chs)
{
	unsigned char bytes[446], entries[64];
	const af_bytes at = (af_bytes)(sector * w->disk->sector_size);
	memdev_peek(w->m, at, bytes, sizeof(bytes));
	for (size_t i = 0; i < 440; i++)
		bytes[i] = (unsigned char)gen_next(w->g);
	bytes[0] = 0x33; /* not the jump of a file system's boot sector */
	if (sector)
		for (size_t i = 440; i < sizeof(bytes); i++)
			bytes[i] = (unsigned char)gen_next(w->g);
	memdev_poke(w->m, at, bytes, sizeof(bytes));
	memdev_peek(w->m, at + 446, entries, sizeof(entries));
	for (size_t i = 0; i < sizeof(entries); i++)
		if (i % 16 != 0 && i % 16 < 8 && i % 16 != 4 && entries[i / 16 * 16 + 4])
			entries[i] = (unsigned char)gen_next(w->g);
	if (chs)
		memdev_poke(w->m, at + 446, entries, sizeof(entries));
}

static void add_all_noise(struct wild *w)
{
	const bool chs = w->disk->label == DISK_DOS && one_in(w, 2);
	add_noise(w, 0, chs);
	for (size_t i = 0; i < w->disk->n; i++)
		if (w->disk->entry[i].logical)
			add_noise(w, w->disk->entry[i].ebr, chs);
}

static bool put_bytes(void *ctx, uint64_t at, const void *bytes, size_t n)
{
	memdev_poke(ctx, (af_bytes)at, bytes, n);
	return true;
}

static uint64_t some_sectors(struct wild *w, bool gpt)
{
	static const uint64_t most[] = { 3000, 400000, 100000000, UINT32_MAX, 0 };
	const uint64_t limit = most[gen_below(w->g, gpt ? 5 : 4)];
	return gen_between(w->g, 1500, limit ? limit : 40000000000);
}

void wild_disk(struct gen *g, bool gpt, struct disk *d, struct memdev *m)
{
	struct wild w = { .g = g, .disk = d, .m = m };
	char why[DISK_WHY];
	*d = (struct disk){ .sector_size = one_in(&w, 2) ? 512 : 4096 };
	d->sectors = some_sectors(&w, gpt);
	if (gpt)
		make_gpt(&w);
	else
		make_dos(&w);
	memdev_open(m, (af_bytes)(d->sectors * d->sector_size), d->sector_size);
	if (!disk_put(d, put_bytes, m, why)) {
		(void)fprintf(stderr, "wild: %s\n", why);
		abort();
	}
	add_all_noise(&w);
}
