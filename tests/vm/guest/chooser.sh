#!/bin/sh
# The chooser over the disks of a machine.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc

mkdir -p /dev/pts
mount -t devpts devpts /dev/pts
export TMUX_TMPDIR=/tmp

screen() {
	tmux -f /dev/null capture-pane -p -t it
}

keys() {
	tmux -f /dev/null send-keys -t it "$@"
}

is_on_screen() {
	screen | grep -qF -- "$1"
}

# $1: the screen comes to show $2.
shows() {
	wait_for is_on_screen "$2" && echo "ok vm: $1" && return
	screen | sed 's/^/# /'
}

begin() {
	tmux -f /dev/null kill-server 2>/dev/null
	tmux -f /dev/null new-session -d -x 80 -y 24 -s it "$1; echo \"left with \$?\"; exec cat"
}

by_serial system
system=$disk
sfdisk -q "/dev/$system" <<-END
	label: dos
	start=63, size=40000, type=83
	start=65536, size=65536, type=82
END
mkswap "/dev/${system}2" >/dev/null
swapon "/dev/${system}2"
new_disk dev_size_mb=64

begin afdisk
shows "the first frame" "afdisk: choose a disk"
shows "a misaligned partition is counted" "1 of 2 misaligned"
shows "the system's disk is marked in its row" "SYSTEM swap"
shows "a disk without a table" "no table"
is "RAM disks and empty loops are no disks" "$(screen | grep -c '/dev/loop\|/dev/ram')" 0

keys p "/dev/$system" Enter
shows "it is asked about before it is opened" "THE RUNNING SYSTEM IS ON /dev/$system (swap). Open it?"
keys l
shows "it can be looked at" "read-only: as asked, nothing will be written"
keys o
shows "the other one is in the list" "/dev/$disk"
keys Home
screen | grep -q "^► /dev/$disk" || keys Down
keys Enter
shows "opening it asks for a table" "New partition table"
keys g n Enter W
shows "it is written to as any other" "Type yes:"
keys yes Enter
shows "it was, and the kernel knows" "the kernel added ${disk}1"

# A loop device has its node before it has a file: nothing tells of that.
keys o
shows "choosing again" "afdisk: choose a disk"
truncate -s 16M /tmp/image
load loop
loop=$(losetup -f)
losetup "$loop" /tmp/image
keys r
shows "a loop device with a file is a disk" "$loop"
keys q
shows "left" "left with 0"

begin afdisk
shows "the disk that is there" "  64M"
new_disk dev_size_mb=32
shows "one that comes in its place is noticed" "  32M"
keys q
shows "left again" "left with 0"

# One that takes requests and answers none.
load dm_mod
dmsetup create dead --table "0 32768 linear $loop 0"
dead=/dev/$(basename "$(readlink -f /sys/dev/block/"$(dmsetup info -c --noheadings -o major,minor dead)")")
dmsetup suspend dead
echo 3 >/proc/sys/vm/drop_caches
begin afdisk
shows "with a dead disk the first frame comes" "afdisk: choose a disk"
shows "the others are told" "1 of 2 misaligned"
is_on_screen "reading"
is "the dead one is being read" $? 0
keys p "$dead" Enter
shows "it is being opened, and keys are taken" "opening $dead ... (Esc: give up)"
keys Escape
shows "that is given up" "$dead was not opened"
keys Escape q
shows "leaving waits for nobody" "left with 0"
tmux -f /dev/null kill-server
dmsetup resume dead
