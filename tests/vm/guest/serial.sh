#!/bin/sh
# The editor on a serial line, with a person at its other end, who is in the script that made this machine.
# shellcheck source=tests/vm/bed/guest.inc
. /guest.inc

by_serial it
stty -F /dev/ttyS0 115200 rows 24 cols 80
before=$(stty -F /dev/ttyS0 -g)

# Edits the disk with the terminal type $1 in the locale $2.
over_the_line() {
	TERM=$1 LC_ALL=$2 afdisk "/dev/$disk" </dev/ttyS0 >/dev/ttyS0 2>&1
	is "$1: a person leaves over a serial line" $? 0
	is "$1: the line is as it was" "$(stty -F /dev/ttyS0 -g)" "$before"
}

over_the_line vt100 C
over_the_line linux C.UTF-8
