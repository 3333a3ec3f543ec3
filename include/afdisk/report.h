/** report.h - a disk, its verdicts and a plan as the JSON of the contract. */
#ifndef AFDISK_REPORT_H
#define AFDISK_REPORT_H
#include "afdisk/align.h"
#include "afdisk/facts.h"
#include "afdisk/layout.h"
#include "afdisk/plan.h"
#include "afdisk/text.h"

/** All that is known about one disk, borrowed. */
struct af_disk {
	const char *path;
	const struct af_layout *layout;
	const struct af_topo *topo;
	const struct af_rules *rules;
	const struct af_contents *contents;
	const struct af_uses *uses; /* who uses it; NULL if nobody has looked */
	const struct af_types *types;
	const char *label; /* the word for the kind of table; the scheme's name if NULL */
	const char *
		holds; /* what the disk is used for besides its partitions; NULL or "" if nothing */
	const char *
		remark; /* a sentence about the table, or why it is read-only; NULL or "" if nothing is odd */
};

/** The word for the disk's kind of table: "gpt", "none", "apm". */
const char *af_report_label(const struct af_disk *disk);

/** Appends {"disks":[...]} of n disks and a newline, by section 5 of the contract. */
void af_report_disks(struct af_text *t, const struct af_disk *disk, size_t n);

/** Appends {"plan":[...],"disk":{...},"written":...} and a newline; disk is the one to be. */
void af_report_plan(struct af_text *t, const struct af_plan *plan,
		    const struct af_disk *disk, bool written);

/** "primary", "extended", "logical" or "gpt". */
const char *af_report_kind(const struct af_layout *l, const struct af_part *part);

/** The boot flag, which only an MBR has: a GPT's attribute LegacyBIOSBootable is another thing. */
bool af_report_boot(const struct af_layout *l, const struct af_part *part);

/** Appends GPT attributes as sfdisk writes them; bits that it has no word for are plain numbers. */
void af_report_attrs(struct af_text *t, uint64_t attrs);

/** Bytes of padding that end where part starts; room is all of af_align_rooms(). */
af_bytes af_report_padding(const struct af_room *room, size_t nrooms,
			   const struct af_part *part);
#endif
