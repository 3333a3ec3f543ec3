/*
 * gen.c - random layouts for property tests. Everything proposed is checked with af_layout_sound(), so that a proposal
 * may be careless; what cannot be made sound in a few tries is left as it was.
 */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/text.h"

/* The product modulo 2^64: that it wraps is meant. */
static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	(void)__builtin_mul_overflow(a, b, &product);
	return product;
}

uint64_t gen_next(struct gen *g)
{
	uint64_t z;

	(void)__builtin_add_overflow(g->state, UINT64_C(0x9E3779B97F4A7C15), &g->state);
	z = g->state;
	z = times(z ^ z >> 30, 0xBF58476D1CE4E5B9);
	z = times(z ^ z >> 27, 0x94D049BB133111EB);
	return z ^ z >> 31;
}

uint64_t gen_below(struct gen *g, uint64_t n)
{
	return gen_next(g) % n;
}

uint64_t gen_between(struct gen *g, uint64_t low, uint64_t high)
{
	return low + gen_below(g, high - low + 1);
}

static bool one_in(struct gen *g, uint64_t n)
{
	return gen_below(g, n) == 0;
}

static void fill(struct gen *g, uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)gen_next(g);
}

static uint8_t plain_code(struct gen *g)
{
	static const uint8_t usual_table[] = { 0x83, 0x07, 0x82, 0x0c, 0xfd, 0x8e, 0xa5 };
	uint8_t code = one_in(g, 2) ? usual_table[gen_below(g, sizeof usual_table)]
				    : (uint8_t)gen_between(g, 1, 255);

	return af_scheme_is_extended_code(code) || code == 0xEE ? 0x83 : code;
}

/* Sectors of a range as bytes. */
static struct af_span span_of(const struct af_layout *l, uint64_t start, uint64_t end)
{
	return (struct af_span){ (af_bytes)start * l->sector_size,
				 (af_bytes)end * l->sector_size };
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* 2 * n sorted points in [low, high]: ranges that may touch. Equal neighbours are ranges of nothing. */
static void points(struct gen *g, uint64_t low, uint64_t high, uint64_t *point, size_t n)
{
	for (size_t i = 0; i < 2 * n; i++)
		point[i] = gen_between(g, low, high);
	qsort(point, 2 * n, sizeof *point, by_value);
	for (size_t i = 1; i < n; i++)
		if (one_in(g, 4))
			point[2 * i] = point[2 * i - 1]; /* neighbours without a gap */
}

static void shuffle(struct gen *g, uint32_t *number, size_t n)
{
	for (size_t i = n; i-- > 1;) {
		size_t k = gen_below(g, i + 1);
		uint32_t swap = number[i];

		number[i] = number[k];
		number[k] = swap;
	}
}

static uint64_t ebr_gap(struct gen *g)
{
	static const uint64_t gap_table[] = { 1, 8, 63, 64, 2048 };
	uint64_t k = gen_below(g, 7);

	return k < 5 ? gap_table[k] : gen_between(g, 1, 300);
}

/* Logicals in order of place from the start of the extended partition on; ranks give their numbers. */
static void add_logicals(struct gen *g, struct af_layout *l, const struct af_part *ext,
			 size_t n)
{
	uint32_t rank[AF_LOGICALS_MAX];
	uint64_t at = (uint64_t)(ext->span.start / l->sector_size);
	uint64_t end = (uint64_t)(ext->span.end / l->sector_size),
		 share = (end - at) / (n + 1);

	for (uint32_t i = 0; i < n; i++)
		rank[i] = i + 5;
	if (n > 1 && one_in(g, 2))
		shuffle(g, rank + 1, n - 1); /* the first EBR stays first */
	for (size_t i = 0; i < n; i++) {
		bool apart = i ? one_in(g, 2) : one_in(g, 16); /* the head may be empty */
		uint64_t ebr = at + (apart ? gen_below(g, 100) : 0);
		uint64_t start = ebr + ebr_gap(g),
			 stop = start + 1 + gen_below(g, share + 1);
		struct af_part part = {
			.number = rank[i],
			.role = AF_ROLE_LOGICAL,
			.boot = one_in(g, 8),
			.type = { plain_code(g) },
			.ebr = (af_bytes)ebr * l->sector_size,
			.span = span_of(l, start, stop),
		};

		if (stop > end)
			return;
		af_layout_add(l, &part);
		at = stop;
	}
}

/* Numbers 5, 6, ... without a hole, in the order that they have. */
static void close_ranks(struct af_layout *l)
{
	uint32_t next = 5;

	for (uint32_t number = 5; number < 5 + 2 * AF_LOGICALS_MAX; number++)
		for (size_t i = 0; i < l->nparts; i++)
			if (l->part[i].role == AF_ROLE_LOGICAL &&
			    l->part[i].number == number) {
				l->part[i].number = next++;
				break;
			}
}

static void gen_mbr(struct gen *g, struct af_layout *l)
{
	uint64_t point[8] = { 0 }, high = (uint64_t)(l->usable.end / l->sector_size);
	uint32_t slot[4] = { 1, 2, 3, 4 };
	size_t n = gen_below(g, 5), container = gen_below(g, 5);
	static const uint8_t code_table[] = { 0x05, 0x0f, 0x85 };

	fill(g, l->disk_id, 4);
	points(g, 1, high, point, n);
	shuffle(g, slot, 4);
	for (size_t i = 0; i < n; i++) {
		bool ext = i == container;
		struct af_part part = {
			.number = slot[i],
			.role = ext ? AF_ROLE_EXTENDED : AF_ROLE_PRIMARY,
			.boot = one_in(g, 4),
			.type = { ext ? code_table[gen_below(g, 3)] : plain_code(g) },
			.span = span_of(l, point[2 * i], point[2 * i + 1]),
		};

		if (af_span_size(part.span) == 0)
			continue;
		af_layout_add(l, &part);
		if (ext)
			add_logicals(g, l, &part,
				     one_in(g, 20) ? AF_LOGICALS_MAX : gen_below(g, 9));
	}
	close_ranks(l);
}

static void gen_name(struct gen *g, char out[AF_NAME_MAX])
{
	static const char *const word_table[] = { "EFI System Partition",
						  "root",
						  "\xC3\xA9t\xC3\xA9 \xE2\x82\xAC",
						  "a \"quoted\" \\ name",
						  "\xF0\x9F\x90\xA7 tux",
						  "123456789012345678901234567890123456",
						  "$HOME `x`" };
	uint64_t k = gen_below(g, 10);

	snprintf(out, AF_NAME_MAX, "%s", k < 7 ? word_table[k] : "");
}

static void gen_gpt_fields(struct gen *g, struct af_part *part)
{
	fill(g, part->type, 16);
	fill(g, part->uuid, 16);
	part->type[0] |= 1; /* not all zeros */
	part->attrs = one_in(g, 2)   ? 0
		      : one_in(g, 2) ? gen_next(g)
				     : UINT64_C(1) << gen_below(g, 64);
	gen_name(g, part->name);
}

static void gen_gpt(struct gen *g, struct af_layout *l)
{
	uint64_t point[256] = { 0 }, low = (uint64_t)(l->usable.start / l->sector_size);
	uint32_t number[128];
	size_t n = one_in(g, 60) ? 128 : gen_below(g, 12);

	fill(g, l->disk_id, 16);
	points(g, low, (uint64_t)(l->usable.end / l->sector_size), point, n);
	for (uint32_t i = 0; i < 128; i++)
		number[i] = i + 1;
	if (one_in(g, 2))
		shuffle(g, number, 128);
	for (size_t i = 0; i < n; i++) {
		struct af_part part = { .number = number[i],
					.span = span_of(l, point[2 * i],
							point[2 * i + 1]) };

		gen_gpt_fields(g, &part);
		if (af_span_size(part.span) > 0)
			af_layout_add(l, &part);
	}
}

static void must(bool ok, const struct af_err *err)
{
	if (ok)
		return;
	fprintf(stderr, "gen: %s\n", err->text);
	abort();
}

void gen_layout(struct gen *g, enum af_scheme scheme, af_bytes disk_size,
		uint32_t sector_size, struct af_layout *out)
{
	struct af_err err = { .code = AF_OK };

	must(af_layout_init(out, scheme, disk_size, sector_size, &err), &err);
	if (scheme == AF_SCHEME_GPT)
		gen_gpt(g, out);
	else
		gen_mbr(g, out);
	must(af_layout_sound(out, &err), &err);
}

/* ------------------------------------------------------------------ changes */

static struct af_part *any_part(struct gen *g, struct af_layout *l)
{
	return l->nparts ? &l->part[gen_below(g, l->nparts)] : NULL;
}

static void change_fields(struct gen *g, struct af_layout *l)
{
	struct af_part *part = any_part(g, l);

	if (!part)
		return;
	if (l->scheme == AF_SCHEME_GPT) {
		struct af_part other;

		gen_gpt_fields(g, &other);
		if (one_in(g, 2))
			memcpy(part->name, other.name, sizeof part->name);
		else if (one_in(g, 2))
			part->attrs = other.attrs;
		else
			memcpy(part->type, other.type, sizeof part->type);
		return;
	}
	if (one_in(g, 2))
		part->boot = !part->boot;
	else if (part->role == AF_ROLE_EXTENDED)
		part->type[0] = part->type[0] == 0x05 ? 0x0f : 0x05;
	else
		part->type[0] = plain_code(g);
}

/* Moves one edge, or the whole, by a little or a lot. */
static void change_edges(struct gen *g, struct af_layout *l)
{
	struct af_part *part = any_part(g, l);
	af_bytes by =
		(af_bytes)gen_between(g, 1, one_in(g, 2) ? 10 : 5000) * l->sector_size;
	uint64_t k = gen_below(g, 3);

	if (!part)
		return;
	by = one_in(g, 2) ? by : -by;
	if (k != 0)
		part->span.start += by;
	if (k != 1)
		part->span.end += by;
	af_layout_sort(l);
}

/* The first logical's EBR is at the start of the extended partition, whoever is the first. */
static void head_first(struct af_layout *l)
{
	const struct af_part *ext = af_layout_extended(l);

	for (size_t i = 0; ext && i < l->nparts; i++)
		if (l->part[i].role == AF_ROLE_LOGICAL && l->part[i].number == 5)
			l->part[i].ebr = ext->span.start;
}

static void take_out(struct gen *g, struct af_layout *l)
{
	struct af_part *part = any_part(g, l);

	if (!part)
		return;
	bool ext = part->role == AF_ROLE_EXTENDED;

	af_layout_remove(l, part->id);
	for (size_t i = l->nparts; ext && i > 0; i--)
		if (l->part[i - 1].role == AF_ROLE_LOGICAL)
			af_layout_remove(l, l->part[i - 1].id);
	close_ranks(l);
	head_first(l);
}

/* Two partitions of a kind change their numbers. */
static void swap_numbers(struct gen *g, struct af_layout *l)
{
	struct af_part *a = any_part(g, l), *b = any_part(g, l);

	if (!a || (a->role == AF_ROLE_LOGICAL) != (b->role == AF_ROLE_LOGICAL))
		return;
	uint32_t number = a->number;

	a->number = b->number;
	b->number = number;
}

static void all_anew(struct gen *g, struct af_layout *l)
{
	struct af_layout new;

	gen_layout(g, l->scheme, l->disk_size, l->sector_size, &new);
	memcpy(new.disk_id, l->disk_id, sizeof new.disk_id);
	af_layout_release(l);
	*l = new;
}

static void other_table(struct gen *g, struct af_layout *l)
{
	enum af_scheme scheme = one_in(g, 2) ? AF_SCHEME_MBR : AF_SCHEME_GPT;
	struct af_layout new;

	gen_layout(g, scheme, l->disk_size, l->sector_size, &new);
	for (size_t i = 0; i < new.nparts; i++) /* none of them was there before */
		new.part[i].id += l->next_id;
	new.next_id += l->next_id;
	af_layout_release(l);
	*l = new;
}

void gen_mutate(struct gen *g, const struct af_layout *from, struct af_layout *out)
{
	static void (*const change_table[])(struct gen *, struct af_layout *) = {
		change_fields, change_edges, change_edges, change_edges,
		take_out,      swap_numbers, all_anew,     other_table,
	};

	struct af_err err;

	for (int tries = 0; tries < 20; tries++) {
		af_layout_copy(from, out);
		change_table[gen_below(g, sizeof change_table / sizeof *change_table)](g,
										       out);
		if (af_layout_sound(out, &err))
			return;
		af_layout_release(out);
	}
	af_layout_copy(from, out);
}

/* ------------------------------------------------------------------ comparing with what was read */

/* A GUID as GPT keeps it: the first three fields least significant byte first. */
static bool guid_is(const uint8_t *disk, const uint8_t *text)
{
	return disk[0] == text[3] && disk[1] == text[2] && disk[2] == text[1] &&
	       disk[3] == text[0] && disk[4] == text[5] && disk[5] == text[4] &&
	       disk[6] == text[7] && disk[7] == text[6] &&
	       memcmp(disk + 8, text + 8, 8) == 0;
}

/* The next character of valid UTF-8. */
static uint32_t character(const unsigned char **p)
{
	uint32_t c = **p, more = c < 0xC0 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;

	if (more)
		c &= 0x3FU >> more;
	for (++*p; more; more--)
		c = c * 64 + (*(*p)++ & 0x3F);
	return c;
}

/* True if 36 units of UTF-16 are this UTF-8 text of at most 36 units. */
static bool name_is(const uint16_t name[36], const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	uint16_t want[38] = { 0 };
	size_t n = 0;

	while (*p && n < 36) {
		uint32_t c = character(&p);

		if (c >= 0x10000)
			want[n++] = (uint16_t)(0xD7C0 + (c >> 10));
		want[n++] = (uint16_t)(c < 0x10000 ? c : 0xDC00 + (c & 0x3FF));
	}
	return *p == 0 && n <= 36 && memcmp(name, want, 36 * sizeof *name) == 0;
}

static bool part_agrees(const struct reader_part *r, const struct af_layout *l,
			const struct af_part *p)
{
	static const enum reader_kind kind_table[] = {
		[AF_ROLE_PRIMARY] = READER_PRIMARY,
		[AF_ROLE_EXTENDED] = READER_EXTENDED,
		[AF_ROLE_LOGICAL] = READER_LOGICAL,
	};
	struct af_span span = span_of(l, r->start, r->start + r->count);

	if (!af_span_equal(span, p->span) || r->kind != kind_table[p->role])
		return false;
	if (l->scheme == AF_SCHEME_MBR)
		return r->boot == p->boot && r->type[0] == p->type[0] &&
		       (af_bytes)r->ebr * l->sector_size == p->ebr;
	return guid_is(r->type, p->type) && guid_is(r->uuid, p->uuid) &&
	       r->attrs == p->attrs && name_is(r->name, p->name);
}

static bool head_agrees(const struct reader_table *t, const struct af_layout *l)
{
	const uint8_t *id = l->disk_id;

	if (t->slots != l->slots)
		return false;
	if (l->scheme == AF_SCHEME_MBR)
		return t->label == READER_DOS && t->id[0] == id[3] && t->id[1] == id[2] &&
		       t->id[2] == id[1] && t->id[3] == id[0];
	return t->label == READER_GPT && guid_is(t->id, id) &&
	       af_span_equal(span_of(l, t->first, t->last + 1), l->usable);
}

bool gen_agrees(const struct reader_table *t, const struct af_layout *l, char *why)
{
	snprintf(why, 120, "the label, its identity or its limits");
	if (!head_agrees(t, l))
		return false;
	snprintf(why, 120, "%zu partitions instead of %zu", t->n, l->nparts);
	if (t->n != l->nparts)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		const struct af_part *p = af_layout_number(l, t->part[i].number);

		snprintf(why, 120, "partition %u", t->part[i].number);
		if (!p || !part_agrees(&t->part[i], l, p))
			return false;
	}
	return true;
}
