#!/bin/sh
# Runs test programs (binaries and .sh files), two at a time, and counts their single tests. The last line is
# "N passed, N failed, N skipped"; the exit status is 1 if anything failed or nothing ran.
#
#   O=build/dev sh tests/run.sh PROGRAM...      from the top of the tree
#
# Counted are cmocka's TAP lines and, of shell tests, "ok NAME", "not ok NAME: why" and "skip NAME: why". A program that
# crashes, hangs, stops before its last test or prints no test counts as one failure more. Each program has
# a TMPDIR of its own and finds AFDISK, MKDISK, DIFFDISK and PAGES (the folder of the built manual page) set.
set -u

absolute() {
	case $1 in
	/*) printf '%s' "$1" ;;
	*) printf '%s/%s' "$PWD" "$1" ;;
	esac
}

# Prints "PASSED FAILED SKIPPED" for the output in file $1 of a program that ended with status $2. A TAP line may stand
# behind what the test printed without a newline, and is known by its number.
count() {
	awk -v status="$2" '
		/^1\.\.[0-9]+$/ {
			planned += substr($0, 4)
			step = 0
			next
		}
		match($0, /(not )?ok [0-9]+ (- |# SKIP)/) {
			line = substr($0, RSTART, RLENGTH)
			split(line, word, " ")
			number = word[1] == "not" ? word[3] : word[2]
			if (number == step + 1 || number == "0") {
				step = number
				steps++
				if (line ~ /SKIP/)
					skipped++
				else if (word[1] == "not")
					failed++
				else
					passed++
			}
			next
		}
		/^ok [^ ]/ { passed++ }
		/^not ok [^ ]/ { failed++ }
		/^skip [^ ]/ { skipped++ }
		END {
			if (steps < planned || passed + failed + skipped == 0 || (status && !failed))
				failed++
			print passed + 0, failed + 0, skipped + 0
		}' "$1"
}

# Runs one program and leaves NAME.log and NAME.count in $RUN_DIR.
run_one() {
	name=$(printf '%s' "${1#"$RUN_O"/}" | tr '/ ' '__')
	log=$RUN_DIR/$name.log
	TMPDIR=$RUN_DIR/$name.tmp
	XDG_STATE_HOME=$TMPDIR/state
	TMUX_TMPDIR=$TMPDIR
	export TMPDIR XDG_STATE_HOME TMUX_TMPDIR
	mkdir -p "$TMPDIR"
	begin=$(date +%s)
	case $1 in
	tests/vm/*.sh) timeout -k 5 500 sh "$1" >"$log" 2>&1 </dev/null ;;
	*.sh) timeout -k 5 240 sh "$1" >"$log" 2>&1 </dev/null ;;
	*) timeout -k 5 240 "$(absolute "$1")" >"$log" 2>&1 </dev/null ;;
	esac
	status=$?
	seconds=$(($(date +%s) - begin))
	rm -rf "$TMPDIR"
	# shellcheck disable=SC2046 # three words are wanted
	set -- "$1" $(count "$log" $status)
	echo "$2 $3 $4" >"$RUN_DIR/$name.count"
	word=ok
	if [ "$3" -gt 0 ]; then
		word=FAILED
		echo "$1 (exit status $status)" >"$RUN_DIR/$name.failed"
	fi
	printf '%-7s%-40s%5d tests %4d s\n' "$word" "${1#"$RUN_O"/}" $(($2 + $3 + $4)) "$seconds"
}

if [ "${1-}" = --one ]; then
	run_one "$2"
	exit 0
fi

RUN_O=${O:?}
umask 022
RUN_DIR=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-check.XXXXXX") || exit 1
chmod 755 "$RUN_DIR" # some tests look at their files as another user
trap 'rm -rf "$RUN_DIR"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$RUN_DIR/bin" # short names without spaces, wherever the tree is
for program in afdisk tests/lib/tool/mkdisk tests/lib/tool/diffdisk; do
	ln -s "$(absolute "$RUN_O/$program")" "$RUN_DIR/bin/${program##*/}"
done
AFDISK=$RUN_DIR/bin/afdisk
MKDISK=$RUN_DIR/bin/mkdisk
DIFFDISK=$RUN_DIR/bin/diffdisk
PAGES=$(absolute "$RUN_O")
CMOCKA_MESSAGE_OUTPUT=TAP
LC_ALL=C.UTF-8
TZ=UTC
PATH=$PATH:/usr/sbin:/sbin
export RUN_O RUN_DIR AFDISK MKDISK DIFFDISK PAGES CMOCKA_MESSAGE_OUTPUT LC_ALL TZ PATH
unset NO_COLOR LANGUAGE TMUX MAKEFLAGS MFLAGS MAKELEVEL

[ $# -eq 0 ] || printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-2}" sh "$0" --one

for failed in "$RUN_DIR"/*.failed; do
	[ -e "$failed" ] || continue
	printf '\n---- %s\n' "$(cat "$failed")"
	log=${failed%.failed}.log
	if grep -aq 'not ok' "$log"; then
		grep -av '^ok ' "$log" | tail -n 200
	else
		tail -n 50 "$log"
		echo "(it ended without saying which test failed)"
	fi
done
cat "$RUN_DIR"/*.count 2>/dev/null | awk '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed || !passed
	}'
