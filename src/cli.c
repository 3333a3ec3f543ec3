/*
 * The command line: what the options mean, and the verbs that need no screen. Results go to
 * stdout, and only when they are complete; all the rest goes to stderr, a line each.
 * Nothing is decided about tables or alignment here: sessions do the work, and the rooms
 * for reports and lists find the words.
 */
#include "cli_priv.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status { DONE = 0, MISALIGNED = 1, REFUSED = 2, BROKEN = 3, OPEN_EDITOR = -1 };

static int exit_status(const struct af_err *err)
{
	return err->code == AF_E_PARTIAL ? BROKEN : REFUSED;
}

/* --- opening --- */

/* The logical sector size that sizes given in sectors are scaled by. */
static bool find_sector_size(const struct request *r, const char *path, uint32_t *out,
			     struct af_err *err)
{
	struct af_session_options options = { .read_only = true };
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

/* The overrides for the disk at path, all in bytes. */
static bool scale_sizes(const struct request *r, const char *path, struct af_overrides *out,
			struct af_err *err)
{
	uint32_t ss = 512;
	bool in_sectors = false;
	for (size_t i = 0; i < SIZES; i++)
		in_sectors = in_sectors || r->size[i].in_sectors;
	if (in_sectors && !find_sector_size(r, path, &ss, err))
		return false;
	return scale_size(&r->size[SIZE_SECTOR], ss, &out->has_sector_size,
			  &out->sector_size, err) &&
	       scale_size(&r->size[SIZE_PHYSICAL], ss, &out->has_physical, &out->physical,
			  err) &&
	       scale_size(&r->size[SIZE_OFFSET], ss, &out->has_alignment_offset,
			  &out->alignment_offset, err) &&
	       scale_size(&r->size[SIZE_GRAIN], ss, &out->has_grain, &out->grain, err);
}

static void tell_remarks(const struct request *r, const char *path,
			 const struct af_session *s)
{
	const char *why = af_session_read_only(s), *remark = af_session_remark(s);
	if (r->quiet)
		return;
	if (why != NULL && !r->session.read_only && r->verb != VERB_EDIT &&
	    r->verb != VERB_APPLY && r->verb != VERB_RESTORE)
		af_cli_complain(path, "%s", why);
	if (remark[0] != '\0')
		af_cli_complain(path, "%s", remark);
}

/* Opens the disk at path; NULL, and the reason on stderr, if that fails. */
static struct af_session *open_disk(const struct request *r, const char *path)
{
	struct af_session_options options = r->session;
	struct af_err err;
	struct af_session *s = NULL;
	if (scale_sizes(r, path, &options.overrides, &err))
		s = af_session_open(path, &options, &err);
	if (s == NULL)
		af_cli_complain(path, "%s", err.text);
	else
		tell_remarks(r, path, s);
	return s;
}

/* --- results --- */

/* Puts text out; false, with a message, if it cannot be written. */
static bool print(const struct af_text *t)
{
	if (fputs(af_text_get(t), stdout) >= 0 && fflush(stdout) == 0)
		return true;
	af_cli_complain(NULL, "cannot write to standard output: %s", strerror(errno));
	return false;
}

static bool wants_color(const struct request *r)
{
	switch (r->color) {
	case AF_COLOR_AUTO:
		return isatty(STDOUT_FILENO) == 1;
	case AF_COLOR_ALWAYS:
		return true;
	case AF_COLOR_NEVER:
		break;
	}
	return false;
}

/* Appends what was asked about all disks; returns how many partitions fail the check. */
static size_t describe(const struct request *r, const struct af_disk *disk, size_t n,
		       struct af_text *t)
{
	struct af_text unused = { 0 };
	size_t failed = 0;
	bool list = r->verb == VERB_LIST;
	if (r->json)
		af_report_disks(t, disk, n);
	for (size_t i = 0; i < n; i++) {
		if (!list)
			failed += af_cli_check(r->json ? &unused : t, &disk[i], r->strict);
		if (!list || r->json)
			continue;
		af_text_add(t, "%s", i > 0 ? "\n" : "");
		af_cli_list(t, &disk[i], wants_color(r));
	}
	af_text_release(&unused);
	return failed;
}

/* --list and --check of the disks that are named. */
static int look(const struct request *r)
{
	struct af_session **s = af_alloc(r->npaths, sizeof(struct af_session *));
	struct af_disk *disk = af_alloc(r->npaths, sizeof(*disk));
	struct af_text t = { 0 };
	size_t n = 0;
	for (size_t i = 0; i < r->npaths; i++) {
		s[n] = open_disk(r, r->path[i]);
		if (s[n] == NULL)
			continue;
		af_session_probe(s[n], 0);
		disk[n] = af_session_disk(s[n]);
		n++;
	}
	int status = describe(r, disk, n, &t) > 0 ? MISALIGNED : DONE;
	if (!print(&t) || n < r->npaths)
		status = REFUSED;
	for (size_t i = 0; i < n; i++)
		af_session_close(s[i]);
	af_text_release(&t);
	free(disk);
	free(s);
	return status;
}

/* --- all disks --- */

#define SYS_BLOCK "/sys/block"

/* The first character of a file of a disk's folder in sysfs, '\0' if there is none. */
static char sysfs_char(const char *name, const char *file)
{
	char path[PATH_MAX], c = '\0';
	(void)snprintf(path, sizeof(path), SYS_BLOCK "/%s/%s", name, file);
	FILE *f = fopen(path, "re");
	if (f == NULL)
		return c;
	if (fread(&c, 1, 1, f) != 1)
		c = '\0';
	(void)fclose(f);
	return c;
}

/* True for what a person calls a disk: not RAM, nor hidden, nor without a medium. */
static int is_disk(const struct dirent *entry)
{
	const char *name = entry->d_name;
	if (name[0] == '.' || strncmp(name, "ram", 3) == 0 || strncmp(name, "zram", 4) == 0)
		return 0;
	if (strncmp(name, "loop", 4) == 0 && sysfs_char(name, "loop/backing_file") == '\0')
		return 0;
	return sysfs_char(name, "size") != '0' && sysfs_char(name, "hidden") != '1';
}

/* The path of a device by its name in sysfs, where a '!' stands for a '/'. */
static char *device_path(const char *name)
{
	struct af_text t = { 0 };
	af_text_add(&t, "/dev/%s", name);
	for (char *p = t.data; *p != '\0'; p++)
		if (*p == '!')
			*p = '/';
	return t.data;
}

static int look_at_all(struct request *r)
{
	struct dirent **entry = NULL;
	int n = scandir(SYS_BLOCK, &entry, is_disk, versionsort);
	if (n < 0) {
		af_cli_complain(NULL, "cannot list the disks in %s: %s: name one",
				SYS_BLOCK, strerror(errno));
		return REFUSED;
	}
	r->npaths = (size_t)n; /* >= 0 */
	r->path = af_alloc(r->npaths, sizeof(char *));
	for (size_t i = 0; i < r->npaths; i++) {
		r->path[i] = device_path(entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	if (n == 0 && !r->quiet)
		af_cli_complain(NULL, "there are no disks here");
	int status = look(r);
	for (size_t i = 0; i < r->npaths; i++)
		free(r->path[i]);
	free(r->path);
	return status;
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
	} else if (!print(&t)) {
		status = REFUSED;
	}
	af_text_release(&t);
	return status;
}

static void number_steps(const struct af_plan *plan, struct af_text *t)
{
	for (size_t i = 0; i < plan->nsteps; i++)
		af_text_add(t, "%3zu. %s\n", i + 1, plan->step[i].detail);
	if (plan->nsteps == 0)
		af_text_add(t, "nothing to change\n");
}

/* What a write does: the wanted table, or the one in the backup. Says so in t. */
static int write_table(const struct request *r, struct af_session *s, struct af_text *t)
{
	struct af_commit_report report = { 0 };
	struct af_err err;
	bool done = r->verb == VERB_RESTORE
			    ? af_session_restore(s, r->maybe_backup, &report, &err)
			    : af_session_write(s, &report, &err);
	if (!done) {
		af_cli_complain(r->path[0], "%s", err.text);
		return exit_status(&err);
	}
	if (report.kernel[0] != '\0')
		af_cli_complain(r->path[0], "%s", report.kernel);
	af_text_add(t, "wrote %zu sector%s of %s; what was there before is in %s\n",
		    report.sectors, report.sectors == 1 ? "" : "s", r->path[0],
		    report.backup);
	return DONE;
}

/* The n steps, before they are done, so that nobody who cannot see them has them done. */
static int show_and_write(const struct request *r, struct af_session *s,
			  const struct af_text *steps, size_t n)
{
	struct af_text note = { 0 };
	bool writes = r->write && !r->no_write && n > 0;
	if (!writes && n > 0)
		af_text_add(&note, "nothing was written%s\n",
			    r->no_write ? "" : ": add --write to do it");
	int status = print(steps) ? DONE : REFUSED;
	if (status == DONE && writes)
		status = write_table(r, s, &note);
	if (status == DONE && !r->quiet && !print(&note))
		status = writes ? BROKEN : REFUSED;
	af_text_release(&note);
	return status;
}

static int edit_for_people(const struct request *r, struct af_session *s,
			   const struct af_plan *plan)
{
	struct af_text steps = { 0 };
	number_steps(plan, &steps);
	int status = show_and_write(r, s, &steps, plan->nsteps);
	af_text_release(&steps);
	return status;
}

static int edit_for_programs(const struct request *r, struct af_session *s,
			     const struct af_plan *plan)
{
	struct af_text t = { 0 }, unused = { 0 };
	bool writes = r->write && !r->no_write && plan->nsteps > 0;
	int status = writes ? write_table(r, s, &unused) : DONE;
	struct af_disk disk = af_session_disk(s);
	if (status == DONE) {
		af_report_plan(&t, plan, &disk, writes);
		if (!print(&t))
			status = writes ? BROKEN : REFUSED;
	}
	af_text_release(&unused);
	af_text_release(&t);
	return status;
}

/* The plan, which names what is inside of every partition that it touches: only these are looked into. */
static void plan_with_contents(struct af_session *s, struct af_plan *plan)
{
	af_session_plan(s, plan);
	for (size_t i = 0; i < plan->nchanges; i++) {
		const struct af_change *c = &plan->change[i];
		if (c->kind != AF_CHANGE_KEPT && c->kind != AF_CHANGE_ADDED)
			af_session_probe(s, c->before.id);
	}
	af_plan_release(plan);
	af_session_plan(s, plan);
}

/* Refuses here what a write would refuse: what is shown is what can be had. */
static bool can_be_written(struct af_session *s, struct af_err *err)
{
	struct af_patch patch;
	if (!af_session_modified(s))
		return true;
	if (!af_session_patch(s, &patch, err))
		return false;
	af_patch_release(&patch);
	return true;
}

static int edit(const struct request *r, struct af_session *s)
{
	struct af_plan plan;
	struct af_err err;
	if (r->json)
		af_session_probe(s, 0);
	if (r->verb == VERB_APPLY && !af_cli_apply(r, s))
		return REFUSED;
	if ((r->verb == VERB_EDIT && !af_session_run(s, af_text_get(&r->edits), &err)) ||
	    !can_be_written(s, &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		return REFUSED;
	}
	plan_with_contents(s, &plan);
	int status =
		r->json ? edit_for_programs(r, s, &plan) : edit_for_people(r, s, &plan);
	af_plan_release(&plan);
	return status;
}

/* What is put back where, and what is done before and after. */
static void number_runs(const struct af_patch *p, const struct af_disk *disk,
			struct af_text *t)
{
	uint32_t ss = disk->topo->sector_size;
	size_t k = 0;
	if (p->n == 0) {
		af_text_add(t, "nothing to change\n");
		return;
	}
	af_text_add(t, "%3zu. save these sectors as they are now in a backup file\n", ++k);
	for (size_t i = 0; i < p->n; i++) {
		int64_t first = af_sectors(p->run[i].at, ss);
		int64_t n = af_sectors(p->run[i].len, ss);
		af_text_add(t, "%3zu. put back the %s: sector%s %" PRId64, ++k,
			    p->run[i].what, n == 1 ? "" : "s", first);
		if (n > 1)
			af_text_add(t, " to %" PRId64, first + n - 1);
		af_text_add(t, "\n");
	}
	af_text_add(t, "%3zu. read them back and compare\n", ++k);
}

static int restore(const struct request *r, struct af_session *s)
{
	struct af_disk disk = af_session_disk(s);
	struct af_text steps = { 0 };
	struct af_patch patch;
	struct af_err err;
	if (!af_session_restore_patch(s, r->maybe_backup, &patch, &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		return REFUSED;
	}
	number_runs(&patch, &disk, &steps);
	int status = show_and_write(r, s, &steps, patch.n);
	af_patch_release(&patch);
	af_text_release(&steps);
	return status;
}

static int with_disk(const struct request *r,
		     int (*act)(const struct request *r, struct af_session *s))
{
	struct af_session *s = open_disk(r, r->path[0]);
	if (s == NULL)
		return REFUSED;
	int status = act(r, s);
	af_session_close(s);
	return status;
}

static int open_editor(const struct request *r, struct af_cli_editor *editor)
{
	struct af_cli_editor e = { .path = r->path[0],
				   .session = r->session,
				   .ascii = r->ascii,
				   .color = r->color };
	struct af_err err;
	if (!scale_sizes(r, e.path, &e.session.overrides, &err)) {
		af_cli_complain(e.path, "%s", err.text);
		return REFUSED;
	}
	*editor = e;
	return OPEN_EDITOR;
}

static int print_fixed(const char *text)
{
	struct af_text t = { 0 };
	af_text_add(&t, "%s", text);
	int status = print(&t) ? DONE : REFUSED;
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
		return r->npaths > 0 ? look(r) : look_at_all(r);
	case VERB_DUMP:
		return with_disk(r, dump);
	case VERB_EDIT:
	case VERB_APPLY:
		return with_disk(r, edit);
	case VERB_RESTORE:
		return with_disk(r, restore);
	case VERB_HELP:
		return print_fixed(af_cli_help());
	case VERB_VERSION:
		return print_fixed("afdisk " AF_VERSION "\n");
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
