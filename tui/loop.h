/** loop.h - the editor on a terminal: the thin line between app (pure) and term (curses). */
#ifndef UI_LOOP_H
#define UI_LOOP_H
#include "afdisk/session.h"
#include "term.h"

/** Edits an open disk, which it takes, or one that is chosen, until the person leaves; disks that are opened then are with options.
 *  *status is what the program ends with: 0, or 3 if the last write failed once it had begun. False with err if the
 *  terminal is of no use. */
bool ui_loop_run(struct af_session *maybe_session, const struct af_session_options *options,
		 const struct ui_term_options *o, int *status, struct af_err *err)
	__attribute__((warn_unused_result));
#endif
