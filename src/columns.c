/*
 * The columns of --list. Their names are those of sfdisk, with lsblk's for the same thing
 * as second ones; what stands in them is said as in the JSON of the contract, sectors and
 * inclusive ends. Knows nothing of how a table is drawn.
 */
#include "afdisk/columns.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

struct description {
	const char *name, *heading;
	enum af_column_kind kind;
	const char *meaning;
};

static const struct description column_table[AF_COLUMNS] = {
	[AF_COLUMN_DEVICE] = { "DEVICE", "Device", AF_COLUMN_TEXT,
			       "the partition, as Linux names it" },
	[AF_COLUMN_NUMBER] = { "NUMBER", "Number", AF_COLUMN_COUNT, "its number" },
	[AF_COLUMN_KIND] = { "KIND", "Kind", AF_COLUMN_TEXT,
			     "primary, extended, logical, gpt or nested" },
	[AF_COLUMN_BOOT] = { "BOOT", "Boot", AF_COLUMN_FLAG,
			     "* where the boot flag is set" },
	[AF_COLUMN_START] = { "START", "Start", AF_COLUMN_COUNT, "its first sector" },
	[AF_COLUMN_END] = { "END", "End", AF_COLUMN_COUNT, "its last sector" },
	[AF_COLUMN_SECTORS] = { "SECTORS", "Sectors", AF_COLUMN_COUNT,
				"how many sectors it has" },
	[AF_COLUMN_SIZE] = { "SIZE", "Size", AF_COLUMN_COUNT,
			     "its size; in JSON in bytes" },
	[AF_COLUMN_TYPE] = { "TYPE", "Type", AF_COLUMN_TEXT, "its type by name" },
	[AF_COLUMN_ID] = { "ID", "Id", AF_COLUMN_TEXT, "its type as a script gives it" },
	[AF_COLUMN_TYPE_UUID] = { "TYPE-UUID", "Type-UUID", AF_COLUMN_TEXT,
				  "the same, under sfdisk's name for it on a GPT" },
	[AF_COLUMN_NAME] = { "NAME", "Name", AF_COLUMN_TEXT, "its name (GPT)" },
	[AF_COLUMN_UUID] = { "UUID", "UUID", AF_COLUMN_TEXT,
			     "its UUID; on an MBR the one that Linux makes up" },
	[AF_COLUMN_ATTRS] = { "ATTRS", "Attrs", AF_COLUMN_TEXT, "its attributes (GPT)" },
	[AF_COLUMN_FS] = { "FS", "FS", AF_COLUMN_TEXT, "what is inside" },
	[AF_COLUMN_LABEL] = { "LABEL", "Label", AF_COLUMN_TEXT,
			      "the label of what is inside" },
	[AF_COLUMN_FS_UUID] = { "FS-UUID", "FS-UUID", AF_COLUMN_TEXT,
				"the UUID of what is inside" },
	[AF_COLUMN_STATUS] = { "STATUS", "Status", AF_COLUMN_TEXT, "how it is aligned" },
	[AF_COLUMN_START_OFF] = { "START-OFF", "Start-off", AF_COLUMN_COUNT,
				  "sectors from the boundary below to its start" },
	[AF_COLUMN_END_OFF] = { "END-OFF", "End-off", AF_COLUMN_COUNT,
				"sectors from the boundary below to its end" },
	[AF_COLUMN_PADDING] = { "PADDING", "Padding", AF_COLUMN_COUNT,
				"sectors of padding in front of it" },
	[AF_COLUMN_EBR] = { "EBR", "EBR", AF_COLUMN_COUNT,
			    "the sector of a logical partition's EBR" },
	[AF_COLUMN_MOUNTPOINTS] = { "MOUNTPOINTS", "Mountpoints", AF_COLUMN_TEXT,
				    "where it is mounted" },
	[AF_COLUMN_USE] = { "USE", "Use", AF_COLUMN_TEXT, "who uses it now, mounts too" },
};

/* lsblk's names. */
static const struct {
	const char *name;
	enum af_column column;
} alias_table[] = {
	{ "PARTN", AF_COLUMN_NUMBER },       { "FSTYPE", AF_COLUMN_FS },
	{ "PARTTYPE", AF_COLUMN_TYPE_UUID }, { "PARTTYPENAME", AF_COLUMN_TYPE },
	{ "PARTLABEL", AF_COLUMN_NAME },     { "PARTUUID", AF_COLUMN_UUID },
	{ "PARTFLAGS", AF_COLUMN_ATTRS },    { "MOUNTPOINT", AF_COLUMN_MOUNTPOINTS },
};

#define ALIASES (sizeof(alias_table) / sizeof(alias_table[0]))

struct af_columns af_columns_usual(void)
{
	return (struct af_columns){
		.show = { AF_COLUMN_DEVICE, AF_COLUMN_BOOT, AF_COLUMN_START, AF_COLUMN_END,
			  AF_COLUMN_SECTORS, AF_COLUMN_SIZE, AF_COLUMN_TYPE, AF_COLUMN_FS,
			  AF_COLUMN_STATUS },
		.n = 9,
	};
}

/* The column that n characters of word mean, AF_COLUMNS if there is none. */
static enum af_column find(const char *word, size_t n)
{
	for (size_t i = 0; i < AF_COLUMNS; i++)
		if (strlen(column_table[i].name) == n &&
		    strncasecmp(column_table[i].name, word, n) == 0)
			return (enum af_column)i; /* one of the table */
	for (size_t i = 0; i < ALIASES; i++)
		if (strlen(alias_table[i].name) == n &&
		    strncasecmp(alias_table[i].name, word, n) == 0)
			return alias_table[i].column;
	return AF_COLUMNS;
}

static bool has(const struct af_columns *c, enum af_column column)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->show[i] == column)
			return true;
	return false;
}

static bool refuse(const char *word, size_t n, struct af_err *err)
{
	struct af_text names = { 0 };
	int len = n < 80 ? (int)n : 80;
	for (size_t i = 0; i < AF_COLUMNS; i++)
		af_text_add(&names, "%s%s", i > 0 ? " " : "", column_table[i].name);
	(void)af_fail(err, AF_E_USAGE, "\"%.*s\" is not a column of --list: %s are", len,
		      word, af_text_get(&names));
	af_text_release(&names);
	return false;
}

bool af_columns_read(const char *list, struct af_columns *out, struct af_err *err)
{
	struct af_columns c = { .n = 0 };
	const char *word = list;
	if (*word == '+') {
		c = af_columns_usual();
		word++;
	}
	for (bool more = true; more;) {
		size_t n = strcspn(word, ",");
		enum af_column column = find(word, n);
		if (column == AF_COLUMNS)
			return refuse(word, n, err);
		if (!has(&c, column))
			c.show[c.n++] = column;
		more = word[n] == ',';
		word += n + more;
	}
	*out = c;
	return true;
}

bool af_columns_need_contents(const struct af_columns *c)
{
	return has(c, AF_COLUMN_STATUS) || has(c, AF_COLUMN_FS) ||
	       has(c, AF_COLUMN_LABEL) || has(c, AF_COLUMN_FS_UUID);
}

bool af_columns_need_users(const struct af_columns *c)
{
	return has(c, AF_COLUMN_STATUS) || has(c, AF_COLUMN_USE) ||
	       has(c, AF_COLUMN_MOUNTPOINTS);
}

bool af_columns_need_rooms(const struct af_columns *c)
{
	return has(c, AF_COLUMN_PADDING);
}

const char *af_columns_name(enum af_column c)
{
	return column_table[c].name;
}

const char *af_columns_meaning(enum af_column c)
{
	return column_table[c].meaning;
}

const char *af_columns_heading(enum af_column c)
{
	return column_table[c].heading;
}

enum af_column_kind af_columns_kind(enum af_column c)
{
	return column_table[c].kind;
}

/* --- what stands in them: put together without formatting, which is what takes long in a long list --- */

static void put(struct af_text *t, const char *text)
{
	af_text_put(t, text, strlen(text));
}

static void put_number(struct af_text *t, int64_t n)
{
	char number[AF_SHORT];
	put(t, af_text_decimal(n, number));
}

/* The partition's name with the folder that the disk was named with. */
static void add_device(struct af_text *t, const struct af_column_row *row)
{
	const char *path = row->disk->path, *slash = strrchr(path, '/');
	char name[128];
	if (slash != NULL)
		af_text_put(t, path, (size_t)(slash - path) + 1); /* slash >= path */
	put(t, af_text_part_name(path, row->part->number, name, sizeof(name)));
	if (row->maybe_layer)
		af_text_add(t, " %s", row->maybe_layer->name);
}

/* What is inside, or "?" where that could not be found out. */
static void add_content(struct af_text *t, const struct af_column_row *row,
			enum af_column column)
{
	const struct af_content *c = af_contents_find(row->disk->contents, row->part->id);
	if (c == NULL || c->state == AF_CONTENT_NONE)
		return;
	if (c->state != AF_CONTENT_FOUND)
		put(t, "?");
	else if (column == AF_COLUMN_FS)
		put(t, c->fs);
	else
		put(t, column == AF_COLUMN_LABEL ? c->label : c->uuid);
}

static void add_size(struct af_text *t, af_bytes n, bool for_program)
{
	if (for_program) {
		put_number(t, n);
	} else {
		char size[AF_SHORT];
		put(t, af_text_size_short(n, size));
	}
}

/* On an MBR the identity that Linux makes up, PARTUUID: the disk's and the number. */
static void add_uuid(struct af_text *t, const struct af_column_row *row)
{
	const struct af_layout *l = row->disk->layout;
	const uint8_t *id = l->disk_id;
	if (l->scheme == AF_SCHEME_GPT) {
		char uuid[40];
		af_scheme_uuid_text(row->part->uuid, uuid);
		put(t, uuid);
	} else if ((id[0] | id[1] | id[2] | id[3]) != 0) {
		af_text_add(t, "%02x%02x%02x%02x-%02" PRIx32, id[0], id[1], id[2], id[3],
			    row->part->number);
	}
}

static void add_type(struct af_text *t, const struct af_column_row *row, bool by_name)
{
	if (row->maybe_layer) {
		if (by_name)
			af_text_add(t, "%s", row->maybe_layer->type_name);
		else
			af_text_add(t, "%x", (unsigned)row->maybe_layer->type);
		return;
	}
	const struct af_disk *disk = row->disk;
	if (by_name) {
		put(t, af_scheme_type_name(disk->types, row->part->type));
	} else {
		char code[40];
		af_scheme_type_text(disk->layout->scheme, row->part->type, code);
		put(t, code);
	}
}

static void add_sectors(struct af_text *t, const struct af_column_row *row, af_bytes n)
{
	put_number(t, af_sectors(n, row->disk->layout->sector_size));
}

struct af_verdict af_columns_verdict(const struct af_column_row *row)
{
	const struct af_disk *disk = row->disk;
	return row->maybe_layer
		       ? af_align_judge_nested(disk->rules, row->part, row->maybe_layer)
		       : af_align_judge(disk->rules, disk->contents, row->part);
}

/* How an edge lies, and what lies in front of the partition. */
static void add_place(struct af_text *t, enum af_column c, const struct af_column_row *row)
{
	const struct af_part *part = row->part;
	struct af_verdict v = af_columns_verdict(row);
	if (c == AF_COLUMN_STATUS)
		put(t, af_status_name(v.status));
	else if (c == AF_COLUMN_START_OFF || c == AF_COLUMN_END_OFF)
		add_sectors(t, row, c == AF_COLUMN_END_OFF ? v.end_off : v.start_off);
	else if (row->maybe_layer)
		return; /* nothing of its own lies in front of it */
	else if (c == AF_COLUMN_PADDING)
		add_sectors(t, row, af_report_padding(row->room, row->nrooms, part));
	else if (part->role == AF_ROLE_LOGICAL)
		add_sectors(t, row, part->ebr);
}

/* The same of an entry of a label inside the partition. */
static void add_nested(struct af_text *t, enum af_column c, const struct af_layer *layer)
{
	if (c == AF_COLUMN_NUMBER)
		af_text_add(t, "%" PRIu32, layer->number);
	else if (c == AF_COLUMN_KIND)
		af_text_add(t, "nested");
	else if (c == AF_COLUMN_NAME)
		af_text_add(t, "%s", layer->name);
}

/* How the partition is used now. */
static void add_use(struct af_text *t, enum af_column c, const struct af_column_row *row)
{
	const struct af_uses *uses = row->disk->uses;
	const struct af_part *part = row->part;
	const char *between = "";
	if (uses == NULL || row->maybe_layer)
		return;
	if (c == AF_COLUMN_USE) {
		char words[400];
		af_text_add(t, "%s",
			    af_uses_words(uses, part->number, part->span.start, words,
					  sizeof(words)));
	}
	for (size_t i = 0; i < uses->n && c == AF_COLUMN_MOUNTPOINTS; i++) {
		const struct af_use *use = &uses->item[i];
		if (use->kind != AF_USE_MOUNT ||
		    !af_use_is_of(use, part->number, part->span.start))
			continue;
		af_text_add(t, "%s%s", between, use->what);
		between = ", ";
	}
}

/* What the entry itself says. */
static void add_entry(struct af_text *t, enum af_column c, const struct af_column_row *row)
{
	const struct af_layout *l = row->disk->layout;
	const struct af_part *part = row->part;
	if (c == AF_COLUMN_NUMBER)
		put_number(t, part->number);
	else if (c == AF_COLUMN_KIND)
		put(t, af_report_kind(l, part));
	else if (c == AF_COLUMN_BOOT)
		put(t, af_report_boot(l, part) ? "*" : "");
	else if (c == AF_COLUMN_NAME)
		put(t, part->name);
	else if (l->scheme == AF_SCHEME_GPT)
		af_report_attrs(t, part->attrs);
}

void af_columns_cell(struct af_text *t, enum af_column c, const struct af_column_row *row,
		     bool for_program)
{
	const struct af_span span =
		row->maybe_layer ? af_align_layer_span(row->part, row->maybe_layer)
				 : row->part->span;
	switch (c) {
	case AF_COLUMN_DEVICE:
		add_device(t, row);
		break;
	case AF_COLUMN_NUMBER:
	case AF_COLUMN_KIND:
	case AF_COLUMN_BOOT:
	case AF_COLUMN_NAME:
	case AF_COLUMN_ATTRS:
		if (row->maybe_layer)
			add_nested(t, c, row->maybe_layer);
		else
			add_entry(t, c, row);
		break;
	case AF_COLUMN_START:
		add_sectors(t, row, span.start);
		break;
	case AF_COLUMN_END:
		add_sectors(t, row, span.end - row->disk->layout->sector_size);
		break;
	case AF_COLUMN_SECTORS:
		add_sectors(t, row, af_span_size(span));
		break;
	case AF_COLUMN_SIZE:
		add_size(t, af_span_size(span), for_program);
		break;
	case AF_COLUMN_TYPE:
	case AF_COLUMN_ID:
	case AF_COLUMN_TYPE_UUID:
		add_type(t, row, c == AF_COLUMN_TYPE);
		break;
	case AF_COLUMN_UUID:
		if (!row->maybe_layer)
			add_uuid(t, row);
		break;
	case AF_COLUMN_FS:
	case AF_COLUMN_LABEL:
	case AF_COLUMN_FS_UUID:
		if (!row->maybe_layer)
			add_content(t, row, c);
		break;
	case AF_COLUMN_STATUS:
	case AF_COLUMN_START_OFF:
	case AF_COLUMN_END_OFF:
	case AF_COLUMN_PADDING:
	case AF_COLUMN_EBR:
		add_place(t, c, row);
		break;
	case AF_COLUMN_MOUNTPOINTS:
	case AF_COLUMN_USE:
		add_use(t, c, row);
		break;
	case AF_COLUMNS:
		break;
	}
}
