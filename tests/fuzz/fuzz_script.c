/* An sfdisk script that nobody vouches for, on a disk that the first byte chooses: it is refused, or makes a sound table. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/script.h"
#include "fuzz.h"
#include "world.h"

#define CHAIN                                                                              \
	"2097152 512 dos 1 p1=63+204801,83 e3=304864+1000000,5 "                           \
	"l5=304927+100000,83,ebr=304864 l6=404990+200000,83,ebr=404927"

static const char *const disk_table[] = {
	"2097152 512 none",
	CHAIN,
	"2097152 512 gpt auto g1=2048+2048,linux,auto g3=8192+2048,linux,auto",
	"300 4096 dos 1 p1=63+20,83",
};

/* Types and UUIDs come from whoever knows them: here a number will do. */
static void resolve(struct af_script *s)
{
	for (size_t i = 0; i < s->nparts; i++) {
		const char *word = s->part[i].type_word;
		bool extended = word[0] == 'E' || word[0] == '5';
		s->part[i].type[0] = extended ? 5 : 0x83;
		if (!s->part[i].has_uuid)
			memcpy(s->part[i].uuid, &i, sizeof(i));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct world w;
	struct af_script script;
	struct af_layout out;
	struct af_text remarks = { 0 };
	struct af_err err;
	if (n < 1)
		return 0;
	world_make(&w, disk_table[data[0] % 4]);
	if (af_script_read((const char *)data + 1, n - 1, w.layout.sector_size, &script,
			   &remarks, &err)) {
		resolve(&script);
		if (af_script_layout(&script, &w.layout, &w.rules, &out, &remarks, &err)) {
			assert(af_layout_sound(&out, &err));
			af_layout_release(&out);
		}
		af_script_release(&script);
	}
	af_text_release(&remarks);
	world_release(&w);
	return 0;
}
