/*
 * The program: the command line first; if it asks for the editor, the editor.
 */
#include "afdisk/cli.h"
#include "loop.h"

static int fail(const char *path, const struct af_err *err)
{
	af_cli_complain(path, "%s", err->text);
	return 2;
}

static int edit(const struct af_cli_editor *e)
{
	const struct ui_term_options look = { .ascii = e->ascii,
					      .colours = e->color != AF_COLOR_NEVER };
	struct af_err err = { 0 };
	struct af_session *session = af_session_open(e->path, &e->session, &err);
	if (!session)
		return fail(e->path, &err);
	int status = 0;
	if (!ui_loop_run(session, &look, &status, &err))
		status = fail(e->path, &err);
	af_session_close(session);
	return status;
}

int main(int argc, char **argv)
{
	struct af_cli_editor editor;
	const int status = af_cli(argc, argv, &editor);
	return status >= 0 ? status : edit(&editor);
}
