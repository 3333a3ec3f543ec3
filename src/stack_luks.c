/*
 * stack_luks.c - where the encrypted data of a LUKS volume begins. Version 1, big-endian: "LUKS On-Disk Format
 * Specification", version 1.2.3, figure 1. What is inside cannot be seen without the key.
 */
#include "chain_bytes.h"
#include "stack_priv.h"

enum {
	VERSION_AT = 6,
	PAYLOAD_AT = 104, /* in units of 512 bytes */
	HEADER_SIZE = 592,
};

/* An offset of 0 means that the header was kept apart from the data. */
static bool read_1(const struct stack_window *w, const unsigned char *header,
		   struct stack_found *out)
{
	af_bytes payload;

	if (!af_s512_to_bytes((struct af_s512){ af_get_be32(header + PAYLOAD_AT) },
			      &payload) ||
	    payload < HEADER_SIZE || payload >= af_span_size(w->span))
		return false;
	af_stack_add(out, "LUKS1", payload, 0);
	return true;
}

bool af_stack_luks(const struct stack_window *w, struct stack_found *out)
{
	static const unsigned char magic[] = { 'L', 'U', 'K', 'S', 0xba, 0xbe };
	unsigned char header[HEADER_SIZE];

	if (!stack_read(w, 0, header, sizeof(header)) ||
	    memcmp(header, magic, sizeof(magic)) != 0)
		return false;
	return af_get_be16(header + VERSION_AT) == 1 && read_1(w, header, out);
}
