/** scheme.h - what each kind of partition table allows. */
#ifndef AFDISK_SCHEME_H
#define AFDISK_SCHEME_H
#include "afdisk/units.h"
#include <stddef.h>

enum af_scheme {
	AF_SCHEME_NONE,
	AF_SCHEME_MBR,
	AF_SCHEME_GPT,
	AF_SCHEME_SUN, /* this one and those below are shown, never made or changed */
	AF_SCHEME_SGI,
	AF_SCHEME_BSD,
};

/** True for an MBR and a GPT: the kinds of table that can be made and changed. */
bool af_scheme_is_ours(enum af_scheme s);

/** A type of partition. */
struct af_type {
	uint8_t id
		[16]; /* GPT: the GUID in the order of its text; MBR: the code in id[0], zeros */
	char name[72];
};

/** All types of one scheme. Owned by the label room, for the life of the program. */
struct af_types {
	const struct af_type *type;
	size_t n;
};

/** What a partition is for. */
struct af_scheme_kind {
	uint8_t type[16]; /* as in struct af_type */
	bool hidden;      /* GPT: attribute bit 62, which basic data is hidden by */
};

/** "none", "dos", "gpt", "sun", "sgi", "bsd": the field's names, as sfdisk and the contract use them. */
const char *af_scheme_name(enum af_scheme s);

/** The other way round ("mbr" and "msdos" mean "dos"; case does not matter); false if it is neither gpt nor dos. */
bool af_scheme_parse(const char *word, enum af_scheme *out);

/** The byte range that partitions may cover on a fresh table of this scheme (MBR: from sector 1 to where
 *  32 bits end; GPT: LBA 34, or as many as 128 entries need, to the sector before the backup entries).
 *  Empty when the disk is too small for that table. */
struct af_span af_scheme_usable(enum af_scheme s, af_bytes disk_size, uint32_t sector_size);

/** Slots of a fresh table: 4 and 128. */
uint32_t af_scheme_slots(enum af_scheme s);

/** True for the MBR codes of an extended partition: 05, 0f, 85. */
bool af_scheme_is_extended_code(uint8_t code);

/** What kind of partition of an MBR or a GPT is called in a table of the other kind; false, and *out is untouched,
 *  if that has no word for it. Several codes may share a GUID, and the other way round: then back gives the usual one. */
bool af_scheme_convert(enum af_scheme from, const struct af_scheme_kind *kind,
		       struct af_scheme_kind *out);

/** What a partition is for, as far as systems that share a disk have to know it. */
enum af_purpose {
	AF_PURPOSE_OTHER,
	AF_PURPOSE_ESP,       /* EFI System Partition */
	AF_PURPOSE_RESERVED,  /* Microsoft reserved, of a GPT */
	AF_PURPOSE_WINDOWS,   /* a drive of Windows: basic data; NTFS or exFAT */
	AF_PURPOSE_RECOVERY,  /* the recovery environment of Windows */
	AF_PURPOSE_FAT,       /* FAT32, of an MBR */
	AF_PURPOSE_LINUX,     /* a file system of Linux, its root for one */
	AF_PURPOSE_HOME,      /* the homes of Linux, of a GPT */
	AF_PURPOSE_SWAP,      /* Linux swap */
	AF_PURPOSE_BIOS_BOOT, /* where GRUB for BIOS lies on a GPT */
};

/** What a partition of that type is for. */
enum af_purpose af_scheme_purpose(enum af_scheme s, const uint8_t type[16]);

/** The type that says it; false, and out is untouched, if that kind of table has none. */
bool af_scheme_purpose_type(enum af_scheme s, enum af_purpose purpose, uint8_t out[16]);

/** True for the type of an EFI System Partition: ef, and a GUID. */
bool af_scheme_is_esp(enum af_scheme s, const uint8_t type[16]);

/** True for the types of a dynamic disk of Windows (LDM): 42, and two GUIDs. */
bool af_scheme_is_ldm(enum af_scheme s, const uint8_t type[16]);

/** Writes the type as its scheme writes it: "83", "0FC63DAF-...". buf takes 37 characters and a NUL. */
void af_scheme_type_text(enum af_scheme s, const uint8_t type[16], char buf[40]);

/** A GUID in upper-case text; buf takes 37 bytes. */
void af_scheme_uuid_text(const uint8_t uuid[16], char buf[40]);

/** The disk's identity as text: "0x10bd10bc" or a GUID. */
void af_scheme_id_text(enum af_scheme s, const uint8_t id[16], char buf[40]);

/** The name of a type in this list, or "Unknown". Borrowed. */
const char *af_scheme_type_name(const struct af_types *list, const uint8_t type[16]);
#endif
