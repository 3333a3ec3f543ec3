/** crash_bench.h - an image in a place of its own, opened, edited and judged, for the programs of this folder. */
#ifndef TESTS_CRASH_BENCH_H
#define TESTS_CRASH_BENCH_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "afdisk/session.h"
#include "disks.h"
#include "folder.h"

#define IMAGE "disk.img"

static char place[256];
static struct af_session_options options;

static inline int enter(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(place, sizeof(place), "%s/crash.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(place) || chdir(place) != 0)
		return -1;
	return setenv("XDG_STATE_HOME", place, 1);
}

static inline int leave(void **state)
{
	(void)state;
	return chdir("/") == 0 ? folder_remove(place) : -1;
}

/* A drive tears no logical sector. */
static inline size_t least(const char *disk)
{
	return strstr(disk, " 4096 ") ? 4096 : 512;
}

static inline struct af_session *open_image(void)
{
	struct af_err err = { 0 };
	struct af_session *s = af_session_open(IMAGE, &options, &err);

	if (!s)
		fail_msg("%s", err.text);
	return s;
}

/* Makes the image anew, and without logs. */
static inline void make_image(const char *disk)
{
	folder_remove("afdisk");
	disk_make(IMAGE, disk);
	options.overrides.has_sector_size = least(disk) == 4096;
	options.overrides.sector_size = 4096;
}

/* True if the partitions are those of l, whatever a GPT's other copy is like. */
static inline bool reads_as(struct af_session *s, const struct af_layout *l)
{
	struct af_layout seen = *af_session_base(s);

	seen.gpt = l->gpt;
	return af_layout_equal(&seen, l);
}

/* One restart, which settles what was interrupted that way. True if the disk holds one of the two tables then: the one at
 * that end if anything was interrupted. */
static inline bool settles(enum af_way way, const struct af_layout *old,
			   const struct af_layout *wanted)
{
	struct af_session *s = open_image();
	struct af_commit_report report;
	struct af_err err;
	bool good = !af_session_read_only(s) && (reads_as(s, old) || reads_as(s, wanted));

	if (af_session_unfinished(s))
		good = af_session_finish(s, way, &report, &err) &&
		       reads_as(s, way == AF_WAY_ON ? wanted : old) &&
		       !af_session_read_only(s);
	af_session_close(s);
	return good;
}
#endif
