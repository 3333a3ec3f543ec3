/*
 * The list of the options, and how a list of two columns is printed. What an option does is
 * known to the command line alone.
 */
#include "afdisk/options.h"
#include <string.h>

#define HELP_COL  31 /* where the second column begins */
#define HELP_COLS 80

static const struct af_option option_table[AF_OPTIONS] = {
	[AF_OPTION_LIST] = { .letter = 'l',
			     .name = "list",
			     .maybe_device = "[DEVICE]...",
			     .help = "print the table of each disk, or of all disks" },
	[AF_OPTION_CHECK] = { .name = "check",
			      .takes = AF_TAKES_MAYBE,
			      .value = "strict",
			      .maybe_words = "strict",
			      .maybe_device = "[DEVICE]...",
			      .help = "report what is misaligned, and fail if anything is; "
				      "strict counts ends, too" },
	[AF_OPTION_DUMP] = { .letter = 'd',
			     .name = "dump",
			     .maybe_device = "DEVICE",
			     .help = "print the table as an sfdisk script" },
	[AF_OPTION_EDIT] = { .name = "edit",
			     .takes = AF_TAKES_VALUE,
			     .value = "COMMANDS",
			     .maybe_device = "DEVICE",
			     .help = "change the table in memory by commands, with ; "
				     "between them, and print what a write would do; may "
				     "be repeated" },
	[AF_OPTION_APPLY] = { .name = "apply",
			      .takes = AF_TAKES_VALUE,
			      .value = "FILE",
			      .maybe_device = "DEVICE",
			      .help = "make the table what the sfdisk script FILE says (- "
				      "is standard input), and print what a write would "
				      "do" },
	[AF_OPTION_BACKUP] = { .name = "backup",
			       .takes = AF_TAKES_VALUE,
			       .value = "FILE",
			       .maybe_device = "DEVICE",
			       .help = "save every sector of the table in a new FILE" },
	[AF_OPTION_RESTORE] = { .name = "restore",
				.takes = AF_TAKES_VALUE,
				.value = "FILE",
				.maybe_device = "DEVICE",
				.help = "put back what --backup or a write saved in FILE" },
	[AF_OPTION_RESUME] = { .name = "resume",
			       .maybe_device = "DEVICE",
			       .help = "finish a write that was interrupted" },
	[AF_OPTION_REVERT] = { .name = "revert",
			       .maybe_device = "DEVICE",
			       .help = "take back a write that was interrupted" },
	[AF_OPTION_HELP] = { .letter = 'h',
			     .name = "help",
			     .help = "print the options and the edit commands" },
	[AF_OPTION_VERSION] = { .letter = 'V',
				.name = "version",
				.help = "print the version" },
	[AF_OPTION_WRITE] = { .name = "write",
			      .help = "carry out --edit, --apply, --restore, --resume or "
				      "--revert, which else only print what they would "
				      "do" },
	[AF_OPTION_NO_ACT] = { .letter = 'n',
			       .name = "no-act",
			       .help = "never write, not even with --write" },
	[AF_OPTION_JSON] = { .letter = 'J',
			     .name = "json",
			     .help = "print JSON (--list, --check, --edit, "
				     "--apply)" },
	[AF_OPTION_OUTPUT] = { .letter = 'o',
			       .name = "output",
			       .takes = AF_TAKES_VALUE,
			       .value = "COLUMN,...",
			       .help = "the columns of --list, in that order; with + "
				       "before them they are added to the usual ones" },
	[AF_OPTION_EXACT] = { .name = "exact",
			      .help = "take sectors as given: no grain, no padding" },
	[AF_OPTION_GRAIN] = { .name = "grain",
			      .takes = AF_TAKES_VALUE,
			      .value = "SIZE",
			      .help = "place new edges on multiples of SIZE" },
	[AF_OPTION_PHYSICAL] = { .name = "physical",
				 .takes = AF_TAKES_VALUE,
				 .value = "SIZE",
				 .help = "the drive's physical sector, whatever it says" },
	[AF_OPTION_ALIGNMENT_OFFSET] = { .name = "alignment-offset",
					 .takes = AF_TAKES_VALUE,
					 .value = "SIZE",
					 .help = "how far sector 0 lies off the drive's "
						 "alignment" },
	[AF_OPTION_SECTOR_SIZE] = { .name = "sector-size",
				    .takes = AF_TAKES_VALUE,
				    .value = "SIZE",
				    .help = "the logical sector of an image: 512 to 4096" },
	[AF_OPTION_JOURNAL] = { .name = "journal",
				.takes = AF_TAKES_VALUE,
				.value = "FILE",
				.help = "where a write saves the old and new sectors, and "
					"--resume and --revert find them" },
	[AF_OPTION_READ_ONLY] = { .letter = 'r',
				  .name = "read-only",
				  .help = "never open the device for writing" },
	[AF_OPTION_ZERO] = { .letter = 'z',
			     .name = "zero",
			     .help = "begin without a table in the editor, whatever the "
				     "disk holds" },
	[AF_OPTION_ASCII] = { .name = "ascii", .help = "draw with ASCII characters only" },
	[AF_OPTION_COLOR] = { .letter = 'L',
			      .name = "color",
			      .takes = AF_TAKES_MAYBE,
			      .value = "WHEN",
			      .maybe_words = "auto always never",
			      .help = "use colours: auto, always or never" },
	[AF_OPTION_QUIET] = { .letter = 'q',
			      .name = "quiet",
			      .help = "print results only, no remarks" },
};

const struct af_option *af_option(enum af_option_id id)
{
	return &option_table[id];
}

bool af_option_is_verb(enum af_option_id id)
{
	return id <= AF_OPTION_VERSION;
}

const char *af_option_exit(int status)
{
	static const char *const exit_table[] = {
		"done",
		"--check: something is misaligned",
		"refused, or failed before anything was written",
		"failed after that: the message says what to do",
	};
	const size_t n = sizeof(exit_table) / sizeof(exit_table[0]);
	return status >= 0 && (size_t)status < n ? exit_table[status] : NULL;
}

void af_option_head(struct af_text *t, const struct af_option *o)
{
	if (o->letter != '\0')
		af_text_add(t, "-%c, --%s", o->letter, o->name);
	else
		af_text_add(t, "    --%s", o->name);
	if (o->takes == AF_TAKES_VALUE)
		af_text_add(t, " %s", o->value);
	else if (o->takes == AF_TAKES_MAYBE)
		af_text_add(t, "[=%s]", o->value);
}

/* Words of a text that stands at column col, wrapped; lines after this one begin at column in. */
static int add_words(struct af_text *t, int col, int in, const char *words)
{
	while (*words != '\0') {
		const int n = (int)strcspn(words, " "); /* one word */
		if (col + 1 + n >= HELP_COLS) {
			af_text_add(t, "\n%*s", in - 1, "");
			col = in - 1;
		}
		af_text_add(t, " %.*s", n, words);
		col += 1 + n;
		words += n + (words[n] == ' ');
	}
	return col;
}

void af_option_row(struct af_text *t, const char *head, const char *help)
{
	af_text_add(t, " ");
	const int col = add_words(t, 1, 6, head);
	if (col < HELP_COL)
		af_text_add(t, "%*s", HELP_COL - 1 - col, "");
	add_words(t, col < HELP_COL ? HELP_COL - 1 : HELP_COLS, HELP_COL, help);
	af_text_add(t, "\n");
}
