/*
 * label_plain.c - disks without a table of ours, and what lies beside one: a file system on all of the disk, an ISO
 * image, an Apple partition map, a dynamic disk of Windows. Each gets one sentence in the note, and a name for
 * what a new label would end. Nothing here is a table to be written.
 */
#include "label_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/foreign.h"
#include "afdisk/probe.h"

#define NAMED_MAX 3 /* kinds that are named of what several signatures say */

/* What a new label would end, with its size where that is known. */
static void set_holds(struct af_label_note *note, const char *text)
{
	char size[AF_SHORT];

	snprintf(note->holds, sizeof note->holds, "%.120s%s%s", text,
		 note->size > 0 ? " of " : "",
		 note->size > 0 ? af_text_size(note->size, size) : "");
}

/* The lowest start of an entry that lies on the disk, in bytes; 0 if there is none. */
static af_bytes lowest_sane(const unsigned char *sector, const struct af_sheet *s)
{
	uint64_t sectors = af_lba_of(s->disk_size, s->sector_size).n, lowest = 0;

	for (size_t i = 0; i < 4; i++) {
		struct af_mbr_entry e = af_chain_entry(sector, i);

		if (e.type && e.start && e.count &&
		    (uint64_t)e.start + e.count <= sectors &&
		    (lowest == 0 || e.start < lowest))
			lowest = e.start;
	}
	return (af_bytes)lowest * s->sector_size; /* on the disk */
}

/* An MBR whose sector may be a boot sector, too. */
static void study_mbr(struct af_sheet *s, const char *fs, struct af_layout *out,
		      struct af_label_note *note)
{
	const unsigned char *sector = af_sheet_was(s, 0);

	if (fs && af_foreign_boot_size(sector) > lowest_sane(sector, s))
		af_note_blame(
			note,
			"sector 0 is the boot sector of a %s file system on the whole "
			"disk, and an MBR with partitions inside it: one of the two "
			"is a leftover",
			fs);
	af_mbr_study(s, out, note);
}

/* True if there is nothing where boot code would be. */
static bool is_blank(const unsigned char *sector)
{
	return sector[0] == 0 && memcmp(sector, sector + 1, 439) == 0;
}

/* A GPT whose MBR is gone, as after the first sector, or the first mebibyte, was overwritten with zeros. Where only the
 * backup is left and something else lies in front, that may be what the disk is used for: encrypted data, say. */
static bool find_lost(struct af_sheet *s, struct af_layout *out, struct af_label_note *note)
{
	struct af_label_note found = { 0 };
	struct af_layout l;
	struct af_err err;

	if (s->is_held ||
	    !af_layout_init(&l, AF_SCHEME_NONE, s->disk_size, s->sector_size, &err))
		return false;
	if (!af_gpt_study(s, &l, &found) || found.read_only ||
	    (l.gpt.primary != AF_GPT_GOOD && !is_blank(af_sheet_was(s, 0)))) {
		af_layout_release(&l);
		return false;
	}
	l.gpt.mbr_lost = true;
	af_layout_release(out);
	*out = l;
	*note = found;
	return true;
}

void af_plain_study(struct af_sheet *s, struct af_layout *out, struct af_label_note *note)
{
	const unsigned char *sector = af_sheet_was(s, 0),
			    *second = af_sheet_was(s, s->sector_size);
	const char *fs = af_foreign_boot_sector(sector);
	bool signature = sector[510] == 0x55 && sector[511] == 0xAA;
	bool header = second && af_gpt_is_header(second);
	bool table = af_chain_is_mbr(sector) && lowest_sane(sector, s) > 0;

	if (af_other_study(s, !table, out, note))
		return;
	if (af_chain_is_mbr(sector) && (!fs || lowest_sane(sector, s))) {
		if (header)
			af_note_remark(
				note, "%s",
				table ? "sector 1 holds the header of an old GPT; the MBR "
					"is "
					"in force"
				      : "the MBR has no partitions, but a GPT lies behind "
					"it: gdisk brings that back, a new label wipes it");
		if (!af_scale_mbr(s, out, note))
			study_mbr(s, fs, out, note);
	} else if (!fs && find_lost(s, out, note)) {
		return;
	} else if (header) {
		af_note_blame(note, "there is a GPT header at sector 1 but no protective "
				    "MBR: if the GPT is not "
				    "wanted any more, wipefs -a removes it");
	} else if (fs) {
		note->size = af_foreign_boot_size(sector);
		set_holds(note, fs);
		af_note_remark(
			note,
			"the whole disk is one %s file system, without a partition table",
			fs);
	} else if (signature) {
		af_note_remark(note, "sector 0 is a boot sector, but its partition table "
				     "makes no sense");
	}
}

/* ------------------------------------------------------------------ beside a table */

/* True if no partition of an ISO image's own table would lie like these: on whole megabytes, all of them. */
static bool is_partitioned_anew(const struct af_layout *l)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].span.start == 0 || l->part[i].span.start % AF_MIB != 0)
			return false;
	return l->nparts > 0;
}

/* "MBR, GPT and APM": the tables that the head has. */
static void list_tables(const struct af_sheet *s, const struct af_layout *l, bool apm,
			char out[32])
{
	bool gpt = l->scheme == AF_SCHEME_GPT;
	bool mbr = af_chain_is_mbr(af_sheet_was(s, 0));

	snprintf(out, 32, "%s%s%s%s%s", mbr ? "MBR" : "", mbr && gpt && apm ? ", " : "",
		 mbr && gpt && !apm ? " and " : "", gpt ? "GPT" : "",
		 !apm         ? ""
		 : mbr || gpt ? " and APM"
			      : "APM");
}

static void note_iso(const struct af_sheet *s, const struct af_layout *l,
		     const struct af_foreign_iso *iso, bool apm, struct af_label_note *note)
{
	char tables[32], name[64];

	if (is_partitioned_anew(l)) {
		af_note_remark(
			note,
			"the descriptor of an old ISO 9660 image is still at byte %d; "
			"the table is newer",
			AF_FOREIGN_ISO_AT);
		return;
	}
	note->size = iso->size;
	snprintf(name, sizeof name, iso->label[0] ? "iso9660 \"%s\"" : "iso9660",
		 iso->label);
	set_holds(note, name);
	list_tables(s, l, apm, tables);
	if (!tables[0])
		return;
	note->read_only =
		true; /* whatever else is wrong with its tables is meant to be so */
	snprintf(note->why, sizeof note->why,
		 "this is an ISO image with its own %s: changing that breaks it; a new "
		 "label wipes it",
		 tables);
}

static void note_apm(const struct af_layout *l, uint32_t entries,
		     struct af_label_note *note)
{
	if (l->scheme != AF_SCHEME_NONE) {
		af_note_blame(note, "there is an Apple partition map, too: the table of "
				    "another system would not follow a change");
		return;
	}
	snprintf(note->kind, sizeof note->kind, "apm");
	snprintf(note->holds, sizeof note->holds, "Apple partition map with %u entries",
		 (unsigned)entries);
	af_note_blame(note,
		      "an Apple partition map (APM) with %u entries, which afdisk does not "
		      "edit: a new label wipes it",
		      (unsigned)entries);
}

/* Entries of a dynamic disk are locked by whoever edits; its database must not get under a partition. */
static void note_ldm(const struct af_sheet *s, struct af_layout *l,
		     struct af_label_note *note)
{
	struct af_foreign_ldm ldm = { { 0, 0 } };
	const unsigned char *p = af_sheet_was(s, AF_FOREIGN_LDM_AT);
	af_bytes last = 0;
	size_t n = 0;

	for (size_t i = 0; i < l->nparts; i++) {
		n += af_scheme_is_ldm(l->scheme, l->part[i].type);
		if (l->part[i].span.end > last)
			last = l->part[i].span.end;
	}
	const bool mbr = l->scheme == AF_SCHEME_MBR;

	if (n == 0 || (mbr && (!p || !af_foreign_ldm(p, &ldm))))
		return; /* on an MBR the type is another one's, too */
	note->dynamic = true;
	snprintf(note->holds, sizeof note->holds, "dynamic disk (LDM)");
	af_note_remark(
		note,
		"a dynamic disk (LDM): its %zu entr%s not changed here, what lies beside "
		"them can be",
		n, n == 1 ? "y is" : "ies are");
	ldm.database.start -= ldm.database.start % s->sector_size;
	if (mbr && ldm.database.start >= last && ldm.database.start < l->usable.end)
		l->usable.end = ldm.database.start;
}

void af_plain_beside(const struct af_sheet *s, size_t head, struct af_layout *l,
		     struct af_label_note *note)
{
	const unsigned char *p = af_sheet_was(s, 0);
	struct af_foreign_iso iso;

	if (af_span_size(af_scheme_usable(AF_SCHEME_MBR, s->disk_size, s->sector_size)) ==
	    0)
		af_note_remark(note, "the disk is too small for a partition table");
	if (head < 512)
		return;
	uint32_t block, apm = af_foreign_apm(p, head, &block);

	if (af_foreign_iso(p, head, &iso))
		note_iso(s, l, &iso, apm > 0, note);
	else if (apm > 0)
		note_apm(l, apm, note);
	note_ldm(s, l, note);
}

/* ------------------------------------------------------------------ with libblkid's help */

static bool is_named(const struct af_mark *mark, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (strcmp(mark[j].name, mark[i].name) == 0)
			return true;
	return false;
}

/* "ext4 \"home\" and swap": what n signatures say, but for tables. */
static void add_names(struct af_text *t, const struct af_mark *mark, size_t n)
{
	size_t named = 0;

	for (size_t i = 0; i < n && named < NAMED_MAX; i++) {
		if (mark[i].is_table || is_named(mark, i))
			continue;
		af_text_add(t, "%s%s", named++ ? " and " : "", mark[i].name);
		if (mark[i].label[0])
			af_text_add(t, " \"%s\"", mark[i].label);
	}
}

void af_plain_whole(struct af_dev *dev, struct af_label_note *note)
{
	struct af_mark *mark;
	struct af_text t = { 0 };
	size_t n = af_probe_marks(dev, &mark);

	add_names(&t, mark, n);
	for (size_t i = 0; i < n && !note->kind[0]; i++)
		if (mark[i].is_table)
			snprintf(note->kind, sizeof note->kind, "%.15s", mark[i].name);
	free(mark);
	if (!note->kind[0] && t.len > 0)
		set_holds(note, af_text_get(&t));
	if (note->holds[0])
		af_note_remark(
			note,
			"the whole disk holds %s, without a partition table: a new label "
			"wipes it",
			note->holds);
	af_text_release(&t);
}
