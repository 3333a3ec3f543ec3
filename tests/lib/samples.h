/**
 * samples.h - file systems in plain files, made by their own tools: for the tests of what reads them.
 */
#ifndef TESTS_SAMPLES_H
#define TESTS_SAMPLES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAMPLE_WORDS 12

/** One file system as a tool makes it, and what is in it by the numbers of its description. */
struct sample {
	const char *name;
	const char *fs; /* libblkid's TYPE */
	int64_t size;   /* bytes of the file before the tool runs */
	const char *argv
		[SAMPLE_WORDS]; /* the file comes last, "DIR" is an empty folder behind it */
	const char *layers;     /* "FAT32 data 630784/4096": offset and unit in bytes */
	int64_t fs_size;
	bool guarded; /* by a checksum or a copy: a bad byte cannot change its size */
	struct {
		int64_t at, n;
	} super; /* bytes with the numbers, where they lie behind the first 8 KiB */
};

extern const struct sample sample_table[];
extern const size_t sample_count;

/** The sample of that name; ends the program if there is none. */
const struct sample *sample_find(const char *name);

/** Makes the file path; false if the tool is not there or failed, with a line about that on stdout. */
bool sample_make(const struct sample *s, const char *path);

/** Writes the file, but for its holes, into a disk image at byte at; false if that failed. */
bool sample_place(const char *path, const char *image, int64_t at);
#endif
