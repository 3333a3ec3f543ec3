/*
 * Undo and redo, as a row of whole layouts. step[0] is what the disk holds; step[at] is
 * what the person wants; what lies behind at was undone and can be done again until the
 * next push. The words of a step say what led to it from the one before.
 */
#include "afdisk/history.h"
#include "afdisk/text.h"
#include <stdlib.h>

struct step {
	struct af_layout layout;
	char *what;   /* NULL for the base */
	bool differs; /* from the base */
};

struct af_history {
	struct step *step;
	size_t n, room; /* n >= 1 */
	size_t at;      /* < n */
};

static void drop_from(struct af_history *h, size_t first)
{
	for (size_t i = first; i < h->n; i++) {
		af_layout_release(&h->step[i].layout);
		free(h->step[i].what);
	}
	h->n = first;
}

static void append(struct af_history *h, struct step step)
{
	if (h->n == h->room) {
		h->room = h->room != 0 ? 2 * h->room : 8;
		h->step = af_realloc(h->step, h->room, sizeof(*h->step));
	}
	h->step[h->n] = step;
	h->at = h->n++;
}

struct af_history *af_history_new(struct af_layout base)
{
	struct af_history *h = af_alloc(1, sizeof(*h));
	append(h, (struct step){ .layout = base });
	return h;
}

void af_history_free(struct af_history *h)
{
	if (h == NULL)
		return;
	drop_from(h, 0);
	free(h->step);
	free(h);
}

const struct af_layout *af_history_base(const struct af_history *h)
{
	return &h->step[0].layout;
}

const struct af_layout *af_history_now(const struct af_history *h)
{
	return &h->step[h->at].layout;
}

void af_history_push(struct af_history *h, struct af_layout next, const char *what)
{
	/* The copy comes first: what may be the words of a step that is dropped. */
	struct step step = { .layout = next,
			     .what = af_strdup(what),
			     .differs = !af_layout_equal(af_history_base(h), &next) };
	drop_from(h, h->at + 1);
	append(h, step);
}

const char *af_history_undo(struct af_history *h)
{
	return h->at > 0 ? h->step[h->at--].what : NULL;
}

const char *af_history_redo(struct af_history *h)
{
	return h->at + 1 < h->n ? h->step[++h->at].what : NULL;
}

size_t af_history_undos(const struct af_history *h)
{
	return h->at;
}

size_t af_history_redos(const struct af_history *h)
{
	return h->n - 1 - h->at;
}

bool af_history_dirty(const struct af_history *h)
{
	return h->step[h->at].differs;
}

void af_history_rebase(struct af_history *h, struct af_layout base)
{
	drop_from(h, 0);
	append(h, (struct step){ .layout = base });
}
