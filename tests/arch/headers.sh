#!/bin/sh
# Every header compiles alone.
set -u
wrong=
for header in include/afdisk/*.h src/*.h tui/*.h tests/lib/*.h; do
	[ -e "$header" ] || continue
	printf '#include "%s"\n' "$header" |
		${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -Iinclude -Itui -Itests/lib -x c -fsyntax-only - ||
		wrong="$wrong $header"
done
if [ -z "$wrong" ]; then
	echo "ok arch: every header compiles alone"
else
	echo "not ok arch: every header compiles alone:$wrong"
fi
