/*
 * What --help prints: the lists of options and of edit commands, and what no list knows.
 */
#include "afdisk/command.h"
#include "afdisk/options.h"
#include "cli_priv.h"

static void add_options(struct af_text *t, bool verbs)
{
	for (int i = 0; i < AF_OPTIONS; i++) {
		const enum af_option_id id = (enum af_option_id)i; /* one of the list */
		const struct af_option *o = af_option(id);
		struct af_text head = { 0 };
		if (af_option_is_verb(id) != verbs)
			continue;
		af_option_head(&head, o);
		if (o->maybe_device != NULL)
			af_text_add(&head, " %s", o->maybe_device);
		af_option_row(t, af_text_get(&head), o->help);
		af_text_release(&head);
	}
}

static void add_commands(struct af_text *t)
{
	for (int i = 0; i < AF_VERBS; i++) {
		const struct af_command_info *c = af_command_info((enum af_verb)i);
		af_option_row(t, c->usage, c->help);
	}
}

void af_cli_help(struct af_text *t)
{
	af_text_add(
		t,
		"Usage: afdisk [OPTION]... [DEVICE]\n"
		"Show, check and edit partition tables (MBR and GPT), every edge aligned.\n"
		"DEVICE is a disk or a disk image; without a verb the screen editor opens "
		"it,\n"
		"or lets one be chosen.\n"
		"\n"
		"Verbs:\n");
	add_options(t, true);
	af_text_add(t, "\nOptions:\n");
	add_options(t, false);
	af_text_add(t, "\nCommands of --edit, with ; between them (N is the 5 of sda5):\n");
	add_commands(t);
	af_text_add(t, "With table-only an entry moves away from the data that it has now; "
		       "with exact\n"
		       "edges lie on the very sectors that are given.\n"
		       "\n"
		       "Sizes: 2048 or 2048s are sectors (in the options above a bare "
		       "number is bytes),\n"
		       "4096B bytes, K M G T P powers of 1024, KB MB GB TB PB powers of "
		       "1000; also 25%%\n"
		       "and max; +10G or -10G to resize by. A bare end=N is the last "
		       "sector, inclusive.\n"
		       "\n"
		       "Examples:\n"
		       "  afdisk --check /dev/sda\n"
		       "  afdisk --edit 'new size=10G; new size=max type=swap' disk.img\n"
		       "  afdisk --edit 'label gpt; plan windows-linux' disk.img\n"
		       "  afdisk --edit 'align all' --write disk.img\n"
		       "\n"
		       "Exit status:\n");
	for (int i = 0; af_option_exit(i) != NULL; i++) {
		char number[AF_SHORT];
		af_option_row(t, af_text_decimal(i, number), af_option_exit(i));
	}
}
