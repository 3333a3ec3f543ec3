/*
 * holders_mount.c - where the devices of a look are mounted, by libmount. A file system over several devices has a number of
 * its own, so that the name of the source counts, too.
 */
#include "holders_priv.h"

#include <libmount.h>
#include <string.h>
#include <sys/stat.h>

static const struct node *node_of(const struct look *l, struct libmnt_fs *fs)
{
	const struct node *node = af_holders_node(l, mnt_fs_get_devno(fs));
	const char *source = mnt_fs_get_srcpath(fs);
	struct stat st;

	if (!node && source && strncmp(source, "/dev/", 5) == 0 && stat(source, &st) == 0 &&
	    S_ISBLK(st.st_mode))
		node = af_holders_node(l, st.st_rdev);
	return node;
}

void af_holders_mounts(struct look *l, const char *file)
{
	struct libmnt_table *table = mnt_new_table_from_file(file);
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;

	while (table && iter && mnt_table_next_fs(table, iter, &fs) == 0) {
		const struct node *node = node_of(l, fs);
		const char *where = mnt_fs_get_target(fs);

		if (node)
			af_holders_note(l, node->target, AF_USE_MOUNT, where ? where : "");
	}
	mnt_free_iter(iter);
	mnt_unref_table(table);
}
