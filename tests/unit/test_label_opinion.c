/*
 * The second opinion: libfdisk is asked about the very bytes, and a layout that they do not hold is told from one that
 * they do, by the number of the partition, as far as it is asked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../src/label_priv.h"
#include "afdisk/label.h"
#include "disks.h"
#include "folder.h"

static char place[4096], why[120];

/* A disk as a file, and what we read on it. */
struct asked {
	struct af_dev dev;
	struct af_layout l;
	int fd;
};

static void ask(struct asked *a, const char *words)
{
	struct af_label_note note;
	struct af_err err = { 0 };
	disk_make("disk.img", words);
	assert_true(af_dev_open("disk.img", &a->dev, &err));
	a->dev.sector_size = 512;
	assert_true(af_label_read(&a->dev, &a->l, &note, &err));
	assert_false(note.read_only);
	a->fd = open("disk.img", O_RDONLY | O_CLOEXEC);
	assert_true(a->fd >= 0);
}

static void done(struct asked *a)
{
	close(a->fd);
	af_layout_release(&a->l);
	af_dev_close(&a->dev);
	unlink("disk.img");
}

static bool agrees(const struct asked *a, uint32_t most)
{
	return af_fdisk_agrees(a->fd, &a->l, most, why, sizeof(why));
}

/* What is said of a partition that is not as the layout has it, and that it is not seen where it is not asked about. */
static void check_told(const struct asked *a, uint32_t number)
{
	char words[80];
	(void)snprintf(words, sizeof(words), "libfdisk reads partition %u differently",
		       (unsigned)number);
	assert_false(agrees(a, UINT32_MAX));
	assert_string_equal(why, words);
	assert_false(agrees(a, number));
	assert_true(agrees(a, number - 1));
}

static void check_each(const char *words)
{
	struct asked a;
	ask(&a, words);
	assert_true(agrees(&a, UINT32_MAX));
	for (size_t i = 0; i < a.l.nparts; i++) {
		struct af_part *part = &a.l.part[i];
		const struct af_part kept = *part;
		part->span.end -= 512;
		check_told(&a, kept.number);
		*part = kept;
		part->type[0] ^= 0x40;
		check_told(&a, kept.number);
		*part = kept;
		part->boot = !part->boot;
		if (a.l.scheme == AF_SCHEME_MBR)
			check_told(&a, kept.number);
		*part = kept;
		part->attrs ^= 4;
		if (a.l.scheme == AF_SCHEME_GPT)
			check_told(&a, kept.number);
		*part = kept;
	}
	assert_true(agrees(&a, UINT32_MAX));
	done(&a);
}

static void test_label_opinion__what_differs_is_told(void **state)
{
	(void)state;
	check_each("16384 512 dos 0x1234 p1=2048+2048,83,boot e2=4096+8192,5 "
		   "l5=4159+1000,83 l6=6207+1000,82 l7=8255+1000,83");
	check_each("16384 512 gpt 11111111-2222-4333-8444-555555555555 "
		   "g1=2048+2048,linux,auto g2=4096+2048,linux,auto");
}

static void test_label_opinion__one_too_few_is_told(void **state)
{
	struct asked a;
	(void)state;
	ask(&a, "16384 512 gpt 11111111-2222-4333-8444-555555555555 "
		"g1=2048+2048,linux,auto g2=4096+2048,linux,auto");
	a.l.nparts--;
	assert_false(agrees(&a, UINT32_MAX));
	assert_true(agrees(&a, 1));
	a.l.nparts++;
	done(&a);
}

static int enter(void **state)
{
	const char *tmp = getenv("TMPDIR");
	(void)state;
	(void)snprintf(place, sizeof(place), "%s/opinion.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(place) && chdir(place) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	return chdir("/") == 0 ? folder_remove(place) : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label_opinion__what_differs_is_told),
		cmocka_unit_test(test_label_opinion__one_too_few_is_told),
	};
	return cmocka_run_group_tests(tests, enter, leave);
}
