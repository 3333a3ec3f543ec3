/** backup_priv.h - what the files of the backup room share: bytes of a file, and the way to the medium. */
#ifndef AFDISK_BACKUP_PRIV_H
#define AFDISK_BACKUP_PRIV_H
#include <limits.h>

#include "afdisk/backup.h"
#include "afdisk/text.h"

#define AF_BACKUP_MAX  (16 * AF_MIB) /* far above any table: 56 EBRs, 1024 entries twice */
#define AF_BACKUP_RUNS 8192

/** The whole file as bytes. */
struct af_text af_backup_encode(const struct af_patch *patch,
				const struct af_backup_head *head);

/** The folder that path lies in. */
void af_backup_folder_of(const char *path, char out[PATH_MAX]);

/** Makes folder and those above it, each safe in the one that holds it. */
bool af_backup_make_folder(const char *folder, struct af_err *err);

/** Writes bytes to a new file, safe on its medium before it has its name. Fails with AF_E_IO; nothing is left then. */
bool af_backup_write_new(const char *name, const struct af_text *bytes, struct af_err *err);
#endif
