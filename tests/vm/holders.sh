#!/bin/sh
# Who uses a disk is named, and what is in use is left alone.
set -u
. tests/vm/bed/boot.inc
vm_programs="dmsetup mkfs.ext4 resize2fs e2fsck mkswap swapon swapoff losetup blockdev sfdisk timeout"
vm_files="tests/vm/bed/tables.inc:/tables.inc"
vm_boot holders
