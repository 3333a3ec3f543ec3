/**
 * columns.h - the columns of --list: how they are called, which are shown, and what
 * stands in them.
 */
#ifndef AFDISK_COLUMNS_H
#define AFDISK_COLUMNS_H
#include "afdisk/report.h"

/** In the order in which an unknown name is answered. */
enum af_column {
	AF_COLUMN_DEVICE,
	AF_COLUMN_NUMBER,
	AF_COLUMN_KIND,
	AF_COLUMN_BOOT,
	AF_COLUMN_START,
	AF_COLUMN_END,
	AF_COLUMN_SECTORS,
	AF_COLUMN_SIZE,
	AF_COLUMN_TYPE,
	AF_COLUMN_ID,
	AF_COLUMN_TYPE_UUID, /* the same as ID, under sfdisk's name for it on a GPT */
	AF_COLUMN_NAME,
	AF_COLUMN_UUID,
	AF_COLUMN_ATTRS,
	AF_COLUMN_FS,
	AF_COLUMN_LABEL,
	AF_COLUMN_FS_UUID,
	AF_COLUMN_STATUS,
	AF_COLUMN_START_OFF,
	AF_COLUMN_END_OFF,
	AF_COLUMN_PADDING,
	AF_COLUMN_EBR,
	AF_COLUMN_MOUNTPOINTS,
	AF_COLUMN_USE, /* all uses in words, mounts too */
	AF_COLUMNS
};

enum af_column_kind { AF_COLUMN_TEXT, AF_COLUMN_COUNT, AF_COLUMN_FLAG };

/** Which columns are shown, in order; none twice. */
struct af_columns {
	enum af_column show[AF_COLUMNS];
	size_t n;
};

/** The columns that --list shows when nothing is asked. */
struct af_columns af_columns_usual(void);

/**
 * Reads "START,size" or, to be added to the usual ones, "+UUID"; case does not matter. Fails
 * with AF_E_USAGE, naming the word that is no column and all that are.
 */
bool af_columns_read(const char *list, struct af_columns *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** True if a partition has to be looked into for one of the columns. */
bool af_columns_need_contents(const struct af_columns *c);

/** True if one of the columns, or the line that stands over a table with a status, tells who uses the disk. */
bool af_columns_need_users(const struct af_columns *c);

/** True if the rooms between partitions have to be known for one of the columns. */
bool af_columns_need_rooms(const struct af_columns *c);

/** The name of the column. Borrowed, for the life of the program. */
const char *af_columns_name(enum af_column c);

/** What stands in it: a sentence without capital and period. Borrowed likewise. */
const char *af_columns_meaning(enum af_column c);

/** What stands over the column. Borrowed, for the life of the program. */
const char *af_columns_heading(enum af_column c);

/** Numbers stand to the right; in JSON they and flags have no quotes. */
enum af_column_kind af_columns_kind(enum af_column c);

/** A partition of a disk, or an entry of a label inside it, and all rooms of the disk as af_align_rooms() gives them. Borrowed. */
struct af_column_row {
	const struct af_disk *disk;
	const struct af_part *part;
	const struct af_layer *maybe_layer; /* the entry; NULL: the partition itself */
	const struct af_room *room;
	size_t nrooms;
};

/** What is to be said about the row's edges. */
struct af_verdict af_columns_verdict(const struct af_column_row *row);

/** Appends what stands in column c of the row; nothing if that is unknown. A program gets a size in bytes. */
void af_columns_cell(struct af_text *t, enum af_column c, const struct af_column_row *row,
		     bool for_program);
#endif
