# shellcheck shell=sh
# Sourced by the check files of these folders: what others say about disk.img.

# Prints "number start sectors" of each partition line of a script in sfdisk's language.
places() {
	sed -n 's/^disk\.img\([0-9]*\) : start= *\([0-9]*\), size= *\([0-9]*\).*/\1 \2 \3/p' | sort -n
}

# Succeeds if sfdisk, fdisk and parted see the same partitions as afdisk, and find nothing wrong. $1 is the sector
# size; only parted can be told that it is not 512.
agree() {
	"$AFDISK" --sector-size "${1:-512}" --dump disk.img | places >.ours
	PARTED_SECTOR_SIZE=${1:-512} parted -s -m disk.img unit s print 2>&1 |
		awk -F: 'NR > 2 { gsub(/[s;]/, ""); print $1, $2, $4 }' | sort -n >.parted
	diff .ours .parted
	[ "${1:-512}" = 512 ] || return 0
	sfdisk -d disk.img | places | diff .ours -
	fdisk -l -o Device,Start,Sectors disk.img |
		sed -n 's/^disk\.img\([0-9]*\) *\([0-9]*\) *\([0-9]*\)$/\1 \2 \3/p' | sort -n | diff .ours -
	sfdisk --verify disk.img 2>&1 | grep -q '^No errors detected'
}

# Succeeds if not one byte of the image differs.
untouched() {
	"$DIFFDISK" before.img disk.img
}

# Succeeds if gdisk's checks, where it is installed, find nothing wrong with the GPT.
sound() {
	command -v sgdisk >/dev/null || return 0
	sgdisk -v disk.img | grep -q '^No problems found'
}
