/*
 * From the list of actions to a table, and between keys and their names. Knows nothing of terminals: term.c
 * turns what arrives there into these keys, and tests write them by name.
 */
#include "keys.h"

#include <string.h>

static const struct ui_action_info info_table[UI_DO_COUNT] = {
#define X(action, group_, keys_, menu_, help_)                                             \
	[UI_DO_##action] = {                                                               \
		.group = (group_), .keys = (keys_), .menu = (menu_), .help = (help_)       \
	},
	UI_ACTIONS(X)
#undef X
};

struct name_row {
	const char *name;
	int key;
};

static const struct name_row name_table[] = {
	{ "Up", UI_KEY_UP },
	{ "Down", UI_KEY_DOWN },
	{ "Left", UI_KEY_LEFT },
	{ "Right", UI_KEY_RIGHT },
	{ "PgUp", UI_KEY_PAGE_UP },
	{ "PgDn", UI_KEY_PAGE_DOWN },
	{ "Home", UI_KEY_HOME },
	{ "End", UI_KEY_END },
	{ "Tab", UI_KEY_TAB },
	{ "Shift-Tab", UI_KEY_BACK_TAB },
	{ "Enter", UI_KEY_ENTER },
	{ "Esc", UI_KEY_ESCAPE },
	{ "Delete", UI_KEY_DELETE },
	{ "Backspace", UI_KEY_BACKSPACE },
	{ "Insert", UI_KEY_INSERT },
	{ "F1", UI_KEY_F1 },
	{ "Shift-Up", UI_KEY_SHIFT_UP },
	{ "Shift-Down", UI_KEY_SHIFT_DOWN },
	{ "Shift-Left", UI_KEY_SHIFT_LEFT },
	{ "Shift-Right", UI_KEY_SHIFT_RIGHT },
	{ "Space", ' ' },
};

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && strncmp(text, word, len) == 0;
}

int ui_key_parse(const char *name)
{
	const size_t len = strcspn(name, " ");
	if (len == 1)
		return (unsigned char)name[0]; /* the code of an ASCII character */
	for (size_t i = 0; i < sizeof(name_table) / sizeof(name_table[0]); i++)
		if (is_word(name, len, name_table[i].name))
			return name_table[i].key;
	if (len == 6 && strncmp(name, "Ctrl-", 5) == 0 && name[5] >= 'A' && name[5] <= 'Z')
		return UI_KEY_CTRL(name[5]);
	return UI_KEY_NONE;
}

const struct ui_action_info *ui_action_info(enum ui_action a)
{
	return &info_table[a];
}

static const struct ui_view_keys view_table[] = {
#define X(where_, keys_, help_) { .where = (where_), .keys = (keys_), .help = (help_) },
	UI_VIEW_KEYS(X)
#undef X
};

const struct ui_view_keys *ui_view_keys(size_t i)
{
	return i < sizeof(view_table) / sizeof(view_table[0]) ? &view_table[i] : NULL;
}

static bool has_key(const char *keys, int key)
{
	while (*keys) {
		if (ui_key_parse(keys) == key)
			return true;
		keys += strcspn(keys, " ");
		keys += strspn(keys, " ");
	}
	return false;
}

enum ui_action ui_action_of_key(int key)
{
	for (enum ui_action a = 0; a < UI_DO_COUNT; a++)
		if (has_key(info_table[a].keys, key))
			return a;
	if (key >= 'A' && key <= 'Z')
		return ui_action_of_key(key - 'A' + 'a');
	return UI_DO_COUNT;
}

bool ui_key_is_text(int key)
{
	return key >= ' ' && key < UI_KEY_UP && !(key >= 0x7f && key < 0xa0);
}
