/*
 * session - one open disk and what the person wants of it: topology, table, contents, history; the verbs that both
 * faces call. It decides nothing about tables itself: edits are edit's, sectors label's, writing commit's.
 * It knows what the pure rooms cannot: what may be changed and why not; session_words.c which words mean which type,
 * and fresh UUIDs.
 *
 * Contents have an entry for each partition that the disk held when it was read; partitions made since have none.
 */
#include "afdisk/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/place.h"
#include "session_priv.h"

/** The state of a partition nobody has looked into. An extended one holds logicals and a frame
 *  what others name, nothing else. */
static struct af_content fresh_content(const struct af_part *part)
{
	struct af_content c = { .id = part->id };

	bool inside = part->role == AF_ROLE_EXTENDED || part->role == AF_ROLE_FRAME;

	c.state = inside ? AF_CONTENT_NONE : AF_CONTENT_UNKNOWN;
	return c;
}

struct af_contents af_session_carry_over(const struct af_contents *old,
					 const struct af_layout *maybe_before,
					 const struct af_layout *now)
{
	struct af_contents c = { .item = af_alloc(now->nparts, sizeof(*c.item)),
				 .n = now->nparts };

	for (size_t i = 0; i < now->nparts; i++) {
		const struct af_part *part = &now->part[i];
		const struct af_content *known = af_contents_find(old, part->id);
		const struct af_part *was =
			maybe_before ? af_layout_find(maybe_before, part->id) : NULL;

		c.item[i] = known && was && af_span_equal(was->span, part->span)
				    ? af_content_copy(known)
				    : fresh_content(part);
	}
	return c;
}

static void set_read_only(struct af_session *s, bool asked)
{
	if (asked)
		(void)snprintf(s->why_not, sizeof(s->why_not),
			       "as asked, nothing will be written");
	else if (s->topo.read_only)
		(void)snprintf(s->why_not, sizeof(s->why_not), "this %s is write-protected",
			       s->topo.is_file ? "file" : "disk");
	s->read_only = s->why_not[0] != '\0';
}

/** Reads the table, once. One that cannot be read is an empty one, if a way back is all that is wanted or an interrupted
 *  write is what made it so. */
static bool read_once(struct af_session *s, const struct af_session_options *o,
		      struct af_layout *base, struct af_err *err)
{
	struct af_err ignored;

	if ((o->look_only || o->opinion_later ? af_label_look : af_label_read)(
		    &s->dev, base, &s->note, err)) {
		af_session_look_back(s, s->note.read_only ? NULL : base);
		return true;
	}
	af_session_look_back(s, NULL);
	if ((!o->even_unreadable && !o->zero && !s->is_between) ||
	    !af_layout_init(base, AF_SCHEME_NONE, s->dev.size, s->dev.sector_size,
			    &ignored))
		return false;
	s->note.read_only = true;
	(void)snprintf(s->note.why, sizeof(s->note.why), "%.199s", err->text);
	return true;
}

/** True if nothing about the table as it was read could be because another program was writing it. */
static bool is_settled(const struct af_session *s, const struct af_layout *base)
{
	return !s->is_between && !s->note.read_only &&
	       (base->scheme != AF_SCHEME_GPT || af_layout_gpt_whole(base));
}

/** Reads the table; anew, once, if that may have been in the middle of another program's write. */
static bool read_table(struct af_session *s, const struct af_session_options *o,
		       struct af_layout *base, struct af_err *err)
{
	if (!read_once(s, o, base, err))
		return false;
	if (is_settled(s, base))
		return true;
	af_dev_outwait(&s->dev);
	af_layout_release(base);
	s->note = (struct af_label_note){ 0 };
	return read_once(s, o, base, err);
}

static const struct af_layout *now_of(const struct af_session *s)
{
	return af_history_now(s->history);
}

/** Makes next, which it takes, the wanted table; one that is no other makes no step. */
static void push(struct af_session *s, struct af_layout next, const char *words)
{
	const struct af_layout *now = now_of(s);

	if (af_layout_equal(now, &next) && now->hybrid == next.hybrid)
		af_layout_release(&next);
	else
		af_history_push(s->history, next, words);
}

/** Wants no table at first. */
static void begin_empty(struct af_session *s)
{
	struct af_layout none;

	af_layout_copy(&s->empty, &none);
	push(s, none, "start without the table on the disk");
}

struct af_session *af_session_open(const char *path, const struct af_session_options *o,
				   struct af_err *err)
{
	struct af_session *s = af_alloc(1, sizeof(*s));
	struct af_layout base;

	if (!af_dev_open(path, &s->dev, err)) {
		free(s);
		return NULL;
	}
	s->maybe_journal = o->maybe_journal ? af_strdup(o->maybe_journal) : NULL;
	s->maybe_fstab = o->maybe_fstab ? af_strdup(o->maybe_fstab) : NULL;
	if (!af_topo_read(&s->dev, &o->overrides, &s->topo, err) ||
	    !af_layout_init(&s->empty, AF_SCHEME_NONE, s->dev.size, s->dev.sector_size,
			    err) ||
	    !read_table(s, o, &base, err)) {
		af_dev_close(&s->dev);
		free(s->maybe_journal);
		free(s->maybe_fstab);
		free(s);
		return NULL;
	}
	s->empty.next_id = base.next_id;
	s->rules = af_align_rules(&s->topo, o->exact);
	s->contents = af_session_carry_over(&s->contents, NULL, &base);
	s->history = af_history_new(base);
	if (o->zero)
		begin_empty(s);
	s->look_only = o->look_only || o->read_only;
	set_read_only(s, o->read_only);
	if (!o->look_only || !o->users_unasked)
		af_session_find_users(s);
	return s;
}

void af_session_close(struct af_session *s)
{
	if (!s)
		return;
	af_session_leave_prober(s);
	af_session_unprepare(s);
	af_history_free(s->history);
	af_contents_release(&s->contents);
	af_text_release(&s->said);
	af_uses_release(&s->uses);
	af_dev_close(&s->dev);
	free(s->maybe_journal);
	free(s->maybe_fstab);
	free(s);
}

const struct af_layout *af_session_base(const struct af_session *s)
{
	return af_history_base(s->history);
}

bool af_session_modified(const struct af_session *s)
{
	return af_history_dirty(s->history);
}

const struct af_layout *af_session_ground(const struct af_session *s)
{
	return now_of(s)->sector_size == s->dev.sector_size ? now_of(s) : &s->empty;
}

/** True if this table takes this command at all. */
static bool check_open(const struct af_session *s, const struct af_command *cmd,
		       struct af_err *err)
{
	const char *locked = af_session_locked(s);

	if (cmd->verb == AF_VERB_LABEL && !s->is_between)
		return true;
	if (locked)
		return af_fail(err, AF_E_RULE, "the table cannot be changed: %s", locked);
	if (now_of(s)->scheme == AF_SCHEME_NONE)
		return af_fail(
			err, AF_E_RULE,
			"no partition table: make one with 'label gpt' or 'label dos'");
	return true;
}

bool af_session_preview(const struct af_session *s, const struct af_command *cmd,
			struct af_layout *out, uint32_t *id, struct af_err *err)
{
	const struct af_edit e = { .rules = &s->rules,
				   .contents = &s->contents,
				   .maybe_dev = s->dev.path };
	struct af_command ready = *cmd;
	struct af_layout next;

	if (!check_open(s, cmd, err) || !af_session_resolve(now_of(s)->scheme, &ready, err))
		return false;
	if (cmd->verb == AF_VERB_PLAN
		    ? !af_session_try_plan(s, &ready, &next, id, err)
		    : !af_command_apply(&ready, af_session_ground(s), &e, &next, id, err))
		return false;
	if (!af_session_keeps_locked(s, &next, err) ||
	    !af_session_keeps_used(s, &next, err)) {
		af_layout_release(&next);
		return false;
	}
	if (cmd->verb == AF_VERB_CONVERT)
		af_session_identify(&next);
	af_place_apart(af_session_base(s), &next);
	*out = next;
	return true;
}

bool af_session_do(struct af_session *s, const struct af_command *cmd, uint32_t *id,
		   struct af_err *err)
{
	struct af_layout next;
	char words[160];

	if (cmd->verb == AF_VERB_UNDO || cmd->verb == AF_VERB_REDO) {
		bool undo = cmd->verb == AF_VERB_UNDO;

		if (!(undo ? af_session_undo(s) : af_session_redo(s)))
			return af_fail(err, AF_E_USAGE, "there is nothing to %s",
				       undo ? "undo" : "redo");
		*id = 0;
		return true;
	}
	if (!af_session_preview(s, cmd, &next, id, err)) {
		if (err->code != AF_E_BUSY)
			return false;
		af_session_find_users(s); /* who was there may have gone */
		if (!af_session_preview(s, cmd, &next, id, err))
			return false;
	}
	af_session_note_plan(s, cmd);
	push(s, next, af_command_words(cmd, words, sizeof(words)));
	return true;
}

bool af_session_take(struct af_session *s, struct af_layout next, const char *words,
		     struct af_err *err)
{
	if (s->is_between ||
	    (s->note.read_only && !af_layout_is_new(af_session_base(s), &next))) {
		af_layout_release(&next);
		return af_fail(err, AF_E_RULE, "the table cannot be changed: %s",
			       s->is_between ? s->between : s->note.why);
	}
	af_session_find_users(s);
	if (!af_session_keeps_locked(s, &next, err) ||
	    !af_session_keeps_used(s, &next, err)) {
		af_layout_release(&next);
		return false;
	}
	af_place_apart(af_session_base(s), &next);
	push(s, next, words);
	return true;
}

const char *af_session_undo(struct af_session *s)
{
	return af_history_undo(s->history);
}

const char *af_session_redo(struct af_session *s)
{
	return af_history_redo(s->history);
}

size_t af_session_undos(const struct af_session *s)
{
	return af_history_undos(s->history);
}

size_t af_session_redos(const struct af_session *s)
{
	return af_history_redos(s->history);
}

/** True if the verb may move an edge over data, aligns that data, or does without what is there, so that it must be known what is there. */
static bool needs_contents(const struct af_command *cmd)
{
	return cmd->verb == AF_VERB_ALIGN || cmd->verb == AF_VERB_PLAN ||
	       (!cmd->table_only &&
		(cmd->verb == AF_VERB_RESIZE || cmd->verb == AF_VERB_MOVE));
}

/** Goes back to start, which had so many steps before it. */
static void take_back(struct af_session *s, const struct af_layout *start, size_t undos)
{
	struct af_layout copy;
	bool more = true;

	while (af_session_undos(s) > undos)
		(void)af_session_undo(s);
	while (more && af_session_undos(s) < undos)
		more = af_session_redo(s) != NULL;
	if (af_layout_equal(now_of(s), start))
		return;
	af_layout_copy(
		start,
		&copy); /* an undo in the run, and an edit after it, made redo impossible */
	af_history_push(s->history, copy, "back to before the failed commands");
}

/** Runs the commands. 0 at the end, else the number of the failed one. */
static int run_all(struct af_session *s, const char *text, struct af_err *err)
{
	struct af_command cmd;
	uint32_t id;
	int found;

	for (int k = 1; (found = af_command_next(&text, &cmd, err)) != 0; k++) {
		if (found < 0)
			return k;
		if (needs_contents(&cmd)) {
			const struct af_part *part =
				af_layout_number(now_of(s), cmd.number);

			if (part || cmd.number == 0)
				af_session_probe(s, part ? part->id : 0);
		}
		if (!af_session_do(s, &cmd, &id, err))
			return k;
	}
	return 0;
}

/* The way out that this language has. */
static void say_table_only(struct af_err *err)
{
	size_t n = strlen(err->text);
	(void)snprintf(err->text + n, sizeof(err->text) - n,
		       "; 'table-only' changes just the entry");
}

bool af_session_run(struct af_session *s, const char *text, struct af_err *err)
{
	struct af_layout start;
	const size_t undos = af_session_undos(s);

	af_layout_copy(now_of(s), &start);
	const int failed = run_all(s, text, err);
	if (failed)
		take_back(s, &start, undos);
	af_layout_release(&start);
	if (failed && err->code == AF_E_DATA)
		say_table_only(err);
	return failed ? af_fail_within(err, "command %d", failed) : true;
}

void af_session_plan(const struct af_session *s, struct af_plan *out)
{
	const enum af_scheme was = af_session_base(s)->scheme, will = now_of(s)->scheme;
	const bool mbr = was == AF_SCHEME_MBR || will == AF_SCHEME_MBR;
	const bool gpt = was == AF_SCHEME_GPT || will == AF_SCHEME_GPT;
	struct af_text names = { 0 };

	af_session_names(s->maybe_fstab, &names);
	const struct af_plan_words words = {
		.dev_name = s->dev.path,
		.holds = s->note.holds,
		.maybe_fstab = af_text_get(&names),
		.contents = &s->contents,
		.maybe_code = s->code.known ? &s->code : NULL,
		.mbr_types = af_label_types(mbr ? AF_SCHEME_MBR : AF_SCHEME_NONE),
		.gpt_types = af_label_types(gpt ? AF_SCHEME_GPT : AF_SCHEME_NONE)
	};

	af_plan_make(af_session_base(s), now_of(s), &words, out);
	af_text_release(&names);
}

bool af_session_patch(struct af_session *s, struct af_patch *out, struct af_err *err)
{
	return af_label_render(&s->dev, af_session_base(s), now_of(s), out, err);
}

bool af_session_dump(struct af_session *s, struct af_text *out, struct af_err *err)
{
	return af_label_dump(&s->dev, now_of(s), out, err);
}
