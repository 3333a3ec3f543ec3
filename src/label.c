/*
 * label.c - a disk's table as a layout, and a wanted layout as a patch.
 *
 * Reading is ours (chain, label_mbr.c, label_gpt.c), with libfdisk's second opinion on a shadow; where the two
 * differ the table is shown and not written. Rendering works on the sheet and the shadow only, is read back like
 * a disk, and is refused unless that gives exactly what was wanted. The disk is never written here.
 */
#include "afdisk/label.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "afdisk/foreign.h"
#include "afdisk/layout_hybrid.h"
#include "afdisk/probe.h"
#include "label_priv.h"

static bool read_dev(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	return af_dev_read(ctx, at, buf, n, err);
}

static bool is_protective(const unsigned char *sector)
{
	bool found = false;

	for (size_t i = 0; i < 4; i++)
		found = found || af_chain_entry(sector, i).type == 0xEE;
	return found && sector[510] == 0x55 && sector[511] == 0xAA;
}

/* True if the protective entry begins where the GPT does: to Linux it is no GPT otherwise. */
static bool begins_at_header(const unsigned char *sector)
{
	for (size_t i = 0; i < 4; i++)
		if (af_chain_entry(sector, i).type == 0xEE &&
		    af_chain_entry(sector, i).start == 1)
			return true;
	return false;
}

/* True if no entry is of another kind. */
static bool only_protects(const unsigned char *sector)
{
	for (size_t i = 0; i < 4; i++)
		if (af_chain_entry(sector, i).count != 0 &&
		    af_chain_entry(sector, i).type != 0xEE)
			return false;
	return true;
}

/* Sector 0 with a protective entry: a GPT, or what is left of one. */
static void study_protected(struct af_sheet *s, struct af_layout *out,
			    struct af_label_note *note)
{
	bool regular = begins_at_header(af_sheet_was(s, 0));

	if (af_gpt_study(s, out, note)) {
		af_hybrid_study(s, out, note);
		if (!regular && only_protects(af_sheet_was(s, 0)))
			af_layout_unmirror(out);
		out->gpt.mbr_lost = !regular && out->hybrid == AF_HYBRID_NONE;
		if (!regular && !out->gpt.mbr_lost)
			af_note_blame(note, "the protective entry of the MBR does not "
					    "begin at sector 1: Linux does not see this "
					    "GPT; gdisk makes a new MBR (x, n)");
		return;
	}
	if (af_scale_gpt(s, out, note))
		return;
	af_note_blame(note, "the MBR protects a GPT of which neither copy can be read: "
			    "'--restore' takes back what afdisk wrote, a new label begins "
			    "afresh");
	if (af_chain_is_mbr(af_sheet_was(s, 0)))
		af_mbr_study(s, out, note);
}

/* Asks about the partitions up to number most, which the sheet is to hold. */
static void ask_libfdisk(const struct af_sheet *s, const struct af_layout *l, uint32_t most,
			 struct af_label_note *note)
{
	char why[120];
	struct af_err err;
	int shadow = af_sheet_shadow(s, &err);

	if (shadow < 0) {
		af_note_blame(note, "%.150s", err.text);
		return;
	}
	if (!af_fdisk_agrees(shadow, l, most, why, sizeof why))
		af_note_blame(note, "%s", why);
	close(shadow);
}

/* The first sectors: what a usual GPT takes, and whatever else decides how a table is read, in one request. */
static af_bytes head_bytes(const struct af_sheet *s)
{
	af_bytes head = AF_FOREIGN_HEAD;
	af_bytes whole = af_sectors(s->disk_size, s->sector_size) * s->sector_size;

	return head < whole ? head : whole;
}

bool af_label_study(struct af_sheet *s, bool with_libfdisk, struct af_layout *out,
		    struct af_label_note *note, struct af_err *err)
{
	struct af_layout l;
	struct af_label_note found = { 0 };
	struct af_err unsound;

	if (!af_layout_init(&l, AF_SCHEME_NONE, s->disk_size, s->sector_size, err))
		return false;
	const size_t head = (size_t)head_bytes(s);

	if (head > 0 && !af_sheet_need(s, 0, (af_bytes)head, err))
		return false;
	if (head > 0 && is_protective(af_sheet_was(s, 0)))
		study_protected(s, &l, &found);
	else if (head > 0)
		af_plain_study(s, &l, &found);
	af_plain_beside(s, head, &l, &found);
	bool sound = af_layout_sound(&l, &unsound);

	if (!found.read_only && !sound && !af_layout_mendable(&l, &unsound))
		af_note_blame(&found, "%.190s", unsound.text);
	/* It gives up a chain of more. */
	bool readable = s->chain.n <= AF_LOGICALS_MAX && l.scheme != AF_SCHEME_NONE;
	if (!found.read_only && sound && with_libfdisk && readable)
		ask_libfdisk(s, &l, UINT32_MAX, &found);
	*out = l;
	*note = found;
	return true;
}

/* True if the whole disk is a file system or a container, or has a table of another kind. */
static bool is_held(struct af_dev *dev)
{
	struct af_mark *mark;
	size_t n = af_probe_marks(dev, &mark);
	bool held = false;

	for (size_t i = 0; i < n; i++)
		held = held || !mark[i].is_table ||
		       (strcmp(mark[i].name, "gpt") != 0 &&
			strcmp(mark[i].name, "PMBR") != 0 &&
			strcmp(mark[i].name, "dos") != 0);
	free(mark);
	return held;
}

/* Studies the sheet, which is one of dev. A GPT that sector 0 knows nothing of is what something else left over, if there is that. */
static bool study_disk(struct af_sheet *s, struct af_dev *dev, bool with_libfdisk,
		       struct af_layout *out, struct af_label_note *note,
		       struct af_err *err)
{
	bool ok = af_label_study(s, with_libfdisk, out, note, err);

	if (!ok || !out->gpt.mbr_lost || !is_held(dev))
		return ok;
	af_layout_release(out);
	s->is_held = true;
	return af_label_study(s, with_libfdisk, out, note, err);
}

static bool read_table(struct af_dev *dev, bool with_libfdisk, struct af_layout *out,
		       struct af_label_note *note, struct af_err *err)
{
	struct af_sheet s = {
		.read = read_dev,
		.ctx = dev,
		.disk_size = dev->size,
		.sector_size = dev->sector_size,
	};
	bool ok = study_disk(&s, dev, with_libfdisk, out, note, err);

	af_sheet_release(&s);
	if (ok && out->scheme == AF_SCHEME_NONE)
		af_plain_whole(dev, note);
	return ok;
}

bool af_label_read(struct af_dev *dev, struct af_layout *out, struct af_label_note *note,
		   struct af_err *err)
{
	return read_table(dev, true, out, note, err);
}

bool af_label_look(struct af_dev *dev, struct af_layout *out, struct af_label_note *note,
		   struct af_err *err)
{
	return read_table(dev, false, out, note, err);
}

/* Finds the first thing that is not as it was wanted. */
static bool refuse_difference(const struct af_layout *now, const struct af_layout *got,
			      struct af_err *err)
{
	if (now->scheme != got->scheme ||
	    memcmp(now->disk_id, got->disk_id, sizeof now->disk_id) != 0)
		return af_fail(err, AF_E_RULE,
			       "the table cannot be written: its kind or identity would "
			       "not be kept");
	if (!af_span_equal(now->usable, got->usable) || now->slots != got->slots)
		return af_fail(err, AF_E_RULE,
			       "the table cannot be written: its usable range or length "
			       "would change");
	for (size_t i = 0; i < now->nparts; i++) {
		const struct af_part *other = af_layout_number(got, now->part[i].number);

		if (!other || !af_part_equal(other, &now->part[i]))
			return af_fail(err, AF_E_RULE,
				       "the table cannot be written: partition %u would "
				       "not be read back as wanted",
				       (unsigned)now->part[i].number);
	}
	return af_fail(err, AF_E_RULE,
		       "the table cannot be written: it would be read back differently");
}

/* How many EBRs, from the head of the chain on, libfdisk has to see: those behind the last that changes it has not,
 * unless it is their extended partition that does. */
static size_t changed_ebrs(const struct af_sheet *s, const struct af_sheet *again,
			   const struct af_layout *base, const struct af_layout *now)
{
	const struct af_part *was = af_layout_extended(base),
			     *will = af_layout_extended(now);
	const struct af_chain *c = &again->chain;
	size_t n = c->n;

	if (!was || !will || !af_span_equal(was->span, will->span))
		return n;
	while (n > 0) {
		const unsigned char *before = af_sheet_was(s, c->ebr[n - 1].at);

		if (!before || memcmp(before, af_sheet_was(again, c->ebr[n - 1].at),
				      s->sector_size) != 0)
			break;
		n--;
	}
	return n;
}

/* The largest number of the partitions that are told before EBR n of the chain. */
static uint32_t last_number(const struct af_layout *l, const struct af_chain *c, size_t n)
{
	uint32_t most = 4;

	for (size_t i = 0; i < l->nparts; i++)
		for (size_t k = 0; l->part[i].role == AF_ROLE_LOGICAL && k < n; k++)
			if (l->part[i].ebr == c->ebr[k].at && l->part[i].number > most)
				most = l->part[i].number;
	return most;
}

/* Asks libfdisk about what has changed: the rest costs a page of memory an EBR. */
static void ask_about_change(const struct af_sheet *again, size_t ebrs,
			     const struct af_layout *got, struct af_label_note *note)
{
	const struct af_chain *c = &again->chain;
	struct af_sheet part = *again;

	if (ebrs == c->n) {
		ask_libfdisk(again, got, UINT32_MAX, note);
		return;
	}
	part.cut = af_alloc(again->n + 1, sizeof *part.cut);
	part.n = 0;
	for (size_t i = 0; i < again->n; i++) {
		size_t k = ebrs;

		while (k < c->n && c->ebr[k].at != again->cut[i].at)
			k++;
		if (again->cut[i].at == 0 || k == c->n)
			part.cut[part.n++] = again->cut[i];
	}
	ask_libfdisk(&part, got, last_number(got, c, ebrs), note);
	free(part.cut);
}

/* Reads what the sheet is to become as if it were a disk, and compares. */
static bool reads_back(const struct af_sheet *s, const struct af_layout *base,
		       const struct af_layout *now, struct af_err *err)
{
	struct af_sheet will = *s;
	struct af_sheet again = {
		.read = af_sheet_read_now,
		.ctx = &will,
		.disk_size = s->disk_size,
		.sector_size = s->sector_size,
	};
	struct af_layout got;
	struct af_label_note note;
	bool ok = af_label_study(&again, false, &got, &note, err);

	if (ok && !note.read_only && again.chain.n <= AF_LOGICALS_MAX &&
	    af_layout_equal(&got, now))
		ask_about_change(&again, changed_ebrs(s, &again, base, now), &got, &note);
	af_sheet_release(&again);
	if (!ok)
		return false;
	if (!af_layout_equal(&got, now))
		ok = refuse_difference(now, &got, err);
	else if (note.read_only)
		ok = af_fail(err, AF_E_RULE, "the table cannot be written: %s", note.why);
	af_layout_release(&got);
	return ok;
}

static bool may_render(const struct af_dev *dev, const struct af_layout *base,
		       const struct af_layout *now, struct af_err *err)
{
	if (!af_scheme_is_ours(now->scheme))
		return af_fail(err, AF_E_RULE,
			       "a table cannot be taken away, only replaced by another");
	if (now->disk_size != dev->size || now->sector_size != dev->sector_size)
		return af_fail(err, AF_E_RULE,
			       "the table is for a disk of another size than %s",
			       dev->path);
	return af_layout_sound(now, err) && af_layout_chain_kept(base, now, err);
}

/* True if now owes nothing to base: then it does not matter what state that is in. */
static bool starts_anew(const struct af_layout *base, const struct af_layout *now)
{
	for (size_t i = 0; i < now->nparts; i++)
		if (af_layout_find(base, now->part[i].id))
			return false;
	return af_layout_is_new(base, now);
}

/* True if what was found on dev is base; releases found. */
static bool is_base(const struct af_dev *dev, struct af_layout *found,
		    const struct af_layout *base, struct af_err *err)
{
	bool same = af_layout_equal(found, base);

	af_layout_release(found);
	return same ? true
		    : af_fail(err, AF_E_STALE,
			      "the table of %s changed since it was read: open the disk "
			      "again",
			      dev->path);
}

bool af_label_still(struct af_dev *dev, const struct af_layout *base, struct af_err *err)
{
	struct af_label_note note;
	struct af_layout found;

	return af_label_look(dev, &found, &note, err) && is_base(dev, &found, base, err);
}

/* Fills the sheet from the disk, which must still hold base, and whole if now is made from it. */
static bool read_base(struct af_sheet *s, struct af_dev *dev, const struct af_layout *base,
		      const struct af_layout *now, struct af_wipe *wipe, struct af_err *err)
{
	struct af_layout found;
	struct af_label_note note;

	if (!study_disk(s, dev, false, &found, &note, err))
		return false;
	if (!is_base(dev, &found, base, err))
		return false;
	if (note.read_only && !starts_anew(base, now))
		return af_fail(err, AF_E_RULE, "the table of %s is not rewritten: %s",
			       dev->path, note.why);
	return !af_layout_is_new(base, now) ||
	       af_wipe_find(s, starts_anew(base, now) ? dev : NULL, now, note.read_only,
			    wipe, err);
}

static bool put_table(struct af_sheet *s, const struct af_layout *base,
		      const struct af_layout *now, struct af_err *err)
{
	if (now->scheme == AF_SCHEME_MBR)
		return af_mbr_put(s, base, now, err);
	return af_gpt_put(s, base, now, err) && af_hybrid_put(s, base, now, err);
}

bool af_label_render(struct af_dev *dev, const struct af_layout *base,
		     const struct af_layout *now, struct af_patch *out, struct af_err *err)
{
	struct af_sheet s = {
		.read = read_dev,
		.ctx = dev,
		.disk_size = dev->size,
		.sector_size = dev->sector_size,
	};
	struct af_patch patch = { 0 };
	struct af_wipe wipe = { 0 };
	bool ok = may_render(dev, base, now, err) &&
		  read_base(&s, dev, base, now, &wipe, err);
	bool same = ok && af_layout_equal(base, now);

	ok = ok && (same || put_table(&s, base, now, err));
	if (ok && !same) {
		af_wipe_put(&s, &wipe, now);
		ok = reads_back(&s, base, now, err);
	}
	if (ok && !same && now->scheme == AF_SCHEME_GPT)
		af_gpt_emit(&s, base, now, &patch);
	else if (ok && !same)
		af_mbr_emit(&s, base, now, &patch);
	if (ok && !same)
		af_wipe_emit(&s, &wipe, &patch);
	af_wipe_release(&wipe);
	af_sheet_release(&s);
	if (ok)
		*out = patch;
	return ok;
}
