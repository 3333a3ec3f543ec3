/** backup.h - the old and new bytes of every sector of a patch in a synced file, before anything is written. */
#ifndef AFDISK_BACKUP_H
#define AFDISK_BACKUP_H
#include "afdisk/patch.h"

/** The disk that a backup is of. Borrowed. */
struct af_backup_disk {
	const char *key;  /* identifies it in file names, whatever it is called today */
	const char *path; /* what it is called today */
	af_bytes size;
};

/**
 * Saves patch to a new file in the state folder ($XDG_STATE_HOME/afdisk, else /var/lib/afdisk for root, else
 * ~/.local/state/afdisk; made if missing) or at maybe_file, where nothing may be yet, and syncs file and folder.
 * *name (size bytes) is where it lies. In the state folder, keeps the newest ten of that disk. Fails with AF_E_IO, or
 * AF_E_RANGE if the patch is far larger than any table; nothing may be written to the disk then.
 */
bool af_backup_save(const struct af_patch *patch, const struct af_backup_disk *disk,
		    const char *maybe_file, char *name, size_t size, struct af_err *err)
	__attribute__((warn_unused_result));

/** What a backup file says of the disk it is of: what af_backup_save() was told. */
struct af_backup_origin {
	char key[64], path[256];
	af_bytes size;
};

/** Reads such a file back; checks its checksum. Fails with AF_E_IO or AF_E_FORMAT. The caller releases *out. */
bool af_backup_load(const char *file, struct af_backup_origin *origin, struct af_patch *out,
		    struct af_err *err) __attribute__((warn_unused_result));
#endif
