/*
 * The main screen as a value: which rows there are, which of them is selected, who sits in
 * a place on the disk, and how bytes become columns: to scale, in order, at least one
 * column each. A zoomed view is a power of two of sectors a column wide, so that columns,
 * sectors and boundaries fall together. Draws nothing.
 */
#include "picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ui_row row_of_part(const struct af_layout *l, size_t at)
{
	const struct af_part *part = &l->part[at];
	return (struct ui_row){
		.at = at,
		.id = part->id,
		.span = part->span,
		.in_extended = part->role == AF_ROLE_LOGICAL,
	};
}

/* The entries of a label inside the partition of the last row that lie on the disk; returns how many. */
static size_t add_nested(const struct ui_picture *p, const struct af_part *part,
			 struct ui_row *out)
{
	const struct af_content *c = af_contents_find(p->disk.contents, part->id);
	const struct af_span disk = { 0, p->disk.layout->disk_size };
	size_t n = 0;
	for (size_t i = 0; c && i < c->nlayers; i++) {
		struct af_span span = af_align_layer_span(part, &c->layer[i]);
		if (af_layer_is_nested(&c->layer[i]) && af_span_inside(span, disk))
			out[n++] = (struct ui_row){
				.host = part->id,
				.at = i,
				.span = span,
				.in_extended = part->role == AF_ROLE_LOGICAL,
			};
	}
	return n;
}

static struct ui_row row_of_room(const struct af_room *room)
{
	return (struct ui_row){
		.span = room->span,
		.in_extended = room->in_extended,
		.is_free = true,
	};
}

/* Partitions and free space are both in order of place already: one merge. Where both
 * begin at the same byte the partition is an extended one and goes first. */
static size_t merge(const struct ui_picture *p, const struct af_room *room, size_t nrooms,
		    struct ui_row *out)
{
	const struct af_layout *l = p->disk.layout;
	size_t n = 0, i = 0, j = 0;
	while (i < l->nparts || j < nrooms) {
		if (j < nrooms && room[j].kind != AF_ROOM_FREE) {
			j++;
		} else if (j == nrooms ||
			   (i < l->nparts && l->part[i].span.start <= room[j].span.start)) {
			out[n++] = row_of_part(l, i);
			n += add_nested(p, &l->part[i++], &out[n]);
		} else {
			out[n++] = row_of_room(&room[j++]);
		}
	}
	return n;
}

/* The row that is at the place of old: the same start if there is one, else the
 * innermost that holds it. */
static size_t find_place(const struct ui_picture *p, const struct ui_row *old)
{
	size_t best = 0;
	for (size_t i = 0; i < p->nrows; i++) {
		const struct ui_row *row = &p->row[i];
		if (row->id == old->id && row->span.start == old->span.start &&
		    row->host == old->host && (!row->host || row->at == old->at))
			return i;
		if (row->host)
			continue; /* comes and goes with its partition */
		if (row->span.start <= old->span.start &&
		    (af_span_has(row->span, old->span.start) ||
		     !af_span_has(p->row[best].span, old->span.start)))
			best = i;
	}
	return best;
}

void ui_picture_select(struct ui_picture *p, const struct ui_row *old)
{
	p->selected = find_place(p, old);
}

static size_t count_layers(const struct af_contents *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		n += c->item[i].nlayers;
	return n;
}

void ui_picture_rows(struct ui_picture *p, uint32_t keep_id)
{
	p->measured.good = false;
	struct ui_row old = { .id = 0 };
	if (p->selected < p->nrows)
		old = p->row[p->selected];
	free(p->row);

	struct af_room *room = NULL;
	const struct af_layout *l = p->disk.layout;
	size_t nrooms = af_align_rooms(p->disk.rules, l, &room);
	p->row = af_alloc(l->nparts + nrooms + count_layers(p->disk.contents) + 1,
			  sizeof(*p->row));
	p->nrows = merge(p, room, nrooms, p->row);
	free(room);

	p->selected = find_place(p, &old);
	for (size_t i = 0; keep_id && i < p->nrows; i++)
		if (p->row[i].id == keep_id)
			p->selected = i;
	if (p->top >= p->nrows)
		p->top = 0;
}

const struct af_part *ui_picture_part(const struct ui_picture *p, size_t row)
{
	if (row >= p->nrows || !p->row[row].id)
		return NULL;
	const struct af_layout *l = p->disk.layout;
	size_t at = p->row[row].at;
	if (at < l->nparts && l->part[at].id == p->row[row].id)
		return &l->part[at];
	return af_layout_find(l, p->row[row].id);
}

bool ui_picture_nested(const struct ui_picture *p, size_t row, struct ui_nested *out)
{
	if (row >= p->nrows || !p->row[row].host)
		return false;
	const struct ui_row *it = &p->row[row];
	out->host = af_layout_find(p->disk.layout, it->host);
	out->content = af_contents_find(p->disk.contents, it->host);
	if (!out->host || !out->content || it->at >= out->content->nlayers)
		return false;
	out->layer = &out->content->layer[it->at];
	return true;
}

bool ui_picture_verdict(const struct ui_picture *p, size_t row, struct af_verdict *out)
{
	const struct af_part *part = ui_picture_part(p, row);
	const struct af_disk *d = &p->disk;
	struct ui_nested n;
	if (part)
		*out = af_align_judge(d->rules, d->contents, part);
	else if (ui_picture_nested(p, row, &n))
		*out = af_align_judge_nested(d->rules, n.host, n.layer);
	else
		return false;
	return true;
}

bool ui_picture_boots(const struct ui_picture *p, const struct af_part *part)
{
	return af_report_boot(p->disk.layout, part);
}

af_bytes ui_picture_edge(const struct ui_picture *p)
{
	if (p->selected >= p->nrows)
		return 0;
	struct af_span span = p->row[p->selected].span;
	return p->edge ? span.end : span.start;
}

uint64_t ui_picture_sector(const struct ui_picture *p, af_bytes at)
{
	return af_lba_of(at, p->disk.layout->sector_size).n;
}

static bool is_table(const struct af_layout *l, struct af_span span)
{
	switch (l->scheme) {
	case AF_SCHEME_NONE:
		return false;
	case AF_SCHEME_MBR:
	case AF_SCHEME_SUN:
	case AF_SCHEME_SGI:
		return span.start < l->sector_size;
	case AF_SCHEME_BSD:
		return span.start < 2 * (af_bytes)l->sector_size;
	case AF_SCHEME_GPT:
		return span.start < l->usable.start || span.end > l->usable.end;
	}
	return false;
}

static bool is_free(const struct ui_picture *p, struct af_span span)
{
	if (p->disk.layout->scheme == AF_SCHEME_NONE)
		return true;
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].is_free && af_span_overlap(p->row[i].span, span))
			return true;
	return false;
}

/* The first partition that may reach byte at or lie behind it. A GPT may have a thousand, one behind the other;
 * an MBR has a few, with EBRs that lie before their data. */
static size_t first_near(const struct af_layout *l, af_bytes at)
{
	size_t low = 0, high = l->scheme == AF_SCHEME_GPT ? l->nparts : 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (l->part[middle].span.end <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum ui_place ui_picture_place(const struct ui_picture *p, struct af_span span,
			       const struct af_part **maybe_part)
{
	const struct af_layout *l = p->disk.layout;
	const struct af_part *of_ebr = NULL;
	*maybe_part = NULL;
	for (size_t i = first_near(l, span.start); i < l->nparts; i++) {
		const struct af_part *part = &l->part[i];
		if (l->scheme == AF_SCHEME_GPT && part->span.start >= span.end)
			break;
		bool frame = part->role == AF_ROLE_EXTENDED || part->role == AF_ROLE_FRAME;
		if (!frame && af_span_overlap(part->span, span)) {
			*maybe_part = part;
			return UI_PLACE_PART;
		}
		if (part->role == AF_ROLE_LOGICAL &&
		    af_span_overlap(af_layout_ebr(l, part), span))
			of_ebr = part;
	}
	*maybe_part = of_ebr;
	if (of_ebr)
		return UI_PLACE_EBR;
	if (span.start >= l->disk_size)
		return UI_PLACE_OUTSIDE;
	if (is_table(l, span))
		return UI_PLACE_TABLE;
	return is_free(p, span) ? UI_PLACE_FREE : UI_PLACE_PADDING;
}

int ui_bar_zoom_max(const struct ui_picture *p, int cols)
{
	const struct af_layout *l = p->disk.layout;
	int64_t sectors = af_sectors(l->disk_size, l->sector_size);
	int zoom = 0;
	for (int64_t shown = cols; shown < sectors; shown *= 2)
		zoom++;
	return zoom;
}

struct af_span ui_bar_view(const struct ui_picture *p, int cols)
{
	const struct af_layout *l = p->disk.layout;
	struct af_span whole = { 0, l->disk_size };
	if (af_span_size(p->held) > 0)
		return p->held;
	int most = ui_bar_zoom_max(p, cols);
	int zoom = p->zoom < most ? p->zoom : most;
	if (zoom <= 0 || most <= 0)
		return whole;

	af_bytes column = (af_bytes)l->sector_size << (most - zoom);
	af_bytes size = column * cols;
	af_bytes start = ui_picture_edge(p) / column * column - size / 2 / column * column;
	if (start > l->disk_size - size)
		start = l->disk_size - size;
	if (start < 0)
		start = 0;
	return (struct af_span){ start, start + size };
}

int ui_bar_column(struct af_span view, int cols, af_bytes at)
{
	if (at <= view.start)
		return 0;
	if (at >= view.end)
		return cols - 1;
	int64_t col = af_scale(at - view.start, af_span_size(view), cols);
	return (int)col; /* below cols */
}

af_bytes ui_bar_byte(struct af_span view, int cols, int col)
{
	af_bytes at = view.start + af_scale(col, cols, af_span_size(view));
	return ui_bar_column(view, cols, at) < col ? at + 1 : at;
}

static struct ui_extent extent_of(struct af_span view, int cols, struct af_span span)
{
	return (struct ui_extent){
		.first = ui_bar_column(view, cols, span.start),
		.last = ui_bar_column(view, cols, span.end - 1),
	};
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

void ui_bar_map(struct af_span view, int cols, const struct af_span *span, size_t n,
		struct ui_extent *out)
{
	size_t width = (size_t)cols; /* at least 1 */
	size_t share = n > width ? (n + width - 1) / width : 1;
	for (size_t i = 0; i < n; i += share) {
		size_t last = i + share < n ? i + share - 1 : n - 1;
		struct af_span whole = { span[i].start, span[last].end };
		out[i] = extent_of(view, cols, whole);
		if (i &&
		    span[i].start <
			    span[i - 1]
				    .end) /* over the one before, which shows around it */
			out[i - share].last =
				larger(out[i - share].first,
				       smaller(out[i - share].last, out[i].first - 1));
		if (i)
			out[i].first = larger(out[i].first, out[i - share].last + 1);
		out[i].last = larger(out[i].last, out[i].first);
	}

	/* What was pushed over the right edge pushes back. */
	int limit = cols - 1;
	for (size_t i = n ? (n - 1) / share * share + share : 0; i; i -= share) {
		struct ui_extent *at = &out[i - share];
		at->last = smaller(at->last, limit);
		at->first = smaller(at->first, at->last);
		limit = at->first - 1;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = out[i - i % share];
}

bool ui_picture_is_blank(const struct ui_picture *p)
{
	const char *none = af_scheme_name(AF_SCHEME_NONE);
	return p->disk.layout->scheme == AF_SCHEME_NONE &&
	       strcmp(af_report_label(&p->disk), none) == 0;
}

const char *ui_picture_amount(const struct ui_picture *p, af_bytes n, char buf[AF_SHORT])
{
	switch (p->units) {
	case UI_UNITS_HUMAN:
		return af_text_size_short(n, buf);
	case UI_UNITS_SECTORS:
		return af_text_decimal(af_sectors(n, p->disk.layout->sector_size), buf);
	case UI_UNITS_BYTES:
		return af_text_decimal(n, buf);
	}
	return buf;
}

void ui_picture_release(struct ui_picture *p)
{
	free(p->row);
	p->row = NULL;
	p->nrows = p->selected = p->top = 0;
}

enum ui_role ui_picture_status_role(enum af_status s)
{
	switch (s) {
	case AF_STATUS_MISALIGNED:
	case AF_STATUS_INNER:
		return UI_ROLE_BAD;
	case AF_STATUS_TAIL:
		return UI_ROLE_WARN;
	case AF_STATUS_COMPENSATED:
	case AF_STATUS_ALIGNED:
	case AF_STATUS_OPTIMAL:
		return UI_ROLE_GOOD;
	case AF_STATUS_CONTAINER:
	case AF_STATUS_UNKNOWN:
		return UI_ROLE_DIM;
	}
	return UI_ROLE_TEXT;
}
