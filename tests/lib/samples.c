/* Samples of file systems: one row each, the numbers beside the command that makes it so. */
#include "samples.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((int64_t)1024 * 1024)

/* The second of each kind writes smaller blocks than a sector of 4096 bytes, or lies off its boundary. */
const struct sample sample_table[] = {
	{ .name = "ext4",
	  .fs = "ext4",
	  .size = 32 * MIB,
	  .argv = { "mkfs.ext4", "-q", "-F", "-b", "4096" },
	  .layers = "ext4 0/4096",
	  .fs_size = 32 * MIB,
	  .guarded = true },
	{ .name = "ext4-1k",
	  .fs = "ext4",
	  .size = 32 * MIB + 512,
	  .argv = { "mkfs.ext4", "-q", "-F", "-b", "1024" },
	  .layers = "ext4 0/1024",
	  .fs_size = 32 * MIB,
	  .guarded = true },
	{ .name = "ext3",
	  .fs = "ext3",
	  .size = 16 * MIB,
	  .argv = { "mkfs.ext3", "-q", "-F", "-b", "2048" },
	  .layers = "ext3 0/2048",
	  .fs_size = 16 * MIB },
	{ .name = "ext2",
	  .fs = "ext2",
	  .size = 16 * MIB,
	  .argv = { "mkfs.ext2", "-q", "-F", "-b", "4096" },
	  .layers = "ext2 0/4096",
	  .fs_size = 16 * MIB },
	{ .name = "xfs",
	  .fs = "xfs",
	  .size = 300 * MIB,
	  .argv = { "mkfs.xfs", "-q", "-f", "-s", "size=4096", "--unsupported", "-l",
		    "size=8m" },
	  .layers = "XFS 0/4096",
	  .fs_size = 300 * MIB,
	  .guarded = true },
	{ .name = "xfs-512",
	  .fs = "xfs",
	  .size = 300 * MIB,
	  .argv = { "mkfs.xfs", "-q", "-f", "-b", "size=1024", "-s", "size=512",
		    "--unsupported", "-l", "size=8m" },
	  .layers = "XFS data 0/1024, XFS log and headers 0/512",
	  .fs_size = 300 * MIB,
	  .guarded = true },
	{ .name = "btrfs",
	  .fs = "btrfs",
	  .size = 128 * MIB,
	  .argv = { "mkfs.btrfs", "-q", "-f" },
	  .layers = "btrfs 0/4096",
	  .fs_size = 128 * MIB,
	  .guarded = true,
	  .super = { 65536, 1024 } },
	{ .name = "f2fs",
	  .fs = "f2fs",
	  .size = 64 * MIB,
	  .argv = { "mkfs.f2fs", "-q", "-f" },
	  .layers = "F2FS main area 16777216/4096",
	  .fs_size = 64 * MIB },
	{ .name = "exfat",
	  .fs = "exfat",
	  .size = 64 * MIB,
	  .argv = { "mkfs.exfat" },
	  .layers = "exFAT data 2097152/4096",
	  .fs_size = 64 * MIB,
	  .guarded = true },
	{ .name = "exfat-512",
	  .fs = "exfat",
	  .size = 64 * MIB,
	  .argv = { "mkfs.exfat", "-b", "512", "-c", "512" },
	  .layers = "exFAT data 536576/512",
	  .fs_size = 64 * MIB,
	  .guarded = true },
	{ .name = "fat12",
	  .fs = "vfat",
	  .size = 8 * MIB,
	  .argv = { "mkfs.fat", "-F", "12" },
	  .layers = "FAT12 data 30720/2048",
	  .fs_size = 8 * MIB },
	{ .name = "fat16",
	  .fs = "vfat",
	  .size = 100 * MIB,
	  .argv = { "mkfs.fat", "-F", "16" },
	  .layers = "FAT16 data 223232/2048",
	  .fs_size = 100 * MIB },
	{ .name = "fat16-4k",
	  .fs = "vfat",
	  .size = 100 * MIB,
	  .argv = { "mkfs.fat", "-F", "16", "-S", "4096" },
	  .layers = "FAT16 data 65536/16384",
	  .fs_size = 100 * MIB },
	{ .name = "fat32",
	  .fs = "vfat",
	  .size = 300 * MIB,
	  .argv = { "mkfs.fat", "-F", "32", "-s", "8" },
	  .layers = "FAT32 data 630784/4096",
	  .fs_size = 314560512,
	  .guarded = true },
	{ .name = "fat32-odd",
	  .fs = "vfat",
	  .size = 300 * MIB,
	  .argv = { "mkfs.fat", "-F", "32", "-a", "-s", "8", "-R", "33" },
	  .layers = "FAT32 data 630272/4096",
	  .fs_size = 300 * MIB,
	  .guarded = true },
	{ .name = "ntfs",
	  .fs = "ntfs",
	  .size = 16 * MIB,
	  .argv = { "mkntfs", "-F", "-Q", "-q" },
	  .layers = "NTFS 0/4096",
	  .fs_size = 16 * MIB },
	{ .name = "ntfs-512",
	  .fs = "ntfs",
	  .size = 16 * MIB,
	  .argv = { "mkntfs", "-F", "-Q", "-q", "-c", "512" },
	  .layers = "NTFS 0/512",
	  .fs_size = 16 * MIB },
	{ .name = "ufs2",
	  .fs = "ufs",
	  .size = 0,
	  .argv = { "makefs", "-t", "ffs", "-s", "8m", "-o",
		    "version=2,bsize=32768,fsize=4096" },
	  .layers = "UFS2 0/4096",
	  .fs_size = 8 * MIB,
	  .guarded = true,
	  .super = { 8192, 1376 } },
	{ .name = "ufs1",
	  .fs = "ufs",
	  .size = 0,
	  .argv = { "makefs", "-t", "ffs", "-s", "8m", "-o",
		    "version=1,bsize=4096,fsize=512" },
	  .layers = "UFS1 0/512",
	  .fs_size = 8 * MIB,
	  .guarded = true,
	  .super = { 8192, 1376 } },
	{ .name = "ufs2-big",
	  .fs = "ufs",
	  .size = 0,
	  .argv = { "makefs", "-B", "be", "-t", "ffs", "-s", "8m", "-o",
		    "version=2,bsize=16384,fsize=2048" },
	  .layers = "UFS2 0/2048",
	  .fs_size = 8 * MIB,
	  .guarded = true,
	  .super = { 8192, 1376 } },
	{ .name = "ufs1-big",
	  .fs = "ufs",
	  .size = 0,
	  .argv = { "makefs", "-B", "be", "-t", "ffs", "-s", "8m", "-o",
		    "version=1,bsize=16384,fsize=2048" },
	  .layers = "UFS1 0/2048",
	  .fs_size = 8 * MIB,
	  .guarded = true,
	  .super = { 8192, 1376 } },
	{ .name = "swap",
	  .fs = "swap",
	  .size = MIB,
	  .argv = { "mkswap", "-q" },
	  .layers = "swap 0/4096",
	  .fs_size = MIB },
	{ .name = "swap-64k",
	  .fs = "swap",
	  .size = MIB + 4096,
	  .argv = { "mkswap", "-q", "-p", "65536" },
	  .layers = "swap 0/65536",
	  .fs_size = MIB,
	  .super = { 65526, 10 } },
};
const size_t sample_count = sizeof(sample_table) / sizeof(sample_table[0]);

const struct sample *sample_find(const char *name)
{
	for (size_t i = 0; i < sample_count; i++)
		if (strcmp(sample_table[i].name, name) == 0)
			return &sample_table[i];
	fprintf(stderr, "there is no sample %s\n", name);
	abort();
}

/* Runs the tool, silently; in the child. Programs of administrators are found as well. */
static void run(const struct sample *s, const char *path, const char *folder)
{
	char *argv[SAMPLE_WORDS + 3], old[4000];
	size_t n = 0;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const char *is = getenv("PATH");

	snprintf(old, sizeof(old), "%s:/usr/sbin:/sbin", is ? is : "/usr/bin:/bin");
	setenv("PATH", old, 1);
	for (; n < SAMPLE_WORDS && s->argv[n]; n++)
		argv[n] = strdup(s->argv[n]);
	argv[n++] = strdup(path);
	if (strcmp(argv[0], "makefs") == 0)
		argv[n++] = strdup(folder);
	argv[n] = NULL;
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	execvp(argv[0], argv);
	_exit(127);
}

bool sample_make(const struct sample *s, const char *path)
{
	char folder[4000];
	int status = -1, fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool made = fd >= 0 && ftruncate(fd, s->size) == 0;

	if (fd >= 0)
		close(fd);
	snprintf(folder, sizeof(folder), "%s.empty", path);
	mkdir(folder, 0700);
	pid_t pid = made ? fork() : -1;
	if (pid == 0)
		run(s, path, folder);
	made = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
	rmdir(folder);
	if (!made)
		printf("# no sample %s: %s is not here, or failed\n", s->name, s->argv[0]);
	return made;
}

static bool copy_data(int from, int to, off_t at)
{
	char buf[65536];
	off_t data = 0;

	while ((data = lseek(from, data, SEEK_DATA)) >= 0) {
		ssize_t n = pread(from, buf, sizeof(buf), data);
		if (n <= 0 || pwrite(to, buf, (size_t)n, at + data) != n)
			return false;
		data += n;
	}
	return true;
}

bool sample_place(const char *path, const char *image, int64_t at)
{
	int from = open(path, O_RDONLY | O_CLOEXEC), to = open(image, O_WRONLY | O_CLOEXEC);
	bool done = from >= 0 && to >= 0 && copy_data(from, to, at);

	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return done;
}
