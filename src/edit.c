/*
 * edit.c - what all verbs share (what an amount means, the last check), deleting, and the changes that move
 * no edge: type, flags, names, order, a fresh label. edit_new.c adds, edit_move.c moves edges.
 * Every verb works on a copy and hands it out only when it is sound.
 */
#include "afdisk/edit.h"
#include "afdisk/layout_hybrid.h"
#include "afdisk/place.h"
#include "edit_priv.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_UNITS 36 /* UEFI specification, GPT partition entry */

/* Hands next over if it is sound, else releases it. */
bool af_edit_finish(struct af_layout *next, struct af_layout *out, struct af_err *err)
{
	af_layout_sort(next);
	bool followed = next->hybrid != AF_HYBRID_UPDATE || af_layout_follow(next, err);
	if (followed && af_layout_sound(next, err)) {
		*out = *next;
		return true;
	}
	af_layout_release(next);
	return false;
}

/* True if next is from with partitions less or smaller. */
static bool is_less(const struct af_layout *from, const struct af_layout *next)
{
	for (size_t i = 0; i < next->nparts; i++) {
		const struct af_part *p = &next->part[i];
		const struct af_part *old = af_layout_find(from, p->id);
		if (!old || !af_span_inside(p->span, old->span))
			return false;
	}
	return true;
}

bool af_edit_finish_less(const struct af_layout *from, struct af_layout *next,
			 struct af_layout *out, struct af_err *err)
{
	struct af_err ignored;
	if (!is_less(from, next) || af_layout_sound(from, &ignored))
		return af_edit_finish(next, out, err);
	af_layout_sort(next);
	if (!af_layout_mendable(next, err))
		return af_edit_drop(next);
	*out = *next;
	return true;
}

bool af_edit_drop(struct af_layout *next)
{
	af_layout_release(next);
	return false;
}

const struct af_part *af_edit_find(const struct af_layout *l, uint32_t id,
				   struct af_err *err)
{
	const struct af_part *p = af_layout_find(l, id);
	if (!p)
		(void)af_fail(err, AF_E_USAGE, "there is no such partition");
	return p;
}

bool af_edit_has_table(const struct af_layout *l, struct af_err *err)
{
	return l->scheme != AF_SCHEME_NONE ||
	       af_fail(err, AF_E_RULE,
		       "there is no partition table: make one with 'label gpt' or 'label "
		       "dos'");
}

static af_bytes region_size(const struct edit_base *base)
{
	af_bytes size = af_span_size(base->region);
	return size > 0 ? size : 0;
}

bool af_edit_position(const struct edit_base *base, const struct af_amount *a, bool is_end,
		      af_bytes *out, struct af_err *err)
{
	const struct af_layout *l = base->l;
	af_bytes n, at, from = a->sign ? base->now : 0;
	if (!af_amount_bytes(a, l->sector_size, region_size(base), &n, err))
		return false;
	if (!a->sign && (a->kind == AF_AMOUNT_PERCENT || a->kind == AF_AMOUNT_MAX))
		from = base->region.start;
	else if (is_end && !a->sign && a->kind == AF_AMOUNT_SECTORS)
		n += l->sector_size;
	if (!af_add(from, a->sign < 0 ? -n : n, &at) || at < 0 || at > l->disk_size)
		return af_fail(err, AF_E_RANGE, "the position lies beyond the disk");
	af_bytes past = at % l->sector_size;
	*out = at - past + (past && is_end ? l->sector_size : 0);
	return true;
}

bool af_edit_size(const struct edit_base *base, const struct af_amount *a, af_bytes *out,
		  struct af_err *err)
{
	af_bytes n;
	if (!af_amount_bytes(a, base->l->sector_size, region_size(base), &n, err))
		return false;
	if (a->sign && !af_add(base->now, a->sign < 0 ? -n : n, &n))
		return af_fail(err, AF_E_RANGE, "the size does not fit");
	if (n <= 0)
		return af_fail(err, AF_E_RANGE, "the size must be more than nothing");
	af_bytes part = n % base->l->sector_size;
	return af_add(n, part ? base->l->sector_size - part : 0, out) ||
	       af_fail(err, AF_E_RANGE, "the size does not fit");
}

bool af_edit_delete(const struct af_layout *from, uint32_t id, struct af_layout *out,
		    struct af_err *err)
{
	const struct af_part *p = af_edit_find(from, id, err);
	if (!p)
		return false;
	struct af_layout next;
	af_layout_copy(from, &next);
	af_layout_remove(&next, id);
	for (size_t i = 0; i < from->nparts && p->role == AF_ROLE_EXTENDED; i++)
		if (from->part[i].role == AF_ROLE_LOGICAL)
			af_layout_remove(&next, from->part[i].id);
	for (size_t i = 0; i < next.nparts && p->role == AF_ROLE_LOGICAL; i++)
		if (next.part[i].role == AF_ROLE_LOGICAL && next.part[i].number > p->number)
			next.part[i].number--;
	const struct af_part *ext = af_layout_extended(&next);
	if (ext && p->ebr == ext->span.start) /* the next one takes its EBR */
		af_place_head(&next);
	if (!af_layout_chain_kept(from, &next, err))
		return af_edit_drop(&next);
	return af_edit_finish_less(from, &next, out, err);
}

static struct af_part *copy_and_find(const struct af_layout *from, uint32_t id,
				     struct af_layout *next, struct af_err *err)
{
	if (!af_edit_find(from, id, err))
		return NULL;
	af_layout_copy(from, next);
	return af_place_part(next, id);
}

bool af_edit_type_fits(const struct af_layout *l, enum af_role role, const uint8_t type[16],
		       struct af_err *err)
{
	enum { PROTECTIVE = 0xEE }; /* UEFI specification, 5.2.3 */
	if (l->scheme != AF_SCHEME_MBR || role == AF_ROLE_LOGICAL || type[0] != PROTECTIVE)
		return true;
	return af_fail(err, AF_E_RULE,
		       "type ee says that the disk has a GPT, which it has not: 'convert "
		       "gpt' makes one of this table");
}

bool af_edit_type(const struct af_layout *from, uint32_t id, const uint8_t type[16],
		  struct af_layout *out, struct af_err *err)
{
	struct af_layout next;
	struct af_part *p = copy_and_find(from, id, &next, err);
	if (!p)
		return false;
	bool extended =
		from->scheme == AF_SCHEME_MBR && af_scheme_is_extended_code(type[0]);
	if (extended != (p->role == AF_ROLE_EXTENDED)) {
		const char *why =
			extended ? "holds data: an extended partition is made with 'new "
				   "extended' or 'new logical'"
				 : "is extended: delete it to use its place for another "
				   "type";
		(void)af_fail(err, AF_E_RULE, "partition %" PRIu32 " %s", p->number, why);
		return af_edit_drop(&next);
	}
	if (!af_edit_type_fits(from, p->role, type, err))
		return af_edit_drop(&next);
	memcpy(p->type, type, sizeof(p->type));
	return af_edit_finish(&next, out, err);
}

bool af_edit_boot(const struct af_layout *from, uint32_t id, bool on, struct af_layout *out,
		  struct af_err *err)
{
	if (from->scheme == AF_SCHEME_GPT)
		return af_fail(err, AF_E_RULE,
			       "a GPT has no boot flag: an EFI System Partition is a type "
			       "('type N efi'), and what an old BIOS loader looks for an "
			       "attribute ('attr N LegacyBIOSBootable on')");
	struct af_layout next;
	struct af_part *p = copy_and_find(from, id, &next, err);
	if (!p)
		return false;
	for (size_t i = 0; i < next.nparts && on && p->role != AF_ROLE_LOGICAL; i++)
		if (next.part[i].role != AF_ROLE_LOGICAL)
			next.part[i].boot = false;
	p->boot = on;
	return af_edit_finish(&next, out, err);
}

static bool is_gpt(const struct af_layout *l, const char *what, struct af_err *err)
{
	return l->scheme == AF_SCHEME_GPT ||
	       af_fail(err, AF_E_RULE, "only a GPT has %s", what);
}

/* How many bytes follow the first one of a UTF-8 character; -1 if none begins with it. */
static int bytes_behind(unsigned char first)
{
	if (first < 0x80)
		return 0;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
}

/* UTF-16 units of valid UTF-8 text, or -1. */
static int utf16_units(const char *text)
{
	int units = 0;
	for (const unsigned char *c = (const unsigned char *)text; *c;) {
		int more = bytes_behind(*c++);
		if (more < 0)
			return -1;
		units += more == 3 ? 2 : 1;
		for (; more > 0; more--, c++)
			if ((*c & 0xc0) != 0x80)
				return -1;
	}
	return units;
}

bool af_edit_name(const struct af_layout *from, uint32_t id, const char *name,
		  struct af_layout *out, struct af_err *err)
{
	int units = utf16_units(name);
	if (!is_gpt(from, "partition names", err))
		return false;
	if (units < 0)
		return af_fail(err, AF_E_USAGE, "the name is not valid UTF-8");
	if (units > NAME_UNITS)
		return af_fail(err, AF_E_RANGE,
			       "the name is %d characters long; a GPT holds %d", units,
			       NAME_UNITS);
	struct af_layout next;
	struct af_part *p = copy_and_find(from, id, &next, err);
	if (!p)
		return false;
	memset(p->name, 0, sizeof(p->name));
	memcpy(p->name, name, strlen(name));
	return af_edit_finish(&next, out, err);
}

bool af_edit_uuid(const struct af_layout *from, uint32_t id, const uint8_t uuid[16],
		  struct af_layout *out, struct af_err *err)
{
	if (!is_gpt(from, "partition UUIDs", err))
		return false;
	for (size_t i = 0; i < from->nparts; i++)
		if (from->part[i].id != id && memcmp(from->part[i].uuid, uuid, 16) == 0)
			return af_fail(err, AF_E_RULE,
				       "partition %" PRIu32 " has that UUID already",
				       from->part[i].number);
	struct af_layout next;
	struct af_part *p = copy_and_find(from, id, &next, err);
	if (!p)
		return false;
	memcpy(p->uuid, uuid, sizeof(p->uuid));
	return af_edit_finish(&next, out, err);
}

bool af_edit_attr(const struct af_layout *from, uint32_t id, unsigned bit, bool on,
		  struct af_layout *out, struct af_err *err)
{
	if (!is_gpt(from, "partition attributes", err))
		return false;
	if (bit > 63)
		return af_fail(err, AF_E_RANGE, "attribute bits are 0 to 63, not %u", bit);
	struct af_layout next;
	struct af_part *p = copy_and_find(from, id, &next, err);
	if (!p)
		return false;
	uint64_t mask = UINT64_C(1) << bit;
	p->attrs = on ? p->attrs | mask : p->attrs & ~mask;
	return af_edit_finish(&next, out, err);
}

/* Gives numbers by place; logicals whose EBR was or becomes the head of the chain need another one. */
static bool renumber(struct af_layout *l, const struct af_edit *e, struct af_err *err)
{
	uint32_t number = 1, logical = l->slots + 1;
	const struct af_part *ext = af_layout_extended(l),
			     *first = af_layout_number(l, logical);
	bool has_head = ext && first && first->ebr == ext->span.start;
	for (size_t i = 0; i < l->nparts; i++)
		l->part[i].number =
			l->part[i].role == AF_ROLE_LOGICAL ? logical++ : number++;
	if (has_head)
		af_place_head(l);
	for (size_t i = 0; ext && i < l->nparts; i++) {
		struct af_part *p = &l->part[i];
		bool moved = p->role == AF_ROLE_LOGICAL && p->number != l->slots + 1 &&
			     p->ebr == ext->span.start;
		if (moved && !af_place_house(e->rules, l, p->id, false, err))
			return false;
	}
	return true;
}

bool af_edit_sort(const struct af_layout *from, const struct af_edit *e,
		  struct af_layout *out, struct af_err *err)
{
	if (!af_edit_has_table(from, err))
		return false;
	struct af_layout next;
	af_layout_copy(from, &next);
	if (!renumber(&next, e, err) || !af_layout_chain_kept(from, &next, err))
		return af_edit_drop(&next);
	return af_edit_finish(&next, out, err);
}

bool af_edit_label(const struct af_layout *from, enum af_scheme scheme,
		   const uint8_t disk_id[16], struct af_layout *out, struct af_err *err)
{
	struct af_layout next;
	if (!af_layout_init(&next, scheme, from->disk_size, from->sector_size, err))
		return false;
	memcpy(next.disk_id, disk_id, sizeof(next.disk_id));
	next.next_id = from->next_id;
	return af_edit_finish(&next, out, err);
}

bool af_edit_id(const struct af_layout *from, const uint8_t id[16], struct af_layout *out,
		struct af_err *err)
{
	static const uint8_t none[16];
	if (!af_edit_has_table(from, err))
		return false;
	if (memcmp(id, none, sizeof(none)) == 0)
		return af_fail(err, AF_E_USAGE,
			       "an identifier of zeros names no disk: give another one, or "
			       "'id new'");
	struct af_layout next;
	af_layout_copy(from, &next);
	memcpy(next.disk_id, id, sizeof(next.disk_id));
	next.id_changed = true;
	return af_edit_finish(&next, out, err);
}
