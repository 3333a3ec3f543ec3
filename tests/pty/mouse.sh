#!/bin/sh
# The mouse in a real terminal: what it does, that it is off again however the program ends or stops, and that it is never
# switched on where there is none.
# shellcheck source=/dev/null
. "$(dirname "$0")/terminal.inc"

"$MKDISK" disk.img seed

# mouse REPORT: what a terminal sends behind ESC [ <, which no key does.
mouse() {
	in_tmux send-keys -t it -l "$(printf '\033[<%s' "$1")"
}

# A click on a text of the screen, which stands there in ASCII alone.
click_on() {
	at=$(screen | awk -v text="$1" 'index($0, text) { print index($0, text) + 3 ";" NR; exit }')
	mouse "0;${at}M"
	mouse "0;${at}m"
}

# The process of the editor: the only child of the shell in the terminal, or of the shell in that.
editor() {
	child=$(children "$(in_tmux display-message -p -t it '#{pane_pid}')" | tr -d ' ')
	grandchild=$(children "$child" | tr -d ' ')
	echo "${grandchild:-$child}"
}

children() {
	cat "/proc/$1/task/$1/children"
}

# Waits until the terminal format $1 of tmux is $2.
becomes() {
	tries=0
	until [ "$(in_tmux display-message -p -t it "$1")" = "$2" ]; do
		tries=$((tries + 1))
		[ "$tries" -le 200 ] || fail "$1 never became $2"
		sleep 0.05
	done
}

step a-click-selects
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
becomes '#{mouse_button_flag}#{mouse_sgr_flag}' 11
mouse '0;10;12M'
mouse '0;10;12m'
shows '► ├─disk.img5'
mouse '65;10;13M'
shows '► ├─disk.img6'

step drags-an-edge-and-Enter-does-it
mouse '0;1;5M'
mouse '32;2;5M'
shows 'Start 8G'
mouse '0;2;5m'
keys Enter
shows 'done: resize partition 1'
keys C-z
shows 'undone: resize partition 1'

step clicks-in-the-menu-and-in-the-hints
click_on '[  Help  ]'
shows 'Up Down PgUp PgDn: scroll; any other key: back'
keys Escape
shows 'h: all keys'

step reports-in-one-piece-and-a-cut-one
in_tmux send-keys -t it -l "$(printf '\033[<65;10;13M\033[<65;10;13Mj')"
shows '► ├─disk.img5'
in_tmux send-keys -t it -l "$(printf '\033[<65;1kk')" # the first letter ends it
shows '► disk.img3'

step the-older-reports-of-other-terminals
in_tmux send-keys -t it -l "$(printf '\033[M *)')"
shows '► disk.img1'
keys q
shows 'left with 0'
becomes '#{mouse_any_flag}' 0

step off-when-terminated
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
becomes '#{mouse_button_flag}' 1
kill -TERM "$(editor)"
shows 'left with 143'
becomes '#{mouse_any_flag}' 0

step off-after-a-crash
start 80 24 "ulimit -c 0; $AFDISK disk.img"
shows '► disk.img1'
becomes '#{mouse_button_flag}' 1
kill -SEGV "$(editor)"
shows 'left with '
shows 'isig icanon iexten echo'
becomes '#{mouse_any_flag}' 0
becomes '#{alternate_on}' 0
becomes '#{cursor_flag}' 1

step off-while-stopped
start 80 24 "env PS1='ready ' sh -i"
shows 'ready'
keys "$AFDISK disk.img" Enter
shows '► disk.img1'
becomes '#{mouse_button_flag}' 1
kill -TSTP "$(editor)"
shows 'Stopped'
becomes '#{mouse_any_flag}' 0
becomes '#{alternate_on}' 0
keys fg Enter
shows '► disk.img1'
becomes '#{mouse_button_flag}' 1
mouse '65;10;13M'
shows '► disk.img2'
keys q
becomes '#{mouse_any_flag}' 0
becomes '#{alternate_on}' 0
keys exit Enter
shows 'left with 0'

step never-on-where-there-is-none
for type in vt100 linux; do
	start 80 24 "env TERM=$type $AFDISK disk.img"
	shows 'disk.img1'
	shows 'h: all keys'
	becomes '#{mouse_any_flag}' 0
	keys q
	shows 'left with 0'
done
done_steps
