/** place.h - where a partition may lie between the others, and what a logical needs around it. */
#ifndef AFDISK_PLACE_H
#define AFDISK_PLACE_H
#include "afdisk/align.h"
#include "afdisk/layout.h"

/** What is to be placed. */
struct af_place {
	enum af_role role;
	bool is_first; /* logical: number 5, whose EBR is the head of the chain */
	bool grow; /* logical: the extended partition may grow over free space beside it */
	bool padding; /* it may take what is smaller than the grain, too */
	bool exact; /* sectors as asked: no lowest start, one sector for the EBR instead of two */
};

/** A free stretch for it, and the part of that stretch that its data may cover. */
struct af_window {
	struct af_span whole; /* nobody occupies these bytes */
	struct af_span data;  /* may be empty or inside out: then nothing fits */
};

/**
 * All windows for a partition on a layout that does not hold it, in order of place. For a logical that may grow
 * the extended partition, free space beside that belongs to the window that touches it; without an extended
 * partition every gap is a window. Returns their number; *out is for free().
 */
size_t af_place_windows(const struct af_rules *rules, const struct af_layout *l,
			const struct af_place *p, struct af_window **out);

/** The range in which the edges of the extended partition may lie: start from limit.start to inner.start, end from
 *  inner.end to limit.end. Without logicals inner is empty, at its present start plus one sector. */
void af_place_extended(const struct af_rules *rules, const struct af_layout *l,
		       struct af_span *limit, struct af_span *inner);

/**
 * Makes the layout around logical id right after its span was set: creates or grows the extended partition (rules
 * place its edges), keeps the logical's EBR where it is if that is still right before its data (and, when the
 * start was moved, within one grain of it, unless there are more than AF_LOGICALS_MAX), else gives it one in the padding before the data. Fails with AF_E_RULE (no slot for an extended partition) or AF_E_RANGE (no
 * sector for the EBR); l may be changed then.
 */
bool af_place_house(const struct af_rules *rules, struct af_layout *l, uint32_t id,
		    bool moved, struct af_err *err) __attribute__((warn_unused_result));

/** The head of the chain is the EBR of the first logical: sets it to the start of the extended partition. */
void af_place_head(struct af_layout *l);

/** Where the extended partition began at old_start and begins elsewhere now: the head of the chain goes along. */
void af_place_follow(struct af_layout *l, af_bytes old_start);

/**
 * Moves the EBRs of l that would be written over others of the table on the disk, base, where the start of the extended
 * partition is another one or the table is new: to the nearest free sector before their data, if there is one. Then
 * either chain is whole at every moment of a write.
 */
void af_place_apart(const struct af_layout *base, struct af_layout *l);

/** The MBR code for a new extended partition that ends at that byte: 0f beyond what CHS reaches, else 05. */
uint8_t af_place_extended_code(const struct af_layout *l, af_bytes end);

/** The lowest number that no primary or extended partition has, or 0 if all slots are used. */
uint32_t af_place_slot(const struct af_layout *l);

/** The partition with this id, to change in place; NULL if there is none. Borrowed. */
struct af_part *af_place_part(struct af_layout *l, uint32_t id);

/**
 * The line for a new edge nearest behind asked within [low, high]: the next grain line up, or the last one that
 * fits; check lines where the grain has none; asked itself, kept inside, where neither has. low <= high.
 */
af_bytes af_place_edge(const struct af_rules *rules, af_bytes asked, af_bytes low,
		       af_bytes high);
#endif
