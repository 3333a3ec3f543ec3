/* folder.c - takes away what a test left in its folder. */
#include "folder.h"

#include <ftw.h>
#include <stdio.h>

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int folder_remove(const char *root)
{
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
