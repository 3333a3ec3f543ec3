/** layout.h - a partition table as a plain value: nothing here touches a disk. */
#ifndef AFDISK_LAYOUT_H
#define AFDISK_LAYOUT_H
#include "afdisk/err.h"
#include "afdisk/scheme.h"
#include "afdisk/units.h"
#include <stddef.h>

/* A frame is an entry of another system's label that names the whole disk, or the label's place: no data. */
enum af_role { AF_ROLE_PRIMARY, AF_ROLE_EXTENDED, AF_ROLE_LOGICAL, AF_ROLE_FRAME };

#define AF_NAME_MAX 160 /* 36 UTF-16 units as UTF-8 and a NUL, with room to spare */
#define AF_LOGICALS_MAX                                                                    \
	56 /* fdisk, sfdisk, cfdisk and parted find partitions up to number 60 */

/** One partition. Holds no pointers: a struct copy is a whole copy. */
struct af_part {
	uint32_t id;         /* ours; names the same partition across edits; 0 is nobody */
	uint32_t number;     /* as the kernel counts: 3 in /dev/sda3 */
	enum af_role role;   /* GPT: always PRIMARY */
	bool boot;           /* MBR: the active flag */
	struct af_span span; /* bytes; both edges on logical-sector lines */
	af_bytes ebr;        /* logical: where the sector of its EBR begins; else 0 */
	uint8_t type
		[16]; /* GPT: GUID in the order of its text; MBR: the code in type[0], zeros */
	uint8_t uuid[16];       /* GPT, in the order of its text */
	uint64_t attrs;         /* GPT attribute bits, kept as found */
	char name[AF_NAME_MAX]; /* GPT; UTF-8 */
};

/** One of the two copies of a GPT. */
enum af_gpt_copy {
	AF_GPT_GOOD,
	AF_GPT_NO_HEADER,  /* its header is not there, damaged, or makes no sense */
	AF_GPT_NO_ENTRIES, /* its header is good, its entries fail their checksum */
	AF_GPT_DIFFERS,    /* good, but no copy of the one that is used */
};

/** How a GPT lies on the disk. All zeros: whole, in the places where every program puts it. */
struct af_gpt_form {
	enum af_gpt_copy primary, backup; /* at least one is good, and used */
	uint32_t entry_size;              /* bytes of an entry, 128 * 2^n; 0: 128 */
	af_bytes entries;        /* where the primary's entries begin; 0: sector 2 */
	af_bytes backup_entries; /* where the backup's begin; 0: right before its header */
	af_bytes
		backup_at; /* where the backup's header lies, or is said to, which may be beyond the disk; 0: last sector */
	bool mbr_misfits; /* the protective entry of the MBR is not of the size of the disk */
	bool mbr_lost; /* sector 0 does not say that there is a GPT, so that Linux does not find it */
};

/** What becomes of the entries of a hybrid MBR that mirror partitions, when these change. */
enum af_hybrid {
	AF_HYBRID_NONE,   /* no hybrid: the MBR protects the GPT and says no more */
	AF_HYBRID_OPEN,   /* that is still to be chosen */
	AF_HYBRID_UPDATE, /* they follow */
	AF_HYBRID_KEEP,   /* they stay as they are */
};

#define AF_MIRRORS 4
#define AF_PROTECTIVE                                                                      \
	0xEE /* UEFI specification: the type of an entry that protects a GPT */

/** One entry of the MBR before a GPT. */
struct af_mirror {
	uint8_t type, boot; /* as the entry has them */
	uint32_t
		id; /* the partition with the same start and size, when it was read; 0: none */
	struct af_span span; /* bytes; empty: the entry is not in use */
};

/** Owns its part[]; pass by pointer, copy with af_layout_copy(). */
struct af_layout {
	enum af_scheme scheme;
	uint32_t sector_size; /* bytes: 512, 1024, 2048 or 4096 */
	af_bytes disk_size;
	struct af_span usable; /* bytes that a partition may cover */
	uint32_t slots;        /* entries of the main table: MBR 4, GPT usually 128 */
	uint8_t disk_id
		[16]; /* GPT: GUID in the order of its text; MBR: four bytes, most significant first */
	bool id_changed; /* disk_id was changed by itself: it is the same table all the same */
	struct af_part
		*part; /* sorted by span.start; an extended one before its logicals */
	size_t nparts;
	uint32_t next_id;                    /* > every id in use */
	struct af_gpt_form gpt;              /* GPT */
	enum af_hybrid hybrid;               /* GPT */
	struct af_mirror mirror[AF_MIRRORS]; /* of a hybrid MBR; else zeros */
};

/** Bytes that nobody occupies: neither a partition nor an EBR nor the table itself. */
struct af_gap {
	struct af_span span;
	bool in_extended;
	bool after_ebr;      /* lies between an EBR and the data of its own logical */
	bool before_logical; /* a logical's data begins where it ends */
};

/** An empty table of that scheme on that disk, with an all-zero disk_id. Fails with AF_E_RANGE if the disk is too small. */
bool af_layout_init(struct af_layout *out, enum af_scheme scheme, af_bytes disk_size,
		    uint32_t sector_size, struct af_err *err)
	__attribute__((warn_unused_result));

/** out becomes a deep copy for the caller to release. */
void af_layout_copy(const struct af_layout *from, struct af_layout *out);

/** Frees what l owns; l is all zeros afterwards. */
void af_layout_release(struct af_layout *l);

/** True if both describe the same table: everything but ids, next_id and id_changed. */
bool af_layout_equal(const struct af_layout *a, const struct af_layout *b);

/** True if now is a fresh table in place of base: of another kind, or with another identity that was not just changed. */
bool af_layout_is_new(const struct af_layout *base, const struct af_layout *now);

/** True if now holds partitions of base in a table of the other kind. */
bool af_layout_converts(const struct af_layout *base, const struct af_layout *now);

/** True if both partitions have the same entry: everything but the id. */
bool af_part_equal(const struct af_part *a, const struct af_part *b);

/** The partition with this id, or NULL. Borrowed from l. */
const struct af_part *af_layout_find(const struct af_layout *l, uint32_t id);

/** The partition with this number, or NULL. Borrowed from l. */
const struct af_part *af_layout_number(const struct af_layout *l, uint32_t number);

/** The extended partition, or NULL. Borrowed from l. */
const struct af_part *af_layout_extended(const struct af_layout *l);

/** How many logical partitions there are. */
size_t af_layout_logicals(const struct af_layout *l);

/**
 * True unless from has more logicals than other programs find (AF_LOGICALS_MAX) and next would rebuild their chain: there,
 * numbers, EBRs and the start of the extended partition stay, none is added, and only the last ones may go. Else err
 * says what would change (AF_E_RULE). A next without an extended partition, or that is new, has no such chain.
 */
bool af_layout_chain_kept(const struct af_layout *from, const struct af_layout *next,
			  struct af_err *err);

/** Adds a copy of part (its id is ignored and a fresh one given) at its sorted place. Returns the id. */
uint32_t af_layout_add(struct af_layout *l, const struct af_part *part);

/** Adds copies of n partitions, as af_layout_add() would one after the other, in less time. */
void af_layout_add_all(struct af_layout *l, const struct af_part *part, size_t n);

/** Takes partition id out; numbers stay as they are. Does nothing if it is not there. */
void af_layout_remove(struct af_layout *l, uint32_t id);

/** Sorts part[] again after spans were changed in place. */
void af_layout_sort(struct af_layout *l);

/** The bytes that the EBR of a logical occupies: one sector at part->ebr. */
struct af_span af_layout_ebr(const struct af_layout *l, const struct af_part *part);

/** All gaps in order of place, within usable space, split at the extended partition's edges.
 *  Returns their number; *out is for the caller to free(). */
size_t af_layout_gaps(const struct af_layout *l, struct af_gap **out);

/** Bytes of one entry of a GPT. */
uint32_t af_layout_gpt_entry(const struct af_layout *l);

/** The sectors that the entries of a GPT take: the primary's, or the backup's. */
struct af_span af_layout_gpt_entries(const struct af_layout *l, bool of_backup);

/** Where the header of a GPT's backup lies, or is said to. */
af_bytes af_layout_gpt_backup(const struct af_layout *l);

/** True unless l is a GPT with a copy that is not good or not in its place: then only af_edit_repair() mends it. */
bool af_layout_gpt_whole(const struct af_layout *l);

/** What is odd about the copies of a GPT in a few words, "backup damaged"; "" if nothing is. */
const char *af_layout_state(const struct af_layout *l);

/** True if p ends beyond usable space, on a disk that was larger once. */
bool af_layout_is_stray(const struct af_layout *l, const struct af_part *p);

/** One sentence about strays, overlaps, and copies of a GPT that need repair, and what to do; "" if there are none. Returns buf. */
const char *af_layout_remark(const struct af_layout *l, char *buf, size_t size);

/** True if no two partitions, and no EBR and a partition, share a byte; else err names the first two that do. */
bool af_layout_apart(const struct af_layout *l, struct af_err *err);

/** The part of af_layout_sound() that is not af_layout_apart(). */
bool af_layout_parts_sound(const struct af_layout *l, struct af_err *err);

/** True if l is sound but for strays, overlaps and copies of a GPT: it may be shown, and mended by deleting, shrinking and repairing. */
bool af_layout_mendable(const struct af_layout *l, struct af_err *err);

/** The part of af_layout_sound() that is about the places and copies of a GPT. */
bool af_layout_gpt_sound(const struct af_layout *l, struct af_err *err);

/**
 * True when l can be written as it is: every edge on a sector line and inside usable space; no two
 * primaries overlap; logicals inside the one extended partition; no partition and no EBR over another;
 * an EBR before its data and inside the extended partition; numbers unique and within the slots,
 * logicals numbered 5, 6, ... without a hole; names fit; a GPT whole and clear of its usable space. Otherwise err names the first that does not hold (AF_E_RULE).
 */
bool af_layout_sound(const struct af_layout *l, struct af_err *err);
#endif
