/*
 * A program for the build: fills the manual page and the completion of the shell, which come on stdin, from the lists that the
 * program itself goes by. A line @WORD is replaced by a whole list, @option NAME and @command NAME by the head and the
 * sentence of one row, behind which the text says more. A row that is missing or there twice is an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/align.h"
#include "afdisk/columns.h"
#include "afdisk/command.h"
#include "afdisk/offer.h"
#include "afdisk/options.h"
#include "keys.h"

/* Which single rows were there. */
struct seen {
	bool option[AF_OPTIONS], command[AF_VERBS];
};

/* --- roff ---------------------------------------------------------------------------------------------- */

/* Text for roff: a hyphen that is a minus, and nothing that begins a request. */
static void put_roff(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == '-')
			fputs("\\-", stdout);
		else if (text[i] == '\\')
			fputs("\\e", stdout);
		else
			putchar(text[i]);
}

static bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* A word of a usage: literal ones bold, those that stand for something italic, what is between them as it is. */
static void put_usage(const char *usage)
{
	while (*usage) {
		const size_t between = strspn(usage, "[]|,=+. ");
		put_roff(usage, between);
		usage += between;
		const size_t n = strcspn(usage, "[]|,=+. ");
		if (n == 0)
			break;
		fputs(is_capital(*usage) ? "\\fI" : "\\fB", stdout);
		put_roff(usage, n);
		fputs("\\fR", stdout);
		usage += n;
	}
	putchar('\n');
}

/* A word of n characters: an option bold, what the row itself takes italic, and what is behind it as it is. */
static void put_word(const char *word, size_t n, const char *value)
{
	const bool is_option = strncmp(word, "--", 2) == 0;
	const bool is_value = *value && strncmp(word, value, strlen(value)) == 0;
	size_t marked = 0;
	if (is_option)
		marked = 2 + strcspn(word + 2, " ,.:;()");
	else if (is_value)
		marked = strlen(value);
	if (marked > 0) {
		fputs(is_option ? "\\fB" : "\\fI", stdout);
		put_roff(word, marked);
		fputs("\\fR", stdout);
	}
	put_roff(word + marked, n - marked);
}

/* A sentence with its capital and period; value is what its row takes, or "". */
static void put_sentence(const char *sentence, const char *value)
{
	char text[400];
	snprintf(text, sizeof(text), "%s", sentence);
	if (*text >= 'a' && *text <= 'z')
		text[0] = (char)(text[0] - 'a' + 'A'); /* a letter */
	const char *at = text;
	while (*at) {
		const size_t n = strcspn(at, " ");
		put_word(at, n, value);
		at += n;
		if (*at)
			putchar(*at++);
	}
	puts(at[-1] == '.' ? "" : ".");
}

static void put_option(const struct af_option *o)
{
	puts(".TP");
	if (o->letter)
		printf("\\fB\\-%c\\fR, ", o->letter);
	fputs("\\fB\\-\\-", stdout);
	put_roff(o->name, strlen(o->name));
	fputs("\\fR", stdout);
	if (o->takes == AF_TAKES_MAYBE)
		putchar('[');
	if (o->value) {
		putchar(o->takes == AF_TAKES_MAYBE ? '=' : ' ');
		printf("%s%s\\fR", is_capital(*o->value) ? "\\fI" : "\\fB", o->value);
	}
	puts(o->takes == AF_TAKES_MAYBE ? "]" : "");
	put_sentence(o->help, o->value ? o->value : "");
}

static void put_command(const struct af_command_info *c)
{
	puts(".TP");
	put_usage(c->usage);
	put_sentence(c->help, "");
}

static void put_row(const char *word, const char *sentence)
{
	puts(".TP");
	printf("\\fB");
	put_roff(word, strlen(word));
	puts("\\fR");
	put_sentence(sentence, "");
}

static void put_columns(void)
{
	for (int i = 0; i < AF_COLUMNS; i++)
		put_row(af_columns_name((enum af_column)i),
			af_columns_meaning((enum af_column)i));
}

static void put_statuses(void)
{
	for (int i = 0; i < AF_STATUSES; i++)
		put_row(af_status_name((enum af_status)i),
			af_status_meaning((enum af_status)i));
}

static void put_exits(void)
{
	char number[AF_SHORT];
	for (int i = 0; af_option_exit(i); i++)
		put_row(af_text_decimal(i, number), af_option_exit(i));
}

/* The names of keys, each bold. */
static void put_key_names(const char *keys)
{
	puts(".TP");
	while (*keys) {
		const size_t n = strcspn(keys, " ");
		fputs("\\fB", stdout);
		put_roff(keys, n);
		fputs("\\fR", stdout);
		keys += n + strspn(keys + n, " ");
		fputs(*keys ? ", " : "\n", stdout);
	}
}

static void put_group(const char *name, const char **group)
{
	if (strcmp(name, *group) != 0)
		printf(".SS %s\n", name);
	*group = name;
}

static void put_keys(void)
{
	const char *group = "";
	for (int i = 0; i < UI_DO_COUNT; i++) {
		const struct ui_action_info *info = ui_action_info((enum ui_action)i);
		put_group(info->group, &group);
		put_key_names(info->keys);
		put_sentence(info->help, "");
	}
	for (size_t i = 0; ui_view_keys(i); i++) {
		put_group(ui_view_keys(i)->where, &group);
		put_key_names(ui_view_keys(i)->keys);
		put_sentence(ui_view_keys(i)->help, "");
	}
}

/* --- bash ---------------------------------------------------------------------------------------------- */

static void put_bash_options(void)
{
	static const char *const takes_table[] = { [AF_TAKES_NOTHING] = "nothing",
						   [AF_TAKES_VALUE] = "value",
						   [AF_TAKES_MAYBE] = "maybe" };
	for (int i = 0; i < AF_OPTIONS; i++) {
		const struct af_option *o = af_option((enum af_option_id)i);
		const char letter[2] = { o->letter };
		printf("%s|%s|%s|%s|%s\n", o->name, letter, takes_table[o->takes],
		       o->value ? o->value : "", o->maybe_words ? o->maybe_words : "");
	}
}

static void put_bash_commands(void)
{
	for (int i = 0; i < AF_VERBS; i++)
		puts(af_command_info((enum af_verb)i)->usage);
}

static void put_bash_plans(void)
{
	for (size_t i = 0; af_offer_at(i); i++)
		puts(af_offer_at(i)->name);
}

static void put_bash_columns(void)
{
	for (int i = 0; i < AF_COLUMNS; i++)
		puts(af_columns_name((enum af_column)i));
}

/* --- the templates ------------------------------------------------------------------------------------- */

static const struct {
	const char *word;
	void (*put)(void);
} list_table[] = {
	{ "columns", put_columns },
	{ "statuses", put_statuses },
	{ "exits", put_exits },
	{ "keys", put_keys },
	{ "bash-options", put_bash_options },
	{ "bash-commands", put_bash_commands },
	{ "bash-columns", put_bash_columns },
	{ "bash-plans", put_bash_plans },
};

static bool put_list(const char *word)
{
	for (size_t i = 0; i < sizeof(list_table) / sizeof(list_table[0]); i++)
		if (strcmp(word, list_table[i].word) == 0) {
			list_table[i].put();
			return true;
		}
	return false;
}

static bool put_one_option(const char *name, struct seen *seen)
{
	for (int i = 0; i < AF_OPTIONS; i++) {
		const struct af_option *o = af_option((enum af_option_id)i);
		if (strcmp(name, o->name) != 0)
			continue;
		put_option(o);
		const bool again = seen->option[i];
		seen->option[i] = true;
		return !again;
	}
	return false;
}

static bool put_one_command(const char *word, struct seen *seen)
{
	for (int i = 0; i < AF_VERBS; i++) {
		const struct af_command_info *c = af_command_info((enum af_verb)i);
		if (strcmp(word, c->word) != 0)
			continue;
		put_command(c);
		const bool again = seen->command[i];
		seen->command[i] = true;
		return !again;
	}
	return false;
}

static bool put_marker(const char *words, struct seen *seen)
{
	if (strncmp(words, "option ", 7) == 0)
		return put_one_option(words + 7, seen);
	if (strncmp(words, "command ", 8) == 0)
		return put_one_command(words + 8, seen);
	return put_list(words);
}

/* A template that names one row names them all. */
static bool is_complete(const struct seen *seen)
{
	int options = 0, commands = 0;
	for (int i = 0; i < AF_OPTIONS; i++)
		options += seen->option[i];
	for (int i = 0; i < AF_VERBS; i++)
		commands += seen->command[i];
	return (options == 0 || options == AF_OPTIONS) &&
	       (commands == 0 || commands == AF_VERBS);
}

int main(void)
{
	struct seen seen = { 0 };
	char line[1000];
	while (fgets(line, sizeof(line), stdin)) {
		if (line[0] != '@') {
			fputs(line, stdout);
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		if (!put_marker(line + 1, &seen)) {
			fprintf(stderr,
				"document: %s: there is no such row, or it was there "
				"before\n",
				line);
			return 1;
		}
	}
	if (!is_complete(&seen)) {
		fprintf(stderr, "document: an option or a command of the lists has no line "
				"@option or @command\n");
		return 1;
	}
	return ferror(stdin) || fflush(stdout) != 0;
}
