/*
 * The main screen as a value: which rows there are, which of them is selected, and who sits
 * in a place on the disk. Draws nothing.
 */
#include "picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ui_row row_of_part(const struct ui_picture *p, size_t at)
{
	const struct af_part *part = &p->disk.layout->part[at];
	return (struct ui_row){
		.at = at,
		.id = part->id,
		.span = part->span,
		.in_extended = part->role == AF_ROLE_LOGICAL,
		.look = ui_look_of(af_contents_find(p->disk.contents, part->id)),
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
				.look = ui_look_of(NULL),
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
		.look = ui_look_of(NULL),
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
			out[n++] = row_of_part(p, i);
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

/* Once for all drawings: a verdict takes longer than drawing it. */
static void judge_rows(struct ui_picture *p)
{
	const struct af_disk *d = &p->disk;
	for (size_t i = 0; i < p->nrows; i++) {
		struct ui_row *row = &p->row[i];
		const struct af_part *part = ui_picture_part(p, i);
		struct ui_nested n;
		row->is_judged = true;
		if (part)
			row->verdict = af_align_judge(d->rules, d->contents, part);
		else if (ui_picture_nested(p, i, &n))
			row->verdict = af_align_judge_nested(d->rules, n.host, n.layer);
		else
			row->is_judged = false;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct ui_owner *x = a, *y = b;
	return (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

static bool is_frame(const struct af_part *part)
{
	return part->role == AF_ROLE_EXTENDED || part->role == AF_ROLE_FRAME;
}

/* A chain of a thousand EBRs is not walked for every column: whose a place is, is looked up. */
static void find_owners(struct ui_picture *p)
{
	const struct af_layout *l = p->disk.layout;
	size_t n = 0;
	free(p->owner);
	p->owner = NULL;
	p->nowners = 0;
	if (l->scheme != AF_SCHEME_MBR)
		return;
	p->owner = af_alloc(2 * l->nparts + 1, sizeof(*p->owner));
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_part *part = &l->part[i];
		if (!is_frame(part))
			p->owner[n++] = (struct ui_owner){ part->span, i, false };
		if (part->role == AF_ROLE_LOGICAL)
			p->owner[n++] =
				(struct ui_owner){ af_layout_ebr(l, part), i, true };
	}
	qsort(p->owner, n, sizeof(*p->owner), by_place);
	for (size_t i = 1; i < n; i++)
		if (p->owner[i].span.start < p->owner[i - 1].span.end)
			return;
	p->nowners = n;
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
	judge_rows(p);
	find_owners(p);

	p->selected = find_place(p, &old);
	for (size_t i = 0; keep_id && i < p->nrows; i++)
		if (p->row[i].id == keep_id)
			p->selected = i;
	if (p->top >= p->nrows)
		p->top = 0;
}

bool ui_picture_verdict(const struct ui_picture *p, size_t row, struct af_verdict *out)
{
	if (row >= p->nrows || !p->row[row].is_judged)
		return false;
	*out = p->row[row].verdict;
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

/* The partition that has bytes in span, else the one whose EBR does, with *is_ebr; NULL if there is neither. */
static const struct af_part *look_up(const struct ui_picture *p, struct af_span span,
				     bool *is_ebr)
{
	const struct af_part *of_ebr = NULL;
	size_t low = 0, high = p->nowners;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->owner[middle].span.end <= span.start)
			low = middle + 1;
		else
			high = middle;
	}
	*is_ebr = false;
	for (; low < p->nowners && p->owner[low].span.start < span.end; low++) {
		if (!p->owner[low].is_ebr)
			return &p->disk.layout->part[p->owner[low].at];
		of_ebr = &p->disk.layout->part[p->owner[low].at];
	}
	*is_ebr = of_ebr != NULL;
	return of_ebr;
}

/* The same, one by one. */
static const struct af_part *search(const struct ui_picture *p, struct af_span span,
				    bool *is_ebr)
{
	const struct af_layout *l = p->disk.layout;
	const struct af_part *of_ebr = NULL;
	*is_ebr = false;
	for (size_t i = first_near(l, span.start); i < l->nparts; i++) {
		const struct af_part *part = &l->part[i];
		if (l->scheme == AF_SCHEME_GPT && part->span.start >= span.end)
			break;
		if (!is_frame(part) && af_span_overlap(part->span, span))
			return part;
		if (part->role == AF_ROLE_LOGICAL &&
		    af_span_overlap(af_layout_ebr(l, part), span))
			of_ebr = part;
	}
	*is_ebr = of_ebr != NULL;
	return of_ebr;
}

enum ui_place ui_picture_place(const struct ui_picture *p, struct af_span span,
			       const struct af_part **maybe_part)
{
	const struct af_layout *l = p->disk.layout;
	bool is_ebr;
	*maybe_part = p->nowners > 0 ? look_up(p, span, &is_ebr) : search(p, span, &is_ebr);
	if (*maybe_part)
		return is_ebr ? UI_PLACE_EBR : UI_PLACE_PART;
	if (span.start >= l->disk_size)
		return UI_PLACE_OUTSIDE;
	if (is_table(l, span))
		return UI_PLACE_TABLE;
	return is_free(p, span) ? UI_PLACE_FREE : UI_PLACE_PADDING;
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
	free(p->owner);
	p->row = NULL;
	p->owner = NULL;
	p->nrows = p->nowners = p->selected = p->top = 0;
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
