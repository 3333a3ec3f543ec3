/**
 * nested.h - the labels of other systems, over bytes: those inside a partition (BSD, Solaris x86), and those of whole
 * disks (BSD, Sun, SGI). Read only.
 */
#ifndef AFDISK_NESTED_H
#define AFDISK_NESTED_H
#include "afdisk/chain.h"
#include "afdisk/facts.h"
#include "afdisk/scheme.h"

enum af_nested_kind {
	AF_NESTED_FREEBSD, /* offsets count from where entry c begins, which is the slice */
	AF_NESTED_NETBSD,  /* offsets count from the disk's start; so do OpenBSD's */
	AF_NESTED_OPENBSD,
	AF_NESTED_SOLARIS,
	AF_NESTED_SUN, /* whole disks only */
	AF_NESTED_SGI,
};

#define AF_NESTED_MAX 64 /* entries that are looked at; OpenBSD has up to 52 */

/** A label as found. Offsets count from the start of span that was looked into. */
struct af_nested {
	enum af_nested_kind kind;
	struct af_layer layer[AF_NESTED_MAX]; /* in order of offset, those outside last */
	size_t n;
	char remark[120]; /* what is odd; "" if nothing is */
};

/** True if a partition of this type may hold a label: *kind says which. */
bool af_nested_kind_of(enum af_scheme scheme, const uint8_t type[16],
		       enum af_nested_kind *kind);

/** "FreeBSD", "Solaris" ... */
const char *af_nested_name(enum af_nested_kind kind);

/**
 * Looks for a label of that kind in span, bytes of a disk with sectors of sector_size bytes: false if there is none, or it
 * cannot be read. One that is there but is not to be believed gives no entries and a remark. Formats:
 * BSD: struct disklabel of FreeBSD sys/disk/bsd.h, NetBSD and OpenBSD sys/disklabel.h, at sector 1 of the slice, a
 * sector being 512 bytes or the disk's own. Solaris: struct x86_vtoc of illumos sys/vtoc.h and dk_label of sys/dklabel.h, there, too.
 * Sun: struct sun_disklabel of Linux block/partitions/sun.c; SGI: struct sgi_disklabel of sgi.c; both in the first 512 bytes.
 */
bool af_nested_read(af_read_fn read, void *ctx, struct af_span span, uint32_t sector_size,
		    enum af_nested_kind kind, struct af_nested *out);
#endif
