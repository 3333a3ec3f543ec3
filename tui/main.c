/*
 * The program: the command line first; if it asks for the editor, the editor, over the disk that was named or over the list of all.
 */
#include "afdisk/cli.h"
#include "loop.h"

static int fail(const char *maybe_path, const struct af_err *err)
{
	af_cli_complain(maybe_path, "%s", err->text);
	return 2;
}

/* What was said of the sectors of the drive that was named holds for no other one. */
static void forget_drive(struct af_overrides *o)
{
	o->has_sector_size = o->has_physical = o->has_alignment_offset = false;
}

static int edit(const struct af_cli_editor *e)
{
	const struct ui_term_options look = { .ascii = e->ascii,
					      .colours = e->color != AF_COLOR_NEVER };
	struct af_session_options later = e->session;
	struct af_err err = { 0 };
	struct af_session *maybe_session = NULL;
	if (e->maybe_path) {
		maybe_session = af_session_open(e->maybe_path, &e->session, &err);
		if (!maybe_session)
			return fail(e->maybe_path, &err);
		forget_drive(&later.overrides);
	}
	int status = 0;
	if (!ui_loop_run(maybe_session, &later, &look, &status, &err))
		status = fail(e->maybe_path, &err);
	return status;
}

int main(int argc, char **argv)
{
	struct af_cli_editor editor;
	const int status = af_cli(argc, argv, &editor);
	return status >= 0 ? status : edit(&editor);
}
