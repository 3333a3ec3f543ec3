/**
 * label_priv.h - what the files of the label room share: the sheet, and the parts of reading and rendering.
 *
 * A sheet is the part of a disk that its table occupies: each cut holds bytes as they were read and as they are to
 * become. Reading fills it, rendering changes the second copy, and the difference is the patch.
 */
#ifndef AFDISK_LABEL_PRIV_H
#define AFDISK_LABEL_PRIV_H
#include "afdisk/chain.h"
#include "afdisk/label.h"

#define AF_GPT_ARRAY (16 * AF_KIB) /* bytes of a usual GPT's entries */

#define AF_MBR_ID 440 /* byte of sector 0 where the disk's identity begins */

/** Whole sectors of the disk. Owns was[] and now[], len bytes each. */
struct af_cut {
	af_bytes at, len;
	unsigned char *was, *now;
};

/** Cuts do not overlap, and are in order of place. */
struct af_sheet {
	af_read_fn read;
	void *ctx;
	af_bytes disk_size;
	uint32_t sector_size;
	bool is_held; /* by what covers the whole disk: a GPT that no MBR protects does not count */
	struct af_cut *cut;
	size_t n;
	struct af_chain chain; /* MBR: as it was found, of all extended partitions */
};

/** Has the bytes [at, at + len) in one cut, reading what is missing. Cuts that it overlaps are read anew, so
 *  nothing must have been changed in them yet. Fails with AF_E_RANGE beyond the disk, or as reading does. */
bool af_sheet_need(struct af_sheet *s, af_bytes at, af_bytes len, struct af_err *err);

/** The bytes at byte at as read, or as they are to become; NULL if they are not there. Valid until the next need. */
const unsigned char *af_sheet_was(const struct af_sheet *s, af_bytes at);
unsigned char *af_sheet_now(const struct af_sheet *s, af_bytes at);

/** An af_read_fn over a sheet as read; ctx is the sheet. */
bool af_sheet_read(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err);

/** A sparse file in memory of the disk's size that holds the bytes to become; -1 with err. For the caller to close. */
int af_sheet_shadow(const struct af_sheet *s, struct af_err *err);

/** An af_read_fn over a sheet as it is to become; ctx is the sheet. Zeros where it has no cut. */
bool af_sheet_read_now(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err);

/** Adds the sectors of [at, at + len) that change to the patch, neighbours as one run. */
void af_sheet_emit(const struct af_sheet *s, struct af_patch *p, struct af_span range,
		   int phase, const char *what);

/** Frees what s owns. */
void af_sheet_release(struct af_sheet *s);

/** Makes the table read-only for this reason; the first reason counts. */
void af_note_blame(struct af_label_note *note, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** Says that something is odd and does no harm, unless the note says something already. */
void af_note_remark(struct af_label_note *note, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** Reads the table of what the sheet reads, for af_label_read(); libfdisk is asked if with_libfdisk. */
bool af_label_study(struct af_sheet *s, bool with_libfdisk, struct af_layout *out,
		    struct af_label_note *note, struct af_err *err);

/** label_plain.c: reads a sector 0 without a protective entry into out, an empty layout: an MBR, or no table. */
void af_plain_study(struct af_sheet *s, struct af_layout *out, struct af_label_note *note);

/** Notes what lies beside the table l, or in place of one, by the first head bytes of the sheet: an ISO image, an Apple
 *  partition map, a dynamic disk, whose database is taken from the usable range. */
void af_plain_beside(const struct af_sheet *s, size_t head, struct af_layout *l,
		     struct af_label_note *note);

/** label_scale.c: where a GPT, or an MBR by what its entries point to, was made with sectors of another size: reads it into out
 *  in those, and blames that; false if there is none, or it cannot be read, and out is untouched. */
bool af_scale_gpt(const struct af_sheet *s, struct af_layout *out,
		  struct af_label_note *note);
bool af_scale_mbr(const struct af_sheet *s, struct af_layout *out,
		  struct af_label_note *note);

/** Notes what libblkid finds on all of a disk without a table. */
void af_plain_whole(struct af_dev *dev, struct af_label_note *note);

/** A magic number that a new label must not leave behind, and what it is of. */
struct af_wipe_item {
	struct af_span magic; /* bytes */
	char what[48];
};

/** All of them on a disk, by place. Owns item[]. */
struct af_wipe {
	struct af_wipe_item *item;
	size_t n;
};

/** label_wipe.c: finds them on dev, whose table the sheet holds; locked is whether that is read-only. Without a device, only
 *  the headers of a GPT at its place and outside the partitions of now: these stay, and with them all that lies in them. The sheet holds their
 *  sectors then, so nothing in it must have been changed yet. Fails as reading does. */
bool af_wipe_find(struct af_sheet *s, struct af_dev *maybe_dev, const struct af_layout *now,
		  bool locked, struct af_wipe *out, struct af_err *err);

/** Takes them out of the sheet, which holds the new table now, but for what is a part of that. */
void af_wipe_put(struct af_sheet *s, const struct af_wipe *w, const struct af_layout *now);

/** Adds their sectors to the patch, behind all that is in it. */
void af_wipe_emit(const struct af_sheet *s, const struct af_wipe *w, struct af_patch *p);

/** Frees what w owns. */
void af_wipe_release(struct af_wipe *w);

/** label_mbr.c: adds the entries of sector 0 and the chain to out, an empty layout. Never fails; oddities are blamed. */
void af_mbr_study(struct af_sheet *s, struct af_layout *out, struct af_label_note *note);

/** label_mbr_put.c: makes the sheet hold now, which is sound. Fails as reading does. */
bool af_mbr_put(struct af_sheet *s, const struct af_layout *base,
		const struct af_layout *now, struct af_err *err);

/** Adds what changed to the patch, in safe order. */
void af_mbr_emit(const struct af_sheet *s, const struct af_layout *base,
		 const struct af_layout *now, struct af_patch *p);

/** label_gpt.c, label_gpt_put.c: the same three. Studying gives false if neither copy of a GPT can be made out; out is
 *  untouched then. The copy that was good before the write comes last in the patch. */
bool af_gpt_study(struct af_sheet *s, struct af_layout *out, struct af_label_note *note);
bool af_gpt_put(struct af_sheet *s, const struct af_layout *base,
		const struct af_layout *now, struct af_err *err);
void af_gpt_emit(const struct af_sheet *s, const struct af_layout *base,
		 const struct af_layout *now, struct af_patch *p);

/** label_hybrid.c: takes what the MBR of a GPT says besides into out, the GPT as read, and remarks on it. */
void af_hybrid_study(const struct af_sheet *s, struct af_layout *out,
		     struct af_label_note *note);

/** Makes the MBR of a GPT that stays what now wants of it; what stays the same keeps its bytes. Fails with AF_E_RULE as
 *  long as it is not chosen what becomes of an entry. */
bool af_hybrid_put(struct af_sheet *s, const struct af_layout *base,
		   const struct af_layout *now, struct af_err *err);

/** label_other.c: adds what a label of another system says to out, and blames it; with_bsd: a disklabel, too. False if
 *  there is none that is to be believed: one that is not gives a remark. */
bool af_other_study(struct af_sheet *s, bool with_bsd, struct af_layout *out,
		    struct af_label_note *note);

/** True if the bytes of a sector say that a GPT header begins here. */
bool af_gpt_is_header(const unsigned char *sector);

/** label_fdisk.c, the only file that knows libfdisk: true if it reads the partitions of l up to that number from the
 *  shadow fd, and no others up to it; if not, why says what differs (size bytes). */
bool af_fdisk_agrees(int fd, const struct af_layout *l, uint32_t most, char *why,
		     size_t size);

/** The kernel's name of partition number of a disk: "/dev/sda5", "/dev/nvme0n1p5". For the caller to free(). */
char *af_fdisk_name(const char *disk, uint32_t number);
#endif
