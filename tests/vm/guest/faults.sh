#!/bin/sh
# What afdisk says, and how it ends, when the disk fails.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc
# shellcheck source=tests/vm/bed/tables.inc
. /tables.inc

# $1: afdisk with the arguments $4 ends with status $2 and says $3, and does not hang.
ends() {
	test=$1 status=$2 words=$3
	shift 3
	timeout 60 afdisk "$@" >log 2>&1
	is "$test: status" $? "$status"
	has "$test" "$(cat log)" "$words"
}

# Logs of writes would be found again: all these disks have one identity.
forget() {
	rm -rf /var/lib/afdisk
}

# Gives the mapped disk another target.
remap() {
	dmsetup suspend flaky
	dmsetup load flaky --table "0 131072 $1"
	dmsetup resume flaky
}

new_disk dev_size_mb=64
load dm_flakey
edit "label dos; new size=10M; new logical size=10M; new logical size=10M"
dmsetup create flaky --table "0 131072 flakey /dev/$disk 0 60 0"
ends "a good disk" 0 "wrote 1 sector" --write --edit "type 1 7" /dev/mapper/flaky
table=$(afdisk --dump "/dev/$disk")
remap "flakey /dev/$disk 0 0 600 1 drop_writes"
ends "a disk that loses writes" 3 "the drive did not keep what was written" --write --edit "type 1 83; delete 5" /dev/mapper/flaky
has "and how to go back is said" "$(cat log)" "afdisk --write --re"
is "its table is the old one" "$(afdisk --dump "/dev/$disk")" "$table"
remap "flakey /dev/$disk 0 0 600 1 error_writes"
ends "a disk that takes no writes" 2 "a bad sector, a bad cable or a failing drive" --write --edit "type 1 83" /dev/mapper/flaky
is "its table is the old one, too" "$(afdisk --dump "/dev/$disk")" "$table"
remap "flakey /dev/$disk 0 600 0"
ends "when it is good again" 0 "wrote 1 sector" --write --edit "type 1 83" /dev/mapper/flaky
dmsetup remove flaky

forget
new_disk dev_size_mb=64 opts=2 medium_error_start=0 medium_error_count=1
ends "a bad first sector" 2 "a bad sector, a bad cable or a failing drive" --list "/dev/$disk"
new_disk dev_size_mb=64
edit "label dos; new size=10M; new logical size=10M; new logical size=10M"
afdisk --json --list "/dev/$disk" | sed 's/.*"number":6.*"ebr":\([0-9]*\).*/\1/' >/sys/module/scsi_debug/parameters/medium_error_start
echo 1 >/sys/module/scsi_debug/parameters/medium_error_count
echo 2 >/sys/bus/pseudo/drivers/scsi_debug/opts
echo 1 >/proc/sys/vm/drop_caches
forget
ends "a bad sector in the chain: the rest is shown" 0 "${disk}5" --list "/dev/$disk"
ends "and nothing is written" 2 "cannot be" --write --edit "type 1 7" "/dev/$disk"
new_disk dev_size_mb=64 wp=1
ends "a write-protected disk" 2 "write-protected" --write --edit "label dos" "/dev/$disk"

# Starts afdisk on the disk; it has opened it and waits for its script when this returns. What it says goes to log.
start() {
	rm -f /tmp/script
	mkfifo /tmp/script
	timeout 60 afdisk --write --apply - "/dev/$disk" </tmp/script >log 2>&1 &
	child=$!
	exec 3>/tmp/script
	wait_for has_open "/dev/$disk"
}

# True if a process has the device open.
has_open() {
	for link in /proc/[0-9]*/fd/*; do
		[ "$(readlink "$link")" != "$1" ] || return 0
	done
	return 1
}

# Gives it the script; its status when it has ended goes to status.
finish() {
	printf 'label: dos\nstart=2048, size=2048\n' >&3
	exec 3>&-
	wait $child
	status=$?
}

new_disk dev_size_mb=64
edit "label dos; new size=10M"
start
printf 'label: dos\nstart=4096\n' | sfdisk -q "/dev/$disk"
finish
is "a table that somebody else changed meanwhile: status" $status 2
has "a table that somebody else changed meanwhile" "$(cat log)" "changed since it was read"
start
echo 1 >"/sys/block/$disk/device/delete"
finish
is "a disk that was pulled while it was open: status" $status 2
has "a disk that was pulled while it was open" "$(cat log)" "was it unplugged?"

# Pulled in the middle of a write: every command of this disk takes 50 ms, and the backup is there just before the first one.
good=0 failed=0
logs() {
	echo /var/lib/afdisk/*
}
have_more_logs() {
	[ "$(logs)" != "$before" ]
}
for moment in 0 0.03 0.06 0.1 0.15 0.2 0.3 0.4; do
	new_disk dev_size_mb=64
	edit "label dos; new size=10M; new logical size=10M"
	echo 50000000 >/sys/bus/pseudo/drivers/scsi_debug/ndelay
	before=$(logs)
	start
	printf 'label: dos\nstart=2048, size=2048\nstart=8192, type=5\nstart=10240, size=2048\n' >&3
	exec 3>&-
	wait_for have_more_logs
	sleep $moment
	echo 1 >"/sys/block/$disk/device/delete"
	wait $child
	status=$?
	case $status in
	0) good=$((good + 1)) ;;
	2 | 3) grep -q "^afdisk: /dev/$disk: ." log && good=$((good + 1)) failed=$((failed + 1)) ;;
	esac
	echo "# pulled $moment s after the first sector may be written: status $status, $(grep ^afdisk: log | tail -n 1)"
done
is "a disk pulled at any moment: it is reported, and nothing hangs" $good 8
[ $failed -ge 2 ]
is "some of these moments were before the end" $? 0
