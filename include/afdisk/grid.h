/** grid.h - evenly spaced byte positions: phase, phase + step, phase + 2*step ... */
#ifndef AFDISK_GRID_H
#define AFDISK_GRID_H
#include "afdisk/units.h"

/** Invariant: step >= 1 and 0 <= phase < step (bytes). A line lies at every phase + k*step, k >= 0. */
struct af_grid {
	af_bytes step, phase;
};

/** A grid of that step whose lines pass through byte offset (which may be negative). step >= 1. */
struct af_grid af_grid_make(af_bytes step, af_bytes offset);

/** True if a line passes through at. */
bool af_grid_has(struct af_grid g, af_bytes at);

/** Bytes by which at (>= 0) lies past the line below it: 0 to step - 1. */
af_bytes af_grid_past(struct af_grid g, af_bytes at);

/** Largest line <= at; false if there is none at or above byte 0. */
bool af_grid_down(struct af_grid g, af_bytes at, af_bytes *out);

/** Smallest line >= at; false if it does not fit in af_bytes. */
bool af_grid_up(struct af_grid g, af_bytes at, af_bytes *out);

/** The line nearest to at that lies in [within.start, within.end]; the lower of two equally near ones.
 *  Both edges count as inside. False if no line does. */
bool af_grid_nearest(struct af_grid g, af_bytes at, struct af_span within, af_bytes *out);
#endif
