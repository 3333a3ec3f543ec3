#!/bin/sh
# What the kernel knows after each write while udev runs, and a moment later.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc
# shellcheck source=tests/vm/bed/tables.inc
. /tables.inc

start_udev
new_disk dev_size_mb=128
udevadm settle
fifty
edit "label gpt; new size=10M name=data"
[ -e /dev/disk/by-partlabel/data ]
is "udev has made its own names, too" $? 0
before=$(cat /sys/kernel/uevent_seqnum)
udevadm settle
knows "and does not take the partitions away again" "1 2048+20480 "
is "nor anything else" "$(($(cat /sys/kernel/uevent_seqnum) - before))" 0

# A program that holds the lock, as udev does for a moment, is waited for; one that keeps it is named as the reason.
flock --no-fork "/dev/$disk" sleep 1 &
wait_for sh -c "! flock --nonblock /dev/$disk true"
edit "delete 1"
knows "a lock held for a second does no harm" ""
flock "/dev/$disk" sleep 100 &
wait_for sh -c "! flock --nonblock /dev/$disk true"
is "a lock that is kept is respected" "$(afdisk --write --edit "new size=1M" "/dev/$disk" 2>&1 | tail -n 1)" \
	"afdisk: /dev/$disk: is locked by another program: let it finish, or close it"
