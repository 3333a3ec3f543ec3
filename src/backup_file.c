/*
 * backup_file.c - the way of a file to its medium: whole, synced, and its name safe in a folder that is safe in its own.
 */
#include "backup_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool sync_folder(const char *folder, struct af_err *err)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int sys = errno;

	if (fd < 0)
		return af_fail_sys(err, sys, "cannot open the folder %s", folder);
	sys = fsync(fd) == 0 || errno == EINVAL
		      ? 0
		      : errno; /* EINVAL: this one has nothing to sync */
	(void)close(fd);
	return sys == 0 ? true
			: af_fail_sys(err, sys, "cannot make the folder %s safe", folder);
}

void af_backup_folder_of(const char *path, char out[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		(void)snprintf(out, PATH_MAX, ".");
	else
		(void)snprintf(out, PATH_MAX, "%.*s",
			       slash == path ? 1 : (int)(slash - path), path);
}

bool af_backup_make_folder(const char *folder, struct af_err *err)
{
	char part[PATH_MAX], above[PATH_MAX];

	for (const char *end = folder + 1; *end; end++) {
		size_t n;

		if (*end != '/' && end[1] != '\0')
			continue;
		n = (size_t)(end - folder) + (*end != '/');
		(void)snprintf(part, sizeof(part), "%.*s", (int)n, folder);
		if (mkdir(part, 0700) != 0) {
			if (errno != EEXIST)
				return af_fail_sys(err, errno, "cannot make the folder %s",
						   part);
			continue;
		}
		af_backup_folder_of(part, above);
		if (!sync_folder(above, err))
			return false;
	}
	return true;
}

static bool write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t put_now = write(fd, p, n);

		if (put_now < 0 && errno == EINTR)
			continue;
		if (put_now < 0)
			return false;
		p += put_now;
		n -= (size_t)put_now;
	}
	return true;
}

/* A file that a power cut leaves half-written fails its checksum: then the disk was not written either. */
bool af_backup_write_new(const char *name, const struct af_text *bytes, struct af_err *err)
{
	char folder[PATH_MAX];
	bool done;
	int fd, sys;

	af_backup_folder_of(name, folder);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 && errno == EEXIST) {
		(void)af_fail(err, AF_E_IO, "the file %s exists already: name a new one",
			      name);
		err->sys = EEXIST;
		return false;
	}
	if (fd < 0)
		return af_fail_sys(err, errno, "cannot make the file %s", name);
	done = write_all(fd, bytes->data, bytes->len) && fsync(fd) == 0;
	sys = errno;
	if (close(fd) != 0 && done) {
		done = false;
		sys = errno;
	}
	if (!done)
		(void)af_fail_sys(err, sys, "cannot write the file %s", name);
	else if (sync_folder(folder, err))
		return true;
	(void)unlink(name); /* nobody will write the disk, so nobody will need it */
	return false;
}
