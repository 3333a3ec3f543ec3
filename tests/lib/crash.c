/* crash.c - the states in which a drive may be when it loses power. */
#include "crash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

void crash_put(struct crash_log *log, int64_t at, const void *bytes, size_t len)
{
	struct crash_write w = { .at = at, .len = len, .epoch = log->epoch };

	w.bytes = need(malloc(len));
	memcpy(w.bytes, bytes, len);
	log->write = need(realloc(log->write, (log->n + 1) * sizeof(*log->write)));
	log->write[log->n++] = w;
}

void crash_flush(struct crash_log *log)
{
	log->epoch++;
}

struct crash_log crash_tear(const struct crash_log *log, size_t physical)
{
	struct crash_log out = { 0 };

	for (size_t i = 0; i < log->n; i++) {
		const struct crash_write *w = &log->write[i];

		out.epoch = w->epoch;
		for (size_t done = 0; done < w->len;) {
			size_t room = physical - ((size_t)w->at + done) % physical;
			size_t n = room < w->len - done ? room : w->len - done;

			crash_put(&out, w->at + (int64_t)done, w->bytes + done, n);
			done += n;
		}
	}
	out.epoch = log->epoch;
	return out;
}

void crash_release(struct crash_log *log)
{
	for (size_t i = 0; i < log->n; i++)
		free(log->write[i].bytes);
	free(log->write);
	*log = (struct crash_log){ 0 };
}

/* The states of one epoch: the writes [first, last) of the log. */
struct epoch {
	crash_visit_fn visit;
	void *ctx;
	bool *there;
	size_t first, last, tried;
};

static void try_it(struct epoch *e)
{
	e->visit(e->ctx, e->there);
	e->tried++;
}

static void set_all(struct epoch *e, bool value)
{
	for (size_t i = e->first; i < e->last; i++)
		e->there[i] = value;
}

/* Every subset but the empty one, which is the last state of the epoch before. */
static void try_all(struct epoch *e)
{
	size_t n = e->last - e->first;

	for (size_t mask = 1; mask < (size_t)1 << n; mask++) {
		for (size_t i = 0; i < n; i++)
			e->there[e->first + i] = mask >> i & 1;
		try_it(e);
	}
}

static void try_some(struct epoch *e)
{
	uint32_t dice = 1;

	set_all(e, false);
	for (size_t i = e->first; i + 1 < e->last; i++) {
		e->there[i] = true;
		try_it(e);
	}
	for (size_t i = e->first; i < e->last; i++) {
		set_all(e, false);
		e->there[i] = true;
		try_it(e);
		set_all(e, true);
		e->there[i] = false;
		try_it(e);
	}
	for (size_t k = 0; k < CRASH_DICE; k++) {
		for (size_t i = e->first; i < e->last; i++) {
			dice = dice * 1664525U + 1013904223U;
			e->there[i] = dice >> 31;
		}
		try_it(e);
	}
	set_all(e, true);
	try_it(e);
}

size_t crash_states(const struct crash_log *log, crash_visit_fn visit, void *ctx)
{
	struct epoch e = { .visit = visit, .ctx = ctx };

	e.there = need(calloc(log->n + 1, sizeof(*e.there)));
	try_it(&e);
	while (e.first < log->n) {
		e.last = e.first;
		while (e.last < log->n &&
		       log->write[e.last].epoch == log->write[e.first].epoch)
			e.last++;
		if (e.last - e.first <= CRASH_ALL)
			try_all(&e);
		else
			try_some(&e);
		set_all(&e, true);
		e.first = e.last;
	}
	free(e.there);
	return e.tried;
}
