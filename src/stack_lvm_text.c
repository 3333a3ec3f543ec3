/*
 * stack_lvm_text.c - LVM2's text of a volume group: sections in braces, in them "name = value" where a value is a number, a text
 * in quotes or a list of these in brackets, and comments from # on (lvm2, lib/config). Nothing is kept of it
 * but the few numbers that are asked for; what is longer than expected is cut and then fits nothing.
 */
#include "stack_lvm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 6
#define WORD_MAX  64

enum token { END, WORD, TEXT, SIGN };

struct reader {
	const char *at, *end;
	char word[WORD_MAX]; /* of the last token; a sign is its only character */
	char section[DEPTH_MAX][WORD_MAX];
	size_t depth;
	struct stack_lvm_group *group;
	bool in_pv, in_lv; /* the section is that of the one asked for */
	char stripe[WORD_MAX];
};

static void skip_blanks(struct reader *r)
{
	bool comment = false;

	for (; r->at < r->end; r->at++) {
		if (*r->at == '#')
			comment = true;
		else if (*r->at == '\n')
			comment = false;
		else if (!comment && !strchr(" \t\r", *r->at))
			return;
	}
}

static void keep(struct reader *r, size_t *n, char c)
{
	if (*n + 1 < sizeof(r->word))
		r->word[(*n)++] = c;
}

/* Up to the quote that ends it. */
static enum token read_text(struct reader *r)
{
	size_t n = 0;

	for (r->at++; r->at < r->end && *r->at != '"'; r->at++) {
		if (*r->at == '\\' && r->at + 1 < r->end)
			r->at++;
		keep(r, &n, *r->at);
	}
	r->word[n] = '\0';
	if (r->at == r->end)
		return END;
	r->at++;
	return TEXT;
}

static enum token next(struct reader *r)
{
	size_t n = 0;

	skip_blanks(r);
	if (r->at == r->end || !*r->at)
		return END;
	if (*r->at == '"')
		return read_text(r);
	if (strchr("{}[]=,", *r->at)) {
		r->word[0] = *r->at++;
		r->word[1] = '\0';
		return SIGN;
	}
	for (; r->at < r->end && *r->at && !strchr(" \t\r\n{}[]=,\"#", *r->at); r->at++)
		keep(r, &n, *r->at);
	r->word[n] = '\0';
	return WORD;
}

static bool is_sign(const struct reader *r, enum token t, char c)
{
	return t == SIGN && r->word[0] == c;
}

/* True if a text with hyphens is that identifier. */
static bool is_id(const char *text, const char *id)
{
	for (; *text; text++) {
		if (*text == '-')
			continue;
		if (*text != *id)
			return false;
		id++;
	}
	return !*id;
}

static bool number(const char *word, uint64_t *out)
{
	if (!*word || strlen(word) > 18 || strspn(word, "0123456789") != strlen(word))
		return false;
	*out = strtoumax(word, NULL, 10);
	return true;
}

/* The section counted from the group's own is so called. */
static bool is_in(const struct reader *r, size_t depth, const char *name)
{
	return r->depth > depth && strcmp(r->section[depth], name) == 0;
}

static void take_pv(struct reader *r, const char *key, const char *value)
{
	struct stack_lvm_group *g = r->group;

	if (strcmp(key, "id") == 0) {
		r->in_pv = is_id(value, g->pv);
		if (r->in_pv)
			memcpy(g->pv_name, r->section[2], sizeof(g->pv_name));
	} else if (r->in_pv && strcmp(key, "pe_start") == 0) {
		(void)number(value, &g->pe_start);
	}
}

/* Only what is in one piece, or in one behind the other, can be followed: parts of mirrors and pools have names of their
 * own. Values of a list come one by one: "pv0", 5. */
static void take_segment(struct reader *r, const char *key, const char *value)
{
	struct stack_lvm_group *g = r->group;
	const bool first = strcmp(r->section[3], "segment1") == 0;
	uint64_t n = 0;

	if ((strcmp(key, "type") == 0 && strcmp(value, "striped") != 0) ||
	    (strcmp(key, "stripe_count") == 0 && strcmp(value, "1") != 0)) {
		r->in_lv = g->lv_here = false;
	} else if (first && strcmp(key, "stripes") == 0) {
		if (!number(value, &n)) {
			(void)snprintf(r->stripe, sizeof(r->stripe), "%s", value);
			return;
		}
		g->lv_here = strcmp(r->stripe, g->pv_name) == 0;
		g->lv_extent = n;
	}
}

static void take(struct reader *r, const char *key, const char *value)
{
	struct stack_lvm_group *g = r->group;

	if (r->depth == 1 && strcmp(key, "extent_size") == 0)
		(void)number(value, &g->extent);
	else if (r->depth == 3 && is_in(r, 1, "physical_volumes"))
		take_pv(r, key, value);
	else if (r->depth == 3 && is_in(r, 1, "logical_volumes") &&
		 strcmp(key, "id") == 0) {
		r->in_lv = g->lv[0] && is_id(value, g->lv);
	} else if (r->depth == 4 && is_in(r, 1, "logical_volumes") && r->in_lv)
		take_segment(r, key, value);
}

/* What follows "key =". */
static bool read_value(struct reader *r, const char *key)
{
	enum token t = next(r);

	if (!is_sign(r, t, '[')) {
		if (t == END || t == SIGN)
			return false;
		take(r, key, r->word);
		return true;
	}
	for (t = next(r); !is_sign(r, t, ']'); t = next(r)) {
		if (t == END || (t == SIGN && r->word[0] != ','))
			return false;
		if (t != SIGN)
			take(r, key, r->word);
	}
	return true;
}

/* One section's name, its end, or a value; false where the text makes no sense. */
static bool read_one(struct reader *r, enum token t)
{
	char key[WORD_MAX];

	if (is_sign(r, t, '}')) {
		if (r->depth == 0)
			return false;
		r->depth--;
		return true;
	}
	if (t != WORD)
		return false;
	memcpy(key, r->word, sizeof(key));
	t = next(r);
	if (is_sign(r, t, '='))
		return read_value(r, key);
	if (!is_sign(r, t, '{') || r->depth == DEPTH_MAX)
		return false;
	memcpy(r->section[r->depth++], key, sizeof(key));
	return true;
}

bool af_stack_lvm_text(const char *text, size_t n, struct stack_lvm_group *group)
{
	struct reader r = { .at = text, .end = text + n, .group = group };

	for (enum token t = next(&r); t != END; t = next(&r))
		if (!read_one(&r, t))
			return false;
	return r.depth == 0 && group->extent > 0;
}
