/** align.h - which lines bind the edges of a partition, and whether an edge keeps to them. */
#ifndef AFDISK_ALIGN_H
#define AFDISK_ALIGN_H
#include "afdisk/facts.h"
#include "afdisk/grid.h"
#include "afdisk/layout.h"
#include "afdisk/text.h"

/** The rules of one disk, from its topology and the user's options. */
struct af_rules {
	struct af_grid check; /* "aligned" is judged by these lines */
	struct af_grid grain; /* new edges are placed on these */
	af_bytes physical;    /* a layer that writes smaller blocks is "small-unit" */
	af_bytes lowest;      /* no new partition starts below this byte, unless exact */
	bool exact;           /* --exact: take explicit sectors as they are */
};

/** Why the optimal I/O size that the device reports is not believed: "what bridges report"; NULL if it is, or there is none. */
const char *af_align_doubt(const struct af_topo *topo);

/** The rules for a disk: check size, grain and lowest start by section 3 of the contract. */
struct af_rules af_align_rules(const struct af_topo *topo, bool exact);

enum af_status {
	AF_STATUS_MISALIGNED,
	AF_STATUS_INNER, /* the start is fine, data inside is off */
	AF_STATUS_TAIL,
	AF_STATUS_COMPENSATED, /* the start is off, data inside is fine: not to be moved */
	AF_STATUS_ALIGNED,
	AF_STATUS_OPTIMAL,
	AF_STATUS_CONTAINER,
	AF_STATUS_UNKNOWN, /* a nested entry that lies outside of its partition */
};

enum { AF_STATUSES = AF_STATUS_UNKNOWN + 1 };

/** What is to be said about one partition. Offsets and distances in bytes. */
struct af_verdict {
	enum af_status status;
	af_bytes start_off, end_off; /* past the check line below: 0 is on it */
	bool start_on_grain, end_on_grain;
	af_bytes below,
		above; /* the check lines around the start (equal when it is on one) */
};

/** Judges one partition of a layout by its edges and by what lies inside (NULL: nothing is known of that); never fails. */
struct af_verdict af_align_judge(const struct af_rules *rules,
				 const struct af_contents *maybe_contents,
				 const struct af_part *part);

/** Judges a nested entry of part by its own edges. */
struct af_verdict af_align_judge_nested(const struct af_rules *rules,
					const struct af_part *part,
					const struct af_layer *layer);

/** The bytes of the disk that a layer of part covers. */
struct af_span af_align_layer_span(const struct af_part *part,
				   const struct af_layer *layer);

/** The contract's word: "misaligned", "inner", "tail", "compensated", "aligned", "optimal", "container", "unknown". */
const char *af_status_name(enum af_status s);

/** What the status means, for people who look it up: a sentence without capital and period. */
const char *af_status_meaning(enum af_status s);

/** The contract's word for one layer of part: "aligned", "misaligned", "small-unit", "compensated", "unknown". */
const char *af_align_layer_word(const struct af_rules *rules, const struct af_part *part,
				const struct af_layer *layer);

/** A layer, and where it lies. Borrowed. */
struct af_inside {
	const struct af_content *content; /* with layer among its own */
	const struct af_layer *layer;
	const char *
		maybe_dev; /* the partition's device, "/dev/sda1"; NULL: it is a part of an image */
	uint32_t sector_size;
};

enum af_remedy {
	AF_REMEDY_NONE, /* nothing is off, another place of the partition mends it, or nothing does */
	AF_REMEDY_ONE,  /* one of several */
	AF_REMEDY_ONLY, /* no place of the partition helps */
};

/** Appends the command that makes a layer of part anew so that it is aligned, and written in blocks as large as a physical sector:
 *  "mkfs.ext4 -b 4096 /dev/sda1". Nothing if AF_REMEDY_NONE. */
enum af_remedy af_align_remedy(const struct af_rules *rules, const struct af_part *part,
			       const struct af_inside *w, struct af_text *out);

/** The same as a clause, "only making it anew helps: mkfs.ext4 -b 4096 /dev/sda1"; where layer is NULL, for the first that has one. */
enum af_remedy af_align_say_remedy(const struct af_rules *rules, const struct af_part *part,
				   const struct af_inside *where, struct af_text *out);

/** The grain lines for the start of a partition with that content: they put its first data on the grain. What writes blocks smaller
 *  than a physical sector, with its own start on the line of such a block, gains nothing by that: its start goes there. */
struct af_grid af_align_grain(const struct af_rules *rules,
			      const struct af_content *maybe_content);

/** True if --check counts it as a failure; strict counts a tail as well. */
bool af_status_fails(enum af_status s, bool strict);

enum af_room_kind {
	AF_ROOM_FREE, /* takes a new partition at the present grain, or at the check size where that is all there is */
	AF_ROOM_PADDING, /* exists only so that the next edge falls on a line */
};

/** A stretch of the disk that no partition covers (EBR sectors are part of the padding before their logical). */
struct af_room {
	struct af_span span;
	enum af_room_kind kind;
	bool in_extended;
};

/** All unoccupied stretches in order of place, classified; returns their number, *out is for free(). */
size_t af_align_rooms(const struct af_rules *rules, const struct af_layout *l,
		      struct af_room **out);

/** One sentence about the partition for the lens and --check: what is off and by how much, and where the nearest
 *  aligned sectors are. Fills buf (size bytes); sectors are the disk's logical ones. */
void af_align_sentence(const struct af_rules *rules,
		       const struct af_contents *maybe_contents, const struct af_layout *l,
		       const struct af_part *part, char *buf, size_t size);

/** The same about nested entry layer of part, and the smallest offset in it that is good. */
void af_align_sentence_nested(const struct af_rules *rules, const struct af_layout *l,
			      const struct af_part *part, const struct af_content *content,
			      const struct af_layer *layer, struct af_text *out);

/** About a layer of part that is no nested entry: where it begins, what is off about that, and in what blocks it is written. */
void af_align_sentence_layer(const struct af_rules *rules, const struct af_layout *l,
			     const struct af_part *part, const struct af_layer *layer,
			     struct af_text *out);
#endif
