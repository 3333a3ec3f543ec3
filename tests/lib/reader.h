/**
 * reader.h - a second pair of eyes for tests: reads an MBR with its EBR chain, or a GPT, from an image's bytes.
 *
 * Written from the formats' specifications and sharing nothing with src/, not even types. It is strict: whatever is
 * not exactly regular is a fault.
 */
#ifndef TESTS_READER_H
#define TESTS_READER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reader_label { READER_NONE, READER_DOS, READER_GPT };
enum reader_kind { READER_PRIMARY, READER_EXTENDED, READER_LOGICAL };

#define READER_PARTS 1100

struct reader_part {
	unsigned number;
	enum reader_kind kind;
	bool boot;
	uint64_t start, count; /* sectors */
	uint64_t ebr;          /* sector; logicals only */
	uint8_t type[16];      /* GPT: as on the disk, mixed-endian; MBR: the code first */
	uint8_t uuid[16];      /* as on the disk */
	uint64_t attrs;
	uint16_t name[36];
};

struct reader_table {
	enum reader_label label;
	uint8_t id[16];       /* as on the disk */
	uint64_t first, last; /* GPT: usable, inclusive */
	unsigned slots;
	struct reader_part part[READER_PARTS]; /* by number */
	size_t n;
	char fault[120]; /* "" if there is none */
};

/** Reads the image in fd, of that many bytes. False if the table is not regular; out->fault says why. */
bool reader_read(int fd, uint64_t size, uint32_t sector_size, struct reader_table *out);
#endif
