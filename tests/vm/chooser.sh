#!/bin/sh
# Disks are chosen among: real ones, one that swap is on, one that comes, and one that does not answer.
set -u
. tests/vm/bed/boot.inc
vm_programs="tmux mkswap swapon losetup sfdisk dmsetup"
vm_files="/lib/terminfo/s/screen:/lib/terminfo/s/screen /lib/terminfo/t/tmux-256color:/lib/terminfo/t/tmux-256color /usr/lib/locale/C.utf8:/usr/lib/locale/C.utf8"
vm_disk system virtio-blk-pci
vm_boot chooser
