/** loop.h - the editor on a terminal: the thin line between app (pure) and term (curses). */
#ifndef UI_LOOP_H
#define UI_LOOP_H
#include "afdisk/session.h"
#include "term.h"

/** Edits an open disk until the person leaves; *status is what the program ends with: 0, or 3 if the last write failed
 *  once it had begun. False with err if the terminal is of no use. */
bool ui_loop_run(struct af_session *session, const struct ui_term_options *o, int *status,
		 struct af_err *err) __attribute__((warn_unused_result));
#endif
