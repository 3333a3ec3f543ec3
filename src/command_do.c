/*
 * What a command does: hands it to the verb of the edit room that it stands for, and says
 * it in words for undo and messages. Reading a command is command.c's part.
 */
#include "afdisk/command.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool apply_new(const struct af_command *cmd, const struct af_layout *now,
		      const struct af_edit *e, struct af_layout *out, uint32_t *id,
		      struct af_err *err)
{
	struct af_new add = cmd->add;
	memcpy(add.type, cmd->type, sizeof(add.type));
	memcpy(add.uuid, cmd->uuid, sizeof(add.uuid));
	return af_edit_new(now, e, &add, out, id, err);
}

/* The verbs that are about one partition. */
static bool apply_to(const struct af_command *cmd, const struct af_layout *now,
		     const struct af_edit *e, uint32_t id, struct af_layout *out,
		     struct af_err *err)
{
	switch (cmd->verb) {
	case AF_VERB_DELETE:
		return af_edit_delete(now, id, out, err);
	case AF_VERB_RESIZE:
		return af_edit_resize(now, e, id, &cmd->want, out, err);
	case AF_VERB_MOVE:
		return af_edit_move(now, e, id, &cmd->want.start, out, err);
	case AF_VERB_ALIGN:
		return af_edit_align(now, e, id, out, err);
	case AF_VERB_TYPE:
		return af_edit_type(now, id, cmd->type, out, err);
	case AF_VERB_BOOT:
		return af_edit_boot(now, id, cmd->on, out, err);
	case AF_VERB_NAME:
		return af_edit_name(now, id, cmd->text, out, err);
	case AF_VERB_UUID:
		return af_edit_uuid(now, id, cmd->uuid, out, err);
	case AF_VERB_ATTR:
		return af_edit_attr(now, id, cmd->bit, cmd->on, out, err);
	case AF_VERB_LABEL:
	case AF_VERB_NEW:
	case AF_VERB_SORT:
	case AF_VERB_CONVERT:
	case AF_VERB_REPAIR:
	case AF_VERB_HYBRID:
	case AF_VERB_ID:
	case AF_VERB_PLAN:
	case AF_VERB_UNDO:
	case AF_VERB_REDO:
		break;
	}
	return af_fail(err, AF_E_USAGE, "this command is not about one partition");
}

static bool apply_numbered(const struct af_command *cmd, const struct af_layout *now,
			   const struct af_edit *e, struct af_layout *out, uint32_t *id,
			   struct af_err *err)
{
	const struct af_part *part = af_layout_number(now, cmd->number);
	if (part == NULL)
		return af_fail(err, AF_E_USAGE, "there is no partition %" PRIu32,
			       cmd->number);
	uint32_t about = part->id;
	if (!apply_to(cmd, now, e, about, out, err))
		return false;
	*id = about;
	return true;
}

static bool apply_id(const struct af_command *cmd, const struct af_layout *now,
		     struct af_layout *out, struct af_err *err)
{
	if (cmd->scheme != now->scheme && af_scheme_is_ours(now->scheme))
		return af_fail(err, AF_E_USAGE, "the identifier of a %s table is %s",
			       af_scheme_name(now->scheme),
			       now->scheme == AF_SCHEME_GPT
				       ? "a UUID"
				       : "eight hexadecimal digits, such as 0x10bd10bc");
	return af_edit_id(now, cmd->uuid, out, err);
}

static bool apply_whole(const struct af_command *cmd, const struct af_layout *now,
			const struct af_edit *e, struct af_layout *out, uint32_t *id,
			struct af_err *err)
{
	if (cmd->verb == AF_VERB_NEW)
		return apply_new(cmd, now, e, out, id, err);
	bool done = false;
	if (cmd->verb == AF_VERB_LABEL)
		done = af_edit_label(now, cmd->scheme, cmd->uuid, out, err);
	else if (cmd->verb == AF_VERB_CONVERT)
		done = af_edit_convert(now, e, cmd->scheme, cmd->uuid, out, err);
	else if (cmd->verb == AF_VERB_HYBRID)
		done = af_edit_hybrid(now, cmd->hybrid, out, err);
	else if (cmd->verb == AF_VERB_ID)
		done = apply_id(cmd, now, out, err);
	else if (cmd->verb == AF_VERB_ALIGN)
		done = af_edit_align_all(now, e, out, err);
	else if (cmd->verb == AF_VERB_SORT)
		done = af_edit_sort(now, e, out, err);
	else if (cmd->verb == AF_VERB_REPAIR)
		done = af_edit_repair(now, out, err);
	else
		(void)af_fail(err, AF_E_USAGE, "the command names no partition");
	if (done)
		*id = 0;
	return done;
}

bool af_command_apply(const struct af_command *cmd, const struct af_layout *now,
		      const struct af_edit *e, struct af_layout *out, uint32_t *id,
		      struct af_err *err)
{
	struct af_edit as_told = *e;
	struct af_rules rules = *e->rules;
	rules.exact = rules.exact || cmd->exact;
	as_told.rules = &rules;
	as_told.table_only = cmd->table_only;
	if (cmd->number != 0)
		return apply_numbered(cmd, now, &as_told, out, id, err);
	return apply_whole(cmd, now, &as_told, out, id, err);
}

/* An amount as a person would write it. */
static const char *amount_words(const struct af_amount *a, char buf[AF_SHORT])
{
	const char *sign = a->sign > 0 ? "+" : a->sign < 0 ? "-" : "";
	char size[AF_SHORT];
	switch (a->kind) {
	case AF_AMOUNT_BYTES:
		(void)snprintf(buf, AF_SHORT, "%s%s", sign,
			       af_text_size_short(a->value, size));
		break;
	case AF_AMOUNT_SECTORS:
		(void)snprintf(buf, AF_SHORT, "%s%" PRId64 "s", sign, a->value);
		break;
	case AF_AMOUNT_PERCENT:
		(void)snprintf(buf, AF_SHORT, "%s%" PRId64 "%%", sign, a->value / 1000);
		break;
	case AF_AMOUNT_MAX:
		(void)snprintf(buf, AF_SHORT, "max");
		break;
	}
	return buf;
}

static void add_want(struct af_text *t, const struct af_want *want)
{
	char buf[AF_SHORT];
	if (want->has_start)
		af_text_add(t, " from %s", amount_words(&want->start, buf));
	if (want->has_size)
		af_text_add(t, " size %s", amount_words(&want->size, buf));
	if (want->has_end)
		af_text_add(t, " up to %s", amount_words(&want->end, buf));
}

static const char *role_words(enum af_want_role role)
{
	switch (role) {
	case AF_WANT_ANY:
		return "";
	case AF_WANT_PRIMARY:
		return " primary";
	case AF_WANT_EXTENDED:
		return " extended";
	case AF_WANT_LOGICAL:
		return " logical";
	}
	return "";
}

/* What comes before and after "partition N". */
static const struct {
	const char *before, *after;
} words_table[] = {
	[AF_VERB_LABEL] = { "new label", "" },
	[AF_VERB_NEW] = { "new", "" },
	[AF_VERB_DELETE] = { "delete", "" },
	[AF_VERB_RESIZE] = { "resize", "" },
	[AF_VERB_MOVE] = { "move", "" },
	[AF_VERB_ALIGN] = { "align", "" },
	[AF_VERB_TYPE] = { "change", ": type " },
	[AF_VERB_BOOT] = { "change", ": boot " },
	[AF_VERB_NAME] = { "change", ": name " },
	[AF_VERB_UUID] = { "change", ": UUID " },
	[AF_VERB_ATTR] = { "change", ": attribute " },
	[AF_VERB_SORT] = { "sort", "" },
	[AF_VERB_CONVERT] = { "convert to", "" },
	[AF_VERB_REPAIR] = { "repair the GPT", "" },
	[AF_VERB_HYBRID] = { "hybrid MBR", "" },
	[AF_VERB_ID] = { "disk identifier", "" },
	[AF_VERB_PLAN] = { "plan", " " },
	[AF_VERB_UNDO] = { "undo", "" },
	[AF_VERB_REDO] = { "redo", "" },
};

static const char *hybrid_words(enum af_hybrid choice)
{
	switch (choice) {
	case AF_HYBRID_NONE:
		return ": make it protective";
	case AF_HYBRID_OPEN:
		return "";
	case AF_HYBRID_UPDATE:
		return ": its entries follow";
	case AF_HYBRID_KEEP:
		return ": its entries stay";
	}
	return "";
}

/* The value that a command sets, after "type ", "boot " and so on. */
static void add_value(struct af_text *t, const struct af_command *cmd)
{
	static const uint8_t none[16];
	char uuid[40];
	const char *on = cmd->on ? "on" : "off";
	if (cmd->verb == AF_VERB_LABEL || cmd->verb == AF_VERB_CONVERT)
		af_text_add(t, " %s", af_scheme_name(cmd->scheme));
	else if (cmd->verb == AF_VERB_HYBRID)
		af_text_add(t, "%s", hybrid_words(cmd->hybrid));
	else if (cmd->verb == AF_VERB_PLAN)
		af_text_add(t, "%s", cmd->text);
	else if (cmd->verb == AF_VERB_TYPE)
		af_text_add(t, "%s", cmd->type_word);
	else if (cmd->verb == AF_VERB_BOOT)
		af_text_add(t, "%s", on);
	else if (cmd->verb == AF_VERB_NAME)
		af_text_add(t, "\"%s\"", cmd->text);
	else if (cmd->verb == AF_VERB_ATTR)
		af_text_add(t, "%u %s", cmd->bit, on);
	else if (cmd->verb == AF_VERB_ID && cmd->scheme == AF_SCHEME_NONE)
		af_text_add(t, ": a new one");
	else if (cmd->verb == AF_VERB_UUID && memcmp(cmd->uuid, none, sizeof(none)) == 0)
		af_text_add(t, "a new one");
	else if (cmd->verb == AF_VERB_ID) {
		af_scheme_id_text(cmd->scheme, cmd->uuid, uuid);
		af_text_add(t, " %s", uuid);
	} else if (cmd->verb == AF_VERB_UUID) {
		af_scheme_uuid_text(cmd->uuid, uuid);
		af_text_add(t, "%s", uuid);
	}
}

const char *af_command_words(const struct af_command *cmd, char *buf, size_t size)
{
	struct af_text t = { 0 };
	af_text_add(&t, "%s", words_table[cmd->verb].before);
	if (cmd->verb == AF_VERB_NEW)
		af_text_add(&t, "%s partition", role_words(cmd->add.role));
	else if (cmd->number != 0)
		af_text_add(&t, " partition %" PRIu32, cmd->number);
	else if (cmd->verb == AF_VERB_ALIGN)
		af_text_add(&t, " all partitions");
	af_text_add(&t, "%s", words_table[cmd->verb].after);
	add_value(&t, cmd);
	add_want(&t, cmd->verb == AF_VERB_NEW ? &cmd->add.want : &cmd->want);
	af_text_clean(af_text_get(&t), buf, size);
	af_text_release(&t);
	return buf;
}
