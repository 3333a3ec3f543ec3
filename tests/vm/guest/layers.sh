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
is "what pvcreate makes on a partition at 63" "$(layers 1)" "1049088 null LVM2"
is "what cryptsetup makes: LUKS1" "$(layers 2)" "2097664 null LUKS1"
is "what cryptsetup makes: LUKS2" "$(layers 3)" "16777728 512 LUKS2"
for number in 1 2 3 4; do
	is "partition $number is compensated" "$(status_of $number)" compensated
done
is "and align all leaves all of them" "$(afdisk --edit "align all" "/dev/$disk" 2>&1)" "nothing to change"
afdisk --check "/dev/$disk" >tools
is "which is nothing that --check fails for" $? 0
