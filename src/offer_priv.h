/** offer_priv.h - what the files of the offer room share. */
#ifndef AFDISK_OFFER_PRIV_H
#define AFDISK_OFFER_PRIV_H
#include "afdisk/offer.h"

/** One partition of a layout. Sizes in bytes. */
struct offer_share {
	enum af_purpose purpose;
	const char *name;    /* on a GPT, and in sentences */
	enum af_scheme only; /* with this kind of table; NONE: with either */
	bool optional;       /* left out where there is no room for it */
	bool active;         /* MBR: gets the boot flag */
	bool by_memory;      /* no larger than the machine's memory, within limits */
	af_bytes min, max;   /* max 0: no limit */
	unsigned weight;     /* its share of what is left when each has its least */
	af_bytes size;       /* once af_offer_fit() has set it */
};

#define OFFER_SHARES 8

/** The partitions of a layout on that kind of table, in order of place; returns their number, at most OFFER_SHARES. */
size_t af_offer_shares(const struct af_offer *offer, enum af_scheme scheme,
		       struct offer_share out[OFFER_SHARES]);

/** The steps of the grain that n bytes take. */
af_bytes af_offer_round(af_bytes n, af_bytes step);

/** Sets every size: whole steps of the grain, together as many as fit into room, which is at least the sum of their
 *  least sizes; whoever may be largest gets the rest. */
void af_offer_fit(struct offer_share *share, size_t n, af_bytes room, af_bytes step);
#endif
