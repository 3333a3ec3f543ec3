/** offer.h - whole layouts that people ask for, as lists of edit commands that fill a free space. */
#ifndef AFDISK_OFFER_H
#define AFDISK_OFFER_H
#include "afdisk/command.h"

/** A layout that is offered. All texts are borrowed for the life of the program. */
struct af_offer {
	const char *name;      /* as the command has it: "windows-linux" */
	const char *label;     /* at most eight columns, for a menu; no two begin alike */
	const char *title;     /* one line: for which machines, and which partitions */
	enum af_scheme scheme; /* the kind of table that it is for; NONE: either */
};

/** The i-th of them, or NULL behind the last. */
const struct af_offer *af_offer_at(size_t i);

/** The one with that name, or NULL. */
const struct af_offer *af_offer_find(const char *name);

/** Where a layout is to go, and what it depends on besides the disk. */
struct af_offer_place {
	bool has_at; /* into the free space around byte at, from there on; else the largest */
	af_bytes at;
	af_bytes memory; /* of the machine, bytes: what swap is for */
};

#define AF_OFFER_COMMANDS 12

/** What a layout comes to on a table. */
struct af_offer_plan {
	struct af_command cmd[AF_OFFER_COMMANDS]; /* to be carried out in this order */
	size_t n;
	char note
		[240]; /* what is left out, and what that is there is used; "" if nothing */
};

/**
 * Fills the free space with the layout: new partitions on the grain (exact or not), in order of place, each with its type and,
 * on a GPT, its name. What the table has already of it (an ESP, Windows, swap) is used and not made again. What does not
 * fit and can be done without is left out. An empty table of the other kind is begun anew. Types are filled in, identities
 * are not. Fails with AF_E_RULE (no table, or it is for the other kind of table), AF_E_RANGE (no room: says how much
 * it needs), and as the verbs of edit.h do.
 */
bool af_offer_make(const struct af_offer *offer, const struct af_layout *now,
		   const struct af_edit *e, const struct af_offer_place *place,
		   struct af_offer_plan *out, struct af_err *err)
	__attribute__((warn_unused_result));
#endif
