#!/bin/sh
# What the kernel knows after each write.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc
# shellcheck source=tests/vm/bed/tables.inc
. /tables.inc

new_disk dev_size_mb=128
edit "label gpt; new size=10M; new size=10M; new size=10M"
knows "three new ones are there at once" "1 2048+20480 2 22528+20480 3 43008+20480 "
is "and afdisk says so" "$said" "added ${disk}1, added ${disk}2, added ${disk}3"
before=$(cat /sys/kernel/uevent_seqnum)
edit "delete 2; resize 3 size=20M"
knows "one is deleted, one resized" "1 2048+20480 3 43008+40960 "
is "and afdisk says so" "$said" "removed ${disk}2, resized ${disk}3"
is "the others are left alone" "$(($(cat /sys/kernel/uevent_seqnum) - before))" 1
edit "new start=12M size=1M; name 1 one"
knows "one comes into the gap" "1 2048+20480 2 24576+2048 3 43008+40960 "
edit "label dos; new extended size=50M"
knows "an extended one is a name only" "1 2048+2 "
afdisk --quiet --exact --write --edit "new logical start=2049s size=100s" "/dev/$disk" >log 2>&1
knows "a logical one may begin right behind its EBR" "1 2048+1 5 2049+100 "
fifty
edit "label gpt"
knows "an empty table leaves none" ""

new_disk dev_size_mb=128 sector_size=4096
edit "label dos; new primary size=8M; new logical size=8M"
knows "sectors of 4096 bytes" "1 8192+16384 2 24576+16 5 32768+16384 "

load dm_mod
dmsetup create plain --table "0 131072 linear /dev/$disk 65536"
disk=mapper/plain
edit "label dos; new size=10M"
has "a device without partitions" "$said" \
	"the kernel makes no partitions on /dev/mapper/plain, whatever its table says: 'kpartx -u /dev/mapper/plain' maps them"
