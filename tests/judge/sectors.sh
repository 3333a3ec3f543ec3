#!/bin/sh
# The size of sectors is a unit, no more: the same commands on equal disks with sectors of 512 and 4096 bytes give
# partitions at the same bytes, and parted, told the size, finds them there.
set -u
: "${AFDISK:?}"
folder=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-sectors.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
XDG_STATE_HOME=$folder/state
export XDG_STATE_HOME

# "number start size" of every partition of image $1, in bytes, as afdisk dumps it; $2 is the sector size.
ours() {
	"$AFDISK" --sector-size "$2" --dump "$1" |
		sed -n 's/^[^ ]*img\([0-9]*\) : start= *\([0-9]*\), size= *\([0-9]*\).*/\1 \2 \3/p' |
		awk -v size="$2" '{ printf "%d %.0f %.0f\n", $1, $2 * size, $3 * size }' | sort -n
}

# The same as parted sees it.
theirs() {
	PARTED_SECTOR_SIZE=$2 parted -s -m "$1" unit B print 2>&1 |
		awk -F: 'NR > 2 { gsub(/[B;]/, ""); printf "%d %.0f %.0f\n", $1, $2, $4 }' | sort -n
}

# Runs the commands $2 on disks of $1 bytes; further arguments are options.
judge() {
	disk=$1
	commands=$2
	shift 2
	for size in 512 4096; do
		rm -f "$size.img"
		truncate -s "$disk" "$size.img"
		if ! "$AFDISK" --quiet --sector-size $size "$@" --edit "$commands" --write "$size.img" >log 2>&1; then
			echo "not ok sectors: $size: $commands"
			sed 's/^/# /' log
			return
		fi
		ours "$size.img" $size >"$size.ours"
		theirs "$size.img" $size >"$size.theirs"
		if [ ! -s "$size.ours" ] || ! diff "$size.ours" "$size.theirs" >log; then
			echo "not ok sectors: parted and afdisk differ at $size: $commands"
			sed 's/^/# /' log
			return
		fi
	done
	if diff 512.ours 4096.ours >log; then
		echo "ok sectors: $commands"
	else
		echo "not ok sectors: $commands"
		sed 's/^/# /' log
	fi
}

judge 64M 'label gpt; new size=10M; new size=5M; new'
judge 64M 'label gpt; new start=3M size=10MB; resize 1 size=+5M; new size=50%'
judge 64M 'label gpt; new size=10M; new size=10M; new size=10M; delete 2; new size=4M; new'
judge 64M 'label gpt; new size=10M; new start=30M size=4M; move 2 start=12M; resize 1 end=11M; sort'
judge 64M 'label gpt; new start=32768B size=40960B; new start=5M size=1M' --exact
judge 64M 'label gpt; new start=69632B size=1003520B; new start=3211264B size=4M; align all' --exact
judge 64M 'label dos; new size=10M; new logical size=10M; new logical size=5M; new logical start=40M'
judge 64M 'label dos; new size=5M; new size=5M; new size=5M; new logical size=10M; new logical size=5M; delete 5'
judge 64M 'label dos; new logical size=10M; new logical size=10M; resize 5 size=-3M; move 6 start=30M; new logical'
judge 64M 'label dos; new size=10M; new logical size=10M; new logical start=30M size=20M; convert gpt'
judge 64M 'label gpt; new size=10M; new size=10M; convert dos; new logical; delete 2; new'
judge 3M 'label dos; new size=1M; new'
judge 5000000000K 'label gpt; new size=3T; new'
judge 1900G 'label dos; new size=1500G; new logical size=100G; new logical start=1700G'
