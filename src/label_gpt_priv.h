/** label_gpt_priv.h - what reading and writing a GPT share: its bytes, by chapter 5 of the UEFI specification. */
#ifndef AFDISK_LABEL_GPT_PRIV_H
#define AFDISK_LABEL_GPT_PRIV_H
#include "label_priv.h"

enum {
	AF_GPT_HEADER_MIN = 92,     /* bytes of a header of revision 1.0 */
	AF_GPT_BYTES_MAX = 1 << 20, /* entries of more bytes than that are not believed */
	AF_GPT_ENTRY_MAX = 4096,    /* bytes of one entry */
};

/** Bytes in a header. */
enum af_gpt_field {
	AF_GPT_SIZE = 12,
	AF_GPT_CRC = 16,
	AF_GPT_SELF = 24,
	AF_GPT_OTHER = 32,
	AF_GPT_FIRST = 40,
	AF_GPT_LAST = 48,
	AF_GPT_ID = 56,
	AF_GPT_ENTRIES = 72,
	AF_GPT_COUNT = 80,
	AF_GPT_ENTRY_SIZE = 84,
	AF_GPT_ENTRIES_CRC = 88,
};

/** Bytes in an entry. */
enum af_gpt_entry_field {
	AF_GPT_E_TYPE = 0,
	AF_GPT_E_UUID = 16,
	AF_GPT_E_FIRST = 32,
	AF_GPT_E_LAST = 40,
	AF_GPT_E_ATTRS = 48,
	AF_GPT_E_NAME = 56,
	AF_GPT_E_UNITS = 36, /* of the name, two bytes each */
};

/** CRC-32 as Ethernet has it. */
uint32_t af_gpt_crc(const unsigned char *p, size_t n);

/** The checksum of a header of size bytes, its own four bytes counted as zeros. */
uint32_t af_gpt_header_crc(const unsigned char *sector, uint32_t size);

/** Turns a GUID from the order on the disk into that of its text, or back. */
void af_gpt_guid(const unsigned char *from, unsigned char *to);

/** The name of an entry as UTF-8. Half a surrogate pair becomes the replacement character. */
void af_gpt_get_name(const unsigned char *entry, char out[AF_NAME_MAX]);

/** Puts a name into an entry as UTF-16, zeros behind it; false if it has more than 36 units or is not UTF-8. */
bool af_gpt_put_name(const char *name, unsigned char *entry);

/** The number of the protective entry in sector 0, 0 to 3; 4 if there is none that begins at sector 1, or others beside it. */
size_t af_gpt_protective(const unsigned char *sector);

/** How many sectors the protective entry of a disk of so many bytes covers. */
uint32_t af_gpt_protected(const struct af_sheet *s);
#endif
