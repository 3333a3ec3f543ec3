#!/bin/sh
# Names in any script: the terminal and the editor agree where each character goes, so that what is drawn bit by bit is what
# a fresh drawing shows, and the columns behind a name begin where they should.
# shellcheck source=/dev/null
. "$(dirname "$0")/terminal.inc"

"$MKDISK" disk.img 2097152 512 gpt af000000-0000-4000-8000-000000000001 \
	g1=2048+204800,linux,auto g2=206848+204800,linux,auto g3=411648+204800,linux,auto \
	g4=616448+204800,linux,auto g5=821248+204800,linux,auto g6=1026048+204800,linux,auto
cat >edits.txt <<'END'
name 1 漢字の名前は長い長い長い長い長い長い;
name 2 مرحبا; name 3 '👨‍👩‍👧 fam 🇩🇪 ☎️x';
name 4 'é́́́́́́ e'; name 5 'हिन्दी नाम'; name 6 '한글 x‮abc'
END
step names-are-written
"$AFDISK" --edit "$(tr -d '\n' <edits.txt)" --write --quiet disk.img >log.txt 2>&1 || fail "$(cat log.txt)"

step drawn-bit-by-bit-as-drawn-at-once
start 80 24 "$AFDISK disk.img"
shows '► disk.img1'
for row in 2 3 4 5 6; do
	keys Down
	shows "► disk.img$row"
done
for row in 5 4 3 2; do
	keys Up
	shows "► disk.img$row"
done
shows 'disk.img2: both edges'
screen >before.txt
in_tmux send-keys -t it -R # the terminal forgets what it shows
keys C-l
shows 'disk.img2: both edges'
shows 'Resize (r)'
screen >after.txt
cmp -s before.txt after.txt || fail "$(diff before.txt after.txt)"

step columns-behind-the-names-are-straight
screen | grep -c '漢字の名前は長.* ▲ optimal' >count.txt
is 'the rows with that name, cut at a whole character' "$(cat count.txt)" 1
shows '👨?👩?👧 fam'
shows '한글 x?abc'
for name in 漢字の名前は مرحبا 👨 हिन्दी 한글; do
	in_tmux capture-pane -p -t it | grep -q "$name.*▲ optimal" || fail "$name is followed by something else"
done
keys q
shows 'left with 0'

step and-in-ascii
start 80 24 "$AFDISK --ascii disk.img"
shows '> disk.img1'
shows '??????'
screen >screen.txt
! LC_ALL=C grep -q '[^ -~]' screen.txt || fail 'there is something that is not ASCII'
keys q
shows 'left with 0'
done_steps
