/** chain_priv.h - what the files of the chain room share: the layout of a sector with a table. */
#ifndef AFDISK_CHAIN_PRIV_H
#define AFDISK_CHAIN_PRIV_H
#include "afdisk/chain.h"
#include "chain_bytes.h"

/** Bytes of such a sector; an entry's are flag, CHS of the first sector, type, CHS of the last, start, count. */
enum {
	TABLE_AT = 446,
	ENTRY_SIZE = 16,
	SIGNATURE_AT = 510,
	BOOT_ACTIVE = 0x80,
	FIRST_CHS = 1, /* in an entry */
	LAST_CHS = 5,
};

/** True if the entry leads to another EBR. */
bool af_chain_is_link(const struct af_mbr_entry *e);
#endif
