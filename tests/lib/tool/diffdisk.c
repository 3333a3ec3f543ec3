/**
 * diffdisk A B: prints the number of each 512-byte sector in which two images differ, and
 * fails if there is one. Looks only where one of them holds data, so that sparse images of
 * terabytes take no time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SECTOR 512

/* The first byte from at on that is no hole in both files; end if there is none. */
static off_t next_data(const int fd[2], off_t at, off_t end)
{
	off_t first = end;
	for (int i = 0; i < 2; i++) {
		off_t data = lseek(fd[i], at, SEEK_DATA);
		if (data < 0 && errno != ENXIO)
			data = at;
		if (data >= 0 && data < first)
			first = data;
	}
	return first;
}

static void read_sector(int fd, off_t at, unsigned char sector[SECTOR])
{
	memset(sector, 0, SECTOR);
	if (pread(fd, sector, SECTOR, at) < 0)
		perror("diffdisk: cannot read");
}

static int compare(const int fd[2], off_t end)
{
	int differ = 0;
	for (off_t at = next_data(fd, 0, end); at < end;
	     at = next_data(fd, at + SECTOR, end)) {
		unsigned char a[SECTOR], b[SECTOR];
		at -= at % SECTOR;
		read_sector(fd[0], at, a);
		read_sector(fd[1], at, b);
		if (memcmp(a, b, SECTOR) != 0) {
			printf("%lld\n", (long long)(at / SECTOR));
			differ = 1;
		}
	}
	return differ;
}

int main(int argc, char **argv)
{
	int fd[2] = { -1, -1 };
	off_t end[2] = { 0, 0 };
	if (argc != 3) {
		fputs("usage: diffdisk A B\n", stderr);
		return 2;
	}
	for (int i = 0; i < 2; i++) {
		fd[i] = open(argv[i + 1], O_RDONLY | O_CLOEXEC);
		if (fd[i] < 0 || (end[i] = lseek(fd[i], 0, SEEK_END)) < 0) {
			perror(argv[i + 1]);
			return 2;
		}
	}
	if (end[0] != end[1]) {
		printf("%lld and %lld bytes\n", (long long)end[0], (long long)end[1]);
		return 1;
	}
	return compare(fd, end[0]);
}
