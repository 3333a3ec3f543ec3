/*
 * What the options of the command line mean, and what cannot be meant. Opens nothing: sizes
 * given in sectors wait until the device is known.
 */
#include "afdisk/options.h"
#include "cli_priv.h"
#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* --- what each option does ------------------------------------------------------------------ */

/* The verb that an option stands for; VERB_EDITOR if it is none. */
static enum verb verb_of(enum af_option_id id)
{
	static const enum verb verb_table[AF_OPTIONS] = {
		[AF_OPTION_LIST] = VERB_LIST,       [AF_OPTION_CHECK] = VERB_CHECK,
		[AF_OPTION_DUMP] = VERB_DUMP,       [AF_OPTION_EDIT] = VERB_EDIT,
		[AF_OPTION_APPLY] = VERB_APPLY,     [AF_OPTION_BACKUP] = VERB_BACKUP,
		[AF_OPTION_RESTORE] = VERB_RESTORE, [AF_OPTION_RESUME] = VERB_RESUME,
		[AF_OPTION_REVERT] = VERB_REVERT,   [AF_OPTION_HELP] = VERB_HELP,
		[AF_OPTION_VERSION] = VERB_VERSION,
	};
	return verb_table[id];
}

static bool take_verb(struct request *r, enum af_option_id id, const char *maybe_value)
{
	(void)maybe_value;
	if (r->verb != VERB_EDITOR && r->verb != verb_of(id)) {
		af_cli_complain(NULL, "only one verb at a time: --list, --check, --dump, "
				      "--edit, --apply, --backup, --restore, --resume or "
				      "--revert");
		return false;
	}
	r->verb = verb_of(id);
	return true;
}

/* Help and version count whatever else is asked for. */
static bool take_about(struct request *r, enum af_option_id id, const char *maybe_value)
{
	(void)maybe_value;
	r->verb = verb_of(id);
	return true;
}

static bool take_check(struct request *r, enum af_option_id id, const char *maybe_value)
{
	if (maybe_value != NULL && strcmp(maybe_value, "strict") != 0) {
		af_cli_complain(NULL,
				"--check=%s is not understood: only --check=strict is",
				maybe_value);
		return false;
	}
	r->strict = r->strict || maybe_value != NULL;
	return take_verb(r, id, maybe_value);
}

static bool take_edit(struct request *r, enum af_option_id id, const char *maybe_value)
{
	af_text_add(&r->edits, "%s\n", maybe_value);
	return take_verb(r, id, maybe_value);
}

/* The one file that a verb works from. */
static bool take_file(struct request *r, enum af_option_id id, const char *maybe_value)
{
	const char **had = id == AF_OPTION_APPLY ? &r->maybe_script : &r->maybe_backup;
	if (!take_verb(r, id, maybe_value))
		return false;
	if (*had != NULL) {
		af_cli_complain(NULL, "--%s takes one file, not %s and %s",
				af_option(id)->name, *had, maybe_value);
		return false;
	}
	*had = maybe_value;
	return true;
}

static bool take_color(struct request *r, enum af_option_id id, const char *maybe_value)
{
	static const char *const when[] = { [AF_COLOR_AUTO] = "auto",
					    [AF_COLOR_ALWAYS] = "always",
					    [AF_COLOR_NEVER] = "never" };
	const char *word = maybe_value != NULL ? maybe_value : "auto";
	(void)id;
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

static bool take_columns(struct request *r, enum af_option_id id, const char *maybe_value)
{
	struct af_err err;
	bool ok = af_columns_read(maybe_value, &r->columns, &err);
	(void)id;
	if (!ok)
		af_cli_complain(NULL, "%s", err.text);
	return ok;
}

static bool take_journal(struct request *r, enum af_option_id id, const char *maybe_value)
{
	(void)id;
	r->session.maybe_journal = maybe_value;
	return true;
}

/* Reads a size for an override, where a bare number is bytes, as the kernel gives them. */
static bool take_size(struct request *r, enum af_option_id id, const char *maybe_value)
{
	static const enum size_name size_table[AF_OPTIONS] = {
		[AF_OPTION_SECTOR_SIZE] = SIZE_SECTOR,
		[AF_OPTION_PHYSICAL] = SIZE_PHYSICAL,
		[AF_OPTION_ALIGNMENT_OFFSET] = SIZE_OFFSET,
		[AF_OPTION_GRAIN] = SIZE_GRAIN,
	};
	struct size_option *size = &r->size[size_table[id]];
	struct af_err err;
	if (!af_text_parse(maybe_value, &size->amount, &err)) {
		af_cli_complain(NULL, "%s", err.text);
		return false;
	}
	size_t n = strlen(maybe_value);
	enum af_amount_kind kind = size->amount.kind;
	bool absolute = kind == AF_AMOUNT_BYTES || kind == AF_AMOUNT_SECTORS;
	size->given = true;
	size->in_sectors =
		kind == AF_AMOUNT_SECTORS && !isdigit((unsigned char)maybe_value[n - 1]);
	if (!absolute || size->amount.sign != 0 ||
	    (size->in_sectors && id == AF_OPTION_SECTOR_SIZE)) {
		af_cli_complain(
			NULL,
			"\"%s\" is not a size of its own: 4096 or 1M, say, was expected",
			maybe_value);
		return false;
	}
	return true;
}

static bool take_flag(struct request *r, enum af_option_id id, const char *maybe_value)
{
	bool *const flag[AF_OPTIONS] = {
		[AF_OPTION_WRITE] = &r->write,
		[AF_OPTION_NO_ACT] = &r->no_write,
		[AF_OPTION_JSON] = &r->json,
		[AF_OPTION_EXACT] = &r->session.exact,
		[AF_OPTION_READ_ONLY] = &r->session.read_only,
		[AF_OPTION_ZERO] = &r->session.zero,
		[AF_OPTION_ASCII] = &r->ascii,
		[AF_OPTION_QUIET] = &r->quiet,
	};
	(void)maybe_value;
	return *flag[id] = true;
}

static bool (*const take_table[AF_OPTIONS])(struct request *r, enum af_option_id id,
					    const char *maybe_value) = {
	[AF_OPTION_LIST] = take_verb,
	[AF_OPTION_CHECK] = take_check,
	[AF_OPTION_DUMP] = take_verb,
	[AF_OPTION_EDIT] = take_edit,
	[AF_OPTION_APPLY] = take_file,
	[AF_OPTION_BACKUP] = take_file,
	[AF_OPTION_RESTORE] = take_file,
	[AF_OPTION_RESUME] = take_verb,
	[AF_OPTION_REVERT] = take_verb,
	[AF_OPTION_HELP] = take_about,
	[AF_OPTION_VERSION] = take_about,
	[AF_OPTION_WRITE] = take_flag,
	[AF_OPTION_NO_ACT] = take_flag,
	[AF_OPTION_JSON] = take_flag,
	[AF_OPTION_OUTPUT] = take_columns,
	[AF_OPTION_EXACT] = take_flag,
	[AF_OPTION_GRAIN] = take_size,
	[AF_OPTION_PHYSICAL] = take_size,
	[AF_OPTION_ALIGNMENT_OFFSET] = take_size,
	[AF_OPTION_SECTOR_SIZE] = take_size,
	[AF_OPTION_JOURNAL] = take_journal,
	[AF_OPTION_READ_ONLY] = take_flag,
	[AF_OPTION_ZERO] = take_flag,
	[AF_OPTION_ASCII] = take_flag,
	[AF_OPTION_COLOR] = take_color,
	[AF_OPTION_QUIET] = take_flag,
};

/* --- getopt --------------------------------------------------------------------------------- */

enum { FIRST = 256 }; /* of the numbers of long options: behind all letters */

/* The list as getopt_long() wants it. */
struct getopt_lists {
	char letters[3 * AF_OPTIONS + 2];
	struct option row[AF_OPTIONS + 1];
};

static void make_lists(struct getopt_lists *l)
{
	static const int argument_table[] = { [AF_TAKES_NOTHING] = no_argument,
					      [AF_TAKES_VALUE] = required_argument,
					      [AF_TAKES_MAYBE] = optional_argument };
	static const char *const colon_table[] = {
		[AF_TAKES_NOTHING] = "", [AF_TAKES_VALUE] = ":", [AF_TAKES_MAYBE] = "::"
	};
	size_t used = af_text_join(l->letters, sizeof(l->letters), 0, ":");
	for (int i = 0; i < AF_OPTIONS; i++) {
		const struct af_option *o = af_option((enum af_option_id)i);
		const char letter[2] = { o->letter };
		l->row[i] = (struct option){ .name = o->name,
					     .has_arg = argument_table[o->takes],
					     .val = FIRST + i };
		if (o->letter == '\0')
			continue;
		used = af_text_join(l->letters, sizeof(l->letters), used, letter);
		used = af_text_join(l->letters, sizeof(l->letters), used,
				    colon_table[o->takes]);
	}
	l->row[AF_OPTIONS] = (struct option){ 0 };
}

static bool unknown_option(int found, char **argv)
{
	const char *word = argv[optind - 1];
	if (found == ':')
		af_cli_complain(NULL, "%s needs a value: see afdisk --help", word);
	else if (optopt >= FIRST)
		af_cli_complain(NULL, "%s takes no value: see afdisk --help", word);
	else if (optopt != 0)
		af_cli_complain(NULL, "unknown option -%c: see afdisk --help", optopt);
	else
		af_cli_complain(NULL, "unknown option %s: see afdisk --help", word);
	return false;
}

static bool set_option(struct request *r, int found, char **argv)
{
	if (found == '?' || found == ':')
		return unknown_option(found, argv);
	for (int i = 0; i < AF_OPTIONS; i++) {
		const enum af_option_id id = (enum af_option_id)i; /* one of the list */
		if (found == FIRST + i || found == af_option(id)->letter)
			return take_table[id](r, id, optarg);
	}
	return false;
}

/* --- all of it ------------------------------------------------------------------------------ */

static bool writes(enum verb verb)
{
	return verb == VERB_EDIT || verb == VERB_APPLY || verb == VERB_RESTORE ||
	       verb == VERB_RESUME || verb == VERB_REVERT;
}

/* True if a disk can be chosen on the screen. */
static bool has_terminal(void)
{
	return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
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
	if (r->session.zero && r->verb != VERB_EDITOR)
		return "--zero is for the editor: with --edit, 'label gpt' or 'label dos' "
		       "begins anew";
	if (r->json && r->verb == VERB_DUMP)
		return "--dump prints a script: for JSON use --list --json";
	if (r->json && (r->verb == VERB_RESTORE || r->verb == VERB_BACKUP ||
			r->verb == VERB_RESUME || r->verb == VERB_REVERT))
		return "--json is for --list, --check, --edit and --apply only";
	if (one && r->npaths == 0 && !(r->verb == VERB_EDITOR && has_terminal()))
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
	struct getopt_lists lists;
	int found;
	make_lists(&lists);
	opterr = 0;
	optind = 0;
	while ((found = getopt_long(argc, argv, lists.letters, lists.row, NULL)) != -1) {
		if (!set_option(r, found, argv))
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
