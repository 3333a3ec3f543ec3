#!/bin/sh
# The images that the tests make are what they are meant to be: sfdisk, which shares no code with mkdisk, agrees.
set -u
folder=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-mkdisk.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1

# Prints the result of the check whose name is $1; it holds if $2 is $3.
same() {
	if [ "$2" = "$3" ]; then
		echo "ok mkdisk: $1"
	else
		printf 'not ok mkdisk: %s\n# %s\n# expected: %s\n' "$1" "$2" "$3"
	fi
}

# The starts and sizes in sectors of image disk.img, as sfdisk finds them.
places() {
	sfdisk -d disk.img | sed -n 's/.*start= *\([0-9]*\), *size= *\([0-9]*\),.*/\1+\2/p' | tr '\n' ' '
}

for preset in seed seed-63 seed-aligned empty-dos empty-gpt gpt128 dos56; do
	"${MKDISK:?}" disk.img $preset
	same "sfdisk finds no errors in $preset" \
		"$(sfdisk --verify disk.img 2>&1 | grep -c 'No errors detected')" 1
done

"$MKDISK" disk.img seed-aligned
same "seed-aligned is the article's table" "$(places)" "2048+20971521 20973576+20971521 \
41945104+1911580064 41945168+20971521 62916752+20971521 "
same "seed-aligned has the article's disk identifier" \
	"$(sfdisk -d disk.img | sed -n 's/^label-id: //p')" 0x10bd10bc
"$MKDISK" disk.img seed-63
same "seed-63 is its table from sector 63 on" "$(places)" "63+20971521 20971584+20971520 \
41943104+1911582064 41943167+20971521 62914751+20971521 "
"$MKDISK" disk.img 300000 512 gpt af000000-0000-4000-8000-000000000001 first-usable=2048 \
	g1=2048+4096,efi,auto,boot g3=8192+100,linux,12345678-9abc-def0-1234-56789abcdef0,two-words
same "GPT entries hold what the recipe says" "$(sfdisk -d disk.img | grep start | tr -s ' ')" \
	"disk.img1 : start= 2048, size= 4096, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B,\
 uuid=AF000000-0000-4000-8000-000000000001, name=\"boot\"
disk.img3 : start= 8192, size= 100, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4,\
 uuid=12345678-9ABC-DEF0-1234-56789ABCDEF0, name=\"two-words\""

"$MKDISK" other.img 300000 512 gpt af000000-0000-4000-8000-000000000001 first-usable=2048 \
	g1=2048+4096,efi,auto,boot g3=8192+100,linux,12345678-9abc-def0-1234-56789abcdef0,two-words
same "diffdisk finds equal images equal" "$("${DIFFDISK:?}" disk.img other.img; echo $?)" 0
"$MKDISK" other.img 300000 512 gpt af000000-0000-4000-8000-000000000001 first-usable=2048 \
	g1=2048+4096,efi,auto,boot g3=8192+100,linux,12345678-9abc-def0-1234-56789abcdef0,two-words \
	poke=51199999,01 poke=102400000,02
same "diffdisk names the sectors that differ" "$("$DIFFDISK" disk.img other.img | tr '\n' ' ')" \
	"99999 200000 "
same "a word that mkdisk does not know is refused" \
	"$("$MKDISK" other.img 300000 512 dos 1 p1=63+5 2>&1 | sed 's/.*": //')" 'cannot read "p1=63+5"'
