/** machine.h - made-up lists of disks, for tests of the screen that one is chosen on. */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H
#include "afdisk/disks.h"

#define MACHINE_MOST 64

/** Fills in the disks of a machine by its name: "home" (of every kind), "user" (home without rights), "many" (60 of them), "none".
 *  Returns how many; another name ends the program. */
size_t machine_make(const char *name, struct af_disk_facts out[MACHINE_MOST]);
#endif
