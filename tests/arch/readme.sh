#!/bin/sh
# The screens in README.md are golden ones: behind a line <!-- screen: NAME --> stands tests/screen/NAME.txt. With BLESS=1
# they are put there. Links lead to what there is.
set -u
copy=$(mktemp "${TMPDIR:-/tmp}/afdisk-readme.XXXXXX") || exit 1
trap 'rm -f "$copy"' EXIT
trap 'exit 1' HUP INT TERM

# README.md with the golden screens in it, without the empty lines at their ends.
awk '
	/^<!-- screen: / {
		golden = "tests/screen/" $3 ".txt"
		print
		print "```text"
		for (empty = 0; (getline line <golden) > 0;) {
			sub(/ +$/, "", line)
			if (line == "") {
				empty++
				continue
			}
			for (; empty > 0; empty--)
				print ""
			print line
		}
		close(golden)
		inside = 1
		next
	}
	inside && /^```$/ { inside = 0 }
	!inside' README.md >"$copy"

[ "${BLESS-}" != 1 ] || cp "$copy" README.md
if cmp -s README.md "$copy"; then
	echo "ok arch: the screens in README are the golden ones"
else
	echo "not ok arch: the screens in README are the golden ones: make bless puts them there"
	diff README.md "$copy" | sed 's/^/# /'
fi

screens=$(grep -c '^<!-- screen: ' README.md)
if [ "$screens" -ge 3 ]; then
	echo "ok arch: README shows screens"
else
	echo "not ok arch: README shows screens: $screens"
fi

missing=$(sed -n 's/.*](\([a-z][^)#:]*\)).*/\1/p' README.md src/*.md | while read -r link; do
	[ -e "$link" ] || echo "$link"
done)
if [ -z "$missing" ]; then
	echo "ok arch: links lead to files"
else
	echo "not ok arch: links lead to files: $missing"
fi
