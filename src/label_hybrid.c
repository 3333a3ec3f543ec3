/*
 * label_hybrid.c - the MBR of a GPT: whether it says more than that there is a GPT, and how that is written.
 *
 * Format: the entries of a PC partition table (chain.h); a protective one is of type EE, begins at sector 1 and covers
 * the disk, or as much of it as 32 bits can say (UEFI specification, "Protective MBR"). Boot code, the bytes before
 * the table and every entry that stays the same are never touched.
 */
#include "afdisk/layout_hybrid.h"
#include "label_priv.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void af_hybrid_study(const struct af_sheet *s, struct af_layout *out,
		     struct af_label_note *note)
{
	struct af_mirror entry[AF_MIRRORS] = { 0 };
	size_t used = 0;

	for (size_t i = 0; i < AF_MIRRORS; i++) {
		struct af_mbr_entry e = af_chain_entry(af_sheet_was(s, 0), i);
		af_bytes start = (af_bytes)e.start * s->sector_size; /* 44 bits */

		if (e.count == 0)
			continue;
		used++;
		entry[i] = (struct af_mirror){
			.type = e.type,
			.boot = e.boot,
			.span = { start, start + (af_bytes)e.count * s->sector_size },
		};
	}
	if (used < 2)
		return;
	af_layout_mirror(out, entry);
	if (!note->why[0]) {
		char words[160];

		snprintf(note->why, sizeof note->why, "a hybrid MBR: %s",
			 af_layout_mirror_words(out, words, sizeof words));
	}
}

static void put_entry(struct af_sheet *s, size_t i, const struct af_mirror *m)
{
	struct af_geometry g;
	const struct af_mbr_entry e = {
		.boot = m->boot,
		.type = m->type,
		/* Both fit in 32 bits, or the entry could not be made. */
		.start = (uint32_t)af_lba_of(m->span.start, s->sector_size).n,
		.count = (uint32_t)af_lba_of(af_span_size(m->span), s->sector_size).n,
	};

	af_geometry_usual(&g);
	if (m->type == AF_PROTECTIVE)
		memset(g.beyond, 0xFF, sizeof g.beyond);
	af_chain_put_entry(af_sheet_now(s, 0), i, &e, 0, &g);
}

static void put_protective(struct af_sheet *s)
{
	static const struct af_mirror unused;
	uint64_t sectors = af_lba_of(s->disk_size, s->sector_size).n;
	af_bytes size = s->sector_size;
	af_bytes covered = sectors - 1 > UINT32_MAX ? UINT32_MAX : (af_bytes)sectors - 1;
	const struct af_mirror all = { .type = AF_PROTECTIVE,
				       .span = { size, size + covered * size } };

	for (size_t i = 0; i < AF_MIRRORS; i++)
		put_entry(s, i, &unused);
	put_entry(s, 0, &all);
}

static bool same(const struct af_mirror *a, const struct af_mirror *b)
{
	return a->type == b->type && a->boot == b->boot && af_span_equal(a->span, b->span);
}

static bool is_chosen(const struct af_layout *now, struct af_err *err)
{
	uint32_t open = af_layout_open_mirror(now);

	return open == 0 ||
	       af_fail(err, AF_E_RULE,
		       "entry %u of the hybrid MBR mirrors a partition that changes: say "
		       "what becomes of it, 'hybrid update' (it follows), 'hybrid keep' "
		       "(it "
		       "stays as it is) or 'hybrid protective' (one entry over the whole "
		       "disk)",
		       (unsigned)open);
}

bool af_hybrid_put(struct af_sheet *s, const struct af_layout *base,
		   const struct af_layout *now, struct af_err *err)
{
	if (af_layout_is_new(base, now) || base->hybrid == AF_HYBRID_NONE)
		return true;
	if (!is_chosen(now, err))
		return false;
	if (now->hybrid == AF_HYBRID_NONE) {
		put_protective(s);
		return true;
	}
	for (size_t i = 0; i < AF_MIRRORS; i++)
		if (!same(&base->mirror[i], &now->mirror[i]))
			put_entry(s, i, &now->mirror[i]);
	return true;
}
