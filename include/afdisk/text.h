/** text.h - growing strings, and numbers as people write and read them. */
#ifndef AFDISK_TEXT_H
#define AFDISK_TEXT_H
#include "afdisk/err.h"
#include "afdisk/units.h"
#include <stddef.h>

/** A growing string; { 0 } is an empty one. data is NULL or NUL-terminated. */
struct af_text {
	char *data;
	size_t len, room;
};

/** Appends formatted text. Running out of memory ends the program with a message. */
void af_text_add(struct af_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** Appends n bytes as they are. */
void af_text_put(struct af_text *t, const char *bytes, size_t n);

/** Makes it empty, keeping its memory for what comes next. */
void af_text_clear(struct af_text *t);

/** The contents, "" if nothing was added. Borrowed until the next change. */
const char *af_text_get(const struct af_text *t);

/** Frees the contents; t is an empty string again. */
void af_text_release(struct af_text *t);

/** Memory that the caller frees; running out ends the program with a message. Zeroed. */
void *af_alloc(size_t count, size_t size);

/** realloc() with the same promise; the new part is not zeroed. */
void *af_realloc(void *old, size_t count, size_t size);

/** A copy of s that the caller frees, with the same promise. */
char *af_strdup(const char *s);

/** Appends more to the text of length used in buf (size bytes), cut where it is full; the new length. For texts that are
 *  made at every key: formatting is slow. */
size_t af_text_join(char *buf, size_t size, size_t used, const char *more);

/** What follows the last slash of a path, or all of it. Borrowed from path. */
const char *af_text_base_name(const char *path);

/** "sda5", "nvme0n1p2", "disk.img5": the name of partition number on that device, as Linux builds it. Returns buf. */
const char *af_text_part_name(const char *dev_name, uint32_t number, char *buf,
			      size_t size);

/** "/dev/sda5": the device node of that partition; NULL if dev_name is no device, whose partitions have nodes. Else returns
 *  buf. */
const char *af_text_part_path(const char *dev_name, uint32_t number, char *buf,
			      size_t size);

/** Enough for every text that the functions below write. */
#define AF_SHORT 32

/** A whole number in decimal. Returns buf. */
const char *af_text_decimal(int64_t n, char buf[AF_SHORT]);

/** "40 GiB", "512 B", "931.5 GiB": with a binary unit, and tenths where there are any. Returns buf. */
const char *af_text_size(af_bytes n, char buf[AF_SHORT]);

/** The same in four to six columns, as in cfdisk's table: "40G", "931.5G", "512B". Returns buf. */
const char *af_text_size_short(af_bytes n, char buf[AF_SHORT]);

/** How a person gives a size or a position. */
enum af_amount_kind {
	AF_AMOUNT_BYTES,   /* value bytes */
	AF_AMOUNT_SECTORS, /* value sectors, scaled later: its unit was 's' or it had none */
	AF_AMOUNT_PERCENT, /* value thousandths of a percent of the region */
	AF_AMOUNT_MAX,     /* all there is; value is 0 */
};

struct af_amount {
	enum af_amount_kind kind;
	int sign;      /* 0: absolute; +1, -1: relative to what is now */
	int64_t value; /* >= 0 */
};

/**
 * Reads a size or position by the rules of the contract: 512s, 4096B, K M G T P and KiB ... (powers of
 * 1024), KB MB ... (powers of 1000), 25%, max, +10G, -10G, fractions such as 1.5G; a bare number is sectors.
 * Case does not matter. Fails with AF_E_USAGE naming the word if it is none of these, if rubbish follows,
 * or if the value does not fit. A fraction of a byte is rounded down; a fraction of a sector is refused.
 */
bool af_text_parse(const char *word, struct af_amount *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Bytes of an amount on a disk of that sector size, percent taken of region; AF_AMOUNT_MAX gives region.
 *  The sign is not applied. Fails with AF_E_RANGE if it does not fit. */
bool af_amount_bytes(const struct af_amount *a, uint32_t sector_size, af_bytes region,
		     af_bytes *out, struct af_err *err) __attribute__((warn_unused_result));

/** Copies text of unknown origin into out (size bytes, always terminated) as valid UTF-8 without
 *  control characters: what is neither becomes '?'. Cuts at a character, not inside one. */
void af_text_clean(const char *in, char *out, size_t size);
#endif
