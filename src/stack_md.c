/*
 * stack_md.c - where the data of a member of a Linux software RAID begins. Little-endian: struct mdp_superblock_1 and
 * mdp_superblock_s of linux/raid/md_p.h; where they lie, mdadm's md(4). Which of them counts, if there are several, is
 * decided in libblkid's order. Inside a mirror the next thing can be seen, in all others only parts of it.
 */
#include <stdio.h>

#include "chain_bytes.h"
#include "stack_priv.h"

enum {
	MAJOR_AT = 4,
	MINOR_0_AT = 8,
	LEVEL_0_AT = 28,
	SIZE_0_AT = 32, /* in KiB */
	SUM_0_AT = 38 * 4,
	CHUNK_0_AT = 260, /* in bytes */
	SB_0 = 4096,

	FEATURES_AT = 8,
	LEVEL_AT = 72,
	SIZE_AT = 80,
	CHUNK_AT = 88, /* in units of 512 bytes, as all that follow */
	NEW_OFFSET_AT = 124,
	DATA_AT = 128,
	DATA_SIZE_AT = 136,
	SELF_AT = 144,
	SUM_AT = 216,
	ROLES_AT = 220, /* how many, of two bytes each at the end */
	SB_1 = 256,
	SB_1_MAX = 4096,

	RESHAPES = 4,
	HAS_NEW_OFFSET = 64,
	MIRROR = 1,
	CHUNK_MAX = 1 << 30, /* in bytes; larger ones are not believed */
};

static const uint32_t magic = 0xA92B4EFC;

/* The sum of n bytes as numbers of 32 bits, folded once, without the one at skip. */
static uint32_t fold(const unsigned char *bytes, size_t n, size_t skip)
{
	uint64_t total = 0;

	for (size_t i = 0; i + 4 <= n; i += 4)
		if (i != skip)
			total += af_get_le32(bytes + i);
	if (n % 4 == 2)
		total += af_get_le16(bytes + n - 2);
	return (uint32_t)(((total & UINT32_MAX) + (total >> 32)) & UINT32_MAX);
}

static bool units(uint64_t n, af_bytes *out)
{
	return af_s512_to_bytes((struct af_s512){ n }, out);
}

static void name(struct stack_found *out, const char *version, uint32_t level,
		 af_bytes data, af_bytes chunk)
{
	char what[40];

	if (level > 10) /* linear, multipath and the like are negative */
		(void)snprintf(what, sizeof(what), "md %s", version);
	else
		(void)snprintf(what, sizeof(what), "md %s raid%u", version,
			       (unsigned)level);
	af_stack_add(out, what, data, chunk <= CHUNK_MAX ? chunk : 0);
}

/* Version 0.90 lies in the last whole 64 KiB but one, behind the data, which begins at 0. */
static bool read_0(const struct stack_window *w, struct stack_found *out)
{
	const af_bytes block = 64 * AF_KIB, size = af_span_size(w->span);
	const af_bytes at = size / block * block - block;
	unsigned char sb[SB_0];

	if (at <= 0 || !stack_read(w, at, sb, sizeof(sb)) || af_get_le32(sb) != magic ||
	    af_get_le32(sb + MAJOR_AT) != 0 || af_get_le32(sb + MINOR_0_AT) != 90 ||
	    fold(sb, SB_0, SUM_0_AT) != af_get_le32(sb + SUM_0_AT))
		return false;

	const uint32_t level = af_get_le32(sb + LEVEL_0_AT);
	const af_bytes data = af_get_le32(sb + SIZE_0_AT) * AF_KIB;

	name(out, "0.90", level, 0, af_get_le32(sb + CHUNK_0_AT));
	out->bound_to_end = true;
	if (level == MIRROR)
		out->inner = (struct af_span){ 0, data < at ? data : at };
	return true;
}

/* A superblock of version 1 at byte at: its checksum is right, and it says that it belongs there. */
static bool load_1(const struct stack_window *w, af_bytes at, unsigned char sb[SB_1_MAX])
{
	af_bytes self;
	size_t n;

	if (at < 0 || !stack_read(w, at, sb, SB_1) || af_get_le32(sb) != magic ||
	    af_get_le32(sb + MAJOR_AT) != 1)
		return false;
	n = af_get_le32(sb + ROLES_AT);
	if (n > (SB_1_MAX - SB_1) / 2)
		return false;
	n = SB_1 + 2 * n;
	return stack_read(w, at, sb, n) &&
	       fold(sb, n, SUM_AT) == af_get_le32(sb + SUM_AT) &&
	       units(af_get_le64(sb + SELF_AT), &self) && self == at;
}

/* While an array is given another shape, its data may be on its way to another place. */
static void add_new_place(const struct stack_window *w, const unsigned char *sb,
			  af_bytes data, struct stack_found *out)
{
	const uint32_t wanted = RESHAPES | HAS_NEW_OFFSET;
	const int64_t by = (int32_t)af_get_le32(sb + NEW_OFFSET_AT);
	const af_bytes place = data + by * 512;

	if ((af_get_le32(sb + FEATURES_AT) & wanted) == wanted && by != 0 && place > 0 &&
	    place < af_span_size(w->span))
		af_stack_add(out, "md, its new place", place, 0);
}

static bool read_1(const struct stack_window *w, af_bytes at, const char *version,
		   struct stack_found *out)
{
	const af_bytes size = af_span_size(w->span);
	const bool behind = strcmp(version, "1.0") == 0;
	unsigned char sb[SB_1_MAX];
	af_bytes data, used, end, given, chunk;

	if (!load_1(w, at, sb) || !units(af_get_le64(sb + DATA_AT), &data) ||
	    !units(af_get_le64(sb + SIZE_AT), &used) || data >= size ||
	    !af_add(data, used, &end) || !units(af_get_le32(sb + CHUNK_AT), &chunk) ||
	    !units(af_get_le64(sb + DATA_SIZE_AT), &given) || !af_add(data, given, &given))
		return false;

	const uint32_t level = af_get_le32(sb + LEVEL_AT);

	name(out, version, level, data, chunk);
	add_new_place(w, sb, data, out);
	out->bound_to_end = behind;
	/* Linux takes no member that has less than its superblock gives the array. */
	if (given > end)
		end = given;
	if (end > data && !behind)
		out->fs_size = end;
	if (level == MIRROR && used > 0 && out->n == 1) {
		const af_bytes room = used < size - data ? used : size - data;

		out->inner = (struct af_span){ data, data + room };
	}
	return true;
}

bool af_stack_md(const struct stack_window *w, struct stack_found *out)
{
	const af_bytes last = (af_span_size(w->span) - 8192) & ~(af_bytes)4095;

	return read_0(w, out) || read_1(w, last, "1.0", out) || read_1(w, 0, "1.1", out) ||
	       read_1(w, 4096, "1.2", out);
}
