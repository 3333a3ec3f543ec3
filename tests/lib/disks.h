/**
 * disks.h - disk images for tests, written byte by byte: no code of afdisk's and no
 * library's, so that a mistake of theirs cannot hide behind the same mistake here. Sectors
 * are the image's own.
 */
#ifndef TESTS_DISKS_H
#define TESTS_DISKS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum disk_label { DISK_NONE, DISK_DOS, DISK_GPT };

#define DISK_ENTRIES 1100 /* at most */
#define DISK_POKES   16
#define DISK_FOREIGN 24
#define DISK_WHY     200 /* enough for every text about what is wrong */

/** One entry of the table. */
struct disk_entry {
	unsigned number; /* as Linux names it: 1 to 4, logicals from 5 on, GPT 1 to 128 */
	bool logical;
	uint64_t start;     /* absolute sector */
	uint64_t count;     /* 0 in a logical: an EBR without a partition */
	uint64_t ebr;       /* logical: the sector of its EBR */
	unsigned char type; /* MBR */
	bool boot;          /* MBR */
	char type_guid[40]; /* GPT, as text */
	char uuid[40];      /* GPT, as text */
	char name[40];      /* GPT, ASCII */
	uint16_t units[36]; /* GPT: the name as it stands on the disk, if name is "" */
	uint64_t attrs;     /* GPT */
};

/** Bytes to put over all the rest, for damaged tables. */
struct disk_poke {
	uint64_t at; /* byte */
	unsigned char bytes[64];
	size_t n;
};

/** A label of another system, or a piece of a container, as bytes. */
struct disk_foreign {
	uint64_t at; /* byte */
	unsigned char bytes[1536];
	size_t n;
};

/** What a disk is to hold. All zeros plus sectors and sector_size is an empty one. */
struct disk {
	uint64_t sectors;
	uint32_t sector_size;
	enum disk_label label;
	uint32_t id;                /* MBR */
	char guid[40];              /* GPT, as text */
	uint64_t first_usable;      /* GPT; 0: directly behind the entries, 34 or 6 */
	uint32_t slots, entry_size; /* GPT; 0: 128 entries of 128 bytes */
	uint64_t array;    /* GPT: the sector of the primary's entries; 0: sector 2 */
	uint64_t made_for; /* GPT: how many sectors the disk had then; 0: as many as now */
	unsigned heads, track; /* MBR: what CHS are told in; 0: 255 and 63 */
	bool boot_code;        /* bytes 0 to 439 are disk_boot_byte() */
	struct disk_entry entry[DISK_ENTRIES];
	size_t n;
	struct disk_foreign foreign[DISK_FOREIGN]; /* before the pokes */
	size_t nforeign;
	struct disk_poke poke[DISK_POKES];
	size_t npokes;
};

/** Takes n bytes that belong at byte at of the disk; false ends the writing. */
typedef bool (*disk_put_fn)(void *ctx, uint64_t at, const void *bytes, size_t n);

/**
 * Reads a recipe in words, as the tool mkdisk takes it after its file name. Either the name
 * of a preset:
 *
 *   seed          1 TB, MBR 0x10bd10bc with boot code: sda1 from 63 on, sda2, an extended
 *                 partition with room behind it, two logicals 63 sectors behind their EBRs
 *   seed-63       the article's table begun at sector 63, its extended one up to the end
 *   seed-aligned  the article's table: 2048, 20973576, 41945104, 41945168, 62916752
 *   empty-dos empty-gpt empty-gpt-4k gpt128 gpt1024 dos56    what they say, each 1 TB
 *   dos200 dos1000    more logicals than others find, sda1 before and free space behind the extended one
 *
 * followed by more of the words below if wanted, or these words:
 *
 *   SECTORS SECTOR_SIZE dos ID | gpt GUID | none   [word ...]
 *   pN=START+COUNT,TYPE[,boot]      primary, or eN= for an extended one; TYPE in hex
 *   lN=START+COUNT,TYPE[,boot][,ebr=SECTOR]
 *                                   logical, in the order of the chain; its EBR is at
 *                                   START - 63 if nothing else is said
 *   gN=START+COUNT,TYPEGUID|linux|efi,UUID|auto[,NAME]
 *   first-usable=SECTOR   slots=N   entry-size=BYTES   array=SECTOR   made-for=SECTORS
 *                                   of a GPT; the last: as many as the disk had then
 *   boot-code   chs=HEADS/SECTORS   poke=BYTE,HEX...
 *   bsd=SECTOR[,v1][,4k][,n=COUNT],a:OFFSET+SIZE[:TYPE[:FRAGMENT]],...
 *                                   a disklabel at sector 1 of the slice at SECTOR, its numbers as they are to stand;
 *                                   v1: as OpenBSD has it; 4k: sectors of 4096 bytes; n: how many it says it has
 *   vtoc=SECTOR,0:START+SIZE:TAG,...        Solaris x86, likewise
 *   sun=HEADS/TRACK,a:CYLINDER+SIZE:TAG,... on the disk itself
 *   sgi=0,1:START+SIZE:TYPE,...
 *   luks1=START+COUNT,PAYLOAD       a container in these sectors, its numbers in units of 512 bytes:
 *   lvm=START+COUNT,PE_START[,EXTENT]       with EXTENT it is in a group
 *   md090=START+COUNT,LEVEL,CHUNK_BYTES     RAID, the version of its superblock in its name
 *   md10|md11|md12=START+COUNT,LEVEL,DATA,SIZE,CHUNK[,MOVED_BY]
 *   bcache=START+COUNT,VERSION,DATA|BUCKET,BLOCK,STATE
 *   bitlocker=START+COUNT,KIND,CLUSTER      0, 1 To Go, 2 Vista
 *   zfs=START+COUNT,ASHIFT
 *
 * Returns false with why (DISK_WHY bytes) naming the word if it cannot be read.
 */
bool disk_read_words(const char *words, struct disk *d, char *why);

/** Reads one word about a label of another system into d->foreign; false if it is none. */
bool disk_read_foreign(const char *word, struct disk *d);

/** Reads one word about a container into d->foreign; false if it is none. */
bool disk_read_container(const char *word, struct disk *d);

/** Hands every byte that is not zero to put, in pieces of whole sectors but for pokes. False
 *  with why (DISK_WHY bytes) if the disk makes no sense or put refused. For drives in memory. */
bool disk_put(const struct disk *d, disk_put_fn put, void *ctx, char *why);

/** Makes a sparse image file of it, replacing what was there. */
bool disk_write(const struct disk *d, const char *path, char *why);

/** disk_read_words() and disk_write() in one; a failure ends the program with a message. */
void disk_make(const char *path, const char *words);

/** The recognisable boot code: byte i of it, 0 <= i < 440. */
unsigned char disk_boot_byte(size_t i);
#endif
