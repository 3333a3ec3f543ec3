#!/bin/sh
# sfdisk judges --apply: fed the same script on an equal image, both make the same partitions, in numbers, starts, sizes,
# types, flags, names and attributes. And what afdisk dumps, sfdisk makes again.
set -u
: "${AFDISK:?}"
folder=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-judge.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
XDG_STATE_HOME=$folder/state
export XDG_STATE_HOME

# The partitions of disk image $1 as sfdisk sees them, a line each, without UUIDs that nobody asked for.
table() {
	sfdisk -d "$1" 2>/dev/null | sed -n 's/^[^ ]*img\([0-9]*\) : /\1 /p' |
		sed "$2" | tr -s ' ' | sort -n
}

# Feeds both the script on stdin. $1 names the case; $2 is the size of the image; $3 is a script to begin with.
judge() {
	cat >script
	no_uuid='s/, uuid=[-0-9A-F]*//'
	! grep -qi 'uuid=' script || no_uuid=
	rm -f ours.img theirs.img
	truncate -s "${2:-50M}" ours.img theirs.img
	if [ -n "${3-}" ]; then
		printf '%b' "$3" | sfdisk -q --no-tell-kernel ours.img >before 2>&1 || cat before
		cp ours.img theirs.img
	fi
	sfdisk -q --no-tell-kernel -w never -W never theirs.img <script >theirs.log 2>&1
	theirs=$?
	"$AFDISK" --apply - --write ours.img <script >ours.log 2>&1
	ours=$?
	if [ "$theirs" -ne 0 ] || [ "$ours" -ne 0 ]; then
		if [ "$theirs" -ne 0 ] && [ "$ours" -eq 2 ]; then
			echo "ok script: both refuse $1"
		else
			echo "not ok script: $1: sfdisk says $theirs, afdisk $ours"
			sed 's/^/# /' theirs.log ours.log
		fi
		return
	fi
	table ours.img "$no_uuid" >ours
	table theirs.img "$no_uuid" >theirs
	if ! sfdisk --verify ours.img 2>&1 | grep -q '^No errors detected'; then
		echo "not ok script: $1: sfdisk finds errors"
	elif [ -s ours ] && cmp -s ours theirs; then
		echo "ok script: $1"
	else
		echo "not ok script: $1"
		diff ours theirs | sed 's/^/# /'
	fi
}

# --- comma lines and their defaults

printf ',10M,L\n,5M,S\n,20M,E\n,5M,L\n' | judge "sizes and aliases by their places"
printf ',10M,L\n,20M,E\n,5M,L\n,5M,L\n,5M,L\n,5M,L\n' | judge "an extended partition as the second"
printf ',10M,L\n,5M,S\n,20M,E\n,5M,L\n,4M,L\n,+,L\n' | judge "the last logical fills the extended partition"
printf '2048 10M L\n- 5M S *\n' | judge "fields between spaces"
printf '2048;10M;L\n;5M;S;*\n' | judge "fields between semicolons"
printf ' 2048 , 10M , L , *\n' | judge "commas with spaces around them"
printf '2048,+,L,-\n' | judge "a plus and a minus"
printf -- '- - L -\n' | judge "everything left open"
printf '+ 10M L *\n' | judge "a plus for the start"
printf ',10M,,\n,10M,L,*,\n' | judge "a comma at the end"
printf '0x800,0x1000\n' | judge "hexadecimal sectors"
printf ',10M\n,\n' | judge "the rest"
printf ',,L,*\n' | judge "all of it"
printf ',10M,L,* # comment\n# comment\n  # comment\n' | judge "comments"
printf ',10M,L,x\n' | judge "a flag that is none"
printf ',10M,L\n10000,5M\n' | judge "an overlap"

# --- gaps

printf '2048,1M\n10240,1M\n20480,1M\n,2M\n' | judge "the first gap that is large enough"
printf '2048,1M\n10240,1M\n20480,1M\n,5M\n' | judge "... which may be the last one"
printf '2048,1M\n10240,1M\n20480,1M\n,+\n' | judge "a partition without a size fills the first gap"
printf '2048,1M\n10240,1M\n20480,1M\n20480,1M\n' | judge "the same place twice"
printf '2048,1M\n10240\n' | judge "a start alone"
printf '10240,1M\n2048\n' | judge "a start alone before a partition"
printf 'd1: start=2048,size=40M,type=5\nd5: start=4096,size=1000\nd6:start=10240,size=2048\nd7:size=1M\nd8:size=500\nd9:size=3M\n' |
	judge "gaps between logicals"
printf 'd1: start=2048,size=40M,type=5\nd5: start=4096,size=1000\nd6:start=10240,size=2048\nd7: type=82\n' |
	judge "a logical without a place"

# --- named fields

printf 'size=10M, type=7, bootable\nsize=5M, type=L\n' | judge "named fields"
printf 'size= 5M , type= 82\n SIZE=5M,Type=83\n' | judge "spaces and capitals"
printf 'start= 2048, size= 20480, Id=83, bootable\nstart= 22528, size= 2048, id=82\n' | judge "Id for type"
printf 'size=5M,type=83,Id=82\n' | judge "type and Id"
printf 'size=5M type=7 bootable\n' | judge "fields between spaces only"
printf 'size=5M; type=7\n' | judge "fields between semicolons only"
printf 'size=+\n' | judge "size=+"
printf 'start=1M,size=1M\n' | judge "a start with a unit"
printf 'strat=2048,size=1M\n' | judge "a field that is none"
printf 'size=5M, bootable=1\n' | judge "bootable with a value"
printf 'size=5M,, type=7\n' | judge "a comma too many"
printf 'size=5M, type=7, foo\n' | judge "a word too many"
printf 'label: gpt\nsize=5M, name="abc\n' | judge "a quote that is not closed"
printf 'label: gpt\nsize=5M, name=a b\n' | judge "a name of two words without quotes"
printf 'size=abc\n' | judge "a size that is none"
printf 'size=5Q\n' | judge "a unit that is none"
printf 'start=2048 size\n' | judge "a field without a value"
printf ',2M\nlabel: gpt\n,2M\n' | judge "a header behind a partition"

printf ',,E\n,1M\n,1M\n' | judge "logicals where the extended partition fills the disk"
printf ',1M\n,,Ex\n,1M\n,1M\n,+\n' | judge "... behind a primary one"
printf 'type=5\nsize=1M\nsize=1M\n' | judge "an extended partition with nothing but a type"
printf ',10M,85\n,2M\n' | judge "an extended partition of Linux's own type"
printf 'label: gpt\r\n,1M\r\nsize=1M\r\n' | judge "line ends of DOS"
printf ',1M' | judge "a last line without an end"
printf 'label: gpt\nsize=1M,name=\\x41\\X42\n' | judge "escapes without quotes"
printf 'label: gpt\nsize=1M, name="a # b"\n' | judge "a number sign in a name"
printf 'bootable,size=1M\nsize=1M bootable type=82\n' | judge "the flag anywhere"
printf '/dev/sda1: size=1M\n/dev/sda3 : size=1M\n' | judge "names of a disk"
printf ',1M,83,*\n,1M,82,*\n' | judge "two boot flags"
printf 'start=1MiB,size=4MiB\n' | judge "MiB"
printf 'size=1MB\n' | judge "MB"
printf ',5m\n' | judge "a small unit"
printf 'start=0,size=10\n' | judge "sector 0"
printf 'start=1,size=10\n' | judge "sector 1"
printf 'start=102399,size=1\n' | judge "the last sector"
printf 'start=102399,size=2\n' | judge "one beyond"
printf 'label: gpt\nstart=102366,size=1\n' | judge "the last sector of a GPT"
printf 'label: gpt\nstart=102367,size=1\n' | judge "one beyond that"
printf 'label: gpt\nd1: size=1M\nd1: size=1M\n' | judge "a number twice"
printf 'label: gpt\nd200: size=1M\n' | judge "a number that is too high"

# --- headers

printf 'label: dos\ngrain: 4K\n,1000\n,10M\n,+\n' | judge "a grain"
printf 'label: gpt\ngrain: 8M\n,1M\n,1M\n,+\n' | judge "a large grain"
printf 'first-lba: 100\nlabel: dos\n,1M\n,1M\n' | judge "a first sector of an MBR"
printf 'label: gpt\ntable-length: 256\n,1M\n' | judge "256 entries"
printf 'LABEL: dos\n,1M\n' | judge "a header in capitals"
printf 'label:gpt\n,1M\n' | judge "a header without a blank"
printf 'label :gpt\n,1M\n' | judge "a header with a blank before its colon"
printf 'label: dos\nlabel-id: abcdef01\n,1M\n' | judge "an id without 0x"

printf 'foo: bar\n,2M\n' | judge "a header that nobody knows"
printf 'unit: cylinders\n,2M\n' | judge "units that are not sectors"
printf 'label: bla\n,2M\n' | judge "a label that is none"
printf 'unit: sectors\nlabel: dos\nlabel-id: 0x1234abcd\ndevice: /dev/sda\n\n/dev/sda1 : start=2048, size=2048, type=83\n' |
	judge "the headers of a dump"
if [ "$(sfdisk --disk-id ours.img)" = 0x1234abcd ]; then
	echo "ok script: label-id is taken"
else
	echo "not ok script: label-id is taken"
fi
printf 'label: gpt\nlast-lba: 999999\n,2M\n' | judge "a GPT of a larger disk"
printf 'label: gpt\nfirst-lba: 3\n,1M\n' | judge "usable sectors in the entries"
printf 'label: gpt\nfirst-lba: 34\nlast-lba: 60000\ntable-length: 64\n,10M\n,+\n' | judge "a GPT of its own range"
printf 'sector-size: 4096\nd1: start=256,size=256\nd2: start=512,size=256\n' | judge "sectors of another size"
printf 'label: gpt\nsector-size: 4096\nfirst-lba: 6\nlast-lba: 100\nd1: start=256,size=256\nd2: size=200\n' |
	judge "... in a GPT"

# --- aliases

printf ',30M,Ex\n,2M,Linux\n,2M,0x7\n,1M,7\n' | judge "aliases and codes"
printf ',30M,X\n,2M,U\n,2M,R\n,1M,V\n' | judge "X U R V"
printf ',2M,swap\n,2M,uefi\n,2M,raid\n,2M,lvm\n' | judge "names"
printf 'label:gpt\n,2M,R\n,2M,V\n,2M,U\n,2M,L\n,2M,S\n,2M,H\n' | judge "aliases of a GPT"
printf 'label: gpt\n,2M,swap\n,2M,uefi\n,2M,raid\n,2M,lvm\n,2M,home\n' | judge "names of a GPT"
printf 'label: gpt\n,2M,E\n' | judge "an extended partition in a GPT"

# --- GPT

printf 'label: gpt\n,\n' | judge "a GPT of one partition"
printf 'label: gpt\n,10M\n,+\n' | judge "a GPT with the rest"
printf 'label: gpt\n,10M\n,+\n' | judge "a GPT of odd size" 52428300
printf 'label: gpt\nd3: size=1M\nd1: size=2M\nsize=3M\nd9: start=40960,size=100\n' | judge "numbers with holes"
printf 'label: gpt\nsize=5M, name="a, b # c", uuid=10DA6BAC-5857-4C46-A8C2-255DF0CE0B8D\nsize=5M, name=abc, uuid=10DA6BAC-5857-4C46-A8C2-255DF0CE0B8E, attrs="RequiredPartition GUID:50,63"\n' |
	judge "names, UUIDs, attributes"
printf 'label: gpt\nsize=1M,attrs=RequiredPartiton\nsize=1M,attrs="NoBlockIOProtocol LegacyBIOSBootable"\nsize=1M,attrs="48,49,63"\nsize=1M,attrs=GUID:60\n' |
	judge "attributes in all their spellings"
printf 'label: gpt\nsize=1M,attrs=GUID:48,49\n' | judge "attributes with a comma without quotes"
printf 'label: gpt\nsize=1M,attrs="GUID:48,49 RequiredPartition"\n' | judge "attributes with a comma in quotes"
printf 'label: gpt\nd1: start=2048,size=2048,name="\\x41 \\xc3\\xa4\\x22"\n' | judge "a name with escapes"

# --- old dumps

judge "a dump of 2.25 and before" <<'DUMP'
# partition table of /dev/sda
unit: sectors

/dev/sda1 : start=       63, size=    20482, Id=83, bootable
/dev/sda2 : start=    20545, size=    60240, Id= f
/dev/sda3 : start=        0, size=        0, Id= 0
/dev/sda4 : start=        0, size=        0, Id= 0
/dev/sda5 : start=    20608, size=    10240, Id=83
/dev/sda6 : start=    30911, size=    10240, Id=82
/dev/sda7 : start=        0, size=        0, Id= 0
DUMP
judge "a dump with gaps in the numbers" <<'DUMP'
label: dos
label-id: 0x8d7d0d06
device: /dev/nvme0n1
unit: sectors

/dev/nvme0n1p2 : start=        4096, size=        2048, type=83
/dev/nvme0n1p4 : start=       16384, size=        2048, type=7
DUMP
judge "a dump of a GPT" 100M <<'DUMP'
label: gpt
label-id: F08F6E3E-8BDF-4BDB-8DD5-AC4A4C1E2FB5
device: /dev/sda
unit: sectors
first-lba: 34
last-lba: 204766

/dev/sda1 : start=        2048, size=       20480, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4, uuid=5B1B3F2E-9D1C-4F0A-8E65-2F5BB3E9D001, name="one"
/dev/sda2 : start=       22528, size=        4096, type=0657FD6D-A4AB-43C4-84E5-0933C84B4F4F, uuid=5B1B3F2E-9D1C-4F0A-8E65-2F5BB3E9D002
/dev/sda5 : start=       26624, size=      100000, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B, uuid=5B1B3F2E-9D1C-4F0A-8E65-2F5BB3E9D003, attrs="GUID:63"
DUMP
judge "gaps of one sector before logicals" <<'DUMP'
label: dos
unit: sectors
sda1 : start=1, size=2047, type=83
sda2 : start=2048, size=80000, type=5
sda5 : start=2049, size=1000, type=83
sda6 : start=3050, size=1000, type=83
sda7 : start=4051, size=1000, type=83
DUMP
printf 'start=2048,size=2048\n' | judge "a table in place of another" 50M ',10M\n,20M,E\n,5M\n'
printf 'label: gpt\nstart=2048,size=2048\n' | judge "a GPT in place of an MBR" 50M ',10M\n,20M,E\n,5M\n'
printf 'label: dos\nstart=2048,size=2048\n' | judge "an MBR in place of a GPT" 50M 'label: gpt\n,10M\n'
printf 'start=2048,size=2048\n' | judge "without a label, the kind of table stays" 50M 'label: gpt\n,10M\n'

# --- dumps back

# afdisk's dump of the image is sfdisk's, byte for byte; sfdisk makes the table of it again, which is compared.
dump_back() {
	"$AFDISK" --dump ours.img >ours 2>&1
	sfdisk -d ours.img >theirs 2>/dev/null
	if cmp -s ours theirs; then
		echo "ok script: sfdisk writes our dump of $1"
	else
		echo "not ok script: sfdisk writes our dump of $1"
		diff ours theirs | sed 's/^/# /'
	fi
	rm -f again.img
	truncate -s "$2" again.img
	{ "$AFDISK" --dump ours.img >dump && sfdisk -q --no-tell-kernel again.img <dump; } >log 2>&1
	table ours.img '' >ours
	table again.img '' >again
	if [ -s ours ] && cmp -s ours again; then
		echo "ok script: sfdisk reads our dump of $1"
	else
		echo "not ok script: sfdisk reads our dump of $1"
		diff ours again | sed 's/^/# /' | cat - log
	fi
}

printf ',10M,L,*\n,20M,E\n40960,1M\n,1M\n,1M\n,1M\n,1M\n,1M,7\n' | judge "a table to dump"
dump_back "an MBR" 50M
printf 'label: gpt\nsize=1M,name="\\xe2\\x82\\xac \\x22",attrs="GUID:48,51,63 RequiredPartition"\n,1M,S\nsize=1M,attrs="LegacyBIOSBootable,60"\n' |
	judge "a GPT to dump"
dump_back "a GPT" 50M
printf 'label: gpt\ntable-length: 64\nfirst-lba: 64\nlast-lba: 90000\nd3: size=1M,name="$`\\\\"\nd64: start=40960,size=1\n' |
	judge "a GPT of 64 entries to dump"
dump_back "a GPT of 64 entries" 50M

# --- random tables

# Prints a random script: $1 is dos or gpt, $2 the seed. Logicals are far enough apart for sfdisk, which wants its EBRs a
# whole MiB or one sector before them.
random_script() {
	awk -v kind="$1" -v seed="$2" '
		function below(n) { return int(rand() * n) }
		function line(number, start, size, type) {
			printf "d%d : start=%d, size=%d, type=%s%s\n", number, start, size, type,
				kind == "gpt" && below(2) ? ", name=\"n " below(999) "\"" : ""
		}
		BEGIN {
			srand(seed)
			print "label: " kind
			at = 2048 + below(3) * 64
			n = kind == "gpt" ? 3 + below(9) : 1 + below(3)
			for (i = 1; i <= n; i++) {
				size = 1 + below(7000)
				line(i, at, size, kind == "gpt" ? substr("LSUR", 1 + below(4), 1) : substr("78c83", 1 + below(3), 1))
				at += size + below(2) * below(3000)
			}
			if (kind == "gpt")
				exit
			print "d4 : start=" at ", size=60000, type=" substr("5f", 1 + below(2), 1)
			for (i = 5; i < 5 + below(9); i++) {
				at += 2048 + below(2) * below(999)
				size = 1 + below(1500)
				line(i, at, size, "83")
				at += size
			}
		}'
}

seed=${SEED:-$(date +%s)}
for i in 1 2 3 4 5 6 7 8 9 10; do
	before=$(random_script dos $((seed + i + 100)))
	[ $((i % 4)) -gt 0 ] || before=$(random_script gpt $((seed + i + 100)))
	random_script dos $((seed + i)) | judge "a random MBR, SEED=$((seed + i - 1))" 50M "$before"
	dump_back "it" 50M
	random_script gpt $((seed + i)) | judge "a random GPT, SEED=$((seed + i - 1))" 50M "$before"
	dump_back "it" 50M
done

# On sectors of 4096 bytes sfdisk, which knows only 512 of an image, converts.
for i in 1 2 3 4 5; do
	name="sfdisk converts our dump of 4096-byte sectors, SEED=$((seed + i - 1))"
	rm -f ours.img again.img
	truncate -s 400M ours.img again.img
	random_script dos $((seed + i)) >script
	"$AFDISK" --sector-size 4096 --apply script --write ours.img >log 2>&1 &&
		"$AFDISK" --sector-size 4096 --dump ours.img >dump && sfdisk -q --no-tell-kernel again.img <dump >>log 2>&1
	sed -n 's/^ours\.img\([0-9]*\) : start= *\([0-9]*\), size= *\([0-9]*\),.*/\1 \2 \3/p' dump |
		awk '{ print $1, $2 * 8, $3 * 8 }' >ours
	sfdisk -d again.img | sed -n 's/^again\.img\([0-9]*\) : start= *\([0-9]*\), size= *\([0-9]*\),.*/\1 \2 \3/p' >again
	if [ -s ours ] && cmp -s ours again; then
		echo "ok script: $name"
	else
		echo "not ok script: $name"
		diff ours again | sed 's/^/# /' | cat - log
	fi
done

# A loop device shows an image in sectors of 4096 bytes to sfdisk, too, where the machine has one for us. $1 is the image.
loop=
attach() {
	loop=$(losetup -b 4096 -f --show "$1" 2>/dev/null)
}
detach() {
	[ -z "$loop" ] || losetup -d "$loop"
	loop=
}
trap 'detach; rm -rf "$folder"' EXIT
plain_names() {
	sed -e 's|/dev/loop[0-9]*p*|x|' -e 's/ours\.img/x/'
}

# What afdisk made of the random table $1, seed $2, sfdisk dumps as afdisk does, and makes again from that.
judge_4k() {
	name="sfdisk and afdisk dump the same on sectors of 4096 bytes, $1, SEED=$2"
	rm -f ours.img again.img
	truncate -s 400M ours.img again.img
	random_script "$1" "$2" >script
	"$AFDISK" --sector-size 4096 --apply script --write ours.img >log 2>&1 &&
		"$AFDISK" --sector-size 4096 --dump ours.img >dump 2>>log
	plain_names <dump >ours
	if ! attach ours.img; then
		echo "skip script: $name: no loop device with sectors of 4096 bytes here"
		return
	fi
	sfdisk -d "$loop" 2>/dev/null | plain_names >theirs
	detach
	attach again.img && sfdisk -q --no-reread --no-tell-kernel "$loop" <dump >>log 2>&1
	sfdisk -d "$loop" 2>/dev/null | plain_names >again
	detach
	if [ -s ours ] && cmp -s ours theirs && cmp -s ours again; then
		echo "ok script: $name"
	else
		echo "not ok script: $name"
		diff ours theirs | sed 's/^/# /'
		diff ours again | sed 's/^/# /' | cat - log
	fi
}
for i in 1 2 3; do
	judge_4k dos $((seed + i))
	judge_4k gpt $((seed + i))
done
