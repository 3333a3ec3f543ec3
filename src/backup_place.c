/*
 * backup_place.c - where the files with tables lie: the state folder, or memory where that folder is on the very disk that
 * is to be written; their names, which begin with what identifies the disk, and end with the time; and which of them go
 * when there are more than ten of a disk.
 */
#include "backup_priv.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KEEP       10
#define SUFFIX     ".backup"
#define STAMP_SIZE 25 /* 20261130T123456.123456789 */
#define KEY_SIZE   160

/** A folder for such files: the state folder, or the one in memory. False if there is none. */
typedef bool (*folder_fn)(char *out, size_t size);

static bool join(char *out, size_t size, const char *folder, const char *more)
{
	int n = snprintf(out, size, "%s%s", folder, more);

	return n > 0 && (size_t)n < size;
}

static bool state_folder(char *out, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && state[0] == '/')
		return join(out, size, state, "/afdisk");
	if (geteuid() == 0)
		return join(out, size, "/var/lib/afdisk", "");
	return home && home[0] == '/' && join(out, size, home, "/.local/state/afdisk");
}

static bool memory_folder(char *out, size_t size)
{
	const char *run = getenv("XDG_RUNTIME_DIR");

	if (geteuid() == 0)
		return join(out, size, "/run/afdisk", "");
	return run && run[0] == '/' && join(out, size, run, "/afdisk");
}

/** Where a folder lies that may have to be made yet. */
static enum af_where where_is(const struct af_dev *dev, const char *folder)
{
	char part[PATH_MAX], above[PATH_MAX];
	struct stat st;

	(void)snprintf(part, sizeof(part), "%s", folder);
	while (stat(part, &st) != 0 && part[1] != '\0') {
		af_backup_folder_of(part, above);
		memcpy(part, above, sizeof(part));
	}
	return af_dev_where(dev, part);
}

#define NAME_ANOTHER "--journal FILE names a place on another disk"

/** The folder for a log of dev, not made yet, and what is to be said about it. */
static bool choose_folder(const struct af_dev *dev, char *folder, size_t size, char *note,
			  size_t note_size)
{
	note[0] = '\0';
	if (!state_folder(folder, size))
		return false;
	switch (where_is(dev, folder)) {
	case AF_WHERE_ELSEWHERE:
		return true;
	case AF_WHERE_RAM:
		(void)snprintf(note, note_size,
			       "the log of a write is kept in memory (%.100s), which a "
			       "power cut empties: " NAME_ANOTHER,
			       folder);
		return true;
	case AF_WHERE_SAME:
		break;
	}
	(void)snprintf(note, note_size,
		       "%.100s lies on this very disk, so the log of a write is kept in "
		       "memory, which a power cut empties: " NAME_ANOTHER,
		       folder);
	return memory_folder(folder, size) && where_is(dev, folder) != AF_WHERE_SAME;
}

void af_backup_foresee(const struct af_dev *dev, char *note, size_t size)
{
	char folder[PATH_MAX];

	(void)choose_folder(dev, folder, sizeof(folder), note, size);
}

/** Adds text to out with only what a file name can hold without harm. */
static void add_clean(char *out, size_t size, const char *text)
{
	static const char good[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	size_t used = strlen(out);

	for (; *text && used + 1 < size; text++, used++) {
		bool plain = strchr(good, *text) && (*text != '.' || used > 0);

		out[used] = '_';
		if (plain)
			out[used] = *text;
	}
	out[used] = '\0';
}

/** How a disk's size ends the key: in whole 4096 bytes, as another sector size can cut off some. */
static void size_key(af_bytes size, char key[32])
{
	(void)snprintf(key, 32, "-%lld", (long long)(size - size % 4096));
}

/** What identifies the disk: its serial number, or the table that it has; and its size. */
static void make_key(const struct af_backup_head *head, char key[KEY_SIZE])
{
	const char *who = head->serial[0] ? head->serial : head->was;
	char size[32];

	key[0] = '\0';
	size_key(head->size, size);
	add_clean(key, KEY_SIZE - sizeof(size), who[0] ? who : "disk");
	add_clean(key, KEY_SIZE, size);
}

/** Where the stamp of such a name begins, which everything of a key or of a disk's size comes before; NULL if it is none. */
static const char *stamp_of(const char *name)
{
	size_t n = strlen(name), tail = 1 + STAMP_SIZE + sizeof(SUFFIX) - 1;

	if (n <= tail || name[n - tail] != '-' ||
	    strcmp(name + n - (sizeof(SUFFIX) - 1), SUFFIX) != 0)
		return NULL;
	return name + n - tail + 1;
}

/** True if name is a file of the disk with this key; of any disk of its size if key begins with a dash. */
static bool is_of(const char *name, const char *key)
{
	const char *stamp = stamp_of(name);
	size_t n = strlen(key), have = stamp ? (size_t)(stamp - 1 - name) : 0;

	if (!stamp || have < n || (key[0] != '-' && have != n))
		return false;
	return strncmp(name + have - n, key, n) == 0;
}

/* What has no stamp comes last. */
static int newer(const char *a, const char *b)
{
	const char *x = stamp_of(a), *y = stamp_of(b);

	if (!x || !y)
		return (y != NULL) - (x != NULL);
	return strncmp(y, x, STAMP_SIZE);
}

static int by_stamp(const struct dirent **a, const struct dirent **b)
{
	return newer((*a)->d_name, (*b)->d_name);
}

/** The time, later than all stamps there of disks with this key, whatever the clock says: the newest must look like it. */
static void make_stamp(const char *folder, const char *key, char stamp[STAMP_SIZE + 1])
{
	struct dirent **entry = NULL;
	int found = scandir(folder, &entry, NULL, by_stamp);
	struct timespec now = { 0 };
	struct tm tm = { 0 };
	char date[32] = "";
	bool late = false;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &tm);
	(void)strftime(date, sizeof(date), "%Y%m%dT%H%M%S", &tm);
	(void)snprintf(stamp, STAMP_SIZE + 1, "%.15s.%09lu", date,
		       (unsigned long)now.tv_nsec % 1000000000);
	for (int i = 0; entry && i < found; i++) {
		const char *last = stamp_of(entry[i]->d_name);

		if (!late && last && is_of(entry[i]->d_name, key) &&
		    strncmp(last, stamp, STAMP_SIZE) >= 0) {
			unsigned long ns = strtoul(last + 16, NULL, 10) % 1000000000;

			(void)snprintf(stamp, STAMP_SIZE + 1, "%.16s%09lu", last,
				       ns < 999999999 ? ns + 1 : ns);
			late = true;
		}
		free(entry[i]);
	}
	free(entry);
}

/** Removes the oldest of this disk's files; never the one just made. */
static void keep_newest(const char *folder, const char *key, const char *made)
{
	struct dirent **entry = NULL;
	int found = scandir(folder, &entry, NULL, by_stamp);
	size_t n = 0;
	char path[PATH_MAX];

	for (int i = 0; i < found; i++) {
		int len = snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);

		if (is_of(entry[i]->d_name, key) && strcmp(path, made) != 0 &&
		    ++n >= KEEP && len > 0 && (size_t)len < sizeof(path))
			(void)unlink(path);
		free(entry[i]);
	}
	free(entry);
}

/** A new name in folder, which is made. */
static bool new_name(const char *folder, const struct af_backup_head *head, char *out,
		     size_t size, struct af_err *err)
{
	char key[KEY_SIZE], any[32], stamp[STAMP_SIZE + 1];
	int n;

	if (!af_backup_make_folder(folder, err))
		return false;
	make_key(head, key);
	size_key(head->size, any);
	make_stamp(folder, any, stamp);
	n = snprintf(out, size, "%s/%s-%s" SUFFIX, folder, key, stamp);
	return n > 0 && (size_t)n < size
		       ? true
		       : af_fail(err, AF_E_IO, "the name of the state folder is too long");
}

/** A log that lies where the user wanted it gets a link in the state folder, so that it is found again. */
static void add_link(const struct af_dev *dev, const struct af_backup_head *head,
		     struct af_backup_kept *kept)
{
	char folder[PATH_MAX], whole[PATH_MAX], key[KEY_SIZE];
	struct af_err ignored;

	if (!state_folder(folder, sizeof(folder)) ||
	    where_is(dev, folder) == AF_WHERE_SAME || !realpath(kept->file, whole) ||
	    !new_name(folder, head, kept->link, sizeof(kept->link), &ignored) ||
	    symlink(whole, kept->link) != 0) {
		kept->link[0] = '\0';
		return;
	}
	make_key(head, key);
	keep_newest(folder, key, kept->link);
}

void af_backup_drop(const struct af_backup_kept *kept)
{
	(void)unlink(kept->file);
	if (kept->link[0])
		(void)unlink(kept->link);
}

static bool save_in_folder(const struct af_text *bytes, const struct af_backup_head *head,
			   const struct af_dev *dev, struct af_backup_kept *out,
			   struct af_err *err)
{
	char folder[PATH_MAX], key[KEY_SIZE];

	if (!choose_folder(dev, folder, sizeof(folder), out->note, sizeof(out->note)))
		return out->note[0]
			       ? af_fail(err, AF_E_IO,
					 "the state folder lies on this very disk")
			       : af_fail(err, AF_E_IO,
					 "there is no home folder to keep it in: set HOME");
	if (!new_name(folder, head, out->file, sizeof(out->file), err) ||
	    !af_backup_write_new(out->file, bytes, err))
		return false;
	make_key(head, key);
	keep_newest(folder, key, out->file);
	return true;
}

static bool save_as(const struct af_text *bytes, const char *file,
		    struct af_backup_kept *out, struct af_err *err)
{
	out->note[0] = '\0';
	if (!file[0] || strlen(file) >= sizeof(out->file))
		return af_fail(err, AF_E_IO, "the name is empty or too long");
	(void)snprintf(out->file, sizeof(out->file), "%s", file);
	return af_backup_write_new(file, bytes, err);
}

bool af_backup_save(const struct af_patch *patch, const struct af_backup_head *head,
		    const struct af_dev *dev, const char *maybe_file,
		    struct af_backup_kept *out, struct af_err *err)
{
	bool is_log = head->kind == AF_BACKUP_LOG;
	struct af_backup_kept kept = { 0 };
	struct af_text bytes;
	bool done;

	if (patch->n > AF_BACKUP_RUNS || af_patch_bytes(patch) > AF_BACKUP_MAX / 4)
		return af_fail(err, AF_E_RANGE,
			       "cannot back up the table of %s: it is too large",
			       dev->path);
	bytes = af_backup_encode(patch, head);
	done = maybe_file ? save_as(&bytes, maybe_file, &kept, err)
			  : save_in_folder(&bytes, head, dev, &kept, err);
	af_text_release(&bytes);
	if (!done)
		return af_fail_within(err, "cannot back up the table of %s%s", dev->path,
				      maybe_file ? "" : " (--journal names another place)");
	if (maybe_file && is_log)
		add_link(dev, head, &kept);
	*out = kept;
	return true;
}

/** Adds the files of one folder. */
static void find_in(const char *folder, const char *key, struct af_backup_list *out)
{
	struct dirent **entry = NULL;
	int found = scandir(folder, &entry, af_dev_entry, alphasort);

	for (int i = 0; i < found; i++) {
		if (is_of(entry[i]->d_name, key)) {
			struct af_text name = { 0 };

			af_text_add(&name, "%s/%s", folder, entry[i]->d_name);
			out->file = af_realloc(out->file, out->n + 1, sizeof(char *));
			out->file[out->n++] = name.data;
		}
		free(entry[i]);
	}
	free(entry);
}

static int newest_first(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return newer(*x, *y);
}

void af_backup_find(const struct af_dev *dev, struct af_backup_list *out)
{
	static const folder_fn folder_table[] = { state_folder, memory_folder };
	char folder[PATH_MAX], key[32];

	*out = (struct af_backup_list){ 0 };
	size_key(dev->size, key);
	for (size_t i = 0; i < 2; i++)
		if (folder_table[i](folder, sizeof(folder)))
			find_in(folder, key, out);
	if (out->n > 1)
		qsort(out->file, out->n, sizeof(char *), newest_first);
}

void af_backup_list_release(struct af_backup_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->file[i]);
	free(l->file);
	*l = (struct af_backup_list){ 0 };
}
