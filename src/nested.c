/*
 * nested.c - labels of other systems: which partitions may hold one, and what all readers share. A reader gets a
 * stretch of bytes that nobody vouches for and gives entries that lie in it, or are marked as outside; it never
 * fails, it finds nothing. The formats are in nested_bsd.c, nested_solaris.c and nested_disk.c.
 */
#include "nested_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/text.h"

static bool kind_of_code(uint8_t code, enum af_nested_kind *kind)
{
	static const struct {
		uint8_t code;
		enum af_nested_kind kind;
	} code_table[] = {
		{ 0xa5, AF_NESTED_FREEBSD }, { 0xa6, AF_NESTED_OPENBSD },
		{ 0xa9, AF_NESTED_NETBSD },  { 0xbf, AF_NESTED_SOLARIS },
		{ 0x82, AF_NESTED_SOLARIS },
	};
	for (size_t i = 0; i < sizeof(code_table) / sizeof(code_table[0]); i++)
		if (code_table[i].code == code) {
			*kind = code_table[i].kind;
			return true;
		}
	return false;
}

bool af_nested_kind_of(enum af_scheme scheme, const uint8_t type[16],
		       enum af_nested_kind *kind)
{
	static const uint8_t freebsd[16] = {
		0x51, 0x6e, 0x7c, 0xb4, 0x6e, 0xcf, 0x11, 0xd6,
		0x8f, 0xf8, 0x00, 0x02, 0x2d, 0x09, 0x71, 0x2b
	};
	static const uint8_t openbsd[16] = {
		0x82, 0x4c, 0xc7, 0xa0, 0x36, 0xa8, 0x11, 0xe3,
		0x89, 0x0a, 0x95, 0x25, 0x19, 0xad, 0x3f, 0x61
	};
	if (scheme == AF_SCHEME_MBR)
		return kind_of_code(type[0], kind);
	if (scheme != AF_SCHEME_GPT)
		return false;
	*kind = memcmp(type, freebsd, 16) == 0 ? AF_NESTED_FREEBSD : AF_NESTED_OPENBSD;
	return *kind == AF_NESTED_FREEBSD || memcmp(type, openbsd, 16) == 0;
}

const char *af_nested_name(enum af_nested_kind kind)
{
	switch (kind) {
	case AF_NESTED_FREEBSD:
		return "FreeBSD";
	case AF_NESTED_NETBSD:
		return "NetBSD";
	case AF_NESTED_OPENBSD:
		return "OpenBSD";
	case AF_NESTED_SOLARIS:
		return "Solaris";
	case AF_NESTED_SUN:
		return "Sun";
	case AF_NESTED_SGI:
		return "SGI";
	}
	return "";
}

bool af_nested_bytes(const struct af_nested_place *p, af_bytes at, void *buf, size_t n)
{
	struct af_err ignored;
	af_bytes size = af_span_size(p->span);
	if (at > size || (af_bytes)n > size - at) /* n is a few sectors */
		return false;
	return p->read(p->ctx, p->span.start + at, buf, n, &ignored);
}

void af_nested_add(struct af_nested *out, const struct af_nested_place *p,
		   const struct af_layer *like, struct af_span units, af_bytes unit_size,
		   af_bytes origin)
{
	struct af_layer layer = *like;
	af_bytes start, end, size = af_span_size(p->span);
	if (out->n == AF_NESTED_MAX || !af_mul(units.start, unit_size, &start) ||
	    !af_mul(units.end, unit_size, &end) || !af_add(start, origin, &layer.offset) ||
	    !af_add(end, origin, &end))
		return;
	layer.size = end - layer.offset;
	if (layer.kind != AF_LAYER_FRAME)
		layer.kind =
			layer.offset < 0 || end > size ? AF_LAYER_OUTSIDE : AF_LAYER_NESTED;
	(void)snprintf(layer.what, sizeof(layer.what), "%s %s", af_nested_name(out->kind),
		       layer.name);
	out->layer[out->n++] = layer;
}

static int by_offset(const void *a, const void *b)
{
	const struct af_layer *x = a, *y = b;
	bool x_out = x->kind == AF_LAYER_OUTSIDE, y_out = y->kind == AF_LAYER_OUTSIDE;
	if (x_out != y_out)
		return x_out ? 1 : -1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Entries that do not lie in the partition are named, unless something else is odd already. */
static void name_outside(struct af_nested *n)
{
	size_t used = 0;
	for (size_t i = 0; i < n->n && (used > 0 || !n->remark[0]); i++) {
		if (n->layer[i].kind != AF_LAYER_OUTSIDE)
			continue;
		if (used == 0)
			used = af_text_join(n->remark, sizeof(n->remark), 0,
					    "entries that lie outside of it:");
		used = af_text_join(n->remark, sizeof(n->remark), used, " ");
		used = af_text_join(n->remark, sizeof(n->remark), used, n->layer[i].name);
	}
}

static bool read_kind(const struct af_nested_place *p, struct af_nested *out)
{
	switch (out->kind) {
	case AF_NESTED_FREEBSD:
	case AF_NESTED_NETBSD:
	case AF_NESTED_OPENBSD:
		return af_nested_bsd(p, out);
	case AF_NESTED_SOLARIS:
		return af_nested_solaris(p, out);
	case AF_NESTED_SUN:
		return af_nested_sun(p, out);
	case AF_NESTED_SGI:
		return af_nested_sgi(p, out);
	}
	return false;
}

bool af_nested_read(af_read_fn read, void *ctx, struct af_span span, uint32_t sector_size,
		    enum af_nested_kind kind, struct af_nested *out)
{
	const struct af_nested_place p = { read, ctx, span, sector_size };
	*out = (struct af_nested){ .kind = kind };
	if (!read_kind(&p, out))
		return false;
	qsort(out->layer, out->n, sizeof(out->layer[0]), by_offset);
	name_outside(out);
	return true;
}
