/*
 * grid.c - arithmetic of alignment grids. Pure; knows nothing of disks.
 * A grid has no line below its phase: positions are never negative.
 */
#include "afdisk/grid.h"
#include <assert.h>

static void check(struct af_grid g)
{
	assert(g.step >= 1 && g.phase >= 0 && g.phase < g.step);
}

struct af_grid af_grid_make(af_bytes step, af_bytes offset)
{
	assert(step >= 1);
	af_bytes phase = offset % step;
	return (struct af_grid){ .step = step, .phase = phase < 0 ? phase + step : phase };
}

af_bytes af_grid_past(struct af_grid g, af_bytes at)
{
	check(g);
	af_bytes past = (at % g.step) - g.phase;
	return past < 0 ? past + g.step : past;
}

bool af_grid_has(struct af_grid g, af_bytes at)
{
	return af_grid_past(g, at) == 0;
}

bool af_grid_down(struct af_grid g, af_bytes at, af_bytes *out)
{
	if (at < g.phase)
		return false;
	*out = at - af_grid_past(g, at);
	return true;
}

bool af_grid_up(struct af_grid g, af_bytes at, af_bytes *out)
{
	af_bytes past = af_grid_past(g, at);
	return af_add(at, past ? g.step - past : 0, out);
}

bool af_grid_nearest(struct af_grid g, af_bytes at, struct af_span within, af_bytes *out)
{
	af_bytes low, high;
	bool has_low = af_grid_up(g, within.start, &low) && low <= within.end;
	if (!has_low || !af_grid_down(g, within.end, &high))
		return false;
	if (at <= low) {
		*out = low;
	} else if (at >= high) {
		*out = high;
	} else {
		af_bytes past = af_grid_past(g, at);
		*out = past <= g.step - past ? at - past : at - past + g.step;
	}
	return true;
}
