#!/bin/sh
# What a user of cfdisk does, from an empty start to the written table, with cfdisk's keys in a real terminal: begin
# without the table on the disk, a label, partitions by typing and by arrows, names and attributes, a dump, a script.
# shellcheck source=/dev/null
. "$(dirname "$0")/terminal.inc"

# Entries of disk.img as sfdisk reads them, without the device's name and what is made up anew.
entries() {
	sfdisk -d disk.img 2>&1 | sed -n 's/^disk\.img\([0-9]*\) : /\1 /p' | tr -d ' ' |
		sed 's/,type=[0-9A-F-]*//; s/,uuid=[0-9A-F-]*//'
}

step begins-without-the-table
"$MKDISK" disk.img seed
before=$(sfdisk -d disk.img)
start 80 24 "$AFDISK -z disk.img"
shows 'begun without a table'
shows '[  gpt   ] [  dos   ] [  load  ]'
keys g
shows 'Label: gpt'

step makes-one-by-typing-and-one-by-arrows
keys n 1G Enter
shows 'done: new partition'
keys Down n PPage
shows 'New partition'
keys Tab S-Right S-Right
shows 'sectors 2099216 to'
keys S-Left S-Left
shows 'sectors 2099200 to'
keys Tab End Home
shows '2048 sectors, 1 MiB'
keys 2G Enter
shows 'done: new partition'

step types-by-search
keys t
shows 'Search:'
keys swap Enter
shows 'is now Linux swap'

step names-and-attributes
keys e
shows 'Entry of disk.img2'
keys Enter my Space swap Enter
shows 'done: change partition 2: name "my swap"'
keys Down Down Down Down Down Space
shows '[x] attribute  2'
keys Escape
shows 'i: units  h: all keys'

step shows-the-extra-facts
keys x
shows 'PARTUUID:'
shows 'Attributes: LegacyBIOSBootable'
keys x x
shows 'both edges are on the 1 MiB grain'

step dumps
keys u
shows 'Save the table'
keys table.sfdisk Enter
shows 'saved:'

step changes-the-identifier
keys e Down Down Enter
shows 'Identifier of the disk:'
keys 01234567-89AB-4DEF-8123-456789ABCDEF Enter
shows 'identifier 01234567-89AB-4DEF-8123-456789ABCDEF'
keys Escape

step deletes-all-and-loads-the-script
keys Home d Down d
shows 'done: delete partition 2'
keys L
shows 'sfdisk script'
keys table.sfdisk Enter
shows 'done: apply a script'
shows 'my swap'

step writes
[ "$(sfdisk -d disk.img)" = "$before" ] || fail 'the disk changed before the word'
keys W
shows 'Type yes:'
keys yes Enter
shows 'written:'
keys q
shows 'left with 0'
is 'the table' "$(entries)" '1start=2048,size=2097152
2start=2099200,size=2095104,name="myswap",attrs="LegacyBIOSBootable"'
sfdisk --verify disk.img >verify.txt 2>&1 || fail "$(cat verify.txt)"
done_steps
