#!/bin/sh
# Disks that lose writes, have bad sectors, are changed by somebody else, or are pulled.
set -u
. tests/vm/bed/boot.inc
vm_programs="dmsetup sfdisk timeout"
vm_files="tests/vm/bed/tables.inc:/tables.inc"
vm_boot faults
