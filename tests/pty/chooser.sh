#!/bin/sh
# The disk chooser in a real terminal: an image is found by its path with Tab, edited, left for another one, and
# what was changed is never lost silently. Which disks the machine has is not for this test to know.
# shellcheck source=/dev/null
. "$(dirname "$0")/terminal.inc"

mkdir -p images/archive 'images/my disks'
"$MKDISK" images/first.img seed
"$MKDISK" images/archive/second.img empty-gpt
"$MKDISK" 'images/my disks/größe.img' gpt128
head -c 1048576 images/first.img >before.img

step opens-without-a-device
start 80 24 "$AFDISK"
shows 'afdisk: choose a disk'
shows '[  Path  ]'

step types-a-path-with-Tab
keys p
shows 'The path of a disk image or a disk'
keys -l ima
keys Tab
shows 'images/'
keys Tab
shows '3 can follow'
shows 'first.img'
keys -l 'fi'
keys Tab
shows 'images/first.img'
keys Enter
shows 'Disk: images/first.img'
shows '► first.img1'

step asks-before-it-leaves-changes
keys d
shows 'done: delete partition 1'
keys o
shows 'There are changes that were not written'
keys Escape
shows 'modified'
keys o c
shows 'Esc goes back to images/first.img, whose changes were not written'
keys Escape
shows 'modified'
shows '► Free space        2048'

step opens-another-one
keys o c /
shows 'The path of a disk image or a disk'
keys C-u
keys -l "images/my"
keys Tab
shows 'images/my disks/'
keys -l "gr"
keys Tab
shows 'images/my disks/größe.img'
keys Enter
shows 'Disk: images/my disks/größe.img'
shows 'Label: gpt'
keys q
shows 'left with 0'
cmp -s -n 1048576 images/first.img before.img || fail 'the first image was written'

step a-path-that-cannot-be-opened-stays
start 80 24 "$AFDISK"
shows 'afdisk: choose a disk'
keys .
keys -l '/nowhere.img'
keys Enter
shows 'cannot open ./nowhere.img: no such file or directory'
keys BSpace BSpace BSpace BSpace
shows './nowhere'
keys Escape
shows '[  Path  ]'
keys Escape
shows 'no disk is open to go back to'
keys q
shows 'left with 0'
shows 'isig icanon iexten echo'

step from-one-to-another-and-writes
start 80 24 "$AFDISK images/archive/second.img"
shows 'Label: gpt'
keys o
shows 'Esc goes back to images/archive/second.img'
keys p
keys -l 'images/first.img'
keys Enter
shows 'Disk: images/first.img'
keys Down d
shows 'done: delete partition 2'
keys W
shows 'Type yes:'
keys yes Enter
shows 'written:'
keys q
shows 'left with 0'
shows "written: 1 sector; 'afdisk --write --restore"
sfdisk -d images/first.img >table.txt 2>&1
! grep -q 'first.img2' table.txt || fail 'partition 2 is still there'

step ascii-and-a-window-that-grows
start 80 24 "$AFDISK --ascii"
shows 'afdisk: choose a disk'
in_tmux resize-window -t it -x 140 -y 40
shows 'Serial'
screen >screen.txt
! LC_ALL=C grep -q '[^ -~]' screen.txt || fail 'there is something that is not ASCII'
keys q
shows 'left with 0'

step without-a-terminal-it-is-an-error
"$AFDISK" </dev/null >out.txt 2>err.txt
is 'the exit status' $? 2
is 'the output' "$(cat out.txt)" ''
grep -q 'no disk is named' err.txt || fail "it says $(cat err.txt)"

step sizes-in-sectors-want-a-disk
start 80 24 "$AFDISK --grain 2048s"
shows 'sectors have no size before a disk is chosen'
shows 'left with 2'
done_steps
