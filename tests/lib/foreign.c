/**
 * Labels of other systems as bytes: BSD, Solaris x86, Sun, SGI, from their descriptions, with none of afdisk's code.
 * Every number stands in the label as the words say it, sense or nonsense; checksums are right.
 */
#include "disks.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BSD_ENTRIES 148

/* One entry of a label: where, how long, and up to two numbers more. */
struct entry {
	size_t index;
	uint64_t start, size, type, more;
};

static void put_le(unsigned char *at, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++, value >>= 8)
		at[i] = (unsigned char)(value & 0xff);
}

static void put_be(unsigned char *at, uint64_t value, size_t n)
{
	for (size_t i = n; i > 0; i--, value >>= 8)
		at[i - 1] = (unsigned char)(value & 0xff);
}

/* "a:16+8388608:7:2048" or "0:16065+100:2"; false if it is none. */
static bool read_entry(const char *word, struct entry *e)
{
	bool letter = islower((unsigned char)*word) && word[1] == ':';
	const char *colon = strchr(word, ':');
	char *end;
	*e = (struct entry){ 0 };
	e->index = letter ? (size_t)(*word - 'a') : strtoul(word, &end, 10);
	if (!colon || e->index > 63)
		return false;
	e->start = strtoumax(colon + 1, &end, 10);
	if (*end != '+')
		return false;
	e->size = strtoumax(end + 1, &end, 10);
	e->type = *end == ':' ? strtoumax(end + 1, &end, 10) : 0;
	e->more = *end == ':' ? strtoumax(end + 1, &end, 10) : 0;
	return !*end;
}

/* The words between commas, each as an entry. */
static bool put_entries(char *words,
			void (*put)(struct disk_foreign *f, const struct entry *e),
			struct disk_foreign *f)
{
	char *save = NULL;
	for (char *w = strtok_r(words, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		struct entry e;
		if (!read_entry(w, &e))
			return false;
		put(f, &e);
	}
	return true;
}

static void xor_le(unsigned char *bytes, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i += 2)
		if (i != at) {
			bytes[at] ^= bytes[i];
			bytes[at + 1] ^= bytes[i + 1];
		}
}

static void put_bsd_entry(struct disk_foreign *f, const struct entry *e)
{
	unsigned char *at = f->bytes + BSD_ENTRIES + e->index * 16;
	put_le(at, e->size, 4);
	put_le(at + 4, e->start, 4);
	put_le(at + 8, e->more, 4);
	if (f->bytes[114]) { /* version 1 */
		put_le(at + 8, e->start >> 32, 2);
		put_le(at + 10, e->size >> 32, 2);
		at[13] = (unsigned char)(e->more & 0xff);
	}
	at[12] = (unsigned char)(e->type & 0xff);
}

/* The words before the entries; true if it was one. */
static bool bsd_option(const char *word, struct disk_foreign *f)
{
	if (strcmp(word, "v1") == 0)
		put_le(f->bytes + 114, 1, 2);
	else if (strcmp(word, "4k") == 0)
		put_le(f->bytes + 40, 4096, 4);
	else if (strncmp(word, "n=", 2) == 0)
		put_le(f->bytes + 138, strtoumax(word + 2, NULL, 10), 2);
	else
		return false;
	return true;
}

static bool make_bsd(char *words, struct disk_foreign *f, uint32_t sector_size)
{
	char *save = NULL;
	char *place = strtok_r(words, ",", &save);
	put_le(f->bytes, 0x82564557, 4);
	put_le(f->bytes + 132, 0x82564557, 4);
	put_le(f->bytes + 40, 512, 4);
	put_le(f->bytes + 138, 16, 2);
	put_le(f->bytes + 140, 8192, 4);
	memcpy(f->bytes + 8, "afdisk", 6);
	for (char *w = strtok_r(NULL, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		struct entry e;
		if (bsd_option(w, f))
			continue;
		if (!read_entry(w, &e))
			return false;
		put_bsd_entry(f, &e);
	}
	size_t count = (size_t)f->bytes[138] | (size_t)f->bytes[139] << 8;
	bool wide = f->bytes[41] == 16; /* sectors of 4096 bytes */
	f->at = strtoumax(place, NULL, 10) * sector_size + (wide ? 4096 : 512);
	f->n = BSD_ENTRIES + 16 * (count < 64 ? count : 64);
	xor_le(f->bytes, f->n, 136);
	return true;
}

static void put_vtoc_entry(struct disk_foreign *f, const struct entry *e)
{
	unsigned char *at = f->bytes + 72 + (e->index & 15) * 12;
	put_le(at, e->type, 2);
	put_le(at + 4, e->start, 4);
	put_le(at + 8, e->size, 4);
}

static bool make_vtoc(char *words, struct disk_foreign *f, uint32_t sector_size)
{
	char *rest = strchr(words, ',');
	put_le(f->bytes + 12, 0x600ddeee, 4);
	put_le(f->bytes + 16, 1, 4);
	put_le(f->bytes + 28, 512, 2);
	put_le(f->bytes + 30, 16, 2);
	put_le(f->bytes + 508, 0xdabe, 2);
	f->at = strtoumax(words, NULL, 10) * sector_size + 512;
	f->n = 512;
	if (!rest || !put_entries(rest + 1, put_vtoc_entry, f))
		return false;
	xor_le(f->bytes, 512, 510);
	return true;
}

static void put_sun_entry(struct disk_foreign *f, const struct entry *e)
{
	put_be(f->bytes + 142 + 4 * (e->index & 7), e->type, 2);
	put_be(f->bytes + 444 + 8 * (e->index & 7), e->start, 4);
	put_be(f->bytes + 448 + 8 * (e->index & 7), e->size, 4);
}

static bool make_sun(char *words, struct disk_foreign *f, uint32_t sector_size)
{
	char *rest = strchr(words, ',');
	char *end;
	(void)sector_size;
	put_be(f->bytes + 128, 1, 4);
	put_be(f->bytes + 140, 8, 2);
	put_be(f->bytes + 188, 0x600ddeee, 4);
	put_be(f->bytes + 436, strtoumax(words, &end, 10), 2);
	put_be(f->bytes + 438, *end ? strtoumax(end + 1, NULL, 10) : 0, 2);
	put_be(f->bytes + 508, 0xdabe, 2);
	f->n = 512;
	if (!rest || !put_entries(rest + 1, put_sun_entry, f))
		return false;
	xor_le(f->bytes, 512, 510);
	return true;
}

static void put_sgi_entry(struct disk_foreign *f, const struct entry *e)
{
	unsigned char *at = f->bytes + 312 + (e->index & 15) * 12;
	put_be(at, e->size, 4);
	put_be(at + 4, e->start, 4);
	put_be(at + 8, e->type, 4);
}

static bool make_sgi(char *words, struct disk_foreign *f, uint32_t sector_size)
{
	char *rest = strchr(words, ',');
	uint32_t sum = 0;
	(void)sector_size;
	put_be(f->bytes, 0x0be5a941, 4);
	f->n = 512;
	if (!rest || !put_entries(rest + 1, put_sgi_entry, f))
		return false;
	for (size_t i = 0; i < 512; i += 4)
		sum += (uint32_t)f->bytes[i] << 24 | (uint32_t)f->bytes[i + 1] << 16 |
		       (uint32_t)f->bytes[i + 2] << 8 | f->bytes[i + 3];
	put_be(f->bytes + 504, (uint32_t)(0 - sum), 4);
	return true;
}

bool disk_read_foreign(const char *word, struct disk *d)
{
	static const struct {
		const char *name;
		bool (*make)(char *words, struct disk_foreign *f, uint32_t sector_size);
	} kind_table[] = {
		{ "bsd=", make_bsd },
		{ "vtoc=", make_vtoc },
		{ "sun=", make_sun },
		{ "sgi=", make_sgi },
	};
	char words[400];
	for (size_t i = 0; i < sizeof(kind_table) / sizeof(kind_table[0]); i++) {
		size_t n = strlen(kind_table[i].name);
		if (strncmp(word, kind_table[i].name, n) != 0)
			continue;
		if (d->nforeign == DISK_FOREIGN || strlen(word + n) >= sizeof(words))
			return false;
		memcpy(words, word + n, strlen(word + n) + 1);
		return kind_table[i].make(words, &d->foreign[d->nforeign++],
					  d->sector_size);
	}
	return false;
}
