#!/bin/sh
# The layouts of util-linux's own tests of sfdisk, fdisk and libfdisk: numbers only. afdisk makes each of them, sfdisk or
# fdisk makes it beside, and both must be the table that stands here. Where the peer is known to be wrong, "alone" compares
# afdisk with the right answer only.
set -u
: "${AFDISK:?}"
folder=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-vectors.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
XDG_STATE_HOME=$folder/state
export XDG_STATE_HOME

# The partitions of disk image $1, as sfdisk reads them: "number start size type * name attributes", what there is of it.
table() {
	sfdisk -d "$1" 2>/dev/null | sed -n 's/^[^ ]*img\([0-9]*\) : start= *\([0-9]*\), size= *\([0-9]*\), type=/\1 \2 \3 /p' |
		sed -e 's/0FC63DAF-8483-4772-8E79-3D69D8477DE4/L/; s/0657FD6D-A4AB-43C4-84E5-0933C84B4F4F/S/' \
			-e 's/C12A7328-F81F-11D2-BA4B-00A0C93EC93B/U/; s/44479540-F297-41B2-9AF7-D131D5F0458A/root/' \
			-e 's/4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709/root64/; s/, bootable/ */' \
			-e 's/, uuid=[-0-9A-F]*//; s/, name=/ /; s/, attrs=/ /' | sort -n
}

# Both must hold exactly the lines $2; with $3 "alone" only ours.img counts. $1 is the name.
compare() {
	printf '%b' "$2" | sed 's/^ *//' >wanted
	table ours.img >ours
	table theirs.img >theirs
	[ "${3-}" != alone ] || cp wanted theirs
	if ! cmp -s ours wanted; then
		echo "not ok vectors: $1"
		diff wanted ours | sed 's/^/# /' | cat - ours.log
	elif ! cmp -s theirs wanted; then
		echo "not ok vectors: $1: the peer differs"
		diff wanted theirs | sed 's/^/# /' | cat - theirs.log
	elif [ -s wanted ] && ! sfdisk --verify ours.img 2>&1 | grep -q '^No errors detected'; then
		echo "not ok vectors: $1: sfdisk finds errors"
	else
		echo "ok vectors: $1"
	fi
}

# Two empty images of $1 MiB.
disks() {
	rm -f ours.img theirs.img
	truncate -s "$1M" ours.img theirs.img
}

peer_script() {
	sfdisk -q --no-tell-kernel -w never -W never theirs.img >theirs.log 2>&1
}

our_script() {
	"$AFDISK" --apply - --write ours.img >ours.log 2>&1
}

# Both are fed the script on stdin, in place of what they hold.
script() {
	cat >script
	our_script <script
	peer_script <script
	compare "$1" "$2" "${3-}"
}

# Both refuse the script on stdin, and ours names line $2. What is on the disk stays.
refused() {
	cat >script
	disks 50
	our_script <script
	status=$?
	! peer_script <script && peer=2
	if [ "$status" -eq 2 ] && grep -q ": line $2: " ours.log && [ "$(table ours.img)" = "" ] && [ "${peer:-0}" -eq 2 ]; then
		echo "ok vectors: $1"
	else
		echo "not ok vectors: $1: afdisk says $status, sfdisk ${peer:-0}"
		cat ours.log
	fi
	unset peer
}

# afdisk carries out the commands $2, sfdisk the line $4 on partition $3.
step() {
	"$AFDISK" --edit "$2" --exact --write ours.img >ours.log 2>&1
	printf '%s\n' "$4" | sfdisk -q --no-tell-kernel -w never -W never --no-reread -N "$3" theirs.img >theirs.log 2>&1
	compare "$1" "$5" "${6-}"
}

# afdisk carries out the commands $2, fdisk the keys $3.
keys() {
	"$AFDISK" --edit "$2" --write ours.img >ours.log 2>&1
	printf '%b' "$3" | fdisk --noauto-pt -w never -W never theirs.img >theirs.log 2>&1
	compare "$1" "$4" "${5-}"
}

# --- sfdisk/dos

disks 50
script "commas" '1 2048 6144 83\n2 8192 6144 82\n3 14336 6144 83\n4 20480 81920 5\n5 22528 6144 83\n6 30720 71680 83\n' <<'END'
 2048,6144,L
8192, 6144,S
14336 , 6144 ,
20480,,E
,6144 ,
,,
END
"$AFDISK" --edit 'boot 1 on' --write ours.img >ours.log 2>&1
sfdisk -q --no-tell-kernel --activate theirs.img 1 >theirs.log 2>&1
compare "activate" '1 2048 6144 83 *\n2 8192 6144 82\n3 14336 6144 83\n4 20480 81920 5\n5 22528 6144 83\n6 30720 71680 83\n'
disks 50
script "spaces" '1 2048 6144 83\n2 8192 6144 82\n3 14336 88064 83\n' <<'END'
 2048 6144 L
8192  6144 S
,,
END
disks 50
script "a dump in other case" '1 2048 6144 83 *\n' <<'END'
unit: sectors
label-id: 0x10bd10bc

x1 : stArt=     2048, sIZe=     6144, id=83, bootAble
END
disks 50
dump='1 2048 6144 83 *\n2 8192 6144 82\n3 14336 6144 83\n4 20480 81920 5\n5 20481 6144 83\n6 26626 75774 83\n'
script "a dump" "$dump" <<'END'
unit: sectors
label-id: 0x10bd10bc

x1 : start=     2048, size=     6144, Id=83, bootable
x2 : start=     8192, size=     6144, Id=82
x3 : start=    14336, size=     6144, Id=83
x4 : start=    20480, size=    81920, Id= 5
x5 : start=    20481, size=     6144, Id=83
x6 : start=    26626, size=    75774, Id=83
END
# The texts of both dumps are the same, but for the name of the image.
same_dump() {
	"$AFDISK" --dump ours.img | sed 's/ours\.img/x/' >ours
	sfdisk -d theirs.img 2>/dev/null | sed 's/theirs\.img/x/' >theirs
	if cmp -s ours theirs; then
		echo "ok vectors: $1"
	else
		echo "not ok vectors: $1"
		diff theirs ours | sed 's/^/# /'
	fi
}
same_dump "a dump of an MBR, byte for byte"
disks 50
script "explicit sizes, gaps of one sector" \
	'1 1 1000 83\n2 1001 1000 82\n3 2001 1000 83\n4 3001 99399 5\n5 3002 1000 83\n6 4003 1000 83\n7 5004 97396 83\n' <<'END'
label: dos
1, 1000, L
1001, 1000, S
2001, 1000
3001,,E
3002,1000,L
4003,1000,L
5004,,L
END
disks 50
script "a partition to grow" '1 2048 20480 82 *\n' <<'END'
label: dos
,10M,S,*
END
step "resize" 'resize 1 size=max' 1 ',+' '1 2048 100352 82 *\n'
disks 50
script "an empty extended one" '1 2048 2048 83\n2 4096 4096 5\n' <<'END'
label: dos
,1M
,2M,E
END
step "... grows" 'resize 2 size=max' 2 ',+' '1 2048 2048 83\n2 4096 98304 5\n'
disks 50
script "an empty extended one again" '1 2048 2048 83\n2 4096 10240 5\n' <<'END'
label: dos
,1M
,5M,E
END
step "... shrinks" 'resize 2 size=-2M' 2 ',-2M' '1 2048 2048 83\n2 4096 6144 5\n'
disks 50
three='1 2048 2048 83\n2 4096 2048 83\n3 6144 2048 83\n'
script "logicals" "${three}4 8192 10240 5\n5 10240 2048 83\n6 14336 2048 83\n" <<'END'
label: dos
,1M
,1M
,1M
,5M,E
,1M
,1M
END
step "the extended one around them grows" 'resize 4 size=max' 4 ',+' \
	"${three}4 8192 94208 5\n5 10240 2048 83\n6 14336 2048 83\n"
disks 50
script "logicals again" "${three}4 8192 20480 5\n5 10240 2048 83\n6 14336 2048 83\n" <<'END'
label: dos
,1M
,1M
,1M
,10M,E
,1M
,1M
END
step "the last logical grows" 'resize 6 size=max' 6 ',+' "${three}4 8192 20480 5\n5 10240 2048 83\n6 14336 14336 83\n"
# Here sfdisk would end partition 5 over the EBR of partition 6.
disks 50
our_script <script
step "a logical grows up to the next one's EBR" 'resize 5 size=max' 5 ',+' \
	"${three}4 8192 20480 5\n5 10240 2048 83\n6 14336 2048 83\n" alone
disks 50
script "an old dump" '1 2048 49999 83 *\n' <<'END'
# partition table of /dev/sdc
unit: sectors

/dev/sdc1 : start=     2048, size=    49999, Id=83, bootable
/dev/sdc2 : start=        0, size=        0, Id= 0
/dev/sdc3 : start=        0, size=        0, Id= 0
/dev/sdc4 : start=        0, size=        0, Id= 0
END
disks 50
script "an old dump with a gap in the numbers" '1 2048 49999 83 *\n3 52048 49999 83\n' <<'END'
# partition table of /dev/sdc
unit: sectors

/dev/sdc1 : start=     2048, size=    49999, Id=83, bootable
/dev/sdc2 : start=        0, size=        0, Id= 0
/dev/sdc3 : start=    52048, size=    49999, Id=83
/dev/sdc4 : start=        0, size=        0, Id= 0
END
disks 50
script "a start that is left open, and a gap" '1 6144 10240 83\n2 16384 12288 83\n' <<'END'
3MiB 5MiB L
- 6MiB L
END
disks 50
script "starts that are left open, and gaps" '1 8192 6144 83\n2 26624 10240 83\n3 14336 8192 83\n4 2048 4096 83\n' <<'END'
4MiB 3MiB L
13MiB 5MiB L
- 4MiB L
- 2MiB L
- - L
END
disks 50
script "sizes one sector short of the gap" '1 2048 1023 83\n2 4096 4095 83\n3 8192 8191 83\n' <<'END'
2048 1023 L -
4096 4095 L -
8192 8191 L -
END

# --- sfdisk/resize: relative and absolute starts and sizes

# $1 is dos or gpt, $2 the type of Linux, $3 the last sector that takes a partition. Only an MBR has a boot flag.
resizes() {
	kind=$1 t=$2 last=$3 boot='' mark=''
	[ "$kind" = gpt ] || boot=' *' mark='; boot 1 on'
	disks 100
	printf 'label: %s\n,10M,L\n' "$kind" | script "$kind: 10 MiB" "1 2048 20480 $t\n"
	step "$kind: 3000," 'move 1 start=3000' 1 '3000,' "1 3000 20480 $t\n"
	step "$kind: 2048," 'move 1 start=2048' 1 '2048,' "1 2048 20480 $t\n"
	step "$kind: +1M," 'move 1 start=4096' 1 '+1M,' "1 4096 20480 $t\n"
	step "$kind: -1M," 'move 1 start=2048' 1 '-1M,' "1 2048 20480 $t\n"
	step "$kind: -,15M" 'resize 1 size=15M' 1 '-,15M' "1 2048 30720 $t\n"
	step "$kind: ,5M," 'resize 1 size=5M' 1 ',5M,' "1 2048 10240 $t\n"
	step "$kind: ,+10M" 'resize 1 size=+10M' 1 ', +10M' "1 2048 30720 $t\n"
	step "$kind: ,-10M" 'resize 1 size=-10M' 1 ', -10M' "1 2048 10240 $t\n"
	step "$kind: ,+" 'resize 1 size=max' 1 ',+' "1 2048 $((last - 2047)) $t\n"
	step "$kind: +10M,-10M" 'resize 1 start=+10M' 1 '+10M,-10M' "1 22528 $((last - 22527)) $t\n"
	step "$kind: -10M,+10M,,*" "resize 1 start=-10M$mark" 1 '-10M,+10M,,*' "1 2048 $((last - 2047)) $t$boot\n"
	step "$kind: 2048,10M,L" 'resize 1 start=2048 size=10M' 1 '2048,10M,L' "1 2048 20480 $t$boot\n"
	"$AFDISK" --edit 'new start=22528 size=10M; new start=43008 size=10M' --exact --write ours.img >ours.log 2>&1
	printf ',10M,L\n,10M,L\n' | sfdisk -q --no-tell-kernel --no-reread --append theirs.img >theirs.log 2>&1
	compare "$kind: two more" "1 2048 20480 $t$boot\n2 22528 20480 $t\n3 43008 20480 $t\n"
	step "$kind: the one in the middle ,-5M" 'resize 2 size=-5M' 2 ',-5M' \
		"1 2048 20480 $t$boot\n2 22528 10240 $t\n3 43008 20480 $t\n"
	step "$kind: the last one -5M,+" 'resize 3 start=-5M size=max' 3 '-5M,+' \
		"1 2048 20480 $t$boot\n2 22528 10240 $t\n3 32768 $((last - 32767)) $t\n"
}
resizes dos 83 204799
resizes gpt L 204766
disks 100
unsorted='1 2048 2048 83\n2 4096 2048 83\n3 6144 102400 5\n'
script "numbers that are not in the order of places" \
	"${unsorted}4 108544 2048 83\n5 8192 2048 83\n6 12288 96256 83\n" <<'END'
label: dos
label-id: 0x10bd10bd
device: x
unit: sectors

x1 : start=        2048, size=        2048, type=83
x2 : start=        4096, size=        2048, type=83
x3 : start=        6144, size=      102400, type=5
x4 : start=      108544, size=        2048, type=83
x5 : start=        8192, size=        2048, type=83
x6 : start=       12288, size=       96256, type=83
END
step "... the last place grows" 'resize 4 size=max' 4 ',+,' "${unsorted}4 108544 96256 83\n5 8192 2048 83\n6 12288 96256 83\n"

# --- sfdisk/gpt

disks 50
script "a GPT of defaults" '1 2048 10240 L\n2 12288 10240 L\n3 22528 10240 S\n4 32768 10240 root64\n5 43008 57344 L\n' <<'END'
label: gpt
label-id: 10bd1000-0000-4000-8000-000000000001

,5M
, 5M, L
, 5M,S
, 5M, 4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709
, ,
END
one=10BD1001-0000-4000-8000-000000000002
"$AFDISK" --edit "uuid 1 $one; name 1 'boot files'; type 1 C12A7328-F81F-11D2-BA4B-00A0C93EC93B" --write ours.img >ours.log 2>&1
sfdisk -q --no-tell-kernel --part-uuid theirs.img 1 $one >theirs.log 2>&1
sfdisk -q --no-tell-kernel --part-label theirs.img 1 "boot files" >>theirs.log 2>&1
sfdisk -q --no-tell-kernel --part-type theirs.img 1 C12A7328-F81F-11D2-BA4B-00A0C93EC93B >>theirs.log 2>&1
rest='2 12288 10240 L\n3 22528 10240 S\n4 32768 10240 root64\n5 43008 57344 L\n'
compare "uuid, label, type" "1 2048 10240 U \"boot files\"\n$rest"
if [ "$(sfdisk --part-uuid ours.img 1)" = $one ]; then
	echo "ok vectors: the UUID is set"
else
	echo "not ok vectors: the UUID is set"
fi
disks 50
# Our own choice for a new GPT is 34, as in gdisk; here it is sfdisk's.
script "a dump of a GPT" '1 2048 6144 root\n2 8192 6144 L\n3 14336 6144 L\n4 20480 81887 L "data and more"\n' <<'END'
unit: sectors
label: gpt
label-id: 10bd1002-0000-4000-8000-000000000003
first-lba: 2048
x1 : start=2048,  size=6144, type=44479540-F297-41B2-9AF7-D131D5F0458A, uuid=10bd1003-0000-4000-8000-000000000004
x2 : start=8192,  size=6144, uuid=10bd1004-0000-4000-8000-000000000005
x3 : start=14336, size=6144, uuid=10bd1005-0000-4000-8000-000000000006
x4 : start=20480, size=81887,uuid=10bd1006-0000-4000-8000-000000000007, name="data and more"
END
same_dump "a dump of a GPT, byte for byte"
if cmp -s -i 446 -n 66 ours.img theirs.img; then
	echo "ok vectors: the protective MBR"
else
	echo "not ok vectors: the protective MBR"
fi
disks 50
script "a GPT to grow" '1 2048 20480 S\n' <<'END'
label: gpt

,10M,S,*
END
step "... grows" 'resize 1 size=max' 1 ',+' '1 2048 100319 S\n'
disks 50
script "a GPT out of order" '1 8192 6144 L\n2 2048 6144 L\n3 20480 81887 L\n4 14336 6144 L\n' <<'END'
unit: sectors
label: gpt
label-id: 10bd1002-0000-4000-8000-000000000003
x1 : start=8192,  size=6144
x2 : start=2048,  size=6144
x3 : start=20480, size=81887
x4 : start=14336, size=6144
END
"$AFDISK" --edit sort --write ours.img >ours.log 2>&1
sfdisk -q --no-tell-kernel --reorder theirs.img >theirs.log 2>&1
compare "reorder" '1 2048 6144 L\n2 8192 6144 L\n3 14336 6144 L\n4 20480 81887 L\n'

# --- attributes: sfdisk/gpt and libfdisk/gpt

# The attributes $2 of a partition come out as $3; "none": both refuse; with "alone" sfdisk 2.38 does not know them yet.
attributes() {
	disks 10
	printf 'label: gpt\nsize=5M, attrs="%s"\n' "$2" >attributes
	if [ "$3" = none ]; then
		# In a script sfdisk passes over what it does not understand of them; --part-attrs refuses.
		printf 'label: gpt\nsize=5M\n' | peer_script
		our_script <attributes
		status=$?
		if [ $status -eq 2 ] && grep -q ': line 2: ' ours.log && ! sfdisk -q --no-tell-kernel --part-attrs theirs.img 1 "$2" >theirs.log 2>&1; then
			echo "ok vectors: $1"
		else
			echo "not ok vectors: $1: afdisk says $status"
		fi
	else
		script "$1" "1 2048 10240 L \"$3\"\n" "${4-}" <attributes
	fi
}
attributes "attributes between commas" "RequiredPartition,NoBlockIOProtocol,48,51" "RequiredPartition NoBlockIOProtocol GUID:48,51"
attributes "attributes between spaces" "RequiredPartition NoBlockIOProtocol 48 51" "RequiredPartition NoBlockIOProtocol GUID:48,51"
attributes "attributes of the type" "GUID:48 GUID:51,52,63" "GUID:48,51,52,63"
attributes "the old misspelling" "RequiredPartiton,NoBlockIOProtocol,48,51" "RequiredPartition NoBlockIOProtocol GUID:48,51"
attributes "an attribute that is none" "NoBlockIOProtocol FooBar 48 51" none
attributes "attributes without a space" "NoBlockIOProtocolRequiredPartiton" none
attributes "GUID: without a number" "GUID:NoBlockIOProtocol GUID:GUID:63 RequiredPartiton" none
attributes "named bits by number" "0,1,2" "RequiredPartition NoBlockIOProtocol LegacyBIOSBootable" alone
attributes "a number and a bit of the type" "2,GUID:60" "LegacyBIOSBootable GUID:60" alone
attributes "a hexadecimal number" "0x2" "LegacyBIOSBootable" alone
attributes "a reserved bit" "5" none
disks 10
script "two partitions and their attributes" '1 2048 10240 L "RequiredPartition GUID:48"\n2 12288 6144 L "GUID:52,53,62"\n' <<'END'
label: gpt
label-id: 10bd1000-0000-4000-8000-000000000001
size=5M, attrs="RequiredPartition,48"
attrs="52,53,62"
END

# --- sfdisk/script

disks 50
roots='1 2048 6144 root\n2 8192 6144 root\n3 14336 6144 root\n4 20480 81887 root\n'
script "type and Id" "$roots" <<'END'
unit: sectors
label: gpt
label-id: 10bd1002-0000-4000-8000-000000000003
x1 : start=2048,  size=6144, Id=44479540-F297-41B2-9AF7-D131D5F0458A, uuid=10bd1003-0000-4000-8000-000000000004
x2 : start=8192,  size=6144, id=44479540-F297-41B2-9AF7-D131D5F0458A, uuid=10bd1004-0000-4000-8000-000000000005
x3 : start=14336, size=6144, type=44479540-F297-41B2-9AF7-D131D5F0458A, uuid=10bd1005-0000-4000-8000-000000000006
x4 : start=20480, size=81887,Type=44479540-F297-41B2-9AF7-D131D5F0458A, uuid=10bd1006-0000-4000-8000-000000000007
END
disks 50
script "separators" '1 2048 6144 L\n2 8192 6144 root\n3 14336 6144 L\n4 20480 81887 L\n' <<'END'
unit: sectors
label: gpt
label-id: 10bd1002-0000-4000-8000-000000000003
x1 : start=2048 size=6144   uuid=10bd1003-0000-4000-8000-000000000004
x2 : start=8192,size=6144,  uuid=10bd1004-0000-4000-8000-000000000005 ,type=44479540-F297-41B2-9AF7-D131D5F0458A
x3 : start=14336 , size=6144 ,uuid=10bd1005-0000-4000-8000-000000000006
x4 : start=20480; size=81887 ;     uuid=10bd1006-0000-4000-8000-000000000007
END
disks 50
script "quotes" '1 2048 6144 L\n2 8192 6144 L\n3 14336 6144 L\n4 20480 6144 L\n' <<'END'
unit: sectors
label: gpt
label-id: 10bd1002-0000-4000-8000-000000000003
x1 : start=2048  uuid="10bd1003-0000-4000-8000-000000000004" size=6144
x2 : start= 8192  uuid="10bd1004-0000-4000-8000-000000000005" , size=6144
x3: start=14336 uuid="10bd1005-0000-4000-8000-000000000006",size=6144
x4  : start=20480 uuid="10bd1006-0000-4000-8000-000000000007",     size=6144
END
broken() {
	printf 'unit: sectors\nlabel: gpt\nx1 : %s size=6144\n' "$2" | refused "broken script $1" 3
}
broken 1 'start =2048  uuid="10bd1003-0000-4000-8000-000000000004"'
broken 2 'start=2048uuid="10bd1003-0000-4000-8000-000000000004"'
broken 3 'start=2048 uuid=,"10bd1003-0000-4000-8000-000000000004"'
broken 4 'start=2048 uuid="10bd1003-0000-4000-8000-000000000004'
broken 5 'start=2048 uuid=10bd1003-0000-4000-8000-000000000004"'

# --- sfdisk/dump: what older ones wrote, and what afdisk writes

dumped='1 2048 20480 L\n2 22528 22528 L\n3 45056 24576 L\n4 69632 135135 L\n'
linux=0FC63DAF-8483-4772-8E79-3D69D8477DE4
for size_line in '' 'sector-size: 512\n'; do
	disks 100
	script "a dump of 2.3x${size_line:+ with a sector size}" "$dumped" <<END
label: gpt
label-id: 10BD1007-0000-4000-8000-000000000008
device: x
unit: sectors
first-lba: 2048
last-lba: 204766
$(printf '%b' "$size_line")
x1 : start=        2048, size=       20480, type=$linux, uuid=10BD1008-0000-4000-8000-000000000009
x2 : start=       22528, size=       22528, type=$linux, uuid=10BD1009-0000-4000-8000-00000000000A
x3 : start=       45056, size=       24576, type=$linux, uuid=10BD100A-0000-4000-8000-00000000000B
x4 : start=       69632, size=      135135, type=$linux, uuid=10BD100B-0000-4000-8000-00000000000C
END
done
"$AFDISK" --dump ours.img >dump
disks 100
script "a dump of our own" "$dumped" <dump
same_dump "... which is sfdisk's, byte for byte"

# --- sfdisk/wipe: a new kind of table leaves nothing of the old one

disks 50
printf 'label: gpt\n,,L\n' | script "a GPT over all" '1 2048 98304 L\n'
printf 'label: dos\n,,L\n' | script "... becomes an MBR" '1 2048 100352 83\n'
if [ "$(wipefs --noheadings -O OFFSET,TYPE ours.img | tr -s ' ')" = "0x1fe dos" ]; then
	echo "ok vectors: nothing of the GPT is left"
else
	echo "not ok vectors: nothing of the GPT is left"
	wipefs -O offset,type ours.img | sed 's/^/# /'
fi

# --- sfdisk/movedata: the entries; data are not moved

disks 100
printf ',10M,L\n' | script "a partition to move" '1 2048 20480 83\n'
step "up" 'move 1 start=3048' 1 '+1000,' '1 3048 20480 83\n'
step "down" 'move 1 start=2548' 1 '-500,' '1 2548 20480 83\n'
step "far" 'move 1 start=63988' 1 '+30M,' '1 63988 20480 83\n'

# --- libfdisk/mkpart: sizes, the last one the rest

rest_of_15='1 2048 2048 83\n2 4096 2048 83\n3 6144 2048 83\n'
logical_15='4 8192 22528 5\n5 10240 2048 83\n6 14336 2048 83\n7 18432 12288 83\n'
make() {
	disks 15
	"$AFDISK" --edit "$2" --write ours.img >ours.log 2>&1
	printf '%b' "$3" | peer_script
	compare "mkpart: $1" "$4" "${5-}"
}
make "an MBR" 'label dos; new primary size=1M; new primary size=1M; new primary size=1M; new primary size=max' \
	'label: dos\n,1M\n,1M\n,1M\n,\n' "${rest_of_15}4 8192 22528 83\n"
make "an MBR with logicals" \
	'label dos; new size=1M; new size=1M; new size=1M; new extended size=max; new size=1M; new size=1M; new size=max' \
	'label: dos\n,1M\n,1M\n,1M\n,,E\n,1M\n,1M\n,\n' "$rest_of_15$logical_15"
gpt_15='1 2048 2048 L\n2 4096 2048 L\n3 6144 2048 L\n4 8192 2048 L\n5 10240 2048 L\n6 12288 2048 L\n'
make "a GPT" 'label gpt; new size=1M; new size=1M; new size=1M; new size=1M; new size=1M; new size=1M; new size=max' \
	'label: gpt\n,1M\n,1M\n,1M\n,1M\n,1M\n,1M\n,\n' "${gpt_15}7 14336 14336 L\n"

# --- libfdisk/mkpart-full: numbers, starts and sizes

# Prints a script of the words NUMBER,START,SIZE; a number of - is left open. The fourth of an MBR is the extended one if E.
triples() {
	printf 'label: %s\n' "$1"
	shift
	for triple; do
		IFS=, read -r number start size type <<END
$triple
END
		[ "$number" = - ] || printf 'd%s : ' "$number"
		printf 'start=%s, size=%s%s\n' "$start" "$size" "${type:+, type=$type}"
	done
}
full() {
	disks 15
	name=$1 wanted=$2
	shift 2
	triples "$@" >places
	script "mkpart-full: $name" "$wanted" <places
}
full "primaries" "${rest_of_15}4 8192 22528 83\n" dos 1,2048,2048 2,4096,2048 3,6144,2048 4,8192,22528
full "primaries without numbers" "${rest_of_15}4 8192 22528 83\n" dos -,2048,2048 -,4096,2048 -,6144,2048 -,8192,22528
full "logicals" "$rest_of_15$logical_15" dos 1,2048,2048 2,4096,2048 3,6144,2048 4,8192,22528,E 5,10240,2048 6,14336,2048 \
	7,18432,12288
full "logicals without numbers" "$rest_of_15$logical_15" dos -,2048,2048 -,4096,2048 -,6144,2048 -,8192,22528,E \
	-,10240,2048 -,14336,2048 -,18432,12288
full "numbers with a hole" '1 2048 2048 83\n3 4096 2048 83\n4 6144 24576 5\n5 10240 2048 83\n6 14336 2048 83\n' \
	dos 1,2048,2048 3,4096,2048 4,6144,24576,E 5,10240,2048 6,14336,2048
full "places with a hole" '1 2048 2048 83\n2 6144 2048 83\n3 8192 2048 83\n' dos 1,2048,2048 2,6144,2048 3,8192,2048
full "a GPT" "${gpt_15}7 14336 2048 L\n" gpt 1,2048,2048 2,4096,2048 3,6144,2048 4,8192,2048 5,10240,2048 6,12288,2048 \
	7,14336,2048
full "a GPT without numbers" "${gpt_15}7 14336 2048 L\n" gpt -,2048,2048 -,4096,2048 -,6144,2048 -,8192,2048 \
	-,10240,2048 -,12288,2048 -,14336,2048
full "a GPT, numbers with holes" \
	'1 2048 2048 L\n2 4096 2048 L\n4 6144 2048 L\n5 8192 2048 L\n7 10240 2048 L\n8 12288 2048 L\n9 14336 2048 L\n' \
	gpt 1,2048,2048 2,4096,2048 4,6144,2048 5,8192,2048 7,10240,2048 8,12288,2048 9,14336,2048
full "a GPT, places with holes" '1 2048 2048 L\n2 6144 2048 L\n3 8192 2048 L\n4 12288 2048 L\n5 14336 2048 L\n' \
	gpt 1,2048,2048 2,6144,2048 3,8192,2048 4,12288,2048 5,14336,2048
triples dos 1,2048,2048 2,4096,2048 7,6144,2048 | refused "mkpart-full: a logical without an extended one" 4
triples dos 1,2048,2048 2,4096,2048 3,4096,2048 | refused "mkpart-full: the same place twice" 4
triples dos 1,2048,2048 2,4096,2048 3,6144,2048 4,8192,22528,E 5,10240,2048 6,4096,2048 7,18432,12288 |
	refused "mkpart-full: a logical outside the extended one" 7
triples gpt 1,2048,2048 2,4096,2048 3,6144,2048 4,5000,2048 5,10240,2048 6,12288,2048 7,14336,2048 |
	refused "mkpart-full: an overlap" 5

# --- fdisk/mbr-nondos-mode

disks 20
first='1 2048 6144 83\n'
keys "fdisk: the first primary" 'label dos; new size=3M' 'o\nn\np\n\n\n+3M\nw\n' "$first"
keys "... active" 'boot 1 on' 'a\n1\nw\n' '1 2048 6144 83 *\n'
keys "... made again" 'delete 1; new size=3M' 'd\nn\np\n\n\n+3M\nw\n' "$first"
two="${first}2 8192 4096 83\n"
keys "the second one" 'new primary size=2M' 'n\np\n\n\n+2M\nw\n' "$two"
held="3 12288 28672 5\n"
keys "the extended one" 'new extended size=max' 'n\ne\n\n\n\nw\n' "$two$held"
keys "four logicals" 'new logical size=2M; new logical size=2M; new logical size=2M; new logical size=2M' \
	'n\nl\n\n+2M\nn\nl\n\n+2M\nn\nl\n\n+2M\nn\nl\n\n+2M\nw\n' \
	"$two${held}5 14336 4096 83\n6 20480 4096 83\n7 26624 4096 83\n8 32768 4096 83\n"
keys "three of them deleted" 'delete 6; delete 5; delete 6' 'd\n6\nd\n5\nd\n6\nw\n' "$two${held}5 26624 4096 83\n"
keys "one made in the gap in front" 'new logical start=14336 size=2M' 'n\nl\n\n+2M\nw\n' \
	"$two${held}5 26624 4096 83\n6 14336 4096 83\n"
keys "the first primary deleted" 'delete 1' 'd\n1\nw\n' "2 8192 4096 83\n${held}5 26624 4096 83\n6 14336 4096 83\n"
keys "the second one deleted" 'delete 2' 'd\n2\nw\n' "${held}5 26624 4096 83\n6 14336 4096 83\n"
keys "the extended one deleted with its logicals" 'delete 3' 'd\n3\nw\n' ''
disks 20
"$AFDISK" --edit 'label dos; new start=20000 size=20960' --exact --write ours.img >ours.log 2>&1
printf 'o\nn\np\n1\n20000\n\nw\n' | fdisk --noauto-pt theirs.img >theirs.log 2>&1
compare "a first sector near the end" '1 20000 20960 83\n'
step "... and one in front of it" 'new start=2048 size=17952' 2 '2048,17952' '1 20000 20960 83\n2 2048 17952 83\n' alone

# --- fdisk/mbr-sort

disks 20
keys "primaries out of order" \
	'label dos; new start=4096 size=1M; new start=2048 size=1M; new start=6144 size=1M; new extended size=max' \
	'o\nn\np\n1\n4096\n6143\nn\np\n2\n2048\n4095\nn\np\n3\n6144\n8191\nn\ne\n\n\nw\n' \
	'1 4096 2048 83\n2 2048 2048 83\n3 6144 2048 83\n4 8192 32768 5\n'
keys "logicals out of order" 'new start=14336 size=1M; new start=22528 size=1M; new start=18432 size=1M; new start=10240 size=1M' \
	'n\n14336\n16383\nn\n22528\n24575\nn\n18432\n20479\nn\n10240\n12287\nw\n' \
	'1 4096 2048 83\n2 2048 2048 83\n3 6144 2048 83\n4 8192 32768 5\n5 14336 2048 83\n6 22528 2048 83\n7 18432 2048 83\n8 10240 2048 83\n'
keys "sorted" sort 'x\nf\nr\nw\n' \
	'1 2048 2048 83\n2 4096 2048 83\n3 6144 2048 83\n4 8192 32768 5\n5 10240 2048 83\n6 14336 2048 83\n7 18432 2048 83\n8 22528 2048 83\n'

# --- fdisk/gpt, gpt-resize, resize, id

disks 10
eight='2 4096 2048 L\n3 6144 2048 L\n4 8192 2048 L\n5 10240 2048 L\n6 12288 2048 L\n7 14336 2048 L\n8 16384 2048 L\n'
make_eight='new size=1M; new size=1M; new size=1M; new size=1M; new size=1M; new size=1M; new size=1M; new size=1M'
keys "eight of a GPT" "label gpt; $make_eight" \
	'g\nn\n1\n\n+1M\nn\n2\n\n+1M\nn\n3\n\n+1M\nn\n4\n\n+1M\nn\n5\n\n+1M\nn\n6\n\n+1M\nn\n7\n\n+1M\nn\n8\n\n+1M\nw\n' \
	"1 2048 2048 L\n$eight"
keys "types by number and by UUID" 'type 1 efi; type 5 0657FD6D-A4AB-43C4-84E5-0933C84B4F4F' \
	't\n1\n1\nt\n5\n0657FD6D-A4AB-43C4-84E5-0933C84B4F4F\nw\n' \
	'1 2048 2048 U\n2 4096 2048 L\n3 6144 2048 L\n4 8192 2048 L\n5 10240 2048 S\n6 12288 2048 L\n7 14336 2048 L\n8 16384 2048 L\n'
keys "the second one deleted from a GPT" 'delete 2' 'd\n2\nw\n' \
	'1 2048 2048 U\n3 6144 2048 L\n4 8192 2048 L\n5 10240 2048 S\n6 12288 2048 L\n7 14336 2048 L\n8 16384 2048 L\n'
keys "... and made again" 'new start=4096 size=1M' 'n\n2\n\n\nw\n' \
	'1 2048 2048 U\n2 4096 2048 L\n3 6144 2048 L\n4 8192 2048 L\n5 10240 2048 S\n6 12288 2048 L\n7 14336 2048 L\n8 16384 2048 L\n'
disks 10
"$AFDISK" --edit 'label gpt; new start=2048 size=1M; new start=8192 size=1M' --write ours.img >ours.log 2>&1
compare "two of a GPT with a gap" '1 2048 2048 L\n2 8192 2048 L\n' alone
grow() {
	"$AFDISK" --edit "$2" --exact --write ours.img >ours.log 2>&1
	compare "$1" "$3" alone
}
grow "the first grows to the second" 'resize 1 size=max' '1 2048 6144 L\n2 8192 2048 L\n'
grow "the second to the end" 'resize 2 size=max' '1 2048 6144 L\n2 8192 12255 L\n'
grow "the first shrinks to 4 KiB" 'resize 1 size=4K' '1 2048 8 L\n2 8192 12255 L\n'
grow "the second to 8 sectors" 'resize 2 size=8s' '1 2048 8 L\n2 8192 8 L\n'
for id in 0x00000001 0x00000002; do
	disks 10
	printf 'label: dos\nlabel-id: %s\n,1M\n' $id | script "an MBR with id $id" '1 2048 2048 83\n'
	if [ "$(sfdisk --disk-id ours.img)" = $id ]; then
		echo "ok vectors: the id is $id"
	else
		echo "not ok vectors: the id is $id"
	fi
done
# In the gap after 5, no logical begins where 5 ends: newer fdisk leaves one MiB, for the EBR. Older ones do not.
disks 1024
"$AFDISK" --edit 'label dos; new extended start=2048 size=2095104s; new logical start=6145 size=782335s' --exact --write \
	ours.img >ours.log 2>&1
"$AFDISK" --edit 'new logical' --write ours.img >>ours.log 2>&1
compare "a logical behind another leaves room for its EBR" '1 2048 2095104 5\n5 6145 782335 83\n6 790528 1306624 83\n' alone

# --- fdisk/align-512-512, -topology, align-512-4K, -63, -md

aligned='1 2048 20480 83\n2 22528 20480 83\n3 43008 20480 83\n4 63488 38912 5\n5 65536 10240 83\n6 77824 10240 83\n7 90112 12288 83\n'
make_aligned='label dos; new size=10M; new size=10M; new size=10M; new extended size=max; new size=5M; new size=5M; new size=max'
for physical in 512 4096; do
	disks 50
	"$AFDISK" --physical $physical --edit "$make_aligned" --write ours.img >ours.log 2>&1
	printf 'o\nn\np\n1\n\n+10M\nn\np\n2\n\n+10M\nn\np\n3\n\n+10M\nn\ne\n\n\nn\n\n+5M\nn\n\n+5M\nn\n\n\nw\n' |
		fdisk --noauto-pt theirs.img >theirs.log 2>&1
	compare "default places, physical sectors of $physical bytes" "$aligned"
done

# With an alignment offset of 3584 bytes fdisk begins at sector 7, below the first MiB. By default afdisk does not, but all
# these places are on its boundaries.
disks 50
offset='--physical 4096 --alignment-offset 3584'
# shellcheck disable=SC2086 # its words are the options
"$AFDISK" $offset --exact --write --edit 'label dos; new start=7 size=20480; new start=20487 size=20480; new start=40967 size=20480' \
	ours.img >ours.log 2>&1
# shellcheck disable=SC2086
"$AFDISK" $offset --exact --write --edit 'new extended start=61447 size=40953; new logical start=63487 size=10240;
	new logical start=75775 size=10240; new logical start=88063 size=14337' ours.img >>ours.log 2>&1
compare "sector 0 seven sectors off" \
	'1 7 20480 83\n2 20487 20480 83\n3 40967 20480 83\n4 61447 40953 5\n5 63487 10240 83\n6 75775 10240 83\n7 88063 14337 83\n' alone
# shellcheck disable=SC2086
starts=$("$AFDISK" $offset --list -o START-OFF ours.img | tail -n 7 | tr -d ' \n')
if [ "$starts" = 0000000 ]; then
	echo "ok vectors: all starts are on boundaries there"
else
	echo "not ok vectors: all starts are on boundaries there: $starts"
fi
disks 50
printf 'label: dos\n2048,49151\n51200,49151\n' | script "two halves of an array" '1 2048 49151 83\n2 51200 49151 83\n'
disks 47
keys "a table inside an array" 'label dos; new size=10M; new primary size=10M' \
	'o\nn\np\n1\n\n+10M\nn\np\n2\n\n+10M\nw\n' '1 2048 20480 83\n2 22528 20480 83\n'
