/*
 * bench.c - afdisk beside cfdisk, sfdisk and parted on the same images, in turn (A B, B A, ...), so that the drift of a
 * noisy machine cancels out: what counts is the median of the ratios pair by pair. Read requests of a cold disk are counted
 * on a loop device where the machine lets us have one.
 *
 *   AFDISK=program bench [PAIRS]
 */
#include "disks.h"
#include "samples.h"
#include "terminal.h"
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAIRS_MAX 101
#define KEYS      60
#define BARE_KEYS 16 /* bytes do not drift */
#define COLD_RUNS 5
#define DOWN      "\033OB"
#define TOLERATED 1.15 /* beyond this a ratio is not noise any more */

/* What looking into file systems may cost beside blkid -p, which only names them. */
#define CONTENTS       12
#define CONTENTS_TIME  1.5
#define CONTENTS_BYTES 2.0

enum measure {
	FRAME,
	KEY,
	PEAK,
	KEY_BYTES,
	BARE_BYTES,
	FRAME_REQUESTS,
	KEY_REQUESTS,
	MEASURES
};

static const char *const measure_name[MEASURES] = {
	[FRAME] = "first frame, us",
	[KEY] = "Down key to screen, us",
	[PEAK] = "peak memory, KiB",
	[KEY_BYTES] = "bytes to the terminal per Down key",
	[BARE_BYTES] = "... and with the lens hidden",
	[FRAME_REQUESTS] = "read requests before the first frame, cold, fewest of 5",
	[KEY_REQUESTS] = "read requests per Down key, cold",
};

static bool within_limits = true;

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(const double *value, size_t n)
{
	double sorted[PAIRS_MAX * KEYS];
	memcpy(sorted, value, n * sizeof(*value));
	qsort(sorted, n, sizeof(*sorted), by_value);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* The state of one loop device; stat is empty where the machine has none for us. */
struct disk_device {
	char path[64], stat[96];
	int fd;
};

static void device_open(struct disk_device *d, const char *image)
{
	*d = (struct disk_device){ .fd = -1 };
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
	if (control >= 0)
		(void)close(control);
	if (number < 0)
		return;
	(void)snprintf(d->path, sizeof(d->path), "/dev/loop%d", number);
	int file = open(image, O_RDWR | O_CLOEXEC);
	d->fd = open(d->path, O_RDWR | O_CLOEXEC);
	if (d->fd >= 0 && file >= 0 && ioctl(d->fd, LOOP_SET_FD, file) == 0)
		(void)snprintf(d->stat, sizeof(d->stat), "/sys/block/loop%d/stat", number);
	if (file >= 0)
		(void)close(file);
}

static void device_close(struct disk_device *d)
{
	if (d->stat[0])
		(void)ioctl(d->fd, LOOP_CLR_FD, 0);
	if (d->fd >= 0)
		(void)close(d->fd);
}

/* A program, and the words that end its first frame on a given disk. */
struct editor {
	const char *program, *marker;
	const char *maybe_hide; /* the keys that hide the lens */
};

/* The bytes of each key of a walk up and down; us[] gets its time. Returns the read requests. */
static double walk(struct terminal *p, int keys, double *us, double *bytes)
{
	double requests = 0;
	for (int i = 0; i < keys; i++) {
		const char *key = i % 12 < 6 ? DOWN : "\033OA"; /* the seed has 7 rows */
		struct answer a = terminal_send(p, key, 15);
		us[i] = (double)a.ns / 1000;
		bytes[i] = (double)a.bytes;
		requests += (double)a.requests;
	}
	return requests;
}

/* Runs one editor once and fills got[]. */
static void run_editor(const struct editor *editor, const char *disk,
		       const char *maybe_stat, double got[MEASURES])
{
	char *argv[] = { strdup(editor->program), strdup(disk), NULL };
	struct terminal p;
	terminal_start(&p, argv, maybe_stat);
	struct answer a = terminal_first(&p, editor->marker);
	terminal_settle(&p, 250);
	got[FRAME] = (double)a.ns / 1000;
	got[FRAME_REQUESTS] = (double)a.requests;
	double us[KEYS], bytes[KEYS];
	got[KEY_REQUESTS] = walk(&p, KEYS, us, bytes) / KEYS;
	got[KEY] = median(us, KEYS);
	got[KEY_BYTES] = got[BARE_BYTES] = median(bytes, KEYS);
	if (editor->maybe_hide) {
		(void)terminal_send(&p, editor->maybe_hide, 15);
		(void)walk(&p, BARE_KEYS, us, bytes);
		got[BARE_BYTES] = median(bytes, BARE_KEYS);
	}
	got[PEAK] = (double)terminal_peak_kib(&p);
	terminal_stop(&p);
	free(argv[0]);
	free(argv[1]);
}

struct column {
	double value[PAIRS_MAX];
};

static void print_row(const char *what, const char *disk, const struct column *ours,
		      const struct column *theirs, size_t n)
{
	double ratio[PAIRS_MAX];
	for (size_t i = 0; i < n; i++)
		ratio[i] = theirs->value[i] > 0 ? ours->value[i] / theirs->value[i] : 0;
	double r = median(ratio, n);
	printf("%-12s %-56s %10.1f %10.1f %8.2f\n", disk, what, median(ours->value, n),
	       median(theirs->value, n), r);
	(void)fflush(stdout);
}

static void gate_at(double limit, const char *what, const struct column *ours,
		    const struct column *theirs, size_t n)
{
	double ratio[PAIRS_MAX];
	for (size_t i = 0; i < n; i++)
		ratio[i] = ours->value[i] / theirs->value[i];
	if (median(ratio, n) <= limit)
		return;
	printf("over the limit: %s\n", what);
	within_limits = false;
}

static void gate(const char *what, const struct column *ours, const struct column *theirs,
		 size_t n)
{
	gate_at(TOLERATED, what, ours, theirs, n);
}

static void compare_editors(const struct editor editor[2], const char *preset, size_t pairs)
{
	struct column ours[MEASURES], theirs[MEASURES];
	double got[MEASURES];
	disk_make("bench.img", preset);
	for (size_t i = 0; i < pairs; i++)
		for (size_t turn = 0; turn < 2; turn++) {
			bool mine = (i + turn) % 2 == 0;
			run_editor(&editor[mine ? 0 : 1], "bench.img", NULL, got);
			for (size_t m = 0; m < MEASURES; m++)
				(mine ? ours : theirs)[m].value[i] = got[m];
		}
	for (size_t m = FRAME; m <= BARE_BYTES; m++)
		print_row(measure_name[m], preset, &ours[m], &theirs[m], pairs);
	for (size_t m = FRAME; m <= PEAK; m++)
		gate(measure_name[m], &ours[m], &theirs[m], pairs);
	if (strcmp(preset, "seed") == 0)
		return; /* its free space alone is most of a row of cells */
	gate_at(2.0, measure_name[KEY_BYTES], &ours[KEY_BYTES], &theirs[KEY_BYTES], pairs);
	gate_at(1.0, measure_name[BARE_BYTES], &ours[BARE_BYTES], &theirs[BARE_BYTES],
		pairs);
}

/* Looking into partitions begins right behind the first frame, so that a count may be taken too late, never too early. */
static void keep_fewest(struct column *c)
{
	for (size_t i = 1; i < COLD_RUNS; i++)
		if (c->value[i] < c->value[0])
			c->value[0] = c->value[i];
	for (size_t i = 1; i < COLD_RUNS; i++)
		c->value[i] = c->value[0];
}

/* A few cold runs on a loop device: requests do not drift. */
static void compare_requests(const struct editor editor[2], const char *preset)
{
	struct column ours[MEASURES], theirs[MEASURES];
	double got[MEASURES];
	struct disk_device d;
	disk_make("bench.img", preset);
	device_open(&d, "bench.img");
	for (size_t i = 0; i < COLD_RUNS && d.stat[0]; i++)
		for (size_t turn = 0; turn < 2; turn++) {
			(void)ioctl(d.fd, BLKFLSBUF, 0);
			run_editor(&editor[turn], d.path, d.stat, got);
			for (size_t m = 0; m < MEASURES; m++)
				(turn ? theirs : ours)[m].value[i] = got[m];
		}
	if (d.stat[0]) {
		keep_fewest(&ours[FRAME_REQUESTS]);
		keep_fewest(&theirs[FRAME_REQUESTS]);
		for (size_t m = FRAME_REQUESTS; m < MEASURES; m++)
			print_row(measure_name[m], preset, &ours[m], &theirs[m], COLD_RUNS);
	}
	if (!d.stat[0])
		printf("%-12s no loop device here: read requests were not counted\n",
		       preset);
	device_close(&d);
}

/* The bytes that a process which has ended, and was not waited for yet, has read: files, from the cache or not. */
static double bytes_read(pid_t pid)
{
	char path[64], line[100];
	double n = 0;
	(void)snprintf(path, sizeof(path), "/proc/%d/io", (int)pid);
	FILE *io = fopen(path, "re");
	while (io && fgets(line, sizeof(line), io))
		if (strncmp(line, "rchar: ", 7) == 0)
			n = strtod(line + 7, NULL);
	if (io)
		(void)fclose(io);
	return n;
}

/* Wall time of a command in us; *maybe_bytes is what it read. */
static double run_counted(const char *const *argv, double *maybe_bytes)
{
	int64_t since = terminal_now();
	pid_t pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);
		(void)dup2(null, 1);
		(void)dup2(null, 2);
		char *copy[32] = { NULL };
		for (size_t i = 0; argv[i] && i < 31; i++)
			copy[i] = strdup(argv[i]);
		execvp(copy[0], copy);
		_exit(127);
	}
	int status = 0;
	siginfo_t info;
	bool ended = pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0;
	double us = (double)(terminal_now() - since) / 1000;
	if (ended && maybe_bytes)
		*maybe_bytes = bytes_read(pid);
	if (!ended || waitpid(pid, &status, 0) < 0 || status != 0)
		printf("%s ended with status %d\n", argv[0], WEXITSTATUS(status));
	return us;
}

/* Wall time of a command in us. */
static double run_command(const char *const *argv)
{
	return run_counted(argv, NULL);
}

static void compare_commands(const char *what, const char *preset, const char *const *ours,
			     const char *const *theirs, size_t pairs, bool gated)
{
	struct column a, b;
	disk_make("bench.img", preset);
	for (size_t i = 0; i < pairs; i++)
		for (size_t turn = 0; turn < 2; turn++)
			if ((i + turn) % 2)
				b.value[i] = run_command(theirs);
			else
				a.value[i] = run_command(ours);
	print_row(what, preset, &a, &b, pairs);
	if (gated)
		gate(what, &a, &b, pairs);
}

/* One change, log and syncs included, on an image of its own for each; each is taken back by the next one. */
static void compare_write(const char *what, const char *preset, const char *const *ours[2],
			  const char *const *theirs[2], size_t pairs)
{
	struct column a, b;
	disk_make("bench.img", preset);
	disk_make("other.img", preset);
	for (size_t i = 0; i < pairs; i++)
		for (size_t turn = 0; turn < 2; turn++)
			if ((i + turn) % 2)
				b.value[i] = run_command(theirs[i % 2]);
			else
				a.value[i] = run_command(ours[i % 2]);
	print_row(what, preset, &a, &b, pairs);
}

static void compare_writes(const char *afdisk, size_t pairs)
{
	const char *off[] = {
		afdisk, "--edit", "boot 1 off", "--write", "bench.img", NULL
	};
	const char *on[] = { afdisk, "--edit", "boot 1 on", "--write", "bench.img", NULL };
	const char *second[] = {
		"sfdisk", "--no-tell-kernel", "-A", "other.img", "2", NULL
	};
	const char *first[] = {
		"sfdisk", "--no-tell-kernel", "-A", "other.img", "1", NULL
	};
	const char *left[] = { afdisk,    "--edit",    "name 64 left",
			       "--write", "bench.img", NULL };
	const char *right[] = { afdisk,    "--edit",    "name 64 right",
				"--write", "bench.img", NULL };
	const char *sfdisk_left[] = {
		"sfdisk", "--no-tell-kernel", "--part-label", "other.img", "64", "left",
		NULL
	};
	const char *sfdisk_right[] = {
		"sfdisk", "--no-tell-kernel", "--part-label", "other.img", "64", "right",
		NULL
	};
	const char *const *ours[2] = { on, off }, *const * theirs[2] = { first, second };
	const char *const *our_names[2] = { left, right };
	const char *const *their_names[2] = { sfdisk_left, sfdisk_right };
	compare_write("write one flag beside sfdisk -A, us", "dos56", ours, theirs, pairs);
	compare_write("write one name beside sfdisk --part-label, us", "gpt128", our_names,
		      their_names, pairs);
}

static void compare_tools(const char *afdisk, size_t pairs)
{
	const char *columns = "DEVICE,BOOT,START,END,SECTORS,SIZE,TYPE";
	const char *table[] = { afdisk, "--list", "-o", columns, "bench.img", NULL };
	const char *list[] = { afdisk, "--list", "bench.img", NULL };
	const char *sfdisk_list[] = { "sfdisk", "-l", "bench.img", NULL };
	const char *parted_list[] = { "parted", "-s",    "bench.img", "unit",
				      "s",      "print", "free",      NULL };
	const char *dump[] = { afdisk, "--dump", "bench.img", NULL };
	const char *sfdisk_dump[] = { "sfdisk", "-d", "bench.img", NULL };
	static const char *const preset[] = { "seed", "dos56", "gpt128" };
	for (size_t i = 0; i < 3; i++) {
		compare_commands("--list -o, nothing looked into, beside sfdisk -l, us",
				 preset[i], table, sfdisk_list, 41, true);
		compare_commands("--list, contents too, beside sfdisk -l, us", preset[i],
				 list, sfdisk_list, pairs, false);
		compare_commands("--list beside parted print free, us", preset[i], list,
				 parted_list, pairs / 3 + 1, false);
		compare_commands("--dump beside sfdisk -d, us", preset[i], dump,
				 sfdisk_dump, pairs, false);
	}
	compare_writes(afdisk, pairs);
}

static const char *const content_table[CONTENTS] = {
	"ext4",  "xfs",   "btrfs", "f2fs", "exfat", "fat12",
	"fat16", "fat32", "ntfs",  "ufs2", "swap",  "ext2",
};

static int64_t size_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? st.st_size : 0;
}

/* A file for each of them, and bench.img with all of them in partitions; false if a tool is not here. */
static bool make_contents(void)
{
	char words[2000];
	int64_t at = 2048, start[CONTENTS];
	int used = snprintf(words, sizeof(words),
			    "4194304 512 gpt 11111111-2222-3333-4444-555555555555");
	for (int i = 0; i < CONTENTS; i++) {
		if (!sample_make(sample_find(content_table[i]), content_table[i]))
			return false;
		int64_t sectors = size_of(content_table[i]) / 512;
		used += snprintf(words + used, sizeof(words) - (size_t)used,
				 " g%d=%lld+%lld,linux,auto", i + 1, (long long)at,
				 (long long)sectors);
		start[i] = at;
		at += (sectors + 2047) / 2048 * 2048;
	}
	disk_make("bench.img", words);
	for (int i = 0; i < CONTENTS; i++)
		if (!sample_place(content_table[i], "bench.img", start[i] * 512))
			return false;
	return true;
}

/* A disk with file systems of many kinds: all that is said of them beside what libblkid says of the same bytes. */
static void compare_contents(const char *afdisk, size_t pairs)
{
	static const char *const what = "--list of 12 file systems beside blkid -p, us";
	static const char *const bytes = "bytes read for that";
	const char *ours[] = { afdisk, "--list", "bench.img", NULL };
	const char *theirs[CONTENTS + 3] = { "blkid", "-p" };
	struct column time_a, time_b, bytes_a, bytes_b;
	if (!make_contents()) {
		printf("%-12s a tool is missing: not compared with blkid\n", "contents");
		return;
	}
	for (size_t i = 0; i < CONTENTS; i++)
		theirs[2 + i] = content_table[i];
	for (size_t i = 0; i < pairs; i++)
		for (size_t turn = 0; turn < 2; turn++)
			if ((i + turn) % 2)
				time_b.value[i] = run_counted(theirs, &bytes_b.value[i]);
			else
				time_a.value[i] = run_counted(ours, &bytes_a.value[i]);
	print_row(what, "contents", &time_a, &time_b, pairs);
	print_row(bytes, "contents", &bytes_a, &bytes_b, pairs);
	gate_at(CONTENTS_TIME, what, &time_a, &time_b, pairs);
	gate_at(CONTENTS_BYTES, bytes, &bytes_a, &bytes_b, pairs);
}

int main(int argc, char **argv)
{
	size_t pairs = argc > 1 ? strtoul(argv[1], NULL, 10) : 21;
	char folder[] = "/tmp/afdisk-bench-XXXXXX";
	const char *given = getenv("AFDISK");
	char *afdisk = given ? realpath(given, NULL) : NULL;
	if (!afdisk || pairs < 1 || pairs > PAIRS_MAX || !mkdtemp(folder) ||
	    chdir(folder)) {
		(void)fprintf(stderr, "usage: AFDISK=program bench [PAIRS, at most %d]\n",
			      PAIRS_MAX);
		return 2;
	}
	(void)setenv("PATH", "/usr/sbin:/sbin:/usr/bin:/bin", 1);
	(void)setenv("XDG_STATE_HOME", folder, 1);
	printf("%-12s %-56s %10s %10s %8s\n", "disk", "measure", "afdisk", "other",
	       "ratio");
	const char *ours = "by typing or by arrows", *cfdisk = "/usr/sbin/cfdisk";
	const struct editor seed[] = { { afdisk, ours, "xx" },
				       { cfdisk, "Attributes", NULL } };
	const struct editor gpt[] = { { afdisk, ours, "xx" },
				      { cfdisk, "without writing changes", NULL } };
	compare_editors(seed, "seed", pairs);
	compare_requests(seed, "seed");
	compare_editors(gpt, "dos56", pairs);
	compare_editors(gpt, "gpt128", pairs);
	compare_requests(gpt, "gpt128");
	compare_tools(afdisk, pairs);
	compare_contents(afdisk, pairs);
	const char *const clean[] = { "rm", "-rf", folder, NULL };
	(void)run_command(clean);
	free(afdisk);
	return within_limits ? 0 : 1;
}
