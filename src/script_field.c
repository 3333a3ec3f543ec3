/*
 * script_field.c - what the values of a script's fields mean: numbers, sizes, UUIDs, names, attributes. What a word
 * cannot mean is refused by name.
 */
#include "script_priv.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool af_script_fault(const struct script_reader *r, const char *word, const char *why)
{
	char clean[64];
	af_text_clean(word, clean, sizeof(clean));
	return af_fail(r->err, AF_E_USAGE, "\"%s\" %s", clean, why);
}

int af_script_hex(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* A whole number, in hexadecimal behind 0x; false if text is anything else or too large. */
bool af_script_whole(const char *text, int base, uint64_t *out)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *p = hex ? text + 2 : text;
	uint64_t value = 0, unit = hex || base == 16 ? 16 : 10;
	if (*p == '\0')
		return false;
	for (; *p != '\0'; p++) {
		int digit = af_script_hex(*p);
		if (digit < 0 || (uint64_t)digit >= unit ||
		    value > (UINT64_MAX - (uint64_t)digit) / unit)
			return false;
		value = value * unit + (uint64_t)digit;
	}
	*out = value;
	return true;
}

bool af_script_is_default(const char *value)
{
	return value[0] == '\0' || strcmp(value, "+") == 0 || strcmp(value, "-") == 0;
}

/* The bytes that a start or size means. */
static bool read_bytes(const struct script_reader *r, const char *value, af_bytes *out)
{
	struct af_amount amount = { .kind = AF_AMOUNT_SECTORS };
	uint64_t hex;
	if (strncasecmp(value, "0x", 2) == 0) {
		if (!af_script_whole(value, 16, &hex) || hex > INT64_MAX)
			return af_script_fault(r, value, "is not a number of sectors");
		amount.value = (int64_t)hex; /* <= INT64_MAX */
	} else if (!af_text_parse(value, &amount, r->err)) {
		return af_script_fault(
			r, value,
			"is not a number of sectors, nor a size such as 10M, that fits");
	}
	if (amount.kind == AF_AMOUNT_PERCENT || amount.kind == AF_AMOUNT_MAX)
		return af_script_fault(
			r, value,
			"is not for scripts: sectors, a size such as 10M, or + was "
			"expected");
	return af_amount_bytes(&amount, r->script->sector_size, 0, out, r->err);
}

/* The sector that it lies in. */
bool af_script_take_start(struct script_reader *r, const char *value,
			  struct af_script_part *part)
{
	if (af_script_is_default(value))
		return true;
	if (value[0] == '+' || value[0] == '-')
		return af_script_fault(
			r, value, "is a distance: a script says where a partition starts");
	part->has_start = true;
	if (!read_bytes(r, value, &part->start))
		return false;
	part->start -= part->start % r->script->sector_size;
	return true;
}

/* In whole sectors, rounded up. A + before it is what fdisk's users write. */
bool af_script_take_size(struct script_reader *r, const char *value,
			 struct af_script_part *part)
{
	if (af_script_is_default(value))
		return true;
	if (value[0] == '-')
		return af_script_fault(
			r, value,
			"is a difference: a script says how large a partition is");
	part->has_size = true;
	if (!read_bytes(r, value + (value[0] == '+'), &part->size))
		return false;
	af_bytes past = part->size % r->script->sector_size;
	return past == 0 ||
	       af_add(part->size, r->script->sector_size - past, &part->size) ||
	       af_script_fault(r, value, "is too large a number");
}

bool af_script_take_type(struct script_reader *r, const char *value,
			 struct af_script_part *part)
{
	if (value[0] == '\0' || strlen(value) >= sizeof(part->type_word))
		return af_script_fault(
			r, value, "is not a type: a code, a UUID or a name was expected");
	(void)snprintf(part->type_word, sizeof(part->type_word), "%s", value);
	return true;
}

bool af_script_uuid(const char *text, uint8_t out[16])
{
	for (size_t i = 0; i < 16; i++) {
		if ((i == 4 || i == 6 || i == 8 || i == 10) && *text++ != '-')
			return false;
		int high = af_script_hex(text[0]);
		int low = high >= 0 ? af_script_hex(text[1]) : -1;
		if (low < 0)
			return false;
		out[i] = (uint8_t)(high * 16 + low); /* <= 255 */
		text += 2;
	}
	return *text == '\0';
}

bool af_script_take_uuid(struct script_reader *r, const char *value,
			 struct af_script_part *part)
{
	part->has_uuid = true;
	return af_script_uuid(value, part->uuid) ||
	       af_script_fault(
		       r, value,
		       "is not a UUID such as 0FC63DAF-8483-4772-8E79-3D69D8477DE4");
}

bool af_script_take_name(struct script_reader *r, const char *value,
			 struct af_script_part *part)
{
	int units = 0;
	for (const char *p = value; *p != '\0'; p++)
		units += ((*p & 0xc0) != 0x80) + ((*p & 0xf8) == 0xf0);
	if (units > 36 || strlen(value) >= sizeof(part->name))
		return af_script_fault(r, value,
				       "is too long a name: a GPT holds 36 characters");
	(void)snprintf(part->name, sizeof(part->name), "%s", value);
	return true;
}

/* The bit of one word of attrs=, which may be one of GUID:48,49. Bits 3 to 47 are nobody's. */
static bool attr_bit(const char *word, unsigned *bit)
{
	static const struct {
		const char *word;
		unsigned bit;
	} word_table[] = {
		{ "RequiredPartition", 0 },
		{ "RequiredPartiton", 0 }, /* as old versions of sfdisk write it */
		{ "NoBlockIOProtocol", 1 },
		{ "LegacyBIOSBootable", 2 },
	};
	for (size_t i = 0; i < sizeof(word_table) / sizeof(word_table[0]); i++)
		if (strcasecmp(word, word_table[i].word) == 0) {
			*bit = word_table[i].bit;
			return true;
		}
	uint64_t n;
	if (!af_script_whole(word + (strncasecmp(word, "GUID:", 5) == 0 ? 5 : 0), 10, &n) ||
	    n > 63 || (n > 2 && n < 48))
		return false;
	*bit = (unsigned)n; /* <= 63 */
	return true;
}

bool af_script_take_attrs(struct script_reader *r, const char *value,
			  struct af_script_part *part)
{
	char word[40];
	part->has_attrs = true;
	for (const char *p = value; *p != '\0';) {
		size_t n = strcspn(p, " ,\t");
		unsigned bit;
		(void)snprintf(word, sizeof(word), "%.*s", n < 39 ? (int)n : 39, p);
		if (n > 0 && !attr_bit(word, &bit))
			return af_script_fault(
				r, word,
				"is not an attribute: RequiredPartition, "
				"NoBlockIOProtocol, "
				"LegacyBIOSBootable or a bit of 48 to 63 was expected");
		if (n > 0)
			part->attrs |= UINT64_C(1) << bit;
		p += n + (p[n] != '\0');
	}
	return true;
}
