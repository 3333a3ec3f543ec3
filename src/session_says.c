/*
 * session_says.c - what an open disk says of itself: everything to draw it with, why it cannot be changed or written, what
 * is odd about its table. Changes nothing.
 */
#include "session_priv.h"

#include <stdio.h>
#include <string.h>

struct af_disk af_session_disk_of(const struct af_session *s, const struct af_layout *l)
{
	bool is_new = af_layout_is_new(af_session_base(s), l);

	return (struct af_disk){
		.path = s->dev.path,
		.layout = l,
		.topo = &s->topo,
		.rules = &s->rules,
		.contents = &s->contents,
		.uses = &s->uses,
		.types = af_label_types(l->scheme),
		.label = s->note.kind[0] && !is_new ? s->note.kind
						    : af_scheme_name(l->scheme),
		.holds = is_new ? "" : s->note.holds,
		.remark = is_new ? "" : s->note.why,
	};
}

struct af_disk af_session_disk(const struct af_session *s)
{
	return af_session_disk_of(s, af_history_now(s->history));
}

const char *af_session_locked(const struct af_session *s)
{
	bool is_new = af_layout_is_new(af_session_base(s), af_history_now(s->history));

	if (s->is_between)
		return s->between;
	return s->note.read_only && !is_new ? s->note.why : NULL;
}

const char *af_session_read_only(const struct af_session *s)
{
	if (s->read_only)
		return s->why_not;
	return s->used_by[0] && !s->look_only ? s->used_by : af_session_locked(s);
}

const char *af_session_remark(const struct af_session *s, char *buf, size_t size)
{
	if (s->note.read_only || af_session_unfinished(s) != NULL)
		return "";
	if (*af_layout_remark(af_history_now(s->history), buf, size) == '\0')
		return s->note.why;
	size_t n = strlen(buf);
	if (s->note.why[0] != '\0')
		(void)snprintf(buf + n, size - n, "; %s", s->note.why);
	return buf;
}
