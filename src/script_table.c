/*
 * script_table.c - the empty table that a script's headers ask for: its kind, identity, length and usable range. A
 * table on the disk whose kind and identity stay keeps the rest as well.
 */
#include "afdisk/scheme.h"
#include "script_priv.h"
#include <inttypes.h>
#include <string.h>

/* The four bytes of an MBR's identity, perhaps written with fewer digits. */
static bool parse_mbr_id(const char *text, uint8_t out[16])
{
	uint64_t id;
	if (!af_script_whole(text, 16, &id) || id > UINT32_MAX)
		return false;
	for (size_t i = 0; i < 4; i++)
		out[i] = (uint8_t)(id >> (24 - 8 * i) & 0xff);
	return true;
}

/* The identity that the script gives, or the one that there is, or a fresh one. */
static bool choose_id(const struct script_build *b, enum af_scheme scheme, uint8_t out[16])
{
	const struct af_script *s = b->s;
	memset(out, 0, 16);
	if (s->label_id[0] != '\0') {
		bool good = scheme == AF_SCHEME_GPT ? af_script_uuid(s->label_id, out)
						    : parse_mbr_id(s->label_id, out);
		return good || af_script_refuse(b, s->label_id_line, AF_E_USAGE,
						"\"%s\" is not the identity of a %s table",
						s->label_id, af_scheme_name(scheme));
	}
	bool same = b->base->scheme == scheme;
	memcpy(out, same ? b->base->disk_id : s->fresh_id,
	       scheme == AF_SCHEME_GPT || same ? 16 : 4);
	return true;
}

/* Where partitions may lie on a fresh GPT of that many entries. */
static struct af_span usable_of(const struct af_layout *l, uint32_t slots)
{
	af_bytes ss = l->sector_size, entries = (af_bytes)slots * 128;
	af_bytes array = (entries + ss - 1) / ss * ss, last = (l->disk_size / ss - 1) * ss;
	return (struct af_span){ 2 * ss + array, last - array };
}

static bool set_length(struct script_build *b)
{
	const struct af_script_number *n = &b->s->table_length;
	if (n->line == 0)
		return true;
	if (n->n == 0 || n->n > AF_SCRIPT_PARTS_MAX)
		return af_script_refuse(b, n->line, AF_E_RANGE,
					"table-length must be 1 to %d entries",
					AF_SCRIPT_PARTS_MAX);
	b->l.slots = (uint32_t)n->n; /* <= AF_SCRIPT_PARTS_MAX */
	b->l.usable = usable_of(&b->l, b->l.slots);
	if (af_span_size(b->l.usable) > 0)
		return true;
	char size[AF_SHORT];
	return af_script_refuse(b, n->line, AF_E_RANGE,
				"a disk of %s is too small for a table of %" PRIu32
				" entries",
				af_text_size(b->l.disk_size, size), b->l.slots);
}

/* Narrows the usable range of a fresh GPT to what the headers say, which must lie in it. */
static bool set_usable(struct script_build *b)
{
	const struct af_script_number *first = &b->s->first_lba, *last = &b->s->last_lba;
	struct af_span most = b->l.usable;
	uint32_t ss = b->l.sector_size;
	uint64_t low = af_lba_of(most.start, ss).n, high = af_lba_of(most.end, ss).n - 1;
	if (first->line && (first->n < low || first->n > high))
		return af_script_refuse(b, first->line, AF_E_RANGE,
					"first-lba %" PRIu64 " is not in %" PRIu64
					" to %" PRIu64
					", what a table of this disk can use",
					first->n, low, high);
	if (first->line)
		low = first->n;
	if (last->line && (last->n < low || last->n > high))
		return af_script_refuse(b, last->line, AF_E_RANGE,
					"last-lba %" PRIu64 " is not in %" PRIu64
					" to %" PRIu64
					", what a table of this disk can use: "
					"leave it out for another disk",
					last->n, low, high);
	if (last->line)
		high = last->n;
	return (af_lba_to_bytes((struct af_lba){ low }, ss, &b->l.usable.start) &&
		af_lba_to_bytes((struct af_lba){ high + 1 }, ss, &b->l.usable.end)) ||
	       af_fail(b->err, AF_E_RANGE, "the usable range does not fit");
}

/* A header that a table which stays does not follow. */
static void keep_header(const struct script_build *b, const struct af_script_number *n,
			const char *name, uint64_t now)
{
	if (n->line != 0 && n->n != now)
		af_text_add(b->remarks,
			    "line %" PRIu32 ": %s stays %" PRIu64
			    ", as the table on the disk has it\n",
			    n->line, name, now);
}

static void keep_headers(const struct script_build *b)
{
	const struct af_layout *l = &b->l;
	keep_header(b, &b->s->table_length, "table-length", l->slots);
	if (b->s->sector_size != l->sector_size)
		return;
	keep_header(b, &b->s->first_lba, "first-lba",
		    af_lba_of(l->usable.start, l->sector_size).n);
	keep_header(b, &b->s->last_lba, "last-lba",
		    af_lba_of(l->usable.end, l->sector_size).n - 1);
}

/* An empty table with the headers of the script. */
bool af_script_begin(struct script_build *b)
{
	enum af_scheme scheme = af_script_scheme(b->s, b->base);
	uint8_t id[16];
	if (!choose_id(b, scheme, id) || !af_layout_init(&b->l, scheme, b->base->disk_size,
							 b->base->sector_size, b->err))
		return false;
	b->l.next_id = b->base->next_id;
	memcpy(b->l.disk_id, id, sizeof(id));
	b->same = !af_layout_is_new(b->base, &b->l);
	if (b->same) {
		b->l.usable = b->base->usable;
		b->l.slots = b->base->slots;
		b->l.gpt = b->base->gpt;
		b->l.hybrid = b->base->hybrid;
		b->l.id_changed = b->base->id_changed;
		memcpy(b->l.mirror, b->base->mirror, sizeof(b->l.mirror));
		if (scheme == AF_SCHEME_GPT)
			keep_headers(b);
		return true;
	}
	if (scheme != AF_SCHEME_GPT)
		return true;
	/* As sfdisk has it: sectors of another size make no usable range. */
	return set_length(b) && (b->s->sector_size != b->l.sector_size || set_usable(b));
}
