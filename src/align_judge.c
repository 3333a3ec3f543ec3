/*
 * align_judge.c - whether a partition keeps to its lines, and what is to be said about that. What counts is where
 * data lies: the partition's own edges, and every layer inside it that begins at a place of its own.
 */
#include "afdisk/align.h"
#include "afdisk/text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A BSD label and its boot code take the first 8 KiB of a slice (BBSIZE of sys/disklabel.h). An entry that begins much later
 * leaves room for more than that, a cylinder mostly. */
#define BOOT_AREA (8 * AF_KIB)
#define FAR_OFF   (64 * AF_KIB)

/* What cryptsetup takes for a device's sectors by itself on drives of 4096-byte physical ones, since 2.4. */
#define LARGEST_LUKS_SECTOR 4096

#define FRAME_WORDS "it names the place of others and holds no data itself"

/* True if data lies there: then it has to lie on a line. */
static bool counts(const struct af_layer *layer)
{
	switch (layer->kind) {
	case AF_LAYER_DATA:
	case AF_LAYER_NESTED:
		return true;
	case AF_LAYER_FRAME:
	case AF_LAYER_OUTSIDE:
	case AF_LAYER_UNKNOWN:
		break;
	}
	return false;
}

struct af_span af_align_layer_span(const struct af_part *part, const struct af_layer *layer)
{
	af_bytes start = part->span.start + layer->offset;
	return (struct af_span){ start,
				 layer->size ? start + layer->size : part->span.end };
}

static bool is_small_unit(const struct af_rules *rules, const struct af_layer *layer)
{
	return counts(layer) && layer->unit > 0 && layer->unit < rules->physical;
}

/* True for clusters so small that every boundary has one beginning there, whichever of them is the first: all lines of
 * the physical sectors are among theirs, and another place would change nothing. */
static bool is_placeless(const struct af_rules *rules, const struct af_layer *layer,
			 af_bytes start)
{
	return layer->is_fs && is_small_unit(rules, layer) &&
	       layer->offset % rules->check.step != 0 &&
	       af_grid_past(rules->check, start) % layer->unit == 0;
}

static bool is_on(const struct af_rules *rules, const struct af_part *part,
		  const struct af_layer *layer)
{
	return af_grid_has(rules->check, af_align_layer_span(part, layer).start);
}

static bool is_layer_off(const struct af_rules *rules, const struct af_part *part,
			 const struct af_layer *layer)
{
	return !is_on(rules, part, layer) &&
	       !is_placeless(rules, layer, af_align_layer_span(part, layer).start);
}

/* The first layer whose data is off its line, or NULL; *all_on: there is data in layers, and all of it begins on a line. */
static const struct af_layer *first_off(const struct af_rules *rules,
					const struct af_part *part,
					const struct af_content *maybe_content,
					bool *all_on)
{
	bool any = false, every = true;
	const struct af_layer *off = NULL;
	for (size_t i = 0; maybe_content && i < maybe_content->nlayers; i++) {
		const struct af_layer *layer = &maybe_content->layer[i];
		if (!counts(layer))
			continue;
		any = true;
		every = every && is_on(rules, part, layer);
		if (!off && is_layer_off(rules, part, layer))
			off = layer;
	}
	*all_on = any && every;
	return off;
}

static enum af_status edge_status(const struct af_verdict *v)
{
	if (v->start_off)
		return AF_STATUS_MISALIGNED;
	if (v->end_off)
		return AF_STATUS_TAIL;
	return v->start_on_grain && v->end_on_grain ? AF_STATUS_OPTIMAL : AF_STATUS_ALIGNED;
}

static struct af_verdict judge_span(const struct af_rules *rules, struct af_span span)
{
	struct af_verdict v = {
		.start_off = af_grid_past(rules->check, span.start),
		.end_off = af_grid_past(rules->check, span.end),
		.start_on_grain = af_grid_has(rules->grain, span.start),
		.end_on_grain = af_grid_has(rules->grain, span.end),
		.below = span.start,
		.above = span.start,
	};
	if (v.start_off) {
		if (!af_grid_down(rules->check, span.start, &v.below))
			v.below = rules->check.phase;
		if (!af_grid_up(rules->check, span.start, &v.above))
			v.above = v.below;
	}
	v.status = edge_status(&v);
	return v;
}

static const struct af_content *content_of(const struct af_contents *maybe_contents,
					   const struct af_part *part)
{
	return maybe_contents ? af_contents_find(maybe_contents, part->id) : NULL;
}

struct af_verdict af_align_judge(const struct af_rules *rules,
				 const struct af_contents *maybe_contents,
				 const struct af_part *part)
{
	struct af_verdict v = judge_span(rules, part->span);
	bool all_on;
	const struct af_layer *off =
		first_off(rules, part, content_of(maybe_contents, part), &all_on);
	if (part->role == AF_ROLE_EXTENDED || part->role == AF_ROLE_FRAME)
		v.status = AF_STATUS_CONTAINER;
	else if (v.start_off && all_on)
		v.status = AF_STATUS_COMPENSATED;
	else if (!v.start_off && off)
		v.status = AF_STATUS_INNER;
	return v;
}

struct af_verdict af_align_judge_nested(const struct af_rules *rules,
					const struct af_part *part,
					const struct af_layer *layer)
{
	struct af_verdict v = { .status = AF_STATUS_UNKNOWN };
	if (layer->kind != AF_LAYER_OUTSIDE)
		v = judge_span(rules, af_align_layer_span(part, layer));
	if (layer->kind == AF_LAYER_FRAME)
		v.status = AF_STATUS_CONTAINER;
	return v;
}

static const struct {
	const char *name, *meaning;
} status_table[AF_STATUSES] = {
	[AF_STATUS_MISALIGNED] = { "misaligned", "the start is off its boundary: writes "
						 "cost more than they should" },
	[AF_STATUS_INNER] = { "inner", "the start is fine, but data inside begins off its "
				       "boundary" },
	[AF_STATUS_TAIL] = { "tail", "the start is fine; the last physical sector is "
				     "shared with what comes next" },
	[AF_STATUS_COMPENSATED] = { "compensated", "the start is off and the data inside "
						   "is on its boundary: it stays there" },
	[AF_STATUS_ALIGNED] = { "aligned",
				"both edges on the check size, not both on the grain" },
	[AF_STATUS_OPTIMAL] = { "optimal", "both edges on the grain" },
	[AF_STATUS_CONTAINER] = { "container", "holds no data itself: what lies in an "
					       "extended partition counts, or in an entry "
					       "that stands for the whole" },
	[AF_STATUS_UNKNOWN] = { "unknown", "an entry of a label inside a partition that "
					   "lies outside of that partition" },
};

const char *af_status_name(enum af_status s)
{
	return status_table[s].name;
}

const char *af_status_meaning(enum af_status s)
{
	return status_table[s].meaning;
}

bool af_status_fails(enum af_status s, bool strict)
{
	return s == AF_STATUS_MISALIGNED || s == AF_STATUS_INNER ||
	       (strict && s == AF_STATUS_TAIL);
}

const char *af_align_layer_word(const struct af_rules *rules, const struct af_part *part,
				const struct af_layer *layer)
{
	if (!counts(layer))
		return "unknown";
	if (is_layer_off(rules, part, layer))
		return "misaligned";
	if (!af_grid_has(rules->check, part->span.start) && is_on(rules, part, layer))
		return "compensated";
	return is_small_unit(rules, layer) ? "small-unit" : "aligned";
}

struct af_grid af_align_grain(const struct af_rules *rules,
			      const struct af_content *maybe_content)
{
	for (size_t i = 0; maybe_content && i < maybe_content->nlayers; i++) {
		const struct af_layer *layer = &maybe_content->layer[i];
		if (counts(layer) &&
		    !is_placeless(rules, layer, rules->check.phase + layer->offset))
			return af_grid_make(rules->grain.step,
					    rules->grain.phase - layer->offset);
	}
	return rules->grain;
}

static const char *counted(int64_t sectors, char buf[AF_SHORT])
{
	(void)snprintf(buf, AF_SHORT, "%" PRId64 " sector%s", sectors,
		       sectors == 1 ? "" : "s");
	return buf;
}

/* The same where an edge may lie inside a sector. */
static const char *counted_bytes(af_bytes n, uint32_t sector_size, char buf[AF_SHORT])
{
	if (n % sector_size == 0)
		return counted(af_sectors(n, sector_size), buf);
	(void)snprintf(buf, AF_SHORT, "%" PRId64 " bytes", n);
	return buf;
}

/* The smallest good offset of an entry: behind the one before it, or behind the label's own place. */
static af_bytes good_offset(const struct af_rules *rules, const struct af_part *part,
			    const struct af_content *content, const struct af_layer *layer)
{
	af_bytes low = 0, at;
	for (size_t i = 0; i < content->nlayers; i++) {
		const struct af_layer *other = &content->layer[i];
		af_bytes end = other->offset + other->size;
		bool behind = other->kind != AF_LAYER_OUTSIDE && other->size > 0 &&
			      end <= layer->offset;
		if (behind && end > low)
			low = end;
	}
	if (low == 0)
		low = layer->offset < FAR_OFF ? BOOT_AREA : layer->offset;
	if (!af_grid_up(rules->check, part->span.start + low, &at))
		return layer->offset;
	return at - part->span.start;
}

static void say_off(const struct af_rules *rules, const struct af_layout *l,
		    const struct af_part *part, const struct af_content *content,
		    const struct af_layer *layer, struct af_text *out)
{
	char off[AF_SHORT], step[AF_SHORT];
	af_bytes start = af_align_layer_span(part, layer).start;
	af_bytes past = af_grid_past(rules->check, start);
	af_text_add(out, "%s past a %s boundary", counted_bytes(past, l->sector_size, off),
		    af_text_size(rules->check.step, step));
	if (!af_layer_is_nested(layer))
		return;
	af_bytes good = good_offset(rules, part, content, layer), is = layer->offset;
	const bool whole = good % l->sector_size == 0 && is % l->sector_size == 0;
	af_text_add(out, ": offset %" PRId64 " instead of %" PRId64 "%s is right",
		    whole ? af_sectors(good, l->sector_size) : good,
		    whole ? af_sectors(is, l->sector_size) : is, whole ? "" : " bytes");
}

/* The block of the file system inside, where it is smaller than what the drive writes. */
static void say_unit(const struct af_rules *rules, const struct af_layer *layer,
		     struct af_text *out)
{
	if (!is_small_unit(rules, layer))
		return;
	char unit[AF_SHORT], size[AF_SHORT];
	af_text_add(out,
		    "; it writes fragments of %s, smaller than a physical sector of %s",
		    af_text_size(layer->unit, unit), af_text_size(rules->physical, size));
}

void af_align_sentence_nested(const struct af_rules *rules, const struct af_layout *l,
			      const struct af_part *part, const struct af_content *content,
			      const struct af_layer *layer, struct af_text *out)
{
	struct af_verdict v = af_align_judge_nested(rules, part, layer);
	char off[AF_SHORT], step[AF_SHORT];
	(void)af_text_size(rules->check.step, step);
	switch (v.status) {
	case AF_STATUS_MISALIGNED:
		af_text_add(out, "the start is ");
		say_off(rules, l, part, content, layer, out);
		break;
	case AF_STATUS_TAIL:
		af_text_add(out, "the start is aligned, the end is %s past a %s boundary",
			    counted_bytes(v.end_off, l->sector_size, off), step);
		break;
	case AF_STATUS_ALIGNED:
	case AF_STATUS_OPTIMAL:
		af_text_add(out, "both edges are on %s boundaries", step);
		break;
	case AF_STATUS_CONTAINER:
		af_text_add(out, FRAME_WORDS);
		break;
	case AF_STATUS_UNKNOWN:
		af_text_add(out, "it reaches out of its partition and is not judged");
		break;
	case AF_STATUS_INNER:
	case AF_STATUS_COMPENSATED:
		break; /* only of partitions */
	}
	say_unit(rules, layer, out);
}

/* "begins 4097 sectors behind the partition's start, 1 sector past a 4 KiB boundary" */
static void say_place(const struct af_rules *rules, const struct af_layout *l,
		      const struct af_part *part, const struct af_layer *layer,
		      struct af_text *out)
{
	char n[AF_SHORT];
	af_bytes past = af_grid_past(rules->check, af_align_layer_span(part, layer).start);
	if (layer->offset == 0)
		af_text_add(out, "begins where the partition does, ");
	else
		af_text_add(out, "begins %s behind the partition's start, ",
			    counted_bytes(layer->offset, l->sector_size, n));
	if (past)
		af_text_add(out, "%s past", counted_bytes(past, l->sector_size, n));
	else
		af_text_add(out, "on");
	af_text_add(out, " a %s boundary", af_text_size(rules->check.step, n));
}

void af_align_sentence_layer(const struct af_rules *rules, const struct af_layout *l,
			     const struct af_part *part, const struct af_layer *layer,
			     struct af_text *out)
{
	if (layer->kind == AF_LAYER_UNKNOWN) {
		af_text_add(out, "where its data begins cannot be told");
		return;
	}
	say_place(rules, l, part, layer, out);
	if (layer->unit > 0) {
		char unit[AF_SHORT];
		af_text_add(out, ", in blocks of %s", af_text_size(layer->unit, unit));
	}
	if (is_small_unit(rules, layer)) {
		char size[AF_SHORT];
		af_text_add(out, ", smaller than a physical sector of %s",
			    af_text_size(rules->physical, size));
	}
}

/* What is inside at a place of its own, and off its line. */
static void say_inner(const struct af_rules *rules, const struct af_contents *contents,
		      const struct af_layout *l, const struct af_part *part,
		      struct af_text *out)
{
	bool all_on;
	const struct af_content *content = content_of(contents, part);
	const struct af_layer *off = first_off(rules, part, content, &all_on);
	if (!off)
		return;
	af_text_add(out, "the start is aligned, but %s inside begins ", off->what);
	say_off(rules, l, part, content, off, out);
}

static void say_compensated(const struct af_rules *rules, const struct af_layout *l,
			    const struct af_part *part, const struct af_content *content,
			    struct af_text *out)
{
	char off[AF_SHORT], step[AF_SHORT], at[AF_SHORT];
	size_t i = 0;
	while (i + 1 < content->nlayers && !counts(&content->layer[i]))
		i++;
	af_bytes past = af_grid_past(rules->check, part->span.start);
	af_text_add(
		out,
		"the start is %s past a %s boundary, and the data inside is on one (%s, "
		"%s behind it): moving it to the grain would break that",
		counted(af_sectors(past, l->sector_size), off),
		af_text_size(rules->check.step, step), content->layer[i].what,
		counted_bytes(content->layer[i].offset, l->sector_size, at));
}

static void say_tail(const struct af_rules *rules, const struct af_layout *l,
		     const struct af_verdict *v, struct af_span span, struct af_text *out)
{
	char off[AF_SHORT], step[AF_SHORT];
	af_text_add(out,
		    "the start is aligned, the end is %s past a %s boundary: the last "
		    "physical sector is shared with what comes next",
		    counted(af_sectors(v->end_off, l->sector_size), off),
		    af_text_size(rules->check.step, step));
	if (af_span_size(span) % LARGEST_LUKS_SECTOR != 0)
		af_text_add(out, ", and LUKS2 with 4096-byte sectors refuses such a size");
}

static void say_edges(const struct af_rules *rules, const struct af_layout *l,
		      const struct af_verdict *v, struct af_span span, struct af_text *out)
{
	char off[AF_SHORT], step[AF_SHORT], grain[AF_SHORT];
	uint32_t ss = l->sector_size;
	(void)af_text_size(rules->check.step, step);
	(void)af_text_size(rules->grain.step, grain);
	switch (v->status) {
	case AF_STATUS_MISALIGNED:
		af_text_add(out,
			    "the start is %s past a %s boundary; the nearest aligned "
			    "sectors are %" PRIu64 " and %" PRIu64,
			    counted(af_sectors(v->start_off, ss), off), step,
			    af_lba_of(v->below, ss).n, af_lba_of(v->above, ss).n);
		return;
	case AF_STATUS_TAIL:
		say_tail(rules, l, v, span, out);
		return;
	case AF_STATUS_ALIGNED:
		af_text_add(out,
			    "both edges are on %s boundaries, not both on the %s grain",
			    step, grain);
		return;
	case AF_STATUS_OPTIMAL:
		af_text_add(out, "both edges are on the %s grain", grain);
		return;
	case AF_STATUS_CONTAINER:
		af_text_add(
			out,
			"an extended partition holds no data of its own; its start is %s",
			v->start_off ? "off its boundary, which costs nothing" : "aligned");
		return;
	case AF_STATUS_INNER:
	case AF_STATUS_COMPENSATED:
	case AF_STATUS_UNKNOWN:
		return; /* not of edges alone */
	}
}

void af_align_sentence(const struct af_rules *rules,
		       const struct af_contents *maybe_contents, const struct af_layout *l,
		       const struct af_part *part, char *buf, size_t size)
{
	struct af_verdict v = af_align_judge(rules, maybe_contents, part);
	const struct af_content *content = content_of(maybe_contents, part);
	struct af_text t = { 0 };
	char larger[200];
	const int64_t over = af_sectors(part->span.end - l->usable.end, l->sector_size);
	if (af_layout_is_stray(l, part))
		af_text_add(&t, "it ends %" PRId64 " sector%s beyond the last usable one; ",
			    over, over == 1 ? "" : "s");
	if (content && af_content_larger(content, part->span, larger, sizeof(larger))[0])
		af_text_add(&t, "%s; ", larger);
	if (part->role == AF_ROLE_FRAME)
		af_text_add(&t, FRAME_WORDS);
	else if (v.status == AF_STATUS_INNER)
		say_inner(rules, maybe_contents, l, part, &t);
	else if (v.status == AF_STATUS_COMPENSATED)
		say_compensated(rules, l, part, content, &t);
	else
		say_edges(rules, l, &v, part->span, &t);
	if (content && content->remark[0])
		af_text_add(&t, "; %s", content->remark);
	(void)snprintf(buf, size, "%s", af_text_get(&t));
	af_text_release(&t);
}
