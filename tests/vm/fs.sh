#!/bin/sh
# A file system whose own tool puts its data on a boundary, in a partition that is not, is left where it is.
set -u
. tests/vm/bed/boot.inc
vm_programs="mkfs.exfat dump.exfat mkfs.ext4 sfdisk"
vm_boot fs
