/*
 * memdev.c - a disk in memory for tests. It does what it is told at once: caches and power cuts are not its matter.
 */
#include "memdev.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "disks.h"

static void need(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

/* Counts a request; true if this one is to fail. */
static bool fails(const struct memdev *m, uint64_t *count, uint64_t failing)
{
	++*count;
	return failing && (*count == failing || (m->fail_on && *count > failing));
}

static bool mem_read(void *self, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	struct memdev *m = self;

	if (fails(m, &m->reads, m->fail_read))
		return af_fail_sys(err, EIO, "cannot read %zu bytes at byte %lld", n,
				   (long long)at);
	memdev_peek(m, at, buf, n);
	return true;
}

static bool mem_write(void *self, af_bytes at, const void *buf, size_t n,
		      struct af_err *err)
{
	struct memdev *m = self;

	if (fails(m, &m->writes, m->fail_write))
		return af_fail_sys(err, EIO, "cannot write %zu bytes at byte %lld", n,
				   (long long)at);
	memdev_poke(m, at, buf, n);
	return true;
}

static bool mem_flush(void *self, struct af_err *err)
{
	struct memdev *m = self;

	if (fails(m, &m->flushes, m->fail_flush))
		return af_fail_sys(err, EIO, "cannot flush");
	return true;
}

static bool mem_forget(void *self, af_bytes at, size_t n, struct af_err *err)
{
	struct memdev *m = self;

	(void)at;
	(void)n;
	(void)err;
	m->forgets++;
	return true;
}

static void mem_close(void *self)
{
	struct memdev *m = self;

	close(m->fd);
	m->fd = -1;
}

void memdev_open(struct memdev *m, af_bytes size, uint32_t sector_size)
{
	static const struct af_dev_ops ops = {
		.read = mem_read,
		.write = mem_write,
		.flush = mem_flush,
		.forget = mem_forget,
		.close = mem_close,
	};

	*m = (struct memdev){
		.dev = { .ops = &ops,
			 .self = m,
			 .size = size,
			 .sector_size = sector_size,
			 .is_file = true,
			 .writable = true,
			 .path = "/dev/mem0" },
		.fd = memfd_create("memdev", MFD_CLOEXEC),
	};
	need(m->fd >= 0 && ftruncate(m->fd, size) == 0, "memdev");
}

static bool put_words(void *ctx, uint64_t at, const void *bytes, size_t n)
{
	memdev_poke(ctx, (af_bytes)at, bytes, n);
	return true;
}

void memdev_make(struct memdev *m, const char *words)
{
	struct disk *d = calloc(1, sizeof *d); /* large */
	char why[DISK_WHY];

	need(d != NULL, "memdev");
	if (!disk_read_words(words, d, why)) {
		fprintf(stderr, "memdev: %s\n", why);
		abort();
	}
	memdev_open(m, (af_bytes)(d->sectors * d->sector_size), d->sector_size);
	if (!disk_put(d, put_words, m, why)) {
		fprintf(stderr, "memdev: %s\n", why);
		abort();
	}
	free(d);
}

void memdev_close(struct memdev *m)
{
	if (m->fd >= 0)
		close(m->fd);
	*m = (struct memdev){ .fd = -1 };
}

void memdev_peek(const struct memdev *m, af_bytes at, void *buf, size_t n)
{
	need(pread(m->fd, buf, n, at) == (ssize_t)n, "memdev: read beyond the disk");
}

void memdev_poke(const struct memdev *m, af_bytes at, const void *buf, size_t n)
{
	need(at + (af_bytes)n <= m->dev.size && pwrite(m->fd, buf, n, at) == (ssize_t)n,
	     "memdev: write beyond the disk");
}

bool memdev_next(const struct memdev *m, af_bytes *at, void *buf)
{
	const af_bytes size = m->dev.sector_size, end = m->dev.size / size * size;
	const off_t data = *at < end ? lseek(m->fd, *at, SEEK_DATA) : -1;

	if (data < 0 || data >= end)
		return false;
	*at = data / size * size;
	memdev_peek(m, *at, buf, (size_t)size);
	return true;
}

void memdev_copy(const struct memdev *m, struct memdev *copy)
{
	unsigned char sector[4096];
	const af_bytes size = m->dev.sector_size;

	memdev_open(copy, m->dev.size, m->dev.sector_size);
	for (af_bytes at = 0; memdev_next(m, &at, sector); at += size)
		memdev_poke(copy, at, sector, (size_t)size);
}

bool memdev_changed_as(const struct memdev *is, const struct memdev *was,
		       const struct af_patch *p)
{
	unsigned char now[4096], before[4096];
	const uint32_t size = is->dev.sector_size;

	for (af_bytes at = 0; memdev_next(is, &at, now); at += size) {
		memdev_peek(was, at, before, size);
		if (memcmp(now, before, size) != 0 && !af_patch_at(p, at))
			return false;
	}
	return true;
}

void memdev_apply(const struct memdev *m, const struct af_patch *p)
{
	for (size_t i = 0; i < p->n; i++)
		memdev_poke(m, p->run[i].at, p->run[i].after, (size_t)p->run[i].len);
}
