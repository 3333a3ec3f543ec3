/*
 * disks - the list of the machine's disks, and who finds out about each: one process a disk, so that a dead one holds up nobody but
 * its own row; also for a path that is tried, and for one that is being typed. Here is what runs and what came of
 * it; disks_look.c finds it out. What is on a disk is never read by the process of the caller.
 */
#include "afdisk/disks.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "afdisk/aside.h"

#define SYS_BLOCK "/sys/block"
#define LATER_MS                                                                           \
	500 /* by then a new disk has told its size, and udev has given its node away */
#define AT_ONCE                                                                            \
	16 /* disks that are read at the same time; the others wait for their turn */

_Static_assert(sizeof(struct af_disk_facts) <= AF_ASIDE_MOST, "facts are one record");
_Static_assert(sizeof(struct af_completion) <= AF_ASIDE_MOST, "a completion is one record");

/** One disk, and who reads it. */
struct row {
	struct af_disk_facts facts;
	struct af_aside reader;
	bool waits; /* is to be read */
};

struct af_disks {
	struct af_session_options options;
	int poll; /* all descriptors in one */
	int watch,
		timer; /* news from /dev, and the second look after them; -1: there is no such thing */
	struct row *row;
	struct af_disk_facts *list; /* of the rows */
	size_t n;
	struct af_aside trier, completer;
	bool is_tried, is_completed;
	struct af_disk_facts tried;
	struct af_completion completed;
};

/* --- which disks there are --- */

/** The first character of a file of a disk's folder in sysfs, '\0' if there is none. */
static char sysfs_char(const char *name, const char *file)
{
	char path[PATH_MAX], c = '\0';
	FILE *f;

	(void)snprintf(path, sizeof(path), SYS_BLOCK "/%s/%s", name, file);
	f = fopen(path, "re");
	if (!f)
		return c;
	if (fread(&c, 1, 1, f) != 1)
		c = '\0';
	(void)fclose(f);
	return c;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/** True for what a person calls a disk: not RAM, nor hidden, nor without a medium. */
static int is_disk(const struct dirent *entry)
{
	const char *name = entry->d_name;

	if (name[0] == '.' || begins(name, "ram") || begins(name, "zram"))
		return 0;
	if (begins(name, "loop") && sysfs_char(name, "loop/backing_file") == '\0')
		return 0;
	return sysfs_char(name, "size") != '0' && sysfs_char(name, "hidden") != '1';
}

/** What is made of other disks, or of files, comes after these. */
static int rank(const char *name)
{
	static const char *const last[] = { "md", "dm-", "nbd", "loop" };

	for (int i = 0; i < 4; i++)
		if (begins(name, last[i]))
			return i + 1;
	return 0;
}

static int by_rank(const struct dirent **a, const struct dirent **b)
{
	const int first = rank((*a)->d_name), second = rank((*b)->d_name);

	return first != second ? first - second : versionsort(a, b);
}

/** The path of a device by its name in sysfs, where a '!' stands for a '/'. */
static char *device_path(const char *name)
{
	struct af_text t = { 0 };

	af_text_add(&t, "/dev/%s", name);
	for (char *p = t.data; *p != '\0'; p++)
		if (*p == '!')
			*p = '/';
	return t.data;
}

bool af_disks_paths(char ***paths, size_t *n, struct af_err *err)
{
	struct dirent **entry = NULL;
	const int found = scandir(SYS_BLOCK, &entry, is_disk, by_rank);

	if (found < 0)
		return af_fail(err, AF_E_IO, "cannot list the disks in %s: %s: name one",
			       SYS_BLOCK, strerror(errno));
	*n = (size_t)found; /* >= 0 */
	*paths = af_alloc(*n, sizeof(char *));
	for (size_t i = 0; i < *n; i++) {
		(*paths)[i] = device_path(entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return true;
}

/* --- who finds out --- */

/** What a process is started with. */
struct task {
	const struct af_session_options *options;
	const struct af_disk_facts *facts; /* only the path counts */
	const char *typed;
};

static void read_disk(const void *job, int out)
{
	const struct task *task = job;
	struct af_disk_facts f = *task->facts;

	af_disk_glance(&f);
	af_aside_tell(out, &f, sizeof(f));
	af_disk_look(&f, task->options, true);
	af_aside_tell(out, &f, sizeof(f));
}

static void try_path(const void *job, int out)
{
	const struct task *task = job;
	struct af_disk_facts f = { .state = AF_DISK_READING };
	char path[600];

	af_path_expand(task->typed, path, sizeof(path));
	if (strlen(path) >= sizeof(f.path)) {
		f.state = AF_DISK_CLOSED;
		(void)snprintf(f.path, sizeof(f.path), "%.200s", path);
		(void)snprintf(f.why, sizeof(f.why), "the name is too long");
	} else {
		memcpy(f.path, path, strlen(path) + 1);
		af_disk_look(&f, task->options, false);
	}
	af_aside_tell(out, &f, sizeof(f));
}

static void complete(const void *job, int out)
{
	const struct task *task = job;
	struct af_completion c;

	af_path_complete(task->typed, &c);
	af_aside_tell(out, &c, sizeof(c));
}

/** Starts one of the three; false with err if there can be no process. */
static bool start(struct af_disks *d, struct af_aside *a,
		  void (*work)(const void *job, int out), const struct task *task,
		  struct af_err *err)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (!af_aside_start(a, work, task, err))
		return false;
	if (epoll_ctl(d->poll, EPOLL_CTL_ADD, a->fd, &event) == 0)
		return true;
	const int sys = errno;

	af_aside_drop(a);
	return af_fail_sys(err, sys, "cannot wait for a process");
}

static void close_facts(struct af_disk_facts *f, const char *why)
{
	f->state = AF_DISK_CLOSED;
	(void)snprintf(f->why, sizeof(f->why), "%.299s", why);
}

/** Begins to read as many of the waiting disks as may be read at once. */
static void start_some(struct af_disks *d)
{
	size_t running = 0;

	for (size_t i = 0; i < d->n; i++)
		running += d->row[i].reader.running;
	for (size_t i = 0; i < d->n && running < AT_ONCE; i++) {
		struct row *row = &d->row[i];
		const struct task task = { .options = &d->options, .facts = &row->facts };
		struct af_err err;

		if (!row->waits || row->reader.running)
			continue;
		row->waits = false;
		if (start(d, &row->reader, read_disk, &task, &err))
			running++;
		else
			close_facts(&row->facts, err.text);
	}
}

void af_disks_try(struct af_disks *d, const char *path)
{
	const struct task task = { .options = &d->options, .typed = path };
	struct af_err err;

	af_disks_try_no_more(d);
	d->tried = (struct af_disk_facts){ .state = AF_DISK_READING };
	af_text_clean(path, d->tried.path, sizeof(d->tried.path));
	if (start(d, &d->trier, try_path, &task, &err))
		return;
	close_facts(&d->tried, err.text);
	d->is_tried = true;
}

void af_disks_try_no_more(struct af_disks *d)
{
	af_aside_drop(&d->trier);
	d->is_tried = false;
}

void af_disks_complete(struct af_disks *d, const char *typed)
{
	const struct task task = { .typed = typed };
	struct af_err err;

	af_aside_drop(&d->completer);
	d->is_completed = false;
	if (start(d, &d->completer, complete, &task, &err))
		return;
	memset(&d->completed, 0, sizeof(d->completed));
	(void)snprintf(d->completed.text, sizeof(d->completed.text), "%s", typed);
	(void)snprintf(d->completed.why, sizeof(d->completed.why), "%.299s", err.text);
	d->is_completed = true;
}

/* --- the list --- */

static void wait_also_for(struct af_disks *d, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (fd >= 0)
		(void)epoll_ctl(d->poll, EPOLL_CTL_ADD, fd, &event);
}

struct af_disks *af_disks_new(const struct af_session_options *options)
{
	struct af_disks *d = af_alloc(1, sizeof(*d));

	d->options = *options;
	d->poll = epoll_create1(EPOLL_CLOEXEC);
	d->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	d->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	(void)inotify_add_watch(d->watch, "/dev", IN_CREATE | IN_DELETE);
	wait_also_for(d, d->watch);
	wait_also_for(d, d->timer);
	return d;
}

static void release_rows(struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		af_aside_drop(&row[i].reader);
	free(row);
}

void af_disks_free(struct af_disks *d)
{
	if (!d)
		return;
	release_rows(d->row, d->n);
	free(d->list);
	af_aside_drop(&d->trier);
	af_aside_drop(&d->completer);
	if (d->watch >= 0)
		(void)close(d->watch);
	if (d->timer >= 0)
		(void)close(d->timer);
	if (d->poll >= 0)
		(void)close(d->poll);
	free(d);
}

/** Takes the row of that path out of the old ones; a fresh one that waits if there is none. */
static struct row take_row(struct af_disks *d, const char *path)
{
	struct row row = { .waits = true };

	for (size_t i = 0; i < d->n; i++)
		if (strcmp(d->row[i].facts.path, path) == 0) {
			row = d->row[i];
			memset(&d->row[i], 0, sizeof(row));
			return row;
		}
	(void)snprintf(row.facts.path, sizeof(row.facts.path), "%s", path);
	return row;
}

static void copy_facts(struct af_disks *d)
{
	for (size_t i = 0; i < d->n; i++)
		d->list[i] = d->row[i].facts;
}

/** Makes the list what the machine has now; with again all are to be read anew. *changed if disks came or went. */
static bool list_disks(struct af_disks *d, bool again, bool *changed, struct af_err *err)
{
	const size_t before = d->n;
	struct row *row;
	char **path = NULL;
	size_t n = 0;

	if (!af_disks_paths(&path, &n, err))
		return false;
	row = af_alloc(n, sizeof(*row));
	*changed = n != before;
	for (size_t i = 0; i < n; i++) {
		row[i] = take_row(d, path[i]);
		*changed = *changed || row[i].waits;
		row[i].waits = row[i].waits || again;
		if (row[i].waits)
			row[i].facts.state = AF_DISK_READING;
		free(path[i]);
	}
	free(path);
	release_rows(d->row, before);
	d->row = row;
	d->n = n;
	d->list = af_realloc(d->list, n > 0 ? n : 1, sizeof(*d->list));
	copy_facts(d);
	return true;
}

bool af_disks_refresh(struct af_disks *d, struct af_err *err)
{
	bool changed;

	if (!list_disks(d, true, &changed, err))
		return false;
	start_some(d);
	copy_facts(d);
	return true;
}

int af_disks_fd(const struct af_disks *d)
{
	return d->poll;
}

/** Takes what the reader of a row has told. */
static bool take_facts(struct row *row)
{
	bool changed = false;

	while (row->reader.running)
		switch (af_aside_take(&row->reader, &row->facts, sizeof(row->facts))) {
		case AF_ASIDE_WAITING:
			return changed;
		case AF_ASIDE_TOLD:
			changed = true;
			break;
		case AF_ASIDE_ENDED:
			if (row->facts.state == AF_DISK_READING && !row->waits)
				close_facts(&row->facts, "what read it broke down");
			changed = true;
			break;
		}
	return changed;
}

/** Takes the one record of the other two; true if there is an end to it, *told if that was a record. */
static bool take_one(struct af_aside *a, void *record, size_t n, bool *told)
{
	if (!a->running)
		return false;
	const enum af_aside_state state = af_aside_take(a, record, n);

	*told = state == AF_ASIDE_TOLD;
	if (state != AF_ASIDE_WAITING)
		af_aside_drop(a);
	return state != AF_ASIDE_WAITING;
}

/** A node that was made anew may be another disk of the same name. */
static void doubt(struct af_disks *d, const char *name)
{
	for (size_t i = 0; i < d->n; i++)
		if (strcmp(d->row[i].facts.path + strlen("/dev/"), name) == 0) {
			d->row[i].waits = true;
			d->row[i].facts.state = AF_DISK_READING;
		}
}

/** True if something was told of /dev. */
static bool read_events(struct af_disks *d)
{
	_Alignas(struct inotify_event) char events[4096];
	bool any = false;
	ssize_t got;

	while (d->watch >= 0 && (got = read(d->watch, events, sizeof(events))) > 0)
		for (ssize_t at = 0; at < got;) {
			const void *bytes = events + at;
			const struct inotify_event *event = bytes;

			any = true;
			if (event->mask & IN_CREATE)
				doubt(d, event->len > 0 ? event->name : "");
			at += (ssize_t)(sizeof(*event) + event->len); /* below 4096 */
		}
	return any;
}

/** The node of a disk is there before all the rest of it: after news there is a second look. True if disks came or went. */
static bool take_news(struct af_disks *d)
{
	const struct itimerspec later = { .it_value = { .tv_nsec = LATER_MS * 1000000L } };
	const bool any = read_events(d);
	bool changed = false;
	uint64_t times;
	struct af_err ignored;

	if (any)
		(void)timerfd_settime(d->timer, 0, &later, NULL);
	else if (read(d->timer, &times, sizeof(times)) != (ssize_t)sizeof(times))
		return false;
	for (size_t i = 0; i < d->n && !any; i++)
		d->row[i].waits =
			d->row[i].waits || d->row[i].facts.state == AF_DISK_CLOSED;
	return list_disks(d, false, &changed, &ignored) && changed;
}

bool af_disks_take(struct af_disks *d)
{
	bool changed = false, told;

	for (size_t i = 0; i < d->n; i++)
		changed = take_facts(&d->row[i]) || changed;
	changed = take_news(d) || changed;
	start_some(d);
	copy_facts(d);
	if (take_one(&d->trier, &d->tried, sizeof(d->tried), &told)) {
		if (!told)
			close_facts(&d->tried, "what read it broke down");
		d->is_tried = changed = true;
	}
	if (take_one(&d->completer, &d->completed, sizeof(d->completed), &told)) {
		d->is_completed = told;
		changed = true;
	}
	return changed;
}

const struct af_disk_facts *af_disks_list(const struct af_disks *d, size_t *n)
{
	*n = d->n;
	return d->list;
}

const struct af_disk_facts *af_disks_tried(struct af_disks *d)
{
	const bool is_tried = d->is_tried;

	d->is_tried = false;
	return is_tried ? &d->tried : NULL;
}

const struct af_completion *af_disks_completed(struct af_disks *d)
{
	const bool is_completed = d->is_completed;

	d->is_completed = false;
	return is_completed ? &d->completed : NULL;
}
