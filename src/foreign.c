/*
 * foreign - what the first bytes of a disk say that is no partition table of ours. Magic numbers and the few fields
 * beside them that tell a name and a size; libblkid knows many more, but needs a device, and these decide how a
 * table is read.
 */
#include "afdisk/foreign.h"

#include <string.h>

#include "afdisk/text.h"
#include "chain_bytes.h"

static uint32_t get_le16(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t get_be16(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint64_t get_be64(const unsigned char *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < 8; i++)
		n = n << 8 | p[i];
	return n;
}

const char *af_foreign_boot_sector(const unsigned char *sector)
{
	if (memcmp(sector + 3, "-FVE-FS-", 8) == 0)
		return "BitLocker";
	if (sector[0] != 0xEB && sector[0] != 0xE9)
		return NULL;
	if (memcmp(sector + 3, "NTFS    ", 8) == 0)
		return "NTFS";
	if (memcmp(sector + 3, "EXFAT   ", 8) == 0)
		return "exFAT";
	if (memcmp(sector + 54, "FAT", 3) == 0 || memcmp(sector + 82, "FAT", 3) == 0)
		return "FAT";
	return NULL;
}

const char *af_foreign_content(const unsigned char *p)
{
	static const struct {
		size_t at;
		const char *magic, *name;
	} magic_table[] = {
		{ 0, "XFSB", "XFS" },           { 0, "LUKS\xba\xbe", "LUKS" },
		{ 1080, "\x53\xef", "ext" },    { 512, "LABELONE", "LVM" },
		{ 4086, "SWAPSPACE2", "swap" },
	};

	for (size_t i = 0; i < sizeof magic_table / sizeof *magic_table; i++)
		if (memcmp(p + magic_table[i].at, magic_table[i].magic,
			   strlen(magic_table[i].magic)) == 0)
			return magic_table[i].name;
	return p[510] == 0x55 && p[511] == 0xAA ? af_foreign_boot_sector(p) : NULL;
}

/* n units of that many bytes, 0 if that is no size of a disk. */
static af_bytes sized(uint64_t n, uint32_t unit)
{
	af_bytes size;

	return af_lba_to_bytes((struct af_lba){ n }, unit, &size) ? size : 0;
}

af_bytes af_foreign_boot_size(const unsigned char *sector)
{
	const char *kind = af_foreign_boot_sector(sector);

	if (kind && strcmp(kind, "exFAT") == 0)
		return sector[108] > 12 || af_get_le64(sector + 64) != 0
			       ? 0
			       : sized(af_get_le64(sector + 72), 1U << sector[108]);
	if (!kind || strcmp(kind, "BitLocker") == 0 || af_get_le32(sector + 28) != 0)
		return 0;
	uint32_t unit = get_le16(sector + 11), few = get_le16(sector + 19);

	if (unit < 512 || unit > 4096 || (unit & (unit - 1)) != 0)
		return 0;
	if (strcmp(kind, "NTFS") == 0)
		return sized(af_get_le64(sector + 40), unit);
	return sized(few ? few : af_get_le32(sector + 32), unit);
}

bool af_foreign_iso(const unsigned char *head, size_t n, struct af_foreign_iso *out)
{
	enum { DESCRIPTOR = AF_FOREIGN_ISO_AT - 1, LABEL = 40, BLOCKS = 80, UNIT = 128 };
	const unsigned char *p = head + DESCRIPTOR;
	char label[33] = "";

	if (n < DESCRIPTOR + 2048 || p[0] != 1 || memcmp(p + 1, "CD001", 5) != 0)
		return false;
	memcpy(label, p + LABEL, 32);
	for (size_t len = strlen(label); len > 0 && label[len - 1] == ' '; len--)
		label[len - 1] = '\0';
	af_text_clean(label, out->label, sizeof out->label);
	out->size = sized(af_get_le32(p + BLOCKS), get_le16(p + UNIT));
	return true;
}

uint32_t af_foreign_apm(const unsigned char *head, size_t n, uint32_t *block)
{
	if (n < 512 || memcmp(head, "ER", 2) != 0)
		return 0;
	/* ISO images have maps in blocks of 512 bytes under a record that says 2048. */
	const uint32_t said = get_be16(head + 2), try_table[] = { said, 512, 2048 };

	for (size_t i = 0; i < sizeof try_table / sizeof *try_table; i++) {
		const size_t at = try_table[i];

		if (at < 512 || at > 4096 || at + 8 > n || memcmp(head + at, "PM", 2) != 0)
			continue;
		*block = try_table[i];
		return get_be16(head + at + 4) << 16 | get_be16(head + at + 6);
	}
	return 0;
}

bool af_foreign_ldm(const unsigned char *p, struct af_foreign_ldm *out)
{
	enum { START = 0x12B, SIZE = 0x133 };
	af_bytes start = sized(get_be64(p + START), 512),
		 size = sized(get_be64(p + SIZE), 512);
	struct af_span span = { start, start };

	if (memcmp(p, "PRIVHEAD", 8) != 0)
		return false;
	if (af_add(start, size, &span.end))
		out->database = span;
	else
		out->database = (struct af_span){ 0, 0 };
	return true;
}
