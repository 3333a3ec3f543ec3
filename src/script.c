/*
 * script.c - reading an sfdisk script: headers, named fields, comma lines. Knows the language and nothing of
 * disks: what the lines amount to is script_layout.c's.
 *
 *   label: dos                                     a header, before the first partition
 *   sda1 : start= 2048, size= 4096, type=83        named fields, behind a device's name or not
 *   ,10M,L,*                                       start, size, type, bootable by their places
 */
#include "script_priv.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_MAX_BYTES 4096
#define FAULTS_MAX     20
#define FIELDS         "start, size, type, uuid, name, attrs or bootable was expected"

static bool is_blank(char c)
{
	return c != '\0' && isspace((unsigned char)c);
}

static bool is_separator(char c)
{
	return c == ',' || c == ';';
}

/* Behind blanks; at the end of the text if a comment follows. */
static char *skip(char *p)
{
	while (is_blank(*p))
		p++;
	return *p == '#' ? p + strlen(p) : p;
}

/* The byte that \xNN at p stands for, or -1. */
static int escaped(const char *p)
{
	int high = p[0] == '\\' && p[1] == 'x' ? af_script_hex(p[2]) : -1;
	int low = high >= 0 ? af_script_hex(p[3]) : -1;
	return low >= 0 ? high * 16 + low : -1;
}

/* Puts the bytes that \xNN stand for in their place. */
static bool unescape(const struct script_reader *r, char *text)
{
	char *to = text;
	for (const char *p = text; *p != '\0';) {
		int byte = escaped(p);
		if (byte == 0)
			return af_script_fault(r, text, "holds a zero byte");
		if (byte > 0)
			*to++ = (char)byte; /* the byte, whatever sign char has */
		else
			*to++ = *p;
		p += byte > 0 ? 4 : 1;
	}
	*to = '\0';
	return true;
}

/* Takes the quoted text at *at out of the line; its end quote must be there. */
static bool take_quoted(const struct script_reader *r, char **at, char **out)
{
	char *end = strchr(*at + 1, **at);
	*out = *at + 1;
	if (!end)
		return af_script_fault(r, *out, "begins with a quote that is never closed");
	*end = '\0';
	*at = end + 1;
	return true;
}

/*
 * Takes the value at *at, perhaps an empty one, and the separator behind it. The value ends with a NUL that
 * stands where its last quote, a blank or the separator was.
 */
static bool take_value(const struct script_reader *r, char **at, char **out)
{
	char *p = skip(*at);
	*out = p;
	if (*p == '"' || *p == '\'') {
		if (!take_quoted(r, &p, out))
			return false;
	} else {
		while (*p != '\0' && !is_blank(*p) && !is_separator(*p))
			p++;
	}
	char *end = p;
	p = skip(p);
	if (is_separator(*p))
		p++;
	else if (p == end && *p != '\0')
		return af_script_fault(r, p, "follows a quote: a comma was expected");
	if (end > *out)
		*end = '\0';
	else
		*out = end + strlen(end); /* nothing there */
	*at = p;
	return unescape(r, *out);
}

/* --- lines --- */

struct field {
	const char *key;
	bool (*take)(struct script_reader *r, const char *value,
		     struct af_script_part *part);
	unsigned bit;
};

static const struct field field_table[] = {
	{ "start", af_script_take_start, 1 },  { "size", af_script_take_size, 2 },
	{ "type", af_script_take_type, 4 },    { "Id", af_script_take_type, 64 },
	{ "uuid", af_script_take_uuid, 8 },    { "name", af_script_take_name, 16 },
	{ "attrs", af_script_take_attrs, 32 },
};

static bool unknown_field(const struct script_reader *r, const char *p, size_t n,
			  bool has_value)
{
	char word[32], clean[40];
	(void)snprintf(word, sizeof(word), "%.*s%s",
		       n == 0   ? 1
		       : n < 24 ? (int)n
				: 24,
		       p, has_value ? "=" : "");
	af_text_clean(word, clean, sizeof(clean));
	return af_fail(r->err, AF_E_USAGE, "\"%s\" is not a field: " FIELDS, clean);
}

/* sfdisk reads no blank there, and takes the line for something else. */
static bool stray_equals(const struct script_reader *r, const char *p, size_t n)
{
	char word[32];
	(void)snprintf(word, sizeof(word), "%.*s", n < 24 ? (int)n : 24, p);
	return af_script_fault(r, word, "must stand right before its equals sign");
}

/* Takes the key at *at and its equals sign, if it is a known one for the first time; else NULL. */
static const struct field *take_key(struct script_reader *r, char **at)
{
	char *p = *at;
	size_t n = strcspn(p, "=,; \t\r");
	const char *behind = p + n;
	for (size_t i = 0; i < sizeof(field_table) / sizeof(field_table[0]); i++) {
		const struct field *f = &field_table[i];
		if (*behind != '=' || strlen(f->key) != n || strncasecmp(p, f->key, n) != 0)
			continue;
		if (r->seen & f->bit) {
			(void)af_script_fault(r, f->key, "is given for the second time");
			return NULL;
		}
		r->seen |= f->bit;
		*at = p + n + 1;
		return f;
	}
	if (*behind != '=' && *skip(p + n) == '=')
		(void)stray_equals(r, p, n);
	else
		(void)unknown_field(r, p, n, *behind == '=');
	return NULL;
}

/* The word "bootable" at *at, up to the next field. */
static bool take_bootable(char **at)
{
	size_t n = strlen("bootable");
	char *p = *at;
	if (strncasecmp(p, "bootable", n) != 0)
		return false;
	bool ends = p[n] == '\0' || is_blank(p[n]) || is_separator(p[n]);
	p = skip(p + n);
	if (!ends || *p == '=')
		return false;
	*at = is_separator(*p) ? p + 1 : p;
	return true;
}

static bool read_fields(struct script_reader *r, char *p, struct af_script_part *part)
{
	for (p = skip(p); *p != '\0'; p = skip(p)) {
		char *value = NULL;
		if (take_bootable(&p)) {
			part->boot = true;
			continue;
		}
		const struct field *field = take_key(r, &p);
		if (!field || !take_value(r, &p, &value) || !field->take(r, value, part))
			return false;
	}
	return true;
}

static bool take_star(struct script_reader *r, const char *value,
		      struct af_script_part *part)
{
	part->boot = strcmp(value, "*") == 0;
	return part->boot || af_script_is_default(value) ||
	       af_script_fault(r, value, "is not a boot flag: * or nothing was expected");
}

static bool read_places(struct script_reader *r, char *p, struct af_script_part *part)
{
	for (int i = 0; *(p = skip(p)) != '\0'; i++) {
		char *value = NULL;
		bool good =
			i < 4 ? take_value(r, &p, &value)
			      : af_script_fault(
					r, p,
					"is too much: start, size, type and bootable are "
					"all there is");
		if (good && i == 0)
			good = af_script_take_start(r, value, part);
		else if (good && i == 1)
			good = af_script_take_size(r, value, part);
		else if (good && i == 2)
			good = af_script_is_default(value) ||
			       af_script_take_type(r, value, part);
		else if (good)
			good = take_star(r, value, part);
		if (!good)
			return false;
	}
	return true;
}

/* The number at the end of a device's name: 5 in /dev/sda5, nvme0n1p5, disk.img5; false if there is none. */
static bool number_of_device(const char *name, size_t n, uint32_t *out)
{
	while (n > 0 && is_blank(name[n - 1]))
		n--;
	size_t first = n;
	uint64_t value = 0;
	while (first > 0 && isdigit((unsigned char)name[first - 1]))
		first--;
	for (size_t i = first; i < n && value <= UINT32_MAX; i++)
		value = value * 10 + (uint64_t)(name[i] - '0');
	*out = (uint32_t)value;
	return first < n && value > 0 && value <= INT32_MAX;
}

static void trim(char *p)
{
	size_t n = strlen(p);
	while (n > 0 && is_blank(p[n - 1]))
		p[--n] = '\0';
}

/* "NAME : start=..."; the name may have colons, and one behind the first equals sign belongs to a value. */
static bool read_part(struct script_reader *r, char *p)
{
	struct af_script *s = r->script;
	struct af_script_part part = { .line = r->line };
	char *equals = strchr(p, '=');
	char *colon = equals ? memrchr(p, ':', (size_t)(equals - p)) : NULL;
	if (colon && !number_of_device(p, (size_t)(colon - p), &part.number)) {
		*colon = '\0';
		trim(p);
		return af_script_fault(r, p,
				       "is not a partition's name: no number ends it");
	}
	r->seen = 0;
	if (!(equals ? read_fields(r, colon ? colon + 1 : p, &part)
		     : read_places(r, p, &part)))
		return false;
	if (s->nparts == AF_SCRIPT_PARTS_MAX)
		return af_fail(r->err, AF_E_RANGE, "more than %d partitions",
			       AF_SCRIPT_PARTS_MAX);
	s->part[s->nparts++] = part;
	return true;
}

/* --- headers --- */

static bool read_number(const struct script_reader *r, const char *value,
			struct af_script_number *out)
{
	out->line = r->line;
	return af_script_whole(value, 10, &out->n) ||
	       af_script_fault(r, value, "is not a number");
}

static bool read_sector_size(const struct script_reader *r, const char *value)
{
	uint64_t n;
	if (!af_script_whole(value, 10, &n) || n < 512 || n > 4096 || (n & (n - 1)) != 0)
		return af_script_fault(r, value,
				       "is not a sector size: 512 to 4096 was expected");
	r->script->sector_size = (uint32_t)n; /* <= 4096 */
	return true;
}

static bool read_grain(const struct script_reader *r, const char *value)
{
	struct af_script_number *grain = &r->script->grain;
	struct af_amount amount;
	if (!af_text_parse(value, &amount, r->err))
		return false;
	bool bytes = amount.kind == AF_AMOUNT_BYTES || amount.kind == AF_AMOUNT_SECTORS;
	if (!bytes || amount.sign != 0 || amount.value < 512 || amount.value > AF_GIB)
		return af_script_fault(r, value, "is not a grain: 1M, say, was expected");
	*grain = (struct af_script_number){ r->line, (uint64_t)amount.value };
	return true;
}

static bool read_label_id(const struct script_reader *r, const char *value)
{
	struct af_script *s = r->script;
	if (value[0] == '\0' || strlen(value) >= sizeof(s->label_id))
		return af_script_fault(r, value,
				       "is not an identity: 0x12345678 or a UUID, say");
	(void)snprintf(s->label_id, sizeof(s->label_id), "%s", value);
	s->label_id_line = r->line;
	return true;
}

static bool read_header(const struct script_reader *r, const char *name, const char *value)
{
	struct af_script *s = r->script;
	if (s->nparts > 0)
		return af_script_fault(r, name,
				       "is a header: it must come before the partitions");
	if (strcasecmp(name, "label") == 0)
		return af_scheme_parse(value, &s->label) ||
		       af_script_fault(r, value,
				       "is not a kind of table: dos or gpt was expected");
	if (strcasecmp(name, "unit") == 0)
		return strcasecmp(value, "sectors") == 0 ||
		       af_script_fault(r, value, "is not a unit: sectors was expected");
	if (strcasecmp(name, "label-id") == 0)
		return read_label_id(r, value);
	if (strcasecmp(name, "first-lba") == 0)
		return read_number(r, value, &s->first_lba);
	if (strcasecmp(name, "last-lba") == 0)
		return read_number(r, value, &s->last_lba);
	if (strcasecmp(name, "table-length") == 0)
		return read_number(r, value, &s->table_length);
	if (strcasecmp(name, "grain") == 0)
		return read_grain(r, value);
	if (strcasecmp(name, "sector-size") == 0)
		return read_sector_size(r, value);
	return true; /* device, and what newer versions may say */
}

static bool read_line(struct script_reader *r, char *line)
{
	char *p = skip(line), *colon = strchr(p, ':');
	if (*p == '\0')
		return true;
	trim(p);
	if (!colon || colon == p || strchr(p, '='))
		return read_part(r, p);
	*colon = '\0';
	trim(p);
	return read_header(r, p, skip(colon + 1));
}

/* One line of n bytes, which need not be text. */
static bool read_bytes_of_line(struct script_reader *r, const char *text, size_t n)
{
	char line[LINE_MAX_BYTES];
	if (n >= sizeof(line))
		return af_fail(r->err, AF_E_USAGE, "longer than %d bytes", LINE_MAX_BYTES);
	if (memchr(text, '\0', n))
		return af_fail(r->err, AF_E_USAGE, "holds a zero byte: this is no text");
	memcpy(line, text, n);
	line[n] = '\0';
	return read_line(r, line);
}

/* Keeps the first fault in *err and the others in *more; false when there are enough. */
static bool keep_fault(const struct script_reader *r, size_t nfaults, struct af_text *more,
		       struct af_err *err)
{
	if (nfaults == FAULTS_MAX) {
		af_text_add(more, "there is more that is wrong\n");
		return false;
	}
	if (nfaults > 0) {
		af_text_add(more, "line %" PRIu32 ": %s\n", r->line, r->err->text);
		return true;
	}
	*err = *r->err;
	(void)af_fail_within(err, "line %" PRIu32, r->line);
	return true;
}

static size_t line_length(const char *text, size_t n)
{
	const char *end = memchr(text, '\n', n);
	return end ? (size_t)(end - text) : n;
}

static size_t read_lines(struct script_reader *r, const char *text, size_t n,
			 struct af_text *more, struct af_err *err)
{
	size_t nfaults = 0;
	while (n > 0) {
		size_t len = line_length(text, n), used = len < n ? len + 1 : len;
		r->line++;
		if (!read_bytes_of_line(r, text, len) &&
		    !keep_fault(r, nfaults++, more, err))
			break;
		text += used;
		n -= used;
	}
	return nfaults;
}

bool af_script_read(const char *text, size_t n, uint32_t sector_size, struct af_script *out,
		    struct af_text *more, struct af_err *err)
{
	struct af_script s = { .sector_size = sector_size };
	struct af_err found;
	struct script_reader r = { .script = &s, .err = &found };
	if (n > AF_SCRIPT_BYTES_MAX)
		return af_fail(err, AF_E_USAGE, "a script of more than %zu bytes",
			       AF_SCRIPT_BYTES_MAX);
	s.part = af_alloc(AF_SCRIPT_PARTS_MAX, sizeof(*s.part));
	bool good = read_lines(&r, text, n, more, err) == 0;
	if (good && s.nparts == 0 && s.label == AF_SCHEME_NONE)
		good = af_fail(err, AF_E_USAGE,
			       "the script is empty: neither a label nor a partition");
	if (good)
		*out = s;
	else
		af_script_release(&s);
	return good;
}

void af_script_release(struct af_script *s)
{
	free(s->part);
	*s = (struct af_script){ .label = AF_SCHEME_NONE };
}

enum af_scheme af_script_scheme(const struct af_script *s, const struct af_layout *base)
{
	if (s->label != AF_SCHEME_NONE)
		return s->label;
	return base->scheme != AF_SCHEME_NONE ? base->scheme : AF_SCHEME_MBR;
}
