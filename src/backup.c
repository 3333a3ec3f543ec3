/*
 * backup - the old and the new bytes of every sector of a table write, in a file that is safe on its medium before
 * the disk is touched. It can tell what was written and put back what was there.
 *
 * The file, numbers little endian:
 *     0  8  "afdiskBK"
 *     8  4  version, 1
 *    12  4  number of runs
 *    16  8  size of the disk in bytes
 *    24 64  the disk's key, padded with NULs
 *    88 256 the disk's path at that time, padded with NULs
 *   344     the runs, in writing order: 8 byte position, 8 byte length, 4 phase, 48 what it is (padded with
 *           NULs), 4 zero; then the bytes before and the bytes after, length each
 *   end  4  CRC-32 (as in gzip) of everything before it
 * Reading is strict, and bounded by the size of the file.
 */
#include "afdisk/backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "afdisk/text.h"

#define MAGIC      "afdiskBK"
#define VERSION    1
#define KEY_SIZE   64
#define PATH_SIZE  256
#define KEY_AT     24
#define HEAD_SIZE  (KEY_AT + KEY_SIZE + PATH_SIZE)
#define WHAT_SIZE  48
#define RUN_SIZE   (8 + 8 + 4 + WHAT_SIZE + 4)
#define FILE_MAX   (16 * AF_MIB) /* far above any table: 56 EBRs, 1024 entries twice */
#define RUNS_MAX   8192
#define KEEP       10
#define SUFFIX     ".backup"
#define STAMP_SIZE 25 /* 20261130T123456.123456789 */

static void put(struct af_text *t, const void *bytes, size_t n)
{
	if (t->len + n > t->room) {
		t->room = 2 * (t->len + n);
		t->data = af_realloc(t->data, t->room, 1);
	}
	memcpy(t->data + t->len, bytes, n);
	t->len += n;
}

static void put_number(struct af_text *t, uint64_t value, size_t n)
{
	unsigned char b[8];

	for (size_t i = 0; i < n; i++)
		b[i] = (unsigned char)(value >> (8 * i) & 0xff);
	put(t, b, n);
}

static void put_padded(struct af_text *t, const char *s, size_t n)
{
	char field[PATH_SIZE] = "";

	(void)snprintf(field, n, "%s", s);
	put(t, field, n);
}

static uint64_t get_number(const unsigned char *p, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value |= (uint64_t)p[i] << (8 * i);
	return value;
}

static uint32_t crc32_of(const void *data, size_t n)
{
	const unsigned char *p = data;
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
	}
	return ~crc;
}

/** The whole file as bytes. */
static struct af_text encode(const struct af_patch *patch, const char *key,
			     const struct af_backup_disk *disk)
{
	struct af_text t = { 0 };

	put(&t, MAGIC, 8);
	put_number(&t, VERSION, 4);
	put_number(&t, patch->n, 4);
	put_number(&t, (uint64_t)disk->size, 8); /* not negative */
	put_padded(&t, key, KEY_SIZE);
	put_padded(&t, disk->path, PATH_SIZE);
	for (size_t i = 0; i < patch->n; i++) {
		const struct af_run *run = &patch->run[i];

		put_number(&t, (uint64_t)run->at, 8); /* not negative */
		put_number(&t, (uint64_t)run->len, 8);
		put_number(&t, (uint32_t)run->phase, 4); /* not negative */
		put_padded(&t, run->what, WHAT_SIZE);
		put_number(&t, 0, 4);
		put(&t, run->before, (size_t)run->len);
		put(&t, run->after, (size_t)run->len);
	}
	put_number(&t, crc32_of(t.data, t.len), 4);
	return t;
}

static bool sync_folder(const char *folder, struct af_err *err)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int sys = errno;

	if (fd < 0)
		return af_fail_sys(err, sys, "cannot open the folder %s", folder);
	sys = fsync(fd) == 0 || errno == EINVAL
		      ? 0
		      : errno; /* EINVAL: this one has nothing to sync */
	(void)close(fd);
	return sys == 0 ? true
			: af_fail_sys(err, sys, "cannot make the folder %s safe", folder);
}

/** The folder that path lies in. */
static void folder_of(const char *path, char *out, size_t size)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		(void)snprintf(out, size, ".");
	else
		(void)snprintf(out, size, "%.*s", slash == path ? 1 : (int)(slash - path),
			       path);
}

/** Makes folder and those above it, each safe in the one that holds it. */
static bool make_folder(const char *folder, struct af_err *err)
{
	char part[PATH_MAX], above[PATH_MAX];

	for (const char *end = folder + 1; *end; end++) {
		size_t n;

		if (*end != '/' && end[1] != '\0')
			continue;
		n = (size_t)(end - folder) + (*end != '/');
		(void)snprintf(part, sizeof(part), "%.*s", (int)n, folder);
		if (mkdir(part, 0700) != 0) {
			if (errno != EEXIST)
				return af_fail_sys(err, errno, "cannot make the folder %s",
						   part);
			continue;
		}
		folder_of(part, above, sizeof(above));
		if (!sync_folder(above, err))
			return false;
	}
	return true;
}

static bool state_folder(char *out, size_t size, struct af_err *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n;

	if (state && state[0] == '/')
		n = snprintf(out, size, "%s/afdisk", state);
	else if (geteuid() == 0)
		n = snprintf(out, size, "/var/lib/afdisk");
	else if (home && home[0] == '/')
		n = snprintf(out, size, "%s/.local/state/afdisk", home);
	else
		return af_fail(err, AF_E_IO,
			       "there is no home folder to keep it in: set HOME");
	if (n < 0 || (size_t)n >= size)
		return af_fail(err, AF_E_IO, "the name of the state folder is too long");
	return make_folder(out, err);
}

/** Only what a file name can hold without harm. */
static void clean_key(const char *disk_key, char key[KEY_SIZE])
{
	static const char good[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	(void)snprintf(key, KEY_SIZE, "%s", disk_key[0] ? disk_key : "disk");
	for (char *c = key; *c; c++)
		if (!strchr(good, *c))
			*c = '_';
	if (key[0] == '.')
		key[0] = '_';
}

/** A name of fixed form, which sorts by time; false if it is too long. */
static bool stamped_name(const char *folder, const char *key, char *out, size_t size)
{
	struct timespec now = { 0 };
	struct tm tm = { 0 };
	char date[32] = "";

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &tm);
	(void)strftime(date, sizeof(date), "%Y%m%dT%H%M%S", &tm);
	int n = snprintf(out, size, "%s/%s-%s.%09ld" SUFFIX, folder, key, date,
			 now.tv_nsec);

	return n > 0 && (size_t)n < size;
}

static bool write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t put_now = write(fd, p, n);

		if (put_now < 0 && errno == EINTR)
			continue;
		if (put_now < 0)
			return false;
		p += put_now;
		n -= (size_t)put_now;
	}
	return true;
}

/** Gives part its final name unless something has that already. */
static bool rename_new(const char *part, const char *name)
{
	struct stat st;

	if (renameat2(AT_FDCWD, part, AT_FDCWD, name, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (lstat(name, &st) == 0) { /* a file system that knows no such rename */
		errno = EEXIST;
		return false;
	}
	return rename(part, name) == 0;
}

/** Writes bytes to a new file: under another name until they are safe. */
static bool write_new(const char *name, const struct af_text *bytes, struct af_err *err)
{
	char part[PATH_MAX], folder[PATH_MAX];
	bool done;
	int fd, sys;

	if (snprintf(part, sizeof(part), "%s.part", name) >= (int)sizeof(part))
		return af_fail(err, AF_E_IO, "the name is too long");
	folder_of(name, folder, sizeof(folder));
	fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return af_fail_sys(err, errno, "cannot make the file %s", part);
	done = write_all(fd, bytes->data, bytes->len) && fsync(fd) == 0;
	sys = errno;
	if (close(fd) != 0 && done) {
		done = false;
		sys = errno;
	}
	if (done) {
		done = rename_new(part, name);
		sys = errno;
	}
	if (!done) {
		(void)unlink(part);
		return af_fail_sys(err, sys, "cannot write the file %s", name);
	}
	if (sync_folder(folder, err))
		return true;
	(void)unlink(name); /* nobody will write the disk, so nobody will need it */
	return false;
}

/** True if name is a backup of the disk with this key. */
static bool is_backup_of(const char *name, const char *key)
{
	size_t n = strlen(key);

	return strncmp(name, key, n) == 0 && name[n] == '-' &&
	       strlen(name) == n + 1 + STAMP_SIZE + sizeof(SUFFIX) - 1 &&
	       strcmp(name + n + 1 + STAMP_SIZE, SUFFIX) == 0;
}

/** Removes the oldest of this disk's backups; never the one just made, whatever the clock said. */
static void keep_newest(const char *folder, const char *key, const char *made)
{
	struct dirent **entry;
	int found = scandir(folder, &entry, NULL, alphasort);
	size_t n = 0;
	char path[PATH_MAX];

	for (int i = found - 1; i >= 0; i--) {
		int len = snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);

		if (is_backup_of(entry[i]->d_name, key) && strcmp(path, made) != 0 &&
		    ++n >= KEEP && len > 0 && (size_t)len < sizeof(path))
			(void)unlink(path);
		free(entry[i]);
	}
	if (found >= 0)
		free(entry);
}

/** Where the file goes: as the user says, or in the state folder. */
static bool choose_name(const char *maybe_file, const char *key, char *folder,
			size_t folder_size, char name[PATH_MAX], struct af_err *err)
{
	if (!maybe_file) {
		if (!state_folder(folder, folder_size, err))
			return false;
		return stamped_name(folder, key, name, PATH_MAX) ||
		       af_fail(err, AF_E_IO, "the name of the state folder is too long");
	}
	if (snprintf(name, PATH_MAX, "%s", maybe_file) >= PATH_MAX || !maybe_file[0])
		return af_fail(err, AF_E_IO, "the name is empty or too long");
	return true;
}

bool af_backup_save(const struct af_patch *patch, const struct af_backup_disk *disk,
		    const char *maybe_file, char *name, size_t size, struct af_err *err)
{
	char key[KEY_SIZE], folder[PATH_MAX] = "", path[PATH_MAX];
	struct af_text bytes;
	bool done = false;

	clean_key(disk->key, key);
	if (patch->n > RUNS_MAX || af_patch_bytes(patch) > FILE_MAX / 4)
		return af_fail(
			err, AF_E_RANGE,
			"cannot back up the old table of %s: the change is too large",
			disk->path);
	if (!choose_name(maybe_file, key, folder, sizeof(folder), path, err))
		goto fail;
	if (strlen(path) >= size) {
		(void)af_fail(err, AF_E_IO, "the name is too long");
		goto fail;
	}
	bytes = encode(patch, key, disk);
	done = write_new(path, &bytes, err);
	af_text_release(&bytes);
	if (!done)
		goto fail;
	if (!maybe_file)
		keep_newest(folder, key, path);
	(void)snprintf(name, size, "%s", path);
	return true;
fail:
	return af_fail_within(err, "cannot back up the old table of %s%s", disk->path,
			      maybe_file ? "" : " (--journal names another place)");
}

/** Reads the whole file; its size is bounded. */
static unsigned char *read_file(const char *file, size_t *n, struct af_err *err)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	unsigned char *bytes;
	struct stat st;
	size_t have = 0;
	ssize_t got = 1;

	if (fd < 0) {
		(void)af_fail_sys(err, errno, "cannot open the backup %s", file);
		return NULL;
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < HEAD_SIZE + 4 ||
	    st.st_size > FILE_MAX) {
		(void)close(fd);
		(void)af_fail(err, AF_E_FORMAT, "%s is not a backup of a partition table",
			      file);
		return NULL;
	}
	*n = (size_t)st.st_size; /* checked above */
	bytes = af_alloc(*n, 1);
	while (have < *n && (got > 0 || (got < 0 && errno == EINTR))) {
		got = read(fd, bytes + have, *n - have);
		have += got > 0 ? (size_t)got : 0;
	}
	if (have < *n) {
		(void)af_fail_sys(err, got < 0 ? errno : EIO, "cannot read the backup %s",
				  file);
		free(bytes);
		bytes = NULL;
	}
	(void)close(fd);
	return bytes;
}

/** Decodes the run at p, of which left bytes remain; its arrays point into p. Returns its size, 0 if it is not sane. */
static size_t decode_run(unsigned char *p, size_t left, af_bytes disk_size,
			 struct af_run *out)
{
	uint64_t at, len, phase, size = (uint64_t)disk_size; /* not negative */

	if (left < RUN_SIZE)
		return 0;
	at = get_number(p, 8);
	len = get_number(p + 8, 8);
	phase = get_number(p + 16, 4);
	if (len == 0 || len % 512 != 0 || at % 512 != 0 || phase > 1000 ||
	    len > (left - RUN_SIZE) / 2 || at > size || len > size - at ||
	    !memchr(p + 20, '\0', WHAT_SIZE) || get_number(p + 20 + WHAT_SIZE, 4) != 0)
		return 0;
	*out = (struct af_run){ .at = (af_bytes)at,
				.len = (af_bytes)len,
				.phase = (int)phase };
	memcpy(out->what, p + 20, WHAT_SIZE); /* terminated: checked above */
	out->before = p + RUN_SIZE;
	out->after = p + RUN_SIZE + len;
	return RUN_SIZE + 2 * (size_t)len; /* fits: checked against left */
}

/** True if run may follow the runs of p: phases rise, nothing overlaps. */
static bool follows(const struct af_patch *p, const struct af_run *run)
{
	struct af_span span = { run->at, run->at + run->len };

	if (p->n > 0 && p->run[p->n - 1].phase > run->phase)
		return false;
	for (size_t i = 0; i < p->n; i++) {
		struct af_span other = { p->run[i].at, p->run[i].at + p->run[i].len };

		if (af_span_overlap(span, other))
			return false;
	}
	return true;
}

/** The head of the file, which is long enough for one. */
static bool decode_origin(const unsigned char *bytes, struct af_backup_origin *out)
{
	uint64_t size = get_number(bytes + 16, 8);
	char key[KEY_SIZE], path[PATH_SIZE];

	memcpy(key, bytes + KEY_AT, KEY_SIZE);
	memcpy(path, bytes + KEY_AT + KEY_SIZE, PATH_SIZE);
	if (size > INT64_MAX || !memchr(key, '\0', KEY_SIZE) ||
	    !memchr(path, '\0', PATH_SIZE))
		return false;
	out->size = (af_bytes)size; /* checked above */
	af_text_clean(key, out->key, sizeof(out->key));
	af_text_clean(path, out->path, sizeof(out->path));
	return true;
}

static bool decode(unsigned char *bytes, size_t n, struct af_backup_origin *origin,
		   struct af_patch *out)
{
	uint64_t runs = get_number(bytes + 12, 4);
	size_t end = n - 4, at = HEAD_SIZE;

	if (memcmp(bytes, MAGIC, 8) != 0 || get_number(bytes + 8, 4) != VERSION ||
	    get_number(bytes + end, 4) != crc32_of(bytes, end) || runs > RUNS_MAX ||
	    !decode_origin(bytes, origin))
		return false;
	for (uint64_t i = 0; i < runs; i++) {
		struct af_run run;
		size_t taken = decode_run(bytes + at, end - at, origin->size, &run);
		char what[WHAT_SIZE];

		if (taken == 0 || !follows(out, &run))
			return false;
		af_text_clean(run.what, what, sizeof(what));
		memcpy(run.what, what, sizeof(what));
		af_patch_add(out, &run);
		at += taken;
	}
	return at == end;
}

bool af_backup_load(const char *file, struct af_backup_origin *origin, struct af_patch *out,
		    struct af_err *err)
{
	struct af_backup_origin from;
	struct af_patch patch = { 0 };
	size_t n;
	unsigned char *bytes = read_file(file, &n, err);
	bool done;

	if (!bytes)
		return false;
	done = decode(bytes, n, &from, &patch);
	free(bytes);
	if (!done) {
		af_patch_release(&patch);
		return af_fail(err, AF_E_FORMAT,
			       "%s is not a backup of a partition table, or it is damaged",
			       file);
	}
	*origin = from;
	*out = patch;
	return true;
}
