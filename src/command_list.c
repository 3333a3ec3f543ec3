/*
 * The list of the verbs of the edit language. How their words are read, and what they do, is
 * known elsewhere.
 */
#include "afdisk/command.h"

static const struct af_command_info info_table[AF_VERBS] = {
	[AF_VERB_LABEL] = { "label", "label gpt|dos", "begin an empty table" },
	[AF_VERB_NEW] = { "new",
			  "new [primary|extended|logical] [start=POS] "
			  "[size=SIZE|end=POS] [type=TYPE] [name=TEXT] [exact]",
			  "add a partition, by default in the largest room" },
	[AF_VERB_DELETE] = { "delete", "delete N",
			     "remove one; an extended one with its logicals" },
	[AF_VERB_RESIZE] = { "resize",
			     "resize N [start=POS] [size=SIZE|end=POS] [exact] "
			     "[table-only]",
			     "move edges: the one that is not named stays" },
	[AF_VERB_MOVE] = { "move", "move N start=POS [exact] [table-only]",
			   "give it another place, and keep its size" },
	[AF_VERB_ALIGN] = { "align", "align N|all [table-only]",
			    "move to the nearest boundary, and keep the size" },
	[AF_VERB_TYPE] = { "type", "type N TYPE",
			   "change the type: a code, a UUID, linux, swap ..." },
	[AF_VERB_BOOT] = { "boot", "boot N on|off",
			   "switch the boot flag of an MBR on or off" },
	[AF_VERB_NAME] = { "name", "name N TEXT", "change the name (GPT)" },
	[AF_VERB_UUID] = { "uuid", "uuid N UUID|new",
			   "change the UUID of the partition (GPT)" },
	[AF_VERB_ATTR] = { "attr", "attr N ATTR on|off",
			   "switch an attribute, by name or bit (GPT)" },
	[AF_VERB_SORT] = { "sort", "sort",
			   "number partitions in the order of their places" },
	[AF_VERB_CONVERT] = { "convert", "convert gpt|dos",
			      "change the kind of table; no partition moves" },
	[AF_VERB_REPAIR] = { "repair", "repair",
			     "make a damaged or displaced copy of a GPT good" },
	[AF_VERB_HYBRID] = { "hybrid", "hybrid update|keep|protective",
			     "what becomes of the entries of a hybrid MBR" },
	[AF_VERB_ID] = { "id", "id new|VALUE",
			 "change the disk's identifier: 0x10bd10bc, a UUID" },
	[AF_VERB_PLAN] = { "plan", "plan NAME [start=POS]",
			   "fill the largest free space, or the one at POS: windows-linux, "
			   "linux, linux-bios (for a GPT), windows-linux-bios (MBR), data, "
			   "rescue" },
	[AF_VERB_UNDO] = { "undo", "undo", "take the last command back" },
	[AF_VERB_REDO] = { "redo", "redo", "do again what was taken back" },
};

const struct af_command_info *af_command_info(enum af_verb verb)
{
	return &info_table[verb];
}
