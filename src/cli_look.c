/*
 * --list and --check, of the disks that are named or of all that the machine has. For
 * people each disk is told as soon as it has been read; programs get one JSON text of all.
 * Partitions are looked into only where something that is shown asks for it.
 */
#include "afdisk/disks.h"
#include "cli_priv.h"
#include <stdlib.h>
#include <unistd.h>

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

/* True if partitions have to be looked into for what is asked: a status hangs on what is inside. */
static bool needs_contents(const struct request *r)
{
	if (r->verb == VERB_CHECK || (r->json && r->columns.n == 0))
		return true;
	return af_columns_need_contents(&r->columns);
}

/* A disk to be looked at, and into if that is asked for; NULL, told on stderr, if it cannot be. */
static struct af_session *open_to_look(const struct request *r, const char *path)
{
	struct af_session *s = af_cli_open(r, path);
	if (s != NULL && needs_contents(r))
		af_session_probe(s, 0);
	return s;
}

/* Appends what people are told about one disk; returns how many partitions fail the check. */
static size_t describe(const struct request *r, const struct af_disk *disk,
		       struct af_text *t)
{
	if (r->verb == VERB_CHECK)
		return af_cli_check(t, disk, r->strict);
	af_cli_list(t, disk, &r->columns, wants_color(r));
	return 0;
}

/* The status of a look at all that was named: a disk that could not be read counts most. */
static int look_status(bool complete, size_t failed)
{
	if (!complete)
		return REFUSED;
	return failed > 0 ? MISALIGNED : DONE;
}

/* --list and --check for people: disk by disk, and one that cannot be read does not stop the others. */
static int look(const struct request *r)
{
	struct af_text t = { 0 };
	size_t failed = 0;
	bool complete = true, printed = true, first = true;
	for (size_t i = 0; i < r->npaths && printed; i++) {
		struct af_session *s = open_to_look(r, r->path[i]);
		complete = complete && s != NULL;
		if (s == NULL)
			continue;
		struct af_disk disk = af_session_disk(s);
		af_text_clear(&t);
		af_text_add(&t, "%s", first || r->verb == VERB_CHECK ? "" : "\n");
		failed += describe(r, &disk, &t);
		printed = af_cli_print(&t);
		first = false;
		af_session_close(s);
	}
	af_text_release(&t);
	return look_status(complete && printed, failed);
}

/* Appends what programs are told about n disks; returns how many partitions fail the check. */
static size_t describe_all(const struct request *r, const struct af_disk *disk, size_t n,
			   struct af_text *t)
{
	struct af_text unused = { 0 };
	size_t failed = 0;
	if (r->columns.n > 0)
		af_cli_table_json(t, disk, n, &r->columns);
	else
		af_report_disks(t, disk, n);
	for (size_t i = 0; i < n && r->verb == VERB_CHECK; i++)
		failed += af_cli_check(&unused, &disk[i], r->strict);
	af_text_release(&unused);
	return failed;
}

/* The same for programs: one JSON text of all disks that can be read. */
static int look_for_programs(const struct request *r)
{
	struct af_session **s = af_alloc(r->npaths, sizeof(struct af_session *));
	struct af_disk *disk = af_alloc(r->npaths, sizeof(*disk));
	struct af_text t = { 0 };
	size_t n = 0;
	for (size_t i = 0; i < r->npaths; i++) {
		s[n] = open_to_look(r, r->path[i]);
		if (s[n] != NULL)
			disk[n] = af_session_disk(s[n]);
		n += s[n] != NULL;
	}
	size_t failed = describe_all(r, disk, n, &t);
	bool printed = af_cli_print(&t);
	for (size_t i = 0; i < n; i++)
		af_session_close(s[i]);
	af_text_release(&t);
	free(disk);
	free(s);
	return look_status(printed && n == r->npaths, failed);
}

static int look_at_named(const struct request *r)
{
	return r->json ? look_for_programs(r) : look(r);
}

static int look_at_all(struct request *r)
{
	struct af_err err;
	if (!af_disks_paths(&r->path, &r->npaths, &err)) {
		af_cli_complain(NULL, "%s", err.text);
		return REFUSED;
	}
	if (r->npaths == 0 && !r->quiet)
		af_cli_complain(NULL, "there are no disks here");
	int status = look_at_named(r);
	for (size_t i = 0; i < r->npaths; i++)
		free(r->path[i]);
	free(r->path);
	return status;
}

int af_cli_look(struct request *r)
{
	return r->npaths > 0 ? look_at_named(r) : look_at_all(r);
}
