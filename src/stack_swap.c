/*
 * stack_swap.c - Linux swap (Linux, include/linux/swap.h: union swap_header) of any page size: the mark is the last ten
 * bytes of the first page, the header at 1024. Hibernation puts another mark there until the system is resumed.
 */
#include "chain_bytes.h"
#include "stack_fs.h"

#include <stdio.h>

enum { MARK = 10, HEADER_AT = 1024, HEADER = 8, LAST_PAGE_AT = 4, VERSION = 1 };

struct mark {
	const char *bytes;
	size_t n;
	bool hibernates, has_header;
};

/* As in util-linux, superblocks/swap.c; a swap of the first version has no header. */
static const struct mark mark_table[] = {
	{ "SWAPSPACE2", 10, false, true },
	{ "SWAP-SPACE", 10, false, false },
	{ "S1SUSPEND", 9, true, true },
	{ "S2SUSPEND", 9, true, true },
	{ "ULSUSPEND", 9, true, true },
	{ "LINHIB0001", 10, true, true },
	{ "\xed\xc3\x02\xe9\x98\x56\xe5\x0c", 8, true, true }, /* TuxOnIce */
};

/* The mark of the first page, if pages have that size; NULL if there is none. */
static const struct mark *mark_at(const struct stack_window *w, af_bytes page)
{
	char bytes[MARK];
	if (!stack_read(w, page - MARK, bytes, sizeof(bytes)))
		return NULL;
	for (size_t i = 0; i < sizeof(mark_table) / sizeof(mark_table[0]); i++)
		if (memcmp(bytes, mark_table[i].bytes, mark_table[i].n) == 0)
			return &mark_table[i];
	return NULL;
}

/* Pages that the header counts, in the byte order in which its version is 1; 0 if there is no such. */
static uint64_t pages_of(const struct stack_window *w)
{
	unsigned char header[HEADER];
	if (!stack_read(w, HEADER_AT, header, sizeof(header)))
		return 0;
	if (af_get_le32(header) == VERSION)
		return (uint64_t)af_get_le32(header + LAST_PAGE_AT) + 1;
	return af_get_be32(header) == VERSION
		       ? (uint64_t)af_get_be32(header + LAST_PAGE_AT) + 1
		       : 0;
}

bool af_stack_swap(const struct stack_window *w, struct stack_found *out)
{
	const struct mark *mark = NULL;
	af_bytes page = 2 * AF_KIB;
	while (!mark && page < 64 * AF_KIB) {
		page *= 2;
		mark = mark_at(w, page);
	}
	if (!mark)
		return false;
	if (mark->has_header)
		af_stack_size(out, pages_of(w), page);
	if (mark->hibernates)
		(void)snprintf(out->remark, sizeof(out->remark),
			       "a hibernated system sleeps in it and would be lost: "
			       "resume it first");
	return af_stack_add_inside(w, out, "swap", 0, page);
}
