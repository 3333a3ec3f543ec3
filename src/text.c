/*
 * Growing strings, memory that never fails, and numbers as people write and read them.
 *
 * Sizes are read in whole numbers only: the digits behind a point are folded in from the
 * last to the first, acc = (digit * unit + acc) / 10, which rounds down exactly once and
 * cannot overflow for a unit below 2^60. Nothing in here knows a disk: sectors and percent
 * stay what they are until af_amount_bytes() is told the sector size and the region.
 */
#include "afdisk/text.h"
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PERCENT_UNIT 1000   /* an amount counts thousandths of a percent */
#define PERCENT_ALL  100000 /* all of a region */

__attribute__((noreturn)) static void out_of_memory(void)
{
	(void)fputs("afdisk: out of memory\n", stderr);
	exit(2);
}

void *af_alloc(size_t count, size_t size)
{
	if (size != 0 && count > PTRDIFF_MAX / size)
		out_of_memory();
	void *p = calloc(count != 0 ? count : 1, size != 0 ? size : 1);
	if (p == NULL)
		out_of_memory();
	return p;
}

void *af_realloc(void *old, size_t count, size_t size)
{
	if (size != 0 && count > PTRDIFF_MAX / size)
		out_of_memory();
	size_t want = count * size;
	void *p = realloc(old, want != 0 ? want : 1);
	if (p == NULL)
		out_of_memory();
	return p;
}

char *af_strdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = af_alloc(n, 1);
	memcpy(copy, s, n);
	return copy;
}

static void grow(struct af_text *t, size_t more)
{
	size_t need = t->len + more + 1;
	if (need <= t->room)
		return;
	size_t room = t->room < 64 ? 64 : t->room;
	while (room < need)
		room *= 2;
	t->data = af_realloc(t->data, room, 1);
	t->room = room;
}

/* Room for what is added mostly: then it is formatted only once. */
#define USUAL_TEXT 60

void af_text_add(struct af_text *t, const char *fmt, ...)
{
	va_list ap;
	grow(t, USUAL_TEXT);
	va_start(ap, fmt);
	int n = vsnprintf(t->data + t->len, t->room - t->len, fmt, ap);
	va_end(ap);
	assert(n >= 0);
	if ((size_t)n >= t->room - t->len) {
		grow(t, (size_t)n);
		va_start(ap, fmt);
		(void)vsnprintf(t->data + t->len, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	t->len += (size_t)n;
}

void af_text_put(struct af_text *t, const char *bytes, size_t n)
{
	grow(t, n);
	memcpy(t->data + t->len, bytes, n);
	t->len += n;
	t->data[t->len] = '\0';
}

void af_text_clear(struct af_text *t)
{
	t->len = 0;
	if (t->data)
		t->data[0] = '\0';
}

const char *af_text_get(const struct af_text *t)
{
	return t->data != NULL ? t->data : "";
}

void af_text_release(struct af_text *t)
{
	free(t->data);
	*t = (struct af_text){ 0 };
}

/* A count of bytes as tenths of the largest binary unit that leaves at least 1.0 of it. */
struct scaled {
	bool negative;
	uint64_t whole, tenths;
	char unit; /* 'B' means bytes, without tenths */
};

static struct scaled scale(af_bytes n)
{
	static const char units[] = "BKMGTPE";
	uint64_t size = n < 0 ? (uint64_t) - (n + 1) + 1 : (uint64_t)n;
	struct scaled s = { .negative = n < 0, .whole = size, .unit = 'B' };
	for (unsigned i = 1; i <= 6 && s.whole >= 1024; i++) {
		unsigned shift = 10 * i;
		uint64_t rest = size & (((uint64_t)1 << shift) - 1);
		s.whole = size >> shift;
		s.tenths = (rest * 10 + ((uint64_t)1 << (shift - 1))) >> shift;
		s.whole += s.tenths / 10;
		s.tenths %= 10;
		s.unit = units[i];
	}
	return s;
}

size_t af_text_join(char *buf, size_t size, size_t used, const char *more)
{
	while (*more && used + 1 < size)
		buf[used++] = *more++;
	buf[used] = '\0';
	return used;
}

const char *af_text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* What Linux and udev put between a disk's name and a number. */
static const char *number_mark(const char *dev_name)
{
	if (strncmp(dev_name, "/dev/disk/", 10) == 0)
		return "-part";
	size_t n = strlen(dev_name);
	return n > 0 && isdigit((unsigned char)dev_name[n - 1]) ? "p" : "";
}

static void join_part(const char *name, const char *mark, uint32_t number, char *buf,
		      size_t size)
{
	char digits[AF_SHORT];
	size_t used = af_text_join(buf, size, 0, name);
	used = af_text_join(buf, size, used, mark);
	(void)af_text_join(buf, size, used, af_text_decimal(number, digits));
}

const char *af_text_part_name(const char *dev_name, uint32_t number, char *buf, size_t size)
{
	join_part(af_text_base_name(dev_name), number_mark(dev_name), number, buf, size);
	return buf;
}

const char *af_text_part_path(const char *dev_name, uint32_t number, char *buf, size_t size)
{
	if (strncmp(dev_name, "/dev/", 5) != 0)
		return NULL;
	join_part(dev_name, number_mark(dev_name), number, buf, size);
	return buf;
}

const char *af_text_decimal(int64_t n, char buf[AF_SHORT])
{
	char digits[AF_SHORT];
	size_t at = sizeof(digits) - 1;
	uint64_t rest = n < 0 ? (uint64_t) - (n + 1) + 1 : (uint64_t)n;
	digits[at] = '\0';
	do
		digits[--at] = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	if (n < 0)
		digits[--at] = '-';
	(void)af_text_join(buf, AF_SHORT, 0, digits + at);
	return buf;
}

static const char *put_scaled(af_bytes n, const char *space, const char *tail,
			      char buf[AF_SHORT])
{
	struct scaled s = scale(n);
	char whole[AF_SHORT], tenths[] = { '.', (char)('0' + s.tenths), '\0' };
	char unit[] = { s.unit, '\0' };
	size_t used = af_text_join(buf, AF_SHORT, 0, s.negative ? "-" : "");
	used = af_text_join(buf, AF_SHORT, used, af_text_decimal((int64_t)s.whole, whole));
	used = af_text_join(buf, AF_SHORT, used, s.tenths ? tenths : "");
	used = af_text_join(buf, AF_SHORT, used, space);
	used = af_text_join(buf, AF_SHORT, used, unit);
	(void)af_text_join(buf, AF_SHORT, used, s.unit == 'B' ? "" : tail);
	return buf;
}

const char *af_text_size(af_bytes n, char buf[AF_SHORT])
{
	return put_scaled(n, " ", "iB", buf);
}

const char *af_text_size_short(af_bytes n, char buf[AF_SHORT])
{
	return put_scaled(n, "", "", buf);
}

/* What may follow the digits; value is what one of it counts in its kind. */
static const struct unit {
	const char *name;
	enum af_amount_kind kind;
	int64_t value;
} unit_table[] = {
	{ "", AF_AMOUNT_SECTORS, 1 },
	{ "s", AF_AMOUNT_SECTORS, 1 },
	{ "%", AF_AMOUNT_PERCENT, PERCENT_UNIT },
	{ "B", AF_AMOUNT_BYTES, 1 },
	{ "K", AF_AMOUNT_BYTES, INT64_C(1) << 10 },
	{ "KiB", AF_AMOUNT_BYTES, INT64_C(1) << 10 },
	{ "M", AF_AMOUNT_BYTES, INT64_C(1) << 20 },
	{ "MiB", AF_AMOUNT_BYTES, INT64_C(1) << 20 },
	{ "G", AF_AMOUNT_BYTES, INT64_C(1) << 30 },
	{ "GiB", AF_AMOUNT_BYTES, INT64_C(1) << 30 },
	{ "T", AF_AMOUNT_BYTES, INT64_C(1) << 40 },
	{ "TiB", AF_AMOUNT_BYTES, INT64_C(1) << 40 },
	{ "P", AF_AMOUNT_BYTES, INT64_C(1) << 50 },
	{ "PiB", AF_AMOUNT_BYTES, INT64_C(1) << 50 },
	{ "KB", AF_AMOUNT_BYTES, INT64_C(1000) },
	{ "MB", AF_AMOUNT_BYTES, INT64_C(1000000) },
	{ "GB", AF_AMOUNT_BYTES, INT64_C(1000000000) },
	{ "TB", AF_AMOUNT_BYTES, INT64_C(1000000000000) },
	{ "PB", AF_AMOUNT_BYTES, INT64_C(1000000000000000) },
};

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < sizeof(unit_table) / sizeof(unit_table[0]); i++)
		if (strcasecmp(unit_table[i].name, name) == 0)
			return &unit_table[i];
	return NULL;
}

static size_t count_digits(const char *s)
{
	size_t n = 0;
	while (isdigit((unsigned char)s[n]))
		n++;
	return n;
}

/* n digits as a whole number of units; false if it does not fit. */
static bool whole_part(const char *digits, size_t n, int64_t unit, int64_t *out)
{
	int64_t value = 0;
	for (size_t i = 0; i < n; i++)
		if (!af_mul(value, 10, &value) || !af_add(value, digits[i] - '0', &value))
			return false;
	return af_mul(value, unit, out);
}

/* n digits behind the point, in units of unit, rounded down; less than unit. */
static int64_t fraction_part(const char *digits, size_t n, int64_t unit)
{
	int64_t acc = 0;
	for (size_t i = n; i > 0; i--)
		acc = ((digits[i - 1] - '0') * unit + acc) / 10;
	return acc;
}

static bool refuse(const char *word, const char *why, struct af_err *err)
{
	char clean[64];
	af_text_clean(word, clean, sizeof(clean));
	return af_fail(err, AF_E_USAGE, "\"%s\" %s", clean, why);
}

static bool has_nonzero(const char *digits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (digits[i] != '0')
			return true;
	return false;
}

/* The number and unit at p; word is the whole word, for messages. */
static bool parse_number(const char *word, const char *p, struct af_amount *out,
			 struct af_err *err)
{
	static const char not_a_size[] =
		"is not a size: 10G, 512s, 4096B, 25% or max, say, was expected";
	size_t digits = count_digits(p), decimals = 0;
	const char *fraction = p + digits, *rest = fraction;
	if (*fraction == '.') {
		fraction++;
		decimals = count_digits(fraction);
		rest = fraction + decimals;
	}
	const struct unit *unit = find_unit(rest);
	if (digits == 0 || unit == NULL || (rest == fraction && rest[-1] == '.'))
		return refuse(word, not_a_size, err);
	if (unit->kind == AF_AMOUNT_SECTORS && has_nonzero(fraction, decimals))
		return refuse(word,
			      "is a fraction of a sector: give whole sectors or a unit",
			      err);
	int64_t value = 0;
	if (!whole_part(p, digits, unit->value, &value) ||
	    !af_add(value, fraction_part(fraction, decimals, unit->value), &value))
		return refuse(word, "is too large a number", err);
	if (unit->kind == AF_AMOUNT_PERCENT && value > PERCENT_ALL)
		return refuse(word, "is more than all there is: at most 100% was expected",
			      err);
	out->kind = unit->kind;
	out->value = value;
	return true;
}

bool af_text_parse(const char *word, struct af_amount *out, struct af_err *err)
{
	struct af_amount amount = { .kind = AF_AMOUNT_MAX };
	if (strcasecmp(word, "max") != 0) {
		amount.sign = word[0] == '+' ? 1 : word[0] == '-' ? -1 : 0;
		if (!parse_number(word, amount.sign != 0 ? word + 1 : word, &amount, err))
			return false;
	}
	*out = amount;
	return true;
}

bool af_amount_bytes(const struct af_amount *a, uint32_t sector_size, af_bytes region,
		     af_bytes *out, struct af_err *err)
{
	assert(a->value >= 0 && region >= 0);
	switch (a->kind) {
	case AF_AMOUNT_BYTES:
		*out = a->value;
		return true;
	case AF_AMOUNT_SECTORS:
		if (!af_mul(a->value, sector_size, out))
			return af_fail(err, AF_E_RANGE,
				       "%" PRId64 " sectors are more than fit", a->value);
		return true;
	case AF_AMOUNT_PERCENT:
		if (a->value > PERCENT_ALL)
			return af_fail(err, AF_E_RANGE, "more than 100%% of the region");
		*out = af_scale(a->value, PERCENT_ALL, region);
		return true;
	case AF_AMOUNT_MAX:
		*out = region;
		return true;
	}
	return af_fail(err, AF_E_USAGE, "an amount of no known kind");
}

/* The lowest character that n bytes may stand for: what is below is overlong. */
static const uint32_t lowest_of_length[] = { 0, 0, 0x80, 0x800, 0x10000 };

static size_t sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/* Bytes of the valid UTF-8 character at s, 0 if there is none; *ch is the character. */
static size_t decode(const char *s, uint32_t *ch)
{
	unsigned char first = (unsigned char)s[0];
	size_t n = sequence_length(first);
	if (n <= 1) {
		*ch = first;
		return n;
	}
	uint32_t value = first & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		unsigned char next = (unsigned char)s[i];
		if ((next & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (next & 0x3fU);
	}
	if (value < lowest_of_length[n] || value > 0x10ffff ||
	    (value >= 0xd800 && value < 0xe000))
		return 0;
	*ch = value;
	return n;
}

void af_text_clean(const char *in, char *out, size_t size)
{
	assert(size > 0);
	size_t used = 0;
	while (*in != '\0') {
		uint32_t ch = 0;
		size_t n = decode(in, &ch);
		bool bad = n == 0 || ch < 0x20 || (ch >= 0x7f && ch < 0xa0);
		const char *from = bad ? "?" : in;
		size_t width = bad ? 1 : n;
		if (width >= size - used)
			break;
		memcpy(out + used, from, width);
		used += width;
		in += n != 0 ? n : 1;
	}
	out[used] = '\0';
}
