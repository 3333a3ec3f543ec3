/*
 * stack_luks_json.c - the segments of a LUKS2 volume, by json-c: section 3.3 of the "LUKS2 On-Disk Format Specification". There is
 * one, or several while the volume is being encrypted anew; those that only keep an old state for that are no data.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>

#include "stack_luks.h"

#define TEXT_MAX   ((size_t)512 * 1024) /* more than 32 key slots take */
#define DEPTH_MAX  16
#define SECTOR_MIN 512
#define SECTOR_MAX 4096

/* The text as an object, for json_object_put(); NULL if it is none. */
static struct json_object *parse(const char *text, size_t n)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *root = NULL;
	const size_t len = strnlen(text, n);

	if (tokener && len > 0 && len < n && len <= TEXT_MAX)
		root = json_tokener_parse_ex(tokener, text, (int)len + 1);
	if (tokener)
		json_tokener_free(tokener);
	if (json_object_is_type(root, json_type_object))
		return root;
	json_object_put(root);
	return NULL;
}

static const char *get_text(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) &&
			       json_object_is_type(value, json_type_string)
		       ? json_object_get_string(value)
		       : "";
}

/* A number as the format has large ones: digits in a text. */
static bool get_bytes(struct json_object *o, const char *key, af_bytes *out)
{
	const char *text = get_text(o, key);

	if (!*text || strlen(text) > 18 || strspn(text, "0123456789") != strlen(text))
		return false;
	*out = strtoimax(text, NULL, 10);
	return true;
}

static bool is_backup(struct json_object *segment)
{
	struct json_object *flags;
	size_t n;

	if (!json_object_object_get_ex(segment, "flags", &flags) ||
	    !json_object_is_type(flags, json_type_array))
		return false;
	n = json_object_array_length(flags);
	for (size_t i = 0; i < n; i++) {
		const char *flag =
			json_object_get_string(json_object_array_get_idx(flags, i));

		if (flag && strncmp(flag, "backup-", 7) == 0)
			return true;
	}
	return false;
}

/* Encrypted data has sectors of its own; data that is not encrypted yet has none. */
static bool get_unit(struct json_object *segment, af_bytes *out)
{
	struct json_object *value;
	int64_t unit;

	*out = 0;
	if (strcmp(get_text(segment, "type"), "linear") == 0)
		return true;
	if (strcmp(get_text(segment, "type"), "crypt") != 0 ||
	    !json_object_object_get_ex(segment, "sector_size", &value))
		return false;
	unit = json_object_get_int64(value);
	*out = unit;
	return unit >= SECTOR_MIN && unit <= SECTOR_MAX && (unit & (unit - 1)) == 0;
}

static bool add(struct json_object *segment, const char *key, struct af_span room,
		struct stack_found *out)
{
	af_bytes offset, unit, size = 0;
	char what[40];

	if (!json_object_is_type(segment, json_type_object) ||
	    !get_bytes(segment, "offset", &offset) || !af_span_has(room, offset) ||
	    !get_unit(segment, &unit))
		return false;
	if (strcmp(get_text(segment, "size"), "dynamic") != 0 &&
	    (!get_bytes(segment, "size", &size) || size > room.end - offset))
		return false;
	(void)snprintf(what, sizeof(what), "LUKS2 segment %.8s", key);
	af_stack_add(out, what, offset, unit);
	return true;
}

bool af_stack_luks_segments(const char *text, size_t n, struct af_span room,
			    struct stack_found *out)
{
	struct json_object *root = parse(text, n), *segments, *segment;
	bool good = false;

	if (json_object_object_get_ex(root, "segments", &segments) &&
	    json_object_is_type(segments, json_type_object)) {
		/* Their numbers follow each other. */
		good = true;
		for (int i = 0; good && i < STACK_LAYERS; i++) {
			char key[16];

			(void)snprintf(key, sizeof(key), "%d", i);
			if (!json_object_object_get_ex(segments, key, &segment))
				break;
			good = is_backup(segment) || add(segment, key, room, out);
		}
	}
	json_object_put(root);
	if (out->n == 1)
		(void)snprintf(out->layer[0].what, sizeof(out->layer[0].what), "LUKS2");
	return good && out->n > 0;
}
