/*
 * The edit language: words, and what each verb takes. A command is read completely before
 * anything is done, and every word that cannot be placed is refused by name. What the words
 * mean for a table (does partition 7 exist, does 10G fit, is "linux" a type) is not known
 * here.
 */
#include "afdisk/command.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define WORDS_MAX 16

/* The words of one command, quotes taken off. */
struct words {
	char buf[1024];
	char *word[WORDS_MAX];
	size_t n;
};

static bool is_end(char c)
{
	return c == '\0' || c == ';' || c == '\n';
}

static bool is_blank(char c)
{
	return !is_end(c) && isspace((unsigned char)c);
}

/* Copies one word from *text into out, which has room bytes, and moves *text behind it. */
static bool read_word(const char **text, char *out, size_t room, struct af_err *err)
{
	const char *p = *text;
	char quote = '\0';
	size_t n = 0;
	while (*p != '\0' && *p != '\n' &&
	       (quote != '\0' || (!is_end(*p) && !is_blank(*p)))) {
		if (quote == '\0' && (*p == '"' || *p == '\'')) {
			quote = *p++;
		} else if (*p == quote) {
			quote = '\0';
			p++;
		} else if (n + 1 < room) {
			out[n++] = *p++;
		} else {
			return af_fail(err, AF_E_USAGE, "the command is too long");
		}
	}
	out[n] = '\0';
	if (quote != '\0') {
		char shown[64];
		af_text_clean(out, shown, sizeof(shown));
		return af_fail(err, AF_E_USAGE,
			       "the quote %c before \"%s\" is never closed", quote, shown);
	}
	*text = p;
	return true;
}

/* The words up to the end of the command; *text is moved behind that end. */
static bool read_words(const char **text, struct words *w, struct af_err *err)
{
	const char *p = *text;
	size_t used = 0;
	w->n = 0;
	for (;;) {
		while (is_blank(*p))
			p++;
		if (is_end(*p))
			break;
		if (w->n == WORDS_MAX || used == sizeof(w->buf))
			return af_fail(err, AF_E_USAGE, "the command has too many words");
		w->word[w->n] = w->buf + used;
		if (!read_word(&p, w->buf + used, sizeof(w->buf) - used, err))
			return false;
		used += strlen(w->buf + used) + 1;
		w->n++;
	}
	*text = *p != '\0' ? p + 1 : p;
	return true;
}

/* Refuses a word, saying what was expected in its place. */
static bool unexpected(const char *word, const char *expected, struct af_err *err)
{
	char shown[64];
	af_text_clean(word, shown, sizeof(shown));
	return af_fail(err, AF_E_USAGE, "\"%s\" is not understood: %s was expected", shown,
		       expected);
}

/* Refuses a word behind a complete command. */
static bool too_much(const char *word, const char *usage, struct af_err *err)
{
	char shown[64];
	af_text_clean(word, shown, sizeof(shown));
	return af_fail(err, AF_E_USAGE, "\"%s\" is too much: %s is all there is", shown,
		       usage);
}

/* What a word that is not there should have been. */
static bool missing(const char *expected, struct af_err *err)
{
	return af_fail(err, AF_E_USAGE, "something is missing: %s was expected", expected);
}

/* A whole number from min to max; false if word is anything else. */
static bool whole_number(const char *word, uint32_t min, uint32_t max, uint32_t *out)
{
	uint64_t value = 0;
	for (const char *p = word; *p != '\0'; p++) {
		if (!isdigit((unsigned char)*p))
			return false;
		value = value * 10 + (uint64_t)(*p - '0');
		if (value > max)
			return false;
	}
	if (word[0] == '\0' || value < min)
		return false;
	*out = (uint32_t)value; /* <= max */
	return true;
}

static bool read_number(const char *word, uint32_t *out, struct af_err *err)
{
	return whole_number(word, 1, UINT32_MAX, out) ||
	       unexpected(word, "the number of a partition, such as 5,", err);
}

static bool read_on_off(const char *word, bool *out, struct af_err *err)
{
	if (strcasecmp(word, "on") != 0 && strcasecmp(word, "off") != 0)
		return unexpected(word, "on or off", err);
	*out = strcasecmp(word, "on") == 0;
	return true;
}

static bool read_name(const char *word, char out[AF_NAME_MAX], struct af_err *err)
{
	char clean[AF_NAME_MAX];
	af_text_clean(word, clean, sizeof(clean));
	if (strlen(word) >= sizeof(clean))
		return unexpected(word, "a name of at most 36 characters", err);
	if (strcmp(word, clean) != 0)
		return unexpected(word, "a name in UTF-8 without control characters", err);
	memcpy(out, clean, sizeof(clean));
	return true;
}

static bool read_type(const char *word, struct af_command *cmd, struct af_err *err)
{
	if (word[0] == '\0' || strlen(word) >= sizeof(cmd->type_word))
		return unexpected(word, "a type: a code, a UUID or a name such as linux,",
				  err);
	(void)snprintf(cmd->type_word, sizeof(cmd->type_word), "%s", word);
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	char lower = (char)(c | 0x20); /* of a letter */
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static bool read_uuid(const char *word, uint8_t out[16], struct af_err *err)
{
	static const char expected[] =
		"a UUID such as 0FC63DAF-8483-4772-8E79-3D69D8477DE4";
	uint8_t uuid[16];
	const char *p = word;
	for (size_t i = 0; i < sizeof(uuid); i++) {
		if ((i == 4 || i == 6 || i == 8 || i == 10) && *p++ != '-')
			return unexpected(word, expected, err);
		int high = hex_digit(p[0]);
		int low = high >= 0 ? hex_digit(p[1]) : -1;
		if (low < 0)
			return unexpected(word, expected, err);
		uuid[i] = (uint8_t)(high * 16 + low); /* <= 255 */
		p += 2;
	}
	if (*p != '\0')
		return unexpected(word, expected, err);
	memcpy(out, uuid, sizeof(uuid));
	return true;
}

/* The value of "key=value" if word is one for that key, else NULL. */
static char *value_of(char *word, const char *key)
{
	size_t n = strlen(key);
	return strncasecmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

static bool once(bool already, const char *word, const char *what, struct af_err *err)
{
	char shown[64];
	af_text_clean(word, shown, sizeof(shown));
	return !already ||
	       af_fail(err, AF_E_USAGE, "\"%s\" gives %s for the second time", shown, what);
}

/* Which edge or size a word is about. */
struct place {
	const char *key;
	bool *has;
	struct af_amount *amount;
};

static bool read_amount(const char *word, const char *value, const struct place *at,
			struct af_err *err)
{
	struct af_amount amount;
	if (!once(*at->has, word, at->key, err) || !af_text_parse(value, &amount, err))
		return false;
	if (amount.kind == AF_AMOUNT_MAX && strcmp(at->key, "start") == 0)
		return unexpected(word, "a position such as 1M or 2048s", err);
	*at->has = true;
	*at->amount = amount;
	return true;
}

/* Takes word if it is start=, size= or end=. Returns 1 if it was, 0 if not, -1 with err. */
static int read_place(char *word, struct af_want *want, struct af_err *err)
{
	const struct place place_table[] = {
		{ "start", &want->has_start, &want->start },
		{ "size", &want->has_size, &want->size },
		{ "end", &want->has_end, &want->end },
	};
	for (size_t i = 0; i < sizeof(place_table) / sizeof(place_table[0]); i++) {
		const char *value = value_of(word, place_table[i].key);
		if (value == NULL)
			continue;
		bool good = read_amount(word, value, &place_table[i], err);
		if (good && want->has_size && want->has_end)
			good = unexpected(word, "only one of size= and end=", err);
		return good ? 1 : -1;
	}
	return 0;
}

/* Relative sizes belong to resize alone. */
static bool absolute_only(const struct af_want *want, struct af_err *err)
{
	if (want->start.sign != 0 || want->size.sign != 0 || want->end.sign != 0)
		return af_fail(
			err, AF_E_USAGE,
			"a size with + or - is for resize only: give it without a sign");
	return true;
}

static bool read_role(const char *word, enum af_want_role *out)
{
	static const struct {
		const char *word;
		enum af_want_role role;
	} role_table[] = {
		{ "primary", AF_WANT_PRIMARY },
		{ "extended", AF_WANT_EXTENDED },
		{ "logical", AF_WANT_LOGICAL },
	};
	for (size_t i = 0; i < sizeof(role_table) / sizeof(role_table[0]); i++)
		if (strcasecmp(word, role_table[i].word) == 0) {
			*out = role_table[i].role;
			return true;
		}
	return false;
}

static bool new_word(char *word, struct af_command *cmd, struct af_err *err)
{
	enum af_want_role role;
	if (read_role(word, &role)) {
		if (!once(cmd->add.role != AF_WANT_ANY, word, "the kind", err))
			return false;
		cmd->add.role = role;
		return true;
	}
	if (strcasecmp(word, "exact") == 0) {
		cmd->exact = true;
		return true;
	}
	const char *value = value_of(word, "type");
	if (value != NULL)
		return once(cmd->type_word[0] != '\0', word, "the type", err) &&
		       read_type(value, cmd, err);
	value = value_of(word, "name");
	if (value != NULL)
		return once(cmd->add.name[0] != '\0', word, "the name", err) &&
		       read_name(value, cmd->add.name, err);
	int took = read_place(word, &cmd->add.want, err);
	if (took != 0)
		return took > 0;
	return unexpected(
		word,
		"primary, extended, logical, start=, size=, end=, type=, name= or exact",
		err);
}

static bool parse_new(struct words *w, struct af_command *cmd, struct af_err *err)
{
	for (size_t i = 1; i < w->n; i++)
		if (!new_word(w->word[i], cmd, err))
			return false;
	return absolute_only(&cmd->add.want, err);
}

/* What follows the number in resize and move: places, exact and table-only. */
static bool read_want(struct words *w, struct af_command *cmd, const char *expected,
		      struct af_err *err)
{
	for (size_t i = 2; i < w->n; i++) {
		if (strcasecmp(w->word[i], "table-only") == 0) {
			cmd->table_only = true;
			continue;
		}
		if (strcasecmp(w->word[i], "exact") == 0) {
			cmd->exact = true;
			continue;
		}
		int took = read_place(w->word[i], &cmd->want, err);
		if (took == 0)
			return unexpected(w->word[i], expected, err);
		if (took < 0)
			return false;
	}
	return true;
}

static bool parse_resize(struct words *w, struct af_command *cmd, struct af_err *err)
{
	if (!read_want(w, cmd, "start=, size=, end=, exact or table-only", err))
		return false;
	if (!cmd->want.has_start && !cmd->want.has_size && !cmd->want.has_end)
		return missing("start=, size= or end=", err);
	return true;
}

static bool parse_move(struct words *w, struct af_command *cmd, struct af_err *err)
{
	if (!read_want(w, cmd, "start=, exact or table-only", err))
		return false;
	if (cmd->want.has_size || cmd->want.has_end)
		return af_fail(err, AF_E_USAGE,
			       "size= and end= are for resize: move keeps the size");
	if (!cmd->want.has_start)
		return missing("start=", err);
	return absolute_only(&cmd->want, err);
}

static bool parse_align(struct words *w, struct af_command *cmd, struct af_err *err)
{
	if (strcasecmp(w->word[1], "all") != 0 &&
	    !whole_number(w->word[1], 1, UINT32_MAX, &cmd->number))
		return unexpected(w->word[1], "the number of a partition or all", err);
	if (w->n > 2 && strcasecmp(w->word[2], "table-only") != 0)
		return unexpected(w->word[2], "table-only", err);
	cmd->table_only = w->n > 2;
	return true;
}

static bool parse_label(struct words *w, struct af_command *cmd, struct af_err *err)
{
	return af_scheme_parse(w->word[1], &cmd->scheme) ||
	       unexpected(w->word[1], "gpt or dos", err);
}

static bool parse_hybrid(struct words *w, struct af_command *cmd, struct af_err *err)
{
	static const char *const choice_table[] = {
		[AF_HYBRID_NONE] = "protective",
		[AF_HYBRID_OPEN] = "",
		[AF_HYBRID_UPDATE] = "update",
		[AF_HYBRID_KEEP] = "keep",
	};
	for (unsigned i = 0; i < sizeof(choice_table) / sizeof(choice_table[0]); i++)
		if (i != AF_HYBRID_OPEN && strcasecmp(w->word[1], choice_table[i]) == 0) {
			cmd->hybrid = (enum af_hybrid)i;
			return true;
		}
	return unexpected(w->word[1], "update, keep or protective", err);
}

static bool parse_plan(struct words *w, struct af_command *cmd, struct af_err *err)
{
	if (!read_name(w->word[1], cmd->text, err))
		return false;
	if (w->n > 2 && strncasecmp(w->word[2], "start=", 6) != 0)
		return unexpected(w->word[2], "start=", err);
	if (w->n > 2 && read_place(w->word[2], &cmd->want, err) < 0)
		return false;
	return absolute_only(&cmd->want, err);
}

static bool parse_type(struct words *w, struct af_command *cmd, struct af_err *err)
{
	return read_type(w->word[2], cmd, err);
}

static bool parse_boot(struct words *w, struct af_command *cmd, struct af_err *err)
{
	return read_on_off(w->word[2], &cmd->on, err);
}

static bool parse_name(struct words *w, struct af_command *cmd, struct af_err *err)
{
	return read_name(w->word[2], cmd->text, err);
}

static bool parse_uuid(struct words *w, struct af_command *cmd, struct af_err *err)
{
	return strcasecmp(w->word[2], "new") == 0 || read_uuid(w->word[2], cmd->uuid, err);
}

/* "0x10bd10bc": the four bytes of an MBR's identifier, the most significant first. */
static bool read_mbr_id(const char *word, uint8_t out[16])
{
	size_t n = strlen(word);
	uint32_t value = 0;
	if (n < 3 || n > 10 || word[0] != '0' || (word[1] | 0x20) != 'x')
		return false;
	for (size_t i = 2; i < n; i++) {
		int digit = hex_digit(word[i]);
		if (digit < 0)
			return false;
		value = value << 4 | (uint32_t)digit; /* 0 to 15 */
	}
	for (size_t i = 0; i < 4; i++)
		out[i] = (uint8_t)(value >> (24 - 8 * i) & 0xff);
	return true;
}

static bool parse_id(struct words *w, struct af_command *cmd, struct af_err *err)
{
	struct af_err ignored;
	if (strcasecmp(w->word[1], "new") == 0)
		return true;
	cmd->scheme = AF_SCHEME_MBR;
	if (read_mbr_id(w->word[1], cmd->uuid))
		return true;
	cmd->scheme = AF_SCHEME_GPT;
	return read_uuid(w->word[1], cmd->uuid, &ignored) ||
	       unexpected(w->word[1],
			  "new, or the identifier of a disk such as 0x10bd10bc (dos) or a "
			  "UUID (gpt)",
			  err);
}

static bool parse_attr(struct words *w, struct af_command *cmd, struct af_err *err)
{
	if (!af_command_attr(w->word[2], &cmd->bit))
		return unexpected(
			w->word[2],
			"RequiredPartition, NoBlockIOProtocol, LegacyBIOSBootable "
			"or a number from 0 to 63",
			err);
	return read_on_off(w->word[3], &cmd->on, err);
}

static bool parse_nothing(struct words *w, struct af_command *cmd, struct af_err *err)
{
	(void)w;
	(void)cmd;
	(void)err;
	return true;
}

/* Who reads the words of a verb, and how many they are with all it needs and at the most. */
struct verb {
	bool (*parse)(struct words *w, struct af_command *cmd, struct af_err *err);
	size_t words, words_max;
	bool has_number; /* the word behind the verb is a partition's number */
};

static const struct verb verb_table[AF_VERBS] = {
	[AF_VERB_LABEL] = { parse_label, 2, 2, false },
	[AF_VERB_NEW] = { parse_new, 1, WORDS_MAX, false },
	[AF_VERB_DELETE] = { parse_nothing, 2, 2, true },
	[AF_VERB_RESIZE] = { parse_resize, 2, WORDS_MAX, true },
	[AF_VERB_MOVE] = { parse_move, 2, WORDS_MAX, true },
	[AF_VERB_ALIGN] = { parse_align, 2, 3, false },
	[AF_VERB_TYPE] = { parse_type, 3, 3, true },
	[AF_VERB_BOOT] = { parse_boot, 3, 3, true },
	[AF_VERB_NAME] = { parse_name, 3, 3, true },
	[AF_VERB_UUID] = { parse_uuid, 3, 3, true },
	[AF_VERB_ATTR] = { parse_attr, 4, 4, true },
	[AF_VERB_SORT] = { parse_nothing, 1, 1, false },
	[AF_VERB_CONVERT] = { parse_label, 2, 2, false },
	[AF_VERB_REPAIR] = { parse_nothing, 1, 1, false },
	[AF_VERB_HYBRID] = { parse_hybrid, 2, 2, false },
	[AF_VERB_ID] = { parse_id, 2, 2, false },
	[AF_VERB_PLAN] = { parse_plan, 2, 3, false },
	[AF_VERB_UNDO] = { parse_nothing, 1, 1, false },
	[AF_VERB_REDO] = { parse_nothing, 1, 1, false },
};

/* The verb of a word; false if it is none. */
static bool find_verb(const char *word, enum af_verb *out)
{
	for (int v = 0; v < AF_VERBS; v++)
		if (strcasecmp(af_command_info((enum af_verb)v)->word, word) == 0) {
			*out = (enum af_verb)v; /* one of the list */
			return true;
		}
	return false;
}

static bool not_a_verb(const char *word, struct af_err *err)
{
	struct af_text names = { 0 };
	for (int v = 0; v < AF_VERBS; v++)
		af_text_add(&names, "%s%s",
			    v == 0             ? ""
			    : v < AF_VERBS - 1 ? ", "
					       : " or ",
			    af_command_info((enum af_verb)v)->word); /* one of the list */
	(void)unexpected(word, af_text_get(&names), err);
	af_text_release(&names);
	return false;
}

static bool parse_arguments(struct words *w, struct af_command *cmd, struct af_err *err)
{
	const struct verb *v = &verb_table[cmd->verb];
	const char *usage = af_command_info(cmd->verb)->usage;
	if (v->has_number && w->n > 1 && !read_number(w->word[1], &cmd->number, err))
		return false;
	if (w->n < v->words)
		return missing(usage, err);
	if (w->n > v->words_max)
		return too_much(w->word[v->words_max], usage, err);
	return v->parse(w, cmd, err);
}

static bool parse_words(struct words *w, struct af_command *out, struct af_err *err)
{
	struct af_command cmd = { 0 };
	if (!find_verb(w->word[0], &cmd.verb))
		return not_a_verb(w->word[0], err);
	if (!parse_arguments(w, &cmd, err))
		return af_fail_within(err, "%s", af_command_info(cmd.verb)->word);
	*out = cmd;
	return true;
}

int af_command_next(const char **text, struct af_command *out, struct af_err *err)
{
	struct words w;
	const char *p = *text;
	do {
		if (*p == '\0') {
			*text = p;
			return 0;
		}
		if (!read_words(&p, &w, err))
			return -1;
	} while (w.n == 0);
	if (!parse_words(&w, out, err))
		return -1;
	*text = p;
	return 1;
}

bool af_command_attr(const char *word, unsigned *bit)
{
	static const char *const name_table[] = { "RequiredPartition", "NoBlockIOProtocol",
						  "LegacyBIOSBootable" };
	for (unsigned i = 0; i < sizeof(name_table) / sizeof(name_table[0]); i++)
		if (strcasecmp(word, name_table[i]) == 0) {
			*bit = i;
			return true;
		}
	uint32_t number = 0;
	if (!whole_number(word, 0, 63, &number))
		return false;
	*bit = number;
	return true;
}
