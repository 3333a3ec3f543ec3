/*
 * holders_ask.c - who holds a disk without a name in the kernel's lists: a program that opened it for itself, a mount in another
 * container. The kernel tells only whether it would give the device away, so it is asked for it, and the device
 * given back at once. Which process it is shows among the open files of all, as far as these may be looked at.
 */
#include "holders_priv.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "afdisk/text.h"

/** True if somebody else holds the device. */
static bool is_held(const char *path)
{
	int fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		(void)close(fd);
	return fd < 0 && errno == EBUSY;
}

/** True for a number: a process, or an open file of one. */
static int is_number(const struct dirent *entry)
{
	return isdigit((unsigned char)entry->d_name[0]) != 0;
}

/** True if the link is to the device. */
static bool leads_to(const char *link, uint64_t device)
{
	char target[PATH_MAX];
	struct stat st;
	ssize_t n = readlink(link, target, sizeof(target) - 1);

	target[n > 0 ? n : 0] = '\0';
	return strncmp(target, "/dev/", 5) == 0 && stat(link, &st) == 0 &&
	       S_ISBLK(st.st_mode) && st.st_rdev == device;
}

/** True if the process whose open files are in folder has the device open. */
static bool has_open(const char *folder, uint64_t device)
{
	char path[PATH_MAX];
	struct dirent **entry = NULL;
	bool found = false;
	int n = scandir(folder, &entry, is_number, alphasort);

	for (int i = 0; i < n; i++) {
		(void)snprintf(path, sizeof(path), "%.3000s/%s", folder, entry[i]->d_name);
		found = found || leads_to(path, device);
		free(entry[i]);
	}
	free(entry);
	return found;
}

static void name_process(const char *proc, const char *pid, char *buf, size_t size)
{
	char path[PATH_MAX], name[64] = "";
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s/comm", proc, pid);
	f = fopen(path, "re");
	if (f && fgets(name, sizeof(name), f))
		name[strcspn(name, "\n")] = '\0';
	if (f)
		(void)fclose(f);
	(void)snprintf(buf, size, "%s (process %.20s)", name[0] ? name : "a program", pid);
}

/** Names a process, other than this one, that has the device open; "" if none can be seen. */
static void find_process(const char *proc, uint64_t device, char *buf, size_t size)
{
	char path[PATH_MAX];
	struct dirent **entry = NULL;
	int n = scandir(proc, &entry, is_number, alphasort);

	buf[0] = '\0';
	for (int i = 0; i < n; i++) {
		(void)snprintf(path, sizeof(path), "%.3000s/%s/fd", proc, entry[i]->d_name);
		if (!buf[0] && strtol(entry[i]->d_name, NULL, 10) != (long)getpid() &&
		    has_open(path, device))
			name_process(proc, entry[i]->d_name, buf, size);
		free(entry[i]);
	}
	free(entry);
}

/** Notes a program that holds target; false, and nothing noted, if must_see and none can be seen. */
static bool note_program(struct look *l, size_t target, bool must_see)
{
	char what[128];

	find_process(l->place->proc, l->node[target].device, what, sizeof(what));
	if (must_see && !what[0])
		return false;
	af_holders_note(l, target, AF_USE_PROGRAM, what);
	return true;
}

/** Asks for all partitions that nothing is noted of; is[i] becomes true for each that is held. True if all are. */
static bool ask_for_parts(const struct look *l, bool *is)
{
	bool all = true;

	for (size_t i = 1; i <= l->parts.n; i++) {
		char node[80];

		(void)snprintf(node, sizeof(node), "/dev/%s", l->parts.item[i - 1].name);
		is[i] = !af_holders_known(l, i) && is_held(node);
		all = all && (is[i] || af_holders_known(l, i));
	}
	return all;
}

/** Whoever holds the disk holds all of its partitions, and nobody else any: if all are held it is the disk, unless a program
 *  shows that has but a partition open. */
static void note_all(struct look *l, const bool *is)
{
	bool noted = note_program(l, 0, true);

	for (size_t i = 1; !noted && i <= l->parts.n; i++)
		noted = is[i] && note_program(l, i, true);
	if (!noted)
		(void)note_program(l, 0, false);
}

void af_holders_ask(struct look *l, const char *path)
{
	const bool named = l->uses.n > 0;
	bool *is;

	if (!is_held(path))
		return;
	is = af_alloc(l->parts.n + 1, sizeof(*is));
	if (ask_for_parts(l, is) && !named)
		note_all(l, is);
	else
		for (size_t i = 1; i <= l->parts.n; i++)
			if (is[i])
				(void)note_program(l, i, false);
	free(is);
}
