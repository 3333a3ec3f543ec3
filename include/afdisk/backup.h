/** backup.h - the old and new bytes of every sector of a patch in a synced file, before anything is written. */
#ifndef AFDISK_BACKUP_H
#define AFDISK_BACKUP_H
#include "afdisk/patch.h"

/**
 * Saves patch to a new file in the state folder ($XDG_STATE_HOME/afdisk, else /var/lib/afdisk for root, else
 * ~/.local/state/afdisk; made if missing) or at maybe_file, and syncs file and folder. disk_key identifies the disk in the file's
 * name. *name (size bytes) is where it lies. Keeps the newest ten of that disk. Fails with AF_E_IO; nothing may be
 * written to the disk then.
 */
bool af_backup_save(const struct af_patch *patch, const char *disk_key, const char *disk_path, af_bytes disk_size,
		    const char *maybe_file, char *name, size_t size, struct af_err *err)
	__attribute__((warn_unused_result));

/** Reads such a file back; checks its checksum. Fails with AF_E_IO or AF_E_FORMAT. The caller releases *out. */
bool af_backup_load(const char *file, struct af_patch *out, struct af_err *err) __attribute__((warn_unused_result));
#endif
