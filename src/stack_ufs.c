/*
 * stack_ufs.c - UFS1 and UFS2 (FreeBSD, ufs/ffs/fs.h), in the byte order of the machine that made it. The superblock lies at
 * 8 KiB (UFS1) or 64 KiB (UFS2), on odd media at 0 or 256 KiB. The smallest that is written is a fragment.
 */
#include "chain_bytes.h"
#include "stack_fs.h"

enum {
	SUPER = 1376,
	SIZE_AT = 36,
	GROUPS_AT = 44,
	BLOCK_AT = 48,
	FRAGMENT_AT = 52,
	LOG_FRAGMENT_AT = 84,
	GROUP_SIZE_AT = 188, /* fragments */
	SIZE2_AT = 1080,
	MAGIC_AT = 1372,
};

/* The other systems' variants of UFS1 keep these fields where they are; all magic numbers as in util-linux, superblocks/ufs.c. */
static const uint32_t magic_table[] = { 0x00011954, 0x00195612, 0x00095014,
					0x00612195, 0x05231994, 0x19540119 };
static const uint32_t magic2 = 0x19540119;

struct super {
	unsigned char bytes[SUPER];
	bool is_big;
};

static uint32_t get32(const struct super *s, size_t at)
{
	return s->is_big ? af_get_be32(s->bytes + at) : af_get_le32(s->bytes + at);
}

static uint64_t get64(const struct super *s, size_t at)
{
	return s->is_big ? af_get_be64(s->bytes + at) : af_get_le64(s->bytes + at);
}

static bool has_magic(const struct super *s)
{
	uint32_t magic = get32(s, MAGIC_AT);
	for (size_t i = 0; i < sizeof(magic_table) / sizeof(magic_table[0]); i++)
		if (magic == magic_table[i])
			return true;
	return false;
}

/* The first place with a superblock in either byte order. */
static bool find(const struct stack_window *w, struct super *s)
{
	static const af_bytes place_table[] = { 0, 8 * AF_KIB, 64 * AF_KIB, 256 * AF_KIB };
	for (size_t i = 0; i < sizeof(place_table) / sizeof(place_table[0]); i++)
		for (int order = 0; order < 2; order++) {
			s->is_big = order == 1;
			if (stack_read(w, place_table[i], s->bytes, SUPER) && has_magic(s))
				return true;
		}
	return false;
}

/* Its fragments are those of its cylinder groups, of which the last may be smaller. */
static bool adds_up(const struct super *s, uint32_t fragment, uint64_t fragments)
{
	const uint64_t groups = get32(s, GROUPS_AT), size = get32(s, GROUP_SIZE_AT);
	const uint32_t log = get32(s, LOG_FRAGMENT_AT);
	return log < 32 && fragment == UINT32_C(1) << log && groups > 0 &&
	       fragments > (groups - 1) * size && fragments <= groups * size;
}

bool af_stack_ufs(const struct stack_window *w, struct stack_found *out)
{
	struct super s;
	if (!find(w, &s))
		return false;
	const bool is_2 = get32(&s, MAGIC_AT) == magic2;
	uint32_t fragment = get32(&s, FRAGMENT_AT);
	uint64_t fragments = is_2 ? get64(&s, SIZE2_AT) : get32(&s, SIZE_AT);
	if (!af_stack_is_power(fragment, 512, 65536) ||
	    !af_stack_is_power(get32(&s, BLOCK_AT), fragment, 65536) ||
	    !adds_up(&s, fragment, fragments))
		return false;
	af_stack_size(out, fragments, fragment);
	return af_stack_add_inside(w, out, is_2 ? "UFS2" : "UFS1", 0, fragment);
}
