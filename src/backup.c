/*
 * backup - the format of the files that hold tables: the log of a write, with the old and the new bytes of every
 * sector, and the backup of a table as it was. Where they lie is backup_place.c's matter.
 *
 * The file, numbers little endian, texts padded with NULs:
 *     0  8  "afdiskBK"
 *     8  4  version, 2
 *    12  4  kind: 1 the log of a write, 2 the backup of a table
 *    16  8  size of the disk in bytes
 *    24  4  its logical sector size
 *    28  4  number of runs
 *    32 64  its model
 *    96 64  its serial number
 *   160 64  the table before: "dos 0x10bd10bc", "gpt GUID", "none"
 *   224 64  the table after (a log)
 *   288 256 the disk's path at that time
 *   544     the runs, in writing order: 8 byte position, 8 byte length, 4 phase, 48 what it is, 4 CRC-32 of the bytes that
 *           follow; then the bytes before and, in a log, the bytes after, length each
 *   end  4  CRC-32 (as in gzip) of everything before it
 * Reading is strict, and bounded by the size of the file.
 */
#include "backup_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "afdisk/crc.h"

#define MAGIC     "afdiskBK"
#define VERSION   2
#define TEXT_SIZE 64
#define PATH_SIZE 256
#define TEXTS_AT  32
#define HEAD_SIZE (TEXTS_AT + 4 * TEXT_SIZE + PATH_SIZE)
#define WHAT_SIZE 48
#define RUN_SIZE  (8 + 8 + 4 + WHAT_SIZE + 4)

static void put(struct af_text *t, const void *bytes, size_t n)
{
	if (t->len + n > t->room) {
		t->room = 2 * (t->len + n);
		t->data = af_realloc(t->data, t->room, 1);
	}
	memcpy(t->data + t->len, bytes, n);
	t->len += n;
}

static void set_number(char *p, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)(value >> (8 * i) & 0xff); /* a byte of it */
}

static void put_number(struct af_text *t, uint64_t value, size_t n)
{
	char b[8];

	set_number(b, value, n);
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
	return ~af_crc32(~UINT32_C(0), data, n);
}

/** The bytes of a run, in the order of the file. */
static size_t arrays_of(enum af_backup_kind kind)
{
	return kind == AF_BACKUP_LOG ? 2 : 1;
}

struct af_text af_backup_encode(const struct af_patch *patch,
				const struct af_backup_head *head)
{
	struct af_text t = { 0 };

	put(&t, MAGIC, 8);
	put_number(&t, VERSION, 4);
	put_number(&t, (uint32_t)head->kind, 4);
	put_number(&t, (uint64_t)head->size, 8); /* not negative */
	put_number(&t, head->sector_size, 4);
	put_number(&t, patch->n, 4);
	put_padded(&t, head->model, TEXT_SIZE);
	put_padded(&t, head->serial, TEXT_SIZE);
	put_padded(&t, head->was, TEXT_SIZE);
	put_padded(&t, head->will, TEXT_SIZE);
	put_padded(&t, head->path, PATH_SIZE);
	for (size_t i = 0; i < patch->n; i++) {
		const struct af_run *run = &patch->run[i];
		size_t crc_at = t.len + RUN_SIZE - 4, len = (size_t)run->len;

		put_number(&t, (uint64_t)run->at, 8); /* not negative */
		put_number(&t, (uint64_t)run->len, 8);
		put_number(&t, (uint32_t)run->phase, 4); /* not negative */
		put_padded(&t, run->what, WHAT_SIZE);
		put_number(&t, 0, 4);
		put(&t, run->before, len);
		if (head->kind == AF_BACKUP_LOG)
			put(&t, run->after, len);
		set_number(t.data + crc_at,
			   crc32_of(t.data + crc_at + 4, t.len - crc_at - 4), 4);
	}
	put_number(&t, crc32_of(t.data, t.len), 4);
	return t;
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
	    st.st_size > AF_BACKUP_MAX) {
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
static size_t decode_run(unsigned char *p, size_t left, const struct af_backup_head *head,
			 struct af_run *out)
{
	uint64_t at, len, phase, size = (uint64_t)head->size; /* not negative */
	size_t arrays = arrays_of(head->kind);

	if (left < RUN_SIZE)
		return 0;
	at = get_number(p, 8);
	len = get_number(p + 8, 8);
	phase = get_number(p + 16, 4);
	if (len == 0 || len % head->sector_size != 0 || at % head->sector_size != 0 ||
	    phase > 1000 || len > (left - RUN_SIZE) / arrays || at > size ||
	    len > size - at || !memchr(p + 20, '\0', WHAT_SIZE) ||
	    get_number(p + 20 + WHAT_SIZE, 4) !=
		    crc32_of(p + RUN_SIZE, arrays * (size_t)len))
		return 0;
	*out = (struct af_run){ .at = (af_bytes)at,
				.len = (af_bytes)len,
				.phase = (int)phase };
	memcpy(out->what, p + 20, WHAT_SIZE); /* terminated: checked above */
	out->before = p + RUN_SIZE;
	out->after = arrays == 2 ? p + RUN_SIZE + len : out->before;
	return RUN_SIZE + arrays * (size_t)len; /* fits: checked against left */
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

/** A text of the head, size bytes with its end; false if it has none. */
static bool decode_text(const unsigned char *p, char *out, size_t size)
{
	char text[PATH_SIZE];

	memcpy(text, p, size);
	if (!memchr(text, '\0', size))
		return false;
	af_text_clean(text, out, size);
	return true;
}

/** The head of the file, which is long enough for one. */
static bool decode_head(const unsigned char *bytes, struct af_backup_head *out)
{
	uint64_t kind = get_number(bytes + 12, 4), size = get_number(bytes + 16, 8);
	uint64_t sector = get_number(bytes + 24, 4);

	if (memcmp(bytes, MAGIC, 8) != 0 || get_number(bytes + 8, 4) != VERSION ||
	    (kind != AF_BACKUP_LOG && kind != AF_BACKUP_TABLE) || size > INT64_MAX ||
	    (sector != 512 && sector != 1024 && sector != 2048 && sector != 4096))
		return false;
	out->kind = kind == AF_BACKUP_LOG ? AF_BACKUP_LOG : AF_BACKUP_TABLE;
	out->size = (af_bytes)size;          /* checked above */
	out->sector_size = (uint32_t)sector; /* one of four */
	bytes += TEXTS_AT;
	return decode_text(bytes, out->model, TEXT_SIZE) &&
	       decode_text(bytes + TEXT_SIZE, out->serial, TEXT_SIZE) &&
	       decode_text(bytes + (size_t)2 * TEXT_SIZE, out->was, TEXT_SIZE) &&
	       decode_text(bytes + (size_t)3 * TEXT_SIZE, out->will, TEXT_SIZE) &&
	       decode_text(bytes + (size_t)4 * TEXT_SIZE, out->path, PATH_SIZE);
}

static bool decode(unsigned char *bytes, size_t n, struct af_backup_head *head,
		   struct af_patch *out)
{
	uint64_t runs = get_number(bytes + 28, 4);
	size_t end = n - 4, at = HEAD_SIZE;

	if (get_number(bytes + end, 4) != crc32_of(bytes, end) || runs > AF_BACKUP_RUNS ||
	    !decode_head(bytes, head))
		return false;
	for (uint64_t i = 0; i < runs; i++) {
		struct af_run run;
		size_t taken = decode_run(bytes + at, end - at, head, &run);
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

bool af_backup_load(const char *file, struct af_backup_head *head, struct af_patch *out,
		    struct af_err *err)
{
	struct af_backup_head of = { 0 };
	struct af_patch patch = { 0 };
	size_t n;
	unsigned char *bytes = read_file(file, &n, err);
	bool done;

	if (!bytes)
		return false;
	done = decode(bytes, n, &of, &patch);
	free(bytes);
	if (!done) {
		af_patch_release(&patch);
		return af_fail(err, AF_E_FORMAT,
			       "%s is not a backup of a partition table, or it is damaged",
			       file);
	}
	*head = of;
	*out = patch;
	return true;
}

void af_backup_name_disk(const struct af_dev *dev, struct af_backup_head *out)
{
	out->size = dev->size;
	out->sector_size = dev->sector_size;
	(void)snprintf(out->model, sizeof(out->model), "%s", dev->model);
	(void)snprintf(out->serial, sizeof(out->serial), "%s", dev->serial);
	(void)snprintf(out->path, sizeof(out->path), "%s", dev->path);
}

/** True if both say the same, or one of them says nothing. */
static bool agree(const char *a, const char *b)
{
	return a[0] == '\0' || b[0] == '\0' || strcmp(a, b) == 0;
}

bool af_backup_is_of(const struct af_backup_head *head, const struct af_dev *dev)
{
	return head->size == dev->size && head->sector_size == dev->sector_size &&
	       agree(head->model, dev->model) && agree(head->serial, dev->serial);
}
