/**
 * backup.h - tables in synced files: the log of a write (old and new bytes of every sector that changes), saved before
 * anything is written, and the backup of a whole table. The format is in afdisk(8), and at the top of src/backup.c.
 */
#ifndef AFDISK_BACKUP_H
#define AFDISK_BACKUP_H
#include "afdisk/dev.h"
#include "afdisk/patch.h"

enum af_backup_kind {
	AF_BACKUP_LOG = 1, /* of a write: the bytes before and after it */
	AF_BACKUP_TABLE,   /* a table as it was: after[] equals before[] */
};

/** What a file says of the disk that it is of, whatever that is called today. */
struct af_backup_head {
	enum af_backup_kind kind;
	af_bytes size;
	uint32_t sector_size;
	char model[64], serial[64]; /* "" if the disk told none */
	char was[64];               /* the table: "dos 0x10bd10bc", "gpt GUID", "none" */
	char will[64]; /* the table that the write makes; "" in a table's backup */
	char path[256];
};

/** Fills in what a device says of itself: all but kind, was and will. */
void af_backup_name_disk(const struct af_dev *dev, struct af_backup_head *out);

/** True if a file with that head can be of dev: size, sector size and, where both are known, serial and model agree. */
bool af_backup_is_of(const struct af_backup_head *head, const struct af_dev *dev);

/** Where a file went, and what a person should know about that. */
struct af_backup_kept {
	char file[512];
	char link[512]; /* "" or: the name that leads there from the state folder */
	char note
		[400]; /* "" or: the place is in memory, and --journal names a better one */
};

/**
 * Saves patch to a new file at maybe_file, where nothing may be yet, or in the state folder ($XDG_STATE_HOME/afdisk, else
 * /var/lib/afdisk for root, else ~/.local/state/afdisk; made if missing), and syncs file and folder. If the state
 * folder lies on dev itself, memory is taken instead (/run/afdisk, or $XDG_RUNTIME_DIR/afdisk of a user). In such a folder,
 * keeps the newest ten of that disk; a log at maybe_file gets a link there, so that it is found again. Fails with
 * AF_E_IO, or AF_E_RANGE if the patch is far larger than any table; nothing may be written to the disk then.
 */
bool af_backup_save(const struct af_patch *patch, const struct af_backup_head *head,
		    const struct af_dev *dev, const char *maybe_file,
		    struct af_backup_kept *out, struct af_err *err)
	__attribute__((warn_unused_result));

/** Takes a file away again, of a write that never began. */
void af_backup_drop(const struct af_backup_kept *kept);

/** What af_backup_kept.note would say of a log kept in the state folder, without making anything; "" if all is well. */
void af_backup_foresee(const struct af_dev *dev, char *note, size_t size);

/** Names of files, newest first. Owns file[] and each name. */
struct af_backup_list {
	char **file;
	size_t n;
};

/** The files in the state folder, and in memory, that can be of a disk of dev's size. Never fails. */
void af_backup_find(const struct af_dev *dev, struct af_backup_list *out);

/** Frees the names. */
void af_backup_list_release(struct af_backup_list *l);

/** Reads such a file back; checks its checksum. Fails with AF_E_IO or AF_E_FORMAT. The caller releases *out. */
bool af_backup_load(const char *file, struct af_backup_head *head, struct af_patch *out,
		    struct af_err *err) __attribute__((warn_unused_result));
#endif
