#!/bin/sh
# The file systems' own tools, and libblkid, judge what is read of their superblocks: where data begins, in what blocks, and
# the size. Each file system is made in a plain file, and lies in a partition once on a boundary and once at sector 63.
set -u
PATH=$PATH:/usr/sbin:/sbin
: "${AFDISK:?}" "${MKDISK:?}"
folder=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-judge.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
mkdir empty

# The number behind the first $1 of what is read.
number() {
	grep -o "$1[^0-9]*[0-9][0-9]*" | head -n 1 | grep -o '[0-9]*$'
}

# The words of each tool, as "offset unit size", all in bytes.
ask_ext() {
	dumpe2fs -h part >out 2>/dev/null
	unit=$(number 'Block size:' <out)
	echo "0 $unit $(($(number 'Block count:' <out) * unit))"
}

ask_fat() {
	fsck.fat -n -v part >out 2>/dev/null
	sector=$(sed -n 's/^ *\([0-9]*\) bytes per logical sector/\1/p' out)
	echo "$(number 'Data area starts at byte' <out) $(sed -n 's/^ *\([0-9]*\) bytes per cluster/\1/p' out)" \
		"$(($(sed -n 's/^ *\([0-9]*\) sectors total/\1/p' out) * sector))"
}

ask_exfat() {
	dump.exfat part >out 2>/dev/null
	sector=$((1 << $(number 'Sector Size Bits:' <out)))
	echo "$(($(number 'Cluster Heap Offset (sector offset):' <out) * sector))" \
		"$((sector << $(number 'Sector per Cluster bits:' <out)))" \
		"$(($(number 'Volume Length(sectors):' <out) * sector))"
}

# It counts whole clusters; the rest, and the copy of the boot sector, are what the file has more.
ask_ntfs() {
	ntfsinfo -m -f part >out 2>/dev/null
	unit=$(number 'Cluster Size:' <out)
	clusters=$(number 'Volume Size in Clusters:' <out)
	size=$(stat -c %s part)
	[ "$(((size - $(number 'Sector Size:' <out)) / unit))" -eq "$clusters" ] || size=none
	echo "0 $unit $size"
}

ask_xfs() {
	xfs_db -r -c 'sb 0' -c 'p blocksize dblocks' part >out 2>/dev/null
	unit=$(number 'blocksize =' <out)
	echo "0 $unit $(($(number 'dblocks =' <out) * unit))"
}

ask_btrfs() {
	btrfs inspect-internal dump-super part >out 2>/dev/null
	echo "0 $(number '^sectorsize' <out) $(number 'dev_item.total_bytes' <out)"
}

ask_f2fs() {
	dump.f2fs -d 1 part 2>/dev/null | sed -n 's/^\([a-z_]*\) .* : \([0-9]*\)\]$/\1 \2/p' >out
	unit=$((1 << $(number '^log_blocksize' <out)))
	echo "$(($(number '^main_blkaddr' <out) * unit)) $unit $(($(number '^block_count' <out) * unit))"
}

# dump.f2fs says of each device which blocks it holds, in hexadecimal.
ask_f2fs_first() {
	all=$(ask_f2fs)
	last=$(dump.f2fs part 2>/dev/null | sed -n 's/.*Device\[0\].*--\([0-9a-f]*\)$/\1/p')
	echo "${all% *} $(((0x$last + 1) * 4096))"
}

# Linux has no tool that reads them: the unit is libblkid's, the size that which makefs was told.
ask_ufs() {
	echo "0 $(blkid -p -o value -s BLOCK_SIZE part) $(stat -c %s part)"
}

# mkswap counts all pages but the first.
ask_swap() {
	echo "0 $1 $(($(sed -n 's/.*(\([0-9]*\) bytes).*/\1/p' made) + $1))"
}

# The same by afdisk, of the first layer.
ask_us() {
	"$AFDISK" --quiet --json disk.img >json
	echo "$(number '"layers":\[{"what":"[^"]*","offset":' <json)" \
		"$(number '"unit":' <json) $(number '"fs_size":' <json)"
}

# The verdict on the first layer, by arithmetic; none where the unit is small, which has rules of its own.
verdict() {
	off=$((($1 * 512 + $2) % 4096))
	if [ "$3" -lt 4096 ]; then
		echo any
	elif [ $off -ne 0 ]; then
		echo misaligned
	elif [ $(($1 % 8)) -ne 0 ]; then
		echo compensated
	else
		echo aligned
	fi
}

# Puts the file at sector $1 of a disk.
place() {
	size=$((($(stat -c %s part) + 511) / 512))
	"$MKDISK" disk.img "$((size + 4096))" 512 dos 1 "p1=$1+$size,83" || exit 1
	dd if=part of=disk.img bs=64k seek="$(($1 * 512))" oflag=seek_bytes conv=notrunc,sparse status=none
}

# $1 names the case, $2 is the size of the file, $3 what libblkid calls it, $4 whom to ask; the rest makes it.
judge() {
	name=$1 size=$2 fs=$3 ask=$4
	shift 4
	command -v "$1" >/dev/null || { echo "skip fs: $name: no $1 here" && return; }
	rm -f part
	truncate -s "$size" part
	[ "$1" != makefs ] || set -- "$@" part empty
	[ "$1" = makefs ] || set -- "$@" part
	"$@" >made 2>&1 || { echo "not ok fs: $name: $*" && sed 's/^/# /' made && return; }
	theirs=$($ask)
	[ "$(blkid -p -o value -s TYPE part)" = "$fs" ] || theirs="libblkid finds no $fs"
	for start in 2048 63; do
		place $start
		ours=$(ask_us)
		# shellcheck disable=SC2086 # words are wanted
		wanted=$(verdict $start $ours)
		is=$(sed -n 's/.*"layers":\[{[^}]*"verdict":"\([a-z-]*\)".*/\1/p' json)
		[ "$wanted" != any ] || is=any
		if [ "$ours" = "$theirs" ] && [ "$is" = "$wanted" ] && grep -q "\"fs\":\"$fs\"" json; then
			echo "ok fs: $name at $start"
		else
			echo "not ok fs: $name at $start: ours $ours $is, theirs $theirs $wanted"
		fi
	done
}

ask_swap_4k() {
	ask_swap 4096
}

ask_swap_64k() {
	ask_swap 65536
}

judge ext4 32M ext4 ask_ext mkfs.ext4 -q -F -b 4096
judge 'ext4, 1 KiB' 33554944 ext4 ask_ext mkfs.ext4 -q -F -b 1024
judge ext3 16M ext3 ask_ext mkfs.ext3 -q -F
judge ext2 16M ext2 ask_ext mkfs.ext2 -q -F -b 2048
judge fat12 8M vfat ask_fat mkfs.fat -F 12
judge fat16 100M vfat ask_fat mkfs.fat -F 16
judge 'fat16, sectors of 4096' 100M vfat ask_fat mkfs.fat -F 16 -S 4096
judge fat32 300M vfat ask_fat mkfs.fat -F 32 -s 8
for reserved in 32 33 34 38; do
	judge "fat32, $reserved sectors reserved" 300M vfat ask_fat mkfs.fat -F 32 -a -s 8 -R $reserved
done
judge exfat 64M exfat ask_exfat mkfs.exfat
judge 'exfat, clusters of 512' 64M exfat ask_exfat mkfs.exfat -b 512 -c 512
judge 'exfat, clusters of 128 KiB' 600M exfat ask_exfat mkfs.exfat -c 128K
judge ntfs 16M ntfs ask_ntfs mkntfs -F -Q -q
judge 'ntfs, clusters of 512' 16M ntfs ask_ntfs mkntfs -F -Q -q -c 512
judge 'ntfs, clusters of 64 KiB' 64M ntfs ask_ntfs mkntfs -F -Q -q -c 65536
judge xfs 300M xfs ask_xfs mkfs.xfs -q -f -s size=4096
judge 'xfs, 1 KiB' 300M xfs ask_xfs mkfs.xfs -q -f -b size=1024 -s size=512
sector=$(xfs_db -r -c 'sb 0' -c 'p sectsize' part 2>/dev/null | number 'sectsize =')
if [ "$(number '"what":"XFS log and headers","offset":0,"unit":' <json)" = "$sector" ]; then
	echo "ok fs: sectors of xfs"
elif command -v xfs_db >/dev/null; then
	echo "not ok fs: sectors of xfs: $sector"
fi
judge btrfs 128M btrfs ask_btrfs mkfs.btrfs -q -f
truncate -s 200M second
judge 'btrfs, the other of two devices' 128M btrfs ask_btrfs mkfs.btrfs -q -f second
judge f2fs 64M f2fs ask_f2fs mkfs.f2fs -q -f
judge 'f2fs, the first of two devices' 64M f2fs ask_f2fs_first mkfs.f2fs -q -f -c second
judge ufs1 0 ufs ask_ufs makefs -t ffs -s 8m -o version=1,bsize=4096,fsize=512
judge ufs2 0 ufs ask_ufs makefs -t ffs -s 8m -o version=2,bsize=32768,fsize=4096
judge 'ufs1, big-endian' 0 ufs ask_ufs makefs -B be -t ffs -s 8m -o version=1,bsize=16384,fsize=2048
judge 'ufs2, big-endian' 0 ufs ask_ufs makefs -B be -t ffs -s 8m -o version=2,bsize=32768,fsize=4096
judge swap 1M swap ask_swap_4k mkswap
judge 'swap, pages of 64 KiB' 1M swap ask_swap_64k mkswap -p 65536

# What a refusal names is run as it stands: then the same edit is taken, and what lies in the partition is whole. $1 makes a file
# system of 64 MiB, $2 checks one.
shrink() {
	name=${1%% *}
	rm -f part
	truncate -s 64M part
	$1 part >made 2>&1
	place 2048
	"$AFDISK" --edit 'resize 1 size=40M' disk.img >refused 2>&1
	grep -o "'[^']*PARTITION[^']*'" refused | # e2fsck asks on a terminal only
		sed "s/'//g; s/PARTITION/part/; s/e2fsck/e2fsck -y/" >commands
	while read -r command; do
		yes 2>/dev/null | $command >>made 2>&1 || echo "failed: $command" >>failed
	done <commands
	dd if=part of=disk.img bs=1M seek=1 conv=notrunc,sparse status=none
	"$AFDISK" --quiet --write --edit 'resize 1 size=40M' disk.img >edited 2>&1 || cat edited >>failed
	dd if=disk.img of=cut bs=1M skip=1 count=40 status=none
	$2 cut >checked 2>&1 || cat checked >>failed
	if [ -s commands ] && [ ! -e failed ]; then
		echo "ok fs: the command named shrinks it: $name"
	else
		echo "not ok fs: the command named shrinks it: $name: $(cat refused commands)"
		sed 's/^/# /' failed
	fi
	rm -f failed
}

# What --check names to mend it is run as it stands, and is enough: the file system that $2 and on make, of size $1, has all its
# data on boundaries then, in blocks that are large enough.
mend() {
	size=$1
	shift
	name="$*"
	command -v "$1" >/dev/null || { echo "skip fs: the command named mends it: no $1 here" && return; }
	rm -f part
	truncate -s "$size" part
	"$@" part >made 2>&1
	place 2048
	"$AFDISK" --check disk.img >before 2>&1
	command=$(sed -n '/ helps: /{s/.* helps: //;s/PARTITION/part/;s/^mkntfs/& -F/;p;q}' before)
	yes 2>/dev/null | $command >made 2>&1 || sed 's/^/# /' made
	place 2048
	"$AFDISK" --check disk.img >after 2>&1 && ! grep -q ' helps\|small-unit\|misaligned' after && [ -n "$command" ] &&
		echo "ok fs: the command named mends it: $name" && return
	echo "not ok fs: the command named mends it: $name: $command"
	sed 's/^/# /' before after
}

mend 64M mkfs.ext4 -q -F -b 1024
mend 16M mkfs.ext2 -q -F -b 2048
mend 8M mkfs.fat -F 12
mend 100M mkfs.fat -F 16
mend 600M mkfs.fat -F 32 -a
mend 64M mkfs.exfat -b 512 -c 512
mend 16M mkntfs -F -Q -q -c 512
mend 300M mkfs.xfs -q -f -b size=1024 -s size=512

XDG_STATE_HOME=$folder
export XDG_STATE_HOME
shrink 'mkfs.ext4 -q -F' 'e2fsck -f -n'
if command -v ntfsresize >/dev/null; then
	shrink 'mkntfs -F -Q -q' 'ntfsresize --info --force'
else
	echo "skip fs: the command named shrinks it: ntfs: no ntfsresize here"
fi
