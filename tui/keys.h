/** keys.h - the one list of what a person can do on the main screen; keymap, menu, hints and help come from it. */
#ifndef UI_KEYS_H
#define UI_KEYS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key is a Unicode code point, or one of these. Ctrl-A is 1, ... */
enum {
	UI_KEY_NONE = 0,
	UI_KEY_TAB = 9,
	UI_KEY_ENTER = 13,
	UI_KEY_ESCAPE = 27,
	UI_KEY_UP = 0x110000, /* behind the last code point */
	UI_KEY_DOWN,
	UI_KEY_LEFT,
	UI_KEY_RIGHT,
	UI_KEY_PAGE_UP,
	UI_KEY_PAGE_DOWN,
	UI_KEY_HOME,
	UI_KEY_END,
	UI_KEY_BACK_TAB,
	UI_KEY_BACKSPACE,
	UI_KEY_DELETE,
	UI_KEY_INSERT,
	UI_KEY_F1,
	UI_KEY_SHIFT_UP,
	UI_KEY_SHIFT_DOWN,
	UI_KEY_SHIFT_LEFT,
	UI_KEY_SHIFT_RIGHT,
};

#define UI_KEY_CTRL(letter) ((letter)&0x1f)

/*        action      group    keys               menu      what it does (the hint and the help) */
#define UI_ACTIONS(X)                                                                      \
	X(UP, "Select", "Up k Ctrl-P", "", "select the row above")                         \
	X(DOWN, "Select", "Down j Ctrl-N", "", "select the row below")                     \
	X(PAGE_UP, "Select", "PgUp", "", "one page up")                                    \
	X(PAGE_DOWN, "Select", "PgDn", "", "one page down")                                \
	X(FIRST, "Select", "Home", "", "select the first row")                             \
	X(LAST, "Select", "End", "", "select the last row")                                \
	X(MENU_NEXT, "Select", "Tab Right", "", "next item of the menu")                   \
	X(MENU_BACK, "Select", "Shift-Tab Left", "", "item of the menu before this one")   \
	X(RUN, "Select", "Enter", "", "do what the selected item of the menu says")        \
	X(NEW, "Edit", "n Insert", "New", "make a partition in this free space")           \
	X(PLAN, "Edit", "p", "Plan",                                                       \
	  "fill this free space with a layout: dual boot, Linux, data, rescue")            \
	X(RESIZE, "Edit", "r", "Resize",                                                   \
	  "move the edges of this partition, by typing or by arrows")                      \
	X(TYPE, "Edit", "t", "Type", "change what this partition says it is for")          \
	X(ENTRY, "Edit", "e", "Entry",                                                     \
	  "name, UUID and attributes of the partition; identifier of the disk")            \
	X(BOOT, "Edit", "b", "Boot", "switch the boot flag of this partition on or off")   \
	X(ALIGN, "Edit", "a", "Align",                                                     \
	  "put this partition on the grain; A does so with all")                           \
	X(ALIGN_ALL, "Edit", "A", "",                                                      \
	  "put all partitions on the grain, in order and apart")                           \
	X(DELETE, "Edit", "d Delete", "Delete",                                            \
	  "delete this partition; Ctrl-Z brings it back")                                  \
	X(SORT, "Edit", "s", "Sort", "number the partitions in the order of their places") \
	X(REPAIR, "Edit", "R", "Repair",                                                   \
	  "make a damaged or displaced copy of the GPT good again")                        \
	X(UNDO, "Edit", "Ctrl-Z", "Undo", "take back the last edit")                       \
	X(REDO, "Edit", "Ctrl-Y", "Redo", "do again what was taken back")                  \
	X(LABEL, "Edit", "l", "Label",                                                     \
	  "start an empty partition table, or convert one that has partitions")            \
	X(LOAD, "Edit", "L", "Load", "make the table what an sfdisk script says")          \
	X(ZOOM_IN, "Look", "+ =", "", "zoom the bar in at the selected edge")              \
	X(ZOOM_OUT, "Look", "-", "", "zoom the bar out")                                   \
	X(ZOOM_ALL, "Look", "0", "", "show the whole disk in the bar")                     \
	X(EDGE_START, "Look", "[", "", "go to the start of the selected row")              \
	X(EDGE_END, "Look", "]", "", "go to the end of the selected row")                  \
	X(FACTS, "Look", "x", "",                                                          \
	  "extra facts of the selected row instead of the lens; once more: neither")       \
	X(UNITS, "Look", "i", "", "sizes for people, in sectors, or in bytes")             \
	X(MESSAGES, "Look", "M", "", "all messages so far, with their times")              \
	X(REDRAW, "Look", "Ctrl-L", "", "draw the screen anew")                            \
	X(REVIEW, "Disk", "v", "Review",                                                   \
	  "see the table on disk beside the table to be, and what a write does")           \
	X(WRITE, "Disk", "W", "Write", "review the changes, type yes, and write them")     \
	X(DUMP, "Disk", "u", "Dump", "save the table as an sfdisk script")                 \
	X(OPEN, "Disk", "o", "", "choose another disk, or an image by its path")           \
	X(HELP, "Program", "h ? F1", "Help", "all keys")                                   \
	X(QUIT, "Program", "q Ctrl-C", "Quit",                                             \
	  "leave; asks if there are changes that were not written")

/*        where    keys               what they do there; what can be typed or searched for needs no row */
#define UI_VIEW_KEYS(X)                                                                    \
	X("In New and Resize", "Up Down", "move the edge by one grain, mostly 1 MiB")      \
	X("In New and Resize", "< > Shift-Up Shift-Down",                                  \
	  "move it by one physical sector")                                                \
	X("In New and Resize", "PgUp PgDn", "move it by a sixteenth of the region")        \
	X("In New and Resize", "Home End", "move it as far as it goes")                    \
	X("In New and Resize", "Tab Shift-Tab", "go to the start, the end, the size")      \
	X("In New and Resize", "p l e",                                                    \
	  "New: make it primary, logical (the extended grows for it) or extended")         \
	X("In New and Resize", "=",                                                        \
	  "take sectors as they are typed, not rounded to the grain")                      \
	X("In New and Resize", "Enter", "do it")                                           \
	X("In New and Resize", "!",                                                        \
	  "let the edge past data that stops it: only the entry changes")                  \
	X("In a question", "Left Right Tab",                                               \
	  "select an answer; its first letter takes it")                                   \
	X("In a question", "Enter", "take the answer")                                     \
	X("In a question", "Esc Ctrl-C", "leave it, and all as it was")                    \
	X("In a line of text", "Left Right Home End", "move in it")                        \
	X("In a line of text", "Ctrl-U Ctrl-W", "delete all of it, or the word before")    \
	X("In a list or a long text", "Up Down PgUp PgDn", "select or scroll")             \
	X("In a list or a long text", "Esc", "go back")                                    \
	X("In an entry", "Enter Space", "change the field, switch the attribute")          \
	X("In the list of disks", "Enter", "open the selected one")                        \
	X("In the list of disks", "p / ~ .",                                               \
	  "type the path of an image; Tab completes it")                                   \
	X("In the list of disks", "r Ctrl-L", "list and read all disks again")             \
	X("In the list of disks", "Esc",                                                   \
	  "back to the disk that was open, with its changes")                              \
	X("In the review", "W", "write, after the word yes")

enum ui_action {
#define X(action, group, keys, menu, help) UI_DO_##action,
	UI_ACTIONS(X)
#undef X
		UI_DO_COUNT
};

/** One row of the list. */
struct ui_action_info {
	const char *group;
	const char *keys; /* names of keys, separated by spaces */
	const char *menu; /* the label in the menu, "" if it is not there */
	const char *help; /* one sentence without capital or period */
};

/** The row of an action. Borrowed. */
const struct ui_action_info *ui_action_info(enum ui_action a);

/** One row of the keys that count in other places than the main screen. */
struct ui_view_keys {
	const char *where, *keys, *help; /* as above; where is a heading */
};

/** The i-th row, those of one place together; NULL behind the last. Borrowed. */
const struct ui_view_keys *ui_view_keys(size_t i);

/** The action of a key; a capital letter without an action of its own counts as the small one. UI_DO_COUNT: none. */
enum ui_action ui_action_of_key(int key);

/** The key of a name as used in the list ("Up", "Ctrl-Z", "Enter", "n"), which ends at a space or NUL; UI_KEY_NONE
 *  if there is no such key. */
int ui_key_parse(const char *name);

/** True if the key is a character that can be typed into a field. */
bool ui_key_is_text(int key);
#endif
