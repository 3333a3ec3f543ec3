/*
 * disks_path.c - how a path that is being typed goes on, as a shell has it: folders, files and block devices, dotted names only
 * where a dot was typed. A name that is no text cannot be typed, and is only counted.
 */
#include "afdisk/disks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "afdisk/text.h"

/** What one entry of the users' database may take. */
#define ENTRY 4096

/** The home of the user whose name is n bytes at name, in buf or borrowed; NULL if there is none of that name. */
static const char *home_of(const char *name, size_t n, char buf[ENTRY])
{
	char user[64];
	struct passwd pw, *found = NULL;

	if (n == 0 && getenv("HOME"))
		return getenv("HOME");
	(void)snprintf(user, sizeof(user), "%.*s", (int)n, name);
	if (n == 0)
		(void)getpwuid_r(getuid(), &pw, buf, ENTRY, &found);
	else if (n < sizeof(user))
		(void)getpwnam_r(user, &pw, buf, ENTRY, &found);
	return found ? found->pw_dir : NULL;
}

void af_path_expand(const char *typed, char *out, size_t size)
{
	const size_t n = typed[0] == '~' ? strcspn(typed, "/") : 0;
	char buf[ENTRY];
	const char *home = n > 0 ? home_of(typed + 1, n - 1, buf) : NULL;

	(void)snprintf(out, size, "%s%s", home ? home : "", home ? typed + n : typed);
}

/** The names that fit, for free(). */
struct names {
	char **item;
	size_t n;
};

/** What is behind a link counts. False for what can be no disk and hold none. */
static bool is_candidate(int folder, const struct dirent *entry, bool *is_folder)
{
	struct stat st;

	*is_folder = entry->d_type == DT_DIR;
	if (entry->d_type == DT_DIR || entry->d_type == DT_REG || entry->d_type == DT_BLK)
		return true;
	if ((entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN) ||
	    fstatat(folder, entry->d_name, &st, 0) != 0)
		return false;
	*is_folder = S_ISDIR(st.st_mode);
	return *is_folder || S_ISREG(st.st_mode) || S_ISBLK(st.st_mode);
}

static bool is_text(const char *name)
{
	char clean[300];

	af_text_clean(name, clean, sizeof(clean));
	return strcmp(name, clean) == 0;
}

static void add(struct names *l, const char *name, bool is_folder)
{
	struct af_text t = { 0 };

	af_text_add(&t, "%s%s", name, is_folder ? "/" : "");
	l->item = af_realloc(l->item, l->n + 1, sizeof(*l->item));
	l->item[l->n++] = t.data;
}

/** Takes the entry if it begins with start. */
static void take(int folder, const struct dirent *entry, const char *start, struct names *l,
		 struct af_completion *out)
{
	const char *name = entry->d_name;
	bool is_folder;

	if (strncmp(name, start, strlen(start)) != 0 ||
	    (name[0] == '.' && start[0] != '.') || strcmp(name, ".") == 0 ||
	    strcmp(name, "..") == 0 || !is_candidate(folder, entry, &is_folder))
		return;
	if (is_text(name))
		add(l, name, is_folder);
	else
		out->untyped++;
}

/** Lists what begins with start. */
static void list(int folder, const char *start, struct names *l, struct af_completion *out)
{
	struct dirent **entry = NULL;
	const int n = scandirat(folder, ".", &entry, NULL, NULL);

	for (int i = 0; i < n; i++) {
		take(folder, entry[i], start, l, out);
		free(entry[i]);
	}
	free(entry);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/** Bytes that all names have in common, up to the end of a character. */
static size_t common(const struct names *l)
{
	const char *first = l->item[0], *last = l->item[l->n - 1]; /* the farthest apart */
	size_t n = 0;

	while (first[n] && first[n] == last[n])
		n++;
	while (n > 0 && ((unsigned char)first[n] & 0xc0) == 0x80)
		n--;
	return n;
}

/** Puts the sorted names in, as many as fit. */
static void put_names(const struct names *l, struct af_completion *out)
{
	size_t used = 0;

	out->n = (uint32_t)l->n; /* names in one folder */
	for (size_t i = 0; i < l->n; i++) {
		const size_t len = strlen(l->item[i]) + 1;

		if (used + len > sizeof(out->names))
			return;
		memcpy(out->names + used, l->item[i], len);
		used += len;
		out->listed++;
	}
}

/** The folder of a path that ends at its last slash, with the home in place; NULL with why. */
static DIR *open_folder(const char *typed, size_t n, char *why, size_t size)
{
	char own[300], path[600];
	DIR *folder;

	(void)snprintf(own, sizeof(own), "%.*s", (int)n, typed); /* n < 256 */
	af_path_expand(own, path, sizeof(path));
	folder = opendir(path[0] ? path : ".");
	if (!folder)
		(void)snprintf(why, size, "cannot look into %.200s: %s", path,
			       strerror(errno));
	return folder;
}

/** True for a home without its slash. */
static bool is_home(const char *typed)
{
	char path[600];

	if (typed[0] != '~' || strchr(typed, '/'))
		return false;
	af_path_expand(typed, path, sizeof(path));
	return path[0] != '~';
}

void af_path_complete(const char *typed, struct af_completion *out)
{
	const char *slash = strrchr(typed, '/'), *start = slash ? slash + 1 : typed;
	struct names l = { 0 };
	DIR *folder;

	memset(out, 0, sizeof(*out));
	(void)snprintf(out->text, sizeof(out->text), "%s", typed);
	if (is_home(typed)) {
		out->n = 1;
		(void)snprintf(out->text, sizeof(out->text), "%.250s/", typed);
		return;
	}
	folder = open_folder(typed, (size_t)(start - typed), out->why, sizeof(out->why));
	if (!folder)
		return;
	list(dirfd(folder), start, &l, out);
	(void)closedir(folder);
	if (l.n > 0) {
		qsort(l.item, l.n, sizeof(*l.item), by_name);
		put_names(&l, out);
		const size_t n = common(&l), before = (size_t)(start - typed);

		if (before + n < sizeof(out->text))
			(void)snprintf(out->text, sizeof(out->text), "%.*s%.*s",
				       (int)before, typed, (int)n, l.item[0]);
	}
	for (size_t i = 0; i < l.n; i++)
		free(l.item[i]);
	free(l.item);
}
