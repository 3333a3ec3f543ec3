/** cli.h - the options of the command line, and the verbs that need no screen. */
#ifndef AFDISK_CLI_H
#define AFDISK_CLI_H
#include "afdisk/session.h"

/** The version of the whole program. */
#define AF_VERSION "0.1"

enum af_color { AF_COLOR_AUTO, AF_COLOR_ALWAYS, AF_COLOR_NEVER };

/** What the full-screen editor is to be opened with. Texts are borrowed from argv. */
struct af_cli_editor {
	const char *maybe_path; /* NULL: one is to be chosen */
	struct af_session_options session;
	bool ascii;          /* draw with ASCII characters only */
	enum af_color color; /* NEVER if NO_COLOR is set and no option says otherwise */
};

/**
 * Reads the command line and carries out what needs no screen: results on stdout,
 * everything else on stderr. Returns the exit status: 0 done, 1 something is misaligned, 2
 * refused or failed before anything was written, 3 failed after. Or returns -1 with *editor
 * filled: the editor is to be opened.
 */
int af_cli(int argc, char **argv, struct af_cli_editor *editor);

/** One line on stderr about a device, or about the command line if maybe_path is NULL. A path that the sentence
 *  begins with, too, is not said twice. */
void af_cli_complain(const char *maybe_path, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#endif
