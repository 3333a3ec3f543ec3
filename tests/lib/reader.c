/*
 * reader.c - an independent reader of partition tables, from the UEFI specification (chapter 5) and the classic layout
 * of the PC's master boot record. Nothing of src/ is used here.
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct image {
	int fd;
	uint64_t sectors;
	uint32_t sector_size;
	struct reader_table *table;
};

static bool fault(struct image *im, const char *what, uint64_t n)
{
	snprintf(im->table->fault, sizeof im->table->fault, "%s (%llu)", what,
		 (unsigned long long)n);
	return false;
}

static uint64_t le(const unsigned char *p, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0)
		value = value * 256 + p[bytes];
	return value;
}

static bool get(struct image *im, uint64_t sector, void *buf, size_t n)
{
	if (sector >= im->sectors)
		return fault(im, "sector beyond the disk", sector);
	if (pread(im->fd, buf, n, (off_t)(sector * im->sector_size)) != (ssize_t)n)
		return fault(im, "cannot read sector", sector);
	return true;
}

static struct reader_part *add(struct image *im)
{
	if (im->table->n == READER_PARTS)
		abort();
	return &im->table->part[im->table->n++];
}

/* The four fields that matter of one 16-byte record. */
struct record {
	unsigned flag, code;
	uint64_t start, count;
};

static struct record record_at(const unsigned char *sector, unsigned i)
{
	const unsigned char *p = &sector[0x1BE + 16 * i];

	return (struct record){ p[0], p[4], le(p + 8, 4), le(p + 12, 4) };
}

static bool is_container(unsigned code)
{
	return code == 0x05 || code == 0x0F || code == 0x85;
}

static bool signed_sector(const unsigned char *sector)
{
	return sector[510] == 0x55 && sector[511] == 0xAA;
}

static bool put_part(struct image *im, unsigned number, struct record r,
		     enum reader_kind kind, uint64_t from)
{
	struct reader_part *p = add(im);

	if (r.flag != 0 && r.flag != 0x80)
		return fault(im, "boot flag of partition", number);
	if (r.code == 0 || r.start == 0)
		return fault(im, "empty fields in partition", number);
	if (from + r.start + r.count > im->sectors)
		return fault(im, "beyond the disk: partition", number);
	*p = (struct reader_part){
		.number = number,
		.kind = kind,
		.boot = r.flag == 0x80,
		.start = from + r.start,
		.count = r.count,
		.ebr = kind == READER_LOGICAL ? from : 0,
		.type = { (uint8_t)r.code },
	};
	return true;
}

/* The size a link should have: its EBR, the gap and the data that it leads to; without data the EBR alone. */
static bool link_fits(struct image *im, const unsigned char *sector, uint64_t at,
		      uint64_t link_count)
{
	struct record data = record_at(sector, 0);
	uint64_t want = data.count ? data.start + data.count : 1;

	return link_count == want || fault(im, "size of the link to sector", at);
}

/* What follows from the EBR read from sector `at`: its logical, if it has one, and *link. */
static bool take_ebr(struct image *im, const unsigned char *sector, uint64_t at,
		     unsigned *number, struct record *link)
{
	struct record data = record_at(sector, 0);

	*link = record_at(sector, 1);
	if (!signed_sector(sector) || record_at(sector, 2).count ||
	    record_at(sector, 3).count)
		return fault(im, "malformed EBR", at);
	if (link->count && link->code != 5)
		return fault(im, "code of a link", link->code);
	if (data.count == 0)
		return true;
	if (is_container(data.code))
		return fault(im, "EBR without data", at);
	return put_part(im, (*number)++, data, READER_LOGICAL, at);
}

static bool walk_chain(struct image *im, uint64_t ext_start, uint64_t ext_count)
{
	unsigned char sector[4096];
	struct record link = { .count = 1 };
	uint64_t at = ext_start;
	unsigned number = 5;

	for (unsigned n = 0; link.count; n++) {
		uint64_t link_count = link.count;

		if (n == READER_PARTS || at < ext_start || at >= ext_start + ext_count)
			return fault(im,
				     "endless chain, or EBR outside the extended partition",
				     at);
		if (!get(im, at, sector, im->sector_size))
			return false;
		if (!take_ebr(im, sector, at, &number, &link))
			return false;
		if (n > 0 && !link_fits(im, sector, at, link_count))
			return false;
		at = ext_start + link.start;
	}
	return true;
}

static bool read_dos(struct image *im, const unsigned char *sector)
{
	uint64_t ext_start = 0, ext_count = 0;

	im->table->label = READER_DOS;
	im->table->slots = 4;
	memcpy(im->table->id, sector + 440, 4);
	for (unsigned i = 0; i < 4; i++) {
		struct record r = record_at(sector, i);
		bool container = is_container(r.code);

		if (r.count == 0)
			continue;
		if (!put_part(im, i + 1, r, container ? READER_EXTENDED : READER_PRIMARY,
			      0))
			return false;
		if (container && ext_count)
			return fault(im, "second container", i);
		if (container) {
			ext_start = r.start;
			ext_count = r.count;
		}
	}
	return ext_count == 0 || walk_chain(im, ext_start, ext_count);
}

/* The checksum of the UEFI specification, by a table of 256 made on the first use. */
static uint32_t checksum(const unsigned char *p, size_t n)
{
	static uint32_t table[256];
	uint32_t sum = 0xFFFFFFFF;

	if (!table[1])
		for (uint32_t i = 0; i < 256; i++) {
			uint32_t v = i;

			for (int bit = 0; bit < 8; bit++)
				v = v & 1 ? 0xEDB88320 ^ v >> 1 : v >> 1;
			table[i] = v;
		}
	while (n-- > 0)
		sum = table[(sum ^ *p++) & 0xFF] ^ sum >> 8;
	return sum ^ 0xFFFFFFFF;
}

/* Checks the header in h, found at sector `at`, whose twin is at `other`. */
static bool check_header(struct image *im, const unsigned char *h, uint64_t at,
			 uint64_t other)
{
	unsigned char copy[512];
	uint64_t size = le(h + 12, 4);

	if (memcmp(h, "EFI PART\0\0\1\0", 12) != 0 || size != 92)
		return fault(im, "no GPT header at sector", at);
	memcpy(copy, h, 92);
	memset(copy + 16, 0, 4);
	if (checksum(copy, 92) != le(h + 16, 4))
		return fault(im, "checksum of the header at sector", at);
	if (le(h + 24, 8) != at || le(h + 32, 8) != other)
		return fault(im, "places in the header at sector", at);
	uint64_t entry = le(h + 84, 4);

	if (entry < 128 || entry > 4096 || (entry & (entry - 1)) || le(h + 80, 4) == 0 ||
	    le(h + 80, 4) > 1024)
		return fault(im, "entries of the header at sector", at);
	return true;
}

static unsigned char *check_entries(struct image *im, const unsigned char *h)
{
	size_t bytes = (size_t)(le(h + 80, 4) * le(h + 84, 4));
	unsigned char *p = malloc(bytes);

	if (!p)
		abort();
	if (get(im, le(h + 72, 8), p, bytes) && checksum(p, bytes) == le(h + 88, 4))
		return p;
	if (!im->table->fault[0])
		fault(im, "checksum of the entries at sector", le(h + 72, 8));
	free(p);
	return NULL;
}

static bool put_entry(struct image *im, const unsigned char *e, unsigned number)
{
	static const unsigned char zeros[16];
	uint64_t first = le(e + 32, 8), last = le(e + 40, 8);

	if (memcmp(e, zeros, 16) == 0)
		return true;
	if (first < im->table->first || last > im->table->last || first > last)
		return fault(im, "sectors of partition", number);
	struct reader_part *p = add(im);

	*p = (struct reader_part){ .number = number,
				   .start = first,
				   .count = last - first + 1 };
	memcpy(p->type, e, 16);
	memcpy(p->uuid, e + 16, 16);
	p->attrs = le(e + 48, 8);
	for (unsigned i = 0; i < 36; i++)
		p->name[i] = (uint16_t)le(e + 56 + 2 * (size_t)i, 2);
	return true;
}

static bool put_entries(struct image *im, const unsigned char *main_entries,
			const unsigned char *spare, size_t entry)
{
	bool ok = true;

	if (memcmp(main_entries, spare, im->table->slots * entry) != 0)
		return fault(im, "the two arrays of entries differ", 0);
	for (unsigned i = 0; ok && i < im->table->slots; i++)
		ok = put_entry(im, main_entries + entry * i, i + 1);
	return ok;
}

static bool read_gpt(struct image *im)
{
	unsigned char h[512], b[512];
	uint64_t end = im->sectors - 1;

	im->table->label = READER_GPT;
	if (!get(im, 1, h, 512) || !get(im, end, b, 512))
		return false;
	if (!check_header(im, h, 1, end) || !check_header(im, b, end, 1))
		return false;
	if (memcmp(h + 40, b + 40, 32) != 0 || memcmp(h + 80, b + 80, 12) != 0)
		return fault(im, "the two headers differ", 0);
	im->table->first = le(h + 40, 8);
	im->table->last = le(h + 48, 8);
	im->table->slots = (unsigned)le(h + 80, 4);
	memcpy(im->table->id, h + 56, 16);
	unsigned char *main_entries = check_entries(im, h);
	unsigned char *spare = main_entries ? check_entries(im, b) : NULL;
	bool ok = main_entries && spare &&
		  put_entries(im, main_entries, spare, (size_t)le(h + 84, 4));

	free(main_entries);
	free(spare);
	return ok;
}

bool reader_read(int fd, uint64_t size, uint32_t sector_size, struct reader_table *out)
{
	unsigned char sector[4096];
	struct image im = { fd, size / sector_size, sector_size, out };

	*out = (struct reader_table){ .label = READER_NONE };
	if (!get(&im, 0, sector, sector_size))
		return false;
	if (!signed_sector(sector))
		return true;
	struct record r = record_at(sector, 0);

	if (r.code == 0xEE && r.start == 1)
		return read_gpt(&im);
	return read_dos(&im, sector);
}
