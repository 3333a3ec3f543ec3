/*
 * align.c - the policy of alignment: which lines bind an edge, and where there is room. Arithmetic lives in
 * grid.c, judging in align_judge.c. Pure: topology and layout in, rules and rooms out.
 */
#include "afdisk/align.h"
#include "afdisk/text.h"
#include <stdlib.h>
#include <string.h>

/* Larger "optimal" sizes are not believed, nor is the one that USB bridges report: the most sectors of one command,
 * which is no property of the medium. */
#define LARGEST_SANE    (64 * AF_MIB)
#define LARGEST_BRIDGED (16 * AF_MIB)
#define BRIDGE_NONSENSE ((af_bytes)65535 * 512)

/* Drives lie about 512; a user who says otherwise knows better. */
#define CHECK_FLOOR ((af_bytes)4096)

static af_bytes floored(const struct af_topo *t, af_bytes size)
{
	return t->physical_source != AF_SOURCE_USER && size < CHECK_FLOOR ? CHECK_FLOOR
									  : size;
}

static af_bytes physical_size(const struct af_topo *t)
{
	return t->physical > t->sector_size ? t->physical : t->sector_size;
}

static bool is_power_of_two(af_bytes n)
{
	return n > 0 && (n & (n - 1)) == 0;
}

static af_bytes check_size(const struct af_topo *t)
{
	af_bytes size = physical_size(t);
	bool sane = t->minimum_io <= LARGEST_SANE && t->minimum_io % size == 0;
	if (sane && t->minimum_io > size)
		size = t->minimum_io;
	return floored(t, size);
}

const char *af_align_doubt(const struct af_topo *topo)
{
	const af_bytes size = topo->optimal_io;
	const bool bridged = strcmp(topo->transport, "usb") == 0;

	if (size == BRIDGE_NONSENSE)
		return "what bridges report";
	if (bridged && (size > LARGEST_BRIDGED || (size > 0 && !is_power_of_two(size))))
		return "a USB bridge's word";
	if (size > LARGEST_SANE)
		return "too large";
	if (size > 0 && size % check_size(topo) != 0)
		return "no multiple of what edges are judged by";
	return NULL;
}

/* The smallest multiple of a stripe (or of the check size) that is at least 1 MiB. */
static af_bytes grain_size(const struct af_topo *t, af_bytes check)
{
	if (t->grain > 0)
		return t->grain;
	af_bytes unit = t->optimal_io > 0 && !af_align_doubt(t) ? t->optimal_io : check;
	af_bytes grain = (AF_MIB + unit - 1) / unit * unit;
	return (t->size + 3) / 4 <= grain ? check : grain;
}

struct af_rules af_align_rules(const struct af_topo *topo, bool exact)
{
	af_bytes check = check_size(topo);
	return (struct af_rules){
		.check = af_grid_make(check, topo->alignment_offset),
		.grain = af_grid_make(grain_size(topo, check), topo->alignment_offset),
		.physical = floored(topo, physical_size(topo)),
		.lowest = topo->size > 4 * AF_MIB ? AF_MIB : 0,
		.exact = exact,
	};
}

/* True if two lines of grid lie in [low, high]: a partition of one step fits. */
static bool has_two_lines(struct af_grid grid, af_bytes low, af_bytes high)
{
	af_bytes first;
	return low <= high && af_grid_up(grid, low, &first) && first <= high - grid.step;
}

/* The first byte for data in a gap inside the extended partition, as place.c has it: behind an EBR and one sector
 * for the next; the first logical's EBR is there already. */
static af_bytes behind_ebr(const struct af_layout *l, const struct af_gap *gap)
{
	const struct af_part *ext = af_layout_extended(l);
	bool is_first = !af_layout_number(l, l->slots + 1);
	bool after_head = gap->span.start == ext->span.start + l->sector_size;

	return gap->span.start +
	       (is_first && after_head ? 1 : 2) * (af_bytes)l->sector_size;
}

/*
 * A gap is free where a partition of one grain fits: on the grain, or on check lines where it has no two grain
 * lines. What is smaller, and what an EBR keeps before its data, is padding.
 */
static enum af_room_kind classify(const struct af_rules *rules, const struct af_layout *l,
				  const struct af_gap *gap)
{
	af_bytes low = gap->span.start, high = gap->span.end;
	if (gap->in_extended)
		low = behind_ebr(l, gap);
	if (low < rules->lowest)
		low = rules->lowest;
	if (gap->before_logical)
		high -= l->sector_size;
	if (has_two_lines(rules->grain, low, high))
		return AF_ROOM_FREE;
	if (gap->after_ebr || high - low < rules->grain.step)
		return AF_ROOM_PADDING;
	return has_two_lines(rules->check, low, high) ? AF_ROOM_FREE : AF_ROOM_PADDING;
}

/* The EBR belongs to the padding before its logical; what touches it is one stretch to look at. */
static bool joins(const struct af_room *last, const struct af_room *next)
{
	return last->kind == AF_ROOM_PADDING && next->kind == AF_ROOM_PADDING &&
	       last->in_extended == next->in_extended && next->span.start == last->span.end;
}

static void add_room(struct af_room *room, size_t *n, struct af_room next)
{
	if (*n && joins(&room[*n - 1], &next))
		room[*n - 1].span.end = next.span.end;
	else
		room[(*n)++] = next;
}

/* One gap as rooms: what lies under the lowest start is padding even before free space. */
static void add_rooms(const struct af_rules *rules, const struct af_layout *l,
		      const struct af_gap *gap, struct af_room *room, size_t *n)
{
	struct af_room next = {
		.span = gap->span,
		.kind = classify(rules, l, gap),
		.in_extended = gap->in_extended,
	};
	if (gap->after_ebr && next.kind == AF_ROOM_PADDING)
		next.span.start -= l->sector_size;
	if (next.kind == AF_ROOM_FREE && next.span.start < rules->lowest) {
		struct af_room below = next;
		below.kind = AF_ROOM_PADDING;
		below.span.end = next.span.start = rules->lowest;
		add_room(room, n, below);
	}
	add_room(room, n, next);
}

size_t af_align_rooms(const struct af_rules *rules, const struct af_layout *l,
		      struct af_room **out)
{
	struct af_gap *gap;
	size_t ngaps = af_layout_gaps(l, &gap), n = 0;
	struct af_room *room = af_alloc(ngaps + 2, sizeof(*room));
	for (size_t i = 0; i < ngaps; i++)
		add_rooms(rules, l, &gap[i], room, &n);
	free(gap);
	*out = room;
	return n;
}
