/*
 * session_offer.c - a whole layout as one edit: the offer room says which commands make it, here they are given identities
 * and carried out one after the other on a copy. Knows how much memory the machine has.
 */
#include "session_priv.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The machine's memory in bytes; 0 if nobody says. */
static af_bytes memory_size(void)
{
	const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	af_bytes bytes;

	return pages > 0 && size > 0 && af_mul(pages, size, &bytes) ? bytes : 0;
}

static void unknown_name(const char *name, struct af_err *err)
{
	struct af_text names = { 0 };

	for (size_t i = 0; af_offer_at(i); i++)
		af_text_add(&names, "%s%s", i == 0 ? "" : ", ", af_offer_at(i)->name);
	(void)af_fail(err, AF_E_USAGE,
		      "plan: \"%s\" is not understood: one of %s was expected", name,
		      af_text_get(&names));
	af_text_release(&names);
}

/* The byte that a position means; shares are those of the disk. */
static bool find_start(const struct af_layout *from, const struct af_want *want,
		       struct af_offer_place *place, struct af_err *err)
{
	place->has_at = want->has_start;
	return !want->has_start || af_amount_bytes(&want->start, from->sector_size,
						   from->disk_size, &place->at, err);
}

bool af_session_offer(const struct af_session *s, const struct af_command *cmd,
		      struct af_offer_plan *out, struct af_err *err)
{
	const struct af_edit e = { .rules = &s->rules, .contents = &s->contents };
	const struct af_offer *offer = af_offer_find(cmd->text);
	struct af_offer_place place = { .memory = memory_size() };
	const struct af_layout *from = af_session_ground(s);

	if (!offer) {
		unknown_name(cmd->text, err);
		return false;
	}
	return find_start(from, &cmd->want, &place, err) &&
	       af_offer_make(offer, from, &e, &place, out, err);
}

bool af_session_try_plan(const struct af_session *s, const struct af_command *cmd,
			 struct af_layout *out, uint32_t *id, struct af_err *err)
{
	struct af_rules rules = s->rules;
	const struct af_edit e = { .rules = &rules, .contents = &s->contents };
	struct af_offer_plan plan;
	struct af_layout now, next;
	uint32_t first = 0;

	rules.exact = false; /* nobody gave the sectors of a layout */
	if (!af_session_offer(s, cmd, &plan, err))
		return false;
	af_layout_copy(af_session_ground(s), &now);
	for (size_t i = 0; i < plan.n; i++) {
		uint32_t made = 0;

		if (!af_session_resolve(now.scheme, &plan.cmd[i], err) ||
		    !af_command_apply(&plan.cmd[i], &now, &e, &next, &made, err)) {
			af_layout_release(&now);
			return false;
		}
		af_layout_release(&now);
		now = next;
		first = first ? first : made;
	}
	*out = now;
	*id = first;
	return true;
}

void af_session_note_plan(struct af_session *s, const struct af_command *cmd)
{
	struct af_offer_plan plan;
	struct af_err ignored;

	if (cmd->verb == AF_VERB_PLAN && af_session_offer(s, cmd, &plan, &ignored) &&
	    plan.note[0] != '\0')
		af_text_add(&s->said, "plan %s: %s\n", cmd->text, plan.note);
}

const char *af_session_said(const struct af_session *s)
{
	return af_text_get(&s->said);
}
