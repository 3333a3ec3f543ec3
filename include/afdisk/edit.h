/**
 * edit.h - every change a person can ask for, as layout -> layout.
 *
 * All verbs: from stays as it was. On success *out is a new sound layout that the caller releases; on
 * failure *out is untouched and err says why: AF_E_USAGE (no such partition, nonsense), AF_E_RULE (the table
 * forbids it), AF_E_RANGE (no room), AF_E_DATA (would lose data and table_only was not given).
 */
#ifndef AFDISK_EDIT_H
#define AFDISK_EDIT_H
#include "afdisk/align.h"
#include "afdisk/layout.h"
#include "afdisk/text.h"

/** What every verb needs to know besides the table. Borrowed. */
struct af_edit {
	const struct af_rules *rules;
	const struct af_contents *contents;
	const char *maybe_dev; /* "/dev/sda", for the commands that messages name */
	bool table_only;       /* change entries over data all the same */
};

enum af_want_role { AF_WANT_ANY, AF_WANT_PRIMARY, AF_WANT_EXTENDED, AF_WANT_LOGICAL };

/** Where edges are to be. A flag that is false leaves that edge to the verb. */
struct af_want {
	bool has_start, has_size, has_end; /* at most one of size and end */
	struct af_amount start, size, end;
};

struct af_new {
	enum af_want_role role;
	struct af_want want;
	bool has_within; /* place it in the region around byte within (the editor's selected row) */
	af_bytes within;
	uint8_t type[16];       /* all zero: Linux, or extended */
	uint8_t uuid[16];       /* GPT; the caller makes it */
	char name[AF_NAME_MAX]; /* GPT */
};

/**
 * Adds a partition by section 3 of the contract: in the largest free region, or the one that holds the
 * asked start; both edges on the grain, or as asked when rules->exact. A logical gets its EBR in
 * padding of its own; the extended partition is created or grown as it needs. *id is the new one's.
 */
bool af_edit_new(const struct af_layout *from, const struct af_edit *e,
		 const struct af_new *n, struct af_layout *out, uint32_t *id,
		 struct af_err *err) __attribute__((warn_unused_result));

/** Deletes partition id (an extended one with its logicals); later logicals move up in number, as in the kernel. */
bool af_edit_delete(const struct af_layout *from, uint32_t id, struct af_layout *out,
		    struct af_err *err) __attribute__((warn_unused_result));

/**
 * Moves one or both edges. The edge not named stays to the sector; the other goes to the grain, or to the
 * check size, or stays as asked where no line fits. An extended partition keeps its logicals inside; a
 * logical that outgrows its extended partition takes it along. A moved start over
 * data is AF_E_DATA unless table_only; so is a size below that of the file system, a smaller one if that is not known,
 * and another one where a container keeps its metadata at the end.
 */
bool af_edit_resize(const struct af_layout *from, const struct af_edit *e, uint32_t id,
		    const struct af_want *want, struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Moves the entry of partition id so that it starts at start (rounded up to the grain unless exact), size kept to the sector. */
bool af_edit_move(const struct af_layout *from, const struct af_edit *e, uint32_t id,
		  const struct af_amount *start, struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Moves the entry of partition id to the nearest start on the grain where it fits, size kept to the sector. */
bool af_edit_align(const struct af_layout *from, const struct af_edit *e, uint32_t id,
		   struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Aligns every partition: order and sizes kept, later ones pushed on (or back from the end) where it must. */
bool af_edit_align_all(const struct af_layout *from, const struct af_edit *e,
		       struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Changes the type; between extended codes only for an extended partition, and never to or from one. */
bool af_edit_type(const struct af_layout *from, uint32_t id, const uint8_t type[16],
		  struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** MBR: the active flag, of which at most one primary has it; setting one clears the others. GPT: attribute
 *  bit 2 (legacy BIOS bootable). */
bool af_edit_boot(const struct af_layout *from, uint32_t id, bool on, struct af_layout *out,
		  struct af_err *err) __attribute__((warn_unused_result));

/** GPT: the name, at most 36 UTF-16 units. */
bool af_edit_name(const struct af_layout *from, uint32_t id, const char *name,
		  struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** GPT: the partition's own UUID; refused if another partition has it. */
bool af_edit_uuid(const struct af_layout *from, uint32_t id, const uint8_t uuid[16],
		  struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** GPT: one attribute bit, 0 to 63. */
bool af_edit_attr(const struct af_layout *from, uint32_t id, unsigned bit, bool on,
		  struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Numbers partitions in the order of their places: primaries 1, 2, ... (an MBR's among its four), logicals 5, 6, ... */
bool af_edit_sort(const struct af_layout *from, const struct af_edit *e,
		  struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * Makes a damaged or displaced copy of a GPT good from the one that is used: the backup goes to the end of the disk, and
 * usable space as far as there; the protective entry of the MBR covers the disk. Fails with AF_E_RULE on an MBR, if
 * nothing needs repair, or naming the partition that reaches beyond the disk.
 */
bool af_edit_repair(const struct af_layout *from, struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** A fresh table of that scheme with disk_id (a GUID, or four bytes), all partitions gone. */
bool af_edit_label(const struct af_layout *from, enum af_scheme scheme,
		   const uint8_t disk_id[16], struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** The identity of the table, which stays the same table: a GUID, or the four bytes of an MBR. All zeros are refused. */
bool af_edit_id(const struct af_layout *from, const uint8_t id[16], struct af_layout *out,
		struct af_err *err) __attribute__((warn_unused_result));

/** What becomes of the entries of a hybrid MBR that mirror partitions, now and with later edits: AF_HYBRID_UPDATE, AF_HYBRID_KEEP,
 *  or AF_HYBRID_NONE, which makes the MBR a protective one. Fails with AF_E_RULE if there is no hybrid MBR, and as
 *  af_layout_follow() does. */
bool af_edit_hybrid(const struct af_layout *from, enum af_hybrid choice,
		    struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * The same partitions, each where it is to the sector, in a table of that other kind with disk_id. To a GPT: logicals become
 * plain entries, numbers stay, UUIDs are zeros for the caller to fill in. To an MBR: of more than four, neighbours become
 * logicals of one extended partition, their EBRs in the free sectors before them; names, UUIDs and attributes are lost. Fails
 * with AF_E_USAGE if it is of that kind, AF_E_RULE for a type that the other kind does not have, AF_E_RANGE for what is in
 * the way of the table or out of its reach.
 */
bool af_edit_convert(const struct af_layout *from, const struct af_edit *e,
		     enum af_scheme scheme, const uint8_t disk_id[16],
		     struct af_layout *out, struct af_err *err)
	__attribute__((warn_unused_result));

/**
 * True if what uses says is in use stays what the kernel takes it for in next: a used partition of from keeps its number, its start
 * and at least its size, nothing new lies over one that the table does not know, and a disk that is in use itself does
 * not change at all. Otherwise AF_E_BUSY with the first that does not hold.
 */
bool af_edit_keeps_used(const struct af_layout *from, const struct af_layout *next,
			const struct af_uses *uses, struct af_err *err)
	__attribute__((warn_unused_result));
#endif
