/*
 * session_uses.c - who uses the disk of a session, and what that forbids.
 */
#include "session_priv.h"

#include <stdio.h>

#include "afdisk/edit.h"
#include "afdisk/holders.h"

/** The sentence about a use of the disk itself. */
static void say_used(struct af_session *s, enum af_use_kind kind)
{
	char words[240];

	(void)snprintf(s->used_by, sizeof(s->used_by),
		       "the whole disk is %s: %s before its table is changed",
		       af_uses_words(&s->uses, 0, 0, words, sizeof(words)),
		       af_use_end(kind));
}

void af_session_find_users(struct af_session *s)
{
	af_uses_release(&s->uses);
	af_holders_read(&s->dev, !s->look_only, &s->uses);
	s->used_by[0] = '\0';
	if (s->uses.n > 0 && s->uses.item[0].number == 0)
		say_used(s, s->uses.item[0].kind);
}

bool af_session_keeps_used(const struct af_session *s, const struct af_layout *next,
			   struct af_err *err)
{
	return af_edit_keeps_used(af_history_now(s->history), next, &s->uses, err);
}
