#!/bin/sh
# libblkid judges the labels inside partitions, and those of other systems' disks: the same entries at the same places. It
# leaves out entries that lie outside of their partition, those that name others, and the last slice of a VTOC.
set -u
: "${AFDISK:?}" "${MKDISK:?}"
folder=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-judge.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1

list_ours() {
	"$AFDISK" --quiet --list -o KIND,STATUS,START,END disk.img |
		awk -v kind="$1" '$1 == kind && $2 != "container" && $2 != "unknown" { print $3, $4 }' | sort -n
}

list_theirs() {
	partx -g -o SCHEME,START,END,TYPE disk.img |
		awk -v scheme="$1" '$1 ~ scheme && !(scheme == "solaris" && $4 == "0x1") { print $2, $3 }' | sort -n
}

# $1 names the case, $2 is our kind of row, $3 their scheme; the rest is the recipe.
judge() {
	name=$1 kind=$2 scheme=$3
	shift 3
	"$MKDISK" disk.img "$@" || exit 1
	list_ours "$kind" >ours
	list_theirs "$scheme" >theirs
	if [ -s ours ] && cmp -s ours theirs; then
		echo "ok nested: $name"
	else
		echo "not ok nested: $name: $*"
		diff ours theirs | sed 's/^/# /'
	fi
}

# Lines of words: kind of label, type of the slice, and the recipe of a disk with up to 7 entries in one slice.
recipes() {
	awk -v seed="$1" 'function below(n) {
		seed = (seed * 16807) % 2147483647
		return seed % n
	}
	BEGIN {
		split("freebsd freebsd netbsd openbsd solaris", kind, " ")
		split("a5 a5 a9 a6 82", code, " ")
		for (i = 0; i < 60; i++) {
			k = i % 5 + 1
			slice = 1 + below(100000)
			size = 100000 + below(1000000)
			base = k == 1 || k == 5 ? 0 : slice # what starts count from
			label = k == 5 ? "vtoc=" slice : "bsd=" slice
			at = 16 + below(64)
			for (e = 0; e < 7 && at + 2000 < size; e++) {
				count = 1 + below(int((size - at) / 2))
				name = k == 5 ? e + (e >= 2) : substr("abefgh", e + 1, 1)
				if (name != "")
					label = label "," name ":" base + at "+" count ":" (k == 5 ? 2 + below(3) : 7 + below(3))
				at += count + below(5)
			}
			if (k == 5)
				label = label ",2:0+" size ":5"
			else
				label = label ",c:" (k == 4 ? 0 : base) "+" (k == 4 ? 2000000 : size)
			print kind[k], "2000000 512 dos 1 p1=" slice "+" size "," code[k], label
		}
	}'
}

n=0
recipes 2011 >list
while read -r scheme recipe; do
	n=$((n + 1))
	# shellcheck disable=SC2086 # its words are the arguments
	judge "$scheme $n" nested "$scheme" $recipe
done <list

judge "bsd, whole disk" primary bsd 40960000 512 none bsd=0,a:16+100000:7:2048,b:100016+99:1,c:0+40960000
judge "sun" primary sun 40960000 512 none sun=255/63,a:0+160650:2,b:10+321300:3,c:0+1606500:5,h:30+16065:4
judge "sgi" primary sgi 40960000 512 none sgi=0,0:4096+8192:10,1:12289+100:3
