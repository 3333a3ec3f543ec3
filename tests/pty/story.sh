#!/bin/sh
# The story: a table begun at sector 63 is edited with real keys in a real terminal and written; afterwards
# other programs read exactly that. Then the same in short on an empty GPT and on 4096-byte sectors.
# shellcheck source=/dev/null
. "$(dirname "$0")/terminal.inc"

# Entries of disk.img as sfdisk reads them, without the device's name.
entries() {
	sfdisk -d disk.img 2>&1 | sed -n 's/^disk\.img\([0-9]*\) : /\1 /p' | tr -d ' '
}

# agree: sfdisk, fdisk and parted find nothing wrong.
agree() {
	sfdisk --verify disk.img >verify.txt 2>&1 || fail "sfdisk --verify: $(cat verify.txt)"
	! grep -qi 'overlap\|outside\|invalid' verify.txt || fail "sfdisk --verify: $(cat verify.txt)"
	fdisk -l disk.img >fdisk.txt 2>&1 || fail "fdisk -l: $(cat fdisk.txt)"
	! grep -qi 'overlap\|ignored\|corrupt' fdisk.txt || fail "fdisk -l: $(cat fdisk.txt)"
	parted -sm disk.img unit s print >parted.txt 2>&1 || fail "parted: $(cat parted.txt)"
}

step draws-the-seed-disk
"$MKDISK" disk.img seed
head -c 512 disk.img >before.mbr
before=$(entries)
start 80 24 "$AFDISK disk.img"
shows 'Label: dos, identifier 0x10bd10bc, 1953525168 sectors'
shows 'Sector 512 B (assumed), physical 4096 B (assumed), grain 1 MiB'
shows '► disk.img1'
shows 'misaligned +7'
shows 'starts 63, 7 past'

step deletes
keys Down d
shows 'done: delete partition 2'
shows 'modified'

step adds-a-logical-and-the-extended-grows
keys End n l
shows 'New logical'
keys 12G
shows '► └─disk.img7'
shows 'preview'
keys Enter
shows 'done: new logical partition size 12G'

step adds-a-primary-of-10G
keys End n p
shows 'New primary'
keys 10G
shows 'sectors 109053952 to 130025471, 20971520 sectors,'
keys Enter
shows 'done: new primary partition size 10G'

step resizes-by-typing-and-sees-it-before-Enter
keys Home Down Down Down Down r
shows 'Resize disk.img6'
keys 8G
shows 'sectors 62914751 to 79693823, 16779073 sectors,'
keys Enter
shows 'done: resize partition 6'

step resizes-by-arrows-and-sees-it-before-Enter
keys r
shows 'Resize disk.img6'
keys Up Up
shows 'sectors 62914751 to 79697919'
keys Tab Up
shows 'sectors 62916608 to 79697919, 16781312 sectors,'
keys Enter
shows 'done: resize partition 6'

step refuses-what-does-not-fit
keys r
shows 'Resize disk.img6'
keys 900G
shows 'the end can only be put at sectors 62916608 to 83886271'
keys Escape
shows 'i: units  h: all keys'

step two-steps-back-and-one-forward
keys C-z
shows 'undone: resize partition 6'
keys C-z
shows 'undone: resize partition 6 size 8G'
shows '62914751   83886271'
keys C-y
shows 'done again: resize partition 6'
shows '79693823'

step aligns-one
keys Home a
shows 'done: align partition 1'
shows '► disk.img1'
shows '2048   20973568'

step reviews
keys v
shows 'On disk (dos)                            To be (dos)'
shows '  2   20971584   41943103 aligned      -'
shows '  1         63   20971583 misaligned   >   1       2048   20973568 tail'
keys End
shows 'Sectors to be written: 4, in this order'
keys Escape
shows 'i: units  h: all keys'

step asks-for-the-word
keys W
shows 'Type yes:'
keys no Enter
shows 'nothing was written'
is 'the table' "$(entries)" "$before"

step writes
keys W
shows 'Type yes:'
keys yes Enter
shows "written: 4 sectors; 'afdisk --write --restore"
keys q
shows 'left with 0'
shows "written: 4 sectors; 'afdisk --write --restore"

step the-image-holds-exactly-that
is 'the table' "$(entries)" '1start=2048,size=20971521,type=83,bootable
2start=109053952,size=20971520,type=83
3start=41943104,size=67110848,type=5
5start=41943167,size=20971521,type=83
6start=62914751,size=16779073,type=83
7start=83888128,size=25165824,type=83'
agree

step boot-code-and-identity-are-what-they-were
cmp -s -n 444 disk.img before.mbr || fail 'the boot code or the disk id changed'

step the-old-sectors-are-saved
set -- "$XDG_STATE_HOME"/afdisk/*
[ -s "$1" ] || fail 'there is no backup file'

step an-empty-gpt-disk
"$MKDISK" disk.img empty-gpt
start 80 24 "$AFDISK disk.img"
shows 'Label: gpt'
keys n
shows '1953521664 sectors,'
keys 100G Enter
shows 'done: new partition size 100G'
keys Down n
shows '1743806464 sectors,'
keys PageDown Enter
shows 'done: new partition'
keys t
shows 'Search:'
keys swap Enter
shows 'done: partition 2 is now Linux swap'
keys C-z C-z C-y
shows 'done again: new partition'
keys W
shows 'Type yes:'
keys yes Enter
shows 'written:'
keys q
shows 'left with 0'
sfdisk -d disk.img | sed -n 's/^disk\.img\([0-9]\) : start= *\([0-9]*\), size= *\([0-9]*\).*/\1 \2 \3/p' >got.txt
is 'the table' "$(cat got.txt)" '1 2048 209715200
2 209717248 1634820096'
agree

step sectors-of-4096-bytes
"$MKDISK" disk.img empty-gpt-4k
start 80 24 "$AFDISK --sector-size 4096 disk.img"
shows 'Sector 4096 B (user)'
keys n 100G
shows 'sectors 256 to 26214655, 26214400 sectors,'
keys Enter
shows 'done: new partition size 100G'
keys W
shows 'Type yes:'
keys yes Enter
shows 'written:'
keys q
shows 'left with 0'
fdisk -b 4096 -l disk.img >fdisk.txt 2>&1 || fail "fdisk -l: $(cat fdisk.txt)"
is 'the table' "$(sed -n 's/^disk\.img\([0-9]\) *\([0-9]*\) *\([0-9]*\) *\([0-9]*\) .*/\1 \2 \3 \4/p' fdisk.txt)" \
	'1 256 26214655 26214400'

step a-disk-without-a-table
"$MKDISK" disk.img 2097152 512 none
start 80 24 "$AFDISK disk.img"
shows 'New partition table'
keys d
shows 'done: '
keys n p Enter
shows 'done: new primary partition'
keys W
shows 'Type yes:'
keys yes Enter
shows 'written: 1 sector'
keys q
shows 'left with 0'
is 'the table' "$(entries)" '1start=2048,size=2095104,type=83'
agree

step a-dual-boot-on-an-empty-disk
"$MKDISK" disk.img 104857600 512 none
start 80 24 "$AFDISK disk.img"
shows 'New partition table'
keys g
shows 'p whole layouts'
keys p
shows 'UEFI dual boot: ESP, MSR, Windows, Linux root, swap, home'
shows 'preview'
keys Enter
shows 'done: plan windows-linux'
keys W
shows 'Type yes:'
keys yes Enter
shows 'written:'
keys q
shows 'left with 0'
sfdisk -d disk.img | sed -n 's/^disk\.img\([0-9]\) : start= *\([0-9]*\), size= *\([0-9]*\), type=\([0-9A-F]*\).*/\1 \2 \3 \4/p' >got.txt
is 'the table' "$(cat got.txt)" '1 2048 532480 C12A7328
2 534528 32768 E3C9E316
3 567296 68636672 EBD0A0A2
4 69203968 16777216 0FC63DAF
5 85981184 2097152 0657FD6D
6 88078336 16777216 933AC7E1'
agree
done_steps
