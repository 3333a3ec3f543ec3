#!/bin/sh
# Disks of many kinds, made and partitioned one after the other: what afdisk says of the disk and how far each partition
# is past a boundary is what the kernel says.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc

# By the kernel: logical and physical size, minimum and optimal I/O, offset; then each partition's number and how many bytes
# it is before the next boundary.
by_kernel() {
	cd "/sys/block/$disk" || return
	cat queue/logical_block_size queue/physical_block_size queue/minimum_io_size queue/optimal_io_size alignment_offset
	for number in 1 2 3 4 5 6 7; do
		[ ! -e "$disk$number" ] || cat "$disk$number/partition" "$disk$number/alignment_offset"
	done
	cd "$OLDPWD" || return
}

# The same by afdisk, which counts the sectors from the boundary before.
by_afdisk() {
	afdisk --quiet --json --list "$1" "/dev/$disk" | tr '{' '\n' | awk '
		function field(name) {
			if (!match($0, "\"" name "\":[^,]*,"))
				return "none"
			n = substr($0, RSTART, RLENGTH - 1)
			sub(/.*:/, "", n)
			return n == "null" ? 0 : n ~ /^[0-9]/ ? n + 0 : n
		}
		/"path"/ {
			sector = field("sector_size")
			boundary = field("check_size")
			print sector, field("physical_size"), field("minimum_io"), field("optimal_io"), field("alignment_offset")
		}
		/"number"/ {
			off = field("start_off")
			status = field("status")
			if (off > 0 && status != "\"misaligned\"" && status != "\"container\"")
				print "misaligned, and called " status
			print field("number"), (boundary - off * sector) % boundary
		}'
}

# Compares the table that afdisk makes with commands $2. What afdisk assumes behind every drive, 4096, is what the kernel
# says here, so that both judge by the same.
judge() {
	afdisk --quiet --exact --write --edit "$2" "/dev/$disk" >log 2>&1 || is "$1: written" "$(cat log)" ""
	kernel=$(by_kernel | tr '\n' ' ')
	# shellcheck disable=SC2086 # words are wanted
	set -- "$1" $kernel
	is "$1: the disk and its six partitions" "$(by_afdisk "--physical=$3" | tr '\n' ' ')" "$kernel"
	is "$1: all was compared" $# 18
}

dos='label dos; new primary start=63s size=1000s; new primary start=2047s size=2049s; new extended start=8192s size=12000s;
	new logical start=8200s size=1000s; new logical start=10001s size=999s; new logical start=12296s size=4096s'
gpt='label gpt; new start=2048s size=1s; new start=2055s size=8s; new start=4095s size=4096s; new start=8191s size=7s;
	new start=8448s size=100s; new start=9000s size=256s'

while read -r name arguments; do
	# shellcheck disable=SC2086 # words are wanted
	new_disk dev_size_mb=128 $arguments || continue
	judge "$name, MBR" "$dos"
	judge "$name, GPT" "$gpt"
done <<END
512/512
512/4096 physblk_exp=3
512/4096-offset-3584 physblk_exp=3 lowest_aligned=7
512/4096-offset-512 physblk_exp=3 lowest_aligned=1
4096/4096 sector_size=4096
512/16384 physblk_exp=5
4096/16384 sector_size=4096 physblk_exp=2
RAID physblk_exp=3 opt_blks=2048 opt_xferlen_exp=7
bogus-optimal-size physblk_exp=3 opt_blks=65535
END

by_serial S1
judge "virtio disk, MBR" "$dos"
judge "virtio disk, GPT" "$gpt"
by_serial S2
judge "SCSI disk of 4096-byte sectors, MBR" "$dos"
judge "SCSI disk of 4096-byte sectors, GPT" "$gpt"
