/* Edit commands in text that nobody vouches for, on a disk with both kinds of partition: what they leave is sound. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/command.h"
#include "fuzz.h"
#include "world.h"

#define DISK                                                                               \
	"4194304 512 dos 1 p1=63+204801,83 p2=204864+100000,83 e3=304864+1000000,5 "       \
	"l5=304927+100000,83,ebr=304864 l6=404990+200000,83,ebr=404927"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct world w;
	struct af_err err;
	char *text = malloc(n + 1);
	assert(text);
	memcpy(text, data, n);
	text[n] = '\0';
	world_make(&w, DISK);
	(void)world_run(&w, text, &err);
	assert(af_layout_sound(&w.layout, &err));
	world_release(&w);
	free(text);
	return 0;
}
