/*
 * label_dump.c - a layout as an sfdisk script, as sfdisk --dump writes it and reads it back.
 *
 * Knows the words of that format only. What it cannot say (the places of EBRs, GPT attribute bits 3 to 47) is
 * left out, the bits with a comment.
 */
#include "label_priv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SPOKEN_BITS UINT64_C(0xFFFF000000000007) /* those that have a word or are GUID:n */

static int64_t sectors(const struct af_layout *l, af_bytes n)
{
	return af_sectors(n, l->sector_size);
}

static void dump_header(const struct af_dev *dev, const struct af_layout *l,
			struct af_text *out)
{
	char id[40];

	af_scheme_id_text(l->scheme, l->disk_id, id);
	af_text_add(out, "label: %s\nlabel-id: %s\ndevice: %s\nunit: sectors\n",
		    af_scheme_name(l->scheme), id, dev->path);
	if (l->scheme == AF_SCHEME_GPT) {
		af_text_add(out, "first-lba: %" PRId64 "\nlast-lba: %" PRId64 "\n",
			    sectors(l, l->usable.start), sectors(l, l->usable.end) - 1);
		if (l->slots != af_scheme_slots(AF_SCHEME_GPT))
			af_text_add(out, "table-length: %" PRIu32 "\n", l->slots);
	}
	af_text_add(out, "sector-size: %" PRIu32 "\n\n", l->sector_size);
}

/* Quoted, with everything but plain ASCII as \xNN. */
static void dump_name(const char *name, struct af_text *out)
{
	af_text_add(out, ", name=\"");
	for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
		if (*p >= 0x20 && *p < 0x7F && !strchr("\"\\`$", *p))
			af_text_add(out, "%c", *p);
		else
			af_text_add(out, "\\x%02x", (unsigned)*p);
	}
	af_text_add(out, "\"");
}

static void dump_attrs(uint64_t attrs, struct af_text *out)
{
	static const char *const word_table[3] = { "RequiredPartition", "NoBlockIOProtocol",
						   "LegacyBIOSBootable" };
	const char *before = "";

	af_text_add(out, ", attrs=\"");
	for (unsigned bit = 0; bit < 3; bit++)
		if (attrs >> bit & 1) {
			af_text_add(out, "%s%s", before, word_table[bit]);
			before = " ";
		}
	before = before[0] ? " GUID:" : "GUID:";
	for (unsigned bit = 48; bit < 64; bit++)
		if (attrs >> bit & 1) {
			af_text_add(out, "%s%u", before, bit);
			before = ",";
		}
	af_text_add(out, "\"");
}

static void dump_gpt_fields(const struct af_part *part, struct af_text *out)
{
	char uuid[40];

	af_scheme_uuid_text(part->uuid, uuid);
	af_text_add(out, ", uuid=%s", uuid);
	if (part->name[0])
		dump_name(part->name, out);
	if (part->attrs & SPOKEN_BITS)
		dump_attrs(part->attrs, out);
	if (part->attrs & ~SPOKEN_BITS)
		af_text_add(out,
			    "\n# partition %" PRIu32 " also has attribute bits 0x%" PRIx64,
			    part->number, part->attrs & ~SPOKEN_BITS);
}

static void dump_part(const struct af_dev *dev, const struct af_layout *l,
		      const struct af_part *part, struct af_text *out)
{
	char *name = af_fdisk_name(dev->path, part->number), type[40];

	af_scheme_type_text(l->scheme, part->type, type);
	af_text_add(out, "%s : start=%12" PRId64 ", size=%12" PRId64 ", type=%s", name,
		    sectors(l, part->span.start), sectors(l, af_span_size(part->span)),
		    type);
	if (l->scheme == AF_SCHEME_GPT)
		dump_gpt_fields(part, out);
	else if (part->boot)
		af_text_add(out, ", bootable");
	af_text_add(out, "\n");
	free(name);
}

static int by_number(const void *a, const void *b)
{
	const struct af_part *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

bool af_label_dump(struct af_dev *dev, const struct af_layout *l, struct af_text *out,
		   struct af_err *err)
{
	if (l->scheme == AF_SCHEME_NONE)
		return af_fail(err, AF_E_USAGE, "%s has no partition table to dump",
			       dev->path);
	if (!af_scheme_is_ours(l->scheme))
		return af_fail(err, AF_E_RULE,
			       "a %s label is shown, and not written as a script",
			       af_scheme_name(l->scheme));
	struct af_layout sorted;

	af_layout_copy(l, &sorted);
	if (sorted.nparts)
		qsort(sorted.part, sorted.nparts, sizeof *sorted.part, by_number);
	dump_header(dev, l, out);
	for (size_t i = 0; i < sorted.nparts; i++)
		dump_part(dev, l, &sorted.part[i], out);
	af_layout_release(&sorted);
	return true;
}
