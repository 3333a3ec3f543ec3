/*
 * plan_id.c - what the change of a disk's identifier comes to: who looks for the disk by it. An MBR's is a part of the
 * PARTUUIDs that Linux gives its partitions, 10bd10bc-05; Windows keeps its drive letters and its boot entries by it.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plan_priv.h"

#define TYPE_NTFS     0x07 /* NTFS, exFAT, HPFS */
#define TYPE_RECOVERY 0x27 /* the recovery environment of Windows */

/* Microsoft reserved, E3C9E316-0B5C-4DB8-817D-F92DF00215AE. */
static const uint8_t reserved_guid[16] = { 0xe3, 0xc9, 0xe3, 0x16, 0x0b, 0x5c, 0x4d, 0xb8,
					   0x81, 0x7d, 0xf9, 0x2d, 0xf0, 0x02, 0x15, 0xae };

static bool has_type_of_windows(const struct af_layout *l, const struct af_part *p)
{
	if (l->scheme == AF_SCHEME_MBR)
		return p->type[0] == TYPE_NTFS || p->type[0] == TYPE_RECOVERY;
	return memcmp(p->type, reserved_guid, sizeof(reserved_guid)) == 0;
}

/* True if a partition looks like one that Windows is on. */
static bool has_windows(const struct af_layout *l, const struct af_contents *contents)
{
	for (size_t i = 0; i < l->nparts; i++) {
		const struct af_content *c = af_contents_find(contents, l->part[i].id);
		if (has_type_of_windows(l, &l->part[i]) ||
		    (c && (strcmp(c->fs, "ntfs") == 0 || strcmp(c->fs, "BitLocker") == 0)))
			return true;
	}
	return false;
}

/* True if a line that is no comment names a partition by the PARTUUID that an MBR's identifier gives it. */
static bool names_partuuid(const char *text, const char *mbr_id)
{
	char key[40];
	size_t n = (size_t)snprintf(key, sizeof(key), "PARTUUID=%s-", mbr_id + 2);
	bool comment = false, word = true; /* at the start of a line, of a word */
	for (const char *p = text; *p != '\0'; p++) {
		if (*p == '\n') {
			comment = false;
		} else if (word && *p == '#') {
			comment = true;
		} else if (word && !comment) {
			const char *at = *p == '"' ? p + 1 : p;
			if (strncasecmp(at, key, n) == 0)
				return true;
		}
		word = isspace((unsigned char)*p);
	}
	return false;
}

static void warn(struct af_plan *plan, const char *sentence)
{
	struct af_text t = { 0 };
	af_text_add(&t, "%s", sentence);
	af_plan_add(plan, "warning", 0, &t);
}

void af_plan_id(const struct af_layout *base, const struct af_layout *now,
		const struct af_plan_words *words, struct af_plan *plan)
{
	char old[40], new[40];
	struct af_text t = { 0 };
	const bool is_mbr = base->scheme == AF_SCHEME_MBR;
	if (memcmp(base->disk_id, now->disk_id, sizeof(base->disk_id)) == 0)
		return;
	af_scheme_id_text(base->scheme, base->disk_id, old);
	af_scheme_id_text(now->scheme, now->disk_id, new);
	af_text_add(&t, "change the identifier of the table from %s to %s%s", old, new,
		    is_mbr && now->nparts > 0
			    ? ": the PARTUUIDs of its partitions change with it"
			    : "");
	af_plan_add(plan, "id", 0, &t);
	if (is_mbr && words->maybe_fstab && names_partuuid(words->maybe_fstab, old))
		warn(plan, "fstab or crypttab names a partition of this disk by its "
			   "PARTUUID, which becomes another one: change that, best to a "
			   "UUID");
	if (has_windows(base, words->contents))
		warn(plan, "Windows knows its disks by the identifier: drive letters are "
			   "given anew, and a Windows that boots from this disk needs its "
			   "boot entry (BCD) made again");
}
