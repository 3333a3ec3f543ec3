#!/bin/sh
# Nothing grows too long, and nothing public goes without a comment.
set -u

# Prints the result of the check whose name is $1; $2 is what is wrong.
tell() {
	if [ -z "$2" ]; then
		echo "ok arch: $1"
	else
		echo "not ok arch: $1"
		printf '%s\n' "$2"
	fi
}

# Prints the files on stdin that have more than $1 lines.
longer() {
	while read -r file; do
		lines=$(wc -l <"$file")
		[ "$lines" -le "$1" ] || echo "# $file: $lines lines, at most $1"
	done
}

tell "no .c file over 600 lines" "$(find src tui tests -name '*.c' | longer 600)"
tell "no header over 200 lines" "$(find include src tui tests -name '*.h' | longer 200)"

tell "no function over 60 lines" "$(find src tui tests -name '*.c' -exec awk '
	/^[A-Za-z_].*\(/ { name = $0 }
	/^\{/ { begin = FNR }
	/^\}/ {
		if (begin && FNR - begin > 60)
			printf "# %s:%d: %d lines: %s\n", FILENAME, begin, FNR - begin, name
		begin = 0
	}' {} +)"

tell "every public prototype has a comment before it" "$(awk '
	/^[a-z].*\(/ && !/^typedef/ && before !~ /\*\/$/ { print "# " FILENAME ":" FNR ": " $0 }
	{ before = $0 }' include/afdisk/*.h tui/*.h)"
