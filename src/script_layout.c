/*
 * script_layout.c - what a script amounts to on one disk: numbers, places, and what stays of the table before.
 *
 * Lines are taken in their order, as sfdisk takes them. Data is placed first, one line after the other; the EBRs
 * follow when all data has its place, so that none can come to lie in the data of a later line.
 */
#include "afdisk/place.h"
#include "script_priv.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attribute bits that a script cannot say: they stay. */
#define SILENT_BITS UINT64_C(0x0000FFFFFFFFFFF8)
#define LINUX_CODE  0x83

/* Linux filesystem data, 0FC63DAF-8483-4772-8E79-3D69D8477DE4. */
static const uint8_t linux_guid[16] = { 0x0f, 0xc6, 0x3d, 0xaf, 0x84, 0x83, 0x47, 0x72,
					0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4 };

/* The line of the script that made a partition; 0 if none did. */
uint32_t af_script_line_of(const struct script_build *b, uint32_t id)
{
	for (size_t i = 0; i < b->s->nparts; i++)
		if (b->id[i] == id)
			return b->s->part[i].line;
	return 0;
}

bool af_script_refuse(const struct script_build *b, uint32_t line, enum af_code code,
		      const char *fmt, ...)
{
	char why[400];
	va_list args;
	va_start(args, fmt);
	(void)vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	return af_fail(b->err, code, "line %" PRIu32 ": %s", line, why);
}

/* The script's own grain for what it leaves open: at least the check size, and a multiple of it. */
static void set_grain(struct script_build *b)
{
	af_bytes check = b->rules.check.step,
		 grain = (af_bytes)b->s->grain.n; /* <= 1 GiB */
	if (b->s->grain.line == 0)
		return;
	grain = (grain + check - 1) / check * check;
	b->rules.grain = af_grid_make(grain, b->rules.check.phase);
}

/*
 * ---------------------------------------------------------------------------------------------
 * Numbers
 */

static uint32_t next_slot(const struct script_build *b)
{
	for (uint32_t n = 1; n <= b->l.slots; n++)
		if (!b->taken[n])
			return n;
	return 0;
}

static uint32_t next_logical(const struct script_build *b)
{
	uint32_t n = b->l.slots;
	for (size_t i = 0; i < b->l.nparts; i++)
		if (b->l.part[i].role == AF_ROLE_LOGICAL && b->l.part[i].number > n)
			n = b->l.part[i].number;
	return n + 1;
}

/* A table that has more of them already may keep them. */
static size_t most_logicals(const struct script_build *b)
{
	size_t n = af_layout_logicals(b->base);
	return b->same && n > AF_LOGICALS_MAX ? n : AF_LOGICALS_MAX;
}

/* Without a number: inside the extended partition if the start is, else in the main table while that and the disk beside
 * the extended partition have room. */
static enum af_role natural_role(const struct script_build *b,
				 const struct af_script_part *sp)
{
	const struct af_part *ext = af_layout_extended(&b->l);
	if (b->l.scheme != AF_SCHEME_MBR)
		return AF_ROLE_PRIMARY;
	if (af_scheme_is_extended_code(sp->type[0]))
		return AF_ROLE_EXTENDED;
	if (sp->number > 0)
		return sp->number > b->l.slots ? AF_ROLE_LOGICAL : AF_ROLE_PRIMARY;
	if (ext && sp->has_start && af_span_has(ext->span, sp->start))
		return AF_ROLE_LOGICAL;
	if (!ext || sp->has_start)
		return ext && next_slot(b) == 0 ? AF_ROLE_LOGICAL : AF_ROLE_PRIMARY;
	return next_slot(b) > 0 && af_script_has_room(b) ? AF_ROLE_PRIMARY
							 : AF_ROLE_LOGICAL;
}

static bool check_role(const struct script_build *b, const struct af_script_part *sp,
		       enum af_role role)
{
	const struct af_part *ext = af_layout_extended(&b->l);
	if (role == AF_ROLE_EXTENDED && ext)
		return af_script_refuse(b, sp->line, AF_E_RULE,
					"line %" PRIu32
					" makes an extended partition already",
					af_script_line_of(b, ext->id));
	if (role == AF_ROLE_LOGICAL && !ext)
		return af_script_refuse(b, sp->line, AF_E_RULE,
					"partition %" PRIu32
					" is a logical one, and no line before it makes an "
					"extended one",
					sp->number);
	if (role == AF_ROLE_LOGICAL && af_layout_logicals(&b->l) >= most_logicals(b))
		return af_script_refuse(b, sp->line, AF_E_RULE,
					"more logical partitions than other programs find "
					"(%d)",
					AF_LOGICALS_MAX);
	if (role != AF_ROLE_LOGICAL && sp->number > b->l.slots)
		return af_script_refuse(b, sp->line, AF_E_RULE,
					"a table of %" PRIu32
					" entries has no number %" PRIu32,
					b->l.slots, sp->number);
	return true;
}

static bool choose_number(struct script_build *b, const struct af_script_part *sp,
			  struct af_part *part)
{
	part->role = natural_role(b, sp);
	if (!check_role(b, sp, part->role))
		return false;
	part->number = sp->number;
	if (part->number == 0)
		part->number =
			part->role == AF_ROLE_LOGICAL ? next_logical(b) : next_slot(b);
	if (part->number == 0)
		return af_script_refuse(b, sp->line, AF_E_RULE,
					"all %" PRIu32 " entries of the table are used",
					b->l.slots);
	if (part->number <= b->l.slots)
		b->taken[part->number] = true;
	const struct af_part *other = af_layout_number(&b->l, part->number);
	return !other ||
	       af_script_refuse(b, sp->line, AF_E_RULE,
				"line %" PRIu32 " makes partition %" PRIu32 " already",
				af_script_line_of(b, other->id), part->number);
}

/*
 * ---------------------------------------------------------------------------------------------
 * Fields
 */

/* An MBR's entries have no names, a GPT's no boot flag. */
static bool check_fields(const struct script_build *b, const struct af_script_part *sp)
{
	bool gpt = b->l.scheme == AF_SCHEME_GPT;
	if (!gpt && (sp->has_uuid || sp->has_attrs || sp->name[0] != '\0'))
		return af_script_refuse(
			b, sp->line, AF_E_RULE,
			"a dos table has no partition names, UUIDs or attributes: "
			"leave the field out");
	if (gpt && sp->boot)
		af_text_add(b->remarks,
			    "line %" PRIu32 ": a GPT has no boot flag, so bootable is left "
			    "out: attrs=LegacyBIOSBootable is its like\n",
			    sp->line);
	return true;
}

static void fill_type(const struct script_build *b, const struct af_script_part *sp,
		      struct af_part *part)
{
	static const uint8_t none[16];
	memcpy(part->type, sp->type, sizeof(part->type));
	if (memcmp(sp->type, none, sizeof(none)) != 0)
		return;
	if (b->l.scheme == AF_SCHEME_GPT)
		memcpy(part->type, linux_guid, sizeof(linux_guid));
	else
		part->type[0] = LINUX_CODE;
}

/* True for a line that takes what is left, where the table has no entry left: sfdisk ends there, too. */
static bool is_left_over(const struct script_build *b, const struct af_script_part *sp)
{
	return !sp->number && !sp->has_start && !sp->has_size && next_slot(b) == 0 &&
	       natural_role(b, sp) == AF_ROLE_PRIMARY;
}

static bool add_part(struct script_build *b, size_t i)
{
	const struct af_script_part *sp = &b->s->part[i];
	struct af_part part = { .attrs = sp->attrs };
	if (!check_fields(b, sp))
		return false;
	if (sp->has_size && sp->size == 0) { /* an unused entry, which old dumps list */
		uint32_t slot = sp->number ? sp->number : next_slot(b);
		if (slot <= b->l.slots)
			b->taken[slot] = true;
		return true;
	}
	if (is_left_over(b, sp)) {
		af_text_add(b->remarks,
			    "line %" PRIu32 ": left out: all %" PRIu32
			    " entries of the table are used\n",
			    sp->line, b->l.slots);
		return true;
	}
	if (!choose_number(b, sp, &part) || !af_script_place(b, sp, &part))
		return false;
	part.boot = sp->boot && b->l.scheme == AF_SCHEME_MBR;
	fill_type(b, sp, &part);
	if (b->l.scheme == AF_SCHEME_GPT)
		memcpy(part.uuid, sp->uuid, sizeof(part.uuid));
	memcpy(part.name, sp->name, sizeof(part.name));
	b->id[i] = af_layout_add(&b->l, &part);
	return true;
}

/*
 * ---------------------------------------------------------------------------------------------
 * What stays of the table before
 */

/* The logical with the lowest number from n on; NULL if there is none. */
static struct af_part *logical_from(struct script_build *b, uint32_t n)
{
	struct af_part *found = NULL;
	for (size_t i = 0; i < b->l.nparts; i++) {
		struct af_part *p = &b->l.part[i];
		if (p->role == AF_ROLE_LOGICAL && p->number >= n &&
		    (!found || p->number < found->number))
			found = p;
	}
	return found;
}

/* Closes the holes in the numbers of logicals: Linux counts them along the chain. */
static void number_logicals(struct script_build *b)
{
	struct af_part *p;
	for (uint32_t n = b->l.slots + 1; (p = logical_from(b, n)) != NULL; n++) {
		if (p->number != n)
			af_text_add(b->remarks,
				    "line %" PRIu32 ": partition %" PRIu32
				    " becomes number %" PRIu32
				    ": logical ones are counted without a hole\n",
				    af_script_line_of(b, p->id), p->number, n);
		p->number = n;
	}
}

/* True if both entries are about the same partition; by number, an edge may be another. */
static bool is_same(const struct script_build *b, const struct af_script_part *sp,
		    const struct af_part *now, const struct af_part *old)
{
	bool uuid = sp->has_uuid && memcmp(sp->uuid, old->uuid, sizeof(old->uuid)) == 0;
	if (now->role != old->role)
		return false;
	if (now->number == old->number && now->span.start == old->span.start)
		return true;
	return af_span_equal(now->span, old->span) ||
	       (b->l.scheme == AF_SCHEME_GPT && uuid);
}

/* Where the EBR of a logical stays: the head of the chain only with the first one. */
static af_bytes kept_ebr(const struct script_build *b, const struct af_part *now,
			 const struct af_part *old)
{
	const struct af_part *was = af_layout_extended(b->base),
			     *ext = af_layout_extended(&b->l);
	if (!was || !ext || old->ebr != was->span.start)
		return old->ebr;
	return now->number == b->l.slots + 1 ? ext->span.start : 0;
}

/* Gives partition now, of line i, what old has and a script cannot say; its id at last. */
static void take_over(struct script_build *b, size_t i, struct af_part *now,
		      const struct af_part *old)
{
	if (old->role == AF_ROLE_LOGICAL)
		now->ebr = kept_ebr(b, now, old);
	if (!b->s->part[i].has_uuid)
		memcpy(now->uuid, old->uuid, sizeof(now->uuid));
	now->attrs |= old->attrs & SILENT_BITS;
	now->id = old->id;
	b->id[i] = old->id;
}

static void match(struct script_build *b, bool by_number)
{
	for (size_t i = 0; i < b->s->nparts; i++) {
		struct af_part *now = b->id[i] ? af_place_part(&b->l, b->id[i]) : NULL;
		for (size_t k = 0; now && k < b->base->nparts; k++) {
			const struct af_part *old = &b->base->part[k];
			if (now->id < b->base->next_id)
				break; /* it is one of base's already */
			if ((!by_number || old->number == now->number) &&
			    !af_layout_find(&b->l, old->id) &&
			    is_same(b, &b->s->part[i], now, old))
				take_over(b, i, now, old);
		}
	}
}

/* Two partitions may share a UUID only if they always did. */
static bool check_uuids(const struct script_build *b)
{
	for (size_t i = 0; i < b->l.nparts && b->l.scheme == AF_SCHEME_GPT; i++)
		for (size_t k = 0; k < i; k++) {
			const struct af_part *p = &b->l.part[i], *q = &b->l.part[k];
			bool old = p->id < b->base->next_id && q->id < b->base->next_id;
			uint32_t one = af_script_line_of(b, p->id),
				 other = af_script_line_of(b, q->id);
			if (!old && memcmp(p->uuid, q->uuid, sizeof(p->uuid)) == 0)
				return af_script_refuse(
					b, one > other ? one : other, AF_E_RULE,
					"line %" PRIu32 " gives that UUID already",
					one > other ? other : one);
		}
	return true;
}

/* A name that is no text stays where it is, but is not given. */
static bool check_names(const struct script_build *b)
{
	for (size_t i = 0; i < b->s->nparts; i++) {
		const struct af_script_part *sp = &b->s->part[i];
		const struct af_part *old = af_layout_find(b->base, b->id[i]);
		char clean[AF_NAME_MAX];
		af_text_clean(sp->name, clean, sizeof(clean));
		if (b->id[i] != 0 && strcmp(sp->name, clean) != 0 &&
		    (!old || strcmp(sp->name, old->name) != 0))
			return af_script_refuse(
				b, sp->line, AF_E_USAGE,
				"\"%.60s\" is not UTF-8 without control characters", clean);
	}
	return true;
}

/* A place for every EBR that cannot stay where it is. */
static bool house_logicals(struct script_build *b)
{
	for (size_t i = 0; i < b->l.nparts; i++) {
		const struct af_part *p = &b->l.part[i];
		const struct af_part *old = af_layout_find(b->base, p->id);
		bool moved = !old || old->span.start != p->span.start;
		uint32_t line = af_script_line_of(b, p->id);
		if (p->role == AF_ROLE_LOGICAL &&
		    !af_place_house(&b->rules, &b->l, p->id, moved, b->err))
			return af_fail_within(b->err, "line %" PRIu32, line);
	}
	return true;
}

static bool add_parts(struct script_build *b)
{
	for (size_t i = 0; i < b->s->nparts; i++)
		if (b->s->part[i].number && b->s->part[i].number <= b->l.slots)
			b->taken[b->s->part[i].number] = true;
	for (size_t i = 0; i < b->s->nparts; i++)
		if (!add_part(b, i))
			return false;
	return true;
}

static bool finish(struct script_build *b)
{
	number_logicals(b);
	if (b->same) {
		match(b, true);
		match(b, false);
	}
	return check_names(b) && check_uuids(b) && house_logicals(b) &&
	       af_layout_chain_kept(b->base, &b->l, b->err) &&
	       (af_layout_sound(&b->l, b->err) || af_fail_within(b->err, "the script"));
}

bool af_script_layout(const struct af_script *s, const struct af_layout *base,
		      const struct af_rules *rules, struct af_layout *out,
		      struct af_text *remarks, struct af_err *err)
{
	struct script_build b = {
		.s = s, .base = base, .rules = *rules, .remarks = remarks, .err = err
	};
	if (!af_script_begin(&b)) {
		af_layout_release(&b.l);
		return false;
	}
	set_grain(&b);
	b.id = af_alloc(s->nparts, sizeof(*b.id));
	b.taken = af_alloc(b.l.slots + 1, sizeof(*b.taken));
	bool good = add_parts(&b) && finish(&b);
	if (good)
		*out = b.l;
	else
		af_layout_release(&b.l);
	free(b.id);
	free(b.taken);
	return good;
}
