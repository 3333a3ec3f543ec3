/* Random runs of edit commands, sensible and not, on random disks, through the session and over image files: what is
 * wanted is always sound, a refusal changes nothing, undo and redo are exact, and what is written is read back.
 * SEED=n repeats a run, ROUNDS=n makes it longer. */
#include "afdisk/session.h"

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "afdisk/text.h"
#include "disks.h"
#include "folder.h"
#include "gen.h"
#include "memdev.h"

#define ROUNDS   300
#define COMMANDS 25 /* at most, in one round */

static char root[200], image[240];
static struct gen g;
static uint64_t seed;

static const char *pick(const char *const *word, size_t n)
{
	return word[gen_below(&g, n)];
}

#define PICK(...)                                                                          \
	pick((const char *const[]){ __VA_ARGS__ },                                         \
	     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static void add_dos(struct af_text *t, uint64_t sectors)
{
	uint64_t at = gen_below(&g, 2) ? 63 : 2048, ebr;

	af_text_add(t, " dos 0x%08x%s", (unsigned)gen_between(&g, 1, UINT32_MAX),
		    gen_below(&g, 2) ? " boot-code" : "");
	for (unsigned n = 1; n <= gen_below(&g, 4); n++) {
		uint64_t count = gen_between(&g, 1, sectors / 8);

		af_text_add(t, " p%u=%" PRIu64 "+%" PRIu64 ",%s", n, at, count,
			    PICK("83", "82", "7", "c", "83,boot"));
		at += count + gen_below(&g, 3000);
	}
	if (gen_below(&g, 3) == 0 || at + 20000 > sectors)
		return;
	af_text_add(t, " e4=%" PRIu64 "+%" PRIu64 ",%s", at,
		    sectors - at - gen_below(&g, 5000), PICK("5", "f"));
	ebr = at;
	for (unsigned n = 5; n <= 5 + gen_below(&g, 6); n++) {
		uint64_t gap = gen_below(&g, 3) == 0 ? gen_between(&g, 1, 100) : 63;
		uint64_t count = gen_between(&g, 1, sectors / 16);

		if (gen_below(&g, 3) == 0)
			gap = 2048;
		if (ebr + gap + count + 6000 > sectors)
			break;
		af_text_add(t, " l%u=%" PRIu64 "+%" PRIu64 ",83,ebr=%" PRIu64, n, ebr + gap,
			    count, ebr);
		ebr += gap + count + (gen_below(&g, 2) ? gen_below(&g, 5000) : 0);
	}
}

static void add_gpt(struct af_text *t, uint64_t sectors)
{
	uint64_t at = gen_below(&g, 2) ? 2048 : 40;

	af_text_add(t, " gpt af000000-0000-4000-8000-0000%08x",
		    (unsigned)gen_below(&g, UINT32_MAX));
	for (unsigned n = 1; n <= gen_below(&g, 9); n++) {
		uint64_t count = gen_between(&g, 1, sectors / 9);

		if (at + count + 64 > sectors)
			break;
		af_text_add(t, " g%u=%" PRIu64 "+%" PRIu64 ",%s,auto,part%u", n, at, count,
			    PICK("linux", "efi"), n);
		at += count + gen_below(&g, 3000);
	}
}

/** A random disk of that sector size in the words of disks.h; at most one of its primaries is active. */
static void make_disk(uint32_t sector_size)
{
	struct af_text t = { 0 };
	uint64_t sectors = gen_between(&g, 40000, 400000);
	char *boot;

	af_text_add(&t, "%" PRIu64 " %u", sectors, sector_size);
	if (gen_below(&g, 12) == 0)
		af_text_add(&t, " none");
	else if (gen_below(&g, 2))
		add_dos(&t, sectors);
	else
		add_gpt(&t, sectors);
	boot = strstr(t.data, ",boot ");
	while (boot && (boot = strstr(boot + 1, ",boot")))
		memmove(boot, boot + 5, strlen(boot + 5) + 1);
	disk_make(image, af_text_get(&t));
	af_text_release(&t);
}

static void add_size(struct af_text *t)
{
	switch (gen_below(&g, 6)) {
	case 0:
		af_text_add(t, "%" PRIu64 "s", gen_below(&g, 500000));
		break;
	case 1:
		af_text_add(t, "%" PRIu64 "M", gen_below(&g, 60));
		break;
	case 2:
		af_text_add(t, "%" PRIu64 "%%", gen_below(&g, 120));
		break;
	case 3:
		af_text_add(t, "%s%" PRIu64 "K", PICK("+", "-"), gen_below(&g, 20000));
		break;
	case 4:
		af_text_add(t, "max");
		break;
	default:
		af_text_add(t, "%s",
			    PICK("0", "1", "1.5M", "63", "2048", "-1", "99P", "x", "1MB"));
		break;
	}
}

static void add_edge(struct af_text *t, const char *name)
{
	af_text_add(t, " %s=", name);
	add_size(t);
}

static void add_want(struct af_text *t)
{
	if (gen_below(&g, 2))
		add_edge(t, "start");
	if (gen_below(&g, 3))
		add_edge(t, gen_below(&g, 2) ? "size" : "end");
}

/** The number of a partition; mostly one that is there. */
static unsigned number(const struct af_session *s)
{
	const struct af_layout *now = af_session_disk(s).layout;

	if (now->nparts == 0 || gen_below(&g, 10) == 0)
		return (unsigned)gen_below(&g, 12);
	return now->part[gen_below(&g, now->nparts)].number;
}

static void add_small(struct af_text *t, const struct af_session *s)
{
	unsigned n = number(s);

	switch (gen_below(&g, 6)) {
	case 0:
		af_text_add(t, "type %u %s", n,
			    PICK("swap", "linux", "83", "5", "f", "uefi", "0"));
		break;
	case 1:
		af_text_add(t, "boot %u %s", n, PICK("on", "off"));
		break;
	case 2:
		af_text_add(t, "name %u %s", n,
			    PICK("a", "'two words'", "''", "\xc3\xa4\xc3\xb6"));
		break;
	case 3:
		af_text_add(t, "uuid %u af000000-0000-4000-8000-%012" PRIx64, n,
			    gen_below(&g, 20));
		break;
	case 4:
		af_text_add(t, "attr %u %s %s", n,
			    PICK("0", "2", "63", "64", "RequiredPartition"),
			    PICK("on", "off"));
		break;
	default:
		af_text_add(t, "%s",
			    PICK("sort", "repair", "label gpt", "label dos", "rubbish",
				 "delete", "new x", "label", "sort; sort; delete 99",
				 "undo; undo; undo"));
		break;
	}
}

/** One random command, or a few. */
static void add_command(struct af_text *t, const struct af_session *s)
{
	const char *only = PICK("", "", " table-only");

	switch (gen_below(&g, 8)) {
	case 0:
	case 1:
	case 2:
		af_text_add(t, "new%s",
			    PICK("", "", " primary", " logical", " logical", " extended"));
		add_want(t);
		break;
	case 3:
		af_text_add(t, "delete %u", number(s));
		break;
	case 4:
		af_text_add(t, "resize %u", number(s));
		add_want(t);
		af_text_add(t, "%s", only);
		break;
	case 5:
		af_text_add(t, "move %u", number(s));
		add_edge(t, "start");
		af_text_add(t, "%s", only);
		break;
	case 6:
		if (gen_below(&g, 4) == 0)
			af_text_add(t, "align all%s", only);
		else
			af_text_add(t, "align %u%s", number(s), only);
		break;
	default:
		add_small(t, s);
		break;
	}
}

static char last_command[400];

/* Fails with all that is needed to see it again. */
#define HOLDS(condition, why)                                                              \
	do {                                                                               \
		if (!(condition))                                                          \
			fail_msg("SEED=%" PRIu64 ": after \"%s\": not " #condition ": %s", \
				 seed, last_command, why);                                 \
	} while (0)

/** A refusal has a code and a sentence, and changes nothing. */
static void check_refusal(const struct af_session *s, const struct af_layout *before,
			  const struct af_err *err)
{
	HOLDS(err->code != AF_OK && err->code != AF_E_PARTIAL, err->text);
	HOLDS(strncmp(err->text, "command ", 8) == 0 && strlen(err->text) > 12, err->text);
	HOLDS(err->text[strlen(err->text) - 1] != '.', err->text);
	HOLDS(af_layout_equal(af_session_disk(s).layout, before), err->text);
}

static void check_command(struct af_session *s)
{
	struct af_err err = { 0 };
	struct af_layout before;
	struct af_text t = { 0 };
	bool done;

	add_command(&t, s);
	(void)snprintf(last_command, sizeof(last_command), "%s", af_text_get(&t));
	af_layout_copy(af_session_disk(s).layout, &before);
	done = af_session_run(s, af_text_get(&t), &err);
	if (!done)
		check_refusal(s, &before, &err);
	HOLDS(af_session_disk(s).layout->scheme == AF_SCHEME_NONE ||
		      af_layout_sound(af_session_disk(s).layout, &err),
	      err.text);
	af_layout_release(&before);
	af_text_release(&t);
}

static void check_undo(struct af_session *s)
{
	struct af_layout last;
	size_t steps = 0, again = 0;

	af_layout_copy(af_session_disk(s).layout, &last);
	while (af_session_undo(s))
		steps++;
	HOLDS(af_layout_equal(af_session_disk(s).layout, af_session_base(s)), "undo");
	HOLDS(!af_session_modified(s), "undo");
	for (; again < steps && !af_layout_equal(af_session_disk(s).layout, &last); again++)
		HOLDS(af_session_redo(s), "redo");
	HOLDS(af_layout_equal(af_session_disk(s).layout, &last), "redo");
	af_layout_release(&last);
}

/* The image as a disk in memory. */
static void open_image(struct memdev *m, uint32_t sector_size)
{
	struct stat st = { 0 };

	*m = (struct memdev){ .fd = open(image, O_RDONLY | O_CLOEXEC) };
	HOLDS(m->fd >= 0 && fstat(m->fd, &st) == 0, "the image");
	m->dev.size = st.st_size;
	m->dev.sector_size = sector_size;
}

static void write_as_planned(struct af_session *s, uint32_t sector_size)
{
	struct af_commit_report report;
	struct af_err err = { 0 };
	struct af_patch plan = { 0 };
	struct memdev m, was;

	open_image(&m, sector_size);
	memdev_copy(&m, &was);
	if (af_session_modified(s))
		HOLDS(af_session_patch(s, &plan, &err), err.text);
	HOLDS(af_session_write(s, &report, &err), err.text);
	HOLDS(memdev_changed_as(&m, &was, &plan), "a sector outside the plan changed");
	af_patch_release(&plan);
	memdev_close(&was);
	memdev_close(&m);
}

static void check_write(struct af_session *s, const struct af_session_options *o)
{
	struct af_err err = { 0 };
	struct af_layout wanted;
	struct af_session *again;
	bool table = af_session_disk(s).layout->scheme != AF_SCHEME_NONE;

	af_layout_copy(af_session_disk(s).layout, &wanted);
	write_as_planned(s, af_session_base(s)->sector_size);
	HOLDS(!af_session_modified(s), "write");
	again = af_session_open(image, o, &err);
	HOLDS(again, err.text);
	HOLDS(af_layout_equal(af_session_base(again), &wanted), "write");
	HOLDS(!table || !af_session_read_only(again), af_session_read_only(again));
	af_session_close(again);
	af_layout_release(&wanted);
}

static void check_round(void)
{
	struct af_session_options o = { .exact = gen_below(&g, 4) == 0 };
	uint32_t sector_size = gen_below(&g, 4) ? 512 : 4096;
	uint64_t commands = gen_between(&g, 1, COMMANDS);
	struct af_err err = { 0 };
	struct af_session *s;

	make_disk(sector_size);
	o.overrides.has_sector_size = true;
	o.overrides.sector_size = sector_size;
	s = af_session_open(image, &o, &err);
	last_command[0] = '\0';
	HOLDS(s, err.text);
	HOLDS(!af_session_read_only(s), af_session_read_only(s));
	for (uint64_t i = 0; i < commands; i++)
		check_command(s);
	check_undo(s);
	check_write(s, &o);
	af_session_close(s);
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : otherwise;
}

static void prop_session__any_edits_stay_sound_and_are_written_as_wanted(void **state)
{
	uint64_t rounds = from_environment("ROUNDS", ROUNDS);
	uint64_t first = from_environment("SEED", (uint64_t)time(NULL) * 1000);

	(void)state;
	print_message("SEED=%" PRIu64 "\n", first);
	for (uint64_t i = 0; i < rounds; i++) {
		seed = first + i;
		g = (struct gen){ seed };
		check_round();
	}
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-prop-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	return setenv("XDG_STATE_HOME", root, 1);
}

static int teardown(void **state)
{
	(void)state;
	return folder_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			prop_session__any_edits_stay_sound_and_are_written_as_wanted, setup,
			teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
