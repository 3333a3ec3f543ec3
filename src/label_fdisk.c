/*
 * label_fdisk.c - the door to libfdisk: it only ever sees a shadow of the table in memory.
 *
 * What libfdisk is trusted with: a second opinion on what our own reader read, and the lists of types. Nothing is
 * written by it, and no dialog or warning of its reaches anybody. Inclusive numbers, numbers from 0 on, and
 * libfdisk's sectors end here.
 */
#include "label_priv.h"

#include <ctype.h>
#include <libfdisk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A context on a shadow, which is only read, without looking for signatures. */
static struct fdisk_context *open_shadow(int fd, uint32_t sector_size)
{
	struct fdisk_context *c = fdisk_new_context();

	if (!c)
		return NULL;
	fdisk_disable_dialogs(c, 1);
	fdisk_enable_listonly(c, 1);
	fdisk_save_user_sector_size(c, sector_size, sector_size);
	fdisk_save_user_geometry(c, 0, 255, 63);
	if (fdisk_assign_device_by_fd(c, fd, "table", 1) == 0)
		return c;
	fdisk_unref_context(c);
	return NULL;
}

static void close_shadow(struct fdisk_context *c)
{
	fdisk_deassign_device(c, 1);
	fdisk_unref_context(c);
}

/* The value of a hexadecimal digit, or -1. */
static int hex_digit(char c)
{
	const int lower = c | 0x20;

	if (c >= '0' && c <= '9')
		return c - '0';
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* A GUID in text, with or without dashes, to bytes in the order of the text. */
static bool parse_guid(const char *text, uint8_t out[16])
{
	size_t digits = 0;

	for (; *text; text++) {
		const int digit = hex_digit(*text);

		if (*text == '-')
			continue;
		if (digit < 0 || digits == 32)
			return false;
		out[digits / 2] = (uint8_t)(out[digits / 2] << 4 | digit);
		digits++;
	}
	return digits == 32;
}

static bool type_bytes(enum af_scheme scheme, const struct fdisk_parttype *t,
		       uint8_t out[16])
{
	const char *guid = fdisk_parttype_get_string(t);

	memset(out, 0, 16);
	if (scheme == AF_SCHEME_GPT)
		return guid && parse_guid(guid, out);
	out[0] = (uint8_t)fdisk_parttype_get_code(t); /* an MBR code has 8 bits */
	return true;
}

/* ------------------------------------------------------------------ a second opinion */

static bool uuid_is(const char *text, const uint8_t uuid[16])
{
	uint8_t read[16] = { 0 };

	return text && parse_guid(text, read) && memcmp(read, uuid, sizeof read) == 0;
}

static bool entry_agrees(struct fdisk_context *c, const struct af_layout *l,
			 const struct af_part *part, struct fdisk_partition *pa)
{
	struct fdisk_parttype *t = fdisk_partition_get_type(pa);
	uint8_t type[16];
	uint64_t attrs = 0;

	if (!t || !type_bytes(l->scheme, t, type) ||
	    memcmp(type, part->type, sizeof type) != 0)
		return false;
	if (fdisk_partition_get_start(pa) !=
		    af_lba_of(part->span.start, l->sector_size).n ||
	    fdisk_partition_get_size(pa) !=
		    af_lba_of(af_span_size(part->span), l->sector_size).n)
		return false;
	if (l->scheme == AF_SCHEME_MBR)
		return (fdisk_partition_is_bootable(pa) == 1) == part->boot;
	return uuid_is(fdisk_partition_get_uuid(pa), part->uuid) &&
	       fdisk_gpt_get_partition_attrs(c, part->number - 1, &attrs) == 0 &&
	       attrs == part->attrs;
}

/* libfdisk takes an MBR entry for used if any of its bytes is; to Linux and to us one without sectors is not. */
static bool is_leftover(const struct af_layout *l, struct fdisk_partition *pa)
{
	static const uint8_t unused[16];
	struct fdisk_parttype *t = fdisk_partition_get_type(pa);
	uint8_t type[16];

	if (l->scheme == AF_SCHEME_MBR)
		return fdisk_partition_get_size(pa) == 0;
	return t && type_bytes(l->scheme, t, type) &&
	       memcmp(type, unused, sizeof unused) == 0;
}

static bool number_agrees(struct fdisk_context *c, const struct af_layout *l, size_t i,
			  size_t *used)
{
	struct fdisk_partition *pa = NULL;
	const struct af_part *part = af_layout_number(l, (uint32_t)i + 1);

	if (!fdisk_is_partition_used(c, i))
		return true;
	if (fdisk_get_partition(c, i, &pa) != 0)
		return false;
	bool same = part ? entry_agrees(c, l, part, pa) : is_leftover(l, pa);

	*used += part != NULL;
	fdisk_unref_partition(pa);
	return same;
}

bool af_fdisk_agrees(int fd, const struct af_layout *l, uint32_t most, char *why,
		     size_t size)
{
	struct fdisk_context *c = open_shadow(fd, l->sector_size);
	enum fdisk_labeltype kind =
		l->scheme == AF_SCHEME_GPT ? FDISK_DISKLABEL_GPT : FDISK_DISKLABEL_DOS;
	size_t used = 0, wanted = 0, i = 0, n;

	for (size_t k = 0; k < l->nparts; k++)
		wanted += l->part[k].number <= most;
	if (!c || !fdisk_is_labeltype(c, kind)) {
		snprintf(why, size, "libfdisk does not find the table");
		if (c)
			close_shadow(c);
		return false;
	}
	n = fdisk_get_npartitions(c);
	if (n > most)
		n = most;
	while (i < n && number_agrees(c, l, i, &used))
		i++;
	close_shadow(c);
	if (i < n)
		snprintf(why, size, "libfdisk reads partition %zu differently", i + 1);
	else if (used != wanted)
		snprintf(why, size, "libfdisk reads %zu partitions instead of %zu", used,
			 wanted);
	return i == n && used == wanted;
}

char *af_fdisk_name(const char *disk, uint32_t number)
{
	char *name = fdisk_partname(disk, number);

	return name ? name : af_strdup(disk);
}

/* ------------------------------------------------------------------ types */

/* The one list of each scheme, made when it is first asked for. */
struct list {
	struct af_types types;
	struct af_type *type;
};

static struct list mbr_list, gpt_list, sun_list, sgi_list, bsd_list;

static void fill_list(struct list *list, enum af_scheme scheme, const char *name)
{
	struct fdisk_context *c = fdisk_new_context();
	const struct fdisk_label *label = c ? fdisk_get_label(c, name) : NULL;
	size_t n = label ? fdisk_label_get_nparttypes(label) : 0, kept = 0;

	list->type = af_alloc(n + 1, sizeof *list->type);
	for (size_t i = 0; i < n; i++) {
		static const uint8_t unused[16];
		const struct fdisk_parttype *t = fdisk_label_get_parttype(label, i);
		struct af_type *type = &list->type[kept];

		if (!t || !fdisk_parttype_get_name(t) || !type_bytes(scheme, t, type->id) ||
		    (af_scheme_is_ours(scheme) && memcmp(type->id, unused, 16) == 0))
			continue;
		af_text_clean(fdisk_parttype_get_name(t), type->name, sizeof type->name);
		kept++;
	}
	list->types = (struct af_types){ list->type, kept };
	fdisk_unref_context(c);
}

static void fill_mbr_list(void)
{
	fill_list(&mbr_list, AF_SCHEME_MBR, "dos");
}

static void fill_gpt_list(void)
{
	fill_list(&gpt_list, AF_SCHEME_GPT, "gpt");
}

static void fill_other_lists(void)
{
	fill_list(&sun_list, AF_SCHEME_SUN, "sun");
	fill_list(&sgi_list, AF_SCHEME_SGI, "sgi");
	fill_list(&bsd_list, AF_SCHEME_BSD, "bsd");
}

const struct af_types *af_label_types(enum af_scheme scheme)
{
	static const struct af_types none;
	static pthread_once_t mbr = PTHREAD_ONCE_INIT, gpt = PTHREAD_ONCE_INIT,
			      other = PTHREAD_ONCE_INIT;

	switch (scheme) {
	case AF_SCHEME_MBR:
		pthread_once(&mbr, fill_mbr_list);
		return &mbr_list.types;
	case AF_SCHEME_GPT:
		pthread_once(&gpt, fill_gpt_list);
		return &gpt_list.types;
	case AF_SCHEME_SUN:
		pthread_once(&other, fill_other_lists);
		return &sun_list.types;
	case AF_SCHEME_SGI:
		pthread_once(&other, fill_other_lists);
		return &sgi_list.types;
	case AF_SCHEME_BSD:
		pthread_once(&other, fill_other_lists);
		return &bsd_list.types;
	case AF_SCHEME_NONE:
		break;
	}
	return &none;
}

/* Words that people use and libfdisk does not know. */
static const char *usual_word(const char *word)
{
	return strcasecmp(word, "efi") == 0 || strcasecmp(word, "esp") == 0 ? "uefi" : word;
}

static void change_case(const char *word, int (*to)(int), char *out, size_t size)
{
	size_t n = 0;

	for (; word[n] && n + 1 < size; n++)
		out[n] = (char)to((unsigned char)word[n]);
	out[n] = '\0';
}

/* What libfdisk makes of a shortcut, an alias or a name; never of rubbish. */
static bool known_type(enum af_scheme scheme, const struct fdisk_label *label,
		       const char *word, int flags, uint8_t type[16])
{
	struct fdisk_parttype *t = fdisk_label_advparse_parttype(
		label, word, flags | FDISK_PARTTYPE_PARSE_NOUNKNOWN);
	bool ok = t && type_bytes(scheme, t, type);

	fdisk_unref_parttype(t);
	return ok;
}

/* A code of two hexadecimal digits, 0x before it or not, or a GUID. */
static bool spelled_type(enum af_scheme scheme, const char *word, uint8_t type[16])
{
	memset(type, 0, 16);
	if (scheme == AF_SCHEME_GPT)
		return parse_guid(word, type);
	char *end;
	unsigned long code = strtoul(word, &end, 16);

	type[0] = (uint8_t)code;
	return isxdigit((unsigned char)word[0]) && *end == '\0' && code <= 0xFF;
}

/* As sfdisk, where "E" is a shortcut and "e" a code; what is neither is tried again in the other case. */
static bool find_word(enum af_scheme scheme, const struct fdisk_label *label,
		      const char *word, uint8_t type[16])
{
	const int short_words = FDISK_PARTTYPE_PARSE_SHORTCUT | FDISK_PARTTYPE_PARSE_ALIAS |
				FDISK_PARTTYPE_PARSE_DEPRECATED;
	char lower[80], upper[80];

	change_case(word, tolower, lower, sizeof lower);
	change_case(word, toupper, upper, sizeof upper);
	return known_type(scheme, label, word, short_words, type) ||
	       spelled_type(scheme, word, type) ||
	       known_type(scheme, label, upper, short_words, type) ||
	       known_type(scheme, label, lower, short_words, type) ||
	       known_type(scheme, label, word, FDISK_PARTTYPE_PARSE_NAME, type);
}

bool af_label_parse_type(enum af_scheme scheme, const char *word, uint8_t type[16],
			 struct af_err *err)
{
	static const uint8_t unused[16];
	struct fdisk_context *c = scheme == AF_SCHEME_NONE ? NULL : fdisk_new_context();
	const struct fdisk_label *label =
		c ? fdisk_get_label(c, af_scheme_name(scheme)) : NULL;
	uint8_t found[16];
	bool ok = label && find_word(scheme, label, usual_word(word), found) &&
		  memcmp(found, unused, sizeof found) != 0;

	if (ok)
		memcpy(type, found, sizeof found);
	fdisk_unref_context(c);
	return ok || af_fail(err, AF_E_USAGE,
			     "'%s' is no type of a %s partition: give a code or a name "
			     "such as linux, swap, uefi",
			     word, af_scheme_name(scheme));
}
