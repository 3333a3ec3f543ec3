/** disks.h - the disks of this machine and what is known of each, found out beside the caller: a disk that does not answer keeps
 *  nobody waiting. Also the two other things that a person who chooses a disk may have to wait for: whether a path can be
 *  opened, and how a typed path goes on. */
#ifndef AFDISK_DISKS_H
#define AFDISK_DISKS_H
#include "afdisk/session.h"

enum af_disk_state {
	AF_DISK_READING, /* what can be known without reading it may be there already */
	AF_DISK_KNOWN,
	AF_DISK_CLOSED, /* it cannot be read, because of why */
};

/** What is known of a disk or image. Holds no pointers; every text is valid UTF-8 and "" if there is nothing to say. */
struct af_disk_facts {
	char path[256];
	enum af_disk_state state;
	bool is_file, removable, read_only;
	bool is_system; /* the running system is on it: its root, what it boots from, its swap */
	bool no_rights; /* CLOSED: only root may read it */
	af_bytes size;  /* 0 if unknown */
	char model
		[256]; /* of a layer what it is made of, of a loop device the path of its file */
	char serial[64], transport[16];
	char label[16], holds[168], remark[320]; /* as of struct af_disk */
	uint32_t judged;                         /* partitions that hold data */
	uint32_t failing;                        /* of these, how many fail the check */
	uint32_t tails; /* ... and how many have but their end off */
	char used[96];  /* "/ /boot swap": where it is used, in short */
	char uses[480]; /* "sda1 mounted at /; sda2 used as swap" */
	char why[300];
};

/** How a typed path can go on. Names are valid UTF-8. */
struct af_completion {
	char text
		[256]; /* what was typed, and as much more as all candidates have in common */
	uint32_t n;    /* candidates: folders, files, block devices */
	uint32_t listed;  /* how many of them are in names, in order */
	uint32_t untyped; /* more that have no valid name, so that they cannot be typed */
	char names
		[3400]; /* one after the other, each with its NUL; behind a folder's a '/' */
	char why[300];  /* the folder cannot be read; "" if it can */
};

struct af_disks;

/** A list of no disks. Disks are judged by what options say, which is copied but for its texts. */
struct af_disks *af_disks_new(const struct af_session_options *options);

/** Gives up whatever is being read. NULL is fine. */
void af_disks_free(struct af_disks *d);

/** Lists the disks of the machine anew and begins to read each of them; what was known stays until there is more. Fails
 *  with AF_E_IO if they cannot be listed. */
bool af_disks_refresh(struct af_disks *d, struct af_err *err);

/** Begins to read the table of the disk or image at path ("~" is the home), in place of another one that was being tried. */
void af_disks_try(struct af_disks *d, const char *path);

/** Gives up trying. */
void af_disks_try_no_more(struct af_disks *d);

/** Begins to look for what a typed path can go on with, in place of another one. */
void af_disks_complete(struct af_disks *d, const char *typed);

/** A descriptor that becomes readable when something came in, or a disk may have come or gone. */
int af_disks_fd(const struct af_disks *d);

/** Takes what has come in; true if something changed. Never waits for a disk. */
bool af_disks_take(struct af_disks *d);

/** The disks, real ones first; *n is their number. Borrowed until the next call. */
const struct af_disk_facts *af_disks_list(const struct af_disks *d, size_t *n);

/** What came of af_disks_try(), once: KNOWN or CLOSED, path with the home in place; NULL as long as nothing did. Borrowed until the
 *  next call. */
const struct af_disk_facts *af_disks_tried(struct af_disks *d);

/** What came of af_disks_complete(), once; NULL as long as nothing did. Borrowed until the next call. */
const struct af_completion *af_disks_completed(struct af_disks *d);

/** The paths of the machine's disks, real ones first: neither RAM nor hidden, with a medium, loop devices with a file. *paths and its
 *  texts are for free(). Fails with AF_E_IO. */
bool af_disks_paths(char ***paths, size_t *n, struct af_err *err)
	__attribute__((warn_unused_result));

/** The options that hold for the disk at path: a sector size is for images only. */
struct af_session_options af_disks_options(const struct af_session_options *o,
					   const char *path);

/** Fills in what the kernel knows of the device at f->path; the disk itself is not read. */
void af_disk_glance(struct af_disk_facts *f);

/** Reads its table, and what is inside its partitions if deep, here and now. */
void af_disk_look(struct af_disk_facts *f, const struct af_session_options *o, bool deep);

/** Fills in where it is used, and whether the running system is on it. */
void af_disk_take_uses(struct af_disk_facts *f, const struct af_uses *uses);

/** How its partitions are aligned, in words: "2 of 5 misaligned", "all aligned", "no table", "reading", "cannot be read: permission
 *  denied". Returns buf. */
const char *af_disk_alignment(const struct af_disk_facts *f, char *buf, size_t size);

/** Looks for what typed can go on with, here and now. */
void af_path_complete(const char *typed, struct af_completion *out);

/** The path that typed means: "~" and "~/x" begin with the home, all others are as they are. */
void af_path_expand(const char *typed, char *out, size_t size);
#endif
