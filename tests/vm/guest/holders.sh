#!/bin/sh
# A disk whose partitions are mounted, swap, parts of other devices, or held by programs.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc
# shellcheck source=tests/vm/bed/tables.inc
. /tables.inc

# $1: the edit $2 is refused with words that have $3 in them, and changes nothing.
refused() {
	before=$(afdisk --dump "/dev/$disk" 2>&1)
	afdisk --write --edit "$2" "/dev/$disk" >log 2>&1
	is "$1: status" $? 2
	has "$1" "$(cat log)" "$3"
	is "$1: nothing is written" "$(afdisk --dump "/dev/$disk" 2>&1)" "$before"
}

# $1: the edit $2 is done, and the kernel knows the table $3.
done_as() {
	edit "$2"
	knows "$1" "$3"
}

# What afdisk says of partition $1 in the JSON text: fields mountpoints and in_use.
in_use() {
	afdisk --json --list "/dev/$disk" | tr '{' '\n' |
		sed -n "s/^\"number\":$1,.*\"mountpoints\":\(\[[^]]*\]\),\"in_use\":\([a-z]*\),.*/\1 \2/p"
}

# The columns of $1 for all partitions, a line each.
columns() {
	afdisk --list --output "$1" "/dev/$disk" | sed -n '/^Number/,$p' | sed 1d | sed 's/^ *//; s/ *$//'
}

new_disk dev_size_mb=256
edit "label dos; new primary size=40M; new primary size=40M; new logical size=20M; new logical size=20M"
blank=$(sed -n 's/.* is in //p' log)
knows "the disk" "1 2048+81920 2 83968+81920 3 165888+2 5 167936+40960 6 210944+40960 "
mkfs.ext4 -q "/dev/${disk}1"
mkfs.ext4 -q "/dev/${disk}6"
mount "/dev/${disk}1" /mnt
mkdir -p "/tmp/a b"
mount "/dev/${disk}6" "/tmp/a b"
is "a mounted one" "$(in_use 1)" '["/mnt"] true'
is "one with a blank in its mount point" "$(in_use 6)" '["/tmp/a b"] true'
is "a free one" "$(in_use 2)" '[] false'
is "the list" "$(columns NUMBER,MOUNTPOINT,USE)" "1 /mnt        mounted at /mnt
2
3
5
6 /tmp/a b    mounted at /tmp/a b"
has "and above it" "$(afdisk --list "/dev/$disk")" "
In use: ${disk}1 mounted at /mnt; ${disk}6 mounted at /tmp/a b
"

afdisk --restore "$blank" "/dev/$disk" >log 2>&1
is "the steps of a backup without a mounted one are not shown" $? 2
afdisk --write --restore "$blank" "/dev/$disk" >log 2>&1
is "a backup without a mounted one: status" $? 2
has "a backup without a mounted one" "$(cat log)" "partition 1 is mounted at /mnt: unmount it before it is deleted"
refused "deleting a mounted one" "delete 1" "partition 1 is mounted at /mnt: unmount it before it is deleted"
refused "shrinking one" "resize 1 size=20M table-only" "partition 1 is mounted at /mnt: unmount it before it is made smaller"
refused "moving one" "move 6 start=220000s table-only" "partition 6 is mounted at /tmp/a b: unmount it before it is moved"
refused "a logical before a mounted one" "delete 5" "partition 6 is mounted at /tmp/a b: it would become partition 5"
refused "the extended one around it" "delete 3" "partition 6 is mounted at /tmp/a b: unmount it before it is deleted"
refused "a new label" "label gpt" "partition 1 is mounted at /mnt: unmount it before it is deleted"
refused "a new order" "delete 2; new primary start=200M size=1M; sort; delete 1" "is mounted at"

done_as "a free neighbour is deleted" "delete 2" "1 2048+81920 3 165888+2 5 167936+40960 6 210944+40960 "
with_neighbour=$(sed -n 's/.* is in //p' log)
timeout 60 afdisk --write --restore "$with_neighbour" "/dev/$disk" >log 2>&1
knows "and comes back from the backup" "1 2048+81920 2 83968+81920 3 165888+2 5 167936+40960 6 210944+40960 "
without=$(sed -n 's/.* is in //p' log)
timeout 60 afdisk --write --restore "$without" "/dev/$disk" >log 2>&1
knows "and goes again" "1 2048+81920 3 165888+2 5 167936+40960 6 210944+40960 "
done_as "a mounted one grows" "resize 1 size=60M" "1 2048+122880 3 165888+2 5 167936+40960 6 210944+40960 "
is "and afdisk says so" "$said" "resized ${disk}1"
resize2fs "/dev/${disk}1" >log 2>&1
is "its file system can follow" "$(df -k /mnt | awk 'NR == 2 { print ($2 > 50000) }')" 1
done_as "the last one grows with the extended one" "resize 6 size=30M" "1 2048+122880 3 165888+2 5 167936+40960 6 210944+61440 "
done_as "type and flag of a mounted one change" "type 1 7; boot 1 on" "1 2048+122880 3 165888+2 5 167936+40960 6 210944+61440 "
done_as "a new one beside them" "new primary start=62M size=1M" \
	"1 2048+122880 2 126976+2048 3 165888+2 5 167936+40960 6 210944+61440 "
umount "/tmp/a b"
done_as "what is free again may go" "delete 5" "1 2048+122880 2 126976+2048 3 165888+2 5 210944+61440 "
umount /mnt
e2fsck -fn "/dev/${disk}1" >log 2>&1
is "the file system is whole" $? 0

edit "label gpt; new size=40M; new size=40M; new size=40M; new size=20M"
mkswap "/dev/${disk}1" >log 2>&1
swapon "/dev/${disk}1"
load dm_mod
dmsetup create vg0-root -u LVM-abcdef --table "0 40960 linear /dev/${disk}2 2048"
mkfs.ext4 -q /dev/mapper/vg0-root
mount /dev/mapper/vg0-root /mnt
dmsetup create secret -u CRYPT-LUKS2-0123 --table "0 40960 linear /dev/${disk}3 2048"
dmsetup create inner --table "0 20480 linear /dev/mapper/secret 2048"
is "swap, LVM and LUKS" "$(columns NUMBER,USE)" "1 used as swap
2 part of LVM vg0-root, mounted at /mnt
3 part of LUKS secret, part of device mapper inner
4"
is "what is mounted through LVM" "$(in_use 2)" '["/mnt"] true'
refused "swap" "delete 1" "partition 1 is used as swap: run swapoff on it before it is deleted"
refused "LVM" "delete 2" "partition 2 is part of LVM vg0-root, mounted at /mnt: close that before it is deleted"
refused "LUKS" "resize 3 size=10M table-only" "partition 3 is part of LUKS secret"
sleep 1000 3<"/dev/${disk}4" &
holder=$!
done_as "a program that only has it open does no harm" "name 4 x" "$(look && echo "$known")"
kill $holder
umount /mnt
dmsetup remove inner
dmsetup remove secret
dmsetup remove vg0-root
swapoff "/dev/${disk}1"
done_as "all are free again" "delete 1; delete 2; delete 3; delete 4" ""

edit "label gpt; new size=40M"
load loop
losetup -f "/dev/${disk}1"
is "a loop device over a partition" "$(columns NUMBER,USE)" "1 shown as /dev/loop0"
losetup -d /dev/loop0
dmsetup create whole --table "0 40960 linear /dev/$disk 4096"
refused "the whole disk" "name 1 x" "the whole disk is part of device mapper whole: close that before its table is changed"
dmsetup remove whole
truncate -s 64M image
afdisk --quiet --write --edit "label dos; new size=10M" image >log
losetup -f image
disk=loop0
has "an image behind a loop device" "$(afdisk --write --edit "delete 1" image 2>&1)" \
	"the whole disk is shown as /dev/loop0: run losetup -d on that before its table is changed"
done_as "through it the image changes" "new size=5M" "1 2048+20480 2 22528+10240 "

new_disk dev_size_mb=64
mkfs.ext4 -q -F "/dev/$disk"
mount "/dev/$disk" /mnt
refused "a mounted disk without a table" "label gpt" "the whole disk is mounted at /mnt: unmount it before its table is changed"
umount /mnt

# sfdisk holds what it opens, until there is no more to read.
hold() {
	mkfifo /tmp/wait
	sfdisk --no-reread --force "$1" </tmp/wait >/dev/null 2>&1 &
	exec 3>/tmp/wait
	rm /tmp/wait
	wait_for is_held "$1"
}
is_held() {
	! blockdev --rereadpt "$1" 2>/dev/null
}
new_disk dev_size_mb=64
edit "label gpt; new size=10M; new size=10M"
hold "/dev/$disk"
refused "a program that holds the disk" "delete 2" "the whole disk is in use by sfdisk (process "
exec 3>&-
wait
done_as "when it has ended" "delete 2" "1 2048+20480 "
edit "new size=10M"
hold "/dev/${disk}1"
done_as "a program that holds a partition leaves its neighbour" "delete 2" "1 2048+20480 "
refused "a program that holds a partition" "delete 1" "partition 1 is in use by sfdisk (process "
exec 3>&-
wait
