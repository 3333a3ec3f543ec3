/*
 * stack_fat.c - FAT12, FAT16 and FAT32 (Microsoft, FAT: General Overview of On-Disk Format 1.03; ECMA-107) and exFAT
 * (Microsoft, exFAT file system specification). Both keep their tables in front of the clusters, in as many sectors as
 * they need: the first cluster lies wherever that ends, and it is the clusters that hold the data.
 */
#include "chain_bytes.h"
#include "stack_fs.h"

enum {
	BOOT = 512,
	BYTES_AT = 11,
	PER_CLUSTER_AT = 13,
	RESERVED_AT = 14,
	FATS_AT = 16,
	MEDIA_AT = 21,
	ROOT_ENTRIES_AT = 17,
	SECTORS16_AT = 19,
	FAT16_AT = 22,
	SECTORS32_AT = 32,
	FAT32_AT = 36,
	NAME_AT = 54,
	NAME32_AT = 82,
	ROOT_ENTRY = 32,
	BACKUP_AT = 50,
	FAT12_CLUSTERS = 4085, /* from here on it is FAT16 */

	EXFAT_SECTORS_AT = 72,
	EXFAT_HEAP_AT = 88,
	EXFAT_SHIFT_AT = 108,
	EXFAT_CLUSTER_SHIFT_AT = 109,
	EXFAT_FLAGS_AT = 106, /* these, and how full it is, are not in the sum */
	EXFAT_FULL_AT = 112,
	EXFAT_SUMMED = 11,  /* sectors; the next one holds the sum */
	EXFAT_LARGEST = 25, /* clusters of 32 MiB */
};

/* A boot sector's numbers, in sectors but for bytes. */
struct fat {
	uint32_t bytes, per_cluster;
	uint64_t table, data, total;
};

static struct fat fat_of(const unsigned char *boot)
{
	struct fat f = { .bytes = af_get_le16(boot + BYTES_AT),
			 .per_cluster = boot[PER_CLUSTER_AT],
			 .table = af_get_le16(boot + FAT16_AT),
			 .total = af_get_le16(boot + SECTORS16_AT) };
	if (f.table == 0)
		f.table = af_get_le32(boot + FAT32_AT);
	if (f.total == 0)
		f.total = af_get_le32(boot + SECTORS32_AT);
	return f;
}

/* Each table begins with the byte for the medium, and at least four ones. */
static bool is_table(const struct stack_window *w, const unsigned char *boot, af_bytes at)
{
	unsigned char entry[2];
	return stack_read(w, at, entry, sizeof(entry)) && entry[0] == boot[MEDIA_AT] &&
	       (entry[1] & 0x0f) == 0x0f;
}

static bool has_tables(const struct stack_window *w, const unsigned char *boot,
		       const struct fat *f)
{
	const uint64_t first = af_get_le16(boot + RESERVED_AT),
		       last = first + (boot[FATS_AT] - UINT64_C(1)) * f->table;
	return is_table(w, boot, (af_bytes)first * f->bytes) &&
	       is_table(w, boot, (af_bytes)last * f->bytes);
}

/* FAT32 keeps a copy of its boot sector; if that has other numbers, the size may be wrong. */
static bool has_other_copy(const struct stack_window *w, const unsigned char *boot,
			   const struct fat *f)
{
	unsigned char copy[BOOT];
	const uint32_t at = af_get_le16(boot + BACKUP_AT);
	if (af_get_le16(boot + FAT16_AT) != 0 || at == 0 || at == 0xffff)
		return false;
	return !stack_read(w, (af_bytes)at * f->bytes, copy, sizeof(copy)) ||
	       memcmp(boot + BYTES_AT, copy + BYTES_AT, 28 - BYTES_AT) != 0 ||
	       memcmp(boot + SECTORS32_AT, copy + SECTORS32_AT, 8) != 0;
}

static const char *fat_name(const unsigned char *boot, const struct fat *f)
{
	uint64_t clusters = (f->total - f->data) / f->per_cluster;
	if (af_get_le16(boot + FAT16_AT) == 0)
		return "FAT32 data";
	return clusters < FAT12_CLUSTERS ? "FAT12 data" : "FAT16 data";
}

/* FAT has no magic number of its own: the mark of any boot sector, or the name that most of them give. */
static bool is_boot_sector(const unsigned char *boot)
{
	const unsigned media = boot[MEDIA_AT];
	const bool named = memcmp(boot + NAME_AT, "FAT", 3) == 0 ||
			   memcmp(boot + NAME32_AT, "FAT32", 5) == 0;
	return (media == 0xf0 || media >= 0xf8) &&
	       (named || (boot[510] == 0x55 && boot[511] == 0xaa));
}

bool af_stack_fat(const struct stack_window *w, struct stack_found *out)
{
	unsigned char boot[BOOT];
	if (!stack_read(w, 0, boot, sizeof(boot)) || !is_boot_sector(boot))
		return false;
	struct fat f = fat_of(boot);
	uint64_t root = (uint64_t)af_get_le16(boot + ROOT_ENTRIES_AT) * ROOT_ENTRY;
	uint32_t reserved = af_get_le16(boot + RESERVED_AT), fats = boot[FATS_AT];
	if (!af_stack_is_power(f.bytes, 512, 4096) ||
	    !af_stack_is_power(f.per_cluster, 1, 128) || reserved == 0 || fats == 0)
		return false;
	f.data = reserved + fats * f.table + (root + f.bytes - 1) / f.bytes;
	const bool is_32 = af_get_le16(boot + FAT16_AT) == 0;
	if (f.table == 0 || f.data >= f.total || root % f.bytes != 0 ||
	    is_32 != (root == 0) || !has_tables(w, boot, &f))
		return false;
	if (!has_other_copy(w, boot, &f))
		af_stack_size(out, f.total, f.bytes);
	return af_stack_add_inside(w, out, fat_name(boot, &f), (af_bytes)f.data * f.bytes,
				   (af_bytes)f.per_cluster * f.bytes);
}

/* The sum over the boot region, as exFAT's specification has it in section 3.4. */
static bool adds_up(const struct stack_window *w, af_bytes sector)
{
	unsigned char bytes[4096], is[4];
	uint64_t sum = 0; /* of 32 bits */
	for (af_bytes i = 0; i < EXFAT_SUMMED; i++) {
		if (!stack_read(w, i * sector, bytes, (size_t)sector))
			return false;
		for (af_bytes k = 0; k < sector; k++)
			if (i > 0 || (k != EXFAT_FLAGS_AT && k != EXFAT_FLAGS_AT + 1 &&
				      k != EXFAT_FULL_AT))
				sum = (((sum & 1) << 31 | sum >> 1) + bytes[k]) &
				      UINT32_MAX;
	}
	return stack_read(w, EXFAT_SUMMED * sector, is, sizeof(is)) &&
	       af_get_le32(is) == sum;
}

bool af_stack_exfat(const struct stack_window *w, struct stack_found *out)
{
	unsigned char boot[BOOT];
	if (!stack_read(w, 0, boot, sizeof(boot)) || memcmp(boot + 3, "EXFAT   ", 8) != 0)
		return false;
	unsigned shift = boot[EXFAT_SHIFT_AT], cluster = boot[EXFAT_CLUSTER_SHIFT_AT];
	uint32_t heap = af_get_le32(boot + EXFAT_HEAP_AT);
	uint64_t total = af_get_le64(boot + EXFAT_SECTORS_AT);
	if (shift < 9 || shift > 12 || cluster > EXFAT_LARGEST - shift || heap == 0 ||
	    heap >= total || !adds_up(w, (af_bytes)1 << shift))
		return false;
	af_stack_size(out, total, (af_bytes)1 << shift);
	return af_stack_add_inside(w, out, "exFAT data", (af_bytes)heap << shift,
				   (af_bytes)1 << (shift + cluster));
}
