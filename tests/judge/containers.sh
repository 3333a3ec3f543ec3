#!/bin/sh
# The tools of each container judge what is read of it: where its data begins, and in what blocks. LUKS is made by cryptsetup, the
# others, which need a kernel, by mkdisk; their own tools say whether that is sound, and tell the same numbers.
set -u
: "${AFDISK:?}" "${MKDISK:?}"
folder=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-judge.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
PATH=$PATH:/usr/sbin:/sbin
start=63 sectors=131072

# Partition 1 of disk.img, as a file of its own.
take_part() {
	dd if=disk.img of=part.img bs=512 skip=$start count=$sectors conv=sparse status=none
}

# What afdisk finds in it: "OFFSET UNIT" a line, in bytes.
list_ours() {
	"$AFDISK" --quiet --list --json disk.img |
		grep -o '"what": *"[^"]*", *"offset": *[0-9]*, *"unit": *[0-9a-z]*' |
		sed 's/.*"offset": *\([0-9]*\), *"unit": *\([0-9a-z]*\)/\1 \2/'
}

# $1 names the case; what the tool says is in theirs.
compare() {
	list_ours >ours
	if [ -s theirs ] && cmp -s ours theirs; then
		echo "ok containers: $1"
	else
		echo "not ok containers: $1"
		diff ours theirs | sed 's/^/# /'
	fi
}

need() {
	command -v "$1" >/dev/null && return
	echo "skip containers: $2: $1 is not here"
	return 1
}

luks() {
	name=$1
	shift
	rm -f part.img
	truncate -s $((sectors * 512)) part.img
	echo secret | cryptsetup luksFormat -q --pbkdf-force-iterations 1000 "$@" part.img - 2>errors || {
		echo "not ok containers: $name: $(cat errors)"
		return
	}
	"$MKDISK" disk.img 262144 512 dos 1 p1=$start+$sectors,83
	dd if=part.img of=disk.img bs=512 seek=$start conv=notrunc,sparse status=none
	cryptsetup luksDump part.img | awk '
		/^Payload offset:/ { print $3 * 512, "null" }
		/^Data segments:/ { on = 1 }
		/^Keyslots:/ { on = 0 }
		on && /offset:/ { offset = $2 }
		on && /sector:/ { print offset, $2 }' >theirs
	compare "$name"
}

# $1 names the case, the rest is a word of mkdisk with @ for the place; the tool's answers are piped into theirs.
built() {
	"$MKDISK" disk.img 262144 512 dos 1 p1=$start+$sectors,83 "$(echo "$1" | sed "s/@/$start+$sectors/")" || exit 1
	take_part
}

if need cryptsetup luks; then
	luks "LUKS1" --type luks1
	luks "LUKS1, payload at 4041" --type luks1 --align-payload 4041
	luks "LUKS1, 128 bits" --type luks1 --key-size 128 --cipher aes-cbc-essiv:sha256 --align-payload 8
	luks "LUKS2" --type luks2 --pbkdf pbkdf2
	luks "LUKS2, sectors of 512 bytes" --type luks2 --pbkdf pbkdf2 --sector-size 512
	luks "LUKS2, 64 KiB of metadata" --type luks2 --pbkdf pbkdf2 --luks2-metadata-size 64k --luks2-keyslots-size 512k
fi

if need pvck lvm; then
	for word in lvm=@,2048 lvm=@,2049,8192 lvm=@,384,2048; do
		built "$word"
		# shellcheck disable=SC2016 # the names are its own
		{ pvck --dump headers part.img && pvck --dump metadata part.img; } 2>errors | awk '
			/pv_header.disk_locn.0..offset/ { start = $2 }
			/^extent_size = / { extent = $3 * 512 }
			/^pe_start = / { start = $3 * 512 }
			/ERROR|WARNING/ { bad = 1 }
			END { if (!bad) print start, extent ? extent : "null" }' >theirs
		compare "$word"
	done
fi

if need mdadm raid; then
	for word in md12=@,6,1026,63000,1024 md12=@,1,2048,63000,0 md11=@,0,4096,61440,128 md10=@,5,0,65000,1024 \
		md090=@,5,65536; do
		built "$word"
		mdadm --examine part.img 2>errors | awk '
			/Data Offset :/ { start = $4 * 512 }
			/Chunk Size :/ { chunk = $4 * 1024 }
			/Checksum :/ { good = /correct/ }
			END { if (good) print start + 0, chunk ? chunk : "null" }' >theirs
		compare "$word"
	done
fi

if need bcache-super-show bcache; then
	for word in bcache=@,1,16,1 bcache=@,4,17,8 bcache=@,0,1024,8; do
		built "$word"
		bcache-super-show part.img 2>errors | awk '
			/sb.csum/ { good = /match/ }
			/sectors_per_block/ { block = $2 * 512 }
			/(data|cache).first_sector/ { start = $2 * 512 }
			END { if (good) print start, block }' >theirs
		compare "$word"
	done
fi

# No tool tells more than libblkid of these: the block of ZFS, and that BitLocker, which begins where the partition does, is one.
for word in zfs=@,9 zfs=@,13; do
	built "$word"
	blkid -p -o value -s BLOCK_SIZE part.img | sed 's/^/4194304 /' >theirs
	compare "$word"
done
for word in bitlocker=@,0,8 bitlocker=@,2,8; do
	built "$word"
	blkid -p -o value -s TYPE part.img | sed -n 's/^BitLocker$/0 4096/p' >theirs
	compare "$word"
done
