/*
 * label_other.c - whole disks with a label of another system: Sun, SGI, and a BSD disklabel without an MBR in force.
 * They are shown as a layout that takes no edit: entries that name others (the whole disk, the label's own place) are
 * frames, the rest are partitions. The readers are the nested room's.
 */
#include <stdio.h>
#include <string.h>

#include "afdisk/nested.h"
#include "chain_bytes.h"
#include "label_priv.h"

enum { BSD_VERSION_AT = 114, BSD_UID_AT = 64 };

static const struct {
	enum af_scheme scheme;
	enum af_nested_kind kind;
	const char *what;
} other_table[] = {
	{ AF_SCHEME_SUN, AF_NESTED_SUN, "a Sun disk label" },
	{ AF_SCHEME_SGI, AF_NESTED_SGI, "an SGI volume header" },
	{ AF_SCHEME_BSD, AF_NESTED_FREEBSD, "a BSD disklabel" },
};

static void add_part(const struct af_layer *layer, struct af_layout *out)
{
	struct af_part part = {
		.number = layer->number,
		.role = layer->kind == AF_LAYER_FRAME ? AF_ROLE_FRAME : AF_ROLE_PRIMARY,
		.span = { layer->offset, layer->offset + layer->size },
		.type = { layer->type },
	};
	if (layer->offset < 0)
		return; /* it lies on no disk */
	if (out->scheme != AF_SCHEME_SGI)
		(void)snprintf(part.name, sizeof part.name, "%s", layer->name);
	(void)af_layout_add(out, &part);
}

/* On a whole disk the kinds of BSD differ only in where the upper bits are: OpenBSD gives its labels an identity. */
static enum af_nested_kind bsd_kind(const struct af_sheet *s)
{
	static const unsigned char none[8];
	const unsigned char *sector = af_sheet_was(s, s->sector_size == 512 ? 512 : 0);
	const unsigned char *label = sector + 512 % s->sector_size;

	return af_get_le16(label + BSD_VERSION_AT) == 1 &&
			       memcmp(label + BSD_UID_AT, none, sizeof none) != 0
		       ? AF_NESTED_OPENBSD
		       : AF_NESTED_FREEBSD;
}

bool af_other_study(struct af_sheet *s, bool with_bsd, struct af_layout *out,
		    struct af_label_note *note)
{
	const struct af_span disk = { 0, s->disk_size };
	const size_t n = sizeof other_table / sizeof other_table[0];
	struct af_nested label;

	for (size_t i = 0; i < n; i++) {
		enum af_scheme scheme = other_table[i].scheme;
		enum af_nested_kind kind = other_table[i].kind;

		if (scheme == AF_SCHEME_BSD && (!with_bsd || s->disk_size < 1024))
			continue;
		if (scheme == AF_SCHEME_BSD)
			kind = bsd_kind(s);
		if (!af_nested_read(af_sheet_read, s, disk, s->sector_size, kind, &label))
			continue;
		if (label.n == 0 && label.remark[0]) {
			(void)snprintf(note->why, sizeof note->why,
				       "what looks like %s: %s", other_table[i].what,
				       label.remark);
			(void)snprintf(note->holds, sizeof note->holds, "%s, damaged",
				       other_table[i].what);
			return false;
		}
		out->scheme = scheme;
		out->usable = disk;
		for (size_t k = 0; k < label.n; k++)
			add_part(&label.layer[k], out);
		af_note_blame(note, "%s: shown, not changed; a new label would replace it",
			      other_table[i].what);
		return true;
	}
	return false;
}
