#!/bin/sh
# The manual page, --help and the completion of bash tell the same options, and completion completes.
set -u
: "${AFDISK:?}" "${MKDISK:?}" "${PAGES:?}"
page=$PAGES/afdisk.8
completion=$PAGES/afdisk.bash
work=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-document.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

# Prints the result of the check whose name is $1; it holds if $2 is $3.
same() {
	if [ "$2" = "$3" ]; then
		echo "ok document: $1"
	else
		printf 'not ok document: %s\n# %s\n# expected: %s\n' "$1" "$2" "$3"
	fi
}

if command -v mandoc >/dev/null; then
	same "the page is well-formed" "$(mandoc -Tlint -W warning "$page" 2>&1)" ""
else
	echo "skip document: the page is well-formed: there is no mandoc"
fi
same "nothing is left to be filled in" "$(grep -n '^@' "$page" "$completion")" ""

# The long options as each of them tells them.
in_help=$("$AFDISK" --help | sed -n '/^Commands/q; s/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | sort)
in_page=$(sed -n '/^\.TP/{n; s/^\(\\fB\\-.\\fR, \)*\\fB\\-\\-\([a-z\\-]*\)\\fR.*/\2/p;}' "$page" | tr -d '\134' | sort)
in_completion=$(sed -n 's/^\([a-z-]*\)|.*/\1/p' "$completion" | sort)
same "the page tells the options of --help" "$in_page" "$in_help"
same "completion knows the options of --help" "$in_completion" "$in_help"
unknown=
for option in $in_help; do
	"$AFDISK" "--$option" 2>&1 </dev/null | grep -q 'unknown option' && unknown="$unknown $option"
done
same "the program takes all of them" "$unknown" ""
same "the synopsis names every verb" "$(
	synopsis=$(sed -n '/^\.SH SYNOPSIS/,/^\.SH DESCRIPTION/p' "$page" | tr -d '\134')
	for verb in list check dump edit apply backup restore resume revert; do
		case $synopsis in *--$verb*) ;; *) echo "$verb" ;; esac
	done
)" ""

plans=$(sed -n "/^_afdisk_plans=/,/^'/p" "$completion" | grep '^[a-z]')
untold=
[ -n "$plans" ] || untold=all
for plan in $plans; do
	tr -d '\134' <"$page" | grep -q "^\.B $plan\$" || untold="$untold page:$plan"
	"$AFDISK" --help | grep -qE "(^|[ ,])$plan([ ,]|\$)" || untold="$untold help:$plan"
done
same "every plan is told in the page and in --help" "$untold" ""

# Every file that belongs to the program comes and goes with make.
made=$(cd "$OLDPWD" && make -n install PREFIX=/p 2>/dev/null | sed -n 's/^install.*"\(.*\)"$/\1/p' | sort)
gone=$(cd "$OLDPWD" && make -n uninstall PREFIX=/p 2>/dev/null | tr '"' '\n' | grep '^/p' | sort)
same "uninstall takes what install brings" "$gone" "$made"
same "there are three of them" "$(echo "$made" | wc -l)" 3

# offers WORD...: what bash would offer for the last word, in one line; spaces at ends do not count.
offers() {
	bash --norc -c '. "$1" && shift && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _afdisk &&
		printf "%s\n" "${COMPREPLY[@]}"' sh "$completion" "$AFDISK" "$@" 2>&1 | sed 's/ *$//' | sort -u | tr '\n' ',' | sed 's/,$//'
}

same "quotes stay open" "$(bash --norc -c '. "$1"; COMP_WORDS=(afdisk --edit "'"'"'lab") COMP_CWORD=2; _afdisk
	printf "<%s>" "${COMPREPLY[@]}"' sh "$completion")" "<label ><label  >"
"$MKDISK" disk.img seed
echo 'label: dos' >table.sfdisk
mkdir folder
same "an option" "$(offers --re)" "--read-only,--restore,--resume,--revert"
same "an option with its letter" "$(offers - | tr ',' '\n' | grep -c '^-[a-zA-Z]$')" 11
same "a word behind =" "$(offers --color = a)" "always,auto"
same "nothing begun behind =" "$(offers --check =)" "strict"
same "an option that needs no value takes none" "$(offers --color)" "--color"
same "an image" "$(offers --check d)" "disk.img"
same "a file" "$(offers --apply table)" "table.sfdisk"
same "a column" "$(offers -o siz)" "SIZE"
same "one more column" "$(offers --output +UUID,START)" "+UUID,START,+UUID,START-OFF"
same "no column twice" "$(offers -o START,UUID,STAR)" "START,UUID,START-OFF"
same "an edit command, which needs quotes" "$(offers --edit re)" "'redo,'repair,'resize"
same "an edit command in quotes" "$(offers --edit '"re')" "redo,repair,resize"
same "an edit command behind others" "$(offers --edit "'label gpt; ne")" "label gpt; new"
same "what a command takes" "$(offers --edit "'label ")" "label dos,label gpt"
same "what it may take" "$(offers --edit '"resize 5 s')" "resize 5 size=,resize 5 start="
same "a word of several" "$(offers --edit "'new l")" "new logical"
same "a type" "$(offers --edit "'type 5 sw")" "type 5 swap"
same "a type of a new partition" "$(offers --edit "'new type=li")" "new type=linux"
same "an attribute" "$(offers --edit "'attr 1 Leg")" "attr 1 LegacyBIOSBootable"
same "on and off" "$(offers --edit "'boot 1 o")" "boot 1 off,boot 1 on"
same "the partitions of the disk that is named" "$(offers disk.img --edit "'delete ")" \
	"delete 1,delete 2,delete 3,delete 5,delete 6"
same "all partitions, or one" "$(offers disk.img --edit "'sort; align a")" "sort; align all"
same "no partition of no disk" "$(offers --edit "'delete ")" ""
same "a plan" "$(offers --edit "'plan windows-linux-")" "plan windows-linux-bios"
same "nothing behind a complete command" "$(offers --edit "'sort ")" ""
same "the disks of the machine" "$(offers /dev/ | tr ',' '\n' | grep -v loop | while read -r disk; do
	[ ! -b "$disk" ] || echo "$disk"
done)" "$(lsblk -bdnp -o NAME,SIZE 2>/dev/null | grep -v loop | while read -r disk size; do
	[ ! -b "$disk" ] || [ "$size" = 0 ] || echo "$disk"
done | sort)"
same "no size" "$(offers --grain 1)" ""

# Each type that completion knows is one; an MBR has none for home.
types=$(sed -n "s/^_afdisk_types='\(.*\)'/\1/p" "$completion")
for label in gpt dos; do
	for type in $types; do
		"$AFDISK" --edit "label $label; new size=10M type=$type" disk.img >out.txt 2>&1 || echo "$label $type"
	done
done >refused.txt
same "types are types" "$(cat refused.txt)" "dos home"
attributes=$(sed -n "s/^_afdisk_attributes='\(.*\)'/\1/p" "$completion")
for attribute in ${attributes:-none}; do
	"$AFDISK" --edit "label gpt; new size=10M; attr 1 $attribute on" disk.img >out.txt 2>&1 || echo "$attribute"
done >refused.txt
same "attributes are attributes" "$(cat refused.txt)" ""
