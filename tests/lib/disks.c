/**
 * Writes partition tables as bytes. Knows the formats of the MBR, of the chain of EBRs
 * behind it and of the GPT, from their descriptions; the geometry in CHS fields is 255
 * heads of 63 sectors, as Linux and Windows write it, if no other is asked for. Does not care whether partitions
 * overlap or lie on the disk: tests want that, too.
 */
#include "disks.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR_MAX  4096
#define ARRAY_MAX   (1 << 20) /* bytes of GPT entries */
#define GPT_HEADER  92
#define ENTRY_AT    446
#define ENTRY_BYTES 16

/* Where the bytes go, and what is wrong as soon as something is. */
struct out {
	const struct disk *d;
	disk_put_fn put;
	void *ctx;
	char *why;
};

static bool no(char *why, const char *what, unsigned number)
{
	snprintf(why, DISK_WHY, "entry %u: %s", number, what);
	return false;
}

static bool put_sectors(const struct out *o, uint64_t sector, const void *bytes,
			uint64_t count)
{
	if (o->put(o->ctx, sector * o->d->sector_size, bytes, count * o->d->sector_size))
		return true;
	snprintf(o->why, DISK_WHY, "cannot write sector %llu: %s",
		 (unsigned long long)sector, strerror(errno));
	return false;
}

static void little(unsigned char *at, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++, value >>= 8)
		at[i] = (unsigned char)(value & 0xff);
}

static void sign(unsigned char *sector)
{
	sector[510] = 0x55;
	sector[511] = 0xaa;
}

static void put_chs(const struct disk *d, unsigned char *at, uint64_t sector)
{
	uint64_t heads = d->heads ? d->heads : 255, track = d->track ? d->track : 63;
	uint64_t last = 1024 * heads * track - 1;
	if (sector > last)
		sector = last;
	uint64_t cylinder = sector / track / heads;
	little(at, sector / track % heads, 1);
	little(at + 1, (sector % track + 1) | (cylinder >> 2 & 0xc0), 1);
	little(at + 2, cylinder & 0xff, 1);
}

/* One 16-byte entry: count sectors from start on, told as a distance from base. */
static bool put_entry(const struct out *o, unsigned char *at, const struct disk_entry *e,
		      uint64_t base)
{
	uint64_t distance = e->start - base;
	if (e->start < base || distance > UINT32_MAX || e->count > UINT32_MAX)
		return no(o->why, "does not fit in 32 bits", e->number);
	at[0] = e->boot ? 0x80 : 0;
	put_chs(o->d, at + 1, e->start);
	at[4] = e->type;
	put_chs(o->d, at + 5, e->start + e->count - 1);
	little(at + 8, distance, 4);
	little(at + 12, e->count, 4);
	return true;
}

static const struct disk_entry *next_logical(const struct disk *d,
					     const struct disk_entry *after)
{
	const struct disk_entry *e = after ? after + 1 : d->entry;
	for (; e < d->entry + d->n; e++)
		if (e->logical)
			return e;
	return NULL;
}

static const struct disk_entry *find_extended(const struct disk *d)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct disk_entry *e = &d->entry[i];
		if (!e->logical && (e->type == 0x05 || e->type == 0x0f || e->type == 0x85))
			return e;
	}
	return NULL;
}

static bool put_ebr(const struct out *o, const struct disk_entry *e, uint64_t extended)
{
	unsigned char sector[SECTOR_MAX] = { 0 };
	const struct disk_entry *next = next_logical(o->d, e);
	if (e->count && !put_entry(o, sector + ENTRY_AT, e, e->ebr))
		return false;
	if (next) {
		uint64_t end = next->count ? next->start + next->count : next->ebr + 1;
		struct disk_entry link = { .number = next->number, .type = 5 };
		link.start = next->ebr;
		link.count = end - next->ebr;
		if (!put_entry(o, sector + ENTRY_AT + ENTRY_BYTES, &link, extended))
			return false;
	}
	sign(sector);
	return put_sectors(o, e->ebr, sector, 1);
}

static bool put_chain(const struct out *o)
{
	const struct disk_entry *e = next_logical(o->d, NULL);
	const struct disk_entry *extended = find_extended(o->d);
	if (!e)
		return true;
	if (!extended)
		return no(o->why, "a logical without an extended partition", e->number);
	if (e->ebr != extended->start)
		return no(o->why, "its EBR must be the extended partition's first sector",
			  e->number);
	for (; e; e = next_logical(o->d, e))
		if (!put_ebr(o, e, extended->start))
			return false;
	return true;
}

static void put_boot_code(const struct disk *d, unsigned char *sector)
{
	for (size_t i = 0; d->boot_code && i < 440; i++)
		sector[i] = disk_boot_byte(i);
}

static bool put_dos(const struct out *o)
{
	unsigned char sector[SECTOR_MAX] = { 0 };
	put_boot_code(o->d, sector);
	little(sector + 440, o->d->id, 4);
	for (size_t i = 0; i < o->d->n; i++) {
		const struct disk_entry *e = &o->d->entry[i];
		size_t slot = e->number - 1;
		if (e->logical)
			continue;
		if (slot > 3)
			return no(o->why, "an MBR has entries 1 to 4", e->number);
		if (!put_entry(o, sector + ENTRY_AT + slot * ENTRY_BYTES, e, 0))
			return false;
	}
	sign(sector);
	return put_sectors(o, 0, sector, 1) && put_chain(o);
}

static uint32_t slot_count(const struct disk *d)
{
	return d->slots ? d->slots : 128;
}

static uint32_t entry_size(const struct disk *d)
{
	return d->entry_size ? d->entry_size : 128;
}

static uint64_t array_at(const struct disk *d)
{
	return d->array ? d->array : 2;
}

static uint64_t array_sectors(const struct disk *d)
{
	uint64_t bytes = (uint64_t)slot_count(d) * entry_size(d);
	return (bytes + d->sector_size - 1) / d->sector_size;
}

/* Of the disk that the GPT was made for. */
static uint64_t last_sector(const struct disk *d)
{
	return (d->made_for ? d->made_for : d->sectors) - 1;
}

static uint32_t crc32(const unsigned char *bytes, size_t n)
{
	uint32_t crc = 0xffffffff;
	for (size_t i = 0; i < n; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return crc ^ 0xffffffff;
}

/* The first three fields of a GUID lie on the disk with their bytes turned round. */
static bool put_guid(unsigned char *at, const char *text)
{
	static const int place[16] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15
	};
	size_t i = 0;
	for (; i < 16 && *text; i++) {
		char pair[3] = "";
		char *end;
		if (*text == '-')
			text++;
		memcpy(pair, text, strnlen(text, 2));
		at[place[i]] = (unsigned char)strtoul(pair, &end, 16);
		if (end != pair + 2)
			return false;
		text += 2;
	}
	return i == 16 && !*text;
}

static bool put_slots(const struct out *o, unsigned char *slots)
{
	for (size_t i = 0; i < o->d->n; i++) {
		const struct disk_entry *e = &o->d->entry[i];
		size_t slot = e->number - 1;
		unsigned char *at = slots + slot * entry_size(o->d);
		if (slot >= slot_count(o->d))
			return no(o->why, "this GPT has not so many entries", e->number);
		if (!put_guid(at, e->type_guid) || !put_guid(at + 16, e->uuid))
			return no(o->why, "not a GUID", e->number);
		little(at + 32, e->start, 8);
		little(at + 40, e->start + e->count - 1, 8);
		little(at + 48, e->attrs, 8);
		for (size_t c = 0; c < 36 && !e->name[0]; c++)
			little(at + 56 + 2 * c, e->units[c], 2);
		for (size_t c = 0; c < 36 && e->name[c]; c++)
			little(at + 56 + 2 * c, (unsigned char)e->name[c], 2);
	}
	return true;
}

static bool put_header(const struct out *o, uint64_t mine, uint64_t slots_at,
		       uint32_t slots_crc)
{
	static const unsigned char begin[12] = { 'E', 'F', 'I', ' ', 'P', 'A',
						 'R', 'T', 0,   0,   1,   0 };
	unsigned char h[SECTOR_MAX] = { 0 };
	uint64_t last = last_sector(o->d), count = array_sectors(o->d);
	memcpy(h, begin, sizeof(begin));
	little(h + 12, GPT_HEADER, 4);
	little(h + 24, mine, 8);
	little(h + 32, mine == 1 ? last : 1, 8);
	little(h + 40, o->d->first_usable ? o->d->first_usable : array_at(o->d) + count, 8);
	little(h + 48, last - count - 1, 8);
	if (!put_guid(h + 56, o->d->guid))
		return no(o->why, "the disk's GUID is none", 0);
	little(h + 72, slots_at, 8);
	little(h + 80, slot_count(o->d), 4);
	little(h + 84, entry_size(o->d), 4);
	little(h + 88, slots_crc, 4);
	little(h + 16, crc32(h, GPT_HEADER), 4);
	return mine >= o->d->sectors || put_sectors(o, mine, h, 1);
}

static bool put_protective(const struct out *o)
{
	static const unsigned char whole[8] = { 0, 0, 2, 0, 0xee, 0xff, 0xff, 0xff };
	unsigned char sector[SECTOR_MAX] = { 0 };
	uint64_t rest = last_sector(o->d);
	unsigned char *at = sector + ENTRY_AT;
	put_boot_code(o->d, sector);
	memcpy(at, whole, sizeof(whole));
	little(at + 8, 1, 4);
	little(at + 12, rest < UINT32_MAX ? rest : UINT32_MAX, 4);
	sign(sector);
	return put_sectors(o, 0, sector, 1);
}

/* Those of the array from sector `at` on that lie on the disk. */
static bool put_array(const struct out *o, uint64_t at, const unsigned char *slots)
{
	uint64_t count = array_sectors(o->d);
	if (at >= o->d->sectors)
		return true;
	return put_sectors(o, at, slots,
			   count < o->d->sectors - at ? count : o->d->sectors - at);
}

static bool put_gpt(const struct out *o)
{
	static unsigned char slots[ARRAY_MAX]; /* large */
	size_t bytes = (size_t)slot_count(o->d) * entry_size(o->d);
	uint64_t count = array_sectors(o->d), last = last_sector(o->d);
	if (bytes > sizeof(slots))
		return no(o->why, "the entries of this GPT are too many", 0);
	memset(slots, 0, sizeof(slots));
	if (!put_slots(o, slots))
		return false;
	uint32_t crc = crc32(slots, bytes);
	return put_protective(o) && put_header(o, 1, array_at(o->d), crc) &&
	       put_array(o, array_at(o->d), slots) && put_array(o, last - count, slots) &&
	       put_header(o, last, last - count, crc);
}

static bool put_table(const struct out *o)
{
	unsigned char sector[SECTOR_MAX] = { 0 };
	switch (o->d->label) {
	case DISK_DOS:
		return put_dos(o);
	case DISK_GPT:
		return put_gpt(o);
	case DISK_NONE:
		put_boot_code(o->d, sector);
		return !o->d->boot_code || put_sectors(o, 0, sector, 1);
	}
	return false;
}

bool disk_put(const struct disk *d, disk_put_fn put, void *ctx, char *why)
{
	struct out o = { .d = d, .put = put, .ctx = ctx, .why = why };
	uint32_t size = d->sector_size;
	if (size < 512 || size > SECTOR_MAX || (size & (size - 1))) {
		snprintf(why, DISK_WHY, "no sector size: %u", size);
		return false;
	}
	if (d->sectors < (d->label == DISK_GPT ? 80 : 1)) {
		snprintf(why, DISK_WHY, "too few sectors for the table");
		return false;
	}
	if (!put_table(&o))
		return false;
	for (size_t i = 0; i < d->nforeign; i++)
		if (!put(ctx, d->foreign[i].at, d->foreign[i].bytes, d->foreign[i].n)) {
			snprintf(why, DISK_WHY, "cannot put a label: %s", strerror(errno));
			return false;
		}
	for (size_t i = 0; i < d->npokes; i++)
		if (!put(ctx, d->poke[i].at, d->poke[i].bytes, d->poke[i].n)) {
			snprintf(why, DISK_WHY, "cannot poke: %s", strerror(errno));
			return false;
		}
	return true;
}

static bool put_file(void *ctx, uint64_t at, const void *bytes, size_t n)
{
	const int *fd = ctx;
	return pwrite(*fd, bytes, n, (off_t)at) == (ssize_t)n;
}

bool disk_write(const struct disk *d, const char *path, char *why)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || ftruncate(fd, (off_t)(d->sectors * d->sector_size)) != 0) {
		snprintf(why, DISK_WHY, "cannot make %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	bool done = disk_put(d, put_file, &fd, why);
	if (close(fd) != 0 && done) {
		snprintf(why, DISK_WHY, "cannot write %s: %s", path, strerror(errno));
		return false;
	}
	return done;
}

void disk_make(const char *path, const char *words)
{
	struct disk d;
	char why[DISK_WHY];
	if (disk_read_words(words, &d, why) && disk_write(&d, path, why))
		return;
	fprintf(stderr, "disk \"%s\": %s\n", words, why);
	exit(1);
}

unsigned char disk_boot_byte(size_t i)
{
	return (unsigned char)(0xa0 + i * 7 % 89);
}
