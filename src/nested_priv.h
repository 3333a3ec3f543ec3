/** nested_priv.h - what the files of the nested room share. */
#ifndef AFDISK_NESTED_PRIV_H
#define AFDISK_NESTED_PRIV_H
#include "afdisk/nested.h"

/** What is being looked into. */
struct af_nested_place {
	af_read_fn read;
	void *ctx;
	struct af_span span;
	uint32_t sector_size;
};

/** Reads n bytes at byte at of the span; false if they are not all in it, or cannot be read. */
bool af_nested_bytes(const struct af_nested_place *p, af_bytes at, void *buf, size_t n);

/** Adds an entry of count units of unit_size bytes, start units behind origin (which counts from the start of the span), to
 *  out: with kind FRAME as it is, else NESTED, or OUTSIDE if it does not lie in the span. Left out if it does not fit in af_bytes. */
void af_nested_add(struct af_nested *out, const struct af_nested_place *p,
		   const struct af_layer *like, struct af_span units, af_bytes unit_size,
		   af_bytes origin);

/** The readers by kind: false if there is no such label. */
bool af_nested_bsd(const struct af_nested_place *p, struct af_nested *out);
bool af_nested_solaris(const struct af_nested_place *p, struct af_nested *out);
bool af_nested_sun(const struct af_nested_place *p, struct af_nested *out);
bool af_nested_sgi(const struct af_nested_place *p, struct af_nested *out);
#endif
