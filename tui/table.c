/*
 * The table of partitions and free space. Knows its columns: what each shows, how wide it
 * must and may be, and which go first when the screen is narrow. The status is never
 * dropped.
 */
#include "picture.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "afdisk/plan.h"

enum column {
	COLUMN_NAME,
	COLUMN_BOOT,
	COLUMN_START,
	COLUMN_END,
	COLUMN_SECTORS,
	COLUMN_SIZE,
	COLUMN_TYPE,
	COLUMN_FS,
	COLUMN_LABEL,
	COLUMN_STATUS,
	COLUMN_COUNT
};

#define BAND_END COLUMN_SIZE /* where the mark of the selected row ends */

static_assert(COLUMN_COUNT == UI_TABLE_COLUMNS, "picture.h keeps a width for each");

#define CELL      200 /* bytes of text in a cell at the most */
#define LETTER    2   /* columns for that of what is inside, where all else has its room */
#define LONG_TYPE 12  /* columns of a type that say enough */
#define LONG_NAME 16  /* columns: longer ones give way when something else is cut */

struct column_row {
	const char *title;
	int most;   /* columns it takes at the most */
	int least;  /* it may shrink to that; 0: never under its content */
	int drop;   /* the highest goes first when there is no room; 0: never */
	bool right; /* numbers */
};

static const struct column_row column_table[COLUMN_COUNT] = {
	[COLUMN_NAME] = { "Device", 40, 10, 0, false },
	[COLUMN_BOOT] = { "Boot", 4, 1, 6, false },
	[COLUMN_START] = { "Start", 20, 0, 2, true },
	[COLUMN_END] = { "End", 20, 0, 3, true },
	[COLUMN_SECTORS] = { "Sectors", 20, 0, 9, true },
	[COLUMN_SIZE] = { "Size", 20, 0, 1, true },
	[COLUMN_TYPE] = { "Type", 40, 8, 5, false },
	[COLUMN_FS] = { "FS", 16, 4, 7, false },
	[COLUMN_LABEL] = { "Label", 36, 5, 8, false },
	[COLUMN_STATUS] = { "Status", 24, 12, 0, false },
};

struct table {
	struct ui_picture *p;
	struct ui_canvas *c;
	struct ui_rect r;
	int width[COLUMN_COUNT]; /* 0: not shown */
};

static const char *title_of(const struct table *t, enum column col)
{
	if (col == COLUMN_LABEL && t->p->disk.layout->scheme == AF_SCHEME_GPT)
		return "Name";
	if (col == COLUMN_BOOT && t->width[col] && t->width[col] < 4)
		return "*";
	if (col == COLUMN_SIZE && t->p->units == UI_UNITS_BYTES)
		return "Bytes";
	if (col == COLUMN_SIZE && t->p->units == UI_UNITS_SECTORS)
		return "Sectors";
	if (col == COLUMN_SECTORS && t->p->units != UI_UNITS_HUMAN)
		return "Size";
	return column_table[col].title;
}

/* True if nothing in the extended partition comes behind the row. */
static bool is_last_inside(const struct ui_picture *p, size_t row)
{
	size_t next = row + 1;
	while (next < p->nrows && p->row[next].host)
		next++;
	return next == p->nrows || !p->row[next].in_extended;
}

/* The entry of a label inside a partition hangs under it, one step deeper than that. */
static void nested_name_cell(const struct table *t, size_t row,
			     const struct ui_nested *nested, char *buf)
{
	const struct ui_row *it = &t->p->row[row];
	bool last = row + 1 == t->p->nrows || it[1].host != it->host;
	enum ui_glyph branch = last ? UI_GLYPH_TREE_END : UI_GLYPH_TREE_TEE;
	size_t used = 0;
	if (it->in_extended) {
		bool line = !is_last_inside(t->p, row);
		used = af_text_join(buf, CELL, used,
				    line ? ui_glyph_text(UI_GLYPH_VERTICAL, t->c->ascii)
					 : " ");
		used = af_text_join(buf, CELL, used, " ");
	}
	used = af_text_join(buf, CELL, used, ui_glyph_text(branch, t->c->ascii));
	used = af_text_join(buf, CELL, used,
			    ui_glyph_text(UI_GLYPH_HORIZONTAL, t->c->ascii));
	(void)af_text_join(buf, CELL, used, nested->layer->name);
}

static void name_cell(const struct table *t, size_t row, const struct af_part *part,
		      char *buf)
{
	const struct ui_row *it = &t->p->row[row];
	bool last = is_last_inside(t->p, row);
	const char *line = ui_glyph_text(UI_GLYPH_HORIZONTAL, t->c->ascii);
	enum ui_glyph branch = last ? UI_GLYPH_TREE_END : UI_GLYPH_TREE_TEE;
	const char *tree = it->in_extended ? ui_glyph_text(branch, t->c->ascii) : "";
	char name[64] = "Free space";
	if (part)
		(void)af_text_part_name(t->p->disk.path, part->number, name, sizeof(name));
	if (!part && it->in_extended && t->width[COLUMN_NAME] && !t->width[COLUMN_BOOT])
		(void)snprintf(name, sizeof(name), "Free");
	if (part && t->width[COLUMN_NAME] &&
	    ui_canvas_width(name) + (it->in_extended ? 2 : 0) > t->width[COLUMN_NAME])
		(void)snprintf(name, sizeof(name), "#%" PRIu32, part->number);
	size_t used = af_text_join(buf, CELL, 0, tree);
	used = af_text_join(buf, CELL, used, it->in_extended ? line : "");
	(void)af_text_join(buf, CELL, used, name);
}

/* Positions follow the units only for bytes: a person compares sectors with fdisk's. The
 * end is the last one inside. */
static void position_cell(const struct table *t, af_bytes at, char *buf)
{
	const bool bytes = t->p->units == UI_UNITS_BYTES;
	const int64_t n = bytes ? at : (int64_t)ui_picture_sector(t->p, at); /* fits */
	(void)af_text_decimal(n, buf);
}

static void size_cell(const struct table *t, af_bytes size, char *buf)
{
	(void)ui_picture_amount(t->p, size, buf);
}

/* The second way to say the size, on wide screens: sectors beside a human size, else the
 * human one. */
static void other_size_cell(const struct table *t, af_bytes size, char *buf)
{
	if (t->p->units == UI_UNITS_HUMAN) {
		(void)af_text_decimal(af_sectors(size, t->p->disk.layout->sector_size),
				      buf);
		return;
	}
	(void)af_text_size_short(size, buf);
}

static void type_cell(const struct table *t, const struct af_part *part, char *buf)
{
	const struct af_disk *d = &t->p->disk;
	const char *name = af_scheme_type_name(d->types, part->type);
	if (d->layout->scheme == AF_SCHEME_MBR)
		(void)snprintf(buf, CELL, "%02x %s", part->type[0], name);
	else
		(void)af_text_join(buf, CELL, 0, name);
}

/* The letter that the bar has for it, and the name; where there is no room for both, the name. */
static void fs_cell(const struct table *t, size_t row, char *buf)
{
	const struct ui_row *it = &t->p->row[row];
	const struct af_content *inside = af_contents_find(t->p->disk.contents, it->id);
	const int room = t->width[COLUMN_FS];
	size_t used = 0;
	if (!inside || inside->state == AF_CONTENT_UNKNOWN)
		return;
	if (inside->state != AF_CONTENT_FOUND) {
		(void)af_text_join(buf, CELL, 0,
				   inside->state == AF_CONTENT_NONE ? "-" : "?");
		return;
	}
	if (room >= LETTER + ui_canvas_width(inside->fs)) {
		used = af_text_join(buf, CELL, used, it->look->letter);
		used = af_text_join(buf, CELL, used, " ");
	}
	(void)af_text_join(buf, CELL, used, inside->fs);
}

static void label_cell(const struct af_part *part, const struct af_contents *contents,
		       char *buf)
{
	const char *text = part->name;
	const struct af_content *inside =
		text[0] ? NULL : af_contents_find(contents, part->id);
	if (inside)
		text = inside->label;
	(void)af_text_join(buf, CELL, 0, text);
}

static enum ui_glyph status_glyph(enum af_status s)
{
	switch (s) {
	case AF_STATUS_MISALIGNED:
	case AF_STATUS_INNER:
	case AF_STATUS_TAIL:
		return UI_GLYPH_OFF;
	case AF_STATUS_COMPENSATED:
	case AF_STATUS_ALIGNED:
	case AF_STATUS_OPTIMAL:
		return UI_GLYPH_ON;
	case AF_STATUS_CONTAINER:
	case AF_STATUS_UNKNOWN:
		return UI_GLYPH_HORIZONTAL;
	}
	return UI_GLYPH_TICK;
}

/* True of a partition that ends beyond the disk. */
static bool is_stray(const struct table *t, size_t row)
{
	const struct af_part *part = ui_picture_part(t->p, row);
	return part && af_layout_is_stray(t->p->disk.layout, part);
}

/* True of one that is smaller than its file system. */
static bool is_too_small(const struct table *t, size_t row)
{
	const struct af_part *part = ui_picture_part(t->p, row);
	const struct af_content *c =
		part ? af_contents_find(t->p->disk.contents, part->id) : NULL;
	return c && af_content_excess(c, part->span) > 0;
}

/* What is worse than any alignment; NULL if nothing is. */
static const char *trouble(const struct table *t, size_t row)
{
	if (is_stray(t, row))
		return " beyond the end";
	return is_too_small(t, row) ? " fs is larger" : NULL;
}

/* A glyph, the word, and where there is room how many sectors off. */
static void status_cell(const struct table *t, size_t row, char *buf)
{
	struct af_verdict v;
	if (!ui_picture_verdict(t->p, row, &v))
		return;
	const char *worse = trouble(t, row);
	if (worse) {
		size_t used = af_text_join(buf, CELL, 0,
					   ui_glyph_text(UI_GLYPH_OFF, t->c->ascii));
		(void)af_text_join(buf, CELL, used, worse);
		return;
	}
	const char *glyph = ui_glyph_text(status_glyph(v.status), t->c->ascii);
	const char *word = af_status_name(v.status);
	af_bytes off = v.status == AF_STATUS_MISALIGNED ? v.start_off
		       : v.status == AF_STATUS_TAIL     ? v.end_off
							: 0;
	int64_t sectors = af_sectors(off, t->p->disk.layout->sector_size);
	size_t used = af_text_join(buf, CELL, 0, glyph);
	used = af_text_join(buf, CELL, used, " ");
	used = af_text_join(buf, CELL, used, word);
	if (sectors) {
		char digits[AF_SHORT];
		size_t more = af_text_join(buf, CELL, used, " +");
		(void)af_text_join(buf, CELL, more, af_text_decimal(sectors, digits));
	}
	int room = t->width[COLUMN_STATUS];
	if (room && ui_canvas_width(buf) > room)
		buf[used] = '\0';
}

/* The text of one cell into buf (CELL bytes). */
static void cell_text(const struct table *t, size_t row, enum column col, char *buf)
{
	const struct ui_row *it = &t->p->row[row];
	const struct af_part *part = ui_picture_part(t->p, row);
	struct ui_nested nested;
	bool is_nested = ui_picture_nested(t->p, row, &nested);
	buf[0] = '\0';
	switch (col) {
	case COLUMN_NAME:
		if (is_nested)
			nested_name_cell(t, row, &nested, buf);
		else
			name_cell(t, row, part, buf);
		break;
	case COLUMN_BOOT:
		if (part && ui_picture_boots(t->p, part))
			(void)af_text_join(buf, CELL, 0, "*");
		break;
	case COLUMN_START:
		position_cell(t, it->span.start, buf);
		break;
	case COLUMN_END:
		position_cell(t, it->span.end - 1, buf);
		break;
	case COLUMN_SECTORS:
		other_size_cell(t, af_span_size(it->span), buf);
		break;
	case COLUMN_SIZE:
		size_cell(t, af_span_size(it->span), buf);
		break;
	case COLUMN_TYPE:
		if (part)
			type_cell(t, part, buf);
		else if (is_nested)
			(void)af_text_join(buf, CELL, 0, nested.layer->type_name);
		break;
	case COLUMN_FS:
		if (part)
			fs_cell(t, row, buf);
		break;
	case COLUMN_LABEL:
		if (part)
			label_cell(part, t->p->disk.contents, buf);
		break;
	case COLUMN_STATUS:
		status_cell(t, row, buf);
		break;
	case COLUMN_COUNT:
		break;
	}
}

/* Columns that the longest text in a column takes, its title included; 0 if all cells
 * are empty. */
static int content_width(const struct table *t, enum column col)
{
	int width = 0;
	char text[CELL];
	for (size_t i = 0; i < t->p->nrows; i++) {
		cell_text(t, i, col, text);
		int here = ui_canvas_width(text);
		if (col == COLUMN_NAME && t->p->row[i].in_extended && t->p->row[i].is_free)
			here -= 2; /* spills into the next column, see put_cell() */
		width = here > width ? here : width;
	}
	int title = ui_canvas_width(title_of(t, col));
	return width > 0 && title > width ? title : width;
}

static int total(const struct table *t)
{
	int sum = 3; /* the cursor and its space, the scroll marks */
	for (enum column col = 0; col < COLUMN_COUNT; col++)
		if (t->width[col])
			sum += t->width[col] + (col == COLUMN_NAME ? 0 : 1);
	return sum;
}

static int least_of(enum column col, int want)
{
	int least = column_table[col].least;
	return least && least < want ? least : want;
}

/* Takes columns out, the least important first, until the least widths of the others
 * fit. */
static void drop_columns(struct table *t)
{
	while (total(t) > t->r.cols) {
		int worst = -1;
		for (int col = 0; col < COLUMN_COUNT; col++)
			if (t->width[col] && column_table[col].drop > 0 &&
			    (worst < 0 ||
			     column_table[col].drop > column_table[worst].drop))
				worst = col;
		if (worst < 0)
			return;
		t->width[worst] = 0;
	}
}

/* Gives two columns what they want, in turn, as long as there is room. */
static void grow(struct table *t, const int want[COLUMN_COUNT], enum column a,
		 enum column b)
{
	enum column next = a, other = b;
	for (int left = t->r.cols - total(t); left > 0;) {
		enum column swap = next;
		bool grows = t->width[next] && t->width[next] < want[next];
		if (!grows && (!t->width[other] || t->width[other] >= want[other]))
			return;
		t->width[next] += grows ? 1 : 0;
		left -= grows ? 1 : 0;
		next = other;
		other = swap;
	}
}

static size_t looked_into(const struct af_contents *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		n += c->item[i].state != AF_CONTENT_UNKNOWN;
	return n;
}

/* Measures all rows, if what was measured last does not hold any more: a key must not cost a thousand rows. */
static void measure(const struct table *t)
{
	struct ui_measured *m = &t->p->measured;
	size_t looked = looked_into(t->p->disk.contents);
	if (m->good && m->ascii == t->c->ascii && m->units == t->p->units &&
	    m->looked_into == looked)
		return;
	*m = (struct ui_measured){ .good = true,
				   .ascii = t->c->ascii,
				   .units = t->p->units,
				   .looked_into = looked };
	for (enum column col = 0; col < COLUMN_COUNT; col++) {
		int width = content_width(t, col);
		m->want[col] =
			width < column_table[col].most ? width : column_table[col].most;
	}
	struct table numbered = *t;
	numbered.width[COLUMN_NAME] = column_table[COLUMN_NAME].least;
	m->numbered = content_width(&numbered, COLUMN_NAME);
}

/* Every column gets its least width, then what is left goes to those that want more, in
 * the order of need. True if all get what they want. */
static bool share(struct table *t, int want[COLUMN_COUNT])
{
	memcpy(t->width, want, sizeof(t->width));
	if (total(t) > t->r.cols)
		want[COLUMN_SECTORS] = 0;
	for (enum column col = 0; col < COLUMN_COUNT; col++)
		t->width[col] = least_of(col, want[col]);
	drop_columns(t);
	grow(t, want, COLUMN_NAME, COLUMN_FS);
	grow(t, want, COLUMN_TYPE, COLUMN_LABEL);
	grow(t, want, COLUMN_STATUS, COLUMN_BOOT);
	return memcmp(t->width, want, sizeof(t->width)) == 0;
}

/* Room for the letters of what is inside, if there are any: what is left over, or else the tail of a long type. */
static void add_letters(struct table *t, int want)
{
	if (want <= LETTER || t->width[COLUMN_FS] < want)
		return;
	if (total(t) + LETTER > t->r.cols && t->width[COLUMN_TYPE] < LONG_TYPE + LETTER)
		return;
	if (total(t) + LETTER > t->r.cols)
		t->width[COLUMN_TYPE] -= LETTER;
	t->width[COLUMN_FS] += LETTER;
}

/* Names that do not fit, or are so long that others do not, are numbers: see name_cell(). */
static void set_widths(struct table *t)
{
	int want[COLUMN_COUNT];
	measure(t);
	const struct ui_measured *m = &t->p->measured;
	memcpy(want, m->want, sizeof(want));
	const bool all = share(t, want);
	if (t->width[COLUMN_NAME] < want[COLUMN_NAME] ||
	    (!all && want[COLUMN_NAME] > LONG_NAME)) {
		memcpy(want, m->want, sizeof(want));
		want[COLUMN_NAME] = m->numbered;
		share(t, want);
	}
	add_letters(t, want[COLUMN_FS]);
}

static void put_cell(const struct table *t, int line, int at, enum column col,
		     enum ui_role role, const char *text)
{
	int room = t->width[col], used = ui_canvas_width(text);
	if (col == COLUMN_NAME && t->width[COLUMN_BOOT])
		room += 1 +
			t->width[COLUMN_BOOT]; /* free space in the tree: never bootable */
	int shift = column_table[col].right && used < room ? room - used : 0;
	int limit = t->r.col + t->r.cols - at;
	room = room < limit ? room : limit;
	ui_canvas_text(t->c, line, at + shift, room - shift, role, text);
}

static void draw_heading(const struct table *t)
{
	int at = t->r.col + 2;
	for (enum column col = 0; col < COLUMN_COUNT; col++) {
		if (!t->width[col])
			continue;
		put_cell(t, t->r.row, at, col, UI_ROLE_TITLE, title_of(t, col));
		at += t->width[col] + 1;
	}
}

/* maybe_verdict: that on the row, if it is judged. */
static enum ui_role cell_role(const struct table *t, size_t row, enum column col,
			      const struct af_verdict *maybe_verdict)
{
	if (row == t->p->selected && col <= BAND_END)
		return UI_ROLE_SELECTED;
	if (!maybe_verdict)
		return UI_ROLE_FREE;
	if (col == COLUMN_STATUS)
		return trouble(t, row) ? UI_ROLE_BAD
				       : ui_picture_status_role(maybe_verdict->status);
	if (col == COLUMN_FS && t->p->row[row].look->letter[0])
		return t->p->row[row].look->role;
	const struct af_part *part = ui_picture_part(t->p, row);
	return part && part->role == AF_ROLE_EXTENDED ? UI_ROLE_EXTENDED : UI_ROLE_TEXT;
}

/* The columns of the selected row that are shown as such: those that say which and where. The others keep their colours, and
 * a key has fewer cells to send. */
static int band_cols(const struct table *t)
{
	int cols = 2;
	for (enum column col = 0; col <= BAND_END; col++)
		cols += t->width[col] ? t->width[col] + 1 : 0;
	return cols - 1 < t->r.cols - 1 ? cols - 1 : t->r.cols - 1;
}

static void draw_row(const struct table *t, size_t row, int line)
{
	char text[CELL];
	int at = t->r.col + 2;
	struct af_verdict v;
	const bool judged = ui_picture_verdict(t->p, row, &v);
	ui_canvas_fill(t->c, line, at, t->r.cols - 3,
		       cell_role(t, row, COLUMN_COUNT, judged ? &v : NULL), " ");
	if (row == t->p->selected) {
		ui_canvas_fill(t->c, line, t->r.col, band_cols(t), UI_ROLE_SELECTED, " ");
		ui_canvas_glyph(t->c, line, t->r.col, 1, UI_ROLE_SELECTED, UI_GLYPH_CURSOR);
	}
	for (enum column col = 0; col < COLUMN_COUNT; col++) {
		if (!t->width[col])
			continue;
		cell_text(t, row, col, text);
		put_cell(t, line, at, col, cell_role(t, row, col, judged ? &v : NULL),
			 text);
		at += t->width[col] + 1;
	}
}

/* Moves top so that the selected row is among the lines shown and no line is wasted. */
static void scroll(struct ui_picture *p, size_t lines)
{
	if (p->top + lines > p->nrows)
		p->top = p->nrows > lines ? p->nrows - lines : 0;
	if (p->selected < p->top)
		p->top = p->selected;
	if (p->selected >= p->top + lines)
		p->top = p->selected - lines + 1;
}

static const char *nothing_words(const struct ui_picture *p)
{
	if (p->disk.layout->scheme != AF_SCHEME_NONE)
		return "no partitions, and no room for one";
	return ui_picture_is_blank(p)
		       ? "no partition table: l makes one"
		       : "a table of another system, which is not shown here";
}

void ui_table_draw(struct ui_picture *p, struct ui_canvas *c, struct ui_rect r)
{
	assert(r.rows >= 1 && r.cols >= 1);
	struct table t = { .p = p, .c = c, .r = r };
	int heading = r.rows > 1 ? 1 : 0;
	size_t lines = (size_t)(r.rows - heading); /* at least 1 */
	set_widths(&t);
	if (heading)
		draw_heading(&t);
	if (!p->nrows) {
		ui_canvas_text(c, r.row + heading, r.col + 2, r.cols - 2, UI_ROLE_DIM,
			       nothing_words(p));
		return;
	}
	scroll(p, lines);
	size_t shown = p->nrows - p->top < lines ? p->nrows - p->top : lines;
	for (size_t i = 0; i < shown; i++)
		draw_row(&t, p->top + i, r.row + heading + (int)i);
	int margin = r.col + r.cols - 1;
	if (p->top)
		ui_canvas_glyph(c, r.row + heading, margin, 1, UI_ROLE_HINT,
				UI_GLYPH_MORE_UP);
	if (p->top + shown < p->nrows)
		ui_canvas_glyph(c, r.row + r.rows - 1, margin, 1, UI_ROLE_HINT,
				UI_GLYPH_MORE_DOWN);
}
