/** script_priv.h - what the files of the script room share: a line being read, a layout being built. */
#ifndef AFDISK_SCRIPT_PRIV_H
#define AFDISK_SCRIPT_PRIV_H
#include "afdisk/script.h"

/** One line at work. */
struct script_reader {
	struct af_script *script;
	uint32_t line;
	unsigned seen; /* bits of the fields that this line has given */
	struct af_err *err;
};

/** Refuses a word of the line: "WORD" and why. Always false. */
bool af_script_fault(const struct script_reader *r, const char *word, const char *why);

/** The value of a hexadecimal digit, or -1. */
int af_script_hex(char c);

/** A whole number, in hexadecimal behind 0x or if base is 16; false if text is anything else or too large. */
bool af_script_whole(const char *text, int base, uint64_t *out);

/** A UUID in its usual form; false if text is anything else, out may be changed then. */
bool af_script_uuid(const char *text, uint8_t out[16]);

/** True for the values that leave a field open: nothing, + and -. */
bool af_script_is_default(const char *value);

/** Each puts the value of one field into part; false with r->err if it cannot be that. */
bool af_script_take_start(struct script_reader *r, const char *value,
			  struct af_script_part *part);
bool af_script_take_size(struct script_reader *r, const char *value,
			 struct af_script_part *part);
bool af_script_take_type(struct script_reader *r, const char *value,
			 struct af_script_part *part);
bool af_script_take_uuid(struct script_reader *r, const char *value,
			 struct af_script_part *part);
bool af_script_take_name(struct script_reader *r, const char *value,
			 struct af_script_part *part);
bool af_script_take_attrs(struct script_reader *r, const char *value,
			  struct af_script_part *part);

/** A layout being built. */
struct script_build {
	const struct af_script *s;
	const struct af_layout *base;
	bool same; /* base's table stays one: its kind and identity do */
	struct af_rules rules;
	struct af_layout l; /* so far */
	uint32_t *id;       /* of the partition that each line of s made; 0: none */
	bool *taken;        /* numbers of slots, also those that later lines name */
	struct af_text *remarks;
	struct af_err *err;
};

/** Refuses a line of the script: "line N: why". Always false. */
bool af_script_refuse(const struct script_build *b, uint32_t line, enum af_code code,
		      const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/** The line of the script that made a partition; 0 if none did. */
uint32_t af_script_line_of(const struct script_build *b, uint32_t id);

/** Makes b->l an empty table with the headers of the script, and sets b->same. */
bool af_script_begin(struct script_build *b);

/** True if a grain of the disk is free outside of all partitions. */
bool af_script_has_room(const struct script_build *b);

/** Sets the span of a part whose role is known. */
bool af_script_place(struct script_build *b, const struct af_script_part *sp,
		     struct af_part *part);
#endif
