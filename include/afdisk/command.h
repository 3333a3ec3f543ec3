/** command.h - the edit language of --edit, which the keys of the editor speak as well. */
#ifndef AFDISK_COMMAND_H
#define AFDISK_COMMAND_H
#include "afdisk/edit.h"

enum af_verb {
	AF_VERB_LABEL,
	AF_VERB_NEW,
	AF_VERB_DELETE,
	AF_VERB_RESIZE,
	AF_VERB_MOVE,
	AF_VERB_ALIGN,
	AF_VERB_TYPE,
	AF_VERB_BOOT,
	AF_VERB_NAME,
	AF_VERB_UUID,
	AF_VERB_ATTR,
	AF_VERB_SORT,
	AF_VERB_CONVERT,
	AF_VERB_REPAIR,
	AF_VERB_HYBRID,
	AF_VERB_ID,
	AF_VERB_PLAN,
	AF_VERB_UNDO,
	AF_VERB_REDO,
};

enum { AF_VERBS = AF_VERB_REDO + 1 };

/** A verb of the language, as --help, the manual page and the completion of the shell tell it. */
struct af_command_info {
	const char *word;
	const char *usage; /* the verb and what follows: "boot N on|off" */
	const char *help;  /* a sentence without capital and period */
};

/** The row of a verb. Borrowed, for the life of the program. */
const struct af_command_info *af_command_info(enum af_verb verb);

/** One command, ready to be carried out. Which fields count depends on verb; the rest are zeros. */
struct af_command {
	enum af_verb verb;
	uint32_t number;     /* the partition; 0 for "all" and for verbs without one */
	struct af_new add;   /* NEW: all but type and uuid */
	struct af_want want; /* RESIZE; MOVE, PLAN: its start */
	bool table_only, on;
	bool exact; /* NEW, RESIZE, MOVE: edges as given, to the sector */
	enum af_scheme
		scheme; /* LABEL, CONVERT; ID: of which kind uuid is, NONE for a fresh one */
	enum af_hybrid hybrid; /* HYBRID: never OPEN */
	unsigned bit;          /* ATTR */
	char type_word[64]; /* NEW, TYPE: as given; resolved by whoever knows the types */
	uint8_t type[16];   /* NEW, TYPE: filled in by that one */
	uint8_t uuid
		[16]; /* UUID (zeros: a fresh one), ID; NEW, LABEL and CONVERT: a fresh one, filled in by whoever can make them */
	char text[AF_NAME_MAX]; /* NAME; PLAN: which one, see offer.h */
};

/**
 * Reads the next command of a run "CMD; CMD; ..." and moves *text behind it (empty commands are skipped).
 * Words may be quoted with ' or ". Returns 1 with *out filled, 0 at the end of the text, -1 with err
 * (AF_E_USAGE, naming the word) if it is not a command.
 */
int af_command_next(const char **text, struct af_command *out, struct af_err *err);

/**
 * Carries out cmd (every verb but PLAN, UNDO and REDO) on now; whether over data, cmd says, not e. On success *out is a
 * new sound layout for the caller to release; *id is the partition that the command was about, 0 if none. Fails
 * as the verbs of edit.h do.
 */
bool af_command_apply(const struct af_command *cmd, const struct af_layout *now,
		      const struct af_edit *e, struct af_layout *out, uint32_t *id,
		      struct af_err *err) __attribute__((warn_unused_result));

/** What the command does, for undo and messages: "new partition 10G", "delete partition 5". Returns buf. */
const char *af_command_words(const struct af_command *cmd, char *buf, size_t size);

/** The attribute bit of a GPT attribute's name (RequiredPartition, NoBlockIOProtocol, LegacyBIOSBootable) or
 *  number 0 to 63; false if it is neither. */
bool af_command_attr(const char *word, unsigned *bit);
#endif
