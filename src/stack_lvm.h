/** stack_lvm.h - the text in which LVM2 keeps what a volume group is made of. */
#ifndef AFDISK_STACK_LVM_H
#define AFDISK_STACK_LVM_H
#include "afdisk/units.h"
#include <stddef.h>

#define STACK_LVM_ID                                                                       \
	32 /* letters and digits of an identifier; as text it has hyphens in it */

/** What the text says of one physical volume, and of one logical volume on it. */
struct stack_lvm_group {
	/* asked: */
	char pv[STACK_LVM_ID + 1]; /* its identifier, without hyphens */
	char lv[STACK_LVM_ID + 1]; /* or "" */
	/* answered, in units of 512 bytes; 0 if not said */
	uint64_t extent;
	uint64_t pe_start; /* of the physical volume */
	char pv_name[64];  /* what the text calls it: "pv0" */
	bool lv_here; /* it begins on that physical volume, in one piece or one after the other */
	uint64_t lv_extent; /* with which extent of it */
};

/** Fills in the answers from n bytes of text; false if they are no such text. */
bool af_stack_lvm_text(const char *text, size_t n, struct stack_lvm_group *group);
#endif
