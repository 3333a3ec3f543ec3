/**
 * cli_priv.h - between the rooms of the command line: what was asked for, and how to
 * complain.
 */
#ifndef AFDISK_CLI_PRIV_H
#define AFDISK_CLI_PRIV_H
#include "afdisk/cli.h"

enum verb {
	VERB_EDITOR,
	VERB_LIST,
	VERB_CHECK,
	VERB_DUMP,
	VERB_EDIT,
	VERB_APPLY,
	VERB_RESTORE,
	VERB_HELP,
	VERB_VERSION
};

enum size_name { SIZE_SECTOR, SIZE_PHYSICAL, SIZE_OFFSET, SIZE_GRAIN, SIZES };

/** A size of the command line; sectors have to wait for the device. */
struct size_option {
	bool given, in_sectors;
	struct af_amount amount;
};

/** The command line, understood. */
struct request {
	enum verb verb;
	struct af_text edits;     /* the commands of all --edit, a line each */
	const char *maybe_backup; /* of --restore; borrowed from argv */
	const char *maybe_script; /* of --apply; borrowed from argv */
	struct size_option size[SIZES];
	struct af_session_options session;
	enum af_color color;
	bool color_given, write, no_write, json, strict, quiet, ascii;
	char **path; /* borrowed from argv or from disks */
	size_t npaths;
};

/** Reads the command line into *r; false, told on stderr, if it makes no sense. */
bool af_cli_read(int argc, char **argv, struct request *r);

/** One line on stderr about a device, or about the command line if maybe_path is NULL. */
void af_cli_complain(const char *maybe_path, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** Makes the wanted table what the script of --apply says; false, told on stderr, if that fails. */
bool af_cli_apply(const struct request *r, struct af_session *s);

/** What --help prints. Borrowed. */
const char *af_cli_help(void);
#endif
