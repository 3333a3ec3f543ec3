/*
 * From the reports of a terminal to events, and from a place in a line of hints to the key that is named there. In such
 * a line a meaning stands behind its keys and a colon, and two spaces stand before the next keys: "Esc q: back  h: help".
 */
#include "mouse.h"

#include <stdlib.h>
#include <string.h>

#include "keys.h"

/* The bits of a report. */
enum { BUTTON = 3, MODIFIERS = 4 + 8 + 16, MOVED = 32, WHEEL = 64, MORE_BUTTONS = 128 };

static bool decode(long code, bool down, struct ui_mouse *out)
{
	const long what = code & ~(long)MODIFIERS;
	if (what == WHEEL || what == WHEEL + 1)
		out->kind = what == WHEEL ? UI_MOUSE_WHEEL_UP : UI_MOUSE_WHEEL_DOWN;
	else if (what == 0)
		out->kind = down ? UI_MOUSE_PRESS : UI_MOUSE_RELEASE;
	else if (what == MOVED)
		out->kind = UI_MOUSE_DRAG;
	else
		return false;
	return true;
}

/* A number of one to five digits, and what must stand behind it. */
static bool read_number(const char **at, const char *ends, long *out)
{
	const size_t digits = strspn(*at, "0123456789");
	const char *end = *at + digits;
	if (digits == 0 || digits > 5 || *end == '\0' || !strchr(ends, *end))
		return false;
	*out = strtol(*at, NULL, 10);
	*at = end + 1;
	return true;
}

bool ui_mouse_read(const char *report, struct ui_mouse *out)
{
	long code, col, row;
	if (!read_number(&report, ";", &code) || !read_number(&report, ";", &col) ||
	    !read_number(&report, "Mm", &row) || *report || row < 1 || col < 1)
		return false;
	out->row = (int)row - 1; /* of five digits at most */
	out->col = (int)col - 1;
	return decode(code, report[-1] == 'M', out);
}

bool ui_mouse_read_old(const unsigned char report[3], struct ui_mouse *out)
{
	if (report[0] < 32 || report[1] < 33 || report[2] < 33)
		return false;
	const int code = report[0] - 32;
	out->col = report[1] - 33;
	out->row = report[2] - 33;
	if ((code & ~MODIFIERS) == BUTTON) { /* some button was released */
		out->kind = UI_MOUSE_RELEASE;
		return true;
	}
	return decode(code, true, out);
}

/* --- keys in a line of hints --------------------------------------------------------------------------- */

/* A line as one character a column: all that a key's name can be made of is ASCII. */
static char *line_of(const struct ui_canvas *c, int row)
{
	char *line = af_alloc((size_t)c->cols + 1, 1);
	for (int i = 0; i < c->cols; i++) {
		const struct ui_cell *cell = &c->cell[row * c->cols + i];
		line[i] = cell->text[0];
		if (cell->width != 1 || cell->text[1])
			line[i] = '?';
	}
	return line;
}

static bool is_gap(const char *at)
{
	return at[0] == '\0' || (at[0] == ' ' && (at[1] == ' ' || at[1] == '\0'));
}

/* The key named by the n characters at word. */
static int key_named(const char *word, size_t n)
{
	char name[12];
	if (n == 0 || n >= sizeof(name))
		return UI_KEY_NONE;
	memcpy(name, word, n);
	name[n] = '\0';
	return ui_key_parse(name);
}

/* Of the keys named between from and end the one at which at points, else the first; none if one word is no key. */
static int key_among(const char *from, const char *end, const char *at)
{
	int found = UI_KEY_NONE;
	for (const char *word = from; word < end;) {
		size_t n = 0;
		while (word + n < end && word[n] != ' ')
			n++;
		const int key = key_named(word, n);
		if (key == UI_KEY_NONE)
			return UI_KEY_NONE;
		if (word == from || (at >= word && at < word + n))
			found = key;
		word += n + 1;
	}
	return found;
}

/* The beginning of the words between wide spaces that at points into; at is no such space. */
static const char *begin_of(const char *line, const char *at)
{
	while (at > line && !(at[-1] == ' ' && (at - 1 == line || at[-2] == ' ')))
		at--;
	return at;
}

int ui_mouse_key_at(const struct ui_canvas *seen, int row, int col)
{
	if (row < 0 || row >= seen->rows || col < 0 || col >= seen->cols)
		return UI_KEY_NONE;
	char *line = line_of(seen, row);
	int key = UI_KEY_NONE;
	if (!is_gap(line + col)) {
		const char *from = begin_of(line, line + col), *end = from;
		while (!is_gap(end) && *end != ':')
			end++;
		if (*end == ':')
			key = key_among(from, end, line + col);
	}
	free(line);
	return key;
}
