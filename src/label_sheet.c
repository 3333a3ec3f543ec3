/*
 * label_sheet.c - the part of a disk that its table occupies, in memory: as read, and as it is to become.
 *
 * Knows nothing of tables. The shadow is the same part in a sparse memfd of the disk's size, which libfdisk
 * takes for the disk; a sector that no cut holds reads as zeros there.
 */
#include "label_priv.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct af_span cut_span(const struct af_cut *c)
{
	return (struct af_span){ c->at, c->at + c->len };
}

/* The first cut that ends behind byte at; s->n if none does. */
static size_t first_behind(const struct af_sheet *s, af_bytes at)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->cut[mid].at + s->cut[mid].len > at)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static const struct af_cut *cut_at(const struct af_sheet *s, af_bytes at)
{
	size_t i = first_behind(s, at);

	return i < s->n && s->cut[i].at <= at ? &s->cut[i] : NULL;
}

static void free_cut(struct af_cut *c)
{
	free(c->was);
	free(c->now);
}

/* The range and every cut that it overlaps, as one. */
static struct af_span with_overlapped(const struct af_sheet *s, struct af_span want)
{
	for (size_t i = first_behind(s, want.start); i < s->n && s->cut[i].at < want.end;
	     i++) {
		struct af_span have = cut_span(&s->cut[i]);

		want.start = have.start < want.start ? have.start : want.start;
		want.end = have.end > want.end ? have.end : want.end;
	}
	return want;
}

/* Puts new in its place, instead of those that it covers. */
static void put_cut(struct af_sheet *s, const struct af_cut *new)
{
	size_t first = first_behind(s, new->at), end = first;

	while (end < s->n && af_span_inside(cut_span(&s->cut[end]), cut_span(new)))
		free_cut(&s->cut[end++]);
	s->cut = af_realloc(s->cut, s->n + 1, sizeof *s->cut);
	memmove(&s->cut[first + 1], &s->cut[end], (s->n - end) * sizeof *s->cut);
	s->cut[first] = *new;
	s->n = s->n + 1 - (end - first);
}

bool af_sheet_need(struct af_sheet *s, af_bytes at, af_bytes len, struct af_err *err)
{
	struct af_span want = { at, at };
	const struct af_cut *have = cut_at(s, at);

	if (at < 0 || !af_add(at, len, &want.end) || want.end > s->disk_size)
		return af_fail(err, AF_E_RANGE,
			       "%lld bytes at byte %lld lie beyond the disk",
			       (long long)len, (long long)at);
	if (have && af_span_inside(want, cut_span(have)))
		return true;
	want = with_overlapped(s, want);

	size_t size = (size_t)af_span_size(want); /* > 0 */
	struct af_cut new = { .at = want.start, .len = af_span_size(want) };

	new.was = af_alloc(size, 1);
	if (!s->read(s->ctx, new.at, new.was, size, err)) {
		free(new.was);
		return false;
	}
	new.now = af_alloc(size, 1);
	memcpy(new.now, new.was, size);
	put_cut(s, &new);
	return true;
}

const unsigned char *af_sheet_was(const struct af_sheet *s, af_bytes at)
{
	const struct af_cut *c = cut_at(s, at);

	return c ? c->was + (at - c->at) : NULL;
}

unsigned char *af_sheet_now(const struct af_sheet *s, af_bytes at)
{
	const struct af_cut *c = cut_at(s, at);

	return c ? c->now + (at - c->at) : NULL;
}

bool af_sheet_read(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	struct af_sheet *s = ctx;

	if (!af_sheet_need(s, at, (af_bytes)n, err))
		return false;
	const unsigned char *was = af_sheet_was(s, at);

	assert(was);
	memcpy(buf, was, n);
	return true;
}

static bool write_whole(int fd, af_bytes at, const unsigned char *p, af_bytes n)
{
	while (n > 0) {
		ssize_t done = pwrite(fd, p, (size_t)n, at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		at += done;
		n -= done;
	}
	return true;
}

int af_sheet_shadow(const struct af_sheet *s, struct af_err *err)
{
	int fd = memfd_create("afdisk-table", MFD_CLOEXEC);
	bool ok = fd >= 0 && ftruncate(fd, s->disk_size) == 0;

	for (size_t i = 0; ok && i < s->n; i++)
		ok = write_whole(fd, s->cut[i].at, s->cut[i].now, s->cut[i].len);
	if (ok)
		return fd;
	af_fail_sys(err, errno, "cannot make a copy of the table in memory");
	if (fd >= 0)
		close(fd);
	return -1;
}

bool af_sheet_read_now(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	const struct af_sheet *s = ctx;
	const struct af_span want = { at, at + (af_bytes)n };

	if (at < 0 || want.end > s->disk_size)
		return af_fail(err, AF_E_RANGE, "byte %lld lies beyond the disk",
			       (long long)want.end);
	memset(buf, 0, n);
	for (size_t i = first_behind(s, at); i < s->n && s->cut[i].at < want.end; i++) {
		const struct af_span have = cut_span(&s->cut[i]);
		const af_bytes from = have.start > at ? have.start : at;
		const af_bytes to = have.end < want.end ? have.end : want.end;

		memcpy((unsigned char *)buf + (from - at),
		       s->cut[i].now + (from - have.start), (size_t)(to - from));
	}
	return true;
}

static bool changed(const struct af_cut *c, af_bytes at, uint32_t sector_size)
{
	return memcmp(c->was + (at - c->at), c->now + (at - c->at), sector_size) != 0;
}

/* The end of the run of changed sectors that begins at `at`: within one cut, so that the bytes are together. */
static af_bytes run_end(const struct af_cut *c, af_bytes at, af_bytes limit,
			uint32_t sector_size)
{
	af_bytes end = at + sector_size;

	while (end < limit && end < c->at + c->len && changed(c, end, sector_size))
		end += sector_size;
	return end;
}

void af_sheet_emit(const struct af_sheet *s, struct af_patch *p, struct af_span range,
		   int phase, const char *what)
{
	for (af_bytes at = range.start; at < range.end;) {
		const struct af_cut *c = cut_at(s, at);

		assert(c); /* who emits a range has put it in the sheet */
		if (!changed(c, at, s->sector_size)) {
			at += s->sector_size;
			continue;
		}
		af_bytes end = run_end(c, at, range.end, s->sector_size);
		struct af_run run = {
			.at = at,
			.len = end - at,
			.phase = phase,
			.before = c->was + (at - c->at),
			.after = c->now + (at - c->at),
		};

		snprintf(run.what, sizeof run.what, "%s", what);
		af_patch_add(p, &run);
		at = end;
	}
}

void af_sheet_release(struct af_sheet *s)
{
	for (size_t i = 0; i < s->n; i++)
		free_cut(&s->cut[i]);
	free(s->cut);
	af_chain_release(&s->chain);
	*s = (struct af_sheet){ 0 };
}

void af_note_blame(struct af_label_note *note, const char *fmt, ...)
{
	va_list args;

	if (note->read_only)
		return;
	note->read_only = true;
	va_start(args, fmt);
	(void)vsnprintf(note->why, sizeof note->why, fmt, args);
	va_end(args);
}

void af_note_remark(struct af_label_note *note, const char *fmt, ...)
{
	va_list args;

	if (note->why[0])
		return;
	va_start(args, fmt);
	(void)vsnprintf(note->why, sizeof note->why, fmt, args);
	va_end(args);
}
