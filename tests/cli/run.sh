#!/bin/sh
# Runs the folders of this folder, each one case of the command line:
#
#   say             one sentence: what holds
#   disk            optional: the recipe of disk.img, as mkdisk takes it (tests/lib/disks.h); # begins a comment line
#   do              shell script, run in a fresh folder that holds disk.img and nothing else; $AFDISK is the program
#   expect          what it prints, stdout and stderr together
#   expect.status   optional: its exit status, if not 0
#   check           optional: shell script (run with -e) that must succeed afterwards; before.img is the disk as
#                   it was, and "$DIFFDISK" before.img disk.img lists the sectors that differ and fails if any do
#
# With BLESS=1 what is printed becomes what is expected. CASES="A B" runs only those.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${AFDISK:?}" "${MKDISK:?}" "${DIFFDISK:?}"
work=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-cli.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Makes image $2 by the recipe of case folder $1.
make_disk() {
	recipe=$(grep -v '^#' "$1/disk" | tr '\n' ' ')
	set -f
	# shellcheck disable=SC2086 # its words are the arguments
	"$MKDISK" "$2" $recipe
	status=$?
	set +f
	return $status
}

# Prints what is wrong with the run of case folder $1 in folder $2; nothing if it is right.
judge() {
	wanted=0
	[ ! -e "$1/expect.status" ] || wanted=$(cat "$1/expect.status")
	if [ "${BLESS-}" = 1 ]; then
		cp "$2/.out" "$1/expect"
		rm -f "$1/expect.status"
		[ "$3" -eq 0 ] || echo "$3" >"$1/expect.status"
	else
		[ "$3" -eq "$wanted" ] || echo "exit status $3, expected $wanted"
		cmp -s "$1/expect" "$2/.out" || diff -u "$1/expect" "$2/.out"
	fi
	[ -e "$1/check" ] || return
	(cd "$2/in" && sh -e "$1/check") >"$2/.check" 2>&1 </dev/null || {
		echo "check failed:"
		cat "$2/.check"
	}
}

run_case() {
	if [ ! -s "$1/say" ] || [ ! -s "$1/do" ]; then
		echo "say and do are needed"
		return
	fi
	mkdir -p "$2/in"
	if [ -e "$1/disk" ]; then
		make_disk "$1" "$2/in/disk.img" || return
		[ ! -e "$1/check" ] || make_disk "$1" "$2/before.img" || return
	fi
	(cd "$2/in" && sh "$1/do") >"$2/.out" 2>&1 </dev/null
	status=$?
	[ ! -e "$2/before.img" ] || mv "$2/before.img" "$2/in/before.img"
	judge "$1" "$2" $status
}

for say in "$here"/*/say; do
	[ -e "$say" ] || break
	folder=${say%/say}
	name=${folder##*/}
	case " ${CASES:-$name} " in *" $name "*) ;; *) continue ;; esac
	XDG_STATE_HOME=$work/$name/state
	export XDG_STATE_HOME
	wrong=$(run_case "$folder" "$work/$name" 2>&1)
	if [ -z "$wrong" ]; then
		echo "ok $name"
	else
		echo "not ok $name: $(cat "$say")"
		printf '%s\n' "$wrong" | sed 's/^/# /'
	fi
	rm -rf "${work:?}/$name"
done
