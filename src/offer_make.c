/*
 * offer_make.c - a layout on this table: what of it is there already, whether the rest fits, and the commands that make it.
 * Each command is tried on a copy, so that the next one begins where it ended; the edit room places every edge, and has
 * the last word on what a table takes.
 */
#include "afdisk/offer.h"
#include "afdisk/place.h"
#include "offer_priv.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Swap beyond this serves nobody, below this no sleep; without a word about the memory the latter. */
#define SWAP_MOST  (16 * AF_GIB)
#define SWAP_LEAST (2 * AF_GIB)

/* A layout being made. */
struct making {
	const struct af_offer *offer;
	const struct af_offer_place *place;
	struct af_rules rules; /* without exact: a layout has no sectors of its own */
	struct af_edit e;
	struct af_layout now;    /* with what was made so far */
	struct af_room room;     /* where it goes */
	enum af_role linux_role; /* MBR: of the partitions for Linux */
	struct offer_share share[OFFER_SHARES];
	size_t n;
	af_bytes at; /* where the next partition may begin */
	struct af_text note;
	struct af_offer_plan *out;
};

static enum af_purpose purpose_of(const struct making *m, const struct af_part *p)
{
	return af_scheme_purpose(m->now.scheme, p->type);
}

/*
 * ---------------------------------------------------------------------------------------------
 * What is there already
 */
static const struct af_part *find_purpose(const struct making *m, enum af_purpose purpose)
{
	for (size_t i = 0; i < m->now.nparts; i++)
		if (purpose_of(m, &m->now.part[i]) == purpose)
			return &m->now.part[i];
	return NULL;
}

static bool holds_windows(const struct making *m, const struct af_part *p)
{
	const struct af_content *c = af_contents_find(m->e.contents, p->id);
	return c && c->state == AF_CONTENT_FOUND &&
	       (strcmp(c->fs, "ntfs") == 0 || strcmp(c->fs, "BitLocker") == 0);
}

/* True of a drive that Windows may boot from: on a GPT there is an ESP beside it, and an MSR or an NTFS in it; on an MBR it
 * is primary. A new one, in which there is nothing yet, is meant for it. */
static bool is_windows(const struct making *m, const struct af_part *p)
{
	if (purpose_of(m, p) != AF_PURPOSE_WINDOWS || p->role == AF_ROLE_LOGICAL)
		return false;
	if (m->now.scheme == AF_SCHEME_MBR)
		return p->boot || holds_windows(m, p);
	return find_purpose(m, AF_PURPOSE_ESP) &&
	       (find_purpose(m, AF_PURPOSE_RESERVED) || holds_windows(m, p));
}

static const struct af_part *find_windows(const struct making *m)
{
	for (size_t i = 0; i < m->now.nparts; i++)
		if (is_windows(m, &m->now.part[i]))
			return &m->now.part[i];
	return NULL;
}

/* The partition that does what a share is for, or NULL. */
static const struct af_part *present(const struct making *m, const struct offer_share *s)
{
	const struct af_part *p;
	switch (s->purpose) {
	case AF_PURPOSE_RESERVED:
		p = find_purpose(m, s->purpose);
		return p ? p : find_windows(m);
	case AF_PURPOSE_WINDOWS:
		return find_windows(m);
	case AF_PURPOSE_ESP:
	case AF_PURPOSE_HOME:
	case AF_PURPOSE_SWAP:
	case AF_PURPOSE_BIOS_BOOT:
		return find_purpose(m, s->purpose);
	case AF_PURPOSE_OTHER:
	case AF_PURPOSE_RECOVERY:
	case AF_PURPOSE_FAT:
	case AF_PURPOSE_LINUX:
		break;
	}
	return NULL;
}

static struct af_text *another(struct af_text *t)
{
	af_text_add(t, "%s", t->len == 0 ? "" : "; ");
	return t;
}

static void take_out(struct making *m, size_t i)
{
	m->n--;
	memmove(&m->share[i], &m->share[i + 1], (m->n - i) * sizeof(m->share[0]));
}

static void use_present(struct making *m)
{
	char size[AF_SHORT];
	for (size_t i = 0; i < m->n;) {
		const struct af_part *p = present(m, &m->share[i]);
		if (!p) {
			i++;
			continue;
		}
		if (m->share[i].purpose != AF_PURPOSE_RESERVED)
			af_text_add(another(&m->note),
				    "%s: partition %" PRIu32 " (%s) stays",
				    m->share[i].name, p->number,
				    af_text_size(af_span_size(p->span), size));
		take_out(m, i);
	}
}

/*
 * ---------------------------------------------------------------------------------------------
 * Whether it fits
 */
static bool find_room(struct making *m, struct af_err *err)
{
	struct af_room *room;
	size_t n = af_align_rooms(&m->rules, &m->now, &room);
	const struct af_offer_place *place = m->place;
	bool found = false;
	for (size_t i = 0; i < n; i++) {
		bool larger =
			!found || af_span_size(room[i].span) > af_span_size(m->room.span);
		bool fits = place->has_at ? af_span_has(room[i].span, place->at) : larger;
		if (room[i].kind == AF_ROOM_FREE && fits) {
			m->room = room[i];
			found = true;
		}
	}
	free(room);
	if (!found)
		return af_fail(err, AF_E_RANGE,
			       place->has_at ? "that place is not in free space"
					     : "there is no free space");
	m->at = m->room.span.start;
	if (place->has_at && place->at > m->at)
		m->at = place->at - place->at % m->now.sector_size;
	return true;
}

/* Linux starts from any partition: logicals spare the few primaries, where there is an extended one in reach. */
static enum af_role role_of_linux(const struct making *m)
{
	const struct af_part *ext = af_layout_extended(&m->now);
	const struct af_span *room = &m->room.span;
	if (m->now.scheme != AF_SCHEME_MBR || m->offer->scheme != AF_SCHEME_MBR)
		return AF_ROLE_PRIMARY;
	bool near = !ext || m->room.in_extended || room->end == ext->span.start ||
		    room->start == ext->span.end;
	return near ? AF_ROLE_LOGICAL : AF_ROLE_PRIMARY;
}

static bool is_logical(const struct making *m, const struct offer_share *s)
{
	return m->linux_role == AF_ROLE_LOGICAL && s->purpose != AF_PURPOSE_WINDOWS;
}

/* What the EBR before a logical takes at the most. */
static af_bytes ebr_cost(const struct making *m)
{
	return af_offer_round(3 * (af_bytes)m->now.sector_size, m->rules.grain.step);
}

static af_bytes needs(const struct making *m)
{
	af_bytes sum = 0;
	for (size_t i = 0; i < m->n; i++) {
		sum += af_offer_round(m->share[i].min, m->rules.grain.step);
		sum += is_logical(m, &m->share[i]) ? ebr_cost(m) : 0;
	}
	return sum;
}

/* Primaries that it makes, one more for an extended partition that is not there yet. */
static uint32_t slots_needed(const struct making *m)
{
	uint32_t slots = 0, logicals = 0;
	for (size_t i = 0; i < m->n; i++)
		if (is_logical(m, &m->share[i]))
			logicals++;
		else
			slots++;
	return slots + (logicals > 0 && !af_layout_extended(&m->now) ? 1 : 0);
}

static uint32_t slots_free(const struct making *m)
{
	uint32_t used = 0;
	for (size_t i = 0; i < m->now.nparts; i++)
		used += m->now.part[i].role != AF_ROLE_LOGICAL;
	return m->now.slots - used;
}

/* The grain lines between which partitions can lie. */
static af_bytes room_for(const struct making *m)
{
	const af_bytes ss = m->now.sector_size;
	af_bytes low = m->at, high = m->room.span.end;
	if (low < m->rules.lowest)
		low = m->rules.lowest;
	if (m->room.in_extended)
		high -= ss; /* for the EBR of what follows */
	if (!af_grid_up(m->rules.grain, low, &low) ||
	    !af_grid_down(m->rules.grain, high, &high))
		return 0;
	return high > low ? high - low : 0;
}

static bool too_small(const struct making *m, af_bytes room, struct af_err *err)
{
	char least[AF_SHORT], have[AF_SHORT];
	if (slots_needed(m) > slots_free(m))
		return af_fail(err, AF_E_RULE,
			       "it takes %" PRIu32 " of the table's entries, and %" PRIu32
			       " %s left: make it in free space beside or inside the "
			       "extended partition, or 'convert gpt'",
			       slots_needed(m), slots_free(m),
			       slots_free(m) == 1 ? "is" : "are");
	return af_fail(err, AF_E_RANGE, "it takes at least %s, and this free space has %s",
		       af_text_size(needs(m), least), af_text_size(room, have));
}

/* Leaves out an optional share: for the room, or for the entries of the table. */
static void leave_out(struct making *m, size_t i, bool for_room)
{
	const struct offer_share *s = &m->share[i];
	if (for_room) {
		char least[AF_SHORT];
		af_text_add(another(&m->note), "no room for %s (%s at least)", s->name,
			    af_text_size(s->min, least));
	} else {
		af_text_add(another(&m->note), "no entry of the table for %s", s->name);
	}
	take_out(m, i);
}

/* Leaves out what does not fit, the last first. */
static bool make_fit(struct making *m, struct af_err *err)
{
	const af_bytes room = room_for(m);
	for (size_t i = m->n; i > 0; i--) {
		if (needs(m) <= room && slots_needed(m) <= slots_free(m))
			break;
		if (m->share[i - 1].optional)
			leave_out(m, i - 1, needs(m) > room);
	}
	if (needs(m) > room || slots_needed(m) > slots_free(m))
		return too_small(m, room, err);
	af_bytes data = room;
	for (size_t i = 0; i < m->n; i++)
		data -= is_logical(m, &m->share[i]) ? ebr_cost(m) : 0;
	if (m->n > 0)
		af_offer_fit(m->share, m->n, data, m->rules.grain.step);
	return true;
}

/*
 * ---------------------------------------------------------------------------------------------
 * The commands
 */
static bool add(struct making *m, const struct af_command *cmd, uint32_t *id,
		struct af_err *err)
{
	struct af_layout next;
	if (!af_command_apply(cmd, &m->now, &m->e, &next, id, err))
		return false;
	af_layout_release(&m->now);
	m->now = next;
	m->out->cmd[m->out->n++] = *cmd;
	return true;
}

static struct af_amount bytes_amount(af_bytes n)
{
	return (struct af_amount){ .kind = AF_AMOUNT_BYTES, .value = n };
}

/* A partition from where the last one ended on; without a size it takes all there is. */
static struct af_command new_command(const struct making *m, enum af_want_role role,
				     af_bytes size)
{
	struct af_command cmd = { .verb = AF_VERB_NEW, .add = { .role = role } };
	cmd.add.want.has_start = true;
	cmd.add.want.start = bytes_amount(m->at);
	cmd.add.want.has_size = true;
	cmd.add.want.size =
		size > 0 ? bytes_amount(size) : (struct af_amount){ .kind = AF_AMOUNT_MAX };
	return cmd;
}

static bool add_extended(struct making *m, struct af_err *err)
{
	const struct af_command cmd = new_command(m, AF_WANT_EXTENDED, 0);
	uint32_t id;
	return add(m, &cmd, &id, err);
}

/* An active partition that is there stays the one. */
static bool set_active(struct making *m, uint32_t id, struct af_err *err)
{
	for (size_t i = 0; i < m->now.nparts; i++)
		if (m->now.part[i].boot)
			return true;
	struct af_command cmd = { .verb = AF_VERB_BOOT, .on = true };
	cmd.number = af_layout_find(&m->now, id)->number;
	return add(m, &cmd, &id, err);
}

static enum af_want_role role_of(const struct making *m, const struct offer_share *s)
{
	if (m->now.scheme == AF_SCHEME_GPT || m->offer->scheme == AF_SCHEME_NONE)
		return AF_WANT_ANY;
	return is_logical(m, s) ? AF_WANT_LOGICAL : AF_WANT_PRIMARY;
}

/* The type that says what a share is for; homes have none on an MBR. */
static void set_type(const struct making *m, const struct offer_share *s, uint8_t type[16])
{
	if (!af_scheme_purpose_type(m->now.scheme, s->purpose, type))
		(void)af_scheme_purpose_type(m->now.scheme, AF_PURPOSE_LINUX, type);
}

static bool add_share(struct making *m, size_t i, struct af_err *err)
{
	const struct offer_share *s = &m->share[i];
	const bool mbr = m->now.scheme == AF_SCHEME_MBR, last = i + 1 == m->n;
	struct af_command cmd;
	uint32_t id = 0;
	if (is_logical(m, s) && !af_layout_extended(&m->now) && !add_extended(m, err))
		return false;
	cmd = new_command(m, role_of(m, s), last ? 0 : s->size);
	set_type(m, s, cmd.type);
	if (!mbr)
		(void)snprintf(cmd.add.name, sizeof(cmd.add.name), "%s", s->name);
	if (!add(m, &cmd, &id, err) || (mbr && s->active && !set_active(m, id, err)))
		return false;
	m->at = af_layout_find(&m->now, id)->span.end;
	return true;
}

/* An empty table of the wrong kind holds nothing that would be lost. */
static bool right_table(struct making *m, struct af_err *err)
{
	const struct af_command cmd = { .verb = AF_VERB_LABEL, .scheme = m->offer->scheme };
	uint32_t id;
	if (!af_scheme_is_ours(m->now.scheme))
		return af_fail(err, AF_E_RULE,
			       "there is no partition table: make one with 'label %s'",
			       m->offer->scheme == AF_SCHEME_MBR ? "dos" : "gpt");
	if (m->offer->scheme == AF_SCHEME_NONE || m->offer->scheme == m->now.scheme)
		return true;
	if (m->now.nparts == 0)
		return add(m, &cmd, &id, err);
	return af_fail(err, AF_E_RULE, "it is for a %s table, and this is a %s one",
		       af_scheme_name(m->offer->scheme), af_scheme_name(m->now.scheme));
}

static void limit_swap(struct making *m)
{
	af_bytes most = m->place->memory;
	most = most > SWAP_MOST ? SWAP_MOST : most < SWAP_LEAST ? SWAP_LEAST : most;
	for (size_t i = 0; i < m->n; i++)
		if (m->share[i].by_memory)
			m->share[i].max = most - most % AF_GIB;
}

static bool make_all(struct making *m, struct af_err *err)
{
	if (!right_table(m, err) || !find_room(m, err))
		return false;
	m->n = af_offer_shares(m->offer, m->now.scheme, m->share);
	m->linux_role = role_of_linux(m);
	use_present(m);
	limit_swap(m);
	if (!make_fit(m, err))
		return false;
	for (size_t i = 0; i < m->n; i++)
		if (!add_share(m, i, err))
			return false;
	return true;
}

bool af_offer_make(const struct af_offer *offer, const struct af_layout *now,
		   const struct af_edit *e, const struct af_offer_place *place,
		   struct af_offer_plan *out, struct af_err *err)
{
	struct af_offer_plan plan = { .n = 0 };
	struct making m = {
		.offer = offer, .place = place, .rules = *e->rules, .out = &plan
	};
	m.rules.exact = false;
	m.e = (struct af_edit){ .rules = &m.rules, .contents = e->contents };
	af_layout_copy(now, &m.now);
	bool made = make_all(&m, err);
	af_text_clean(af_text_get(&m.note), plan.note, sizeof(plan.note));
	af_text_release(&m.note);
	af_layout_release(&m.now);
	if (made)
		*out = plan;
	return made ? true : af_fail_within(err, "plan %s", offer->name);
}
