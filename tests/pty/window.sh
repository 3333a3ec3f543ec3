#!/bin/sh
# The door to the terminal: windows that change, terminals that can little, signals, and no terminal at all.
# shellcheck source=/dev/null
. "$(dirname "$0")/terminal.inc"

"$MKDISK" disk.img seed

resize() {
	in_tmux resize-window -t it -x "$1" -y "$2"
}

# The children of process $1.
children() {
	cat "/proc/$1/task/$1/children"
}

# The process of the editor: the only child of the shell in the terminal, or of the shell in that.
editor() {
	child=$(children "$(in_tmux display-message -p -t it '#{pane_pid}')" | tr -d ' ')
	grandchild=$(children "$child" | tr -d ' ')
	echo "${grandchild:-$child}"
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

# Waits until the screen has TEXT no more.
hides() {
	tries=0
	while screen | grep -qF -- "$1"; do
		tries=$((tries + 1))
		[ "$tries" -le 200 ] || fail "'$1' never went away"
		sleep 0.05
	done
}

step small-window-says-so-and-comes-back
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
resize 40 10
shows 'afdisk needs a window of 80 columns and'
resize 80 24
shows '► disk.img1'
shows 'Resize (r): move the edges of this partition'

step large-window-is-used
resize 200 50
shows 'starts 63, 7 past the boundary at 56'
becomes '#{cursor_flag}' 0

step window-of-one-cell
resize 2 2
resize 80 24
shows '► disk.img1'

step quits-and-leaves-the-terminal-as-it-was
keys q
shows 'left with 0'
shows 'isig icanon iexten echo'
becomes '#{alternate_on}' 0
becomes '#{cursor_flag}' 1

step termination-restores-the-terminal
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
kill -TERM "$(editor)"
shows 'left with 143'
shows 'isig icanon iexten echo'
becomes '#{alternate_on}' 0

step hang-up-ends-it
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
kill -HUP "$(editor)"
shows 'left with 129'

step interrupt-is-a-question-when-there-are-changes
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
keys d
shows 'done: delete partition 1'
keys C-c
shows 'There are changes that were not written'
keys Escape
shows '[ Review ] [ Write  ]'
keys q q
shows 'left with 0'

step stops-and-goes-on
start 80 24 "env PS1='ready ' sh -i"
shows 'ready'
keys "$AFDISK disk.img" Enter
shows '► disk.img1'
kill -TSTP "$(editor)"
shows 'Stopped'
becomes '#{alternate_on}' 0
keys fg Enter
shows '► disk.img1'
keys Down
shows '► disk.img2'
keys q
becomes '#{alternate_on}' 0
keys exit Enter
shows 'left with 0'

step vt100-in-ascii
start 80 24 "env TERM=vt100 LC_ALL=C $AFDISK disk.img"
shows '> disk.img1'
shows '`-Free space'
screen >screen.txt
! LC_ALL=C grep -q '[^ -~]' screen.txt || fail 'there is something that is not ASCII'
! grep -qF '$<' screen.txt || fail 'waits of the description are sent as text'
keys Down
shows '> disk.img2'
keys q
shows 'left with 0'
screen | grep -qx 'left with 0' || fail 'the last line of the editor is still there'

step linux-whose-description-has-ctrl-z-for-another-key
start 80 24 "env TERM=linux $AFDISK disk.img"
shows '► disk.img1'
keys d
shows 'done: delete partition 1'
keys C-z
shows 'undone: delete partition 1'
keys C-y
shows 'done again: delete partition 1'
keys q q
shows 'left with 0'

step ascii-by-option
start 80 24 "$AFDISK --ascii disk.img"
shows '> disk.img1'
screen >screen.txt
! LC_ALL=C grep -q '[^ -~]' screen.txt || fail 'there is something that is not ASCII'
keys q
shows 'left with 0'

step without-colours
start 80 24 "$AFDISK --color=never disk.img"
shows '► disk.img1'
in_tmux capture-pane -p -e -t it >screen.txt
! LC_ALL=C grep -q "$(printf '\033')\\[[34][0-7]m" screen.txt || fail 'there is colour'
keys q
shows 'left with 0'

step with-colours
start 80 24 "env TERM=tmux-256color $AFDISK disk.img"
shows '► disk.img1'
in_tmux capture-pane -p -e -t it >screen.txt
LC_ALL=C grep -q "$(printf '\033')\\[3[0-7]m" screen.txt || fail 'there is no colour'
keys q
shows 'left with 0'

step in-every-terminal-of-today
for type in xterm xterm-256color screen screen-256color tmux tmux-256color linux vt100 vt220; do
	start 80 24 "env TERM=$type $AFDISK disk.img"
	shows '► disk.img1'
	keys Down
	shows '► disk.img2'
	keys q
	shows 'left with 0'
done

step a-dumb-terminal-is-refused
start 80 24 "env TERM=dumb $AFDISK disk.img"
shows 'terminal type dumb cannot show the editor'
shows 'left with 2'

step an-unknown-terminal-is-refused
export LSAN_OPTIONS=detect_leaks=0 # of curses, when it finds no description
start 80 24 "env TERM=nonesuch $AFDISK disk.img"
shows 'terminal type nonesuch cannot show the editor'
shows 'left with 2'
start 80 24 "env -u TERM $AFDISK disk.img"
shows 'terminal type (none) cannot show the editor'
shows 'left with 2'
unset LSAN_OPTIONS

step a-terminal-that-goes-away-ends-it
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
keys d W
shows 'Type yes:'
head -c 512 disk.img >before.txt
editor=$(editor)
in_tmux kill-server
tries=0
while kill -0 "$editor" 2>/dev/null; do
	tries=$((tries + 1))
	[ "$tries" -le 200 ] || fail 'it runs without a terminal'
	sleep 0.05
done
head -c 512 disk.img | cmp -s - before.txt || fail 'it has written'

step windows-of-any-size-in-the-middle-of-questions-and-of-a-write
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
for key in r t l h M; do
	keys "$key"
	resize 30 5
	shows 'afdisk needs a'
	resize 132 43
	hides 'afdisk needs a'
	keys Escape
	shows 'Arrows: row, menu'
	resize 80 24
done
keys d W
shows 'Type yes:'
resize 200 50
shows 'Type yes:'
keys yes
shows 'Type yes: yes'
keys Enter
resize 80 24
shows 'written: '
resize 100 30
shows 'written: '
keys Home
shows 'Arrows: row, menu'
in_tmux send-keys -t it -R
keys C-l
shows 'Arrows: row, menu'
keys q
shows 'left with 0'
"$MKDISK" disk.img seed

step no-terminal-is-refused
"$AFDISK" disk.img </dev/null >out.txt 2>err.txt
is 'the exit status' $? 2
is 'the output' "$(cat out.txt)" ''
grep -q 'disk.img: the editor needs a terminal' err.txt || fail "it says $(cat err.txt)"

step dumps-a-script-but-over-nothing
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
keys u
shows 'sfdisk script in file:'
keys table.sfdisk Enter
shows 'saved: sfdisk disk.img < table.sfdisk'
sfdisk --no-act disk.img <table.sfdisk >/dev/null 2>&1 || fail 'sfdisk does not take the script'
keys u table.sfdisk Enter
shows 'not saved: table.sfdisk exists already'
keys q
shows 'left with 0'
done_steps
