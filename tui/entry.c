/*
 * The entry of a partition, one line a field. Each change is a command of its own, so that Ctrl-Z takes back one at a
 * time. What the bits of a type mean is said by that type's owner: the UEFI specification (0 to 2),
 * Microsoft's documentation of PARTITION_INFORMATION_GPT, the Discoverable Partitions Specification, and ChromiumOS's
 * disk format.
 */
#include "entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "form.h"

enum { NAME, UUID, DISK_ID, FIRST_BIT };

#define COMMON_BITS 3
#define TYPE_BIT    48 /* from here on bits belong to the type */
#define FIELDS      (FIRST_BIT + COMMON_BITS + 64 - TYPE_BIT)

struct entry {
	uint32_t id; /* of the partition */
	int at, top, page;
};

struct bit_row {
	unsigned bit;
	const char *type; /* the beginning of its GUID; "": of every type */
	const char *word;
};

static const struct bit_row bit_table[] = {
	{ 0, "", "RequiredPartition: the machine needs it, leave it alone" },
	{ 1, "", "NoBlockIOProtocol: the firmware does not look inside" },
	{ 2, "", "LegacyBIOSBootable: an old BIOS boot loader starts here" },
	{ 60, "EBD0A0A2", "read-only (Windows)" },
	{ 61, "EBD0A0A2", "shadow copy of another partition (Windows)" },
	{ 62, "EBD0A0A2", "hidden (Windows)" },
	{ 63, "EBD0A0A2", "no drive letter (Windows)" },
	{ 60, "DE94BBA4", "read-only (Windows)" },
	{ 62, "DE94BBA4", "hidden (Windows)" },
	{ 63, "DE94BBA4", "no drive letter (Windows)" },
	{ 48, "FE3A2A5D", "priority, lowest bit (ChromeOS)" },
	{ 49, "FE3A2A5D", "priority (ChromeOS)" },
	{ 50, "FE3A2A5D", "priority (ChromeOS)" },
	{ 51, "FE3A2A5D", "priority, highest bit (ChromeOS)" },
	{ 52, "FE3A2A5D", "tries left, lowest bit (ChromeOS)" },
	{ 53, "FE3A2A5D", "tries left (ChromeOS)" },
	{ 54, "FE3A2A5D", "tries left (ChromeOS)" },
	{ 55, "FE3A2A5D", "tries left, highest bit (ChromeOS)" },
	{ 56, "FE3A2A5D", "started well (ChromeOS)" },
	{ 59, "", "grow the file system when it is mounted (systemd)" },
	{ 60, "", "mount it read-only (systemd)" },
	{ 63, "", "do not mount it by itself (systemd)" },
};

/* True of the types whose bits mean something of their own. */
static bool has_own_bits(const char *guid)
{
	for (size_t i = 0; i < sizeof(bit_table) / sizeof(bit_table[0]); i++)
		if (*bit_table[i].type && strncmp(guid, bit_table[i].type, 8) == 0)
			return true;
	return false;
}

static const char *bit_word(unsigned bit, const char *guid)
{
	const bool own = has_own_bits(guid) && bit >= TYPE_BIT;
	for (size_t i = 0; i < sizeof(bit_table) / sizeof(bit_table[0]); i++) {
		const struct bit_row *row = &bit_table[i];
		const bool fits = own ? *row->type && strncmp(guid, row->type, 8) == 0
				      : *row->type == '\0';
		if (row->bit == bit && fits)
			return row->word;
	}
	return "";
}

/* The bit of a field: the common ones, then those of the type, first the ones that mean something. */
static unsigned bit_of(int field, const char *guid)
{
	int n = field - FIRST_BIT;
	if (n < COMMON_BITS)
		return (unsigned)n; /* of a bit: not negative */
	n -= COMMON_BITS;
	for (int named = 1; named >= 0; named--)
		for (unsigned bit = TYPE_BIT; bit < 64; bit++)
			if ((*bit_word(bit, guid) != '\0') == named && n-- == 0)
				return bit;
	return 63;
}

static const struct af_part *part_of(const struct ui_app *app, const struct entry *s)
{
	return af_layout_find(app->picture.disk.layout, s->id);
}

/* --- drawing ------------------------------------------------------------------------------------------- */

static void field_text(const struct ui_app *app, const struct af_part *part, int field,
		       char *text, size_t size)
{
	const struct af_layout *l = app->picture.disk.layout;
	char value[40];
	switch (field) {
	case NAME:
		snprintf(text, size, "Name              %s",
			 part->name[0] ? part->name : "(none)");
		return;
	case UUID:
		af_scheme_uuid_text(part->uuid, value);
		snprintf(text, size, "UUID              %s", value);
		return;
	case DISK_ID:
		af_scheme_id_text(l->scheme, l->disk_id, value);
		snprintf(text, size, "Disk identifier   %s", value);
		return;
	default:
		af_scheme_type_text(l->scheme, part->type, value);
		const unsigned bit = bit_of(field, value);
		snprintf(text, size, "[%c] attribute %2u  %s",
			 part->attrs >> bit & 1 ? 'x' : ' ', bit, bit_word(bit, value));
		return;
	}
}

static void draw_rows(const struct ui_app *app, struct entry *s, struct ui_canvas *c,
		      struct ui_rect r)
{
	const struct af_part *part = part_of(app, s);
	char text[240];
	s->page = r.rows;
	if (s->at < s->top)
		s->top = s->at;
	if (s->at >= s->top + r.rows)
		s->top = s->at - r.rows + 1;
	for (int i = 0; part && i < r.rows && s->top + i < FIELDS; i++) {
		const enum ui_role role =
			s->top + i == s->at ? UI_ROLE_SELECTED : UI_ROLE_TEXT;
		field_text(app, part, s->top + i, text, sizeof(text));
		ui_canvas_fill(c, r.row + i, r.col, r.cols, role, " ");
		ui_canvas_text(c, r.row + i, r.col + 1, r.cols - 2, role, text);
	}
	if (s->top > 0)
		ui_canvas_glyph(c, r.row, r.col + r.cols, 1, UI_ROLE_KEY, UI_GLYPH_MORE_UP);
	if (s->top + r.rows < FIELDS)
		ui_canvas_glyph(c, r.row + r.rows - 1, r.col + r.cols, 1, UI_ROLE_KEY,
				UI_GLYPH_MORE_DOWN);
}

static void draw(struct ui_app *app, void *state, struct ui_canvas *c)
{
	struct entry *s = state;
	const struct af_part *part = part_of(app, s);
	const int cols = c->cols, most = c->rows - UI_FOOT_ROWS - 2;
	const int rows = most < FIELDS + 2 ? most : FIELDS + 2;
	const struct ui_rect box = { 1, 0, rows, cols };
	char name[60] = "", title[100];
	if (part)
		ui_app_part_name(app, part->number, name, sizeof(name));
	snprintf(title, sizeof(title), "Entry of %s", name);
	ui_form_foot(c, s->at < FIRST_BIT ? "Up Down: select  Enter: change it  Esc: back"
					  : "Up Down: select  Space: switch it  Esc: back");
	ui_canvas_box(c, box, UI_ROLE_TEXT, title);
	draw_rows(app, s, c,
		  (struct ui_rect){ box.row + 1, box.col + 1, rows - 2, cols - 2 });
}

/* --- changing ------------------------------------------------------------------------------------------ */

/* Answers are about the selected partition: the selection stays while its entry is shown. */

static void name_given(struct ui_app *app, const char *text)
{
	const struct af_part *part = ui_app_part(app);
	struct af_command cmd = { .verb = AF_VERB_NAME };
	if (!part)
		return;
	if (strlen(text) >= sizeof(cmd.text)) {
		ui_app_say(app, UI_ROLE_BAD, "a name has at most 36 characters");
		return;
	}
	cmd.number = part->number;
	snprintf(cmd.text, sizeof(cmd.text), "%s", text);
	ui_app_do(app, &cmd);
}

/* Does "VERB VALUE", where the value is one word of letters, digits and hyphens. */
static void do_with(struct ui_app *app, const char *verb, const char *value)
{
	struct af_command cmd;
	struct af_err err = { 0 };
	char text[200];
	const char *at = text;
	if (value[0] == '\0')
		return;
	snprintf(text, sizeof(text), "%s '%.60s'", verb, value);
	if (strchr(value, '\'') || af_command_next(&at, &cmd, &err) != 1)
		ui_app_say(app, UI_ROLE_BAD, "%s",
			   err.text[0] ? err.text : "a quote is in no identifier");
	else
		ui_app_do(app, &cmd);
}

static void uuid_given(struct ui_app *app, const char *text)
{
	const struct af_part *part = ui_app_part(app);
	char verb[40];
	if (!part)
		return;
	snprintf(verb, sizeof(verb), "uuid %" PRIu32, part->number);
	do_with(app, verb, text);
}

static void id_given(struct ui_app *app, const char *text)
{
	do_with(app, "id", text);
}

static void ask_name(struct ui_app *app)
{
	const struct ui_line_form form = {
		.question = "Name:",
		.hint = "Enter: take it  Esc: leave it  At most 36 characters, or none",
		.initial = ui_app_part(app)->name,
		.done = name_given,
	};
	ui_form_line(app, &form);
}

static void ask_uuid(struct ui_app *app)
{
	char uuid[40];
	af_scheme_uuid_text(ui_app_part(app)->uuid, uuid);
	const struct ui_line_form form = {
		.question = "UUID of the partition:",
		.hint = "Enter: take it  Esc: leave it  The word new makes a fresh one",
		.initial = uuid,
		.done = uuid_given,
	};
	ui_form_line(app, &form);
}

static void ask_id(struct ui_app *app)
{
	const struct af_layout *l = app->picture.disk.layout;
	char id[40];
	af_scheme_id_text(l->scheme, l->disk_id, id);
	const struct ui_line_form form = {
		.question = "Identifier of the disk:",
		.hint = "Enter: take it  Esc: leave it  The word new makes a fresh one",
		.initial = id,
		.done = id_given,
	};
	ui_form_line(app, &form);
}

static void change(struct ui_app *app, const struct entry *s)
{
	const struct af_part *part = part_of(app, s);
	if (!part)
		return;
	if (s->at == NAME) {
		ask_name(app);
	} else if (s->at == UUID) {
		ask_uuid(app);
	} else if (s->at == DISK_ID) {
		ask_id(app);
	} else {
		struct af_command cmd = { .verb = AF_VERB_ATTR, .number = part->number };
		char guid[40];
		af_scheme_type_text(AF_SCHEME_GPT, part->type, guid);
		cmd.bit = bit_of(s->at, guid);
		cmd.on = !(part->attrs >> cmd.bit & 1);
		ui_app_do(app, &cmd);
	}
}

static void move(struct entry *s, int key)
{
	const int page = s->page > 1 ? s->page : 1;
	if (key == UI_KEY_UP || key == 'k')
		s->at--;
	else if (key == UI_KEY_DOWN || key == 'j')
		s->at++;
	else if (key == UI_KEY_PAGE_UP)
		s->at -= page;
	else if (key == UI_KEY_PAGE_DOWN)
		s->at += page;
	else if (key == UI_KEY_HOME)
		s->at = 0;
	else if (key == UI_KEY_END)
		s->at = FIELDS - 1;
	s->at = s->at < 0 ? 0 : s->at >= FIELDS ? FIELDS - 1 : s->at;
}

/* Undo and redo as on the main screen; without its partition the entry is gone. */
static void step(struct ui_app *app, const struct entry *s, int pressed)
{
	const uint32_t id = s->id;
	ui_disk_act(app, pressed == UI_KEY_CTRL('Z') ? UI_DO_UNDO : UI_DO_REDO);
	if (part_of(app, s))
		ui_picture_rows(&app->picture, id);
	else
		ui_app_pop(app);
}

static void key(struct ui_app *app, void *state, int pressed)
{
	struct entry *s = state;
	if (pressed == UI_KEY_ESCAPE || pressed == UI_KEY_CTRL('C') || pressed == 'q')
		ui_app_pop(app);
	else if (pressed == UI_KEY_ENTER || pressed == ' ')
		change(app, s);
	else if (pressed == UI_KEY_CTRL('Z') || pressed == UI_KEY_CTRL('Y'))
		step(app, s, pressed);
	else
		move(s, pressed);
}

static void close(struct ui_app *app, void *state)
{
	(void)app;
	free(state);
}

static const struct ui_view entry_view = {
	.name = "entry", .draw = draw, .key = key, .close = close
};

void ui_entry_open(struct ui_app *app)
{
	const struct af_part *part = ui_app_part(app);
	if (!part || app->picture.disk.layout->scheme != AF_SCHEME_GPT) {
		ask_id(app);
		return;
	}
	struct entry *s = af_alloc(1, sizeof(*s));
	s->id = part->id;
	ui_app_push(app, &entry_view, s);
}
