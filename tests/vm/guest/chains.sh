#!/bin/sh
# Each disk is compared with the kernel: number, start and size of each partition, in units of 512 bytes.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc

# An extended partition is two sectors to the kernel: its size does not count.
by_kernel() {
	for folder in "/sys/block/$disk/$disk"*; do
		[ -e "$folder/partition" ] || continue
		read -r number <"$folder/partition"
		read -r start <"$folder/start"
		read -r size <"$folder/size"
		echo "$number $start $size"
	done | sort -n
}

# The kernel cuts off what lies beyond the disk, and has no numbers beyond 255.
by_afdisk() {
	unit=$(($(cat "/sys/block/$disk/queue/logical_block_size") / 512))
	afdisk --dump "/dev/$disk" 2>/dev/null | sed -n 's/^[^ ]*d[a-z]\([0-9]*\) : start=\(.*\), size=\(.*\), type=\([^,]*\).*/\1 \2 \3 \4/p' |
		awk -v unit="$unit" -v all="$(cat "/sys/block/$disk/size")" '
		$1 < 256 && $2 * unit < all {
			start = $2 * unit
			size = $3 * unit
			if (start + size > all)
				size = all - start
			if ($4 == "5" || $4 == "f" || $4 == "85")
				size = unit > 2 ? unit : 2
			print $1, start, size
		}' | sort -n
}

for name in empty-head no-signature no-head any-order two-extended idle-99 idle-100 beyond no-sectors many sectors-4k; do
	by_serial "$name"
	kernel=$(by_kernel)
	is "$name: partitions are those of the kernel" "$(by_afdisk)" "${kernel:-none}"
done

by_serial empty-head
has "case 11: a partition's node leads to its disk" "$(afdisk --list "/dev/${disk}5" 2>&1)" \
	"is a partition: open the disk /dev/$disk"
afdisk --quiet --write --edit 'resize 5 size=-100s; boot 6 on; new logical size=1M' "/dev/$disk" >log 2>&1 ||
	is "written" "$(cat log)" ""
blockdev --rereadpt "/dev/$disk"
is "written behind an empty head: partitions are those of the kernel" "$(by_afdisk)" "$(by_kernel)"

by_serial many
afdisk --quiet --write --edit 'type 100 swap; delete 1004; resize 200 size=-1M' "/dev/$disk" >log 2>&1 ||
	is "written" "$(cat log)" ""
blockdev --rereadpt "/dev/$disk"
is "written among a thousand: partitions are those of the kernel" "$(by_afdisk)" "$(by_kernel)"
