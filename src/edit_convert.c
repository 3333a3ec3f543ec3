/*
 * edit_convert.c - the same partitions in a table of the other kind: no sector of data moves.
 *
 * To a GPT: an extended partition goes, its logicals become plain entries; every partition keeps its number. To an
 * MBR: up to four partitions are primaries; of more, neighbours share an extended partition, so that at most three lie
 * outside it. Each of them needs a free sector before it, for its EBR. Whatever has no place in the other kind of table
 * is refused by name, before anything is made.
 */
#include "afdisk/edit.h"
#include "afdisk/layout_hybrid.h"
#include "afdisk/place.h"
#include "edit_priv.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LEGACY_BOOT (UINT64_C(1) << 2)  /* UEFI specification: legacy BIOS bootable */
#define HIDDEN      (UINT64_C(1) << 62) /* of basic data, says Microsoft */
#define CODE_LDM    0x42
#define PRIMARIES   3 /* beside an extended partition */

/* The GUIDs of a dynamic disk's data and metadata (Microsoft). */
static const uint8_t ldm_table[2][16] = {
	{ 0xaf, 0x9b, 0x60, 0xa0, 0x14, 0x31, 0x4f, 0x62, 0xbc, 0x68, 0x33, 0x11, 0x71,
	  0x4a, 0x69, 0xad },
	{ 0x58, 0x08, 0xc8, 0xaa, 0x7e, 0x8f, 0x42, 0xe0, 0x85, 0xd2, 0xe1, 0xe9, 0x04,
	  0x34, 0xcf, 0xb3 },
};

static bool is_ldm(enum af_scheme scheme, const uint8_t type[16])
{
	if (scheme == AF_SCHEME_MBR)
		return type[0] == CODE_LDM;
	return memcmp(type, ldm_table[0], 16) == 0 || memcmp(type, ldm_table[1], 16) == 0;
}

/* Gives p, a partition of a table of kind from, the type that means the same in one of kind to. */
static bool convert_type(enum af_scheme from, enum af_scheme to, struct af_part *p,
			 struct af_err *err)
{
	struct af_scheme_kind old = { .hidden = (p->attrs & HIDDEN) != 0 }, new;
	memcpy(old.type, p->type, sizeof(old.type));
	if (is_ldm(from, p->type))
		return af_fail(err, AF_E_RULE,
			       "partition %" PRIu32
			       " belongs to a dynamic disk (LDM), whose volumes are bound "
			       "to its kind of table: convert it to a basic disk with "
			       "Windows first",
			       p->number);
	if (!af_scheme_convert(from, &old, &new)) {
		char text[40];
		af_scheme_type_text(from, p->type, text);
		return af_fail(err, AF_E_RULE,
			       "partition %" PRIu32
			       " has type %s, for which a %s table has none: give it "
			       "another ('type %" PRIu32 " ...') or delete it first",
			       p->number, text, af_scheme_name(to), p->number);
	}
	memcpy(p->type, new.type, sizeof(p->type));
	p->attrs = new.hidden ? HIDDEN : 0;
	return true;
}

/*
 * ---------------------------------------------------------------------------------------------
 * MBR to GPT
 */

static int64_t sectors(const struct af_layout *l, af_bytes n)
{
	return af_sectors(n, l->sector_size);
}

/* Both copies of the GPT must lie where no partition is. */
static bool gpt_has_room(const struct af_layout *next, const struct af_part *p,
			 struct af_err *err)
{
	int64_t low = sectors(next, next->usable.start - p->span.start);
	int64_t high = sectors(next, p->span.end - next->usable.end);
	if (low > 0)
		return af_fail(err, AF_E_RANGE,
			       "partition %" PRIu32
			       " is in the way: a GPT needs the sectors up to %" PRId64
			       ", and the partition begins %" PRId64 " sector%s too early",
			       p->number, sectors(next, next->usable.start) - 1, low,
			       low == 1 ? "" : "s");
	if (high > 0)
		return af_fail(err, AF_E_RANGE,
			       "partition %" PRIu32
			       " is in the way: a GPT needs the sectors from %" PRId64
			       " on for its second copy, and the partition ends %" PRId64
			       " sector%s too late: make it smaller first",
			       p->number, sectors(next, next->usable.end), high,
			       high == 1 ? "" : "s");
	return true;
}

/* Until the MBR is written as the last sector, the old chain must stay whole, even an empty one. */
static bool chain_is_clear(const struct af_layout *from, const struct af_layout *next,
			   struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(from);
	if (!ext || ext->span.start >= next->usable.start)
		return true;
	return af_fail(err, AF_E_RANGE,
		       "the extended partition %" PRIu32 " is in the way: its chain begins "
		       "at sector %" PRId64 ", where the GPT goes (up to sector %" PRId64
		       "), and would be lost before that is in force",
		       ext->number, sectors(from, ext->span.start),
		       sectors(next, next->usable.start) - 1);
}

static bool to_gpt(struct af_layout *next, struct af_err *err)
{
	const struct af_part *ext = af_layout_extended(next);
	if (ext)
		af_layout_remove(next, ext->id);
	for (size_t i = 0; i < next->nparts; i++) {
		struct af_part *p = &next->part[i];
		if (!gpt_has_room(next, p, err))
			return false;
		if (!convert_type(AF_SCHEME_MBR, AF_SCHEME_GPT, p, err))
			return false;
		p->attrs |= p->boot ? LEGACY_BOOT : 0;
		p->boot = false;
		p->role = AF_ROLE_PRIMARY;
		p->ebr = 0;
	}
	return true;
}

/*
 * ---------------------------------------------------------------------------------------------
 * GPT to MBR
 */

static bool mbr_reaches(const struct af_layout *next, const struct af_part *p,
			struct af_err *err)
{
	int64_t over = sectors(next, p->span.end - next->usable.end);
	return over <= 0 ||
	       af_fail(err, AF_E_RANGE,
		       "partition %" PRIu32 " ends %" PRId64
		       " sector%s beyond the last that an MBR can name, %" PRId64,
		       p->number, over, over == 1 ? "" : "s",
		       sectors(next, next->usable.end) - 1);
}

/* The firmware looks for these among the primaries only. */
static bool wants_primary(const struct af_part *p)
{
	return p->type[0] == 0xef || p->boot;
}

/* True if a free sector lies right before part[i]: free of the GPT, too, which is in force until the MBR is. */
static bool has_ebr_room(const struct af_layout *l, size_t i)
{
	af_bytes end = i > 0 ? l->part[i - 1].span.end : l->usable.start;
	return l->part[i].span.start - end >= l->sector_size;
}

/* What is against making logicals of part[first] and the n - 1 behind it: so many that should be primaries, or more
 * than there are if one has no room. */
static size_t cost_of(const struct af_layout *l, size_t first, size_t n)
{
	size_t cost = 0;
	for (size_t i = first; i < first + n; i++)
		cost += has_ebr_room(l, i) ? wants_primary(&l->part[i]) : l->nparts + 1;
	return cost;
}

static bool no_ebr_room(const struct af_layout *l, struct af_err *err)
{
	size_t i = PRIMARIES;
	while (has_ebr_room(l, i))
		i++;
	return af_fail(err, AF_E_RANGE,
		       "partition %" PRIu32 " is in the way: of %zu partitions %zu must "
		       "be logical on an MBR, with a free sector before each, and it "
		       "begins right where partition %" PRIu32 " ends",
		       l->part[i].number, l->nparts, l->nparts - PRIMARIES,
		       l->part[i - 1].number);
}

/* The neighbours that become logical, as few as can be, those at the end of the disk if there is a choice: *first and
 * how many. */
static bool choose_logicals(const struct af_layout *l, size_t *first, size_t *n,
			    struct af_err *err)
{
	*first = *n = 0;
	if (l->nparts <= l->slots)
		return true;
	*n = l->nparts - PRIMARIES;
	*first = PRIMARIES;
	for (size_t i = PRIMARIES; i > 0; i--)
		if (cost_of(l, i - 1, *n) < cost_of(l, *first, *n))
			*first = i - 1;
	return cost_of(l, *first, *n) <= l->nparts || no_ebr_room(l, err);
}

/* Primaries keep a number that an MBR has, the others get what is left; logicals count from 5 on. */
static void number_all(struct af_layout *l)
{
	uint32_t logical = l->slots;
	for (size_t i = 0; i < l->nparts; i++) {
		struct af_part *p = &l->part[i];
		if (p->role == AF_ROLE_LOGICAL)
			p->number = ++logical;
		else if (p->number > l->slots)
			p->number = 0;
	}
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].number == 0)
			l->part[i].number = af_place_slot(l);
}

/* On an MBR one primary is active: the one with the lowest number. */
static void leave_one_active(struct af_layout *l)
{
	bool found = false;
	for (uint32_t number = 1; number <= l->slots; number++) {
		const struct af_part *p = af_layout_number(l, number);
		if (!p || !p->boot)
			continue;
		if (found)
			af_place_part(l, p->id)->boot = false;
		found = true;
	}
}

static bool to_mbr(struct af_layout *next, const struct af_edit *e, struct af_err *err)
{
	size_t first, n;
	for (size_t i = 0; i < next->nparts; i++) {
		struct af_part *p = &next->part[i];
		p->boot = (p->attrs & LEGACY_BOOT) != 0;
		if (!mbr_reaches(next, p, err) ||
		    !convert_type(AF_SCHEME_GPT, AF_SCHEME_MBR, p, err))
			return false;
		memset(p->uuid, 0, sizeof(p->uuid));
		memset(p->name, 0, sizeof(p->name));
	}
	if (!choose_logicals(next, &first, &n, err))
		return false;
	for (size_t i = first; i < first + n; i++)
		next->part[i].role = AF_ROLE_LOGICAL;
	number_all(next);
	leave_one_active(next);
	for (uint32_t k = 1; k <= n; k++) {
		uint32_t id = af_layout_number(next, next->slots + k)->id;
		if (!af_place_house(e->rules, next, id, false, err))
			return false;
	}
	return true;
}

static bool may_convert(const struct af_layout *from, enum af_scheme scheme,
			struct af_err *err)
{
	if (!af_edit_has_table(from, err) || !af_layout_gpt_sound(from, err))
		return false;
	return from->scheme != scheme ||
	       af_fail(err, AF_E_USAGE, "the table is of kind %s already",
		       af_scheme_name(scheme));
}

bool af_edit_convert(const struct af_layout *from, const struct af_edit *e,
		     enum af_scheme scheme, const uint8_t disk_id[16],
		     struct af_layout *out, struct af_err *err)
{
	struct af_layout next, empty;
	if (!may_convert(from, scheme, err) ||
	    !af_layout_init(&empty, scheme, from->disk_size, from->sector_size, err))
		return false;
	af_layout_copy(from, &next);
	af_layout_unmirror(&next);
	next.scheme = scheme;
	next.usable.end = empty.usable.end;
	next.slots = empty.slots;
	next.gpt = empty.gpt;
	memcpy(next.disk_id, disk_id, sizeof(next.disk_id));
	next.id_changed = false;
	if (scheme == AF_SCHEME_GPT)
		next.usable.start = empty.usable.start;
	bool good = scheme == AF_SCHEME_GPT
			    ? chain_is_clear(from, &next, err) && to_gpt(&next, err)
			    : to_mbr(&next, e, err);
	next.usable = empty.usable;
	return good ? af_edit_finish(&next, out, err) : af_edit_drop(&next);
}
