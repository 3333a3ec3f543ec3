/*
 * holders_mount.c - where the devices of a look are mounted, by libmount. A file system over several devices has a number of
 * its own, so that the name of the source counts, too.
 *
 * The library brings others along, and loading them all takes longer than listing a table does: so it is loaded here, where
 * a disk is looked at, and not with the program. Without it a mounted partition is one that somebody holds.
 */
#include "holders_priv.h"

#include <dlfcn.h>
#include <libmount.h>
#include <string.h>
#include <sys/stat.h>

/** What is used of it. */
struct library {
	__typeof__(mnt_new_table_from_file) *new_table;
	__typeof__(mnt_new_iter) *new_iter;
	__typeof__(mnt_table_next_fs) *next_fs;
	__typeof__(mnt_fs_get_devno) *get_devno;
	__typeof__(mnt_fs_get_srcpath) *get_source;
	__typeof__(mnt_fs_get_target) *get_target;
	__typeof__(mnt_free_iter) *free_iter;
	__typeof__(mnt_unref_table) *unref_table;
};

/** Fills in one function of the library; false if it has none of that name. */
static bool find(void *handle, const char *name, void *function)
{
	void *found = dlsym(handle, name);

	memcpy(function, &found, sizeof(found)); /* as POSIX has it: no cast makes it one */
	return found != NULL;
}

static bool load(struct library *lib)
{
	void *handle = dlopen("libmount.so.1", RTLD_LAZY | RTLD_LOCAL); /* stays loaded */

	return handle && find(handle, "mnt_new_table_from_file", &lib->new_table) &&
	       find(handle, "mnt_new_iter", &lib->new_iter) &&
	       find(handle, "mnt_table_next_fs", &lib->next_fs) &&
	       find(handle, "mnt_fs_get_devno", &lib->get_devno) &&
	       find(handle, "mnt_fs_get_srcpath", &lib->get_source) &&
	       find(handle, "mnt_fs_get_target", &lib->get_target) &&
	       find(handle, "mnt_free_iter", &lib->free_iter) &&
	       find(handle, "mnt_unref_table", &lib->unref_table);
}

static const struct node *node_of(const struct library *lib, const struct look *l,
				  struct libmnt_fs *fs)
{
	const struct node *node = af_holders_node(l, lib->get_devno(fs));
	const char *source = lib->get_source(fs);
	struct stat st;

	if (!node && source && strncmp(source, "/dev/", 5) == 0 && stat(source, &st) == 0 &&
	    S_ISBLK(st.st_mode))
		node = af_holders_node(l, st.st_rdev);
	return node;
}

void af_holders_mounts(struct look *l, const char *file)
{
	struct library lib;
	struct libmnt_table *table;
	struct libmnt_iter *iter;
	struct libmnt_fs *fs;

	if (!load(&lib))
		return;
	table = lib.new_table(file);
	iter = lib.new_iter(MNT_ITER_FORWARD);
	while (table && iter && lib.next_fs(table, iter, &fs) == 0) {
		const struct node *node = node_of(&lib, l, fs);
		const char *where = lib.get_target(fs);

		if (node)
			af_holders_note(l, node->target, AF_USE_MOUNT, where ? where : "");
	}
	lib.free_iter(iter);
	lib.unref_table(table);
}
