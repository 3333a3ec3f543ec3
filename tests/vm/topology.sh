#!/bin/sh
# The kernel's opinion of alignment is ours, on disks of every kind that scsi_debug and qemu have.
set -u
. tests/vm/bed/boot.inc
vm_disk S1 virtio-blk-pci,logical_block_size=512,physical_block_size=4096,min_io_size=4096,opt_io_size=1048576
vm_disk S2 scsi-hd,logical_block_size=4096,physical_block_size=4096
vm_boot topology
