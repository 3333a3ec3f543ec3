/*
 * bar_view.c - which bytes the bar shows, and how bytes become columns: to scale, in order, at least one column each.
 * A column of a zoomed view is a power of two of sectors wide and begins at a multiple of that, so that columns, sectors and
 * boundaries fall together. Draws nothing.
 */
#include "bar_priv.h"

/* An edge nearer to the border of a zoomed view than a fifth of it has too little around it. */
#define MARGIN 5

int ui_bar_zoom_max(const struct ui_picture *p, int cols)
{
	const struct af_layout *l = p->disk.layout;
	int64_t sectors = af_sectors(l->disk_size, l->sector_size);
	int64_t shown = cols;
	int zoom = 0;
	for (; shown < sectors; shown *= 2)
		zoom++;
	/* A first step that leaves out less than a third is none. */
	return zoom > 1 && shown / 2 > sectors - sectors / 3 ? zoom - 1 : zoom;
}

/* Bytes of a column at the present zoom; 0 for the whole disk. */
static af_bytes column_size(const struct ui_picture *p, int cols)
{
	int most = ui_bar_zoom_max(p, cols);
	int zoom = p->zoom < most ? p->zoom : most;
	return zoom > 0 ? (af_bytes)p->disk.layout->sector_size << (most - zoom) : 0;
}

/* The first byte of a view of that size that begins near start: on a column's line, at the end of the disk with less than a
 * column beyond it. */
static af_bytes keep_on_disk(const struct ui_picture *p, af_bytes start, af_bytes column,
			     af_bytes size)
{
	af_bytes last = p->disk.layout->disk_size - size, more;
	if (last % column > 0 && af_add(last, column - last % column, &more) &&
	    more <= INT64_MAX - size)
		last = more;
	start = start < last ? start : last;
	return start > 0 ? start : 0;
}

static bool has_room_around(const struct ui_picture *p, struct af_span view, af_bytes edge)
{
	af_bytes margin = af_span_size(view) / MARGIN;
	bool first = view.start == 0, last = view.end >= p->disk.layout->disk_size;
	return edge >= view.start + (first ? 0 : margin) &&
	       edge <= view.end - (last ? 0 : margin);
}

struct af_span ui_bar_view(const struct ui_picture *p, int cols)
{
	af_bytes column = column_size(p, cols);
	if (af_span_size(p->held) > 0)
		return p->held;
	if (column == 0)
		return (struct af_span){ 0, p->disk.layout->disk_size };
	af_bytes size = column * cols, edge = ui_picture_edge(p);
	af_bytes start = keep_on_disk(p, p->from / column * column, column, size);
	struct af_span view = { start, start + size };
	if (has_room_around(p, view, edge))
		return view;
	start = edge / column * column - size / 2 / column * column;
	start = keep_on_disk(p, start, column, size);
	return (struct af_span){ start, start + size };
}

void ui_bar_zoom(struct ui_picture *p, int cols, int steps)
{
	const int most = ui_bar_zoom_max(p, cols), margin = (cols + MARGIN - 1) / MARGIN;
	af_bytes edge = ui_picture_edge(p);
	int at = ui_bar_column(ui_bar_view(p, cols), cols, edge);
	at = at < margin ? margin : at;
	at = at > cols - 1 - margin ? cols - 1 - margin : at;
	p->zoom = (p->zoom < most ? p->zoom : most) + steps;
	p->zoom = p->zoom < most ? p->zoom : most;
	p->zoom = p->zoom > 0 ? p->zoom : 0;
	af_bytes column = column_size(p, cols);
	p->from = column > 0 ? edge / column * column - at * column : 0;
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
