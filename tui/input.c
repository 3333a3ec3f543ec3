/*
 * The line editor: text, cursor, keys. Works in whole characters; a mark goes with the letter that it is on
 * only as far as the screen is concerned, Backspace takes one code point at a time.
 */
#include "input.h"

#include <string.h>

#include "keys.h"

/* Bytes of the character that begins at s (valid UTF-8). */
static size_t char_len(const char *s)
{
	size_t n = 1;
	while (((unsigned char)s[n] & 0xc0) == 0x80) /* a continuation byte */
		n++;
	return *s == '\0' ? 0 : n;
}

static size_t char_before(const struct ui_input *in)
{
	size_t at = in->cursor;
	while (at > 0 &&
	       ((unsigned char)in->text[--at] & 0xc0) == 0x80) /* a continuation byte */
		;
	return at;
}

static size_t encode(int key, char out[4])
{
	const uint32_t code = (uint32_t)key; /* a code point: 0 to 0x10ffff */
	const size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	for (size_t i = n; i-- > 1;)
		out[i] = (char)(0x80U | (code >> (6 * (n - 1 - i)) & 0x3fU));
	out[0] = (char)(lead[n] | code >> (6 * (n - 1)));
	return n;
}

static bool cut(struct ui_input *in, size_t from, size_t to)
{
	memmove(in->text + from, in->text + to, in->len - to + 1);
	in->len -= to - from;
	in->cursor = from;
	return to > from;
}

static bool insert(struct ui_input *in, int key)
{
	char bytes[4];
	const size_t n = encode(key, bytes);
	if (in->fresh)
		cut(in, 0, in->len);
	if (in->len + n >= sizeof(in->text))
		return false;
	memmove(in->text + in->cursor + n, in->text + in->cursor, in->len - in->cursor + 1);
	memcpy(in->text + in->cursor, bytes, n);
	in->len += n;
	in->cursor += n;
	return true;
}

static size_t word_before(const struct ui_input *in)
{
	size_t at = in->cursor;
	while (at > 0 && in->text[at - 1] == ' ')
		at--;
	while (at > 0 && in->text[at - 1] != ' ')
		at--;
	return at;
}

void ui_input_set(struct ui_input *in, const char *text)
{
	af_text_clean(text, in->text, sizeof(in->text));
	in->len = strlen(in->text);
	in->cursor = in->len;
	in->fresh = true;
}

static bool edit_key(struct ui_input *in, int key, bool *changed)
{
	switch (key) {
	case UI_KEY_BACKSPACE:
		*changed = cut(in, char_before(in), in->cursor);
		return true;
	case UI_KEY_DELETE:
		*changed =
			cut(in, in->cursor, in->cursor + char_len(in->text + in->cursor));
		return true;
	case UI_KEY_CTRL('U'):
		*changed = cut(in, 0, in->len);
		return true;
	case UI_KEY_CTRL('W'):
		*changed = cut(in, word_before(in), in->cursor);
		return true;
	case UI_KEY_LEFT:
		in->cursor = char_before(in);
		return true;
	case UI_KEY_RIGHT:
		in->cursor += char_len(in->text + in->cursor);
		return true;
	case UI_KEY_HOME:
		in->cursor = 0;
		return true;
	case UI_KEY_END:
		in->cursor = in->len;
		return true;
	default:
		return false;
	}
}

bool ui_input_key(struct ui_input *in, int key, bool *changed)
{
	*changed = false;
	bool used = true;
	if (ui_key_is_text(key))
		*changed = insert(in, key);
	else
		used = edit_key(in, key, changed);
	if (used)
		in->fresh = false;
	return used;
}

/* Columns of the first n bytes. */
static int columns(const struct ui_input *in, size_t n)
{
	char head[sizeof(in->text)];
	memcpy(head, in->text, n);
	head[n] = '\0';
	return ui_canvas_width(head);
}

void ui_input_draw(const struct ui_input *in, struct ui_canvas *c, struct ui_rect at,
		   bool active)
{
	size_t from = 0;
	while (columns(in, in->cursor) - columns(in, from) >= at.cols && from < in->cursor)
		from += char_len(in->text + from);
	ui_canvas_fill(c, at.row, at.col, at.cols, UI_ROLE_FIELD, " ");
	ui_canvas_text(c, at.row, at.col, at.cols, UI_ROLE_FIELD, in->text + from);
	if (active)
		ui_canvas_role(c, at.row,
			       at.col + columns(in, in->cursor) - columns(in, from), 1,
			       UI_ROLE_SELECTED);
}
