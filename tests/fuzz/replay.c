/*
 * The main() of a harness that libFuzzer does not drive: every file of the folder tests/fuzz/seeds/NAME, and a few thousand
 * mutations of each, so that a harness is compiled and fed on every run of the tests.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "gen.h"

#define INPUT_MAX 65536
#define MUTATIONS 300

static void mutate(struct gen *g, uint8_t *data, size_t n)
{
	for (uint64_t changes = 1 + gen_below(g, 8); changes > 0 && n > 0; changes--) {
		static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff, 0xee, 5 };
		size_t at = gen_below(g, n);
		data[at] = gen_below(g, 2) ? odd[gen_below(g, sizeof(odd))]
					   : (uint8_t)gen_below(g, 256);
	}
}

/* Feeds a file as it is, cut short, and changed. */
static int feed(const char *path, const char *name, int number)
{
	static uint8_t seed[INPUT_MAX], data[INPUT_MAX];
	struct gen g = { .state = 7 };
	FILE *f = fopen(path, "rbe");
	if (!f) {
		printf("not ok %d - %s\n", number, name);
		return 1;
	}
	size_t n = fread(seed, 1, sizeof(seed), f);
	(void)fclose(f);
	(void)LLVMFuzzerTestOneInput(seed, n);
	for (int i = 0; i < MUTATIONS; i++) {
		size_t cut = gen_below(&g, 4) ? n : gen_below(&g, n + 1);
		memcpy(data, seed, cut);
		mutate(&g, data, cut);
		(void)LLVMFuzzerTestOneInput(data, cut);
	}
	printf("ok %d - %s\n", number, name);
	return 0;
}

static int is_seed(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *program = slash ? slash + 1 : argv[0];
	char folder[256], path[600];
	(void)argc;
	(void)snprintf(folder, sizeof(folder), "tests/fuzz/seeds/%s",
		       strncmp(program, "fuzz_", 5) == 0 ? program + 5 : program);
	struct dirent **entry;
	int n = scandir(folder, &entry, is_seed, alphasort), bad = 0;
	for (int i = 0; i < n; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		bad += feed(path, entry[i]->d_name, i + 1);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	printf("1..%d\n", n > 0 ? n : 0);
	return bad || n <= 0;
}
