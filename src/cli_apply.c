/*
 * The script of --apply: read whole, from a file or from standard input, and told about line by line. What its
 * lines mean is not known here.
 */
#include "afdisk/script.h"
#include "cli_priv.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Reads one byte more than a script may have at most: then it is refused for that. */
static bool read_all(FILE *f, struct af_text *out)
{
	char buf[4096];
	size_t n = 0;
	while (out->len <= AF_SCRIPT_BYTES_MAX && (n = fread(buf, 1, sizeof(buf), f)) > 0)
		af_text_put(out, buf, n);
	return ferror(f) == 0;
}

static bool read_script(const char *name, struct af_text *out)
{
	bool standard = strcmp(name, "-") == 0;
	FILE *f = standard ? stdin : fopen(name, "re");
	bool good = f != NULL && read_all(f, out);
	if (!good)
		af_cli_complain(NULL, "cannot read the script %s: %s",
				standard ? "on standard input" : name, strerror(errno));
	if (f != NULL && !standard)
		(void)fclose(f);
	return good;
}

bool af_cli_apply(const struct request *r, struct af_session *s)
{
	struct af_text script = { 0 }, remarks = { 0 };
	struct af_err err;
	bool good = read_script(r->maybe_script, &script);
	if (good &&
	    !af_session_apply(s, af_text_get(&script), script.len, &remarks, &err)) {
		af_cli_complain(r->path[0], "%s", err.text);
		good = false;
	}
	if (!good || !r->quiet)
		af_cli_complain_lines(r->path[0], remarks.data);
	af_text_release(&script);
	af_text_release(&remarks);
	return good;
}
