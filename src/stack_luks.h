/** stack_luks.h - the text of a LUKS2 header. */
#ifndef AFDISK_STACK_LUKS_H
#define AFDISK_STACK_LUKS_H
#include "stack_priv.h"

/** Adds each segment of a text of at most n bytes (JSON, ended by a zero); false if there is none, or one does not begin in room. */
bool af_stack_luks_segments(const char *text, size_t n, struct af_span room,
			    struct stack_found *out);
#endif
