/*
 * session_fstab.c - the files in which a system may name partitions by their numbers. It knows where they are, not what
 * is in them; a system without them, or one that does not let them be read, names none.
 */
#include <stdio.h>
#include <stdlib.h>

#include "session_priv.h"

#define MOST ((size_t)1 << 16) /* bytes of one file that are read */

/* Appends the file, as far as it can be read. */
static void take_file(const char *path, struct af_text *t)
{
	FILE *f = fopen(path, "re");
	char buf[4096];
	size_t had = 0, n;

	if (!f)
		return;
	while (had < MOST && (n = fread(buf, 1, sizeof(buf) - 1, f)) > 0) {
		buf[n] = '\0';
		af_text_add(t, "%s", buf);
		had += n;
	}
	if (had > 0)
		af_text_add(t, "\n");
	(void)fclose(f);
}

void af_session_names(const char *maybe_fstab, struct af_text *t)
{
	take_file(maybe_fstab ? maybe_fstab : "/etc/fstab", t);
	if (!maybe_fstab)
		take_file("/etc/crypttab", t);
}
