#!/bin/sh
# Every include goes down: a room includes only rooms on lower floors (floors.txt), and a face (floor 70 and tui/)
# only what it shows, below floor 30, and the desk. src/x_y.c and src/x_y.h belong to room x if there is no room x_y.
set -u
wrong=$(awk '
	function room(name) {
		sub(/.*\//, "", name)
		sub(/\.[ch]$/, "", name)
		while (!(name in floor) && sub(/_[^_]*$/, "", name))
			;
		return name
	}
	BEGIN {
		for (i = 1; i < ARGC; i++)
			here[ARGV[i]]
	}
	FNR == 1 {
		me = FILENAME ~ /^tui\// ? "tui" : room(FILENAME)
		mine = me == "tui" ? 99 : floor[me]
		if (FILENAME !~ /floors\.txt$/ && mine == "")
			print "# " FILENAME ": has no floor"
	}
	FILENAME ~ /floors\.txt$/ {
		for (i = 2; i <= NF; i++)
			floor[$i] = $1
		next
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		split($0, part, "\"")
		if (me == "tui" && ("tui/" part[2]) in here)
			next
		you = room(part[2])
		where = "# " FILENAME ":" FNR ": "
		if (part[2] ~ /\// && part[2] !~ /^afdisk\/[^\/]*$/)
			print where part[2] " is out of reach"
		else if (!(you in floor))
			print where part[2] " has no floor"
		else if (you != me && floor[you] >= mine)
			print where me " (floor " mine ") may not include " you " (floor " floor[you] ")"
		else if (mine >= 70 && you != me && floor[you] >= 30 && floor[you] < 60)
			print where "a face may not include " you " (floor " floor[you] ")"
	}' tests/arch/floors.txt include/afdisk/*.h src/*.[ch] tui/*.[ch])
if [ -z "$wrong" ]; then
	echo "ok arch: every include goes down"
else
	echo "not ok arch: every include goes down"
	echo "$wrong"
fi
