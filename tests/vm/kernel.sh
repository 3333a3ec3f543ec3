#!/bin/sh
# The kernel takes over a table at once, one partition at a time; its device nodes are there when afdisk ends.
set -u
. tests/vm/bed/boot.inc
vm_programs="dmsetup"
vm_files="tests/vm/bed/tables.inc:/tables.inc"
vm_boot kernel
