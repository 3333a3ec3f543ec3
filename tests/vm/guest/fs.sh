#!/bin/sh
# On a drive of 512-byte sectors that tells its physical ones of 4096, partitions begin at sector 63. mkfs.exfat moves its
# clusters onto a boundary of the disk; mkfs.ext4 only warns.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc

# The number behind the first $1 of what is read.
number() {
	grep -o "$1[^0-9]*[0-9][0-9]*" | head -n 1 | grep -o '[0-9]*$'
}

# The status of partition $1, and the words for its layers.
verdicts() {
	afdisk --json "/dev/$disk" | tr '{' '\n' | awk -v number="$1" '
		/^"number":/ { here = index($0, "\"number\":" number ",") == 1 }
		here && match($0, /"status":"[a-z]*"/) { print substr($0, RSTART + 10, RLENGTH - 11) }
		here && match($0, /"verdict":"[a-z-]*"/) { print substr($0, RSTART + 11, RLENGTH - 12) }' | tr '\n' ' '
}

new_disk dev_size_mb=256 physblk_exp=3
printf 'label: dos\n63,200000,7\n200063,100000,83\n' | sfdisk -q "/dev/$disk" >log 2>&1
wait_for test -b "/dev/${disk}2"
mkfs.exfat "/dev/${disk}1" >log 2>&1 || cat log
mkfs.ext4 -q -b 4096 "/dev/${disk}2" >log 2>&1 </dev/null
heap=$(dump.exfat "/dev/${disk}1" 2>/dev/null | number 'Cluster Heap Offset (sector offset):')
is "mkfs.exfat puts its clusters on a boundary" $(((63 + heap) % 8)) 0
is "they begin where it says" "$(afdisk --json "/dev/$disk" | number '"what":"exFAT data","offset":')" $((heap * 512))
is "exFAT at 63 is compensated" "$(verdicts 1)" "compensated compensated "
is "ext4 off a boundary is not" "$(verdicts 2)" "misaligned misaligned "
before=$(afdisk --dump "/dev/$disk" | grep -v "${disk}2")
afdisk --quiet --write --edit "align all; delete 2" "/dev/$disk" >log 2>&1
has "the other holds data" "$(cat log)" "partition 2 holds data (ext4)"
afdisk --quiet --write --edit "delete 2; align all" "/dev/$disk" >log 2>&1
is "align all leaves exFAT where it is" "$(afdisk --dump "/dev/$disk")" "$before"
afdisk --edit 'align 1' "/dev/$disk" >log 2>&1
has "align says why" "$(cat log)" "the data inside lies on one"
