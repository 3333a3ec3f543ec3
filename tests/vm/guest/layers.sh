#!/bin/sh
# Containers that are open, and those that make up for a partition that begins off its boundary.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc
# shellcheck source=tests/vm/bed/tables.inc
. /tables.inc
export DM_DISABLE_UDEV=1

# The layers that afdisk finds in partition $1: "OFFSET UNIT WHAT" a line.
layers() {
	afdisk --json --list "/dev/$disk" | sed 's/"number"/\n&/g' | sed -n "s/^\"number\":$1,//p" | tr '{' '\n' |
		sed -n 's/^"what":"\([^"]*\)","offset":\([a-z0-9]*\),"unit":\([a-z0-9]*\),.*/\2 \3 \1/p'
}

status_of() {
	afdisk --list --output NUMBER,STATUS "/dev/$disk" | sed -n "s/^ *$1 *//p"
}

# What tools print is of interest only when they fail.
run() {
	"$@" >tools 2>&1 || { echo "not ok vm: $*" && sed 's/^/# /' tools; }
}

encrypt() {
	echo secret | run cryptsetup luksFormat -q --pbkdf-force-iterations 1000 "$@" -
}

# The tools' own words judge where data begins and in what blocks, libblkid's what it is, arithmetic the verdict.
start_of() {
	cat "/sys/block/$disk/$disk$1/start"
}

# The word for the only layer of partition $1 with data at byte $2 in it, written in blocks of $3 bytes.
verdict() {
	if [ $((($(start_of "$1") * 512 + $2) % 4096)) -ne 0 ]; then
		echo misaligned
	elif [ $(($(start_of "$1") % 8)) -ne 0 ]; then
		echo compensated
	elif [ "$3" != null ] && [ "$3" -lt 4096 ]; then
		echo small-unit
	else
		echo aligned
	fi
}

# $1 names it, $2 is the partition, $3 the data's offset and $4 the unit by its tool, $5 our name of it.
judge() {
	blockdev --flushbufs "/dev/$disk"
	afdisk --json --list "/dev/$disk" | sed 's/"number"/\n&/g' | grep "^\"number\":$2," >json
	is "$1 on partition $2" "$(layers "$2") $(sed -n 's/.*"verdict":"\([a-z-]*\)".*/\1/p' json) $(sed -n 's/.*"fs":"\([^"]*\)".*/\1/p' json)" \
		"$3 $4 $5 $(verdict "$2" "$3" "$4") $(blkid -p -o value -s TYPE "/dev/$disk$2")"
}

judge_md() {
	data=$(mdadm --examine "/dev/$disk$2" | awk '/Data Offset/ { print $4 * 512 }')
	judge "$1" "$2" "${data:-0}" null "md $3 raid1"
}

judge_bcache() {
	bcache-super-show "/dev/$disk$2" >tools
	judge "$1" "$2" $(($(awk '/data.first_sector/ { print $2 }' tools) * 512)) \
		$(($(awk '/sectors_per_block/ { print $2 }' tools) * 512)) "bcache backing"
}

judge_lvm() {
	judge "$1" "$2" "$(lvm pvs --noheadings --nosuffix --units b -o pe_start "/dev/$disk$2" | tr -d ' ')" null LVM2
}

judge_luks1() {
	judge "$1" "$2" "$(cryptsetup luksDump "/dev/$disk$2" | awk '/^Payload offset:/ { print $3 * 512 }')" null LUKS1
}

judge_luks2() {
	cryptsetup luksDump "/dev/$disk$2" >tools
	judge "$1" "$2" "$(awk '/offset:/ { print $2; exit }' tools)" "$(awk '/sector:/ { print $2; exit }' tools)" LUKS2
}

# The command that --check names for partition 1 is run as it stands, and is enough.
mend() {
	command=$(afdisk --check "/dev/$disk" | sed -n "s/^[^ ]*${disk}1 .* helps: //p" |
		sed 's,ARRAY,/dev/md0 --run --raid-devices=2,; s/ \.\.\.$/ missing/; s/^pvcreate/lvm &/')
	run sh -c "$command"
	[ ! -b /dev/md0 ] || mdadm --stop /dev/md0 >tools 2>&1
	blockdev --flushbufs "/dev/$disk"
	is "the command named mends $1" "$(afdisk --json --list "/dev/$disk" | sed 's/"number":2/\n/' | grep -o '"verdict":"[a-z-]*"' |
		head -n 1) after $command" "\"verdict\":\"aligned\" after $command"
}

load dm_mod
load raid1

# cryptsetup's header in front, and a mapping of what would be encrypted: a group of volumes in it.
new_disk dev_size_mb=256
edit "label gpt; new size=80M; new size=40M; new size=40M"
tail -c +3 /luks2 | dd of="/dev/${disk}1" bs=4096 2>/dev/null
run dmsetup create secret --uuid CRYPT-LUKS2-0123-secret --table "0 131072 linear /dev/${disk}1 32768"
run lvm pvcreate -q /dev/mapper/secret
run lvm vgcreate -q vg0 /dev/mapper/secret
run lvm lvcreate -q -y -Wn -Zn -n one -l 2 vg0
run lvm lvcreate -q -y -Wn -Zn -n two -l 3 vg0
run lvm lvextend -q -l +1 vg0/one
run mkfs.ext4 -q -b 4096 /dev/mapper/vg0-two
run mkswap /dev/mapper/vg0-one
one=$(dmsetup table vg0-one | awk 'NR == 1 { print $5 * 512 + 16777216 }')
two=$(dmsetup table vg0-two | awk 'NR == 1 { print $5 * 512 + 16777216 }')
start=$(lvm pvs --noheadings --nosuffix --units b -o pe_start /dev/mapper/secret | tr -d ' ')
is "LVM in an open LUKS, and what is in its volumes" "$(layers 1)" "16777216 4096 LUKS2
$((start + 16777216)) 4194304 LVM2 on secret
$one 4096 swap on vg0-one
$two 4096 ext4 on vg0-two"

# A mirror is seen from below, and its member is what mdadm says.
run mdadm --create /dev/md0 --run --metadata=1.2 --level=1 --raid-devices=2 "/dev/${disk}2" "/dev/${disk}3"
run mkfs.ext4 -q -b 1024 /dev/md0
blockdev --flushbufs "/dev/$disk"
data=$(mdadm --examine "/dev/${disk}2" | awk '/Data Offset/ { print $4 * 512 }')
is "a file system on a mirror" "$(layers 2)" "$data null md 1.2 raid1
$data 1024 ext4"
is "its other half" "$(layers 3)" "$(layers 2)"
run mdadm --stop /dev/md0
run lvm vgchange -an vg0
run dmsetup remove secret

# Nothing active: what is encrypted cannot be seen.
is "a LUKS that is closed" "$(layers 1)" "16777216 4096 LUKS2"

# Partitions at sector 63 and the like of a drive with physical sectors of 4096 bytes: the tools make up for it.
new_disk dev_size_mb=256 physblk_exp=3
edits="label dos"
for start in 63 90007 180007 270007; do
	edits="$edits; new primary start=${start}s size=81920s"
done
run afdisk --write --exact --edit "$edits" "/dev/$disk"
run lvm pvcreate -q -y "/dev/${disk}1"
encrypt --type luks1 "/dev/${disk}2"
encrypt --type luks2 --pbkdf pbkdf2 "/dev/${disk}3"
run mkfs.exfat "/dev/${disk}4"
judge_lvm "what pvcreate makes at 63" 1
judge_luks1 "what cryptsetup makes: LUKS1" 2
judge_luks2 "what cryptsetup makes: LUKS2" 3
for number in 1 2 3 4; do
	is "partition $number is compensated" "$(status_of $number)" compensated
done
is "and align all leaves all of them" "$(afdisk --edit "align all" "/dev/$disk" 2>&1)" "nothing to change"
afdisk --check "/dev/$disk" >tools
is "which is nothing that --check fails for" $? 0

# What the tools that need a kernel make, on a boundary and off one.
new_disk dev_size_mb=128 physblk_exp=3
run afdisk --write --exact --edit "label dos; new primary start=2048s size=81920s; new primary start=90006s size=81920s; \
new primary start=180007s size=81920s" "/dev/$disk"
for number in 1 2; do
	for version in 0.90 1.0 1.1 1.2 "1.2 --data-offset=513"; do
		# shellcheck disable=SC2086 # an option may follow
		run mdadm --create /dev/md0 --run --force --metadata=$version --level=1 --raid-devices=2 "/dev/$disk$number" missing
		run mdadm --stop /dev/md0
		judge_md "RAID $version" $number "${version%% *}"
		[ "$version" != "1.2 --data-offset=513" ] || [ $number = 2 ] || mend "RAID"
		run mdadm --zero-superblock "/dev/$disk$number"
	done
	for options in "" "--data-offset 17" "--block 4k" "--block 4k --data-offset 2048"; do
		# shellcheck disable=SC2086 # no word or several
		run make-bcache -B $options "/dev/$disk$number"
		judge_bcache "bcache $options" $number
		[ "$options" != "--data-offset 17" ] || [ $number = 2 ] || mend "bcache"
		run wipefs -a "/dev/$disk$number"
	done
done
for number in 1 3; do
	run lvm pvcreate -q -y "/dev/$disk$number"
	judge_lvm LVM $number
	run lvm pvcreate -q -y --dataalignment 4k --dataalignmentoffset 3584b "/dev/$disk$number"
	judge_lvm "LVM with an offset" $number
	[ $number = 3 ] || mend LVM
done
