#!/bin/sh
# The same beside udev, which looks at a disk that was written, and may take away the nodes while it does.
set -u
. tests/vm/bed/boot.inc
vm_programs="udevadm flock"
vm_files="tests/vm/bed/tables.inc:/tables.inc"
for rules in 60-block.rules 60-persistent-storage.rules; do
	vm_files="$vm_files /usr/lib/udev/rules.d/$rules:/usr/lib/udev/rules.d/$rules"
done
vm_boot udev
