/*
 * session_look.c - what lies inside a partition: the eyes one after the other. First libblkid's answer, then the readers
 * of what it does not tell: where the data of a nested label, a container or a file system begins.
 */
#include "session_priv.h"

#include <stdio.h>
#include <string.h>

#include "afdisk/boot.h"
#include "afdisk/foreign.h"
#include "afdisk/nested.h"
#include "afdisk/probe.h"
#include "afdisk/stack.h"
#include "afdisk/text.h"

static bool read_dev(void *ctx, af_bytes at, void *buf, size_t n, struct af_err *err)
{
	return af_dev_read(ctx, at, buf, n, err);
}

/* The word for the column of file systems. */
static const char *label_word(enum af_nested_kind kind)
{
	return kind == AF_NESTED_SOLARIS ? "vtoc" : "disklabel";
}

static void take_label(const struct af_nested *label, struct af_content *c)
{
	if (c->state != AF_CONTENT_FOUND)
		(void)snprintf(c->fs, sizeof(c->fs), "%s", label_word(label->kind));
	c->state = AF_CONTENT_FOUND;
	(void)snprintf(c->remark, sizeof(c->remark), "%s", label->remark);
	c->nlayers = label->n;
	if (label->n > 0) {
		c->layer = af_alloc(label->n, sizeof(*c->layer));
		memcpy(c->layer, label->layer, label->n * sizeof(*c->layer));
	}
}

/* Firmware looks for the type only, systems for the directory. */
static void note_esp(struct af_dev *dev, enum af_scheme scheme, const struct af_part *part,
		     struct af_content *c)
{
	if (strcmp(c->fs, "vfat") != 0 || af_scheme_is_esp(scheme, part->type) ||
	    !af_foreign_fat_has_efi(read_dev, dev, part->span))
		return;
	(void)snprintf(c->remark, sizeof(c->remark),
		       "it has a directory \\EFI, but not the type of an EFI System "
		       "Partition ('type %u efi')",
		       (unsigned)part->number);
}

/* File systems and containers that Windows does not know: it offers to format what says it is a drive of its own. */
static bool is_of_linux(const char *fs)
{
	static const char *const fs_table[] = { "ext2",
						"ext3",
						"ext4",
						"xfs",
						"btrfs",
						"f2fs",
						"crypto_LUKS",
						"LVM2_member",
						"swap",
						"jfs",
						"linux_raid_member" };
	for (size_t i = 0; i < sizeof(fs_table) / sizeof(fs_table[0]); i++)
		if (strcmp(fs, fs_table[i]) == 0)
			return true;
	return false;
}

static void note_drive(enum af_scheme scheme, const struct af_part *part,
		       struct af_content *c)
{
	const enum af_purpose purpose = af_scheme_purpose(scheme, part->type);
	if ((purpose != AF_PURPOSE_WINDOWS && purpose != AF_PURPOSE_FAT) ||
	    !is_of_linux(c->fs))
		return;
	(void)snprintf(c->remark, sizeof(c->remark),
		       "its type is that of a drive of Windows, which offers to format it "
		       "('type %u linux')",
		       (unsigned)part->number);
}

/* A label of another system inside; false if there is none. */
static bool look_for_label(struct af_dev *dev, enum af_scheme scheme,
			   const struct af_part *part, struct af_content *c)
{
	struct af_nested label;
	enum af_nested_kind kind;

	if (!af_nested_kind_of(scheme, part->type, &kind) ||
	    (kind == AF_NESTED_SOLARIS &&
	     strcmp(c->fs, "swap") == 0) || /* one code for both */
	    !af_nested_read(read_dev, dev, part->span, dev->sector_size, kind, &label))
		return false;
	take_label(&label, c);
	af_session_look_into_entries(dev, part, c);
	return true;
}

void af_session_look(struct af_dev *dev, enum af_scheme scheme, const struct af_part *part,
		     struct af_content *out)
{
	af_content_release(out);
	af_probe(dev, part->span, out);
	note_esp(dev, scheme, part, out);
	note_drive(scheme, part, out);
	af_boot_inside(read_dev, dev, part->span, out);
	if (out->state == AF_CONTENT_UNREADABLE || look_for_label(dev, scheme, part, out))
		return;
	af_stack_read(read_dev, dev, part->span, dev->sector_size, out);
	af_session_look_above(dev, part, out);
}

void af_session_look_at_boot(struct af_dev *dev, struct af_boot_code *out)
{
	af_boot_code_read(read_dev, dev, dev->sector_size, out);
}
