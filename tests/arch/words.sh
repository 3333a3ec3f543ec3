#!/bin/sh
# Words that are not to be in the tree: notes of unfinished work, and calls that start a shell.
set -u

# Prints the result of the check whose name is $1; $2 is what was found.
tell() {
	if [ -z "$2" ]; then
		echo "ok arch: $1"
	else
		echo "not ok arch: $1"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
}

# The words are in pieces here, so that this file does not hold them.
tell "no notes of unfinished work" "$(grep -rnwE 'FIX''ME|TO''DO|XX''X' \
	Makefile README.md include src tui tests)"
tell "no shell is started" "$(grep -rnE '(^|[^A-Za-z0-9_])(sys''tem|po''pen)[[:space:]]*\(' \
	--include='*.[ch]' include src tui tests)"
