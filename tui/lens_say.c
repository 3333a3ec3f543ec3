/*
 * lens_say.c - the sentence of the lens: what is off, what that was seen to cost, and what the key 'a' would do (asked of the
 * edit room, not guessed). It is said in the longest form that has room.
 */
#include "lens_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "afdisk/edit.h"
#include "afdisk/plan.h"
#include "cost.h"

#define SENTENCE 1400 /* bytes of text at the most */

static struct af_edit edit_of(const struct lens *x, bool table_only)
{
	return (struct af_edit){
		.rules = x->p->disk.rules,
		.contents = x->p->disk.contents,
		.table_only = table_only,
	};
}

/* What is in use stays where it is. */
static bool spares_used(const struct lens *x, const struct af_layout *next,
			struct af_err *err)
{
	const struct af_disk *d = &x->p->disk;
	return !d->uses || af_edit_keeps_used(d->layout, next, d->uses, err);
}

/* Where 'a' would put the start; false with err if it would refuse. */
static bool find_target(const struct lens *x, bool table_only, uint64_t *sector,
			struct af_err *err)
{
	struct af_edit edit = edit_of(x, table_only);
	struct af_layout out;
	if (!af_edit_align(x->p->disk.layout, &edit, x->part->id, &out, err))
		return false;
	if (!spares_used(x, &out, err)) {
		af_layout_release(&out);
		return false;
	}
	const struct af_part *part = af_layout_find(&out, x->part->id);
	if (part)
		*sector = ui_picture_sector(x->p, part->span.start);
	af_layout_release(&out);
	return part != NULL;
}

/* What aligning everything at once comes to: AF_OK if 'A' does it, AF_E_DATA if data is
 * in the way. */
static enum af_code try_align_all(const struct lens *x)
{
	for (int table_only = 0; table_only < 2; table_only++) {
		struct af_edit edit = edit_of(x, table_only);
		struct af_layout out;
		struct af_err err = { .code = AF_OK };
		if (af_edit_align_all(x->p->disk.layout, &edit, &out, &err)) {
			const bool spares = spares_used(x, &out, &err);
			af_layout_release(&out);
			if (!spares)
				return AF_E_BUSY;
			return table_only ? AF_E_DATA : AF_OK;
		}
		if (err.code != AF_E_DATA)
			return err.code;
	}
	return AF_E_RANGE;
}

/* The partition has no aligned place between its neighbours. */
static void say_crowded(const struct lens *x, const char *why, char *buf, size_t size)
{
	enum af_code all = try_align_all(x);
	if (all == AF_OK)
		(void)snprintf(buf, size, "a finds no room; A moves its neighbours too");
	else if (all == AF_E_DATA || all == AF_E_BUSY)
		(void)snprintf(buf, size,
			       "a finds no room: %s next to it would have to move",
			       all == AF_E_DATA ? "data" : "what is in use");
	else
		(void)snprintf(buf, size, "a cannot: %.300s", why);
}

static void say_align(const struct lens *x, char *buf, size_t size)
{
	const struct af_content *content = x->content;
	const char *inside = content && content->fs[0] ? content->fs : "what is inside";
	struct af_err err = { .code = AF_OK };
	uint64_t sector = 0;
	if (find_target(x, false, &sector, &err))
		(void)snprintf(buf, size, "a moves its start to %" PRIu64, sector);
	else if (err.code == AF_E_DATA && find_target(x, true, &sector, &err))
		(void)snprintf(buf, size, "a refuses: %s would have to move to %" PRIu64,
			       inside, sector);
	else if (err.code == AF_E_RULE &&
		 x->content) /* the place is right for some of it */
		(void)snprintf(buf, size, "no place helps all of it");
	else if (err.code == AF_E_RANGE)
		say_crowded(x, err.text, buf, size);
	else
		(void)snprintf(buf, size, "a cannot: %.300s", err.text);
}

/* The largest partition that 'n' would make in the selected free space. */
static void say_free(const struct lens *x, char *buf, size_t size)
{
	struct af_edit edit = edit_of(x, false);
	struct af_new add = {
		.role = AF_WANT_ANY,
		.want = { .has_size = true, .size = { .kind = AF_AMOUNT_MAX } },
		.has_within = true,
		.within = x->span.start,
	};
	char all[AF_SHORT];
	struct af_layout out;
	struct af_err err;
	uint32_t id;
	(void)af_text_size(af_span_size(x->span), all);
	if (!af_edit_new(x->p->disk.layout, &edit, &add, &out, &id, &err)) {
		(void)snprintf(buf, size, "%s free; n cannot: %s", all, err.text);
		return;
	}
	const struct af_part *part = af_layout_find(&out, id);
	if (part) {
		char most[AF_SHORT];
		(void)snprintf(buf, size,
			       "%s free; the largest new aligned partition has %s, sectors "
			       "%" PRIu64 " to %" PRIu64,
			       all, af_text_size(af_span_size(part->span), most),
			       ui_picture_sector(x->p, part->span.start),
			       ui_picture_sector(x->p, part->span.end - 1));
	}
	af_layout_release(&out);
}

/* Writes text into the rows of r; false, and nothing written, if it does not fit and
 * must. */
static bool wrap(struct ui_canvas *c, struct ui_rect r, const char *text, bool must_fit)
{
	struct ui_rect nowhere = { r.row, r.col, 0, r.cols };
	if (must_fit && ui_canvas_wrap(c, nowhere, UI_ROLE_TEXT, text) > r.rows)
		return false;
	(void)ui_canvas_wrap(c, r, UI_ROLE_TEXT, text);
	return true;
}

/* The parts of the sentence about a partition; "" where there is nothing to say. */
struct said {
	char base[480], brief[480]; /* what is off; the same without its second half */
	char action[500];           /* what a key would do about it, or a command */
	bool is_key;                /* it is a key */
	char brief_action[500];     /* the same without its second half */
	char cost[200], mid_cost[120], brief_cost[100]; /* the same with less said */
};

static bool is_label_inside(const struct lens *x)
{
	const struct af_content *c = x->content;
	return c && c->nlayers > 0 && af_layer_is_nested(&c->layer[0]);
}

static bool has_remark(const struct lens *x)
{
	const struct af_content *c = x->content;
	return c && (c->remark[0] || af_content_excess(c, x->part->span) > 0);
}

/* What data off its boundary costs, where drives that write 4 KiB were measured. */
static void say_cost(const struct lens *x, const struct ui_cost *cost, struct said *s)
{
	if (!cost || x->p->disk.rules->check.step != 4096)
		return;
	(void)snprintf(s->cost, sizeof(s->cost), "%s", cost->cost);
	(void)snprintf(s->mid_cost, sizeof(s->mid_cost), "%s in measurements of %s",
		       cost->brief, cost->drive);
	(void)snprintf(s->brief_cost, sizeof(s->brief_cost), "%s (%s)", cost->brief,
		       strchr(cost->drive, ' ') + 1);
}

static void say_off_cost(const struct lens *x, const char *fs, struct said *s)
{
	say_cost(x, ui_cost_of(x->p->disk.topo, fs, x->span.start), s);
}

static bool is_small(const struct lens *x, const struct af_part *part,
		     const struct af_layer *layer)
{
	return strcmp(af_align_layer_word(x->p->disk.rules, part, layer), "small-unit") ==
	       0;
}

/* A file system inside has blocks smaller than a physical sector. */
static bool has_small_fs(const struct lens *x)
{
	for (size_t i = 0; x->content && i < x->content->nlayers; i++)
		if (x->content->layer[i].is_fs &&
		    is_small(x, x->part, &x->content->layer[i]))
			return true;
	return false;
}

/* Nothing is known of data beyond the end; r takes max for the end of the disk. */
static void say_stray(const struct lens *x, struct said *s)
{
	const bool begins = x->part->span.start < x->p->disk.layout->usable.end;
	s->cost[0] = s->mid_cost[0] = s->brief_cost[0] = '\0';
	(void)snprintf(s->action, sizeof(s->action), "d deletes it%s",
		       begins ? ", r and max end it where the disk ends" : "");
	(void)snprintf(s->brief_action, sizeof(s->brief_action), "%s", s->action);
	s->is_key = true;
}

/* Where no place helps, the command that does; else behind what 'a' does. */
static void say_remedy(const struct lens *x, struct said *s)
{
	char path[300];
	struct af_text t = { 0 };
	const struct af_inside inside = {
		.content = x->content,
		.maybe_dev = af_text_part_path(x->p->disk.path, x->part->number, path,
					       sizeof(path)),
		.sector_size = x->p->disk.layout->sector_size,
	};
	(void)snprintf(s->brief_action, sizeof(s->brief_action), "%s", s->action);
	s->is_key = s->action[0] != '\0';
	if (x->content &&
	    af_align_say_remedy(x->p->disk.rules, x->part, &inside, &t) != AF_REMEDY_NONE) {
		const size_t used = strlen(s->action);
		const char *command = strstr(af_text_get(&t), "helps: ");
		(void)snprintf(s->action + used, sizeof(s->action) - used, "%s%s",
			       used ? "; " : "", af_text_get(&t));
		if (!s->is_key && command)
			(void)snprintf(s->brief_action, sizeof(s->brief_action),
				       "what %.200s", command);
	}
	af_text_release(&t);
}

static void say_part(const struct lens *x, struct said *s)
{
	const char *fs = ui_cost_kind(x->content);
	struct af_verdict v =
		af_align_judge(x->p->disk.rules, x->p->disk.contents, x->part);
	af_align_sentence(x->p->disk.rules, x->p->disk.contents, x->p->disk.layout, x->part,
			  s->base, sizeof(s->base));
	(void)snprintf(s->brief, sizeof(s->brief), "%.*s", (int)strcspn(s->base, ";:"),
		       s->base);
	switch (v.status) {
	case AF_STATUS_INNER:
		if (is_label_inside(x)) { /* its sentence names the better offset */
			memcpy(s->brief, s->base, sizeof(s->brief));
			break;
		}
		say_align(x, s->action, sizeof(s->action));
		say_off_cost(x, fs, s);
		break;
	case AF_STATUS_MISALIGNED:
		say_align(x, s->action, sizeof(s->action));
		say_off_cost(x, fs, s);
		break;
	case AF_STATUS_TAIL:
		(void)snprintf(s->action, sizeof(s->action), "r can end it at %" PRIu64,
			       ui_picture_sector(x->p, x->part->span.end - v.end_off) - 1);
		if (af_span_size(x->part->span) % 4096)
			(void)snprintf(s->cost, sizeof(s->cost),
				       "LUKS2 with 4096-byte sectors refuses such a size");
		break;
	case AF_STATUS_ALIGNED:
		if (x->p->disk.rules->check.step == 4096)
			(void)snprintf(s->cost, sizeof(s->cost),
				       "4 KiB boundaries were all that mattered in "
				       "measurements of an ST2000DL003");
		break;
	case AF_STATUS_COMPENSATED:
		(void)snprintf(s->brief, sizeof(s->brief),
			       "start off, data inside on a boundary: moving it would "
			       "break that");
		break;
	case AF_STATUS_OPTIMAL:
	case AF_STATUS_CONTAINER:
	case AF_STATUS_UNKNOWN:
		break;
	}
	if (has_small_fs(x) && !af_status_fails(v.status, true))
		say_cost(x, ui_cost_of_small(x->p->disk.topo), s);
	say_remedy(x, s);
	if (af_layout_is_stray(x->p->disk.layout, x->part))
		say_stray(x, s);
	if (x->p->preview || x->p->locked) /* the keys are the form's, or refuse */
		s->action[0] = s->brief_action[0] = '\0';
	if (has_remark(x)) /* which the cost would push out */
		s->cost[0] = s->mid_cost[0] = s->brief_cost[0] = '\0';
}

/* One form of the sentence; the last resort is cut where it ends. */
static bool try_form(const struct lens *x, struct ui_rect r, const char *who,
		     const char *const form[3], bool must_fit)
{
	char text[SENTENCE];
	(void)snprintf(text, sizeof(text), "%s: %s%s%s%s%s", who, form[0],
		       form[1][0] ? "; " : "", form[1], form[2][0] ? "; " : "", form[2]);
	return wrap(x->c, r, text, must_fit);
}

/* A line that is too long says so. */
static void draw_layers(const struct lens *x, struct ui_rect r, const char *text)
{
	ui_canvas_text(x->c, r.row, r.col, r.cols, UI_ROLE_TEXT, text);
	if (ui_canvas_width(text) > r.cols && r.cols > 4)
		ui_canvas_text(x->c, r.row, r.col + r.cols - 4, 4, UI_ROLE_TEXT, " ...");
}

/* The first of the forms that fits is written, all of it, then with less said. True if one did, or the last had to. */
static bool say_fitting(const struct lens *x, struct ui_rect r, const char *who,
			const char *const form[][3], size_t n, bool must_fit)
{
	for (size_t i = 0; i < n; i++)
		if (try_form(x, r, who, form[i], must_fit || i + 1 < n))
			return true;
	return false;
}

/* What is inside has a line of its own if there is one left, or if it is worth one: then as little is said of the rest as
 * still names the key that mends it. */
static bool say_with_layers(const struct lens *x, struct ui_rect r, const char *who,
			    const struct said *s)
{
	struct af_verdict v = { .status = AF_STATUS_UNKNOWN };
	struct af_text layers = { 0 };
	const struct ui_rect rest = { r.row + 1, r.col, r.rows - 1, r.cols };
	const bool worth_it = ui_lens_layers(x, r.cols, &layers);
	(void)ui_picture_verdict(x->p, x->p->selected, &v);
	const char *word = af_status_name(v.status);
	const char *const form[][3] = {
		{ s->base, s->cost, s->action },
		{ s->brief, s->cost, s->action },
		{ s->brief, s->brief_cost, s->action },
		{ word, s->brief_cost, s->action },
		{ s->base, "", s->action },
		{ s->brief, "", s->action },
		{ word, "", s->action },
		{ word, "", s->brief_action },
		{ word, "", "" }, /* no key mends it */
	};
	const size_t all = sizeof(form) / sizeof(form[0]);
	const size_t n = !worth_it ? 1 : s->is_key ? all - 1 : all;
	const bool done =
		layers.len > 0 && r.rows > 1 && say_fitting(x, rest, who, form, n, true);
	if (done)
		draw_layers(x, r, af_text_get(&layers));
	af_text_release(&layers);
	return done;
}

static void draw_said(const struct lens *x, struct ui_rect r, const char *who,
		      const struct said *s)
{
	const char *const form[][3] = {
		{ s->base, s->cost, s->action },
		{ s->brief, s->cost, s->action },
		{ s->brief, s->mid_cost, s->action },
		{ s->base, s->brief_cost, s->action },
		{ s->brief, s->brief_cost, s->action },
		{ s->base, "", s->action },
		{ s->brief, "", s->action },
		{ s->brief, s->mid_cost, "" },
		{ s->brief, s->brief_cost, "" },
		{ s->base, "", "" },
		{ s->brief, "", "" },
	};
	if (!say_with_layers(x, r, who, s))
		(void)say_fitting(x, r, who, form, sizeof(form) / sizeof(form[0]), false);
}

/* An entry of a label is not moved: what is to be done is a better number in its label. */
static void draw_nested_sentence(const struct lens *x, struct ui_rect r)
{
	const struct ui_nested *n = &x->nested;
	struct said s = { .base = "" };
	struct af_text t = { 0 };
	char name[64], who[120];
	(void)af_text_part_name(x->p->disk.path, n->host->number, name, sizeof(name));
	(void)snprintf(who, sizeof(who), "%s in %s", n->layer->what, name);
	af_align_sentence_nested(x->p->disk.rules, x->p->disk.layout, n->host, n->content,
				 n->layer, &t);
	(void)snprintf(s.base, sizeof(s.base), "%s", af_text_get(&t));
	(void)snprintf(s.brief, sizeof(s.brief), "%.*s", (int)strcspn(s.base, ";"), s.base);
	struct af_verdict v;
	if (ui_picture_verdict(x->p, x->p->selected, &v) &&
	    v.status == AF_STATUS_MISALIGNED)
		say_off_cost(x,
			     strcmp(n->layer->type_name, "4.2BSD") == 0
				     ? "ufs"
				     : n->layer->type_name,
			     &s);
	else if (is_small(x, n->host, n->layer))
		say_cost(x, ui_cost_of_small(x->p->disk.topo), &s);
	draw_said(x, r, who, &s);
	af_text_release(&t);
}

/* " (mounted at /home)" behind the name of the partition. */
static void add_uses(const struct lens *x, char *who, size_t size)
{
	const struct af_uses *uses = x->p->disk.uses;
	char words[100] = "";
	if (uses)
		af_uses_words(uses, x->part->number, x->part->span.start, words,
			      sizeof(words));
	size_t used = strlen(who);
	if (words[0])
		(void)snprintf(who + used, size - used, " (%s)", words);
}

void ui_lens_say(const struct lens *x, struct ui_rect r)
{
	if (x->is_nested) {
		draw_nested_sentence(x, r);
		return;
	}
	if (!x->part) {
		char text[SENTENCE] = "";
		say_free(x, text, sizeof(text));
		(void)wrap(x->c, r, text, false);
		return;
	}
	struct said s = { .base = "" };
	char name[64], who[200];
	(void)af_text_part_name(x->p->disk.path, x->part->number, name, sizeof(name));
	(void)snprintf(who, sizeof(who), "%s%s", x->p->preview ? "preview of " : "", name);
	add_uses(x, who, sizeof(who));
	say_part(x, &s);
	draw_said(x, r, who, &s);
}
