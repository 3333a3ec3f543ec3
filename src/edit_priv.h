/** edit_priv.h - what the files of the edit room share. */
#ifndef AFDISK_EDIT_PRIV_H
#define AFDISK_EDIT_PRIV_H
#include "afdisk/edit.h"

/** Hands next over to *out if it is sound, else releases it; next is used up either way. */
bool af_edit_finish(struct af_layout *next, struct af_layout *out, struct af_err *err);

/** The same for what can mend a table that is not sound: if it is nothing but from with partitions less or smaller, strays
 *  and copies of a GPT that were bad before may stay so. */
bool af_edit_finish_less(const struct af_layout *from, struct af_layout *next,
			 struct af_layout *out, struct af_err *err);

/** Releases next after a failure; always false. */
bool af_edit_drop(struct af_layout *next);

/** The partition, or NULL with AF_E_USAGE. Borrowed from l. */
const struct af_part *af_edit_find(const struct af_layout *l, uint32_t id,
				   struct af_err *err);

/** Fails with AF_E_RULE if there is no table yet. */
bool af_edit_has_table(const struct af_layout *l, struct af_err *err);

/** Fails with AF_E_RULE if a partition of l in that role cannot be of that type because the table would be read as that
 *  of a protected GPT. */
bool af_edit_type_fits(const struct af_layout *l, enum af_role role, const uint8_t type[16],
		       struct af_err *err);

/** What an amount is counted on: a disk, the present value for relative ones, the region for shares. */
struct edit_base {
	const struct af_layout *l;
	af_bytes now;
	struct af_span region;
};

/** The byte that an amount means as a position. An absolute end in sectors names the last one. On a sector line, rounded
 *  outwards for an end. Fails with AF_E_RANGE beyond the disk. */
bool af_edit_position(const struct edit_base *base, const struct af_amount *a, bool is_end,
		      af_bytes *out, struct af_err *err);

/** The bytes that an amount means as a size, in whole sectors rounded up, more than 0. */
bool af_edit_size(const struct edit_base *base, const struct af_amount *a, af_bytes *out,
		  struct af_err *err);

/** True if the start of p is off its line and what is inside is on it: it must not be aligned. */
bool af_edit_is_compensated(const struct af_edit *e, const struct af_part *p);

/** Fails with AF_E_DATA if giving p, of from, the span next would lose or leave behind data in it (unless e->table_only). */
bool af_edit_data_safe(const struct af_layout *from, const struct af_edit *e,
		       const struct af_part *p, struct af_span next, struct af_err *err);
#endif
