/* A backup file in bytes that nobody vouches for: it is refused, or gives runs that lie behind each other. */
#include "afdisk/backup.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	struct af_backup_head head;
	struct af_patch patch;
	struct af_err err;
	int fd = memfd_create("backup", MFD_CLOEXEC);
	assert(fd >= 0 && write(fd, data, n) == (ssize_t)n);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (af_backup_load(path, &head, &patch, &err)) {
		for (size_t i = 0; i < patch.n; i++)
			assert(patch.run[i].at >= 0 && patch.run[i].len > 0);
		af_patch_release(&patch);
	}
	(void)close(fd);
	return 0;
}
