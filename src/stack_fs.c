/*
 * stack_fs.c - what the readers of file systems share. Numbers of a superblock are hostile: a layer must begin inside
 * the partition, and a size that is no number of bytes is unknown.
 */
#include "stack_fs.h"

bool af_stack_is_power(uint64_t n, uint64_t low, uint64_t high)
{
	return n >= low && n <= high && (n & (n - 1)) == 0;
}

bool af_stack_add_inside(const struct stack_window *w, struct stack_found *out,
			 const char *what, af_bytes offset, af_bytes unit)
{
	if (offset < 0 || offset >= af_span_size(w->span))
		return false;
	const size_t at = out->n;
	af_stack_add(out, what, offset, unit);
	if (out->n > at)
		out->layer[at].is_fs = true;
	return true;
}

void af_stack_size(struct stack_found *out, uint64_t count, af_bytes unit)
{
	af_bytes size;
	if (count <= INT64_MAX && af_mul((af_bytes)count, unit, &size))
		out->fs_size = size;
}
