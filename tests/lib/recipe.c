/**
 * Disks in words, for command lines and tests: reads a recipe such as
 * "2097152 512 dos 0x1234 p1=2048+4096,83,boot" or the name of a preset. What the words are
 * is in disks.h. Knows nothing of the bytes that come of it.
 */
#include "disks.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TB   "1953525168 512 " /* as many sectors as a 1 TB drive has */
#define GUID "af000000-0000-4000-8000-%012x"

struct preset {
	const char *name, *words;
	void (*fill)(struct disk *d); /* may be NULL */
};

static void set_guids(struct disk_entry *e)
{
	strcpy(e->type_guid, "0fc63daf-8483-4772-8e79-3d69d8477de4");
	snprintf(e->uuid, sizeof(e->uuid), GUID, e->number);
}

/* n partitions of `count` sectors, side by side. */
static void fill_gpt(struct disk *d, unsigned n, uint64_t count)
{
	for (unsigned i = 0; i < n; i++) {
		struct disk_entry *e = &d->entry[d->n++];
		e->number = i + 1;
		e->count = count;
		e->start = 2048 + i * e->count;
		set_guids(e);
		snprintf(e->name, sizeof(e->name), "part-%u", e->number);
	}
}

static void fill_gpt128(struct disk *d)
{
	fill_gpt(d, 128, 14680064);
}

static void fill_gpt1024(struct disk *d)
{
	fill_gpt(d, 1024, 1835008);
}

/* n logicals of `count` sectors, each 1 MiB behind its EBR. */
static void fill_logicals(struct disk *d, unsigned n, uint64_t count)
{
	for (unsigned i = 0; i < n; i++) {
		struct disk_entry *e = &d->entry[d->n++];
		e->number = 5 + i;
		e->logical = true;
		e->type = 0x83;
		e->count = count;
		e->ebr = 2099200 + i * (count + 2048);
		e->start = e->ebr + 2048;
	}
}

/* As many as fdisk and its kind find, of 16 GiB. */
static void fill_dos56(struct disk *d)
{
	fill_logicals(d, 56, 33554432);
}

static void fill_dos200(struct disk *d)
{
	fill_logicals(d, 200, 8386560);
}

static void fill_dos1000(struct disk *d)
{
	fill_logicals(d, 1000, 1636352);
}

static const struct preset preset_table[] = {
	{ "seed",
	  TB "dos 0x10bd10bc boot-code p1=63+20971521,83,boot p2=20971584+20971520,83 "
	     "e3=41943104+62914560,5 l5=41943167+20971521,83 l6=62914751+20971521,83",
	  NULL },
	{ "seed-63",
	  TB "dos 0x10bd10bc boot-code p1=63+20971521,83 p2=20971584+20971520,83 "
	     "e3=41943104+1911582064,5 l5=41943167+20971521,83 l6=62914751+20971521,83",
	  NULL },
	{ "seed-aligned",
	  TB "dos 0x10bd10bc boot-code p1=2048+20971521,83 p2=20973576+20971521,83 "
	     "e3=41945104+1911580064,5 l5=41945168+20971521,83,ebr=41945104 "
	     "l6=62916752+20971521,83,ebr=62916689",
	  NULL },
	{ "empty-dos", TB "dos 0x10bd10bc boot-code", NULL },
	{ "empty-gpt", TB "gpt af000000-0000-4000-8000-0000000000ff", NULL },
	{ "empty-gpt-4k", "244190646 4096 gpt af000000-0000-4000-8000-0000000000ff", NULL },
	{ "gpt128", TB "gpt af000000-0000-4000-8000-0000000000ff", fill_gpt128 },
	{ "gpt1024",
	  TB "gpt af000000-0000-4000-8000-0000000000ff slots=1024 first-usable=2048",
	  fill_gpt1024 },
	{ "dos56", TB "dos 0x10bd10bc boot-code p1=2048+2097152,83 e2=2099200+1879162880,5",
	  fill_dos56 },
	{ "dos200",
	  TB "dos 0x10bd10bc boot-code p1=2048+2097152,83 e2=2099200+1679818752,f",
	  fill_dos200 },
	{ "dos1000",
	  TB "dos 0x10bd10bc boot-code p1=2048+2097152,83 e2=2099200+1679818752,f",
	  fill_dos1000 },
};

static bool no(char *why, const char *word)
{
	snprintf(why, DISK_WHY, "cannot read \"%.100s\"", word);
	return false;
}

/* A number up to one of stops, or to the end of the text; moves *text behind it. */
static bool number(const char **text, int base, const char *stops, uint64_t *out)
{
	char *end;
	errno = 0;
	uintmax_t n = strtoumax(*text, &end, base);
	if (end == *text || errno || !isxdigit((unsigned char)**text))
		return false;
	if (*end && !strchr(stops, *end))
		return false;
	*text = *end ? end + 1 : end;
	*out = n;
	return true;
}

static bool copy(char *to, size_t size, const char *from)
{
	int n = snprintf(to, size, "%s", from);
	return n > 0 && (size_t)n < size;
}

/* "83,boot,ebr=63": what follows the place of an MBR entry. */
static bool read_mbr_rest(const char *rest, struct disk_entry *e)
{
	uint64_t type = 0;
	if (!number(&rest, 16, ",", &type) || type > 0xff)
		return false;
	e->type = (unsigned char)type;
	if (strncmp(rest, "boot", 4) == 0 && (!rest[4] || rest[4] == ',')) {
		e->boot = true;
		rest += rest[4] ? 5 : 4;
	}
	if (e->logical && strncmp(rest, "ebr=", 4) == 0) {
		rest += 4;
		return number(&rest, 10, "", &e->ebr);
	}
	e->ebr = e->logical ? e->start - 63 : 0;
	return !*rest;
}

/* "linux,auto,name": what follows the place of a GPT entry. */
static bool read_gpt_rest(const char *rest, struct disk_entry *e)
{
	char text[128];
	char *save = NULL;
	if (!copy(text, sizeof(text), rest))
		return false;
	const char *type = strtok_r(text, ",", &save);
	const char *uuid = strtok_r(NULL, ",", &save);
	const char *name = strtok_r(NULL, "", &save);
	if (!type || !uuid)
		return false;
	set_guids(e);
	if (strcmp(type, "efi") == 0)
		type = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b";
	else if (strcmp(type, "linux") == 0)
		type = e->type_guid;
	if (type != e->type_guid && !copy(e->type_guid, sizeof(e->type_guid), type))
		return false;
	if (strcmp(uuid, "auto") != 0 && !copy(e->uuid, sizeof(e->uuid), uuid))
		return false;
	return !name || copy(e->name, sizeof(e->name), name);
}

/* "p1=63+20971521,83,boot" and its kind. */
static bool read_entry(const char *word, struct disk *d)
{
	struct disk_entry *e = &d->entry[d->n];
	const char *at = word + 1;
	uint64_t n = 0;
	if (d->n == DISK_ENTRIES || !number(&at, 10, "=", &n) || n < 1 || n > 1024)
		return false;
	d->n++;
	e->number = (unsigned)n;
	e->logical = word[0] == 'l';
	if (!number(&at, 10, "+", &e->start) || !number(&at, 10, ",", &e->count))
		return false;
	return word[0] == 'g' ? read_gpt_rest(at, e) : read_mbr_rest(at, e);
}

static bool read_poke(const char *text, struct disk *d)
{
	struct disk_poke *p = &d->poke[d->npokes];
	if (d->npokes == DISK_POKES || !number(&text, 10, ",", &p->at))
		return false;
	for (; *text; text += 2) {
		char pair[3] = { text[0], text[1], 0 };
		const char *at = pair;
		uint64_t byte = 0;
		if (p->n == sizeof(p->bytes) || !text[1] || !number(&at, 16, "", &byte))
			return false;
		p->bytes[p->n++] = (unsigned char)byte;
	}
	d->npokes++;
	return p->n > 0;
}

/* "240/63": heads of a cylinder, sectors of a track. */
static bool read_chs(const char *text, struct disk *d)
{
	uint64_t heads = 0, track = 0;
	if (!number(&text, 10, "/", &heads) || !number(&text, 10, "", &track))
		return false;
	d->heads = (unsigned)heads;
	d->track = (unsigned)track;
	return heads > 0 && heads <= 256 && track > 0 && track <= 63;
}

/* "array=34" and others about where a GPT lies. */
static bool read_form(const char *word, struct disk *d)
{
	uint64_t slots = 0, entry_size = 0;
	const struct {
		const char *key;
		uint64_t *value;
	} key_table[] = {
		{ "first-usable=", &d->first_usable }, { "array=", &d->array },
		{ "made-for=", &d->made_for },         { "slots=", &slots },
		{ "entry-size=", &entry_size },
	};
	for (size_t i = 0; i < sizeof(key_table) / sizeof(key_table[0]); i++) {
		const char *value = word + strlen(key_table[i].key);
		if (strncmp(word, key_table[i].key, strlen(key_table[i].key)) != 0)
			continue;
		if (!number(&value, 10, "", key_table[i].value) || slots > 8192 ||
		    entry_size > 4096)
			return false;
		d->slots = slots ? (uint32_t)slots : d->slots;
		d->entry_size = entry_size ? (uint32_t)entry_size : d->entry_size;
		return true;
	}
	return false;
}

static bool read_word(const char *word, struct disk *d)
{
	const char *value = strchr(word, '=');
	if (strcmp(word, "boot-code") == 0)
		return d->boot_code = true;
	if (!value++)
		return false;
	if (read_form(word, d))
		return true;
	if (strncmp(word, "chs=", 4) == 0)
		return read_chs(value, d);
	if (strncmp(word, "poke=", 5) == 0)
		return read_poke(value, d);
	if (disk_read_foreign(word, d) || disk_read_container(word, d))
		return true;
	return strchr(d->label == DISK_GPT ? "g" : "pel", word[0]) && read_entry(word, d);
}

/* "dos 0x1234", "gpt af00...", "none", whose first word is given. */
static bool read_label(const char *label, char **save, struct disk *d)
{
	uint64_t id = 0;
	if (strcmp(label, "none") == 0)
		return true;
	const char *value = strtok_r(NULL, " ", save);
	if (!value)
		return false;
	if (strcmp(label, "gpt") == 0) {
		d->label = DISK_GPT;
		return copy(d->guid, sizeof(d->guid), value);
	}
	d->label = DISK_DOS;
	if (strcmp(label, "dos") != 0 || !number(&value, 0, "", &id) || id > UINT32_MAX)
		return false;
	d->id = (uint32_t)id;
	return true;
}

static bool read_size(const char *sectors, char **save, struct disk *d)
{
	const char *size = strtok_r(NULL, " ", save);
	const char *label = strtok_r(NULL, " ", save);
	uint64_t n = 0;
	if (!size || !label || !number(&sectors, 10, "", &d->sectors) ||
	    !number(&size, 10, "", &n))
		return false;
	d->sector_size = n > 4096 ? 0 : (uint32_t)n;
	return read_label(label, save, d);
}

static bool read_all(char *text, struct disk *d, char *why)
{
	char *save = NULL;
	char *word = strtok_r(text, " ", &save);
	if (!word || !read_size(word, &save, d))
		return no(why, word ? word : "");
	while ((word = strtok_r(NULL, " ", &save)))
		if (!read_word(word, d))
			return no(why, word);
	return true;
}

static const struct preset *find_preset(const char *words, size_t length)
{
	for (size_t i = 0; i < sizeof(preset_table) / sizeof(preset_table[0]); i++) {
		const struct preset *p = &preset_table[i];
		if (strlen(p->name) == length && memcmp(p->name, words, length) == 0)
			return p;
	}
	return NULL;
}

bool disk_read_words(const char *words, struct disk *d, char *why)
{
	size_t first = strcspn(words, " ");
	const struct preset *preset = find_preset(words, first);
	char *text = NULL;
	int n = preset ? asprintf(&text, "%s%s", preset->words, words + first)
		       : asprintf(&text, "%s", words);
	memset(d, 0, sizeof(*d));
	if (n < 0)
		return no(why, "anything: out of memory");
	bool done = read_all(text, d, why);
	free(text);
	if (done && preset && preset->fill)
		preset->fill(d);
	return done;
}
