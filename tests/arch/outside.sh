#!/bin/sh
# Each library and each ioctl has one door: the headers of outside.txt are included only by the files beside them.
set -u
wrong=$(grep -v '^#' tests/arch/outside.txt | while read -r header doors; do
	for door in $doors; do
		[ -e "$door" ] || echo "# outside.txt names $door, which does not exist"
	done
	grep -rlE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$header>" include src tui |
		while read -r file; do
			case " $doors " in
			*" $file "*) ;;
			*) echo "# $file: only $doors may include <$header>" ;;
			esac
		done
done)
if [ -z "$wrong" ]; then
	echo "ok arch: each library has one door"
else
	echo "not ok arch: each library has one door"
	echo "$wrong"
fi
