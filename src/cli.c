/*
 * The command line: what the options mean, and the verbs that need no screen. Results go to
 * stdout, and only when they are complete; all the rest goes to stderr, a line each.
 * Nothing is decided about tables or alignment here: sessions do the work, and the rooms
 * for reports and lists find the words.
 */
#include "cli_priv.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- opening --- */

/* The logical sector size that sizes given in sectors are scaled by. */
static bool find_sector_size(const struct request *r, const char *path, uint32_t *out,
			     struct af_err *err)
{
	struct af_session_options options = { .read_only = true, .look_only = true };
	const struct size_option *given = &r->size[SIZE_SECTOR];
	options.overrides.has_sector_size = given->given;
	options.overrides.sector_size = given->amount.value;
	struct af_session *s = af_session_open(path, &options, err);
	if (s == NULL)
		return false;
	*out = af_session_disk(s).topo->sector_size;
	af_session_close(s);
	return true;
}

static bool scale_size(const struct size_option *o, uint32_t sector_size, bool *given,
		       af_bytes *out, struct af_err *err)
{
	*given = o->given;
	if (!o->given || !o->in_sectors) {
		*out = o->amount.value;
		return true;
	}
	return af_amount_bytes(&o->amount, sector_size, 0, out, err);
}

/* The overrides for the disk at path, or for any that is chosen, all in bytes. */
static bool scale_sizes(const struct request *r, const char *maybe_path,
			struct af_overrides *out, struct af_err *err)
{
	uint32_t ss = 512;
	bool in_sectors = false;
	for (size_t i = 0; i < SIZES; i++)
		in_sectors = in_sectors || r->size[i].in_sectors;
	if (in_sectors && maybe_path == NULL)
		return af_fail(err, AF_E_USAGE,
			       "sectors have no size before a disk is chosen: give sizes "
			       "in bytes, or name the disk");
	if (in_sectors && !find_sector_size(r, maybe_path, &ss, err))
		return false;
	return scale_size(&r->size[SIZE_SECTOR], ss, &out->has_sector_size,
			  &out->sector_size, err) &&
	       scale_size(&r->size[SIZE_PHYSICAL], ss, &out->has_physical, &out->physical,
			  err) &&
	       scale_size(&r->size[SIZE_OFFSET], ss, &out->has_alignment_offset,
			  &out->alignment_offset, err) &&
	       scale_size(&r->size[SIZE_GRAIN], ss, &out->has_grain, &out->grain, err);
}

/* True if the verb itself says why it cannot be done, or does not mind. */
static bool tells_itself(enum verb verb)
{
	return verb == VERB_EDIT || verb == VERB_APPLY || verb == VERB_BACKUP ||
	       verb == VERB_RESTORE || verb == VERB_RESUME || verb == VERB_REVERT;
}

static void tell_remarks(const struct request *r, const char *path,
			 const struct af_session *s)
{
	char buf[AF_REMARK];
	const char *why = af_session_read_only(s),
		   *remark = af_session_remark(s, buf, sizeof(buf));
	if (r->quiet)
		return;
	if (why != NULL && !r->session.read_only && !tells_itself(r->verb))
		af_cli_complain(path, "%s", why);
	bool goes_back = r->verb == VERB_RESTORE || r->verb == VERB_RESUME ||
			 r->verb == VERB_REVERT; /* whatever the table is like now */
	if (remark[0] != '\0' && !goes_back)
		af_cli_complain(path, "%s", remark);
}

struct af_session *af_cli_open(const struct request *r, const char *path)
{
	struct af_session_options options = r->session;
	struct af_err err;
	struct af_session *s = NULL;
	options.even_unreadable = r->verb == VERB_BACKUP || r->verb == VERB_RESTORE ||
				  r->verb == VERB_RESUME || r->verb == VERB_REVERT;
	options.look_only =
		r->verb == VERB_LIST || r->verb == VERB_CHECK || r->verb == VERB_DUMP;
	options.opinion_later = r->verb == VERB_EDIT || r->verb == VERB_APPLY;
	options.users_unasked = r->verb == VERB_DUMP ||
				(r->columns.n > 0 && !af_columns_need_users(&r->columns));
	if (scale_sizes(r, path, &options.overrides, &err))
		s = af_session_open(path, &options, &err);
	if (s == NULL)
		af_cli_complain(path, "%s", err.text);
	else
		tell_remarks(r, path, s);
	return s;
}

/* --- results --- */

bool af_cli_print(const struct af_text *t)
{
	if (fputs(af_text_get(t), stdout) >= 0 && fflush(stdout) == 0)
		return true;
	af_cli_complain(NULL, "cannot write to standard output: %s", strerror(errno));
	return false;
}

/* --- one disk --- */

static int dump(const struct request *r, struct af_session *s)
{
	struct af_text t = { 0 };
	struct af_err err;
	int status = DONE;
	if (!af_session_dump(s, &t, &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		status = REFUSED;
	} else if (!af_cli_print(&t)) {
		status = REFUSED;
	}
	af_text_release(&t);
	return status;
}

static void number_steps(const struct af_plan *plan, struct af_text *t)
{
	size_t k = 0;
	for (size_t i = 0; i < plan->nsteps; i++)
		if (af_plan_is_warning(&plan->step[i]))
			af_text_add(t, "  !  %s\n", plan->step[i].detail);
		else
			af_text_add(t, "%3zu. %s\n", ++k, plan->step[i].detail);
	if (plan->nsteps == 0)
		af_text_add(t, "nothing to change\n");
}

static int edit_for_people(const struct request *r, struct af_session *s,
			   const struct af_plan *plan)
{
	struct af_text steps = { 0 };
	number_steps(plan, &steps);
	int status = af_cli_show_and_write(r, s, &steps, plan->nsteps);
	af_text_release(&steps);
	return status;
}

static int edit_for_programs(const struct request *r, struct af_session *s,
			     const struct af_plan *plan)
{
	struct af_text t = { 0 }, unused = { 0 };
	bool writes = r->write && !r->no_write && plan->nsteps > 0;
	int status = writes ? af_cli_write(r, s, &unused) : DONE;
	struct af_disk disk = af_session_disk(s);
	if (status == DONE) {
		af_report_plan(&t, plan, &disk, writes);
		if (!af_cli_print(&t))
			status = writes ? BROKEN : REFUSED;
	}
	af_text_release(&unused);
	af_text_release(&t);
	return status;
}

/* The plan, which names what is inside of every partition that it touches: only these are looked into. */
static void plan_with_contents(struct af_session *s, struct af_plan *plan)
{
	const struct af_layout *base = af_session_base(s);
	const struct af_layout *now = af_session_disk(s).layout;
	af_session_probe_boot(s);
	for (size_t i = 0; i < base->nparts; i++) {
		const struct af_part *was = &base->part[i];
		const struct af_part *will = &now->part[i];
		if (i >= now->nparts || will->id != was->id) /* mostly at the same place */
			will = af_layout_find(now, was->id);
		if (!will || !af_part_equal(was, will))
			af_session_probe(s, was->id);
	}
	af_session_plan(s, plan);
}

/* Refuses here what a write would refuse: what is shown is what can be had. */
static bool can_be_written(struct af_session *s, struct af_err *err)
{
	return !af_session_modified(s) || af_session_prepare(s, err);
}

static int edit(const struct request *r, struct af_session *s)
{
	struct af_plan plan;
	struct af_err err;
	if (af_session_unfinished(s) != NULL) {
		af_cli_complain(r->path[0], "%s", af_session_read_only(s));
		return REFUSED;
	}
	if (r->json)
		af_session_probe(s, 0);
	if (r->verb == VERB_APPLY && !af_cli_apply(r, s))
		return REFUSED;
	if ((r->verb == VERB_EDIT && !af_session_run(s, af_text_get(&r->edits), &err)) ||
	    !can_be_written(s, &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		return REFUSED;
	}
	char *said = af_strdup(af_session_said(s));
	if (!r->quiet)
		af_cli_complain_lines(r->path[0], said);
	free(said);
	plan_with_contents(s, &plan);
	int status =
		r->json ? edit_for_programs(r, s, &plan) : edit_for_people(r, s, &plan);
	af_plan_release(&plan);
	return status;
}

static int with_disk(const struct request *r,
		     int (*act)(const struct request *r, struct af_session *s))
{
	struct af_session *s = af_cli_open(r, r->path[0]);
	if (s == NULL)
		return REFUSED;
	int status = act(r, s);
	af_session_close(s);
	return status;
}

static int open_editor(const struct request *r, struct af_cli_editor *editor)
{
	struct af_cli_editor e = { .maybe_path = r->npaths > 0 ? r->path[0] : NULL,
				   .session = r->session,
				   .ascii = r->ascii,
				   .color = r->color };
	struct af_err err;
	if (!scale_sizes(r, e.maybe_path, &e.session.overrides, &err)) {
		af_cli_complain(e.maybe_path, "%s", err.text);
		return REFUSED;
	}
	*editor = e;
	return OPEN_EDITOR;
}

static int print_fixed(enum verb verb)
{
	struct af_text t = { 0 };
	if (verb == VERB_HELP)
		af_cli_help(&t);
	else
		af_text_add(&t, "afdisk %s\n", AF_VERSION);
	int status = af_cli_print(&t) ? DONE : REFUSED;
	af_text_release(&t);
	return status;
}

static int carry_out(struct request *r, struct af_cli_editor *editor)
{
	switch (r->verb) {
	case VERB_EDITOR:
		return open_editor(r, editor);
	case VERB_LIST:
	case VERB_CHECK:
		return af_cli_look(r);
	case VERB_DUMP:
		return with_disk(r, dump);
	case VERB_EDIT:
	case VERB_APPLY:
		return with_disk(r, edit);
	case VERB_BACKUP:
		return with_disk(r, af_cli_backup);
	case VERB_RESTORE:
		return with_disk(r, af_cli_restore);
	case VERB_RESUME:
	case VERB_REVERT:
		return with_disk(r, af_cli_finish);
	case VERB_HELP:
	case VERB_VERSION:
		return print_fixed(r->verb);
	}
	return REFUSED;
}

/* Else the device could get the number of a closed one, and messages would go to it. */
static void fill_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

/* A limit on the size of files must fail a write, which can be told, and not end the program in the middle. */
static void outlive_file_limits(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
}

int af_cli(int argc, char **argv, struct af_cli_editor *editor)
{
	struct request r = { 0 };
	fill_standard_files();
	outlive_file_limits();
	(void)setlocale(LC_CTYPE, "");
	int status = af_cli_read(argc, argv, &r) ? carry_out(&r, editor) : REFUSED;
	af_text_release(&r.edits);
	return status;
}
