/*
 * session_words.c - what words mean and pure rooms cannot know: which type a word names, and identities that nobody
 * else has. For commands, and for scripts.
 */
#include "session_priv.h"

#include <stdlib.h>
#include <string.h>
#include <uuid.h>

#include "afdisk/label.h"
#include "afdisk/script.h"

/** A new identity: a GUID, or the four bytes of an MBR. */
static void make_id(enum af_scheme scheme, uint8_t out[16])
{
	uuid_t fresh;

	do {
		uuid_generate_random(fresh);
		memset(out, 0, 16);
		memcpy(out, fresh, scheme == AF_SCHEME_GPT ? 16 : 4);
	} while (uuid_is_null(out));
}

bool af_session_resolve(enum af_scheme scheme, struct af_command *cmd, struct af_err *err)
{
	if (cmd->type_word[0] &&
	    !af_label_parse_type(scheme, cmd->type_word, cmd->type, err))
		return false;
	bool fresh = cmd->verb == AF_VERB_LABEL || cmd->verb == AF_VERB_CONVERT;

	if (fresh && uuid_is_null(cmd->uuid))
		make_id(cmd->scheme, cmd->uuid);
	if (cmd->verb == AF_VERB_ID && cmd->scheme == AF_SCHEME_NONE) {
		make_id(scheme, cmd->uuid);
		cmd->scheme = scheme;
	}
	if (cmd->verb == AF_VERB_UUID && uuid_is_null(cmd->uuid))
		make_id(AF_SCHEME_GPT, cmd->uuid);
	if (cmd->verb == AF_VERB_NEW && scheme == AF_SCHEME_GPT && uuid_is_null(cmd->uuid))
		make_id(scheme, cmd->uuid);
	return true;
}

void af_session_identify(struct af_layout *l)
{
	for (size_t i = 0; i < l->nparts && l->scheme == AF_SCHEME_GPT; i++)
		if (uuid_is_null(l->part[i].uuid))
			make_id(l->scheme, l->part[i].uuid);
}

/** The types that the lines name, and fresh identities for what has none. */
static bool resolve_script(enum af_scheme scheme, struct af_script *script,
			   struct af_err *err)
{
	make_id(scheme, script->fresh_id);
	for (size_t i = 0; i < script->nparts; i++) {
		struct af_script_part *part = &script->part[i];
		bool unused = part->has_size && part->size == 0;

		if (part->type_word[0] && !unused &&
		    !af_label_parse_type(scheme, part->type_word, part->type, err))
			return af_fail_within(err, "line %u", (unsigned)part->line);
		if (scheme == AF_SCHEME_GPT && !part->has_uuid)
			make_id(scheme, part->uuid);
	}
	return true;
}

bool af_session_keeps_locked(const struct af_session *s, const struct af_layout *next,
			     struct af_err *err)
{
	const struct af_layout *base = af_session_base(s);

	bool is_new = af_layout_is_new(base, next);

	for (size_t i = 0; i < base->nparts; i++) {
		const struct af_part *part = &base->part[i],
				     *kept = af_layout_find(next, part->id);

		if (s->note.dynamic && af_scheme_is_ldm(base->scheme, part->type) &&
		    (kept ? !af_part_equal(part, kept) : !is_new))
			return af_fail(
				err, AF_E_RULE,
				"partition %u belongs to a dynamic disk (LDM), whose "
				"database only Windows keeps: change it there",
				(unsigned)part->number);
	}
	return true;
}

bool af_session_apply(struct af_session *s, const char *script, size_t n,
		      struct af_text *remarks, struct af_err *err)
{
	const struct af_disk disk = af_session_disk(s);
	struct af_script said;
	struct af_layout next;

	if (!af_script_read(script, n, disk.topo->sector_size, &said, remarks, err))
		return false;
	const struct af_layout *ground = af_session_ground(s);
	enum af_scheme scheme = af_script_scheme(&said, ground);
	if (scheme != AF_SCHEME_NONE && !af_scheme_is_ours(scheme)) {
		af_script_release(&said);
		return af_fail(err, AF_E_RULE, "the table cannot be changed: %s",
			       s->note.why);
	}
	bool good = resolve_script(scheme, &said, err) &&
		    af_script_layout(&said, ground, disk.rules, &next, remarks, err);

	af_script_release(&said);
	good = good && af_session_take(s, next, "apply a script", err);
	if (!good)
		af_text_clear(remarks); /* about a table that is not made */
	return good;
}
