/** options.h - the one list of the options of the command line: getopt, --help, the manual page and the completion of the shell come from it. */
#ifndef AFDISK_OPTIONS_H
#define AFDISK_OPTIONS_H
#include "afdisk/text.h"

/** In the order in which they are told. The verbs come first. */
enum af_option_id {
	AF_OPTION_LIST,
	AF_OPTION_CHECK,
	AF_OPTION_DUMP,
	AF_OPTION_EDIT,
	AF_OPTION_APPLY,
	AF_OPTION_BACKUP,
	AF_OPTION_RESTORE,
	AF_OPTION_RESUME,
	AF_OPTION_REVERT,
	AF_OPTION_HELP,
	AF_OPTION_VERSION,
	AF_OPTION_WRITE,
	AF_OPTION_NO_ACT,
	AF_OPTION_JSON,
	AF_OPTION_OUTPUT,
	AF_OPTION_EXACT,
	AF_OPTION_GRAIN,
	AF_OPTION_PHYSICAL,
	AF_OPTION_ALIGNMENT_OFFSET,
	AF_OPTION_SECTOR_SIZE,
	AF_OPTION_JOURNAL,
	AF_OPTION_READ_ONLY,
	AF_OPTION_ZERO,
	AF_OPTION_ASCII,
	AF_OPTION_COLOR,
	AF_OPTION_QUIET,
};

enum { AF_OPTIONS = AF_OPTION_QUIET + 1 };

enum af_option_takes {
	AF_TAKES_NOTHING,
	AF_TAKES_VALUE,
	AF_TAKES_MAYBE, /* only behind = (or right behind the letter) */
};

/** One row of the list. */
struct af_option {
	const char *name;
	const char *value;       /* what it takes: "FILE", "SIZE"; NULL if nothing */
	const char *maybe_words; /* all that the value may be, separated by spaces */
	const char *
		maybe_device; /* what a verb works on: "DEVICE"; NULL: it is no verb, or needs none */
	const char *help; /* a sentence without capital and period */
	enum af_option_takes takes;
	char letter; /* '\0': none */
};

/** The row of an option. Borrowed, for the life of the program. */
const struct af_option *af_option(enum af_option_id id);

/** True if the option says what to do, and not how. */
bool af_option_is_verb(enum af_option_id id);

/** What the exit status means, as a sentence without capital and period; NULL if there is no such status. */
const char *af_option_exit(int status);

/** Appends the option as it is typed, "--edit COMMANDS", "--color[=WHEN]", after its letter if it has one. */
void af_option_head(struct af_text *t, const struct af_option *o);

/** Appends a row of two columns of a text of 80: head behind two spaces, help wrapped behind it, or below if it is long. */
void af_option_row(struct af_text *t, const char *head, const char *help);
#endif
