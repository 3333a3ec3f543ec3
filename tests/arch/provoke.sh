#!/bin/sh
# Shows that the scripts beside this one can fail: breaks one rule at a time in a copy of the sources.
set -u
copy=$(mktemp -d "${TMPDIR:-/tmp}/afdisk-provoke.XXXXXX") || exit 1
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' HUP INT TERM

# A small tree in which every rule holds: the real lists and scripts, the real headers, and sources of our own.
fresh() {
	rm -rf "${copy:?}/tree"
	mkdir -p "$copy/tree/src" "$copy/tree/tui" "$copy/tree/tests/arch" "$copy/tree/tests/lib"
	cp -R include "$copy/tree"
	cp tests/arch/* "$copy/tree/tests/arch"
	cp tui/*.h "$copy/tree/tui"
	cp Makefile README.md "$copy/tree"
	# shellcheck disable=SC2013 # the words of the second column on are wanted
	for door in $(sed -e '/^#/d' -e 's/^[^ ]* *//' tests/arch/outside.txt); do
		echo '/* a door */' >"$copy/tree/$door"
	done
	printf '#include "afdisk/grid.h"\n' >"$copy/tree/src/grid.c"
}

# Expects that script $1 says "not ok" after the change that was made to the copy, and names it $2. Or says "ok" if $3 is ok.
expect() {
	said=$(cd "$copy/tree" && sh "tests/arch/$1.sh" 2>&1)
	case $said in
	*"not ok"*) found="not ok" ;;
	*) found="ok" ;;
	esac
	if [ "$found" = "${3-not ok}" ]; then
		echo "ok arch: $1.sh $2"
	else
		echo "not ok arch: $1.sh $2: it said $found"
		printf '%s\n' "$said" | sed 's/^/# /'
	fi
}

# Writes a function of $1 lines into file $2 of the copy.
function_of() {
	{
		printf 'int long_one(int n)\n{\n'
		yes '	n++;' | head -n $(($1 - 2))
		printf '	return n;\n}\n'
	} >"$copy/tree/$2"
}

for script in floors outside headers size words; do
	fresh
	expect $script "is content with a tree that keeps the rules" ok
done

fresh
echo '#include "afdisk/session.h"' >>"$copy/tree/src/grid.c"
expect floors "sees an include of a higher floor"
fresh
echo '#include "afdisk/facts.h"' >>"$copy/tree/src/grid.c"
expect floors "sees an include of the same floor"
fresh
echo '#include "afdisk/label.h"' >"$copy/tree/tui/peek.c"
expect floors "sees a screen that includes an eye"
fresh
echo '#include "afdisk/probe.h"' >"$copy/tree/src/cli.c"
expect floors "sees a command line that includes an eye"
fresh
echo '#include "canvas.h"' >>"$copy/tree/src/grid.c"
expect floors "sees a room that includes a screen's header"
fresh
echo 'int homeless;' >"$copy/tree/src/homeless.c"
expect floors "sees a file without a floor"

fresh
echo '#include "curses.h"' >>"$copy/tree/tui/bar.c"
expect floors "sees a quoted include of what is not in the tree"

fresh
echo '#include <curses.h>' >>"$copy/tree/tui/bar.c"
expect outside "sees curses outside its door"
fresh
echo '#  include <libfdisk/libfdisk.h>' >>"$copy/tree/src/grid.c"
expect outside "sees libfdisk outside its door"
fresh
rm "$copy/tree/src/probe.c"
expect outside "sees a door that is gone"

fresh
printf '/** Needs size_t. */\nsize_t af_grid_count(void);\n' >"$copy/tree/include/afdisk/grid.h"
expect headers "sees a header that does not compile alone"

fresh
function_of 60 src/grid.c
expect size "lets a function of 60 lines pass" ok
function_of 61 src/grid.c
expect size "sees a function of 61 lines"
fresh
yes '/* line */' | head -n 601 >"$copy/tree/src/grid.c"
expect size "sees a file of 601 lines"
fresh
yes '/* line */' | head -n 201 >"$copy/tree/tui/bar.h"
expect size "sees a header of 201 lines"
fresh
echo 'int af_grid_secret(void);' >>"$copy/tree/include/afdisk/grid.h"
expect size "sees a prototype without a comment"

fresh
printf '/* FIX''ME later */\n' >>"$copy/tree/src/grid.c"
expect words "sees a note of unfinished work"
fresh
printf 'int run(void) { return sys''tem("ls"); }\n' >>"$copy/tree/src/grid.c"
expect words "sees a shell that is started"
