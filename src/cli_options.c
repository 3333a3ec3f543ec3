/*
 * What the options of the command line mean, and what cannot be meant. Opens nothing: sizes
 * given in sectors wait until the device is known.
 */
#include "cli_priv.h"
#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Long options without a letter of their own. */
enum {
	OPT_CHECK = 256,
	OPT_EDIT,
	OPT_APPLY,
	OPT_BACKUP,
	OPT_RESTORE,
	OPT_RESUME,
	OPT_REVERT,
	OPT_WRITE,
	OPT_EXACT,
	OPT_JOURNAL,
	OPT_ASCII,
	OPT_SIZE
};

static const char short_options[] = ":ldJo:rL::qnhV";

static const struct option long_options[] = {
	{ "list", no_argument, NULL, 'l' },
	{ "check", optional_argument, NULL, OPT_CHECK },
	{ "dump", no_argument, NULL, 'd' },
	{ "edit", required_argument, NULL, OPT_EDIT },
	{ "apply", required_argument, NULL, OPT_APPLY },
	{ "backup", required_argument, NULL, OPT_BACKUP },
	{ "restore", required_argument, NULL, OPT_RESTORE },
	{ "resume", no_argument, NULL, OPT_RESUME },
	{ "revert", no_argument, NULL, OPT_REVERT },
	{ "write", no_argument, NULL, OPT_WRITE },
	{ "json", no_argument, NULL, 'J' },
	{ "output", required_argument, NULL, 'o' },
	{ "exact", no_argument, NULL, OPT_EXACT },
	{ "sector-size", required_argument, NULL, OPT_SIZE + SIZE_SECTOR },
	{ "physical", required_argument, NULL, OPT_SIZE + SIZE_PHYSICAL },
	{ "alignment-offset", required_argument, NULL, OPT_SIZE + SIZE_OFFSET },
	{ "grain", required_argument, NULL, OPT_SIZE + SIZE_GRAIN },
	{ "journal", required_argument, NULL, OPT_JOURNAL },
	{ "read-only", no_argument, NULL, 'r' },
	{ "ascii", no_argument, NULL, OPT_ASCII },
	{ "color", optional_argument, NULL, 'L' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "no-act", no_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Usage: afdisk [OPTION]... DEVICE\n"
	"Show, check and edit partition tables (MBR and GPT), every edge aligned.\n"
	"DEVICE is a disk or a disk image; without a verb the screen editor opens it.\n"
	"\n"
	"Verbs:\n"
	"  -l, --list [DEVICE]...       the table of each disk (of all disks without one)\n"
	"      --check [DEVICE]...      what is aligned; fails if a partition is not\n"
	"      --check=strict ...       and also if only the end of one is off\n"
	"  -d, --dump DEVICE            the table as a script for sfdisk\n"
	"      --edit COMMANDS DEVICE   change the table, see below; may be repeated\n"
	"      --apply FILE DEVICE      make the table what the sfdisk script FILE says\n"
	"                               (- is standard input)\n"
	"      --backup FILE DEVICE     save every sector of the table in FILE\n"
	"      --restore FILE DEVICE    put back what --backup or a write saved in FILE\n"
	"      --resume DEVICE          finish a write that was interrupted\n"
	"      --revert DEVICE          take it back instead\n"
	"  -h, --help                   this text\n"
	"  -V, --version                the version\n"
	"\n"
	"Options:\n"
	"      --write                  carry out --edit, --apply, --restore, --resume or\n"
	"                               --revert\n"
	"  -n, --no-act                 never write, not even with --write\n"
	"  -J, --json                   print JSON (--list, --check, --edit, --apply)\n"
	"  -o, --output COLUMN,...      the columns of --list; with + they are added; a\n"
	"                               wrong name lists them all\n"
	"      --exact                  take sectors as given: no grain, no padding\n"
	"      --grain SIZE             place new edges on multiples of SIZE\n"
	"      --physical SIZE          the drive's physical sector, whatever it says\n"
	"      --alignment-offset SIZE  how far sector 0 lies off the drive's alignment\n"
	"      --sector-size SIZE       the logical sector of an image: 512 to 4096\n"
	"      --journal FILE           where a write saves the old and new sectors, and\n"
	"                               --resume and --revert find them\n"
	"  -r, --read-only              never open DEVICE for writing\n"
	"      --ascii                  draw with ASCII characters only\n"
	"  -L, --color[=WHEN]           auto, always or never\n"
	"  -q, --quiet                  results only, no remarks\n"
	"\n";

/* A literal holds no more than 4095 characters. */
static const char help_edit_text[] =
	"Commands of --edit, with ; between them (N is the 5 of sda5):\n"
	"  label gpt|dos                begin an empty table\n"
	"  new [primary|extended|logical] [start=POS] [size=SIZE|end=POS] [type=TYPE]\n"
	"      [name=TEXT] [exact]      add a partition, in the largest room by default\n"
	"  delete N                     remove one; an extended one with its logicals\n"
	"  resize N [start=POS] [size=SIZE|end=POS] [exact] [table-only]\n"
	"                               the edge that is not named stays\n"
	"  move N start=POS [exact] [table-only]\n"
	"  align N|all [table-only]     move to the nearest boundary, sizes kept\n"
	"  type N TYPE                  a code, a UUID or a name: linux, swap, efi ...\n"
	"  boot N on|off                the boot flag\n"
	"  name N TEXT                  the name (GPT)\n"
	"  uuid N UUID                  the UUID of the partition (GPT)\n"
	"  attr N ATTR on|off           an attribute by its name or bit (GPT)\n"
	"  sort                         number partitions in the order of their places\n"
	"  convert gpt|dos              another kind of table; no partition moves\n"
	"  repair                       make a damaged or displaced copy of a GPT good\n"
	"  hybrid update|keep|protective  what becomes of the entries of a hybrid MBR\n"
	"  id new|VALUE                 the identifier of the disk: 0x10bd10bc, or a UUID\n"
	"  plan NAME [start=POS]        fill the largest free space, or the one at POS:\n"
	"                               windows-linux, linux, linux-bios (for a GPT),\n"
	"                               windows-linux-bios (MBR), data, rescue\n"
	"  undo, redo                   take the last command back, or do it again\n"
	"With table-only an entry moves away from the data that it has now; with exact\n"
	"edges lie on the very sectors that are given.\n"
	"\n"
	"Sizes: 2048 or 2048s are sectors (in the options above a bare number is bytes),\n"
	"4096B bytes, K M G T P powers of 1024, KB MB GB TB PB powers of 1000; also 25%\n"
	"and max; +10G or -10G to resize by. A bare end=N is the last sector, inclusive.\n"
	"\n"
	"Examples:\n"
	"  afdisk --check /dev/sda\n"
	"  afdisk --edit 'new size=10G; new size=max type=swap' disk.img\n"
	"  afdisk --edit 'label gpt; plan windows-linux' disk.img\n"
	"  afdisk --edit 'align all' --write disk.img\n"
	"\n"
	"Exit status: 0 done; 1 --check: something is misaligned; 2 refused or failed\n"
	"before anything was written; 3 failed after that.\n";

/* Takes the path out of a sentence that comes after it: "PATH is a folder", "cannot open PATH: ...". */
static void name_once(const char *path, char *sentence)
{
	static const char cannot[] = "cannot open";
	size_t n = strlen(path);
	char *at = sentence, *rest;
	if (strncmp(sentence, cannot, strlen(cannot)) == 0)
		at += strlen(cannot) + 1;
	if (n == 0 || strncmp(at, path, n) != 0 || (at[n] != ' ' && at[n] != ':'))
		return;
	rest = at + n;
	if (at == sentence)
		rest += strspn(rest, ": ");
	else
		at--;
	memmove(at, rest, strlen(rest) + 1);
}

void af_cli_complain(const char *maybe_path, const char *fmt, ...)
{
	char why[700], clean[sizeof(why)], path[256];
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	af_text_clean(why, clean, sizeof(clean));
	af_text_clean(maybe_path != NULL ? maybe_path : "", path, sizeof(path));
	name_once(path, clean);
	(void)fprintf(stderr, "afdisk: %s%s%s\n", path, path[0] != '\0' ? ": " : "", clean);
}

void af_cli_complain_lines(const char *path, char *text)
{
	char *rest = text, *line;
	while (rest != NULL && (line = strsep(&rest, "\n")) != NULL)
		if (line[0] != '\0')
			af_cli_complain(path, "%s", line);
}

void af_cli_help(struct af_text *t)
{
	af_text_add(t, "%s%s", help_text, help_edit_text);
}

static bool set_verb(struct request *r, enum verb verb)
{
	if (r->verb != VERB_EDITOR && r->verb != verb) {
		af_cli_complain(NULL, "only one verb at a time: --list, --check, --dump, "
				      "--edit, --apply, --backup, --restore, --resume or "
				      "--revert");
		return false;
	}
	r->verb = verb;
	return true;
}

static bool set_check(struct request *r, const char *maybe_how)
{
	if (maybe_how != NULL && strcmp(maybe_how, "strict") != 0) {
		af_cli_complain(NULL,
				"--check=%s is not understood: only --check=strict is",
				maybe_how);
		return false;
	}
	r->strict = r->strict || maybe_how != NULL;
	return set_verb(r, VERB_CHECK);
}

/* Takes the one file that a verb works from. */
static bool set_file(struct request *r, enum verb verb, const char **maybe_had,
		     const char *file)
{
	const char *name = verb == VERB_APPLY    ? "--apply"
			   : verb == VERB_BACKUP ? "--backup"
						 : "--restore";
	if (!set_verb(r, verb))
		return false;
	if (*maybe_had != NULL) {
		af_cli_complain(NULL, "%s takes one file, not %s and %s", name, *maybe_had,
				file);
		return false;
	}
	*maybe_had = file;
	return true;
}

static bool set_color(struct request *r, const char *maybe_when)
{
	static const char *const when[] = { [AF_COLOR_AUTO] = "auto",
					    [AF_COLOR_ALWAYS] = "always",
					    [AF_COLOR_NEVER] = "never" };
	const char *word = maybe_when != NULL ? maybe_when : "auto";
	word += word[0] == '='; /* of -L=never */
	for (int i = AF_COLOR_AUTO; i <= AF_COLOR_NEVER; i++)
		if (strcmp(word, when[i]) == 0) {
			r->color = (enum af_color)i; /* one of the three */
			r->color_given = true;
			return true;
		}
	af_cli_complain(NULL,
			"--color=%s is not understood: auto, always or never was expected",
			word);
	return false;
}

static bool set_columns(struct request *r, const char *list)
{
	struct af_err err;
	bool ok = af_columns_read(list, &r->columns, &err);
	if (!ok)
		af_cli_complain(NULL, "%s", err.text);
	return ok;
}

/* Reads a size for an override, where a bare number is bytes, as the kernel gives them. */
static bool set_size(struct request *r, int option, const char *word)
{
	struct size_option *size = &r->size[option - OPT_SIZE];
	struct af_err err;
	if (!af_text_parse(word, &size->amount, &err)) {
		af_cli_complain(NULL, "%s", err.text);
		return false;
	}
	size_t n = strlen(word);
	enum af_amount_kind kind = size->amount.kind;
	bool absolute = kind == AF_AMOUNT_BYTES || kind == AF_AMOUNT_SECTORS;
	size->given = true;
	size->in_sectors =
		kind == AF_AMOUNT_SECTORS && !isdigit((unsigned char)word[n - 1]);
	if (!absolute || size->amount.sign != 0 ||
	    (size->in_sectors && option == OPT_SIZE + SIZE_SECTOR)) {
		af_cli_complain(
			NULL,
			"\"%s\" is not a size of its own: 4096 or 1M, say, was expected",
			word);
		return false;
	}
	return true;
}

static bool unknown_option(int found, char **argv)
{
	const char *word = argv[optind - 1];
	if (found == ':')
		af_cli_complain(NULL, "%s needs a value: see afdisk --help", word);
	else if (optopt >= 256 || (optopt != 0 && strncmp(word, "--", 2) == 0))
		af_cli_complain(NULL, "%s takes no value: see afdisk --help", word);
	else if (optopt != 0)
		af_cli_complain(NULL, "unknown option -%c: see afdisk --help", optopt);
	else
		af_cli_complain(NULL, "unknown option %s: see afdisk --help", word);
	return false;
}

/* The options that only set something. */
static bool set_flag(struct request *r, int option)
{
	switch (option) {
	case OPT_WRITE:
		return r->write = true;
	case OPT_EXACT:
		return r->session.exact = true;
	case OPT_JOURNAL:
		r->session.maybe_journal = optarg;
		return true;
	case OPT_ASCII:
		return r->ascii = true;
	case 'J':
		return r->json = true;
	case 'r':
		return r->session.read_only = true;
	case 'q':
		return r->quiet = true;
	case 'n':
		return r->no_write = true;
	default: /* the sizes are all that is left */
		return set_size(r, option, optarg);
	}
}

static bool set_option(struct request *r, int option, char **argv)
{
	switch (option) {
	case '?':
	case ':':
		return unknown_option(option, argv);
	case 'l':
		return set_verb(r, VERB_LIST);
	case OPT_CHECK:
		return set_check(r, optarg);
	case 'd':
		return set_verb(r, VERB_DUMP);
	case OPT_EDIT:
		af_text_add(&r->edits, "%s\n", optarg);
		return set_verb(r, VERB_EDIT);
	case OPT_BACKUP:
		return set_file(r, VERB_BACKUP, &r->maybe_backup, optarg);
	case OPT_RESUME:
		return set_verb(r, VERB_RESUME);
	case OPT_REVERT:
		return set_verb(r, VERB_REVERT);
	case OPT_RESTORE:
		return set_file(r, VERB_RESTORE, &r->maybe_backup, optarg);
	case OPT_APPLY:
		return set_file(r, VERB_APPLY, &r->maybe_script, optarg);
	case 'h':
		r->verb = VERB_HELP;
		return true;
	case 'V':
		r->verb = VERB_VERSION;
		return true;
	case 'L':
		return set_color(r, optarg);
	case 'o':
		return set_columns(r, optarg);
	default:
		return set_flag(r, option);
	}
}

static bool writes(enum verb verb)
{
	return verb == VERB_EDIT || verb == VERB_APPLY || verb == VERB_RESTORE ||
	       verb == VERB_RESUME || verb == VERB_REVERT;
}

/* What cannot be meant. */
static const char *contradiction(const struct request *r)
{
	bool one = r->verb == VERB_EDITOR || r->verb == VERB_DUMP ||
		   r->verb == VERB_BACKUP || writes(r->verb);
	if (r->write && !writes(r->verb))
		return "--write needs --edit, --apply, --restore, --resume or --revert: "
		       "without them there is nothing to write";
	if (r->write && r->session.read_only)
		return "--write and --read-only contradict each other";
	if (r->columns.n > 0 && r->verb != VERB_LIST)
		return "--output chooses the columns of --list: nothing else has any";
	if (r->json && r->verb == VERB_DUMP)
		return "--dump prints a script: for JSON use --list --json";
	if (r->json && (r->verb == VERB_RESTORE || r->verb == VERB_BACKUP ||
			r->verb == VERB_RESUME || r->verb == VERB_REVERT))
		return "--json is for --list, --check, --edit and --apply only";
	if (one && r->npaths == 0)
		return "no disk is named: name one, as in 'afdisk /dev/sda' or 'afdisk "
		       "disk.img'; "
		       "'afdisk --list' shows what there is";
	if (one && r->npaths > 1)
		return "one disk at a time: only --list and --check take several";
	return NULL;
}

/* Help and version count as soon as they are seen. */
bool af_cli_read(int argc, char **argv, struct request *r)
{
	int option;
	opterr = 0;
	optind = 0;
	while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) !=
	       -1) {
		if (!set_option(r, option, argv))
			return false;
		if (r->verb == VERB_HELP || r->verb == VERB_VERSION)
			return true;
	}
	r->path = argv + optind;
	r->npaths = (size_t)(argc - optind); /* optind <= argc */
	if ((r->json || r->columns.n > 0) && r->verb == VERB_EDITOR)
		r->verb = VERB_LIST;
	const char *no_color = getenv("NO_COLOR");
	if (!r->color_given && no_color != NULL && no_color[0] != '\0')
		r->color = AF_COLOR_NEVER;
	const char *wrong = contradiction(r);
	if (wrong != NULL)
		af_cli_complain(NULL, "%s", wrong);
	if (r->columns.n == 0 && !r->json)
		r->columns = af_columns_usual();
	return wrong == NULL;
}
