/** script.h - a table as sfdisk's script language says it: read from text, and made into a layout. */
#ifndef AFDISK_SCRIPT_H
#define AFDISK_SCRIPT_H
#include "afdisk/align.h"
#include "afdisk/layout.h"
#include "afdisk/text.h"

/** What a line says about one partition. */
struct af_script_part {
	uint32_t line;   /* where it stands, from 1 on */
	uint32_t number; /* by its device's name; 0: the next free one */
	bool has_start, has_size, has_uuid, has_attrs, boot;
	af_bytes start;     /* as given: perhaps not on a sector */
	af_bytes size;      /* whole sectors of the script; 0: an unused entry */
	char type_word[64]; /* "" if none; resolved by whoever knows the types */
	uint8_t type[16];   /* filled in by that one; all zero: Linux */
	uint8_t uuid
		[16]; /* without has_uuid a fresh one, filled in by whoever can make them */
	uint64_t attrs;
	char name[AF_NAME_MAX];
};

/** A header that stands for a number; line is 0 if it is not there. */
struct af_script_number {
	uint32_t line;
	uint64_t n;
};

/** A whole script. Owns part[]. */
struct af_script {
	enum af_scheme label; /* NONE if it does not say */
	char label_id[40];    /* "" if it does not say */
	uint32_t label_id_line;
	struct af_script_number first_lba, last_lba; /* in sectors of sector_size */
	struct af_script_number table_length;
	struct af_script_number grain; /* bytes */
	uint32_t
		sector_size; /* of the script's numbers: its own header's, else the disk's */
	uint8_t fresh_id[16]; /* for a new table, filled in by whoever can make them */
	struct af_script_part *part; /* in the order of their lines */
	size_t nparts;
};

/** What a script may have at most: bytes, and partitions. */
#define AF_SCRIPT_BYTES_MAX ((size_t)1 << 20)
#define AF_SCRIPT_PARTS_MAX 1024

/**
 * Reads n bytes of script for a disk of that sector size; the caller releases *out. Fails with AF_E_USAGE, "line 7: ...",
 * at a line that is none, and appends what is wrong with further lines to *more, a line each.
 */
bool af_script_read(const char *text, size_t n, uint32_t sector_size, struct af_script *out,
		    struct af_text *more, struct af_err *err)
	__attribute__((warn_unused_result));

/** Frees what s owns; s is all zeros afterwards. */
void af_script_release(struct af_script *s);

/** The kind of table that s makes of base: what it says, else what base is, else an MBR. */
enum af_scheme af_script_scheme(const struct af_script *s, const struct af_layout *base);

/**
 * The table that s says, in place of base; the caller releases *out. What is said is taken as it is; a missing start is
 * the first grain line with enough room, a missing size is all up to the last one, and *remarks tells where that is,
 * a line each. Partitions that base has already keep their id, EBR, and what a script cannot say; so do the identity and the
 * usable range of a table whose kind and label-id stay. Fails with AF_E_USAGE, AF_E_RULE or AF_E_RANGE, naming the line.
 */
bool af_script_layout(const struct af_script *s, const struct af_layout *base,
		      const struct af_rules *rules, struct af_layout *out,
		      struct af_text *remarks, struct af_err *err)
	__attribute__((warn_unused_result));
#endif
