/*
 * stack_bitlocker.c - BitLocker encrypts a volume where it is: data begins where the partition does. Little-endian: "BitLocker
 * Drive Encryption (BDE) format specification" of libbde. The boot sector alone proves nothing, as BitLocker To Go
 * has one like FAT's: one of the three blocks of metadata that it names has to be there.
 */
#include "chain_bytes.h"
#include "stack_priv.h"

enum {
	SIGN_AT = 3,
	SECTOR_AT = 11,
	CLUSTER_AT = 13,     /* in sectors */
	VISTA_BLOCK_AT = 56, /* in clusters */
	COPIES = 3,
};

static const char sign[] = "-FVE-FS-";

struct kind {
	const char *what;
	unsigned char jump[3]; /* the first bytes */
	const char *sign;
	af_bytes
		id_at; /* of the identifier; the metadata's places follow it. 0: Vista has none */
	bool own_clusters; /* those in the boot sector are the volume's */
};

static const struct kind kind_table[] = {
	{ "BitLocker", { 0xeb, 0x58, 0x90 }, sign, 160, true },
	{ "BitLocker To Go", { 0xeb, 0x58, 0x90 }, "MSWIN4.1", 424, false },
	{ "BitLocker (Vista)", { 0xeb, 0x52, 0x90 }, sign, 0, true },
};

static const unsigned char id[16] = { 0x3b, 0xd6, 0x67, 0x49, 0x29, 0x2e, 0xd8, 0x4a,
				      0x83, 0x99, 0xf6, 0xa3, 0x39, 0xe3, 0xd0, 0x01 };

static bool has_metadata(const struct stack_window *w, uint64_t at)
{
	unsigned char block[8];

	return at > 0 && at <= INT64_MAX &&
	       stack_read(w, (af_bytes)at, block, sizeof(block)) &&
	       memcmp(block, sign, sizeof(block)) == 0;
}

/* Bytes of a cluster; 0 if they make no sense. */
static af_bytes cluster_of(const unsigned char *boot)
{
	const af_bytes sector = af_get_le16(boot + SECTOR_AT), count = boot[CLUSTER_AT];

	if (sector < 512 || sector > 4096 || (sector & (sector - 1)) != 0 || count == 0 ||
	    (count & (count - 1)) != 0)
		return 0;
	return sector * count;
}

static bool is_kind(const struct stack_window *w, const unsigned char boot[512],
		    const struct kind *k)
{
	if (memcmp(boot, k->jump, sizeof(k->jump)) != 0 ||
	    memcmp(boot + SIGN_AT, k->sign, 8) != 0)
		return false;
	if (k->id_at == 0) {
		const uint64_t block = af_get_le64(boot + VISTA_BLOCK_AT);
		const af_bytes cluster = cluster_of(boot);

		return cluster > 0 && block < INT64_MAX / 524288 &&
		       has_metadata(w, block * (uint64_t)cluster);
	}
	if (memcmp(boot + k->id_at, id, sizeof(id)) != 0)
		return false;
	for (size_t i = 0; i < COPIES; i++)
		if (has_metadata(w, af_get_le64(boot + k->id_at + sizeof(id) + 8 * i)))
			return true;
	return false;
}

bool af_stack_bitlocker(const struct stack_window *w, struct stack_found *out)
{
	unsigned char boot[512];

	if (!stack_read(w, 0, boot, sizeof(boot)))
		return false;
	for (size_t i = 0; i < sizeof(kind_table) / sizeof(kind_table[0]); i++) {
		const struct kind *k = &kind_table[i];

		if (!is_kind(w, boot, k))
			continue;
		af_stack_add(out, k->what, 0, k->own_clusters ? cluster_of(boot) : 0);
		return true;
	}
	return false;
}
