/** session_priv.h - what the files of the session room share. */
#ifndef AFDISK_SESSION_PRIV_H
#define AFDISK_SESSION_PRIV_H
#include "afdisk/session.h"

/** Fills in what the command's words mean on a table of that scheme, and the identities that it needs. */
bool af_session_resolve(enum af_scheme scheme, struct af_command *cmd, struct af_err *err);

/** Makes next the wanted table, under those words for undo; takes it. Fails with AF_E_RULE if the table cannot be changed. */
bool af_session_take(struct af_session *s, struct af_layout next, const char *words,
		     struct af_err *err);
#endif
