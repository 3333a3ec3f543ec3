/*
 * session_probe.c - looking into the partitions, here and now or behind the screen. The thread behind the screen has a device of its
 * own, puts what it found into an array under a lock, and one byte into a pipe for each, so that a face can wait for it
 * beside the keyboard. When the session is closed, a thread that waits for a slow disk is not waited for: it frees
 * what it has when it comes to its end.
 */
#include "session_priv.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct af_content *find_unknown(struct af_session *s, uint32_t id)
{
	for (size_t i = 0; i < s->contents.n; i++)
		if (s->contents.item[i].id == id &&
		    s->contents.item[i].state == AF_CONTENT_UNKNOWN)
			return &s->contents.item[i];
	return NULL;
}

void af_session_probe_boot(struct af_session *s)
{
	if (!s->code.known)
		af_session_look_at_boot(&s->dev, &s->code);
}

void af_session_probe(struct af_session *s, uint32_t id)
{
	const struct af_layout *base = af_session_base(s);

	if (id == 0)
		af_session_probe_boot(s);
	for (size_t i = 0; i < base->nparts; i++) {
		const struct af_part *part = &base->part[i];
		struct af_content *c =
			id == 0 || part->id == id ? find_unknown(s, part->id) : NULL;

		if (c)
			af_session_look(&s->dev, base->scheme, part, c);
	}
}

/** Frees one whose thread is at its end. */
static void free_prober(struct prober *p)
{
	(void)pthread_mutex_destroy(&p->lock);
	(void)close(p->pipe[0]);
	(void)close(p->pipe[1]);
	for (size_t i = 0; i < p->n; i++)
		af_content_release(&p->job[i].found);
	free(p->job);
	free(p);
}

static void *probe_all(void *data)
{
	struct prober *p = data;
	bool orphan;
	struct af_dev dev;
	struct af_err err;
	bool open = af_dev_open(p->path, &dev, &err);

	if (open) {
		dev.size = p->size < dev.size ? p->size : dev.size;
		dev.sector_size = p->sector_size;
		af_session_look_at_boot(&dev, &p->code);
	}
	for (size_t i = 0; i < p->n; i++) {
		bool stop;

		(void)pthread_mutex_lock(&p->lock);
		stop = p->stop;
		(void)pthread_mutex_unlock(&p->lock);
		if (stop)
			break;
		p->job[i].found.state = AF_CONTENT_UNREADABLE;
		if (open)
			af_session_look(&dev, p->scheme, &p->job[i].part, &p->job[i].found);
		(void)pthread_mutex_lock(&p->lock);
		p->done = i + 1;
		(void)pthread_mutex_unlock(&p->lock);
		if (write(p->pipe[1], "", 1) < 0)
			continue; /* full: then it is readable already, which is all that counts */
	}
	if (open)
		af_dev_close(&dev);
	(void)pthread_mutex_lock(&p->lock);
	p->ended = true;
	orphan = p->orphan;
	(void)pthread_mutex_unlock(&p->lock);
	if (orphan)
		free_prober(p);
	return NULL;
}

/** Ends the thread; a wait for a disk is waited for only if that is wanted, and else the thread is left to itself. */
static void close_prober(struct af_session *s, bool wait)
{
	struct prober *p = s->maybe_prober;

	if (!p)
		return;
	s->maybe_prober = NULL;
	(void)pthread_mutex_lock(&p->lock);
	p->stop = true;
	p->orphan = !wait && !p->ended;
	wait = !p->orphan;
	(void)pthread_mutex_unlock(&p->lock);
	if (wait) {
		(void)pthread_join(p->thread, NULL);
		free_prober(p);
	}
}

static void list_jobs(struct af_session *s, struct prober *p)
{
	const struct af_layout *base = af_session_base(s);

	p->scheme = base->scheme;
	p->job = af_alloc(base->nparts, sizeof(*p->job));
	for (size_t i = 0; i < base->nparts; i++)
		if (find_unknown(s, base->part[i].id)) {
			p->job[p->n].part = base->part[i];
			p->job[p->n++].found.id = base->part[i].id;
		}
}

/** Starts the thread with all signals blocked: they belong to the one that draws. */
static bool start_thread(struct prober *p)
{
	sigset_t all, old;
	bool started;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	started = pthread_create(&p->thread, NULL, probe_all, p) == 0;
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	return started;
}

void af_session_probe_start(struct af_session *s)
{
	struct prober *p;

	s->wants_probing = true;
	if (s->maybe_prober)
		return;
	p = af_alloc(1, sizeof(*p));
	list_jobs(s, p);
	if (p->n == 0 || pipe2(p->pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
		free(p->job);
		free(p);
		return;
	}
	(void)snprintf(p->path, sizeof(p->path), "%s", s->dev.path);
	p->size = s->dev.size;
	p->sector_size = s->dev.sector_size;
	(void)pthread_mutex_init(&p->lock, NULL);
	if (start_thread(p))
		s->maybe_prober = p;
	else
		free_prober(p);
}

int af_session_probe_fd(const struct af_session *s)
{
	return s->maybe_prober ? s->maybe_prober->pipe[0] : -1;
}

bool af_session_probe_take(struct af_session *s)
{
	struct prober *p = s->maybe_prober;
	bool changed = false;
	char bytes[64];
	ssize_t got;
	size_t done;

	if (!p)
		return false;
	do
		got = read(p->pipe[0], bytes, sizeof(bytes));
	while (got > 0);
	(void)pthread_mutex_lock(&p->lock);
	done = p->done;
	(void)pthread_mutex_unlock(&p->lock);
	if (done > 0 && !s->code.known)
		s->code = p->code;
	for (; p->taken < done; p->taken++) {
		struct af_content *found = &p->job[p->taken].found;
		struct af_content *c = find_unknown(s, found->id);

		if (c) {
			*c = *found;
			*found = (struct af_content){ .id = c->id };
		}
		changed = changed || c;
	}
	if (p->taken == p->n)
		close_prober(s, true); /* the thread is at its end: nothing to wait for */
	return changed;
}

void af_session_stop_probing(struct af_session *s)
{
	(void)af_session_probe_take(s);
	close_prober(s, true);
}

void af_session_leave_prober(struct af_session *s)
{
	close_prober(s, false);
}
