/*
 * A disk, its verdicts and a plan as the JSON of the contract. The only room that knows
 * json-c. What is not known is null, every text is cleaned into valid UTF-8 first, and both
 * edges of a partition are sectors, the last one included.
 */
#include "afdisk/report.h"
#include "afdisk/layout_hybrid.h"
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A partition and what is needed to judge it. */
struct place {
	const struct af_disk *disk;
	const struct af_part *part;
	const struct af_room *room; /* of the whole disk */
	size_t nrooms;
};

static void add_number(struct json_object *o, const char *key, int64_t n)
{
	(void)json_object_object_add(o, key, json_object_new_int64(n));
}

static void add_null(struct json_object *o, const char *key)
{
	(void)json_object_object_add(o, key, NULL);
}

/* A number that is unknown when it is 0. */
static void add_known(struct json_object *o, const char *key, int64_t n)
{
	if (n != 0)
		add_number(o, key, n);
	else
		add_null(o, key);
}

static void add_bool(struct json_object *o, const char *key, bool b)
{
	(void)json_object_object_add(o, key, json_object_new_boolean(b));
}

static void add_empty(struct json_object *o, const char *key)
{
	(void)json_object_object_add(o, key, json_object_new_array());
}

static void add_text(struct json_object *o, const char *key, const char *text)
{
	size_t size = strlen(text) + 1;
	char *clean = af_alloc(size, 1);
	af_text_clean(text, clean, size);
	(void)json_object_object_add(o, key, json_object_new_string(clean));
	free(clean);
}

/* A text that is unknown when it is empty. */
static void add_known_text(struct json_object *o, const char *key, const char *text)
{
	if (text[0] != '\0')
		add_text(o, key, text);
	else
		add_null(o, key);
}

static int64_t sectors_of(const struct place *p, af_bytes n)
{
	return af_sectors(n, p->disk->layout->sector_size);
}

/* start, end (inclusive) and sectors of a span. */
static void add_span(struct json_object *o, struct af_span s, uint32_t sector_size)
{
	int64_t start = af_sectors(s.start, sector_size),
		end = af_sectors(s.end, sector_size);
	add_number(o, "start", start);
	add_number(o, "end", end - 1);
	add_number(o, "sectors", end - start);
}

const char *af_report_kind(const struct af_layout *l, const struct af_part *part)
{
	if (l->scheme == AF_SCHEME_GPT)
		return "gpt";
	switch (part->role) {
	case AF_ROLE_PRIMARY:
	case AF_ROLE_FRAME:
		return "primary";
	case AF_ROLE_EXTENDED:
		return "extended";
	case AF_ROLE_LOGICAL:
		return "logical";
	}
	return "primary";
}

void af_report_attrs(struct af_text *t, uint64_t attrs)
{
	static const char *const names[] = { "RequiredPartition", "NoBlockIOProtocol",
					     "LegacyBIOSBootable" };
	const size_t from = t->len;
	for (unsigned bit = 0; bit < 48; bit++)
		if ((attrs >> bit & 1) != 0 && bit < 3)
			af_text_add(t, "%s%s", t->len != from ? " " : "", names[bit]);
		else if ((attrs >> bit & 1) != 0)
			af_text_add(t, "%s%u", t->len != from ? " " : "", bit);
	const char *before = t->len != from ? " GUID:" : "GUID:";
	for (unsigned bit = 48; bit < 64; bit++)
		if ((attrs >> bit & 1) != 0) {
			af_text_add(t, "%s%u", before, bit);
			before = ",";
		}
}

static void add_attrs(struct json_object *o, uint64_t attrs)
{
	struct af_text t = { 0 };
	af_report_attrs(&t, attrs);
	add_text(o, "attrs", af_text_get(&t));
	af_text_release(&t);
}

/* What only a GPT has; null on an MBR. */
static void add_gpt(struct json_object *o, const struct af_layout *l,
		    const struct af_part *part)
{
	char uuid[40];
	if (l->scheme != AF_SCHEME_GPT) {
		add_known_text(o, "name", part->name);
		add_null(o, "uuid");
		add_null(o, "attrs");
		return;
	}
	af_scheme_uuid_text(part->uuid, uuid);
	add_text(o, "name", part->name);
	add_text(o, "uuid", uuid);
	add_attrs(o, part->attrs);
}

/* What the kernel knows under that number at that place. Of an image it knows nothing, unless a loop device shows it. */
static void add_uses(struct json_object *o, const struct place *p)
{
	const struct af_uses *uses = p->disk->uses;
	struct json_object *mounts = json_object_new_array();
	bool used = false;
	for (size_t i = 0; uses != NULL && i < uses->n; i++) {
		const struct af_use *use = &uses->item[i];
		if (!af_use_is_of(use, p->part->number, p->part->span.start) &&
		    use->number != 0)
			continue;
		used = true;
		if (use->kind == AF_USE_MOUNT && use->number != 0)
			(void)json_object_array_add(mounts,
						    json_object_new_string(use->what));
	}
	(void)json_object_object_add(o, "mountpoints", mounts);
	if (used || (uses != NULL && !p->disk->topo->is_file))
		add_bool(o, "in_use", used);
	else
		add_null(o, "in_use");
}

static void add_content(struct json_object *o, const struct place *p)
{
	static const struct af_content nothing;
	const struct af_content *c = af_contents_find(p->disk->contents, p->part->id);
	if (c == NULL || c->state != AF_CONTENT_FOUND)
		c = &nothing;
	add_known_text(o, "fs", c->fs);
	add_known_text(o, "fs_label", c->label);
	add_known_text(o, "fs_uuid", c->uuid);
	add_known(o, "fs_size", c->fs_size);
	add_uses(o, p);
}

af_bytes af_report_padding(const struct af_room *room, size_t nrooms,
			   const struct af_part *part)
{
	af_bytes at = part->span.start;
	for (size_t i = nrooms; i > 0; i--)
		if (room[i - 1].kind == AF_ROOM_PADDING && room[i - 1].span.end == at)
			at = room[i - 1].span.start;
	return part->span.start - at;
}

/* What is odd about what lies inside; the key is left out where nothing is. */
static void add_inner_remark(struct json_object *o, const struct place *p)
{
	const struct af_content *c = af_contents_find(p->disk->contents, p->part->id);
	char larger[200];
	struct af_text t = { 0 };
	if (c == NULL)
		return;
	(void)af_content_larger(c, p->part->span, larger, sizeof(larger));
	af_text_add(&t, "%s%s%s", larger,
		    larger[0] != '\0' && c->remark[0] != '\0' ? "; " : "", c->remark);
	if (t.len > 0)
		add_text(o, "remark", af_text_get(&t));
	af_text_release(&t);
}

/* What lies inside at a place of its own. */
static struct json_object *layers(const struct place *p)
{
	const struct af_content *c = af_contents_find(p->disk->contents, p->part->id);
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; c != NULL && i < c->nlayers; i++) {
		const struct af_layer *layer = &c->layer[i];
		struct json_object *o = json_object_new_object();
		add_text(o, "what", layer->what);
		if (layer->kind == AF_LAYER_UNKNOWN)
			add_null(o, "offset");
		else
			add_number(o, "offset", layer->offset);
		add_known(o, "unit", layer->unit);
		add_text(o, "verdict", af_align_layer_word(p->disk->rules, p->part, layer));
		(void)json_object_array_add(list, o);
	}
	return list;
}

static void add_verdict(struct json_object *o, const struct place *p)
{
	struct af_verdict v = af_align_judge(p->disk->rules, p->disk->contents, p->part);
	add_text(o, "status", af_status_name(v.status));
	add_number(o, "start_off", sectors_of(p, v.start_off));
	add_number(o, "end_off", sectors_of(p, v.end_off));
	add_number(o, "padding_before",
		   sectors_of(p, af_report_padding(p->room, p->nrooms, p->part)));
	if (p->part->role == AF_ROLE_LOGICAL)
		add_number(o, "ebr", sectors_of(p, p->part->ebr));
	else
		add_null(o, "ebr");
	(void)json_object_object_add(o, "layers", layers(p));
}

bool af_report_boot(const struct af_layout *l, const struct af_part *part)
{
	return l->scheme == AF_SCHEME_MBR && part->boot;
}

static struct json_object *partition(const struct place *p)
{
	const struct af_layout *l = p->disk->layout;
	struct json_object *o = json_object_new_object();
	char type[40];
	af_scheme_type_text(l->scheme, p->part->type, type);
	add_number(o, "number", p->part->number);
	add_text(o, "kind", af_report_kind(l, p->part));
	add_span(o, p->part->span, l->sector_size);
	add_text(o, "type", type);
	add_text(o, "type_name", af_scheme_type_name(p->disk->types, p->part->type));
	add_bool(o, "boot", af_report_boot(l, p->part));
	add_gpt(o, l, p->part);
	add_content(o, p);
	add_verdict(o, p);
	add_inner_remark(o, p);
	return o;
}

/* What a nested entry has not. */
static void add_nothing(struct json_object *o, const char *const *key, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_null(o, key[i]);
}

/* An entry of a label inside the partition, as a partition of its own. */
static struct json_object *nested(const struct place *p, const struct af_layer *layer)
{
	static const char *const before[] = { "uuid",     "attrs",   "fs",
					      "fs_label", "fs_uuid", "fs_size" };
	const uint32_t ss = p->disk->layout->sector_size;
	struct af_verdict v = af_align_judge_nested(p->disk->rules, p->part, layer);
	struct json_object *o = json_object_new_object();
	char type[AF_SHORT];
	(void)snprintf(type, sizeof(type), "%x", (unsigned)layer->type);
	add_number(o, "number", layer->number);
	add_text(o, "kind", "nested");
	add_span(o, af_align_layer_span(p->part, layer), ss);
	add_text(o, "type", type);
	add_text(o, "type_name", layer->type_name);
	add_bool(o, "boot", false);
	add_text(o, "name", layer->name);
	add_nothing(o, before, sizeof(before) / sizeof(before[0]));
	add_empty(o, "mountpoints");
	add_null(o, "in_use");
	add_text(o, "status", af_status_name(v.status));
	add_number(o, "start_off", sectors_of(p, v.start_off));
	add_number(o, "end_off", sectors_of(p, v.end_off));
	add_null(o, "padding_before");
	add_null(o, "ebr");
	add_empty(o, "layers");
	return o;
}

static void add_nested(struct json_object *parts, const struct place *p)
{
	const struct af_content *c = af_contents_find(p->disk->contents, p->part->id);
	for (size_t i = 0; c != NULL && i < c->nlayers; i++)
		if (af_layer_is_nested(&c->layer[i]))
			(void)json_object_array_add(parts, nested(p, &c->layer[i]));
}

static const char *free_kind(const struct af_layout *l, const struct af_room *room)
{
	if (l->scheme == AF_SCHEME_GPT)
		return "gpt";
	return room->in_extended ? "logical" : "primary";
}

static struct json_object *free_room(const struct af_layout *l, const struct af_room *room)
{
	struct json_object *o = json_object_new_object();
	add_span(o, room->span, l->sector_size);
	add_text(o, "kind", free_kind(l, room));
	return o;
}

static void add_places(struct json_object *o, const struct af_disk *disk)
{
	const struct af_layout *l = disk->layout;
	struct json_object *parts = json_object_new_array(),
			   *rooms = json_object_new_array();
	struct af_room *room = NULL;
	size_t nrooms = af_align_rooms(disk->rules, l, &room);
	for (size_t i = 0; i < l->nparts; i++) {
		struct place p = { disk, &l->part[i], room, nrooms };
		(void)json_object_array_add(parts, partition(&p));
		add_nested(parts, &p);
	}
	for (size_t i = 0; i < nrooms; i++)
		if (room[i].kind == AF_ROOM_FREE)
			(void)json_object_array_add(rooms, free_room(l, &room[i]));
	free(room);
	(void)json_object_object_add(o, "partitions", parts);
	(void)json_object_object_add(o, "free", rooms);
}

static void add_topology(struct json_object *o, const struct af_disk *disk)
{
	const struct af_topo *t = disk->topo;
	add_number(o, "size", t->size);
	add_number(o, "sectors", af_sectors(t->size, t->sector_size));
	add_number(o, "sector_size", t->sector_size);
	add_number(o, "physical_size", t->physical);
	add_text(o, "physical_source", af_source_name(t->physical_source));
	add_known(o, "reported_physical_size", t->reported_physical);
	if (t->offset_unknown)
		add_null(o, "alignment_offset");
	else
		add_number(o, "alignment_offset", t->alignment_offset);
	add_known(o, "minimum_io", t->minimum_io);
	add_known(o, "optimal_io", t->optimal_io);
	add_number(o, "grain", disk->rules->grain.step);
	add_number(o, "check_size", disk->rules->check.step);
	add_known_text(o, "model", t->model);
	add_known_text(o, "serial", t->serial);
	add_known_text(o, "transport", t->transport);
}

const char *af_report_label(const struct af_disk *disk)
{
	return disk->label != NULL ? disk->label : af_scheme_name(disk->layout->scheme);
}

/* What there is to say about the table; the keys are left out where that is nothing. */
static void add_remarks(struct json_object *o, const struct af_disk *disk)
{
	if (disk->layout->sector_size != disk->topo->sector_size)
		add_number(o, "table_sector_size", disk->layout->sector_size);
	if (disk->holds != NULL && disk->holds[0] != '\0')
		add_text(o, "holds", disk->holds);
	struct af_text remark = { 0 };
	char buf[240];
	af_text_add(&remark, "%s", af_layout_remark(disk->layout, buf, sizeof(buf)));
	if (disk->remark != NULL && disk->remark[0] != '\0')
		af_text_add(&remark, "%s%s", buf[0] != '\0' ? "; " : "", disk->remark);
	if (af_text_get(&remark)[0] != '\0')
		add_text(o, "remark", af_text_get(&remark));
	af_text_release(&remark);
}

static void add_label(struct json_object *o, const struct af_disk *disk)
{
	const struct af_layout *l = disk->layout;
	char id[40];
	add_text(o, "label", af_report_label(disk));
	af_scheme_id_text(l->scheme, l->disk_id, id);
	add_known_text(o, "id", id);
	if (!af_scheme_is_ours(l->scheme)) {
		add_null(o, "first_usable");
		add_null(o, "last_usable");
		return;
	}
	add_number(o, "first_usable", af_sectors(l->usable.start, l->sector_size));
	add_number(o, "last_usable", af_sectors(l->usable.end, l->sector_size) - 1);
}

static struct json_object *mirror_object(const struct af_layout *l, uint32_t entry)
{
	const struct af_mirror *m = &l->mirror[entry - 1];
	const struct af_part *p =
		af_layout_is_stale(l, m) ? NULL : af_layout_find(l, m->id);
	struct json_object *o = json_object_new_object();
	const uint8_t code[16] = { m->type };
	char type[40];
	af_scheme_type_text(AF_SCHEME_MBR, code, type);
	add_number(o, "entry", entry);
	add_span(o, m->span, l->sector_size);
	add_text(o, "type", type);
	add_bool(o, "boot", m->boot == 0x80);
	add_known(o, "mirrors", p != NULL ? p->number : 0);
	return o;
}

/* The entries of a hybrid MBR; other disks do without this field. */
static void add_hybrid(struct json_object *o, const struct af_layout *l)
{
	if (l->hybrid == AF_HYBRID_NONE)
		return;
	struct json_object *entries = json_object_new_array();
	for (uint32_t i = 0; i < AF_MIRRORS; i++)
		if (af_span_size(l->mirror[i].span) > 0)
			(void)json_object_array_add(entries, mirror_object(l, i + 1));
	(void)json_object_object_add(o, "hybrid_mbr", entries);
}

static struct json_object *disk_object(const struct af_disk *disk)
{
	struct json_object *o = json_object_new_object();
	add_text(o, "path", disk->path);
	add_topology(o, disk);
	add_label(o, disk);
	add_remarks(o, disk);
	add_hybrid(o, disk->layout);
	add_places(o, disk);
	return o;
}

/* Appends root as one line and frees it. */
static void put(struct af_text *t, struct json_object *root)
{
	int how = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	af_text_add(t, "%s\n", json_object_to_json_string_ext(root, how));
	(void)json_object_put(root);
}

void af_report_disks(struct af_text *t, const struct af_disk *disk, size_t n)
{
	struct json_object *root = json_object_new_object(),
			   *disks = json_object_new_array();
	for (size_t i = 0; i < n; i++)
		(void)json_object_array_add(disks, disk_object(&disk[i]));
	(void)json_object_object_add(root, "disks", disks);
	put(t, root);
}

static struct json_object *step_object(const struct af_step *step)
{
	struct json_object *o = json_object_new_object();
	add_text(o, "step", step->step);
	add_known(o, "partition", step->partition);
	add_text(o, "detail", step->detail);
	return o;
}

void af_report_plan(struct af_text *t, const struct af_plan *plan,
		    const struct af_disk *disk, bool written)
{
	struct json_object *root = json_object_new_object(),
			   *steps = json_object_new_array();
	for (size_t i = 0; i < plan->nsteps; i++)
		(void)json_object_array_add(steps, step_object(&plan->step[i]));
	(void)json_object_object_add(root, "plan", steps);
	(void)json_object_object_add(root, "disk", disk_object(disk));
	add_bool(root, "written", written);
	put(t, root);
}
