/*
 * patch.c - a change to a disk as a value: a growing array of runs.
 *
 * Knows nothing of devices or tables: label makes patches, backup and commit
 * carry them out, review shows them.
 */
#include "afdisk/patch.h"

#include <stdlib.h>
#include <string.h>

#include "afdisk/text.h"

static unsigned char *copy_bytes(const unsigned char *from, af_bytes len)
{
	unsigned char *to = af_alloc((size_t)len, 1); /* len > 0 */

	memcpy(to, from, (size_t)len);
	return to;
}

void af_patch_add(struct af_patch *p, const struct af_run *run)
{
	p->run = af_realloc(p->run, p->n + 1, sizeof *p->run);
	p->run[p->n] = *run;
	p->run[p->n].before = copy_bytes(run->before, run->len);
	p->run[p->n].after = copy_bytes(run->after, run->len);
	p->n++;
}

af_bytes af_patch_bytes(const struct af_patch *p)
{
	af_bytes sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->run[i].len;
	return sum;
}

const struct af_run *af_patch_at(const struct af_patch *p, af_bytes at)
{
	for (size_t i = 0; i < p->n; i++)
		if (at >= p->run[i].at && at < p->run[i].at + p->run[i].len)
			return &p->run[i];
	return NULL;
}

void af_patch_release(struct af_patch *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->run[i].before);
		free(p->run[i].after);
	}
	free(p->run);
	*p = (struct af_patch){ 0 };
}
