/** label.h - between libfdisk and af_layout: reads a table, and renders a wanted one as a patch. Never writes to the disk. */
#ifndef AFDISK_LABEL_H
#define AFDISK_LABEL_H
#include "afdisk/dev.h"
#include "afdisk/layout.h"
#include "afdisk/patch.h"
#include "afdisk/text.h"

/** What reading found besides the table. */
struct af_label_note {
	bool read_only; /* the table must not be rewritten, because of why */
	char why[200]; /* one sentence; "" if nothing is odd. Without read_only it is only a remark. */
	bool dynamic; /* the LDM entries are those of a dynamic disk: Windows keeps books of them */
	char kind
		[16]; /* the word for a table that is none of the schemes: "apm"; else "" */
	char holds
		[168]; /* what a new label would end besides partitions: a file system or container on all of a disk
	                * without a table, an ISO image, a dynamic disk; "" if none is known */
	af_bytes size; /* what that covers; 0 if it does not say */
};

/**
 * Reads the table of dev (dev->sector_size is set): the sectors of the table and nothing else. A disk without a table gives an
 * empty layout of AF_SCHEME_NONE, and is looked into: a new table would be written over what it holds. What is found broken, or what libfdisk and our own reader disagree about, is
 * shown as far as it goes with note->read_only; what can be mended, see af_layout_mendable(), is not. Fails only on I/O errors. The caller releases *out.
 */
bool af_label_read(struct af_dev *dev, struct af_layout *out, struct af_label_note *note,
		   struct af_err *err) __attribute__((warn_unused_result));

/**
 * The same without libfdisk's second opinion, for who only shows the table: a copy of it in memory for libfdisk takes
 * longer to make than reading it. Not for who goes on to af_label_render(), which asks libfdisk about the outcome only.
 */
bool af_label_look(struct af_dev *dev, struct af_layout *out, struct af_label_note *note,
		   struct af_err *err) __attribute__((warn_unused_result));

/** True if dev still holds base; AF_E_STALE if another program changed it since. */
bool af_label_still(struct af_dev *dev, const struct af_layout *base, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * The sectors to change so that dev, which holds base, holds now; read back from the shadow by our own reader and libfdisk and
 * equal to now. Runs are in safe order, one flush between phases (MBR: EBRs outside the living chain; living EBRs
 * from the tail to the head; the MBR. GPT: backup entries, backup header, entries, header, MBR; with a damaged primary, that
 * first).
 * A now that equals base is no change, whatever bytes express it. Fails with AF_E_STALE if dev does not hold base,
 * AF_E_RULE if now cannot be expressed, or base is read-only and now not a new table with
 * none of its partitions. The caller releases *out.
 */
bool af_label_render(struct af_dev *dev, const struct af_layout *base,
		     const struct af_layout *now, struct af_patch *out, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * Every sector that belongs to the table of dev, whole or damaged, in the order in which a table is written: the first
 * sector up to the first partition (1 MiB at the most, but all of a GPT's entries), every EBR and where the
 * last one leads, both copies of a GPT. before[] and after[] hold what is there. Returns how many sectors could not be
 * read, and are left out. The caller releases *out.
 */
size_t af_label_sectors(struct af_dev *dev, struct af_patch *out);

/** All types of the scheme, from libfdisk. Borrowed, for the life of the program. */
const struct af_types *af_label_types(enum af_scheme scheme);

/** The type that word means: a code or GUID, a name or alias as sfdisk takes them (L, S, U, E, linux, swap, efi ...);
 *  case does not matter. Fails with AF_E_USAGE naming it. */
bool af_label_parse_type(enum af_scheme scheme, const char *word, uint8_t type[16],
			 struct af_err *err) __attribute__((warn_unused_result));

/** Appends the table of layout l as an sfdisk script; dev_name is put before partition names. */
bool af_label_dump(struct af_dev *dev, const struct af_layout *l, struct af_text *out,
		   struct af_err *err) __attribute__((warn_unused_result));
#endif
