#!/bin/sh
# Where data begins is found in what the kernel has open, and in what tools put right on a partition that is off.
set -u
. tests/vm/bed/boot.inc
vm_programs="dmsetup lvm mdadm cryptsetup mkfs.ext4 mkfs.exfat mkswap blockdev make-bcache bcache-super-show wipefs blkid"
vm_files="tests/vm/bed/tables.inc:/tables.inc tests/fuzz/seeds/stack/luks2:/luks2"
vm_boot layers
