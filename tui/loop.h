/** loop.h - the editor on a terminal: the thin line between app (pure) and term (curses). */
#ifndef UI_LOOP_H
#define UI_LOOP_H
#include "afdisk/session.h"
#include "term.h"

/** Edits an open disk until the person leaves. False with err if the terminal is of no use. */
bool ui_loop_run(struct af_session *session, const struct ui_term_options *o,
		 struct af_err *err) __attribute__((warn_unused_result));
#endif
