/**
 * cli_priv.h - between the rooms of the command line: what was asked for, and how to
 * complain.
 */
#ifndef AFDISK_CLI_PRIV_H
#define AFDISK_CLI_PRIV_H
#include "afdisk/cli.h"
#include "afdisk/columns.h"

enum verb {
	VERB_EDITOR,
	VERB_LIST,
	VERB_CHECK,
	VERB_DUMP,
	VERB_EDIT,
	VERB_APPLY,
	VERB_BACKUP,
	VERB_RESTORE,
	VERB_RESUME,
	VERB_REVERT,
	VERB_HELP,
	VERB_VERSION
};

/** Exit statuses of the contract; OPEN_EDITOR is none, but af_cli()'s own. */
enum status { DONE = 0, MISALIGNED = 1, REFUSED = 2, BROKEN = 3, OPEN_EDITOR = -1 };

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
	const char *maybe_backup; /* of --backup or --restore; borrowed from argv */
	const char *maybe_script; /* of --apply; borrowed from argv */
	struct size_option size[SIZES];
	struct af_session_options session;
	enum af_color color;
	struct af_columns columns; /* of --output; none: the usual ones */
	bool color_given, write, no_write, json, strict, quiet, ascii;
	char **path; /* borrowed from argv or from disks */
	size_t npaths;
};

/** Reads the command line into *r; false, told on stderr, if it makes no sense. */
bool af_cli_read(int argc, char **argv, struct request *r);

/** Opens the disk at path and tells what is to be known about it; NULL, and the reason on stderr, if that fails. */
struct af_session *af_cli_open(const struct request *r, const char *path);

/** Puts text out on stdout; false, with a message, if it cannot be written. */
bool af_cli_print(const struct af_text *t);

/** --list and --check: returns the exit status. Names all disks in r if none is named. */
int af_cli_look(struct request *r);

/** The n steps, and then, with --write, what they say: the verb of r. Returns the exit status. */
int af_cli_show_and_write(const struct request *r, struct af_session *s,
			  const struct af_text *steps, size_t n);

/** Does what the verb says, without a word before it; says what was done in t. Returns the exit status. */
int af_cli_write(const struct request *r, struct af_session *s, struct af_text *t);

/** --backup, --restore, and --resume or --revert. Each returns the exit status. */
int af_cli_backup(const struct request *r, struct af_session *s);
int af_cli_restore(const struct request *r, struct af_session *s);
int af_cli_finish(const struct request *r, struct af_session *s);

/** Makes the wanted table what the script of --apply says; false, told on stderr, if that fails. */
bool af_cli_apply(const struct request *r, struct af_session *s);

/** Appends the partitions of one disk in columns, a line each, under a line of headings. */
void af_cli_table(struct af_text *out, const struct af_disk *disk,
		  const struct af_columns *columns, bool color);

/** Appends the human --list of one disk: what it is, and its partitions in a table. */
void af_cli_list(struct af_text *t, const struct af_disk *disk,
		 const struct af_columns *columns, bool color);

/** Appends the columns of all partitions of n disks as JSON: {"partitions": [...]}. */
void af_cli_table_json(struct af_text *out, const struct af_disk *disk, size_t n,
		       const struct af_columns *columns);

/** Complains of path with each line of text that is not empty; cuts text into these. */
void af_cli_complain_lines(const char *path, char *text);

/** Appends the human --check of one disk, a line a partition; returns how many fail. */
size_t af_cli_check(struct af_text *t, const struct af_disk *disk, bool strict);

/** Appends what --help prints. */
void af_cli_help(struct af_text *t);
#endif
